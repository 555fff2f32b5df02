"""Steering draws: every coalition that row 5 of the trust table speaks of, grinding all that it may choose.

Each attack is run on the protocol, where it does no better than chance, and on a mutant that lacks the
safeguard which stops it, where it succeeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random

import pytest

from crypto.fairness import common_stream, draw, own_stream, seed
from tests.attack.ledger import Outcome, attack
from tests.attack.steering import (
    DECK,
    DRAWN,
    HAND,
    PROTOCOL,
    Deck,
    Party,
    Rate,
    Rules,
    at_least,
    decks,
    drawn,
    hand,
    interval,
    measured,
    queen,
)

pytestmark = pytest.mark.slow

TRIES = 450
GRIND = 12
"""Candidates that a coalition looks through in every match."""
FIRST_HAND = HAND / DECK
"""Chance that a given card is in the first hand."""
LATER = DRAWN / (DECK - HAND)
"""Chance that a given card of the draw pile is drawn before the second round."""
CHEF_AND_HOUSE = "both chef and house: match secret, deck order, all links of both"
BOTH_CHEFS = "both chefs' match secrets, deck orders and links"


def guesses(party: Party, k: int) -> Iterator[bytes]:
    """Return what somebody could guess for a link that is not out yet."""
    yield party.link(k - 1)
    yield b""
    yield bytes(64)


# Rules that lack a safeguard

NO_FIRST_LINKS = Rules(seed=lambda game, house, commitments, first: seed(game, house, commitments, [b""] * 2))
OWN_LINK = Rules(own=lambda z, k, house, links, seat: own_stream(z, k, house, links[seat], seat))
NO_HOUSE = Rules(own=lambda z, k, house, links, seat: own_stream(z, k, b"", links[1 - seat], seat))
HOUSE_ALONE = Rules(
    seed=NO_FIRST_LINKS.seed, own=lambda z, k, house, links, seat: own_stream(z, k, house, b"", seat)
)
NO_HOUSE_PACK = Rules(common=lambda z, k, house, links: common_stream(z, k, b"", links))


# Chef and house, against an honest opponent who is present


def first_hand(rules: Rules, rng: Random) -> bool:
    """The chef enters last, with the deck of many that looks best for some guess at the opponent's link."""
    honest, house, own = Party(rng), Party(rng), Party(rng)
    game, commitment = rng.randbytes(16), rng.randbytes(64)
    for deck in decks(rng, own.anchor, GRIND):
        for guess in guesses(honest, 1):
            links = [own.link(1), guess]
            z = rules.seed(game, house.anchor, [deck.digest, commitment], links)
            if deck.wanted in hand(rules, z, house.link(1), links):
                return came(rules, game, house, [deck.digest, commitment], [own, honest], deck.wanted)
    return came(rules, game, house, [deck.digest, commitment], [own, honest], deck.wanted)


def came(
    rules: Rules,
    game: bytes,
    house: Party,
    commitments: Sequence[bytes],
    parties: Sequence[Party],
    wanted: int,
) -> bool:
    """Tell whether the card is in seat 0's first hand, once all links are out."""
    links = [party.link(1) for party in parties]
    z = rules.seed(game, house.anchor, commitments, links)
    return wanted in hand(rules, z, house.link(1), links)


def check(outcome: Outcome, on_protocol: Rate, on_mutant: Rate, lacking: str) -> None:
    """Check that a wish comes by chance on the protocol, and can be steered on the mutant."""
    assert on_protocol.by_chance, on_protocol
    assert on_mutant.steered, on_mutant
    mutant = f"{on_mutant.count / on_mutant.tries:.0%} of {on_mutant.tries} {lacking}"
    outcome.no_advantage(f"{on_protocol}; {mutant}", on_protocol.tries)


STEERING = "steering draws: "


@attack(STEERING + "chef and house, the first hand", "protocol 7", knows=CHEF_AND_HOUSE)
def test_chef_and_house_grind_the_deck(outcome: Outcome) -> None:
    rates = [
        measured(FIRST_HAND, TRIES, lambda rng, r=rules: first_hand(r, rng), "deck")
        for rules in (PROTOCOL, HOUSE_ALONE)
    ]
    check(outcome, *rates, "were draws to depend on the house's link alone")


def late_house(rng: Random, anchored: bool) -> bool:
    """The house looks at everybody's links, and then takes the link that suits it, if nothing binds it."""
    honest, own, game = Party(rng), Party(rng), rng.randbytes(16)
    commitments, links = [rng.randbytes(64), rng.randbytes(64)], [own.link(1), honest.link(1)]
    house, wanted = Party(rng), rng.randrange(DECK)
    for _ in range(GRIND):
        z = seed(game, house.anchor, commitments, links)
        found = wanted in hand(PROTOCOL, z, house.link(1), links)
        if found or anchored:
            return found
        house = Party(rng)
    return False


@attack(
    STEERING + "a house that looks at all links before its own", "protocol 7", knows="all links of a deal"
)
def test_a_house_without_an_anchor(outcome: Outcome) -> None:
    rates = [measured(FIRST_HAND, TRIES, lambda rng, a=a: late_house(rng, a), "late") for a in (True, False)]
    check(outcome, *rates, "had the house no anchor")


def enters_after_links(rng: Random, in_order: bool) -> bool:
    """The chef keeps its deck back until the opponent's first link is out, if the order of play lets it."""
    honest, house, own, game = Party(rng), Party(rng), Party(rng), rng.randbytes(16)
    commitment, found = rng.randbytes(64), False
    links = [own.link(1), honest.link(1)]
    for deck in decks(rng, own.anchor, GRIND):
        z = seed(game, house.anchor, [deck.digest, commitment], links)
        found = deck.wanted in hand(PROTOCOL, z, house.link(1), links)
        if found or in_order:
            break
    return found


@attack(STEERING + "a chef who enters after the other's first link", "protocol 7", knows=CHEF_AND_HOUSE)
def test_a_deck_chosen_after_the_links(outcome: Outcome) -> None:
    """Links are asked for when all have entered and said ready, and no client sends one before."""
    rates = [
        measured(FIRST_HAND, TRIES, lambda rng, o=o: enters_after_links(rng, o), "enter")
        for o in (True, False)
    ]
    check(outcome, *rates, "could a deck follow the links")


# A later deal


def _second(rules: Rules, rng: Random, away: bool = False) -> Callable[[tuple[bool, bool]], bool]:
    """A match before its second deal: whether the wanted card comes, by which of the two sends a link."""
    honest, house, own, game = Party(rng), Party(rng), Party(rng), rng.randbytes(16)
    first = [own.link(1), honest.link(1)]
    z = rules.seed(game, house.anchor, [rng.randbytes(64), rng.randbytes(64)], first)
    mine = hand(rules, z, house.link(1), first)
    pool = [i for i in range(DECK) if i not in mine]
    wanted = rng.choice(pool)

    def comes(sends: tuple[bool, bool]) -> bool:
        links = [p.link(2) if s else b"" for p, s in zip((own, honest), sends, strict=True)]
        return wanted in drawn(rules, z, 2, house.link(2), links, pool)

    return comes


def withholds(rules: Rules, rng: Random) -> bool:
    """Let chef and house choose, with the opponent's link in hand, whether the chef sends its own."""
    comes = _second(rules, rng)
    return comes((True, True)) or comes((False, True))


@attack(STEERING + "a chef who withholds its own link", "protocol 7", knows=CHEF_AND_HOUSE)
def test_withholding_ones_own_link(outcome: Outcome) -> None:
    for i in range(200):
        comes = _second(PROTOCOL, Random(i))
        assert comes((True, True)) == comes((False, True)), "a chef's own draw never depends on it"
    rates = [
        measured(LATER, TRIES, lambda rng, r=rules: withholds(r, rng), "own link")
        for rules in (PROTOCOL, OWN_LINK)
    ]
    check(outcome, *rates, "did a draw depend on one's own link")


def against_one_who_goes_silent(rules: Rules, rng: Random) -> bool:
    """The opponent will be away at deal 2; the deck is ground for that draw when the chef enters."""
    honest, house, own, game = Party(rng), Party(rng), Party(rng), rng.randbytes(16)
    commitment = rng.randbytes(64)

    def comes(deck: Deck, first_link: bytes) -> bool:
        """Tell whether the wanted card comes with the second draw, the other being silent then."""
        first = [own.link(1), first_link]
        z = rules.seed(game, house.anchor, [deck.digest, commitment], first)
        mine = hand(PROTOCOL, z, house.link(1), first)
        pool = [i for i in range(DECK) if i not in mine]
        return deck.wanted in drawn(PROTOCOL, z, 2, house.link(2), [b"", b""], pool)

    for deck in decks(rng, own.anchor, GRIND):
        if comes(deck, next(guesses(honest, 1))):
            break
    return comes(deck, honest.link(1))


@attack(STEERING + "chef and house, for when the opponent will be away", "protocol 7", knows=CHEF_AND_HOUSE)
def test_first_links_keep_decks_from_being_ground(outcome: Outcome) -> None:
    rates = [
        measured(
            DRAWN / DECK, 2 * TRIES // 3, lambda rng, r=rules: against_one_who_goes_silent(r, rng), "silent"
        )
        for rules in (PROTOCOL, NO_FIRST_LINKS)
    ]
    check(outcome, *rates, "were the first links not in the seed")


# Both chefs, against an honest house


def both_chefs(rules: Rules, rng: Random) -> bool:
    """They know all but the house's link, and enter the decks that look best for some guess at it."""
    house, own, other, game = Party(rng), Party(rng), Party(rng), rng.randbytes(16)
    links = [own.link(1), other.link(1)]
    for deck in decks(rng, own.anchor, GRIND):
        commitments = [deck.digest, rng.randbytes(64)]
        z = rules.seed(game, house.anchor, commitments, links)
        if any(deck.wanted in hand(rules, z, guess, links) for guess in guesses(house, 1)):
            break
    return came(rules, game, house, commitments, [own, other], deck.wanted)


def both_withhold(rules: Rules, rng: Random) -> bool:
    """Let each of them send or be silent before the second deal, by a guess at the house's link."""
    house, own, other, game = Party(rng), Party(rng), Party(rng), rng.randbytes(16)
    first = [own.link(1), other.link(1)]
    z = rules.seed(game, house.anchor, [rng.randbytes(64), rng.randbytes(64)], first)
    mine = hand(rules, z, house.link(1), first)
    pool = [i for i in range(DECK) if i not in mine]
    wanted = rng.choice(pool)
    options = [(one, two) for one in (own.link(2), b"") for two in (other.link(2), b"")]
    for option in options:
        if any(wanted in drawn(rules, z, 2, guess, option, pool) for guess in guesses(house, 2)):
            break
    return wanted in drawn(rules, z, 2, house.link(2), option, pool)


@attack(STEERING + "both chefs, with an honest house", "protocol 7", knows=BOTH_CHEFS)
def test_both_chefs_grind_their_decks(outcome: Outcome) -> None:
    rates = [
        measured(FIRST_HAND, TRIES, lambda rng, r=rules: both_chefs(r, rng), "both")
        for rules in (PROTOCOL, NO_HOUSE)
    ]
    check(outcome, *rates, "were the house's link not in the draws")


@attack(STEERING + "both chefs, who withhold links", "protocol 7", knows=BOTH_CHEFS)
def test_both_chefs_withhold_links(outcome: Outcome) -> None:
    rates = [
        measured(LATER, TRIES, lambda rng, r=rules: both_withhold(r, rng), "withhold")
        for rules in (PROTOCOL, NO_HOUSE)
    ]
    check(outcome, *rates, "were the house's link not in the draws")


# A common pack: house and seats, against one who is honest and present


def friends(rng: Random, count: int) -> list[Party]:
    return [Party(rng) for _ in range(count)]


def pack_ground(rng: Random, seats: int, chained: bool) -> bool:
    """All but seat 0 and the house grind their anchors, enter last, and send their links last."""
    honest, house, game = Party(rng), Party(rng), rng.randbytes(16)
    lot = friends(rng, seats - 1)
    for _ in range(GRIND // 2):
        anchors = [honest.anchor, *(party.anchor for party in lot)]
        told = [next(guesses(honest, 1)), *(party.link(1) for party in lot)]
        if queen(PROTOCOL, seed(game, house.anchor, anchors, told), 1, house.link(1), told) == 0:
            break
        lot[-1] = Party(rng)
    links = [honest.link(1), *(party.link(1) for party in lot)]
    z = seed(game, house.anchor, anchors, links)
    if chained:
        return queen(PROTOCOL, z, 1, house.link(1), links) == 0
    late = [[*links[:-1], rng.randbytes(64)] for _ in range(GRIND // 2)]
    return any(queen(PROTOCOL, z, 1, house.link(1), option) == 0 for option in late)


@attack(
    STEERING + "house and all seats but one, a common pack", "protocol 7", knows="all links but one seat's"
)
@pytest.mark.parametrize("seats", [4])
def test_the_first_deal_of_a_common_pack(seats: int, outcome: Outcome) -> None:
    rates = [
        measured(1 / seats, TRIES // 2, lambda rng, c=c: pack_ground(rng, seats, c), "pack")
        for c in (True, False)
    ]
    check(outcome, *rates, "were links not chained to anchors")


def pack_with_house(rules: Rules, rng: Random, seats: int) -> bool:
    """All seats together, with an honest house, choose who sends a link, by a guess at the house's."""
    house, lot, game = Party(rng), friends(rng, seats), rng.randbytes(16)
    anchors, first = [party.anchor for party in lot], [party.link(1) for party in lot]
    z = seed(game, house.anchor, anchors, first)
    guess = next(guesses(house, 2))
    options = [[p.link(2) if s else b"" for p, s in zip(lot, sends, strict=True)] for sends in MASKS[seats]]
    chosen = next((o for o in options if queen(rules, z, 2, guess, o) == 0), options[0])
    return queen(rules, z, 2, house.link(2), chosen) == 0


MASKS = {seats: list(product((True, False), repeat=seats)) for seats in (3, 4)}


@attack(STEERING + "all seats, a common pack of an honest house", "protocol 7", knows="all seats' secrets")
def test_all_seats_against_the_house(outcome: Outcome) -> None:
    rates = [
        measured(1 / 3, TRIES // 2, lambda rng, r=rules: pack_with_house(r, rng, 3), "seats")
        for rules in (PROTOCOL, NO_HOUSE_PACK)
    ]
    check(outcome, *rates, "were the house's link not in the draws")


# Opponent and house: a choice of two, without seeing the cards


def one_of_two(rng: Random, by_card: bool) -> bool:
    """They keep a position, or a card, out of a chef's draw: by the opponent's link or its time-out."""
    victim, opponent, house, game = Party(rng), Party(rng), Party(rng), rng.randbytes(16)
    first = [victim.link(1), opponent.link(1)]
    z = seed(game, house.anchor, [rng.randbytes(64), rng.randbytes(64)], first)
    mine = hand(PROTOCOL, z, house.link(1), first)
    pool = [i for i in range(DECK) if i not in mine]
    options = [
        drawn(PROTOCOL, z, 2, house.link(2), [victim.link(2), link], pool) for link in (opponent.link(2), b"")
    ]
    target = rng.choice(pool)  # the position of the card they fear, if only they knew
    aimed = rng.choice(pool) if by_card else target
    best = next((option for option in options if aimed in option), options[0])
    return target in best


@attack(
    STEERING + "opponent and house: the link or a time-out", "protocol 7", knows="all but the chef's secrets"
)
def test_opponent_and_house_have_two_outcomes_and_see_no_card(outcome: Outcome) -> None:
    """The promised limit: of positions they choose between two draws; the cards there they don't know."""
    cards = measured(LATER, TRIES, lambda rng: one_of_two(rng, by_card=True), "two by card")
    assert cards.by_chance, cards
    two = 1 - (1 - LATER) ** 2
    positions = measured(two, TRIES, lambda rng: one_of_two(rng, by_card=False), "two by position")
    low, high = positions.within
    assert low <= two <= high
    assert Rate(positions.count, TRIES, LATER).steered, "the choice is real, for positions"
    outcome.no_advantage(
        f"cards {cards}; positions {positions.count / TRIES:.1%}, of two draws {two:.1%}", TRIES
    )


@attack(
    STEERING + "house and one friend, a later common pack", "protocol 7", knows="all links but two seats'"
)
def test_house_and_a_friend_have_two_outcomes(outcome: Outcome) -> None:
    """The house and a friend choose, for each deal, the friend's link or a time-out.

    There is no third outcome (docs/security.md).
    """

    def succeeds(rng: Random) -> bool:
        lot, house, game = friends(rng, 3), Party(rng), rng.randbytes(16)
        links = [party.link(2) for party in lot]
        z = seed(game, house.anchor, [p.anchor for p in lot], [p.link(1) for p in lot])
        return any(queen(PROTOCOL, z, 2, house.link(2), option) == 0 for option in (links, [*links[:2], b""]))

    bound = 1 - (2 / 3) ** 2
    rate = measured(bound, TRIES // 2, succeeds, "friend")
    assert rate.by_chance, rate
    outcome.no_advantage(f"{rate.count / rate.tries:.1%}: best of two, {bound:.1%}", rate.tries)


# The statistics themselves


def test_the_interval_is_clopper_and_pearson_s() -> None:
    low, high = interval(15, 100, 0.95)
    assert (round(low, 4), round(high, 4)) == (0.0865, 0.2353)
    assert interval(0, 10)[0] == 0
    assert interval(10, 10)[1] == 1
    assert abs(at_least(2, 3, 0.5) - 0.5) < 1e-12
    assert draw(own_stream(bytes(64), 1, bytes(64), b"", 0), range(3), 0) == ()
