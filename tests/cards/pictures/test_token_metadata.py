"""Cards as metadata of tokens: every document keeps the schema, and the schema refuses others."""

from __future__ import annotations

import json
from base64 import b64decode
from copy import deepcopy
from typing import Any

import jsonschema
import pytest

from cards.catalog.card_sets import load
from cards.pictures import picture
from cards.pictures.token_metadata import SCHEMA, CopyDetails, inline, metadata

CATALOG = load()
CHECK = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
TUNA = CATALOG.printings[CATALOG.by_slug("tuna").number]
TOKEN = CopyDetails(
    17, "booster:x", soulbound=False, created_at=1_790_000_000_999, certificate={"signature": "s"}
)


def document(**more: Any) -> dict[str, Any]:
    return metadata(TUNA, "Pancake Base", image="https://house.example/p.svg", **more)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(CHECK.schema)


def test_every_card_keeps_the_schema() -> None:
    for printing in CATALOG.printings.values():
        made = metadata(printing, "Pancake Base", image=inline(picture(printing)))
        CHECK.validate(json.loads(json.dumps(made)))
        assert b64decode(made["image"].partition(",")[2]).decode() == picture(printing)


def test_a_printing_has_its_traits() -> None:
    made = document(url="https://house.example/cards/1027")
    CHECK.validate(made)
    assert made["name"] == "Tuna"
    assert {"trait_type": "Kind", "value": "Fish"} in made["attributes"]
    assert {"trait_type": "Provides protein", "display_type": "number", "value": 1} in made["attributes"]
    assert "certificate" not in made


def test_a_copy_has_its_serial_and_what_the_house_has_signed() -> None:
    made = document(token=TOKEN)
    CHECK.validate(made)
    assert made["name"] == "Tuna #17"
    assert made["certificate"] == {"signature": "s"}
    assert {"trait_type": "Made", "display_type": "date", "value": 1_790_000_000} in made["attributes"]
    assert {"trait_type": "Soulbound", "value": "No"} in made["attributes"]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("name", ""),
        ("image", "javascript:alert(1)"),
        ("image", "data:text/html;base64,AAAA"),
        ("attributes", [{"trait_type": "Serial", "value": 1}] * 4),
        ("attributes", []),
        ("certificate", {}),
        ("other", 1),
    ],
)
def test_the_schema_refuses(member: str, value: Any) -> None:
    made = deepcopy(document(token=TOKEN))
    made[member] = value
    assert not CHECK.is_valid(made)
