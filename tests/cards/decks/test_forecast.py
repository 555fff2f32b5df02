"""Deals, expectations and suggestions can be repeated, and agree with the rules and with all deals."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import sqrt
from random import Random
from xml.etree import ElementTree

import pytest

from cards.catalog.card_sets import load
from cards.catalog.cards import Card
from cards.catalog.deck_rules import MOST_COPIES
from cards.decks.forecast import Mean, bests, deals, drawn_by_round, expected, listed, mean
from cards.decks.odds import CardCounts, drawn, servable
from cards.decks.statistics import hands, statistics_of
from cards.decks.statistics_chart import chart
from cards.decks.suggestions import HORIZON, _Table, alike, suggest
from cards.games.chef import servings, taste, yum
from cards.games.chef.search import best
from tests.cards.decks.odds_kit import CARDS, INGREDIENTS, ODD, RECIPES, deck_of, starter
from tests.paths import DOCS

NAMES = {card.slug: card.name for card in load().cards.values()}


def best_of_all(hand: list[Card], using: Card | None = None) -> int:
    """The best yum of a hand from every dish that the rules find; 0 if there is none."""
    stock = [(i, card) for i, card in enumerate(hand) if not card.is_recipe]
    yums = [0]
    for recipe in {card for card in hand if card.is_recipe}:
        for chosen in servings(recipe.costs, stock):
            dish = [hand[i] for i in chosen]
            if using is None or using is recipe or using in dish:
                yums.append(yum(recipe, dish))
    return max(yums)


@pytest.mark.parametrize("seed", range(40))
def test_the_best_dish_is_the_best_of_all(seed: int) -> None:
    rng = Random(seed)
    hand = [*rng.choices(RECIPES, k=5), *rng.choices(INGREDIENTS, k=5), *rng.choices(ODD, k=4)]
    wanted = best_of_all(hand)
    found = best(Counter(hand))
    assert (found.yum if found else 0) == wanted
    if found is not None:
        dish = taste(found.recipe, found.ingredients)
        assert dish is not None
        assert dish.yum == found.yum
        assert not Counter([found.recipe, *found.ingredients]) - Counter(hand)
        assert best(Counter(hand), wanted) is None
        assert best(Counter(hand), wanted - 1) is not None
    for card in set(hand):
        with_it = best(Counter(hand), 0, card)
        assert (with_it.yum if with_it else 0) == best_of_all(hand, card)
        if with_it is not None:
            assert card in (with_it.recipe, *with_it.ingredients)


def test_deals_come_again_by_their_seed_and_each_is_the_deck() -> None:
    deck = starter("trattoria")
    first = [*deals(deck, 5, "a")]
    assert first == [*deals(dict(reversed(deck.items())), 9, "a")][:5]
    assert first != [*deals(deck, 5, "b")]
    assert all(Counter(deal) == Counter(listed(deck)) for deal in first)
    rounds = drawn_by_round(first[0], 20)
    assert [len(cards) for cards in rounds] == [6, *[2] * 17, 0, 0]
    assert tuple(card for cards in rounds for card in cards) == first[0]


def test_every_card_comes_everywhere_equally_often() -> None:
    """Chi-squared with 39 x 39 degrees of freedom; chance practically never gives five deviations."""
    seen: Counter[tuple[int, Card]] = Counter()
    deck = dict.fromkeys([*RECIPES[:14], *INGREDIENTS[:26]], 1)
    for deal in deals(deck, 4000, "even"):
        seen.update(enumerate(deal))
    found = sum((n - 100) ** 2 / 100 for n in (seen[i, card] for i in range(40) for card in deck))
    freedom = 39 * 39
    assert abs(found - freedom) < 5 * sqrt(2 * freedom)


def test_a_best_dish_by_round_is_the_best_of_all_drawn() -> None:
    for deal in deals(starter("night-market"), 6, "rounds"):
        for round, dish in enumerate(bests(deal, 5), 1):
            hand = [*deal[: drawn(40, round)]]
            assert (dish.yum if dish else 0) == best_of_all(hand)


def test_means_and_their_errors() -> None:
    assert mean([1.0, 2.0, 3.0, 6.0]) == Mean(3.0, sqrt(14 / 3 / 4))
    assert mean([5.0]) == Mean(5.0, 0.0)


def test_what_is_expected_is_the_mean_of_every_deal() -> None:
    """A deck of eight cards has as many hands of six as choices of the two cards that stay in it."""
    deck = deck_of(toast=2, bread=1, butter=2, bread_and_butter=1, egg=2)
    cards = listed(deck)
    out = [*permutations(range(8), 2)]
    every = [best_of_all([card for i, card in enumerate(cards) if i not in pair]) for pair in out]
    true = sum(every) / len(every)
    first, second = expected(deck, 2, 2000, "1")
    assert abs(first.yum.mean - true) < 5 * first.yum.error
    spread = sqrt(sum((each - true) ** 2 for each in every) / len(every) / 2000)
    assert first.yum.error == pytest.approx(spread, rel=0.1)
    assert second.yum == Mean(best_of_all([*cards]), 0.0)
    assert first.deals == 2000


def test_the_simulated_share_of_servable_hands_agrees_with_the_exact_odds() -> None:
    deck = starter("trattoria")
    exact = servable(deck, 6)
    assert exact is not None
    for odds, found in zip(exact.any, expected(deck, 6, 1000, "agree"), strict=True):
        p = float(odds)
        assert abs(found.served.mean - p) < 5 * sqrt(p * (1 - p) / 1000)


def test_a_deck_that_is_hard_to_search_is_dealt_less_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cards.decks.forecast.MOST_STEPS", 50)
    deck = starter("trattoria")
    found = expected(deck, 3, 500, "1")
    assert 0 < found[0].deals < 500
    assert found == expected(deck, 3, found[0].deals, "1")


class TestSuggestions:
    def test_an_exchange_is_judged_as_if_the_deal_had_the_other_card(self) -> None:
        deck, add, out = starter("trattoria"), CARDS.by_slug("caviar"), CARDS.by_slug("toast")
        table = _Table(deck, 12, "exchange")
        for dealt, gain, (place, _) in zip(
            table._dealt, table.gains(out, add), table._without(out), strict=True
        ):
            assert dealt[place] is out
            before = tuple(card for card in dealt if card is not None)
            after = (*before[:place], add, *before[place + 1 :])
            totals = [
                sum(dish.yum for dish in bests(deal, HORIZON) if dish is not None) for deal in (before, after)
            ]
            assert gain == pytest.approx((totals[1] - totals[0]) / HORIZON)

    def test_an_exchange_for_the_same_card_gains_nothing(self) -> None:
        deck, toast = starter("trattoria"), CARDS.by_slug("toast")
        assert _Table(deck, 30, "same").gains(toast, toast) == [0.0] * 30

    def test_a_gain_is_what_other_deals_of_both_decks_say(self) -> None:
        deck = starter("trattoria")
        advice = suggest(deck, {CARDS.by_slug("white-truffle"): 1}, 20, 100, "1")
        found = advice.suggestions[0]
        assert found.add.slug == "white-truffle"
        assert found.remove is not None
        after = Counter(deck)
        after[found.add] += 1
        after[found.remove] -= 1
        yums = [
            [
                mean([float(each.yum.mean) for each in expected(some, HORIZON, 200, seed)]).mean
                for some in (deck, +after)
            ]
            for seed in ("far", "off")
        ]
        seen = sum(b - a for a, b in yums) / 2
        assert (
            abs(seen - found.gain.mean) < 0.6
        )  # four standard errors, most of them of the decks dealt apart
        assert found.gain.mean > 4 * found.gain.error

    @pytest.mark.long
    def test_gains_are_as_far_from_the_truth_as_their_errors_say(self) -> None:
        deck = starter("trattoria")
        owned = {card: 3 for card in INGREDIENTS if CARDS.printings[card.number].rarity == "common"}
        truth = _Table(deck, 2500, "truth")
        off, first = [], []
        for seed in range(16):
            for i, found in enumerate(suggest(deck, owned, 100, 300, f"calibrate {seed}").suggestions):
                true = mean(truth.gains(found.remove, found.add))
                error = sqrt(found.gain.error**2 + true.error**2)
                off.append((found.gain.mean - true.mean) / error)
                first += [off[-1]] if i == 0 else []
        assert sum(abs(each) < 2 for each in off) > 0.85 * len(off)
        assert abs(mean(first).mean) < 1.27 + 3 * mean(first).error  # the best of six fair draws

    def test_a_card_that_makes_the_deck_work_is_found(self) -> None:
        """A deck of things to spread, and nothing to spread them on."""
        deck = deck_of(toast=3, garlic_bread=3, bread_and_butter=3, butter=3, garlic=3, salt=3)
        owned = Counter({CARDS.by_slug(slug): 3 for slug in ("bread", "onion", "tomato", "salt", "egg")})
        advice = suggest(deck, owned, 20, 40, "1")
        found = advice.suggestions[0]
        assert (found.add.slug, found.remove) == ("bread", None)
        assert found.gain.mean > 2 * found.gain.error
        assert advice.candidates == 3  # bread, egg; onion and tomato are alike; of salt there is no more room

    def test_nothing_is_suggested_beyond_what_is_owned_and_allowed(self) -> None:
        deck = starter("trattoria")
        assert suggest(deck, deck, 10, 10, "1").suggestions == ()
        full = {card: 9 for card, n in deck.items() if n == MOST_COPIES}
        assert suggest(deck, full, 10, 10, "1").candidates == 0

    def test_cards_are_alike_where_no_recipe_can_tell(self) -> None:
        deck = deck_of(caprese_salad=1, tomato_soup=1)
        cards = [
            CARDS.by_slug(slug) for slug in ("onion", "tomato", "apple", "carrot", "basil", "salt", "toast")
        ]
        groups = [{card.slug for card in group} for group in alike(deck, cards)]
        assert sorted(groups, key=min) == [
            {"onion", "apple", "carrot"},
            {"basil"},
            {"salt"},
            {"toast"},
            {"tomato"},
        ]


class TestReport:
    def test_each_round_has_its_value_and_odds_are_those_counted(self) -> None:
        deck = starter("trattoria")
        found = statistics_of(deck, 7, "s", 40)
        exact = servable(deck, 7)
        assert exact is not None
        assert found["servable"]["exact"] is True
        assert found["servable"]["any"] == [float(p) for p in exact.any]
        for each in (found["drawn"], found["recipe"], found["yum"], *found["cards"][0]["at_least"]):
            assert len(each) == 7
        assert found == statistics_of(dict(reversed(deck.items())), 7, "s", 40)
        assert {each["card"] for each in found["cards"]} == {card.slug for card in deck}

    def test_what_can_not_be_counted_is_simulated_with_its_error(self) -> None:
        deck: CardCounts = {**dict.fromkeys(ODD, 2), **dict.fromkeys(RECIPES[20:34], 1)}
        found = statistics_of(deck, 4, "s", 30)["servable"]
        assert (found["exact"], found["each"]) == (False, [])
        for p, error in zip(found["any"], found["errors"], strict=True):
            assert error == pytest.approx(sqrt(p * (1 - p) / 29), abs=1e-5)
        assert 0 < found["any"][3] < 1

    def test_a_hand_says_what_it_can_serve(self) -> None:
        deck = starter("trattoria")
        found = hands(deck, 3, 4, "s")
        for shown, deal in zip(found["hands"], deals(deck, 4, "s"), strict=True):
            assert [slug for draw in shown for slug in draw["drawn"]] == [card.slug for card in deal[:10]]
            for draw, dish in zip(shown, bests(deal, 3), strict=True):
                assert (draw["best"] is None) == (dish is None)
                if dish is not None:
                    assert draw["best"]["yum"] == dish.yum

    @pytest.mark.parametrize("rounds", [1, 10, 18])
    def test_the_picture_is_well_formed_and_says_what_it_shows(self, rounds: int) -> None:
        for deck in (starter("trattoria"), deck_of(bread=1), {}):
            drawing = chart(statistics_of(deck, rounds, "s", 20), NAMES, "Fish & <Chips> \"'")
            root = ElementTree.fromstring(drawing)
            texts = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
            assert "Fish & <Chips> \"'" in texts
            width = float(root.attrib["width"])
            for element in root.iter():
                for name in ("x", "cx"):
                    assert 0 <= float(element.attrib.get(name, 0)) <= width
            assert drawing == chart(statistics_of(deck, rounds, "s", 20), NAMES, "Fish & <Chips> \"'")


def test_the_picture_of_the_page_is_of_these_figures() -> None:
    shown = (DOCS / "pictures" / "deck.svg").read_text()
    found = CARDS.starters["night-market"]
    assert shown == chart(statistics_of(starter(found.slug)), NAMES, found.name)
