"""The figures that are measured, in the order in which they are shown."""

from __future__ import annotations

from benchmarks.builder import deck_code, deck_legal, search_cards, search_decks
from benchmarks.dealerless import mix_prove, mix_receive, mix_verify, play_verify, record_dealerless
from benchmarks.engines import arkworks_over_py_ecc, py_ecc_msm
from benchmarks.matches import record_verify
from benchmarks.measure import Figure
from benchmarks.proofs import (
    batch_games,
    batch_match,
    deck_prove,
    deck_receive,
    deck_verify,
    meal_prove,
    meal_verify,
)

SHORT = 3
"""Work that takes milliseconds gets three times as many alternations as asked for."""
_PRODUCT = "one raw product of as many terms"
_BY_HAND = "the same, written by hand for this one case"

FIGURES: tuple[Figure, ...] = (
    Figure(
        "meal_verify",
        "Verify a meal",
        "verify one meal: 24 cards in hand, three courses",
        _PRODUCT,
        1.5,
        "Each alternation has a new proof. The 24 points of the hand are known from the match deck, as they "
        "are in a house. The seal and the six points of the proof are decoded and checked on the clock.",
        meal_verify,
        fold=SHORT,
    ),
    Figure(
        "meal_prove",
        "Prove a meal",
        "prove the same kind of meal, with new masks",
        _PRODUCT,
        5.0,
        "The chef knows its hand's points. Masks are derived as a client derives them, on the clock.",
        meal_prove,
        fold=SHORT,
    ),
    Figure(
        "deck_verify",
        "Verify a match deck",
        "verify one match deck of 40 cards",
        _PRODUCT,
        1.5,
        "Each alternation has a new deck. Its 80 points, those of the certificate and of the match deck, are "
        "decoded before, as the yardstick's points are. The seven points of the proof are decoded and "
        "checked on the clock.",
        deck_verify,
        fold=SHORT,
    ),
    Figure(
        "deck_receive",
        "Read and verify a match deck",
        "read 40 new positions, and verify the match deck that they make up",
        _PRODUCT,
        None,
        "This is what a house does with a match deck that arrives: it knows the points of the certificate, "
        "but not the positions. The difference to `deck_verify` is their decoding, most of it the check that "
        "each lies in the subgroup. The library decodes one point at a time. The check can't be done for "
        "many at once: the cofactor has the factor 3, so a sum with random weights would let one bad point "
        "in three pass.",
        deck_receive,
        fold=SHORT,
    ),
    Figure(
        "deck_prove",
        "Prove a match deck",
        "prove a new match deck of 40 cards",
        _PRODUCT,
        5.0,
        "The chef makes the positions before, off the clock, as a client does.",
        deck_prove,
        fold=SHORT,
    ),
    Figure(
        "batch_games",
        "64 meals of 64 games, together",
        "verify 64 meals of 24 cards, each of another game, in one sum",
        "64 such meals, each alone",
        0.6,
        "This is the gain of a house that verifies proofs together. Each side has 64 new proofs of its own.",
        batch_games,
    ),
    Figure(
        "batch_match",
        "The 20 meals of a match, together",
        "verify the meals of ten rounds in one sum, hands growing from 6 to 24 cards",
        "20 such meals, each alone",
        0.4,
        "The meals share the points of two match decks. Each side has 20 new proofs of its own.",
        batch_match,
    ),
    Figure(
        "record_verify",
        "Verify a whole record",
        "a match of ten rounds, from the bytes of its file to the verdict",
        "the raw products of its 22 proofs, one after another",
        3.0,
        "Each alternation has another match; every run takes the same seeds. The house's best bots play ten "
        "rounds with the two starter decks, then agree to a draw. So A is two match decks and twenty meals, "
        "with all else that `cloche verify` does: canonical JSON, some 160 signatures, the chain of "
        "digests, draws, openings, accounts. Generators and rules are loaded, as in a process that has "
        "verified before. Nothing of the match is known, since another process plays it. The terms are "
        "those of the first match, added up.",
        record_verify,
    ),
    Figure(
        "mix_verify",
        "Verify a mix",
        "verify the mix of a pack of 52 cards",
        _PRODUCT,
        1.5,
        "Each alternation has a new mix. The 208 points of the packs before and after it are decoded before, "
        "as the yardstick's points are. The eight points of the proof are decoded and checked on the clock.",
        mix_verify,
        fold=SHORT,
    ),
    Figure(
        "mix_receive",
        "Read and verify a mix",
        "read the 104 points of a mixed pack, and verify the mix",
        _PRODUCT,
        2.3,
        "This is what everybody does with a mix that arrives: the pack before it is known. The difference to "
        "`mix_verify` is the decoding of the mixed pack.",
        mix_receive,
        fold=SHORT,
    ),
    Figure(
        "mix_prove",
        "Mix a pack",
        "remask a pack of 52 cards in a new order, and prove the mix",
        _PRODUCT,
        5.5,
        "Order, blindings and masks are drawn on the clock. Remasking takes 104 multiplications.",
        mix_prove,
        fold=SHORT,
    ),
    Figure(
        "play_verify",
        "Verify a card out of a hidden hand",
        "verify a card of hearts with a claim about the rest of the hand",
        "one raw product of 128 terms",
        0.8,
        "A is the whole entry: two signatures, the share of the card, the claim that the hand can't follow "
        "suit, and the rules. The points of the pack are known; those of the entry are decoded on the clock.",
        play_verify,
        fold=SHORT,
    ),
    Figure(
        "record_dealerless",
        "Verify a round that nobody dealt",
        "a round of hearts for four, from the bytes of its record to the verdict",
        "the raw products of its proofs, one after another",
        3.0,
        "Each alternation has another round, played by bots who then agree to a draw. It has five locks and "
        "mixes, the shares of all hands, and 52 cards, with all else that `cloche verify` does. Nothing of "
        "the game is known, since another process plays it.",
        record_dealerless,
    ),
    Figure(
        "py_ecc_msm",
        "A product on py_ecc",
        "our product of 128 terms on py_ecc's curve (Pippenger)",
        "128 multiplications by py_ecc",
        0.25,
        "Only 16 of the multiplications are timed, and their time counts eightfold.",
        py_ecc_msm,
    ),
    Figure(
        "arkworks_over_py_ecc",
        "One engine against the other",
        "verify a meal on py_ecc, the reference",
        "verify the same meal on arkworks",
        None,
        "How many times faster the fast engine is. There are five alternations, since each takes so long.",
        arkworks_over_py_ecc,
        most=5,
    ),
    Figure(
        "search_cards",
        "A query over all cards",
        "`t:recipe cost<=3 -cat:oil ing:fish own>=1 sort:cost`, a hundred times",
        _BY_HAND,
        None,
        "A goes from the text of the query to the numbers of the cards. The facts of the catalogue are made "
        "before, as in a house that runs. B is a loop over the cards, written for nothing else.",
        search_cards,
    ),
    Figure(
        "search_decks",
        "A query over ten thousand decks",
        "`uses:tomato -uses:butter recipes>=10 sort:-size`, once",
        _BY_HAND,
        None,
        "Each deck has 14 different cards. The decks are in memory; reading them from the database takes "
        "longer.",
        search_decks,
    ),
    Figure(
        "deck_legal",
        "Judge a deck",
        "whether a starter deck is legal and owned, a hundred times",
        _BY_HAND,
        None,
        "A lists everything that is wrong; B only says whether something is.",
        deck_legal,
    ),
    Figure(
        "deck_code",
        "A deck into a code and back",
        "a starter deck into a deck code and back, a hundred times",
        "the same deck into JSON and back",
        None,
        "The standard library writes and reads JSON, in C.",
        deck_code,
    ),
)


def find(name: str) -> Figure:
    """The figure of that name; KeyError if there is none."""
    return {figure.name: figure for figure in FIGURES}[name]
