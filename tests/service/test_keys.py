"""The house's secrets: made once, private, the same for everybody, refused when damaged."""

import json
import multiprocessing
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from crypto import identity
from crypto.encoding import b64
from crypto.fairness import leads
from referee.succession import related
from service import keys
from tests.waiting import PATIENCE

GAME = "0b6cbb1e-9a3c-4f51-8d6e-7f1f0d3f4c55"
OTHER = "6d1b4c52-52c4-4d0c-a6cf-2d5a30a5b1c4"


def test_made_at_the_first_start_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "yet"
    first = keys.load(folder)
    assert keys.load(folder) == first
    assert [path.name for path in folder.iterdir()] == [keys.FILE]
    assert keys.load(tmp_path / "another") != first


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    keys.load(tmp_path)
    path = tmp_path / keys.FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    keys.load(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_signs_with_the_key_it_names(tmp_path: Path) -> None:
    house = keys.load(tmp_path)
    assert identity.verify(house.public, b"entry", house.sign(b"entry"))
    assert not identity.verify(house.public, b"other", house.sign(b"entry"))


def test_every_game_has_its_own_chain_and_bots(tmp_path: Path) -> None:
    house = keys.load(tmp_path)
    chain = house.chain(GAME)
    assert leads(chain.link(3), 3, chain.anchor, 0)
    assert house.chain(GAME).anchor == chain.anchor
    assert house.chain(OTHER).anchor != chain.anchor
    derived = [house.bot_secret(GAME, 0), house.bot_secret(GAME, 1), house.bot_secret(OTHER, 0)]
    derived += [house.bot_key("greedy"), house.bot_key("better"), house.signing_key, house.chain_secret]
    assert len(set(derived)) == len(derived)
    assert {len(value) for value in derived} == {32}


def test_shows_no_secret(tmp_path: Path) -> None:
    house = keys.load(tmp_path)
    text = repr(house) + str(house)
    for secret in (house.signing_key, house.chain_secret, house.bot_seed):
        assert b64(secret) not in text
        assert repr(secret) not in text


def _with(text: str, **changes: str) -> str:
    """The file with fields of its generation changed."""
    content = json.loads(text)
    content["generations"][0] |= changes
    return json.dumps(content)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: "", "damaged"),
        (lambda text: text[:-40], "damaged"),
        (lambda text: text.replace(keys.KIND, "cloche-house/9"), "this version"),
        (lambda text: _with(text, signing_key=b64(bytes(31))), "damaged"),
        (lambda text: _with(text, signing_key=b64(bytes(32))), "belong together"),
        (lambda text: _with(text, since="yesterday"), "damaged"),
        (lambda text: json.dumps({**json.loads(text), "generations": []}), "damaged"),
        (lambda text: json.dumps({**json.loads(text), "successions": [{}]}), "damaged"),
        (lambda text: json.dumps({"kind": keys.KIND}), "damaged"),
        (lambda text: "[]", "damaged"),
    ],
)
def test_damaged_is_refused_and_not_replaced(tmp_path: Path, change, says: str) -> None:
    secret = b64(keys.load(tmp_path).bot_seed)
    path = tmp_path / keys.FILE
    damaged = change(path.read_text())
    path.write_text(damaged)
    with pytest.raises(keys.KeysError, match=says) as caught:
        keys.load(tmp_path)
    assert str(path) in str(caught.value)
    assert secret not in str(caught.value)
    assert path.read_text() == damaged


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(keys.KeysError, match="file"):
        keys.load(tmp_path / "file" / "var")


def _public(folder: Path, gate, found) -> None:
    gate.wait()
    found.put(keys.load(folder).public)


def test_many_processes_at_once_get_the_same(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    gate, found = context.Event(), context.Queue()
    processes = [context.Process(target=_public, args=(tmp_path, gate, found)) for _ in range(8)]
    for process in processes:
        process.start()
    gate.set()
    publics = {found.get(timeout=PATIENCE) for _ in processes}
    for process in processes:
        process.join(PATIENCE)
    assert publics == {keys.load(tmp_path).public}


# Generations


def test_the_file_of_an_older_version_is_read_and_rotated(tmp_path: Path) -> None:
    made = keys.load(tmp_path)
    path = tmp_path / keys.FILE
    [generation] = json.loads(path.read_text())["generations"]
    del generation["since"]
    path.write_text(json.dumps({"kind": keys.FIRST_KIND, "warning": "Secret.", **generation}))
    assert keys.load(tmp_path) == replace(made, since=None)
    house_keys = keys.rotate(tmp_path)
    assert keys.load_generations(tmp_path) == house_keys
    assert house_keys.of(made.public).chain_secret == made.chain_secret


def test_rotating_adds_a_generation_and_keeps_the_others(tmp_path: Path) -> None:
    first = keys.load(tmp_path)
    second = keys.rotate(tmp_path).newest
    third = keys.rotate(tmp_path).newest
    house_keys = keys.load_generations(tmp_path)
    assert house_keys.generations == (first, second, third)
    assert house_keys.newest == third
    assert [house_keys.of(key.public) for key in house_keys.generations] == [first, second, third]
    secrets = {getattr(key, name) for key in house_keys.generations for name in keys.SECRETS}
    assert len(secrets) == 9
    assert related(house_keys.successions, first.public, third.public)
    with pytest.raises(keys.UnknownKey):
        house_keys.of(bytes(32))
    assert stat.S_IMODE((tmp_path / keys.FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [keys.FILE]


def test_without_a_succession_nothing_leads_to_the_new_key(tmp_path: Path) -> None:
    first = keys.load(tmp_path)
    second = keys.rotate(tmp_path, succession=False).newest
    third = keys.rotate(tmp_path).newest
    found = keys.load_generations(tmp_path).successions
    assert not related(found, first.public, third.public)
    assert related(found, second.public, third.public)


def test_there_must_be_keys_to_rotate(tmp_path: Path) -> None:
    with pytest.raises(keys.KeysError):
        keys.rotate(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_process_takes_new_keys_without_a_restart(tmp_path: Path) -> None:
    file = keys.KeyFile(tmp_path)
    first = file.generations()
    assert file.generations() is first
    rotated = keys.rotate(tmp_path)
    assert file.generations() == rotated
    path = tmp_path / keys.FILE
    text = path.read_text()
    path.write_text(text[:100])  # half of a copy from elsewhere
    assert file.generations() == rotated
    path.unlink()
    assert file.generations() == rotated
    assert not path.exists()
    path.write_text(text)
    assert file.generations() == rotated
    assert keys.rotate(tmp_path) == file.generations()


def test_a_process_with_nothing_read_yet_says_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / keys.FILE).write_text("")
    with pytest.raises(keys.KeysError, match="damaged"):
        keys.KeyFile(tmp_path).generations()
