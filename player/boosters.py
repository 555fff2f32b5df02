"""Opening boosters so that the house can't choose their cards (docs/boosters.md).

The cards follow from a link of the house's chain, the player's nonce, the rules, the booster's id and the
openings before it. The player asks for an opening on terms that fix all of these but link and nonce. The
player shows the nonce only for the house's receipt. From then on one opening alone is right, and the player
insists on it: at once, after a restart, from another device, and of a house that has forgotten it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from crypto.encoding import EncodingError, b64, canonical, parse, unb64
from player.booster_notes import GONE, PASSED, NotedReceipt
from player.house import ApiProblem, BoosterHouse, HouseFault
from player.vault import PlayerVault
from player.vault_format import VaultError
from referee.booster_statements import FIRST, BoosterTerms, ask_digest, nonce_of, opening_digest, seal_of
from referee.boosters import AskedBooster, BoosterReport, read_commitment, read_receipt, verify_boosters
from referee.errors import Refused
from referee.record import Unreadable
from referee.succession import related

_TRIES = 5
"""How often something is asked for anew while other programs of the player open boosters at the same time."""
_CROSSED = ("opening_pending", "stale_opening", "stale_commitment", "already_opened")
"""What the house answers if another program of the player was faster."""
_REFUSED = (404, 409, 422)


class BoosterWatch:
    """Told of what happens while boosters are opened."""

    def agreed(self, noted: NotedReceipt) -> None:
        """The house has given a receipt, and the nonce is not shown yet."""

    def finished(self, opening: Mapping[str, Any]) -> None:
        """An opening that was asked for before, here or on another device, has come to its end."""

    def void(self, noted: NotedReceipt, asked: AskedBooster) -> None:
        """The house has forgotten what came before a receipt, and has given up its chain with a notice."""


@dataclass(frozen=True, slots=True)
class _Books:
    """The house's file of a player's boosters with the player's own receipts, verified."""

    file: Mapping[str, Any]
    pending: Sequence[Mapping[str, Any]]
    """The receipts whose nonces the house waits for, as the house says."""
    report: BoosterReport

    def opening(self, booster_id: str) -> Mapping[str, Any] | None:
        """The opening of a booster; None if it is closed."""
        return next((said for said in self.file["openings"] if said["booster"] == booster_id), None)

    def became(self, receipt: Mapping[str, Any]) -> AskedBooster:
        """What became of a receipt of the file."""
        place = receipt["chain"], receipt["k"]
        return next(item for item in self.report.asked if (item.chain, item.k) == place)

    @property
    def evidence(self) -> dict[str, Any]:
        """The file, which others can check."""
        return {"file": dict(self.file)}

    @property
    def prev(self) -> bytes:
        """The digest of the newest opening."""
        return opening_digest(self.file["openings"][-1]) if self.file["openings"] else FIRST

    def follows(self, receipt: Mapping[str, Any]) -> bool:
        """Tell whether the opening of a receipt would be the next one."""
        next_number = len(self.file["openings"]) + 1
        return (receipt["number"], receipt["prev"]) == (next_number, b64(self.prev))


def open_booster(
    api: BoosterHouse, vault: PlayerVault, booster_id: str, watch: BoosterWatch | None = None
) -> Mapping[str, Any] | None:
    """Open a booster and check everything; returns the opening as the house has signed it.

    Returns None if the booster is not the player's. What was asked for before comes to its end first. Raises
    `HouseFault` if the house does anything but what it is bound to, `VaultError` elsewhere if another program
    of the player must go on first, and the errors of `BoosterHouse`.
    """
    watch = watch or BoosterWatch()
    crossed: ApiProblem | None = None
    for _ in range(_TRIES):
        books = settle(api, vault, watch)
        opening = books.opening(booster_id)
        if opening is not None:
            return opening
        shown = next((b for b in api.boosters("closed") if b["id"] == booster_id), None)
        if shown is None:
            return None
        try:
            noted = _ask(api, vault, books, shown)
        except ApiProblem as problem:
            if problem.code not in _CROSSED:
                raise
            crossed = problem
            continue
        watch.agreed(noted)
        opening = _insist(api, vault, books, noted).opening(booster_id)
        if opening is not None:
            return opening
    raise crossed or ApiProblem(409, "opening_pending", "Other programs of yours open boosters all the time.")


def settle(api: BoosterHouse, vault: PlayerVault, watch: BoosterWatch) -> _Books:
    """Bring everything that was asked for before to its end; returns the books as they then are."""
    while True:
        books = _books(api, vault)
        noted = _owed(api, vault, books, watch)
        if noted is None:
            return books
        opening = _insist(api, vault, books, noted).opening(noted.receipt["booster"])
        if opening is not None:
            watch.finished(opening)


def _owed(api: BoosterHouse, vault: PlayerVault, books: _Books, watch: BoosterWatch) -> NotedReceipt | None:
    """The receipt whose opening is the next one: what the house waits for, else the oldest of the notes."""
    for receipt in books.pending:
        held = next((noted for noted in vault.boosters.receipts if noted.receipt == receipt), None)
        return held or _from_elsewhere(vault, receipt)
    unopened = [noted for noted in vault.boosters.receipts if not books.became(noted.receipt).as_asked]
    shelf = {booster["id"] for booster in api.boosters("closed")} if unopened else set()
    for noted in unopened:
        booster_id = noted.receipt["booster"]
        if books.follows(noted.receipt) and booster_id in shelf:
            return noted
        if noted.receipt["chain"] not in books.report.given_up:
            text = "the house has forgotten openings that it has signed, and no notice gives up their chain"
            raise HouseFault("opening_forgotten", text, books.evidence)
        if noted.void == GONE and booster_id in shelf:
            text = "the house has hidden a booster until another was opened in its place"
            raise HouseFault("booster_hidden", text, books.evidence)
        if not noted.void:
            there = booster_id in shelf or books.opening(booster_id) is not None
            vault.keep_boosters(vault.boosters.with_receipt(replace(noted, void=PASSED if there else GONE)))
            watch.void(noted, books.became(noted.receipt))
    return None


def _from_elsewhere(vault: PlayerVault, receipt: Mapping[str, Any]) -> NotedReceipt:
    """Note a receipt that another device of the player has. The nonce follows from the key and the terms."""
    anchor, prev, rules = (unb64(receipt[name]) for name in ("anchor", "prev", "rules"))
    private, player = vault.identity.private, receipt["player"]
    nonce = nonce_of(private, player, anchor, prev, rules, receipt["booster"])
    if seal_of(nonce) != unb64(receipt["seal"]):
        text = (
            f"Another program of yours has asked for the opening of booster {receipt['booster']} with a nonce"
            " of its own: finish it there."
        )
        raise VaultError("elsewhere", text)
    noted = NotedReceipt(receipt, nonce)
    vault.keep_boosters(vault.boosters.with_receipt(noted))
    return noted


def _insist(api: BoosterHouse, vault: PlayerVault, books: _Books, noted: NotedReceipt) -> _Books:
    """Show the nonce of a receipt whose opening is the next one; returns the books as they then are.

    Raises `HouseFault` if the house refuses, or opens something else.
    """
    refusal: ApiProblem | None = None
    try:
        api.open_booster(noted.receipt["booster"], noted.receipt, noted.nonce)
    except ApiProblem as problem:
        if problem.status not in _REFUSED:
            raise
        refusal = problem
    after = _books(api, vault)
    if after.became(noted.receipt).as_asked:
        return after
    if refusal is None:
        text = "the house has not opened the booster on the terms that it has given a receipt for"
        raise HouseFault("other_opening", text, after.evidence)
    # Since the house has forgotten this receipt, another device of the player may have asked anew.
    crossed = after.pending and noted.receipt not in after.pending
    if crossed or not after.follows(noted.receipt):
        return after
    text = f"the house refuses an opening that it has given a receipt for ({refusal.code})"
    raise HouseFault("opening_refused", text, after.evidence)


def _ask(api: BoosterHouse, vault: PlayerVault, books: _Books, shown: Mapping[str, Any]) -> NotedReceipt:
    """Ask for the opening of a booster, and write down the receipt."""
    identity, file = vault.identity, books.file
    commitment = file["chains"][-1]
    terms, nonce = _terms(vault, books, shown)
    asked = terms.signed(identity.private)
    receipt = api.ask_for_booster(shown["id"], terms.anchor, terms.prev, terms.seal, asked)
    try:
        read_receipt(receipt, read_commitment(commitment), file["player"])
        same = ask_digest(receipt) == ask_digest(terms.json())
    except Refused as refused:
        text = f"the house's receipt is not valid: {refused.text} ({refused.pointer})"
        raise HouseFault(refused.code, text, {"receipt": receipt, "commitment": commitment}) from None
    if not same:
        text = "the house has given a receipt for something else than was asked for"
        raise HouseFault("other_receipt", text, {"receipt": receipt, "commitment": commitment})
    noted = NotedReceipt(receipt, nonce)
    vault.keep_boosters(vault.boosters.with_receipt(noted))
    return noted


def _terms(vault: PlayerVault, books: _Books, shown: Mapping[str, Any]) -> tuple[BoosterTerms, bytes]:
    """The terms of the next opening as the player's own books give them, and the nonce."""
    file = books.file
    try:
        rules = unb64(shown["rules"], len(FIRST))
        set_code = books.report.rules[rules].set
    except (EncodingError, KeyError):
        text = "the house does not state the rules of the booster"
        raise HouseFault("bad_rules", text, {"booster": dict(shown), **books.evidence}) from None
    chain = file["chains"][-1]
    anchor = unb64(chain["anchor"])
    nonce = nonce_of(vault.identity.private, file["player"], anchor, books.prev, rules, shown["id"])
    terms = BoosterTerms(
        number=len(file["openings"]) + 1,
        prev=books.prev,
        player=file["player"],
        booster=shown["id"],
        rules=rules,
        since=books.report.since.get(set_code, 0),
        chain=chain["chain"],
        anchor=anchor,
        k=1 + sum(opening["chain"] == chain["chain"] for opening in file["openings"]),
        seal=seal_of(nonce),
    )
    return terms, nonce


# The file


def own_file(data: bytes, receipts: Sequence[NotedReceipt]) -> bytes:
    """The house's file of a player's boosters with the player's own receipts and their nonces."""
    file: dict[str, Any] = parse(data)
    ours = [{"receipt": dict(noted.receipt), "nonce": b64(noted.nonce)} for noted in receipts]
    known = [canonical(item["receipt"]) for item in ours]
    theirs = [item for item in file["asked"] if canonical(item["receipt"]) not in known]
    return canonical({**file, "asked": [*ours, *theirs]})


def booster_file(api: BoosterHouse, vault: PlayerVault) -> bytes:
    """The file of everything that the player has asked for and opened, as house and player know it."""
    return own_file(_fetched(api, vault), vault.boosters.receipts)


def _books(api: BoosterHouse, vault: PlayerVault) -> _Books:
    """The books of a player at a house that is bound; raises `HouseFault` if they don't hold."""
    data = _fetched(api, vault)
    try:
        pending = [item["receipt"] for item in parse(data)["asked"]]
        data = own_file(data, vault.boosters.receipts)
    except (EncodingError, KeyError, TypeError):
        pending = []  # the check says what is wrong
    try:
        report = verify_boosters(data, vault.identity.house_key, api.house().successions)
    except Unreadable as error:
        raise HouseFault("bad_file", f"the file of your openings can't be read: {error}") from None
    file = parse(data)
    if report.fault is not None:
        text = f"the file of your openings is not valid: {report.fault.text} ({report.fault.pointer})"
        raise HouseFault(report.fault.code, text, {"file": file})
    newest = read_commitment(file["chains"][-1]) if file["chains"] else None
    if newest is None or newest.house_key != vault.identity.house_key:
        text = "the house's commitment is signed with another key than the house's"
        raise HouseFault("wrong_house", text, {"file": file})
    if newest.player_key != vault.identity.public:
        raise HouseFault("wrong_key", "the house's commitment names another key than yours", {"file": file})
    if file["chains"][-1] not in vault.boosters.commitments:
        vault.keep_boosters(vault.boosters.with_commitment(file["chains"][-1]))
    return _Books(file, pending, report)


def _fetched(api: BoosterHouse, vault: PlayerVault) -> bytes:
    """The house's file of a player's boosters, as it was sent; the house is bound by a chain that has links.

    The house is shown the commitments that the player has. If it has forgotten one, it takes it back.
    """
    successions, ours = api.house().successions, vault.identity.house_key
    known = [
        said
        for said in vault.boosters.commitments
        # Not those of before the player has trusted another key.
        if related(successions, unb64(said["house_key"]), ours)
    ]
    _commit(api, known[-1] if known else None)
    data = api.booster_record()
    missing = _missing(known, data)
    if missing:
        for said in missing:
            _commit(api, said)
        _commit(api, None)
        data = api.booster_record()
        for said in _missing(known, data):
            text = "the house's file lacks a commitment that it has signed"
            raise HouseFault("chain_forgotten", text, {"commitment": dict(said), "file": parse(data)})
    return data


def _missing(known: Sequence[Mapping[str, Any]], data: bytes) -> list[Mapping[str, Any]]:
    """The commitments that a file does not have."""
    try:
        there = parse(data)["chains"]
    except (EncodingError, KeyError, TypeError):
        return []  # the check says what is wrong
    return [said for said in known if said not in there]


def _commit(api: BoosterHouse, known: Mapping[str, Any] | None) -> None:
    try:
        api.booster_commitment(known)
    except ApiProblem as problem:
        if known is None or problem.status not in _REFUSED:
            raise
        text = f"the house does not stand by a commitment that it has signed ({problem.code})"
        raise HouseFault("chain_forgotten", text, {"commitment": dict(known)}) from None
