"""The results of a run of the benchmarks, as JSON (its form is in schema.json)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

from benchmarks.figures import FIGURES
from benchmarks.machine import Machine
from benchmarks.measure import PUBLISHED, Measured, times_of
from benchmarks.rates import Rate

FORMAT = 1
SCHEMA = Path(__file__).with_name("schema.json")


@dataclass(frozen=True, slots=True)
class Results:
    """The figures of one run on one machine."""

    date: str
    """YYYY-MM-DD, UTC."""
    machine: Machine
    figures: tuple[Measured, ...]
    rates: tuple[Rate, ...] = ()
    lacking: tuple[str, ...] = ()
    """Libraries that are not installed. Their rates are left out."""

    @property
    def over(self) -> list[Measured]:
        """The figures that are over their bounds."""
        return [figure for figure in self.figures if figure.within is False]

    @property
    def slow(self) -> list[Rate]:
        """The rates that are below their least."""
        return [rate for rate in self.rates if rate.within is False]

    @property
    def in_full(self) -> bool:
        """True if every figure is there, with enough alternations to be published."""
        times = {figure.name: figure.alternations for figure in self.figures}
        return all(times.get(figure.name, 0) >= times_of(figure, PUBLISHED) for figure in FIGURES)

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes of proofs and files, in bytes, by name."""
        return {name: size for figure in self.figures for name, size in figure.sizes.items()}

    def find(self, name: str) -> Measured:
        """A figure by its name; KeyError if it was not measured."""
        return {figure.name: figure for figure in self.figures}[name]

    def text(self) -> str:
        """Return it as a JSON text."""
        data: dict[str, Any] = {
            "format": FORMAT,
            "date": self.date,
            "machine": self.machine.json(),
            "figures": [figure.json() for figure in self.figures],
        }
        if self.rates:
            data |= {"rates": [rate.json() for rate in self.rates], "lacking": [*self.lacking]}
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def today(
    machine: Machine, figures: Sequence[Measured], rates: Sequence[Rate] = (), lacking: Sequence[str] = ()
) -> Results:
    """Results with today's date."""
    date = datetime.now(UTC).date().isoformat()
    return Results(date, machine, tuple(figures), tuple(rates), tuple(lacking))


@cache
def validator(file: Path = SCHEMA) -> jsonschema.Draft202012Validator:
    """The validator of results as JSON, by the JSON Schema in a file."""
    schema: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return jsonschema.Draft202012Validator(schema)


def checked(text: str, file: Path = SCHEMA) -> Any:
    """Read JSON that the schema in a file allows. Raises ValueError for any other text."""
    data = json.loads(text)
    try:
        validator(file).validate(data)
    except jsonschema.ValidationError as fault:
        raise ValueError(f"{fault.json_path}: {fault.message}") from None
    return data


def read(text: str) -> Results:
    """Read results from their JSON. Raises ValueError if the JSON is not of that form."""
    data = checked(text)
    figures = tuple(Measured.load(figure) for figure in data["figures"])
    rates = tuple(Rate.load(rate) for rate in data.get("rates", ()))
    return Results(data["date"], Machine(**data["machine"]), figures, rates, tuple(data.get("lacking", ())))
