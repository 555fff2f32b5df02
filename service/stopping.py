"""One switch for the process: requests that wait look at it, so that the house can close without them."""

from __future__ import annotations

from threading import Event

stopping = Event()
"""Set once this process has been told to end."""
