"""Floods within the limits: sign-ins by the dozen take some threads of a house, and its players go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx

from service.passwords import AT_ONCE
from tests.client.guests import Invite
from tests.stack import Stack
from tests.waiting import PATIENCE

SIGN_INS = 60
ELSEWHERE = "127.0.0.2"
"""Another address of this machine, from which the flood comes."""


def test_a_flood_of_sign_ins_leaves_the_house_to_its_players(
    open_stack: Callable[..., Stack], invite: Invite
) -> None:
    # The hashes cost what they cost by default, so they take longer than it takes to send the requests.
    house = open_stack(password_passes=3, password_kib=65_536, password_queue=1)
    guest = invite(house)
    before = len(list(guest.api.decks()))
    transport = httpx.HTTPTransport(local_address=ELSEWHERE, limits=httpx.Limits(max_connections=SIGN_INS))
    with (
        httpx.Client(base_url=house.url, transport=transport, timeout=PATIENCE) as crowd,
        ThreadPoolExecutor(SIGN_INS) as pool,
    ):

        def sign_in(number: int) -> httpx.Response:
            body = {"handle": f"nobody{number}", "password": "a long guess"}
            return crowd.post("/api/v1/tokens", json=body)

        flood = [pool.submit(sign_in, number) for number in range(SIGN_INS)]
        while not all(each.done() for each in flood):
            assert len(list(guest.api.decks())) == before
        answers = [each.result() for each in flood]
    found = Counter((answer.status_code, answer.json()["code"]) for answer in answers)
    assert found.keys() == {(401, "wrong_password"), (503, "busy")}, found
    assert found[401, "wrong_password"] >= AT_ONCE
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in answers if answer.status_code == 503)
    identity = guest.vault.identity
    assert guest.api.issue_token(identity.handle, identity.password, "after the flood")
