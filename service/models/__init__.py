"""The database's tables, a file for each subject.

Times are whole milliseconds since 1970 UTC; ids are UUIDs in text form.
"""

from service.models.booster import BoosterChain, BoosterOpening, BoosterRow, BoosterRules
from service.models.chore import Chore
from service.models.copy import CardSerial, Copy
from service.models.deck import DeckFavourite, DeckRevision, DeckRow
from service.models.envelope import EnvelopeKey, FailedEnvelope
from service.models.feed import PlayerEvent, PlayerFeed
from service.models.game import BotNote, GameEntry, GameRow, GameSeat, Submission
from service.models.idempotency import AnswerRow
from service.models.ledger import Account, LedgerHead, LedgerTransaction, LedgerTransfer
from service.models.player import Player
from service.models.reward import Win, WinOver
from service.models.table import Table, TableSeat
from service.models.token import Token
from service.models.trade import Offer, OfferCopy, OfferWant, Price, Wish
from service.models.webhook import Delivery, Webhook

__all__ = [
    "Account",
    "AnswerRow",
    "BoosterChain",
    "BoosterOpening",
    "BoosterRow",
    "BoosterRules",
    "BotNote",
    "CardSerial",
    "Chore",
    "Copy",
    "DeckFavourite",
    "DeckRevision",
    "DeckRow",
    "Delivery",
    "EnvelopeKey",
    "FailedEnvelope",
    "GameEntry",
    "GameRow",
    "GameSeat",
    "LedgerHead",
    "LedgerTransaction",
    "LedgerTransfer",
    "Offer",
    "OfferCopy",
    "OfferWant",
    "Player",
    "PlayerEvent",
    "PlayerFeed",
    "Price",
    "Submission",
    "Table",
    "TableSeat",
    "Token",
    "Webhook",
    "Win",
    "WinOver",
    "Wish",
]
