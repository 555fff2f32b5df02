"""The search language of cards and decks, `t:recipe cost<=3 sort:cost` (docs/search.md).

    query = parse("t:recipe ing:fish sort:cost", CARDS).query
    found = Search(query, CARDS).page(card_facts(catalog))

`query` has the values: fields, languages, queries. `parser` reads and writes texts. `facts` makes cards and
decks ready to be searched, `fields` says what can be asked of them, and `matching` answers.
"""

from cards.decks.search.facts import CardFacts, DeckFacts, Owned, card_facts, deck_table
from cards.decks.search.fields import CARDS, DECKS
from cards.decks.search.matching import Search, needs_owner
from cards.decks.search.parser import parse, write

__all__ = [
    "CARDS",
    "DECKS",
    "CardFacts",
    "DeckFacts",
    "Owned",
    "Search",
    "card_facts",
    "deck_table",
    "needs_owner",
    "parse",
    "write",
]
