"""docs/protocol.md, section 10.7: the papers that convict a house do, and no others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from cards.catalog.cards import Card
from cards.catalog.deck_rules import MOST_COPIES
from cards.games.contract import Move, own
from crypto.encoding import timestamp
from crypto.identity import public_key
from referee import Entry, accept, close
from referee.certificate import certify
from referee.faces import write_faces
from referee.message import Message, write_message, write_receipt
from referee.record import write_entry
from tests.docs.page_papers import (
    can_not_stand,
    false_time_out,
    illegal_deck_certified,
    illegal_deck_opened,
    no_absence,
    other_cards,
    other_record,
    two_answers,
    two_decks,
    two_histories,
)
from tests.docs.page_proofs import Invalid
from tests.docs.page_record import Reader
from tests.referee.table import Table, bytes_of
from vectors.matches import CARDS, DECKS

pytest.importorskip("py_arkworks_bls12381")


def refused(check: Callable[..., None], *papers: Any) -> None:
    with pytest.raises(Invalid):
        check(*papers)


def seated() -> Table:
    """A game of hearts in which everybody is asked for a link."""
    table = Table.hearts(3, seed=4)
    while table.game.asking is None or table.game.asking.kind != "link":
        table.step()
    return table


def answered_and_timed_out(table: Table, arrival: int) -> tuple[list[Any], Message, Any]:
    """A link that the house gives a receipt for, and the record in which it says that there was none."""
    asking = table.game.asking
    assert asking is not None
    message = table.message(1)
    accept(table.keeper, table.game, message, asking.deadline)
    receipt = write_receipt(table.keeper.private, message.digest, arrival)
    _, written = close(table.keeper, table.game, {}, asking.deadline + 1)
    at = next(i for i, entry in enumerate(written) if entry.body.get("seat") == 1)
    entries = [entry.json() for entry in [*table.record, *written[: at + 1]]]
    return entries, message, receipt.json()


def test_a_false_time_out_convicts() -> None:
    table = seated()
    assert table.game.asking is not None
    deadline = table.game.asking.deadline
    entries, message, receipt = answered_and_timed_out(table, deadline)
    false_time_out(entries, message.json(), receipt)
    # The same papers but for one of them.
    refused(false_time_out, entries, table.message(2).json(), receipt)
    refused(false_time_out, entries[:-1], message.json(), receipt)
    late = write_receipt(table.keeper.private, message.digest, deadline + 1).json()
    refused(false_time_out, entries, message.json(), late)
    forged = write_receipt(bytes_of("somebody"), message.digest, deadline).json()
    refused(false_time_out, entries, message.json(), forged)
    refused(false_time_out, entries, {**message.json(), "step": message.step + 1}, receipt)


def again(entry: Entry, private: bytes, **changes: Any) -> Any:
    """An entry written once more by the holder of a key, in the same place."""
    body = {**entry.body, **changes}
    at = (entry.at, entry.step, entry.actor, entry.kind, body, entry.player_signature)
    return write_entry(private, (entry.seq - 1, entry.prev), *at).json()


def test_two_histories_convict() -> None:
    table = seated()
    house, private = public_key(table.keeper.private), table.keeper.private
    for entry in (table.record[0], table.record[-1]):
        other = again(entry, private, more=1)
        two_histories(entry.json(), other, house)
        refused(two_histories, entry.json(), entry.json(), house)
        refused(two_histories, entry.json(), again(entry, bytes_of("somebody"), more=1), house)
    refused(two_histories, table.record[1].json(), table.record[2].json(), house)
    elsewhere = Table.hearts(3, seed=4).record[0]
    refused(two_histories, elsewhere.json(), again(elsewhere, private, game=str(table.seats)), house)


def test_an_entry_that_can_not_stand_convicts_who_signed_it() -> None:
    table = seated()
    entries = [entry.json() for entry in table.record]
    refused(can_not_stand, entries)
    last = table.record[-1]
    can_not_stand([*entries[:-1], again(last, table.keeper.private, more=1)])
    refused(can_not_stand, [*entries[:-1], again(last, bytes_of("somebody"), more=1)])


def test_two_answers_convict() -> None:
    table = seated()
    private, message, opening = table.keeper.private, table.message(1), table.record[0].json()
    other = write_message(
        table.seats[1].private,
        table.game.header.game,
        message.step,
        1,
        "link",
        {**message.body, "link": message.body["link"][::-1]},
    )
    elsewhere = write_message(
        table.seats[1].private, table.game.header.game, message.step + 1, 1, "link", message.body
    )
    papers = [
        (m.json(), write_receipt(private, m.digest, table.now).json()) for m in (message, other, elsewhere)
    ]
    two_answers(*papers[0], *papers[1], opening)
    refused(two_answers, *papers[0], *papers[0], opening)
    refused(two_answers, *papers[0], *papers[2], opening)
    refused(two_answers, *papers[0], other.json(), papers[0][1], opening)


def test_two_certificates_convict() -> None:
    table = Table.chef(1)
    house, private = public_key(table.keeper.private), table.keeper.private

    def certified(seat: int, seed: str, key: bytes = private) -> Any:
        deck = table.seats[seat].deck
        return certify(key, table.game.header, seat, deck, bytes_of(seed), table.now)

    one = certified(0, "one")
    two_decks(one, certified(0, "other"), house)
    refused(two_decks, one, one, house)
    refused(two_decks, one, certified(1, "other"), house)
    refused(two_decks, one, certified(0, "other", bytes_of("somebody")), house)


def test_a_record_without_what_was_seen_convicts() -> None:
    """The house has taken a link, and then gone back behind what its sender had read."""
    table = seated()
    message = table.message(1)
    receipt = write_receipt(table.keeper.private, message.digest, table.now).json()
    told = [entry.json() for entry in table.record]
    assert message.body["seen"]["seq"] == len(told) - 1
    other = [*told[:-1], again(table.record[-1], table.keeper.private, more=1)]
    other_record(other, message.json(), receipt)
    refused(other_record, told, message.json(), receipt)
    forged = write_receipt(bytes_of("somebody"), message.digest, table.now).json()
    refused(other_record, other, message.json(), forged)
    refused(
        other_record,
        [*told[:-1], again(table.record[-1], bytes_of("somebody"), more=1)],
        message.json(),
        receipt,
    )
    refused(other_record, other, {**message.json(), "seat": 0}, receipt)


BREAD, TUNA, OMELETTE = (
    next(card for card in CARDS if card.number == number) for number in (1001, 1005, 1105)
)


def omelettes(table: Table, seat: int) -> Move:
    """Omelettes, of two Tuna each, in as many courses as there are some for."""
    game = table.views[seat]
    assert game.asking is not None
    if game.asking.kind == "move":
        return {"choice": "keep"}
    hand = game.rules.packing(game.state, seat).hand
    faces = {i: game.state.faces[own(seat, i)] for i in hand}
    recipes, tuna = ([i for i in hand if faces[i] == card] for card in (OMELETTE, TUNA))
    dishes = zip((1, 2, 3), recipes, tuna[::2], tuna[1::2], strict=False)
    return {"dishes": [{"course": n, "recipe": r, "ingredients": [a, b]} for n, r, a, b in dishes]}


def test_an_illegal_deck_that_is_served_convicts() -> None:
    decks = ([TUNA] * 26 + [OMELETTE] * 14, DECKS[1])
    table = Table.open("chef", 2, decks, [card.text() for card in CARDS])
    table.choose = omelettes
    table.until("reveal")
    table.answer(0, 1)
    entries = [entry.json() for entry in table.record]
    at = next(i for i, entry in enumerate(entries) if entry["kind"] == "reveal")
    openings = entries[at]["body"]["openings"]
    copies = sum(opening["number"] == TUNA.number for opening in openings)
    assert copies > MOST_COPIES
    illegal_deck_opened(entries, MOST_COPIES)
    refused(illegal_deck_opened, entries, copies)
    refused(illegal_deck_opened, entries[:at], MOST_COPIES)
    # A record that does not hold shows nothing: here another card is named than was opened.
    renamed = [{**opening, "number": BREAD.number} for opening in openings]
    forged = {**entries[at], "body": {**entries[at]["body"], "openings": renamed}}
    refused(illegal_deck_opened, [*entries[:at], forged], MOST_COPIES)


def test_the_certificate_of_an_illegal_deck_convicts_with_its_seed() -> None:
    table = Table.chef(2)
    opening, seed = table.record[0].json(), bytes_of("seed")
    legal = sorted(table.seats[0].deck, key=lambda card: card.number)
    illegal = [BREAD] * (MOST_COPIES + 1) + legal[MOST_COPIES + 1 :]

    def certified(deck: Sequence[Card], key: bytes = table.keeper.private) -> Any:
        return certify(key, table.game.header, 0, deck, seed, table.now)

    def numbers(deck: Sequence[Card]) -> list[int]:
        return [card.number for card in deck]

    paper = certified(illegal)
    illegal_deck_certified(paper, opening, seed, numbers(illegal), MOST_COPIES)
    refused(illegal_deck_certified, certified(legal), opening, seed, numbers(legal), MOST_COPIES)
    refused(illegal_deck_certified, certified(legal), opening, seed, numbers(illegal), MOST_COPIES)
    refused(illegal_deck_certified, paper, opening, bytes_of("other"), numbers(illegal), MOST_COPIES)
    refused(illegal_deck_certified, paper, opening, seed, numbers(illegal)[:-1], MOST_COPIES)
    refused(
        illegal_deck_certified, certified(illegal, bytes_of("somebody")), opening, seed, numbers(illegal), 3
    )
    elsewhere = Table.chef(3)
    refused(illegal_deck_certified, paper, elsewhere.record[0].json(), seed, numbers(illegal), MOST_COPIES)


def test_faces_that_were_not_dealt_convict() -> None:
    table = seated()
    while table.game.asking is None or table.game.asking.kind != "move":
        table.step()
    # A game that is broken off is shown as well.
    table.send(table.seats[2].resign(table.views[2]))
    at = next(i for i, entry in enumerate(table.record) if entry.kind == "shown")
    entries = [entry.json() for entry in table.record[: at + 1]]
    shown = table.record[at].body["deal"]
    dealt = page_faces(entries)

    def told(faces: dict[int, Any], deal: int = shown, key: bytes = table.keeper.private) -> Any:
        return write_faces(key, table.game.header.game, deal, 0, faces)

    hand = {position: dealt[position] for position in range(3)}
    swapped = {**hand, 0: hand[1], 1: hand[0]}
    other_cards(entries, told(swapped))
    refused(other_cards, entries, told(hand))
    refused(other_cards, entries, told(swapped, deal=shown + 1))
    refused(other_cards, entries, told(swapped, key=bytes_of("somebody")))
    refused(other_cards, entries[:-1], told(swapped))


def page_faces(entries: list[Any]) -> dict[int, Any]:
    """Return the faces that the page's reader finds dealt."""
    reader = Reader(entries)
    for entry in entries:
        reader.take(entry)
    faces: dict[int, Any] = reader.rules.face
    return faces


def test_an_absence_that_was_none_convicts() -> None:
    """An entry of another game, or a receipt, dated between its two times, by the same key."""
    table, other = seated(), Table.hearts(3, seed=4)
    began, ended = table.now + 1, table.now + 3_600_000
    head = table.record[-1]
    body = {"from": timestamp(began), "until": timestamp(ended)}
    place = (head.seq, head.digest)
    private = table.keeper.private
    entries = [entry.json() for entry in table.record]
    entries.append(write_entry(private, place, ended, table.game.step, "house", "away", body).json())
    message = other.message(0)
    for at, inside in ((began, False), (began + 1, True), (ended - 1, True), (ended, False)):
        receipt = write_receipt(private, message.digest, at).json()
        told = write_entry(private, (0, bytes(64)), at, 0, "house", "ready", {}).json()
        for paper in ({"receipt": receipt}, {"entry": told}):
            if inside:
                no_absence(entries, **paper)
            else:
                with pytest.raises(Invalid):
                    no_absence(entries, **paper)
    forged = write_receipt(bytes_of("somebody"), message.digest, began + 1).json()
    with pytest.raises(Invalid):
        no_absence(entries, receipt=forged)
    with pytest.raises(Invalid):
        no_absence(entries[:-1], receipt=write_receipt(private, message.digest, began + 1).json())
