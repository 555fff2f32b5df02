"""The entries of chance: deals, cards that the rules turn up, and links shown once a deal may be public.

The draws of every deal follow from the chains (protocol section 7). A fold without
the house's link of a secret deal trusts the house for the faces that it can't see.
When the house shows the link, the fold folds that deal again and checks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from cards.games.contract import Deal, IllegalMove, Line, Miss, Missed, Mode, State, Turn
from crypto.fairness import common_stream, draw, leads, own_stream
from crypto.fairness import seed as make_seed
from referee.bodies import DIGEST, fields, integer, listing, octets, same_json
from referee.errors import Refused, by_the_rules, need
from referee.game import AccountDue, Between, Dealt, Duty, Game, Left, Played, Trail, Turned
from referee.record import Entry


def knows(state: State[Any], mode: Mode[Any], seat: int) -> bool:
    """Tell whether all faces that a seat sees are known, so that the rules' move for it is known too."""
    return mode.sees(state, seat) <= state.faces.keys()


def draws_of(
    game: Game, deal: Deal, number: int, house_link: bytes, links: Mapping[int, bytes]
) -> tuple[tuple[int, ...], ...]:
    """The positions that each draw of a deal brings (protocol section 7)."""
    assert game.seed is not None, "the seed is known from the first links on"
    streams: dict[int | None, Any] = {}
    brought = []
    for wanted in deal.draws:
        if wanted.stream not in streams:
            if wanted.stream is None:
                ordered = [links[seat] for seat in game.header.seats]
                streams[None] = common_stream(game.seed, number, house_link, ordered)
            else:
                other = links[1 - wanted.stream]
                streams[wanted.stream] = own_stream(game.seed, number, house_link, other, wanted.stream)
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


def deal(game: Game, entry: Entry, links: Mapping[int, bytes], secret_link: bytes | None) -> Game:
    """The game after a `deal`. Its link must be the house's next, and its draws follow from the links."""
    body = fields(entry.body, ("deal", "link", "drawn"), "/body")
    ask, number = game.rules.next(game.state), game.deals + 1
    assert isinstance(ask, Deal), "links were asked for a deal"
    said = integer(body["deal"], "/body/deal")
    need(said == number, "wrong_deal", f"the number of this deal is {number}", "/body/deal")
    need(
        (body["link"] is None) == ask.secret,
        "wrong_link",
        "the link must be null exactly while the pack is secret",
        "/body/link",
    )
    link = secret_link if ask.secret else octets(body["link"], "/body/link", DIGEST)
    game = seeded(game, links)
    listing(body["drawn"], "/body/drawn", len(ask.draws))
    if link is None:
        known: tuple[tuple[int, ...] | None, ...] = tuple(None for _ in ask.draws)
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
        brought = draws_of(game, ask, number, link, links)
        known, expected = brought, drawn_body(ask, brought)
    right = same_json(body["drawn"], expected)
    need(right, "wrong_draw", "these are not the cards that the links give", "/body/drawn", "protocol 7")
    assert ask.secret or not game.unshown, "a link published now would give away the secret ones before it"
    if ask.secret:
        item = Dealt(number, ask, tuple(known))
        # Only a fold that does not know the order must fold this deal again when it is shown.
        trail = (game.trail or Trail(game.state)).then(item) if link is None else game.trail
        firsts = {**game.firsts, number: ask.first}
        game = replace(game, unshown=(*game.unshown, number), firsts=firsts, trail=trail)
    else:
        assert link is not None, "it stands in the entry"
        assert game.trail is None, "every deal is shown, and with the last of them the trail ends"
        game = replace(game, house_newest=(number, link))
    past = {**game.past_links, number: links} if ask.secret else game.past_links
    state = dealt(game.rules, game.state, ask, known)
    return replace(game, state=state, deals=number, phase=Between(), step=entry.step, past_links=past)


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
    """The game with its seed z = TH("seed"; game id, house anchor, e_0, ..., first links).

    The seed is computed at the first deal, from the seats' first links; later calls change nothing.
    """
    if game.seed is not None:
        return game
    commitments = []
    for seat in game.seats:
        assert seat.anchor is not None, "every seat has entered"
        commitments.append(seat.anchor if seat.deck is None else seat.deck.digest)
    first = [links[seat] for seat in game.header.seats]
    return replace(game, seed=make_seed(game.header.game_bytes, game.header.anchor, commitments, first))


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


def turn(game: Game, entry: Entry) -> Game:
    """The game after a `turn`. It must show the cards that the rules turn up, as far as this fold knows."""
    faces = read_turned(fields(entry.body, ("faces",), "/body")["faces"])
    upcoming = game.rules.next(game.state)
    assert isinstance(upcoming, Turn), "a turn was due"
    same = upcoming.positions is None or upcoming.positions == faces.keys()
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


def shown(game: Game, entry: Entry, duty: Duty) -> Game:
    """The game after a `shown`. A fold that lacked the deal's faces now folds it again with all of them."""
    body = fields(entry.body, ("deal", "link"), "/body")
    said = integer(body["deal"], "/body/deal")
    need(said == duty.deal, "wrong_deal", f"the deal to be shown is {duty.deal}", "/body/deal")
    link = octets(body["link"], "/body/link", DIGEST)
    held = leads(link, duty.deal, game.house_newest[1], game.house_newest[0])
    need(
        held,
        "wrong_link",
        "the link does not lead to the house's newest known link",
        "/body/link",
        "protocol 7",
    )
    links = game.past_links[duty.deal]
    past = {k: v for k, v in game.past_links.items() if k != duty.deal}
    firsts = {k: v for k, v in game.firsts.items() if k != duty.deal}
    newest = (duty.deal, link)
    game = replace(game, house_newest=newest, unshown=game.unshown[1:], past_links=past, firsts=firsts)
    if game.trail is None:
        return game
    items = tuple(
        replace(item, order=draws_of(game, item.ask, item.deal, link, links))
        if isinstance(item, Dealt) and item.deal == duty.deal
        else item
        for item in game.trail.items
    )
    trail = replace(game.trail, items=items)
    try:
        state = _folded_again(game, trail)
    except IllegalMove as error:
        raise Refused("house_fault", str(error), "/body/link", "protocol 7") from None
    return replace(game, state=state, trail=trail if game.unshown else None)


def _folded_again(game: Game, trail: Trail) -> Any:
    """Fold the trail with the faces now known; any mismatch is the house's fault (protocol section 7)."""
    mode, state = game.rules, trail.base

    def same(condition: object, why: str) -> None:
        need(condition, "house_fault", why, "/body/link", "protocol 7")

    for item in trail.items:
        match item:
            case Dealt():
                same(mode.next(state) == item.ask, "the deal was not the one that the rules ask for")
                state = dealt(mode, state, item.ask, item.order)
            case Turned():
                upcoming = mode.next(state)
                right = isinstance(upcoming, Turn) and upcoming.positions in (None, item.faces.keys())
                same(right, "other cards should have been turned up")
                same(_agree(state.faces, item.faces), "another card was turned up than the one dealt")
                before = state.knowing(item.faces)
                state = mode.turn(before, item.faces)
                same(mode.account(before, {}, state) == item.lines, "an account was wrong")
            case Left():
                state = mode.leave(state, item.seat)
                same(state is not None, "the game should have ended by a resignation")
            case Played():
                before = state
                state = _played_again(mode, state, item, same)
                same(mode.account(before, item.choices, state) == item.lines, "an account was wrong")
    same(state.board == game.state.board, "the cards dealt do not lead to this game")
    same(_agree(state.faces, game.state.faces), "another card was shown than the one dealt")
    # The faces that this seat was told of later deals stay known; they are judged when those are shown.
    return state.knowing(game.state.faces)


def _agree(known: Mapping[int, Any], claimed: Mapping[int, Any]) -> bool:
    return all(known.get(position, face) == face for position, face in claimed.items())


def _played_again(mode: Any, state: Any, item: Played, same: Any) -> Any:
    for seat, choice in item.choices.items():
        move = choice.move if isinstance(choice, Missed) else choice
        if isinstance(choice, Missed):
            due = mode.absent(state, seat)
            told = due is not None or knows(state, mode, seat)
            right = not told or same_json(choice.move, due)
            same(right, "the house played another move for an absent seat")
            forced = choice.what is not Miss.COMPELLED or same_json(move, mode.compelled(state, seat))
            same(forced, "the house played for a seat that had a choice")
        if move is not None:
            same(_agree(state.faces, mode.opens(move)), "a card was played that was not the one dealt")
            state = state.knowing(mode.opens(move))
            same(mode.legal(state, seat).refusal(move) is None, "the house let an illegal move pass")
    return mode.play(state, item.choices)
