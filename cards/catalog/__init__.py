"""Cards and card sets: what they are, reading and checking their files, their versions, and boosters.

`cards` has the values: `Card`, `CardSet`, `Catalog`. `card_sets.load` reads and checks all sets of a folder,
with `yaml_files` and `deck_rules`. `histories` and `changes` deal with the versions of a set, `downloads`
writes whole sets as files, and `boosters` says which cards a booster holds.
"""
