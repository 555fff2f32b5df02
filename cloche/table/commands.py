"""The commands that a player can type at every table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.text import Text

from bots import default_bot
from cloche.commands.errors import plain
from cloche.table import layout
from cloche.table.look import letters
from cloche.table.matching import either, near
from cloche.table.played import Confirmation, PlayedGame
from cloche.table.presenter import LineCompletion, Misread, Unclear, checklist
from cloche.table.reference import help_page, opened_by, rules_page
from cloche.table.screen import Reader
from player.house import ApiProblem, Unreachable

Command = Callable[[PlayedGame, str], None]


def help_(played: PlayedGame, rest: str) -> None:
    """all commands by topic; help TOPIC or help COMMAND explains"""
    topics = {"game": played.presenter.words} | {
        topic: {word: (COMMANDS[word].__doc__ or "").strip() for word in words}
        for topic, words in TOPICS.items()
    }
    beginnings = f"You may shorten a card or a command while only one begins so, but not {either(WHOLE)}."
    tab = " Tab completes." if played.live else ""
    played.show(*help_page(topics, rest, beginnings + tab))


def rules(played: PlayedGame, rest: str) -> None:
    """the rules of this game; rules 4 shows section 4"""
    played.show(*rules_page(played.game.rules.facts.name, rest, played.screen))


def hand(played: PlayedGame, rest: str) -> None:
    """your cards, in full"""
    played.show(*(played.presenter.hand(played.view()) or [Text("You have no cards yet.")]))


def table(played: PlayedGame, rest: str) -> None:
    """the whole table once more"""
    played.show(*played.picture(whole=True))


def moves(played: PlayedGame, rest: str) -> None:
    """your legal moves, by number; the next line may be such a number"""
    played.show(played.presenter.list_moves(played.view()))


def suggest(played: PlayedGame, rest: str) -> None:
    """what the best bot would do with your cards"""
    if played.session.asks() is None:
        raise Misread("Nothing is asked of you at the moment.")
    from random import Random

    game = played.session.seen()
    seat = played.session.seat.number
    bot = default_bot(game.rules.facts.name)
    reply = played.presenter.suggested(played.view(), bot.choose(game.rules, game.state, seat, Random()))
    played.show(*reply.shown)


def history(played: PlayedGame, rest: str) -> None:
    """what happened in every round so far, the newest first"""
    view = played.view()
    accounts = [entry for entry in played.session.follower.entries if entry.kind == "account"]
    told = [played.presenter.account(view, entry.body["lines"]) for entry in reversed(accounts)]
    points = Text(layout.score(view) if accounts else "Nothing has happened yet that an account tells of.")
    played.show(points, *(line for lines in told for line in lines))


def lessons(played: PlayedGame, rest: str) -> None:
    """what a game that teaches has taught you so far; `rules` has the rules of every game"""
    found = played.presenter.lessons(played.view())
    title = played.game.rules.facts.title
    none = f"{title} has no list of lessons. `rules` shows its rules, `may MOVE` whether a move is legal."
    played.show(checklist(found) if found else Text(none))


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
        raise Misread("The rules have refused no move of yours yet. `may MOVE` asks whether one is legal.")
    raise played.why


def draw(played: PlayedGame, rest: str) -> None:
    """offer a draw, or agree to one"""
    if (other := played.presenter.mistakable.get("draw")) is None:
        played.draw()
    else:
        played.question = Confirmation(f"{other} Offer to end the game as a draw?", played.draw)


def resign(played: PlayedGame, rest: str) -> None:
    """give up (asks back)"""
    played.question = Confirmation("Give up this game?", played.resign)


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


def standin(played: PlayedGame, rest: str) -> None:
    """standin off: where nobody deals, let your time run out; standin on: your program moves just before"""
    if not played.game.header.dealerless:
        raise Misread("At this table the house moves for a player who is late.", "protocol 10")
    if rest.casefold() in ("on", "off"):
        played.session.stands_in = rest.casefold() == "on"
    state = "moves for you three seconds before" if played.session.stands_in else "lets your time run to"
    played.screen.say(
        Text(f"Your program {state} your deadline."),
        Text(
            "Nobody else can play a card of your hand. Whoever is late three times in a deal is out, and the"
            " deal is void.",
            style="dim",
        ),
    )


def say(played: PlayedGame, rest: str) -> None:
    """say something to the others: say thanks; alone it lists what can be said"""
    played.say_phrase(rest)


def mute(played: PlayedGame, rest: str) -> None:
    """hear nothing that others say, at all tables, or hear them again: mute on, mute off, or the key F2"""
    played.mute({"on": True, "off": False}.get(rest.casefold()))


def quit_(played: PlayedGame, rest: str) -> None:
    """leave the table; the game and its clock go on"""
    raise EOFError


COMMANDS: Mapping[str, Command] = {
    "hand": hand,
    "table": table,
    "moves": moves,
    "suggest": suggest,
    "history": history,
    "rules": rules,
    "may": may,
    "why": why,
    "lessons": lessons,
    "draw": draw,
    "resign": resign,
    "envelope": envelope,
    "standin": standin,
    "say": say,
    "mute": mute,
    "record": record,
    "rematch": rematch,
    "help": help_,
    "quit": quit_,
}


TOPICS: Mapping[str, Sequence[str]] = {
    "look": ("hand", "table", "history", "moves", "suggest"),
    "learn": ("rules", "may", "why", "lessons"),
    "end": ("draw", "resign", "rematch", "record", "quit"),
    "more": ("say", "mute", "envelope", "standin", "help"),
}
"""The commands of every table by topic."""

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
    if not line and played.question is None and played.more():
        return
    played.enough()
    listed = played.presenter.listed
    try:
        _do(played, line)
    finally:
        if played.presenter.listed is listed:
            played.presenter.listed = ()  # a number means a move right after the list alone


def _do(played: PlayedGame, line: str) -> None:
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
    if reply.shown and reply.confirm is not None:
        played.screen.say(*reply.shown)  # whole, since the next line answers the question
    elif reply.shown:
        played.show(*reply.shown)
    move = reply.move
    if move is not None and reply.confirm is not None:
        played.question = Confirmation(reply.confirm, lambda: played.send(move), of_choice=True)
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
            played.screen.typed()
            follow(played, line)
        except Misread as misread:
            refused = misread.section and not isinstance(misread, Unclear)
            if played.teaching and refused and misread is not played.why:
                played.why, misread = misread, Misread("No. `why` tells the reason.")
            refuse(played, misread)
        except EOFError:
            return


def refuse(played: PlayedGame, misread: Misread) -> None:
    """Say why a line can't be done, with the rules' section and how to open it, and what to type instead."""
    if misread.section and not isinstance(misread, Unclear):
        played.why = misread
    opens = opened_by(misread.section, played.game.rules.facts.name)
    section = f" ({misread.section}{f', `{opens}`' if opens else ''})" if misread.section else ""
    played.screen.say(Text(f"{misread.text}{section}", style="bold"))
    if misread.hint:
        played.screen.say(Text(misread.hint))
