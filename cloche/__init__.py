"""The front door: the command line, the one-command start, the demo.

`main` holds the group of commands; each command lives in a module of its
own and is imported when it is asked for. This room imports whom it likes
and is imported by nobody.
"""
