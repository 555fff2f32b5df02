"""The seam to the network: a client works over any transport, and says the same over each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from client.answers import FIRST_PAUSE
from client.http import Api
from client.transport import Answer, NoAnswer, OpenStream, SentEvent, Transport, Untrusted
from client.wire import HttpWire
from player.house import ApiProblem, Unreachable
from tests.paths import ROOT

URL = "http://house.test"


@dataclass
class Scripted(Transport):
    """Answers from a list; None stands for nobody. Time passes only in its pauses."""

    answers: list[Answer | None] = field(default_factory=list)
    opened: list[tuple[Answer, list[SentEvent | None]] | None] = field(default_factory=list)
    asked: list[tuple[str, str, dict[str, str], bytes | None]] = field(default_factory=list)
    paused: list[float] = field(default_factory=list)

    def request(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, seconds: float
    ) -> Answer:
        self.asked.append((method, url, dict(headers), body))
        answer = self.answers.pop(0)
        if answer is None:
            raise NoAnswer("the line is cut")
        return answer

    @contextmanager
    def stream(self, url: str, headers: Mapping[str, str], silence: float) -> Iterator[OpenStream]:
        self.asked.append(("STREAM", url, dict(headers), None))
        opened = self.opened.pop(0)
        if opened is None:
            raise NoAnswer("the line is cut")
        yield OpenStream(opened[0], self._events(opened[1]))

    def _events(self, sent: list[SentEvent | None]) -> Iterator[SentEvent]:
        for event in sent:
            if event is None:
                raise NoAnswer("the line is cut")
            yield event

    def pause(self, seconds: float) -> None:
        self.paused.append(seconds)


def said(status: int, content: bytes = b"", **headers: str) -> Answer:
    return Answer(URL, status, headers, content)


def event(number: int, name: str = "move") -> SentEvent:
    return SentEvent(str(number), name, f'{{"seq": {number}}}')


def test_a_request_says_what_is_meant() -> None:
    line = Scripted([said(200, b'{"items": [], "next": null}'), said(201, b'{"id": "d"}')])
    api = Api(URL, "t0ken", transport=line)
    assert list(api.tables("big-c", mine=True)) == []
    assert api.buy_booster("ä") == {"id": "d"}
    (got, listed, headers, body), (posted, bought, more, sent) = line.asked
    assert (got, listed, body) == ("GET", f"{URL}/api/v1/tables?mode=big-c&mine=true", None)
    assert headers == {"Authorization": "Bearer t0ken"}
    assert (posted, bought, sent) == ("POST", f"{URL}/api/v1/boosters", '{"set":"ä"}'.encode())
    assert more["Content-Type"] == "application/json"
    assert more["Idempotency-Key"]


def test_nobody_then_somebody() -> None:
    line = Scripted([None, said(503), said(429, **{"retry-after": "2"}), said(200, b"{}")])
    assert Api(URL, transport=line).rewards() == {}
    assert len(line.paused) == 3
    assert line.paused[0] <= FIRST_PAUSE
    assert line.paused[2] >= 2
    with pytest.raises(Unreachable, match="the line is cut"):
        Api(URL, patience=0.0, transport=Scripted([None])).rewards()


@pytest.mark.parametrize(
    ("content", "code"),
    [(b'{"code": "not_found", "detail": "No."}', "not_found"), (b"<html>", "http_error")],
)
def test_a_refusal_is_raised(content: bytes, code: str) -> None:
    with pytest.raises(ApiProblem) as refused:
        Api(URL, transport=Scripted([said(404, content)])).rewards()
    assert (refused.value.status, refused.value.code) == (404, code)


def test_a_stream_is_taken_up_where_it_broke() -> None:
    good = said(200)
    line = Scripted(opened=[None, (good, [event(0), event(1), None]), (good, [event(2, "result")])])
    found = list(Api(URL, transport=line).events("g"))
    assert [(each.id, each.name) for each in found] == [(0, "move"), (1, "move"), (2, "result")]
    assert [headers.get("Last-Event-ID") for _, _, headers, _ in line.asked] == ["-1", "-1", "1"]
    assert list(Api(URL, transport=Scripted(opened=[(said(204), [])])).events("g")) == []


def test_without_a_place_the_client_polls() -> None:
    crowded = said(503, b'{"code": "too_many_listeners", "detail": "No."}'), list[SentEvent | None]()
    polled = b'{"entries": [{"seq": 0, "kind": "open"}], "more": false}'
    line = Scripted([said(200, polled)], [crowded])
    assert next(iter(Api(URL, transport=line).events("g"))).data["kind"] == "open"


def test_a_client_closes_its_own_transport_only() -> None:
    closed: list[bool] = []

    class Counting(Scripted):
        def close(self) -> None:
            closed.append(True)

    line = Counting([said(200, b"{}")])
    with Api(URL, transport=line) as api, api.with_patience(0.0) as hasty:
        hasty.rewards()
    assert closed == []


def test_waiting_polls_over_a_transport_that_streams_nothing() -> None:
    class Polling(Scripted):
        streams = False

    answer: Any = said(200, b'{"entries": [{"seq": 3}], "more": false}')
    assert Api(URL, transport=Polling([answer])).entries("g", 2, 5.0) == ([{"seq": 3}], False)


def test_only_the_wire_knows_the_library() -> None:
    knowing = [path.name for path in (ROOT / "client").glob("*.py") if "import httpx" in path.read_text()]
    assert knowing == ["wire.py"]


def test_authorities_are_read_for_tls_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("no certificate")
    monkeypatch.setenv("CLOCHE_CA", str(file))
    wire = HttpWire()
    with pytest.raises(NoAnswer):
        wire.request("GET", "http://127.0.0.1:1/", {}, None, 5.0)
    with pytest.raises(Untrusted, match=re.escape(str(file))):
        wire.request("GET", "HTTPS://127.0.0.1:1/", {}, None, 5.0)
    wire.close()
