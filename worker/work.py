"""The operations of the service behind a worker's tasks and sweeps, as callables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from service.operations import (
    clock,
    dishes,
    games,
    housekeeping,
    painting,
    pantry,
    queue,
    tournaments,
    webhooks,
)
from service.runtime import Runtime
from worker import bots
from worker.envelopes import Opener
from worker.thinkers import Thinkers


@dataclass(frozen=True)
class WorkerOperations:
    """The operations that a worker calls. Each is safe to call twice, and from several threads at once."""

    due: Callable[[int], Sequence[str]]
    """Claims at most that many games whose deadline has passed, and returns their ids."""
    resolve: Callable[[str], object]
    """The function that does whatever is due in a game (by its id)."""
    bots: Callable[[str], object]
    """Lets the house's bots that are asked in a game move."""
    open: Callable[[str], object]
    """Opens the envelopes of a game's running step."""
    tidy: Callable[[], object]
    """The function that does the chores that are due."""
    deliveries: Callable[[int], Sequence[str]] = lambda _limit: ()
    """Claims at most that many due deliveries to webhooks, and returns their ids."""
    deliver: Callable[[str], object] = lambda _delivery: None
    """Tries a delivery (by its id) once."""
    paint: Callable[[str], object] = lambda _card: None
    """Asks a provider for the picture of a card (by its number)."""
    dishes: Callable[[str], object] = lambda _game: None
    """Notes the dishes that a game (by its id) has shown, to be painted."""
    paint_dish: Callable[[], bool] = lambda: False
    """Asks a provider for one of the noted dishes; returns whether there is one image more."""
    waiting: Callable[[int], Sequence[str]] = lambda _limit: ()
    """Claims at most that many players of the queue for whom it is time to look, and returns their ids."""
    pair: Callable[[str], object] = lambda _player: None
    """Looks for opponents of a player (by id) who waits in the queue."""
    tournaments: Callable[[int], Sequence[str]] = lambda _limit: ()
    """Claims at most that many tournaments at which it is time to look, and returns their ids."""
    advance: Callable[[str], object] = lambda _tournament: None
    """Does whatever is due in a tournament (by its id)."""
    chain: Callable[[], object] = lambda: None
    """Reads what the chain says of copies that are outside."""
    thinkers: Thinkers = field(default_factory=Thinkers)
    """The place where bots think that `bots` does not let move at once."""


def work_of(house: Runtime) -> WorkerOperations:
    """The operations of a house, with the private keys that open envelopes.

    Raises `KeysError` if the file of those keys can't be used.
    """
    opener, thinkers = Opener.begin(house), Thinkers()

    def resolve(game_id: str) -> None:
        # A reveal in an envelope has arrived in time, so envelopes are opened before any seat is timed out.
        opener.open(game_id)
        games.resolve(house, game_id)

    return WorkerOperations(
        due=partial(clock.due, house),
        resolve=resolve,
        open=opener.open,
        bots=partial(bots.move, house, thinkers=thinkers),
        tidy=partial(housekeeping.tidy, house),
        deliveries=partial(webhooks.due, house),
        deliver=partial(webhooks.deliver, house),
        paint=partial(painting.paint, house),
        dishes=partial(dishes.note, house),
        paint_dish=partial(dishes.paint_next, house),
        waiting=partial(queue.due, house),
        pair=partial(queue.pair, house),
        tournaments=partial(tournaments.due, house),
        advance=partial(tournaments.advance, house),
        chain=partial(pantry.read, house),
        thinkers=thinkers,
    )
