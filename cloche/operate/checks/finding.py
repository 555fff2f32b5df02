"""The setup that a check is given (`ProcessSetup`), and the findings that it yields (`Finding`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from service.config import Settings

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is right, doubtful or wrong, in a line. `do` says what to do about it."""

    level: Level
    about: str
    text: str
    do: str = ""

    def json(self) -> dict[str, str]:
        """Return it as --json prints it."""
        return {"level": self.level, "about": self.about, "text": self.text, "do": self.do}


@dataclass(frozen=True, slots=True)
class ProcessSetup:
    """A process before its start: the settings, and the options of its own command."""

    role: str
    settings: Settings
    host: str
    port: int
    processes: int
    threads: int
    """The number of requests that a process answers at once; of a worker, its tasks."""
    listeners: int
    """The number of event streams that a process serves."""
    inside: bool
    """True if `serve` has a worker inside."""
    log: str | None
    for_others: bool = False
    """True if it is to be looked at as one that others will reach, wherever it listens now."""
    tls: bool = False
    """True if it speaks TLS itself."""

    @property
    def serves(self) -> bool:
        """True if it is `cloche serve`, which makes tables and keys."""
        return self.role == "serve"

    @property
    def listens(self) -> bool:
        """True if it answers at a port of its own."""
        return self.role in ("serve", "events")

    @property
    def signs(self) -> bool:
        """True if it needs the house's keys and a broker. All but `cloche events` do."""
        return self.role != "events"
