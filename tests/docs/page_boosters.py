"""A second reading of docs/boosters.md, sections 1 to 5: a file of boosters, verified from the page alone."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from uuid import UUID

from tests.docs.page_proofs import (
    Stream,
    canonical,
    good_key,
    milliseconds,
    need,
    octets,
    osp,
    reaches,
    read_json,
    same,
    signed,
    th,
    whole,
)

Json = Any
RARITIES = ("common", "uncommon", "rare", "legendary")
LINKS = 1024
FILE = {"protocol", "player", "rules", "chains", "notices", "asked", "openings"}
CHAIN = {"player", "chain", "anchor", "at", "house_key", "signature"}
NOTICE = {"player", "chain", "anchor", "end", "at", "signature"}
TERMS = {"number", "prev", "player", "booster", "rules", "since", "chain", "anchor", "k", "seal"}
RECEIPT = TERMS | {"asked", "at", "signature"}
OPENING = TERMS - {"anchor", "seal"} | {"at", "link", "nonce", "cards", "signature"}


@dataclass
class Chain:
    """A chain of the house, and how far the openings have come in it."""

    number: int
    anchor: bytes
    at: int
    house: bytes
    player: bytes | None
    """The player's key; None in a chain of an older version."""
    used: int = 0
    newest: bytes = b""
    end: bytes | None = None
    """Its last link, if a notice has given it up."""
    taken: dict[int, bytes] = field(default_factory=dict)
    """The digests of what was asked for, by link."""

    def link(self, k: int) -> bytes | None:
        """Link k, if a notice shows it."""
        link = self.end
        for _ in range(LINKS - k if link is not None else 0):
            link = th("chain", link or b"")
        return link


class BoosterStream(Stream):
    """The stream of section 4."""

    label = "booster-draw"


def verified(data: bytes) -> tuple[list[list[int]], list[Json]]:
    """The cards of each opening, and what the receipts that were not followed would have given.

    Raises `Invalid`.
    """
    file = read_json(data)
    fields(file, FILE)
    need(file["protocol"] == "cloche-boosters/v2", "another protocol")
    reader = Reader(ident(file["player"]))
    for rules in file["rules"]:
        reader.rule(rules)
    for chain in file["chains"]:
        reader.chain(chain)
    for notice in file["notices"]:
        reader.notice(notice)
    cards = [reader.opening(opening) for opening in file["openings"]]
    for before, _ in pairwise(reader.chains.values()):
        need(before.used == LINKS or before.end is not None, "a chain that was given up without a notice")
    return cards, [told for each in file["asked"] if (told := reader.asked(each)) is not None]


def fields(value: Json, names: set[str]) -> None:
    need(isinstance(value, dict) and value.keys() == names, "other fields")


def ident(text: Json) -> bytes:
    need(isinstance(text, str) and str(UUID(text)) == text, "an id")
    return UUID(text).bytes


def digest(label: str, paper: Json) -> bytes:
    """The digest of a paper, which its signature is over."""
    return th(label, canonical({name: value for name, value in paper.items() if name != "signature"}))


def ask_of(paper: Json, anchor: Json, seal: bytes) -> bytes:
    """The digest of the ask whose terms a receipt or an opening has."""
    names = TERMS - {"anchor", "seal"}
    return th(
        "booster-ask", canonical({**{n: paper[n] for n in names}, "anchor": anchor, "seal": text(seal)})
    )


def text(data: bytes) -> str:
    """Base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


class Reader:
    """A file, part by part."""

    def __init__(self, player: bytes) -> None:
        self.player = player
        self.key: bytes | None = None
        self.rules: dict[bytes, Json] = {}
        self.chains: dict[int, Chain] = {}
        self.prev, self.count, self.at, self.current = bytes(64), 0, 0, 0
        self.since: dict[str, int] = {}
        self.boosters: dict[str, int] = {}
        self.receipts: dict[tuple[int, int], bytes] = {}

    def rule(self, rules: Json) -> None:
        """Section 1."""
        fields(rules, {"set", "slots", "pity", "cards"})
        most = dict.fromkeys(RARITIES, 0)
        for slot in rules["slots"]:
            fields(slot, {"count", "weights"})
            need(slot["weights"] and slot["weights"].keys() <= most.keys(), "weights")
            for rarity, weight in slot["weights"].items():
                whole(weight, 1)
                most[rarity] += whole(slot["count"], 1)
        for rarity, cards in rules["cards"].items():
            need(rarity in most and cards == sorted({*map(whole, cards)}), "cards that do not ascend")
        need(all(n <= len(rules["cards"].get(rarity, [])) for rarity, n in most.items()), "too few cards")
        if rules["pity"] is not None:
            fields(rules["pity"], {"rarity", "within"})
            need(most.get(rules["pity"]["rarity"]), "a counter for cards that never come")
            whole(rules["pity"]["within"], 1)
        self.rules[th("booster-rules", canonical(rules))] = rules

    def chain(self, chain: Json) -> None:
        """Section 2."""
        fields(chain, CHAIN | ({"player_key"} if self.key or "player_key" in chain else set()))
        need(ident(chain["player"]) == self.player, "a chain for another player")
        before = max(self.chains, default=0)
        number, at = whole(chain["chain"], before + 1), milliseconds(chain["at"])
        key = octets(chain["player_key"], 32) if "player_key" in chain else None
        if key is not None:
            need(self.key in (None, key), "another key of the player")
            good_key(key)
            self.key = key
        house, anchor = octets(chain["house_key"], 32), octets(chain["anchor"], 64)
        signed(house, digest("booster-chain", chain), octets(chain["signature"]))
        need(not self.chains or self.chains[before].at <= at, "chains whose times run back")
        self.chains[number] = Chain(number, anchor, at, house, key, newest=anchor)

    def notice(self, notice: Json) -> None:
        """Section 5."""
        fields(notice, NOTICE)
        need(ident(notice["player"]) == self.player, "a notice for another player")
        chain = self.chains.get(whole(notice["chain"]))
        need(chain is not None and chain.end is None, "a notice for no chain, or the second one")
        assert chain is not None
        later = [other.at for other in self.chains.values() if other.number > chain.number]
        at = milliseconds(notice["at"])
        need(at == later[0] if later else at >= chain.at, "the time of a notice")
        need(octets(notice["anchor"], 64) == chain.anchor, "another anchor")
        end = octets(notice["end"], 64)
        reaches(end, LINKS, (0, chain.anchor))
        signed(chain.house, digest("booster-notice", notice), octets(notice["signature"]))
        chain.end = end

    def opening(self, opening: Json) -> list[int]:
        """Sections 3 and 4: an opening in its place; its cards."""
        chain = self.chains.get(whole(opening["chain"]))
        need(chain is not None and chain.number >= self.current, "no chain of this time")
        assert chain is not None
        fields(opening, OPENING | ({"asked"} if chain.player else set()))
        number = whole(opening["number"])
        need(number == self.count + 1 and octets(opening["prev"]) == self.prev, "the order of the openings")
        need(ident(opening["player"]) == self.player, "an opening of another player")
        need(ident(opening["booster"]) and opening["booster"] not in self.boosters, "a booster opened twice")
        rules = self.rules.get(octets(opening["rules"]))
        need(rules is not None, "rules that are not in the file")
        at = milliseconds(opening["at"])
        need(at >= chain.at and at >= self.at, "an opening before its chain, or before another")
        k, link, nonce = whole(opening["k"]), octets(opening["link"], 64), octets(opening["nonce"], 32)
        need(k == chain.used + 1, "a link that is not the next one")
        reaches(link, k, (k - 1, chain.newest))
        need(same(opening["since"], self.since.get(rules["set"], 0)), "the pity counter")
        if chain.player:
            ask = ask_of(opening, text(chain.anchor), th("booster-seal", nonce))
            signed(chain.player, ask, octets(opening["asked"]))
            chain.taken[k] = ask
        cards, came = self.drawn(opening, chain, link, nonce)
        need(same(opening["cards"], cards), "other cards")
        self.prev = digest("booster-opening", opening)
        signed(chain.house, self.prev, octets(opening["signature"]))
        self.count, self.at, self.current = number, at, chain.number
        chain.used, chain.newest = k, link
        self.since[rules["set"]] = 0 if came else opening["since"] + 1
        self.boosters[opening["booster"]] = number
        return cards

    def drawn(self, terms: Json, chain: Chain, link: bytes, nonce: bytes) -> tuple[list[int], bool]:
        """Section 4: the cards by these terms, and whether the rarity of the pity counter came."""
        digest_of, booster = octets(terms["rules"]), ident(terms["booster"])
        rules, k = self.rules[digest_of], osp(terms["k"], 2)
        stream = BoosterStream(self.player, chain.anchor, k, link, nonce, digest_of, booster)
        pity = rules["pity"]
        due = pity is not None and terms["since"] + 1 >= pity["within"]
        cards: list[int] = []
        rarities = []
        for weights in [slot["weights"] for slot in rules["slots"] for _ in range(slot["count"])]:
            possible = [rarity for rarity in RARITIES if rarity in weights]
            if due and pity["rarity"] in possible:
                rarity, due = pity["rarity"], False
            elif len(possible) == 1:
                rarity = possible[0]
            else:
                index = stream.below(sum(weights.values()))
                upto = [sum(weights[each] for each in possible[: i + 1]) for i in range(len(possible))]
                rarity = next(each for each, end in zip(possible, upto, strict=True) if index < end)
            left = [card for card in rules["cards"][rarity] if card not in cards]
            cards.append(left[stream.below(len(left))])
            rarities.append(rarity)
        return cards, pity is not None and pity["rarity"] in rarities

    def asked(self, paper: Json) -> Json | None:
        """A receipt and its nonce: what it would have given, if nobody followed it and that can be known."""
        fields(paper, {"receipt", "nonce"})
        receipt = paper["receipt"]
        fields(receipt, RECEIPT)
        chain = self.chains.get(whole(receipt["chain"]))
        need(chain is not None and chain.player is not None, "a receipt under no chain")
        assert chain is not None
        assert chain.player is not None
        need(ident(receipt["player"]) == self.player, "a receipt of another player")
        need(octets(receipt["anchor"]) == chain.anchor, "another anchor")
        need(octets(receipt["rules"]) in self.rules, "rules that are not in the file")
        k, seal = whole(receipt["k"], 1, LINKS), octets(receipt["seal"], 64)
        octets(receipt["prev"], 64)
        need(milliseconds(receipt["at"]) >= chain.at, "a receipt before its chain")
        ask = ask_of(receipt, receipt["anchor"], seal)
        signed(chain.player, ask, octets(receipt["asked"]))
        signed(chain.house, digest("booster-receipt", receipt), octets(receipt["signature"]))
        need(self.receipts.setdefault((chain.number, k), ask) == ask, "two receipts for a link")
        followed = chain.taken.get(k)
        need(followed in (None, ask), "a receipt that the opening does not follow")
        nonce = None if paper["nonce"] is None else octets(paper["nonce"], 32)
        need(nonce is None or th("booster-seal", nonce) == seal, "a nonce that is not the sealed one")
        link = chain.link(k)
        if followed or nonce is None or link is None:
            return None
        would, _ = self.drawn(receipt, chain, link, nonce)
        booster = receipt["booster"]
        return {"booster": booster, "number": receipt["number"], "chain": chain.number, "k": k} | {
            "would": would,
            "opened": self.boosters.get(booster),
        }
