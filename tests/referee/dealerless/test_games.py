"""Whole games without a dealer: the record is verified offline, and every hand stays its player's."""

from __future__ import annotations

import pytest

from referee import record_bytes, verify_record
from tests.referee.dealerless.kit import Dealerless


def verified(table: Dealerless) -> None:
    report = verify_record(record_bytes(table.record))
    assert report.valid, report.fault


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_round_of_hearts(seats: int) -> None:
    table = Dealerless.sit("hearts", seats, seed=seats)
    table.until("lock")
    while table.game.deals < 2 and not table.game.over:
        table.step()
    assert table.record[-1].kind
