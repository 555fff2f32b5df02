"""A house that lies about its absences, and a friend of the house who withholds links (protocol 7, 10.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from client.http import Api
from crypto.encoding import parse_timestamp, timestamp
from crypto.fairness import leads
from crypto.identity import public_key
from player.follow import Follower
from player.house import Acknowledgement, HouseFault
from player.sent_log import SentMessage
from referee import Entry, Game, Refused, apply, close, due, write_receipt
from referee.checks import Trusting
from referee.house import opening
from referee.message import Message
from referee.record import write_entry
from tests.attack.ledger import Outcome, attack
from tests.referee.table import Table, quietly

pytestmark = pytest.mark.slow

HOUSE = "the house's key"
HOUR = 3_600_000


class Liar(Api):
    """A house in this process, at a table, that may write of its absences what it likes."""

    def __init__(self, table: Table) -> None:
        super().__init__("http://127.0.0.1:9")
        self.table = table
        self.lies: list[Entry] = []

    def entries(self, game_id: str, after: int = -1, wait: float = 0.0) -> tuple[list[dict[str, Any]], bool]:
        return [entry.json() for entry in [*self.table.record, *self.lies][after + 1 :]], False

    def faces(self, game_id: str) -> list[dict[str, Any]]:
        return []

    def send(self, message: Message) -> Acknowledgement:
        held = len(self.table.record)
        self.table.send(message)
        seq = held if len(self.table.record) > held else None
        return Acknowledgement(write_receipt(self.table.keeper.private, message.digest, self.table.now), seq)

    def lie(self, began: int, ended: int) -> None:
        """Say that the house was away, in signed words."""
        head, game = self.table.record[-1], self.table.game
        body = {"from": timestamp(began), "until": timestamp(ended)}
        private = self.table.keeper.private
        self.lies = [write_entry(private, (head.seq, head.digest), ended, game.step, "house", "away", body)]


def sitting(api: Liar, **more: Any) -> Follower:
    table = api.table
    follower = Follower(api, table.game.header.game, public_key(table.keeper.private), **more)
    follower.catch_up()
    follower.seat = table.seats[0]
    return follower


def convicted(follower: Follower) -> Mapping[str, Any]:
    """The evidence with which the follower stops."""
    with pytest.raises(HouseFault) as caught:
        follower.catch_up()
    assert caught.value.code == "was_there"
    return caught.value.evidence


@attack(
    "an absence dated over a receipt for a held message", "protocol 10.7", knows=HOUSE, withstands="convicted"
)
def test_an_absence_over_a_receipt() -> None:
    """The house stretches everybody's clock: it says that it was away while it took a move that it holds."""
    table = Table.chef()
    table.choose = quietly
    table.until("move")
    with Liar(table) as api:
        follower = sitting(api)
        began = table.now = table.now + 1_000
        table.now += 500
        follower.send(table.message(0))
        api.lie(began, began + HOUR)
        evidence = convicted(follower)
    from tests.docs.page_papers import no_absence

    entries = [entry.json() for entry in table.record]
    no_absence([*entries, evidence["entry"]], receipt=evidence["receipt"])


@attack(
    "an absence dated over a receipt in another game", "protocol 10.7", knows=HOUSE, withstands="convicted"
)
def test_an_absence_over_a_receipt_elsewhere() -> None:
    table, other = Table.hearts(3, 1), Table.hearts(3, 1)
    message = other.message(0)
    at = table.now + 90_000
    elsewhere = SentMessage(message, write_receipt(other.keeper.private, message.digest, at))
    with Liar(table) as api:
        follower = sitting(api, elsewhere=lambda: [elsewhere])
        api.lie(at - 60_000, at + 1)
        evidence = convicted(follower)
    assert evidence["receipt"] == elsewhere.json()["receipt"]
    for began, ended in ((at, at + HOUR), (at - 60_000, at)):
        with Liar(table) as api:
            follower = sitting(api, elsewhere=lambda: [elsewhere])
            api.lie(began, ended)
            follower.catch_up()  # the borders are no part of it


@attack(
    "a receipt dated inside an absence that was entered before",
    "protocol 10.7",
    knows=HOUSE,
    withstands="convicted",
)
def test_a_receipt_inside_an_absence() -> None:
    table = Table.hearts(3)
    with Liar(table) as api:
        follower = sitting(api)
        table.leave(30_000, HOUR)
        follower.catch_up()
        message = table.message(0)
        inside = table.now - HOUR // 2
        receipt = write_receipt(table.keeper.private, message.digest, inside)
        api.send = lambda message: Acknowledgement(receipt, None)  # type: ignore[method-assign]
        with pytest.raises(HouseFault) as caught:
            follower.send(message)
        assert caught.value.code == "was_there"


@attack("clocks stretched by absences without end", "protocol 10.6", knows=HOUSE)
def test_absences_without_end(outcome: Outcome) -> None:
    """A millisecond now and then would give a friend 30 s each time: a day in all is the bound."""
    table = Table.hearts(3, options={"enter": 60})
    begun, times = table.now, 0
    while table.leave(1, 1):
        times += 1
    assert table.game.asking is not None
    gained = table.game.asking.deadline - begun
    assert times == 24 * HOUR // 30_000
    assert gained <= 24 * HOUR + 60_000
    outcome.rejected(
        times, f"after {times} of them no more is taken; they gave {gained / HOUR:.1f} h together"
    )


# The choice of two packs a deal


def choosing(table: Table, friend: int) -> int:
    """House and friend choose, deal by deal, between the friend's link and a time-out; how often they could.

    They compute both packs beforehand: the friend has its chain, the house its own. What they like is that
    the friend's hand holds more high cards; any taste would do.
    """
    choices = 0
    chain = table.keeper.chain
    while not table.game.over:
        asking = table.game.asking
        assert asking is not None
        if asking.kind != "link" or table.game.deals == 0:
            table.step()
            continue
        table.answer(*sorted(asking.seats - {friend}))
        number = table.game.deals + 1
        assert leads(chain.link(number), number, table.game.house_newest[1], table.game.house_newest[0])
        given = after_link(table, friend, silent=False)
        kept = after_link(table, friend, silent=True)
        if kept is None or (given is not None and taste(given, friend) >= taste(kept, friend)):
            table.answer(friend)
        else:
            choices += 1
            while table.game.asking is not None and table.game.asking.kind == "link":
                table.lapse()
    return choices


def after_link(table: Table, friend: int, silent: bool) -> Game | None:
    """The game after the friend's link or its time-out; None if that ends it."""
    fork = table.copy()
    fork.checks = Trusting()  # type: ignore[assignment]
    if silent:
        when = due(fork.game, set())
        assert when is not None
        game, _ = close(fork.keeper, fork.game, {}, when)
    else:
        fork.answer(friend)
        game = fork.game
    return None if game.over else game


def taste(game: Game, friend: int) -> int:
    """How much the coalition likes the friend's new hand."""
    hand = game.state.board.hand.held[friend]
    return sum("A23456789".find(game.state.faces[p][0]) < 0 for p in hand)


@attack(
    "links withheld for the better of two packs", "protocol 7", knows="the house's chain and the friend's"
)
def test_links_withheld_for_the_better_pack(outcome: Outcome) -> None:
    """A friend of the house may choose twice in a game; without the clause, deal after deal."""
    most = 0
    for seed in range(3):
        table = Table.open("cribbage", 2, options={"games": 3}, seed=seed)
        most = max(most, choosing(table, 1))
        assert table.game.seat(1).withheld <= 2
    weak = 0
    for seed in range(3):
        table = unclaused("cribbage", 2, {"games": 3}, seed)
        weak = max(weak, choosing(table, 1))
    assert most <= 2
    assert weak > 5
    outcome.rejected(6, f"at most {most} choices a game; without the clause {weak}")


@attack("a third link withheld all the same", "protocol 7", knows="the house's chain and the friend's")
def test_a_third_link_withheld_loses(outcome: Outcome) -> None:
    """The house can't deal on with its friend at the table: nobody takes that deal."""
    table = Table.open("cribbage", 2, options={"games": 9}, seed=5)
    table.choose = quietly
    table.silent = lambda table, seat: (
        seat == 1
        and table.game.deals > 0
        and table.game.asking is not None
        and table.game.asking.kind == "link"
    )
    while not table.game.over:
        table.step()
    assert table.game.outcome is not None
    assert (table.game.outcome.reason, table.game.outcome.winners) == ("missed", (0,))
    cut = next(
        i
        for i, entry in enumerate(table.record)
        if entry.kind in ("shown", "result") and i > len(table.record) - 4
    )
    game = None
    for entry in table.record[:cut]:
        game = apply(game, entry, Trusting())
    assert game is not None
    body = {"deal": game.deals + 1, "link": None, "drawn": [{"seat": None, "count": 52}]}
    head = table.record[cut - 1]
    fake = write_entry(
        table.keeper.private, (head.seq, head.digest), head.at, game.step + 1, "house", "deal", body
    )
    with pytest.raises(Refused) as refused:
        apply(game, fake, Trusting())
    outcome.rejected(1, f"refused with {refused.value.code}")


def unclaused(mode: str, seats: int, options: Mapping[str, Any], seed: int) -> Table:
    """The same game by rules of before: its first entry names no clause."""
    table = Table.open(mode, seats, options=options, seed=seed)
    header = table.game.header
    given = {name: header.options[name] for name in header.options}
    game, entries = opening(
        table.keeper,
        header.game,
        header.mode,
        given,
        header.players,
        [],
        parse_timestamp(timestamp(table.now)),
        None,
        (),
    )
    return replace(table, game=game, record=list(entries), views=[game] * seats, spectator=game)
