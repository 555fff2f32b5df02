"""A house whose copies may leave as tokens. A chain answers in tests/chain alone; here it was just read."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.db import Database
from service.models import ChainHead
from tests.stack import Stack

CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
WALLET = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
SETTINGS = {"chain_id": 1, "chain_pantry": CONTRACT, "chain_nodes": "http://127.0.0.1:1"}


@contextmanager
def with_pantry(folder: Path) -> Iterator[Stack]:
    """A house whose copies may leave, in `folder`."""
    with Stack("embedded", folder, **SETTINGS) as house:
        note_head(house)
        yield house


def note_head(house: Stack) -> None:
    """Note a final block of now, so that copies may leave."""
    head = {"place": f"1:{CONTRACT}", "number": 5, "hash": "00" * 32, "time": int(time.time())}
    with Database(house.database).write() as session:
        session.merge(ChainHead(id=1, restored_until=0, **head))
