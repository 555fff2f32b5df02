"""The cost of a turn for the house, beside the least that a turn can cost.

A *turn* is one accepted message of a player and the reads of both followers. `bound` is the least: a server
that does what no honest house can leave out, and nothing else. `house` is the whole application, in this
process and without a network. `table` plays matches at either. `measure` times both, turn by turn.
"""
