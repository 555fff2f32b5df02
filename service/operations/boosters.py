"""Boosters: buy, win and open them. Nobody can steer which cards come out (docs/boosters.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, select

from cards.catalog.boosters import Booster, counted, of_set, read_booster
from crypto.encoding import b64, parse_timestamp, unb64
from crypto.fairness import CHAIN_LENGTH, Chain
from crypto.identity import verify
from referee import Refused
from referee.booster_statements import (
    FIRST,
    BoosterTerms,
    ask_digest,
    file_bytes,
    opening_digest,
    receipt_digest,
    rules_digest,
    seal_of,
    write_commitment,
    write_notice,
    write_opening,
    write_receipt,
)
from referee.boosters import read_commitment, read_receipt
from service.db import upsert
from service.keys import Keys, UnknownKey
from service.models import BoosterChain, BoosterOpening, BoosterRow, BoosterRules, Copy, Player
from service.operations import collection, ledger
from service.operations.ledger import TILL, Transfer
from service.problems import Fault, Problem, conflict, invalid, not_found
from service.runtime import Runtime


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
    now, price = house.now(), house.settings.booster_price
    with house.write() as session:
        ledger.take(session, player_id, price)
        booster = add(session, player_id, rules, "bought", now)
        paid = Transfer(player_id, TILL, coins=price)
        ledger.post(session, "purchase", [paid], now, f"booster:{booster.id}")
        return booster


def award(house: Runtime, session: Session, player_id: str, game_id: str, now: int) -> str | None:
    """Give a booster of the newest set for a win; returns its id, or None if no set has boosters."""
    rules = newest(house)
    return None if rules is None else add(session, player_id, rules, f"won:{game_id}", now).id


def welcome(house: Runtime, session: Session, player_id: str, now: int) -> None:
    """Give a new player the boosters of the newest set that the settings promise. Their copies are bound.

    Otherwise a person could register again and again, and sell what is in them.
    """
    rules = newest(house)
    if rules is None:
        return
    for _ in range(house.settings.welcome_boosters):
        add(session, player_id, rules, "welcome", now, soulbound=True)


def newest(house: Runtime) -> Booster | None:
    """The boosters of the newest set that has some."""
    return next(reversed(on_sale(house).values()), None)


def add(
    session: Session, player_id: str, rules: Booster, origin: str, now: int, *, soulbound: bool = False
) -> BoosterRow:
    """Give a player a booster that is opened by these rules. If it is `soulbound`, so are its copies."""
    digest = b64(rules_digest(rules))
    row = {"digest": digest, "rules": rules.json()}
    session.execute(upsert(session, BoosterRules).values(row).on_conflict_do_nothing())
    booster = BoosterRow(
        owner_id=player_id,
        set_code=rules.set,
        rules=digest,
        origin=origin,
        soulbound=soulbound,
        created_at=now,
    )
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


def commitment(house: Runtime, player_id: str, known: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The house's commitment for a player's next openings. It starts a new chain if none is usable.

    `known` is the newest commitment that the player has. A house that was restored from a backup may have
    forgotten it. Then the house takes it back among its chains and gives it up, with a notice. Raises
    `Problem` 422 unless the house has signed it.
    """
    with house.write() as session:
        player = _lock(session, player_id)
        if known is not None:
            _take_back(house, session, player_id, known)
        chains = _chains(session, player_id)
        if chains and _usable(house, chains[-1]):
            return chains[-1].commitment
        chain = _begin(house, session, player, chains)
        session.add(chain)
        return chain.commitment


def _begin(house: Runtime, session: Session, player: Player, chains: Sequence[BoosterChain]) -> BoosterChain:
    """A new chain for a player, behind all that there are."""
    number, at = 1, house.now()
    if chains:
        number, at = chains[-1].number + 1, max(at, _said_at(chains[-1].commitment))
        if _retired(session, chains[-1]):
            # What the house has forgotten may have had the next number: minutes since 1970 are free.
            number = max(number, at // _MINUTE)
    keys = house.keys
    anchor = keys.booster_chain(player.id, number, at).anchor
    said = write_commitment(keys.signing_key, player.id, unb64(player.key, 32), number, anchor, at)
    return BoosterChain(player_id=player.id, number=number, house_key=said["house_key"], commitment=said)


_MINUTE = 60_000


def _take_back(house: Runtime, session: Session, player_id: str, known: Mapping[str, Any]) -> None:
    """Keep a commitment that the house has forgotten, as a chain that is used up."""
    try:
        found = read_commitment(known, player_id, "/known")
        house.keys_of(found.house_key)
    except Refused as refused:
        raise _refused(refused) from None
    except UnknownKey:
        text = "The commitment is signed with a key that this house does not have."
        raise invalid("wrong_house", text, [Fault("wrong_house", text, "/known/house_key")]) from None
    there = session.get(BoosterChain, (player_id, found.chain))
    if there is not None and there.commitment["anchor"] != known["anchor"]:
        raise conflict("two_commitments", "The house has committed itself to another chain of this number.")
    if there is None:
        key = b64(found.house_key)
        chain = BoosterChain(player_id=player_id, number=found.chain, house_key=key, commitment=dict(known))
        chain.used = CHAIN_LENGTH
        session.add(chain)
        session.flush()


def _refused(refused: Refused, pointer: str = "") -> Problem:
    detail = f"{refused.text[:1].upper()}{refused.text[1:]}."
    return invalid(refused.code, detail, [Fault(refused.code, detail, pointer + refused.pointer)])


def _lock(session: Session, player_id: str) -> Player:
    """Lock a player's row, so that the player's openings happen one after another; returns the player."""
    return session.exec(select(Player).where(Player.id == player_id).with_for_update(key_share=True)).one()


def _chains(session: Session, player_id: str) -> Sequence[BoosterChain]:
    """A player's chains, the oldest first."""
    chains = select(BoosterChain).where(BoosterChain.player_id == player_id)
    ordered = chains.order_by(col(BoosterChain.number)).execution_options(populate_existing=True)
    return session.exec(ordered).all()


def _usable(house: Runtime, chain: BoosterChain) -> bool:
    """Tell whether openings can be asked for under a chain.

    It must have links left, belong to the house's newest key (an older one may have leaked), and name the
    player's key: chains of older versions don't.
    """
    newest = chain.house_key == b64(house.keys.public)
    return chain.used < CHAIN_LENGTH and newest and "player_key" in chain.commitment


def _secret(keys: Keys, chain: BoosterChain) -> Chain:
    """The links of a chain that the house is committed to."""
    found = keys.booster_chain(chain.player_id, chain.number, _said_at(chain.commitment))
    if found.anchor == unb64(chain.commitment["anchor"]):
        return found
    return keys.booster_chain(chain.player_id, chain.number, None)


def _shown(session: Session, chain: BoosterChain) -> int:
    """The number of links that openings have shown, of a chain that no opening under a later one follows."""
    last = _last(session, chain.player_id)
    return 0 if last is None or last.opening["chain"] != chain.number else int(last.opening["k"])


def _retired(session: Session, chain: BoosterChain) -> bool:
    """Tell whether a chain is marked as used up, and was not."""
    return chain.used == CHAIN_LENGTH and _shown(session, chain) < CHAIN_LENGTH


def retire_chains(session: Session) -> None:
    """Mark all chains as used up. A restored house may have lost openings whose links the players know."""
    session.execute(update(BoosterChain).values(used=CHAIN_LENGTH))


def _notices(
    house: Runtime, chains: Sequence[BoosterChain], openings: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The notices of the chains that were given up: another has begun, and they have links left.

    A notice follows from its chain and the time of the next one. So it is the same whenever it is asked for.
    """
    shown = {opening["chain"]: opening["k"] for opening in openings}
    found = []
    for chain, after in pairwise(chains):
        if shown.get(chain.number, 0) < CHAIN_LENGTH:
            keys = house.keys_of(unb64(chain.house_key, 32))
            at = max(_said_at(chain.commitment), _said_at(after.commitment))
            found.append(write_notice(keys.signing_key, chain.commitment, _secret(keys, chain), at))
    return found


# Opening


@dataclass(frozen=True, slots=True)
class BoosterAsk:
    """What a player asks for an opening by: 64 bytes each."""

    anchor: bytes
    """The anchor of the commitment that the player was shown."""
    prev: bytes
    """The digest of the player's newest opening."""
    seal: bytes
    """The player's commitment to a nonce."""
    signature: bytes
    """The player's signature under the terms that these and the house's books give."""


def ask(house: Runtime, player_id: str, booster_id: str, asked: BoosterAsk) -> dict[str, Any]:
    """The house's receipt for an opening that a player asks for. The same ask gets the same receipt again.

    Raises `Problem` 404; 409 for a booster that is open, while another opening waits for its nonce, and for a
    commitment or an opening that is not the newest; 422 for a signature that is not the player's.
    """
    with house.write() as session:
        player = _lock(session, player_id)
        booster = _owned(session, player_id, booster_id)
        if booster.opened_at is not None:
            raise conflict("already_opened", "This booster was already opened.")
        chains = _chains(session, player_id)
        waiting = _pending(chains)
        if waiting is not None:
            return _asked_before(waiting, booster_id, asked)
        if not chains or unb64(chains[-1].commitment["anchor"]) != asked.anchor:
            raise conflict("stale_commitment", _STALE)
        chain = chains[-1]
        if not _usable(house, chain):
            raise conflict("stale_commitment", _STALE)
        terms = _terms(session, booster, chain, asked.seal)
        if terms.prev != asked.prev:
            raise conflict("stale_opening", "You have opened another booster since: read the file again.")
        if not verify(unb64(player.key, 32), ask_digest(terms.json()), asked.signature):
            text = "The signature under what is asked for must be yours."
            raise invalid("bad_signature", text, [Fault("bad_signature", text, "/asked")])
        keys = house.keys_of(unb64(chain.house_key, 32))
        at = _not_before(session, chain, house.now())
        chain.pending = write_receipt(keys.signing_key, terms, asked.signature, at)
        session.add(chain)
        return chain.pending


_STALE = "The house has a newer commitment for you: ask for it, and for the opening again."
_WAITING = "Another opening waits for its nonce: show that nonce first."


def _owned(session: Session, player_id: str, booster_id: str) -> BoosterRow:
    booster = session.get(BoosterRow, booster_id, populate_existing=True)
    if booster is None or booster.owner_id != player_id:
        raise not_found("booster")
    return booster


def _pending(chains: Sequence[BoosterChain]) -> dict[str, Any] | None:
    """The receipt of a player whose nonce the house waits for."""
    return next((chain.pending for chain in reversed(chains) if chain.pending is not None), None)


def _asked_before(receipt: dict[str, Any], booster_id: str, asked: BoosterAsk) -> dict[str, Any]:
    """The receipt that was given, if this is the same ask."""
    said = {"booster": booster_id, "anchor": b64(asked.anchor), "prev": b64(asked.prev)}
    said |= {"seal": b64(asked.seal), "asked": b64(asked.signature)}
    if any(receipt[name] != value for name, value in said.items()):
        raise conflict("opening_pending", _WAITING)
    return receipt


def _terms(session: Session, booster: BoosterRow, chain: BoosterChain, seal: bytes) -> BoosterTerms:
    """The terms on which a booster is opened next, under a chain."""
    last = _last(session, booster.owner_id)
    same_set = _last(session, booster.owner_id, booster.set_code)
    return BoosterTerms(
        number=1 if last is None else last.number + 1,
        prev=FIRST if last is None else opening_digest(last.opening),
        player=booster.owner_id,
        booster=booster.id,
        rules=unb64(booster.rules),
        since=0 if same_set is None else same_set.counter,
        chain=chain.number,
        anchor=unb64(chain.commitment["anchor"]),
        k=_shown(session, chain) + 1,
        seal=seal,
    )


def _not_before(session: Session, chain: BoosterChain, now: int) -> int:
    """The time of a receipt. Times never run back in a record, even if the clock was put back."""
    last = _last(session, chain.player_id)
    said_before = [chain.commitment] if last is None else [chain.commitment, last.opening]
    return max(now, *map(_said_at, said_before))


def open_booster(
    house: Runtime, player_id: str, booster_id: str, receipt: Mapping[str, Any], nonce: bytes
) -> OpenedBooster:
    """Open a booster with the player's nonce, on the terms that the house has given a receipt for.

    The same nonce gets the same answer again. The house stands by its signature: also under a chain that it
    has given up, and by a receipt that it has forgotten because it was restored from a backup. Raises
    `Problem` 404; 409 if the booster was opened with another nonce, and if the receipt does not follow the
    newest opening; 422 for what is no receipt of the house's, or not its nonce.
    """
    with house.write() as session:
        _lock(session, player_id)
        booster = _owned(session, player_id, booster_id)
        if booster.opened_at is not None:
            return _again(session, booster, nonce)
        chains = _chains(session, player_id)
        chain = next((c for c in chains if c.commitment["anchor"] == receipt["anchor"]), None)
        if chain is None:
            text = "The house does not know this chain: ask for a commitment with the one that you know."
            raise conflict("unknown_chain", text)
        _require_receipt(session, booster, chain, receipt, nonce)
        waiting = _pending(chains)
        if waiting is not None and receipt_digest(waiting) != receipt_digest(receipt):
            raise conflict("opening_pending", _WAITING)
        return _open(house, session, booster, chain, receipt, nonce)


def _require_receipt(
    session: Session, booster: BoosterRow, chain: BoosterChain, receipt: Mapping[str, Any], nonce: bytes
) -> None:
    """Raise `Problem` unless a receipt is the house's, for this nonce, and due."""
    try:
        read_receipt(receipt, read_commitment(chain.commitment), booster.owner_id)
    except Refused as refused:
        raise _refused(refused, "/receipt") from None
    if receipt["booster"] != booster.id:
        text = "The receipt is for another booster."
        raise invalid("wrong_booster", text, [Fault("wrong_booster", text, "/receipt/booster")])
    seal = seal_of(nonce)
    if receipt["seal"] != b64(seal):
        text = "The nonce is not the one that you have sealed."
        raise invalid("wrong_nonce", text, [Fault("wrong_nonce", text, "/nonce")])
    if ask_digest(receipt) != ask_digest(_terms(session, booster, chain, seal).json()):
        raise conflict("not_next", "The receipt does not follow your newest opening.")


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
    house: Runtime,
    session: Session,
    booster: BoosterRow,
    chain: BoosterChain,
    receipt: Mapping[str, Any],
    nonce: bytes,
) -> OpenedBooster:
    keys = house.keys_of(unb64(chain.house_key, 32))
    rules = read_booster(session.get_one(BoosterRules, booster.rules).rules)
    link = _secret(keys, chain).link(receipt["k"])
    said, pack = write_opening(keys.signing_key, receipt, link, nonce, rules)
    at = _said_at(said)
    chain.used, chain.pending, booster.opened_at = max(chain.used, receipt["k"]), None, at
    opening = BoosterOpening(
        player_id=booster.owner_id,
        number=said["number"],
        booster_id=booster.id,
        set_code=rules.set,
        counter=counted(rules, said["since"], pack),
        opening=said,
    )
    session.add_all([chain, booster, opening])
    counts, ref = Counter(pack.cards), f"opening:{booster.id}"
    copies = collection.give(
        session,
        booster.owner_id,
        counts,
        _origin(booster),
        at,
        kind="opening",
        soulbound=booster.soulbound,
        ref=ref,
    )
    return OpenedBooster(said, copies)


def _last(session: Session, player_id: str, set_code: str | None = None) -> BoosterOpening | None:
    mine = select(BoosterOpening).where(BoosterOpening.player_id == player_id)
    if set_code is not None:
        mine = mine.where(BoosterOpening.set_code == set_code)
    return session.exec(mine.order_by(col(BoosterOpening.number).desc()).limit(1)).first()


def _said_at(statement: Mapping[str, Any]) -> int:
    return parse_timestamp(statement["at"])


def record(house: Runtime, session: Session, player_id: str) -> bytes:
    """The file with everything that a player has asked for and opened, for `cloche verify`."""
    mine = select(BoosterOpening).where(BoosterOpening.player_id == player_id)
    openings = [row.opening for row in session.exec(mine.order_by(col(BoosterOpening.number)))]
    chains = _chains(session, player_id)
    waiting = _pending(chains)
    digests = select(BoosterRow.rules).where(BoosterRow.owner_id == player_id).distinct()
    stated = select(BoosterRules).where(col(BoosterRules.digest).in_(digests))
    rules = [read_booster(row.rules) for row in session.exec(stated.order_by(col(BoosterRules.digest)))]
    return file_bytes(
        player_id,
        rules,
        [chain.commitment for chain in chains],
        _notices(house, chains, openings),
        [] if waiting is None else [{"receipt": waiting, "nonce": None}],
        openings,
    )
