"""Cloche as strangers install it: a wheel and an sdist, in a new environment, far from the checkout."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from tests.paths import DOCS, ROOT
from tests.waiting import PATIENCE, until
from tests.web.site_kit import built_page

pytestmark = pytest.mark.timeout(1200)

ROOMS = {
    *("benchmarks", "bots", "cards", "chain", "client", "cloche", "contracts", "crypto", "data"),
    *("player", "referee", "service", "vectors", "worker"),
}
LOCKS = ("requirements.lock", "requirements-fast.lock")
WITH_PAGE = "CI" in os.environ or None not in (shutil.which("node"), shutil.which("npm"))
"""True where the page can be built, and so must be inside."""
_PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "hilo"
version = "1"

[project.entry-points."cloche.modes"]
hilo = "{entry}"
"""


def _run(*command: str | Path, **options: object) -> str:
    """Run a command that must succeed; what it printed."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _build(project: Path, out: Path, *what: str) -> None:
    """Build a project with the backend that is installed here."""
    _run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, *what, project)


def _require_registry() -> None:
    """Skip the test where no package registry answers; in CI the installation itself then fails."""
    asked = [sys.executable, "-m", "pip", "index", "versions", "click"]
    if "CI" not in os.environ and subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip("no package registry answers")


@dataclass
class Installed:
    """An environment into which the wheel was installed, and a folder of its own to run in."""

    folder: Path
    wheel: Path
    sdist: Path

    @property
    def bin(self) -> Path:
        """The folder of the environment's commands."""
        return self.folder / "env" / "bin"

    @property
    def environment(self) -> dict[str, str]:
        """Variables for commands: a player and a house in this folder, and no trace of the checkout."""
        kept = {name: text for name, text in os.environ.items() if not name.startswith(("CLOCHE_", "PYTHON"))}
        return {
            **kept,
            "CLOCHE_HOME": str(self.folder / "player"),
            "CLOCHE_DATA": str(self.folder / "house"),
            "CLOCHE_PASSPHRASE": "correct horse battery staple",
            "CLOCHE_VAULT_COST": "10",
            "CLOCHE_PASSWORD_PASSES": "1",
            "CLOCHE_PASSWORD_KIB": "64",
        }

    def install(self, *what: str | Path) -> None:
        """Install into the environment, by the pip that runs these tests.

        Only what is imported later is compiled: compiling all of it takes longer than the installation.
        """
        pip = (sys.executable, "-m", "pip", "--python", self.bin / "python", "install", "--no-compile")
        _run(*pip, "--quiet", "--disable-pip-version-check", *what, cwd=self.folder)

    def cloche(self, *arguments: str) -> str:
        """Run a command that must succeed; what it printed."""
        return _run(self.bin / "cloche", *arguments, env=self.environment, cwd=self.folder)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Build both distributions, and install the wheel with the dependencies that it asks for."""
    folder = tmp_path_factory.mktemp("installed")
    if WITH_PAGE:
        built_page()
    _build(ROOT, folder / "dist")
    [wheel], [sdist] = (folder / "dist").glob("*.whl"), (folder / "dist").glob("*.tar.gz")
    venv.create(folder / "env")
    pins = ""
    for lock in LOCKS:
        pins += "\n".join(re.findall(r"^[\w.-]+==[^\s\\;]+", (ROOT / lock).read_text(), re.M)) + "\n"
    (folder / "pins.txt").write_text(pins)
    _require_registry()
    found = Installed(folder, wheel, sdist)
    found.install("--constraint", folder / "pins.txt", f"{wheel}[fast]")
    return found


@pytest.fixture(scope="module")
def house(installed: Installed) -> Iterator[str]:
    """The address of a house that the installed command serves."""
    command = [str(installed.bin / "cloche"), "serve", "--port", "0"]
    out = installed.folder / "serve.out"
    with out.open("wb") as file:
        serving = subprocess.Popen(
            command, env=installed.environment, cwd=installed.folder, stdout=file, stderr=subprocess.STDOUT
        )
    try:
        found = until(lambda: re.search(r"open at (http://\S+)", out.read_text()), what="the house is open")
        assert found is not None
        yield found[1]
    finally:
        serving.terminate()
        assert serving.wait(PATIENCE) == 0, out.read_text()


def test_the_rooms_lie_in_one_folder_and_never_beside_pycryptodome(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        files = [name for name in wheel.namelist() if ".dist-info/" not in name]
        assert {Path(name).parts[0] for name in files} == {"cloche_rooms", "cloche_rooms.pth"}
        # The rules are inside, which players read at the table, and the page where it can be built.
        tops = {Path(name).parts[1] for name in files if "/" in name}
        assert tops - {"web"} == {*ROOMS, "docs"}
        assert "web" in tops or not WITH_PAGE
        assert wheel.read("cloche_rooms.pth").decode().split() == ["cloche_rooms"]
        typed = {Path(name).parts[1] for name in files if name.endswith("/py.typed")}
    assert typed == ROOMS - {"contracts", "data"}
    [packages] = (installed.folder / "env" / "lib").glob("python*/site-packages")
    assert "Crypto" in os.listdir(packages)
    assert "crypto" not in os.listdir(packages)


def test_the_sdist_gives_the_same_wheel(installed: Installed, tmp_path: Path) -> None:
    with tarfile.open(installed.sdist) as sdist:
        sdist.extractall(tmp_path, filter="data")
    [source] = tmp_path.iterdir()
    _build(source, tmp_path / "again", "--wheel")
    [again] = (tmp_path / "again").glob("*.whl")
    with zipfile.ZipFile(installed.wheel) as one, zipfile.ZipFile(again) as other:
        assert {i.filename: i.CRC for i in one.infolist()} == {i.filename: i.CRC for i in other.infolist()}


@pytest.mark.skipif(not WITH_PAGE, reason="no Node.js, and so no page")
def test_the_page_is_inside(installed: Installed) -> None:
    """Every file of the page that is built here is in the wheel, byte by byte."""
    with zipfile.ZipFile(installed.wheel) as wheel:
        for path, digest in built_page().digests.items():
            assert sha256(wheel.read(f"cloche_rooms/web/dist{path}")).hexdigest() == digest, path


def test_a_match_is_played_and_verified_far_from_the_checkout(installed: Installed, house: str) -> None:
    assert httpx.get(f"{house}/api/docs/").status_code == 200
    document = httpx.get(f"{house}/api/openapi.json").json()
    assert document["info"]["version"] in installed.cloche("--version")
    installed.cloche("register", "ada", "--house", house)
    # "greedy" is quick, and chef is the mode with proofs.
    installed.cloche("bot", "chef", "--against", "greedy", "--bot", "greedy")
    [played] = _games(installed)
    installed.cloche("record", played["id"], "--out", "match.json")
    assert "valid" in installed.cloche("verify", "match.json")
    changed = (installed.folder / "match.json").read_bytes().replace(b'"seq":5', b'"seq":6', 1)
    (installed.folder / "false.json").write_bytes(changed)
    refused = subprocess.run(
        [installed.bin / "cloche", "verify", "false.json"],
        env=installed.environment,
        cwd=installed.folder,
        capture_output=True,
        check=False,
    )
    assert refused.returncode == 1


def _games(installed: Installed) -> list[dict[str, str]]:
    """The player's games, asked for by the installed client."""
    program = (
        "import json; from client import FILE, Api, Vault, home\n"
        "vault = Vault.open(home() / FILE, 'correct horse battery staple')\n"
        "print(json.dumps([*Api(vault.identity.house, vault.identity.token).games()]))"
    )
    python = installed.bin / "python"
    found: list[dict[str, str]] = json.loads(
        _run(python, "-c", program, env=installed.environment, cwd=installed.folder)
    )
    return found


def test_a_strangers_mode_is_found_by_its_entry_point(installed: Installed, tmp_path: Path) -> None:
    """The mode of docs/modes.md, in a package of its own."""
    page = (DOCS / "modes.md").read_text()
    [code] = re.findall(r"```python\n(\"\"\"Higher or lower.*?)```", page, re.S)
    [entry] = re.findall(r'^hilo = "(.*?)"', page, re.M)
    package = tmp_path / "hilo" / "hilo"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / f"{entry.partition(':')[0].rpartition('.')[2]}.py").write_text(code)
    (tmp_path / "hilo" / "pyproject.toml").write_text(_PYPROJECT.format(entry=entry))
    _build(tmp_path / "hilo", tmp_path / "dist", "--wheel")
    [wheel] = (tmp_path / "dist").glob("*.whl")
    installed.install("--no-deps", "--no-index", wheel)
    modes = {mode["name"]: mode for mode in json.loads(installed.cloche("modes", "--json"))}
    assert modes["hilo"]["title"]
    assert {"chef", "hearts"} <= modes.keys()
