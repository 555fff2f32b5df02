"""The house's signed documents beside the record, and the content of envelopes, mutated by structure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

pytest.importorskip("py_arkworks_bls12381")  # the page's reader computes with it

from cards.games.contract import Packing
from crypto import envelope
from crypto.encoding import EncodingError, b64, canonical, i2osp, uuid_bytes
from crypto.identity import public_key, sign
from crypto.transcript import tuple_hash
from referee import Refused, accept
from referee.certificate import certify, check_certificate
from referee.checks import Remembering
from referee.envelopes import open_envelope, reveal_bytes
from referee.faces import read_faces, write_faces
from referee.header import Header
from referee.message import message_digest
from referee.succession import read_succession, write_succession
from referee.validation import meal_context
from tests.attack.ledger import Outcome, attack
from tests.attack.mutations import Pick, mutated
from tests.docs.page_proofs import Invalid, good_key, octets, point
from tests.referee.table import START, Table, bytes_of
from vectors.matches import DECKS

pytestmark = pytest.mark.slow

QUICK = settings(
    max_examples=250,
    deadline=None,
    database=None,
    derandomize=True,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
LONG = settings(QUICK, max_examples=6000, derandomize=False)
OLD, NEW = bytes_of("old house"), bytes_of("new house")


@cache
def table(mode: str) -> Table:
    return Table.chef(3) if mode == "chef" else Table.hearts(3, 3)


# Each kind of document: a real one, who reads it, and how a house would sign another


def _certificate() -> dict[str, Any]:
    header, seat = table("chef").game.header, table("chef").seats[0]
    return certify(table("chef").keeper.private, header, 0, DECKS[0], seat.secret.certificate_seed, START)


def _faces() -> dict[str, Any]:
    cards = {0: "QS", 1: "AH", 5: "10C", 12: "2D"}
    return write_faces(table("hearts").keeper.private, table("hearts").game.header.game, 1, 0, cards)


def _succession() -> dict[str, Any]:
    return write_succession(OLD, NEW, START).json()


def _certificate_anew(given: dict[str, Any]) -> dict[str, Any]:
    unsigned = {name: value for name, value in given.items() if name != "signature"}
    digest = tuple_hash("certificate", canonical(unsigned))
    return {**given, "signature": b64(sign(table("chef").keeper.private, digest))}


def _faces_anew(given: dict[str, Any]) -> dict[str, Any]:
    game = uuid_bytes(table("hearts").game.header.game)
    parts = (game, i2osp(given["deal"], 2), i2osp(given["seat"], 1), canonical(given["faces"]))
    return {**given, "signature": b64(sign(table("hearts").keeper.private, tuple_hash("faces", *parts)))}


def _succession_anew(given: dict[str, Any]) -> dict[str, Any]:
    digest = tuple_hash("succession", canonical({name: given[name] for name in ("kind", "old", "new", "at")}))
    return {**given, "old_signature": b64(sign(OLD, digest)), "new_signature": b64(sign(NEW, digest))}


def _header(mode: str) -> Header:
    return table(mode).game.header


READERS: Mapping[str, tuple[Callable[[], Any], Callable[[Any], Any], Callable[[Any], Any]]] = {
    "certificate": (_certificate, lambda d: check_certificate(_header("chef"), 0, d), _certificate_anew),
    "faces": (_faces, lambda d: read_faces(_header("hearts"), 0, d), _faces_anew),
    "succession": (_succession, read_succession, _succession_anew),
}


def legal(what: str, given: dict[str, Any]) -> bool:
    """Tell by the page alone whether a document that the house has signed says what it may say."""
    try:
        match what:
            case "certificate":
                header = _header("chef")
                for card in given["cards"]:
                    point(octets(card, 48))
                right = (header.game, 0, b64(header.players[0].key), b64(header.set_digest))
                said = (given["game"], given["seat"], given["key"], given["set_digest"])
                return right == said and given["seat"] is not False and len(given["cards"]) == 40
            case "faces":
                positions = [item["position"] for item in given["faces"]]
                whole = all(type(value) is int for value in (given["seat"], given["deal"], *positions))
                return whole and given["seat"] == 0 and positions == sorted(set(positions))
        good_key(octets(given["old"], 32))
        good_key(octets(given["new"], 32))
        return bool(given["kind"] == "succession" and given["old"] != given["new"])
    except (Invalid, AttributeError, LookupError, TypeError, ValueError):
        return False


def run(how: settings, judge: Callable[[Pick], str]) -> Counter[str]:
    """Have hypothesis pick, and count how often each answer came."""
    found: Counter[str] = Counter()

    @how
    @given(st.data())
    def examples(data: Any) -> None:
        def pick(options: Sequence[Any]) -> Any:
            return options[data.draw(st.integers(0, len(options) - 1))]

        found[judge(pick)] += 1

    examples()
    return found


def documents(pick: Pick) -> str:
    """A document with something changed, as it was signed or signed anew: refused, or the same, or legal."""
    what = pick(sorted(READERS))
    _, read, anew = READERS[what]
    genuine = _genuine(what)
    changed, signed = mutated(pick, genuine), pick((True, False))
    if signed and isinstance(changed, dict):
        try:
            changed = anew(changed)
        except (EncodingError, LookupError, TypeError, ValueError, AttributeError):
            signed = False
    try:
        read(changed)
    except Refused:
        return "refused"
    same = canonical(changed) == canonical(genuine)
    assert same or (signed and legal(what, changed)), changed
    return "the same" if same else "equally legal"


@cache
def _genuine(what: str) -> Any:
    return READERS[what][0]()


def told(found: Counter[str]) -> tuple[int, str]:
    tries, said = sum(found.values()) - found["the same"], found["equally legal"]
    return tries, f"but {said} equally legal" if said else ""


SIGNED = "certificates, faces, successions mutated, signed anew or not"


@attack(SIGNED, "protocol 10", knows="the house's key")
def test_mutated_documents(outcome: Outcome) -> None:
    for what in READERS:
        READERS[what][1](_genuine(what))
    outcome.rejected(*told(run(settings(QUICK, max_examples=500), documents)))


@attack(SIGNED, "protocol 10", knows="the house's key")
@pytest.mark.long
def test_mutated_documents_at_length(outcome: Outcome) -> None:
    outcome.rejected(*told(run(LONG, documents)))


@attack("faces of a hand in another form", "protocol 7", knows="the house's word for a hand")
@pytest.mark.parametrize(
    ("faces", "code"),
    [
        ([{"position": 0, "card": 1.5}], "bad_body"),
        ([{"position": 0, "card": 2**53}], "bad_body"),
        ([{"position": 0, "card": "\ud800"}], "bad_body"),
        ([{"position": 5, "card": "QS"}, {"position": 5, "card": "QS"}], "bad_list"),
        ([{"position": 5, "card": "AH"}, {"position": 5, "card": "QS"}], "bad_list"),
        ([{"position": 5, "card": "QS"}, {"position": 0, "card": "AH"}], "bad_list"),
    ],
)
def test_faces_have_one_form(faces: Any, code: str) -> None:
    """Some without a canonical form; some that a reader would put in order, and find the signature good."""
    told = _faces()
    with pytest.raises(Refused) as caught:
        read_faces(_header("hearts"), 0, {**told, "faces": faces})
    assert caught.value.code == code


# Envelopes


@cache
def enclosing() -> Table:
    """A match in which both have sealed and enclosed their reveals, and nothing is opened yet."""
    found = Table.chef(8, {"early_links": True}, envelopes=True)
    found.encloses = lambda table, seat: True
    found.away = lambda table: True
    found.until("seal")
    found.answer(0, 1)
    return found


def envelopes(pick: Pick) -> str:
    """A chef encloses something else than its reveal, rightly sealed to the house or not."""
    world, seat = enclosing(), pick((0, 1))
    game, genuine = world.game, world.opened(seat)
    content = {"body": dict(genuine.body), "signature": b64(genuine.signature)}
    changed: Any = mutated(pick, content)
    if isinstance(changed, dict) and pick((True, True, False)):
        try:
            place = (game.header.game, game.step, seat, "reveal", changed["body"])
            changed = {**changed, "signature": b64(sign(world.seats[seat].private, message_digest(*place)))}
        except (EncodingError, LookupError, TypeError, ValueError, AttributeError):
            pass
    sealed = game.seat(seat).sealed
    assert sealed is not None
    try:
        plain = pick((canonical(changed), canonical(changed) + b" " * 9, b"\n" + canonical(changed), b""))
    except EncodingError:
        plain = b"{"
    context = meal_context(game, seat, sealed.step, Packing(sealed.hand, sealed.boxes))
    aad = pick((sealed.seal, sealed.seal, sealed.seal, sealed.seal[::-1]))
    info = pick((context, context, context, bytes(64)))
    assert world.envelope_private is not None
    to = envelope.public_key(world.envelope_private)
    data = bytearray(envelope.seal(to, info, aad, plain))
    if pick((False, False, False, True)):
        data[pick(range(len(data)))] ^= 1 << pick(range(8))
    try:
        message = open_envelope(game, seat, world.envelope_private, bytes(data))
        accept(world.keeper, game, message, world.now, Remembering())
    except Refused:
        return "refused"
    if message.body == genuine.body:
        return "the same"
    keeps = ("openings", "blinding", "choice")
    assert all(message.body[name] == genuine.body[name] for name in keeps), message.body
    return "equally legal"  # another `seen`, or no early link


@attack("an envelope that holds something else", "protocol 11", knows="a chef's key and secrets")
def test_mutated_envelopes(outcome: Outcome) -> None:
    found = run(QUICK, envelopes)
    outcome.rejected(*told(found))


@attack("an envelope that holds something else", "protocol 11", knows="a chef's key and secrets")
@pytest.mark.long
def test_mutated_envelopes_at_length(outcome: Outcome) -> None:
    found = run(LONG, envelopes)
    assert found["the same"]
    outcome.rejected(*told(found))


def test_what_is_enclosed_is_what_a_player_encloses() -> None:
    world = enclosing()
    for seat in (0, 1):
        assert reveal_bytes(world.opened(seat)).rstrip().startswith(b'{"body":')
        accept(world.keeper, world.game, world.opened(seat), world.now, Remembering())
    assert public_key(OLD) != public_key(NEW)
