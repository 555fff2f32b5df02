"""Deck lists: legality, codes, formats, odds, forecasts, suggestions, and the search language.

`decklist` checks a list against the rules of the game, `formats` and `rule_sets` against others. `codes`
and `text` write lists down. `odds` counts exactly, `forecast` deals samples, `suggest` and `report` build on
both. `query`, `query_text` and `search` are the language in which cards and decks are searched.
"""
