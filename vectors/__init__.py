"""What makes the published test vectors (tests/vectors): good samples, and falsified ones to refuse.

Nothing that verifies imports this room: an auditor reads `crypto` and `referee` without it.
"""
