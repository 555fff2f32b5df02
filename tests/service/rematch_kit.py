"""Games that are over, so that a rematch can follow."""

from __future__ import annotations

from tests.service.match_kit import Match


def over(match: Match) -> Match:
    """The match, given up by the first guest as soon as it may be."""
    while not match.fold.deals:
        match.step()
    leaver = match.chairs[0]
    assert leaver.post(leaver.seat.resign(leaver.catch_up())).status_code == 201
    match.work()
    assert match.fold.over
    return match
