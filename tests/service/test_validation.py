"""Validation of messages over HTTP: the checks in their order. A refusal has a code and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from werkzeug.test import TestResponse

from crypto.encoding import b64, unb64
from crypto.identity import new_private_key
from referee import Message, write_message
from service.operations.games import turns
from service.runtime import Runtime
from tests.service.match_kit import Chair, Match, frozen, sit_down
from tests.service.service_kit import ON_SQLITE_FIRST, Guest, codes

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


@pytest.fixture
def match(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> Match:
    """Ann at seat 0 and Bob at seat 1 of a match that begins."""
    return sit_down(house, clock, [ann, bob], seed=5, spectators=False)


def again(chair: Chair, message: Message, **changes: Any) -> Message:
    """The message with other fields (of the body: by `body`), signed anew by the same seat."""
    step, kind = changes.get("step", message.step), changes.get("kind", message.kind)
    body = {**message.body, **changes.get("body", {})}
    return write_message(chair.guest.private, message.game, step, message.seat, kind, body)


def flipped(text: str, at: int = -1) -> str:
    """Bytes in base64url with one bit changed."""
    data = bytearray(unb64(text))
    data[at] ^= 1
    return b64(bytes(data))


def refused(match: Match, guest: Guest, message: Message | Mapping[str, Any]) -> TestResponse:
    """Send what must be refused; nothing of the game has changed."""
    before = frozen(match.house, match.id)
    data = message.json() if isinstance(message, Message) else message
    answered = guest.post(f"/games/{match.id}/entries", data)
    assert answered.status_code >= 400, answered.text
    assert frozen(match.house, match.id) == before
    return answered


def locks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games whose row is locked from now on to take a message."""
    locked: list[str] = []
    standing = turns.standing

    def noting(session: Any, game_id: str, message: Message, *, lock: bool = False) -> Any:
        locked.extend([game_id] * lock)
        return standing(session, game_id, message, lock=lock)

    monkeypatch.setattr(turns, "standing", noting)
    return locked


def why(match: Match, guest: Guest, message: Message | Mapping[str, Any]) -> tuple[int, str, str | None]:
    """Status, code and the first fault's place of a refusal."""
    answered = refused(match, guest, message)
    faults = codes(answered)
    if faults and answered.json["code"] != "invalid_request":
        assert [answered.json["code"]] == [code for code, _ in faults]
    code = faults[0][0] if faults else answered.json["code"]
    return answered.status_code, code, faults[0][1] if faults else None


@ON_SQLITE_FIRST
def test_the_checks_have_an_order(match: Match, ann: Guest, bob: Guest, clock: list[int]) -> None:
    # One message with everything wrong; fault after fault is mended, and the next check speaks.
    game = match.until("seal")
    chair = match.chairs[0]
    good = chair.message()
    nobody = Guest(ann.client, "nobody", new_private_key())
    data: dict[str, Any] = {
        **good.json(),
        "seat": 1,
        "step": 1,  # ann has said ready in it
        "kind": "ready",
        "signature": "?",
        "body": {"seen": {"seq": 0, "digest": "A" * 86}},
    }
    assert why(match, nobody, {**data, "padding": "x" * 65536}) == (413, "body_too_large", None)
    assert why(match, nobody, data) == (401, "not_signed_in", None)
    assert why(match, ann, data) == (422, "bad_bytes", "/signature")
    data["signature"] = b64(bytes(64))
    assert why(match, ann, data) == (403, "not_your_seat", None)
    data["seat"] = 0
    assert why(match, ann, data) == (409, "already_sent", None)
    data |= {"kind": "seal", "body": {**good.body, "seen": {"seq": 0, "digest": "A" * 86}}}
    data["body"]["proof"] = flipped(good.body["proof"])
    assert game.asking is not None
    clock[0], before = game.asking.deadline + 1, clock[0]
    assert why(match, ann, data) == (409, "wrong_step", "/step")
    data["step"] = game.step
    assert why(match, ann, data) == (409, "too_late", "/step")
    clock[0] = before
    assert why(match, ann, data) == (422, "bad_signature", "/signature")
    signed = write_message(ann.private, match.id, game.step, 0, "seal", data["body"])
    assert why(match, ann, signed) == (409, "seen_too_old", "/body/seen/seq")
    signed = again(chair, signed, body={"seen": {**good.body["seen"], "digest": "A" * 86}})
    assert why(match, ann, signed) == (409, "seen_unknown", "/body/seen")
    short = again(chair, good, body={"proof": b64(unb64(good.body["proof"])[:-32])})
    assert why(match, ann, short) == (422, "bad_length", "/body/proof")
    signed = again(chair, signed, body={"seen": good.body["seen"]})
    assert why(match, ann, signed) == (422, "bad_proof", "/body/proof")
    chair.send(good)


@ON_SQLITE
def test_every_misshapen_message_is_told_where(match: Match, ann: Guest) -> None:
    chair = match.chairs[0]
    good = chair.message().json()
    body = good["body"]
    shapes: list[tuple[dict[str, Any], tuple[str, str | None]]] = [
        ({"step": "0"}, ("bad_integer", "/step")),
        ({"step": True}, ("bad_integer", "/step")),
        ({"step": -1}, ("bad_integer", "/step")),
        ({"step": 2**32}, ("bad_integer", "/step")),
        ({"seat": None}, ("null", "/seat")),
        ({"seat": "0"}, ("bad_integer", "/seat")),
        ({"seat": 255}, ("bad_integer", "/seat")),
        ({"kind": "dance"}, ("bad_kind", "/kind")),
        ({"kind": "open"}, ("bad_kind", "/kind")),
        ({"kind": 7}, ("bad_text", "/kind")),
        ({"body": []}, ("bad_shape", "/body")),
        ({"body": "x"}, ("bad_shape", "/body")),
        ({"signature": 7}, ("bad_bytes", "/signature")),
        ({"signature": good["signature"] + "="}, ("bad_bytes", "/signature")),
        ({"signature": good["signature"][:-4]}, ("bad_bytes", "/signature")),
        ({"extra": 1}, ("unknown_field", "/extra")),
        ({"body": {**body, "envelope": "AA"}}, ("unknown_field", "/body/envelope")),
        ({"body": {**body, "a/b~": 1}}, ("unknown_field", "/body/a~1b~0")),
        ({"body": {name: body[name] for name in body if name != "seen"}}, ("missing_field", "/body/seen")),
        ({"body": {**body, "seen": {"seq": 0}}}, ("missing_field", "/body/seen/digest")),
        ({"body": {**body, "seen": {**body["seen"], "seq": "0"}}}, ("bad_integer", "/body/seen/seq")),
        ({"body": {**body, "positions": body["positions"][:-1]}}, ("bad_length", "/body/positions")),
        ({"body": {**body, "anchor": body["anchor"][:-2]}}, ("bad_bytes", "/body/anchor")),
        ({"body": {**body, "certificate": None}}, ("bad_shape", "/body/certificate")),
    ]
    for changed, fault in shapes:
        data = {**good, **changed}
        if isinstance(data["body"], dict) and "body" in changed:
            signed = write_message(ann.private, match.id, data["step"], 0, "enter", data["body"])
            data["signature"] = b64(signed.signature)
        status, code, pointer = why(match, ann, data)
        assert (status, (code, pointer)) == (422, fault), changed
    for missing in good:
        fault = why(match, ann, {name: value for name, value in good.items() if name != missing})
        assert fault == (422, "required", f"/{missing}")
    chair.send()


@ON_SQLITE_FIRST
def test_steps_as_large_as_they_may_be_are_only_wrong(match: Match, ann: Guest) -> None:
    good = match.chairs[0].message()
    assert why(match, ann, again(match.chairs[0], good, step=2**32 - 1))[:2] == (409, "wrong_step")


@ON_SQLITE_FIRST
def test_the_same_bytes_get_the_same_answer(match: Match, ann: Guest, clock: list[int]) -> None:
    match.until("seal")
    sent: list[tuple[Chair, Message, Any]] = []
    for kind in ("seal", "reveal"):
        for chair in match.chairs:
            chair.catch_up()
            message = chair.message()
            assert message.kind == kind
            sent.append((chair, message, chair.send(message)))
            clock[0] += 1_000
    assert [answered["seq"] is None for _, _, answered in sent] == [False, False, True, True]
    for closing in range(3):
        before = frozen(match.house, match.id)
        for chair, message, answered in sent:
            repeated = chair.post(message)
            assert (repeated.status_code, repeated.json) == (201, answered)
            other = again(chair, message, body={"seen": {"seq": 0, "digest": "A" * 86}})
            assert why(match, chair.guest, other) == (409, "already_sent", None)
            resigned = replace(message, signature=bytes(64))
            assert why(match, chair.guest, resigned) == (409, "already_sent", None)
        assert frozen(match.house, match.id) == before
        if closing == 0:
            match.work()  # the step closes
        else:
            match.chairs[0].post(match.chairs[0].seat.resign(match.chairs[0].catch_up()))  # the game ends


@ON_SQLITE
def test_what_comes_at_the_wrong_time_is_refused(match: Match, ann: Guest, bob: Guest) -> None:
    chair, other = match.chairs
    first = chair.message()
    assert why(match, ann, again(chair, first, kind="ready", body={}))[:2] == (422, "unknown_field")
    ready = write_message(ann.private, match.id, 0, 0, "ready", {"seen": first.body["seen"]})
    assert why(match, ann, ready) == (409, "wrong_kind", "/kind")
    for kind in ("resign", "draw"):
        early = write_message(ann.private, match.id, 0, 0, kind, {"seen": first.body["seen"]})
        assert why(match, ann, early) == (409, "too_early", "/kind")

    match.until("link")
    link = chair.message()
    assert why(match, ann, again(chair, link, body={"deal": 2})) == (422, "wrong_deal", "/body/deal")
    later = again(chair, link, body={"link": b64(chair.seat.secret.chain.link(2))})
    assert why(match, ann, later) == (422, "wrong_link", "/body/link")
    chair.send(link)
    theirs = again(other, other.message(), body={"link": link.body["link"]})
    assert why(match, bob, theirs) == (422, "wrong_link", "/body/link")

    match.until("seal")
    seal = chair.message()
    old = chair.game.closed[1] - 1
    with_old = again(chair, seal, body={"seen": {"seq": old, "digest": seal.body["seen"]["digest"]}})
    assert why(match, ann, with_old) == (409, "seen_too_old", "/body/seen/seq")
    ahead = {"seq": chair.game.seq + 1, "digest": seal.body["seen"]["digest"]}
    assert why(match, ann, again(chair, seal, body={"seen": ahead})) == (409, "seen_unknown", "/body/seen")
    assert why(match, ann, again(chair, seal, step=seal.step - 1))[:2] == (409, "wrong_step")
    offer = chair.seat.offer_draw(chair.game)
    assert chair.post(offer).status_code == 201
    anew = again(chair, offer, body={"seen": {"seq": offer.body["seen"]["seq"] + 1, "digest": "A" * 86}})
    assert why(match, ann, anew) == (409, "already_sent", None)
    chair.send(chair.message())
    chair.catch_up()
    once_more = write_message(ann.private, match.id, seal.step + 1, 0, "draw", offer.body)
    assert why(match, ann, once_more)[:2] == (409, "wrong_step")

    assert chair.post(chair.seat.resign(chair.game)).status_code == 201
    last = other.seat.offer_draw(other.catch_up())
    assert why(match, bob, last) == (409, "game_over", "/step")
    assert match.fold.over


@ON_SQLITE
def test_an_owed_reveal_comes_before_the_next_seal(match: Match, ann: Guest, bob: Guest) -> None:
    match.until("seal")
    chair, other = match.chairs
    for seated in match.chairs:
        seated.send()
    other.catch_up()
    other.send()
    match.lapse()  # Ann has sealed and does not reveal
    assert match.fold.seat(0).owed is not None
    late, kept = chair.catch_up(), chair.kept
    assert kept is not None
    reveal = chair.message()
    chair.sent.add((reveal.step, "reveal"))
    # The others go on; Ann's next seal is refused until she has paid.
    for _ in range(20):
        game = match.fold
        if game.asking is not None and game.asking.kind == "seal" and game.step > late.step - 1:
            break
        for seated in match.chairs:
            seated.catch_up()
            if game.asking is not None and seated.number in game.asking.seats:
                seated.send(seated.seat.link(seated.game))
        match.work()
    game = match.fold
    assert game.asking is not None
    assert (game.asking.kind, game.asking.seats) == ("seal", frozenset({0, 1}))
    chair.catch_up()
    seal, _ = chair.seat.seal(chair.game, {"dishes": []})
    assert why(match, ann, seal) == (409, "reveal_owed", "/kind")
    wrong = again(chair, reveal, body={"blinding": flipped(reveal.body["blinding"])})
    assert why(match, ann, wrong) == (422, "wrong_reveal", "/body/choice")
    assert chair.send(reveal)["seq"] is not None
    assert match.fold.seat(0).owed is None
    chair.catch_up()
    chair.send()
    other.catch_up()
    other.send()


@ON_SQLITE
def test_a_reveal_opens_what_was_sealed_and_nothing_else(
    match: Match, ann: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = locks(monkeypatch)
    chair, other = match.chairs
    for _ in range(12):
        match.until("seal")
        chair.send()
        used = [p for dish in chair.kept.choice["dishes"] for p in (dish["recipe"], *dish["ingredients"])]
        other.send()
        chair.catch_up()
        if sum(position is not None for position in used) >= 2:
            break
        match.work()
        match.until("reveal")
        match.step()
        match.step()
    good = chair.message()
    openings = good.body["openings"]
    dishes = good.body["choice"]["dishes"]
    assert len(openings) >= 2
    number = next(card for card in match.fold.header.cards if card != openings[0]["number"])
    wrong: list[tuple[dict[str, Any], str, str]] = [
        ({"blinding": flipped(good.body["blinding"])}, "wrong_reveal", "/body/choice"),
        ({"choice": {"dishes": []}}, "wrong_openings", "/body/openings"),
        ({"choice": {"dishes": []}, "openings": []}, "wrong_reveal", "/body/choice"),
        ({"openings": openings[1:]}, "wrong_openings", "/body/openings"),
        ({"openings": [openings[0], *openings]}, "wrong_openings", "/body/openings"),
        ({"openings": openings[::-1]}, "wrong_openings", "/body/openings"),
        (
            {"openings": [{**openings[0], "number": number}, *openings[1:]]},
            "wrong_opening",
            "/body/openings/0",
        ),
        (
            {"openings": [{**openings[0], "number": 4_000_000_000}, *openings[1:]]},
            "unknown_card",
            "/body/openings/0/number",
        ),
        (
            {"openings": [{**openings[0], "blinding": b64(b"\xff" * 32)}, *openings[1:]]},
            "bad_scalar",
            "/body/openings/0/blinding",
        ),
    ]
    for changed, code, pointer in wrong:
        locked.clear()
        answered = refused(match, ann, again(chair, good, body=changed))
        assert codes(answered) == [(code, pointer)], changed
        # Nobody waits at the game's row for what takes a product to find.
        assert not locked or code not in ("wrong_opening", "wrong_reveal")
        assert "protocol" in answered.json["errors"][0].get("section", "protocol")
        for secret in (good.body["blinding"], *(opening["blinding"] for opening in openings)):
            assert secret not in answered.text
    doubled = refused(match, ann, again(chair, good, body={"choice": {"dishes": [*dishes, dishes[0]]}}))
    assert doubled.status_code == 422
    assert codes(doubled)[0][1].startswith("/body/choice")
    locked.clear()
    chair.send(good)
    assert locked


@ON_SQLITE
def test_forged_proofs_are_refused(match: Match, ann: Guest, bob: Guest) -> None:
    chair, other = match.chairs
    enter, theirs = chair.message(), other.message()
    bad = again(chair, enter, body={"proof": flipped(enter.body["proof"])})
    assert why(match, ann, bad) == (422, "bad_proof", "/body/proof")
    swapped = again(chair, enter, body={"positions": enter.body["positions"][::-1]})
    assert why(match, ann, swapped) == (422, "bad_proof", "/body/proof")
    borrowed = again(chair, enter, body={"certificate": theirs.body["certificate"]})
    status, _, pointer = why(match, ann, borrowed)
    assert (status, pointer) == (422, "/body/certificate/seat")
    forged = {**enter.body["certificate"], "cards": theirs.body["certificate"]["cards"]}
    status, code, pointer = why(match, ann, again(chair, enter, body={"certificate": forged}))
    assert (status, code, pointer) == (422, "bad_signature", "/body/certificate/signature")

    match.until("seal")
    mine = chair.message()
    other.send()
    seen = match.fold
    copied = {"seal": b64(seen.seat(1).sealed.seal), "proof": other_proof(match, bob)}
    answered = refused(match, ann, again(chair, mine, body=copied))
    assert answered.json["code"] in ("bad_proof", "bad_length")
    other.catch_up()
    assert why(match, ann, again(chair, mine, body={"seal": flipped(mine.body["seal"])}))[0] == 422
    chair.send(mine)


def other_proof(match: Match, guest: Guest) -> str:
    """The proof of the newest seal in the record."""
    entries = guest.get(f"/games/{match.id}/entries").json["entries"]
    return str(next(e["body"]["proof"] for e in reversed(entries) if e["kind"] == "seal"))


@ON_SQLITE
def test_the_rules_say_by_which_section_they_refuse(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    chef = sit_down(house, clock, [ann, bob], seed=6)
    chef.until("move")
    keep = chef.chairs[0].message()
    answered = refused(chef, ann, again(chef.chairs[0], keep, body={"move": {"choice": "dance"}}))
    assert answered.status_code == 422
    assert codes(answered)[0][1].startswith("/body/move")
    assert answered.json["errors"][0]["section"]

    while True:  # the bots may lay all four cards open at once, and then a card is asked
        match = sit_down(house, clock, [ann, bob], mode="hearts", bots=["random", "random"], seed=6)
        match.until("move")
        if match.fold.asking is not None and match.fold.asking.topic == "expose":
            break
    chair = match.chairs[0]
    done = chair.message()
    hand = sorted(match.fold.state.board.hands[0])
    theirs = min(match.fold.state.board.hands[2])
    faces = match.fold.state.faces
    plain = next(p for p in hand if faces[p] not in ("QS", "JD", "10C", "AH"))
    for move in (
        {"expose": plain, "card": faces[plain]},
        {"expose": theirs, "card": faces[theirs]},
        {"expose": hand[0], "card": faces[hand[1]]},
        {"play": hand[0], "card": faces[hand[0]]},
        {"dance": 1},
        {},
    ):
        answered = refused(match, ann, again(chair, done, body={"move": move}))
        assert answered.status_code == 422, answered.text
        code, pointer = codes(answered)[0]
        assert pointer.startswith("/body/move"), (move, code, pointer)
        assert answered.json["errors"][0]["section"], answered.json


@ON_SQLITE
def test_the_door_is_for_those_who_sit_there(match: Match, ann: Guest, bob: Guest, seat: Any) -> None:
    eve = seat("eve")
    message = match.chairs[0].message()
    assert why(match, eve, message) == (403, "not_your_seat", None)
    assert why(match, bob, message) == (403, "not_your_seat", None)
    assert why(match, ann, {**message.json(), "seat": 2}) == (403, "not_your_seat", None)
    missing = ann.post("/games/0b6cbb1e-9a3c-4f51-8d6e-7f1f0d3f4c00/entries", message.json())
    assert (missing.status_code, missing.json["code"]) == (404, "not_found")
    for path in ("", "/entries", "/rounds", "/record", "/faces"):
        closed = eve.get(f"/games/{match.id}{path}")
        assert (closed.status_code, closed.json["code"]) == (403, "not_your_game")
        stranger = eve.client.get(f"/api/v1/games/{match.id}{path}")
        assert (stranger.status_code, stranger.json["code"]) == (401, "not_signed_in")
        assert eve.get(f"/games/none{path}").status_code == 404
