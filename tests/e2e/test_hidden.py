"""The hidden wall tiles of The Castle leak into no message, file name, custom id or log line.

The same game is played twice, with different wall tiles in the places that are never turned up: all requests and log
lines have to be the same, except for the commitment, which is a hash of the hidden state.
"""

import json
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import GAMES, Setup
from engine.the_castle import WallTile, wall
from operations.logs import Formatter
from tests.discord_limits.recorder import Recorder
from tests.e2e.player import Clicker, Habits
from tests.e2e.stored_games import StoredGame
from tests.e2e.table import open_table
from tests.short_piles import PILE_SIZES
from tests.soak import first

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("random_language")]

GAME = "the-castle"
"""The game with hidden wall tiles."""
SEED = "game 8"
"""A game in which a wall tile is taken early, by players whose seed is 1."""
READING_COMMANDS = ("board", "tiles", "log", "hints", "rules")
"""The commands by which members read a game."""
_SNOWFLAKE = re.compile(r"\d{15,}")
"""An id of Discord's, which differs between the runs."""
_TIMESTAMP = re.compile(r"<t:\d+")
"""A time as Discord shows it."""
_LOG_TIME = re.compile(r"^time=\S+ ")
"""The time at the beginning of a log line."""
_REFERENCE = re.compile(r" reference=[0-9A-F]{8}\b")
"""The random reference of an interaction, by which operators find its log lines."""
_TOKEN = re.compile(r"(/webhooks|/interactions)/[^/]+/[^/]+")
"""The part of a path that authorises an answer."""

ArrangeTiles = Callable[[Sequence[WallTile]], Sequence[WallTile]]
"""A function that returns the wall tiles in another order."""


def with_wall_tiles(monkeypatch: pytest.MonkeyPatch, arrange: ArrangeTiles, pile: int | None) -> None:
    """Let new games have a cut pile and their wall tiles in another order, and fix all other random values."""
    game = GAMES[GAME]

    def new_setup(**values: Any) -> Setup:
        """Set up a game with rearranged wall tiles."""
        setup: Any = game.new_setup(**values)
        if values["seed"]:  # without one, only the rules are checked
            setup = replace(setup, wall_tiles=tuple(arrange(setup.wall_tiles)), pile=setup.pile[:pile])
        changed: Setup = setup
        return changed

    monkeypatch.setattr("host.lobbies.GAMES", {**GAMES, GAME: replace(game, new_setup=new_setup)})
    monkeypatch.setattr("host.naming.new_name", lambda: "Amber Gate")
    monkeypatch.setattr("host.lobbies.seat_order", lambda members, _: tuple(members))
    monkeypatch.setattr("host.naming.new_code", lambda: "K7QF")


async def play(database: Path) -> StoredGame:
    """Play a whole game by clicks; every twenty moves a member sends all reading commands."""
    async with open_table(database, seed=SEED) as table:
        await table.start(2, game=GAME)
        clicker = Clicker(table, Random(1), Habits())
        moves = 0
        while not table.over:
            await clicker.move(table.card())
            moves += 1
            if moves % 20 == 0:
                for command in READING_COMMANDS:
                    await table.actors[moves // 20 % 3].slash(table.place, f"carc {command}")
        return table.stored()


class Normaliser:
    """A replacer of ids, times and the commitment in requests and log lines, so that two games can be compared."""

    def __init__(self) -> None:
        self._numbers: dict[str, str] = {}

    def normalise(self, value: object, commitment: str) -> str:
        """Return a request or a log line as comparable text."""
        text = json.dumps(value, default=str).replace(commitment, "commitment")
        text = _TIMESTAMP.sub("<t:", text)
        return _SNOWFLAKE.sub(lambda match: self._numbers.setdefault(match[0], f"#{len(self._numbers)}"), text)


def normalised_output(
    recorder: Recorder, logged: Sequence[logging.LogRecord], stored: StoredGame
) -> dict[str, list[str]]:
    """Return all requests and log lines by route or logger; between routes the order is not fixed.

    Old cards lose their buttons in the background.
    """
    commitment, normalisers, outputs = (
        stored.replayed().setup.commitment,
        dict[str, Normaliser](),
        dict[str, list[str]](),
    )
    for it in recorder.requests:
        path = _TOKEN.sub(r"\1", it.path)
        route = f"{it.method} {_SNOWFLAKE.sub('#', path)}"
        entry = [path, it.payload, [(file.filename, file.size) for file in it.files]]
        outputs.setdefault(route, []).append(normalisers.setdefault(route, Normaliser()).normalise(entry, commitment))
    for record in logged:
        line = _REFERENCE.sub("", _LOG_TIME.sub("", Formatter().format(record)))
        route = f"log {record.name}"
        outputs.setdefault(route, []).append(normalisers.setdefault(route, Normaliser()).normalise(line, commitment))
    return outputs


def swapped_tiles(stored: StoredGame) -> dict[int, WallTile]:
    """Return different wall tiles for the places that were never turned up."""
    position: Any = stored.replayed()
    seen = {wall().corners.index(corner) for corner in position.taken}
    hidden = [place for place in range(len(position.setup.wall_tiles)) if place not in seen]
    kinds = [position.setup.wall_tiles[place] for place in hidden]
    return dict(zip(hidden, [*kinds[5:], *kinds[:5]], strict=True))


@pytest.mark.parametrize("pile", first(1, (PILE_SIZES[GAME], None)))
async def test_hidden_wall_tiles_do_not_leak(
    tmp_path: Path,
    recorder: Recorder,
    no_drawing: None,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    pile: int | None,
) -> None:
    async with open_table(tmp_path / "none.sqlite3"):
        pass  # the first bot of a process registers commands and creates tables, later ones find them
    recorder.requests.clear()
    caplog.clear()
    caplog.set_level(logging.INFO)
    with_wall_tiles(monkeypatch, lambda tiles: tiles, pile)
    stored = await play(tmp_path / "one.sqlite3")
    first = normalised_output(recorder, caplog.records, stored)
    others = swapped_tiles(stored)
    recorder.requests.clear()
    caplog.clear()
    with_wall_tiles(monkeypatch, lambda tiles: [others.get(place, kind) for place, kind in enumerate(tiles)], pile)
    again = await play(tmp_path / "other.sqlite3")
    before: Any = stored.replayed().setup
    after: Any = again.replayed().setup
    assert stored.replayed().taken  # type: ignore[attr-defined]
    assert (
        sum(
            tile_before != tile_after
            for tile_before, tile_after in zip(before.wall_tiles, after.wall_tiles, strict=True)
        )
        > 10
    )
    assert before.commitment != after.commitment
    assert again.log == stored.log
    assert normalised_output(recorder, caplog.records, again) == first
