"""The house and its friends replay what players have signed, and rewrite what has happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

pytest.importorskip("py_arkworks_bls12381")  # the matches are read by the page's reader too

from crypto.encoding import b64, unb64
from crypto.identity import public_key, verify
from referee import Entry, Game, Refused, accept, apply, verify_record, write_receipt
from referee.certificate import certificate_digest
from referee.checks import Checks, Remembering, Trusting
from referee.faces import faces_digest, write_faces
from referee.message import Message, message_digest, receipt_digest, write_message
from referee.record import GENESIS, record_bytes, write_entry
from referee.succession import succession_digest, write_succession
from tests.attack.ledger import Outcome, attack
from tests.attack.matches import NAMES, Place, match
from tests.referee.table import Table, bytes_of
from vectors.matches import CARDS, DECKS

pytestmark = pytest.mark.slow

HOUSE_AND_OTHER = "the house's key, and all keys but one player's"


def messages(name: str) -> list[Place]:
    """Return where the players' entries stand."""
    return [place for place in match(name) if place.entry.seat is not None]


def entered(place: Place, entry: Entry, **changes: Any) -> Entry:
    """A player's entry put in at another place by the house, its signature as it was."""
    fields = {name: getattr(entry, name) for name in ("step", "actor", "kind", "body", "player_signature")}
    head = (place.public.seq, place.public.digest)
    return write_entry(place.table.keeper.private, head, place.entry.at, **{**fields, **changes})


def refusal(game: Game, entry: Entry, checks: Checks) -> str:
    """The code with which it is refused, or "taken"."""
    try:
        apply(game, entry, checks)
    except Refused as refused:
        return refused.code
    return "taken"


def pairs(name: str, count: int) -> Iterator[tuple[Place, Place]]:
    """A message and a place where it does not stand; near ones more often than far ones."""
    rng, said, places = Random(name), messages(name), match(name)
    for _ in range(count):
        one = rng.choice(said)
        here = one.entry.seq - 1 + round(rng.triangular(-30, 30, 0))
        yield one, places[here] if 0 <= here < len(places) and rng.random() < 0.8 else rng.choice(places)


@attack("a message replayed at another step of its game", "protocol 10", knows="the record, the house's key")
def test_at_another_step(outcome: Outcome) -> None:
    """A message never enters twice, and enters first only where its step runs and it has seen enough."""
    tried = early = 0
    for name in NAMES:
        checks = Remembering()
        for said, at in pairs(name, 350):
            if at is said:
                continue
            tried += 1
            code = refusal(at.public, entered(at, said.entry), checks)
            if code != "taken":
                continue
            early += 1
            steps = (at.public.step, at.public.closed[0])
            assert at.entry.seq < said.entry.seq, "a second time"
            assert said.entry.step in steps
            assert said.entry.body["seen"]["seq"] <= at.public.seq
    outcome.rejected(tried, f"but {early} that came before others of their own step" if early else "")


@attack(
    "a message replayed under another step, seat or kind", "protocol 10", knows="the record, the house's key"
)
def test_under_another_name(outcome: Outcome) -> None:
    """A signature says to which step, of which seat and as what a message was sent: else some would pass."""
    tried = unsigned = 0
    for name in NAMES:
        checks = Remembering()
        for said, at in pairs(name, 200):
            asking = at.public.asking
            step = at.public.step if asking is None else asking.step
            kind = said.entry.kind if asking is None else asking.kind
            others: list[dict[str, Any]] = [{"step": step}, {"kind": kind}, {"step": step, "kind": kind}]
            seats = range(len(at.table.seats))
            others += [{"actor": str(seat)} for seat in seats]
            others += [{"actor": str(seat), "step": step, "kind": kind} for seat in seats]
            for changes in others:
                if all(getattr(said.entry, key) == value for key, value in changes.items()):
                    continue
                tried += 1
                replayed = entered(at, said.entry, **changes)
                assert refusal(at.public, replayed, checks) != "taken", changes
                unsigned += refusal(at.public, replayed, Trusting()) == "taken"
    assert unsigned
    outcome.rejected(tried, f"{unsigned} pass a reader who checks no signature")


def sister(name: str, number: int) -> Table:
    """The same players at the same table once more: with every key and secret, but another game's id."""
    if name == "hearts":
        return Table.open("hearts", 3, options={"absent": "play", "bank": 900}, seed=47, sister=number)
    texts, seed = [card.text() for card in CARDS], 41 if name == "chef" else 42
    to = bytes_of("envelope", seed) if name == "slow" else None
    return Table.open("chef", 2, DECKS, texts, {"early_links": name == "slow"}, seed, to, number)


@attack("a message of another game of the same players", "protocol 10", knows="both records, the house's key")
@pytest.mark.parametrize("name", NAMES)
def test_in_a_sister_game(name: str, outcome: Outcome) -> None:
    """Even where a player sits down with the secrets of a game before, which must be fresh."""
    tried, table, checks = 0, sister(name, 1), Remembering()
    for _ in range(12):
        asking = table.game.asking
        if table.game.over or asking is None:
            break
        for said in messages(name):
            entry = said.entry
            if entry.kind != asking.kind or entry.seat not in asking.seats:
                continue
            here = {"seq": table.game.seq, "digest": b64(table.game.digest)}
            for step, body in (
                (entry.step, entry.body),
                (asking.step, entry.body),
                (asking.step, {**entry.body, "seen": here}),
            ):
                tried += 1
                message = Message(
                    table.game.header.game,
                    step,
                    entry.seat,
                    entry.kind,
                    body,
                    entry.player_signature or b"",
                    message_digest(table.game.header.game, step, entry.seat, entry.kind, body),
                )
                with pytest.raises(Refused) as caught:
                    accept(table.keeper, table.game, message, table.now, checks)
                assert caught.value.code in ("bad_signature", "wrong_step"), entry
        table.step()
    assert tried > 60
    outcome.rejected(tried)


# One signature for another thing


@cache
def signed_things() -> tuple[tuple[str, bytes, bytes, bytes], ...]:
    """Everything that was signed around a match: what it is, the key, the digest, the signature."""
    found = []
    for name in ("chef", "hearts"):
        places = match(name)[::3]
        table = places[0].table
        house = public_key(table.keeper.private)
        for place in places:
            entry = place.entry
            found.append(("entry", house, entry.digest, entry.house_signature))
            if entry.seat is None:
                continue
            key = table.game.header.players[entry.seat].key
            digest = message_digest(table.game.header.game, entry.step, entry.seat, entry.kind, entry.body)
            found.append(("message", key, digest, entry.player_signature or b""))
            receipt = write_receipt(table.keeper.private, digest, entry.at)
            found.append(("receipt", house, receipt_digest(digest, entry.at), receipt.signature))
    return (*found, *_other_words())


def _other_words() -> Iterator[tuple[str, bytes, bytes, bytes]]:
    table = match("chef")[0].table
    house = public_key(table.keeper.private)
    for place in match("chef"):
        if place.entry.kind == "enter":
            given = place.entry.body["certificate"]
            yield "certificate", house, certificate_digest(given), unb64(given["signature"])
    header = table.game.header
    for seat in (0, 1):
        statement = write_faces(table.keeper.private, header.game, 1, seat, {seat: "QS"})
        digest = faces_digest(header.game, 1, seat, statement["faces"])
        yield "faces", house, digest, unb64(statement["signature"])
    following = write_succession(table.keeper.private, bytes([9]) * 32, 0)
    yield "succession", house, succession_digest(following.json()), following.old_signature


@attack("a signature of one thing shown as one of another", "protocol 10", knows="all that was ever signed")
def test_one_signature_for_another_thing(outcome: Outcome) -> None:
    """Receipts, entries, messages, certificates, faces, successions: each hashed under a label of its own."""
    things = signed_things()
    assert {what for what, *_ in things} == {
        "entry",
        "message",
        "receipt",
        "certificate",
        "faces",
        "succession",
    }
    for _, key, digest, signature in things:
        assert verify(key, digest, signature)
    rng, tried = Random(1), 0
    for _ in range(2500):
        (_, _, _, signature), (_, key, digest, own) = rng.sample(things, 2)
        if signature != own:
            tried += 1
            assert not verify(key, digest, signature)
    assert len({digest for _, _, digest, _ in things}) == len(things)
    outcome.rejected(tried)


# Rewriting the record


@cache
def proven(name: str) -> Remembering:
    """Proofs and signatures of a match, each checked once: most of them stand in every rewriting of it."""
    return Remembering()


def rewritten(name: str, honest: Set[int], first: int, entries: Sequence[Entry]) -> str:
    """Return what anybody finds who is shown these entries from `first` on, chained and signed anew.

    The house signs whatever it likes, and so do all players who are not `honest`: they have seen what stands
    there now. The answer is the code of a refusal, "taken", or "unfinished".
    """
    table, before = match(name)[0].table, match(name)[first - 1].public
    digests = {entry.seq: entry.digest for entry in table.record[:first]}
    game, checks = before, proven(name)
    for entry in entries:
        body, signature = entry.body, entry.player_signature
        if entry.seat is not None and entry.seat not in honest:
            seen = body["seen"]["seq"]
            body = {**body, "seen": {"seq": seen, "digest": b64(digests.get(seen, b""))}}
            private = table.seats[entry.seat].private
            place = (game.header.game, entry.step, entry.seat, entry.kind, body)
            signature = write_message(private, *place).signature
        head, at = (game.seq, game.digest), max(entry.at, game.at)
        what = (entry.step, entry.actor, entry.kind, body, signature)
        fake = write_entry(table.keeper.private, head, at, *what)
        digests[fake.seq] = fake.digest
        try:
            game = apply(game, fake, checks)
        except Refused as refused:
            return refused.code
    return "taken" if game.over else "unfinished"


def newest_seen(entries: Sequence[Entry], honest: Set[int]) -> int:
    """The newest entry that honest players say they have seen; -1 where none of them speaks."""
    return max((entry.body["seen"]["seq"] for entry in entries if entry.seat in honest), default=-1)


@pytest.mark.slow
@attack("a record rewritten behind an honest player's last word", "protocol 10", knows=HOUSE_AND_OTHER)
def test_the_tail_alone_can_be_rewritten(outcome: Outcome) -> None:
    """Everything from some entry on comes a millisecond later, and nothing else changes: only digests tell.

    Whatever an honest player has seen by a later message can't be changed so; what comes after can.
    """
    tried = tail = 0
    for name in NAMES:
        table = match(name)[0].table
        for honest in ({seat} for seat in range(len(table.seats))):
            for first in range(1, len(table.record)):
                later = [replace(entry, at=entry.at + 1) for entry in table.record[first:]]
                covered = newest_seen(later[1:], honest) >= first
                verdict = rewritten(name, honest, first, later)
                assert verdict == ("seen_unknown" if covered else "taken"), (name, honest, first)
                tried, tail = tried + covered, tail + (not covered)
            assert rewritten(name, set(), 1, [replace(e, at=e.at + 1) for e in table.record[1:]]) == "taken"
    assert tail
    outcome.rejected(tried, f"but for {tail} of the tail, which nobody had seen")


def damaged(entries: Sequence[Entry]) -> Iterator[tuple[int, list[Entry]]]:
    """Entries dropped, doubled, exchanged, cut out: from where on, and the rest."""
    for i in range(1, len(entries)):
        rest = list(entries[i:])
        yield i, rest[1:]
        yield i, [rest[0], *rest]
        if len(rest) > 1:
            yield i, [rest[1], rest[0], *rest[2:]]
            yield i, rest[len(rest) // 2 :]


@attack("entries dropped, doubled, exchanged, cut out by the house", "protocol 10", knows="the house's key")
def test_entries_are_not_what_they_were(outcome: Outcome) -> None:
    """All players are honest, and what any of them has seen stands."""
    tried = harmless = 0
    for name in NAMES:
        table = match(name)[0].table
        everybody = set(range(len(table.seats)))
        for first, rest in damaged(table.record):
            if rewritten(name, everybody, first, rest) in ("taken", "unfinished"):
                harmless += 1
                assert newest_seen(rest, everybody) < first, (name, first)
            else:
                tried += 1
    outcome.rejected(tried, f"but for {harmless} at the end, which nobody had seen")


@attack("entries exchanged for those of a sister game", "protocol 10", knows="both records, the house's key")
def test_entries_of_a_sister_game(outcome: Outcome) -> None:
    tried = 0
    for name in NAMES:
        table = sister(name, 2)
        for _ in range(40):
            table.step()
        theirs = {(e.step, e.kind, e.actor): e for e in table.record}
        for place in match(name):
            other = theirs.get((place.entry.step, place.entry.kind, place.entry.actor))
            if other is None or other.seat is None:
                continue
            tried += 1
            assert refusal(place.public, entered(place, other), Remembering()) == "bad_signature"
            as_it_is = replace(other, seq=place.entry.seq, prev=place.entry.prev)
            assert refusal(place.public, as_it_is, Remembering()) in ("bad_signature", "time_runs_back")
    assert tried > 15
    outcome.rejected(2 * tried)


def test_the_genuine_record_is_taken() -> None:
    """The rewriter writes what is right when it changes nothing."""
    for name in NAMES:
        table = match(name)[0].table
        for honest in (set[int](), {0}):
            assert rewritten(name, honest, 1, table.record[1:]) == "taken"
        assert verify_record(record_bytes(table.record)).valid
        assert table.record[0].prev == GENESIS
        assert apply(None, table.record[0], Trusting()).seq == 0
