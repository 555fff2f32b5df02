"""The command line, the one-command start, the demo.

`main` holds the group of commands. Each command is imported when it is needed. `commands` has the commands in
folders as `cloche --help` groups them, `table` the terminal at which games are played, `operate` what starts
and looks after a house. This room may import every other, and no other imports it.
"""
