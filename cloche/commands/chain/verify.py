"""`cloche chain verify`: every signature, match deck and seal of a record, judged by contracts."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from chain.records import CERTIFICATE, DECK, ENTRY, MESSAGE, SEAL, Judged, gather, judge
from cloche.commands import access
from cloche.commands.chain.machines import Asked, asked, node_option
from cloche.commands.errors import REFUSED, UNREADABLE, UnreadableInput, plain
from cloche.commands.measure.progress import progress
from cloche.commands.records.fetching import fetched, game_id, names_a_game
from cloche.commands.records.verify import CHECKS
from cloche.commands.words import result
from crypto.encoding import EncodingError, b64, unb64
from referee import RecordFault, Unreadable

WORDS = {
    ENTRY: "signatures of the house",
    MESSAGE: "signatures of players",
    CERTIFICATE: "certificates",
    DECK: "match decks",
    SEAL: "seals",
}
"""The words for each kind of statement."""
PROGRAM_ALONE = {**CHECKS, "proofs": "of tables that nobody deals, for which there is no contract"}


@click.command()
@click.argument("file", metavar="RECORD", type=click.Path(dir_okay=False, allow_dash=True))
@node_option
@click.option(
    "--house", "house_key", metavar="KEY", help="The house key that the record must name, base64url."
)
@click.option("--unfinished", is_flag=True, help="Accept a record that has no result yet.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@access.passphrase_option
def verify(
    file: str,
    nodes: Sequence[str],
    house_key: str | None,
    unfinished: bool,
    as_json: bool,
    passphrase_file: Path | None,
) -> None:
    """Have contracts judge every signature, match deck and seal of RECORD.

    RECORD is a file (- is standard input), or a game of yours, as for `cloche verify`. The contracts run on a
    chain in memory, which the extra cloche[chain] brings, or on the chain of a node, by calls that cost
    nothing. In the end stand the gas that all would cost as transactions, and what no contract judges.

    The command exits with 0 if the record is valid, 1 if not, 2 if it can't be read or there is nothing to
    run contracts on, 3 if a node can't be used.
    """
    try:
        key = None if house_key is None else unb64(house_key, 32)
    except EncodingError as error:
        raise click.BadParameter(f"is not a key: {error}.", param_hint="--house") from None
    try:
        found = gather(_data(file, passphrase_file), unfinished)
    except (Unreadable, OSError) as error:
        why = (error.strerror if isinstance(error, OSError) else str(error)) or "it can't be read"
        raise UnreadableInput("unreadable", f"{file}: {why}.") from None
    with asked(nodes) as machine, progress() as tick:

        def tell(done: int, total: int) -> None:
            tick("Judging", done / total if total else 1.0)

        judged = judge(found, machine.verifiers, tell)
    other = key is not None and judged.game is not None and judged.game.header.house_key != key
    if other:
        text = "the record is of another house"
        judged.fault, judged.game = RecordFault(0, "/entries/0/body/house_key", "wrong_house", text), None
    if as_json:
        click.echo(json.dumps(_json(judged, machine, nodes), indent=2, ensure_ascii=False))
    else:
        _print(file, judged, machine)
    sys.exit(_status(judged))


def _data(file: str, passphrase_file: Path | None) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    path = Path(file)
    if path.exists() or not names_a_game(file):
        return path.read_bytes()
    with access.signed_in(passphrase_file) as (_, api):
        return fetched(api, game_id(api, file))


def _status(judged: Judged) -> int:
    if judged.fault is None:
        return 0
    return UNREADABLE if judged.fault.code == "unreadable" else REFUSED


def _json(judged: Judged, machine: Asked, nodes: Sequence[str]) -> dict[str, Any]:
    fault, game = judged.fault, judged.game
    return {
        "valid": fault is None,
        "fault": fault
        and {
            "entry": fault.entry,
            "pointer": fault.pointer,
            "code": fault.code,
            "text": fault.text,
            "section": fault.section,
        },
        "game": game and game.header.game,
        "house_key": game and b64(game.header.house_key),
        "chain_id": machine.chain_id,
        "on_nodes": bool(nodes),
        "gas": {
            kind: {"statements": it.statements, "gas": it.gas, "dearest": it.most}
            for kind, it in judged.spent.items()
        },
        "total_gas": judged.gas,
        "dearest": judged.most,
        "not_on_chain": dict(judged.unchecked),
    }


def _print(file: str, judged: Judged, machine: Asked) -> None:
    console = Console(highlight=False, soft_wrap=True)
    fault = judged.fault
    if fault is not None:
        where = "" if fault.entry is None else f" at entry {fault.entry}"
        console.print(f"{plain(file)} is not valid{where}: {plain(fault.text)}", markup=False, style="red")
        console.print(f"Code    {fault.code} ({fault.pointer})", markup=False)
    else:
        game = judged.valid_game
        title = f"{game.rules.facts.title}, game {game.header.game}"
        ended = result(game) if game.over else f"no result yet, {game.seq + 1} entries"
        console.print(f"{plain(file)} is valid: {plain(title)}: {plain(ended)}", markup=False, style="green")
        console.print(f"House   {b64(game.header.house_key)} (as the record says)", markup=False)
    console.print(gas_table(judged, machine.where))
    console.print("Judged by this program, and by no contract:")
    for name, count in judged.unchecked.items():
        console.print(f"  {count:5} {name}: {PROGRAM_ALONE[name]}", markup=False)


def gas_table(judged: Judged, where: str) -> Table:
    """The gas by kind; `where` says where the contracts are."""
    table = Table(box=None, pad_edge=False)
    table.add_column(f"Judged by contracts on {where}")
    for name in ("Number", "Gas", "Dearest call"):
        table.add_column(name, justify="right")
    for kind, spent in judged.spent.items():
        if spent.statements:
            figures = (str(spent.statements), f"{spent.gas:,}", f"{spent.most:,}")
            table.add_row(WORDS[kind], *figures)
    number = sum(spent.statements for spent in judged.spent.values())
    table.add_row("in all", str(number), f"{judged.gas:,}", f"{judged.most:,}")
    return table
