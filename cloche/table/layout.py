"""The parts of a table that look alike in all games: names, points, whose turn, what everybody has done."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from rich.console import RenderableType
from rich.text import Text

from cloche.commands.words import listed, names_of, was_away
from cloche.table import nobody_deals
from cloche.table.folding import height
from cloche.table.look import grid, rule
from cloche.table.presenter import Presenter, View
from referee import Entry, Game
from referee.clocks import late, rest

_DOING = {
    "enter": "to enter",
    "ready": "to say ready",
    "link": "to send a link for the draw",
    "seal": "to seal",
    **nobody_deals.DOING,
}
_DONE = {**nobody_deals.DONE, "enter": "entered", "ready": "ready", "link": "link sent", "move": "has chosen"}


seat_names = names_of


def clock(milliseconds: int) -> str:
    """A time that is left, as text.

    >>> clock(103_400), clock(-5), clock(3 * 3_600_000), clock(2 * 86_400_000)
    ('1:43', '0:00', '3:00:00', '2 d 0 h')
    """
    seconds = max(0, milliseconds) // 1000
    days, rest = divmod(seconds, 86400)
    if days:
        return f"{days} d {rest // 3600} h"
    hours, rest = divmod(rest, 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def time_of_day(milliseconds: int) -> str:
    """A moment as local time."""
    return datetime.fromtimestamp(milliseconds / 1000).strftime("%H:%M:%S")


def fingerprint(data: bytes) -> str:
    """A seal's fingerprint by its first and last bytes. It follows from the seal in the record.

    >>> fingerprint(bytes(range(16)))
    '00010203..0f'
    """
    return f"{data[:4].hex()}..{data[-1:].hex()}"


def doing(view: View, seat: int) -> str:
    """Say what a seat has done, or still has to do."""
    game, state = view.game, view.game.seat(seat)
    said = ["out: the house plays"] if seat in game.gone else []
    asking = game.asking
    if state.owed is not None:
        said.append("still has to reveal")
    if asking is not None and game.outcome is None:
        if seat in asking.seats:
            to_do = _DOING.get(asking.kind, asking.topic)
            said.append("to reveal" if asking.kind == "reveal" else to_do)
        elif asking.kind in _DONE and asking.how != "any":
            said.append(_DONE[asking.kind])
    if state.sealed is not None:
        enclosed = " with its envelope" if state.sealed.envelope else ""
        mark, at = fingerprint(state.sealed.fingerprint), time_of_day(state.sealed.at)
        said.append(f"sealed {mark} at {at}{enclosed}")
    if state.offers_draw:
        said.append("offers a draw")
    return ", ".join(said)


def _counted(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


def seats(view: View, presenter: Presenter) -> RenderableType:
    """A line for each seat: an arrow if it is asked, name, points, what it has done."""
    points = view.game.rules.points(view.game.state)
    asking = view.game.asking
    table = grid("nfw")
    for seat, name in enumerate(view.names):
        turn = asking is not None and seat in asking.seats and not view.game.over
        you = " (you)" if seat == view.seat and view.mine else ""
        did, has = doing(view, seat), presenter.beside(view, seat)
        bank = rest(view.game, seat)
        saved = "" if bank is None else f"{clock(bank)} in the bank"
        won = _counted(points[seat])
        beside = "; ".join(part for part in (won, did, has, saved) if part)
        mark = Text(view.look.arrow if turn else " ", style="bold")
        table.add_row(mark, Text(name + you, style="bold" if you else ""), Text(beside))
    return table


def title(view: View, presenter: Presenter) -> Text:
    """The game's title, and how far it is."""
    parts = (view.game.rules.facts.title, presenter.heading(view))
    return rule(view.look, view.width, f" {view.look.dot} ".join(part for part in parts if part))


def picture(view: View, presenter: Presenter, *, hand: bool = True) -> list[RenderableType]:
    """The whole table, with the seat's hand unless it is shown elsewhere."""
    found: list[RenderableType] = [title(view, presenter), seats(view, presenter)]
    if view.room is not None:
        view = replace(view, room=max(view.room - height(found, view.width), 0))
    return [*found, *presenter.board(view), *(presenter.hand(view) if hand else ())]


def asked(view: View, presenter: Presenter) -> str:
    """Say whose turn it is and what is asked, in a sentence without capital and full stop."""
    game = view.game
    if game.over or game.outcome is not None:
        return "the game is over"
    asking = game.asking
    if asking is None:
        return "waiting for the house"
    if programs := nobody_deals.waiting(game, view.names, view.seat if view.mine else None):
        return programs
    if view.asked and view.mine:
        if asking.kind in ("move", "seal"):
            return f"your turn: {presenter.task(view)}"
        return f"your {asking.kind} is on its way"
    waiting = listed(view.names[seat] for seat in sorted(asking.seats))
    what = {"move": asking.topic, "seal": "to seal", "reveal": "to reveal"}.get(asking.kind, asking.kind)
    return f"waiting for {waiting} ({what})"


def score(view: View) -> str:
    """All points in a line."""
    points = view.game.rules.points(view.game.state)
    return ", ".join(f"{name} {n}" for name, n in zip(view.names, points, strict=True))


def result(view: View, presenter: Presenter) -> str:
    """Say in a sentence how the game ended, or that it has not."""
    outcome = view.game.outcome
    if outcome is None:
        return "The game is not over."
    why = presenter.why(outcome.reason)
    if len(view.names) == 1 and outcome.winners:
        who = "You have" if view.seat is not None and view.mine else f"{view.names[0]} has"
        return f"{who} {_counted(outcome.points[0])}: {why}."
    points = ", ".join(f"{name} {n}" for name, n in zip(view.names, outcome.points, strict=True))
    if not outcome.winners:
        return f"Nobody wins ({points}): {why}."
    if len(outcome.winners) == len(view.names):
        return f"A draw ({points}): {why}."
    if outcome.winners == (view.seat,) and view.mine:
        return f"You win ({points}): {why}."
    verb = "wins" if len(outcome.winners) == 1 else "win"
    return f"{listed(view.names[seat] for seat in outcome.winners)} {verb} ({points}): {why}."


def news(before: Game | None, entry: Entry, view: View, presenter: Presenter) -> list[RenderableType]:
    """Say what an entry tells people, if it tells them anything. `before` is the game before it."""
    moved = entry.kind in ("move", "timeout")
    followed = [presenter.followed(replace(view, game=before), view)] if before and moved else []
    if entry.kind == "account":
        line = [rule(view.look, view.width)] if view.room is None else []
        return [*line, *presenter.account(view, entry.body["lines"])]
    if entry.kind == "annul":
        return [Text(nobody_deals.void(entry, view.names), style="bold")]
    if entry.kind == "away":
        return [Text(was_away(entry), style="bold")]
    if entry.kind == "timeout":
        return [Text(text) for text in (_silent(before, entry, view, presenter), *followed) if text]
    if entry.kind == "turn" and before is not None:
        faces = {face["position"]: face["card"] for face in entry.body["faces"]}
        turned = presenter.turned(replace(view, game=before), view, faces)
        return [Text(turned)] if turned else []
    if entry.seat is None:
        return []
    said = _said(entry, view, presenter, entry.seat)
    return [Text(text) for text in (said, *followed) if text]


def _silent(before: Game | None, entry: Entry, view: View, presenter: Presenter) -> str:
    """Say what a time-out tells: a seat was late, is out, or had no choice, and the house's move for it."""
    seat, move = int(entry.body["seat"]), entry.body["move"]
    you = seat == view.seat and view.mine
    name, has = ("You", "have") if you else (view.names[seat], "has")
    played = "" if move is None else f"The house plays for {name.lower() if you else name}: "
    played += "" if move is None else presenter.made(view, move)
    if before is None or late(before, entry):
        what = "" if played else f" ({entry.body['kind']})"
        more = nobody_deals.silent(before, entry, view.game, name.lower() if you else name)
        return " ".join(part for part in (f"{name} {has} let the time pass{what}.", played, more) if part)
    return played if seat in before.gone else f"{name}: {presenter.made(view, move)}"


def _said(entry: Entry, view: View, presenter: Presenter, seat: int) -> str:
    """Say what a player's entry tells."""
    you = seat == view.seat and view.mine
    name, has = ("You", "have") if you else (view.names[seat], "has")
    match entry.kind:
        case "enter":
            return f"{name} {has} entered."
        case "seal":
            sealed = view.game.seat(seat).sealed
            mark = f", fingerprint {fingerprint(sealed.fingerprint)}" if sealed is not None else ""
            return f"{name} {has} sealed at {time_of_day(entry.at)}{mark}."
        case "draw":
            how = "; `draw` agrees" if view.seat is not None and view.mine else ""
            return "You offer a draw." if you else f"{name} offers a draw{how}."
        case "resign":
            return f"{name} {'resign' if you else 'resigns'}."
        case "move":
            return f"{name}: {presenter.made(view, entry.body['move'])}"
    return ""


def toolbar(view: View, presenter: Presenter, left: int | None, away: str) -> list[str]:
    """The bar that is always visible: time left, what is asked, points. Each line fits the width."""
    dot = f" {view.look.dot} "
    time_left = "" if left is None else f"{clock(left)} left"
    first = dot.join(part for part in (away, time_left, asked(view, presenter)) if part)
    whole = dot.join((first, score(view)))
    lines = [whole] if len(whole) < view.width else [first, score(view)]
    return [line if len(line) < view.width else line[: view.width - 3] + ".." for line in lines]
