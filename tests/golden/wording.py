"""Everything that players of two whole games read, as text: cards, panels, alt texts and the log, in one language.

The games are the same in all languages, so their files in ``wordings/`` can be read side by side. What has been said
before in the same words, but for names, numbers and cells, is left out; only the logs stand there whole.

``python -m tests.golden.wording`` writes the files anew, ``python -m tests.golden.wording cs nl`` only these two.
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
from cogs.texts.languages import languages, speaking, spoken
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

GAMES_READ = (("carcassonne", "7"), ("the-castle", "278"))
"""With these seeds almost everything happens that may."""
FOLDER = Path(__file__).parent / "wordings"
NAMES = ("Ana", "Ben", "Cleo")
RIVER, TILES = 12, 64
"""Tiles of the river, which come first; of the pile, without those that bring no new words any more."""
LEAVES = 0.8
"""The fraction of its tiles after which a player leaves a game of three."""
HINTS_EVERY = 12
"""Turns."""
COMPASS = ("N", "E", "S", "W", "NE", "SE", "SW", "NW")
DAY_OF_PLAY = timedelta(hours=7)
_SENTENCES = re.compile(r"(?<=[.!?]) +(?=\S)")
_PHRASES = re.compile(r"[.:;,!?] | [·+/] ")


@dataclass(frozen=True, slots=True)
class Played:
    """A game as it was played: its moves, each with the log so far."""

    setup: Setup
    moments: Sequence[Moment]
    whole: Moment

    @property
    def table(self) -> Table:
        """The table at the end."""
        return Table(self.whole.game, self.whole.after, self.whole.actions)


def played(name: str, seed: str) -> Played:
    """A game with all that belongs to it, in which features are completed and much is decided."""
    game = GAMES[name]
    players = min(game.players[-1], len(NAMES))
    boxes = SAMPLE_EXPANSIONS if name == "carcassonne" else ()
    setup = game.new_setup(players=players, seed=seed, options=game.options(), expansions=boxes)
    setup = replace(setup, pile=setup.pile[:TILES])
    chance, begun = Random(seed), begin(setup)
    position, log, events = begun.copy(), list[LoggedAction](), list[Event]()
    before, told = begun.copy(), (0, 0)
    moments = [Moment(game_of(begun, NAMES), begun, begun, (), ())]
    while not position.is_over:
        action = _action(position, chance)
        log.append(LoggedAction(position.ply, position.player, 100 + position.player, action, _when(position)))
        events += position.apply(action)
        if not presenter_of(position).turn.continues(position):
            after = position.copy()
            since = tuple(log[told[0] :]), tuple(events[told[1] :])
            moments.append(Moment(game_of(after, NAMES), before, after, *since))
            before, told = after, (len(log), len(events))
    return Played(setup, moments, Moment(game_of(position, NAMES), begun, position, tuple(log), tuple(events)))


def _action(position: Position, chance: Random) -> Action:
    leaves = position.players == len(NAMES) and position.turn > LEAVES * TILES and not any(position.withdrawn)
    if leaves and position.hand is not None:
        return Resign(position.player)
    return RANDOM_GAMES[position.setup.game].lively_action(position, chance)


def _when(position: Position) -> Any:
    return NOW + position.turn * DAY_OF_PLAY


class _Pool:
    """A render pool that draws at once."""

    async def draw(self, made: Callable[[], Any]) -> Any:
        return made()

    async def draw_newest(self, _: object, made: Callable[[], Any]) -> Any:
        return made()

    def warm_for(self, *_: object) -> None: ...


class Script:
    """Return what is read, without what was read before in the same words."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._known: set[str] = set()
        self._buttons: set[str] = set()
        directions = "|".join(sorted((t(f"compass.{name}") for name in COMPASS), key=len, reverse=True))
        ways = rf"\b(?:{directions})(?:{t('compass.to')}(?:{directions}))*\b"
        self._notation = re.compile(rf"{ways}|\b(?:{'|'.join(NAMES)})\b|\b[A-Z]{{1,2}}\d+\b|\b[A-Z]\b|[*()]|\d+")

    def tell(self, title: str, words: str = "", *, pictures: Iterable[str] = (), buttons: Iterable[str] = ()) -> None:
        """Return the new parts of a message: its words, alt texts of pictures, and labels of buttons."""
        lines = [new for line in words.splitlines() if (new := self._new(line))]
        lines += [f"*{new}*" for text in pictures if (new := self._new(text))]
        pressed = [f"`{label}`" for label in buttons if self._is_new(self._shape(label), self._buttons)]
        lines += [" ".join(pressed)] if pressed else []
        if lines:
            self.lines += ["", f"#### {title}", "", *(f"{line}  " for line in lines)]

    def view(self, title: str, view: ui.LayoutView) -> None:
        """Return the new parts of a view."""
        parts = [part for _, part in walk(view.to_components())]
        words = "\n".join(part["content"] for part in parts if part["type"] == Kind.TEXT_DISPLAY)
        labels = [part["label"] for part in parts if part["type"] == Kind.BUTTON]
        self.tell(title, words, pictures=alt_texts(view.to_components()), buttons=labels)

    def _new(self, line: str) -> str:
        """Those sentences of a line in which something is said that has not been said."""
        sentences = _SENTENCES.split(line)
        return " ".join(sentence for sentence in sentences if self._says_more(sentence))

    def _says_more(self, sentence: str) -> bool:
        new = [self._is_new(self._shape(phrase), self._known) for phrase in _PHRASES.split(sentence)]
        return any(new)

    def _shape(self, phrase: str) -> str:
        return self._notation.sub("", phrase).strip(" .,:;-#")

    @staticmethod
    def _is_new(shape: str, known: set[str]) -> bool:
        return bool(re.search(r"[^\W\d_]", shape)) and shape not in known and not known.add(shape)  # type: ignore[func-returns-value]


def _lobby(game: Played) -> Lobby:
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
        settings=TableSettings(language=spoken()),
        state=LobbyState.OPEN,
        game_id=None,
        created_at=NOW,
        changed_at=NOW,
    )


class Reading:
    """Reads a game to its end as its players do."""

    def __init__(self, game: Played, script: Script) -> None:
        self.game = game
        self.script = script
        self.presenter = presenter_of(game.whole.after)
        self.chance = Random(game.setup.seed)
        self.pool = cast("RenderPool", _Pool())

    async def read(self) -> None:
        """All of it: the table, the game, its end, the log."""
        self._gathering()
        *moments, last = self.game.moments
        for number, moment in enumerate(moments):
            await self._card(moment, f"Turn {moment.after.turn}")
            log = tuple(entry for earlier in moments[: number + 1] for entry in earlier.actions)
            self._decision(Table(moment.game, moment.after, log), f"Turn {moment.after.turn}")
        card = await final_card(self.pool, self.presenter, last, self.game.whole, put_away=NOW)
        self.script.view("The end", card.view)
        self._log()

    def _gathering(self) -> None:
        lobby = _lobby(self.game)
        self.script.view("The table", lobby_card(lobby))
        panels = OptionPanels(self.presenter, lobby, lobby.owner_id)
        for page in all_pages(lobby):
            self.script.view(f"Its rules: {page}", panels.page(page))

    async def _card(self, moment: Moment, title: str) -> None:
        left = (timedelta(hours=40),) * moment.after.players
        minutes = timedelta(minutes=moment.after.turn % 3)
        times = Times(moment.game.updated_at + DAY_OF_PLAY, left, minutes)
        card = await turn_card(self.pool, self.presenter, moment, current=True, times=times)
        self.script.view(f"{title}: the card", card.view)
        outcome = Consequence(moment.game, moment.before.ply, moment.after.ply, moment.events, repeated=False)
        self.script.tell(f"{title}: what it did", done_text(self.presenter, outcome))

    def _decision(self, table: Table, title: str) -> None:
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
        if position.turn % HINTS_EVERY == 0:
            story = since_last(self.presenter, table, user, 700)
            self.script.tell(f"{title}: the panel", t("panel.since", story=story))
            panel = hint_panel(self.presenter, game, position, position.player, DAY)
            self.script.view(f"{title}: hints", hints_view(game, game.revision, panel))
            left = face_down(position)
            words = "\n".join([tiles_summary(position, left), *tile_lines(position, left)])
            self.script.tell(f"{title}: tiles left", words)

    def _composer(self, title: str, table: Table) -> None:
        """Some presses in the panel of a turn, until the move could be made."""
        plan, wishes = "", Preferences()
        for _ in range(4):
            panel: Panel = compose(self.presenter, table.game, table.position, plan, wishes)
            self._panel(title, table, panel)
            buttons = [part for _, part in walk(panel_view("K7QF", 0, panel, []).to_components()) if part["type"] == 2]
            keys = [key for button in buttons if (key := parse_key(button["custom_id"])) is not None]
            onward = [key.argument for key in keys if key.op is Op.PLAN]
            if not onward or any(key.op is Op.GO for key in keys):
                return
            plan = self.chance.choice(onward)

    def _panel(self, title: str, table: Table, panel: Panel) -> None:
        game = table.game
        pictures = self.presenter.panel_pictures(game, table.position, panel, DAY)
        self.script.view(title, panel_view(game.code, game.revision, panel, pictures))

    def _log(self) -> None:
        page = log_page(self.presenter, self.game.table, 0, 10**6)
        self.script.lines += ["", "#### The log", ""]
        self.script.lines += [f"{line}  " for entry in page.lines[::-1] for line in entry.splitlines()]


def wording(language: str, games: Sequence[Played]) -> str:
    """The text of a language's file."""
    with speaking(language):
        script = Script()
        script.lines.append(f"# {languages()[language].name}")
        for game in games:
            script.lines += ["", f"## {t(f'rulebook.game.{game.setup.game}')}"]
            asyncio.run(Reading(game, script).read())
    return "\n".join(script.lines) + "\n"


def games_read(patch: pytest.MonkeyPatch) -> list[Played]:
    """The games, for as long as the patch holds: nothing is drawn, and only the boxes are offered that they play."""
    stub_pictures(patch)
    game = replace(GAMES["carcassonne"], expansions=SAMPLE_EXPANSIONS)
    patch.setattr(table_options, "GAMES", {**GAMES, game.name: game})
    return [played(*each) for each in GAMES_READ]


def main(named: Sequence[str]) -> None:
    """Write the files of these languages, or of all."""
    with pytest.MonkeyPatch.context() as patch:
        games = games_read(patch)
        for code in named or languages():
            (FOLDER / f"{code}.md").write_text(wording(code, games), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
