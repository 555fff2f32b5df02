"""docs/examples: the files for the larger set-up are whole, name what there is, and open a house."""

from __future__ import annotations

import configparser
import re
import shlex
import subprocess
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from cloche.main import COMMANDS, main
from cloche.operate import checks
from cloche.operate.checks.variables import known
from service.config import Settings
from tests.faults.servers import program
from tests.paths import DOCS
from tests.stack import Stack, need

FOLDER = DOCS / "examples"
UNITS = sorted(FOLDER.glob("*.service"))
SOCKETS = sorted(FOLDER.glob("*.socket"))
LIMITS = ("MemoryHigh", "MemoryMax", "TasksMax", "LimitNOFILE", "TimeoutStopSec")
EXPOSURE = 20
"""Tenths of the exposure that `systemd-analyze security` finds, at most; 100 is a service without limits."""


def variables(text: str) -> dict[str, str]:
    """An environment file, as systemd reads it."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    found = dict(line.split("=", 1) for line in lines)
    assert len(found) == len(lines), "a variable stands twice"
    return found


ENVIRONMENT = variables((FOLDER / "cloche.env").read_text())


def command_of(line: str) -> list[str]:
    """Return what comes after the program in a line that starts cloche."""
    program, *arguments = shlex.split(line)
    assert Path(program).name == "cloche"
    return arguments


def test_the_settings_are_known_and_usable() -> None:
    assert set(ENVIRONMENT) <= known()
    assert Settings.from_environment(ENVIRONMENT).broker.startswith("amqp")
    commented = re.findall(r"^# Or \w+: (CLOCHE_\w+)=(\S+)$", (FOLDER / "cloche.env").read_text(), re.M)
    assert commented
    for name, value in commented:
        assert Settings.from_environment({**ENVIRONMENT, name: value})
    for role in ("serve", "worker", "events"):
        found = list(checks.everything(role, {**ENVIRONMENT, "CLOCHE_PORT": "0", "CLOCHE_EVENTS_PORT": "0"}))
        said = [finding for finding in found if finding.about in ("variables", "set-up")]
        assert [finding.level for finding in said] == ["ok", "ok"]


def sections(unit: Path) -> configparser.ConfigParser:
    """A unit's file. Of a setting that stands there twice, the last counts."""
    read = configparser.ConfigParser(interpolation=None, strict=False)
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read_string(unit.read_text())
    return read


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_a_unit_starts_a_command_that_there_is_with_the_settings(unit: Path) -> None:
    read = sections(unit)
    assert set(read) == {"DEFAULT", "Unit", "Service", "Install"}
    service = read["Service"]
    assert service["EnvironmentFile"] in (FOLDER / "cloche.env").read_text()
    assert ENVIRONMENT["CLOCHE_DATA"] == f"/var/lib/{service['StateDirectory']}"
    arguments = command_of(service["ExecStart"])
    assert arguments[0] in COMMANDS
    assert CliRunner().invoke(main, [*arguments, "--help"]).exit_code == 0
    assert unit.name in unit.read_text()
    assert not [name for name in LIMITS if name not in service]
    assert service["Type"] == "notify", "a restart of several goes on when this one is ready"


@pytest.mark.parametrize("unit", SOCKETS, ids=lambda path: path.name)
def test_a_socket_is_at_the_port_that_the_settings_and_the_proxies_name(unit: Path) -> None:
    read = sections(unit)
    at = read["Socket"]["ListenStream"]
    assert at in (FOLDER / "nginx.conf").read_text()
    assert at in (FOLDER / "Caddyfile").read_text()
    started = read["Socket"].get("Service", unit.with_suffix(".service").name)
    service = FOLDER / re.sub(r"@\d+\.", "@.", started)
    assert sections(service)["Unit"]["Requires"] == unit.name
    assert "@" not in service.name or sections(service)["Service"]["Sockets"] == unit.name


def test_systemd_finds_no_fault_in_the_units(tmp_path: Path) -> None:
    """The program itself reads them, with a command in the place of ours."""
    for unit in [*UNITS, *SOCKETS]:
        (tmp_path / unit.name).write_text(
            unit.read_text().replace("/opt/cloche/current/bin/cloche", "/bin/true")
        )
    files = sorted(str(file) for file in tmp_path.iterdir())
    verified = subprocess.run(
        [program("systemd-analyze"), "verify", *files], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stderr
    assert not [line for line in verified.stderr.splitlines() if "cloche" in line]
    for unit in UNITS:
        judged = [program("systemd-analyze"), "security", "--offline=true", f"--threshold={EXPOSURE}"]
        done = subprocess.run(
            [*judged, str(tmp_path / unit.name)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_procfile_names_every_process() -> None:
    lines = dict(line.split(": ", 1) for line in (FOLDER / "Procfile").read_text().splitlines())
    assert all(command_of(line)[0] == name for name, line in lines.items())
    assert {unit.name.removeprefix("cloche-").partition(".")[0].rstrip("@") for unit in UNITS} == set(lines)


@pytest.mark.servers
@pytest.mark.parametrize(
    "flavour", ["postgresql+rabbitmq", pytest.param("postgresql+redis", marks=pytest.mark.long)]
)
def test_a_house_opens_by_the_settings_and_the_procfile_alone(tmp_path: Path, flavour: str) -> None:
    """The example, with the servers and the folder of this machine put in; each line of the Procfile runs."""
    need(flavour)
    house = Stack(flavour, tmp_path / "house", first=True)
    mine = house.environment
    kept = {name: value for name, value in ENVIRONMENT.items() if name not in ("CLOCHE_PORT", "CLOCHE_DATA")}
    servers = ("CLOCHE_DATA", "CLOCHE_DATABASE", "CLOCHE_BROKER", "CLOCHE_QUEUE", "CLOCHE_RATE_STORAGE")
    house.environment = {name: value for name, value in mine.items() if not name.startswith("CLOCHE_")}
    house.environment |= kept | {name: mine.get(name, "memory://") for name in servers}
    with house:
        assert house.serve is not None
        assert house.serve.children()
        house.start_events()
        assert httpx.get(f"{house.listen_there()}/readyz").status_code == 200
        house.stop()
