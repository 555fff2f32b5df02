"""The sign-in password that follows from a passphrase."""

from __future__ import annotations

import pytest

from player.passwords import LEAST, check_passphrase, password_of
from player.vault_format import LOWEST_COST, VaultError

KEY = bytes(range(32))


def test_the_same_on_every_device_and_another_at_another_house() -> None:
    def made(passphrase: str, handle: str, key: bytes) -> str:
        return password_of(passphrase, handle, key, LOWEST_COST)

    first = made("six drawn words of it", "Anna", KEY)
    assert made("six drawn words of it", "anna", KEY) == first
    assert len(first) == 43
    others = {
        made("six drawn words of It", "anna", KEY),
        made("six drawn words of it", "anne", KEY),
        made("six drawn words of it", "anna", KEY[::-1]),
    }
    assert len(others - {first}) == 3


@pytest.mark.parametrize("passphrase", ["", "a" * 40, "abcdefghijklm", "ab" * LEAST])
def test_a_passphrase_that_is_soon_guessed(passphrase: str) -> None:
    with pytest.raises(VaultError) as refused:
        check_passphrase(passphrase)
    assert refused.value.code == "weak_passphrase"


def test_six_words_are_enough() -> None:
    check_passphrase("ace add age ago aim air")
