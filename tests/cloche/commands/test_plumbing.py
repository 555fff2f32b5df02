"""Plumbing: a whole match by a program that has only HTTP, JSON and these commands."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from cards.catalog import card_sets
from cards.catalog import cards as catalog
from cards.games.contract import Face
from cloche.main import main
from crypto.encoding import b64
from crypto.secret import MatchSecret
from referee import read_message, record_bytes, verify_record
from referee.faces import write_faces
from tests.referee.table import Table
from tests.stack import Stack
from tests.waiting import PATIENCE

CATALOG = card_sets.load()
COUNTS = [starter.counts for starter in CATALOG.starters.values()][:2]


def plumb(command: str, given: Any) -> dict[str, Any]:
    """Return what a command makes of a JSON object; its exit status is under "status"."""
    result = CliRunner().invoke(main, [command, "--json"], input=json.dumps(given))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return {**json.loads(result.stdout), "status": result.exit_code}


class Stranger:
    """A player in another language: no import of ours from here on."""

    def __init__(self, url: str, handle: str) -> None:
        self.http = httpx.Client(base_url=f"{url}/api/v1", timeout=PATIENCE)
        self.secrets = plumb("secret", {})
        starter = self.http.get("/starters").json()["items"][0]
        body = {"handle": handle, "password": "a long password", "starter": starter["slug"]}
        house = self.http.get("/house").raise_for_status().json()["house_key"]
        asked = {"private_key": self.secrets["private_key"], "house_key": house, "handle": handle}
        signed = plumb("registration", asked)
        made = {**body, "key": self.secrets["key"], "proof": signed["proof"]}
        self.http.post("/players", json=made).raise_for_status()
        del body["starter"]
        token = self.http.post("/tokens", json=body).raise_for_status().json()["token"]
        self.http.headers["Authorization"] = f"Bearer {token}"
        self.deck = self.http.get("/decks").json()["items"][0]
        cards = {}
        for slug in self.deck["cards"]:
            cards[slug] = self.http.get(f"/cards/{slug}").json()
        by_number = sorted(
            (card for slug, card in cards.items() for _ in range(self.deck["cards"][slug])),
            key=lambda card: card["number"],
        )
        self.cards = [by_number[j] for j in self.secrets["permutation"]]
        self.kept: dict[str, Any] | None = None
        self.sent: list[str] = []

    def play(self, mode: str, bots: list[str]) -> str:
        """A match against the house's bots; returns the game's id."""
        body = {"mode": mode, "deck": self.deck["id"], "bots": bots}
        game_id = self.http.post("/tables", json=body).raise_for_status().json()["game"]
        after = -1
        while True:
            query = {"after": after, "wait": 20}
            view = self.http.get(f"/games/{game_id}", params=query).raise_for_status().json()
            if view["over"]:
                return str(game_id)
            asked = view["asked"]
            answered = asked and view["seat"] in asked["seats"] and self._answer(view)
            after = -1 if answered else view["seq"]

    def _answer(self, view: dict[str, Any]) -> bool:
        kind, game = view["asked"]["kind"], view["game"]
        key = f"{kind} {view['asked']['step']}"
        if key in self.sent:
            return False
        given = {
            "entries": self.http.get(f"/games/{game}/entries").json()["entries"],
            "private_key": self.secrets["private_key"],
            "match_secret": self.secrets["match_secret"],
            "deck": self.deck["cards"],
        }
        if kind == "enter":
            body = {"seat": view["seat"], "seed": self.secrets["certificate_seed"]}
            given["certificate"] = self.http.post(f"/games/{game}/certificate", json=body).json()
        elif kind == "move":
            given["move"] = {"choice": "keep"}
        elif kind == "seal":
            given["choice"] = {"dishes": self._dishes(view)}
        elif kind == "reveal":
            given["kept"] = self.kept
        made = plumb(kind, given)
        assert made["status"] == 0, made
        self.kept = made.get("keep", self.kept)
        answer = self.http.post(f"/games/{game}/entries", json=made["message"])
        assert answer.status_code == 201, answer.text
        self.sent.append(key)
        return True

    def _dishes(self, view: dict[str, Any]) -> list[dict[str, Any]]:
        """The first recipe that up to three cards of the hand pay for, as entree."""
        hand = view["state"]["hands"][view["seat"]]
        for i in hand:
            if self.cards[i]["type"] != "recipe":
                continue
            for n in (1, 2, 3):
                for some in combinations([j for j in hand if self.cards[j]["provides"]], n):
                    if self._sum(some) == self.cards[i]["costs"]:
                        return [{"course": 2, "recipe": i, "ingredients": sorted(some)}]
        return []

    def _sum(self, some: tuple[int, ...]) -> dict[str, int]:
        total: dict[str, int] = {}
        for j in some:
            for name, units in self.cards[j]["provides"].items():
                total[name] = total.get(name, 0) + units
        return total


def test_a_whole_match_through_plumbing_alone(open_stack) -> None:
    house: Stack = open_stack()
    stranger = Stranger(house.url, "stranger")
    game_id = stranger.play("chef", ["greedy"])
    record = stranger.http.get(f"/games/{game_id}/record").content
    report = verify_record(record)
    assert report.valid, report.fault
    entries = json.loads(record)["entries"]
    assert not [entry for entry in entries if entry["kind"] == "timeout"]
    kinds = {key.split()[0] for key in stranger.sent}
    assert kinds == {"enter", "ready", "link", "move", "seal", "reveal"}
    served = [e for e in entries if e["kind"] == "reveal" and e["actor"] == "0" and e["body"]["openings"]]
    assert served


# One table, without a house


@pytest.fixture
def table() -> Table:
    return seated()


def seated(envelope_private: bytes | None = None) -> Table:
    """Two chefs with real decks, at a house that takes envelopes or none."""
    decks = [[CATALOG.cards[n] for n, count in counts.items() for _ in range(count)] for counts in COUNTS]
    return Table.open("chef", 2, decks, catalog.texts(CATALOG), envelope_private=envelope_private)


def given_by(table: Table, seat: int = 0, **more: Any) -> dict[str, Any]:
    """The input of a seat: everything but what is chosen."""
    who = table.seats[seat]
    return {
        "entries": [entry.json() for entry in table.record],
        "private_key": b64(who.private),
        "match_secret": b64(who.match_secret),
        "deck": {str(number): count for number, count in COUNTS[seat].items()},
        **more,
    }


@pytest.mark.parametrize("kind", ["ready", "link", "move", "seal"])
def test_the_same_message_as_a_seat_would_send(table: Table, kind: str) -> None:
    table.until(kind)
    chosen: dict[str, Any] = {"ready": {}, "link": {}, "move": {"move": {"choice": "keep"}}}.get(kind, {})
    if kind == "seal":
        chosen = {"choice": {"dishes": []}, "fresh": b64(bytes(32))}
    made = plumb(kind, given_by(table, 0, **chosen))
    game, seat = table.views[0], table.seats[0]
    expected = {
        "ready": lambda: seat.ready(game),
        "link": lambda: seat.link(game),
        "move": lambda: seat.move(game, {"choice": "keep"}),
        "seal": lambda: seat.seal(game, {"dishes": []}, bytes(32))[0],
    }[kind]()
    assert made["message"] == expected.json()
    assert ("keep" in made) == (kind == "seal")


def test_from_a_record_file_and_for_a_known_house(table: Table, tmp_path: Path) -> None:
    table.until("ready")
    path = tmp_path / "record.json"
    path.write_bytes(record_bytes(table.record))
    given = given_by(table, 1, record=str(path), house_key=b64(table.game.header.house_key))
    del given["entries"]
    assert plumb("ready", given)["message"]["seat"] == 1
    path.write_text(json.dumps({"entries": [entry.json() for entry in table.record], "more": False}))
    assert plumb("ready", given)["message"]["kind"] == "ready"
    refused = plumb("ready", {**given, "house_key": b64(bytes(32))})
    assert (refused["status"], refused["error"]["code"]) == (1, "wrong_house")


def test_a_house_pack_with_the_house_s_word_for_one_s_cards() -> None:
    table = Table.open("hearts", 3)
    table.until("move")
    given = given_by_pack(table)
    faces = own_faces(table)
    strange = {"expose": sorted(set(table.game.state.faces.values()) - set(faces.values()))[0]}
    assert plumb("move", {**given, "move": {"done": True}})["status"] == 0
    assert plumb("move", {**given, "move": strange})["status"] == 1


def given_by_pack(table: Table) -> dict[str, Any]:
    who = table.seats[0]
    statement = write_faces(table.keeper.private, table.game.header.game, 1, 0, own_faces(table))
    return {
        "entries": [entry.json() for entry in table.record],
        "private_key": b64(who.private),
        "match_secret": b64(who.match_secret),
        "faces": [statement],
    }


def own_faces(table: Table) -> dict[int, Face]:
    state = table.game.state
    return {position: state.faces[position] for position in table.game.rules.sees(state, 0)}


def test_refusals_name_what_is_wrong(table: Table) -> None:
    table.until("seal")
    good = given_by(table, 0, choice={"dishes": []})
    hand = table.views[0].rules.packing(table.views[0].state, 0).hand
    recipe = next(i for i in hand if table.seats[0].faces[i].is_recipe)
    alone = {"dishes": [{"course": 1, "recipe": recipe, "ingredients": []}]}
    cases: list[tuple[str, dict[str, Any], int, str]] = [
        ("ready", good, 1, "not_asked"),
        ("reveal", {**good, "kept": None}, 1, "not_asked"),
        ("seal", {**good, "choice": alone}, 1, "/choice"),
        ("seal", {**good, "choice": None}, 2, "/choice"),
        ("seal", {**good, "private_key": b64(bytes(32))}, 1, "wrong_seat"),
        ("seal", {**good, "seat": 1}, 1, "wrong_seat"),
        ("seal", {**good, "match_secret": b64(bytes(32))}, 1, "wrong_secret"),
        ("seal", {**good, "match_secret": "short"}, 2, "/match_secret"),
        ("seal", {**good, "deck": {"nothing": 40}}, 2, "/deck/nothing"),
        ("seal", {**good, "deck": {}}, 2, "/deck"),
        ("seal", {**good, "entries": []}, 2, "/entries"),
        ("seal", {**good, "entries": good["entries"][1:]}, 1, "/entries/0"),
        ("seal", {**good, "entries": None, "record": "/no/such/file"}, 2, "/record"),
        ("seal", {**good, "kept": {"step": 1}}, 2, "/kept"),
        ("enter", {}, 2, "/record"),
    ]
    for command, given, status, what in cases:
        made = plumb(command, given)
        assert made["status"] == status, (command, what, made)
        error = made["error"]
        assert what == error["code"] or error["pointer"].startswith(what), made
        assert b64(table.seats[0].match_secret) not in json.dumps(made)


@pytest.mark.parametrize("text", ["", "[]", "nonsense", '{"entries": 1.5}', '{"a": 1, "a": 2}'])
def test_what_is_no_json_object_is_refused(text: str) -> None:
    result = CliRunner().invoke(main, ["seal", "--json"], input=text)
    assert result.exit_code == 2
    assert json.loads(result.stdout)["error"]["code"] == "bad_input"
    assert "Traceback" not in result.output


def test_a_seal_may_enclose_its_reveal() -> None:
    """`--envelope`: what the worker would open is the reveal that `cloche reveal` builds by hand."""
    table = seated(bytes(range(32)))
    table.until("seal")
    given = given_by(table, 0, choice={"dishes": []})
    plain = CliRunner().invoke(main, ["seal", "--json"], input=json.dumps(given))
    assert "envelope" not in json.loads(plain.stdout)["message"]["body"]
    made = CliRunner().invoke(main, ["seal", "--json", "--envelope"], input=json.dumps(given))
    found = json.loads(made.stdout)
    table.send(read_message(table.game.header.game, found["message"]))
    table.answer(1)
    reveal = plumb("reveal", given_by(table, 0, kept=found["keep"]))["message"]
    enclosed = table.opened(0).json()
    assert {**enclosed["body"], "seen": None} == {**reveal["body"], "seen": None}
    table.send(table.opened(0))


def test_an_envelope_is_refused_where_the_game_takes_none(table: Table) -> None:
    table.until("seal")
    given = json.dumps(given_by(table, 0, choice={"dishes": []}))
    result = CliRunner().invoke(main, ["seal", "--json", "--envelope"], input=given)
    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"]["code"] == "no_envelopes"


@pytest.mark.parametrize("command", ["seal", "bot"])
def test_what_an_envelope_asks_is_said_where_it_is_offered(command: str) -> None:
    text = " ".join(CliRunner().invoke(main, [command, "--help"]).output.split())
    assert "--envelope" in text
    assert "the house can read the meal before it is revealed" in text
    assert "row 6" in text


def test_secrets_are_made_or_derived() -> None:
    made = plumb("secret", {})
    secret = MatchSecret(bytes(range(32)))
    again = plumb("secret", {"private_key": made["private_key"], "match_secret": b64(bytes(range(32)))})
    assert again["key"] == made["key"]
    assert again["certificate_seed"] == b64(secret.certificate_seed)
    assert again["permutation"] == list(secret.permutation)
    assert made["match_secret"] != plumb("secret", {})["match_secret"]


def test_as_a_process_of_its_own() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cloche", "secret", "--json"], input=b"{}", capture_output=True, check=False
    )
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["permutation"]) == 40
