"""`cloche chain pots`: what a house's contract of prizes has done, as nodes tell it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import click

from chain.calls import checksummed
from chain.contracts import artifacts
from chain.nodes import Nodes
from chain.reader import ChainEvent, Changed, LogReader
from cloche.commands import access
from cloche.commands.chain.machines import node_errors, node_option
from cloche.commands.chain.prizes import house_contract
from cloche.commands.errors import CommandError
from cloche.commands.records.fetching import meant_game
from crypto.encoding import timestamp
from referee.on_chain import Place

SEATS = ("nobody", "seat 0", "seat 1", "both seats")


@click.command()
@click.argument("game", required=False)
@node_option
@click.option(
    "--blocks",
    type=click.IntRange(1),
    default=200_000,
    show_default=True,
    help="How many blocks to look back, from the newest final one.",
)
@click.option("--json", "as_json", is_flag=True, help="Print an object of JSON for each event, a line each.")
@access.house_option
@access.passphrase_option
def pots(
    game: str | None,
    nodes: Sequence[str],
    blocks: int,
    as_json: bool,
    house: str | None,
    passphrase_file: Path | None,
) -> None:
    """List pots, words of the house and payments, of GAME alone if it is given.

    Only final blocks are read. With several --node all must agree.
    """
    if not nodes:
        raise click.UsageError("Name a node of the chain: --node URL.")
    with meant_game(game or "", house, passphrase_file) as (_, api, meant):
        place = house_contract(api)
    with _reading(nodes, place) as reader:
        cursor = reader.before(max(1, reader.final() + 1 - blocks))
        found = [event for page, _ in reader.since(cursor) for event in page]
    shown = [event for event in found if event.name != "Paid"] if game is None else list(_of(found, meant))
    for event in shown:
        click.echo(json.dumps(_json(event)) if as_json else _line(event))
    if not shown and not as_json:
        click.echo("There is nothing in these blocks.")


@contextmanager
def _reading(urls: Sequence[str], place: Place) -> Iterator[LogReader]:
    """A reader of the contract; raises `CommandError`."""
    with node_errors():
        nodes = Nodes(urls)
        try:
            if nodes.chain_id != place.chain_id:
                chains = f"chain {nodes.chain_id}, and the house's contract is on {place.chain_id}"
                text = f"These nodes have {chains}."
                raise CommandError("another_chain", text)
            yield LogReader(nodes, artifacts()["prizes"], place.contract)
        except Changed as fault:
            raise CommandError("chain_changed", f"The chain has taken something back: {fault}.") from None
        finally:
            nodes.close()


def _of(events: Sequence[ChainEvent], game: str) -> Iterator[ChainEvent]:
    """The events of a game; a payment out of credits belongs to none."""
    wanted, names = UUID(game).bytes, set[bytes]()
    for event in events:
        if event.name == "Opened" and event.values["game"] == wanted:
            names.add(event.values["pot"])
        if event.values.get("game") == wanted or event.values.get("pot") in names:
            yield event


def _value(name: str, value: Any) -> Any:
    if name == "game":
        return str(UUID(bytes=value))
    if name in ("first", "second", "sponsor"):
        return checksummed(value)
    return "0x" + value.hex() if isinstance(value, bytes) else value


def _json(event: ChainEvent) -> dict[str, Any]:
    values = {name: _value(name, value) for name, value in event.values.items()}
    return {"event": event.name, "block": event.block, **values}


def _line(event: ChainEvent) -> str:
    it, head = _json(event), f"{event.block:>9,}  "
    match event.name:
        case "Opened":
            until = timestamp(it["end"] * 1000)
            text = f"pot {it['pot']} of {it['prize']:,} wei on game {it['game']}, until {until}"
            return f"{head}{text}\n{'':11}for {it['first']} and {it['second']}, by {it['sponsor']}"
        case "Told":
            doubt = ", which is another word than before" if it["doubtful"] else ""
            return f"{head}the house says of game {it['game']}: {SEATS[it['winners']]} won{doubt}"
        case "Closed":
            to = SEATS[it["winners"]] if it["winners"] else "its sponsor"
            return f"{head}pot {it['pot']} is closed: to {to}"
    return f"{head}the contract has the house's new key {it['new']}"
