"""Boosters: buy, win and open them. Nobody can steer which cards come out (docs/boosters.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, select

from cards.catalog.boosters import Booster, counted, of_set, read_booster
from crypto.encoding import b64, parse_timestamp, unb64
from crypto.fairness import CHAIN_LENGTH, Chain
from referee.boosters import (
    FIRST,
    BoosterDraw,
    file_bytes,
    opening_digest,
    rules_digest,
    write_commitment,
    write_opening,
)
from service.db import upsert
from service.keys import Keys
from service.models import BoosterChain, BoosterOpening, BoosterRow, BoosterRules, Copy, Player
from service.operations import collection, ledger
from service.operations.ledger import TILL, Transfer
from service.problems import Fault, conflict, invalid, not_found
from service.runtime import Runtime

PRICE = 50
"""The price of a booster in coins."""


@dataclass(frozen=True, slots=True)
class OpenedBooster:
    """An opened booster: the opening that the house signed, and the new copies."""

    opening: dict[str, Any]
    copies: list[Copy]


def on_sale(house: Runtime) -> dict[str, Booster]:
    """The boosters on sale now, by the code of their set."""
    found = {card_set.code: of_set(card_set) for card_set in house.catalog.sets}
    return {code: rules for code, rules in found.items() if rules is not None}


def buy(house: Runtime, player_id: str, set_code: str) -> BoosterRow:
    """Buy a booster of a set. Raises `Problem` 422 for a set without boosters, 409 for too few coins."""
    rules = on_sale(house).get(set_code)
    if rules is None:
        text = f"That set has no boosters. Sets with boosters: {', '.join(on_sale(house)) or 'none'}."
        raise invalid("no_boosters", text, [Fault("no_boosters", text, "/set")])
    now = house.now()
    with house.write() as session:
        ledger.take(session, player_id, PRICE)
        booster = _add(session, player_id, rules, "bought", now)
        paid = Transfer(player_id, TILL, coins=PRICE)
        ledger.post(session, "purchase", [paid], now, f"booster:{booster.id}")
        return booster


def award(house: Runtime, session: Session, player_id: str, game_id: str, now: int) -> str | None:
    """Give a booster of the newest set for a win; returns its id, or None if no set has boosters."""
    rules = next(reversed(on_sale(house).values()), None)
    return None if rules is None else _add(session, player_id, rules, f"won:{game_id}", now).id


def _add(session: Session, player_id: str, rules: Booster, origin: str, now: int) -> BoosterRow:
    digest = b64(rules_digest(rules))
    row = {"digest": digest, "rules": rules.json()}
    session.execute(upsert(session, BoosterRules).values(row).on_conflict_do_nothing())
    booster = BoosterRow(owner_id=player_id, set_code=rules.set, rules=digest, origin=origin, created_at=now)
    session.add(booster)
    session.flush()
    return booster


def of_player(
    session: Session, player_id: str, after: tuple[int, str] = (0, ""), limit: int = 50, *, opened: bool
) -> list[BoosterRow]:
    """A player's opened or unopened boosters by (created_at, id), from the first above `after`."""
    time, booster_id = after
    later = (col(BoosterRow.created_at) > time) | (
        (col(BoosterRow.created_at) == time) & (col(BoosterRow.id) > booster_id)
    )
    is_opened = col(BoosterRow.opened_at).is_not(None) if opened else col(BoosterRow.opened_at).is_(None)
    query = select(BoosterRow).where(BoosterRow.owner_id == player_id, is_opened, later)
    return list(session.exec(query.order_by(col(BoosterRow.created_at), col(BoosterRow.id)).limit(limit)))


# Chains


def commitment(house: Runtime, player_id: str) -> dict[str, Any]:
    """The house's commitment for a player's next openings. It starts a new chain if none is usable."""
    with house.write() as session:
        _lock(session, player_id)
        chain = _chain(session, player_id)
        if chain is None or not _usable(house, chain):
            number = 1 if chain is None else chain.number + 1
            keys = house.keys
            at = house.now() if chain is None else max(house.now(), _said_at(chain.commitment))
            anchor = keys.booster_chain(player_id, number, at).anchor
            said = write_commitment(keys.signing_key, player_id, number, anchor, at)
            chain = BoosterChain(
                player_id=player_id, number=number, house_key=said["house_key"], commitment=said
            )
            session.add(chain)
        return chain.commitment


def _lock(session: Session, player_id: str) -> None:
    """Lock a player's row, so that the player's openings happen one after another."""
    session.exec(select(Player.id).where(Player.id == player_id).with_for_update(key_share=True)).one()


def _chain(session: Session, player_id: str) -> BoosterChain | None:
    chains = select(BoosterChain).where(BoosterChain.player_id == player_id)
    newest = chains.order_by(col(BoosterChain.number).desc()).limit(1)
    return session.exec(newest.execution_options(populate_existing=True)).first()


def _usable(house: Runtime, chain: BoosterChain) -> bool:
    """Tell whether a chain has links left and belongs to the house's newest key. An older key may have
    leaked.
    """
    return chain.used < CHAIN_LENGTH and chain.house_key == b64(house.keys.public)


def _secret(keys: Keys, chain: BoosterChain) -> Chain:
    """The links of a chain that the house is committed to."""
    found = keys.booster_chain(chain.player_id, chain.number, _said_at(chain.commitment))
    if found.anchor == unb64(chain.commitment["anchor"]):
        return found
    return keys.booster_chain(chain.player_id, chain.number, None)


def retire_chains(session: Session) -> None:
    """Mark all chains as used up. A restored house may have lost openings whose links the players know."""
    session.execute(update(BoosterChain).values(used=CHAIN_LENGTH))


# Opening


def open_booster(
    house: Runtime, player_id: str, booster_id: str, anchor: bytes, nonce: bytes
) -> OpenedBooster:
    """Open a booster with the player's nonce, under the commitment that the player was shown.

    The same nonce gets the same answer again. Raises `Problem` 404, and 409 for a booster that was opened
    with another nonce or for a commitment that is not the newest.
    """
    with house.write() as session:
        _lock(session, player_id)
        booster = session.get(BoosterRow, booster_id, populate_existing=True)
        if booster is None or booster.owner_id != player_id:
            raise not_found("booster")
        if booster.opened_at is not None:
            return _again(session, booster, nonce)
        chain = _chain(session, player_id)
        if chain is None or unb64(chain.commitment["anchor"]) != anchor or not _usable(house, chain):
            text = "The house has a newer commitment for you: ask for it, and choose a fresh nonce."
            raise conflict("stale_commitment", text)
        return _open(house, session, booster, chain, nonce)


def _again(session: Session, booster: BoosterRow, nonce: bytes) -> OpenedBooster:
    before = session.exec(select(BoosterOpening).where(BoosterOpening.booster_id == booster.id)).one()
    if before.opening["nonce"] != b64(nonce):
        raise conflict("already_opened", "This booster was already opened with another nonce.")
    origin = _origin(booster)
    copies = select(Copy).where(Copy.origin == origin).order_by(col(Copy.card))
    return OpenedBooster(before.opening, list(session.exec(copies)))


def _origin(booster: BoosterRow) -> str:
    return f"booster:{booster.id}"


def _open(
    house: Runtime, session: Session, booster: BoosterRow, chain: BoosterChain, nonce: bytes
) -> OpenedBooster:
    player_id, now = booster.owner_id, house.now()
    last = _last(session, player_id)
    same_set = _last(session, player_id, booster.set_code)
    keys = house.keys_of(unb64(chain.house_key, 32))
    secret, k = _secret(keys, chain), chain.used + 1
    rules = read_booster(session.get_one(BoosterRules, booster.rules).rules)
    since = 0 if same_set is None else same_set.counter
    drawn = BoosterDraw(player_id, booster.id, secret.anchor, k, secret.link(k), nonce, since)
    number, prev = (1, FIRST) if last is None else (last.number + 1, opening_digest(last.opening))
    # Times never run back in a record, even if the clock was put back.
    said_before = [chain.commitment] if last is None else [chain.commitment, last.opening]
    at = max(now, *map(_said_at, said_before))
    said, pack = write_opening(keys.signing_key, number, prev, chain.number, drawn, rules, at)
    chain.used, booster.opened_at = k, at
    session.add_all(
        [
            chain,
            booster,
            BoosterOpening(
                player_id=player_id,
                number=number,
                booster_id=booster.id,
                set_code=rules.set,
                counter=counted(rules, since, pack),
                opening=said,
            ),
        ]
    )
    counts = Counter(pack.cards)
    copies = collection.give(
        session,
        player_id,
        counts,
        _origin(booster),
        at,
        kind="opening",
        soulbound=False,
        ref=f"opening:{booster.id}",
    )
    return OpenedBooster(said, copies)


def _last(session: Session, player_id: str, set_code: str | None = None) -> BoosterOpening | None:
    mine = select(BoosterOpening).where(BoosterOpening.player_id == player_id)
    if set_code is not None:
        mine = mine.where(BoosterOpening.set_code == set_code)
    return session.exec(mine.order_by(col(BoosterOpening.number).desc()).limit(1)).first()


def _said_at(statement: Mapping[str, Any]) -> int:
    return parse_timestamp(statement["at"])


def record(session: Session, player_id: str) -> bytes:
    """The file with all of a player's openings, for `cloche verify`."""
    mine = select(BoosterOpening).where(BoosterOpening.player_id == player_id)
    openings = [row.opening for row in session.exec(mine.order_by(col(BoosterOpening.number)))]
    committed = select(BoosterChain).where(BoosterChain.player_id == player_id)
    chains = [row.commitment for row in session.exec(committed.order_by(col(BoosterChain.number)))]
    digests = sorted({opening["rules"] for opening in openings})
    rules = [read_booster(session.get_one(BoosterRules, digest).rules) for digest in digests]
    return file_bytes(player_id, rules, chains, openings)
