"""Records of games as text files: ``/carc export``, ``/carc import``, and stepping through an imported record.

A record of a running game has the commitment (a hash) instead of the seed, from which the pile could be computed.
"""

from __future__ import annotations

import math
import re
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import discord
import pytest

from cogs.commands import records
from cogs.commands.records import MAX_NAME, OPENED_FILE_NAME, file_name, read_bytes, shown_game
from cogs.games.presenters import PRESENTERS
from cogs.panels.stepping import stops_of
from cogs.texts import t
from cogs.words.refusals import RefusedError
from engine import GAMES, Resign
from engine.carcassonne.expansions import FAIRY
from engine.carcassonne.expansions.fairy import MoveFairy
from engine.grammar.tags import MAX_TEXT_LENGTH
from engine.notation.positions import format_position
from engine.notation.records import Record, format_record, read_record
from engine.selfplay import random_game
from tests.cogs.replay_panels import (
    ALL_GAMES,
    HIDDEN_SEED,
    attached_files,
    displayed_move,
    enabled_buttons,
    play_game,
    press_step,
    refreshed,
    replay_stops,
    run_command,
)
from tests.discord_limits.recorder import Recorder
from tests.e2e.pictures import stub_pictures
from tests.e2e.player import Shown
from tests.e2e.screen import alt_texts, buttons, words
from tests.e2e.table import Table, open_table
from tests.engine.every_game import play_random_game

RECORDS_FOLDER = Path(__file__).parents[1] / "engine" / "records"
RECORD = (RECORDS_FOLDER / "carcassonne-finished.txt").read_text(encoding="utf-8")
"""The record of a finished game."""


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """Yield six members in a channel; all requests have to keep Discord's limits."""
    stub_pictures(monkeypatch)
    monkeypatch.setattr(records, "SLOW_READ_SECONDS", math.inf)  # on a busy machine any record may take that long
    async with open_table(tmp_path / "games.sqlite3", seed=HIDDEN_SEED) as table:
        yield table
    assert recorder.problems() == []


async def import_record(table: Table, text: str | bytes, *, name: str = "game.txt", **options: Any) -> Shown:
    """Send a record to ``/carc import``; return the private answer."""
    raw = text.encode() if isinstance(text, str) else text
    return await run_command(table, "import", file=(name, raw), **options)


def attached_record(table: Table, message: Shown) -> tuple[str, str]:
    """Return the name and text of the only record attached to a message."""
    [(name, data)] = [(name, data) for name, data in attached_files(table, message).items() if name.endswith(".txt")]
    return name, data.decode()


# -- exporting --------------------------------------------------------------------------------------------------------


@ALL_GAMES
async def test_the_record_of_a_running_game_hides_the_pile(table: Table, name: str) -> None:
    game, position = await play_game(table, name, 30)
    message = await run_command(table, "export", game=game.code)
    file, text = attached_record(table, message)
    record = read_record(text)
    assert file == file_name(game)
    assert game.code in file
    assert HIDDEN_SEED not in text
    assert "[Seed" not in text
    assert record.commitment == position.setup.commitment
    assert format_position(record.position()) == format_position(position)
    assert sorted(record.names) == ["Ana", "Ben"]
    assert record.title == game.name
    text = words(message.components)
    assert t("records.running", name=game.name, code=game.code, count=position.turn - 1) == text


@ALL_GAMES
async def test_the_record_of_a_finished_game_matches_its_commitment(table: Table, name: str) -> None:
    game, position = await play_game(table, name, 40, finished=True)
    _, text = attached_record(table, await run_command(table, "export", game=game.code, member=5))
    record = read_record(text)
    assert record.setup == position.setup
    assert record.setup.seed == HIDDEN_SEED
    assert record.position().scores == position.scores


async def test_a_member_who_cannot_see_the_game_gets_no_record(table: Table) -> None:
    game, _ = await play_game(table, "carcassonne", 5)
    guild = table.env.create_guild("Elsewhere")
    stranger = guild.add_member(table.env.create_user("stranger"))
    channel = guild.create_text_channel("hall")
    result = await stranger.slash(channel, "carc export", game=game.code)
    assert result.response is not None
    assert words(result.response.components) == t("error.unknown_game")
    assert not result.response.attachments


# -- importing ---------------------------------------------------------------------------------------------------------


@ALL_GAMES
async def test_an_exported_record_can_be_imported_and_stepped_through(table: Table, name: str) -> None:
    game, _ = await play_game(table, name, 40, finished=True)
    _, text = attached_record(table, await run_command(table, "export", game=game.code))
    last = (await replay_stops(table, game)).number(41)
    message = await import_record(table, text)
    assert t("records.title", name=game.name) in words(message.components)
    assert displayed_move(message) == last
    assert enabled_buttons(message) == {"first", "back"}
    assert attached_record(table, message) == (OPENED_FILE_NAME, text)

    message = await press_step(table, message, "first")
    assert (displayed_move(message), enabled_buttons(message)) == (0, {"on", "last"})
    message = await press_step(table, message, "on")
    assert displayed_move(message) == 1
    assert enabled_buttons(message) == {"first", "back", "on", "last"}
    await table.restart()
    message = await press_step(table, message, "on")
    assert displayed_move(message) == 2
    assert displayed_move(await press_step(table, message, "back")) == 1
    assert displayed_move(await press_step(table, message, "last")) == last
    message = refreshed(table, message)
    assert attached_record(table, message) == (OPENED_FILE_NAME, text)
    assert len(attached_files(table, message)) == 2, "the previous picture was replaced"
    assert all(alt_texts(message.components))


async def test_the_attached_record_is_normalised(table: Table) -> None:
    unusual_spelling = RECORD.replace("\n", "\r\n; <@1> a comment\r\n")
    message = await import_record(table, unusual_spelling, name="../../<@everyone>.exe")
    assert attached_record(table, message) == (OPENED_FILE_NAME, RECORD)


async def test_a_running_game_can_be_imported(table: Table) -> None:
    text = (RECORDS_FOLDER / "carcassonne-running.txt").read_text(encoding="utf-8")
    message = await import_record(table, text)
    record = read_record(text)
    stops = stops_of(PRESENTERS["carcassonne"], record.setup, record.actions)
    assert (displayed_move(message), stops.last) == (len(stops.plies) - 1, 185)
    assert read_record(attached_record(table, message)[1]).setup.seed == ""


async def test_a_game_with_the_fairy_can_be_imported_and_stepped_through(table: Table) -> None:
    """No table offers the fairy, but such records can be read, with a text for each of its moves."""
    setup = GAMES["carcassonne"].new_setup(players=2, seed="7", expansions=("bridges-castles-bazaars", FAIRY))
    _, log = play_random_game(setup, 7, 60)
    last = max(ply for ply, action in enumerate(log, 1) if isinstance(action, MoveFairy))
    message = await import_record(table, format_record(Record.of(setup, log[:last])))
    while displayed_move(message):
        message = await press_step(table, message, "back")
    text = words((await press_step(table, message, "last")).components)
    assert "moves the fairy to" in text


async def test_names_in_a_record_are_escaped_and_truncated(table: Table) -> None:
    _, actions = random_game(setup := GAMES["carcassonne"].new_setup(players=6, seed="6"), Random(6))
    names = [f"<@1> @everyone **{seat}** [x](y) ".ljust(100, "W") for seat in range(6)]
    record = Record.of(setup, actions, names=names, title="<@&2> # `title` ".ljust(100, "W"))
    message = await import_record(table, format_record(record))
    for _ in range(4):
        text = words(message.components)
        assert "<@" not in text.replace("\\<", "")
        assert "@everyone" not in text
        message = await press_step(table, message, "back")


BAD_FILES: list[tuple[bytes, str, dict[str, object]]] = [
    (b"", "record_none", {"start": '[Castellan "record 1"]'}),
    (b"# A list\n- of something else", "record_none", {"start": '[Castellan "record 1"]'}),
    (b"\x89PNG\r\n\x1a\n\xff", "record_no_text", {"place": 1}),
    (RECORD.encode()[:500] + b"\xc3", "record_no_text", {"place": 501}),
    (RECORD.replace("+bcb/CCCC", "+bcb/@everyone").encode(), "record_wrong", {"line": 18}),
    (RECORD.replace("N13/180", "N13/90").encode(), "record_wrong", {"line": 14}),
    (RECORD.encode() * 2, "record_wrong", {"line": 92}),
    (b'[Castellan "' * 20_000, "record_wrong", {"line": 1}),
    (b"x" * (MAX_TEXT_LENGTH + 1), "record_large", {"size": 257, "most": 256}),
]
"""Invalid files, each with the error and its values."""


async def test_a_bad_file_is_refused_with_line_and_reason(table: Table) -> None:
    for raw, key, values in BAD_FILES:
        message = await import_record(table, raw)
        text = words(message.components)
        assert text.startswith(t(f"refusal.{key}", **{"reason": "", **values}))
        assert "@everyone" not in text
        assert not buttons(message.components)


async def test_a_large_file_is_not_fetched(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fetch(_: discord.Attachment) -> bytes:
        """Fail: the file must not be fetched."""
        raise AssertionError("fetched")

    monkeypatch.setattr(discord.Attachment, "read", fetch)
    text = words((await import_record(table, b"x" * (MAX_TEXT_LENGTH + 1))).components)
    assert text == t("refusal.record_large", size=257, most=256)


async def test_a_file_larger_than_its_declared_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RefusedError) as caught:
        read_bytes(RECORD.encode() + b"\n" * MAX_TEXT_LENGTH)
    assert caught.value.key == "record_wrong"


async def test_a_record_that_takes_too_long_is_refused(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "READ_TIMEOUT_SECONDS", 0.0)
    assert words((await import_record(table, RECORD)).components) == t("refusal.record_slow")


async def test_expensive_imports_are_rate_limited(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "SLOW_READ_SECONDS", 0.0)
    message = await import_record(table, RECORD)
    await press_step(table, message, "back")
    text = words((await import_record(table, RECORD)).components)
    assert re.fullmatch(re.escape(t("refusal.too_soon_record", when=0)).replace("<t:0:R>", r"<t:\d+:R>"), text)
    assert words((await import_record(table, RECORD, member=1)).components) != text


async def test_a_deleted_file_is_reported(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    message = await import_record(table, RECORD)

    async def fail_to_fetch(_: object) -> bytes:
        """Fail like a lost connection."""
        raise OSError("connection reset")

    monkeypatch.setattr(discord.Attachment, "read", fail_to_fetch)
    monkeypatch.setattr(table.bot.http, "get_from_cdn", fail_to_fetch)
    assert words((await import_record(table, RECORD)).components) == t("refusal.record_gone")
    before = words(message.components)
    [back] = [button.custom_id for button in buttons(message.components) if button.key.argument == "back"]
    result = await table.actors[0].click(message.handle, custom_id=back)
    assert words(result.followups[0].components) == t("refusal.record_gone")
    assert words(refreshed(table, message).components) == before


def test_missing_and_long_names_of_a_record_are_handled() -> None:
    setup = GAMES["carcassonne"].new_setup(players=3, seed="1")
    game = shown_game(Record.of(setup, []))
    assert [person.name for person in game.seats] == [t("records.seat", seat=seat) for seat in (1, 2, 3)]
    assert game.name == t("records.untitled")
    game = shown_game(Record.of(setup, [], names=["W" * 100] * 3, title="x" * 100))
    assert all(len(text) == MAX_NAME for text in (game.name, *(person.name for person in game.seats)))


def test_a_file_is_named_after_its_game() -> None:
    game = shown_game(Record.of(GAMES["carcassonne"].new_setup(players=2, seed="1"), [Resign(0)]))
    assert file_name(game) == "a-game-FILE-1.txt"
