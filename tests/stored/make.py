"""Writes the file of games at every kind of step, and what Discord showed of it: see README.md beside this.

``python -m tests.stored.make`` plays all of it through the bot that is checked out, on an offline Discord.
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
from tests.stored.wanted import ALL_BOXES, OTHERS, RUNNING, Wanted

HERE = Path(__file__).parent
FILE = HERE / "every-step-2026-11-22.sql.xz"
SEEN = HERE / "every-step-2026-11-22.json.xz"
BEGUN = datetime(2026, 11, 22, 12, tzinfo=UTC)
THINKING = 90.0
"""Seconds between two moves."""


PANELS: tuple[tuple[Kind, ...], ...] = (
    (),
    (Kind.SPOT,),
    (Kind.SPOT, Kind.FOLLOWER),
    (Kind.SPOT, Kind.ROTATE),
    (Kind.PAGE,),
    (Kind.SPOT, Kind.FOLLOWER, Kind.BACK),
)
"""The ways in which players of successive games use the composer."""


@dataclass
class Scribe:
    """Plays, and writes down what Discord showed."""

    table: Table
    host: Host
    clock: SettableClock
    seeds: list[str]
    """The seed of the next game, as the only element."""
    shown: dict[int, list[str]] = field(default_factory=dict)
    """The ids of all buttons that a message ever had."""
    stands: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Facts about each game, by code."""
    connected: bool = True

    def note(self) -> None:
        """Write down the buttons that are there now."""
        for message in self.messages():
            known = self.shown.setdefault(message.id, [])
            known += [it.custom_id for it in buttons(message.components) if it.custom_id not in known]

    def messages(self) -> Iterator[Message]:
        for channel in self.table.env.backend.messages.values():
            yield from channel.values()

    async def settle(self) -> None:
        await self.table.env.settle()
        self.note()

    # -- games --------------------------------------------------------------------------------------------------

    async def play(self, wanted: Wanted) -> str:
        """Open a table, start, play to the wanted step; the code of the game."""
        self.seeds[:] = [f"stored {wanted.seed}"]
        asked = {"game": wanted.game, **wanted.asked}
        if wanted.game == "carcassonne" and "expansions" not in asked:
            asked["expansions"] = ALL_BOXES
        await self.table.start(wanted.players, **asked)
        await self.settle()
        stored = self.table.stored()
        position, random = stored.replayed(), Random(wanted.seed)
        while not _there(position, wanted):
            await self._move(stored.code, stored.seats, position, random, wanted)
        self.stands[stored.code] = {"about": wanted.about, "step": wanted.step, "game": wanted.game}
        return stored.code

    async def one_more(self, code: str) -> None:
        """One more move of whoever is next."""
        table = await self.host.games.table(code)
        users = [person.user_id for person in table.game.seats]
        await self._move(code, users, table.position, Random(code), Wanted("never"))

    async def _move(self, code: str, users: Sequence[int], position: Position, random: Random, wanted: Wanted) -> None:
        """One move, to its end but where the wanted step comes before that."""
        lively, presenter = RANDOM_GAMES[position.setup.game].lively_action, presenter_of(position)
        user, ply = users[position.player], position.ply
        actions = [_apply(position, lively(position, random))]
        while presenter.turn.continues(position) and not _there(position, wanted):
            actions.append(_apply(position, lively(position, random)))
        self.clock.advance(THINKING)
        self.table.env.backend.advance_clock(THINKING)
        click = self.table.env.backend.snowflake()
        outcome = await self.host.moves.act(code, user, ply, actions, click)
        await self._show(outcome)

    async def _show(self, outcome: Consequence) -> None:
        """Have the card of a move posted, as long as there is a bot."""
        if self.connected:
            self.table.bot.publisher.move_made(outcome)
            await self.settle()

    # -- what follows -------------------------------------------------------------------------------------------

    async def resign(self, stored: StoredGame) -> None:
        """Somebody leaves whose turn it is not."""
        position = stored.replayed()
        seat = (position.player + 1) % position.players
        await self._show(
            await self.host.moves.resign(stored.code, stored.seats[seat], self.table.env.backend.snowflake())
        )

    async def use_panels(self, codes: Sequence[str]) -> None:
        """Each player to act opens the composer of one of these games and goes some way."""
        for number, code in enumerate(codes):
            game = await self.host.games.get(code)
            person = game.person_to_act
            assert person is not None
            careful = (await self.host.preferences.get(person.user_id)).confirm
            card = self.newest(game.thread_id or game.channel_id)
            offered = buttons_by_kind(card.components)
            first = next(kind for kind in (Kind.PLAY, Kind.LOT, Kind.ACT) if kind in offered)
            if first is Kind.ACT and not careful:
                continue  # it would be done at once
            panel = await self.table.press(person.user_id, card, offered[first][0].custom_id)
            for kind in PANELS[number % len(PANELS)] if first is Kind.PLAY else ():
                planned = [it for it in buttons_by_kind(panel.components).get(kind, ()) if it.key.op == "plan"]
                if planned:
                    self.note()
                    panel = await self.table.press(person.user_id, panel, planned[0].custom_id)
            self.note()

    async def look_aside(self, code: str) -> None:
        """Somebody presses all that a card offers beside the decision."""
        game = await self.host.games.get(code)
        place = game.thread_id or game.channel_id
        for button in buttons_by_kind(self.newest(place).components)[Kind.ASIDE]:
            person = game.seats[0]
            await self.table.members[person.user_id].click(self.newest(place).handle, custom_id=button.custom_id)
            self.note()

    async def say(self, member: int, *commands: str) -> None:
        for command in commands:
            await self.table.actors[member].slash(self.table.channel, command)
            self.note()

    def newest(self, place: int) -> Shown:
        """The newest public message with buttons somewhere."""
        stored = self.table.env.backend.messages[place].values()
        message = [it for it in stored if it.visible_to(None) and buttons(it.components)][-1]
        return Shown(simcord.ResponseMessage(self.table.env, message), message.components)

    async def open_lobbies(self) -> None:
        """One table waits for players, one is full; both have panels open."""
        ana, ben, cleo, dan, *_ = self.table.actors
        await ana.slash(self.table.channel, "carc new", players=4, expansions=ALL_BOXES, rules="c2_hig")
        waiting = self.newest(self.table.channel.id)
        await cleo.click(waiting.handle, label=t("button.join"))
        await ben.slash(self.table.channel, "carc new", players=2, game="the-castle")
        full = self.newest(self.table.channel.id)
        await dan.click(full.handle, label=t("button.join"))
        self.note()
        for owner, card in ((ana, waiting), (ben, full)):
            for button in buttons(card.components):
                if button.key.op in {"ruling", "seats"}:
                    await owner.click(card.handle, custom_id=button.custom_id)
        self.note()

    # -- writing it down ----------------------------------------------------------------------------------------

    async def stand(self, code: str) -> dict[str, Any]:
        """Return the state of a game, in a form that a test can compare."""
        position = (await self.host.games.table(code)).position
        texts = sorted(map(str, position.legal_actions)) if position.step else []
        hashed = sha256("\n".join(texts).encode()).hexdigest()[:16]
        offer = [position.ply, position.player, list(position.scores), len(texts), hashed]
        known = self.stands[code]
        assert known["about"] or known["step"] == type(position.step).__name__, "a panel must not play on"
        return {**known, "offer": offer}

    def world(self) -> dict[str, Any]:
        """The server as far as a test has to build it again; old cards are only their ids."""
        backend, guild = self.table.env.backend, self.table.channel.guild
        assert guild is not None
        threads = [channel for channel in backend.channels.values() if channel.is_thread]
        return {
            "guild": guild.id,
            "channel": self.table.channel.id,
            "users": [[actor.id, self.table.name_of(actor)] for actor in self.table.actors],
            "threads": [[thread.id, thread.name] for thread in threads],
            "messages": [self._told(message) for message in self.messages() if self.shown.get(message.id)],
        }

    def _told(self, message: Message) -> dict[str, Any]:
        told: dict[str, Any] = {"id": message.id, "channel": message.channel_id, "shown": self.shown[message.id]}
        if buttons(message.components):
            for name in ("flags", "timestamp", "components", "attachments", "interaction_metadata"):
                told[name] = getattr(message, name)
        return told


def _there(position: Position, wanted: Wanted) -> bool:
    name = type(position.step).__name__ if position.step else ""
    return name == wanted.step and position.ply >= wanted.ply


def _apply(position: Position, action: Action) -> Action:
    position.apply(action)
    return action


async def write(folder: Path) -> None:
    """Play, stop in the middle of everything, write both files."""
    clock, seeds = SettableClock(BEGUN), [""]
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
    scribe = Scribe(Table(env, channel, members, database, "", bot, {}, users), host, clock, seeds)
    await host.preferences.set(users[1].id, Preferences(confirm=False))
    await host.preferences.set(users[2].id, Preferences(choices={"theme": "night"}))
    running = [await scribe.play(wanted) for wanted in RUNNING]
    others = {}
    for wanted in OTHERS:
        code = await scribe.play(wanted)
        others.setdefault(wanted.about, code)
        if wanted.about == "resigned":
            await scribe.resign(scribe.table.stored())
    await scribe.open_lobbies()
    await scribe.use_panels(running)
    await scribe.look_aside(running[0])
    await scribe.look_aside(others["finished"])
    await scribe.say(0, "carc games", "carc settings", "carc rules", "carc hints")
    await leave_unsent(scribe, others)
    world = scribe.world()
    stands = {code: await scribe.stand(code) for code in scribe.stands}
    await close_bot(bot)
    await store.close()
    seen = {"version": version(), "now": clock.now().isoformat(), "games": stands, **world}
    SEEN.write_bytes(lzma.compress(json.dumps(seen, ensure_ascii=False).encode(), preset=9))
    with closing(sqlite3.connect(database)) as file:
        FILE.write_bytes(lzma.compress("\n".join(file.iterdump()).encode(), preset=9))
    for path in (FILE, SEEN):
        print(path, path.stat().st_size)  # noqa: T201


async def leave_unsent(scribe: Scribe, codes: dict[str, str]) -> None:
    """The last moves: one card is posted but not recorded, then the bot is gone; the others are not posted at all."""
    outbox, env = scribe.host.outbox, scribe.table.env

    async def killed(_post: int, _message: int) -> None:
        """The process ends before it writes down what it has posted."""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outbox, "sent", killed)
        await scribe.one_more(codes["unrecorded"])
    await env.shutdown()
    scribe.connected = False
    for about in ("pending", "leased", "refused"):
        await scribe.one_more(codes[about])
    for post in await outbox.due():
        if post.game.code == codes["leased"]:
            assert await outbox.sending(post.id)
        if post.game.code == codes["refused"]:
            assert await outbox.sending(post.id)
            await outbox.failed(post.id, gone=True)


def version() -> str:
    """The commit that is checked out."""
    return subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()  # noqa: S607


def main() -> None:
    logging.disable(logging.INFO)
    simcord.Env._settle_internal.__kwdefaults__["idle"] = 0.001
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        stub_pictures(patch)
        asyncio.run(write(Path(folder)))


if __name__ == "__main__":
    main()
