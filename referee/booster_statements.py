"""What house and player sign about boosters: commitments, asks, receipts, openings, notices.

docs/boosters.md defines the bytes. The house commits to a hash chain for each player. The player asks for an
opening and commits to a nonce. The house signs a receipt, which leaves nothing open but link and nonce. Then
the player shows the nonce, and the house shows the link and signs the opening. Where the house gives up a
chain before its end, a notice publishes the links that are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cards.catalog.boosters import Booster, BoosterContents, draw
from crypto.encoding import b64, canonical, timestamp, unb64, uuid_bytes
from crypto.fairness import CHAIN_LENGTH, Chain, booster_stream
from crypto.identity import public_key, sign
from crypto.transcript import tuple_hash
from referee.bodies import DIGEST

PROTOCOL = "cloche-boosters/v2"
NONCE = 32
"""Bytes of a player's nonce."""
FIRST = bytes(DIGEST)
"""The `prev` of a player's first opening, which has no opening before it."""

COMMITTED = ("player", "chain", "anchor", "at", "house_key")
"""The fields of every commitment; since openings are asked for, `player_key` is there too."""
ASKED = ("number", "prev", "player", "booster", "rules", "since", "chain", "anchor", "k", "seal")
RECEIPT = (*ASKED, "asked", "at")
OPENED = (
    "number",
    "prev",
    "player",
    "booster",
    "rules",
    "since",
    "chain",
    "k",
    "link",
    "nonce",
    "cards",
    "at",
)
"""The fields of every opening; one that was asked for has `asked` too."""
NOTICE = ("player", "chain", "anchor", "end", "at")


def _digest(label: str, said: Mapping[str, Any], names: Iterable[str]) -> bytes:
    """TH(label; canonical JSON of these fields of a statement)."""
    return tuple_hash(label, canonical({name: said[name] for name in names}))


def rules_digest(booster: Booster) -> bytes:
    """TH("booster-rules"; canonical JSON of the rules by which a booster is drawn)."""
    return tuple_hash("booster-rules", canonical(booster.json()))


def commitment_digest(commitment: Mapping[str, Any]) -> bytes:
    """TH("booster-chain"; canonical JSON without signature)."""
    names = (*COMMITTED, "player_key") if "player_key" in commitment else COMMITTED
    return _digest("booster-chain", commitment, names)


def ask_digest(asked: Mapping[str, Any]) -> bytes:
    """TH("booster-ask"; canonical JSON of what an opening is asked for by), which the player signs."""
    return _digest("booster-ask", asked, ASKED)


def receipt_digest(receipt: Mapping[str, Any]) -> bytes:
    """TH("booster-receipt"; canonical JSON without signature)."""
    return _digest("booster-receipt", receipt, RECEIPT)


def opening_digest(opening: Mapping[str, Any]) -> bytes:
    """TH("booster-opening"; canonical JSON without signature)."""
    names = (*OPENED, "asked") if "asked" in opening else OPENED
    return _digest("booster-opening", opening, names)


def notice_digest(notice: Mapping[str, Any]) -> bytes:
    """TH("booster-notice"; canonical JSON without signature)."""
    return _digest("booster-notice", notice, NOTICE)


def seal_of(nonce: bytes) -> bytes:
    """TH("booster-seal"; nonce): the player's commitment to a nonce, 64 bytes."""
    return tuple_hash("booster-seal", nonce)


def nonce_of(private: bytes, player: str, anchor: bytes, prev: bytes, rules: bytes, booster: str) -> bytes:
    """A nonce that the house can neither predict nor influence (docs/boosters.md, section 3).

    TH("booster-nonce"; private key, player, anchor, prev, rules, booster; 32).

    Parameters: the player's Ed25519 private key; the ids as texts; the chain's anchor, the digest of the
    opening before, and that of the rules (64 bytes each).
    """
    ids = uuid_bytes(player), uuid_bytes(booster)
    return tuple_hash("booster-nonce", private, ids[0], anchor, prev, rules, ids[1], length=NONCE)


def write_commitment(
    house_private: bytes, player: str, player_key: bytes, chain: int, anchor: bytes, at: int
) -> dict[str, Any]:
    """The house's signed commitment to its chain number `chain` for a player, given by id and public key."""
    said = {
        "player": player,
        "player_key": b64(player_key),
        "chain": chain,
        "anchor": b64(anchor),
        "at": timestamp(at),
        "house_key": b64(public_key(house_private)),
    }
    return {**said, "signature": b64(sign(house_private, commitment_digest(said)))}


@dataclass(frozen=True, slots=True)
class BoosterTerms:
    """Everything that is settled when an opening is asked for."""

    number: int
    prev: bytes
    """The digest of the opening before."""
    player: str
    booster: str
    """Both ids, as texts."""
    rules: bytes
    since: int
    """Boosters of the set that this player has opened since the pity counter began anew."""
    chain: int
    anchor: bytes
    k: int
    seal: bytes
    """The player's commitment to the nonce."""

    def json(self) -> dict[str, Any]:
        """The terms as the fields of an ask."""
        return {
            "number": self.number,
            "prev": b64(self.prev),
            "player": self.player,
            "booster": self.booster,
            "rules": b64(self.rules),
            "since": self.since,
            "chain": self.chain,
            "anchor": b64(self.anchor),
            "k": self.k,
            "seal": b64(self.seal),
        }

    def signed(self, player_private: bytes) -> bytes:
        """The player's signature by which an opening is asked for on these terms."""
        return sign(player_private, ask_digest(self.json()))


def write_receipt(house_private: bytes, terms: BoosterTerms, asked: bytes, at: int) -> dict[str, Any]:
    """The house's receipt for an opening that was asked for; `asked` is the player's signature."""
    said = {**terms.json(), "asked": b64(asked), "at": timestamp(at)}
    return {**said, "signature": b64(sign(house_private, receipt_digest(said)))}


@dataclass(frozen=True, slots=True)
class BoosterDraw:
    """Everything that decides a booster's cards, apart from its rules."""

    player: str
    booster: str
    """Both ids, as texts."""
    anchor: bytes
    k: int
    link: bytes
    nonce: bytes
    since: int
    """Boosters of the set that this player has opened since the pity counter began anew."""

    @classmethod
    def of_receipt(cls, receipt: Mapping[str, Any], link: bytes, nonce: bytes) -> BoosterDraw:
        """The draw that a receipt fixes but for link and nonce."""
        anchor = unb64(receipt["anchor"])
        about = receipt["player"], receipt["booster"], anchor, receipt["k"]
        return cls(*about, link, nonce, receipt["since"])

    def pack(self, booster: Booster) -> BoosterContents:
        """The cards of the booster."""
        ids = uuid_bytes(self.player), uuid_bytes(self.booster)
        stream = booster_stream(
            ids[0], self.anchor, self.k, self.link, self.nonce, rules_digest(booster), ids[1]
        )
        return draw(booster, self.since, stream.below)


def write_opening(
    house_private: bytes, receipt: Mapping[str, Any], link: bytes, nonce: bytes, booster: Booster
) -> tuple[dict[str, Any], BoosterContents]:
    """The house's signed statement of an opening, and the booster's contents.

    It follows from the receipt: written twice, it is the same bytes.
    """
    pack = BoosterDraw.of_receipt(receipt, link, nonce).pack(booster)
    drawn = {"link": b64(link), "nonce": b64(nonce), "cards": [*pack.cards]}
    said = {**{name: receipt[name] for name in OPENED if name in receipt}, **drawn, "asked": receipt["asked"]}
    return {**said, "signature": b64(sign(house_private, opening_digest(said)))}, pack


def write_notice(
    house_private: bytes, commitment: Mapping[str, Any], chain: Chain, at: int
) -> dict[str, Any]:
    """The house's notice that it has given up a chain, with the chain's end, by the key of its commitment."""
    said = {
        **{name: commitment[name] for name in ("player", "chain", "anchor")},
        "end": b64(chain.link(CHAIN_LENGTH)),
        "at": timestamp(at),
    }
    return {**said, "signature": b64(sign(house_private, notice_digest(said)))}


def file_bytes(
    player: str,
    rules: Sequence[Booster],
    chains: Sequence[Mapping[str, Any]],
    notices: Sequence[Mapping[str, Any]],
    asked: Sequence[Mapping[str, Any]],
    openings: Sequence[Mapping[str, Any]],
) -> bytes:
    """The file of all openings of a player, with the rules and commitments that they name.

    `notices` are of chains that were given up. `asked` has receipts, each as {receipt, nonce or None}.
    """
    file = {
        "protocol": PROTOCOL,
        "player": player,
        "rules": [booster.json() for booster in rules],
        "chains": chains,
        "notices": notices,
        "asked": asked,
        "openings": openings,
    }
    return canonical(file)
