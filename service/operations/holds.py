"""Holds: running games hold the copies of their decks against every transfer, until they end.

A match reads copies and never moves them. So a copy may be held by several games, and is free when the last
of them ends. `Copy.held_by` names one of the games, and `CopyHold` has the others.

All code that holds, releases or transfers copies of a player locks the player's row first; of several
players, in the order of their ids.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import ColumnElement, delete, exists, func, insert, update
from sqlmodel import Session, col, select

from cards.catalog.cards import Catalog
from service.models import ChainHead, Copy, CopyHold, Player
from service.operations.collection import PLAYABLE
from service.problems import Fault, Problem, conflict


class DeckGone(Problem):
    """A seat's deck can no longer be played.

    It is 409 `copies_missing` if some copies are in an offer or no longer owned, and 422 `deck_illegal` if
    the house now has other cards. `player_id` is the deck's owner, or empty for a bot of the house.
    """

    def __init__(self, player_id: str, problem: Problem) -> None:
        super().__init__(problem.status, problem.code, problem.detail, problem.errors)
        self.player_id = player_id


def lock_players(session: Session, ids: Collection[str]) -> None:
    """Lock players' rows in the order of their ids, as all code does that holds or takes copies."""
    query = select(Player.id).where(col(Player.id).in_(ids)).order_by(col(Player.id))
    session.exec(query.with_for_update(key_share=True)).all()


def hold_decks(
    session: Session, catalog: Catalog, decks: Iterable[tuple[str, Mapping[int, int]]], game_id: str
) -> None:
    """Hold the copies for a match, for several players: (player id, counts by card number).

    Raises `DeckGone`, which names the player whose copies are missing. Players are locked in the order of
    their ids, so that two matches between the same people never deadlock.
    """
    for player_id, counts in sorted(decks, key=lambda deck: deck[0]):
        try:
            hold_deck(session, catalog, player_id, counts, game_id)
        except Problem as problem:
            raise DeckGone(player_id, problem) from None


def hold_deck(
    session: Session, catalog: Catalog, player_id: str, counts: Mapping[int, int], game_id: str
) -> None:
    """Hold copies of a player for a game: of each card as many as `counts` says.

    Copies that games hold already come first, then bound ones, then those with the lowest serial numbers. So
    as many as possible stay free for offers. Raises `Problem` 409 `copies_missing`, which names every card
    of which too few copies are there.
    """
    lock_players(session, [player_id])
    # A restored house does not know which of the copies that may leave have left.
    bound = [col(Copy.soulbound)] if restored(session) else []
    there = session.exec(
        select(Copy.id, Copy.card, Copy.state)
        .where(Copy.owner_id == player_id, col(Copy.card).in_(counts), col(Copy.state).in_(PLAYABLE), *bound)
        .order_by(col(Copy.card), col(Copy.state) == "free", ~col(Copy.soulbound), col(Copy.serial))
    ).all()
    chosen, missing = _choose(there, counts)
    if missing:
        faults = [_missing_fault(catalog, card, counts[card], lack) for card, lack in missing.items()]
        detail = "Some of these copies are not owned, or an open offer gives them."
        raise conflict("copies_missing", detail, faults)
    free = [copy_id for copy_id, state in chosen if state == "free"]
    held = [{"copy_id": copy_id, "game_id": game_id} for copy_id, state in chosen if state == "held"]
    session.execute(update(Copy).where(col(Copy.id).in_(free)).values(state="held", held_by=game_id))
    if held:
        session.execute(insert(CopyHold), held)


def _choose(
    there: Sequence[tuple[str, int, str]], counts: Mapping[int, int]
) -> tuple[list[tuple[str, str]], dict[int, int]]:
    """The first copies of each card (id and state), and the number of missing copies by card."""
    left = dict(counts)
    chosen: list[tuple[str, str]] = []
    for copy_id, card, state in there:
        if left[card] > 0:
            left[card] -= 1
            chosen.append((copy_id, state))
    return chosen, {card: lack for card, lack in sorted(left.items()) if lack > 0}


def _missing_fault(catalog: Catalog, card: int, needed: int, lack: int) -> Fault:
    known = catalog.cards.get(card)
    name, slug = (known.name, known.slug) if known else (f"card {card}", str(card))
    detail = f"{needed} copies of {name} are needed, and {needed - lack} can be played."
    data = {"number": card, "needed": needed, "playable": needed - lack, "missing": lack}
    return Fault("copies_missing", detail, f"/cards/{slug}", data=data)


def lock_holders(session: Session, game_id: str) -> None:
    """Lock the players whose copies a game holds."""
    others = select(CopyHold.copy_id).where(CopyHold.game_id == game_id)
    # An OR alone would have PostgreSQL read the whole table.
    owners = select(Copy.owner_id).where(Copy.held_by == game_id)
    either = owners.union(select(Copy.owner_id).where(col(Copy.id).in_(others)))
    lock_players(session, session.execute(either).scalars().all())


def release_game(session: Session, game_id: str) -> None:
    """End a game's holds. Copies that no other game holds are free. Idempotent.

    A caller that has locked anything of a player's calls `lock_holders` before.
    """
    lock_holders(session, game_id)
    session.execute(delete(CopyHold).where(col(CopyHold.game_id) == game_id))
    mine = (col(Copy.held_by) == game_id, col(Copy.state) == "held")
    heirs = (
        select(CopyHold.copy_id, func.min(col(CopyHold.game_id)))
        .join(Copy, col(Copy.id) == col(CopyHold.copy_id))
        .where(*mine)
        .group_by(col(CopyHold.copy_id))
    )
    inherited: dict[str, list[str]] = {}
    for copy_id, heir in session.exec(heirs):
        inherited.setdefault(heir, []).append(copy_id)
    for heir, ids in inherited.items():
        session.execute(update(Copy).where(col(Copy.id).in_(ids)).values(held_by=heir))
        of_heir = (col(CopyHold.game_id) == heir, col(CopyHold.copy_id).in_(ids))
        session.execute(delete(CopyHold).where(*of_heir))
    session.execute(update(Copy).where(*mine).values(state="free", held_by=None))


def restored(session: Session) -> bool:
    """Tell whether this house was restored and does not yet know which of its copies are outside."""
    head = session.get(ChainHead, 1)
    return head is not None and head.restored_until > 0


def require_known(session: Session) -> None:
    """Raise `Problem` 409 while the house may not know which of its copies are outside."""
    if restored(session):
        raise conflict("chain_unread", "This house was restored, and has to read its chain first.")


def no_game() -> ColumnElement[bool]:
    """The condition that no game holds a `Copy`: what every transfer requires, beside its state.

    While a house is upgraded, a process of the version before frees all copies of a game that ends. It does
    not know `CopyHold`, which still keeps those that other games hold.
    """
    return ~exists().where(col(CopyHold.copy_id) == col(Copy.id))
