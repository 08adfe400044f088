"""The database of the bot: which file it opens or creates, what it refuses, and backups.

The setting CASTELLAN_DATABASE names a file. A second setting has to permit the bot to create it if it is missing. A
backup is a complete file that the bot can open.
"""

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
from tests.operations.test_commands import error_of

LOBBY = NewLobby(
    guild_id=1, channel_id=2, owner=Person(3, "Ana"), game="carcassonne", capacity=2, expansions=(), options={}
)
"""A lobby of Ana for two players."""


async def store_with_a_game(file: Path) -> Store:
    """Return an open store with one running game; the caller closes it."""
    store = await Store.open(file)
    lobbies = Host(store).lobbies
    lobby = await lobbies.open(LOBBY, 1)
    await lobbies.join(lobby.id, Person(4, "Ben"), 2)
    await lobbies.start(lobby.id, 3, 3)
    return store


def games_in(file: Path) -> int:
    """Return the number of games in a file."""
    with closing(sqlite3.connect(file)) as connection:
        (number,) = connection.execute("SELECT count(*) FROM games").fetchone()
    return int(number)


def contents_of(folder: Path) -> dict[str, bytes]:
    """Return the contents of each file of a folder."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


async def open_error(settings: Settings) -> str:
    """Open the database, which has to be refused; return the error's one line."""
    with pytest.raises(SettingsError) as caught:
        await database.open_for_bot(settings)
    (line,) = caught.value.lines
    assert line.startswith("CASTELLAN_DATABASE: ")
    assert "\n" not in line
    return line


# -- starting ----------------------------------------------------------------------------------------------------


async def test_a_mistyped_path_creates_no_file(tmp_path: Path) -> None:
    (tmp_path / "castellan.sqlite3").touch()
    mistyped = tmp_path / "castelan.sqlite3"
    line = await open_error(Settings(database=str(mistyped)))
    assert f"{mistyped}: holds no games (there is castellan.sqlite3); correct the path" in line
    assert "CASTELLAN_CREATE=1" in line
    assert not mistyped.exists()


async def test_an_empty_file_is_no_database_of_games(tmp_path: Path) -> None:
    """Refuse an empty file, which the backup command of an older version may have left behind."""
    empty = tmp_path / "castellan.sqlite3"
    empty.touch()
    assert "holds no games" in await open_error(Settings(database=str(empty)))
    assert empty.stat().st_size == 0


async def test_the_first_start_creates_the_default_file_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    store = await database.open_for_bot(Settings())
    await store.close()
    assert (tmp_path / DEFAULT_DATABASE).stat().st_size > 0
    (warning,) = [record for record in caplog.records if record.name == "operations.database"]
    assert warning.levelname == "WARNING"
    assert warning.__dict__["database"] == str(tmp_path / DEFAULT_DATABASE)


async def test_a_file_at_a_chosen_path_is_created_on_confirmation(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
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
    ("place", "error"),
    [
        ("missing/games.sqlite3", "there is no directory"),
        ("", "is a directory; name a file in it"),
        ("notes.txt", "is no SQLite database"),
        ("theirs.sqlite3", "is the database of another program"),
        ("newer.sqlite3", "was it written by a newer version?"),
        ("damaged.sqlite3", "cannot be read: database disk image is malformed"),
    ],
)
async def test_an_unusable_file_is_explained_in_one_line(tmp_path: Path, place: str, error: str) -> None:
    (tmp_path / "notes.txt").write_text("Milk, eggs")
    with closing(sqlite3.connect(tmp_path / "theirs.sqlite3")) as theirs:
        theirs.execute("CREATE TABLE songs (name TEXT)")
    await (await Store.open(tmp_path / "newer.sqlite3")).close()
    with closing(sqlite3.connect(tmp_path / "newer.sqlite3")) as newer, newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    whole_file = (tmp_path / "newer.sqlite3").read_bytes()
    (tmp_path / "damaged.sqlite3").write_bytes(whole_file[:100] + b"\xff" * 4096 + whole_file[4196:])
    before = contents_of(tmp_path)
    assert error in await open_error(Settings(database=str(tmp_path / place), create=True))
    assert contents_of(tmp_path).items() >= before.items()


async def test_an_unwritable_directory_is_named_as_the_problem(tmp_path: Path) -> None:
    await (await Store.open(tmp_path / "games.sqlite3")).close()
    (tmp_path / "games.sqlite3-wal").mkdir()  # so that not even root can create the file there
    error = await open_error(Settings(database=str(tmp_path / "games.sqlite3")))
    assert "the bot has to be able to write its directory" in error


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("://", "is no address of a database"),
        ("nonsense://me:secret@host/games", "is no database that the bot can use"),
        ("mysql+asyncmy://me:secret@host/games", "is no database that the bot can use"),
    ],
)
async def test_errors_never_show_the_password_of_an_address(address: str, error: str) -> None:
    line = await open_error(Settings(database=address))
    assert "secret" not in line
    assert error in line


async def test_a_missing_driver_is_named_as_the_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    monkeypatch.delitem(sys.modules, "store.connection.postgres", raising=False)
    monkeypatch.delattr(connection, "postgres", raising=False)
    line = await open_error(Settings(database="postgresql://me:secret@host/games"))
    assert "needs the package asyncpg, which is not installed" in line
    assert "secret" not in line


# -- backing up --------------------------------------------------------------------------------------------------


async def test_a_backup_of_a_running_bot_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, copy = tmp_path / "elsewhere.sqlite3", tmp_path / "copy.sqlite3"
    store = await store_with_a_game(file)
    monkeypatch.setenv("CASTELLAN_DATABASE", str(file))
    assert file.with_name("elsewhere.sqlite3-wal").stat().st_size > 0, "the newest rows are in the write-ahead log"
    assert await asyncio.to_thread(main, ["backup", str(copy)]) == 0
    await store.close()
    output = capsys.readouterr().out
    assert output.startswith(f"{copy}: {copy.stat().st_size:,} bytes, 1 games, 1 of them running, from {file}")
    assert games_in(copy) == 1
    assert sorted(contents_of(tmp_path)) == ["copy.sqlite3", "elsewhere.sqlite3"]
    again = await Store.open(copy)
    assert (await Host(again).game_checks.check_all()).frozen == ()
    await again.close()


async def test_a_backup_never_replaces_a_file(tmp_path: Path) -> None:
    file, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
    await (await store_with_a_game(file)).close()
    for existing in (copy, tmp_path / "copy.sqlite3.part"):
        existing.write_text("the only copy of something else")
        with pytest.raises(SettingsError, match=f"{existing}: exists already; nothing was written"):
            await write_backup(Settings(database=str(file)), copy)
        assert existing.read_text() == "the only copy of something else"
        existing.unlink()


@pytest.mark.parametrize("contents", [None, b"", b"Milk, eggs"])
def test_a_backup_without_games_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, contents: bytes | None
) -> None:
    file, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
    if contents is not None:
        file.write_bytes(contents)
    monkeypatch.setenv("CASTELLAN_DATABASE", str(file))
    error = error_of("backup", str(copy))
    assert error.startswith(f"CASTELLAN_DATABASE: {file}: ")
    assert error.endswith("; nothing was written")
    assert not copy.exists()
    assert not copy.with_name("copy.sqlite3.part").exists()
    assert file.exists() == (contents is not None)


async def test_a_damaged_file_is_not_backed_up(tmp_path: Path) -> None:
    file, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
    await (await store_with_a_game(file)).close()
    contents = bytearray(file.read_bytes())
    contents[4096:12288] = b"\xff" * 8192
    file.write_bytes(contents)
    with pytest.raises(SettingsError, match="nothing was written"):
        await write_backup(Settings(database=str(file)), copy)
    assert not copy.exists()


async def test_an_unwritable_target_is_named_as_the_problem(tmp_path: Path) -> None:
    file, copy = tmp_path / "games.sqlite3", tmp_path / "missing" / "copy.sqlite3"
    await (await store_with_a_game(file)).close()
    with pytest.raises(SettingsError, match=f"{copy}: cannot be written: No such file or directory"):
        await write_backup(Settings(database=str(file)), copy)


@pytest.mark.parametrize(("oldest", "admitted"), [(processes.OLDEST_RELEASE, True), ("9998", False), (None, False)])
async def test_a_newer_database_names_the_oldest_release_it_admits(
    tmp_path: Path, oldest: str | None, admitted: bool
) -> None:
    file = tmp_path / "newer.sqlite3"
    store = await Store.open(file)
    if oldest is not None:
        async with store.writing() as tx:
            await processes.save_mark(tx, processes.RELEASE_MARK, oldest, datetime.now(UTC))
    await store.close()
    with closing(sqlite3.connect(file)) as newer, newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    settings = Settings(database=str(file))
    if not admitted:
        assert "was it written by a newer version?" in await open_error(settings)
        return
    store = await database.open_for_bot(settings)
    async with store.reading() as tx:
        assert await whole_database.revision(tx) == "9999"
    await store.close()
