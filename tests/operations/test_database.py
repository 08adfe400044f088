"""The file of games: what is begun, what is refused, what a backup is."""

import asyncio
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from host import Host
from operations import database
from operations.__main__ import main
from operations.commands.databases import write_backup
from operations.settings import DEFAULT_DATABASE, Settings, SettingsError
from store import NewLobby, Person, Store, connection, processes, whole_database
from tests.operations.test_settings import run

LOBBY = NewLobby(
    guild_id=1, channel_id=2, owner=Person(3, "Ana"), game="carcassonne", capacity=2, expansions=(), options={}
)


async def with_a_game(file: Path) -> Store:
    """An open store with one game that runs; whoever asked for it closes it."""
    store = await Store.open(file)
    lobbies = Host(store).lobbies
    lobby = await lobbies.open(LOBBY, 1)
    await lobbies.join(lobby.id, Person(4, "Ben"), 2)
    await lobbies.start(lobby.id, 3, 3)
    return store


def games_in(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        (number,) = connection.execute("SELECT count(*) FROM games").fetchone()
    return int(number)


def contents_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


async def refused(settings: Settings) -> str:
    with pytest.raises(SettingsError) as caught:
        await database.open_for_bot(settings)
    (line,) = caught.value.lines
    assert line.startswith("CASTELLAN_DATABASE: ")
    assert "\n" not in line
    return line


# -- starting ----------------------------------------------------------------------------------------------------


async def test_a_mistyped_path_begins_no_new_file(tmp_path: Path) -> None:
    (tmp_path / "castellan.sqlite3").touch()
    mistyped = tmp_path / "castelan.sqlite3"
    line = await refused(Settings(database=str(mistyped)))
    assert f"{mistyped}: holds no games (there is castellan.sqlite3); correct the path" in line
    assert "CASTELLAN_CREATE=1" in line
    assert not mistyped.exists()


async def test_an_empty_file_is_no_file_of_games(tmp_path: Path) -> None:
    """As the backup command of older versions left one behind."""
    empty = tmp_path / "castellan.sqlite3"
    empty.touch()
    assert "holds no games" in await refused(Settings(database=str(empty)))
    assert empty.stat().st_size == 0


async def test_the_first_start_needs_nothing_and_says_that_the_file_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    store = await database.open_for_bot(Settings())
    await store.close()
    assert (tmp_path / DEFAULT_DATABASE).stat().st_size > 0
    (said,) = [record for record in caplog.records if record.name == "operations.database"]
    assert said.levelname == "WARNING"
    assert said.__dict__["database"] == str(tmp_path / DEFAULT_DATABASE)


async def test_a_chosen_path_is_begun_when_it_is_confirmed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = Settings(database=str(tmp_path / "games.sqlite3"), create=True)
    await (await database.open_for_bot(settings)).close()
    assert "a new file of games was begun" in caplog.text
    caplog.clear()
    await (await database.open_for_bot(settings)).close()
    assert "CASTELLAN_CREATE is still set" in caplog.text
    caplog.clear()
    await (await database.open_for_bot(settings.changed(create=False))).close()
    assert caplog.text == ""


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("missing/games.sqlite3", "there is no directory"),
        ("", "is a directory; name a file in it"),
        ("notes.txt", "is no SQLite database"),
        ("theirs.sqlite3", "is the database of another program"),
        ("newer.sqlite3", "was it written by a newer version?"),
        ("damaged.sqlite3", "cannot be read: database disk image is malformed"),
    ],
)
async def test_what_cannot_be_used_is_said_in_a_line(tmp_path: Path, place: str, said: str) -> None:
    (tmp_path / "notes.txt").write_text("Milk, eggs")
    with closing(sqlite3.connect(tmp_path / "theirs.sqlite3")) as theirs:
        theirs.execute("CREATE TABLE songs (name TEXT)")
    await (await Store.open(tmp_path / "newer.sqlite3")).close()
    with closing(sqlite3.connect(tmp_path / "newer.sqlite3")) as newer, newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    whole_file = (tmp_path / "newer.sqlite3").read_bytes()
    (tmp_path / "damaged.sqlite3").write_bytes(whole_file[:100] + b"\xff" * 4096 + whole_file[4196:])
    before = contents_of(tmp_path)
    assert said in await refused(Settings(database=str(tmp_path / place), create=True))
    assert contents_of(tmp_path).items() >= before.items()


async def test_a_directory_that_may_not_be_written_is_said_to_be_in_the_way(tmp_path: Path) -> None:
    await (await Store.open(tmp_path / "games.sqlite3")).close()
    (tmp_path / "games.sqlite3-wal").mkdir()  # so that nothing can be made there, not by root either
    said = await refused(Settings(database=str(tmp_path / "games.sqlite3")))
    assert "the bot has to be able to write its directory" in said


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("://", "is no address of a database"),
        ("nonsense://me:secret@host/games", "is no database that the bot can use"),
        ("mysql+asyncmy://me:secret@host/games", "is no database that the bot can use"),
    ],
)
async def test_addresses_of_databases_never_tell_their_password(address: str, said: str) -> None:
    line = await refused(Settings(database=address))
    assert "secret" not in line
    assert said in line


async def test_a_driver_that_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    monkeypatch.delitem(sys.modules, "store.connection.postgres", raising=False)
    monkeypatch.delattr(connection, "postgres", raising=False)
    line = await refused(Settings(database="postgresql://me:secret@host/games"))
    assert "needs the package asyncpg, which is not installed" in line
    assert "secret" not in line


# -- backing up --------------------------------------------------------------------------------------------------


async def test_a_backup_holds_everything_while_the_bot_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, copy = tmp_path / "elsewhere.sqlite3", tmp_path / "copy.sqlite3"
    store = await with_a_game(file)
    monkeypatch.setenv("CASTELLAN_DATABASE", str(file))
    assert file.with_name("elsewhere.sqlite3-wal").stat().st_size > 0, "what is new stands beside the file"
    assert await asyncio.to_thread(main, ["backup", str(copy)]) == 0
    await store.close()
    said = capsys.readouterr().out
    assert said.startswith(f"{copy}: {copy.stat().st_size:,} bytes, 1 games, 1 of them running, from {file}")
    assert games_in(copy) == 1
    assert sorted(contents_of(tmp_path)) == ["copy.sqlite3", "elsewhere.sqlite3"]
    again = await Store.open(copy)
    assert (await Host(again).game_checks.check_all()).frozen == ()
    await again.close()


async def test_a_backup_never_replaces_a_file(tmp_path: Path) -> None:
    file, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
    await (await with_a_game(file)).close()
    for there in (copy, tmp_path / "copy.sqlite3.part"):
        there.write_text("the only copy of something else")
        with pytest.raises(SettingsError, match=f"{there}: exists already; nothing was written"):
            await write_backup(Settings(database=str(file)), copy)
        assert there.read_text() == "the only copy of something else"
        there.unlink()


@pytest.mark.parametrize("contents", [None, b"", b"Milk, eggs"])
def test_where_there_are_no_games_nothing_is_written(tmp_path: Path, contents: bytes | None) -> None:
    file, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
    if contents is not None:
        file.write_bytes(contents)
    done = run(tmp_path, "-m", "operations", "backup", "copy.sqlite3", CASTELLAN_DATABASE="games.sqlite3")
    assert done.returncode != 0
    assert done.stderr.startswith(f"CASTELLAN_DATABASE: {file}: ")
    assert done.stderr.endswith("; nothing was written\n")
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not copy.exists()
    assert not copy.with_name("copy.sqlite3.part").exists()
    assert file.exists() == (contents is not None)


async def test_a_damaged_file_is_no_backup(tmp_path: Path) -> None:
    file, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
    await (await with_a_game(file)).close()
    contents = bytearray(file.read_bytes())
    contents[4096:12288] = b"\xff" * 8192
    file.write_bytes(contents)
    with pytest.raises(SettingsError, match="nothing was written"):
        await write_backup(Settings(database=str(file)), copy)
    assert not copy.exists()


async def test_a_target_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    file, copy = tmp_path / "games.sqlite3", tmp_path / "missing" / "copy.sqlite3"
    await (await with_a_game(file)).close()
    with pytest.raises(SettingsError, match=f"{copy}: cannot be written: No such file or directory"):
        await write_backup(Settings(database=str(file)), copy)


@pytest.mark.parametrize(("oldest", "admitted"), [(processes.OLDEST_RELEASE, True), ("9998", False), (None, False)])
async def test_a_newer_database_says_who_may_use_it(tmp_path: Path, oldest: str | None, admitted: bool) -> None:
    file = tmp_path / "newer.sqlite3"
    store = await Store.open(file)
    if oldest is not None:
        async with store.writing() as tx:
            await processes.put_mark(tx, processes.RELEASE_MARK, oldest, datetime.now(UTC))
    await store.close()
    with closing(sqlite3.connect(file)) as newer, newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    settings = Settings(database=str(file))
    if not admitted:
        assert "was it written by a newer version?" in await refused(settings)
        return
    store = await database.open_for_bot(settings)
    async with store.reading() as tx:
        assert await whole_database.revision(tx) == "9999"
    await store.close()
