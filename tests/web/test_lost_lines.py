"""What happens to a browser loses no turn: a lost line, a killed page, another screen, another tab."""

from __future__ import annotations

import json
from collections import Counter

from client.http import Api
from referee import verify_record
from tests.stack import Stack
from tests.web.site_kit import flow


def test_no_turn_is_lost_with_the_line_the_page_or_the_tab(house: Stack) -> None:
    found = flow("lost_lines", house.url)
    with Api(house.url) as api:
        record = api.record(found["game"])
    assert verify_record(record).valid
    kinds = Counter((entry["kind"], entry["actor"]) for entry in json.loads(record)["entries"])
    assert [kind for kind, _ in kinds if kind == "timeout"] == []
    assert {kinds["seal", seat] for seat in ("0", "1")} == {4}
    assert {kinds["reveal", seat] for seat in ("0", "1")} == {4}

    assert found["kept"][0] == found["kept"][1] > 0
    assert found["waited"] == "waits"
    wakes = found["wakes"]
    assert wakes["cooking"] == []
    assert wakes["looked"] == ["held", "released"] * (len(wakes["looked"]) // 2) != []
    assert wakes["sealed"] == [*wakes["looked"], "held"]
    assert found["screen"] == "#/lobby"
    assert found["second"] == "waits"
    assert found["shown"] == "You have won"
    assert found["faults"] == []
