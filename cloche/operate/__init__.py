"""Running a house: gunicorn, checks of the settings, logs, the lock on an SQLite file."""
