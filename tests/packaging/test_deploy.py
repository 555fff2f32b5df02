"""deploy/: the script that makes the image installs a house from nothing, and the composed processes play.

Docker is needed for the last test alone. Where its engine does not answer, the others show what would be in
the image and in its containers, and two linters read the files.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import ssl
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from client.vault import FILE, Vault
from cloche.main import COMMANDS, main
from cloche.operate import checks
from cloche.operate.checks.variables import known
from tests.packaging.deploy_kit import (
    DEPLOY,
    Caddy,
    bare,
    build_context,
    composed,
    free_ports,
    process,
    run,
    tool,
    variables,
)
from tests.paths import ROOT
from tests.stack import REDIS, Stack, need
from tests.waiting import until

PASSWORD = "f00d"
GIVEN = {"CLOCHE_SITE": "localhost", "CLOCHE_DATABASE_PASSWORD": PASSWORD}
COMPOSE = composed(GIVEN)
HOUSE = {name: about for name, about in COMPOSE["services"].items() if about["image"] == "cloche"}
FOR_BUILDING = {"hatchling", "packaging", "pathspec", "pluggy", "trove-classifiers"}
"""The packages that the installation needs and the house does not."""


DOCKER = shutil.which("docker") and (Path("/var/run/docker.sock").exists() or "DOCKER_HOST" in os.environ)
"""True if an engine of Docker can be asked."""


def pins(lock: str) -> dict[str, str]:
    """The versions in a lock, by package."""
    return dict(re.findall(r"^([\w.-]+)==([^\s\\;]+)", (ROOT / lock).read_text(), re.M))


@dataclass(frozen=True)
class Installation:
    """An installation by deploy/install, in a folder without a checkout around it."""

    folder: Path
    home: Path

    def cloche(self, *arguments: str, **environment: str) -> str:
        """Run a command that must succeed; what it printed."""
        done = run(
            self.folder / "bin" / "cloche", *arguments, env=bare(self.home) | environment, cwd=self.home
        )
        assert done.returncode == 0, done.stdout
        return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Run the script as the image's build does: on the files of the build, with nothing else around them."""
    place = tmp_path_factory.mktemp("deploy")
    home = place / "home"
    home.mkdir()
    source = build_context(place / "source")
    done = run(source / "deploy" / "install", place / "cloche", env=bare(home), cwd=home)
    if done.returncode and "CI" not in os.environ and "No matching distribution" in done.stdout:
        pytest.skip("no package registry answers")
    assert done.returncode == 0, done.stdout
    shutil.rmtree(source)
    return Installation(place / "cloche", home)


@pytest.mark.timeout(1200)
def test_the_script_installs_what_the_house_needs_and_nothing_else(installed: Installation) -> None:
    listed = run(
        installed.folder / "bin" / "python", "-m", "pip", "list", "--format=json", env=bare(installed.home)
    )
    found = {re.sub(r"[-_.]+", "-", one["name"]).lower() for one in json.loads(listed.stdout)}
    wanted = {re.sub(r"[-_.]+", "-", name).lower() for name in pins("requirements-house.lock")}
    fast = {re.sub(r"[-_.]+", "-", name).lower() for name in pins("requirements-fast.lock")}
    assert found - {"pip", "setuptools"} - fast == wanted | {"cloche"}
    assert "cloche" in installed.cloche("--version")
    assert "chef" in installed.cloche("modes")
    [packages] = (installed.folder / "lib").glob("python*/site-packages")
    room = packages / "cloche_rooms" / "service"
    assert {file.stem for file in room.glob("*.py")} == {
        file.name.partition(".")[0] for file in (room / "__pycache__").glob("*.pyc")
    }


def test_the_script_says_what_it_can_not_do_and_leaves_nothing(tmp_path: Path) -> None:
    install = DEPLOY / "install"
    assert run(install).returncode == 2
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "house.json").touch()
    refused = run(install, tmp_path / "full")
    assert refused.returncode == 1
    assert "not empty" in refused.stdout
    assert (tmp_path / "full" / "house.json").exists()
    old = tmp_path / "python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    refused = run(install, tmp_path / "new", env=os.environ | {"PYTHON": str(old)})
    assert "Python 3.11" in refused.stdout
    # A Python whose venv can't reach what it needs: the folder was begun, and is gone.
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    offline = {name: text for name, text in bare(tmp_path).items() if not name.startswith("PIP_")} | nowhere
    failed = run(install, tmp_path / "new", env=offline)
    assert failed.returncode != 0
    assert not (tmp_path / "new").exists()


def test_the_lock_of_the_house_is_a_part_of_the_whole_lock() -> None:
    house, whole = pins("requirements-house.lock"), pins("requirements.lock")
    assert house.items() <= whole.items()
    assert not {"pytest", "mypy", "ruff", "hypothesis"} & house.keys()
    assert house.keys() >= FOR_BUILDING
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["servers"]
    assert {re.split(r"[^\w.-]", one)[0].lower().replace("_", "-") for one in wanted} <= house.keys()


def test_a_linter_finds_no_fault_in_the_dockerfile() -> None:
    found = run(tool("hadolint"), "--no-color", DEPLOY / "Dockerfile")
    assert found.returncode == 0, found.stdout


def test_the_compose_file_keeps_the_schema_of_compose() -> None:
    found = run(tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")
    assert found.returncode == 0, found.stdout


def test_the_environment_file_has_what_the_compose_file_asks_for() -> None:
    given = variables((DEPLOY / "compose.env").read_text())
    asked = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text()))
    assert given.keys() == asked
    assert not given["CLOCHE_DATABASE_PASSWORD"], "an example has no password that works"
    with pytest.raises(AssertionError, match=r"is set in deploy/\.env"):
        composed({"CLOCHE_SITE": "localhost"})


def test_only_the_proxy_can_be_reached_and_everything_is_limited() -> None:
    services = COMPOSE["services"]
    assert [name for name, about in services.items() if "ports" in about] == ["proxy"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}
    assert {name for name, about in services.items() if "outside" in about["networks"]} == {"worker", "proxy"}
    for name, about in services.items():
        assert about["restart"] == "unless-stopped", name
        assert about["mem_limit"], name
        assert about["pids_limit"], name
        assert about["security_opt"] == ["no-new-privileges:true"], name
        assert about["logging"]["options"]["max-size"], name
        assert "healthcheck" in about or about.get("command") == ["serve"], "the image has that of `serve`"
        assert ":latest" not in about["image"], name
    for name, about in HOUSE.items():
        assert about["read_only"], name
        assert about["cap_drop"] == ["ALL"], name


@pytest.mark.parametrize("name", HOUSE)
def test_a_service_runs_a_command_that_there_is_with_settings_that_go_together(name: str) -> None:
    command, settings = HOUSE[name]["command"], settings_of(name)
    assert command[0] in COMMANDS
    assert CliRunner().invoke(main, [*command, "--help"]).exit_code == 0
    assert settings.keys() <= known()
    found = checks.everything(command[0], settings | {"CLOCHE_PORT": "0", "CLOCHE_EVENTS_PORT": "0"})
    said = [finding for finding in found if finding.about in ("variables", "set-up", "proxies")]
    assert {finding.level for finding in said} == {"ok"}


def settings_of(service: str) -> dict[str, str]:
    """The CLOCHE_ variables in a container: those of the image, and above them those of the service."""
    [block] = re.findall(r"^ENV ((?:.*\\\n)*.*)$", (DEPLOY / "Dockerfile").read_text(), re.M)
    image = dict(word.split("=", 1) for word in block.replace("\\\n", " ").split())
    mine = {**image, **HOUSE[service]["environment"]}
    return {key: text for key, text in mine.items() if key.startswith("CLOCHE_") and text != ""}


@dataclass(frozen=True)
class Containers:
    """The services of the compose file as processes of this machine, with its addresses put in."""

    installed: Installation
    stack: Stack
    folder: Path
    ports: dict[str, int]

    def environment(self, service: str) -> dict[str, str]:
        """The environment of a service here: its own, with servers, ports and folders of this machine."""
        settings = settings_of(service)
        assert settings["CLOCHE_DATABASE"] == f"postgresql://cloche:{PASSWORD}@postgres/cloche"
        assert settings["CLOCHE_BROKER"] == "redis://redis:6379/0"
        mine = self.stack.environment
        return {
            **bare(self.folder),
            **settings,
            **{name: mine[name] for name in ("CLOCHE_DATABASE", "CLOCHE_BROKER", "CLOCHE_QUEUE")},
            "CLOCHE_RATE_STORAGE": REDIS,
            "CLOCHE_HOST": "127.0.0.1",
            "CLOCHE_PORT": str(self.ports["api"]),
            "CLOCHE_EVENTS_PORT": str(self.ports["events"]),
            "CLOCHE_DATA": str(self.folder / ("house" if "volumes" in HOUSE[service] else service)),
            **({"CLOCHE_STATUS": f"127.0.0.1:{self.ports['worker']}"} if service == "worker" else {}),
        }

    def healthy(self, service: str) -> bool:
        """Tell whether the health check of a service says so."""
        check = HOUSE[service].get("healthcheck", {}).get("test") or self._of_the_image()
        assert check[:2] == ["CMD", "/opt/cloche/bin/python"]
        [at] = re.findall(r"127\.0\.0\.1:(\d+)", check[-1])
        assert at == {"api": "8040", "events": "8041", "worker": "8042"}[service]
        asked = check[-1].replace(f":{at}/", f":{self.ports[service]}/")
        return run(self.installed.folder / "bin" / "python", *check[2:-1], asked).returncode == 0

    def _of_the_image(self) -> list[str]:
        [command] = re.findall(
            r"^HEALTHCHECK (?:.*\\\n)\s+CMD (\[.*\])$", (DEPLOY / "Dockerfile").read_text(), re.M
        )
        return ["CMD", *json.loads(command)]


@pytest.fixture
def containers(installed: Installation, tmp_path: Path) -> Iterator[Containers]:
    """All services of the image are healthy, started in the order that the compose file says."""
    need("postgresql+redis")
    stack = Stack("postgresql+redis", tmp_path / "stack", first=True)
    ports = dict(zip(HOUSE, free_ports(len(HOUSE)), strict=True))
    made = Containers(installed, stack, tmp_path, ports)
    with ExitStack() as running:
        running.callback(stack.close)
        before = {"postgres", "redis"}
        for name, about in HOUSE.items():
            assert set(about["depends_on"]) <= before
            before.add(name)
            command = [installed.folder / "bin" / "cloche", *HOUSE[name]["command"]]
            output = tmp_path / f"{name}.out"
            started = running.enter_context(process(command, made.environment(name), output))

            def healthy(name: str = name, started: Any = started, output: Path = output) -> bool:
                assert started.poll() is None, output.read_text()
                return made.healthy(name)

            until(healthy, what=f"{name} is healthy")
        yield made


@pytest.mark.servers
@pytest.mark.processes
@pytest.mark.timeout(1200)
def test_a_match_is_played_at_the_composed_house_and_verified(containers: Containers, tmp_path: Path) -> None:
    api, events = (f"127.0.0.1:{containers.ports[name]}" for name in ("api", "events"))
    with Caddy(tmp_path / "proxy", api, events).running() as proxy:
        player = {
            "CLOCHE_HOME": str(tmp_path / "player"),
            "CLOCHE_PASSPHRASE": "correct horse battery staple",
            "CLOCHE_VAULT_COST": "10",
            "SSL_CERT_FILE": str(proxy.authority),
        }
        cloche = containers.installed.cloche
        cloche("register", "ada", "--house", proxy.url, **player)
        cloche("bot", "chef", "--against", "greedy", "--bot", "greedy", **player)
        vault = Vault.open(tmp_path / "player" / FILE, player["CLOCHE_PASSPHRASE"])
        token = {"Authorization": f"Bearer {vault.identity.token}"}
        asked = httpx.get(f"{proxy.url}/api/v1/games", headers=token, verify=proxy.context())
        [game] = asked.json()["items"]
        cloche("record", game["id"], "--out", str(tmp_path / "match.json"), **player)
        assert "valid" in cloche("verify", str(tmp_path / "match.json"), **player)


if DOCKER:
    # Where no engine is, there is no such test: the script was run above, and the files were linted.

    @pytest.mark.processes
    @pytest.mark.timeout(3600)
    def test_docker_builds_the_image_and_composes_the_house(tmp_path: Path) -> None:
        names = {"CLOCHE_SITE": "localhost", "CLOCHE_DATABASE_PASSWORD": os.urandom(16).hex()}
        environment = os.environ | names | {"COMPOSE_PROJECT_NAME": f"cloche-test-{os.getpid()}"}
        compose = ("docker", "compose", "--file", DEPLOY / "compose.yaml")
        try:
            built = run(*compose, "up", "--build", "--detach", "--wait", env=environment)
            assert built.returncode == 0, built.stdout
            root = tmp_path / "root.crt"
            inside = "proxy:/data/caddy/pki/authorities/local/root.crt"
            assert run(*compose, "cp", inside, root, env=environment).returncode == 0
            checked = run(*compose, "exec", "api", "cloche", "check", env=environment)
            assert checked.returncode == 0, checked.stdout
            with httpx.Client(verify=ssl.create_default_context(cafile=str(root))) as client:
                assert client.get("https://localhost/readyz").json() == {"status": "ready"}
        finally:
            run(*compose, "down", "--volumes", env=environment)
