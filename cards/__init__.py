"""The cards, and the rules of every game with them.

`catalog` has cards, card sets and their versions; `pictures` draws them; `games` has the rules of every game
behind one contract; `decks` has deck lists and everything computed from them. A game's rule stands in `games`
and nowhere else. Nothing here uses a clock, a network or randomness of its own.
"""
