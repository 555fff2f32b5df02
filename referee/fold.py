"""The one fold: `apply(game, entry) -> game` (protocol section 10).

It accepts an entry and returns the next game, or raises `Refused`. The service
folds the entries that it accepts, a client those that it receives, and the
verifier a whole file. The same code judges all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, assert_never

from cards.games.contract import Ask, Choice, Deal, How, Miss, Missed, Move, Outcome, Turn
from referee import dealing
from referee.asks import ask, begun
from referee.bodies import DrawOffer, Fields, Link, Ready, Resign, fields, integer, same_json
from referee.checks import AtOnce, Checks
from referee.clocks import charged, deadlines, resumed
from referee.dealerless import making
from referee.dealerless.masked import InPlay
from referee.dealerless.proofs import Locked, Mixed, Shared, Sought
from referee.duties import announced, compelled, duty_of, house_step, result_body, timeout_due
from referee.errors import Refused, by_the_rules, need, need_legal
from referee.game import (
    AccountDue,
    AnnulDue,
    Asking,
    Between,
    DealDue,
    Duty,
    Ended,
    Game,
    Left,
    MaskedDealDue,
    Over,
    PartyDue,
    Played,
    ResultDue,
    Sealed,
    SeatState,
    ShownDue,
    TimeoutDue,
    TurnDue,
    Withheld,
)
from referee.header import LINKS, read_header
from referee.message import Message, message_digest
from referee.record import GENESIS, PARTY_KINDS, Entry
from referee.validation import Entered, Moved, Passed, Revealed, RevealedLate, examine

AT_ONCE = AtOnce()

MOST_WITHHELD = 3
"""Links withheld in a game that take a seat out, where the clause `links` holds (protocol section 7)."""


def begin(entry: Entry, checks: Checks = AT_ONCE) -> Game:
    """The game that an `open` entry begins."""
    need(entry.seq == 0, "broken_chain", "the first entry has the number 0", "/seq")
    need(entry.prev == GENESIS, "broken_chain", "the first entry has no entry before it", "/prev")
    need(entry.step == 0, "wrong_step", "the `open` entry has step 0", "/step")
    header = read_header(entry)
    need(
        checks.signature(header.house_key, entry.digest, entry.house_signature),
        "bad_signature",
        "the entry is not signed by the house",
        "/house_signature",
    )
    everyone = frozenset(header.seats)
    until = dict.fromkeys(everyone, entry.at + header.clock("enter"))
    return Game(
        header=header,
        seq=0,
        digest=entry.digest,
        at=entry.at,
        step=0,
        seats=tuple(SeatState() for _ in header.players),
        state=header.mode.start(header.options, len(header.players)),
        phase=Asking("enter", "all", "enter", everyone, 0, 0, 0, entry.at, until),
        house_newest=(0, header.anchor),
        recent=((0, entry.digest),),
    )


def apply(
    game: Game | None,
    entry: Entry,
    checks: Checks = AT_ONCE,
    secret_link: bytes | None = None,
    passed: Passed | None = None,
) -> Game:
    """The game after one more entry; raises `Refused`.

    `secret_link` is the house's link for a deal whose entry keeps it secret. Only the
    house has it; with it, the fold knows all faces. `passed` is the result of `examine`
    for the message of the entry and this game, where the house has just examined it.
    """
    if game is None:
        return begin(entry, checks)
    _chained(game, entry, checks)
    before = game
    if entry.player_signature is None:
        game = _house(game, entry, secret_link, checks)
    else:
        game = _player(game, entry, entry.player_signature, checks, passed)
    game = charged(before, game, entry.at)
    game = replace(
        game,
        seq=entry.seq,
        digest=entry.digest,
        at=entry.at,
        recent=(*game.recent, (entry.seq, entry.digest)),
    )
    return _forget(_advance(game))


def fold(entries: Iterable[Entry], checks: Checks = AT_ONCE) -> Game:
    """The game after these entries, the first of which is its `open`; raises `Refused`."""
    first, *others = entries
    game = begin(first, checks)
    for entry in others:
        game = apply(game, entry, checks)
    return game


def _chained(game: Game, entry: Entry, checks: Checks) -> None:
    need(not game.over, "after_result", "nothing comes after the result", "/seq")
    need(entry.seq == game.seq + 1, "broken_chain", f"the next entry is {game.seq + 1}", "/seq")
    need(entry.prev == game.digest, "broken_chain", "this is not the digest of the entry before", "/prev")
    need(entry.at >= game.at, "time_runs_back", "the time is earlier than that of the entry before", "/at")
    signed = checks.signature(game.header.house_key, entry.digest, entry.house_signature)
    need(signed, "bad_signature", "the entry is not signed by the house", "/house_signature")


def _forget(game: Game) -> Game:
    """Keep only the entries that a message's `seen` may still name."""
    oldest = min([game.closed[1], *(seat.owed_since for seat in game.seats if seat.owed is not None)])
    return replace(game, recent=tuple(item for item in game.recent if item[0] >= oldest))


# Players' entries


def _player(game: Game, entry: Entry, signature: bytes, checks: Checks, passed: Passed | None) -> Game:
    asking, duty = game.phase, duty_of(game)
    if not isinstance(asking, Asking) or duty is not None:
        raise _not_yet(duty)
    seat = int(entry.actor)
    if passed is None:
        digest = message_digest(game.header.game, entry.step, seat, entry.kind, entry.body)
        message = Message(game.header.game, entry.step, seat, entry.kind, entry.body, signature, digest)
        # An entry's time is not always the arrival of its message. A held message has waited. Since times
        # never run back, an entry with the same time as the one before may also have arrived earlier.
        unknown = asking.held or entry.at == game.at
        passed = examine(game, message, checks, None if unknown else entry.at)
    match passed:
        case Resign():
            return _resign(game, seat)
        case DrawOffer():
            return game.with_seat(seat, offers_draw=True, offered=entry.step)
        case Entered(anchor, deck):
            game = game.with_seat(seat, anchor=anchor, deck=deck, newest=(0, anchor))
            return _answered(game, asking, seat)
        case Ready():
            return _answered(game, asking, seat)
        case Link(deal, link):
            return _answered(game.with_seat(seat, newest=(deal, link)), asking, seat)
        case Sealed():
            game = game.with_seat(seat, sealed=replace(passed, at=entry.at), offers_draw=False)
            return _answered(game, asking, seat)
        case Moved(move, faces, shares):
            game = game.with_seat(seat, offers_draw=False)
            if shares:
                game = making.took(game, seat, Shared(shares))
            return _gather(game.knowing(faces), asking, seat, move)
        case Revealed(choice, faces, link):
            if link is not None:
                game = game.with_seat(seat, newest=(game.deals + 1, link))
            return _gather(game.knowing(faces), asking, seat, choice)
        case RevealedLate(choice, faces):
            return _late(game.knowing(faces), seat, choice)
        case Locked() | Mixed() | Shared() | Sought():
            _need_order(game, asking, seat)
            return making.answered(game, asking, seat, passed)
        case _:
            assert_never(passed)


def _resign(game: Game, seat: int) -> Game:
    """End the game, or let it go on without that seat, as the rules say for this table."""
    after = game.rules.leave(game.state, seat)
    if after is None:
        return _ended(game, game.rules.end(game.state, "resigned", frozenset({seat})))
    return replace(game, state=after, trail=game.trail and game.trail.then(Left(seat)))


def _late(game: Game, seat: int, choice: Move) -> Game:
    """Apply an overdue reveal by the rules; afterwards the seat may seal again."""
    with by_the_rules("/choice"):
        state = game.rules.late(game.state, seat, choice)
    return replace(game.with_seat(seat, owed=None, owed_since=0), state=state)


def _ended(game: Game, outcome: Outcome) -> Game:
    """The game, ended with this outcome."""
    return replace(game, phase=Ended(outcome, game.asking))


def _gather(game: Game, asking: Asking, seat: int, choice: Choice) -> Game:
    """Add a choice to the running step, made by the seat or by a time-out."""
    if asking.how == "any" and not _voided(game):
        return _play(game, asking, {seat: choice})
    _need_order(game, asking, seat)
    return _answered(replace(game, choices={**game.choices, seat: choice}), asking, seat)


def _need_order(game: Game, asking: Asking, seat: int) -> None:
    """Refuse an answer that was held, or its time-out, before that of a lower seat."""
    in_order = not asking.held or seat == min(asking.seats) or seat in game.gone
    need(in_order, "out_of_order", "held messages enter in seat order", "/actor", "protocol 10")


def _voided(game: Game) -> bool:
    """Tell whether the house must annul the deal once nobody is asked any more (protocol section 20.9)."""
    return isinstance(game.masked, InPlay) and bool(game.masked.out)


def _answered(game: Game, asking: Asking, seat: int) -> Game:
    """Mark that `seat` has answered the running step, or that its time is up."""
    return replace(game, phase=replace(asking, seats=asking.seats - {seat}))


def _play(game: Game, asking: Asking, choices: Mapping[int, Choice]) -> Game:
    """Play the choices by the rules: all at once, or a single one where any seat may answer (ANY)."""
    before, mode = game.state, game.rules
    with by_the_rules("/move"):
        after = mode.play(before, choices)
    lines = mode.account(before, choices, after)
    trail = game.trail and game.trail.then(Played(dict(choices), lines))
    seats = tuple(replace(seat, sealed=None) for seat in game.seats)
    game = replace(game, state=after, choices={}, trail=trail, seats=seats)
    if lines is None:
        # The same step of an ANY ask may go on, without the seat that has answered.
        rest, asked = asking.seats - choices.keys(), mode.next(before)
        if isinstance(asked, Ask) and mode.next(after) == replace(asked, seats=rest):
            return replace(game, phase=replace(asking, seats=rest))
    return replace(game, phase=dealing.accounted(game, lines), closed=(asking.step, asking.opened))


# The house's entries


def _not_yet(duty: Duty | None) -> Refused:
    """The refusal of an entry that comes before the one that is due."""
    return Refused("not_due", f"the entry `{duty.kind if duty else ''}` is due first", "/kind")


def _house(game: Game, entry: Entry, secret_link: bytes | None, checks: Checks) -> Game:
    if entry.kind == "timeout" and isinstance(game.phase, Asking):
        return _timeout(game, game.phase, entry)
    duty = duty_of(game)
    if entry.kind == "timeout":
        raise _not_yet(duty)
    if entry.kind == "away" and isinstance(game.phase, Asking) and duty is None:
        return resumed(game, game.phase, entry)
    if duty is None or isinstance(duty, TimeoutDue) or duty.kind != entry.kind:
        raise Refused("not_due", "the record asks for no entry of this kind", "/kind")
    step = house_step(game, duty)
    need(entry.step == step, "wrong_step", f"the step of this entry is {step}", "/step")
    match duty:
        case PartyDue():
            return making.by_house(game, entry, duty, checks)
        case MaskedDealDue():
            return making.deal(game, entry, duty)
        case AnnulDue():
            return making.annul(game, entry, duty)
        case DealDue():
            return dealing.deal(game, entry, duty, secret_link)
        case TurnDue():
            return making.turned(dealing.turn(game, entry, duty))
        case ShownDue():
            return dealing.shown(game, entry, duty)
        case AccountDue(account):
            _as_ruled(account, entry, "wrong_account")
            return replace(game, phase=Between())
        case ResultDue(outcome):
            _as_ruled(result_body(outcome), entry, "wrong_result")
            return replace(game, phase=Over(outcome, game.links))
        case _:
            assert_never(duty)


def _as_ruled(body: Fields, entry: Entry, code: str) -> None:
    """Check that an account or a result says exactly what the rules give."""
    need(same_json(body, entry.body), code, "the entry is not what the rules give", "/body", "protocol 10")


def _timeout(game: Game, asking: Asking, entry: Entry) -> Game:
    """Apply a time-out. Its seat missed the deadline, is out, or has no choice (protocol section 10)."""
    body = fields(entry.body, ("seat", "kind", "move"), "/body")
    seat = integer(body["seat"], "/body/seat")
    need(seat in asking.seats, "not_asked", "nothing is asked of this seat", "/body/seat")
    need(body["kind"] == asking.kind, "wrong_kind", f"the step asks for {asking.kind}", "/body/kind")
    need(entry.step == asking.step, "wrong_step", f"the running step is {asking.step}", "/step")
    due = timeout_due(game, asking)
    if due is not None and seat != due.seat:
        raise Refused("not_due", f"seat {due.seat} must be timed out first", "/body/seat", "protocol 10")
    move = body["move"]
    late = seat in game.gone or entry.at > asking.deadline_of(seat)
    if not late and asking.how == "any":
        only = game.rules.compelled(game.state, seat)
        forced = only is not None and same_json(move, only)
        forced = forced and (not game.header.dealerless or seat in compelled(game, asking))
        need(forced, "too_early", "the seat's time is not up", "/at", "protocol 10")
        return _absent(game, asking, seat, move, Miss.COMPELLED)
    need(late, "too_early", "the seat's time is not up", "/at", "protocol 10")
    if asking.kind != "move":
        need(move is None, "wrong_move", "the house plays no move in such a step", "/body/move")
    again = making.asks_again(game, asking, seat)
    if again:
        text = "nobody can move for this seat"
        need(move is None, "wrong_move", text, "/body/move", "protocol 20.9")
    if seat not in game.gone:
        counts = game.seat(seat).timeouts
        game = game.with_seat(seat, timeouts={**counts, asking.kind: counts.get(asking.kind, 0) + 1})
    if again:
        return making.silent(game, asking, seat, entry.at)
    match asking.kind:
        case "move":
            return _absent(game, asking, seat, move, Miss.CHOICE)
        case "reveal":
            sealed = game.seat(seat).sealed
            game = game.with_seat(seat, owed=sealed, owed_since=entry.seq)
            return _gather(game, asking, seat, Missed(Miss.OPENING))
        case "seal":
            return _gather(game, asking, seat, Missed(Miss.SEAL))
    _need_order(game, asking, seat)
    return _answered(replace(game, choices={**game.choices, seat: Missed(Miss.CHOICE)}), asking, seat)


def _absent(game: Game, asking: Asking, seat: int, move: Any, why: Miss) -> Game:
    """Apply the move that the house played for an absent seat.

    It must be the move that the rules prescribe, as far as the faces known here can tell.
    """
    mode = game.rules
    expected = mode.absent(game.state, seat)
    if expected is not None or dealing.knows(game.state, mode, seat):
        need(
            same_json(move, expected),
            "wrong_move",
            "this is not the move that the rules play for the seat",
            "/body/move",
            "protocol 10",
        )
    if move is not None:
        if not isinstance(move, dict):
            raise Refused("bad_shape", "the move must be an object or null", "/body/move")
        need_legal(mode.legal(game.state, seat).refusal(move), "/body/move")
        game = replace(game, state=game.state.knowing(mode.opens(move)))
    return _gather(game, asking, seat, Missed(why, move))


# Entries that follow without a choice


def _advance(game: Game) -> Game:
    """Close a step whose answers are all in, and begin the next ask, unless the house must speak first."""
    if isinstance(game.phase, Asking) and not game.phase.seats:
        game = _close(game, game.phase)
    if isinstance(game.phase, AccountDue | PartyDue | MaskedDealDue | AnnulDue | Ended | Over):
        return game
    upcoming = game.rules.next(game.state)
    if isinstance(upcoming, Outcome):
        return _ended(game, upcoming)
    if all(seat.offers_draw for number, seat in enumerate(game.seats) if number not in game.gone):
        return _ended(game, game.rules.end(game.state, "agreed", frozenset()))
    if not isinstance(game.phase, Between):
        return game
    if isinstance(upcoming, Deal) and upcoming.secret and game.header.dealerless:
        return making.go_on(game, upcoming)
    if isinstance(game.masked, InPlay) and isinstance(upcoming, Ask | Turn):
        game = making.unlocked(game)
        if not isinstance(game.phase, Between):
            return game
    if announced(game, upcoming) is not None:
        return game
    match upcoming:
        case Deal():
            return _ask_links(game)
        case Ask():
            kind = "seal" if upcoming.how is How.SEALED else "move"
            how, clock = upcoming.how.value, upcoming.clock
            return begun(game, ask(game, kind, how, upcoming.topic, upcoming.seats, clock))
    return game


def _ask_links(game: Game) -> Game:
    """Ask for the links of the next deal; a seat whose reveal brought its link has answered (protocol 7)."""
    states = enumerate(game.seats)
    missing = frozenset(seat for seat, state in states if state.newest[0] != game.deals + 1)
    asking = ask(game, "link", "all", "link", missing, "link")
    game = begun(game, asking)
    return game if missing else _close(game, asking)


def _without(game: Game, silent: frozenset[int]) -> Game:
    """Take out the seats among `silent` that have withheld too many links (protocol section 7).

    They are out together, as after a third missed move each. That may end the game.
    """
    seats = frozenset(seat for seat in silent if game.seat(seat).withheld >= MOST_WITHHELD)
    if not seats or LINKS not in game.header.clauses:
        return game
    after = game.rules.withheld(game.state, seats)
    if after is None:
        return _ended(game, game.rules.end(game.state, "missed", seats))
    return replace(game, state=after, trail=game.trail and game.trail.then(Withheld(seats)))


def _close(game: Game, asking: Asking) -> Game:
    """Close the running step, whose answers are all in."""
    done = replace(game, phase=Between(), closed=(asking.step, asking.opened))
    if asking.kind in PARTY_KINDS or _voided(game):
        return making.closed(done, asking)
    missing = frozenset(game.choices)
    everyone = frozenset(game.header.seats)
    match asking.kind:
        case "enter" | "ready":
            if missing:
                void = Outcome(tuple(0 for _ in everyone), (), "void")
                return replace(done, choices={}, phase=Ended(void))
            if asking.kind == "enter":
                return begun(done, ask(done, "ready", "all", "ready", everyone, "ready"))
            return done
        case "link":
            done = replace(done, choices={})
            if game.deals == 0 and missing:
                return _ended(done, game.rules.end(game.state, "link_withheld", missing))
            done = _without(done, missing - game.gone)
            if isinstance(done.phase, Ended):
                return done
            return replace(done, phase=dealing.deal_due(game.rules, done.state, game.links or {}))
        case "seal":
            sealed = frozenset(seat for seat in everyone if game.seat(seat).sealed is not None)
            if sealed:
                until = deadlines(game, sealed, "reveal", "reveal")
                began = (asking.step, asking.opened, game.seq, game.at)
                return replace(game, phase=Asking("reveal", "reveal", "reveal", sealed, *began, until))
    return _play(game, asking, {seat: game.choices[seat] for seat in sorted(game.choices)})
