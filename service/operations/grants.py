"""Grants: what the operator of the house gives a player, such as a prize. Each is written in the books."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sqlmodel import Session, col, select

from cards.catalog.boosters import Booster
from service.models import Grant, Player
from service.operations import acts, boosters, collection, feed, ledger, players
from service.operations.ledger import MINT, Transfer
from service.runtime import Runtime

MOST_COINS = 1_000_000
MOST_BOOSTERS = 100
MOST_COPIES = 100
NAME_LENGTH = 60


class BadGrantError(ValueError):
    """A grant that is not possible; `faults` says each reason in a sentence."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(" ".join(faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Gift:
    """What a grant gives: coins, boosters of one set, and copies by card number."""

    coins: int = 0
    boosters: int = 0
    set_code: str | None = None
    """The code of the boosters' set; None for the newest set that has some."""
    cards: Mapping[int, int] = field(default_factory=dict)
    soulbound: bool = False
    """True if the copies, and those in the boosters, stay with the player for ever."""


@dataclass(frozen=True, slots=True)
class Granted:
    """A grant, and whether the player had it already."""

    grant: Grant
    before: bool


def give(house: Runtime, handle: str, gift: Gift, name: str | None = None) -> Granted:
    """Give a player something, in one transaction.

    A player gets a grant of one `name` once: the second time nothing changes. Raises `BadGrantError`, and
    `Problem` 404 for an unknown player.
    """
    rules = _rules(house, gift)
    faults = [*_faults(gift, name), *_card_faults(house, gift.cards)]
    if faults:
        raise BadGrantError(faults)
    with house.write() as session:
        player = players.find(session, handle, house.now())
        session.exec(select(Player.id).where(Player.id == player.id).with_for_update(key_share=True)).one()
        had = None if name is None else _named(session, player.id, name)
        if had is not None:
            return Granted(had, True)
        grant = Grant(
            player_id=player.id,
            name=name,
            at=house.now(),
            coins=gift.coins,
            boosters=gift.boosters,
            copies=sum(gift.cards.values()),
        )
        session.add(grant)
        session.flush()
        _give(house, session, grant, gift, rules)
        return Granted(grant, False)


def _give(house: Runtime, session: Session, grant: Grant, gift: Gift, rules: Booster | None) -> None:
    player_id, origin = grant.player_id, f"granted:{grant.id}"
    if gift.coins:
        paid = Transfer(MINT, player_id, coins=gift.coins)
        ledger.post(session, "grant", [paid], grant.at, f"grant:{grant.id}")
    if gift.cards:
        collection.give(
            session, player_id, gift.cards, origin, grant.at, kind="grant", soulbound=gift.soulbound
        )
    if rules is not None:
        for _ in range(gift.boosters):
            boosters.add(session, player_id, rules, origin, grant.at, soulbound=gift.soulbound)
    given = {"coins": grant.coins, "boosters": grant.boosters, "copies": grant.copies}
    feed.add(house, session, [player_id], "grant.received", **given)
    said = {**given, "grant": grant.id, "name": grant.name}
    acts.enter(session, acts.OPERATOR, "granted", ("player", player_id), grant.at, **said)


def _named(session: Session, player_id: str, name: str) -> Grant | None:
    named = select(Grant).where(Grant.player_id == player_id, col(Grant.name) == name)
    return session.exec(named).first()


def _rules(house: Runtime, gift: Gift) -> Booster | None:
    """The rules of the boosters to give; None if the gift has none. Raises `BadGrantError`."""
    if not gift.boosters:
        return None
    sold = boosters.on_sale(house)
    rules = boosters.newest(house) if gift.set_code is None else sold.get(gift.set_code)
    if rules is None:
        raise BadGrantError([f"That set has no boosters. Sets with boosters: {', '.join(sold) or 'none'}."])
    return rules


def _faults(gift: Gift, name: str | None) -> Iterator[str]:
    copies = sum(gift.cards.values())
    if not (gift.coins or gift.boosters or copies):
        yield "A grant gives coins, boosters or copies."
    bounds = (
        ("coins", gift.coins, MOST_COINS),
        ("boosters", gift.boosters, MOST_BOOSTERS),
        ("copies", copies, MOST_COPIES),
    )
    for what, count, most in bounds:
        if not 0 <= count <= most:
            yield f"A grant gives 0 to {most} {what}, not {count}."
    if name is not None and not (1 <= len(name) <= NAME_LENGTH and name.isprintable()):
        yield f"The name of a grant has 1 to {NAME_LENGTH} visible characters."


def _card_faults(house: Runtime, cards: Mapping[int, int]) -> Iterator[str]:
    for number, count in cards.items():
        printing = house.catalog.printings.get(number)
        if printing is None:
            yield f"There is no card {number}."
        elif printing.retired:
            yield f"{printing.card.name} was withdrawn: no more copies are made of it."
        elif count < 1:
            yield f"{count} copies of {printing.card.name} can't be given."
