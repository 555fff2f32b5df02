"""Where nobody deals: what a check is told, and refusals beside those of the published entries.

A proof that was checked once is not checked again (`Remembering`). So what a check is told must hold all
that the proof is about: else another statement would pass in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from cards.games.contract import CardsAndTraits
from cards.games.house_pack import secret_deal
from crypto import linear
from crypto.encoding import b64, unb64
from crypto.lock import HOUSE, Pair
from referee import Refused, read_message, write_message
from referee.checks import SECTIONS, AtOnce, ClaimedEquations
from referee.dealerless import bodies, proofs, unlocking
from referee.game import Game
from referee.validation import examine
from vectors.dealerless_place import HEARTS, ExamplePlace, following, lying_open, seeking
from vectors.matches import PRIVATES


@dataclass
class Told:
    """Checks that note what they are told, and check nothing."""

    kinds: set[str] = field(default_factory=set)
    statements: list[bytes] = field(default_factory=list)

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        return True

    def claims(self, kind: str, statement: bytes, claims: Sequence[ClaimedEquations]) -> None:
        self.kinds.add(kind)
        self.statements.append(statement)


def all_differ(told: Told, tries: Sequence[Callable[[], object]]) -> None:
    for tried in tries:
        tried()
    assert len(told.statements) == len(tries)
    assert len({*told.statements}) == len(tries), "two statements are told alike"
    assert told.kinds <= SECTIONS.keys()


def with_pack(game: Game, **changes: Any) -> Game:
    assert game.masked is not None
    return replace(game, masked=replace(game.masked, pack=replace(game.masked.pack, **changes)))


def claimed() -> ExamplePlace:
    """A card of hearts with a claim."""
    return ExamplePlace.before(HEARTS, lambda place: len(place.real.body.get("proof", "")) > 400)


def test_a_linear_proof_is_told_with_all_that_it_is_about(monkeypatch: pytest.MonkeyPatch) -> None:
    own = claimed()
    game, seat, body = own.game, own.seat, own.real.body
    pack, move = proofs.pack_of(game), body["move"]
    shares, proof, told = unb64(body["shares"]), unb64(body["proof"]), Told()
    due = proofs.of_move(game, seat, move)
    other = pack.at(next(p for p in pack.positions if p not in (*due.opened, *due.claimed)))

    def card(game: Game = game, shares: bytes = shares, proof: bytes = proof, later: int = 0) -> None:
        # Nothing is checked, so the card itself may turn out to be another one.
        with suppress(Refused):
            proofs.check_move(game, seat, game.step + later, move, shares, proof, told)

    def at(position: int, pair: Pair) -> Game:
        cards = list(pack.cards)
        cards[position - pack.ask.first] = pair
        return with_pack(game, cards=tuple(cards))

    (opened,), claimed_one = due.opened, due.claimed[0]
    a, c = pack.at(claimed_one)
    tries = [
        card,
        lambda: card(later=1),
        lambda: card(proof=proof[:-1] + bytes([proof[-1] ^ 1])),
        lambda: card(shares=other.a),
        lambda: card(with_pack(game, locks={**pack.locks, seat: other.a})),
        lambda: card(at(opened, Pair(other.a, pack.at(opened).c))),
        lambda: card(at(claimed_one, Pair(other.a, c))),
        lambda: card(at(claimed_one, Pair(a, other.c))),
    ]
    for tried in tries:
        tried()
    said = game.rules.claim(game.state, seat, move)
    assert said is not None
    for traits in (frozenset({"X"}), frozenset({"X", *said.traits})):
        with monkeypatch.context() as patched:
            named = CardsAndTraits(said.positions, traits)
            patched.setattr(type(game.rules), "claim", lambda *given, named=named: named)
            card()
    assert len({*told.statements}) == len(told.statements) == len(tries) + 2


def test_shares_and_claims_are_told_apart() -> None:
    """The same points as a share, as a claim, and as a claim about a trait."""
    own = claimed()
    pack = proofs.pack_of(own.game)
    pair, traits, told = pack.cards[0], own.game.rules.facts.traits, Told()
    statements = (
        linear.Statement(pack.locks[0], [pair]),
        linear.Statement(pack.locks[0], (), linear.Claim([pair], traits, ())),
        linear.Statement(pack.locks[0], (), linear.Claim([pair], traits, ["C"])),
        linear.Statement(pack.locks[0], (), linear.Claim([pair], traits, ["D"])),
    )
    all_differ(told, [lambda s=s: proofs._linear(bytes(64), "move", s, b"", told) for s in statements])


def test_a_mix_is_told_with_all_that_it_is_about() -> None:
    own = ExamplePlace(HEARTS, "mix", "1")
    game, told = own.game, Told()
    pack = proofs.pack_of(game)
    body = {k: v for k, v in own.real.body.items() if k != "seen"} | {"seen": {}}
    message = bodies.read("mix", body)
    assert isinstance(message, bodies.Mix)

    def mixed(game: Game = game, later: int = 0, **changes: bytes) -> object:
        return proofs.check(game, 1, game.step + later, replace(message, **changes), told)

    swapped = (pack.cards[1], pack.cards[0], *pack.cards[2:])
    all_differ(
        told,
        [
            mixed,
            lambda: mixed(later=1),
            lambda: mixed(with_pack(game, locks={0: pack.locks[0]})),
            lambda: mixed(with_pack(game, cards=swapped)),
            lambda: mixed(pack=message.pack[96:] + message.pack[:96]),
            lambda: mixed(proof=message.proof[::-1]),
        ],
    )


def test_a_context_names_the_deal_of_its_cards() -> None:
    game = two_packs()
    old, new = proofs.in_play(game).packs
    now = [proofs.context(game, 0, game.step, "move", deal) for deal in (None, new.deal, old.deal)]
    assert now[0] == now[1] != now[2]


def two_packs() -> Game:
    """A game of hearts as it would be if as many cards had been added, which are all locked."""
    game = following().game
    old = proofs.in_play(game).pack
    ask = secret_deal(old.pack, old.positions.stop, fresh=False)
    new = replace(old, deal=old.deal + 1, ask=ask, shares={})
    return replace(game, masked=replace(proofs.in_play(game), pack=new, older=(old,)))


def test_each_deal_has_the_claim_about_its_own_cards() -> None:
    game = two_packs()
    old, new = proofs.in_play(game).packs
    there = next(p for p in old.positions if old.lockers(p))
    said = CardsAndTraits(frozenset({there}), frozenset())
    opened = new.positions[-1]
    first, second = proofs.parts_of(game, (opened,), said)
    assert (first.pack, first.opened, first.claimed) == (old, (), (there,))
    assert (second.pack, second.opened, second.claimed, second.claim) == (new, (opened,), (), None)
    assert proofs.parts_of(game, (), None) == ()
    assert proofs.parts_of(game, (opened,)) == (second,)


def test_the_proofs_of_two_deals_follow_one_another() -> None:
    game, told = two_packs(), Told()
    parts = tuple(proofs.Part(pack, (pack.positions[0],)) for pack in proofs.in_play(game).packs)
    shares, proof = bytes(48) + bytes([1]) * 48, bytes([2]) * 128 + bytes([3]) * 133
    given = (game, 0, game.step, "move")
    assert proofs._shown(*given, parts, shares, proof, told) == {
        parts[0].opened[0]: shares[:48],
        parts[1].opened[0]: shares[48:],
    }
    for part, statement, own in zip(parts, told.statements, (proof[:128], proof[128:]), strict=True):
        assert statement.startswith(proofs.context(*given, part.pack.deal))
        assert statement.endswith(own)
        assert statement.count(own[:1] * 100) == 1


def test_nothing_is_unlocked_or_sought_where_nothing_is_due() -> None:
    game = following().game
    assert unlocking.due(game) is None
    assert proofs.to_unlock(game, 0) == ()
    assert proofs.sought(game) == frozenset()


def test_the_house_answers_no_search() -> None:
    game = seeking(found=True).game
    assert proofs.sought(game)
    none = proofs.check(game, HOUSE, game.step, bodies.Unlock(None, b""), Told())
    assert none == proofs.Shared({})


def test_a_table_with_a_dealer_has_nothing_to_show() -> None:
    own = claimed()
    dealt = replace(own.game, masked=None)
    assert proofs.of_move(dealt, own.seat, own.real.body["move"]) == proofs.MoveStatement()


def test_what_a_move_opens_needs_no_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    own = claimed()
    game, seat, move = own.game, own.seat, own.real.body["move"]
    due = proofs.of_move(game, seat, move)
    said = game.rules.claim(game.state, seat, move)
    assert said is not None
    wider = CardsAndTraits(said.positions | {*due.opened}, said.traits)
    monkeypatch.setattr(type(game.rules), "claim", lambda *given: wider)
    assert proofs.of_move(game, seat, move) == due


# Refusals


def arriving(own: ExamplePlace, seat: int, kind: str, body: dict[str, Any]) -> Refused:
    """The refusal of a message when it arrives."""
    game = own.game
    seen = {"seq": game.seq, "digest": b64(game.digest)}
    message = write_message(PRIVATES[seat], game.header.game, game.step, seat, kind, {**body, "seen": seen})
    assert read_message(game.header.game, message.json()) == message
    with pytest.raises(Refused) as found:
        examine(game, message, AtOnce(), game.at)
    return found.value


def refusal(own: ExamplePlace, seat: int, kind: str, body: dict[str, Any]) -> tuple[str, str]:
    """Code and pointer of it."""
    found = arriving(own, seat, kind, body)
    return found.code, found.pointer


def test_a_move_against_the_rules_is_refused_when_it_arrives() -> None:
    own = lying_open()
    held = own.game.state.board.hands[own.seat]
    faces = own.game.state.faces
    off = next(p for p in sorted(held) if faces[p][-1] != own.led)
    move = {"play": off, "card": faces[off]}
    assert refusal(own, own.seat, "move", {"move": move}) == ("must_follow", "/move/play")


def test_positions_are_named_in_a_search_alone() -> None:
    own = ExamplePlace("dealerless_cribbage", "unlock", "0")
    body = {name: own.real.body[name] for name in ("shares", "proof")}
    assert refusal(own, 0, "unlock", {**body, "positions": [4]}) == ("unknown_field", "/positions")


@pytest.mark.parametrize("position", [1000, 51, 2**53 - 1])
def test_a_position_that_is_no_card_of_the_hand_is_refused(position: int) -> None:
    own = seeking(found=True)
    body = {**own.real.body, "positions": [position]}
    del body["seen"]
    found = arriving(own, own.seat, "unlock", body)
    assert (found.code, found.pointer) == ("not_sought", "/positions/0")
    assert found.text == "the card at this position is not the one that is sought"


def test_another_name_is_told_as_such() -> None:
    own = following()
    body, hand = own.real.body, own.hand(own.seat)
    played = body["move"]["card"]
    there = next(face for face in hand.values() if face != played and face[-1] == own.led)
    move = {**body["move"], "card": there}
    told, shares, proof = Told(), unb64(body["shares"]), unb64(body["proof"])
    with pytest.raises(Refused) as found:
        proofs.check_move(own.game, own.seat, own.game.step, move, shares, proof, told)
    assert found.value.text == "another card lies at this position"


def test_the_house_names_no_positions() -> None:
    with pytest.raises(Refused) as found:
        bodies.read("unlock", {"shares": "", "proof": "", "positions": []}, by_house=True)
    assert (found.value.code, found.value.pointer) == ("unknown_field", "/positions")
