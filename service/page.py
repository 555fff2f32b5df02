"""The page as it was built: its files, how long a browser may keep them, and the policy that it runs under.

`web/build.py` makes the folder `web/dist`, and a wheel has it inside. A house serves it under `/`, and
`cloche web` from the player's own machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "web" / "dist"
MANIFEST = "manifest.json"
FRONT = "index.html"
HOUSE = "house.json"
"""Says which house the page belongs to, where another program passes its requests on."""

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:;"
    " font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types cloche"
)
"""No inline code, no other host, and no script but the two that the page's one policy lets through."""
GUARDS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Headers of every file."""

KEPT = "public, max-age=31536000, immutable"
"""Cache-Control of files that are named by their digest."""
ASKED = "no-cache"
"""Cache-Control of the others: a browser asks each time whether they have changed."""
CODINGS = (("br", ".br"), ("gzip", ".gz"))
"""Codings by the ending of the compressed file beside, the smallest first."""
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """A file as it is sent."""

    status: int
    """200 or 304."""
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Page:
    """A built page in a folder."""

    folder: Path
    build: str
    """The build's name, 8 hexadecimal digits."""
    digests: Mapping[str, str]
    """The SHA-256 of each file by its path, which begins with a stroke."""

    @classmethod
    def built(cls, folder: Path = FOLDER) -> Page | None:
        """The page in a folder; None if it is not built."""
        try:
            told = json.loads((folder / MANIFEST).read_bytes())
            files: dict[str, Any] = told["files"]
            return cls(folder, str(told["build"]), {path: files[path]["sha256"] for path in files})
        except (OSError, ValueError, KeyError, TypeError):
            return None

    @cached_property
    def paths(self) -> frozenset[str]:
        """The paths that are answered: `/` is the front, and the manifest lists all files but itself."""
        return frozenset({"/", f"/{MANIFEST}", f"/{HOUSE}", *self.digests} - {f"/{FRONT}"})

    def computed(self) -> Mapping[str, str]:
        """The SHA-256 of each file as it lies there, by its path; empty for one that is gone."""
        return {path: _sha256(self.folder / path[1:]) for path in self.digests}

    def answer(
        self, path: str, accepted: frozenset[str] = frozenset(), known: str = "", house: str | None = None
    ) -> PageAnswer:
        """The answer for one of `paths`.

        `accepted` are codings that the browser takes, `known` its If-None-Match; `house` is the house's
        address where the page is served from another place. Raises KeyError for another path.
        """
        if path not in self.paths:
            raise KeyError(path)
        headers = dict(GUARDS)
        if path == f"/{HOUSE}":
            body = json.dumps({"url": house}).encode()
            return PageAnswer(
                200, {**headers, "Content-Type": "application/json", "Cache-Control": ASKED}, body
            )
        file = self.folder / (FRONT if path == "/" else path[1:])
        headers["Content-Type"] = _TYPES.get(file.suffix, "application/octet-stream")
        headers["Cache-Control"] = KEPT if self._digest_in_name(file) else ASKED
        headers["Vary"] = "Accept-Encoding"
        for coding, ending in CODINGS:
            small = file.with_name(file.name + ending)
            if coding in accepted and small.exists():
                file, headers["Content-Encoding"] = small, coding
                break
        body = file.read_bytes()
        headers["ETag"] = tag = f'"{sha256(body).hexdigest()}"'
        if known and tag in (part.strip().removeprefix("W/") for part in known.split(",")):
            return PageAnswer(304, headers, b"")
        return PageAnswer(200, headers, body)

    @staticmethod
    def _digest_in_name(file: Path) -> bool:
        """Tell whether a file's name changes with its bytes: those in the front row keep theirs."""
        return file.name not in (FRONT, MANIFEST, "service.js", "cloche.webmanifest")


def _sha256(file: Path) -> str:
    try:
        return sha256(file.read_bytes()).hexdigest()
    except FileNotFoundError:
        return ""
