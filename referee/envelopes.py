"""The content of envelopes: a complete reveal message, as a seat would send it (protocol section 11)."""

from __future__ import annotations

from cards.games.contract import Packing
from crypto import envelope
from crypto.encoding import EncodingError, b64, canonical, parse
from crypto.envelope import EnvelopeError
from referee.bodies import fields
from referee.errors import Refused, need
from referee.game import Game, seal_of
from referee.message import Message, read_message
from referee.validation import meal_context

CONTENT = 6 * 1024
"""The size in bytes to which a client pads the content; no reveal is larger. Without padding, an envelope's
size would tell everybody how many cards are in the meal."""
_PADDING = b" "


def reveal_bytes(reveal: Message) -> bytes:
    """The content of an envelope: canonical JSON of a reveal's {body, signature}, padded with spaces."""
    told = canonical({"body": dict(reveal.body), "signature": b64(reveal.signature)})
    return told.ljust(CONTENT, _PADDING)


def enclosed(game: Game) -> frozenset[int]:
    """The seats that are asked for a reveal and have already enclosed it with their seal."""
    asking = game.asking
    if asking is None:
        return frozenset()
    # A seat that is asked and has sealed is asked for a reveal.
    sealed = ((seat, game.seat(seat).sealed) for seat in asking.seats)
    return frozenset(seat for seat, found in sealed if found is not None and found.envelope)


def open_envelope(game: Game, seat: int, private: bytes, sent: bytes) -> Message:
    """The reveal that `seat` has enclosed with its seal of the running step, not validated yet.

    `private` is the house's envelope key, `sent` the envelope. Raises `Refused` for an envelope that does
    not open with this key or contains no message; it then counts as not sent. The message gets the step
    and seat of the seal, so the signature of a reveal for another step or seat will not hold.
    """
    sealed = seal_of(game, seat)
    context = meal_context(game, seat, sealed.step, Packing(sealed.hand, sealed.boxes))
    try:
        content = envelope.unseal(private, context, sealed.seal, sent).rstrip(_PADDING)
        given = parse(content)
        need(
            canonical(given) == content,
            "bad_envelope",
            "the envelope's content is not in canonical form",
            "/envelope",
        )
    except (EncodingError, EnvelopeError) as error:
        # The text names only the kind of error, since an error's own text could quote the content.
        text = f"the envelope does not hold a reveal ({type(error).__name__})"
        raise Refused("bad_envelope", text, "/envelope", "protocol 11") from None
    fields(given, ("body", "signature"), "/envelope")
    return read_message(game.header.game, {**given, "step": sealed.step, "seat": seat, "kind": "reveal"})
