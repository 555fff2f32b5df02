"""Commands for contracts on a chain."""
