"""`cloche decks`: the group of commands for deck lists, a module for each part."""

import click

from cloche.commands.decks import checks, history, lists, sharing, statistics
from cloche.commands.groups import CommandGroup

_COMMANDS = (
    *(
        lists.list_decks,
        lists.search,
        lists.show,
        lists.new,
        lists.edit,
        lists.delete,
        lists.encode,
        lists.decode,
    ),
    *(checks.validate, checks.formats, checks.missing),
    *(history.revisions, history.diff, history.compare, history.restore),
    *(sharing.copy, sharing.rename, sharing.tag, sharing.share, sharing.favourite),
    *(statistics.stats, statistics.hands, statistics.suggest),
)


@click.group(cls=CommandGroup)
def decks() -> None:
    """Build deck lists, check them, share them, go back to earlier ones.

    A deck is text, one line for each card: "3 Tuna". A FILE may also hold a deck code
    (PK1...) or JSON ({"tuna": 3}). DECK is the deck's name, its id or the beginning of its
    id; or the whole id of another player's deck that is unlisted or public.
    """


for _command in _COMMANDS:
    decks.add_command(_command)
