"""The house's side: an HTTP API over operations over tables.

`app.create_app` builds the Flask application, `house.House` is what one
process of the house has at hand: its settings, its database, its card sets.
`api` parses, calls one operation and dumps; `operations` holds what the house
does, one verb a function, and is the only writer of the database; `models`
holds the tables. A fault is a `problems.Problem` wherever it arises. The house
wakes its workers by the names of their tasks and never imports them.
"""
