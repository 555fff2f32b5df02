"""The database's tables, a file for each subject.

Times are whole milliseconds since 1970 UTC; ids are UUIDs in text form.
"""

from service.models.block import Block
from service.models.booster import BoosterChain, BoosterOpening, BoosterRow, BoosterRules
from service.models.box import Box
from service.models.challenge import SpentChallenge
from service.models.chore import Chore
from service.models.copy import CardSerial, Copy, CopyHold
from service.models.deck import DeckFavourite, DeckRevision, DeckRow
from service.models.dish import DishPicture, DishRequests, TimesServed
from service.models.envelope import EnvelopeKey, FailedEnvelope
from service.models.feed import PlayerEvent, PlayerFeed
from service.models.game import BotNote, GameEntry, GameRow, GameSeat, Submission
from service.models.handle import HandleRow
from service.models.idempotency import AnswerRow
from service.models.ledger import Account, LedgerHead, LedgerTransaction, LedgerTransfer
from service.models.moderation import Act, ActHead, Role, Sanction
from service.models.opponent import GameChallenge, QueueEntry
from service.models.outside import ChainHead, Trip
from service.models.phrase import Mute, Said
from service.models.player import Player
from service.models.presence import Absence, Presence
from service.models.rating import RatedGame, RatingChange, RatingHead, RatingRow, SeasonStanding
from service.models.report import PlayerReport
from service.models.reward import Grant, Win, WinOver
from service.models.table import Table, TableSeat
from service.models.token import Token
from service.models.tournament import Tournament, TournamentEntry, TournamentMatch
from service.models.trade import Offer, OfferCopy, OfferWant, Price, Wish
from service.models.webhook import Delivery, Webhook

__all__ = [
    "Absence",
    "Account",
    "Act",
    "ActHead",
    "AnswerRow",
    "Block",
    "BoosterChain",
    "BoosterOpening",
    "BoosterRow",
    "BoosterRules",
    "BotNote",
    "Box",
    "CardSerial",
    "ChainHead",
    "Chore",
    "Copy",
    "CopyHold",
    "DeckFavourite",
    "DeckRevision",
    "DeckRow",
    "Delivery",
    "DishPicture",
    "DishRequests",
    "EnvelopeKey",
    "FailedEnvelope",
    "GameChallenge",
    "GameEntry",
    "GameRow",
    "GameSeat",
    "Grant",
    "HandleRow",
    "LedgerHead",
    "LedgerTransaction",
    "LedgerTransfer",
    "Mute",
    "Offer",
    "OfferCopy",
    "OfferWant",
    "Player",
    "PlayerEvent",
    "PlayerFeed",
    "PlayerReport",
    "Presence",
    "Price",
    "QueueEntry",
    "RatedGame",
    "RatingChange",
    "RatingHead",
    "RatingRow",
    "Role",
    "Said",
    "Sanction",
    "SeasonStanding",
    "SpentChallenge",
    "Submission",
    "Table",
    "TableSeat",
    "TimesServed",
    "Token",
    "Tournament",
    "TournamentEntry",
    "TournamentMatch",
    "Trip",
    "Webhook",
    "Win",
    "WinOver",
    "Wish",
]
