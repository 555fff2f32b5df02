"""The house, that is the server: an HTTP API over operations over tables.

`app.create_app` builds the Flask application. `runtime.Runtime` is what one process has: its settings, its
database, its card sets. `api` parses a request, calls one operation and dumps the answer. `operations` holds
what the house does, one verb a function, and is the only writer of the database. `models` holds the tables. A
refusal is a `problems.Problem` wherever it arises. The service wakes the workers by the names of their tasks
and never imports them.
"""
