"""A player remembers everything from one sitting to the next, also at houses that hope for the contrary."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cards import games
from crypto.encoding import b64, canonical, parse
from crypto.fairness import Chain
from crypto.identity import public_key, verify
from player.follow import Follower
from player.house import ApiProblem, HouseFault, Unreachable
from player.sent_log import SentMessage
from player.session import TRIES, NotNow, SendResult, Session
from player.vault import PlayerVault
from player.vault_format import LOWEST_COST, GameNote, Identity, newer
from referee import Keeper, SeatedPlayer, opening, verify_record
from referee.faces import write_faces
from referee.message import read_receipt, receipt_holds
from tests.player.here import Here
from tests.player.memory_disk import MemoryDisk
from tests.referee.table import Table, bytes_of

Sit = Callable[[], Session]


@pytest.fixture
def table() -> Table:
    return Table.hearts(3, 5)


@pytest.fixture
def api(table: Table) -> Here:
    return Here(table)


@pytest.fixture
def vault(table: Table) -> PlayerVault:
    who = Identity(
        "ada", "http://127.0.0.1:9", public_key(table.keeper.private), table.seats[0].private, "unused"
    )
    made = PlayerVault.create_on(MemoryDisk(), "passphrase", who, LOWEST_COST)
    made.keep(table.game.header.game, GameNote(0, table.seats[0].match_secret))
    return made


@pytest.fixture
def sit(table: Table, api: Here, vault: PlayerVault) -> Sit:
    """Sits down like a program that has just been started."""

    def begin() -> Session:
        session = Session(api, PlayerVault.open_on(vault.disk, "passphrase"), table.game.header.game)
        session.start()
        return session

    return begin


def others(table: Table) -> None:
    """Have everybody else answer until only seat 0 is asked."""
    while table.game.asking is not None and 0 not in table.game.asking.seats:
        table.answer(*[seat for seat in table.asked() if seat])
    for seat in table.asked():
        if seat and table.game.asking is not None and seat in table.game.asking.seats:
            table.answer(seat)


def played(session: Session, table: Table, kind: str) -> None:
    """Play until seat 0 is asked for this kind of message and the others have answered."""
    while True:
        others(table)
        session.catch_up()
        asking = table.game.asking
        assert asking is not None
        if asking.kind == kind:
            return
        assert session.answer() is SendResult.SENT


def caught(sit: Sit) -> HouseFault:
    with pytest.raises(HouseFault) as found:
        sit()
    return found.value


def test_who_comes_back_goes_on(table: Table, sit: Sit) -> None:
    played(sit(), table, "link")
    session = sit()
    assert session.answer() is SendResult.SENT
    assert table.game.deals == 1


def test_pushed_entries_are_folded_like_fetched_ones(table: Table, sit: Sit) -> None:
    """Those that are known are passed over, a gap is fetched, and nothing is taken on trust."""
    session = sit()
    played(session, table, "link")
    known = session.game.seq
    assert session.answer() is SendResult.SENT
    others(table)
    record = [entry.json() for entry in table.record]
    assert session.follower.feed(record[: known + 1]) == 0
    assert session.follower.feed([record[known + 1]]) == 1
    assert session.game.seq == known + 1
    assert session.follower.feed(record[-1:]) == len(record) - known - 2
    assert session.game.digest == table.game.digest
    assert session.follower.feed([*record, "rubbish", {"seq": None}]) == 0
    with pytest.raises(HouseFault):
        session.follower.feed([{**record[-1], "seq": len(record)}])


def test_a_record_that_ends_before_what_was_read(table: Table, api: Here, sit: Sit) -> None:
    """The house asks again for a message that it has, and hopes for another one."""
    session = sit()
    played(session, table, "link")
    assert session.answer() is SendResult.SENT
    seen = api.heard[-1].body["seen"]["seq"]
    api.shown = table.record[:seen]
    fault = caught(sit)
    assert fault.code == "rewritten"
    [said] = [item for item in fault.evidence["said"] if item["message"]["kind"] == "link"]
    assert receipt_holds(read_receipt(said["receipt"]), table.game.header.house_key)


def test_a_record_that_goes_on_otherwise(table: Table, api: Here, sit: Sit) -> None:
    """The others choose again after they saw our link. The entry that our link had seen is gone."""
    session = sit()
    played(session, table, "ready")
    fork = table.copy()
    fork.now += 7
    assert session.answer() is SendResult.SENT
    others(table)
    session.catch_up()
    assert session.answer() is SendResult.SENT
    assert api.heard[-1].kind == "link"
    fork.answer(0)
    others(fork)
    assert len(fork.record) > api.heard[-1].body["seen"]["seq"]
    api.shown = fork.record
    fault = caught(sit)
    assert fault.code == "rewritten"
    known, entry = fault.evidence["said"][-1]["message"]["body"]["seen"], fault.evidence["entry"]
    assert known["seq"] == entry["seq"]
    assert known["digest"] != b64(fork.record[entry["seq"]].digest)


def test_another_game_under_the_same_id(table: Table, api: Here, sit: Sit, vault: PlayerVault) -> None:
    """Another game gets other secrets.

    The same ones would give links that the house has seen, and the same order.
    """
    vault.forget(table.game.header.game)
    sit()
    header = table.game.header
    keeper = Keeper(table.keeper.private, Chain(bytes_of("another") + bytes_of("chain")))
    players = [SeatedPlayer(player.name, player.key) for player in header.players]
    _, api.shown = opening(keeper, header.game, games.find("hearts"), {}, players, [], table.now)
    assert caught(sit).code == "rewritten"


def test_a_house_that_was_put_back_says_so(table: Table, api: Here, sit: Sit) -> None:
    """A house restored from a backup has lost messages and stops the game. That is no fraud."""
    played(sit(), table, "link")
    api.shown, api.refusal = table.record[:3], ApiProblem(409, "game_stopped", "It was stopped.")
    with pytest.raises(ApiProblem) as found:
        sit()
    assert found.value.code == "game_stopped"


@pytest.mark.parametrize("kind", ["enter", "ready", "link"])
def test_a_message_denied_while_its_player_was_away(table: Table, api: Here, sit: Sit, kind: str) -> None:
    session = sit()
    played(session, table, kind)
    api.deaf = True
    assert session.answer() is SendResult.SENT
    table.lapse()
    fault = caught(sit)
    assert fault.code == "false_timeout"
    message, receipt = api.heard[-1], read_receipt(fault.evidence["receipt"])
    assert fault.evidence["message"] == message.json()
    assert receipt.message == message.digest
    assert receipt_holds(receipt, table.game.header.house_key)
    assert verify(table.game.header.players[0].key, message.digest, message.signature)
    record = canonical(fault.json()["record"])
    assert verify_record(record, unfinished=True).valid
    assert fault.evidence["entry"] in parse(record)["entries"]


def test_what_was_signed_for_a_step_is_sent_again_as_it_was(table: Table, api: Here, sit: Sit) -> None:
    """The receipt was lost, and nobody knows whether the house has the message."""
    session = sit()
    played(session, table, "ready")
    api.silent, record = True, list(table.record)
    with pytest.raises(Unreachable):
        session.answer()
    assert len(table.record) > len(record)
    api.silent, api.shown = False, record
    again = sit()
    assert again.answer() is SendResult.SENT
    assert api.heard[-1] == api.heard[-2]
    api.shown = None
    assert sit().answer() is SendResult.SENT
    assert api.heard[-1].kind == "link"


def test_a_choice_that_was_taken_is_not_asked_for_again(table: Table, sit: Sit, api: Here) -> None:
    """A message that waits leaves no trace in the record."""
    session = sit()
    played(session, table, "move")
    assert session.asks() is not None
    move = session.seen().rules.absent(session.seen().state, 0)
    record = list(table.record)
    assert session.choose(move) is SendResult.SENT
    api.shown = record  # as if it waited
    assert sit().asks() is None


@pytest.mark.parametrize(("status", "kept"), [(409, []), (503, ["ready"])])
def test_what_is_refused_was_not_said(
    table: Table, api: Here, sit: Sit, vault: PlayerVault, status: int, kept: list[str]
) -> None:
    """A refused message counts as not said.

    But a house that broke down over a message may have it all the same.
    """
    session = sit()
    played(session, table, "ready")
    api.broken = ApiProblem(status, "wrong_step" if status == 409 else "internal", "No.")
    if status == 409:
        assert session.answer() is SendResult.GONE_ON
    else:
        with pytest.raises(ApiProblem):
            session.answer()
    note = PlayerVault.open_on(vault.disk, "passphrase").note(table.game.header.game)
    assert note is not None
    assert [said.message.kind for said in note.sent] == kept
    api.broken, refused = None, api.heard[-1]
    table.now += 5
    assert sit().answer() is SendResult.SENT
    assert api.heard[-1] == refused, "the same bytes, for nothing was to be seen since"


def offered(session: Session, table: Table, api: Here) -> None:
    """Seat 0 is asked for a choice and has offered a draw. The house shows the record without the offer."""
    played(session, table, "move")
    record = list(table.record)
    assert session.offer_draw() is SendResult.SENT
    assert table.record[-1].kind == "draw"
    api.shown = record


@pytest.mark.parametrize("kind", ["resign", "draw"])
def test_what_no_step_asks_for_reaches_a_game_that_has_gone_on(table: Table, sit: Sit, kind: str) -> None:
    """Another device of ours has played on. The house takes such a message one step late, and no later."""
    session = sit()
    played(session, table, "move")
    step = session.game.step
    while table.game.closed[0] <= step:
        table.step()
    send = session.resign if kind == "resign" else session.offer_draw
    assert send() is SendResult.SENT
    found = next(entry for entry in reversed(table.record) if entry.kind == kind)
    assert (found.actor, found.step > step + 1) == ("0", True)


@pytest.mark.parametrize("kind", ["resign", "draw"])
def test_what_no_step_asks_for_is_too_late_after_the_end(table: Table, sit: Sit, kind: str) -> None:
    session = sit()
    played(session, table, "move")
    table.send(table.seats[1].resign(table.views[1]))
    while table.game.outcome is None:
        table.step()
    send = session.resign if kind == "resign" else session.offer_draw
    assert send() is SendResult.GONE_ON
    with pytest.raises(NotNow) as found:
        send()
    assert found.value.code == "game_over"


def test_a_house_that_refuses_for_ever_is_not_asked_for_ever(table: Table, api: Here, sit: Sit) -> None:
    session = sit()
    played(session, table, "move")
    api.broken, before = ApiProblem(409, "wrong_step", "No."), len(api.heard)
    with pytest.raises(ApiProblem):
        session.resign()
    assert len(api.heard) - before == TRIES + 1


def test_nothing_is_said_before_what_was_said_last_is_read(table: Table, api: Here, sit: Sit) -> None:
    """Otherwise the house could enter a draw offer behind the move that ends it, and have it agreed to."""
    session = sit()
    offered(session, table, api)
    move = session.seen().rules.absent(session.seen().state, 0)
    assert session.answer(lambda game: move) is SendResult.NOTHING
    with pytest.raises(NotNow):
        session.choose(move)
    api.shown = None
    assert session.choose(move) is SendResult.SENT
    draw = next(entry for entry in table.record if entry.kind == "draw")
    assert api.heard[-1].body["seen"]["seq"] >= draw.seq


def test_an_entry_that_is_not_what_the_house_said(table: Table, api: Here, sit: Sit) -> None:
    """The house took the offer as an entry, and shows another entry there."""
    session = sit()
    played(session, table, "move")
    fork = table.copy()
    fork.send(fork.seats[1].offer_draw(fork.views[1]))
    assert session.offer_draw() is SendResult.SENT
    assert len(fork.record) == len(table.record)
    api.shown = fork.record
    with pytest.raises(HouseFault) as found:
        session.catch_up()
    assert found.value.code == "not_entered"
    assert found.value.evidence["message"] == api.heard[-1].json()


def test_who_is_out_accuses_nobody() -> None:
    """A waiting message never enters once its seat has resigned: the time-out is right (protocol 10.6)."""
    table = Table.open("cribbage", 3, options={"absent": "play"}, seed=3)
    while table.game.asking is None or not table.game.asking.held:
        table.step()
    api = Here(table)
    follower = Follower(api, table.game.header.game, public_key(table.keeper.private))
    follower.catch_up()
    follower.sit(table.seats[0])
    follower.send(table.message(0))
    assert 0 in table.waiting
    follower.send(table.seats[0].resign(table.views[0]))
    follower.catch_up()
    assert [entry.kind for entry in follower.entries[-2:]] == ["resign", "timeout"]


def test_a_hand_that_was_not_dealt_convicts_by_the_statement(table: Table, api: Here) -> None:
    """The lie is found when the deal is shown. A judge needs the house's statement of that hand."""
    played_to = table.until("move")
    own = sorted(played_to.rules.sees(played_to.state, 0))
    faces = {p: table.game.state.faces[p] for p in own}
    first = own[0]
    foreign = next(f for p, f in table.game.state.faces.items() if p not in faces)
    other = {**faces, first: foreign}
    told = write_faces(table.keeper.private, table.game.header.game, 1, 0, other)
    api.faces = lambda game_id: [told]  # type: ignore[method-assign]
    follower = Follower(api, table.game.header.game, public_key(table.keeper.private))
    follower.catch_up()
    follower.sit(table.seats[0])
    while table.record[-1].kind != "link":  # of the next deal: this one was shown
        table.step()
    with pytest.raises(HouseFault) as found:
        follower.catch_up()
    assert found.value.evidence["faces"] == [told]


def test_of_two_devices_the_one_that_has_read_further_counts(
    table: Table, sit: Sit, vault: PlayerVault
) -> None:
    played(sit(), table, "link")
    game = table.game.header.game
    note = PlayerVault.open_on(vault.disk, "passphrase").note(game)
    assert note is not None
    assert isinstance(note.sent[-1], SentMessage)
    old = GameNote(0, note.match_secret, head=(0, table.record[0].digest))
    assert newer(game, old, note) == newer(game, note, old) == note


def chefs() -> tuple[Table, Here, PlayerVault]:
    """A match of Pancake whose first meals are asked for, and a vault with the secrets of seat 0."""
    table = Table.chef(5)
    table.until("seal")
    seat = table.seats[0]
    who = Identity("ada", "http://127.0.0.1:9", public_key(table.keeper.private), seat.private, "unused")
    vault = PlayerVault.create_on(MemoryDisk(), "passphrase", who, LOWEST_COST)
    deck = {card.number: seat.deck.count(card) for card in seat.deck}
    vault.keep(table.game.header.game, GameNote(0, seat.match_secret, deck))
    return table, Here(table), vault


def test_two_programs_at_one_seat_give_one_answer() -> None:
    """The second program seals what the first has sealed, and the choice that opens it stays."""
    table, api, vault = chefs()
    game = table.game.header.game
    one, other = (Session(api, PlayerVault.open_on(vault.disk, "passphrase"), game) for _ in range(2))
    for session in (one, other):
        session.start()
    first = {"dishes": [{"course": 2, "recipe": None, "ingredients": []}]}
    assert one.choose(first) is SendResult.SENT
    assert other.answer(lambda seen: {"dishes": []}) is SendResult.SENT
    assert api.heard[-1] == api.heard[-2]
    kept = vault.reread(game)
    assert kept is not None
    assert kept.kept is not None
    assert kept.kept.choice == first


def test_a_seal_of_another_device_is_opened_once_its_file_is_there() -> None:
    """A session that runs already reads it: nobody has to sit down anew."""
    table, api, vault = chefs()
    game = table.game.header.game
    copy = MemoryDisk(vault.disk.read())
    one, other = (Session(api, PlayerVault.open_on(disk, "passphrase"), game) for disk in (vault.disk, copy))
    for session in (one, other):
        session.start()
    assert one.choose({"dishes": []}) is SendResult.SENT
    table.answer(1)
    other.catch_up()
    assert other.locked_out()
    assert not other.recover()
    assert other.answer() is SendResult.NOTHING
    other.vault.take_in(PlayerVault.open_on(vault.disk, "passphrase").contents)
    assert other.locked_out()
    assert other.recover()
    assert other.answer() is SendResult.SENT
    assert api.heard[-1].kind == "reveal"


def test_two_programs_that_begin_a_game_have_one_secret(table: Table, api: Here, vault: PlayerVault) -> None:
    game = table.game.header.game
    vault.forget(game)
    one, other = (Session(api, PlayerVault.open_on(vault.disk, "passphrase"), game) for _ in range(2))
    one.start()
    other.start()  # its vault was read before there was a note
    assert one.seat.match_secret == other.seat.match_secret
