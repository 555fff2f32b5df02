"""The mathematics of the sealed kitchen; it knows vectors, points and bytes, and no game.

Encodings and hashes (`encoding`, `transcript`), the group and its two engines (`group`, `engines`),
keys and signatures (`identity`), draws that nobody steers (`fairness`), the certificate of a deck
(`certificate`), the match deck and its proof (`shuffle`), the sealed meal (`meal`), what a player
keeps secret (`secret`), and one product that checks many proofs (`verifier`). Everything crosses the
room's border as bytes and integers. Errors are `EncodingError` (malformed) and `ProofError` (not
shown); both are ValueErrors. Equation names and section numbers are those of the protocol.
"""

from crypto.encoding import EncodingError
from crypto.transcript import ProofError

__all__ = ["EncodingError", "ProofError"]
