"""Create a database with games at every kind of step, and a JSON file of the Discord server that goes with it.

``python -m tests.stored.make`` plays the games of ``wanted.py`` through the bot that is checked out, on an offline
Discord. README.md in the same folder describes both files.
"""

from __future__ import annotations

import asyncio
import json
import logging
import lzma
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
import simcord
from simcord.backend.models import Message

from cogs.client import CastellanBot
from cogs.games.presenters import presenter_of
from cogs.texts import t
from engine import Action, Position
from host import Consequence, Host, HostSettings, Preferences
from store import Store
from tests.e2e.pictures import stub_pictures
from tests.e2e.player import Shown
from tests.e2e.screen import Kind, buttons, buttons_by_kind
from tests.e2e.stored_games import StoredGame
from tests.e2e.table import NAMES, SETTLE_SECONDS, Table, close_bot
from tests.engine.every_game import RANDOM_GAMES
from tests.host.people import SettableClock
from tests.stored.wanted import ALL_BOXES, OTHERS, RUNNING, WantedGame

FOLDER = Path(__file__).parent
DATABASE_FILE = FOLDER / "every-step-2026-11-22.sql.xz"
DISCORD_FILE = FOLDER / "every-step-2026-11-22.json.xz"
START = datetime(2026, 11, 22, 12, tzinfo=UTC)
MOVE_SECONDS = 90.0
"""Seconds between two moves."""


COMPOSER_PATHS: tuple[tuple[Kind, ...], ...] = (
    (),
    (Kind.SPOT,),
    (Kind.SPOT, Kind.FOLLOWER),
    (Kind.SPOT, Kind.ROTATE),
    (Kind.PAGE,),
    (Kind.SPOT, Kind.FOLLOWER, Kind.BACK),
)
"""The controls of the composer that players of successive games press, in this order."""


@dataclass
class Recorder:
    """Plays games through the bot and records the buttons that Discord showed."""

    table: Table
    host: Host
    clock: SettableClock
    seeds: list[str]
    """The seed of the next game, as the only element."""
    custom_ids: dict[int, list[str]] = field(default_factory=dict)
    """The custom ids of all buttons that each message ever had, by message id."""
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The step and state that each game was made for, by code."""
    connected: bool = True
    """Discord accepts posts; false once the bot is shut down."""

    def record_buttons(self) -> None:
        """Record the buttons that all messages have now."""
        for message in self.messages():
            known = self.custom_ids.setdefault(message.id, [])
            known += [it.custom_id for it in buttons(message.components) if it.custom_id not in known]

    def messages(self) -> Iterator[Message]:
        """Yield all messages of the server."""
        for channel in self.table.env.backend.messages.values():
            yield from channel.values()

    async def settle(self) -> None:
        """Wait until the bot is idle, then record the buttons."""
        await self.table.env.settle()
        self.record_buttons()

    # -- games --------------------------------------------------------------------------------------------------

    async def play(self, wanted: WantedGame) -> str:
        """Start a game and play it to the wanted step; return its code."""
        self.seeds[:] = [f"stored {wanted.seed}"]
        options = {"game": wanted.game, **wanted.options}
        if wanted.game == "carcassonne" and "expansions" not in options:
            options["expansions"] = ALL_BOXES
        await self.table.start(wanted.players, **options)
        await self.settle()
        stored = self.table.stored()
        position, rng = stored.replayed(), Random(wanted.seed)
        while not _is_reached(position, wanted):
            await self._move(stored.code, stored.seats, position, rng, wanted)
        self.facts[stored.code] = {"about": wanted.about, "step": wanted.step, "game": wanted.game}
        return stored.code

    async def one_more(self, code: str) -> None:
        """Make one more move of the player to move."""
        table = await self.host.games.table(code)
        users = [person.user_id for person in table.game.seats]
        await self._move(code, users, table.position, Random(code), WantedGame("never"))

    async def _move(self, code: str, users: Sequence[int], position: Position, rng: Random, wanted: WantedGame) -> None:
        """Make a move, complete unless the wanted step comes earlier."""
        lively, presenter = RANDOM_GAMES[position.setup.game].lively_action, presenter_of(position)
        user, ply = users[position.player], position.ply
        actions = [_apply(position, lively(position, rng))]
        while presenter.turn.continues(position) and not _is_reached(position, wanted):
            actions.append(_apply(position, lively(position, rng)))
        self.clock.advance(MOVE_SECONDS)
        self.table.env.backend.advance_clock(MOVE_SECONDS)
        click = self.table.env.backend.snowflake()
        outcome = await self.host.moves.act(code, user, ply, actions, click)
        await self._show(outcome)

    async def _show(self, outcome: Consequence) -> None:
        """Let the bot post the card of a move, if it is connected."""
        if self.connected:
            self.table.bot.publisher.move_made(outcome)
            await self.settle()

    # -- further actions --------------------------------------------------------------------------------------------

    async def resign(self, stored: StoredGame) -> None:
        """Let one of the players who are not to move resign."""
        position = stored.replayed()
        seat = (position.player + 1) % position.players
        await self._show(
            await self.host.moves.resign(stored.code, stored.seats[seat], self.table.env.backend.snowflake())
        )

    async def use_panels(self, codes: Sequence[str]) -> None:
        """Let the player to move of each game open the composer and press some of its controls."""
        for number, code in enumerate(codes):
            game = await self.host.games.get(code)
            person = game.person_to_act
            assert person is not None
            careful = (await self.host.preferences.get(person.user_id)).confirm
            card = self.newest(game.thread_id or game.channel_id)
            offered = buttons_by_kind(card.components)
            first = next(kind for kind in (Kind.PLAY, Kind.LOT, Kind.ACT) if kind in offered)
            if first is Kind.ACT and not careful:
                continue  # the action would be applied at once
            panel = await self.table.press(person.user_id, card, offered[first][0].custom_id)
            for kind in COMPOSER_PATHS[number % len(COMPOSER_PATHS)] if first is Kind.PLAY else ():
                planned = [it for it in buttons_by_kind(panel.components).get(kind, ()) if it.key.op == "plan"]
                if planned:
                    self.record_buttons()
                    panel = await self.table.press(person.user_id, panel, planned[0].custom_id)
            self.record_buttons()

    async def press_other_buttons(self, code: str) -> None:
        """Press every button of a card that does not belong to the decision."""
        game = await self.host.games.get(code)
        place = game.thread_id or game.channel_id
        for button in buttons_by_kind(self.newest(place).components)[Kind.ASIDE]:
            person = game.seats[0]
            await self.table.members[person.user_id].click(self.newest(place).handle, custom_id=button.custom_id)
            self.record_buttons()

    async def use_commands(self, member: int, *commands: str) -> None:
        """Let a member use slash commands."""
        for command in commands:
            await self.table.actors[member].slash(self.table.channel, command)
            self.record_buttons()

    def newest(self, place: int) -> Shown:
        """Return the newest public message with buttons in a channel or thread."""
        stored = self.table.env.backend.messages[place].values()
        message = [it for it in stored if it.visible_to(None) and buttons(it.components)][-1]
        return Shown(simcord.ResponseMessage(self.table.env, message), message.components)

    async def open_lobbies(self) -> None:
        """Open one lobby that waits for players and one that is full, each with its panels."""
        ana, ben, cleo, dan, *_ = self.table.actors
        await ana.slash(self.table.channel, "carc new", players=4, expansions=ALL_BOXES, rules="c2_hig")
        waiting = self.newest(self.table.channel.id)
        await cleo.click(waiting.handle, label=t("button.join"))
        await ben.slash(self.table.channel, "carc new", players=2, game="the-castle")
        full = self.newest(self.table.channel.id)
        await dan.click(full.handle, label=t("button.join"))
        self.record_buttons()
        for owner, card in ((ana, waiting), (ben, full)):
            for button in buttons(card.components):
                if button.key.op in {"ruling", "seats"}:
                    await owner.click(card.handle, custom_id=button.custom_id)
        self.record_buttons()

    # -- the files ---------------------------------------------------------------------------------------------

    async def summary(self, code: str) -> dict[str, Any]:
        """Return the state of a game in a form that a test can compare."""
        position = (await self.host.games.table(code)).position
        texts = sorted(map(str, position.legal_actions)) if position.step else []
        hashed = sha256("\n".join(texts).encode()).hexdigest()[:16]
        offer = [position.ply, position.player, list(position.scores), len(texts), hashed]
        known = self.facts[code]
        assert known["about"] or known["step"] == type(position.step).__name__, "a panel must not play on"
        return {**known, "offer": offer}

    def world(self) -> dict[str, Any]:
        """Return the parts of the server that a test has to rebuild. Messages without buttons are ids only."""
        backend, guild = self.table.env.backend, self.table.channel.guild
        assert guild is not None
        threads = [channel for channel in backend.channels.values() if channel.is_thread]
        return {
            "guild": guild.id,
            "channel": self.table.channel.id,
            "users": [[actor.id, self.table.name_of(actor)] for actor in self.table.actors],
            "threads": [[thread.id, thread.name] for thread in threads],
            "messages": [self._message_data(message) for message in self.messages() if self.custom_ids.get(message.id)],
        }

    def _message_data(self, message: Message) -> dict[str, Any]:
        data: dict[str, Any] = {"id": message.id, "channel": message.channel_id, "shown": self.custom_ids[message.id]}
        if buttons(message.components):
            for name in ("flags", "timestamp", "components", "attachments", "interaction_metadata"):
                data[name] = getattr(message, name)
        return data


def _is_reached(position: Position, wanted: WantedGame) -> bool:
    """Return whether a game waits at the wanted step and has enough actions."""
    name = type(position.step).__name__ if position.step else ""
    return name == wanted.step and position.ply >= wanted.ply


def _apply(position: Position, action: Action) -> Action:
    position.apply(action)
    return action


async def write(folder: Path) -> None:
    """Play all games, stop in the middle of everything, and write both files."""
    clock, seeds = SettableClock(START), [""]
    database = folder / "games.sqlite3"
    store = await Store.open(str(database))
    host = Host(store, clock=clock, settings=HostSettings(new_seed=lambda: seeds[0], publish_window=timedelta(0)))
    await host.start()
    bot = CastellanBot(host)
    env = simcord.Env(bot, settle_timeout=SETTLE_SECONDS)
    await env.start()
    guild = env.create_guild("The Village")
    channel = guild.create_text_channel("carcassonne")
    users = [env.create_user(f"member{number}", global_name=name) for number, name in enumerate(NAMES)]
    members = {user.id: guild.add_member(user) for user in users}
    recorder = Recorder(Table(env, channel, members, database, "", bot, {}, users), host, clock, seeds)
    await host.preferences.set(users[1].id, Preferences(confirm=False))
    await host.preferences.set(users[2].id, Preferences(choices={"theme": "night"}))
    running = [await recorder.play(wanted) for wanted in RUNNING]
    others = {}
    for wanted in OTHERS:
        code = await recorder.play(wanted)
        others.setdefault(wanted.about, code)
        if wanted.about == "resigned":
            await recorder.resign(recorder.table.stored())
    await recorder.open_lobbies()
    await recorder.use_panels(running)
    await recorder.press_other_buttons(running[0])
    await recorder.press_other_buttons(others["finished"])
    await recorder.use_commands(0, "carc games", "carc settings", "carc rules", "carc hints")
    await leave_unsent(recorder, others)
    world = recorder.world()
    summaries = {code: await recorder.summary(code) for code in recorder.facts}
    await close_bot(bot)
    await store.close()
    discord = {"version": version(), "now": clock.now().isoformat(), "games": summaries, **world}
    DISCORD_FILE.write_bytes(lzma.compress(json.dumps(discord, ensure_ascii=False).encode(), preset=9))
    with closing(sqlite3.connect(database)) as file:
        DATABASE_FILE.write_bytes(lzma.compress("\n".join(file.iterdump()).encode(), preset=9))
    for path in (DATABASE_FILE, DISCORD_FILE):
        print(path, path.stat().st_size)  # noqa: T201


async def leave_unsent(recorder: Recorder, codes: dict[str, str]) -> None:
    """Make the last moves: post one card without recording it, shut the bot down, and leave the other cards unsent."""
    outbox, env = recorder.host.outbox, recorder.table.env

    async def not_recorded(_post: int, _message: int) -> None:
        """Do nothing, as if the process had died before it recorded the message."""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outbox, "record_sent", not_recorded)
        await recorder.one_more(codes["unrecorded"])
    await env.shutdown()
    recorder.connected = False
    for about in ("pending", "leased", "refused"):
        await recorder.one_more(codes[about])
    for post in await outbox.due():
        if post.game.code == codes["leased"]:
            assert await outbox.lease(post.id)
        if post.game.code == codes["refused"]:
            assert await outbox.lease(post.id)
            await outbox.record_failure(post.id, gone=True)


def version() -> str:
    """Return the commit that is checked out."""
    return subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()  # noqa: S607


def main() -> None:
    logging.disable(logging.INFO)
    simcord.Env._settle_internal.__kwdefaults__["idle"] = 0.001
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        stub_pictures(patch)
        asyncio.run(write(Path(folder)))


if __name__ == "__main__":
    main()
