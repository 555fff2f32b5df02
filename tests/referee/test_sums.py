"""Many claims in one sum: of a record, and of many records (protocol section 8)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Any

import pytest

from cards import games
from crypto import group
from crypto.encoding import b64, unb64
from crypto.group import A, G, H, encode_point, encode_scalar, engine
from referee import RecordFault, record_bytes, verify, verify_entries, verify_record, verify_records
from tests.crypto.crypto_kit import products
from tests.referee.forger import at_path
from tests.referee.sums_kit import BAD, ENTRIES, GOOD, REVEALS, forged, place, with_blinding, written
from vectors.matches import hearts, slow


def test_the_record_signed_anew_is_valid() -> None:
    assert verify_entries(forged({})).valid


@pytest.mark.parametrize("seq", REVEALS)
def test_an_opening_is_named_wherever_it_stands(seq: int) -> None:
    """Everything after it fits: only the sum at the end can tell."""
    for i in range(len(ENTRIES[seq].body["openings"])):
        at = f"/entries/{seq}/body/openings/{i}"
        assert place(verify_entries(forged({seq: with_blinding(seq, i)}))) == (seq, "wrong_opening", at)
    at = f"/entries/{seq}/body/choice"
    assert place(verify_entries(forged({seq: with_blinding(seq, -1)}))) == (seq, "wrong_reveal", at)


def test_the_first_of_many_faults_is_named() -> None:
    first, second = REVEALS[:2]
    bodies = {first: with_blinding(first, 1), second: with_blinding(second, 0)}
    expected = (first, "wrong_opening", f"/entries/{first}/body/openings/1")
    assert place(verify_entries(forged(bodies))) == expected
    # A fault that the fold meets, later in the record or in the same message, comes after it.
    account = next(entry for entry in ENTRIES if entry.seq > second and entry.kind == "account")
    wrong = at_path(account.body, ["points", 0], 99)
    assert place(verify_entries(forged({**bodies, account.seq: wrong}))) == expected
    unknown = at_path(with_blinding(first, 0), ["openings", 1, "number"], 1010)
    assert place(verify_entries(forged({first: unknown}))) == (
        first,
        "wrong_opening",
        f"/entries/{first}/body/openings/0",
    )
    # One that it meets before comes first.
    before = next(entry for entry in ENTRIES if entry.kind == "deal")
    other = {**bodies, before.seq: at_path(before.body, ["deal"], 2)}
    assert place(verify_entries(forged(other))) == (
        before.seq,
        "wrong_deal",
        f"/entries/{before.seq}/body/deal",
    )


@pytest.mark.parametrize("seed", range(6))
def test_of_any_openings_that_are_wrong_the_first_is_named(seed: int) -> None:
    rng, bodies, expected = Random(seed), dict[int, Mapping[str, Any]](), list[tuple[int, str, str]]()
    for seq in REVEALS:
        body = ENTRIES[seq].body
        wrong = [i for i in range(len(body["openings"]) + 1) if rng.random() < 0.3]
        for i in wrong:
            path = ["openings", i, "blinding"] if i < len(body["openings"]) else ["blinding"]
            body = at_path(body, path, b64(encode_scalar(rng.getrandbits(250))))
            code, at = ("wrong_opening", f"openings/{i}") if len(path) == 3 else ("wrong_reveal", "choice")
            expected.append((seq, code, f"/entries/{seq}/body/{at}"))
        bodies[seq] = body
    report = verify_entries(forged(bodies))
    assert report.valid == (not expected)
    assert report.valid or place(report) == expected[0]


def test_a_proof_is_named_before_what_comes_after_it() -> None:
    enter = next(entry for entry in ENTRIES if entry.kind == "enter")
    seal = next(entry for entry in ENTRIES if entry.kind == "seal")
    proof = bytearray(unb64(seal.body["proof"]))
    proof[-1] ^= 1
    bodies = {seal.seq: {**seal.body, "proof": b64(bytes(proof))}}
    expected = (seal.seq, "bad_proof", f"/entries/{seal.seq}/body/proof")
    assert place(verify_entries(forged(bodies))) == expected
    bodies[REVEALS[0]] = with_blinding(REVEALS[0], 0)
    assert place(verify_entries(forged(bodies))) == expected
    swapped = [*enter.body["positions"][1:], enter.body["positions"][0]]
    bodies[enter.seq] = {**enter.body, "positions": swapped}
    expected = (enter.seq, "bad_proof", f"/entries/{enter.seq}/body/proof")
    assert place(verify_entries(forged(bodies))) == expected


def test_rules_that_rely_on_what_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mode may take for granted that cards are those sealed: a record in which they are not is a fault."""
    rules, seq = type(games.find("chef")), REVEALS[0]
    play = rules.play

    def relying(self: Any, state: Any, choices: Any) -> Any:
        numbers = {card.number for card in state.faces.values()}
        assert number not in numbers, "no such card was sealed"
        return play(self, state, choices)

    opened = ENTRIES[seq].body["openings"]
    served = {opening["number"] for entry in ENTRIES[: seq + 2] for opening in entry.body.get("openings", ())}
    number = next(card["number"] for card in ENTRIES[0].body["cards"] if card["number"] not in served)
    body = at_path(ENTRIES[seq].body, ["openings", len(opened) - 1, "number"], number)
    monkeypatch.setattr(rules, "play", relying)
    report = verify_entries(forged({seq: body}))
    assert place(report) == (seq, "wrong_opening", f"/entries/{seq}/body/openings/{len(opened) - 1}")


# Many records


def files(*contents: bytes) -> Iterator[Callable[[], bytes]]:
    for data in contents:
        yield partial(bytes, data)


def unreadable() -> bytes:
    raise PermissionError(13, "Permission denied")


OTHERS = [record_bytes(table.entries) for table in (hearts(), slow())]


def test_a_report_for_each_of_many_records() -> None:
    late = json.loads(GOOD)["entries"]
    late[-1]["body"]["outcome"]["points"][0] += 1
    contents = [GOOD, BAD, OTHERS[0], written(late), b"nonsense", OTHERS[1], BAD, GOOD]
    found = list(verify_records([*files(*contents), unreadable]))
    # In the order of `contents`; the last is the unreadable file.
    assert [report.valid for report in found] == [True, False, True, False, False, True, False, True, False]
    for data, report in zip(contents, found, strict=False):
        if data == b"nonsense":
            assert report.fault == RecordFault(None, "", "unreadable", report.fault.text)
        else:
            assert report.json() == verify_record(data).json()
    assert found[-1].fault == RecordFault(None, "", "unreadable", "Permission denied")
    assert list(verify_records([])) == []


def test_many_records_share_few_sums_of_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    with products(engine()) as alone:
        assert verify_record(GOOD).valid
        assert verify_record(OTHERS[1]).valid
    assert len(alone) == 2
    with products(engine()) as together:
        assert all(report.valid for report in verify_records(files(GOOD, OTHERS[1], GOOD, OTHERS[1])))
    # Every generator counts once, and so does every point of a record that comes twice.
    assert len(together) == 1
    assert len(together[0]) == len({id(point) for points in alone for point in points})
    assert len(together[0]) < sum(map(len, alone)) - 40
    monkeypatch.setattr(verify, "SUM_TERMS", 150)
    with products(engine()) as bounded:
        assert all(report.valid for report in verify_records(files(GOOD, OTHERS[1], GOOD)))
    assert len(bounded) > 3
    assert all(len(points) < 150 + 128 for points in bounded)


@pytest.mark.parametrize(("bound", "terms"), [("SUM_TERMS", 60), ("SUM_TERMS", 150), ("HELD_TERMS", 1)])
def test_reports_are_the_same_whatever_fits_into_a_sum(
    monkeypatch: pytest.MonkeyPatch, bound: str, terms: int
) -> None:
    contents = [GOOD, BAD, OTHERS[0], GOOD, BAD, OTHERS[1]]
    expected = [report.json() for report in verify_records(files(*contents))]
    monkeypatch.setattr(verify, bound, terms)
    found = [report.json() for report in verify_records(files(*contents))]
    for one, other in zip(found, expected, strict=True):
        assert one["fault"] == other["fault"]
        # A record that is known to be bad is not read to its end.
        assert one == other or one["fault"]


def test_claims_on_points_that_repeat_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Openings bring no new point into a sum; what waits is bounded all the same."""
    with products(engine()) as made:
        assert verify_record(GOOD).valid
    assert len(made) == 1
    proofs = sum(entry.kind in ("enter", "seal") for entry in ENTRIES)
    openings = sum(1 + len(entry.body["openings"]) for entry in ENTRIES if entry.kind == "reveal")
    monkeypatch.setattr(verify, "HELD_TERMS", 1)
    with products(engine()) as made:
        assert verify_record(GOOD).valid
    assert len(made) == proofs + openings


def test_a_record_is_reported_as_soon_as_it_is_certain() -> None:
    read: list[int] = []

    def reading(contents: Sequence[bytes]) -> Iterator[Callable[[], bytes]]:
        for i, data in enumerate(contents):
            read.append(i)
            yield partial(bytes, data)

    # Nothing in a game of hearts waits for a sum.
    reports = verify_records(reading([OTHERS[0], OTHERS[0], GOOD]))
    assert next(reports).valid
    assert read == [0]


def test_generators_are_one_term_though_decoded_points_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    curve = engine()
    generators = {encode_point(G(i)) for i in range(200)} | {encode_point(A(k)) for k in range(7)}
    generators.add(encode_point(H()))
    with products(curve) as remembering:
        assert verify_record(GOOD).valid
    monkeypatch.setattr(group, "_decode", lru_cache(maxsize=1)(group._decode.__wrapped__))
    with products(curve) as forgetting:
        assert verify_record(GOOD).valid
        assert not verify_record(BAD).valid
    for made in (remembering, forgetting):
        for points in made:
            counted = Counter(map(encode_point, points))
            assert all(counted[generator] <= 1 for generator in generators)
    assert set(map(encode_point, remembering[0])) == set(map(encode_point, forgetting[0]))
    assert len(remembering[0]) < len(forgetting[0])


def test_a_report_says_all_that_was_found() -> None:
    body, last = ENTRIES[0].body, ENTRIES[-1].body
    kinds = Counter(entry.kind for entry in ENTRIES)
    assert verify_record(GOOD).json() == {
        "valid": True,
        "fault": None,
        "checked": {
            "entries": len(ENTRIES),
            "signatures": len(ENTRIES) + sum(entry.seat is not None for entry in ENTRIES),
            "proofs": kinds["enter"] + kinds["seal"],
            "draws": kinds["deal"],
            "accounts": kinds["account"],
            "reveals": kinds["reveal"],
            "results": 1,
        },
        "game": body["game"],
        "mode": "chef",
        "house_key": body["house_key"],
        "seats": body["seats"],
        "outcome": last["outcome"],
        "content": None,
        "away_ms": 0,
        "timeouts": [{}, {"reveal": 1}],
    }
    found = verify_record(BAD).json()
    assert found.pop("checked")["entries"] == len(ENTRIES)
    assert found == {
        "valid": False,
        "fault": {
            "entry": REVEALS[0],
            "pointer": f"/entries/{REVEALS[0]}/body/openings/1",
            "code": "wrong_opening",
            "text": "the opening does not open this position",
            "section": "protocol 9",
        },
        **dict.fromkeys(("game", "mode", "house_key", "seats", "outcome", "content", "timeouts", "away_ms")),
    }
