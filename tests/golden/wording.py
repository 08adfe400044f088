"""Write all texts of two whole games in one language, for proofreading: cards, panels, alt texts and the log.

The games are the same in all languages, so that their files in ``wordings/`` can be read side by side. Sentences that
differ from earlier ones only in names, numbers and cells are left out; the logs are complete.

Run ``python -m tests.golden.wording`` to update all files, ``python -m tests.golden.wording cs nl`` for two of them.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from discord import ui

from cogs.commands import table_options
from cogs.commands.board import panel_view as hints_view
from cogs.commands.info import face_down, tile_lines, tiles_summary
from cogs.commands.lobby import lobby_card
from cogs.commands.play import decision_panel, panel_view
from cogs.commands.table_options import OptionPanels, all_pages
from cogs.games.presenters import presenter_of
from cogs.panels.cards import final_card, turn_card
from cogs.panels.composer import compose
from cogs.panels.deciding import confirmation, done_text
from cogs.panels.hints import hint_panel
from cogs.presenting.ids import Op, parse_key
from cogs.presenting.presenter import Panel
from cogs.services.render_pool import RenderPool
from cogs.texts import t
from cogs.texts.languages import current_language, languages, speaking
from cogs.words.story import log_page, since_last
from engine import GAMES, Action, Position, Resign, Setup, begin, parse_action
from engine.events import Event
from host import Consequence, Lobby, LobbyState, LoggedAction, Moment, Preferences, Table, TableSettings, Times
from renderers import DAY
from tests.cogs.positions import NOW, game_of
from tests.discord_limits.components import Kind, walk
from tests.e2e.pictures import stub_pictures
from tests.e2e.screen import alt_texts
from tests.engine.carcassonne_games import SAMPLE_EXPANSIONS
from tests.engine.every_game import RANDOM_GAMES

PLAYED_GAMES = (("carcassonne", "7"), ("the-castle", "278"))
"""The games with seeds at which nearly every kind of action occurs."""
FOLDER = Path(__file__).parent / "wordings"
"""The folder of the files that are written."""
NAMES = ("Ana", "Ben", "Cleo")
"""The names of the players, by seat."""
RIVER_TILES, PILE_TILES = 12, 64
"""Tiles of the river, which come first, and tiles kept of the pile; later tiles add no new texts."""
RESIGNATION_POINT = 0.8
"""The fraction of the tiles after which a player resigns from a game of three."""
TURNS_BETWEEN_HINTS = 12
"""Hints are read once in so many turns."""
COMPASS = ("N", "E", "S", "W", "NE", "SE", "SW", "NW")
"""The directions whose words are left out when sentences are compared."""
TURN_DURATION = timedelta(hours=7)
"""The time that every turn takes."""
_SENTENCES = re.compile(r"(?<=[.!?]) +(?=\S)")
"""The spaces between two sentences."""
_PHRASES = re.compile(r"[.:;,!?] | [·+/] ")
"""The punctuation and spaces between two phrases of a sentence."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A played game: its moments, and one moment that spans the whole game."""

    setup: Setup
    moments: Sequence[Moment]
    whole: Moment

    @property
    def table(self) -> Table:
        """The table at the end."""
        return Table(self.whole.game, self.whole.after, self.whole.actions)


def play_whole_game(name: str, seed: str) -> PlayedGame:
    """Play a game by lively random moves, in which features are completed and many decisions come up."""
    game = GAMES[name]
    players = min(game.players[-1], len(NAMES))
    boxes = SAMPLE_EXPANSIONS if name == "carcassonne" else ()
    setup = game.new_setup(players=players, seed=seed, options=game.options(), expansions=boxes)
    setup = replace(setup, pile=setup.pile[:PILE_TILES])
    rng, start = Random(seed), begin(setup)
    position, log, events = start.copy(), list[LoggedAction](), list[Event]()
    before, reported = start.copy(), (0, 0)
    moments = [Moment(game_of(start, NAMES), start, start, (), ())]
    while not position.is_over:
        action = _action(position, rng)
        log.append(LoggedAction(position.ply, position.player, 100 + position.player, action, _time_of(position)))
        events += position.apply(action)
        if not presenter_of(position).turn.continues(position):
            after = position.copy()
            since = tuple(log[reported[0] :]), tuple(events[reported[1] :])
            moments.append(Moment(game_of(after, NAMES), before, after, *since))
            before, reported = after, (len(log), len(events))
    return PlayedGame(setup, moments, Moment(game_of(position, NAMES), start, position, tuple(log), tuple(events)))


def _action(position: Position, rng: Random) -> Action:
    """Return a random action; late in a game of three, a player resigns."""
    resigns = (
        position.players == len(NAMES)
        and position.turn > RESIGNATION_POINT * PILE_TILES
        and not any(position.withdrawn)
    )
    if resigns and position.hand is not None:
        return Resign(position.player)
    return RANDOM_GAMES[position.setup.game].lively_action(position, rng)


def _time_of(position: Position) -> Any:
    """Return the time at which a position was reached."""
    return NOW + position.turn * TURN_DURATION


class _ImmediatePool:
    """A fake render pool that draws immediately."""

    async def draw(self, render: Callable[[], Any]) -> Any:
        """Draw a picture."""
        return render()

    async def draw_newest(self, _: object, render: Callable[[], Any]) -> Any:
        """Draw a picture, whatever else is waiting."""
        return render()

    def warm_for(self, *_: object) -> None: ...


class NewTexts:
    """Collects texts, leaving out sentences that were collected before in the same words."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._known: set[str] = set()
        self._buttons: set[str] = set()
        directions = "|".join(sorted((t(f"compass.{name}") for name in COMPASS), key=len, reverse=True))
        directions_pattern = rf"\b(?:{directions})(?:{t('compass.to')}(?:{directions}))*\b"
        self._notation = re.compile(
            rf"{directions_pattern}|\b(?:{'|'.join(NAMES)})\b|\b[A-Z]{{1,2}}\d+\b|\b[A-Z]\b|[*()]|\d+"
        )

    def add(self, title: str, words: str = "", *, pictures: Iterable[str] = (), buttons: Iterable[str] = ()) -> None:
        """Add the new parts of a message: its words, alt texts of pictures, and labels of buttons."""
        lines = [new for line in words.splitlines() if (new := self._new(line))]
        lines += [f"*{new}*" for text in pictures if (new := self._new(text))]
        new_labels = [f"`{label}`" for label in buttons if self._is_new(self._shape(label), self._buttons)]
        lines += [" ".join(new_labels)] if new_labels else []
        if lines:
            self.lines += ["", f"#### {title}", "", *(f"{line}  " for line in lines)]

    def view(self, title: str, view: ui.LayoutView) -> None:
        """Add the new parts of a view."""
        parts = [part for _, part in walk(view.to_components())]
        words = "\n".join(part["content"] for part in parts if part["type"] == Kind.TEXT_DISPLAY)
        labels = [part["label"] for part in parts if part["type"] == Kind.BUTTON]
        self.add(title, words, pictures=alt_texts(view.to_components()), buttons=labels)

    def _new(self, line: str) -> str:
        """Return the sentences of a line that have a new phrase."""
        sentences = _SENTENCES.split(line)
        return " ".join(sentence for sentence in sentences if self._says_more(sentence))

    def _says_more(self, sentence: str) -> bool:
        """Return True if a phrase of the sentence is new; all of them count as known from then on."""
        new = [self._is_new(self._shape(phrase), self._known) for phrase in _PHRASES.split(sentence)]
        return any(new)

    def _shape(self, phrase: str) -> str:
        """Return a phrase without names, cells, directions and numbers."""
        return self._notation.sub("", phrase).strip(" .,:;-#")

    @staticmethod
    def _is_new(shape: str, known: set[str]) -> bool:
        """Return True if a shape has letters and was not known; remember it."""
        return bool(re.search(r"[^\W\d_]", shape)) and shape not in known and not known.add(shape)  # type: ignore[func-returns-value]


def _lobby(game: PlayedGame) -> Lobby:
    """Return the lobby in which a game could have been opened."""
    name = game.setup.game
    return Lobby(
        id=7,
        guild_id=1,
        channel_id=2,
        message_id=3,
        owner_id=game.whole.game.seats[0].user_id,
        game=name,
        capacity=game.setup.players,
        members=game.whole.game.seats[:-1],
        expansions=game.setup.expansions,
        options={option: values[-1] for option, values in GAMES[name].options.values().items()},
        settings=TableSettings(language=current_language()),
        state=LobbyState.OPEN,
        game_id=None,
        created_at=NOW,
        changed_at=NOW,
    )


class GameReader:
    """Collects all texts of a game in the order in which players see them."""

    def __init__(self, game: PlayedGame, script: NewTexts) -> None:
        self.game = game
        self.script = script
        self.presenter = presenter_of(game.whole.after)
        self.rng = Random(game.setup.seed)
        self.pool = cast("RenderPool", _ImmediatePool())

    async def read(self) -> None:
        """Collect the lobby, the turns, the final card and the log."""
        self._read_lobby()
        *moments, last = self.game.moments
        for number, moment in enumerate(moments):
            await self._card(moment, f"Turn {moment.after.turn}")
            log = tuple(entry for earlier in moments[: number + 1] for entry in earlier.actions)
            self._decision(Table(moment.game, moment.after, log), f"Turn {moment.after.turn}")
        card = await final_card(self.pool, self.presenter, last, self.game.whole, put_away=NOW)
        self.script.view("The end", card.view)
        self._log()

    def _read_lobby(self) -> None:
        """Collect the card of the lobby and the panels of its options."""
        lobby = _lobby(self.game)
        self.script.view("The table", lobby_card(lobby))
        panels = OptionPanels(self.presenter, lobby, lobby.owner_id)
        for page in all_pages(lobby):
            self.script.view(f"Its rules: {page}", panels.page(page))

    async def _card(self, moment: Moment, title: str) -> None:
        """Collect the card after a turn, and what a player reads who made the move."""
        left = (timedelta(hours=40),) * moment.after.players
        minutes = timedelta(minutes=moment.after.turn % 3)
        times = Times(moment.game.updated_at + TURN_DURATION, left, minutes)
        card = await turn_card(self.pool, self.presenter, moment, current=True, times=times)
        self.script.view(f"{title}: the card", card.view)
        outcome = Consequence(moment.game, moment.before.ply, moment.after.ply, moment.events, repeated=False)
        self.script.add(f"{title}: what it did", done_text(self.presenter, outcome))

    def _decision(self, table: Table, title: str) -> None:
        """Collect the panels in which the player to move decides."""
        game, position = table.game, table.position
        user = game.seats[position.player].user_id
        if self.presenter.offers(position):
            self._panel(f"{title}: a decision", table, decision_panel(self.presenter, game, position))
            for offer in self.presenter.offers(position):
                if offer.op is Op.ACT:
                    view = confirmation(self.presenter, table, user, [parse_action(offer.argument)])
                    self.script.view(f"{title}: to be confirmed", view)
            return
        self._composer(f"{title}: the panel", table)
        if position.turn % TURNS_BETWEEN_HINTS == 0:
            story = since_last(self.presenter, table, user, 700)
            self.script.add(f"{title}: the panel", t("panel.since", story=story))
            panel = hint_panel(self.presenter, game, position, position.player, DAY)
            self.script.view(f"{title}: hints", hints_view(game, game.revision, panel))
            left = face_down(position)
            words = "\n".join([tiles_summary(position, left), *tile_lines(position, left)])
            self.script.add(f"{title}: tiles left", words)

    def _composer(self, title: str, table: Table) -> None:
        """Collect the panels of up to four presses, until the move can be confirmed."""
        plan, preferences = "", Preferences()
        for _ in range(4):
            panel: Panel = compose(self.presenter, table.game, table.position, plan, preferences)
            self._panel(title, table, panel)
            buttons = [part for _, part in walk(panel_view("K7QF", 0, panel, []).to_components()) if part["type"] == 2]
            keys = [key for button in buttons if (key := parse_key(button["custom_id"])) is not None]
            next_plans = [key.argument for key in keys if key.op is Op.PLAN]
            if not next_plans or any(key.op is Op.GO for key in keys):
                return
            plan = self.rng.choice(next_plans)

    def _panel(self, title: str, table: Table, panel: Panel) -> None:
        """Collect a panel with its pictures."""
        game = table.game
        pictures = self.presenter.panel_pictures(game, table.position, panel, DAY)
        self.script.view(title, panel_view(game.code, game.revision, panel, pictures))

    def _log(self) -> None:
        """Collect the whole log, the oldest entry first."""
        page = log_page(self.presenter, self.game.table, 0, 10**6)
        self.script.lines += ["", "#### The log", ""]
        self.script.lines += [f"{line}  " for entry in page.lines[::-1] for line in entry.splitlines()]


def wording(language: str, games: Sequence[PlayedGame]) -> str:
    """Return the content of a language's file."""
    with speaking(language):
        script = NewTexts()
        script.lines.append(f"# {languages()[language].name}")
        for game in games:
            script.lines += ["", f"## {t(f'rulebook.game.{game.setup.game}')}"]
            asyncio.run(GameReader(game, script).read())
    return "\n".join(script.lines) + "\n"


def play_whole_games(patch: pytest.MonkeyPatch) -> list[PlayedGame]:
    """Play the games without drawing, and offer only their expansions while ``patch`` is active."""
    stub_pictures(patch)
    game = replace(GAMES["carcassonne"], expansions=SAMPLE_EXPANSIONS)
    patch.setattr(table_options, "GAMES", {**GAMES, game.name: game})
    return [play_whole_game(*game_and_seed) for game_and_seed in PLAYED_GAMES]


def main(codes: Sequence[str]) -> None:
    """Write the files of these languages, or of all of them."""
    with pytest.MonkeyPatch.context() as patch:
        games = play_whole_games(patch)
        for code in codes or languages():
            (FOLDER / f"{code}.md").write_text(wording(code, games), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
