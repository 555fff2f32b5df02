"""The tables, one file a concern. Times are whole milliseconds since 1970 UTC, ids are UUIDs in text form."""

from service.models.copy import CardSerial, Copy
from service.models.deck import Deck, DeckRevision
from service.models.game import BotNote, Game, GameEntry, GameSeat, Submission
from service.models.player import Player
from service.models.table import Table, TableSeat
from service.models.token import Token

__all__ = [
    "BotNote",
    "CardSerial",
    "Copy",
    "Deck",
    "DeckRevision",
    "Game",
    "GameEntry",
    "GameSeat",
    "Player",
    "Submission",
    "Table",
    "TableSeat",
    "Token",
]
