"""Everything that the page sends in a match: twins differ in hidden cards, and nothing sent tells them."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from client.vault import FILE, Vault
from tests.leaks.compare import leaves
from tests.stack import Stack
from tests.web.site_kit import flow

Told = Mapping[str, Any]
"""What one twin found: its requests (`sent`), where the match begins and ends among them, and its secrets."""

APART: Mapping[str, str] = {
    "POST /players /handle": "the player's name",
    "POST /players /password": "made of the words and the house's key by scrypt, for this house alone",
    "POST /players /key": "the player's public key",
    "POST /players /proof/signature": "a signature with that key",
    "POST /tokens /handle": "the player's name",
    "POST /tokens /password": "the password again",
    "POST /tokens /proof/at": "the time",
    "POST /tokens /proof/signature": "a signature over that time",
    "POST /tables /deck": "the id of the deck, which is the same list of cards",
    "POST /games/{id}/certificate /seed": "hides the cards of the house's certificate",
    "POST /games/{id}/entries enter /body/anchor": "the end of a chain of hashes",
    "POST /games/{id}/entries enter /body/certificate/game": "the id of the game",
    "POST /games/{id}/entries enter /body/certificate/key": "the player's public key",
    "POST /games/{id}/entries enter /body/certificate/at": "the time of the house",
    "POST /games/{id}/entries enter /body/certificate/cards/*": "commitments to the deck, hiding perfectly",
    "POST /games/{id}/entries enter /body/certificate/signature": "the house's signature over these",
    "POST /games/{id}/entries enter /body/positions/*": "the same cards, shuffled and hidden again",
    "POST /games/{id}/entries enter /body/proof": "a zero-knowledge proof about both",
    "POST /games/{id}/entries link /body/link": "a link of the chain of hashes",
    "POST /games/{id}/entries reveal /body/link": "the next link",
    "POST /games/{id}/entries seal /body/seal": "a commitment to the meal, hiding perfectly",
    "POST /games/{id}/entries seal /body/proof": "a zero-knowledge proof about it",
    "POST /games/{id}/entries reveal /body/blinding": "opens the commitment to an empty meal",
    "POST /games/{id}/entries * /body/seen/digest": "the digest of the newest entry that was read",
    "POST /games/{id}/entries * /signature": "the player's signature over the message",
}
"""Places in requests at which twins may differ, with the reason; * stands for anything. What stands there
has the same length in both."""
OF_TIMING = ("* /body/seen/seq",)
"""Places at which twins may differ because one has read more entries than the other by then."""
OF_THE_MOMENT = {"after", "wait", "cursor", "limit"}
"""Parts of a query that say how much was read already."""
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
OWN_HANDLE = re.compile(r"^/players/twin-[a-h](?=/)")
ONE_CARD = re.compile(r"^/api/v1/(cards|sets/[^/]+/versions/[^/]+/cards)/[^/?]+|[?&](q|card)=")
"""Requests that name a single card."""


@pytest.fixture(scope="module")
def twins(house: Stack) -> Sequence[Told]:
    """Two matches with the same deck against the same bot, and other cards in hand."""
    found: Sequence[Told] = flow("what_is_sent", house.url)
    assert found[0]["hand"] != found[1]["hand"]
    return found


def asked(request: Told) -> str:
    """What a request asks for, without the ids in it, and without the player's own handle."""
    path = ID.sub("{id}", urlsplit(request["url"]).path).removeprefix("/api/v1")
    path = OWN_HANDLE.sub("/players/{handle}", path)
    body = json.loads(request["body"] or "{}")
    kind = f" {body['kind']}" if path.endswith("/entries") and "kind" in body else ""
    return f"{request['method']} {path}{kind}"


def match_of(told: Told) -> list[Told]:
    """The requests between the opening of the table and the end of the last round."""
    found: list[Told] = told["sent"][told["registered"] : told["played"]]
    return found


def of_the_api(told: Told) -> list[Told]:
    """All requests to the API up to the seal of the last round, but for pictures of starter decks."""
    last = max(at for at, request in enumerate(told["sent"]) if asked(request).endswith(" seal"))
    paths = [(urlsplit(request["url"]).path, request) for request in told["sent"][: last + 1]]
    return [request for path, request in paths if path.startswith("/api/") and not path.endswith(".svg")]


def changes(told: Told) -> list[tuple[str, Any]]:
    """All that the player has sent, each message once."""
    sent = [(asked(request), request["body"]) for request in of_the_api(told) if request["method"] != "GET"]
    return [(name, json.loads(body or "null")) for (name, body), _ in groupby(sent)]


def reads(told: Told) -> set[tuple[str, tuple[tuple[str, str], ...]]]:
    """What the player has asked for, with its query."""
    found = set()
    for request in of_the_api(told):
        if request["method"] == "GET":
            query = parse_qsl(urlsplit(request["url"]).query)
            found.add((asked(request), tuple(pair for pair in query if pair[0] not in OF_THE_MOMENT)))
    return found


def headers(told: Told) -> set[tuple[str, str, str]]:
    """The headers of all requests, but for those that are random or say how long a body is."""
    random = {"authorization", "idempotency-key", "content-length", "last-event-id"}
    return {
        (asked(request), name, "" if name in random else value)
        for request in of_the_api(told)
        for name, value in request["headers"].items()
    }


def test_twins_send_the_same_but_for_listed_fields(twins: Sequence[Told]) -> None:
    one, other = (changes(told) for told in twins)
    assert [name for name, _ in one] == [name for name, _ in other]
    used, found = set[str | None](), list[str]()
    for (name, left), (_, right) in zip(one, other, strict=True):
        for path, mine, theirs in leaves(left, right):
            place = f"{name} {path}"
            if any(fnmatchcase(place, rule) for rule in OF_TIMING):
                continue
            rule = next((rule for rule in APART if fnmatchcase(place, rule)), None)
            if rule is None or len(str(mine)) != len(str(theirs)):
                found.append(f"{place}: {str(mine)[:60]} | {str(theirs)[:60]}")
            used.add(rule)
    assert found == []
    assert set(APART) <= used


def test_twins_ask_for_the_same(twins: Sequence[Told]) -> None:
    one, other = twins
    assert reads(one) == reads(other)
    assert headers(one) == headers(other)


def test_no_single_card_is_asked_for_while_a_match_runs(twins: Sequence[Told]) -> None:
    for told in twins:
        paths = [request["url"].removeprefix("http://").partition("/")[2] for request in match_of(told)]
        assert [path for path in paths if ONE_CARD.search(f"/{path}")] == []
        names = {name for card in told["hand"] for name in (card, card.lower().replace(" ", "-"))}
        named = re.compile(
            "|".join(rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in names), re.IGNORECASE
        )
        for request in match_of(told):
            assert not named.search(request["url"] + request["body"]), request["url"]


def forms(secret: bytes) -> Iterator[str]:
    """How bytes could stand in a text."""
    yield secret.hex()
    yield base64.b64encode(secret).decode().rstrip("=")
    yield base64.urlsafe_b64encode(secret).decode().rstrip("=")


def test_no_passphrase_and_no_key_is_sent(twins: Sequence[Told], tmp_path: Path) -> None:
    for told in twins:
        file = tmp_path / told["handle"] / FILE
        file.parent.mkdir()
        file.write_text(told["secrets"])
        contents = Vault.open(file, told["words"]).contents
        note = contents.games[told["game"]]
        words = told["words"].split()
        secrets = [*forms(contents.identity.private), *forms(note.match_secret)]
        secrets += [join.join(words[at : at + 2]) for at in range(5) for join in (" ", "+", "%20", "-")]
        for request in told["sent"]:
            text = request["url"] + json.dumps(request["headers"]) + request["body"]
            assert [secret for secret in secrets if secret in text] == [], request["url"]


def test_everything_goes_to_the_house_alone(twins: Sequence[Told], house: Stack) -> None:
    for told in twins:
        assert {urlsplit(request["url"]).netloc for request in told["sent"]} == {
            house.url.removeprefix("http://")
        }
        assert (told["violations"], told["faults"]) == ([], [])
