"""What the house must append next, and how it says so (protocol section 10)."""

from __future__ import annotations

from typing import assert_never

from cards.games.contract import Ask, Deal, Outcome, Turn
from referee import dealing
from referee.bodies import Fields
from referee.dealerless.unlocking import turned_up
from referee.game import (
    AccountDue,
    AnnulDue,
    Asking,
    Between,
    DealDue,
    Duty,
    Ended,
    Game,
    MaskedDealDue,
    Over,
    PartyDue,
    ResultDue,
    ShownDue,
    TimeoutDue,
    TurnDue,
    outcome_json,
)


def duty_of(game: Game) -> Duty | None:
    """Return what the house must append next; None while answers are awaited, and after the result."""
    match game.phase:
        case Asking():
            return timeout_due(game, game.phase)
        case PartyDue() | MaskedDealDue() | AnnulDue() | DealDue() | AccountDue():
            return game.phase
        case Between():
            return announced(game, game.rules.next(game.state))
        case Ended(outcome):
            if game.unshown:
                return ShownDue(game.unshown[0])
            return ResultDue(outcome)
        case Over():
            return None
        case _:
            assert_never(game.phase)


def announced(game: Game, upcoming: Ask | Deal | Turn | Outcome) -> Duty | None:
    """Return what the house must append before `upcoming`; None if players must answer first."""
    match upcoming:
        case Turn():
            return TurnDue(turned_up(game, upcoming))
        case Deal(fresh=True) if game.unshown:
            return ShownDue(game.unshown[0])
    return None


def timeout_due(game: Game, asking: Asking) -> TimeoutDue | None:
    """The time-out that needs no deadline: the first of a seat that is out, else of one without a choice."""
    seats = (game.gone & asking.seats) or compelled(game, asking)
    return TimeoutDue(min(seats), asking.kind) if seats else None


def compelled(game: Game, asking: Asking) -> frozenset[int]:
    """The seats that have no choice, as far as this fold knows their hands (protocol section 10)."""
    mode, state = game.rules, game.state
    if asking.how != "any":
        return frozenset()
    return frozenset(
        seat
        for seat in asking.seats
        if mode.compelled(state, seat) is not None and dealing.knows(state, mode, seat)
    )


def house_step(game: Game, duty: Duty) -> int:
    """The step of a house's entry: a deal has a step of its own, the other kinds have the newest step."""
    return game.step + 1 if isinstance(duty, DealDue | MaskedDealDue) else game.step


def result_body(outcome: Outcome) -> Fields:
    """The body of the `result` entry."""
    return {"outcome": outcome_json(outcome)}
