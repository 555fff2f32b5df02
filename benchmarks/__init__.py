"""Measure what the house's work costs, as ratios measured side by side in one run.

`figures.FIGURES` names what is measured and `measure.run` measures it. `page` and `chart` write
docs/performance.md and its picture from the results. A new figure is a new entry in `FIGURES`.

`side_channels` measures something else, with another clock: whether work on secrets takes longer for one
secret than for another. `side_channel_cases.CASES` names what is compared.
"""
