"""Whole games in the pseudo-language (`tests/pseudo_language.py`), which reveals hard-coded and truncated texts.

Its texts stand in brackets; outside of them only names, numbers and notation are allowed, in pictures, too.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cogs.presenting.ids import Op
from cogs.texts.languages import offered_languages
from host import naming
from tests.discord_limits.recorder import Recorder
from tests.e2e.accessibility import accessibility_problems
from tests.e2e.locales import use_locale
from tests.e2e.player import Clicker, Habits
from tests.e2e.screen import Button, buttons, localized
from tests.e2e.table import NAMES, Table, open_table
from tests.e2e.test_full_games import play
from tests.e2e.test_traders_builders import BuilderPlayer
from tests.pseudo_language import (
    OPENING_BRACKET,
    PSEUDO_CODE,
    PSEUDO_LOCALE,
    install_pseudo_language,
    text_outside_brackets,
)

pytestmark = pytest.mark.long

TEXT_KEYS = frozenset({"content", "label", "description", "placeholder", "title", "name"})
"""Keys of payloads whose values are texts."""
ID_KEYS = frozenset({"custom_id", "value", "filename", "nonce"})
"""Keys of payloads whose values are identifiers."""
COMMANDS: Sequence[tuple[str, dict[str, Any]]] = (
    *((name, {}) for name in ("play", "board", "tiles", "log", "games", "hints", "settings", "vacation", "notes")),
    *((name, {}) for name in ("undo", "manage", "resign", "time keep", "here", "replay", "export", "time give")),
    ("log", {"since": True}),
    ("tiles", {"words": True}),
    ("time pause", {"days": 3}),
    ("time pause", {"days": 999}),
    ("time resume", {}),
    ("time remind", {"hours": 5}),
    ("time remind", {"hours": 0}),
    ("notes", {"write": "M12"}),
    ("settings", {"choose": "M12"}),
    ("settings", {"quiet": "M12"}),
    ("vacation", {"first": "2030-07-14"}),
    ("play", {"move": "M12"}),
    ("board", {"game": "ZZZZ"}),
    ("new", {"game": "the-castle", "players": 3}),
)
"""Commands that are sent, with their options."""
EXCLUDED_OPS = (Op.RESIGN, Op.CLOSE, Op.RULE, Op.RULES, Op.LEAVE)
"""Operations that would end the game or leave the panel."""
MAX_PRESSES = 40
"""Buttons of one panel that are followed."""
_LANGUAGES = [language.name for language in offered_languages()]  # each language is listed by its own name
_PROPER = "|".join([*NAMES, *_LANGUAGES, *naming._FIRST_WORDS, *naming._SECOND_WORDS])
"""Names, of which none is translated."""
_NOTATION = re.compile(
    "|".join(
        (
            r"`[^`]*`|<[^<>]*>|https://\S+|\bUTC\b",  # commands, mentions, links, time zones
            rf"\b({_PROPER})\b|\b[B-Z][B-Z2-9]{{3}}\b",  # names, codes of games
            r"\b[A-Z]{1,2}\d+\b|\b[A-Z]\b",  # cells, lots, letters of spots
            r"\b[NESW]{1,2}\b",  # directions
            r"\b[A-Z]{2}-\d+\w?\b",  # rules
            r"\boch\b",  # the conjunction of the pseudo-language's locale
        )
    )
)
"""Everything that may stand outside brackets."""


@pytest.fixture(autouse=True)
def _pseudo_language() -> Iterator[None]:
    """Give all members, and so their tables, the pseudo-language."""
    with install_pseudo_language(), use_locale(PSEUDO_CODE, PSEUDO_LOCALE):
        yield


def sent_texts(payload: object, name: str = "", keys: Collection[str] = TEXT_KEYS) -> Iterator[str]:
    """Yield all texts of a payload."""
    if isinstance(payload, dict):
        for key, value in payload.items():
            yield from sent_texts(value, key, keys)
    elif isinstance(payload, list):
        for value in payload:
            yield from sent_texts(value, name, keys)
    elif isinstance(payload, str) and name in keys:
        yield payload


def untranslated_part(text: str) -> str:
    """Return the part of a text outside the brackets, or the whole text if a bracket is missing."""
    try:
        rest = _NOTATION.sub("", text_outside_brackets(text))
    except ValueError:
        return text
    return rest if re.search(r"[^\W\d_]", rest) else ""


def check_language(recorder: Recorder) -> None:
    """Check that everything sent keeps Discord's limits and is in the pseudo-language."""
    texts = {text for request in recorder.requests if request.method != "PUT" for text in sent_texts(request.payload)}
    untranslated = [f"{part!r} in {text!r}" for text in sorted(texts) if (part := untranslated_part(text))]
    assert not untranslated, "\n".join(untranslated)
    assert [*recorder.problems(), *accessibility_problems(recorder)] == []


@pytest.mark.soak
async def test_a_game_with_all_expansions_is_translated(tmp_path: Path, recorder: Recorder, no_drawing: None) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="every box 5") as table:
        await table.start(4, expansions="all")
        await play(table, 5, player=BuilderPlayer)
        check_language(recorder)


@pytest.mark.usefixtures("game_length")
async def test_a_game_of_the_castle_is_translated(tmp_path: Path, recorder: Recorder, no_drawing: None) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="game 12") as table:
        await table.start(2, game="the-castle")
        await play(table, 12, latest=100)
        check_language(recorder)


def check_stored(folder: Path, recorder: Recorder, log: str) -> None:
    """Check that no translated text is in the database, in identifiers, or in the operator's log."""
    for file in folder.glob("games.sqlite3*"):
        assert OPENING_BRACKET.encode() not in file.read_bytes(), file
    assert OPENING_BRACKET not in log
    identifiers = {
        text
        for request in recorder.requests
        if request.method != "PUT"
        for text in sent_texts(request.payload, keys=ID_KEYS)
    }
    assert identifiers
    assert not [text for text in identifiers if OPENING_BRACKET in text]


@pytest.mark.parametrize("readers", [1, pytest.param(2, marks=pytest.mark.soak)])
async def test_every_panel_is_translated(
    tmp_path: Path, recorder: Recorder, no_drawing: None, caplog: pytest.LogCaptureFixture, readers: int
) -> None:
    """Check all panels beside a game, the panels behind their buttons, refusals and suggestions."""
    caplog.set_level("INFO", "cogs")
    async with open_table(tmp_path / "games.sqlite3", seed="panels", usual_pace="standard") as table:
        first = table.actors[0]
        await first.slash(table.channel, "carc new", players=4, expansions="all")
        await open_all_pages(
            table, first.id, await first.click(table.channel.last_message, label=localized("button.ruling"))
        )
        await open_all_pages(
            table, first.id, await first.click(table.channel.last_message, label=localized("button.seats"))
        )
        await table.start(3, expansions="all")
        clicker = Clicker(table, Random(3), Habits(quick=True))
        for _ in range(12):
            await clicker.move(table.card())
        card = table.card()
        for member in table.actors[:2]:
            for button in buttons(card.components):
                if button.key.op is not Op.RULES:
                    await table.press(member.id, card, button.custom_id)
        for member in table.actors[:readers]:
            for command, options in COMMANDS:
                answer = await member.slash(table.place, f"carc {command}", **options)
                if answer.modal is None:
                    await open_all_pages(table, member.id, answer)
            for command, option in (("play", "move"), ("play", "game"), ("settings", "choose"), ("new", "rules")):
                await member.autocomplete(table.place, f"carc {command}", option, "")
        check_language(recorder)
        check_stored(tmp_path, recorder, caplog.text)


def _is_excluded(button: Button) -> bool:
    """Return whether a button ends the game, opens the rules, or changes the language."""
    return button.key.op in EXCLUDED_OPS or "language" in button.key.argument


async def open_all_pages(table: Table, member: int, answer: Any) -> None:
    """Press all buttons of a panel and of the panels that follow, once each, except the excluded ones."""
    panel, seen = table.shown(answer), set[str]()
    while remaining := [b for b in buttons(panel.components) if b.custom_id not in seen and not _is_excluded(b)]:
        seen.add(remaining[0].custom_id)
        shown = await table.press(member, panel, remaining[0].custom_id)
        panel = panel if shown.modal else shown
        if len(seen) > MAX_PRESSES:
            break
