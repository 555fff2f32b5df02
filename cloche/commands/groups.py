"""Groups of commands, such as `cloche decks`."""

from __future__ import annotations

import click

_WHOLE = 1_000
"""Characters of a line for a command: more than any has."""


class Group(click.Group):
    """A group whose help has a whole sentence for each command; click's own cuts it at the end of a line."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, their sentences wrapped."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, command.get_short_help_str(_WHOLE)) for name, command in commands if command]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
