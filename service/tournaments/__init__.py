"""Tournaments without a database or a clock: who meets whom, who stands where, who wins how many coins.

Players are texts (their ids), and their order is their order in the standings or by seed. Points are whole
half points. docs/tournaments.md publishes these rules.

- `swiss` pairs a round of a Swiss tournament; `brackets` those of the other two systems.
- `standings` orders the players; `prizes` shares the coins.
"""

SWISS, ELIMINATION, ROUND_ROBIN = SYSTEMS = ("swiss", "elimination", "round_robin")
"""The systems. A name never gets a second meaning."""
