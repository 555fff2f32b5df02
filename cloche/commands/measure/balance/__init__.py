"""`cloche simulate`: what matches between decks come to, as a table, JSON, a page and a picture.

`report` the figures and what they are held against, `page` docs/balance.md, `chart` its picture.
"""
