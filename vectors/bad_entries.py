"""Entries, messages and files that a verifier must refuse, each with its code, field and reason.

Vectors have the form of those of `vectors.records`. An input names one of the published records, how many
of its entries come first (`keep`), and the `entries` that follow. A program that folds them in order
refuses the last, with the code and the pointer of `cloche verify`. Every entry is signed by the right keys,
unless a signature is what is wrong: the house's and the players' keys stand in `records.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from functools import cache
from typing import Any, Self

from crypto.encoding import b64, unb64
from crypto.engines import ORDER
from crypto.group import encode_scalar
from crypto.identity import public_key, sign
from referee.bodies import Fields
from referee.certificate import certificate_digest
from referee.checks import Trusting
from referee.errors import Refused
from referee.fold import apply, fold
from referee.game import Game
from referee.message import write_message
from referee.record import GENESIS, HOUSE, Entry, read_entry, write_entry
from referee.verify import entry_field
from vectors import dealerless
from vectors.example import HOUSE_PRIVATE_KEY, Vector, case
from vectors.matches import NOTHING, PRIVATES, TICK, Sitting, away, chef, hearts, links, slow

_TABLES: dict[str, Callable[[], Sitting]] = {
    "chef": chef,
    "hearts": hearts,
    "slow": slow,
    "away": away,
    "links": links,
    "dealerless_hearts": lambda: dealerless.hearts().table,
    "dealerless_cribbage": lambda: dealerless.cribbage().table,
    "dealerless_flip": lambda: dealerless.flip().table,
    "dealerless_big_c": lambda: dealerless.big_c().table,
}


class Cut:
    """A published record up to an entry, and what could come next."""

    def __init__(self, record: str, keep: int) -> None:
        self.record, self.keep, self.table = record, keep, _TABLES[record]()
        self.entries, self.after = self.table.entries[:keep], self.table.entries[keep:]
        self.game = _folded(record, keep)

    @property
    def real(self) -> Entry:
        """Return the entry that did come next."""
        return self.after[0]

    def entry(self, kind: str, body: Fields, **other: Any) -> Entry:
        """An entry of the house, a tick after the newest; `other`: at, step, actor, signature, private."""
        head = (self.entries[-1].seq, self.entries[-1].digest) if self.entries else (-1, GENESIS)
        private, at, step = other.get("private", HOUSE_PRIVATE_KEY), other.get("at"), other.get("step")
        return write_entry(
            private,
            head,
            self.game.at + TICK if at is None else at,
            self.game.step if step is None else step,
            other.get("actor", HOUSE),
            kind,
            body,
            other.get("signature"),
        )

    def said(self, seat: int, kind: str, body: Fields, **other: Any) -> Entry:
        """A player's entry, rightly signed; `seen` is the newest entry unless the body has one."""
        seen = {"seq": self.game.seq, "digest": b64(self.game.digest)}
        step, at = other.pop("step", self.game.step), other.pop("at", self.game.at + TICK)
        private = other.pop("player", PRIVATES[seat])
        whole = {k: v for k, v in {"seen": seen, **body}.items() if v is not GONE}
        message = write_message(private, self.game.header.game, step, seat, kind, whole)
        return self.entry(
            kind, whole, step=step, at=at, actor=str(seat), signature=message.signature, **other
        )

    def again(self, **changes: Any) -> Entry:
        """The player's entry that came next with fields of its body changed, and signed anew."""
        real = self.real
        return self.said(int(real.actor), real.kind, {**real.body, **changes}, step=real.step, at=real.at)

    def houses(self, **changes: Any) -> Entry:
        """The house's entry that came next with fields of its body changed, and signed anew."""
        real = self.real
        return self.entry(real.kind, {**real.body, **changes}, step=real.step, at=real.at)

    def then(self, *entries: Entry) -> Self:
        """The same place after more entries that are not in the record."""
        later = copy(self)
        later.entries = [*self.entries, *entries]
        for entry in entries:
            later.game = apply(later.game, entry)
        return later

    def vector(self, name: str, why: str, entry: Entry | Fields, section: str = "protocol 10") -> Vector:
        data = entry.json() if isinstance(entry, Entry) else dict(entry)
        found = self._refused(data)
        follow = [*(past.json() for past in self.entries[self.keep :]), data]
        given = {"record": f"record_{self.record}", "keep": self.keep, "entries": follow}
        return case(name, given, {**found, "why": why, "section": found.pop("section") or section})

    def _refused(self, data: Fields) -> dict[str, Any]:
        """Code, pointer and section, as the verifier reports them."""
        try:
            entry = read_entry(data)
        except Refused as refused:
            return {"refused": refused.code, "pointer": refused.pointer, "section": refused.section}
        try:
            apply(self.game if self.entries else None, entry)
        except Refused as refused:
            where = entry_field(refused.pointer)
            return {"refused": refused.code, "pointer": where, "section": refused.section}
        return {"refused": None, "pointer": "", "section": ""}


GONE = object()
"""The sign, in a field's place, that the field is missing."""


@cache
def _folded(record: str, keep: int) -> Game:
    return fold(_TABLES[record]().entries[: max(1, keep)], Trusting())


def forget() -> None:
    """Fold the records anew when they are asked for again."""
    _folded.cache_clear()


# Certificates and match decks (protocol 5 and 6)


def bad_certificates() -> list[Vector]:
    """An `enter` whose certificate or match deck is another's, or not by the house (sections 5, 6)."""
    cut = Cut("chef", 1)
    certificate = dict(cut.real.body["certificate"])

    def signed(private: bytes = HOUSE_PRIVATE_KEY, **changes: Any) -> Entry:
        unsigned = {k: v for k, v in {**certificate, **changes}.items() if k != "signature"}
        signature = b64(sign(private, certificate_digest(unsigned)))
        return cut.again(certificate={**unsigned, "signature": signature})

    cards, positions = list(certificate["cards"]), list(cut.real.body["positions"])
    other = b64(public_key(bytes([0x77]) * 32))
    section = "protocol 5"
    return [
        cut.vector(
            "certificate_other_game", "for another game", signed(game=hearts().game.header.game), section
        ),
        cut.vector("certificate_other_seat", "for the other seat", signed(seat=0), section),
        cut.vector("certificate_other_key", "for another key", signed(key=other), section),
        cut.vector(
            "certificate_other_cards", "of other cards in play", signed(set_digest=b64(bytes(64))), section
        ),
        cut.vector("certificate_not_the_house_s", "signed by the chef itself", signed(PRIVATES[1]), section),
        cut.vector(
            "certificate_changed",
            "a card exchanged after the house signed",
            cut.again(certificate={**certificate, "cards": [cards[1], cards[0], *cards[2:]]}),
            section,
        ),
        cut.vector("certificate_39_cards", "39 cards", signed(cards=cards[:-1]), section),
        cut.vector(
            "certificate_identity",
            "a card that is the identity",
            signed(cards=[b64(b"\xc0" + bytes(47)), *cards[1:]]),
            section,
        ),
        cut.vector(
            "deck_positions_exchanged",
            "two positions exchanged: the proof is of another deck",
            cut.again(positions=[positions[1], positions[0], *positions[2:]]),
        ),
        cut.vector(
            "deck_other_anchor",
            "another chain: the proof's context names the anchor",
            cut.again(anchor=b64(bytes(64))),
        ),
    ]


# Seals (8) and reveals (9)


def bad_seals() -> list[Vector]:
    """A `seal` that is from another place, malformed, or not asked for (section 8)."""
    cut, later = Cut("chef", 15), Cut("chef", 23)
    seal, proof = (unb64(cut.real.body[name]) for name in ("seal", "proof"))
    other = later.real.body
    changed = proof[:-1] + bytes([proof[-1] ^ 1])
    opponent = Cut("chef", 16)
    return [
        cut.vector("seal_flipped", "a bit of the proof", cut.again(proof=b64(changed))),
        cut.vector(
            "seal_scalar_not_reduced",
            "q added to the last scalar",
            cut.again(
                proof=b64(proof[:-32] + (int.from_bytes(proof[-32:], "big") + ORDER).to_bytes(32, "big"))
            ),
        ),
        cut.vector("seal_short", "a byte is missing", cut.again(proof=b64(proof[:-1]))),
        cut.vector("seal_identity", "the seal is the identity", cut.again(seal=b64(b"\xc0" + bytes(47)))),
        cut.vector(
            "seal_of_a_later_round",
            "the seal of a later round, whose hand has another size",
            cut.again(seal=other["seal"], proof=other["proof"]),
        ),
        opponent.vector(
            "seal_of_the_opponent",
            "the opponent's seal and proof, sent back",
            opponent.again(seal=b64(seal), proof=b64(proof)),
        ),
        cut.vector(
            "seal_with_envelope",
            "an envelope, where the house has no key for one",
            cut.again(envelope=b64(bytes(100))),
        ),
        cut.vector("seal_with_more", "a field too many", cut.again(more=1)),
        opponent.vector(
            "seal_again",
            "a second seal of a seat that has sealed",
            opponent.said(0, "seal", {"seal": b64(seal), "proof": b64(proof)}),
        ),
        Cut("chef", 31).vector(
            "seal_while_a_reveal_is_owed",
            "seat 1 owes the reveal of step 11",
            Cut("chef", 31).said(1, "seal", {"seal": b64(seal), "proof": b64(proof)}),
        ),
    ]


def bad_reveals() -> list[Vector]:
    """A `reveal` that does not open what was sealed (section 9)."""
    cut = Cut("chef", 25)
    r_B = _scalar(cut.real.body["blinding"])
    found = [
        ("other_blinding", "r_B plus 1", cut.again(blinding=b64(encode_scalar(r_B + 1)))),
        ("blinding_not_reduced", "r_B plus q", cut.again(blinding=_unreduced(r_B))),
        *_other_choices(cut),
        *_other_openings(cut),
        ("link_without_early_links", "a link, where links do not come early", cut.again(link=None)),
    ]
    return [
        *(cut.vector(f"reveal_{name}", why, entry, "protocol 9") for name, why, entry in found),
        *_early_links(),
    ]


ChangedEntry = tuple[str, str, Entry]
"""The name of a falsified entry, why it is refused, and the entry."""


def _other_choices(cut: Cut) -> Iterator[ChangedEntry]:
    """Other dishes than the one that was sealed."""
    dish = cut.real.body["choice"]["dishes"][0]
    recipe, ingredients = dish["recipe"], dish["ingredients"]

    def dished(**changes: Any) -> Entry:
        return cut.again(choice={"dishes": [{**dish, **changes}]})

    yield "nothing", "nothing, where a dish was sealed", cut.again(choice=NOTHING, openings=[])
    yield "other_course", "the dish in another course", dished(course=2)
    yield "course_4", "a course that does not exist", dished(course=4)
    again: dict[str, Any] = {"course": 1, "recipe": None, "ingredients": []}
    yield "course_twice", "a course twice", cut.again(choice={"dishes": [dish, again]})
    twice = [ingredients[0], ingredients[0]]
    yield "position_twice", "a position twice in a dish", dished(ingredients=twice)
    yield "not_in_hand", "a position that is not in the hand", dished(recipe=39)
    yield "unsorted", "ingredients that do not ascend", dished(ingredients=ingredients[::-1])
    swapped = sorted([recipe, *ingredients[1:]])
    yield (
        "recipe_exchanged",
        "the recipe named among the ingredients and one of those as the recipe: the bits are the same",
        dished(recipe=ingredients[0], ingredients=swapped),
    )


def _other_openings(cut: Cut) -> Iterator[ChangedEntry]:
    """The right choice with openings that are not its cards'."""
    openings = list(cut.real.body["openings"])
    first, r = openings[0], _scalar(openings[0]["blinding"])

    def opened(i: int, **changes: Any) -> Entry:
        return cut.again(openings=[*openings[:i], {**openings[i], **changes}, *openings[i + 1 :]])

    yield "opening_missing", "a card of the dish is not opened", cut.again(openings=openings[1:])
    unused = [{**first, "position": 1}, *openings]
    yield "opening_of_unused", "opens a card that was not used", cut.again(openings=unused)
    at = next(i for i, opening in enumerate(openings) if opening["number"] in _BREAD)
    why = "opened as the other card called Bread: another number"
    yield "card_of_the_same_name", why, opened(at, number=_BREAD[openings[at]["number"]])
    yield "unknown_card", "a number that no card in play has", opened(0, number=9999)
    yield "other_opening", "a card's blinding plus 1", opened(0, blinding=b64(encode_scalar(r + 1)))
    yield "opening_not_reduced", "a card's blinding plus q", opened(0, blinding=_unreduced(r))


_BREAD = {1001: 1009, 1009: 1001}
"""Two cards of one name: the number of each is the other's."""


def _scalar(text: str) -> int:
    return int.from_bytes(unb64(text), "big")


def _unreduced(scalar: int) -> str:
    """A scalar plus q: another form of the same residue."""
    return b64((scalar + ORDER).to_bytes(32, "big"))


def _early_links() -> Iterator[Vector]:
    """Links with a reveal, in the record of early links."""
    cut, second = Cut("slow", 12), Cut("slow", 20)
    chain = cut.table.sitters[0].secret.chain
    section = "protocol 7"
    yield cut.vector("reveal_link_missing", "no field for the link", cut.again(link=GONE), section)
    yield cut.vector(
        "reveal_link_of_this_deal", "the link of the last deal", cut.again(link=b64(chain.link(1))), section
    )
    yield cut.vector(
        "reveal_link_of_a_later_deal", "the next link but one", cut.again(link=b64(chain.link(3))), section
    )
    yield second.vector(
        "reveal_link_of_another_chain",
        "the other seat's link",
        second.again(link=b64(chain.link(3))),
        section,
    )
