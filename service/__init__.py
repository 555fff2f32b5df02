"""The house, which is the server: an HTTP API, the operations behind it, and their tables.

`app.create_app` builds the Flask application. `runtime.Runtime` holds what one process needs: its settings,
its database, its card sets. `api` parses a request, calls one operation and dumps the answer. `operations`
holds what the house does, one verb a function, and alone writes to the database. `models` holds the tables.
Every refusal becomes a `problems.Problem`. The service wakes the workers by the names of their tasks and
never imports them.
"""
