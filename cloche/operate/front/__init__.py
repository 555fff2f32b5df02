"""The front of a house: an event loop that takes requests in, and threads that answer them.

A request takes a thread when its head and body are there, not before, and gives it back where it has to wait.
So a slow client costs a connection and nothing more. There are limits to connections, to the time that a
client may take, and to the requests that wait for a thread. Requests of running games have threads of their
own. uvicorn speaks HTTP; the application is called as WSGI.
"""
