"""The rules of every game, and the cards: pure, no clock, no randomness of its own, no network.

`catalog` reads and checks the card sets, `decklist` says whether a deck is
legal, `french` has the packs of the classic games. `mode` is the one contract
that every game fulfils, `modes` are the games. A rule stands here and nowhere
else; this room imports none of the others.
"""
