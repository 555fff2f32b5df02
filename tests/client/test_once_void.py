"""What a bot counts that offers a draw behind a void deal (`cloche bot --draw-after N --once-void`)."""

from __future__ import annotations

from client.match import accounts
from tests.referee.published_kit import entries


def test_accounts_count_from_the_void_deal_on() -> None:
    record = entries("record_dealerless_cribbage")
    kinds = [entry.kind for entry in record]
    void, told = kinds.index("annul"), kinds.index("account")
    assert told < void, "accounts were told before the deal was void"
    for end in range(len(record) + 1):
        so_far = kinds[:end]
        assert accounts(record[:end], once_void=False) == so_far.count("account")
        newest = max((i for i, kind in enumerate(so_far) if kind == "annul"), default=end)
        assert accounts(record[:end], once_void=True) == so_far[newest:].count("account")


def test_no_deal_was_void() -> None:
    record = entries("record_chef")
    assert accounts(record, once_void=False) > 0
    assert accounts(record, once_void=True) == 0
