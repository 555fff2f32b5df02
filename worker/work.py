"""What a worker does, as three callables: the operations of the service behind its tasks and its sweep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from service.operations import clock, games, housekeeping, painting, webhooks
from service.runtime import Runtime
from worker import bots
from worker.envelopes import Opener
from worker.painter import Painter


@dataclass(frozen=True)
class Work:
    """The operations a worker calls. Each is safe to call twice, and from several threads at once."""

    due: Callable[[int], Sequence[str]]
    """Claim at most that many games whose deadline has passed, and return their ids."""
    resolve: Callable[[str], object]
    """Do whatever is due in a game."""
    bots: Callable[[str], object]
    """Let the house's bots that are asked in a game move."""
    open: Callable[[str], object]
    """Open the envelopes of a game's running step."""
    tidy: Callable[[], object]
    """Do the chores that are due."""
    letters: Callable[[int], Sequence[str]] = lambda _limit: ()
    """Claim at most that many deliveries to webhooks that are due, and return their ids."""
    carry: Callable[[str], object] = lambda _letter: None
    """Try a delivery once."""
    paint: Callable[[str], object] = lambda _card: None
    """Have a provider paint a card (its number); returns at once."""


def work_of(house: Runtime) -> Work:
    """The real work: the operations of `house`, and the key that opens envelopes.

    Raises `KeysError` where the file of that key can't be used.
    """
    opener = Opener.begin(house)

    def resolve(game_id: str) -> None:
        # What is enclosed has arrived in time: nobody is timed out whose envelope can still be opened.
        opener.open(game_id)
        games.resolve(house, game_id)

    return Work(
        due=partial(clock.due, house),
        resolve=resolve,
        open=opener.open,
        bots=partial(bots.move, house),
        tidy=partial(housekeeping.tidy, house),
        letters=partial(webhooks.due, house),
        carry=partial(webhooks.deliver, house),
        paint=Painter(partial(painting.paint, house)).take,
    )
