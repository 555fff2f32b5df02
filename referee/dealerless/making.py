"""The steps of a secret deal that the parties make, and what follows where a seat falls silent.

Each function takes a game and returns the next one. `referee.fold` calls them where a table has no dealer
(protocol section 20).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from cards.games.contract import Deal, Face, Missed, Position, Turn
from crypto.lock import HOUSE
from referee.asks import ask, begun
from referee.bodies import Fields, fields, integer, same_json
from referee.checks import Checks
from referee.dealerless import bodies, unlocking
from referee.dealerless.masked import (
    MOST_SILENT,
    Attempt,
    InPlay,
    MaskedPack,
    Party,
    cards_in_play,
    deck_of,
    owned,
    owners,
)
from referee.dealerless.proofs import (
    Locked,
    Mixed,
    Shared,
    Sought,
    Table,
    check,
)
from referee.dealing import drawn_body
from referee.errors import Refused, need
from referee.game import (
    AnnulDue,
    Asking,
    Between,
    Ended,
    Game,
    MaskedDealDue,
    PartyDue,
    attempt_of,
    in_play,
    secret_deal,
)
from referee.header import LINK, MIX
from referee.record import Entry

# An attempt: locks, mixes, shares, the deal


def begin(game: Game, deal: Deal, excluded: frozenset[int] = frozenset()) -> Game:
    """Begin an attempt at a secret deal: the house locks first, then every seat (protocol section 20.2).

    A deal that adds cards leaves those that are in play under their locks.
    """
    played = None if deal.fresh else cards_in_play(game.masked)
    seats = frozenset(game.header.seats) - game.gone - excluded
    asking = ask(game, "lock", "all", "lock", seats, LINK)
    pack = MaskedPack(game.deals + 1, deal, asking.step, game.digest)
    if not pack.mixes:
        return _single(game, replace(pack, step=game.step), played)
    attempt = Attempt(pack, excluded, played=played)
    return replace(game, step=asking.step, phase=PartyDue("lock", asking), masked=attempt)


def _single(game: Game, pack: MaskedPack, played: InPlay | None) -> Game:
    """Have the house deal a pack of one card, which everybody knows: nobody locks it."""
    attempt = Attempt(replace(pack, cards=pack.to_mix(game.rules)), played=played)
    return _dealing(replace(game, masked=attempt))


def go_on(game: Game, deal: Deal) -> Game:
    """Go on with an attempt behind the house's mix, or begin one.

    The fold calls this behind an entry, never inside it: the entry of the house's mix asks the first seat to
    mix, and that seat's secrets must follow from it (protocol section 20.11).
    """
    return _next_mix(game) if isinstance(game.masked, Attempt) else begin(game, deal)


def took(game: Game, party: Party, table: Table) -> Game:
    """The game with what a party has sent, before anything follows from it."""
    match table:
        case Locked(lock):
            attempt = attempt_of(game)
            pack = replace(attempt.pack, locks={**attempt.pack.locks, party: lock})
            return replace(game, masked=replace(attempt, pack=pack))
        case Mixed(cards):
            attempt = attempt_of(game)
            pack, mixed = replace(attempt.pack, cards=cards), (*attempt.mixed, party)
            return replace(game, masked=replace(attempt, pack=pack, mixed=mixed))
        case Shared(shares):
            return replace(game, masked=secret_deal(game).with_shares(party, shares))
        case Sought(shares, faces, kept):
            playing = in_play(game).with_shares(party, shares)
            playing = replace(playing, kept=playing.kept | kept)
            return replace(game, masked=playing).knowing(faces)


def answered(game: Game, asking: Asking, seat: int, table: Table) -> Game:
    """The game after a seat's answer. The first card that is shown ends a search."""
    ends = isinstance(table, Sought) and table.shares
    rest = frozenset[int]() if ends else asking.seats - {seat}
    return replace(took(game, seat, table), phase=replace(asking, seats=rest))


def by_house(game: Game, entry: Entry, due: PartyDue, checks: Checks) -> Game:
    """The game after the house's own message of an attempt, or its unlock."""
    try:
        body = bodies.read(due.kind, entry.body, by_house=True)
        game = took(game, HOUSE, check(game, HOUSE, entry.step, body, checks))
    except Refused as refused:
        raise refused.within("/body") from None
    if due.asking is not None:
        return replace(game, phase=due.asking)
    return _dealing(game) if due.kind == "share" else replace(game, phase=Between())


def closed(game: Game, asking: Asking) -> Game:
    """The game after a step of this table, whose answers are all in; no step runs."""
    silent = frozenset(game.choices)
    game = replace(game, choices={})
    masked = game.masked
    if isinstance(masked, InPlay):
        return _annulling(game, masked) if masked.out else _nobody_showed(game, asking)
    attempt = attempt_of(game)
    if asking.kind == "lock":
        if silent and game.deals == 0 and not attempt.excluded:
            outcome = game.rules.end(game.state, "link_withheld", silent)
            return replace(game, phase=Ended(outcome))
        now = replace(attempt, excluded=attempt.excluded | silent)
        return replace(game, masked=now, phase=PartyDue("mix"))
    if silent:
        return begin(game, attempt.pack.ask, attempt.excluded | silent)
    return _next_mix(game) if asking.kind == "mix" else _dealing(game)


def _next_mix(game: Game) -> Game:
    """Ask the next seat with a lock to mix; once all have, ask for the shares."""
    attempt = attempt_of(game)
    left = [seat for seat in attempt.pack.seats if seat not in attempt.mixed]
    if left:
        return begun(game, ask(game, "mix", "all", "mix", left[:1], MIX))
    dealt = owners(game.rules, attempt.pack.ask, game.state, game.header.seats)
    if not attempt.pack.seats:
        return replace(game, phase=PartyDue("share")) if dealt else _dealing(game)
    asking = ask(game, "share", "share", "share", attempt.pack.seats, LINK)
    return replace(game, step=asking.step, phase=PartyDue("share", asking) if dealt else asking)


def _dealing(game: Game) -> Game:
    """All shares are in: the house deals."""
    return replace(game, phase=MaskedDealDue(attempt_of(game).pack.ask))


def deal(game: Game, entry: Entry, due: MaskedDealDue) -> Game:
    """The game after the `deal` of an attempt. The cards that nobody locks are open."""
    body, number = fields(entry.body, ("deal", "link", "drawn"), "/body"), game.deals + 1
    said = integer(body["deal"], "/body/deal")
    need(said == number, "wrong_deal", f"the number of this deal is {number}", "/body/deal")
    need(body["link"] is None, "wrong_link", "a deal without a dealer has no link", "/body/link")
    right = same_json(body["drawn"], drawn_of(due.deal))
    need(right, "wrong_draw", "these are not the cards that the rules want", "/body/drawn", "protocol 20.7")
    before, attempt = game.state, attempt_of(game)
    pack, played = attempt.pack, attempt.played
    state = game.rules.deal(before, [None] * len(due.deal.draws))
    playing = InPlay(pack, before) if played is None else replace(played, pack=pack, older=played.packs)
    game = replace(game, masked=playing, deals=number, phase=Between(), step=entry.step)
    return replace(game, state=state.knowing(_open(game, pack.positions)))


def drawn_of(ask: Deal) -> list[dict[str, Any]]:
    """The field `drawn` of a secret deal: how many cards were dealt."""
    return drawn_body(ask, [tuple(range(draw.count)) for draw in ask.draws])


def _open(game: Game, positions: Iterable[Position]) -> dict[Position, Face]:
    """The faces at those of some positions that nobody locks."""
    playing, found = in_play(game), dict[Position, Face]()
    for position in positions:
        pack = playing.of(position)
        if pack is not None and not pack.lockers(position):
            face = deck_of(game.rules, pack.pack).faces.get(pack.under(position))
            need(face is not None, "no_such_card", "no card of the pack lies there", "", "protocol 20.7")
            found[position] = face
    return found


# Drawing, turning up and seeking


def unlocked(game: Game) -> Game:
    """Have the cards unlocked that a seat has drawn or the rules turn up, or one sought (protocol 20.8).

    No step runs. The phase stays as it is once all of them lie open, or in the hands that they belong to.
    """
    dealt = {*owned(game.rules, game.state, game.header.seats)} - game.state.faces.keys()
    game = game.knowing(_open(game, dealt))
    while (wanted := unlocking.due(game)) is not None:
        parties = wanted.parties(in_play(game))
        if parties - {HOUSE}:
            return begun(game, ask(game, "unlock", "all", "unlock", parties - {HOUSE}, LINK))
        if parties:
            return replace(game, phase=PartyDue("unlock"))
        game = game.knowing(_open(game, wanted.positions))
    return game


def turned(game: Game) -> Game:
    """The game after a `turn`: what was kept on the way to it is a matter of the past."""
    playing = game.masked
    if not isinstance(playing, InPlay):
        return game
    return replace(game, masked=replace(playing, kept=frozenset()))


def _nobody_showed(game: Game, asking: Asking) -> Game:
    """The game after an unlock step, in which a search must have found its card."""
    turn = game.rules.next(game.state)
    found = asking.kind != "unlock" or not isinstance(turn, Turn) or turn.seek is None
    need(found, "not_sought", "one of the seats has the card that is sought", "", "protocol 20.8")
    return game


# Silence after the deal


def asks_again(game: Game, asking: Asking, seat: int) -> bool:
    """Tell whether nobody can act for a silent seat: a card is needed that it alone can show."""
    if not isinstance(game.masked, InPlay):
        return False
    kind = asking.kind
    return kind == "unlock" or (kind == "move" and game.rules.absent(game.state, seat) is None)


def silent(game: Game, asking: Asking, seat: int, at: int) -> Game:
    """The game after a time-out at which nobody could move for a seat (protocol section 20.9).

    It is asked again, and has the clock `link` from the time-out on. The third one in a deal takes it out;
    the first does, if it was out before.
    """
    playing = in_play(game)
    answers = asking.held and any(not isinstance(choice, Missed) for choice in game.choices.values())
    need(
        not answers or seat in game.gone,
        "out_of_order",
        "an answer has entered, so nobody is asked again",
        "/body/seat",
        "protocol 20.9",
    )
    count = playing.silent.get(seat, 0) + 1
    playing = replace(playing, silent={**playing.silent, seat: count})
    if count >= MOST_SILENT or seat in game.gone:
        playing = replace(playing, out=playing.out | {seat})
        return replace(game, masked=playing, phase=replace(asking, seats=asking.seats - {seat}))
    until = at + game.header.clock(LINK)
    added = until - asking.deadline_of(seat)
    # The bank is charged for the first time alone that the seat had.
    given = {**asking.given, seat: asking.given.get(seat, 0) + added}
    asking = replace(asking, until={**asking.until, seat: until}, given=given)
    return replace(game, masked=playing, phase=asking)


def _annulling(game: Game, playing: InPlay) -> Game:
    """The house annuls the deal: a seat has gone out by its time-outs, and nobody is asked any more."""
    was = game.rules.gone(playing.before)
    seats = tuple(sorted((game.gone | playing.out) - was))
    return replace(game, phase=AnnulDue(playing.pack.deal, seats))


def annul_body(due: AnnulDue) -> Fields:
    """The body of an `annul`."""
    return {"deal": due.deal, "seats": list(due.seats)}


def annul(game: Game, entry: Entry, due: AnnulDue) -> Game:
    """The game after an `annul`: the state before the deal, without the seats that are out since."""
    right = same_json(entry.body, annul_body(due))
    need(right, "wrong_annul", "the entry is not what the rules give", "/body", "protocol 20.9")
    mode, before = game.rules, in_play(game).before
    game = replace(game, state=before, masked=None, phase=Between())
    for seat in due.seats:
        left = mode.leave(game.state, seat)
        if left is None:
            outcome = mode.end(before, "withheld", frozenset(due.seats))
            return replace(game, state=before, phase=Ended(outcome))
        game = replace(game, state=left)
    return game
