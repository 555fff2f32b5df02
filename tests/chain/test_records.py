"""Records judged by the contracts: good ones hold, and a false one is refused as by `cloche verify`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from chain.calls import MOST_GAS, Reverted
from chain.records import DISAGREE, KINDS, Gathered, Judged, Signed, Stated, gather, judge
from chain.verifiers import Verdict, Verifiers
from referee import Unreadable
from tests.chain.records import as_file, falsified, published, with_tail

WHOLE = ("record_chef", "record_hearts")
OTHERS = tuple(name for name in published() if name not in WHOLE)
GROUPS = ("bad_seals", "bad_reveals", "bad_certificates", "bad_messages", "bad_records", "bad_dealerless")
ON_CHAIN = ("bad_signature", "bad_proof")


def _held(verifiers: Verifiers, found: Gathered) -> Judged:
    judged = judge(found, verifiers)
    assert judged.fault is None
    assert judged.most < MOST_GAS
    return judged


@pytest.mark.parametrize("name", WHOLE)
def test_a_published_record_holds(verifiers: Verifiers, name: str) -> None:
    entries = published()[name]
    judged = _held(verifiers, gather(as_file(entries)))
    assert judged.game is not None
    assert judged.game.over
    made = Counter(entry["kind"] for entry in entries)
    decks = made["enter"] if name == "record_chef" else 0
    assert {kind: spent.statements for kind, spent in judged.spent.items()} == {
        "entry": len(entries),
        "message": sum(entry["player_signature"] is not None for entry in entries),
        "certificate": decks,
        "deck": decks,
        "seal": made["seal"],
    }


@cache
def _first_with() -> dict[str, str]:
    """The first of the other records that has entries of a kind, by the kind."""
    return {entry["kind"]: name for name in reversed(OTHERS) for entry in published()[name]}


def _sample(name: str, said: list[Stated]) -> list[Stated]:
    """The first entry, and of what the entries of each kind state besides, the first in all records."""
    chosen: dict[Any, Stated] = {}
    for one in said:
        kind = one.statement.kind
        if kind == "entry":
            chosen.setdefault(kind, one)
        elif _first_with()[one.written.kind] == name:
            chosen.setdefault((kind, one.written.kind), one)
    return list(chosen.values())


@pytest.mark.parametrize("name", OTHERS)
def test_the_statements_of_each_kind_hold_in_the_other_records(verifiers: Verifiers, name: str) -> None:
    """Their whole would take minutes; `make full` runs it."""
    found = gather(as_file(published()[name]))
    assert found.fault is None
    assert found.failed is None
    found.said = _sample(name, found.said)
    _held(verifiers, found)


@pytest.mark.long
@pytest.mark.parametrize("name", OTHERS)
def test_every_other_published_record_holds(verifiers: Verifiers, name: str) -> None:
    _held(verifiers, gather(as_file(published()[name])))


def _listed() -> list[Any]:
    return [
        pytest.param(vector["input"], vector["output"], id=f"{group}-{vector['name']}")
        for group in GROUPS
        for vector in falsified(group)
    ]


def _dealt(given: dict[str, Any]) -> bool:
    """No contract knows the proofs of tables where nobody deals."""
    return "dealerless" not in given["record"]


@pytest.mark.parametrize(("given", "expected"), _listed())
def test_a_falsified_record_is_refused(
    verifiers: Verifiers, given: dict[str, Any], expected: dict[str, Any]
) -> None:
    """A contract is asked about what follows the good entries; the test of the good record judges those."""
    found = gather(with_tail(given), unfinished=expected["refused"] != "unfinished")
    found.said = [said for said in found.said if said.entry >= given["keep"]]
    if expected["refused"] in ON_CHAIN and found.said and _dealt(given):
        found.fault = None  # a contract has to refuse it
    else:
        found.said = []
    fault = judge(found, verifiers).fault
    assert fault is not None
    assert fault.code == expected["refused"]


def test_contracts_are_asked_about_every_false_signature_seal_and_deck() -> None:
    """Else the test above would hold for a program that gathers nothing."""
    asked = Counter[str]()
    for group in GROUPS:
        for vector in falsified(group):
            if vector["output"]["refused"] in ON_CHAIN and _dealt(vector["input"]):
                found = gather(with_tail(vector["input"]), unfinished=True)
                asked[group] += any(said.entry >= vector["input"]["keep"] for said in found.said)
    # A message without any signature is refused by the fold.
    assert +asked == {"bad_seals": 4, "bad_certificates": 4, "bad_messages": 3, "bad_records": 3}


def test_the_first_false_statement_is_named(verifiers: Verifiers) -> None:
    """A false seal, and behind it an entry that the rules refuse: the seal comes first."""
    vector = next(v for v in falsified("bad_seals") if v["output"]["refused"] == "bad_proof")["input"]
    entries = [*vector["entries"], published()[vector["record"]][0]]
    found = gather(with_tail({**vector, "entries": entries}))
    assert found.fault is not None
    assert found.fault.code != "bad_proof"
    found.said = [said for said in found.said if said.entry >= vector["keep"]]
    fault = judge(found, verifiers).fault
    assert fault is not None
    assert (fault.entry, fault.code) == (vector["keep"] + len(vector["entries"]) - 1, "bad_proof")


class _Refusing(Verifiers):
    """Contracts that refuse every seal."""

    def seal(self, *arguments: Any, **named: Any) -> Verdict:
        raise Reverted("out of order")


def test_a_contract_that_refuses_what_the_program_takes_is_told(verifiers: Verifiers) -> None:
    refusing = _Refusing(verifiers.papers, verifiers.seals, verifiers.decks)
    found = gather(as_file(published()["record_chef"]))
    found.said = [said for said in found.said if said.statement.kind == "seal"]
    fault = judge(found, refusing).fault
    assert fault is not None
    assert (fault.entry, fault.code) == (found.said[0].entry, DISAGREE)
    assert "out of order" in fault.text


def test_a_record_without_a_result_is_unfinished() -> None:
    data = as_file(published()["record_hearts"][:-1])
    assert gather(data, unfinished=True).fault is None
    fault = gather(data).fault
    assert fault is not None
    assert fault.code == "unfinished"


def test_a_file_that_is_no_record_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        gather(b"no record")
    fault = gather(as_file([])).fault
    assert fault is not None
    assert fault.code == "bad_length"


def test_progress_and_gas_are_told(verifiers: Verifiers) -> None:
    found = gather(as_file(published()["record_hearts"]))
    found.said = found.said[:3]
    told: list[tuple[int, int]] = []
    judged = judge(found, verifiers, lambda done, total: told.append((done, total)))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert list(judged.spent) == list(KINDS)
    assert judged.gas == sum(spent.gas for spent in judged.spent.values()) > judged.most > 400_000


def test_a_long_body_goes_in_by_several_calls(verifiers: Verifiers) -> None:
    """An `open` entry with as many card texts as a house may have: 41 kB."""
    found = gather(as_file(published()["record_chef"]))
    opened = found.said[0].statement
    assert isinstance(opened, Signed)
    verdict = replace(opened, parts=(*opened.parts[:-2], bytes(41_000), b"")).judged(verifiers)
    assert not verdict.holds
    assert verdict.most < MOST_GAS < verdict.gas
