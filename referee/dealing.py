"""The entries of chance: deals, cards that the rules turn up, and links shown once a deal may be public.

The draws of every deal follow from the chains (protocol section 7). A fold without
the house's link of a secret deal trusts the house for the faces that it can't see.
When the house shows the link, the fold folds that deal again and checks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, assert_never

from cards.games.contract import Deal, IllegalMove, Line, Miss, Missed, Mode, State, Turn
from crypto.fairness import Stream, common_stream, draw, leads, own_stream
from crypto.fairness import seed as make_seed
from referee.bodies import DIGEST, fields, integer, listing, octets, same_json
from referee.errors import Refused, by_the_rules, need
from referee.game import (
    AccountDue,
    Between,
    DealDue,
    Dealt,
    Game,
    Left,
    Played,
    ShownDue,
    Trail,
    TurnDue,
    Turned,
    Withheld,
    wanted_deal,
)
from referee.record import Entry


def knows(state: State[Any], mode: Mode[Any], seat: int) -> bool:
    """Tell whether all faces that a seat sees are known, so that the rules' move for it is known too."""
    return mode.sees(state, seat) <= state.faces.keys()


def draws_of(
    game: Game, deal: Deal, number: int, house_link: bytes, links: Mapping[int, bytes]
) -> tuple[tuple[int, ...], ...]:
    """The positions that each draw of a deal brings (protocol section 7)."""
    seed, streams = seed_of(game, links), dict[int | None, Stream]()
    brought = []
    for wanted in deal.draws:
        if wanted.stream not in streams:
            if wanted.stream is None:
                ordered = [links[seat] for seat in game.header.seats]
                streams[None] = common_stream(seed, number, house_link, ordered)
            else:
                other = links[1 - wanted.stream]
                streams[wanted.stream] = own_stream(seed, number, house_link, other, wanted.stream)
        brought.append(draw(streams[wanted.stream], wanted.pool, wanted.count))
    return tuple(brought)


def drawn_body(deal: Deal, brought: Iterable[tuple[int, ...]]) -> list[dict[str, Any]]:
    """The field `drawn` of a deal. Draws from own decks list the positions too, in the order drawn."""
    listed = []
    for wanted, positions in zip(deal.draws, brought, strict=True):
        item: dict[str, Any] = {"seat": wanted.stream, "count": len(positions)}
        if wanted.stream is not None:
            item["positions"] = list(positions)
        listed.append(item)
    return listed


def deal_due(mode: Mode[Any], state: State[Any], links: Mapping[int, bytes]) -> DealDue:
    """The deal for which links were asked in this state, now that all are in."""
    return DealDue(wanted_deal(mode, state), links)


def deal(game: Game, entry: Entry, due: DealDue, secret_link: bytes | None) -> Game:
    """The game after a `deal`. Its link must be the house's next, and its draws follow from the links."""
    body = fields(entry.body, ("deal", "link", "drawn"), "/body")
    ask, links, number = due.deal, due.links, game.deals + 1
    said = integer(body["deal"], "/body/deal")
    need(said == number, "wrong_deal", f"the number of this deal is {number}", "/body/deal")
    need(
        (body["link"] is None) == ask.secret,
        "wrong_link",
        "the link must be null exactly while the pack is secret",
        "/body/link",
    )
    game = seeded(game, links)
    if ask.secret:
        known = _draws(game, body["drawn"], due, secret_link)
        # Only a fold that does not know the order must fold this deal again when it is shown.
        item = Dealt(number, ask, known)
        trail = (game.trail or Trail(game.state)).then(item) if secret_link is None else game.trail
        unshown, firsts = (*game.unshown, number), {**game.firsts, number: ask.first}
        past = {**game.past_links, number: links}
        game = replace(game, unshown=unshown, firsts=firsts, past_links=past, trail=trail)
    else:
        link = octets(body["link"], "/body/link", DIGEST)
        known = _draws(game, body["drawn"], due, link)
        assert not game.unshown, "a link published now would give away the secret ones before it"
        game = replace(game, house_newest=(number, link))
    state = dealt(game.rules, game.state, ask, known)
    return replace(game, state=state, deals=number, phase=Between(), step=entry.step)


def _draws(game: Game, drawn: object, due: DealDue, link: bytes | None) -> tuple[tuple[int, ...] | None, ...]:
    """The positions that each draw of the next deal brings, None without the house's link.

    Checks that the link is the house's next, and that the entry's field `drawn` is what the links give.
    """
    ask, number = due.deal, game.deals + 1
    known: tuple[tuple[int, ...] | None, ...]
    listing(drawn, "/body/drawn", len(ask.draws))
    if link is None:
        known = tuple(None for _ in ask.draws)
        sizes = [min(wanted.count, len(wanted.pool)) for wanted in ask.draws]
        expected = drawn_body(ask, [tuple(range(size)) for size in sizes])
    else:
        held = leads(link, number, game.house_newest[1], game.house_newest[0])
        need(
            held,
            "wrong_link",
            "the link does not lead to the house's newest known link",
            "/body/link",
            "protocol 7",
        )
        brought = draws_of(game, ask, number, link, due.links)
        known, expected = brought, drawn_body(ask, brought)
    right = same_json(drawn, expected)
    need(right, "wrong_draw", "these are not the cards that the links give", "/body/drawn", "protocol 7")
    return known


def dealt(
    mode: Mode[Any], state: State[Any], deal: Deal, order: tuple[tuple[int, ...] | None, ...]
) -> State[Any]:
    """The rules' state after a deal. In a common pack, the i-th card drawn gets position `first` + i."""
    after = mode.deal(state, order)
    for wanted, brought in zip(deal.draws, order, strict=True):
        if wanted.stream is None and deal.pack is not None and brought is not None:
            after = after.knowing({deal.first + i: deal.pack[card] for i, card in enumerate(brought)})
    return after


def seeded(game: Game, links: Mapping[int, bytes]) -> Game:
    """The game with its seed, computed at the first deal; later calls change nothing."""
    return replace(game, seed=seed_of(game, links))


def seed_of(game: Game, links: Mapping[int, bytes]) -> bytes:
    """The game's seed z = TH("seed"; game id, house anchor, e_0, ..., first links).

    `links` are those of the seats; the seed follows from their links of the first deal.
    """
    if game.seed is not None:
        return game.seed
    commitments = [seat.commitment for seat in game.seats]
    first = [links[seat] for seat in game.header.seats]
    return make_seed(game.header.game_bytes, game.header.anchor, commitments, first)


def read_turned(value: object) -> dict[int, Any]:
    """The faces of a `turn`, by position."""
    faces: dict[int, Any] = {}
    for i, item in enumerate(listing(value, "/body/faces")):
        fields(item, ("position", "card"), f"/body/faces/{i}")
        position = integer(item["position"], f"/body/faces/{i}/position")
        need(
            position not in faces,
            "wrong_turn",
            "the entry names this position twice",
            f"/body/faces/{i}/position",
            "protocol 10",
        )
        faces[position] = item["card"]
    return faces


def turn(game: Game, entry: Entry, due: TurnDue) -> Game:
    """The game after a `turn`. It must show the cards that the rules turn up, as far as this fold knows."""
    faces = read_turned(fields(entry.body, ("faces",), "/body")["faces"])
    same = due.turn.positions is None or due.turn.positions == faces.keys()
    need(same, "wrong_turn", "these are not the cards that the rules turn up", "/body/faces")
    for position, face in faces.items():
        known = game.state.faces.get(position, face)
        need(same_json(known, face), "wrong_turn", "another card lies at this position", "/body/faces")
    before = game.state.knowing(faces)
    with by_the_rules("/body/faces"):
        state = game.rules.turn(before, faces)
    lines = game.rules.account(before, {}, state)
    trail = game.trail and game.trail.then(Turned(faces, lines))
    game = replace(game, state=state, trail=trail)
    return replace(game, phase=accounted(game, lines))


def accounted(game: Game, lines: tuple[Line, ...] | None) -> AccountDue | Between:
    """The phase after a play or a turn: an account of these lines is due, if the rules give any."""
    if lines is None:
        return Between()
    return AccountDue({"points": list(game.rules.points(game.state)), "lines": list(lines)})


# A secret deal is shown


def shown(game: Game, entry: Entry, due: ShownDue) -> Game:
    """The game after a `shown`. A fold that lacked the deal's faces now folds it again with all of them."""
    body = fields(entry.body, ("deal", "link"), "/body")
    said = integer(body["deal"], "/body/deal")
    need(said == due.deal, "wrong_deal", f"the deal to be shown is {due.deal}", "/body/deal")
    link = octets(body["link"], "/body/link", DIGEST)
    held = leads(link, due.deal, game.house_newest[1], game.house_newest[0])
    need(
        held,
        "wrong_link",
        "the link does not lead to the house's newest known link",
        "/body/link",
        "protocol 7",
    )
    links = game.past_links[due.deal]
    past = {k: v for k, v in game.past_links.items() if k != due.deal}
    firsts = {k: v for k, v in game.firsts.items() if k != due.deal}
    newest = (due.deal, link)
    game = replace(game, house_newest=newest, unshown=game.unshown[1:], past_links=past, firsts=firsts)
    if game.trail is None:
        return game
    items = tuple(
        replace(item, order=draws_of(game, item.ask, item.deal, link, links))
        if isinstance(item, Dealt) and item.deal == due.deal
        else item
        for item in game.trail.items
    )
    trail = replace(game.trail, items=items)
    try:
        state = _folded_again(game, trail)
    except IllegalMove as error:
        raise _house_fault(str(error)) from None
    return replace(game, state=state, trail=trail if game.unshown else None)


def _folded_again(game: Game, trail: Trail) -> State[Any]:
    """Fold the trail with the faces now known; any mismatch is the house's fault (protocol section 7)."""
    mode, state = game.rules, trail.base
    for item in trail.items:
        match item:
            case Dealt():
                _same(mode.next(state) == item.ask, "the deal was not the one that the rules ask for")
                state = dealt(mode, state, item.ask, item.order)
            case Turned():
                upcoming = mode.next(state)
                right = isinstance(upcoming, Turn) and upcoming.positions in (None, item.faces.keys())
                _same(right, "other cards should have been turned up")
                _same(_agree(state.faces, item.faces), "another card was turned up than the one dealt")
                before = state.knowing(item.faces)
                state = mode.turn(before, item.faces)
                _same(mode.account(before, {}, state) == item.lines, "an account was wrong")
            case Left():
                left = mode.leave(state, item.seat)
                if left is None:
                    raise _house_fault("the game should have ended by a resignation")
                state = left
            case Withheld():
                without = mode.withheld(state, item.seats)
                if without is None:
                    raise _house_fault("the game should have ended by withheld links")
                state = without
            case Played():
                before = state
                state = _played_again(mode, state, item)
                _same(mode.account(before, item.choices, state) == item.lines, "an account was wrong")
            case _:
                assert_never(item)
    _same(state.board == game.state.board, "the cards dealt do not lead to this game")
    _same(_agree(state.faces, game.state.faces), "another card was shown than the one dealt")
    # The faces that this seat was told of later deals stay known; they are judged when those are shown.
    return state.knowing(game.state.faces)


def _house_fault(why: str) -> Refused:
    return Refused("house_fault", why, "/body/link", "protocol 7")


def _same(condition: object, why: str) -> None:
    """Refuse what the house has shown unless the cards now known give the same as the record."""
    if not condition:
        raise _house_fault(why)


def _agree(known: Mapping[int, Any], claimed: Mapping[int, Any]) -> bool:
    return all(known.get(position, face) == face for position, face in claimed.items())


def _played_again(mode: Mode[Any], state: State[Any], item: Played) -> State[Any]:
    for seat, choice in item.choices.items():
        move = choice.move if isinstance(choice, Missed) else choice
        if isinstance(choice, Missed):
            due = mode.absent(state, seat)
            told = due is not None or knows(state, mode, seat)
            right = not told or same_json(choice.move, due)
            _same(right, "the house played another move for an absent seat")
            forced = choice.what is not Miss.COMPELLED or same_json(move, mode.compelled(state, seat))
            _same(forced, "the house played for a seat that had a choice")
        if move is not None:
            _same(_agree(state.faces, mode.opens(move)), "a card was played that was not the one dealt")
            state = state.knowing(mode.opens(move))
            _same(mode.legal(state, seat).refusal(move) is None, "the house let an illegal move pass")
    return mode.play(state, item.choices)
