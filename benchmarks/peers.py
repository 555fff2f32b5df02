"""Figures that others have published, to compare orders of magnitude."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Peer:
    """A published figure of another implementation."""

    who: str
    what: str
    source: str
    """Name, year and address, in Markdown, or a note that we measured it."""


_OURS = "measured by us, November 2026"

PEERS: tuple[Peer, ...] = (
    Peer(
        "Bulletproofs in Rust (dalek)",
        "a 64-bit range proof, a sum of 147 points in an Edwards group with AVX2: verified in 1.15 ms",
        "[Chain, 2018](https://www.chain.com/blog/faster-bulletproofs-with-ristretto-and-avx2); points: "
        "[bulletproofs #187, 2018](https://github.com/dalek-cryptography/bulletproofs/pull/187)",
    ),
    Peer(
        "the same, a shuffle as a circuit",
        "32 values shuffled, a sum of 214 points: verified in 1.9 ms, in one sum of all equations",
        "[bulletproofs #187, 2018](https://github.com/dalek-cryptography/bulletproofs/pull/187)",
    ),
    Peer(
        "Geometry's mental poker in Rust",
        "52 encrypted cards shuffled, by Bayer and Groth's argument: proven in 50 ms, verified in under 1 ms",
        "[Mohnblatt, Novakovic, Gurkan, 2022](https://nmohnblatt.github.io/mental-poker-1)",
    ),
    Peer(
        "Bayer and Groth",
        "100,000 ElGamal ciphertexts shuffled: proven and verified in about two minutes",
        "[EUROCRYPT 2012](http://www0.cs.ucl.ac.uk/staff/J.Groth/MinimalShuffle.pdf)",
    ),
    Peer(
        "Fauzi, Lipmaa, Siim, Zając",
        "100,000 ciphertexts by pairings, with a set-up: proven in under a minute, verified in under 1.5",
        "[ASIACRYPT 2017](https://link.springer.com/chapter/10.1007/978-3-319-70697-9_4)",
    ),
    Peer(
        "py_ecc",
        "one BLS signature verified (two pairings) in 1.05 s, one addition on G1 in 36 µs",
        "[py_ecc #69, 2019](https://github.com/ethereum/py_ecc/pull/69)",
    ),
    Peer(
        "noble-curves 2.4 in JavaScript",
        "a product of 128 terms on G1 in 49 ms, a point decoded and checked in 0.8 ms (Node 20)",
        _OURS,
    ),
    Peer(
        "a second implementation of our protocol, in JavaScript",
        "a match deck proven in 107 ms and verified in 36, a meal of 24 cards in 113 and 36",
        _OURS,
    ),
    Peer(
        "a Groth16 circuit of the meal, for 12 cards",
        "proven in 860 ms, verified in 23; and it needs a set-up that somebody must be trusted with",
        _OURS,
    ),
)
