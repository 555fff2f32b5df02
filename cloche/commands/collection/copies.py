"""`cloche collection`: the copies that the player owns, and where each came from."""

from __future__ import annotations

from pathlib import Path

import click

from cloche.commands import access
from cloche.commands.errors import HouseMisbehaved, plain
from cloche.commands.files import write_out
from cloche.commands.groups import CommandGroup
from referee.ownership import verify_copy


@click.group(cls=CommandGroup)
def collection() -> None:
    """Look at the copies that you own: copies, provenance, metadata."""


@collection.command()
@click.argument("card", required=False)
@access.passphrase_option
def copies(card: str | None, passphrase_file: Path | None) -> None:
    """List your copies, or those of CARD (a slug or number)."""
    with access.signed_in(passphrase_file) as (_, api):
        found = list(api.copies(card))
        if not found:
            none = "You own no copy of a card yet." if card is None else "You own no copy of this card."
            click.echo(none, err=True)
        for copy in found:
            bound = " (bound)" if copy["soulbound"] else ""
            state = "" if copy["state"] == "free" else f" ({copy['state']})"
            origin = plain(copy["origin"])
            click.echo(f"{copy['id']}  {plain(copy['card'])} #{copy['serial']}  {origin}{bound}{state}")


@collection.command()
@click.argument("copy")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="The file to write; - is standard output.  [default: cloche-copy-COPY.json]",
)
@access.passphrase_option
def provenance(copy: str, out: str | None, passphrase_file: Path | None) -> None:
    """Fetch the origin and the owners of a copy of yours, as a file that `cloche verify` checks."""
    with access.signed_in(passphrase_file) as (vault, api):
        data = api.provenance(copy)
        report = verify_copy(data, vault.identity.house_key, api.house().successions)
    if report.fault is not None:
        raise HouseMisbehaved(
            report.fault.code, f"The history that the house gave does not hold: {report.fault.text}."
        )
    write_out(data, out, f"cloche-copy-{copy}.json")


@collection.command()
@click.argument("copy")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="The file to write; - is standard output.  [default: cloche-token-COPY.json]",
)
@access.passphrase_option
def metadata(copy: str, out: str | None, passphrase_file: Path | None) -> None:
    """Fetch a copy of yours as ERC-721 metadata, with its picture and the house's certificate."""
    with access.signed_in(passphrase_file) as (_, api):
        data = api.copy_metadata(copy)
    write_out(data, out, f"cloche-token-{copy}.json")
