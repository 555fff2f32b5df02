"""The house's entries and the files that a verifier must refuse, beside those of `vectors.bad_entries`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from crypto.encoding import b64, timestamp
from referee.errors import Refused
from referee.record import GENESIS, HOUSE, Entry, Unreadable, parse_record, write_entry
from referee.verify import verify_entries
from vectors.bad_entries import GONE, Cut
from vectors.example import HOUSE_PRIVATE_KEY, Vector, case
from vectors.matches import PRIVATES, chef


def bad_records() -> list[Vector]:
    """Entries of the house that are wrong, missing or not due, and files that are no record (section 10)."""
    entries = (
        *_openings(),
        *_broken_chains(),
        *_dealt(),
        *_accounts(),
        *_timeouts(),
        *_absences(),
        *_withheld(),
    )
    return [*entries, *_files()]


def _openings() -> Iterator[Vector]:
    cut = Cut("chef", 0)
    body = cut.real.body
    seats = [dict(seat) for seat in body["seats"]]

    def opened(name: str, why: str, section: str = "protocol 10", **changes: Any) -> Vector:
        whole = {**body, **changes}
        whole = {k: v for k, v in whole.items() if v is not GONE}
        entry = write_entry(HOUSE_PRIVATE_KEY, (-1, GENESIS), cut.real.at, 0, HOUSE, "open", whole)
        return cut.vector(f"open_{name}", why, entry, section)

    small = b64((1).to_bytes(32, "little"))
    texts = [dict(card) for card in body["cards"]]
    yield opened("unknown_mode", "no such game", mode="poker")
    yield opened("other_rules", "rules of a version that does not exist", rules="0")
    yield opened("unknown_option", "an option that does not exist", options={**body["options"], "speed": 1})
    yield opened("clock_too_short", "a clock of 4 s: at least 5", options={**body["options"], "link": 4})
    yield opened("one_seat", "one seat, where two play", seats=seats[:1])
    yield opened(
        "key_twice", "both seats have one key", seats=[seats[0], {**seats[1], "key": seats[0]["key"]}]
    )
    yield opened(
        "key_of_small_order", "a key that is the identity", seats=[{**seats[0], "key": small}, seats[1]]
    )
    yield opened("house_key_of_small_order", "the house's key is the identity", house_key=small)
    yield opened("other_set_digest", "the digest of other cards", "protocol 4", set_digest=b64(bytes(64)))
    yield opened("cards_unsorted", "cards that do not ascend", "protocol 4", cards=texts[::-1])
    yield opened(
        "envelope_key_of_small_order", "an envelope key of small order", "protocol 11", envelope_key=small
    )
    yield opened("without_anchor", "a field is missing", anchor=GONE)
    yield opened("early_links_as_number", "1 is not true", early_links=1)
    yield opened("unknown_clause", "a clause that does not exist", clauses=["tips"])
    yield opened("clauses_unsorted", "clauses that do not ascend", clauses=["links", "away"])
    yield opened("clause_twice", "a clause twice", clauses=["away", "away"])


def _broken_chains() -> Iterator[Vector]:
    cut = Cut("chef", 5)
    real, then = cut.real, cut.after[1]
    flipped = bytearray(real.house_signature)
    flipped[0] ^= 1
    yield cut.vector("entry_dropped", "an entry is missing", then)
    yield cut.vector("entry_doubled", "the entry before, again", cut.entries[-1])
    yield cut.vector("entry_other_prev", "`prev` is zero", {**real.json(), "prev": b64(bytes(64))})
    yield cut.vector(
        "entry_not_signed_by_the_house",
        "signed by a player",
        cut.entry(
            "link",
            real.body,
            at=real.at,
            step=real.step,
            actor="0",
            signature=real.player_signature,
            private=PRIVATES[0],
        ),
    )
    yield cut.vector(
        "entry_signature_flipped",
        "a bit of the house's signature",
        {**real.json(), "house_signature": b64(bytes(flipped))},
    )
    yield cut.vector(
        "entry_time_changed", "another time than was signed", {**real.json(), "at": timestamp(real.at + 1)}
    )
    yield cut.vector(
        "entry_time_runs_back",
        "earlier than the entry before",
        cut.said(0, "link", {"deal": 1, "link": real.body["link"]}, at=cut.game.at - 1),
    )
    yield cut.vector("entry_more_fields", "a field too many", {**real.json(), "note": ""})
    yield cut.vector(
        "entry_fewer_fields", "a field is missing", {k: v for k, v in real.json().items() if k != "step"}
    )
    yield cut.vector(
        "entry_time_form", "a time without milliseconds", {**real.json(), "at": "2026-11-20T10:00:05Z"}
    )
    over = Cut("chef", 36)
    yield over.vector("entry_after_the_result", "nothing follows the result", over.said(0, "resign", {}))


def _dealt() -> Iterator[Vector]:
    cut, secret, shown = Cut("chef", 7), Cut("hearts", 10), Cut("hearts", 21)
    drawn = [dict(item) for item in cut.real.body["drawn"]]
    chain = cut.table.keeper.chain
    first = drawn[0]["positions"]
    swapped = [{**drawn[0], "positions": [first[1], first[0], *first[2:]]}, *drawn[1:]]
    section = "protocol 7"
    yield cut.vector(
        "deal_missing",
        "a move, where the deal is due",
        cut.said(0, "move", {"move": {"choice": "keep"}}),
        section,
    )
    yield cut.vector("deal_other_draw", "two positions exchanged", cut.houses(drawn=swapped), section)
    yield cut.vector("deal_one_seat", "the draw of one seat left out", cut.houses(drawn=drawn[:1]), section)
    yield cut.vector(
        "deal_other_link", "the house's link of deal 2", cut.houses(link=b64(chain.link(2))), section
    )
    yield cut.vector("deal_secret", "no link, where the pack is not secret", cut.houses(link=None), section)
    yield cut.vector("deal_number", "deal 2, where 1 is due", cut.houses(deal=2), section)
    yield cut.vector(
        "deal_at_another_step",
        "a deal has a step of its own",
        cut.entry("deal", cut.real.body, step=2, at=cut.real.at),
        section,
    )
    yield secret.vector(
        "deal_not_secret",
        "a link, where the pack stays secret",
        secret.houses(link=b64(chain.link(1))),
        section,
    )
    turn = Cut("hearts", 15)
    faces = turn.real.body["faces"]
    for name, why, turned in (
        ("none", "no card", []),
        ("two", "the same card twice", [*faces, *faces]),
    ):
        yield turn.vector(f"turn_{name}", why, turn.houses(faces=turned), section)
    yield turn.vector(
        "turn_missing",
        "a move, where a card is to be turned up",
        turn.said(0, "move", {"move": {"play": 5, "card": "5C"}}),
        section,
    )
    yield shown.vector(
        "shown_other_link", "the link of deal 2", shown.houses(link=b64(chain.link(2))), section
    )
    yield shown.vector(
        "shown_left_out",
        "the result, where the secret pack is to be shown",
        shown.entry("result", shown.after[1].body),
        section,
    )


def _accounts() -> Iterator[Vector]:
    cut, result, early = Cut("chef", 19), Cut("chef", 35), Cut("chef", 15)
    yield cut.vector("account_other_points", "a point too many", cut.houses(points=[2, 3]))
    yield cut.vector("account_true", "true is not 1", cut.houses(points=[True, 3]))
    yield cut.vector("account_other_lines", "no lines", cut.houses(lines=[]))
    yield cut.vector(
        "account_left_out",
        "a link, where the account is due",
        cut.said(0, "link", {"deal": 3, "link": b64(cut.table.sitters[0].secret.chain.link(3))}),
    )
    outcome = dict(result.real.body["outcome"])
    yield result.vector(
        "result_other_winners", "the other seat wins", result.houses(outcome={**outcome, "winners": [1]})
    )
    yield result.vector(
        "result_other_reason", "another reason", result.houses(outcome={**outcome, "reason": "agreed"})
    )
    yield early.vector("result_not_due", "the game goes on", early.entry("result", result.real.body))


def _timeouts() -> Iterator[Vector]:
    cut, played = Cut("chef", 26), Cut("hearts", 19)
    at = played.game.asking.deadline if played.game.asking else 0
    early = played.entry("timeout", played.real.body, at=at)
    yield played.vector("timeout_too_early", "the deadline itself still counts", early)
    yield cut.vector("timeout_of_another_seat", "seat 0 has revealed", cut.houses(seat=0))
    yield cut.vector("timeout_of_another_kind", "the step asks for a reveal", cut.houses(kind="seal"))
    yield cut.vector(
        "timeout_with_a_move", "the house plays nothing for a reveal", cut.houses(move={"dishes": []})
    )
    yield played.vector(
        "timeout_other_move", "not what the rules play for who is away", played.houses(move=None)
    )
    yield played.vector(
        "timeout_illegal_move",
        "a card that does not lie there",
        played.houses(move={"play": 5, "card": "5C"}),
    )


def _absences() -> Iterator[Vector]:
    """Absences of the house (section 10.6), in place of the second of the example."""
    cut, without, dealing = Cut("away", 15), Cut("hearts", 12), Cut("away", 10)
    began, ended, section = cut.game.at + 1000, cut.game.at + 91_000, "protocol 10.6"

    def away(at: Cut, start: int, end: int, entered: int | None = None, **other: Any) -> Entry:
        body = {"from": timestamp(start), "until": timestamp(end), **other.pop("more", {})}
        return at.entry("away", body, at=end if entered is None else entered, **other)

    day = 86_400_000 - cut.game.away
    yield cut.vector(
        "away_before_the_newest_entry",
        "the house has written an entry since",
        away(cut, cut.game.at - 1, ended),
        section,
    )
    yield cut.vector("away_never", "it ends when it begins", away(cut, began, began), section)
    yield cut.vector("away_backwards", "it ends before it begins", away(cut, ended, began, ended), section)
    yield cut.vector("away_still", "it is not over yet", away(cut, began, ended, ended - 1), section)
    yield cut.vector(
        "away_too_long", "a millisecond more than 24 hours in all", away(cut, began, began + day + 1), section
    )
    yield cut.vector("away_at_another_step", "the step before", away(cut, began, ended, step=4), section)
    yield cut.vector("away_by_a_number", "a number is no time", cut.houses(**{"from": began}), section)
    yield cut.vector("away_of_a_seat", "a field too many", away(cut, began, ended, more={"seat": 0}), section)
    start = without.game.at
    yield without.vector(
        "away_unannounced", "the game has no such clause", away(without, start, start + 90_000), section
    )
    yield dealing.vector(
        "away_while_a_deal_is_due", "the deal is due", away(dealing, dealing.game.at, ended), section
    )
    moved = Cut("away", 17)
    before = moved.entries[14].at + 30_001
    yield moved.vector(
        "timeout_by_the_old_deadline",
        "the deadline as it was without the absences",
        moved.entry("timeout", _lowest(moved), at=max(before, moved.game.at)),
        section,
    )


def _lowest(cut: Cut) -> dict[str, Any]:
    """The time-out of seat 0 by the cards that were dealt."""
    game = cut.table.game
    faces = game.state.faces
    state = replace(cut.game, state=cut.game.state.knowing(faces)).state
    return {"seat": 0, "kind": "move", "move": game.rules.absent(state, 0)}


def _withheld() -> Iterator[Vector]:
    """The third withheld link (section 7)."""
    cut = Cut("links", 23)
    chain, section = cut.table.keeper.chain, "protocol 7"
    drawn = [{"seat": 1, "count": 6, "positions": [0, 1, 2, 3, 4, 5]}]
    deal = {"deal": 4, "link": b64(chain.link(4)), "drawn": drawn}
    outcome = dict(cut.real.body["outcome"])
    step = cut.game.step + 1
    yield cut.vector(
        "third_link_dealt", "a deal, where the seat is out", cut.entry("deal", deal, step=step), section
    )
    yield cut.vector(
        "third_link_both_win", "a draw", cut.houses(outcome={**outcome, "winners": [0, 1]}), section
    )
    yield cut.vector(
        "third_link_other_reason",
        "another reason",
        cut.houses(outcome={**outcome, "reason": "resigned"}),
        section,
    )
    second = Cut("links", 18)
    yield second.vector(
        "second_link_ends", "the result, after two links", second.entry("result", cut.real.body), section
    )


def _files() -> Iterator[Vector]:
    """Whole files, and records that end too soon."""
    texts = [
        ("no_json", "no JSON", "nonsense"),
        ("name_twice", "a name twice", '{"entries":[],"entries":[],"protocol":"cloche/v1"}'),
        ("no_object", "a list", "[]"),
        ("no_protocol", "a field is missing", '{"entries":[]}'),
        ("other_protocol", "another version", '{"entries":[],"protocol":"cloche/v2"}'),
        ("unsorted", "members not in order", '{"protocol":"cloche/v1","entries":[]}'),
        ("spaced", "a space", '{"entries": [],"protocol":"cloche/v1"}'),
        ("newline", "a line's end behind it", '{"entries":[],"protocol":"cloche/v1"}\n'),
        ("no_entries", "no entry", '{"entries":[],"protocol":"cloche/v1"}'),
    ]
    for name, why, text in texts:
        try:
            parse_record(text.encode())
            code, pointer = None, ""
        except Unreadable:
            code, pointer = "unreadable", ""
        except Refused as refused:
            code, pointer = refused.code, refused.pointer
        output = {"refused": code, "pointer": pointer, "why": why, "section": "protocol 10.4"}
        yield case(f"file_{name}", {"file": text}, output)
    fault = verify_entries([entry.json() for entry in chef().entries[:35]]).fault
    yield case(
        "record_unfinished",
        {"record": "record_chef", "keep": 35, "entries": []},
        {
            "refused": fault and fault.code,
            "pointer": "",
            "why": "the record ends before its result",
            "section": "protocol 10.4",
        },
    )
