"""The market: visible offers, past prices, players' wishes, and the cost of missing cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, func
from sqlmodel import Session, col, or_, select

from service.models import Copy, Offer, OfferCopy, OfferWant, Player, Price, Wish
from service.operations import blocks, collection, sanctions
from service.operations.trades import state_of, visible
from service.problems import Fault, invalid, not_found
from service.runtime import Runtime

MOST_WISHES = 300
"""The most different cards that one player may wish for."""


@dataclass(frozen=True, slots=True)
class ShownOffer:
    """An offer as a player sees it, with its players' handles and its copies."""

    offer: Offer
    state: str
    maker: str
    to: str | None
    taker: str | None
    gives: Sequence[Copy]
    wants: Mapping[int, int]
    """Copies by card."""
    got: Sequence[Copy]
    """The copies that the taker gave for it, by card and serial number."""


@dataclass(frozen=True, slots=True)
class OfferQuery:
    """The filters that choose the offers to list."""

    card: int | None = None
    """The card that an offer must give."""
    wants: int | None = None
    """The card that an offer must want."""
    maker: str | None = None
    """The handle of the player who must have made the offer."""
    mine: bool = False
    """Offers that the player made, was made or took, closed ones too; otherwise those open to everybody."""
    cheapest: bool = False
    """List by the coins wanted, fewest first; otherwise the newest first."""


def find(house: Runtime, session: Session, offer_id: str, player_id: str) -> ShownOffer:
    """An offer that this player may see. Raises `Problem` 404."""
    offer = session.get(Offer, offer_id)
    if offer is None or not visible(offer, player_id):
        raise not_found("offer")
    if player_id not in (offer.for_id, offer.taker_id) and blocks.kept_away(
        session, player_id, [offer.maker_id]
    ):
        raise not_found("offer")
    return show(house, session, [offer])[0]


def offers(
    house: Runtime,
    session: Session,
    player_id: str,
    query: OfferQuery,
    after: tuple[int, str] | None,
    limit: int,
) -> list[ShownOffer]:
    """Offers in the order that the query asks for, from the first after the key (see `key_of`)."""
    if query.mine:
        parts = (Offer.maker_id, Offer.for_id, Offer.taker_id)
        found = select(Offer).where(or_(*(col(part) == player_id for part in parts)))
    else:
        found = select(Offer).where(
            Offer.state == "open",
            Offer.expires_at > house.now(),
            col(Offer.for_id).is_(None),
            ~blocks.between(col(Offer.maker_id), player_id),
            ~sanctions.against(col(Offer.maker_id), house.now()),
        )
    if query.card is not None:
        giving = select(OfferCopy.offer_id).where(OfferCopy.card == query.card, col(OfferCopy.given))
        found = found.where(col(Offer.id).in_(giving))
    if query.wants is not None:
        wanting = select(OfferWant.offer_id).where(OfferWant.card == query.wants)
        found = found.where(col(Offer.id).in_(wanting))
    if query.maker is not None:
        maker = select(Player.id).where(Player.folded == query.maker.lower())
        found = found.where(col(Offer.maker_id).in_(maker))
    first = col(Offer.wants_coins) if query.cheapest else col(Offer.created_at)
    if after is not None:
        value, offer_id = after
        beyond = first > value if query.cheapest else first < value
        found = found.where(beyond | ((first == value) & (col(Offer.id) > offer_id)))
    order = first if query.cheapest else first.desc()
    return show(house, session, session.exec(found.order_by(order, col(Offer.id)).limit(limit)).all())


def key_of(query: OfferQuery, shown: ShownOffer) -> tuple[int, str]:
    """An offer's place in the order of the query."""
    return (shown.offer.wants_coins if query.cheapest else shown.offer.created_at, shown.offer.id)


def show(house: Runtime, session: Session, found: Sequence[Offer]) -> list[ShownOffer]:
    """Return these offers with their players and copies."""
    ids = [offer.id for offer in found]
    people = {p for o in found for p in (o.maker_id, o.for_id, o.taker_id) if p is not None}
    handles = dict(session.exec(select(Player.id, Player.handle).where(col(Player.id).in_(people))).all())
    given: dict[str, list[Copy]] = {}
    got: dict[str, list[Copy]] = {}
    rows = (
        select(OfferCopy.offer_id, OfferCopy.given, Copy)
        .join(Copy, col(Copy.id) == col(OfferCopy.copy_id))
        .where(col(OfferCopy.offer_id).in_(ids))
        .order_by(col(Copy.card), col(Copy.serial))
    )
    for offer_id, is_given, copy in session.exec(rows):
        (given if is_given else got).setdefault(offer_id, []).append(copy)
    wants: dict[str, dict[int, int]] = {}
    for want in session.exec(
        select(OfferWant).where(col(OfferWant.offer_id).in_(ids)).order_by(col(OfferWant.card))
    ):
        wants.setdefault(want.offer_id, {})[want.card] = want.copies
    now = house.now()
    return [
        ShownOffer(
            offer=offer,
            state=state_of(offer, now),
            maker=handles[offer.maker_id],
            to=None if offer.for_id is None else handles[offer.for_id],
            taker=None if offer.taker_id is None else handles[offer.taker_id],
            gives=given.get(offer.id, []),
            wants=wants.get(offer.id, {}),
            got=got.get(offer.id, []),
        )
        for offer in found
    ]


# Prices: of settled trades in which copies of one card were exchanged for coins alone


def prices(
    session: Session, card: int, after: tuple[int, str] | None = None, limit: int | None = None
) -> list[Price]:
    """The prices of a card, the newest first, from the first after the key (at, offer id)."""
    query = select(Price).where(Price.card == card)
    if after is not None:
        at, offer_id = after
        query = query.where((col(Price.at) < at) | ((col(Price.at) == at) & (col(Price.offer_id) > offer_id)))
    return list(session.exec(query.order_by(col(Price.at).desc(), col(Price.offer_id)).limit(limit)))


def last_prices(session: Session, after: int = 0, limit: int | None = None) -> list[Price]:
    """The newest price of each card that has one, by card number, from the first card above `after`."""
    rank = func.row_number().over(
        partition_by=col(Price.card), order_by=(col(Price.at).desc(), col(Price.offer_id))
    )
    newest = select(Price.offer_id, rank.label("rank")).where(Price.card > after).subquery()
    query = select(Price).join(newest, newest.c.offer_id == col(Price.offer_id)).where(newest.c.rank == 1)
    return list(session.exec(query.order_by(col(Price.card)).limit(limit)))


# Wishes


def wishes(session: Session, player_id: str) -> dict[int, int]:
    """The wishes of a player: copies by card number."""
    query = select(Wish.card, Wish.copies).where(Wish.player_id == player_id).order_by(col(Wish.card))
    return dict(session.exec(query).all())


def wish(house: Runtime, player: Player, counts: Mapping[int, int]) -> None:
    """Replace a player's wishes: copies by card number. Raises `Problem` 422."""
    if len(counts) > MOST_WISHES:
        text = f"A list of wishes has at most {MOST_WISHES} different cards, not {len(counts)}."
        raise invalid("too_many_wishes", text, [Fault("too_many_wishes", text, "/cards")], limit=MOST_WISHES)
    with house.write() as session:
        locked = select(Player.id).where(Player.id == player.id).with_for_update(key_share=True)
        session.exec(locked).one()
        session.execute(delete(Wish).where(col(Wish.player_id) == player.id))
        session.add_all(Wish(player_id=player.id, card=card, copies=n) for card, n in sorted(counts.items()))


# The cost of what is missing


@dataclass(frozen=True, slots=True)
class Cost:
    """The present cost of the copies of one card that a player lacks."""

    card: int
    missing: int
    free: bool
    """True if the card is a Basic Ingredient, which the house gives away."""
    coins: int
    """The price of the offered copies together."""
    unavailable: int
    """Copies that nobody offers for coins."""
    offers: Sequence[str]
    """The ids of the offers to take."""
    last: Price | None
    """The card's newest price."""


def cost(house: Runtime, session: Session, player_id: str, counts: Mapping[int, int]) -> list[Cost]:
    """The cost of each card of which a player owns fewer copies than `counts` says, by card number.

    Only offers count that are open to everybody, give copies of one card and want coins alone. The cheapest
    choice among them may bring more copies than are missing.
    """
    owned = collection.owned(session, player_id)
    lacks = {card: n - owned.get(card, 0) for card, n in sorted(counts.items()) if n > owned.get(card, 0)}
    printings = house.catalog.printings
    basic = {card for card in lacks if card in printings and printings[card].basic}
    lots = _lots(house, session, player_id, [card for card in lacks if card not in basic])
    last = {price.card: price for price in last_prices(session)} if lacks else {}
    found = []
    for card, lack in lacks.items():
        chosen = [] if card in basic else cheapest(lots.get(card, ()), lack)
        short = 0 if card in basic else max(0, lack - sum(lot.copies for lot in chosen))
        coins, ids = sum(lot.coins for lot in chosen), [lot.offer for lot in chosen]
        found.append(Cost(card, lack, card in basic, coins, short, ids, last.get(card)))
    return found


@dataclass(frozen=True, slots=True)
class Lot:
    """An offer of copies of one card for coins alone."""

    offer: str
    copies: int
    coins: int


def cheapest(lots: Iterable[Lot], wanted: int) -> list[Lot]:
    """The lots that bring `wanted` copies for the fewest coins; all lots if together they bring no more.

    The choice is exact: it extends the best choice for each smaller number of copies. Among choices of the
    same price it prefers earlier lots.
    """
    every = list(lots)
    if sum(lot.copies for lot in every) <= wanted:
        return every
    # By the number of copies: the fewest coins for them, and the lots to take.
    best: dict[int, tuple[int, list[Lot]]] = {0: (0, [])}
    for lot in every:
        # From the most copies down, so that no lot is taken twice.
        for have in sorted(best, reverse=True):
            if have == wanted:
                continue
            coins, lots_before = best[have]
            then = min(wanted, have + lot.copies)
            if then not in best or coins + lot.coins < best[then][0]:
                best[then] = (coins + lot.coins, [*lots_before, lot])
    return best[wanted][1]


def _lots(house: Runtime, session: Session, player_id: str, cards: Sequence[int]) -> dict[int, list[Lot]]:
    """The lots of each card that this player can take now, the earliest first."""
    lowest, highest = func.min(col(OfferCopy.card)), func.max(col(OfferCopy.card))
    wanting = select(OfferWant.offer_id)
    query = (
        select(Offer.id, lowest, func.count(), Offer.wants_coins)
        .join(OfferCopy, (col(OfferCopy.offer_id) == col(Offer.id)) & col(OfferCopy.given))
        .where(
            Offer.state == "open",
            Offer.expires_at > house.now(),
            col(Offer.for_id).is_(None),
            Offer.maker_id != player_id,
            Offer.gives_coins == 0,
            Offer.wants_coins > 0,
            col(Offer.id).not_in(wanting),
            ~sanctions.against(col(Offer.maker_id), house.now()),
            ~blocks.between(col(Offer.maker_id), player_id),
        )
        .group_by(col(Offer.id), col(Offer.wants_coins), col(Offer.created_at))
        .having(lowest == highest, lowest.in_(cards))
        .order_by(col(Offer.created_at), col(Offer.id))
    )
    lots: dict[int, list[Lot]] = {}
    for offer_id, card, copies, coins in session.exec(query):
        lots.setdefault(card, []).append(Lot(offer_id, copies, coins))
    return lots
