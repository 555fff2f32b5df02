"""Commands that measure: decks, bots, proofs, and the published test vectors."""
