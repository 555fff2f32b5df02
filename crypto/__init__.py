"""The cryptography of the protocol. It knows vectors, points and bytes, and no game.

The modules are: encodings and hashes (`encoding`, `transcript`), the group and its two engines
(`group`, `engines`), keys and signatures (`identity`), envelopes (`envelope`), draws that nobody can
steer (`fairness`), the certificate of a deck (`certificate`), the match deck and its proof (`shuffle`),
the sealed meal (`meal`), a party's secrets (`secret`), and the check of many proofs at once
(`verifier`). Tables without a dealer have locks and the cards under them (`lock`), the mix of a pack
(`mix`), and the argument for every other message (`linear`). `shuffle` and `mix` share `permutation`.

Other rooms pass and receive bytes and integers. `EncodingError` means malformed input, `ProofError`
a proof that fails; both are ValueErrors. Equation names and section numbers are those of
docs/protocol.md.
"""

from crypto.encoding import EncodingError
from crypto.transcript import ProofError

__all__ = ["EncodingError", "ProofError"]
