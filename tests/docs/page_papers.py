"""A second reading of docs/protocol.md, section 10.7: what convicts a house, from papers alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.docs.page_proofs import (
    Invalid,
    Q,
    canonical,
    card_terms,
    milliseconds,
    need,
    number,
    octets,
    osp,
    point,
    same,
    signed,
    th,
    vanishes,
)
from tests.docs.page_record import Reader

Json = Any


def entry_digest(entry: Json) -> bytes:
    """10.4"""
    return th(
        "entry",
        octets(entry["prev"], 64),
        osp(entry["seq"], 4),
        entry["at"].encode(),
        osp(entry["step"], 4),
        entry["actor"].encode(),
        entry["kind"].encode(),
        canonical(entry["body"]),
        b"" if entry["player_signature"] is None else octets(entry["player_signature"], 64),
    )


def two_histories(one: Json, other: Json, house: bytes) -> None:
    """Raises `Invalid` unless the house has signed two entries in one place."""
    for entry in (one, other):
        signed(house, entry_digest(entry), octets(entry["house_signature"], 64))
    need(one["prev"] == other["prev"] and entry_digest(one) != entry_digest(other), "one history")
    if octets(one["prev"]) == bytes(64):
        need(one["body"]["game"] == other["body"]["game"], "two games")


def other_record(entries: Sequence[Json], message: Json, receipt: Json) -> None:
    """Raises `Invalid` unless the house took a message that has seen what its record does not hold."""
    reader = Reader([entries[0]])
    reader.take(entries[0])
    _receipted(reader, message, receipt)
    seen = message["body"]["seen"]
    held = entries[seen["seq"]]
    signed(reader.house, entry_digest(held), octets(held["house_signature"], 64))
    need(entry_digest(held) != octets(seen["digest"], 64), "what it has seen is there")


def two_answers(one: Json, receipt: Json, other: Json, other_receipt: Json, opening: Json) -> None:
    """Raises `Invalid` unless the house gave receipts for two answers of one seat to one question."""
    reader = Reader([opening])
    reader.take(opening)
    digests = [_receipted(reader, *papers) for papers in ((one, receipt), (other, other_receipt))]
    same_place = all(one[name] == other[name] for name in ("seat", "step", "kind"))
    need(same_place and digests[0] != digests[1], "not two answers")


def no_absence(entries: Sequence[Json], *, entry: Json = None, receipt: Json = None) -> None:
    """Raises `Invalid` unless the house says in the last entry that it was away, and was not.

    What shows it is an entry of any game, or a receipt, by the same key.
    """
    reader = Reader(list(entries))
    for each in entries:
        reader.take(each)
    body = entries[-1]["body"]
    need(entries[-1]["kind"] == "away", "no absence")
    if entry is not None:
        signed(reader.house, entry_digest(entry), octets(entry["house_signature"], 64))
    else:
        digest = th("receipt", octets(receipt["message"], 64), receipt["at"].encode())
        signed(reader.house, digest, octets(receipt["signature"], 64))
    dated = milliseconds((entry or receipt)["at"])
    need(milliseconds(body["from"]) < dated < milliseconds(body["until"]), "dated outside")


def two_decks(one: Json, other: Json, house: bytes) -> None:
    """Raises `Invalid` unless the house has signed two certificates for one game and seat."""
    digests = []
    for certificate in (one, other):
        unsigned = {name: value for name, value in certificate.items() if name != "signature"}
        digests.append(th("certificate", canonical(unsigned)))
        signed(house, digests[-1], octets(certificate["signature"], 64))
    same_place = (one["game"], one["seat"]) == (other["game"], other["seat"])
    need(same_place and digests[0] != digests[1], "not two decks")


def illegal_deck_opened(entries: Sequence[Json], most: int) -> None:
    """Raises `Invalid` unless a seat has opened more than `most` copies of a card, all in other positions."""
    reader = Reader(list(entries))
    opened: set[tuple[str, int, int]] = set()
    for entry in entries:
        reader.take(entry)
        if entry["kind"] == "reveal":
            for opening in entry["body"]["openings"]:
                opened.add((entry["actor"], opening["number"], opening["position"]))
    copies = Counter((actor, card) for actor, card, _ in opened)
    need(max(copies.values(), default=0) > most, "no more copies than are allowed")


def illegal_deck_certified(
    certificate: Json, opening: Json, seed: bytes, numbers: Sequence[int], most: int
) -> None:
    """Raises `Invalid` unless the certificate is of these cards, by number, and more than `most` are alike.

    `opening` is the first entry of its game: it names the house and the cards in play.
    """
    reader = Reader([opening])
    reader.take(opening)
    unsigned = {name: value for name, value in certificate.items() if name != "signature"}
    signed(reader.house, th("certificate", canonical(unsigned)), octets(certificate["signature"], 64))
    need(same(certificate["game"], reader.open["game"]), "of another game")
    need(len(numbers) == len(certificate["cards"]) and list(numbers) == sorted(numbers), "another list")
    for j, card in enumerate(numbers):
        blinding = number(th("certificate-blinding", seed, osp(j, 1))) % Q
        certified = point(octets(certificate["cards"][j], 48))
        vanishes([(-1, certified), *card_terms(reader.cards[card], blinding)], "another card")
    need(max(Counter(numbers).values()) > most, "a legal deck")


def other_cards(entries: Sequence[Json], statement: Json) -> None:
    """Raises `Invalid` unless the house told a seat other cards than the deal shown last has dealt."""
    reader = Reader(list(entries))
    for entry in entries:
        reader.take(entry)
    last = entries[-1]
    need(last["kind"] == "shown" and last["body"]["deal"] == statement["deal"], "another deal")
    place = (reader.game, osp(statement["deal"], 2), osp(statement["seat"], 1))
    signed(
        reader.house, th("faces", *place, canonical(statement["faces"])), octets(statement["signature"], 64)
    )
    dealt = reader.rules.face
    need(
        any(dealt.get(told["position"]) != told["card"] for told in statement["faces"]), "as they were dealt"
    )


def _receipted(reader: Reader, message: Json, receipt: Json) -> bytes:
    """The digest of a message that its seat has signed and the house has given this receipt for."""
    seat = message["seat"]
    place = (osp(message["step"], 4), osp(seat, 1), message["kind"].encode())
    digest = th("message", reader.game, *place, canonical(message["body"]))
    signed(reader.seats[seat].key, digest, octets(message["signature"], 64))
    need(octets(receipt["message"]) == digest, "a receipt for something else")
    signed(reader.house, th("receipt", digest, receipt["at"].encode()), octets(receipt["signature"], 64))
    return digest


def can_not_stand(entries: Sequence[Json]) -> None:
    """Raises `Invalid` unless the last entry, signed by the house, fails where all before it pass."""
    reader = Reader(list(entries))
    for entry in entries[:-1]:
        reader.take(entry)
    signed(reader.house, entry_digest(entries[-1]), octets(entries[-1]["house_signature"], 64))
    try:
        reader.take(entries[-1])
    except (Invalid, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return
    raise Invalid("it can stand")


def false_time_out(entries: Sequence[Json], message: Json, receipt: Json) -> None:
    """Raises `Invalid` unless the record's last entry times a seat out that had answered in time."""
    reader = Reader(list(entries))
    for entry in entries[:-1]:
        reader.take(entry)
    need(reader.asked is not None, "nothing was asked")
    assert reader.asked is not None
    # The question before the time-out, since the time-out may close the step.
    deadlines, out = dict(reader.asked.deadlines), set(reader.rules.gone)
    last = entries[-1]
    reader.take(last)
    need(last["kind"] == "timeout", "no time-out")
    seat = last["body"]["seat"]
    need(seat not in out, "a seat that was out")
    named = (message["seat"], message["step"], message["kind"])
    need(named == (seat, last["step"], last["body"]["kind"]), "another message")
    _receipted(reader, message, receipt)
    need(milliseconds(receipt["at"]) <= deadlines[seat], "it came too late")
