"""What the tests of commands share with those of the service: throw-away databases, and a house on one."""

from tests.service.conftest import clock, empty_url, house, kind, migrated_file, postgresql, settings

__all__ = ["clock", "empty_url", "house", "kind", "migrated_file", "postgresql", "settings"]
