"""Deck lists: legality, codes, formats, odds, forecasts, suggestions, and the search language.

`deck_lists` has a deck list and the rules of the game for it, `formats` has further rules, and `legality`
checks all at once. `codes` and `plain_text` write deck lists down, `differences` compares two. `odds` counts
exactly, `forecast` simulates, `suggestions` builds on both; `statistics` gives all three as JSON and
`statistics_chart` as a picture. `search` is the language in which cards and decks are searched.
"""
