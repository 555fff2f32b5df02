"""One switch for the process. Requests that wait look at it, so that they don't delay its end."""

from __future__ import annotations

from threading import Event

stopping = Event()
"""Set once this process has been told to end."""
