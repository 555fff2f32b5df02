"""QR codes for terminals: what a phone reads from the screen."""

from __future__ import annotations

import io

import segno


def qr_code(text: str) -> str:
    """A QR code (ISO/IEC 18004) of a text, drawn for a terminal, two rows of it to a line."""
    out = io.StringIO()
    segno.make(text, error="m", micro=False).terminal(out=out, border=2, compact=True)
    return out.getvalue()
