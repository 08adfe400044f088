"""The bot's process is killed between a click and its card and restarted, over and over; nothing is lost or duplicated.

The bot is `bot.py` in its own process, with real pictures. Discord is the loopback server of `tests/loopback`, which
limits, fails, delays or drops requests, carries some out without answering, and drops gateway connections. A member
presses the button that makes a move; at a random point after that the process gets SIGKILL.
"""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Self
from unittest.mock import MagicMock

import pytest

from engine import DEFAULT_GAME, GAMES, state_digest
from tests.cluster import Cluster
from tests.e2e.player import Clicker, Habits, LostError
from tests.e2e.screen import says, words
from tests.e2e.sockets import SocketTable, UnansweredError, socket_table
from tests.e2e.stored_games import StoredGame
from tests.loopback import Faults, RecordedRequest
from tests.loopback.faults import SETUP_ROUTES

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("random_language")]

REQUESTS_PER_MOVE = 7
"""Approximate number of requests that the bot sends for one move."""
CARD_SECONDS = 0.5
"""Seconds within which a card is usually posted."""
MAX_KILL_DELAY = 1.5
"""Seconds after the decision at which the bot is killed at the latest."""
RANDOM_FAULTS = Faults(
    rate_429=0.06,
    rate_500=0.03,
    rate_502=0.03,
    rate_dropped=0.03,
    rate_lost=0.06,
    rate_lost_500=0.03,
    rate_slow=0.2,
    rate_gateway_drop=0.04,
    spare=(*SETUP_ROUTES, "GET /applications/*"),  # a fault on these makes discord.py end the process
)
"""Rates at which requests and connections fail."""
_EXCEPTION_LINE = re.compile(r"^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Disconnected\w*))\b", re.MULTILINE)
"""The line of a traceback that names the exception."""


@dataclass(frozen=True, slots=True)
class KillMoment:
    """The moment of a kill: the n-th request after the decisive click, or a number of seconds after it."""

    request: int
    stage: str
    seconds: float

    @classmethod
    def draw(cls, random: Random) -> Self:
        """Draw a moment: half are at a request (received or carried out), half at a time, more often early."""
        stage = random.choice(["received", "done"])
        if random.random() < 0.5:
            return cls(random.randint(1, REQUESTS_PER_MOVE), stage, MAX_KILL_DELAY)
        return cls(0, stage, CARD_SECONDS * random.random() ** 2)


@contextmanager
def kill_after_decision(table: SocketTable, moment: KillMoment) -> Iterator[list[str]]:
    """Kill the bot within the block at this moment; yield the list that collects the decisions."""
    decided: list[str] = []
    countdown = moment.request
    timers: list[asyncio.TimerHandle] = []

    def watch(stage: str, _: RecordedRequest) -> None:
        nonlocal countdown
        if decided and stage == moment.stage:
            countdown -= 1
            if countdown == 0:
                table.kill_now()

    def on_decision(argument: str) -> None:
        """Record the decision and kill the process a moment later."""
        decided.append(argument)
        timers.append(asyncio.get_running_loop().call_later(moment.seconds, table.kill_now))

    table.before_deciding = on_decision
    table.server.watchers.append(watch)
    yield decided
    for timer in timers:  # a confirmed decision starts two timers; none may kill the next process
        timer.cancel()
    table.server.watchers.remove(watch)
    table.before_deciding = lambda _: None


async def kill_once(table: SocketTable, clicker: Clicker, faults: Faults) -> str:
    """Make a move, kill the bot within it, restart and check; return the outcome of the move."""
    before = table.stored()
    table.server.faults = faults
    with kill_after_decision(table, KillMoment.draw(clicker.random)) as decided:
        with suppress(UnansweredError, LostError):
            await clicker.move(table.card())
        while decided and not table.dead:  # noqa: ASYNC110  # waits for another process
            await asyncio.sleep(0.01)
    table.kill_now()
    confirmed = clicker.last is not None and says(words(clicker.last.components), "panel.done")
    posted = len(table.cards()) > len(before.posts)
    await table.restart_process()
    await table.settle()
    after = table.stored()
    check_log(before, after, decided)
    assert after.ply > before.ply or not (confirmed or posted), "a confirmed move was lost"
    check_cards(table, after)
    return "undecided" if not decided else "accepted" if after.ply > before.ply else "lost on the way"


def check_log(before: StoredGame, after: StoredGame, decided: list[str]) -> None:
    """Check that the log has grown by exactly the decision, or not at all."""
    assert after.log[: before.ply] == before.log
    added = list(after.log[before.ply :])
    if added:
        decision = decided[-1]  # a decision on a card may be followed by its confirmation
        typed = decision == "bid" or decision.isdecimal()  # the amount was typed into a modal
        assert len(added) == 1 if typed else added == decision.split()
    position = after.replayed()
    assert (position.ply, state_digest(position)) == (after.ply, after.digest)
    assert len(after.posts) == len(before.posts) + bool(added)


def check_cards(table: SocketTable, stored: StoredGame) -> None:
    """Check that the thread contains each card once, in order, and nothing else."""
    assert [post.message_id for post in stored.posts] == [message.id for message in table.cards()]


def check_log_file(output: str) -> None:
    """Check that the bot's log contains no exceptions except those of a bad connection."""
    raised = {name for name in _EXCEPTION_LINE.findall(output) if not name.startswith(("aiohttp.", "discord.errors."))}
    assert raised <= {"ConnectionResetError"}, output[-4000:]


async def play_with_kills(
    folder: Path, *, seed: int, count: int, faults: Faults, game: str = DEFAULT_GAME, **options: Any
) -> list[str]:
    """Play through this many kills within moves, plus some between two clicks; return the outcomes."""
    random = Random(seed)
    async with socket_table(folder, **options) as table:
        await table.open(2, game=game)
        await table.settle()
        clicker = Clicker(table, random, Habits(quick=True))
        outcomes: list[str] = []
        while len(outcomes) - outcomes.count("undecided") < count and not table.over:
            outcomes.append(await kill_once(table, clicker, replace(faults, seed=random.randrange(1 << 30))))
        assert table.problems() == []
        check_log_file(table.process.output)
    return outcomes


async def test_no_kill_timer_outlives_its_block() -> None:
    table = MagicMock(server=MagicMock(watchers=[]))
    with kill_after_decision(table, KillMoment(0, "", 0.0)) as decided:
        table.before_deciding("pass")
        table.before_deciding("pass")
    await asyncio.sleep(0.01)
    assert len(decided) == 2
    assert not table.kill_now.called


@pytest.mark.parametrize(("game", "count"), [("carcassonne", 4), ("the-castle", 3)])
async def test_moves_and_cards_exist_once(tmp_path: Path, game: str, count: int) -> None:
    outcomes = await play_with_kills(tmp_path, seed=1, count=count, faults=RANDOM_FAULTS, game=game)
    assert "accepted" in outcomes


async def test_cards_are_recognised_without_nonces(tmp_path: Path) -> None:
    faults = Faults(rate_lost=0.3, only=("POST /channels/*/messages",))
    outcomes = await play_with_kills(tmp_path, seed=2, count=3, faults=faults, nonce_window=0.0)
    assert "accepted" in outcomes


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3, 9))
async def test_moves_and_cards_exist_once_after_many_kills(tmp_path: Path, seed: int, game: str) -> None:
    outcomes = await play_with_kills(tmp_path, seed=seed, count=60, faults=RANDOM_FAULTS, game=game)
    assert {"accepted", "lost on the way"} <= set(outcomes)


@pytest.mark.postgresql
async def test_moves_and_cards_exist_once_on_a_server(tmp_path: Path, location: str, postgresql: Cluster) -> None:
    await play_with_kills(tmp_path, seed=1, count=1, faults=RANDOM_FAULTS, address=location, cluster=postgresql)


@pytest.mark.soak
@pytest.mark.postgresql
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3, 6))
async def test_moves_and_cards_exist_once_after_many_kills_on_a_server(
    tmp_path: Path, location: str, postgresql: Cluster, seed: int, game: str
) -> None:
    where = {"address": location, "cluster": postgresql}
    outcomes = await play_with_kills(tmp_path, seed=seed, count=40, faults=RANDOM_FAULTS, game=game, **where)
    assert {"accepted", "lost on the way"} <= set(outcomes)
