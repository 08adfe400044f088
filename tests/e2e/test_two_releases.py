"""A rolling restart: the last release and this one run on one shard, answer each press once, and can be rolled back.

The last release is the newest version tag (``v1.2.3``) in the history of this repository. Without a tag, it is the
commit that made the baseline of version 1.0.0: the oldest one with a database that this one can use.
"""

import asyncio
import subprocess
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import pytest
from simcord.components import walk_components
from simcord.enums import ComponentType

from cogs.presenting.ids import Op
from tests.cluster import Cluster
from tests.e2e.player import Clicker, Habits, LostError, Shown
from tests.e2e.screen import buttons, mentioned_users
from tests.e2e.sockets import BOT, SocketTable, UnansweredError
from tests.e2e.stored_games import StoredGame
from tests.e2e.test_kill import check_cards, check_log_file
from tests.loopback import ForkedBot, LoopbackDiscord, MemberInteraction
from tests.loopback.interactions import ImpossibleActionError

pytestmark = [pytest.mark.soak, pytest.mark.usefixtures("random_language")]
ROOT = BOT.parent
BASELINE = "store/migrations/versions/0024_baseline.py"
"""The migration with which the chain of releases begins."""
KEEP_SHARDS = """import datetime
from host.admin import processes
processes.OVERLAP_TOLERANCE = datetime.timedelta(hours=1)
"""
"""Code that keeps processes from handing over their shard, however slow the machine is."""
MIN_SECONDS, MIN_PRESSES = 60.0, 500
"""The test presses for at least this time and this number of presses."""
MAX_TABLES = 10
"""The most running games; a member may have chosen that a move waits for two minutes, and each game goes on at last."""
ANSWER_DEADLINE = 120.0
"""Seconds within which every press is acknowledged; generous, for two processes on a busy machine."""
LATE = (UnansweredError, LostError, ImpossibleActionError)
"""The errors of a member whose card was replaced by a newer one between looking at it and pressing."""
COMMANDS: tuple[tuple[str, dict[str, str]], ...] = (
    ("games", {}),
    ("settings", {}),
    ("board", {}),
    ("log", {}),
    ("hints", {}),
    ("notes", {}),
    ("rules", {"topic": "BR-10"}),
)
"""Commands that members send at random, with their options."""


def git(*arguments: str) -> bytes:
    """Return the output of a git command in this repository; empty if it fails."""
    return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, check=False).stdout  # noqa: S603, S607


def unpack_last_release(folder: Path) -> Path:
    """Unpack the last release into a folder; return the path of its `bot.py`."""
    tag = git("describe", "--tags", "--match", "v[0-9]*", "--abbrev=0", "HEAD^").decode().strip()
    last = tag or git("log", "--diff-filter=A", "--format=%H", "--", BASELINE).decode().strip()
    packed = git("archive", last) if last else b""
    if not packed:
        pytest.fail(f"the last release, {last or 'which added ' + BASELINE}, is not in the history of {ROOT}")
    folder.mkdir()
    subprocess.run(["tar", "-x", "-C", str(folder)], input=packed, check=True)  # noqa: S603, S607
    return folder / "bot.py"


class Table(SocketTable):
    """One of several games, identified by its thread."""

    def stored(self) -> StoredGame:
        return self.stored_in(self.place.id)

    def card(self) -> Shown:
        """Return the newest card that asks for a decision; votes and notices may follow it."""
        asking = [
            message
            for message in self.cards()
            if mentioned_users(message.components)
            and any(shown.key.op is Op.BOARD for shown in buttons(message.components))
        ]
        message = (asking or self.cards())[-1]
        return Shown(message, message.components)


@dataclass
class RandomMembers:
    """Members who press random controls in several running games."""

    server: LoopbackDiscord
    cluster: Cluster
    address: str
    process: ForkedBot
    random: Random = field(default_factory=lambda: Random(1))
    tables: list[Table] = field(default_factory=list)

    async def open(self, game: str) -> None:
        """Open one more game."""
        table = Table(self.server, self.process, self.address, cluster=self.cluster)
        await table.open(2, game=game)
        self.tables.append(table)

    @property
    def table(self) -> Table:
        """A random game."""
        return self.random.choice(self.tables)

    async def act_randomly(self) -> None:
        """Do one random action of any kind."""
        await self.random.choice(
            (
                self.make_move,
                self.press_card_button,
                self.press_private_button,
                self.send_random_command,
                self.maybe_open_game,
            )
        )()

    async def make_move(self) -> None:
        """Make a move, or replace a finished game by a new one."""
        table = self.table
        if table.over:
            self.tables.remove(table)
            await self.open(self.random.choice(("carcassonne", "the-castle")))
            return
        with suppress(*LATE):
            await Clicker(table, self.random, Habits(quick=True)).move(table.card())

    async def press_card_button(self) -> None:
        """Press a random button of a newest card."""
        card = self.table.cards()[-1]
        buttons = [c for c in walk_components(card.components) if c.get("type") == ComponentType.BUTTON]
        if buttons:
            await self._click(card, self.random.choice(buttons)["custom_id"])

    async def press_private_button(self) -> None:
        """Press a random button of a recent private message."""
        shown = [done for done in self.server.interactions[-20:] if done.ephemeral_messages]
        if shown:
            done = self.random.choice(shown)
            message = done.ephemeral_messages[-1]
            buttons = [c for c in walk_components(message.components) if c.get("type") == ComponentType.BUTTON]
            usable = [button["custom_id"] for button in buttons if "custom_id" in button and not button.get("disabled")]
            if usable:
                await self._finished(await self.server.click(done.user, message, self.random.choice(usable)))

    async def send_random_command(self) -> None:
        """Send a random command in a thread, or request suggestions."""
        user, place = self.random.choice(self.server.members[:2]), self.table.place
        if self.random.random() < 0.3:
            done = await self.server.autocomplete(user, place, "carc", sub="play", focused="move")
        else:
            sub, options = self.random.choice(COMMANDS)
            done = await self.server.slash(user, place, "carc", sub=sub, options=options)
        await self._finished(done)

    async def maybe_open_game(self) -> None:
        """Open one more game with a probability of 0.2, unless there are enough of them."""
        if len(self.tables) < MAX_TABLES and self.random.random() < 0.2:
            await self.open(self.random.choice(("carcassonne", "the-castle")))

    async def _click(self, message: Any, custom_id: str) -> None:
        """Let a random player press a button."""
        user = self.random.choice(self.server.members[:2])
        await self._finished(await self.server.click(user, message, custom_id, force=True))

    async def _finished(self, interaction: MemberInteraction) -> None:
        """Wait until an interaction is acknowledged."""
        await self.server.until(interaction.acknowledged.done, timeout=ANSWER_DEADLINE)

    async def check_settled(self) -> None:
        """Check that everything is posted once in every game, that no game is frozen, and that no post is set aside."""
        for table in self.tables:
            await table.settle()
            check_cards(table, table.stored())
        database = urlsplit(self.address).path.removeprefix("/")
        counted = "SELECT (SELECT count(*) FROM {}), (SELECT count(*) FROM {})"
        problems = counted.format("games WHERE status = 'frozen'", "outbox WHERE parked OR kind = 'went_back'")
        assert self.cluster.sql(problems, database=database) == "0|0"
        totals = counted.format("games", "lobbies")
        seen = len(self.server.threads()), len(self.server.messages(self.server.channel.id))
        assert self.cluster.sql(totals, database=database) == f"{seen[0]}|{seen[1]}"

    async def check_answers(self, since: int) -> None:
        """Check that each press was acknowledged once and has at most one answer."""
        for interaction in self.server.interactions[since:]:
            await self.server.finished(interaction, timeout=ANSWER_DEADLINE)
            assert interaction.error is None, interaction.payload["data"]
            assert len(interaction.ephemeral_messages) <= 1, interaction.payload["data"]
        sent = Counter(
            (request.path, str(request.payload))
            for request in self.server.requests
            if request.status == 200 and request.path.startswith(("/interactions/", "/webhooks/"))
        )
        assert [line for line, times in sent.items() if times > 1] == []


@asynccontextmanager
async def two_releases(
    folder: Path, address: str, cluster: Cluster
) -> AsyncIterator[tuple[RandomMembers, ForkedBot, ForkedBot]]:
    """Yield a Discord with the last release and this one, both not started yet."""
    async with LoopbackDiscord(callback_deadline=ANSWER_DEADLINE) as server, AsyncExitStack() as stack:
        bots = []
        for name, script in (("last", unpack_last_release(folder / "last")), ("this", BOT)):
            log = folder / f"{name}.log"
            bots.append(ForkedBot(server, script, database=address, log=log, prepare=KEEP_SHARDS))
            stack.push_async_callback(bots[-1].close)
        last, this = bots
        yield RandomMembers(server, cluster, address, last), last, this
        for bot in bots:
            check_log_file(bot.output)


async def test_two_releases_run_side_by_side_and_roll_back(
    tmp_path: Path, empty_database: str, postgresql: Cluster
) -> None:
    async with two_releases(tmp_path, empty_database, postgresql) as (members, last, this):
        await last.start(timeout=ANSWER_DEADLINE)
        await members.open("carcassonne")
        await members.open("the-castle")
        await this.start(timeout=ANSWER_DEADLINE)
        since, began = len(members.server.interactions), monotonic()
        while len(members.server.interactions) - since < MIN_PRESSES or monotonic() - began < MIN_SECONDS:
            await members.act_randomly()
        await members.check_settled()
        await members.check_answers(since)
        assert await this.stop() == await last.stop() == 0
        await last.start(timeout=ANSWER_DEADLINE)
        await asyncio.sleep(1)
        since = len(members.server.interactions)
        for table in list(members.tables):
            if not table.over:
                before = table.stored().ply
                while table.stored().ply == before:
                    with suppress(*LATE):
                        await Clicker(table, members.random, Habits(quick=True)).move(table.card())
        await members.check_settled()
        await members.check_answers(since)
        assert members.tables[0].problems() == []
