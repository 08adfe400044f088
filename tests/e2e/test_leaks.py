"""After every confirmed move all that anybody can read or see is what it was until it is published.

But for the panel of who has made it. Files are compared byte for byte, and the pictures that are drawn in the long form
pixel by pixel.
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

from cogs.presenting.ids import Op
from tests.discord_limits.recorder import Recorder
from tests.e2e.pictures import MIN_DRAWN_BYTES, stub_pictures
from tests.e2e.player import Shown, button_for
from tests.e2e.table import Table, open_table, wait_until_posted
from tests.e2e.test_undo import moved
from tests.renderers.looking import drawn_in

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("random_language")]

READING: Mapping[str, tuple[Mapping[str, Any], ...]] = {
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
"""What tells something, with which options; a film is of games that are over."""
DOING = frozenset(
    {"new", "play", "undo", "resign", "here", "manage", "import", "replay", "absent", "remind", "keep"}
    | {"time give", "time pause", "time resume", "time end"}
)
"""What does something, or asks to."""
TYPED = (("play", "move"), ("board", "words"), ("board", "game"), ("log", "game"))
"""What is completed while it is typed."""
PNG = b"\x89PNG"
MOVES = "play move …"
_PLACES = re.compile(r"attachments/\d+/\d+/|\"attachment_id\": \"\d+\"")
"""Where Discord keeps a file: another place each time."""
SHORT, LONG = 1, 12
"""Moves."""


@pytest.fixture
def draws(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether pictures are drawn: in the long form."""
    if not getattr(request, "param", False):
        stub_pictures(monkeypatch)


@pytest.fixture
async def table(tmp_path: Path, recorder: Recorder, draws: None) -> AsyncIterator[Table]:
    """Members whose moves wait for a minute."""
    async with open_table(tmp_path / "games.sqlite3", seed="one", publish_window=timedelta(seconds=60)) as table:
        yield table
    assert recorder.problems() == []


def commands(table: Table) -> Iterator[str]:
    """All below ``/carc``."""
    group = next(command for command in table.bot.tree.get_commands() if command.name == "carc")
    for command in group.walk_commands():  # type: ignore[union-attr]
        if not hasattr(command, "walk_commands"):
            yield command.qualified_name.removeprefix("carc ")


def told(table: Table, result: simcord.InteractionResult) -> list[tuple[str, list[bytes]]]:
    """All of an answer: its parts as Discord has them, and the bytes of its files, of pictures what they show."""
    answers = []
    for message in [*result.followups, *([result.response] if result.response else [])]:
        stored = table.env.backend.get_message(message.channel_id, message.id)
        files = [table.env.backend.cdn.get(entry["url"]) or b"" for entry in stored.attachments]
        files = [drawn_in(file) if file.startswith(PNG) and len(file) > MIN_DRAWN_BYTES else file for file in files]
        answers.append((_PLACES.sub("", json.dumps([stored.content, stored.components])), files))
    return answers


async def read(table: Table, actor: simcord.MemberActor) -> dict[str, Any]:
    """All that somebody can read, and all that is offered while he types."""
    table.bot.pace._free_at.clear()  # nobody has to wait a while
    table.bot.host.shares._free_at.clear()
    found: dict[str, Any] = {}
    for command, options in ((command, options) for command, ways in READING.items() for options in ways):
        answered = await actor.slash(table.place, f"carc {command}", **options)
        found[" ".join([command, *options])] = told(table, answered)
    for command, option in TYPED:
        found[f"{command} {option} …"] = await actor.autocomplete(table.place, f"carc {command}", option, "")
    return found


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What is answered otherwise."""
    return [name for name in before if before[name] != after[name]]


def public(table: Table) -> list[str]:
    """All that stands in the thread."""
    return [json.dumps(card.components) for card in table.cards()]


async def published(table: Table, member: int, panel: Shown) -> None:
    await table.press(member, panel, button_for(panel, Op.PUBLISH).custom_id)
    await wait_until_posted(table)


async def test_every_command_is_known_to_read_or_to_do_something(table: Table) -> None:
    assert {*commands(table)} == READING.keys() | DOING
    assert not READING.keys() & DOING


def _whole(game: str, seed: int) -> Any:
    return pytest.param(game, seed, LONG, True, marks=pytest.mark.soak)


@pytest.mark.parametrize(
    ("game", "seed", "moves", "draws"),
    [
        ("carcassonne", 0, SHORT, False),
        *(_whole(game, seed) for game in ("carcassonne", "the-castle") for seed in (1, 2)),
    ],
    indirect=["draws"],
)
async def test_nothing_that_can_be_read_changes_until_publication(
    table: Table, game: str, seed: int, moves: int
) -> None:
    """Of the players and of who looks on; then it does."""
    await table.start(2, game=game)
    readers, random = table.actors[:3], Random(seed)
    for _ in range(moves):
        before, shown = [await read(table, actor) for actor in readers], public(table)
        member, panel = await moved(table, seed=random.randint(0, 99))
        for actor, known in zip(readers, before, strict=True):
            now = await read(table, actor)
            own = [MOVES] if actor.id == member else []
            assert changed(known, now) == own, "nobody is told of it"
            assert not (own and now[MOVES]), "nor the next tile to who has moved"
        assert public(table) == shown
        await published(table, member, panel)
        after = await read(table, readers[-1])
        assert all(files for _, files in after["board"])
        assert {"board", "log", "export"} <= {*changed(before[-1], after)}
