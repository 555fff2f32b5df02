"""Load on a house: prepared moves at planned moments, from processes of their own.

`driver` is such a process, which plays many matches over `lines`, its connections. `open_loop` starts drivers
against a house and sums up what they saw; `served` starts the house. `parts` names what `cloche load`
measures, and `results` and `report` say what came out.
"""
