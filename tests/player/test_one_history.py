"""One lock has one history: a seat that is shown two ends in a fault or in silence, never in a second share.

The seat is a `Session` with its vault. A house that held shares of one lock from two records would read the
hand under it, so these tests count the shares that the house gets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from player.house import HouseFault
from player.session import SendResult, Session
from player.vault import PlayerVault
from player.vault_format import LOWEST_COST, GameNote
from player.watchfulness import Concern
from referee.dealerless.masked import InPlay
from referee.game import Game
from tests.player.here import Here
from tests.player.memory_disk import MemoryDisk
from tests.player.seat_kit import identity
from tests.referee.dealerless.kit import Dealerless, verified


class Player:
    """Seat 0 as a program plays it, and the house that shows it a record of some table."""

    def __init__(self, table: Dealerless, disk: MemoryDisk | None = None) -> None:
        self.table = table
        self.api = Here(table)
        self.concerns: list[Concern] = []
        if disk is None:
            disk = MemoryDisk()
            made = PlayerVault.create_on(disk, "passphrase", identity(table), LOWEST_COST)
            made.keep(table.game.header.game, GameNote(0, table.seats[0].match_secret))
        self.disk = disk
        self.sit()

    def sit(self) -> None:
        """Sit down like a program that has just been started."""
        vault = PlayerVault.open_on(self.disk, "passphrase")
        self.session = Session(self.api, vault, self.table.game.header.game, warn=self.concerns.append)
        self.session.start()

    def show(self, table: Dealerless) -> None:
        """The house shows another table's record from now on."""
        self.table = table
        self.api.table = table

    def go_on(self) -> SendResult:
        """Read what is new and send what is due."""
        self.session.catch_up()
        return self.session.answer(lambda game: game.rules.legal(game.state, 0).sample(self.table.rng))

    def play(self, until: Callable[[Game], bool], steps: int = 60) -> None:
        """Everybody answers, until the house's game is so, or the seat is silent where all wait for it."""
        for _ in range(steps):
            if until(self.table.game):
                return
            others = [seat for seat in self.table.asked() if seat != 0]
            if self.go_on() is not SendResult.SENT and not others:
                return
            for seat in others:
                if seat in self.table.asked():
                    self.table.answer(seat)

    def shares(self) -> list[str]:
        """The shares that the house has got, message by message."""
        return [message.body["shares"] for message in self.api.heard if message.kind == "share"]


def asked_for(kind: str) -> Callable[[Game], bool]:
    """True once seat 0 is asked for this kind of message."""
    return lambda game: game.asking is not None and game.asking.kind == kind and 0 in game.asking.seats


def dealt(game: Game) -> bool:
    return game.deals > 0


def seated(seed: int = 3) -> Player:
    return Player(Dealerless.sit("cribbage", 3, seed=seed))


def fork(player: Player) -> Dealerless:
    """Another history from now on: its entries have other times, so whoever mixes later mixes otherwise."""
    other = player.table.copy()
    assert isinstance(other, Dealerless)
    other.now += 7
    return other


def test_a_seat_locks_mixes_and_shares_by_itself() -> None:
    player = seated()
    player.play(dealt)
    assert player.table.game.deals == 1
    assert len(player.shares()) == 1
    verified(player.table)


def test_every_lock_is_new_even_if_the_same_entry_asks_for_it() -> None:
    player = seated()
    player.play(asked_for("lock"))
    copies = [MemoryDisk(player.disk.data), MemoryDisk(player.disk.data)]
    locks = []
    for disk in copies:
        twin = Player(fork(player), disk)
        twin.go_on()
        locks.append(twin.api.heard[-1].body["lock"])
    assert locks[0] != locks[1]


def test_a_program_that_was_killed_goes_on_with_what_it_had_signed() -> None:
    player = seated()
    player.play(asked_for("share"))
    player.session.catch_up()
    player.api.silent = True
    with pytest.raises(Exception, match="no answer"):
        player.go_on()
    player.api.silent = False
    player.sit()
    player.play(dealt)
    shares = player.shares()
    assert len(shares) == 2
    assert shares[0] == shares[1], "the very message again"
    assert player.table.game.masked is not None
    assert 0 in player.table.game.masked.pack.locks
    verified(player.table)


@pytest.mark.parametrize("killed_at", ["mix", "share"])
def test_a_program_that_was_killed_while_cards_were_mixed_waits_for_the_next_lock(killed_at: str) -> None:
    player = seated()
    player.play(asked_for(killed_at))
    player.sit()
    player.play(dealt)
    assert player.shares() == []
    assert player.concerns
    assert {concern.code for concern in player.concerns} == {"lock_forgotten"}
    while not dealt(player.table.game):
        player.table.lapse()
        player.play(dealt)
    assert player.table.game.masked is not None
    assert 0 not in player.table.game.masked.pack.locks, "this deal is made without it"
    player.play(lambda game: game.deals > 1, 400)
    assert player.table.game.deals > 1
    assert 0 in player.table.game.masked.pack.locks, "and the next one with it"
    verified(player.table)


@pytest.mark.parametrize("kind", ["lock", "mix", "share"])
@pytest.mark.parametrize("how", ["restored", "twice", "killed"])
def test_two_histories_never_get_two_shares_of_one_lock(kind: str, how: str) -> None:
    """The house forks where the seat is asked for its lock, its mix or its share.

    In the one history it gets a share. In the other it meets the same program, killed and started again, or
    one with an older file, or a copy of it.
    """
    player = seated()
    player.play(asked_for(kind))
    player.session.catch_up()
    older = MemoryDisk(player.disk.data)
    other = fork(player)
    if how == "twice":
        twin = Player(other, older)  # both run from now on
    player.play(dealt)
    assert len(player.shares()) == 1
    lock = player.table.game.masked and player.table.game.masked.pack.locks[0]
    if how == "killed" and kind == "share":
        twin = Player(other, player.disk)
        twin.play(dealt)
        assert twin.shares() == [], "it has a receipt for its share, and says nothing more"
        return
    if how == "killed":
        with pytest.raises(HouseFault) as fault:
            Player(other, player.disk)
        assert fault.value.code == "rewritten", "a file that knows the first history tells"
        return
    if how == "restored":
        twin = Player(other, older)
    twin.play(dealt)
    theirs = other.game.masked and other.game.masked.pack.locks.get(0)
    if lock == theirs:
        assert twin.shares() == [], "silence"
    else:
        assert kind == "lock", "a new lock is of a new history"


# Tables whose clocks last for days


def by_correspondence(seconds: int) -> Player:
    """A game whose clocks all last so long. Where that is a day, the note alone decides (protocol 20.11)."""
    clocks = dict.fromkeys(("enter", "ready", "link", "mix", "cut", "lay", "card"), seconds)
    return Player(Dealerless.sit("cribbage", 3, seed=3, **clocks))


@pytest.mark.parametrize(("seconds", "killed_at"), [(86_400, "mix"), (86_400, "share"), (86_399, "share")])
def test_a_killed_program_shares_where_mixing_may_last_for_a_day(seconds: int, killed_at: str) -> None:
    player = by_correspondence(seconds)
    player.play(asked_for(killed_at))
    player.sit()
    player.play(dealt)
    codes = {concern.code for concern in player.concerns}
    if seconds < 86_400:
        assert (player.shares(), codes) == ([], {"lock_forgotten"})
        return
    assert (len(player.shares()), codes) == (1, set())
    assert player.table.game.masked is not None
    assert 0 in player.table.game.masked.pack.locks
    verified(player.table)


@pytest.mark.parametrize("kind", ["mix", "share"])
def test_the_file_of_a_slow_game_speaks_in_one_history(kind: str) -> None:
    player = by_correspondence(86_400)
    player.play(asked_for(kind))
    player.session.catch_up()
    other = fork(player)
    player.play(dealt)
    assert len(player.shares()) == 1
    if kind == "share":
        twin = Player(other, player.disk)
        twin.play(dealt)
        assert twin.shares() == [], "it has a receipt for its share, and says nothing more"
        return
    with pytest.raises(HouseFault) as fault:
        Player(other, player.disk)
    assert fault.value.code == "rewritten"


def test_an_older_file_of_a_slow_game_is_safe_in_one_record_alone() -> None:
    """The limit that docs/security.md names: nothing tells such a copy of a second record."""
    player = by_correspondence(86_400)
    player.play(asked_for("mix"))
    older, other = MemoryDisk(player.disk.data), fork(player)
    player.play(asked_for("share"))
    twin = Player(player.table, MemoryDisk(older.data))
    assert twin.go_on() is SendResult.NOTHING
    assert [concern.code for concern in twin.concerns] == ["lock_forgotten"]
    player.play(dealt)
    twin = Player(other, older)
    twin.play(dealt)
    assert (len(player.shares()), len(twin.shares())) == (1, 1)


def test_two_programs_with_one_file_sign_one_answer() -> None:
    player = seated()
    player.play(asked_for("lock"))
    second = Player(player.table, player.disk)
    second.session.catch_up()
    assert player.go_on() is SendResult.SENT
    assert second.session.answer() in (
        SendResult.ALREADY,
        SendResult.NOTHING,
        SendResult.GONE_ON,
        SendResult.SENT,
    )
    locks = {
        message.body["lock"] for message in (*player.api.heard, *second.api.heard) if message.kind == "lock"
    }
    assert len(locks) == 1


def test_a_second_program_that_is_shown_another_record_is_silent() -> None:
    player = seated()
    player.play(asked_for("mix"))
    other = fork(player)
    second = Player(other, player.disk)
    player.play(dealt)
    assert len(player.shares()) == 1
    written = player.disk.data
    second.play(dealt)
    assert second.api.heard == []
    assert player.disk.data == written


def test_a_program_whose_file_knows_another_record_says_so_before_it_writes() -> None:
    player = seated()
    player.play(asked_for("lock"))
    other = fork(player)
    second = Player(other, player.disk)
    player.play(asked_for("share"))
    while len(other.record) < len(player.table.record):
        other.leave(1_000, 2_000)  # the house says that it was away, so this record is as long
    with pytest.raises(HouseFault) as fault:
        second.play(dealt)
    assert fault.value.code == "rewritten"
    assert second.api.heard == []


def test_the_older_file_of_a_seat_that_has_mixed_elsewhere_is_silent() -> None:
    player = seated()
    player.play(asked_for("lock"))
    older = MemoryDisk(player.disk.data)
    player.play(asked_for("share"))
    twin = Player(player.table, older)
    assert twin.go_on() is SendResult.NOTHING
    assert [concern.code for concern in twin.concerns] == ["lock_forgotten"]


# Cards that are added to a deal in play


def in_two_deals() -> Player:
    """A game of Big C in which cards were added to the deal, and seat 0 has locked two packs.

    Locks are random, and so are the cards. So a game may be over before.
    """

    def twice(game: Game) -> bool:
        masked = game.masked
        packs = masked.packs if isinstance(masked, InPlay) else ()
        return sum(0 in pack.locks for pack in packs) == 2

    for seed in range(20):
        player = Player(Dealerless.sit("big-c", 4, seed=seed, hand=27, absent="play"))
        player.play(lambda game: game.over or (twice(game) and asked_for("move")(game)), 600)
        if not player.table.game.over:
            return player
    raise AssertionError("no game gets there")


def test_a_program_that_was_killed_plays_the_cards_of_both_deals() -> None:
    player = in_two_deals()
    first, second = player.session._note.older_locks, player.session._note.lock
    assert second is not None
    assert len(first) == 1
    assert first[0].fresh != second.fresh
    player.sit()
    hand = player.session.seat.hand(player.session.game)
    assert player.table.game.state.board.hands[0] <= hand.keys() | player.table.game.state.faces.keys()
    player.play(lambda game: game.over, 800)
    assert player.table.game.over
    assert not player.concerns
    verified(player.table)


def test_a_program_without_the_older_note_is_silent() -> None:
    player = in_two_deals()
    vault = PlayerVault.open_on(player.disk, "passphrase")
    game = player.table.game.header.game
    note = vault.note(game)
    assert note is not None
    vault.keep(game, replace(note, older_locks=()))
    player.sit()
    assert player.go_on() is SendResult.NOTHING
    assert {concern.code for concern in player.concerns} == {"lock_forgotten"}


def test_a_note_is_dropped_with_the_cards_under_its_lock() -> None:
    """No secret of a deal outlives it."""
    player = seated()
    player.play(lambda game: game.deals > 1, 400)
    assert player.session._note.older_locks == ()
