"""Running the house: gunicorn, checks of a configuration, logs, the lock on an SQLite file."""
