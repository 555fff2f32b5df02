"""What the house keeps about players: each column of each table, and what becomes of it.

One account of it serves three: the export of what is kept about a player, the deletion of an account, and
the test that no column is forgotten. A new column needs its place here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, or_
from sqlalchemy.orm import aliased
from sqlmodel import SQLModel, col, select

from service.models import (
    Absence,
    Account,
    Act,
    ActHead,
    AnswerRow,
    Block,
    BoosterChain,
    BoosterOpening,
    BoosterRow,
    BoosterRules,
    BotNote,
    Box,
    CardSerial,
    ChainHead,
    Chore,
    Copy,
    CopyHold,
    DeckFavourite,
    DeckRevision,
    DeckRow,
    Delivery,
    DishPicture,
    DishRequests,
    EnvelopeKey,
    FailedEnvelope,
    GameChallenge,
    GameEntry,
    GameRow,
    GameSeat,
    Grant,
    HandleRow,
    LedgerHead,
    LedgerTransaction,
    LedgerTransfer,
    Mute,
    Offer,
    OfferCopy,
    OfferWant,
    Player,
    PlayerEvent,
    PlayerFeed,
    PlayerReport,
    Presence,
    Price,
    QueueEntry,
    RatedGame,
    RatingChange,
    RatingHead,
    RatingRow,
    Role,
    Said,
    Sanction,
    SeasonStanding,
    SpentChallenge,
    Submission,
    Table,
    TableSeat,
    TimesServed,
    Token,
    Tournament,
    TournamentEntry,
    TournamentMatch,
    Trip,
    Webhook,
    Win,
    WinOver,
    Wish,
)

Rows = Callable[[str], ColumnElement[bool]]
"""The condition of the rows about a player, whose id it takes."""


@dataclass(frozen=True, slots=True)
class About:
    """What a table has about players. Every column stands in exactly one of the texts, by name.

    `goes` are the columns of rows that are deleted with the account; `erased` are overwritten in rows that
    stay. `stays` is what signed records, books and provenance need: they know a player by id and key, and by
    the name under which a game was played. `house` says nothing about anybody.
    """

    mine: Rows | None = None
    """The player's rows; None for a table that has none."""
    goes: str = ""
    erased: str = ""
    stays: str = ""
    house: str = ""
    withheld: str = ""
    """Columns, of those above, that the export leaves out: hashes of what a player knows already."""

    @property
    def columns(self) -> list[str]:
        """All columns that are named, in the order of the texts."""
        return [name for text in (self.goes, self.erased, self.stays, self.house) for name in text.split()]


def _by(column: object) -> Rows:
    """The rows in which a column names the player."""
    return lambda player_id: col(column) == player_id


def _decks(player_id: str) -> ColumnElement[bool]:
    return col(DeckRevision.deck_id).in_(select(DeckRow.id).where(DeckRow.owner_id == player_id))


def _favourites(player_id: str) -> ColumnElement[bool]:
    """Those of the player, and those of others among the player's decks."""
    one: Any = aliased(DeckFavourite)
    theirs = select(DeckRow.id).where(DeckRow.owner_id == player_id)
    liked = sa.select(one.deck_id).where(one.player_id == player_id)
    # An OR alone would have PostgreSQL read the whole table.
    some = col(DeckFavourite.deck_id).in_(liked.union(theirs))
    return some & or_(col(DeckFavourite.player_id) == player_id, col(DeckFavourite.deck_id).in_(theirs))


def _deliveries(player_id: str) -> ColumnElement[bool]:
    return col(Delivery.webhook_id).in_(select(Webhook.id).where(Webhook.player_id == player_id))


def _games(column: object) -> Rows:
    """The rows of games at which the player sat."""

    def mine(player_id: str) -> ColumnElement[bool]:
        played = select(GameSeat.game_id).where(GameSeat.player_id == player_id)
        return col(column).in_(played)

    return mine


def _submissions(player_id: str) -> ColumnElement[bool]:
    sat = (GameSeat.game_id == Submission.game_id, GameSeat.seat == Submission.seat)
    mine = select(GameSeat.seat).where(*sat, GameSeat.player_id == player_id).exists()
    return _games(Submission.game_id)(player_id) & mine


def _offers(player_id: str) -> ColumnElement[bool]:
    parties = (Offer.maker_id, Offer.for_id, Offer.taker_id)
    return or_(*(col(party) == player_id for party in parties))


def _matches(player_id: str) -> ColumnElement[bool]:
    sides = (TournamentMatch.first_id, TournamentMatch.second_id)
    return or_(*(col(side) == player_id for side in sides))


def _of_offers(column: object) -> Rows:
    return lambda player_id: col(column).in_(select(Offer.id).where(_offers(player_id)))


def _transfers(player_id: str) -> ColumnElement[bool]:
    return or_(col(LedgerTransfer.source) == player_id, col(LedgerTransfer.target) == player_id)


def _transactions(player_id: str) -> ColumnElement[bool]:
    return col(LedgerTransaction.seq).in_(select(LedgerTransfer.seq).where(_transfers(player_id)))


TABLES: Mapping[type[SQLModel], About] = {
    Player: About(
        _by(Player.id),
        erased="handle folded password",
        stays="id key created_at deleted_at",
        withheld="password",
    ),
    # A handle that is given up is blocked for a while, so that nobody passes for its former owner.
    HandleRow: About(_by(HandleRow.player_id), erased="handle", stays="skeleton folded player_id left_at"),
    Token: About(
        _by(Token.player_id),
        goes="id player_id digest prefix label created_at expires_at revoked_at used_at",
        withheld="digest",
    ),
    Box: About(_by(Box.player_id), goes="player_id file changed_at"),
    PlayerFeed: About(_by(PlayerFeed.player_id), goes="player_id last"),
    PlayerEvent: About(_by(PlayerEvent.player_id), goes="player_id seq at name data"),
    Webhook: About(
        _by(Webhook.player_id),
        goes="id player_id url events created_at house_key number old_house_key old_until failing_since"
        " disabled_at disabled_reason",
    ),
    Delivery: About(
        _deliveries, goes="id webhook_id seq event body created_at state due_at claimed_until attempts"
    ),
    DeckRow: About(
        _by(DeckRow.owner_id),
        goes="id owner_id revision created_at deleted_at visibility tags name_hidden origin_id"
        " origin_revision",
    ),
    DeckRevision: About(_decks, goes="deck_id number name cards created_at note restored_from"),
    DeckFavourite: About(_favourites, goes="player_id deck_id created_at"),
    Block: About(
        lambda player_id: or_(col(Block.player_id) == player_id, col(Block.blocked_id) == player_id),
        goes="player_id blocked_id created_at",
    ),
    Mute: About(_by(Mute.player_id), goes="player_id since"),
    Wish: About(_by(Wish.player_id), goes="player_id card copies"),
    # Signed records: everybody may have a copy of them.
    GameRow: About(
        _games(GameRow.id),
        stays="id mode created_at ended_at seq head outcome private spectators rated",
        house="snapshot due_at claimed_until",
    ),
    GameSeat: About(
        _by(GameSeat.player_id),
        erased="deck_id",
        stays="game_id seat player_id name cards seed_digest certificate",
        house="bot",
    ),
    GameEntry: About(_games(GameEntry.game_id), stays="game_id seq kind entry"),
    Submission: About(_submissions, stays="game_id step seat kind digest signature at seq waiting"),
    FailedEnvelope: About(_games(FailedEnvelope.game_id), stays="game_id step seat code"),
    Said: About(house="game_id seat seq phrases"),
    BotNote: About(house="game_id seat note"),
    Table: About(
        _by(Table.opened_by),
        stays="id opened_by mode options seats created_at state game_id private spectators hidden invitation"
        " invitation_digest format rematch_of rated",
        withheld="invitation_digest",
    ),
    TableSeat: About(
        _by(TableSeat.player_id),
        erased="deck_id",
        stays="table_id seat player_id name cards",
        house="bot",
    ),
    # Order in the house: the log of acts and the reports outlive accounts. A player who was reported never
    # learns by whom; moderators' own words are for moderators.
    Role: About(_by(Role.player_id), goes="player_id name since"),
    Sanction: About(_by(Sanction.player_id), goes="player_id kind reason since until"),
    Act: About(
        _by(Act.subject_id), stays="seq at kind subject subject_id details actor digest", withheld="actor"
    ),
    ActHead: About(house="id seq digest"),
    PlayerReport: About(
        _by(PlayerReport.reporter_id),
        stays="id reporter_id about_id kind game_id deck_id table_id note created_at state handler_id verdict"
        " remark closed_at",
        withheld="handler_id remark",
    ),
    # The books, and the provenance of copies: what others own rests on them.
    Account: About(_by(Account.player_id), stays="id player_id coins"),
    LedgerHead: About(house="id seq digest"),
    LedgerTransaction: About(_transactions, stays="seq kind ref at digest"),
    LedgerTransfer: About(_transfers, stays="seq number source target coins copy_id"),
    Copy: About(
        _by(Copy.owner_id), stays="id card serial owner_id origin soulbound created_at state held_by"
    ),
    CopyHold: About(house="game_id copy_id"),
    # What is outside is public on the chain, and the books rest on it.
    Trip: About(
        _by(Trip.player_id), stays="statement_id place copy_id token trip player_id receiver until state at"
    ),
    ChainHead: About(house="id place number hash time restored_until alarm"),
    CardSerial: About(house="card last"),
    BoosterRow: About(
        _by(BoosterRow.owner_id), stays="id owner_id set_code rules origin soulbound created_at opened_at"
    ),
    BoosterRules: About(house="digest rules"),
    BoosterChain: About(
        _by(BoosterChain.player_id), stays="player_id number house_key commitment used pending"
    ),
    BoosterOpening: About(
        _by(BoosterOpening.player_id), stays="player_id number booster_id set_code counter opening"
    ),
    Grant: About(_by(Grant.player_id), stays="id player_id name at coins boosters copies"),
    Win: About(_by(Win.player_id), stays="game_id player_id at coins number booster_id"),
    WinOver: About(
        lambda player_id: or_(col(WinOver.player_id) == player_id, col(WinOver.opponent) == player_id),
        stays="game_id player_id opponent at",
    ),
    Offer: About(
        _offers,
        stays="id maker_id for_id taker_id gives_coins wants_coins state created_at expires_at closed_at",
    ),
    OfferCopy: About(_of_offers(OfferCopy.offer_id), stays="offer_id copy_id card given"),
    OfferWant: About(_of_offers(OfferWant.offer_id), stays="offer_id card copies"),
    Price: About(_of_offers(Price.offer_id), stays="offer_id card at copies coins"),
    # Others' ratings rest on these. No list shows those of a player who has left.
    GameChallenge: About(
        lambda player: (col(GameChallenge.from_id) == player) | (col(GameChallenge.to_id) == player),
        goes="id from_id to_id mode options format rated deck_id created_at expires_at state game_id",
    ),
    QueueEntry: About(
        _by(QueueEntry.player_id),
        goes="player_id mode pace format rated deck_id mu joined_at expires_at look_at bot_offered",
    ),
    RatedGame: About(_games(RatedGame.game_id), stays="game_id ordinal mode at pair_limit reason"),
    RatingRow: About(_by(RatingRow.player_id), stays="player_id mode mu sigma games wins draws at"),
    RatingChange: About(
        _by(RatingChange.player_id),
        erased="deck_id",
        stays="game_id player_id mode ordinal at result mu_before sigma_before mu sigma",
    ),
    SeasonStanding: About(
        _by(SeasonStanding.player_id), stays="season mode player_id games wins mu sigma place"
    ),
    # The standings of a tournament are those of all its players, and its coins are in the books.
    Tournament: About(
        _by(Tournament.director_id),
        stays="id name system mode options format rated director_id fee added prizes places entered numbered"
        " rounds round late_rounds pause_ms state reason created_at starts_at ended_at",
        house="version stale next_at due_at",
    ),
    TournamentEntry: About(
        _by(TournamentEntry.player_id),
        erased="deck_id",
        stays="id tournament_id player_id entered_at paid cards seed from_round out_round out_reason rank"
        " place points buchholz sonneborn wins prize",
    ),
    TournamentMatch: About(
        _matches,
        stays="tournament_id round board first_id second_id state result played games game_id ruling"
        " ruled_by",
        withheld="ruled_by",
    ),
    RatingHead: About(house="id ordinal"),
    TimesServed: About(_by(TimesServed.player_id), goes="player_id dish times at"),
    DishPicture: About(house="id cards noted_at due_at tries"),
    DishRequests: About(house="id busy_until day count failures"),
    # Nobody can read an answer without the request, and it goes after a day.
    AnswerRow: About(house="id created_at sealed"),
    SpentChallenge: About(house="digest expires_at"),
    Chore: About(house="name due_at"),
    EnvelopeKey: About(house="number key published_at"),
    Presence: About(house="id at"),
    Absence: About(house="ended began"),
}
"""Every table of the database."""
