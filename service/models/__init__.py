"""The tables, one file a concern. Times are whole milliseconds since 1970 UTC, ids are UUIDs in text form."""

from service.models.booster import Booster, BoosterChain, BoosterOpening, BoosterRules
from service.models.chore import Chore
from service.models.copy import CardSerial, Copy
from service.models.deck import Deck, DeckFavourite, DeckRevision
from service.models.envelope import EnvelopeKey, FailedEnvelope
from service.models.feed import PlayerEvent, PlayerFeed
from service.models.game import BotNote, Game, GameEntry, GameSeat, Submission
from service.models.idempotency import KeptAnswer
from service.models.ledger import Account, LedgerHead, LedgerTransaction, LedgerTransfer
from service.models.player import Player
from service.models.reward import Win, WinOver
from service.models.table import Table, TableSeat
from service.models.token import Token
from service.models.trade import Offer, OfferCopy, OfferWant, Price, Wish
from service.models.webhook import Delivery, Webhook

__all__ = [
    "Account",
    "Booster",
    "BoosterChain",
    "BoosterOpening",
    "BoosterRules",
    "BotNote",
    "CardSerial",
    "Chore",
    "Copy",
    "Deck",
    "DeckFavourite",
    "DeckRevision",
    "Delivery",
    "EnvelopeKey",
    "FailedEnvelope",
    "Game",
    "GameEntry",
    "GameSeat",
    "KeptAnswer",
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
