"""A player's side without a network and without files.

`seat` builds every message, `due` says which one is owed next, and `sent_log` keeps what was said.
This room runs wherever Python runs, a browser included: it imports the standard library, the referee and
the libraries of the protocol.
"""
