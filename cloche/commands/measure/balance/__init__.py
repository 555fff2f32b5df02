"""The figures of `cloche simulate`, and the page and the picture that show them.

`report` has the figures and their bounds, `page` writes docs/balance.md, `chart` draws its picture.
"""
