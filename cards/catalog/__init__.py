"""Cards and card sets: what a card is, reading and checking sets, their versions, and boosters.

`cards` holds the values: `Card`, `CardSet`, `Catalog`. `card_sets.load` reads and checks all sets of a
folder. `histories` and `changes` know the versions of a set, `downloads` writes whole sets as files, and
`boosters` says which cards a booster holds.
"""
