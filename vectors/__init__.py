"""The makers of the published test vectors (tests/vectors): good samples, and falsified ones to refuse.

`example` holds the chef, the secrets and the cards that all of them use, `matches` three whole games,
`tables` a table without a dealer.
`primitives` makes the groups of crypto/, `records` those of referee/, `boosters`, `copies`, `sign_in`
and `deck_codes` their own. A `bad_*` file makes what must be refused: `bad_bytes` (encodings, signatures,
envelopes, links), `bad_shuffles`, `bad_meals` and `bad_tables` (proofs), `bad_entries` (certificates, seals,
reveals), `bad_messages` and `bad_records`. `files` writes a folder of vectors, and checks one.

No program that verifies imports this room: an auditor reads `crypto` and `referee` without it.
"""
