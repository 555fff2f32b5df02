"""Commands for the operator of a house."""
