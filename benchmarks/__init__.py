"""What the house's work costs, as ratios measured side by side in one run.

`figures.FIGURES` names what is measured, `measure.run` measures, `page` and `chart` write
docs/performance.md and its picture from what came out. One more figure is one more entry.

`side_channels` asks another question of another clock: whether secret work takes longer for one secret
than for another. `side_channel_cases.CASES` names what is compared.
"""
