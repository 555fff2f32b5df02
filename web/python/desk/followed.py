"""The games that are followed here: folded, answered, and told to the page.

Whatever needs no choice is sent at once. If the house does not answer, the worker calls `turn` of `matches`
again after a moment.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

import kitchen

from desk import account, views
from desk.calls import DeskFault, fault_of, passing, tell
from player.due import Wanted, seen
from player.follow import Follower
from player.house import ApiProblem, HouseFault, Unreachable
from player.session import SendResult, Session
from referee import Entry, Game, Refused

AGAIN_MS = 700
"""Milliseconds after which an answer that did not get through is tried again."""
LOOK_MS = 3000
"""Milliseconds between two looks into the box for a choice that another device has sealed."""
MOST_ANSWERS = 8
"""The most messages that are sent in a row without looking for news."""


@dataclass
class Followed:
    """A game that is followed here, at a seat of ours or as a spectator."""

    game_id: str
    session: Session | None = None
    follower: Follower | None = None
    """The spectator's fold; a session has its own."""
    asked: int = -1
    """The step of the choice that the page was asked for last."""
    away: bool = False
    shown: bool = True
    """False once the page has left its table. A game of ours goes on without it."""
    checked_at: float = 0.0
    pending: list[tuple[Entry, Game]] = field(default_factory=list)
    """Entries that were folded and of which the page was not told yet."""

    @property
    def fold(self) -> Follower:
        """The fold of the record."""
        found = self.session.follower if self.session is not None else self.follower
        assert found is not None, "a followed game is followed by somebody"
        return found

    @property
    def seat(self) -> int | None:
        """Our seat; None for a spectator."""
        return None if self.session is None else self.session.seat.number

    def as_seen(self, game: Game | None = None) -> Game:
        """The game with the faces that we may see."""
        shown = game or self.fold.game
        if self.session is None:
            return seen(shown, None)
        own = self.session.seat
        return seen(shown.knowing(own.hand(shown)), own.number)

    def wanted(self) -> Wanted | None:
        """The choice that our player must make now."""
        return None if self.session is None or self.fold.game.over else self.session.asks()

    def view(self) -> dict[str, Any]:
        """The game as the page draws it."""
        session = self.session
        kept = None if session is None else session.kept
        game = self.as_seen()
        asking = game.asking
        running = kept is not None and asking is not None and asking.step == kept.step
        return views.view(
            game,
            self.seat,
            self.fold.entries,
            self.wanted(),
            locked_out=session is not None and session.locked_out(),
            sealed=kept.choice if kept is not None and running else None,
        )


GAMES: dict[str, Followed] = {}


def followed(game: str) -> Followed:
    """A game that is followed. Raises `DeskFault` not_sitting."""
    found = GAMES.get(game)
    if found is None:
        raise DeskFault("not_sitting", "This game is not followed here.")
    return found


def busy() -> bool:
    """Tell whether a match of ours runs, so that no single card may be asked for."""
    return any(each.session is not None and not each.fold.game.over for each in GAMES.values())


def listen(found: Followed) -> None:
    """Keep every entry that is folded from now on, so that the page is told of it."""

    def hear(before: Game | None, entry: Entry, after: Game) -> None:
        found.pending.append((entry, after))

    found.fold.watch = hear


def line(game: str, away: bool) -> None:
    """Tell the page that the line is lost, or back."""
    found = GAMES.get(game)
    if found is None or found.away == away:
        return
    found.away = away
    tell("line", game=game, away=away, since=int(time.time() * 1000))


def go_on(found: Followed) -> None:
    """Send what needs no choice, tell the page what was folded, and ask it if a choice is due."""
    if found.session is not None:
        try:
            _answer(found, found.session)
        except HouseFault as fault:
            broken(found, fault)
            return
        except Unreachable:
            line(found.game_id, True)
            kitchen.later(found.game_id, AGAIN_MS)
        except ApiProblem as problem:
            if not passing(problem):
                tell("fault", game=found.game_id, fault=fault_of(problem), evidence=None)
            elif problem.status == 401:
                account.renew()
            kitchen.later(found.game_id, AGAIN_MS)
        except Refused as refused_here:
            tell("fault", game=found.game_id, fault=fault_of(refused_here), evidence=None)
    _tell_news(found)
    wanted = found.wanted()
    if wanted is not None and wanted[0] != found.asked and found.session is not None:
        found.asked = wanted[0]
        shown = found.view()
        tell("asked", game=found.game_id, choice=shown["choice"], view=shown)


def _answer(found: Followed, session: Session) -> None:
    if session.locked_out() and not session.recover():
        account.look_into_box()  # there may be a box by now, though we know of none
        if account.PLAYER.boxed and not session.recover():
            kitchen.later(found.game_id, LOOK_MS)
    for _ in range(MOST_ANSWERS):
        wanted = session.wanted()
        if wanted is None or session.asks() == wanted:
            if session.follower.behind:
                session.catch_up()
                continue
            _stand_in(found, session)
            return
        sent = session.answer()
        if sent is SendResult.NOTHING:
            return
        if sent is SendResult.GONE_ON:
            session.catch_up()
    if session.game.over:
        return
    kitchen.later(found.game_id, AGAIN_MS)


def _stand_in(found: Followed, session: Session) -> None:
    """Where nobody else can move for our player, come back shortly before the deadline, and then move."""
    left = session.until_standing_in()
    if left is not None and left > 0:
        kitchen.later(found.game_id, int(left * 1000) + 1)
    elif left is not None:
        session.catch_up()


def _tell_news(found: Followed) -> None:
    pending, found.pending = found.pending, []
    if not pending:
        return
    took = round((time.perf_counter() - found.checked_at) * 1000) if found.checked_at else 0
    last = found.view()
    for entry, after in pending:
        # Only the newest entry carries the whole view: those before it are told, and passed over.
        common = {"game": found.game_id, "view": last}
        seat = entry.seat
        tell("entry", **common, seq=entry.seq, kind=entry.kind, seat=seat, body=dict(entry.body))
        if entry.kind == "seal" and seat is not None:
            sealed = after.seat(seat).sealed
            told = views.seal_told(sealed)
            if told is not None:
                tell("sealed", **common, seat=seat, seal=told, checked_ms=took)
        elif entry.kind == "account":
            tell("account", **common, account=views.account_told(entry, after))
        elif entry.kind == "result":
            finished(found)
            tell("over", **common, outcome=last["outcome"])


def finished(found: Followed) -> None:
    """The game is over: drop its secrets, which could only help a thief now."""
    if found.session is not None:
        found.session.finish()
    if not found.shown:
        GAMES.pop(found.game_id, None)


def broken(found: Followed, fault: HouseFault) -> None:
    """Stop at a fault of the house, and hand the page the evidence."""
    _tell_news(found)
    tell("fault", game=found.game_id, fault=fault_of(fault), evidence=json.dumps(fault.json()))
    GAMES.pop(found.game_id, None)
