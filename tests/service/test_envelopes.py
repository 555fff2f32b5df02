"""Reveals in envelopes at a house: one message a round, the private key with the worker alone."""

from __future__ import annotations

import json
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlmodel import select

from crypto import envelope
from crypto.encoding import b64, unb64
from referee import Message, verify_record, write_message
from referee.envelopes import reveal_bytes
from referee.validation import meal_context
from service.keys import KeysError
from service.models import FailedEnvelope, GameEntry, GameRow, Submission
from service.operations import clock as due
from service.operations import envelopes, games
from service.runtime import Runtime
from tests.service.match_kit import Chair, Match, sit_down
from tests.service.service_kit import ON_SQLITE_FIRST, Guest, codes
from worker import keyring
from worker.envelopes import Opener
from worker.work import work_of

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
SLOW = {"early_links": True}


@pytest.fixture
def opener(house: Runtime) -> Opener:
    """A worker that holds the key."""
    return Opener.begin(house)


def sat(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, opener: Opener | None, **more: Any
) -> Match:
    """A match in which Ann encloses her reveals and sends nothing but choices."""
    match = sit_down(house, clock, [ann, bob], **more)
    match.opener = opener
    first = match.chairs[0]
    first.envelope, first.leaves = True, frozenset({"reveal"})
    return match


def sealed(match: Match, *seats: int) -> None:
    """Have these seats seal, and leave the tasks that follow to a worker."""
    for seat in seats:
        match.chairs[seat].catch_up()
        match.chairs[seat].send()


def record(match: Match, guest: Guest) -> list[dict[str, Any]]:
    """The match's record, as a stranger verifies it."""
    got = guest.get(f"/games/{match.id}/record")
    report = verify_record(got.data, unfinished=not match.fold.over)
    assert report.valid, report.fault
    return list(json.loads(got.data)["entries"])


def failures(house: Runtime) -> list[str]:
    with house.read() as session:
        return [row.code for row in session.exec(select(FailedEnvelope))]


def row(match: Match) -> GameRow:
    with match.house.read() as session:
        return games.row_of(session, match.id)


def waiting(match: Match) -> set[int]:
    """The seats whose reveal waits beside the record."""
    fold = match.fold
    with match.house.read() as session:
        return set(games.waiting_of(session, fold))


@pytest.mark.slow
@ON_SQLITE
def test_a_chef_sends_one_message_a_round_and_goes_away(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, opener: Opener
) -> None:
    """A whole match, with the real proofs: from the second round on Ann sends her seals and nothing else."""
    match = sat(house, clock, ann, bob, opener, options=SLOW)
    chair = match.chairs[0]
    match.until("reveal")
    chair.leaves = frozenset({"reveal", "link", "move"})
    begun = len(chair.receipts)
    match.play()
    sent = Counter(message.kind for message, _ in chair.receipts[begun:])
    assert set(sent) == {"seal"}
    entries = record(match, bob)
    mine = Counter(entry["kind"] for entry in entries if entry["actor"] == "0")
    assert mine["seal"] == mine["reveal"] == sent["seal"] + 1
    assert not [entry for entry in entries if entry["kind"] == "timeout"]
    assert [entry["kind"] for entry in entries].count("account") > 3
    assert not failures(house)


@ON_SQLITE_FIRST
def test_the_worker_brings_the_reveal_as_soon_as_all_have_sealed(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, opener: Opener
) -> None:
    match = sat(house, clock, ann, bob, opener)
    match.until("seal")
    sealed(match, 0)
    assert opener.open(match.id) == 0, "Bob has not sealed yet"
    sealed(match, 1)
    with house.read() as session:
        fold = games.fold_of(session, games.row_of(session, match.id))
        assert envelopes.to_open(session, fold, set()).keys() == {0}
    assert opener.open(match.id) == 1
    assert opener.open(match.id) == 0, "twice is as good as once"
    assert waiting(match) == {0}
    again = Opener.begin(house)
    assert again.open(match.id) == 0, "another worker finds it done"
    match.chairs[1].catch_up()
    match.chairs[1].send()
    match.work()
    kinds = [(entry["actor"], entry["kind"]) for entry in record(match, bob)]
    assert kinds.count(("0", "reveal")) == kinds.count(("1", "reveal")) == 1


def test_two_workers_at_once_bring_one_reveal(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = sat(house, clock, ann, bob, None)
    match.until("seal")
    sealed(match, 0, 1)
    submit, other, brought = games.submit, Opener.begin(house), []

    def first(*args: Any, **named: Any) -> Any:
        monkeypatch.setattr(games, "submit", submit)
        brought.append(other.open(match.id))
        return submit(*args, **named)

    monkeypatch.setattr(games, "submit", first)
    assert opener.open(match.id) == 1
    assert brought == [1], "both are told that it is in"
    with house.read() as session:
        rows = session.exec(select(Submission).where(Submission.kind == "reveal")).all()
    assert len(rows) == 1
    assert not failures(house)


@ON_SQLITE_FIRST
def test_a_lost_message_is_found_by_the_sweep(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, opener: Opener
) -> None:
    match = sat(house, clock, ann, bob, None)
    match.until("seal")
    sealed(match, 0, 1)
    assert due.due(house, 10) == []
    clock[0] += envelopes.FIRST_PATIENCE_MS
    assert due.due(house, 10) == [match.id]
    work_of(house).resolve(match.id)
    assert waiting(match) == {0}
    asking = match.fold.asking
    assert asking is not None
    assert row(match).due_at == asking.deadline + 1 + games.GRACE_MS, "nothing is left to open"


@ON_SQLITE_FIRST
def test_a_worker_that_was_away_past_the_deadline_opens_before_it_times_out(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, opener: Opener
) -> None:
    """An enclosed reveal has arrived with the seal: a house that was closed costs nobody the round."""
    match = sat(house, clock, ann, bob, None)
    second = match.chairs[1]
    second.envelope, second.leaves = True, frozenset({"reveal"})
    match.until("seal")
    sealed(match, 0, 1)
    asking = match.fold.asking
    assert asking is not None
    clock[0] = asking.deadline + 3_600_000
    assert due.due(house, 10) == [match.id]
    work_of(house).resolve(match.id)
    entries = record(match, bob)
    assert not [entry for entry in entries if entry["kind"] == "timeout"]
    assert [entry["actor"] for entry in entries if entry["kind"] == "reveal"] == ["0", "1"]


@ON_SQLITE_FIRST
def test_a_worker_without_the_key_says_so_and_opens_nothing(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, opener: Opener, tmp_path: Path
) -> None:
    elsewhere = replace(house, settings=replace(house.settings, data=tmp_path / "elsewhere"))
    key = ann.get("/house").json["envelope_key"]
    with structlog.testing.capture_logs() as logs:
        stranger = Opener.begin(elsewhere)
        assert not (tmp_path / "elsewhere" / keyring.FILE).exists(), "it makes no other key"
        match = sat(house, clock, ann, bob, stranger)
        match.until("reveal")
        match.work()
    assert [line["event"] for line in logs].count("envelope_key_missing") == 1
    assert ann.get("/house").json["envelope_key"] == key
    asking = match.fold.asking
    assert asking is not None
    assert asking.seats >= {0}
    assert not failures(house), "another worker may open it"
    # It is asked for again, ever less often, and not for ever: the time of the step runs out.
    times = []
    while row(match).due_at < asking.deadline and len(times) < 50:
        times.append(clock[0])
        clock[0] = max(row(match).due_at, row(match).claimed_until)
        assert due.due(house, 10) == [match.id]
        stranger.open(match.id)
        games.resolve(house, match.id)
    assert 2 < len(times) < 8
    assert opener.open(match.id) == 1, "the worker with the key is back"


@ON_SQLITE_FIRST
def test_who_is_away_without_a_worker_is_late_and_can_pay_by_hand(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, opener: Opener, tmp_path: Path
) -> None:
    elsewhere = replace(house, settings=replace(house.settings, data=tmp_path / "elsewhere"))
    match = sat(house, clock, ann, bob, Opener.begin(elsewhere))
    match.until("reveal")
    match.lapse()
    assert match.fold.seat(0).owed is not None
    chair = match.chairs[0]
    chair.leaves = frozenset()
    chair.catch_up()
    assert chair.due() is not None
    chair.send()
    assert match.fold.seat(0).owed is None
    record(match, bob)


@ON_SQLITE_FIRST
def test_a_chef_that_is_back_reveals_by_hand(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, opener: Opener
) -> None:
    match = sat(house, clock, ann, bob, None)
    match.until("seal")
    sealed(match, 0, 1)
    chair = match.chairs[0]
    chair.leaves = frozenset()
    chair.catch_up()
    chair.send()
    assert opener.open(match.id) == 0
    assert not failures(house)
    chair.sent.clear()
    assert chair.post(chair.message()).status_code == 201, "the same bytes get the same answer"


@ON_SQLITE_FIRST
def test_a_reveal_by_hand_after_the_worker_s_is_told_that_one_is_there(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, opener: Opener
) -> None:
    match = sat(house, clock, ann, bob, opener)
    match.until("seal")
    sealed(match, 0, 1)
    assert opener.open(match.id) == 1
    chair = match.chairs[0]
    chair.leaves = frozenset()
    chair.catch_up()
    refused = chair.post(chair.message())
    assert (refused.status_code, refused.json["code"]) == (409, "already_sent")


def enclosing(match: Match, content: bytes, key: bytes | None = None) -> None:
    """Ann seals with this in her envelope, Bob seals."""
    chair = match.chairs[0]
    chair.catch_up()
    right = chair.message()
    to = key or chair.game.header.envelope_key
    assert to is not None
    packing = chair.game.rules.packing(chair.game.state, 0)
    info = meal_context(chair.game, 0, chair.game.step, packing)
    put = envelope.seal(to, info, unb64(right.body["seal"]), content)
    body = {**right.body, "envelope": b64(put)}
    chair.send(write_message(chair.guest.private, match.id, right.step, 0, "seal", body))
    sealed(match, 1)


def reveal_of(chair: Chair) -> Message:
    """A reveal that passes for well-formed, and is none of what was sealed."""
    seen = {"seq": chair.game.seq, "digest": b64(chair.game.digest)}
    body = {"choice": {"dishes": []}, "blinding": b64(bytes(31) + b"\1"), "openings": [], "seen": seen}
    early = {"link": None} if chair.game.header.early_links else {}
    return write_message(chair.guest.private, chair.game_id, chair.game.step, 0, "reveal", body | early)


@ON_SQLITE
@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("another key", "bad_envelope"),
        ("nothing", "bad_envelope"),
        ("another step", "bad_signature"),
        ("another meal", "wrong_reveal"),
        ("no reveal", "missing_field"),
    ],
)
def test_an_envelope_that_gives_no_reveal_counts_as_none_and_is_tried_once(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, opener: Opener, what: str, code: str
) -> None:
    match = sat(house, clock, ann, bob, None)
    match.until("seal")
    chair = match.chairs[0]
    wrong = reveal_of(chair)
    content = {
        "nothing": b"nothing at all",
        "no reveal": b'{"body":{},"signature":"' + b64(bytes(64)).encode() + b'"}',
    }.get(what, reveal_bytes(wrong))
    if what == "another step":
        content = reveal_bytes(write_message(ann.private, match.id, wrong.step + 1, 0, "reveal", wrong.body))
    enclosing(match, content, envelope.public_key(bytes(31) + b"\1") if what == "another key" else None)
    with structlog.testing.capture_logs() as logs:
        assert opener.open(match.id) == 0
        assert failures(house) == [code]
        tried = len([line for line in logs if line["event"] == "envelope_void"])
        for _ in range(3):
            clock[0] += 2_000
            assert opener.open(match.id) == 0
            games.resolve(house, match.id)
        assert tried == len([line for line in logs if line["event"] == "envelope_void"]) == 1
    assert "nothing at all" not in json.dumps(logs, default=repr)
    asking = match.fold.asking
    assert asking is not None
    assert row(match).due_at == asking.deadline + 1 + games.GRACE_MS, "nobody asks for it again"
    # The chef may still reveal by hand, and the failure is forgotten with the game.
    chair.leaves = frozenset()
    chair.catch_up()
    chair.send()
    match.chairs[1].catch_up()
    match.chairs[1].send()
    match.work()
    record(match, bob)
    chair.catch_up()
    chair.send(chair.seat.resign(chair.game))
    assert match.fold.over
    assert failures(house) == []


def everything(house: Runtime, match: Match, guests: list[Guest]) -> Iterator[str]:
    """All that the house shows of a game, and all that its database holds."""
    for guest in guests:
        for path in ("", "/entries", "/record"):
            yield guest.get(f"/games/{match.id}{path}").text
    with house.read() as session:
        for kind in (GameEntry, Submission, GameRow):
            for found in session.exec(select(kind)):
                yield json.dumps(found.model_dump(), default=str)


@ON_SQLITE_FIRST
def test_nobody_but_the_worker_gets_what_is_enclosed(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, opener: Opener
) -> None:
    match = sat(house, clock, ann, bob, None)
    match.until("seal")
    with structlog.testing.capture_logs() as logs:
        sealed(match, 0, 1)
        chair = match.chairs[0]
        chair.catch_up()
        assert chair.kept is not None
        secret = str(chair.seat.reveal(chair.game, chair.kept).body["blinding"])
        sent = next(
            e for e in chair.guest.get(f"{chair.path}?after=0").json["entries"] if e["kind"] == "seal"
        )
        assert len(unb64(sent["body"]["envelope"])) > 200, "its bytes stand in the record for everybody"
        shown = bob.get(f"/games/{match.id}").json
        assert [seat["sealed"]["envelope"] for seat in shown["seats"]] == [True, False]
        assert not [text for text in everything(house, match, [ann, bob]) if secret in text]
        assert opener.open(match.id) == 1
    assert not [
        text for guest in (ann, bob) for text in [guest.get(f"/games/{match.id}").text] if secret in text
    ]
    assert secret not in json.dumps(logs, default=repr)
    private = opener.private(match.fold.header.envelope_key or b"")
    assert private is not None
    forms = (b64(private), private.hex(), repr(private)[2:-1])
    assert not [form for form in forms if form in repr(opener) + repr(logs) + repr(house)]


# The key


@ON_SQLITE
def test_no_worker_has_been_there_yet(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> None:
    assert ann.get("/house").json["envelope_key"] is None
    match = sit_down(house, clock, [ann, bob])
    assert match.fold.header.envelope_key is None
    match.until("seal")
    chair = match.chairs[0]
    right = chair.message()
    body = {**right.body, "envelope": b64(bytes(200))}
    refused = chair.post(write_message(ann.private, match.id, right.step, 0, "seal", body))
    assert refused.status_code == 422
    assert codes(refused) == [("no_envelopes", "/body/envelope")]


def test_the_first_worker_publishes_the_key_and_the_others_share_it(house: Runtime, ann: Guest) -> None:
    first = Opener.begin(house)
    key = unb64(ann.get("/house").json["envelope_key"], 32)
    assert first.private(key) is not None
    second = Opener.begin(house)
    assert second.private(key) == first.private(key)
    with house.read() as session:
        assert envelopes.published(session) == [key]
    path = house.settings.data / keyring.FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    file = house.settings.data / "house.json"
    private = first.private(key)
    assert private is not None
    assert not file.exists() or b64(private) not in file.read_text()


def test_a_worker_that_loses_the_race_for_the_first_key_takes_the_other_s(house: Runtime, ann: Guest) -> None:
    """Two folders: both have made a key before either was published."""
    assert envelopes.publish(house, envelope.public_key(bytes(31) + b"\2"), first=True)
    mine = keyring.add(house.settings.data)
    assert not envelopes.publish(house, mine, first=True)
    assert unb64(ann.get("/house").json["envelope_key"]) != mine
    assert Opener.begin(house).private(mine) is not None


@ON_SQLITE_FIRST
def test_after_a_rotation_running_games_go_on_with_their_key(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, opener: Opener
) -> None:
    match = sat(house, clock, ann, bob, opener)
    old = match.fold.header.envelope_key
    new = keyring.add(house.settings.data)
    assert envelopes.publish(house, new)
    assert unb64(ann.get("/house").json["envelope_key"]) == new
    assert match.fold.header.envelope_key == old != new
    match.until("seal")
    sealed(match, 0, 1)
    assert opener.open(match.id) == 1
    assert opener.private(new) is not None, "a worker that runs takes the new key by itself"
    with house.read() as session:
        assert envelopes.published(session) == [old, new]
    assert envelopes.publish(house, new), "twice is as good as once"


@ON_SQLITE
@pytest.mark.parametrize(
    "text",
    ["", "{}", '{"kind": "cloche-house/1", "keys": []}', '{"kind": "cloche-envelope/1", "keys": [{}]}'],
)
def test_a_damaged_key_file_is_refused(house: Runtime, text: str) -> None:
    folder = house.settings.data
    keyring.add(folder)
    (folder / keyring.FILE).write_text(text)
    with pytest.raises(KeysError, match="envelope"):
        work_of(house)


@ON_SQLITE
def test_keys_that_do_not_belong_together_are_refused(house: Runtime) -> None:
    folder = house.settings.data
    keyring.add(folder)
    content = json.loads((folder / keyring.FILE).read_text())
    content["keys"][0]["private_key"] = b64(bytes(32))
    (folder / keyring.FILE).write_text(json.dumps(content))
    with pytest.raises(KeysError, match="belong together") as caught:
        keyring.load(folder)
    assert b64(bytes(32)) not in str(caught.value)


# Tables with early links


@ON_SQLITE
def test_early_links_are_an_option_of_tables_that_seal(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    shown = {mode["name"]: mode["options"] for mode in ann.get("/modes").json["items"]}
    early = {mode: [o for o in options if o["name"] == "early_links"] for mode, options in shown.items()}
    assert [o["kind"] for o in early["chef"]] == ["flag"]
    assert early["hearts"] == []
    refused = ann.post("/tables", {"mode": "hearts", "options": SLOW})
    assert (refused.status_code, codes(refused)) == (422, [("unknown_option", "/options/early_links")])
    match = sit_down(house, clock, [ann, bob], options=SLOW)
    opened = match.chairs[0].guest.get(f"/games/{match.id}/entries").json["entries"][0]["body"]
    assert opened["early_links"] is True
    assert "early_links" not in opened["options"]
    match.until("reveal")
    deals = match.fold.deals
    while match.fold.deals == deals and not match.fold.over:
        match.step()
    kinds = [entry["kind"] for entry in record(match, bob)]
    assert kinds[kinds.index("reveal") :].count("link") == 0
