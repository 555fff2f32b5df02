"""Beginning: opening a game for players and bots of the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from sqlmodel import Session

from cards.catalog.cards import texts as card_texts
from cards.games import find as find_mode
from crypto.identity import public_key
from referee import SeatedPlayer, opening
from referee.header import seals
from service.keys import Keys
from service.live import LiveGame, Sitter
from service.models import GameRow, GameSeat
from service.operations import envelopes, presence
from service.operations.games.rows import keeper
from service.operations.games.saving import save
from service.operations.holds import hold_decks
from service.operations.refusals import as_problems
from service.runtime import Runtime


@dataclass(frozen=True, slots=True)
class PlayerPlan:
    """A player who will sit in a game."""

    name: str
    key: bytes
    """The player's Ed25519 public key."""
    player_id: str | None = None
    cards: Mapping[int, int] | None = None
    """The player's own deck, copies by card number; None in a mode without own decks."""
    deck_id: str | None = None
    """The deck list from which it was taken."""

    @property
    def bot(self) -> None:
        """No bot sits here."""


@dataclass(frozen=True, slots=True)
class BotPlan:
    """One of the house's bots that will sit in a game. Its key follows from the house's keys and its seat."""

    bot: str
    cards: Mapping[int, int] | None = None
    """The bot's own deck, copies by card number; None in a mode without own decks."""

    @property
    def name(self) -> str:
        """The name at the seat."""
        return f"{self.bot} (house)"

    @property
    def player_id(self) -> None:
        """No player sits here."""

    @property
    def deck_id(self) -> None:
        """No player's deck list is played here."""


SeatPlan = PlayerPlan | BotPlan


def begin(
    house: Runtime,
    session: Session,
    mode: str,
    options: Mapping[str, Any],
    plans: Sequence[SeatPlan],
    *,
    private: bool = False,
    spectators: bool = False,
    rated: bool = False,
) -> str:
    """Open a game in the caller's transaction and return its id. The decks' copies are held until its end.

    With `spectators` everybody may watch the running game; with `private` strangers are not told of it. With
    `rated` its end changes the players' ratings.
    Raises `Problem` for a bad option and `DeckGone` where copies are missing.
    """
    rules = find_mode(mode)
    texts = card_texts(house.catalog) if rules.facts.own_decks else []
    now = presence.attend(house, session)
    keys = house.keys  # read once: the keys may be rotated between two reads
    players = [SeatedPlayer(plan.name, _key_of(keys, seat, plan)) for seat, plan in enumerate(plans)]
    row = GameRow(
        mode=mode,
        created_at=now,
        seq=0,
        snapshot={},
        private=private,
        spectators=spectators,
        rated=rated,
    )
    with as_problems():
        to = envelopes.newest(session) if seals(rules) else None
        fold, entries = opening(keeper(keys, row.id), row.id, rules, options, players, texts, now, to)
    session.add(row)
    session.flush()
    for number, plan in enumerate(plans):
        cards = None if plan.cards is None else {str(card): n for card, n in sorted(plan.cards.items())}
        session.add(
            GameSeat(
                game_id=row.id,
                seat=number,
                player_id=plan.player_id,
                bot=plan.bot,
                name=plan.name,
                cards=cards,
                deck_id=plan.deck_id,
            )
        )
    session.flush()
    decks = [(plan.player_id, plan.cards) for plan in plans if plan.player_id is not None and plan.cards]
    hold_decks(session, house.catalog, decks, row.id)
    seats = tuple(Sitter(number, plan.player_id, plan.bot) for number, plan in enumerate(plans))
    live = LiveGame(row.id, seats, private, spectators, seq=-1, fold=fold)
    save(house, session, live, None, fold, entries)
    return row.id


def bot_key(keys: Keys, bot: str, seat: int) -> bytes:
    """The Ed25519 private key of a bot at a seat. The same bot at two seats has two keys."""
    return keys.bot_key(f"{bot}/{seat}")


def _key_of(keys: Keys, seat: int, plan: SeatPlan) -> bytes:
    """The Ed25519 public key that signs for a seat."""
    match plan:
        case PlayerPlan():
            return plan.key
        case BotPlan():
            return public_key(bot_key(keys, plan.bot, seat))
        case _:
            assert_never(plan)
