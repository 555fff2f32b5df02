"""A second reading of docs/protocol.md, sections 5 to 9: match decks, seals, openings, by the page alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.docs.page_games import exactly
from tests.docs.page_proofs import (
    canonical,
    card_terms,
    com,
    meal,
    milliseconds,
    need,
    octets,
    osp,
    point,
    same,
    scalar,
    shuffle,
    signed,
    th,
    times,
    vanishes,
    whole,
)

Json = Any


@dataclass(frozen=True)
class Place:
    """What the proofs of a game name: its id, its house and its cards."""

    name: str
    id: bytes
    house: bytes
    anchor: bytes
    set_digest: bytes
    cards: Mapping[int, Json]


@dataclass
class Sealed:
    """A seal that is to be opened."""

    step: int
    hand: list[int]
    courses: int
    seal: bytes
    since: int = 0
    """The time-out of its reveal."""
    enclosed: bool = False


@dataclass
class Seat:
    """The state of a seat by the record."""

    key: bytes
    anchor: bytes = b""
    newest: tuple[int, bytes] = (0, b"")
    positions: list[bytes] = field(default_factory=list)
    digest: bytes = b""
    sealed: Sealed | None = None
    owed: Sealed | None = None
    offers: bool = False
    offered: int = -1
    thought: int = 0
    """Milliseconds taken from its bank."""
    withheld: int = 0


def deck(game: Place, seat: Seat, number: int, body: Json) -> None:
    """Sections 5 and 6."""
    certificate = body["certificate"]
    exactly(certificate, ("game", "seat", "key", "set_digest", "cards", "at", "signature"))
    need(certificate["game"] == game.name and same(certificate["seat"], number), "not this seat's")
    need(octets(certificate["key"]) == seat.key, "another key")
    need(octets(certificate["set_digest"]) == game.set_digest, "other cards")
    milliseconds(certificate["at"])
    unsigned = {name: value for name, value in certificate.items() if name != "signature"}
    digest = th("certificate", canonical(unsigned))
    signed(game.house, digest, octets(certificate["signature"]))
    cards = [octets(card, 48) for card in certificate["cards"]]
    seat.positions = [octets(position, 48) for position in body["positions"]]
    ctx = th("shuffle-context", game.id, osp(number, 1), seat.key, digest, game.anchor, seat.anchor)
    shuffle(ctx, cards, seat.positions, octets(body["proof"]))
    seat.digest = th("match-deck", digest, *seat.positions, seat.anchor)


def seal(game: Place, seat: Seat, number: int, body: Json, step: int, packing: tuple[list[int], int]) -> None:
    """Section 8: `packing` has the positions in the hand, and the number of courses."""
    hand, courses = packing
    ctx = th(
        "meal-context",
        game.id,
        osp(step, 4),
        osp(number, 1),
        seat.key,
        game.set_digest,
        seat.digest,
        osp(courses, 1),
        *(osp(position, 1) for position in hand),
    )
    seal = octets(body["seal"], 48)
    meal(ctx, [seat.positions[i] for i in hand], courses, seal, octets(body["proof"]))
    seat.sealed = Sealed(step, hand, courses, seal)
    if "envelope" in body:
        need(48 < len(octets(body["envelope"])) <= 8192, "the size of an envelope")
        seat.sealed.enclosed = True


def opened(game: Place, seat: Seat, body: Json, sealed: Sealed) -> tuple[Json, dict[int, Json]]:
    """Section 9: the choice and the cards opened."""
    box = placed(body["choice"], sealed)
    faces: dict[int, Json] = {}
    recipes = [0] * sealed.courses
    for opening in body["openings"]:
        exactly(opening, ("position", "number", "blinding"))
        position, card = whole(opening["position"]), game.cards.get(whole(opening["number"]))
        need(position in box and position > max(faces, default=-1) and card is not None, "an opening")
        blinding = scalar(octets(opening["blinding"]))
        vanishes([(-1, point(seat.positions[position])), *card_terms(card, blinding)], "an opening")
        faces[position] = card
        recipes[box[position] - 1] += card["type"] == "recipe"
    need(faces.keys() == box.keys(), "openings of other positions")
    bits = [int(box.get(i, 0) == c) for i in sealed.hand for c in range(sealed.courses + 1)]
    opening = com([*bits, *recipes], scalar(octets(body["blinding"])))
    vanishes([(1, point(sealed.seal)), *times(-1, opening)], "the opening of a seal")
    for dish in body["choice"]["dishes"]:
        recipe = dish["recipe"]
        need(recipe is None or faces[recipe]["type"] == "recipe", "no recipe")
        need(all(faces[i]["type"] == "ingredient" for i in dish["ingredients"]), "no ingredient")
    return body["choice"], faces


def placed(choice: Json, sealed: Sealed) -> dict[int, int]:
    """The course (from 1) of every position used."""
    exactly(choice, ("dishes",))
    courses = [1, 2, 3] if sealed.courses == 3 else [2]
    box: dict[int, int] = {}
    before = 0
    need(isinstance(choice["dishes"], list), "dishes")
    for dish in choice["dishes"]:
        exactly(dish, ("course", "recipe", "ingredients"))
        need(whole(dish["course"]) in courses and dish["course"] > before, "a course")
        before = dish["course"]
        used = dish["ingredients"]
        need(isinstance(used, list) and all(type(i) is int for i in used), "ingredients")
        need(used == sorted(set(used)), "ingredients that do not ascend")
        for position in used if dish["recipe"] is None else [whole(dish["recipe"]), *used]:
            need(position in sealed.hand and position not in box, "a position")
            box[position] = courses.index(dish["course"]) + 1
    return box
