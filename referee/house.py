"""The house's side of a game: the entries it appends, as pure functions of the game and the house's secrets.

`opening`, `accept`, `follow` and `close` return the game after the new entries, and
the entries. The fold has accepted every entry that they return.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, assert_never

from cards.games.contract import Mode
from crypto.encoding import b64
from crypto.fairness import Chain
from crypto.identity import public_key
from crypto.lock import HOUSE as PARTY
from crypto.secret import MatchSecret
from referee.checks import Checks, Trusting
from referee.clocks import absence_body, allowed
from referee.dealerless.making import annul_body, asks_again, drawn_of
from referee.dealerless.sending import Sender
from referee.dealing import drawn_body, draws_of
from referee.duties import duty_of, house_step, result_body
from referee.fold import AT_ONCE, apply, begin
from referee.game import (
    AccountDue,
    AnnulDue,
    DealDue,
    Duty,
    Game,
    MaskedDealDue,
    PartyDue,
    ResultDue,
    ShownDue,
    TimeoutDue,
    TurnDue,
)
from referee.header import CLAUSES, SeatedPlayer, open_body, recorded_options
from referee.message import Message
from referee.record import GENESIS, HOUSE, Entry, write_entry
from referee.validation import Passed, examine, owed

TRUSTING = Trusting()


@dataclass(frozen=True, slots=True)
class Keeper:
    """The house's secrets of one game: its signing key, the game's chain, and what it is a party with."""

    private: bytes
    chain: Chain
    secret: bytes | None = None
    """32 bytes from which its locks and mixes come, where nobody deals (protocol section 20.11)."""
    fresh: Callable[[], bytes] = field(default=lambda: secrets.token_bytes(32), repr=False)
    """Draws the 32 random bytes of a proof's masks."""


Written = tuple[Game, list[Entry]]


def opening(
    keeper: Keeper,
    game: str,
    mode: Mode[Any],
    options: Mapping[str, Any],
    players: Sequence[SeatedPlayer],
    texts: Sequence[Mapping[str, Any]],
    at: int,
    envelope_key: bytes | None = None,
    clauses: Sequence[str] = CLAUSES,
) -> Written:
    """Open a game at `at` (milliseconds since 1970); raises `Refused` for bad options or players.

    `texts` are the cards of the sets in play. `envelope_key` is the X25519 key to which players may encrypt
    reveals, None to accept no envelopes. `clauses` are the later rules that hold in the game.
    """
    house_key = public_key(keeper.private)
    named, anchor = recorded_options(mode, options), keeper.chain.anchor
    body = open_body(game, mode, named, players, house_key, anchor, texts, envelope_key, clauses)
    entry = write_entry(keeper.private, (-1, GENESIS), at, 0, HOUSE, "open", body)
    return begin(entry, TRUSTING), [entry]


def waits(game: Game, message: Message) -> bool:
    """Tell whether this message, once accepted, waits beside the record until its step closes."""
    asking = game.asking
    if asking is None or not asking.held or owed(game, message):
        return False
    return asking.kind == message.kind


def _append(
    keeper: Keeper,
    game: Game,
    at: int,
    step: int,
    kind: str,
    body: Mapping[str, Any],
    message: Message | None = None,
    checks: Checks = TRUSTING,
    passed: Passed | None = None,
) -> Written:
    actor = HOUSE if message is None else str(message.seat)
    signature = None if message is None else message.signature
    entry = write_entry(
        keeper.private, (game.seq, game.digest), max(at, game.at), step, actor, kind, body, signature
    )
    secret = keeper.chain.link(game.deals + 1) if kind == "deal" else None
    return apply(game, entry, checks, secret, passed), [entry]


def accept(
    keeper: Keeper,
    game: Game,
    message: Message,
    at: int,
    checks: Checks = AT_ONCE,
    passed: Passed | None = None,
) -> Written:
    """Append a message that arrived at `at`, and the entries that follow from it; raises `Refused`.

    A message that `waits` is only checked, and no entry is returned: `close` appends it later. `passed` is
    the result of `examine` for this message, time and game, if that was called before.
    """
    if passed is None:
        passed = examine(game, message, checks, at)
    if waits(game, message):
        return game, []
    game, entries = _append(
        keeper, game, at, message.step, message.kind, message.body, message, TRUSTING, passed
    )
    game, more = follow(keeper, game, at)
    return game, entries + more


def _body_of(keeper: Keeper, game: Game, duty: Duty) -> Mapping[str, Any]:
    match duty:
        case PartyDue(kind):
            assert keeper.secret is not None, "a house opens no such table without a secret for it"
            sender = Sender(PARTY, MatchSecret(keeper.secret), keeper.fresh())
            return sender.body(game, kind, game.step, game.digest)
        case MaskedDealDue(deal):
            return {"deal": game.deals + 1, "link": None, "drawn": drawn_of(deal)}
        case AnnulDue():
            return annul_body(duty)
        case DealDue(deal, links):
            number = game.deals + 1
            link = keeper.chain.link(number)
            brought = draws_of(game, deal, number, link, links)
            return {
                "deal": number,
                "link": None if deal.secret else b64(link),
                "drawn": drawn_body(deal, brought),
            }
        case ShownDue(number):
            return {"deal": number, "link": b64(keeper.chain.link(number))}
        case TimeoutDue():
            return _timeout_body(game, duty)
        case TurnDue(turn):
            assert turn.positions is not None, "the house knows all faces"
            faces = [{"position": p, "card": game.state.faces[p]} for p in sorted(turn.positions)]
            return {"faces": faces}
        case AccountDue(account):
            return account
        case ResultDue(outcome):
            return result_body(outcome)
        case _:
            assert_never(duty)


def resume(keeper: Keeper, game: Game, entries: Iterable[Entry]) -> Game:
    """The game after entries that this house wrote before; raises `Refused` if they don't continue it."""
    for entry in entries:
        secret = keeper.chain.link(game.deals + 1) if entry.kind == "deal" else None
        game = apply(game, entry, TRUSTING, secret)
    return game


def follow(keeper: Keeper, game: Game, at: int) -> Written:
    """Append the entries that follow without a choice of anybody's.

    They are accounts, deals, turned cards, shown links, the result, and the time-outs of seats that
    are out or have no choice.
    """
    entries: list[Entry] = []
    while (duty := duty_of(game)) is not None:
        step = house_step(game, duty)
        game, more = _append(keeper, game, at, step, duty.kind, _body_of(keeper, game, duty))
        entries += more
    return game, entries


def was_away(keeper: Keeper, game: Game, began: int, ended: int, at: int) -> Written:
    """Append that the house was away from `began` to `ended` (milliseconds since 1970), at `at`.

    Nothing is appended where no step runs, in a game without that clause, or beyond the time that a game
    allows. Of an absence that is too long, the part that is allowed is entered.
    """
    part = allowed(game, began, ended)
    if part is None:
        return game, []
    return _append(keeper, game, at, game.step, "away", absence_body(*part))


def due(game: Game, waiting: Set[int], grace: int = 0) -> int | None:
    """Return when the house must act on the running step, in milliseconds since 1970; None after the game.

    `waiting` are the seats whose messages for the step wait beside the record. A held step is due at once
    when all have answered, else `grace` milliseconds after the last deadline. Any other step is due
    `grace` milliseconds after the first deadline.
    """
    asking = game.asking
    if game.over or asking is None:
        return None
    if not asking.held:
        return min(map(asking.deadline_of, asking.seats)) + 1 + grace
    return game.at if asking.seats <= waiting else asking.deadline + 1 + grace


def close(keeper: Keeper, game: Game, waiting: Mapping[int, Message], at: int, grace: int = 0) -> Written:
    """Append what is `due` at `at` in the running step: time-outs, and the messages that waited.

    `waiting` are the messages that wait beside the record for this step, by seat. Nothing is appended
    before the step is due, nor by a second call, since a closed step runs no more.
    """
    asking, entries = game.asking, list[Entry]()
    when = due(game, waiting.keys(), grace)
    if asking is None or when is None or at < when:
        return game, []
    # Answers stay held while anybody is asked again (protocol section 20.9).
    again = [s for s in sorted(asking.seats - waiting.keys()) if asking.held and asks_again(game, asking, s)]
    for seat in again:
        game, more = _append(
            keeper, game, at, asking.step, "timeout", _timeout_body(game, TimeoutDue(seat, asking.kind))
        )
        entries += more
    if game.asking is not None and not game.asking.seats.isdisjoint(again):
        return game, entries
    for seat in sorted(asking.seats - {*again}):
        if not asking.held and at <= asking.deadline_of(seat) + grace:
            continue
        if game.asking is None or game.asking.step != asking.step or seat not in game.asking.seats:
            break
        message = waiting.get(seat)
        if message is not None:
            game, more = _append(keeper, game, at, message.step, message.kind, message.body, message)
        else:
            body = _timeout_body(game, TimeoutDue(seat, asking.kind))
            game, more = _append(keeper, game, at, asking.step, "timeout", body)
        entries += more
    game, more = follow(keeper, game, at)
    return game, entries + more


def _timeout_body(game: Game, due: TimeoutDue) -> dict[str, Any]:
    move = game.rules.absent(game.state, due.seat) if due.missing == "move" else None
    return {"seat": due.seat, "kind": due.missing, "move": move}
