"""The commands that a player can type at every table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from rich.text import Text

from bots import default_bot
from cloche.commands.errors import plain
from cloche.table import layout
from cloche.table.look import grid, letters
from cloche.table.matching import either, near
from cloche.table.played import PlayedGame, Question
from cloche.table.presenter import LineCompletion, Misread, Unclear, checklist, listed_moves
from cloche.table.screen import Reader
from player.house import ApiProblem, Unreachable

Command = Callable[[PlayedGame, str], None]


def help_(played: PlayedGame, rest: str) -> None:
    """all commands"""
    table = grid("nw")
    for word, text in played.presenter.words.items():
        table.add_row(Text(word, style="bold"), Text(text))
    for word, command in COMMANDS.items():
        table.add_row(Text(word, style="bold"), Text((command.__doc__ or "").strip()))
    beginnings = f"You may shorten a card or a command while only one begins so, but not {either(WHOLE)}."
    tab = " Tab completes." if played.live else ""
    played.screen.say(table, Text(beginnings + tab, style="dim"))


def hand(played: PlayedGame, rest: str) -> None:
    """your cards"""
    played.screen.say(*(played.presenter.hand(played.view()) or [Text("You have no cards yet.")]))


def table(played: PlayedGame, rest: str) -> None:
    """the whole table once more"""
    played.screen.say(*played.picture())


def moves(played: PlayedGame, rest: str) -> None:
    """your legal moves, by number"""
    view = played.view()
    played.screen.say(listed_moves(view, played.presenter.offered(view)))


def suggest(played: PlayedGame, rest: str) -> None:
    """what the best bot would do with your cards"""
    if played.session.asks() is None:
        raise Misread("Nothing is asked of you at the moment.")
    from random import Random

    game = played.session.seen()
    seat = played.session.seat.number
    bot = default_bot(game.rules.facts.name)
    reply = played.presenter.suggested(played.view(), bot.choose(game.rules, game.state, seat, Random()))
    played.screen.say(*reply.shown)


def history(played: PlayedGame, rest: str) -> None:
    """what happened in every round so far"""
    view = played.view()
    accounts = [entry for entry in played.session.follower.entries if entry.kind == "account"]
    for entry in accounts:
        played.screen.say(*played.presenter.account(view, entry.body["lines"]))
    played.screen.say(Text(layout.score(view) if accounts else "No round is over yet."))


def lessons(played: PlayedGame, rest: str) -> None:
    """what there is to learn about this game, and what you have seen of it"""
    found = played.presenter.lessons(played.view())
    played.screen.say(checklist(found) if found else Text("There is no such list for this game."))


def may(played: PlayedGame, rest: str) -> None:
    """may MOVE: whether that is legal now, yes or no"""
    if not played.is_asked():
        raise Misread("Nothing is asked of you at the moment.")
    try:
        reply = played.presenter.read(played.view(), rest)
    except Misread as misread:
        if isinstance(misread, Unclear) or not misread.section:
            raise  # no rule refused it
        played.why = misread
        raise Misread("No. `why` tells the reason.") from None
    if reply is None or reply.move is None:
        raise Misread("Type the move as you would make it.")
    played.screen.say(Text("Yes."))


def why(played: PlayedGame, rest: str) -> None:
    """why the last refused move, or the last `may`, is not legal"""
    if played.why is None:
        raise Misread("No move has been refused yet.")
    raise played.why


def draw(played: PlayedGame, rest: str) -> None:
    """offer a draw, or agree to one"""
    if (other := played.presenter.mistakable.get("draw")) is None:
        played.draw()
    else:
        played.question = Question(f"{other} Offer to end the game as a draw?", played.draw)


def resign(played: PlayedGame, rest: str) -> None:
    """give up (asks back)"""
    played.question = Question("Give up this game?", played.resign)


def record(played: PlayedGame, rest: str) -> None:
    """write the record so far to a file: record [FILE]"""
    path = Path(rest or f"cloche-{played.session.game_id}.json")
    try:
        data = played.api.record(played.session.game_id)
        path.write_bytes(data)
    except ApiProblem as problem:
        raise Misread(f"The house refuses: {plain(problem.detail)}") from None
    except Unreachable:
        raise Misread("The house does not answer now.") from None
    except OSError as error:
        raise Misread(f"{path}: {error.strerror}.") from None
    unfinished = "" if played.session.game.over else " --unfinished"
    played.screen.say(Text(f"{path}: {len(data)} bytes. Check it: cloche verify {path}{unfinished}"))


def rematch(played: PlayedGame, rest: str) -> None:
    """after the end: play again with the same players"""
    if not played.session.game.over:
        raise Misread("You can ask for a rematch when the game is over.")
    played.again = True
    raise EOFError


def envelope(played: PlayedGame, rest: str) -> None:
    """envelope on: let the house open your sealed choices if you are away; envelope off"""
    if played.game.header.envelope_key is None:
        raise Misread("There are no envelopes in this game.", "protocol 11")
    if rest.casefold() in ("on", "off"):
        played.session.envelope = rest.casefold() == "on"
    state = "on" if played.session.envelope else "off"
    played.screen.say(
        Text(f"Envelopes are {state} for the choices that you seal from now on."),
        Text(
            "With an envelope the house opens your choice in time even if you are away. You have to trust it:"
            " it could read your choice before the others have made theirs. Without an envelope nobody can.",
            style="dim",
        ),
    )


def quit_(played: PlayedGame, rest: str) -> None:
    """leave the table; the game and its clock go on"""
    raise EOFError


COMMANDS: Mapping[str, Command] = {
    "hand": hand,
    "table": table,
    "moves": moves,
    "suggest": suggest,
    "history": history,
    "lessons": lessons,
    "may": may,
    "why": why,
    "draw": draw,
    "resign": resign,
    "envelope": envelope,
    "record": record,
    "rematch": rematch,
    "help": help_,
    "quit": quit_,
}


ALSO = {"?": "help", "exit": "quit"}
"""Other words for commands."""

WHOLE = ("draw", "resign", "record", "rematch", "quit")
"""Commands that are never shortened: a card may begin so, and most can't be undone."""

ASKED = ("moves", "suggest", "may")
"""Commands that work only while a choice is asked."""


def offers(played: PlayedGame, line: str) -> list[LineCompletion]:
    """List what completes a line: the mode's commands first, then these."""
    found = played.offers(line)
    if " " not in line and played.question is None:
        found += [
            LineCompletion(word, len(line)) for word in COMMANDS if line and word.startswith(line.casefold())
        ]
    return found


def follow(played: PlayedGame, line: str) -> None:
    """Do what a line says. Raises `Misread`, and EOFError for `quit` and `rematch`."""
    line = letters(" ".join(line.split()))
    if played.question is not None:
        question, played.question = played.question, None
        if line.casefold() in ("y", "yes"):
            question.yes()
        else:
            played.screen.say(Text("Left as it was."))
        return
    if not line:
        return
    word, _, rest = line.partition(" ")
    word = ALSO.get(word.casefold(), word)
    known = [*played.presenter.words, *COMMANDS]
    begun = [name for name in known if name == word.casefold()] or [
        name for name in known if name.startswith(word.casefold()) and name not in WHOLE
    ]
    command = begun[0] if len(begun) == 1 else word
    if not played.live and (command in ASKED or command not in COMMANDS):
        played.wait_until(played.is_asked)  # lines of a script wait for the question that they answer
    if command in COMMANDS:
        COMMANDS[command](played, rest)
        return
    if len(begun) == 1:
        line = f"{command} {rest}".strip()
    if played.over:
        raise Misread("The game is over. You can type `rematch`, `record` or `quit`.")
    reply = played.presenter.read(played.view(), line)
    if reply is None:
        maybe = begun if len(begun) > 1 else near(word, known)
        hint = f" {either(maybe)}?" if maybe else " `help` lists all commands."
        raise Misread(f"I don't understand {plain(word)!r}.{hint}")
    played.screen.say(*reply.shown)
    move = reply.move
    if move is not None and reply.confirm is not None:
        played.question = Question(reply.confirm, lambda: played.send(move))
    elif move is not None:
        played.send(move)


def sit(played: PlayedGame, reader: Reader) -> None:
    """Read lines and do what they say, until the player leaves or, without a terminal, the game is over."""
    while True:
        try:
            line = reader.line()
        except KeyboardInterrupt:
            played.screen.say(Text("`quit` leaves the table and the game goes on; `resign` gives up."))
            line = reader.line()
        if line is None:
            return
        try:
            follow(played, line)
        except Misread as misread:
            refused = misread.section and not isinstance(misread, Unclear)
            if played.teaching and refused and misread is not played.why:
                played.why, misread = misread, Misread("No. `why` tells the reason.")
            refuse(played, misread)
        except EOFError:
            return


def refuse(played: PlayedGame, misread: Misread) -> None:
    """Say why a line can't be done, with the rules' section, and what to type instead."""
    section = f" ({misread.section})" if misread.section else ""
    played.screen.say(Text(f"{misread.text}{section}", style="bold"))
    if misread.hint:
        played.screen.say(Text(misread.hint))
