"""`cloche backup` of a house that is open, `cloche restore` where there is none, on every set-up."""

from click.testing import CliRunner, Result

from cloche.main import main
from crypto.encoding import b64
from service import backup, keys
from tests.stack import Stack


def run(house: Stack, *arguments: str) -> Result:
    result = CliRunner().invoke(main, arguments, env=house.environment)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_an_open_house_is_copied_and_not_written_over(stack: Stack, tmp_path) -> None:
    folder = tmp_path / "copy"
    made = run(stack, "backup", str(folder))
    assert made.exit_code == 0, made.output
    assert b64(keys.load(stack.data).public) in made.output
    assert (folder / backup.MANIFEST).exists()
    assert run(stack, "backup", str(folder)).exit_code == 1

    refused = run(stack, "restore", str(folder))
    assert refused.exit_code == 1
    assert "open" in refused.output
    assert stack.get("/readyz").status_code == 200


def test_a_house_moves_to_another_folder(open_stack, tmp_path) -> None:
    house: Stack = open_stack()
    public = keys.load(house.data).public
    house.stop()
    assert run(house, "backup", str(tmp_path / "copy")).exit_code == 0
    elsewhere = {
        "CLOCHE_DATA": str(tmp_path / "new"),
        "CLOCHE_DATABASE": f"sqlite:///{tmp_path}/new/h.sqlite3",
    }
    house.environment |= elsewhere
    done = run(house, "restore", "--same-moment", str(tmp_path / "copy"))
    assert done.exit_code == 0, done.output
    assert "Running games go on." in done.output
    house.start()
    assert house.get("/api/v1/house").json()["house_key"] == b64(public)
    house.stop()
