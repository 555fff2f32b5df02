"""Settings come from the environment, and a wrong one is named."""

from pathlib import Path

import pytest

from service.config import ConfigError, Settings


def test_without_variables_the_defaults_hold() -> None:
    assert Settings.from_environment({}) == Settings()
    assert Settings().body_limit == 65536


def test_variables_are_read() -> None:
    settings = Settings.from_environment(
        {"CLOCHE_DATABASE": "postgresql://me@db/cloche", "CLOCHE_TOKEN_DAYS": "7", "CLOCHE_SIGN_IN_LIMIT": ""}
    )
    assert settings.database == "postgresql://me@db/cloche"
    assert settings.token_days == 7
    assert settings.sign_in_limit == ""


def test_the_usual_database_lies_in_the_data_folder() -> None:
    settings = Settings.from_environment({"CLOCHE_DATA": "/srv/house"})
    assert settings.data == Path("/srv/house")
    assert settings.database == "sqlite:////srv/house/cloche.sqlite3"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("CLOCHE_DATABASE", "mysql://db/x"),
        ("CLOCHE_DATABASE", "sqlite:///:memory:"),
        ("CLOCHE_DATABASE", "sqlite://"),
        ("CLOCHE_DATABASE", "here"),
        ("CLOCHE_BROKER", "redis"),
        ("CLOCHE_DATA", ""),
        ("CLOCHE_QUEUE", "a b"),
        ("CLOCHE_TOKEN_DAYS", "0"),
        ("CLOCHE_TOKEN_DAYS", "a week"),
        ("CLOCHE_BODY_LIMIT", "-1"),
        ("CLOCHE_LOG_LEVEL", "chatty"),
        ("CLOCHE_REGISTRATION_LIMIT", "often"),
    ],
)
def test_a_wrong_variable_is_named(variable: str, value: str) -> None:
    with pytest.raises(ConfigError, match=variable):
        Settings.from_environment({variable: value})


def test_all_wrong_variables_are_named_at_once() -> None:
    with pytest.raises(ConfigError, match=r"(?s)CLOCHE_BROKER.*CLOCHE_TOKEN_DAYS"):
        Settings.from_environment({"CLOCHE_BROKER": "x", "CLOCHE_TOKEN_DAYS": "y"})
