"""Looking at games: views, rounds, pages, long polls, certificates; what is held stays hidden."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from flask import Flask

from cards.games.contract import own
from crypto.encoding import b64, unb64
from crypto.identity import verify
from referee import read_entry
from referee.certificate import certificate_digest
from service.notices import Notices, of_game
from service.operations import games, watching
from service.runtime import Runtime
from tests.service.match_kit import Match, frozen, sit_down
from tests.service.races_kit import at_once
from tests.service.service_kit import Guest, app_of, codes
from tests.waiting import PATIENCE, until

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
SEED = bytes(range(32))


@pytest.fixture
def match(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> Match:
    """Ann at seat 0 and Bob at seat 1 of a match that begins."""
    return sit_down(house, clock, [ann, bob], seed=7)


# Views


def test_a_view_says_what_is_asked_of_whom_until_when(match: Match, ann: Guest, bob: Guest) -> None:
    match.until("seal")
    view = ann.get(f"/games/{match.id}").json
    game = match.fold
    assert (view["game"], view["mode"], view["seat"], view["over"]) == (match.id, "chef", 0, False)
    assert (view["seq"], view["step"], view["deals"]) == (game.seq, game.step, game.deals)
    assert view["digest"] == b64(game.digest)
    asked = view["asked"]
    assert (asked["kind"], asked["seats"], asked["step"]) == ("seal", [0, 1], game.step)
    assert asked["until"] > view["at"]
    assert [seat["sealed"] for seat in view["seats"]] == [None, None]

    ann_seal = match.chairs[0].message()
    match.chairs[0].send(ann_seal)
    for guest in (ann, bob):
        view = guest.get(f"/games/{match.id}").json
        sealed = view["seats"][0]["sealed"]
        assert set(sealed) == {"step", "seal", "fingerprint", "at", "envelope"}
        assert sealed["seal"] == ann_seal.body["seal"]
        assert len(unb64(sealed["fingerprint"])) == 16
        assert sealed["at"] == view["at"]
        assert view["seats"][1]["sealed"] is None
        assert view["asked"]["seats"] == [1]


def test_my_games_newest_first(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> None:
    matches = []
    for _ in range(3):
        matches.append(sit_down(house, clock, [ann, bob], mode="hearts", bots=["random"]))
        clock[0] += 1_000
    ids = [match.id for match in reversed(matches)]
    assert [game["id"] for game in ann.get("/games").json["items"]] == ids
    first = ann.get("/games?limit=2").json
    rest = ann.get(f"/games?limit=2&cursor={first['next']}").json
    assert [game["id"] for game in first["items"] + rest["items"]] == ids
    assert rest["next"] is None
    assert [game["seat"] for game in bob.get("/games").json["items"]] == [2] * 3
    assert first["items"][0]["names"] == ["Ann", "random (house)", "bob"]
    assert ann.get("/games?state=over").json["items"] == []
    assert ann.get("/games?state=lost").status_code == 422


def test_a_cursor_that_is_none_is_refused(ann: Guest) -> None:
    keys = ["[1]", '["a",1]', '[1,"a",1]', "{}", "[1,null]", '[1,"\\u0000"]', '[1,"\\ud800"]', "[1.5]", "["]
    for path in ("/games", "/tables", "/decks"):
        for key in keys:
            answered = ann.get(f"{path}?cursor={b64(key.encode())}")
            assert (answered.status_code, codes(answered)) == (400, [("bad_cursor", "cursor")]), key


@ON_SQLITE
def test_rounds_tell_what_every_account_told(match: Match, ann: Guest, bob: Guest) -> None:
    assert ann.get(f"/games/{match.id}/rounds").json == {"rounds": []}
    while len(ann.get(f"/games/{match.id}/rounds").json["rounds"]) < 3:
        match.step()
    shown = ann.get(f"/games/{match.id}/rounds").json
    assert shown == bob.get(f"/games/{match.id}/rounds").json
    entries = ann.get(f"/games/{match.id}/entries").json["entries"]
    accounts = [entry for entry in entries if entry["kind"] == "account"]
    assert [(r["seq"], r["at"], r["step"]) for r in shown["rounds"]] == [
        (a["seq"], a["at"], a["step"]) for a in accounts
    ]
    assert [r["points"] for r in shown["rounds"]] == [a["body"]["points"] for a in accounts]
    assert all(line["text"] for r in shown["rounds"] for line in r["lines"])
    header = match.fold.header
    assert [r["sections"] for r in shown["rounds"]] == [
        [section.json() for section in header.mode.sections(a["body"]["lines"], header.cards)]
        for a in accounts
    ]


@ON_SQLITE
def test_the_record_comes_in_pages(
    house: Runtime, clock: list[int], ann: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "MOST_ENTRIES", 5)
    match = sit_down(house, clock, [ann], mode="hearts", bots=["random", "random"])
    match.until("move")
    whole: list[dict[str, Any]] = []
    more = True
    while more:
        shown = ann.get(f"/games/{match.id}/entries?after={len(whole) - 1}").json
        assert shown["entries"]
        more = shown["more"]
        assert len(shown["entries"]) == 5 or not more
        whole += shown["entries"]
    assert [entry["seq"] for entry in whole] == list(range(match.fold.seq + 1))
    for before, entry in pairwise(whole):
        assert entry["prev"] == b64(read_entry(before).digest)
    nothing = ann.get(f"/games/{match.id}/entries?after={match.fold.seq}").json
    assert nothing == {"entries": [], "more": False}


@ON_SQLITE
@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("after=-2", "after"),
        ("after=x", "after"),
        ("wait=26", "wait"),
        ("wait=-1", "wait"),
        ("wait=nan", "wait"),
    ],
)
def test_what_can_not_be_waited_for_is_said(match: Match, ann: Guest, query: str, parameter: str) -> None:
    for path in ("", "/entries"):
        answered = ann.get(f"/games/{match.id}{path}?{query}")
        assert answered.status_code == 422
        assert [where for _, where in codes(answered)] == [parameter]


# Long polls


class Poll:
    """A request that waits, in a thread of its own."""

    def __init__(self, app: Flask, guest: Guest, path: str) -> None:
        self._guest = replace(guest, client=app.test_client())
        self._path = path
        self.seconds = 0.0
        self.json: Any = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        began = time.monotonic()
        self.json = self._guest.get(self._path).json
        self.seconds = time.monotonic() - began

    def end(self, seconds: float = PATIENCE) -> Any:
        """Its answer."""
        self._thread.join(seconds)
        assert not self._thread.is_alive(), "it waits still"
        return self.json

    @property
    def waits(self) -> bool:
        """True if there is no answer yet."""
        return self._thread.is_alive()


def listening(house: Runtime, game_id: str, many: int) -> None:
    """Return once so many requests wait for news of a game."""
    until(lambda: house.notices.waiters(of_game(game_id)) >= many, what="so many wait")


def test_a_long_poll_ends_with_the_next_entry(app: Flask, match: Match, ann: Guest, bob: Guest) -> None:
    seq = match.fold.seq
    polls = [
        Poll(app, bob, f"/games/{match.id}?after={seq}&wait=15"),
        Poll(app, bob, f"/games/{match.id}/entries?after={seq}&wait=15"),
    ]
    listening(match.house, match.id, 2)
    assert all(poll.waits for poll in polls)
    match.chairs[0].send()
    view, entries = (poll.end() for poll in polls)
    assert view["seq"] == seq + 1
    assert view["seats"][0]["entered"]
    assert [(entry["seq"], entry["kind"]) for entry in entries["entries"]] == [(seq + 1, "enter")]
    assert all(poll.seconds < 10 for poll in polls)


def test_a_long_poll_ends_with_its_time(match: Match, ann: Guest) -> None:
    seq = match.fold.seq
    for path in (f"/games/{match.id}", f"/games/{match.id}/entries"):
        began = time.monotonic()
        answered = ann.get(f"{path}?after={seq}&wait=0.4")
        assert 0.4 <= time.monotonic() - began < 15
        assert answered.json.get("entries", []) == []
        for query in (f"after={seq}", f"after={seq - 1}&wait=20", "wait=20"):
            began = time.monotonic()
            assert ann.get(f"{path}?{query}").status_code == 200
            assert time.monotonic() - began < 15


@ON_SQLITE
def test_nobody_waits_for_a_game_that_is_over(match: Match, ann: Guest) -> None:
    match.lapse()
    assert match.fold.over
    began = time.monotonic()
    assert ann.get(f"/games/{match.id}?after={match.fold.seq}&wait=20").json["over"]
    assert time.monotonic() - began < 15


@ON_SQLITE
def test_what_waits_is_no_news(app: Flask, match: Match, ann: Guest, bob: Guest) -> None:
    # A move that Ann's seat holds back gives no signal: a player who polls learns neither what nor when.
    match.until("move")
    seq = match.fold.seq
    poll = Poll(app, bob, f"/games/{match.id}?after={seq}&wait=1.5")
    listening(match.house, match.id, 1)
    assert match.chairs[0].send()["seq"] is None
    assert poll.end()["seq"] == seq
    assert poll.seconds >= 1.5


@ON_SQLITE
def test_a_crowded_house_refuses_to_wait_and_not_to_answer(
    house: Runtime, clock: list[int], match: Match, ann: Guest
) -> None:
    crowded = replace(house, notices=Notices(1))
    app, seq = app_of(crowded), match.fold.seq
    path = f"/games/{match.id}?after={seq}&wait=15"
    first = Poll(app, ann, path)
    listening(crowded, match.id, 1)
    until_placed(crowded)
    second = Poll(app, ann, path)
    assert second.end()["code"] == "too_many_waiting"
    assert Poll(app, ann, f"/games/{match.id}?after={seq - 1}&wait=15").end()["seq"] == seq
    assert first.waits
    chair = match.chairs[1]
    games.submit(crowded, match.id, chair.message().json(), player_id=chair.guest.id)
    assert first.end()["seq"] == seq + 1
    assert crowded.notices.waiting.taken == 0


def until_placed(house: Runtime) -> None:
    """Return once a request that waits has its place."""
    until(lambda: house.notices.waiting.taken, what="somebody waits")


# Certificates


def ask(guest: Guest, match: Match, seat: int, seed: str) -> Any:
    """Ask for a certificate."""
    return guest.post(f"/games/{match.id}/certificate", {"seat": seat, "seed": seed})


def test_a_certificate_is_given_once(match: Match, ann: Guest, clock: list[int]) -> None:
    first = ask(ann, match, 0, b64(SEED))
    assert first.status_code == 200
    given = first.json
    assert (given["game"], given["seat"], given["key"]) == (
        match.id,
        0,
        b64(match.fold.header.players[0].key),
    )
    assert len(given["cards"]) == 40
    house_key = match.fold.header.house_key
    assert verify(house_key, certificate_digest(given), unb64(given["signature"], 64))
    clock[0] += 5_000
    assert ask(ann, match, 0, b64(SEED)).data == first.data
    before = frozen(match.house, match.id)
    other = ask(ann, match, 0, b64(bytes(32)))
    assert (other.status_code, other.json["code"]) == (409, "certificate_given")
    assert frozen(match.house, match.id) == before
    assert b64(SEED) not in before
    assert SEED.hex() not in before


def test_a_certificate_is_one_whoever_asks_at_once(app: Flask, match: Match, ann: Guest) -> None:
    def job(seed: bytes) -> Callable[[], object]:
        guest = replace(ann, client=app.test_client())
        return lambda: ask(guest, match, 0, b64(seed))

    answers: list[Any] = at_once([job(seed) for seed in (SEED, SEED, bytes(32), bytes(32))])
    good = [answer for answer in answers if answer.status_code == 200]
    assert len(good) == 2
    assert good[0].data == good[1].data
    assert {answer.json["code"] for answer in answers if answer not in good} == {"certificate_given"}


@ON_SQLITE
def test_a_certificate_is_for_who_sits_there_and_while_one_enters(
    match: Match, ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    eve = seat("eve")
    seed = b64(SEED)
    assert ask(ann, match, 1, seed).json["code"] == "not_your_seat"
    assert ask(eve, match, 0, seed).status_code == 403
    nobody = ann.client.post(f"/api/v1/games/{match.id}/certificate", json={"seat": 0, "seed": seed})
    assert nobody.status_code == 401
    for bad in (seed + "=", seed[:-2], "", "?" * 43):
        answered = ask(ann, match, 0, bad)
        assert (answered.status_code, codes(answered)) == (422, [("bad_bytes", "/seed")])
        assert bad not in answered.text or bad == ""
    assert codes(ask(ann, match, "0", seed)) == [("invalid", "/seat")]
    match.until("ready")
    assert ask(ann, match, 0, seed).json["code"] == "certificate_given"
    mine = match.chairs[0].seat.secret.certificate_seed
    assert ask(ann, match, 0, b64(mine)).status_code == 200  # it can always be had again


@ON_SQLITE
def test_no_certificate_after_the_time_to_enter_or_without_an_own_deck(
    house: Runtime, clock: list[int], match: Match, ann: Guest, bob: Guest
) -> None:
    match.lapse()
    assert ask(ann, match, 0, b64(SEED)).json["code"] == "too_late"
    hearts = sit_down(house, clock, [ann, bob], mode="hearts", bots=["random"])
    answered = ask(ann, hearts, 0, b64(SEED))
    assert (answered.status_code, answered.json["code"]) == (409, "no_own_deck")


# Held messages


def everything(match: Match, guest: Guest) -> list[bytes]:
    """All that the API shows of a match to a guest."""
    paths = ("", "/entries", "/rounds", "/record", "/faces")
    shown = [guest.get(f"/games/{match.id}{path}").data for path in paths]
    return [*shown, guest.get("/games").data, guest.get("/tables").data]


@pytest.mark.parametrize("kind_of_step", ["move", "reveal"])
def test_what_is_held_leaves_no_trace(match: Match, ann: Guest, bob: Guest, kind_of_step: str) -> None:
    match.until(kind_of_step)
    before = [everything(match, guest) for guest in (ann, bob)]
    answered = match.chairs[0].send()
    assert answered["seq"] is None
    assert match.fold.asking.kind == kind_of_step
    games.resolve(match.house, match.id)  # not before all are in
    assert [everything(match, guest) for guest in (ann, bob)] == before

    message, receipt = match.chairs[0].receipts[-1]
    refused = match.chairs[1].post({**message.json(), "seat": 1})  # Bob tries it himself
    assert refused.status_code >= 400
    match.chairs[1].send()
    match.work()
    entries = ann.get(f"/games/{match.id}/entries").json["entries"]
    mine = [e for e in entries if e["player_signature"] == b64(message.signature)]
    assert [entry["kind"] for entry in mine] == [kind_of_step]
    assert mine[0]["at"] >= receipt.json()["at"]


@ON_SQLITE
def test_what_is_held_is_forgotten_when_the_game_ends(match: Match, ann: Guest, bob: Guest) -> None:
    match.until("reveal")
    reveal = match.chairs[0].message()
    match.chairs[0].send(reveal)
    resign = match.chairs[1].seat.resign(match.chairs[1].game)
    assert match.chairs[1].post(resign).status_code == 201
    assert match.fold.over
    kept = frozen(match.house, match.id)
    assert reveal.body["blinding"] not in kept
    assert reveal.body["blinding"] not in ann.get(f"/games/{match.id}/record").text
    again = match.chairs[0].post(reveal)
    assert (again.status_code, again.json["seq"]) == (201, None)


@ON_SQLITE
def test_a_view_shows_the_cards_that_were_opened_and_no_others(match: Match, ann: Guest, bob: Guest) -> None:
    match.until("seal")
    for guest in (ann, bob):
        assert guest.get(f"/games/{match.id}").json["state"]["faces"] == {}
    for _ in range(3):
        match.until("reveal")
        match.until("seal")
    opened = {
        str(own(int(entry["actor"]), opening["position"]))
        for entry in ann.get(f"/games/{match.id}/entries").json["entries"]
        if entry["kind"] == "reveal"
        for opening in entry["body"]["openings"]
    }
    for guest in (ann, bob):
        assert set(guest.get(f"/games/{match.id}").json["state"]["faces"]) == opened
