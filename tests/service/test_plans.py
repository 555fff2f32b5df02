"""What players do among each other costs no more in a house of many players: no plan reads a whole table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.load import crowded, crowded_cups, scene
from benchmarks.load.deeds import DEEDS, LISTS
from benchmarks.turns.house import InProcessHouse
from service.operations import accounts, credentials, game_challenges, housekeeping, queue, roles
from service.runtime import Runtime
from tests.service.plans_kit import Asked, noted, read_whole
from tests.service.service_kit import PASSWORD, Guest, app_of

STAYS_SMALL = {
    "envelope_key",
    "absence",
    "act_head",
    "chore",
    "presence",
    "rating_head",
    "ledger_head",
    "role",
    "sanction",
}
"""Tables with few rows, however many players there are."""
WALKED = {"act", "tournament"}
"""Tables that are read in the order of their key, as far as a page goes."""
SOMEBODY = f"/players/{crowded.handle(7)}"
PLAYERS = 60


def test_no_list_reads_a_whole_table(house: Runtime, seat: Callable[..., Guest]) -> None:
    ann = furnished(house, seat)
    with noted(house.database) as asked:
        for path in LISTS.values():
            answer = ann.get(path.format(limit=5))
            assert answer.status_code == 200, (path, answer.text)
        following = ann.get(f"/leaderboards/{crowded_cups.MODE}?limit=2").json["next"]
        assert ann.get(f"/leaderboards/{crowded_cups.MODE}?limit=2&cursor={following}").status_code == 200
    require_indexed(house, asked)


def test_no_operation_reads_a_whole_table(house: Runtime, seat: Callable[..., Guest]) -> None:
    ann, bob = furnished(house, seat), seat("bob")
    with noted(house.database) as asked:
        deeds(house, ann, bob)
    require_indexed(house, asked)


def test_nothing_that_is_measured_reads_a_whole_table(house: Runtime) -> None:
    """What `cloche load --grown` measures, tournaments too."""
    crowded.fill(house, PLAYERS)
    at = scene.furnished(InProcessHouse(house, app_of(house)))
    with noted(house.database) as asked:
        for deed in DEEDS.values():
            assert deed(at) > 0
    require_indexed(house, asked)


def test_leaving_reads_no_whole_table(house: Runtime, seat: Callable[..., Guest]) -> None:
    ann = furnished(house, seat)
    player = queue_player(house, ann)
    with noted(house.database) as asked:
        assert ann.post("/me/export", None).status_code == 200
        accounts.delete(house, player, credentials.Password(PASSWORD))
    require_indexed(house, asked)


def test_chores_that_players_wait_for_read_no_whole_table(house: Runtime, seat: Callable[..., Guest]) -> None:
    furnished(house, seat)
    with noted(house.database) as asked:
        queue.due(house, 50)
        for name in housekeeping.SOONER_MS:
            housekeeping.CHORES[name](house, house.now())
        accounts.clear_late(house, house.now())
    require_indexed(house, asked)


def furnished(house: Runtime, seat: Callable[..., Guest]) -> Guest:
    """Let a crowd in, and a moderator who has played."""
    crowded.fill(house, PLAYERS)
    ann = seat("Ann")
    crowded.add_past(house, ann.id)
    roles.give(house, None, "ann", roles.MODERATOR)
    return ann


def queue_player(house: Runtime, guest: Guest) -> roles.Player:
    with house.read() as session:
        return roles.players.find(session, guest.handle, house.now())


def deeds(house: Runtime, ann: Guest, bob: Guest) -> None:
    """Do everything once that players and moderators do about each other."""
    assert ann.post("/queue", {"mode": crowded_cups.MODE}).status_code == 200
    assert ann.get("/queue").status_code == 200
    assert queue.pair(house, ann.id) is not None
    assert ann.delete("/queue").status_code == 204
    made = [ann.post("/challenges", {"to": "bob", "mode": crowded_cups.MODE, "rated": True}).json["id"]]
    assert bob.post(f"/challenges/{made[0]}/accept", {}).status_code == 200
    made.append(ann.post("/challenges", {"to": "bob", "mode": crowded_cups.MODE}).json["id"])
    assert ann.post(f"/challenges/{made[1]}/withdraw", None).status_code == 200
    game_challenges.expire(house, house.now())
    report = bob.post("/reports", {"about": crowded.handle(9), "kind": "other", "note": ""}).json["id"]
    for verb, body in (("take", None), ("close", {"verdict": "dismissed", "remark": ""})):
        assert ann.post(f"/moderation/reports/{report}/{verb}", body).status_code == 200
    path = f"/moderation{SOMEBODY}/suspension"
    assert ann.put(path, {"reason": "x", "hours": 1}).status_code == 200
    assert ann.delete(path).status_code == 204
    renamed = {"reason": "x", "handle": "robert"}
    assert ann.post(f"/moderation{SOMEBODY}/rename", renamed).status_code == 200
    assert ann.patch("/me", {"handle": "Annabel"}).status_code == 200
    assert bob.put(f"/me/blocks/{crowded.handle(9)}", None).status_code == 200
    assert bob.delete(f"/me/blocks/{crowded.handle(9)}").status_code == 204
    table = ann.post("/tables", {"mode": crowded_cups.MODE, "rated": True}).json["id"]
    assert bob.post(f"/tables/{table}/join", {}).status_code == 200


def require_indexed(house: Runtime, asked: Sequence[Asked]) -> None:
    """Fail if a statement reads a whole table that grows."""
    found = read_whole(house.database, asked)
    grown = [f"{table}: {said}" for table, said in found.items() if table not in STAYS_SMALL | WALKED]
    assert not grown, "\n".join(grown)
