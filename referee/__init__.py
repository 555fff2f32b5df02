"""The judge of games: it joins the rules of `cards` with the proofs of `crypto`.

One fold, `apply(game, entry) -> game`, judges every entry: when the service
accepts it, when a client receives it, and when anybody verifies a file offline.
`validation` is the one list of checks for players' messages. `house` appends
the house's entries. `record` is the hash chain and its file. `view` drops the
faces that a seat may not see. Nothing here uses a network, a clock or a database.
"""

from referee.checks import Trusting
from referee.duties import duty_of
from referee.errors import Refused
from referee.fold import apply
from referee.game import Asking, Game, outcome_json
from referee.header import (
    CLOCKS,
    Header,
    SeatedPlayer,
    all_options,
    complete_options,
    read_header,
    set_digest,
    table_options,
)
from referee.house import Keeper, accept, close, due, follow, opening, resume, waits, was_away
from referee.message import Message, Receipt, read_message, write_message, write_receipt
from referee.record import Entry, Unreadable, parse_record, read_entry, read_record, record_bytes
from referee.snapshot import dump_game, load_game
from referee.verify import RecordFault, Report, verify_entries, verify_record, verify_records
from referee.view import asked, view

__all__ = [
    "CLOCKS",
    "Asking",
    "Entry",
    "Game",
    "Header",
    "Keeper",
    "Message",
    "Receipt",
    "RecordFault",
    "Refused",
    "Report",
    "SeatedPlayer",
    "Trusting",
    "Unreadable",
    "accept",
    "all_options",
    "apply",
    "asked",
    "close",
    "complete_options",
    "due",
    "dump_game",
    "duty_of",
    "follow",
    "load_game",
    "opening",
    "outcome_json",
    "parse_record",
    "read_entry",
    "read_header",
    "read_message",
    "read_record",
    "record_bytes",
    "resume",
    "set_digest",
    "table_options",
    "verify_entries",
    "verify_record",
    "verify_records",
    "view",
    "waits",
    "was_away",
    "write_message",
    "write_receipt",
]
