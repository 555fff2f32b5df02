"""The provider of images: any endpoint with OpenAI's image API; and the files in which its images are kept.

Only a worker sends requests. Logs never hold the key or any part of an answer.
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

from crypto.encoding import loads
from service import outgoing
from service.config import Settings
from service.outgoing import Failed, read_url

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
HALF = ".half"
"""The suffix of a file to which an image is being written."""


@dataclass(frozen=True, slots=True)
class Painted:
    """An image that a provider made."""

    data: bytes
    content_type: str


def folder(settings: Settings) -> Path:
    """The folder of the images. It need not exist."""
    return settings.data / "pictures"


def name_of(*asked: object) -> str:
    """The name of an image's file, by all that the image depends on."""
    return sha256(json.dumps(asked).encode()).hexdigest()


def pause(failures: int) -> int:
    """The pause after so many failures in a row, in milliseconds."""
    return min(FIRST_PAUSE << min(failures - 1, 30), LONGEST_PAUSE) * 1000


def kind_of(data: bytes) -> str | None:
    """The content type of an image by its first bytes; None for anything else."""
    for kind, beginnings in KINDS.items():
        if data.startswith(beginnings) and (kind != "image/webp" or data[8:12] == b"WEBP"):
            return kind
    return None


def kept(path: Path) -> Painted | None:
    """The image in a file; None if there is no such file, or no image in it."""
    with contextlib.suppress(OSError):
        data = path.read_bytes()
        kind = kind_of(data)
        return None if kind is None else Painted(data, kind)
    return None


def asked(settings: Settings, text: str) -> bytes:
    """Ask the provider for an image by a prompt. Raises `Failed`."""
    body: dict[str, Any] = {"model": settings.picture_model, "prompt": text, "n": 1}
    # The models whose names begin so return only base64, and refuse the field.
    if not settings.picture_model.startswith("gpt-image"):
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
def sheet(path: Path) -> Iterator[BinaryIO | None]:
    """The locked file to which an image is first written; None while another process or thread has it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(HALF).open("ab") as half:
        try:
            fcntl.flock(half, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
        else:
            yield half


def keep(half: BinaryIO, data: bytes, path: Path) -> None:
    """Write an image to its sheet, and put it in its place. Raises `OSError`, on a full disk for instance."""
    if half.tell():  # left over from a process that died
        half.truncate(0)
    half.write(data)
    half.flush()
    Path(half.name).replace(path)  # atomic, even if a process dies
