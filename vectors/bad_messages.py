"""Players' entries that a verifier must refuse, beside those of `vectors.bad_entries`."""

from __future__ import annotations

from collections.abc import Iterator

from crypto.encoding import b64, unb64
from referee.record import Entry
from vectors.bad_entries import GONE, Cut
from vectors.example import Vector
from vectors.matches import PRIVATES, hearts


def bad_messages() -> list[Vector]:
    """Players' entries for another step, seat or time, wrongly signed, or with a bad `seen` (section 10)."""
    return [*_signed_wrong(), *_at_another_time(), *_seen_wrong(), *_moves(), *_chain_links(), *_endings()]


def _signed_wrong() -> Iterator[Vector]:
    cut = Cut("chef", 3)
    ready = cut.real.json()
    yield cut.vector(
        "ready_signed_by_the_other", "signed by the other seat", cut.said(0, "ready", {}, player=PRIVATES[1])
    )
    signature = bytearray(unb64(ready["player_signature"]))
    signature[40] ^= 1
    data = cut.entry("ready", cut.real.body, at=cut.real.at, actor="0", step=1, signature=bytes(signature))
    yield cut.vector("ready_signature_flipped", "a bit of the signature", data)
    enter = next(entry for entry in cut.entries if entry.actor == "0")
    data = cut.entry("ready", cut.real.body, actor="0", step=1, signature=enter.player_signature)
    yield cut.vector("ready_signature_of_another_message", "the signature of the same seat's enter", data)
    yield cut.vector("ready_not_signed", "no player's signature", {**ready, "player_signature": None})
    yield cut.vector("ready_with_more", "a field too many", cut.again(more=None))
    yield cut.vector("ready_without_seen", "a field is missing", cut.again(seen=GONE))
    yield cut.vector("ready_of_no_seat", "there is no seat 2", cut.said(2, "ready", {}))
    yield cut.vector("ready_of_seat_12", "no game has a seat 12", {**ready, "actor": "12"})
    yield cut.vector("ready_of_seat_00", "a seat has one name", {**ready, "actor": "00"})
    yield cut.vector("unknown_kind", "there is no such kind", {**ready, "kind": "chat"})


def _at_another_time() -> Iterator[Vector]:
    cut, second = Cut("chef", 3), Cut("chef", 4)
    deadline = cut.game.asking.deadline if cut.game.asking else 0
    yield cut.vector(
        "ready_too_late", "a millisecond past the deadline", cut.said(0, "ready", {}, at=deadline + 1)
    )
    yield cut.vector("ready_of_an_earlier_step", "for the step before", cut.said(0, "ready", {}, step=0))
    yield cut.vector("ready_of_a_later_step", "for the step after", cut.said(0, "ready", {}, step=2))
    yield second.vector("ready_twice", "a second answer of the same seat", second.said(0, "ready", {}))
    link = {"deal": 1, "link": b64(cut.table.sitters[0].secret.chain.link(1))}
    yield cut.vector("link_before_ready", "another kind than the step asks for", cut.said(0, "link", link))
    yield cut.vector("resign_before_a_deal", "nothing was dealt yet", cut.said(0, "resign", {}))
    yield cut.vector("draw_before_a_deal", "nothing was dealt yet", cut.said(0, "draw", {}))
    replay = Cut("chef", 20)
    old = replay.table.entries[15]
    yield replay.vector(
        "message_replayed",
        "the signed seal of an earlier step again",
        replay.entry("seal", old.body, actor="0", step=old.step, signature=old.player_signature),
    )
    held = Cut("chef", 17)
    yield held.vector(
        "reveal_before_a_lower_seat",
        "held messages enter in seat order: seat 0 comes first",
        {**_reveal_of_one(held).json()},
    )


def _reveal_of_one(cut: Cut) -> Entry:
    """Seat 1's reveal of the first round, put before that of seat 0."""
    real = cut.after[1]
    return cut.entry(
        "reveal", real.body, step=real.step, at=real.at, actor=real.actor, signature=real.player_signature
    )


def _seen_wrong() -> Iterator[Vector]:
    cut = Cut("chef", 15)
    body = {k: v for k, v in cut.real.body.items() if k != "seen"}

    def seen(seq: int, digest: bytes) -> Entry:
        return cut.said(0, "seal", {**body, "seen": {"seq": seq, "digest": b64(digest)}})

    entries = cut.entries
    yield cut.vector("seen_too_old", "the entry before the one that asked", seen(13, entries[13].digest))
    yield cut.vector("seen_other_digest", "the digest of another entry", seen(14, entries[13].digest))
    yield cut.vector("seen_to_come", "an entry that does not exist yet", seen(15, bytes(64)))
    yield cut.vector(
        "seen_of_another_record", "an entry of another record", seen(14, hearts().entries[14].digest)
    )
    yield cut.vector(
        "seen_negative", "a negative number", cut.again(seen={"seq": -1, "digest": b64(bytes(64))})
    )
    yield cut.vector("seen_true", "true is not 1", cut.again(seen={"seq": True, "digest": b64(bytes(64))}))


def _moves() -> Iterator[Vector]:
    cut, played = Cut("chef", 8), Cut("hearts", 16)
    yield cut.vector("move_unknown", "neither keep nor redraw", cut.again(move={"choice": "swap"}))
    yield cut.vector("move_no_object", "a text", cut.again(move="keep"))
    yield played.vector(
        "move_of_another_seat_s_card",
        "a card that another seat holds",
        played.again(move={"play": 18, "card": "9C"}),
    )
    yield played.vector(
        "move_out_of_turn",
        "seat 1 is not asked",
        played.said(1, "move", {"move": {"play": 18, "card": "9C"}}),
    )
    yield played.vector(
        "move_beyond_the_pack", "there is no such position", played.again(move={"play": 51, "card": "5C"})
    )


def _chain_links() -> Iterator[Vector]:
    cut, later = Cut("chef", 5), Cut("chef", 20)
    chain = cut.table.sitters[0].secret.chain
    section = "protocol 7"
    for name, why, base, deal, link in (
        ("of_a_later_deal", "the link of deal 2 for deal 1", cut, 1, chain.link(2)),
        ("named_for_a_later_deal", "deal 2, where 1 is next", cut, 2, chain.link(2)),
        ("of_the_other_seat", "the other seat's link", cut, 1, cut.table.sitters[1].secret.chain.link(1)),
        ("anchor", "the anchor", cut, 1, chain.anchor),
        ("again", "the link of deal 2 for deal 3", later, 3, chain.link(2)),
    ):
        entry = base.said(0, "link", {"deal": deal, "link": b64(link)})
        yield base.vector(f"link_{name}", why, entry, section)
    short = cut.said(0, "link", {"deal": 1, "link": b64(chain.link(1)[:-1])})
    yield cut.vector("link_short", "63 bytes", short, section)
    silent = cut.said(0, "link", {"deal": 1, "link": ""})
    yield cut.vector("link_empty", "the empty string: silence is a time-out", silent, section)


def _endings() -> Iterator[Vector]:
    offered, resigned = Cut("chef", 34), Cut("chef", 35)
    yield offered.vector("draw_again", "an offer of this step stands", offered.said(1, "draw", {}))
    yield offered.vector(
        "draw_of_a_step_long_closed", "a step that is long closed", offered.said(0, "draw", {}, step=8)
    )
    yield resigned.vector("move_after_the_end", "the result is due first", resigned.said(0, "resign", {}))
