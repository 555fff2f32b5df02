"""Plumbing for players in other languages: JSON from standard input, JSON to standard output.

Each command folds the entries that it is given, so it builds only what follows from entries that the house
has signed. It sends nothing: a program that speaks HTTP can do the rest (docs/plumbing.md).
"""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from cards.catalog.cards import Card
from cards.games.contract import Face, IllegalMove
from cloche.commands.errors import REFUSED, UNREADABLE
from cloche.commands.words import ENVELOPE_ASKS
from crypto.encoding import EncodingError, b64, parse, unb64
from crypto.identity import new_private_key, public_key
from crypto.secret import MatchSecret
from player.due import due, seen
from player.one_history import packs_with
from player.seat import OwnSeat, SealedChoice
from referee import Game, Refused, apply, read_entry
from referee.checks import AtOnce
from referee.faces import read_faces
from referee.game import pack_of
from referee.message import Message
from referee.sign_in import CHALLENGE, write_answer, write_registration
from referee.validation import examine

Given = Mapping[str, Any]
Built = tuple[Message, SealedChoice | None]


class BadInput(Exception):
    """The input is not what the command needs; `pointer` points into it."""

    def __init__(self, text: str, pointer: str = "") -> None:
        super().__init__(text)
        self.pointer = pointer


def _command(
    name: str, build: Callable[[Given], dict[str, Any]], text: str, *flags: click.Option
) -> click.Command:
    def run(as_json: bool, **set_by_flags: bool) -> None:
        _run(lambda given: build({**given, **set_by_flags}))

    flag = click.Option(
        ["--json", "as_json"], is_flag=True, help="Read and write JSON, which these commands always do."
    )
    epilog = (
        "It reads a JSON object from standard input and writes one to standard output; see docs/plumbing.md."
    )
    return click.Command(name, callback=run, params=[flag, *flags], help=text, epilog=epilog)


def _run(build: Callable[[Given], dict[str, Any]]) -> None:
    """Read, build, write. A refusal is JSON too, with exit code 1, or 2 for bad input."""
    try:
        given = parse(sys.stdin.buffer.read())
        if not isinstance(given, dict):
            raise BadInput("must be one JSON object")
        click.echo(json.dumps(build(given), ensure_ascii=False))
        return
    except Refused as refused:
        code, text, pointer, status = refused.code, refused.text, refused.pointer, REFUSED
    except IllegalMove as illegal:
        refusal = illegal.refusal
        code, text, pointer, status = refusal.code, str(illegal), refusal.pointer, REFUSED
    except (BadInput, EncodingError) as bad:
        code, text, pointer, status = "bad_input", str(bad), getattr(bad, "pointer", ""), UNREADABLE
    click.echo(json.dumps({"error": {"code": code, "text": text, "pointer": pointer}}, ensure_ascii=False))
    click.echo(f"Error [{code}]: {pointer + ': ' if pointer else ''}{text}", err=True)
    sys.exit(status)


# Input


def _field(given: Given, name: str, kind: type, what: str) -> Any:
    value = given.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadInput(f"must be {what}", f"/{name}")
    return value


def _octets(given: Given, name: str) -> bytes:
    try:
        return unb64(given.get(name), 32)
    except EncodingError as error:
        raise BadInput(f"must be 32 bytes in base64url: {error}", f"/{name}") from None


def _entries(given: Given) -> list[Any]:
    """The entries so far: a list, or the path of a file with a list or a record."""
    found: Any = given.get("entries")
    if found is None:
        path = Path(_field(given, "record", str, "the path of a record, where there are no entries"))
        try:
            found = parse(path.read_bytes())
        except OSError as error:
            raise BadInput(f"{path}: {error.strerror}", "/record") from None
    if isinstance(found, dict):
        found = found.get("entries")
    if not isinstance(found, list) or not found:
        raise BadInput("must be a list of entries, from the first on", "/entries")
    return found


def _applied(game: Game | None, data: Any, i: int) -> Game:
    """The game after entry `i` of the input."""
    try:
        return apply(game, read_entry(data))
    except Refused as refused:
        raise refused.within(f"/entries/{i}") from None


def _fold(given: Given) -> Game:
    """The game after these entries. Raises `Refused` with a pointer into the input."""
    first, *others = _entries(given)
    game = _applied(None, first, 0)
    for i, data in enumerate(others, start=1):
        game = _applied(game, data, i)
    if "house_key" in given and _octets(given, "house_key") != game.header.house_key:
        raise Refused("wrong_house", "the game names another house key", "/house_key")
    return game


def _deck(given: Given, cards: Mapping[int, Card]) -> tuple[Card, ...]:
    """The cards of the player's deck, by number; the input has copies by card number or slug."""
    numbers = {str(number): number for number in cards} | {card.slug: n for n, card in cards.items()}
    found: list[int] = []
    for name, count in _field(given, "deck", dict, "copies by card").items():
        if name not in numbers:
            raise BadInput("no card of the sets in play", f"/deck/{name}")
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= 40:
            raise BadInput("must be a number of copies", f"/deck/{name}")
        found += [numbers[name]] * count
    if len(found) != 40:
        raise BadInput(f"must be 40 cards, not {len(found)}", "/deck")
    return tuple(cards[number] for number in sorted(found))


def _seat(given: Given, game: Game) -> OwnSeat:
    private = _octets(given, "private_key")
    key = public_key(private)
    ours = [i for i, player in enumerate(game.header.players) if player.key == key]
    if not ours or given.get("seat", ours[0]) != ours[0]:
        raise Refused("wrong_seat", "the private key is not of this seat", "/private_key")
    deck = _deck(given, game.header.cards) if game.header.cards else ()
    seat = OwnSeat(ours[0], private, _octets(given, "match_secret"), deck)
    if "lock_fresh" in given:
        seat = seat.with_lock(_octets(given, "lock_fresh"), _older_locks(given))
    if game.seat(seat.number).anchor not in (None, seat.secret.chain.anchor):
        raise Refused("wrong_secret", "is not the match secret that this seat entered with", "/match_secret")
    return seat


def _older_locks(given: Given) -> dict[bytes, bytes]:
    """The random bytes of locks on older cards in play, by the entry that asked for each."""
    notes = given.get("older_locks", [])
    if not isinstance(notes, list):
        raise BadInput("must be a list of what `lock` gave to keep", "/older_locks")
    found = {}
    for i, note in enumerate(notes):
        try:
            found[unb64(note["asked"], 64)] = unb64(note["lock_fresh"], 32)
        except (EncodingError, KeyError, TypeError):
            raise BadInput("must be what `lock` gave to keep", f"/older_locks/{i}") from None
    return found


def _told(given: Given, game: Game, seat: OwnSeat) -> Game:
    """The game with the player's own cards: those of the deck, or those in the house's statements."""
    known: dict[int, Face] = dict(seat.faces)
    for i, statement in enumerate(given.get("faces") or ()):
        try:
            deal, faces = read_faces(game.header, seat.number, statement)
        except Refused as refused:
            raise refused.within(f"/faces/{i}") from None
        if deal in game.unshown:
            known |= faces
    return game.knowing(known)


def _kept(given: Given) -> SealedChoice | None:
    data = given.get("kept")
    if data is None:
        return None
    try:
        return SealedChoice.load(data)
    except (EncodingError, KeyError, TypeError, ValueError):
        raise BadInput("must be what `seal` gave to keep", "/kept") from None


# Output


def _message(kind: str, build: Callable[[Given, Game, OwnSeat], Built]) -> Callable[[Given], dict[str, Any]]:
    """Build a message of a kind, if it is due, and check it as the house will."""

    def run(given: Given) -> dict[str, Any]:
        game = _fold(given)
        seat = _seat(given, game)
        game = _told(given, game, seat)
        wanted = due(game, seat.number, _kept(given))
        if wanted is None or wanted[1] != kind:
            asked = "nothing" if wanted is None else f"{wanted[1]} (step {wanted[0]})"
            raise Refused("not_asked", f"{asked} is asked of this seat now, not {kind}")
        message, kept = build(given, game, seat)
        examine(game, message, AtOnce())
        found: dict[str, Any] = {"message": message.json()}
        return found if kept is None else {**found, "keep": kept.json()}

    return run


def _enter(given: Given, game: Game, seat: OwnSeat) -> Built:
    own = game.rules.facts.own_decks
    return seat.enter(
        game, _field(given, "certificate", dict, "the house's certificate") if own else None
    ), None


def _move(given: Given, game: Game, seat: OwnSeat) -> Built:
    move = _field(given, "move", dict, "the move, an object")
    if game.header.dealerless:
        _require_lock(game, seat)
        ours = seen(game.knowing(seat.hand(game)), seat.number)
        refusal = game.rules.legal(ours.state, seat.number).refusal(move)
        if refusal is not None:
            raise Refused.of(refusal, "/move")
    return seat.move(game, move), None


def _require_lock(game: Game, seat: OwnSeat) -> None:
    """Refuse secrets that are not those of the lock that the record holds of this seat."""
    if game.masked is None:
        return
    for pack in packs_with(game.masked, seat.number):
        if pack.locks[seat.number] != seat.own_lock(pack.asked):
            field = "lock_fresh" if pack is game.masked.pack else "older_locks"
            raise Refused("wrong_lock", "is not what this seat has locked with", f"/{field}")


def _lock(given: Given) -> dict[str, Any]:
    """A lock, with new random bytes unless they are given; they belong to every message under it."""
    fresh = given.get("lock_fresh", b64(secrets.token_bytes(32)))
    found = _party("lock")({**given, "lock_fresh": fresh})
    asked = pack_of(_fold(given)).asked
    return {**found, "keep": {"lock_fresh": fresh, "asked": b64(asked)}}


def _party(kind: str) -> Callable[[Given], dict[str, Any]]:
    """What a program sends by itself at a table without a dealer."""

    def build(given: Given, game: Game, seat: OwnSeat) -> Built:
        if kind != "lock":
            _require_lock(game, seat)
        return seat.party(game, kind), None

    return _message(kind, build)


def _seal(given: Given, game: Game, seat: OwnSeat) -> Built:
    choice = _field(given, "choice", dict, "the choice, an object")
    refusal = game.rules.legal(seen(game, seat.number).state, seat.number).refusal(choice)
    if refusal is not None:
        raise Refused.of(refusal, "/choice")
    fresh = _octets(given, "fresh") if "fresh" in given else None
    return seat.seal(game, choice, fresh, given["envelope"])


def _reveal(given: Given, game: Game, seat: OwnSeat) -> Built:
    kept = _kept(given)
    if kept is None:
        raise BadInput("must be what `seal` gave to keep", "/kept")
    return seat.reveal(game, kept), None


def _secret(given: Given) -> dict[str, Any]:
    """Keys and secrets, given or new, and what follows from them."""
    private = _octets(given, "private_key") if "private_key" in given else new_private_key()
    w = _octets(given, "match_secret") if "match_secret" in given else secrets.token_bytes(32)
    secret = MatchSecret(w)
    return {
        "private_key": b64(private),
        "key": b64(public_key(private)),
        "match_secret": b64(w),
        "certificate_seed": b64(secret.certificate_seed),
        "permutation": list(secret.permutation),
    }


def _registration(given: Given) -> dict[str, Any]:
    """The proof that a new player has the key: signed over handle and house."""
    handle = _field(given, "handle", str, "the handle that you register")
    return {"proof": write_registration(_octets(given, "private_key"), _octets(given, "house_key"), handle)}


def _answer(given: Given) -> dict[str, Any]:
    """The answer to a challenge of the house: signed over handle, purpose and house."""
    try:
        challenge = unb64(given.get("challenge"), CHALLENGE)
    except EncodingError as error:
        raise BadInput(f"must be {CHALLENGE} bytes in base64url: {error}", "/challenge") from None
    handle = _field(given, "handle", str, "your handle")
    purpose = _field(given, "purpose", str, "what the challenge is for")
    private, house_key = _octets(given, "private_key"), _octets(given, "house_key")
    return {"answer": write_answer(private, house_key, handle, purpose, challenge)}


enter = _command(
    "enter", _message("enter", _enter), "Build an enter message, with the anchor and the match deck."
)
ready = _command(
    "ready", _message("ready", lambda given, game, seat: (seat.ready(game), None)), "Build a ready message."
)
link = _command(
    "link",
    _message("link", lambda given, game, seat: (seat.link(game), None)),
    "Build the link of the next deal.",
)
move = _command("move", _message("move", _move), "Build an open move.")
seal = _command(
    "seal",
    _message("seal", _seal),
    "Seal a choice, with its proof. Store the `keep` of the output: the reveal needs it.",
    click.Option(
        ["--envelope"],
        is_flag=True,
        help=f"Enclose the reveal, so that you need not send it later. {ENVELOPE_ASKS}",
    ),
)
reveal = _command("reveal", _message("reveal", _reveal), "Open what was sealed, from the `keep` of the seal.")
lock = _command(
    "lock",
    _lock,
    "Lock the cards of the next deal, where nobody deals. Store the `keep` of the output: all that follows"
    " under this lock needs it.",
)
mix = _command("mix", _party("mix"), "Mix the locked cards, where nobody deals.")
share = _command(
    "share",
    _party("share"),
    "Unlock the others' cards for them, where nobody deals. Under one lock, share in one record only: the"
    " shares of two records open your hand.",
)
unlock = _command("unlock", _party("unlock"), "Unlock a card that is turned up, or answer a search.")
registration = _command("registration", _registration, "Sign that a key is yours, to register with it.")
answer = _command("answer", _answer, "Answer a challenge of the house, in place of a password.")
secret = _command("secret", _secret, "Make the secrets of a match, or derive what follows from given ones.")
