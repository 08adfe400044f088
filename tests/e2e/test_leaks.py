"""A confirmed move stays secret until it is published: nothing that members can read or see changes.

The only exception is the private panel of the player who made the move. Files are compared byte by byte, and the drawn
pictures of the soak tests pixel by pixel.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
import simcord

from tests.discord_limits.recorder import Recorder
from tests.e2e.pictures import MIN_DRAWN_BYTES, stub_pictures
from tests.e2e.table import Table, open_table, wait_until_posted
from tests.e2e.test_undo import make_move, publish_due
from tests.renderers.image_checks import file_pixel_bytes

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("random_language")]

READING_COMMANDS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "board": ({}, {"turn": 0}, {"words": "left"}),
    "tiles": ({}, {"words": True}),
    "log": ({}, {"since": True}),
    "games": ({},),
    "hints": ({},),
    "export": ({},),
    "rules": ({},),
    "notes": ({},),
    "plan": ({},),
    "settings": ({},),
    "vacation": ({},),
    "profile": ({},),
    "leaderboard": ({},),
}
"""Commands that only read, with the options to try; replays are left out, as they need finished games."""
ACTING_COMMANDS = frozenset(
    {"new", "learn", "challenge", "play", "undo", "resign", "here", "manage", "import", "replay", "absent"}
    | {"time give", "time pause", "time resume", "time end", "time keep", "time remind", "time meet"}
)
"""Commands that change something, or ask for confirmation."""
AUTOCOMPLETED = (("play", "move"), ("board", "words"), ("board", "game"), ("log", "game"))
"""Commands and options with autocompletion."""
PNG = b"\x89PNG"
"""The first bytes of a PNG file."""
MOVE_SUGGESTIONS = "play move …"
"""The name under which the suggestions for a typed move are compared."""
_FILE_IDS = re.compile(r"attachments/\d+/\d+/|\"attachment_id\": \"\d+\"")
"""Parts of attachments that differ with every upload."""
FEW_MOVES, MANY_MOVES = 1, 12
"""Numbers of moves to play: in every run, and with `make soak`."""


@pytest.fixture
def drawn_pictures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stub the pictures unless the parameter asks for drawn ones."""
    if not getattr(request, "param", False):
        stub_pictures(monkeypatch)


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, drawn_pictures: None) -> AsyncIterator[Table]:
    """Yield members at tables with a publish window of a minute."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", publish_window=timedelta(seconds=60)) as table:
        yield table
    assert recorder.problems() == []


def commands(table: Table) -> Iterator[str]:
    """Yield the names of all commands below ``/carc``."""
    group = next(command for command in table.bot.tree.get_commands() if command.name == "carc")
    for command in group.walk_commands():  # type: ignore[union-attr]
        if not hasattr(command, "walk_commands"):
            yield command.qualified_name.removeprefix("carc ")


def answers_of(table: Table, result: simcord.InteractionResult) -> list[tuple[str, list[bytes]]]:
    """Return the parts of each answer, and its files: decoded pixels of pictures, bytes of others."""
    answers = []
    for message in [*result.followups, *([result.response] if result.response else [])]:
        stored = table.env.backend.get_message(message.channel_id, message.id)
        files = [table.env.backend.cdn.get(entry["url"]) or b"" for entry in stored.attachments]
        files = [
            file_pixel_bytes(file) if file.startswith(PNG) and len(file) > MIN_DRAWN_BYTES else file for file in files
        ]
        answers.append((_FILE_IDS.sub("", json.dumps([stored.content, stored.components])), files))
    return answers


async def readable_by(table: Table, actor: simcord.MemberActor) -> dict[str, Any]:
    """Return the answers of all reading commands and all suggestions that a member gets."""
    table.bot.pace._free_at.clear()  # lift the rate limits
    table.bot.host.quotas._full_at.clear()
    contents: dict[str, Any] = {}
    for command, options in (
        (command, options) for command, variants in READING_COMMANDS.items() for options in variants
    ):
        answered = await actor.slash(table.place, f"carc {command}", **options)
        contents[" ".join([command, *options])] = answers_of(table, answered)
    for command, option in AUTOCOMPLETED:
        contents[f"{command} {option} …"] = await actor.autocomplete(table.place, f"carc {command}", option, "")
    return contents


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the names of the answers that differ."""
    return [name for name in before if before[name] != after[name]]


def public_messages(table: Table) -> list[str]:
    """Return the public messages of the thread."""
    return [json.dumps(card.components) for card in table.cards()]


async def publish(table: Table) -> None:
    """Publish the confirmed move, whose window is over."""
    await publish_due(table)
    await wait_until_posted(table)


async def test_every_command_is_classified_as_reading_or_acting(table: Table) -> None:
    assert {*commands(table)} == READING_COMMANDS.keys() | ACTING_COMMANDS
    assert not READING_COMMANDS.keys() & ACTING_COMMANDS


def _soak_case(game: str, seed: int) -> Any:
    """Return a longer case for `make soak`, with real pictures."""
    return pytest.param(game, seed, MANY_MOVES, True, marks=pytest.mark.soak)


@pytest.mark.parametrize(
    ("game", "seed", "moves", "drawn_pictures"),
    [
        ("carcassonne", 0, FEW_MOVES, False),
        *(_soak_case(game, seed) for game in ("carcassonne", "the-castle") for seed in (1, 2)),
    ],
    indirect=["drawn_pictures"],
)
async def test_nothing_readable_changes_until_publication(table: Table, game: str, seed: int, moves: int) -> None:
    """Compare everything that players and onlookers can read: it changes on publication, and not before."""
    await table.start(2, game=game)
    readers, random = table.actors[:3], Random(seed)
    for _ in range(moves):
        before, shown = [await readable_by(table, actor) for actor in readers], public_messages(table)
        member, _ = await make_move(table, seed=random.randint(0, 99))
        for actor, earlier in zip(readers, before, strict=True):
            now = await readable_by(table, actor)
            own = [MOVE_SUGGESTIONS] if actor.id == member else []
            assert differences(earlier, now) == own, "the move has leaked"
            assert not (own and now[MOVE_SUGGESTIONS]), "the next tile has leaked to the mover"
        assert public_messages(table) == shown
        await publish(table)
        after = await readable_by(table, readers[-1])
        assert all(files for _, files in after["board"])
        assert {"board", "log", "export"} <= {*differences(before[-1], after)}
