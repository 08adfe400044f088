"""The bot's process is killed between a click and its card, and started again on the same file, over and over.

The bot is `bot.py` in a process of its own, with its own pictures; Discord is the loopback server of `tests/loopback`,
on which requests are limited, fail, are slow, or are carried out without the bot ever hearing of it, and on which the
gateway breaks. A member presses the button that makes a move; at some point after that the process gets SIGKILL.
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

MOST_REQUESTS = 7
"""About as many follow a click, until everything it sets off is over."""
LONGEST_WAIT = 0.5
"""Seconds within which a card is usually there."""
LATEST = 1.5
"""Seconds after which the bot is killed in any case."""
BAD_DAY = Faults(
    rate_429=0.06,
    rate_500=0.03,
    rate_502=0.03,
    rate_dropped=0.03,
    rate_lost=0.06,
    rate_lost_500=0.03,
    rate_slow=0.2,
    rate_gateway_drop=0.04,
    spare=(*SETUP_ROUTES, "GET /applications/*"),  # at these discord.py ends the process, and it is started again
)
_RAISED = re.compile(r"^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Disconnected\w*))\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Strike:
    """When the bot is killed: at the n-th request after the decisive click, or so many seconds after it."""

    request: int
    stage: str
    seconds: float

    @classmethod
    def draw(cls, random: Random) -> Self:
        """Half of them at a request (as it arrives, or after it was carried out), half by the clock, rather early."""
        stage = random.choice(["received", "done"])
        if random.random() < 0.5:
            return cls(random.randint(1, MOST_REQUESTS), stage, LATEST)
        return cls(0, stage, LONGEST_WAIT * random.random() ** 2)


@contextmanager
def armed(table: SocketTable, strike: Strike) -> Iterator[list[str]]:
    """Within the block the bot is killed as the strike says; the list will hold what was decided."""
    decided: list[str] = []
    left = strike.request
    timers: list[asyncio.TimerHandle] = []

    def watch(stage: str, _: RecordedRequest) -> None:
        nonlocal left
        if decided and stage == strike.stage:
            left -= 1
            if left == 0:
                table.strike()

    def arm(argument: str) -> None:
        decided.append(argument)
        timers.append(asyncio.get_running_loop().call_later(strike.seconds, table.strike))

    table.before_deciding = arm
    table.server.watchers.append(watch)
    yield decided
    for timer in timers:  # a decision that is asked once more sets two; none may strike the next life
        timer.cancel()
    table.server.watchers.remove(watch)
    table.before_deciding = lambda _: None


async def one_kill(table: SocketTable, clicker: Clicker, faults: Faults) -> str:
    """A move, a kill somewhere in it, a new start; what became of the move."""
    before = table.stored()
    table.server.faults = faults
    with armed(table, Strike.draw(clicker.random)) as decided:
        with suppress(UnansweredError, LostError):
            await clicker.move(table.card())
        while decided and not table.dead:  # noqa: ASYNC110  # a process
            await asyncio.sleep(0.01)
    table.strike()
    told = clicker.last is not None and says(words(clicker.last.components), "panel.done")
    carded = len(table.cards()) > len(before.posts)
    await table.restart_process()
    await table.settle()
    after = table.stored()
    check_log(before, after, decided)
    assert after.ply > before.ply or not (told or carded), "the player was told of a move that is gone"
    check_cards(table, after)
    return "undecided" if not decided else "accepted" if after.ply > before.ply else "lost on the way"


def check_log(before: StoredGame, after: StoredGame, decided: list[str]) -> None:
    """The log has grown by the decision, once, or not at all."""
    assert after.log[: before.ply] == before.log
    added = list(after.log[before.ply :])
    if added:
        decision = decided[-1]  # what is decided on a card may be asked once more
        typed = decision == "bid" or decision.isdecimal()  # the amount stood in a modal
        assert len(added) == 1 if typed else added == decision.split()
    position = after.replayed()
    assert (position.ply, state_digest(position)) == (after.ply, after.digest)
    assert len(after.posts) == len(before.posts) + bool(added)


def check_cards(table: SocketTable, stored: StoredGame) -> None:
    """Each card is in the thread once, in order, and nothing else is."""
    assert [post.message_id for post in stored.posts] == [message.id for message in table.cards()]


def check_log_file(output: str) -> None:
    """Nothing was raised in the bot but what a bad connection raises."""
    raised = {name for name in _RAISED.findall(output) if not name.startswith(("aiohttp.", "discord.errors."))}
    assert raised <= {"ConnectionResetError"}, output[-4000:]


async def kills(
    folder: Path, *, seed: int, count: int, faults: Faults, game: str = DEFAULT_GAME, **options: Any
) -> list[str]:
    """Play on through so many kills between click and card (others, between two clicks, come on top)."""
    random = Random(seed)
    async with socket_table(folder, **options) as table:
        await table.open(2, game=game)
        await table.settle()
        clicker = Clicker(table, random, Habits(quick=True))
        outcomes: list[str] = []
        while len(outcomes) - outcomes.count("undecided") < count and not table.over:
            outcomes.append(await one_kill(table, clicker, replace(faults, seed=random.randrange(1 << 30))))
        assert table.problems() == []
        check_log_file(table.process.output)
    return outcomes


async def test_no_strike_is_left_for_the_next_life() -> None:
    table = MagicMock(server=MagicMock(watchers=[]))
    with armed(table, Strike(0, "", 0.0)) as decided:
        table.before_deciding("pass")
        table.before_deciding("pass")
    await asyncio.sleep(0.01)
    assert len(decided) == 2
    assert not table.strike.called


@pytest.mark.parametrize(("game", "count"), [("carcassonne", 4), ("the-castle", 3)])
async def test_each_move_and_each_card_is_there_once(tmp_path: Path, game: str, count: int) -> None:
    outcomes = await kills(tmp_path, seed=1, count=count, faults=BAD_DAY, game=game)
    assert "accepted" in outcomes


async def test_cards_are_recognised_where_discord_has_forgotten_the_nonce(tmp_path: Path) -> None:
    faults = Faults(rate_lost=0.3, only=("POST /channels/*/messages",))
    outcomes = await kills(tmp_path, seed=2, count=3, faults=faults, nonce_window=0.0)
    assert "accepted" in outcomes


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3, 9))
async def test_each_move_and_each_card_is_there_once_for_long(tmp_path: Path, seed: int, game: str) -> None:
    outcomes = await kills(tmp_path, seed=seed, count=60, faults=BAD_DAY, game=game)
    assert {"accepted", "lost on the way"} <= set(outcomes)


@pytest.mark.postgresql
async def test_each_move_and_each_card_is_there_once_on_a_server(
    tmp_path: Path, location: str, postgresql: Cluster
) -> None:
    await kills(tmp_path, seed=1, count=1, faults=BAD_DAY, address=location, cluster=postgresql)


@pytest.mark.soak
@pytest.mark.postgresql
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3, 6))
async def test_each_move_and_each_card_is_there_once_on_a_server_for_long(
    tmp_path: Path, location: str, postgresql: Cluster, seed: int, game: str
) -> None:
    where = {"address": location, "cluster": postgresql}
    outcomes = await kills(tmp_path, seed=seed, count=40, faults=BAD_DAY, game=game, **where)
    assert {"accepted", "lost on the way"} <= set(outcomes)
