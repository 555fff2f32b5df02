"""Pictures of cards from a provider: any endpoint with OpenAI's image API. Off unless configured.

The house asks once for each card, version of its set and prompt. It stores the image as a file in the data
folder and serves it instead of the SVG. Until then, and while the provider fails, it serves the SVG. Only a
worker sends requests. Logs never hold the key or any part of an answer.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
from base64 import b64decode
from binascii import Error as BadBase64
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

import structlog

from cards.catalog.cards import Printing
from cards.pictures.card import kind_line
from crypto.encoding import loads
from service import outgoing, publisher
from service.outgoing import Failed, read_url
from service.runtime import Runtime

MOST_BYTES = 8 * 1024 * 1024
"""The most bytes of an image."""
FIRST_PAUSE, LONGEST_PAUSE = 60, 86_400
"""The first and the longest pause after a failure, in seconds. Each further failure doubles it."""
KINDS = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/webp": (b"RIFF",),
}
"""The accepted image types, with their first bytes."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Painted:
    """An image that a provider made."""

    data: bytes
    content_type: str


def prompt(printing: Printing) -> str:
    """The prompt that describes a card to the provider."""
    card = printing.card
    shown = f"the dish {card.name}, made with {', '.join(card.list)}" if card.is_recipe else card.name
    about = f"{shown} ({kind_line(printing)})"
    return f"An illustration for a collectible card: {about}. Warm light, a kitchen table, no text."


def _version(house: Runtime, printing: Printing) -> str:
    return next((s.version for s in house.catalog.sets if s.code == printing.set_code), "")


def _path(house: Runtime, printing: Printing) -> Path:
    """The file of a card's image. Related files have the same name with a suffix."""
    asked = [printing.card.number, _version(house, printing), house.settings.picture_model, prompt(printing)]
    digest = sha256(json.dumps(asked).encode()).hexdigest()
    return house.settings.data / "pictures" / digest


def kind_of(data: bytes) -> str | None:
    """The content type of an image by its first bytes; None for anything else."""
    for kind, beginnings in KINDS.items():
        if data.startswith(beginnings) and (kind != "image/webp" or data[8:12] == b"WEBP"):
            return kind
    return None


def painted(house: Runtime, printing: Printing) -> Painted | None:
    """The provider's image of a card. If there is none yet, wake a worker to ask for it and return None."""
    if not house.settings.picture_url:
        return None
    path = _path(house, printing)
    kept = _kept(path)
    if kept is not None:
        return kept
    if not _waits(house, path):
        house.publisher.send(publisher.PAINT, str(printing.card.number))
    return None


def _kept(path: Path) -> Painted | None:
    with contextlib.suppress(OSError):
        data = path.read_bytes()
        kind = kind_of(data)
        return None if kind is None else Painted(data, kind)
    return None


def _failures(path: Path) -> dict[str, int]:
    with contextlib.suppress(OSError, ValueError, TypeError):
        known: Any = json.loads(path.with_suffix(".failed").read_text(encoding="utf-8"))
        return {"times": int(known["times"]), "until": int(known["until"])}
    return {"times": 0, "until": 0}


def _waits(house: Runtime, path: Path) -> bool:
    left = _failures(path)["until"] - house.now()
    return 0 < left <= LONGEST_PAUSE * 1000  # a longer pause was noted before the clock was put back


def paint(house: Runtime, number: str) -> bool:
    """Ask the provider for a card, by number, and store the image; returns whether it is there now.

    Does nothing if the image is there already, or if a failure was too recent.
    """
    printing = house.catalog.printings.get(int(number))
    if printing is None or not house.settings.picture_url:
        return False
    path = _path(house, printing)
    if _kept(path) is not None:
        return True
    with _sheet(path) as sheet:
        # The lock comes before the request, which costs money: nobody else asks for this card, and the folder
        # is writable. The previous holder has left an image or a failure.
        if sheet is None or _waits(house, path):
            return False
        return _kept(path) is not None or _paint(house, printing, path, sheet)


def _paint(house: Runtime, printing: Printing, path: Path, sheet: BinaryIO) -> bool:
    try:
        data = _asked(house, prompt(printing))
    except Failed as fault:
        times = _failures(path)["times"] + 1
        pause = min(FIRST_PAUSE * 2 ** (times - 1), LONGEST_PAUSE)
        note = {"times": times, "until": house.now() + pause * 1000}
        path.with_suffix(".failed").write_text(json.dumps(note), encoding="utf-8")
        _log.warning("picture_failed", card=printing.card.slug, fault=fault.code, times=times, pause=pause)
        return False
    sheet.truncate(0)
    sheet.write(data)
    sheet.flush()
    Path(sheet.name).replace(path)  # atomic, even if a process dies
    path.with_suffix(".failed").unlink(missing_ok=True)
    _log.info("picture_painted", card=printing.card.slug, size=len(data))
    return True


def _asked(house: Runtime, text: str) -> bytes:
    """An image from the provider. Raises `Failed`."""
    settings = house.settings
    body: dict[str, Any] = {"model": settings.picture_model, "prompt": text, "n": 1}
    if not settings.picture_model.startswith(
        "gpt-image"
    ):  # these models return only that, and refuse the field
        body["response_format"] = "b64_json"
    headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "Cloche"}
    if settings.picture_key:
        headers["Authorization"] = f"Bearer {settings.picture_key}"
    answer = outgoing.post(
        read_url(f"{settings.picture_url}/images/generations"),
        json.dumps(body).encode(),
        headers,
        may=lambda _: True,  # the operator has configured it
        seconds=settings.picture_seconds,
        most=MOST_BYTES * 4 // 3 + 65_536,
    )
    if answer.status != 200:
        raise Failed(f"status_{answer.status}")
    try:
        data = b64decode(loads(answer.body)["data"][0]["b64_json"], validate=True)
    except (ValueError, LookupError, TypeError, BadBase64):
        raise Failed("bad_answer") from None
    if len(data) > MOST_BYTES:
        raise Failed("too_large")
    if kind_of(data) is None:
        raise Failed("no_image")
    return data


@contextlib.contextmanager
def _sheet(path: Path) -> Iterator[BinaryIO | None]:
    """The locked file to which an image is first written; None while another process or thread has it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".half").open("ab") as sheet:
        try:
            fcntl.flock(sheet, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
        else:
            yield sheet
