"""The look of Pancake at a terminal, where a player puts a meal together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from cards.catalog.cards import Card
from cards.games import chef
from cards.games.chef.menus import courses_of, hand_of, meal_of, menus
from cards.games.chef.pantry import Pantry
from cards.games.contract import DECK_SIZE, Line, Mode, Move, own
from cloche.table.chef_meal import COURSES, Draft, DraftPlate, about, cards_of, counted, listed
from cloche.table.chef_sheets import Detail, drawn_hand, held_cards, told_account
from cloche.table.folding import height, richest
from cloche.table.look import grid
from cloche.table.matching import meant
from cloche.table.presenter import LineCompletion, Misread, Presenter, Reply, Unclear, View
from referee import Game

BARE = {"choice": "keep"}, {"choice": "redraw"}


class ChefPresenter(Presenter):
    """Pancake: the hand by names and numbers, the meal as a draft of three courses."""

    words: Mapping[str, str] = {
        "entree": "entree RECIPE: INGREDIENT, INGREDIENT ... (names, beginnings of names, or numbers)",
        "appetizer": "the same for the appetizer",
        "dessert": "the same for the dessert",
        "drop": "drop entree: take this course off again; drop all",
        "menu": "what you can cook, and why it is worth what it is; `entree m1` lays the first dish",
        "meal": "the meal as it stands",
        "serve": "seal the meal (nobody can see or change it then); it is shown first, and you confirm",
        "keep": "keep the opening hand",
        "redraw": "put the opening hand back for six new cards; the other chef gets a point",
    }

    def __init__(self, mode: Mode[Any]) -> None:
        super().__init__(mode)
        self.draft = Draft()

    # How it looks

    def heading(self, view: View) -> str:
        board: chef.Board = view.board
        if not board.round:
            return "opening hands"
        return f"round {board.round}" + (f", final round {board.final}" if board.final else "")

    def round(self, game: Game) -> int:
        board: chef.Board = game.state.board
        return board.round

    def beside(self, view: View, seat: int) -> str:
        board: chef.Board = view.board
        return f"hand {len(board.hands[seat])}, pile {len(board.piles[seat])}"

    def board(self, view: View) -> list[RenderableType]:
        """Draw what the others have shown (unless a replay shows all hands), and everybody's discards."""
        board: chef.Board = view.board
        table = grid("fw")
        for seat, name in enumerate(view.names):
            shown = hand_of(view.game.state, seat).values()
            gone = [view.game.state.faces[own(seat, index)] for index in board.discards[seat]]
            if shown and seat != view.seat and not (view.seat is None and not view.mine):
                table.add_row(Text(f"{name} has shown"), Text(counted(in_counts(shown))))
            if gone:
                table.add_row(Text(f"{name} has discarded"), Text(counted(gone)))
        return richest(view, [lambda: [table] if table.row_count else [], list])

    def hand(self, view: View) -> list[RenderableType]:
        """The hand by number, with what each card does if there is room, and the meal so far."""
        if view.seat is None:
            return []
        hand = hand_of(view.game.state, view.seat)
        hidden = len(view.board.hands[view.seat]) - len(hand)
        meal = self._meal(view) if self._laid(hand) else []
        left = None if view.room is None else view.room - height(meal, view.width)
        return [*drawn_hand(held_cards(hand, view.seat, self.fresh), replace(view, room=left), hidden), *meal]

    def _meal(self, view: View) -> list[RenderableType]:
        """The courses of this round and what lies on each; the reasons for its yum if there is room."""
        hand = hand_of(view.game.state, self._seat(view))
        plates = self._laid(hand)
        if view.room is not None:
            laid = [
                f"{course.name}: {_plate_text(plate, hand)}" + (f" ({dish.yum} yum)" if dish else "")
                for course in view.board.courses
                if (plate := plates.get(course.number))
                for dish in (_dish(plate, hand),)
            ]
            return [Text(f"Your meal: {'; '.join(laid)}")]
        table = grid("nwr")
        for course in view.board.courses:
            plate = plates.get(course.number)
            if plate is None:
                table.add_row(Text(course.name), Text(view.look.dash), "")
                continue
            dish = _dish(plate, hand)
            table.add_row(
                Text(course.name), Text(_plate_text(plate, hand)), Text(f"{dish.yum} yum" if dish else "")
            )
            if dish:
                table.add_row("", Text("; ".join(item.text for item in dish.items), style="dim"), "")
        return [Text("Your meal so far"), Padding(table, (0, 0, 0, 2))]

    def _laid(self, hand: Mapping[int, Card]) -> Mapping[int, DraftPlate]:
        """The plates of the draft by course; none if a card has left the hand since, as in the next round."""
        plates = dict(self.draft.plates)  # drawn by one thread while another reads lines
        return plates if all(index in hand for plate in plates.values() for index in plate.used) else {}

    def task(self, view: View) -> str:
        asking = view.game.asking
        if asking is None:
            return ""
        if asking.topic == "redraw":
            return "keep or redraw"
        if asking.kind != "seal":
            return asking.topic
        courses = sorted(view.board.courses, key=lambda course: -course.points)
        return f"serve {', '.join(f'{course.name} ({course.points})' for course in courses)}"

    def hint(self, view: View) -> str:
        if view.board.phase == "redraw":
            return "`keep`, or `redraw` for six new cards (the other chef gets a point). `help` has the rest."
        return (
            "`menu` shows what can be cooked and `entree m1` lays it; `suggest` lays what a good cook would;"
            " `serve` seals it. `help` has the rest."
        )

    def offered(self, view: View) -> Iterator[tuple[str, Move]]:
        """Keep and redraw; or the meals that no other meal beats in every dish."""
        if view.seat is None or not view.asked:
            return
        board: chef.Board = view.board
        if board.phase == "redraw":
            yield from ((str(move["choice"]), move) for move in BARE)
            return
        hand = hand_of(view.game.state, view.seat)
        pantry, courses = Pantry(hand.values()), courses_of(view.game.state)
        for plan in menus(pantry, pantry.dishes(), len(courses)):
            move = meal_of(hand, dict(zip(courses, plan, strict=False)))
            yield self.told(view, move), move

    def told(self, view: View, move: Move) -> str:
        if "choice" in move:
            return str(move["choice"])
        hand = self._deck(view)
        names = {course.number: name for name, course in COURSES.items()}
        parts = []
        for dish in move["dishes"]:
            plate = DraftPlate(dish["recipe"], tuple(dish["ingredients"]))
            tasted = _dish(plate, hand)
            worth = f" ({tasted.yum} yum)" if tasted else ""
            parts.append(f"{names[dish['course']]} {_plate_text(plate, hand)}{worth}")
        return "; ".join(parts) or "nothing at all"

    def why(self, reason: str) -> str:
        return _WHY.get(reason) or super().why(reason)

    def account(self, view: View, lines: Sequence[Line]) -> list[RenderableType]:
        """Course by course: who won, who served what, its yum, and why if there is room."""
        sections = self.sections(view, lines)
        return richest(view, [partial(told_account, view, sections, level) for level in Detail])

    # How it is spoken to

    def read(self, view: View, line: str) -> Reply | None:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if word in COURSES:
            return self._course(view, word, rest)
        match word:
            case "keep" | "redraw":
                move = self.allowed(view, {"choice": word})
                again = "Put this hand back? The other chef gets 1 point." if word == "redraw" else None
                return Reply(move=move, confirm=again)
            case "drop":
                return self._drop(view, rest)
            case "menu":
                return self._menu(view)
            case "meal":
                return Reply(tuple(self._meal(view)))
            case "serve":
                return self._serve(view)
        if line.strip().isdecimal():
            return self._numbered(view, line.strip())
        return None

    def _numbered(self, view: View, typed: str) -> Reply:
        """A meal of the list of moves is laid, not sealed; any other number names a card without a course."""
        cooking = view.asked and view.board.phase == "meal"
        if cooking and not self.listed:
            raise Unclear(f"Card {typed} on which course? As in `entree {typed}` with its ingredients.")
        move = self.numbered(view, int(typed))
        found = self.read(view, move["choice"]) if "choice" in move else self.suggested(view, move)
        return found or Reply()

    def _seat(self, view: View) -> int:
        if view.seat is None:
            raise Misread("You only watch: a spectator has no hand.")
        return view.seat

    def _deck(self, view: View) -> dict[int, Card]:
        """All cards of the seat's deck that are known here, by index."""
        faces, seat = view.game.state.faces, self._seat(view)
        return {index: faces[own(seat, index)] for index in range(DECK_SIZE) if own(seat, index) in faces}

    def _cooking(self, view: View) -> dict[int, Card]:
        """The hand, while a meal is asked; raises `Misread`."""
        asking = view.game.asking
        if not view.asked or asking is None or asking.kind != "seal":
            raise Misread("No meal is asked of you now.", "chef 6")
        return hand_of(view.game.state, self._seat(view))

    def _course(self, view: View, word: str, rest: str) -> Reply:
        hand, course = self._cooking(view), COURSES[word]
        if course not in view.board.courses:
            raise Misread("A final round has only an entree.", "chef 9")
        if not rest:
            raise Misread(f"What is the {word}? For example: {self._example(hand, word)}")
        wanted = cards_of(rest, hand.values(), self._deck(view).values(), self.draft.menu)
        plate = self.draft.take(hand, course.number, wanted)
        before = dict(self.draft.plates)
        self.draft.plates[course.number] = plate
        try:
            self.allowed(view, self.draft.move())
        except Misread as misread:
            self.draft.plates = before
            misread.hint = self._hint(hand, course.number, wanted)
            raise
        return Reply(tuple(self._meal(view)))

    def _example(self, hand: Mapping[int, Card], word: str) -> str:
        dishes = listed(hand.values())
        if not dishes:
            return f"{word} RECIPE: INGREDIENT, INGREDIENT (your hand has no dish)"
        return f"{word} {dishes[0].recipe.name}: {', '.join(card.name for card in dishes[0].ingredients)}"

    def _hint(self, hand: Mapping[int, Card], course: int, wanted: Sequence[Card]) -> str:
        """A hint: the dish nearest to the named cards."""
        recipe = next((card for card in wanted if card.is_recipe), None)
        if recipe is None:
            return ""
        free = Pantry(self.draft.free(hand, course).values())
        dishes = [dish for dish in free.dishes() if dish.recipe == recipe]
        if not dishes:
            return f"You can't cook {recipe.name} from the cards that are free."
        best = max(dishes, key=lambda dish: (len({*dish.ingredients} & {*wanted}), dish.yum))
        return f"It could be {recipe.name}: {', '.join(card.name for card in best.ingredients)}."

    def _drop(self, view: View, rest: str) -> Reply:
        self._cooking(view)
        if rest == "all":
            self.draft.plates.clear()
            return Reply(tuple(self._meal(view)))
        fitting = meant(rest, list(COURSES))
        if len(fitting) != 1 or COURSES[fitting[0]].number not in self.draft.plates:
            on = [name for name, course in COURSES.items() if course.number in self.draft.plates]
            raise Misread(f"Drop which course? {', '.join(on) or 'None is laid'}.")
        del self.draft.plates[COURSES[fitting[0]].number]
        return Reply(tuple(self._meal(view)))

    def _menu(self, view: View) -> Reply:
        free = self.draft.free(hand_of(view.game.state, self._seat(view)))
        self.draft.menu = listed(free.values())
        left = " from the cards that are on no course yet" if self.draft.plates else ""
        if not self.draft.menu:
            return Reply((Text(f"You can cook nothing{left}."),))
        table = grid("nwr")
        for i, dish in enumerate(self.draft.menu, start=1):
            tasted = chef.taste(dish.recipe, dish.ingredients)
            reasons = () if tasted is None else tasted.items
            what = f"{dish.recipe.name} with {counted(dish.ingredients)}"
            spent = " (spends one-time cards)" if dish.fleeting else ""
            table.add_row(Text(f"m{i}"), Text(what + spent), Text(f"{dish.yum} yum"))
            table.add_row("", Text("; ".join(item.text for item in reasons), style="dim"), "")
        return Reply((Text(f"What can be cooked{left}:"), Padding(table, (0, 0, 0, 2))))

    def _serve(self, view: View) -> Reply:
        self._cooking(view)
        move = self.allowed(view, self.draft.move())
        if not self.draft.plates:
            return Reply((), move, "Seal an empty meal? You serve nothing this round.")
        meal = tuple(self._meal(replace(view, room=0)))
        return Reply(meal, move, "Seal this meal? You can't change it after that.")

    def suggested(self, view: View, move: Move) -> Reply:
        """Show a bot's advice: a meal is laid out, and the player seals it."""
        if "dishes" not in move:
            return super().suggested(view, move)
        self._cooking(view)
        self.draft.load(move)
        return Reply((*self._meal(view), Text("`serve` seals it, or change it first.")))

    def forget(self) -> None:
        super().forget()
        self.draft = Draft()

    # Completion

    def offers(self, view: View, line: str) -> list[LineCompletion]:
        word, space, rest = line.partition(" ")
        if not space:
            return super().offers(view, line)
        word = next(iter(meant(word, list(self.words))), word)
        if word == "drop":
            on = [name for name, course in COURSES.items() if course.number in self.draft.plates]
            return [
                LineCompletion(name, len(rest)) for name in [*on, "all"] if name.startswith(rest.casefold())
            ]
        if word not in COURSES or not view.asked or view.board.phase != "meal":
            return []
        return [*self._cards_that_fit(view, COURSES[word].number, rest)]

    def _cards_that_fit(self, view: View, course: int, rest: str) -> Iterator[LineCompletion]:
        """Recipes that can be cooked; after a recipe, ingredients that lead to a dish of it."""
        hand = self.draft.free(hand_of(view.game.state, self._seat(view)), course)
        dishes = Pantry(hand.values()).dishes()
        head, colon, tail = rest.partition(":")
        if not colon:
            typed = rest.lstrip()
            recipes = dict.fromkeys(dish.recipe for dish in dishes)
            for name in _begun(typed, [card.name for card in recipes]):
                card = next(card for card in recipes if card.name == name)
                yield LineCompletion(f"{name}: ", len(typed), about(card))
            return
        *done, typed = tail.split(",")
        try:
            named_so_far = cards_of(",".join((head, *done)), hand.values(), (), ())
        except Misread:
            return
        recipe, so_far = named_so_far[:1], named_so_far[1:]
        fitting: dict[Card, None] = {}
        for dish in dishes:
            left = [*dish.ingredients]
            if [dish.recipe] == recipe and all(_removed(left, card) for card in so_far):
                fitting |= dict.fromkeys(left)
        typed = typed.lstrip()
        for name in _begun(typed, [card.name for card in fitting]):
            yield LineCompletion(name, len(typed), about(next(card for card in fitting if card.name == name)))


_WHY = {
    "points": "with 30 points or more",
    "final": "after a final round",
    "drawn": "after three tied final rounds",
    "rounds": "after 40 rounds",
}


def in_counts(cards: Iterable[Card]) -> list[Card]:
    """Cards by type and name, so that copies come together."""
    return sorted(cards, key=lambda card: (not card.is_recipe, card.name))


def _dish(plate: DraftPlate, hand: Mapping[int, Card]) -> chef.Dish | None:
    if plate.recipe is None:
        return None
    return chef.taste(hand[plate.recipe], [hand[index] for index in plate.ingredients])


def _plate_text(plate: DraftPlate, hand: Mapping[int, Card]) -> str:
    used = counted(hand[index] for index in plate.ingredients)
    return used if plate.recipe is None else f"{hand[plate.recipe].name} with {used}"


def _begun(typed: str, names: Sequence[str]) -> list[str]:
    return list(names) if not typed else [name for name in names if name in meant_all(typed, names)]


def meant_all(typed: str, names: Sequence[str]) -> list[str]:
    """All names that begin so; an exact name does not hide the longer ones."""
    folded = typed.casefold()
    return [name for name in names if name.casefold().startswith(folded)] or meant(typed, names)


def _removed(cards: list[Card], card: Card) -> bool:
    if card not in cards:
        return False
    cards.remove(card)
    return True
