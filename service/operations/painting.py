"""Pictures of cards from a provider of images. Off unless configured.

The house asks once for each card, version of its set and prompt. It stores the image as a file in the data
folder and serves it instead of the SVG. Until then, and while the provider fails, it serves the SVG.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any, BinaryIO

import structlog

from cards.catalog.cards import Printing
from cards.pictures.card import kind_line
from service import image_provider, metrics, publisher
from service.image_provider import LONGEST_PAUSE, Painted, kept
from service.outgoing import Failed
from service.runtime import Runtime

_log = structlog.get_logger(__name__)


def prompt(printing: Printing) -> str:
    """The prompt that describes a card to the provider."""
    card = printing.card
    shown = f"the dish {card.name}, made with {', '.join(card.list)}" if card.is_recipe else card.name
    about = f"{shown} ({kind_line(printing)})"
    return f"An illustration for a collectible card: {about}. Warm light, a kitchen table, no text."


def set_version(house: Runtime, printing: Printing) -> str:
    """The version of the set that a card is from."""
    return next((s.version for s in house.catalog.sets if s.code == printing.set_code), "")


def _path(house: Runtime, printing: Printing) -> Path:
    """The file of a card's image. Related files have the same name with a suffix."""
    version, model = set_version(house, printing), house.settings.picture_model
    name = image_provider.name_of(printing.card.number, version, model, prompt(printing))
    return image_provider.folder(house.settings) / name


def painted(house: Runtime, printing: Printing) -> Painted | None:
    """The provider's image of a card. If there is none yet, wake a worker to ask for it and return None."""
    if not house.settings.picture_url:
        return None
    path = _path(house, printing)
    found = kept(path)
    if found is not None:
        return found
    if not _waits(house, path):
        house.publisher.send(publisher.PAINT, str(printing.card.number))
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
    if kept(path) is not None:
        return True
    with image_provider.sheet(path) as sheet:
        # The lock comes before the request, which costs money: nobody else asks for this card, and the folder
        # is writable. The previous holder has left an image or a failure.
        if sheet is None or _waits(house, path):
            return False
        return kept(path) is not None or _paint(house, printing, path, sheet)


def _paint(house: Runtime, printing: Printing, path: Path, sheet: BinaryIO) -> bool:
    try:
        data = image_provider.asked(house.settings, prompt(printing))
    except Failed as fault:
        times = _failures(path)["times"] + 1
        pause = image_provider.pause(times)
        note = {"times": times, "until": house.now() + pause}
        path.with_suffix(".failed").write_text(json.dumps(note), encoding="utf-8")
        metrics.pictures.labels("card", "failed").inc()
        _log.warning(
            "picture_failed", card=printing.card.slug, fault=fault.code, times=times, pause=pause // 1000
        )
        return False
    image_provider.keep(sheet, data, path)
    path.with_suffix(".failed").unlink(missing_ok=True)
    metrics.pictures.labels("card", "painted").inc()
    _log.info("picture_painted", card=printing.card.slug, size=len(data))
    return True
