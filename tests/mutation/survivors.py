"""The survivors that are explained, and the verdict on a run."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path

from tests.mutation.mutants import Name
from tests.mutation.trial import say

FILE = "tests/mutation/survivors.toml"


def explained(root: Path) -> dict[Name, str]:
    """Every survivor that is explained, and why it does no harm."""
    path = root / FILE
    found: dict[Name, str] = {}
    for item in tomllib.loads(path.read_text())["survivor"] if path.exists() else ():
        afters = item["after"] if isinstance(item["after"], list) else [item["after"]]
        for after in afters:
            name = Name(item["file"], item["function"], item["before"], after, item.get("nth", 0))
            assert name not in found, f"explained twice: {name}"
            found[name] = item["why"]
    return found


def judge(root: Path, files: Collection[str], tried: Mapping[Name, str | None], complete: bool) -> int:
    """Tell what is wrong with a run, and in how many ways it is; `complete` if all functions were tried."""
    known = {name: why for name, why in explained(root).items() if name.file in files}
    alive = {name: found for name, found in tried.items() if found != "killed"}
    bare = [name for name in alive if name not in known]
    gone = [name for name in known if name not in tried] if complete else []
    noticed = [name for name in known if tried.get(name) == "killed"]
    for name in bare:
        say(f"NOT EXPLAINED ({alive[name]}): {name}")
    for name in gone:
        say(f"EXPLAINED, BUT THERE IS NO SUCH MUTANT: {name}")
    for name in noticed:
        say(f"EXPLAINED, BUT A TEST NOTICES IT: {name}")
    total, left = Counter(name.file for name in tried), Counter(name.file for name in alive)
    for file in files:
        say(f"{file}: {total[file]} mutants, {total[file] - left[file]} killed, {left[file]} alive")
    killed = len(tried) - len(alive)
    say(f"{len(tried)} mutants, {killed} killed, {len(alive)} alive, {len(bare)} of them not explained")
    return 1 if bare or gone or noticed else 0
