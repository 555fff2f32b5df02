"""Checks of the workers' key for envelopes: it exists, is private, and is the one that new games name."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from cloche.operate.checks.database import reading
from cloche.operate.checks.finding import Finding, ProcessSetup
from crypto.encoding import b64
from service.keys import KeysError, readable_by_others
from service.operations import envelopes
from worker import keyring
from worker.keyring import Keyring


def look(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether a process that opens envelopes can open those of new games."""
    if setup.role == "events" or (setup.serves and not setup.inside):
        return
    path = setup.settings.data / keyring.FILE
    try:
        private_keys = keyring.read(path) if path.exists() else Keyring()
    except (KeysError, OSError) as fault:
        text = str(fault) if isinstance(fault, KeysError) else f"{path}: {fault.strerror}"
        yield Finding("error", "envelopes", text, "Put it back from a backup, or `cloche keys envelope`.")
        return
    if path.exists() and readable_by_others(path):
        yield Finding("warning", "envelopes", f"others can read {path}", f"chmod 600 {path}")
    try:
        with Session(reading(setup.settings)) as session:
            named = envelopes.newest(session)
    except SQLAlchemyError:
        named = None  # without tables none is published; the database's check has reported what is wrong
    if named is None:
        yield Finding("ok", "envelopes", "no key is published yet; the first worker publishes one")
    elif private_keys.private(named) is None:
        do = f"Copy {keyring.FILE} here from another worker, or make a new key: `cloche keys envelope`."
        text = f"{path} lacks the key {b64(named)}, which new games name: envelopes stay shut"
        yield Finding("error", "envelopes", text, do)
    else:
        yield Finding("ok", "envelopes", f"{path} has the key that new games name")
