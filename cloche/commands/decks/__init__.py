"""`cloche decks`: the group, and its commands by what they do with a deck list."""

import click

from cloche.commands.decks import checks, history, lists, sharing, statistics
from cloche.commands.groups import Group

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


@click.group(cls=Group)
def decks() -> None:
    """Deck lists: build, check, share, look back.

    A deck is text, a line a card: "3 Tuna". Wherever a FILE is read, it may be a deck
    code (PK1...) or JSON ({"tuna": 3}) as well. DECK is its id, the beginning of its
    id, or its name; or the whole id of somebody's deck that is unlisted or public.
    """


for _command in _COMMANDS:
    decks.add_command(_command)
