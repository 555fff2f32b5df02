"""Trades: a player makes an offer; it is accepted, declined or withdrawn, or it expires.

The house sets aside what an offer gives as soon as it is made. Its copies are "listed" (an offer to
everybody) or in "escrow" (an offer to one player), so no match and no other offer can use them. Its coins lie
in the ledger's account `escrow`. One transaction settles the offer: everything goes to its new owner, or
nothing.

Locks are taken in one order: the offer, the players by id, their accounts by id, the end of the ledger.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import func, update
from sqlmodel import Session, col, select

from service.models import Copy, Offer, OfferCopy, OfferWant, Player, Price
from service.operations import blocks, feed, holds, ledger, players, sanctions
from service.operations.ledger import ESCROW, Transfer
from service.problems import Fault, Problem, conflict, invalid, not_found
from service.runtime import Runtime

HOUR_MS = 3_600_000
MOST_OPEN = 50
"""The most offers that one player may have open at the same time."""
MOST_COPIES = 40
"""The most copies on either side of an offer."""
MOST_COINS = 1_000_000_000
"""The most coins on either side of an offer."""
HOURS = (1, 720)
"""The fewest and the most hours for which an offer may stand."""
USUAL_HOURS = 168
EXPIRED_AT_ONCE = 100
"""The number of offers closed in one round, each in a transaction of its own."""


@dataclass(frozen=True, slots=True)
class OfferSide:
    """One side of a new offer: copies by id, numbers of copies by card number, and coins."""

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
    """Make an offer, to everybody or to the player with the handle `to`, that stands for `hours` hours.

    For `gives.cards` the newest copies are chosen: those with the highest serial numbers. Raises `Problem`
    422 for an impossible offer, 404 for an unknown player, and 409 for copies or coins that are not free.
    """
    _require_something(gives, wants)
    now = house.now()
    with house.write() as session:
        other = None if to is None else players.find(session, to, now)
        if other is not None and other.id == player.id:
            raise _refused("own_offer", "You can't make an offer to yourself.", "/to")
        holds.lock_players(session, [player.id] if other is None else [player.id, other.id])
        sanctions.require_none(session, player.id, now, sanctions.KINDS)
        holds.require_known(session)
        if other is not None:
            _require_reach(session, player.id, other.id, now)
        mine = (Offer.maker_id == player.id, Offer.state == "open")
        if session.exec(select(func.count()).select_from(Offer).where(*mine)).one() >= MOST_OPEN:
            raise conflict(
                "too_many_offers", f"A player has at most {MOST_OPEN} open offers.", limit=MOST_OPEN
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
    """Accept an offer: the player gives what it wants and gets what it gives, all at once.

    `copies` are the copies to give, by id. For wanted cards that they leave open, the newest are chosen.
    Raises `Problem` 404 for an offer that is not for this player; 409 for a closed offer, and for copies or
    coins that are not free; 422 for copies that the offer does not want.
    """
    with house.write() as session:
        offer = _locked(session, offer_id, player.id)
        if offer.maker_id == player.id:
            raise conflict("own_offer", "This is your own offer: withdraw it instead.")
        _require_open(house, offer)
        holds.lock_players(session, [offer.maker_id, player.id])
        if offer.for_id is None and blocks.kept_away(session, player.id, [offer.maker_id]):
            raise not_found("offer")  # as in every list
        sanctions.require_none(session, player.id, house.now(), sanctions.KINDS)
        holds.require_known(session)
        _require_reach(session, player.id, offer.maker_id, house.now())
        wanted = dict(
            session.exec(select(OfferWant.card, OfferWant.copies).where(OfferWant.offer_id == offer.id)).all()
        )
        given = _given(session, offer)
        taken = _pick(house, session, player.id, OfferSide(copies, wanted), "", exact=True)
        _settle(house, session, offer, player.id, given, taken)
        _tell(house, session, [offer.maker_id], "offer.accepted", offer, by=player.handle)
        return offer


def decline(house: Runtime, player: Player, offer_id: str) -> Offer:
    """Decline an offer that was made to this player alone. Raises `Problem` 404, 409."""
    with house.write() as session:
        offer = _locked(session, offer_id, player.id)
        if offer.for_id != player.id:
            raise conflict("not_your_offer", "Only an offer that was made to you alone can be declined.")
        _require_open(house, offer)
        _give_back(house, session, offer, "declined")
        _tell(house, session, [offer.maker_id], "offer.declined", offer, by=player.handle)
        return offer


def withdraw(house: Runtime, player: Player, offer_id: str) -> Offer:
    """Withdraw the player's own offer. Raises `Problem` 404, 409."""
    with house.write() as session:
        offer = _locked(session, offer_id, player.id)
        if offer.maker_id != player.id:
            raise conflict("not_your_offer", "Only the player who made an offer can withdraw it.")
        _require_open(house, offer)
        _give_back(house, session, offer, "withdrawn")
        if offer.for_id is not None:
            _tell(house, session, [offer.for_id], "offer.withdrawn", offer, by=player.handle)
        return offer


def expire(house: Runtime, now: int) -> int:
    """Close the offers that have expired at `now`, in milliseconds since 1970; returns how many.

    An expired offer is refused even before this. Closing it frees what it gives.
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
        if offer is None:  # it was accepted or withdrawn, or another worker has locked it
            return False
        _give_back(house, session, offer, "expired")
        others = [] if offer.for_id is None else [offer.for_id]
        _tell(house, session, [offer.maker_id, *others], "offer.expired", offer)
        return True


def visible(offer: Offer, player_id: str) -> bool:
    """Tell whether a player may see an offer.

    Everybody sees an open offer to all. Its parties see any offer.
    """
    if offer.state == "open" and offer.for_id is None:
        return True
    return player_id in (offer.maker_id, offer.for_id, offer.taker_id)


def state_of(offer: Offer, now: int) -> str:
    """The state of an offer at `now`, whether or not a worker has closed it yet."""
    return "expired" if offer.state == "open" and offer.expires_at <= now else offer.state


def _require_reach(session: Session, player_id: str, other_id: str, now: int) -> None:
    """Raise `Problem` 409 where a block parts two players, or the other one may not trade.

    It does not tell which of the two it is.
    """
    blocks.require_willing(session, player_id, [other_id])
    if blocks.kept_away(session, player_id, [other_id]) or sanctions.any_against(session, [other_id], now):
        raise conflict("unreachable_player", "This player can't be reached with an offer.")


def _require_something(gives: OfferSide, wants: OfferSide) -> None:
    """Raise `Problem` 422 unless each side of the offer has something, within the limits."""
    faults = []
    for name, terms in (("gives", gives), ("wants", wants)):
        if not (terms.copies or terms.cards or terms.coins):
            faults.append(Fault("nothing", "Each side of an offer needs copies, cards or coins.", f"/{name}"))
        count = len(terms.copies) + sum(terms.cards.values())
        if count > MOST_COPIES:
            text = f"Each side of an offer has at most {MOST_COPIES} copies, not {count}."
            faults.append(Fault("too_many_copies", text, f"/{name}", data={"at_most": MOST_COPIES}))
    if gives.coins and wants.coins:
        faults.append(Fault("coins_for_coins", "Only one side of an offer can have coins.", "/wants/coins"))
    if faults:
        raise invalid("bad_offer", "This offer is not possible.", faults)


def _locked(session: Session, offer_id: str, player_id: str) -> Offer:
    """An offer to this player, to everybody or of their own, locked until the commit. Raises `Problem` 404.

    A closed offer to everybody counts too: a player who has seen it open is told how it ended.
    """
    offer = session.exec(select(Offer).where(Offer.id == offer_id).with_for_update()).first()
    if offer is None or (offer.for_id is not None and not visible(offer, player_id)):
        raise not_found("offer")
    return offer


def _require_open(house: Runtime, offer: Offer) -> None:
    state = state_of(offer, house.now())
    if state != "open":
        raise conflict("offer_closed", f"This offer is not open any more: it is {state}.", state=state)


def _pick(
    house: Runtime, session: Session, owner_id: str, terms: OfferSide, pointer: str, *, exact: bool = False
) -> list[Copy]:
    """Free copies of a player: the named ones, and as many of each card as wanted, the newest first.

    With `exact` the named copies count towards the wanted cards, and each of them must be wanted.
    """
    cards = dict(terms.cards)
    named = _named(session, owner_id, terms.copies, pointer)
    faults = []
    for i, copy in enumerate(named if exact else ()):
        if cards.get(copy.card, 0) == 0:
            text = "The offer does not want this card, or wants fewer copies of it."
            faults.append(Fault("not_wanted", text, f"{pointer}/copies/{i}"))
        else:
            cards[copy.card] -= 1
    if faults:
        raise invalid("not_wanted", "The offer does not want these copies.", faults)
    return [*named, *_newest(house, session, owner_id, cards, {c.id for c in named}, pointer)]


def _named(session: Session, owner_id: str, ids: Sequence[str], pointer: str) -> list[Copy]:
    """The copies with these ids, which must belong to the player and be free and not bound."""
    query = select(Copy, holds.no_game()).where(Copy.owner_id == owner_id, col(Copy.id).in_(ids))
    found = {copy.id: (copy, unheld) for copy, unheld in session.exec(query)}
    faults = []
    for i, copy_id in enumerate(ids):
        where = f"{pointer}/copies/{i}"
        copy, unheld = found.get(copy_id, (None, True))
        if copy is None:
            faults.append(Fault("not_yours", "You do not own this copy.", where))
        elif copy_id in ids[:i]:
            faults.append(Fault("repeated_copy", "This copy is named twice.", where))
        elif copy.soulbound:
            faults.append(Fault("soulbound", "This copy stays with its first owner for ever.", where))
        elif copy.state != "free" or not unheld:
            state = copy.state if unheld else "held"
            faults.append(Fault("not_free", f"This copy is {state}.", where, data={"state": state}))
    if faults:
        raise conflict("copies_missing", "Not all of these copies can be given.", faults)
    return [found[copy_id][0] for copy_id in ids]


def _newest(
    house: Runtime,
    session: Session,
    owner_id: str,
    counts: Mapping[int, int],
    but: Collection[str],
    pointer: str,
) -> list[Copy]:
    """Free and unbound copies of each card, as many as `counts` says, the highest serial numbers first."""
    mine = (
        Copy.owner_id == owner_id,
        col(Copy.card).in_([card for card, count in counts.items() if count]),
        Copy.state == "free",
        holds.no_game(),
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
        text = "You do not own enough free copies: some are missing, bound, offered or in a match."
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
    """Move everything to its new owner, and close the offer as accepted."""
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
    """Return everything to the maker, and close the offer."""
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
    """Set the owner of these copies, their state and what holds them."""
    ids = [copy.id for copy in copies]
    values = {"owner_id": owner, "state": state, "held_by": held_by}
    session.execute(update(Copy).where(col(Copy.id).in_(ids)).values(values))


def _tell(
    house: Runtime, session: Session, whom: Collection[str], name: str, offer: Offer, by: str | None = None
) -> None:
    feed.add(house, session, whom, name, offer=offer.id, **({} if by is None else {"name": by}))


def _refused(code: str, text: str, pointer: str) -> Problem:
    return invalid(code, text, [Fault(code, text, pointer)])
