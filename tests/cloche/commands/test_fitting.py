"""Sentences are broken between words where a terminal shows them, and nowhere else."""

from __future__ import annotations

from cloche.commands.fitting import fitted


def test_lines_are_broken_between_words() -> None:
    assert fitted("One two three.\n\n  Four five.", 9) == "One two\nthree.\n\n  Four\n  five."


def test_what_stands_before_takes_its_room() -> None:
    """ "Error " stands before the text that is fitted."""
    assert fitted("[code]: a word", 16, at=6) == "[code]: a\nword"


def test_a_word_that_is_too_long_stays_whole() -> None:
    """An address or a key can still be copied."""
    assert (
        fitted("see http://127.0.0.1:8040/docs-of-it now", 12) == "see\nhttp://127.0.0.1:8040/docs-of-it\nnow"
    )
