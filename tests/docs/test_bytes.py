"""docs/protocol.md, section 19: every byte that the page quotes is true, and is the published vectors'."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.docs.page_proofs import (
    A,
    H,
    Q,
    Talk,
    canonical,
    com,
    gen,
    meal,
    number,
    octets,
    osp,
    point,
    product,
    signed,
    th,
    vanishes,
)
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "protocol.md").read_text()
SECTION = PAGE.partition("## 19. Examples, byte by byte")[2].partition("\n## 20")[0]
SEAL, _, MESSAGE = SECTION.partition("### A message and its entry")
LINE = re.compile(r"^    (\S.*?) +((?:[0-9a-f]{2})+)$((?:\n {18}[0-9a-f]+)*)", re.MULTILINE)
ANSWERS = ["f_g1", "f_g2", "f_g3", "z_A", "z_Q", "n_1", "k_1", "n_2", "k_2", "n_3", "k_3"]
MESSAGES = ["A", "Q", "S", "W_1", "W_2", "W_3"]


class Quoted:
    """The lines of a part of the page, to be taken off one by one."""

    def __init__(self, part: str) -> None:
        found = LINE.findall(part)
        self.left = {name: bytes.fromhex(head + "".join(rest.split())) for name, head, rest in found}
        assert len(self.left) == len(found), "a name stands twice"

    def take(self, *names: str) -> list[bytes]:
        return [self.left.pop(name) for name in names]


def vector(file: str, name: str) -> Any:
    found = json.loads((ROOT / "tests" / "vectors" / f"{file}.json").read_text())
    return next(item for item in found if item["name"] == name)


def test_every_line_of_the_seal_comes_out_when_computed_again() -> None:
    quoted, (given, made) = (
        Quoted(SEAL),
        (vector("meal", "meal_empty_hand")[part] for part in ("input", "output")),
    )
    assert quoted.take('TH("cards")') == [th("cards")]
    bases = {"H": H, "A_0": A[0], "A_1": A[1], **{f"G_{i}": gen(f"slot/{i}") for i in range(3)}}
    assert quoted.take(*bases) == [bytes(base.to_compressed_bytes()) for base in bases.values()]

    parts = quoted.take("game", "step", "seat", "key", "set_digest", "match deck", "C")
    known = [bytes.fromhex(given[name]) for name in ("game", "key", "set_digest", "match_deck_digest")]
    assert parts == [known[0], osp(given["step"], 4), osp(given["seat"], 1), *known[1:], osp(3, 1)]
    ctx, seal = quoted.take("ctx", "B")
    assert ctx == th("meal-context", *parts) == bytes.fromhex(made["ctx"])
    messages, answers = quoted.take(*MESSAGES), quoted.take(*ANSWERS)
    proof = b"".join((*messages, *answers))
    assert (seal.hex(), proof.hex(), len(proof)) == (made["seal"], made["proof"], 640)

    talk = Talk("meal", ctx)
    states = [talk.state]
    talk.absorb("hand")
    states.append(talk.state)
    talk.absorb("meal", seal, *messages)
    states.append(talk.state)
    x = talk.challenge("x")
    states.append(talk.state)
    assert quoted.take("T begin", "T hand", "T meal", "T challenge") == states
    assert quoted.take("x") == [osp(x, 32)]
    assert x == number(states[-1]) % Q

    meal(ctx, [], 3, seal, proof)
    f, (z_a, n_1, k_1) = [number(value) for value in answers[:3]], (number(answers[i]) for i in (3, 5, 6))
    (both,) = quoted.take("both")
    assert product([(x, point(seal)), (1, point(messages[0]))]) == point(both) == product(com(f, z_a))
    vanishes([(-n_1, A[0]), (-f[0], A[1]), (-k_1, H), (-1, point(messages[3]))], "M3")
    blinding, fingerprint = quoted.take("r_B", "fingerprint")
    assert product(com([0, 0, 0], number(blinding))) == point(seal)
    assert fingerprint == th("seal", ctx, seal, proof, length=16)
    assert (blinding.hex(), fingerprint.hex()) == (made["blinding"], made["fingerprint"])
    assert not quoted.left, "a line that nothing has computed again"


def test_every_line_of_the_message_comes_out_when_computed_again() -> None:
    quoted, message, entry = (
        Quoted(MESSAGE),
        vector("messages", "message_ready"),
        vector("entries", "entry_ready"),
    )
    body = canonical(message["input"]["body"])
    shown = re.search(r"^    (\{.*)\n    (.*\})$", MESSAGE, re.MULTILINE)
    assert shown is not None
    assert (shown[1] + shown[2]).encode() == body
    game, step, seat, kind, digest = quoted.take("game", "step", "seat", "kind", "digest")
    key, signature = quoted.take("key", "signature")
    assert game.hex() == message["input"]["game"].replace("-", "")
    assert (step, seat, kind) == (osp(1, 4), osp(0, 1), b"ready")
    assert digest == th("message", game, step, seat, kind, body)
    assert (digest.hex(), signature.hex()) == (message["output"]["digest"], message["output"]["signature"])
    signed(key, digest, signature)

    given = entry["input"]["entry"]
    prev, seq, at, actor, made = quoted.take("prev", "seq", "at", "actor", "entry digest")
    house, signature_of_house = quoted.take("house key", "signed by it")
    assert (prev, given["seq"]) == (octets(given["prev"]), number(seq))
    assert (at.decode(), actor.decode()) == (given["at"], given["actor"])
    assert at.decode() in MESSAGE
    assert octets(given["player_signature"]) == signature
    assert made == th("entry", prev, seq, at, step, actor, kind, body, signature)
    assert made.hex() == entry["output"]["digest"]
    assert signature_of_house == octets(entry["output"]["house_signature"])
    signed(house, made, signature_of_house)
    assert not quoted.left, "a line that nothing has computed again"
