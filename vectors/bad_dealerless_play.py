"""Entries of play that a verifier must refuse where nobody deals (protocol sections 20.8, 20.9, 20.15)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cards.games.contract import Face, Move, Position
from crypto import linear, lock
from crypto.encoding import b64, unb64
from referee.dealerless.masked import deck_of
from referee.game import asking_of, pack_of
from vectors.dealerless import GAMES
from vectors.dealerless_place import (
    CRIBBAGE,
    HEARTS,
    Body,
    ExamplePlace,
    exposed,
    flipped,
    following,
    lying_open,
    seeking,
)
from vectors.example import Vector

# --- Moves ---


def _card(hand: dict[Position, Face], position: Position) -> Move:
    return {"play": position, "card": hand[position]}


def _moves() -> Iterator[Vector]:
    """In place of a card that follows suit."""
    own, section = following(), "protocol 20.8"
    seat = own.seat
    body, hand = own.real.body, own.hand(seat)
    right = body["move"]
    other = next(p for p in hand if hand[p][-1] == own.led and p != right["play"])
    there = next(face for p, face in hand.items() if p != right["play"] and face[-1] == own.led)

    def said(name: str, why: str, **changes: Any) -> Vector:
        return own.vector(f"move_{name}", why, own.again(**changes), section)

    yield said("another_name", "another card is named", move={**right, "card": there})
    ((_, D),) = own.pairs([other], own.key(seat))
    statement = linear.Statement(pack_of(own.game).locks[seat], [(pack_of(own.game).at(right["play"]).a, D)])
    theirs = {"shares": b64(D), "proof": own.prove(seat, "move", statement)}
    yield said("another_s_share", "the share of another position", **theirs)
    whole = own.shown(seat, right, [other])
    yield said("another_s_proof", "a share of another position with its proof", **whole)
    fitted = _fitted(own, right["play"], there)
    yield said("share_fitted", "a share fitted to a wished card", **fitted)
    yield own.vector(
        "move_without_share",
        "no share",
        own.said(seat, "move", {"move": right, "proof": body["proof"]}),
        section,
    )
    yield own.vector(
        "move_without_proof",
        "no proof",
        own.said(seat, "move", {"move": right, "shares": body["shares"]}),
        section,
    )
    yield said("two_shares", "a share too many", shares=b64(unb64(body["shares"]) * 2))
    for name, why, elsewhere in (
        ("of_another_step", "a proof for the step before", {"step": own.game.step - 1}),
        ("of_another_kind", "a proof for an unlock", {"as_kind": "unlock"}),
    ):
        yield said(name, why, **own.shown(seat, right, [right["play"]], **elsewhere))
    rest = tuple(sorted(set(hand) - {right["play"]}))
    yield said(
        "claim_not_due",
        "a true claim, where the card follows suit",
        **own.shown(seat, right, [right["play"]], (rest, ["X"], hand)),
    )
    yield _not_due()
    yield _exposed()
    open_hand = lying_open()
    yield open_hand.vector(
        "move_open_hand",
        "an open hand does not follow suit",
        open_hand.said(open_hand.seat, "move", {"move": _off_suit(open_hand)}),
        "hearts 5",
    )


def _not_due() -> Vector:
    """A proof with a move that shows nothing."""
    done = ExamplePlace.before(HEARTS, lambda place: True)
    nothing = done.prove(done.seat, "move", linear.Statement(pack_of(done.game).locks[done.seat]))
    return done.vector(
        "move_proof_not_due",
        "a proof, where nothing is shown",
        done.said(done.seat, "move", {"move": {"done": True}, "proof": nothing}),
        "protocol 20.8",
    )


def _exposed() -> Vector:
    """A seat plays an exposed card of the suit that is led, while it holds a hidden one of it."""
    own = exposed()
    seat = own.seat
    faces = own.game.state.faces
    front = next(p for p in sorted(own.game.state.board.fronts[seat]) if faces[p][-1] == own.led)
    move = {"play": front, "card": faces[front]}
    hand = own.hand(seat)
    rest = tuple(sorted(hand))
    claim, number, counts = own.claim(rest, [own.led], hand)
    statement = linear.Statement(pack_of(own.game).locks[seat], (), claim)
    proof = own.prove(seat, "move", statement, number=number, counts=counts)
    entry = own.said(seat, "move", {"move": move, "proof": proof})
    return own.vector("move_exposed_first", "the exposed card before one of the hand", entry, "protocol 20.8")


def _off_suit(own: ExamplePlace) -> Move:
    """A card of an open hand that does not follow the suit that is led."""
    faces = own.game.state.faces
    held = sorted(own.game.state.board.hands[own.seat])
    return _card({p: faces[p] for p in held}, next(p for p in held if faces[p][-1] != own.led))


def _fitted(own: ExamplePlace, position: Position, face: Face) -> Body:
    """The body of a move whose share makes a position look like another card."""
    pack = pack_of(own.game)
    wished = deck_of(own.game.rules, pack.pack).points[face]
    D, seat = lock.less(pack.under(position), [wished]), own.seat
    statement = linear.Statement(pack.locks[seat], [(pack.at(position).a, D)])
    return {
        "move": {"play": position, "card": face},
        "shares": b64(D),
        "proof": own.prove(seat, "move", statement),
    }


def _claims() -> Iterator[Vector]:
    """A seat holds a card of the suit that is led, and plays another."""
    own, section = following(), "protocol 20.8"
    hand, led = own.hand(own.seat), own.led
    off = next(p for p in sorted(hand) if hand[p][-1] != led)
    rest = tuple(p for p in sorted(hand) if p != off)
    follows = [p for p in rest if hand[p][-1] == led]
    fewer = tuple(p for p in rest if p not in follows)
    free = next(
        t for t in own.game.rules.facts.traits if all(t not in own.game.rules.has(hand[p]) for p in rest)
    )

    def said(name: str, why: str, claimed: Any) -> Vector:
        entry = own.again(**own.shown(own.seat, _card(hand, off), [off], claimed))
        return own.vector(f"claim_{name}", why, entry, section)

    yield said("lacking", "off suit without a claim", None)
    yield said("false", "off suit with a false claim", (rest, [led], hand))
    yield said("over_fewer_cards", "a true claim over fewer cards", (fewer, [led], hand))
    yield said("about_another_trait", "a true claim about another trait", (rest, [free], hand))
    yield said("about_nothing", "a true claim about no trait", (rest, [], hand))


def _go() -> Iterator[Vector]:
    """At 26, seat 0 holds a four and a six; seat 1, which holds nothing that fits, has said go."""
    section, go = "protocol 20.8", {"go": True}
    own = ExamplePlace(CRIBBAGE, "move", "0", 3)
    for seat, value in ((0, "10"), (1, "10"), (0, "6"), (1, None)):
        own = own.then(own.said(seat, "move", own.honest(seat, _of_value(own, seat, value))))
    hand = own.hand(0)
    rest = tuple(p for p in sorted(hand) if p in own.game.state.board.hand.held[0])
    values = [str(v) for v in range(1, min(10, 31 - own.game.state.board.hand.reached) + 1)]
    fit = [p for p in rest if own.game.rules.has(hand[p]) & {*values}]
    assert 0 < len(fit) < len(rest), "one card fits, another does not"

    def said(name: str, why: str, positions: Sequence[Position], denied: Sequence[str]) -> Vector:
        claim, number, counts = own.claim(positions, denied, hand)
        statement = linear.Statement(pack_of(own.game).locks[0], (), claim)
        proof = own.prove(0, "move", statement, number=number, counts=counts)
        return own.vector(f"go_{name}", why, own.said(0, "move", {"move": go, "proof": proof}), section)

    held = {value for p in rest for value in own.game.rules.has(hand[p])}
    yield said("while_a_card_fits", "a card fits", rest, values)
    yield said(
        "over_fewer_values", "a true claim over fewer values", rest, [v for v in values if v not in held]
    )
    yield said("over_fewer_cards", "a true claim over fewer cards", [p for p in rest if p not in fit], values)
    yield own.vector("go_without_claim", "no claim", own.said(0, "move", {"move": go}), section)
    silent = own.entry("timeout", {"seat": 0, "kind": "move", "move": go})
    yield own.vector("go_by_the_house", "the house says it for a hidden hand", silent, section)
    deadline = asking_of(own.game).deadline
    late = own.entry("timeout", {"seat": 0, "kind": "move", "move": go}, at=deadline + 1)
    yield own.vector("go_by_the_house_later", "also when its time is up", late, section)


def _of_value(own: ExamplePlace, seat: int, value: str | None) -> Move:
    """The first card of a seat's hand that counts so much; without one, go."""
    if value is None:
        return {"go": True}
    hand, held = own.hand(seat), own.game.state.board.hand.held[seat]
    return _card(hand, next(p for p in sorted(hand) if p in held and value in own.game.rules.has(hand[p])))


# --- Turning up and seeking ---


def _turning() -> Iterator[Vector]:
    own = ExamplePlace(CRIBBAGE, "unlock", "1", 1)
    section, starter = "protocol 20.8", own.game.state.board.hand.turned_up
    body, pack = own.real.body, pack_of(own.game)
    key = own.key(1)
    ((_, next_one),) = own.pairs([starter + 1], key)

    def said(name: str, why: str, **changes: Any) -> Vector:
        return own.vector(f"turn_{name}", why, own.again(**changes), section)

    statement = linear.Statement(pack.locks[1], [(pack.at(starter).a, next_one)])
    yield said(
        "of_the_next_position",
        "the share of the next card",
        shares=b64(next_one),
        proof=own.prove(1, "unlock", statement),
    )
    honest = linear.Statement(pack.locks[1], own.pairs([starter + 1], key))
    yield said(
        "of_another_position",
        "the share of another card with its proof",
        shares=b64(next_one),
        proof=own.prove(1, "unlock", honest),
    )
    old = ExamplePlace(CRIBBAGE, "unlock", "1", 0).key(1)
    pairs = own.pairs([starter], old)
    stale = own.prove(1, "unlock", linear.Statement(pack.locks[1], pairs), key=old)
    yield said("by_an_old_lock", "by the key of the deal before", shares=b64(pairs[0][1]), proof=stale)
    yield said("bit", "a flipped bit of the proof", proof=flipped(body["proof"]))
    face = {"faces": [{"position": starter, "card": "AS"}]}
    yield own.vector("turn_by_the_house_alone", "a card that seat 1 locks", own.entry("turn", face), section)
    chosen = own.said(1, "move", {"move": {"cut": 5}})
    yield own.vector("turn_chosen_meanwhile", "a move, while a card is unlocked", chosen, section)
    house = ExamplePlace(CRIBBAGE, "unlock", "house", 1)
    yield house.vector(
        "turn_without_the_house_s", "the house's share is left out", house.entry("turn", face), section
    )
    turned = ExamplePlace(CRIBBAGE, "turn", "house", 1)
    others = [{"position": starter, "card": "KH" if turned.real.body["faces"][0]["card"] != "KH" else "KS"}]
    yield turned.vector(
        "turn_another_card", "another card than lies there", turned.houses(faces=others), section
    )


def _seeking() -> Iterator[Vector]:
    """One seat has the fourth card that is sought, the others have not."""
    own, section = seeking(found=True), "protocol 20.8"
    seat = own.seat
    hand = own.hand(seat)
    sought = own.real.body["positions"][0]
    held = tuple(p for p in sorted(hand) if p in own.game.state.board.hands[seat])
    lock_ = pack_of(own.game).locks[seat]

    def denial(name: str, why: str, positions: Sequence[Position], lacking: Sequence[str]) -> Vector:
        claim, number, counts = own.claim(positions, lacking, hand)
        proof = own.prove(seat, "unlock", linear.Statement(lock_, (), claim), number=number, counts=counts)
        entry = own.said(seat, "unlock", {"positions": [], "proof": proof})
        return own.vector(f"seek_{name}", why, entry, section)

    yield denial("denied", "the holder denies", held, ["X"])
    yield denial("denied_of_fewer", "the other cards lack it", [p for p in held if p != sought], ["X"])
    other = next(p for p in held if p != sought)
    pairs = own.pairs([other], own.key(seat))
    shown = {
        "positions": [other],
        "shares": b64(pairs[0][1]),
        "proof": own.prove(seat, "unlock", linear.Statement(lock_, pairs)),
    }
    yield own.vector("seek_another_card", "another card is opened", own.said(seat, "unlock", shown), section)
    stranger = next(p for p in sorted(own.game.state.board.hands[(seat + 1) % 3]))
    theirs = own.pairs([stranger], own.key(seat))
    foreign = {
        "positions": [stranger],
        "shares": b64(theirs[0][1]),
        "proof": own.prove(seat, "unlock", linear.Statement(lock_, theirs)),
    }
    yield own.vector("seek_in_another_hand", "a card of another", own.said(seat, "unlock", foreign), section)
    yield own.vector(
        "seek_without_positions",
        "it names no position",
        own.said(seat, "unlock", {k: v for k, v in own.real.body.items() if k in ("shares", "proof")}),
        section,
    )
    yield own.vector("seek_two", "two positions", own.again(positions=[sought, other]), section)


# --- Silence ---


def _late() -> Iterator[Vector]:
    """Seat 1 is late at a card of hearts, and in cribbage beside seat 0, which has answered."""
    section = "protocol 20.9"
    first, again = (ExamplePlace(HEARTS, "timeout", "house", nth) for nth in (0, 1))
    seat = int(first.real.body["seat"])
    until = asking_of(again.game).deadline_of(seat)
    yield first.vector(
        "late_too_early",
        "the deadline itself still counts",
        first.entry("timeout", first.real.body, at=first.real.at - 1),
        section,
    )
    yield again.vector(
        "late_before_the_new_deadline",
        "the new deadline itself still counts",
        again.entry("timeout", again.real.body, at=until),
        section,
    )
    hand = again.hand(seat)
    card = _led_or_any(again, seat, hand)
    yield first.vector(
        "late_played_by_the_house",
        "the house plays a hidden hand",
        first.houses(move=card),
        section,
    )
    answer = again.shown(seat, card, [card["play"]])
    yield again.vector(
        "late_answer", "an answer after its deadline", again.said(seat, "move", answer, at=until + 1), section
    )
    gone = ExamplePlace(HEARTS, "annul", "house")
    yield gone.vector(
        "late_answer_after_the_third", "the seat is out", gone.said(seat, "move", answer), section
    )
    late = ExamplePlace(CRIBBAGE, "timeout", "house")
    held = next(e for e in late.after if e.kind == "move")
    entered = late.then(late.said(0, "move", {"move": held.body["move"]}, step=held.step, at=held.at))
    yield entered.vector(
        "late_behind_an_answer",
        "an answer has entered, so nobody is asked again",
        entered.entry("timeout", late.real.body, at=held.at),
        section,
    )
    third = late.then(*late.after[:3])
    yield third.vector(
        "late_held_after_the_third",
        "the seat is out",
        third.said(1, "move", {"move": {"lay": [6, 7]}}),
        section,
    )
    yield _late_mix()


def _late_mix() -> Vector:
    """A seat that has not mixed, called late at its deadline."""
    mixing = next(
        nth
        for nth, e in enumerate(e for e in GAMES[HEARTS]().table.entries if e.kind == "timeout")
        if e.body["kind"] == "mix"
    )
    excluded = ExamplePlace(HEARTS, "timeout", "house", mixing)
    return excluded.vector(
        "late_mix_too_early",
        "the deadline itself still counts",
        excluded.entry("timeout", excluded.real.body, at=excluded.real.at - 1),
        "protocol 20.9",
    )


def _led_or_any(own: ExamplePlace, seat: int, hand: dict[Position, Face]) -> Move:
    """A card that the seat may play without a claim."""
    board = own.game.state.board
    held = [p for p in sorted(hand) if p in board.hands[seat]]
    if board.trick:
        held = [p for p in held if hand[p][-1] == own.led] or held
    return _card(hand, held[0])


PLAY: dict[str, Callable[[], Iterator[Vector]]] = {
    "move": _moves,
    "claim": _claims,
    "go": _go,
    "turn": _turning,
    "seek": _seeking,
    "late": _late,
}
"""What makes the vectors, by the first word of their names."""
