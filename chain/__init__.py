"""The contracts' side of Cloche: what they are called with, and a chain of one machine to run them on.

`contracts/` has the sources. This room encodes calls, computes the hints that a call brings along, and sends
it to a local EVM or to a node. It decides nothing: whether a proof holds is for the contracts to say.
"""
