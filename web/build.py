"""Build the page and its kitchen into web/dist: `python web/build.py`.

Every file but index.html, service.js and manifest.json is named by its digest. Beside each lie its `.br` and
its `.gz`. The same sources and package-lock.json give the same bytes. It needs Node and, the first time,
npm's registry; it takes rfc8785 and PyYAML from the Python that runs it.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import yaml

WEB = Path(__file__).resolve().parent
ROOT = WEB.parent
MODULES = WEB / "node_modules"
CACHE = MODULES / ".cache" / "cloche"
DIST = WEB / "dist"

ROOMS = ("cards", "crypto", "referee", "player", "client", "bots")
LEFT_OUT = {
    *(f"client/{name}.py" for name in ("wire", "disk", "vault", "match")),
    *(f"bots/{name}.py" for name in ("league", "contest", "deck_search")),
    *(f"cards/catalog/{name}.py" for name in ("downloads", "yaml_dumper")),
}
"""Modules of no use in a browser: they want httpx, PyYAML, POSIX files or other processes."""
DATA = ("data/card_sets", "data/formats")
LIBRARIES = ("rfc8785",)
WHEN = (2026, 1, 1, 0, 0, 0)
DIGITS = 16
"""Hexadecimal digits of a digest in a file's name."""
SOURCES = ".sources"
"""The file that says of which sources a folder was made."""
FIXED = ("index.html", "service.js", "manifest.json", "cloche.webmanifest")
"""Files whose names stay: a browser asks for them again each time."""
ICONS = WEB / "icons"
SHORT = 2**10
"""Bytes below which a file is not compressed."""
PROBE = 'globalThis.importScripts("data:text/javascript,"),!0'
"""Pyodide's probe for classic workers. The policy would refuse and report it, and our worker is a module."""


class BuildError(Exception):
    """The build can't be made here. The message says what is missing."""


def digest(data: bytes) -> str:
    """The digest of a file, as it stands in its name."""
    return sha256(data).hexdigest()[:DIGITS]


def run(*command: str | Path, cwd: Path = WEB) -> None:
    """Run a program, and raise `BuildError` with the end of what it says if it fails."""
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip()[-2000:]
        raise BuildError(f"{Path(str(command[0])).name} failed:\n{said}")


def need_packages() -> None:
    """Install what package-lock.json names, unless that was done. Raises `BuildError`."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise BuildError(f"there is no {program}: install Node.js 20 or newer")
    wanted = digest((WEB / "package-lock.json").read_bytes())
    mark = MODULES / ".cloche-lock"
    if not mark.exists() or mark.read_text() != wanted:
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
        mark.write_text(wanted)


def packed(files: Mapping[str, bytes]) -> bytes:
    """A zip without compression, since the line compresses better, and without times."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as target:
        for name, data in sorted(files.items()):
            target.writestr(zipfile.ZipInfo(name, WHEN), data)
    return out.getvalue()


def compiled(data: bytes, cache: Path) -> bytes:
    """The same zip with every module compiled by Pyodide's own Python. An earlier result is in the cache."""
    version = json.loads((MODULES / "pyodide" / "package.json").read_text())["version"]
    tool = (WEB / "tools" / "compile.mjs").read_bytes()
    cache.mkdir(parents=True, exist_ok=True)
    kept = cache / f"{digest(version.encode() + tool + data)}.zip"
    if not kept.exists():
        with tempfile.TemporaryDirectory() as folder:
            given, made = Path(folder) / "in.zip", Path(folder) / "out.zip"
            given.write_bytes(data)
            run("node", WEB / "tools" / "compile.mjs", given, made)
            shutil.copy(made, kept)
    return kept.read_bytes()


def rooms() -> dict[str, bytes]:
    """The project's own Python, card sets and formats, and a library."""
    found: dict[str, bytes] = {}
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            if name not in LEFT_OUT:
                found[name] = path.read_bytes()
    for folder in DATA:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file():
                data = path.read_bytes()
                found[path.relative_to(ROOT).as_posix()] = as_json(data) if path.suffix == ".yaml" else data
    for path in (WEB / "python").rglob("*.py"):
        found[path.relative_to(WEB).as_posix()] = path.read_bytes()
    for path in (WEB / "stand_ins").rglob("*.py"):
        found[f"lib/{path.relative_to(WEB / 'stand_ins').as_posix()}"] = path.read_bytes()
    for library in LIBRARIES:
        spec = importlib.util.find_spec(library)
        if spec is None or spec.origin is None:
            raise BuildError(f"{sys.executable} has no {library}")
        folder_of = Path(spec.origin).parent
        for path in folder_of.rglob("*.py"):
            found[f"lib/{library}/{path.relative_to(folder_of).as_posix()}"] = path.read_bytes()
    return found


def as_json(data: bytes) -> bytes:
    """The data of a YAML file as JSON, which is YAML too. A browser reads the cards 1.5 s sooner so."""
    return json.dumps(yaml.safe_load(data), ensure_ascii=False, separators=(",", ":")).encode()


def standard_library(whole: bool = False) -> dict[str, bytes]:
    """The modules of the standard library that stand in stdlib.txt, or all that Pyodide has."""
    wanted = set((WEB / "stdlib.txt").read_text().split())
    with zipfile.ZipFile(MODULES / "pyodide" / "python_stdlib.zip") as source:
        names = [name for name in source.namelist() if not name.endswith("/")]
        wanted = set(names) if whole else wanted
        missing = wanted - set(names)
        if missing:
            raise BuildError(f"Pyodide's standard library lacks {', '.join(sorted(missing))}")
        return {name: source.read(name) for name in names if name in wanted}


class Site:
    """A folder of files that are named by their digests."""

    def __init__(self, folder: Path, cache: Path = CACHE) -> None:
        """`cache` is the folder of what earlier builds have compiled and compressed."""
        self.folder = folder
        self.cache = cache
        self.files: dict[str, bytes] = {}
        """Every file by its name, without the compressed ones."""

    def put(self, name: str, data: bytes) -> str:
        """Add a file under its name and digest; returns the whole name."""
        stem, dot, end = name.rpartition(".")
        return self.keep(f"{stem}.{digest(data)}{dot}{end}", data)

    def keep(self, name: str, data: bytes) -> str:
        """Add a file under this very name."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self.files[name] = data
        return name

    def compress(self) -> None:
        """Put a `.br` and a `.gz` beside every file that is worth it."""
        names = [name for name, data in self.files.items() if len(data) >= SHORT]
        self.cache.mkdir(parents=True, exist_ok=True)
        new = [name for name in names if not self._kept(name).exists()]
        if new:
            run("node", WEB / "tools" / "brotli.mjs", *(self.folder / name for name in new))
        for name in names:
            path, kept = self.folder / name, self._kept(name)
            small = path.with_name(path.name + ".br")
            if name in new:
                shutil.copy(small, kept)
            else:
                shutil.copy(kept, small)
            path.with_name(path.name + ".gz").write_bytes(gzip.compress(self.files[name], 9, mtime=0))

    def _kept(self, name: str) -> Path:
        return self.cache / f"{sha256(self.files[name]).hexdigest()}.br"


def script(entry: Path, form: str, defines: Mapping[str, object]) -> bytes:
    """A program of TypeScript as one script."""
    given = json.dumps({name: json.dumps(value) for name, value in defines.items()})
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.js"
        run("node", WEB / "tools" / "bundle.mjs", entry, out, form, given)
        return out.read_bytes()


def kitchen(site: Site, whole_library: bool = False) -> str:
    """Put Python, the rooms and the worker; returns the name of the worker's script."""
    source = MODULES / "pyodide"
    wasm = site.put("pyodide.asm.wasm", (source / "pyodide.asm.wasm").read_bytes())
    inner = site.put("pyodide.asm.mjs", (source / "pyodide.asm.mjs").read_bytes())
    loader = (source / "pyodide.mjs").read_text().split("//# sourceMappingURL")[0]
    if loader.count(PROBE) != 1 or "pyodide.asm.mjs" not in loader or "pyodide.asm.wasm" not in loader:
        raise BuildError("this version of Pyodide starts in another way: look at web/build.py")
    loader = loader.replace(PROBE, "!1").replace("pyodide.asm.mjs", inner).replace("pyodide.asm.wasm", wasm)
    parts = {
        "pyodide": site.put("pyodide.mjs", loader.encode()),
        "stdlib": site.put("stdlib.zip", compiled(packed(standard_library(whole_library)), site.cache)),
        "rooms": site.put("rooms.zip", compiled(packed(rooms()), site.cache)),
    }
    sizes = {name: len(site.files[name]) for name in (parts["stdlib"], parts["rooms"])}
    worker = script(WEB / "kitchen" / "worker.ts", "esm", {"__CLOCHE_PARTS__": {**parts, "sizes": sizes}})
    return site.put("kitchen.js", worker)


def page(site: Site, worker: str) -> None:
    """Put the page, which Vite builds."""
    with tempfile.TemporaryDirectory() as folder:
        defines = {"__CLOCHE_KITCHEN__": f"/{worker}", "__CLOCHE_SERVICE__": "/service.js"}
        config = Path(folder) / "defines.json"
        config.write_text(json.dumps(defines))
        out = Path(folder) / "page"
        done = subprocess.run(
            [MODULES / ".bin" / "vite", "build", "--outDir", out, "--logLevel", "error"],
            cwd=WEB,
            env={**_environment(), "CLOCHE_DEFINES": str(config)},
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise BuildError(f"vite failed:\n{(done.stdout + done.stderr).strip()[-2000:]}")
        for path in sorted(out.rglob("*")):
            if path.is_file():
                site.keep(path.relative_to(out).as_posix(), path.read_bytes())


def _environment() -> Mapping[str, str]:
    import os

    return os.environ


def application(site: Site) -> None:
    """Put what makes the page installable: its icons, their manifest, and the links to both."""
    names = {path.name: site.put(path.name, path.read_bytes()) for path in sorted(ICONS.glob("*.png"))}
    told = json.loads((ICONS / "app.webmanifest").read_text(encoding="utf-8"))
    for icon in told["icons"]:
        icon["src"] = f"/{names[icon['src']]}"
    site.keep("cloche.webmanifest", (json.dumps(told, indent=1) + "\n").encode())
    links = (
        '<link rel="manifest" href="/cloche.webmanifest" />'
        f'<link rel="apple-touch-icon" href="/{names["icon-apple.png"]}" />'
    )
    front = site.files["index.html"].decode()
    if front.count("</head>") != 1:
        raise BuildError("index.html has no single </head>")
    site.keep("index.html", front.replace("</head>", f"{links}</head>").encode())


def finish(site: Site) -> str:
    """Put the build's name into index.html, and service.js and manifest.json beside it; returns the name."""
    told = {
        name: {"sha256": sha256(data).hexdigest(), "bytes": len(data)} for name, data in site.files.items()
    }
    build = sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:8]
    front = site.files["index.html"].decode()
    named, count = re.subn(
        r'(<meta name="cloche-build" content=")dev(")', rf"\g<1>{build}\g<2>", front, count=1
    )
    if count != 1:
        raise BuildError('index.html has no <meta name="cloche-build" content="dev" />')
    site.keep("index.html", named.encode())
    entry = WEB / "service" / "service.ts"
    if entry.exists():
        # What only an installer asks for is not worth keeping.
        kept = [
            f"/{name}" for name in sorted(site.files) if name not in FIXED and not name.startswith("icon-")
        ]
        defines = {"__CLOCHE_FILES__": kept, "__CLOCHE_BUILD__": build}
        site.keep("service.js", script(entry, "iife", defines))
    told = {
        f"/{name}": {"sha256": sha256(data).hexdigest(), "bytes": len(data)}
        for name, data in sorted(site.files.items())
    }
    manifest = {"build": build, "files": told}
    site.keep("manifest.json", (json.dumps(manifest, indent=1) + "\n").encode())
    return build


def sources() -> str:
    """The digest of everything that a build is made of."""
    found = sha256()
    for name, data in sorted(rooms().items()):
        found.update(f"{name} {sha256(data).hexdigest()}\n".encode())
    for path in sorted(WEB.rglob("*")):
        inside = path.relative_to(WEB).as_posix()
        if (
            path.is_file()
            and inside.split("/")[0] not in ("dist", "node_modules", "tests")
            and not inside.startswith(".")  # what a build has in hand lies here too
            and "__pycache__" not in inside
        ):
            found.update(f"{inside} {sha256(path.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()


def fresh(folder: Path) -> bool:
    """Tell whether a folder has the page of the sources as they are."""
    mark = folder / SOURCES
    return mark.exists() and mark.read_text() == sources()


def build(folder: Path, only_kitchen: bool = False, whole_library: bool = False, afresh: bool = False) -> str:
    """Build into a folder, which is replaced; returns the name of the build. Raises `BuildError`.

    With `afresh` nothing is taken from an earlier build.
    """
    need_packages()
    made_of = sources()  # what is changed meanwhile may not be in the build
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".dist-", dir=folder.parent))
    scratch = Path(tempfile.mkdtemp(prefix=".cache-", dir=folder.parent))
    try:
        site = Site(draft, scratch if afresh else CACHE)
        worker = kitchen(site, whole_library)
        if only_kitchen:
            site.keep("kitchen.json", json.dumps({"worker": f"/{worker}"}).encode())
            name = digest(site.files[worker])[:8]
        else:
            page(site, worker)
            application(site)
            name = finish(site)
            site.compress()
            (draft / SOURCES).write_text(made_of)
        shutil.rmtree(folder, ignore_errors=True)
        draft.chmod(0o755)
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        shutil.rmtree(scratch, ignore_errors=True)
    return name


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, and print the sizes."""
    parser = argparse.ArgumentParser(description="Build the page and its kitchen.")
    parser.add_argument("--out", type=Path, default=DIST, help="the folder to build into")
    parser.add_argument("--kitchen", action="store_true", help="build the kitchen alone, for `npm run dev`")
    whole = "keep all of Python's library, to find out which of it is used"
    parser.add_argument("--whole-library", action="store_true", help=whole)
    afresh = "take nothing from earlier builds, to compare the bytes"
    parser.add_argument("--afresh", action="store_true", help=afresh)
    here = "say in a line what happened, and end well if the page can't be built here"
    parser.add_argument("--if-possible", action="store_true", help=here)
    given = parser.parse_args(arguments)
    if given.if_possible:
        return _if_possible(given.out.resolve())
    try:
        name = build(given.out.resolve(), given.kitchen, given.whole_library, given.afresh)
    except BuildError as error:
        print(f"The page is not built: {error}", file=sys.stderr)
        return 1
    for line in _sizes(given.out):
        print(line)
    print(f"build {name} in {given.out}")
    return 0


def _if_possible(folder: Path) -> int:
    """Build the page unless it is there already; a machine that can't build it gets a line that says so."""
    try:
        if fresh(folder):
            return 0
        print("Building the page (the first time takes a few minutes) ...", flush=True)
        build(folder)
    except (BuildError, OSError) as error:
        shutil.rmtree(folder, ignore_errors=True)  # an older page would not fit this house
        print(f"The house opens without its page: {error}", file=sys.stderr)
    return 0


def _sizes(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix not in (".br", ".gz"):
            small = path.with_name(path.name + ".br")
            size = f"{small.stat().st_size:>10}" if small.exists() else " " * 10
            yield f"{path.stat().st_size:>10} {size}  {path.relative_to(folder)}"


if __name__ == "__main__":
    sys.exit(main())
