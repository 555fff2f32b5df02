"""Trades: an offer is made, and taken, declined, withdrawn, or its time is up.

What an offer gives is set aside the moment it is made: the copies are listed (for everybody) or in escrow
(for one player), so no match and no other offer can have them, and the coins lie in an account of the
ledger's. It is settled by one transaction, in which everything goes to its new owner, or nothing.

Locks are taken in one order: the offer, the players by id, their accounts by id, the end of the ledger.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import func, update
from sqlmodel import Session, col, select

from service.models import Copy, Offer, OfferCopy, OfferWant, Player, Price
from service.operations import feed, ledger, players
from service.operations.ledger import ESCROW, Transfer
from service.problems import Fault, Problem, conflict, invalid, not_found
from service.runtime import Runtime

HOUR_MS = 3_600_000
MOST_OPEN = 50
"""Offers of one player that are open at the same time."""
MOST_COPIES = 40
"""Copies on either side of an offer."""
MOST_COINS = 1_000_000_000
"""Coins on either side of an offer."""
HOURS = (1, 720)
"""How long an offer may stand: fewest and most."""
USUAL_HOURS = 168
EXPIRED_AT_ONCE = 100
"""Offers closed in one round, each in a transaction of its own."""


@dataclass(frozen=True, slots=True)
class OfferSide:
    """One side of an offer that is being made: copies by id, or so many of each card, and coins."""

    copies: Sequence[str] = ()
    cards: Mapping[int, int] = field(default_factory=dict)
    coins: int = 0


def make(
    house: Runtime,
    player: Player,
    *,
    gives: OfferSide,
    wants: OfferSide,
    to: str | None = None,
    hours: int = USUAL_HOURS,
) -> Offer:
    """Make an offer, to everybody or to the player of the handle `to`, that stands for so many hours.

    Of `gives.cards` the newest copies are taken: those with the highest serial numbers. Raises `Problem` 422
    for what no offer can be, 404 without such a player, 409 for copies or coins that are not free.
    """
    _require_something(gives, wants)
    now = house.now()
    with house.write() as session:
        other = None if to is None else players.find(session, to)
        if other is not None and other.id == player.id:
            raise _refused("own_offer", "You can't make an offer to yourself.", "/to")
        _lock(session, [player.id])
        mine = (Offer.maker_id == player.id, Offer.state == "open")
        if session.exec(select(func.count()).select_from(Offer).where(*mine)).one() >= MOST_OPEN:
            raise conflict(
                "too_many_offers", f"At most {MOST_OPEN} offers are open at a time.", limit=MOST_OPEN
            )
        copies = _pick(house, session, player.id, gives, "/gives")
        offer = Offer(
            maker_id=player.id,
            for_id=None if other is None else other.id,
            gives_coins=gives.coins,
            wants_coins=wants.coins,
            created_at=now,
            expires_at=now + hours * HOUR_MS,
        )
        session.add(offer)
        session.flush()
        session.add_all(OfferCopy(offer_id=offer.id, copy_id=c.id, card=c.card, given=True) for c in copies)
        session.add_all(
            OfferWant(offer_id=offer.id, card=card, copies=n) for card, n in sorted(wants.cards.items())
        )
        _place(session, copies, player.id, "listed" if other is None else "escrow", offer.id)
        if gives.coins:
            ledger.take(session, player.id, gives.coins)
            aside = Transfer(player.id, ESCROW, coins=gives.coins)
            ledger.post(session, "offer", [aside], now, f"offer:{offer.id}")
        if other is not None:
            _tell(house, session, [other.id], "offer.made", offer, by=player.handle)
        return offer


def accept(house: Runtime, player: Player, offer_id: str, copies: Sequence[str] = ()) -> Offer:
    """Take an offer: pay what it wants, get what it gives, all at once.

    `copies` are those to be given, by id; for what they leave open the newest are taken. Raises `Problem` 404
    for an offer that is not for this player, 409 for one that is closed and for copies or coins that are not
    free, 422 for copies that were not asked for.
    """
    with house.write() as session:
        offer = _locked(session, offer_id, player.id)
        if offer.maker_id == player.id:
            raise conflict("own_offer", "This is your own offer: withdraw it instead.")
        _require_open(house, offer)
        _lock(session, [offer.maker_id, player.id])
        wanted = dict(
            session.exec(select(OfferWant.card, OfferWant.copies).where(OfferWant.offer_id == offer.id)).all()
        )
        given = _given(session, offer)
        taken = _pick(house, session, player.id, OfferSide(copies, wanted), "", exact=True)
        _settle(house, session, offer, player.id, given, taken)
        _tell(house, session, [offer.maker_id], "offer.accepted", offer, by=player.handle)
        return offer


def decline(house: Runtime, player: Player, offer_id: str) -> Offer:
    """Refuse an offer that was made to this player alone. Raises `Problem` 404, 409."""
    with house.write() as session:
        offer = _locked(session, offer_id, player.id)
        if offer.for_id != player.id:
            raise conflict("not_your_offer", "Only an offer that was made to you alone can be declined.")
        _require_open(house, offer)
        _give_back(house, session, offer, "declined")
        _tell(house, session, [offer.maker_id], "offer.declined", offer, by=player.handle)
        return offer


def withdraw(house: Runtime, player: Player, offer_id: str) -> Offer:
    """Take back an offer of one's own. Raises `Problem` 404, 409."""
    with house.write() as session:
        offer = _locked(session, offer_id, player.id)
        if offer.maker_id != player.id:
            raise conflict("not_your_offer", "Only who has made an offer withdraws it.")
        _require_open(house, offer)
        _give_back(house, session, offer, "withdrawn")
        if offer.for_id is not None:
            _tell(house, session, [offer.for_id], "offer.withdrawn", offer, by=player.handle)
        return offer


def expire(house: Runtime, now: int) -> int:
    """Close the offers whose time is up at `now`, in milliseconds since 1970; returns how many.

    Nobody waits for it to have such an offer refused; only what it gives is free from then on.
    """
    late = (Offer.state == "open", Offer.expires_at <= now)
    gone = 0
    while True:
        with house.read() as session:
            ids = session.exec(
                select(Offer.id).where(*late).order_by(col(Offer.expires_at)).limit(EXPIRED_AT_ONCE)
            ).all()
        gone += sum(_expire(house, offer_id, now) for offer_id in ids)
        if len(ids) < EXPIRED_AT_ONCE:
            return gone


def _expire(house: Runtime, offer_id: str, now: int) -> bool:
    with house.write() as session:
        offer = session.exec(
            select(Offer)
            .where(Offer.id == offer_id, Offer.state == "open", Offer.expires_at <= now)
            .with_for_update(skip_locked=True)
        ).first()
        if offer is None:  # taken, or withdrawn, or another worker has it
            return False
        _give_back(house, session, offer, "expired")
        others = [] if offer.for_id is None else [offer.for_id]
        _tell(house, session, [offer.maker_id, *others], "offer.expired", offer)
        return True


def visible(offer: Offer, player_id: str) -> bool:
    """Whether a player may see an offer: an open one to everybody, else who has a part in it."""
    if offer.state == "open" and offer.for_id is None:
        return True
    return player_id in (offer.maker_id, offer.for_id, offer.taker_id)


def state_of(offer: Offer, now: int) -> str:
    """How it stands at `now`, whether or not a worker has been there."""
    return "expired" if offer.state == "open" and offer.expires_at <= now else offer.state


def _require_something(gives: OfferSide, wants: OfferSide) -> None:
    """A trade has two sides, and each has something, but within limits."""
    faults = []
    for name, terms in (("gives", gives), ("wants", wants)):
        if not (terms.copies or terms.cards or terms.coins):
            faults.append(Fault("nothing", "Something must be on each side of an offer.", f"/{name}"))
        count = len(terms.copies) + sum(terms.cards.values())
        if count > MOST_COPIES:
            text = f"At most {MOST_COPIES} copies, not {count}."
            faults.append(Fault("too_many_copies", text, f"/{name}", data={"at_most": MOST_COPIES}))
    if gives.coins and wants.coins:
        faults.append(Fault("coins_for_coins", "Coins are on one side of an offer only.", "/wants/coins"))
    if faults:
        raise invalid("bad_offer", "This is no offer.", faults)


def _lock(session: Session, ids: Collection[str]) -> None:
    """Lock players' rows, as whoever takes copies from them does, in the order of their ids."""
    query = select(Player.id).where(col(Player.id).in_(ids)).order_by(col(Player.id))
    session.exec(query.with_for_update(key_share=True)).all()


def _locked(session: Session, offer_id: str, player_id: str) -> Offer:
    """An offer until the commit. Raises `Problem` 404 where there is none that this player may see."""
    offer = session.exec(select(Offer).where(Offer.id == offer_id).with_for_update()).first()
    if offer is None or not visible(offer, player_id):
        raise not_found("offer")
    return offer


def _require_open(house: Runtime, offer: Offer) -> None:
    state = state_of(offer, house.now())
    if state != "open":
        raise conflict("offer_closed", f"This offer is not open any more: it is {state}.", state=state)


def _pick(
    house: Runtime, session: Session, owner_id: str, terms: OfferSide, pointer: str, *, exact: bool = False
) -> list[Copy]:
    """Free copies of a player's: those named, and so many more of each card, the newest first.

    With `exact` the named ones count towards the cards, and none is taken beside them.
    """
    cards = dict(terms.cards)
    named = _named(session, owner_id, terms.copies, pointer)
    faults = []
    for i, copy in enumerate(named if exact else ()):
        if cards.get(copy.card, 0) == 0:
            text = "That is not what the offer wants, or more of it than it wants."
            faults.append(Fault("not_wanted", text, f"{pointer}/copies/{i}"))
        else:
            cards[copy.card] -= 1
    if faults:
        raise invalid("not_wanted", "These copies were not asked for.", faults)
    return [*named, *_newest(house, session, owner_id, cards, {c.id for c in named}, pointer)]


def _named(session: Session, owner_id: str, ids: Sequence[str], pointer: str) -> list[Copy]:
    """The copies of these ids, which must be the player's, free and not bound."""
    found = {
        copy.id: copy
        for copy in session.exec(select(Copy).where(Copy.owner_id == owner_id, col(Copy.id).in_(ids)))
    }
    faults = []
    for i, copy_id in enumerate(ids):
        where, copy = f"{pointer}/copies/{i}", found.get(copy_id)
        if copy is None:
            faults.append(Fault("not_yours", "You own no such copy.", where))
        elif copy_id in ids[:i]:
            faults.append(Fault("repeated_copy", "This copy is named twice.", where))
        elif copy.soulbound:
            faults.append(Fault("soulbound", "This copy stays with its first owner for good.", where))
        elif copy.state != "free":
            faults.append(Fault("not_free", f"This copy is {copy.state}.", where, data={"state": copy.state}))
    if faults:
        raise conflict("copies_missing", "Not all of these copies can be given.", faults)
    return [found[copy_id] for copy_id in ids]


def _newest(
    house: Runtime,
    session: Session,
    owner_id: str,
    counts: Mapping[int, int],
    but: Collection[str],
    pointer: str,
) -> list[Copy]:
    """So many free and unbound copies of each card, the highest serial numbers first."""
    mine = (
        Copy.owner_id == owner_id,
        col(Copy.card).in_([card for card, count in counts.items() if count]),
        Copy.state == "free",
        col(Copy.soulbound).is_(False),
    )
    left = dict(counts)
    chosen = []
    for copy in session.exec(select(Copy).where(*mine).order_by(col(Copy.card), col(Copy.serial).desc())):
        if left[copy.card] and copy.id not in but:
            left[copy.card] -= 1
            chosen.append(copy)
    faults = [_short(house, card, counts[card], lack, pointer) for card, lack in sorted(left.items()) if lack]
    if faults:
        text = "Some of these cards you do not own, or they are bound, offered or in a match."
        raise conflict("copies_missing", text, faults)
    return chosen


def _short(house: Runtime, card: int, needed: int, lack: int, pointer: str) -> Fault:
    known = house.catalog.cards.get(card)
    name, slug = (known.name, known.slug) if known else (f"card {card}", str(card))
    text = f"{needed} copies of {name} are needed, and {needed - lack} can be given."
    data = {"number": card, "needed": needed, "free": needed - lack, "missing": lack}
    return Fault("copies_missing", text, f"{pointer}/cards/{slug}", data=data)


def _given(session: Session, offer: Offer) -> list[Copy]:
    """The copies that an open offer gives."""
    query = select(Copy).where(Copy.held_by == offer.id, col(Copy.state).in_(("listed", "escrow")))
    return list(session.exec(query.order_by(col(Copy.card), col(Copy.serial))))


def _settle(
    house: Runtime, session: Session, offer: Offer, taker: str, given: Sequence[Copy], taken: Sequence[Copy]
) -> None:
    """Everything to its new owner, and the offer closed."""
    maker, now = offer.maker_id, house.now()
    transfers = [
        *(Transfer(maker, taker, copy=copy.id) for copy in given),
        *(Transfer(taker, maker, copy=copy.id) for copy in taken),
    ]
    if offer.gives_coins:
        transfers.append(Transfer(ESCROW, taker, coins=offer.gives_coins))
    if offer.wants_coins:
        ledger.take(session, taker, offer.wants_coins)
        transfers.append(Transfer(taker, maker, coins=offer.wants_coins))
    ledger.post(session, "trade", transfers, now, f"trade:{offer.id}")
    _place(session, given, taker)
    _place(session, taken, maker)
    session.add_all(OfferCopy(offer_id=offer.id, copy_id=c.id, card=c.card, given=False) for c in taken)
    offer.state, offer.taker_id, offer.closed_at = "accepted", taker, now
    session.add(offer)
    for copies, coins in ((given, offer.wants_coins), (taken, offer.gives_coins)):
        if coins and len({copy.card for copy in copies}) == 1 and len(copies) == len(given) + len(taken):
            row = Price(offer_id=offer.id, card=copies[0].card, at=now, copies=len(copies), coins=coins)
            session.add(row)


def _give_back(house: Runtime, session: Session, offer: Offer, state: str) -> None:
    """Everything is its maker's again, and the offer closed."""
    now = house.now()
    _place(session, _given(session, offer), offer.maker_id)
    if offer.gives_coins:
        back = Transfer(ESCROW, offer.maker_id, coins=offer.gives_coins)
        ledger.post(session, "return", [back], now, f"return:{offer.id}")
    offer.state, offer.closed_at = state, now
    session.add(offer)


def _place(
    session: Session, copies: Sequence[Copy], owner: str, state: str = "free", held_by: str | None = None
) -> None:
    """Write down whose the copies are, and where."""
    ids = [copy.id for copy in copies]
    values = {"owner_id": owner, "state": state, "held_by": held_by}
    session.execute(update(Copy).where(col(Copy.id).in_(ids)).values(values))


def _tell(
    house: Runtime, session: Session, whom: Collection[str], name: str, offer: Offer, by: str | None = None
) -> None:
    feed.add(house, session, whom, name, offer=offer.id, **({} if by is None else {"name": by}))


def _refused(code: str, text: str, pointer: str) -> Problem:
    return invalid(code, text, [Fault(code, text, pointer)])
