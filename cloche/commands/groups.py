"""Groups of commands, such as `cloche decks`."""

from __future__ import annotations

import click

_WHOLE = 1_000
"""Characters; no sentence of a command is longer."""


class CommandGroup(click.Group):
    """A group whose help has a whole sentence for each command. Click would cut it at the line's end."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, with their sentences wrapped."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, command.get_short_help_str(_WHOLE)) for name, command in commands if command]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
