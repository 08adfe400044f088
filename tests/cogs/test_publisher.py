"""The publisher posts each card once and in order, despite failures of Discord and the database.

The outbox, the channels and the bot are fakes; a game's thread is 3, its channel 2. A nonce such as "G1-4" names game
1 and ply 4. "Own" posts are those that this process has just stored, and sends without reading the outbox.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock, MagicMock

import discord
import pytest

from cogs.background import publisher
from cogs.background.publisher import MAX_LANES, MAX_REFUSALS, PostCards, Publisher
from cogs.messages import Detail, notice
from cogs.panels.cards import Card
from cogs.presenting.ids import card_marker
from engine.carcassonne import Position, new_setup
from host import LeaseLostError, Post, PostKind
from tests.cogs.positions import NOW, game_of

THREAD_ID, CHANNEL_ID, BOT_ID = 3, 2, 77
"""Ids of the thread, of its channel and of the bot."""
GAME = game_of(Position(new_setup(players=2, seed="1")))
"""The game of all posts."""


def create_post(number: int, game_id: int = 1, *, tried: bool = False) -> Post:
    """Return a post of the outbox."""
    game = replace(GAME, id=game_id, code=f"G{game_id}")
    return Post(
        id=number,
        game_id=game_id,
        game=game,
        from_ply=number - 1,
        ply=number,
        kind=PostKind.CARD,
        nonce=f"G{game_id}-{number}",
        attempts=1 if tried else 0,
        first_attempt_at=NOW if tried else None,
        message_id=None,
    )


class FakeOutbox:
    """A fake outbox in memory."""

    def __init__(self, posts: list[Post]) -> None:
        self.posts = posts
        self.done: dict[int, int] = {}
        """Message ids of the sent posts."""
        self.failures: list[tuple[int, bool]] = []
        """Posts that could not be sent, each with True if there is no channel for it."""
        self.refused: set[int] = set()
        self.taken: list[Post] = []
        """Posts that this process has just stored."""
        self.released: list[int] = []
        """Posts that this process has released."""
        self.is_full = False
        """True if writes fail."""

    def stop_renewing(self, post_id: int) -> None:
        """Record that a lease is no longer renewed."""
        self.released.append(post_id)

    async def due(self, limit: int = 20) -> list[Post]:
        """Return the oldest unsent post of each game, except failed ones."""
        heads: dict[int, Post] = {}
        for entry in self.posts:
            if entry.id not in self.done:
                heads.setdefault(entry.game_id, entry)
        failed = {number for number, _ in self.failures}
        return [entry for entry in heads.values() if entry.id not in failed][:limit]

    def take_begun(self) -> list[Post]:
        """Return the posts of this process, once."""
        posts, self.taken = self.taken, []
        return posts

    async def lease(self, post_id: int) -> bool:
        """Return whether the post is not sent yet."""
        return post_id not in self.done

    def check_lease(self, post_id: int) -> None:
        """Accept every lease, as there is no other process."""

    async def record_sent(self, post_id: int, message_id: int, *, elsewhere: bool = False) -> None:  # noqa: ARG002
        """Record a post as sent, which may happen once only."""
        assert post_id not in self.done
        self.done[post_id] = message_id

    async def sent_before(self, post: Post) -> Post | None:
        """Return the last sent post of the game before this one."""
        before = [entry for entry in self.posts if entry.game_id == post.game_id and entry.id in self.done]
        return max((entry for entry in before if entry.id < post.id), key=lambda entry: entry.id, default=None)

    async def record_failure(
        self, post_id: int, *, retry_after: float | None = None, gone: bool = False, refused: bool = False
    ) -> None:
        """Record a failure."""
        del retry_after
        self.failures.append((post_id, gone))
        self.refused |= {post_id} if refused or gone else set()
        if self.is_full:
            raise OSError("the disk is full")


class FakeEpochs:
    """A fake of the service that notices a restored database; here none was restored."""

    on_restored: Callable[[], None]

    async def has_unknown_card(self, *_: object) -> bool:
        """Return False: no card on Discord is newer than the database."""
        return False


class FakeChannel:
    """A fake channel that stores posted messages, or raises an error that is set."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.error: Exception | None = None
        self.concurrent = self.max_concurrent = 0

    async def send(self, **message: Any) -> Any:
        self.concurrent += 1
        self.max_concurrent = max(self.max_concurrent, self.concurrent)
        await asyncio.sleep(0.001)
        self.concurrent -= 1
        if self.error is not None:
            raise self.error
        self.messages.append(message["nonce"])
        return MagicMock(id=len(self.messages))

    async def history(self, *, limit: int) -> AsyncIterator[Any]:
        """Yield the newest messages as Discord returns them."""
        if self.error is not None:
            raise self.error
        for nonce in self.messages[-limit:]:
            code, _, ply = nonce.partition("-")
            button = SimpleNamespace(custom_id=card_marker(code, int(ply)))
            yield SimpleNamespace(id=500 + int(ply), author=SimpleNamespace(id=BOT_ID), components=[button])


class PublisherHarness:
    """A publisher with a fake outbox and fake channels."""

    def __init__(self, posts: list[Post]) -> None:
        self.outbox = FakeOutbox(posts)
        self.channels: dict[int, FakeChannel] = defaultdict(FakeChannel)
        self.places: list[tuple[int, int]] = []
        bot = MagicMock(user=SimpleNamespace(id=BOT_ID))
        bot.get_partial_messageable = lambda place, **_: self.channels[place]
        host = MagicMock(outbox=self.outbox, games=MagicMock(epochs=FakeEpochs()))
        host.places.set_thread = self._set_thread
        host.places.close = AsyncMock()
        self.publisher = Publisher(bot, host, cast("Any", None))

    async def _set_thread(self, game_id: int, place: int) -> None:
        """Record the place of a game."""
        self.places.append((game_id, place))

    async def publish(self) -> None:
        """Wake the publisher and wait until it is idle."""
        self.publisher.wake()
        assert self.publisher.queue.worker is not None
        await self.publisher.queue.worker


@pytest.fixture(autouse=True)
def _plain_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Post cards of one letter."""

    async def card(_self: PostCards, _post: Post, _detail: Detail, _reference: str) -> Card:
        """Return a card of one letter."""
        return Card(notice("x"), (), None)

    monkeypatch.setattr(PostCards, "of", card)


def http_error(kind: type[discord.HTTPException], status: int, code: int = 0) -> discord.HTTPException:
    """Return an error of Discord."""
    return kind(MagicMock(status=status, reason="x"), {"code": code, "message": "x"})


async def test_cards_are_posted_once_in_order_and_games_concurrently() -> None:
    harness = PublisherHarness(
        [create_post(number, game_id) for number in range(1, 6) for game_id in (1, 2, 3, 4, 5, 6)]
    )
    harness.outbox.posts = [replace(entry, id=index) for index, entry in enumerate(harness.outbox.posts)]
    await harness.publish()
    messages = harness.channels[THREAD_ID].messages
    for game_id in range(1, 7):
        assert [nonce for nonce in messages if nonce.startswith(f"G{game_id}-")] == [
            f"G{game_id}-{n}" for n in range(1, 6)
        ]
    assert 1 < harness.channels[THREAD_ID].max_concurrent <= MAX_LANES


async def test_a_wake_up_during_posting_is_not_lost() -> None:
    harness = PublisherHarness([create_post(1)])
    harness.publisher.wake()
    await asyncio.sleep(0.0005)  # sending takes twice as long
    harness.outbox.posts.append(create_post(2))
    harness.publisher.wake()
    assert harness.publisher.queue.worker is not None
    await harness.publisher.queue.worker
    assert harness.channels[THREAD_ID].messages == ["G1-1", "G1-2"]


async def test_own_posts_are_sent_without_reading_the_outbox(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = PublisherHarness([])
    harness.outbox.taken = [create_post(1), replace(create_post(1, 2), id=9)]
    outbox_read, remove_buttons = AsyncMock(return_value=[]), AsyncMock()
    monkeypatch.setattr("cogs.background.publisher.take_buttons", remove_buttons)
    monkeypatch.setattr(harness.outbox, "due", outbox_read)
    monkeypatch.setattr(harness.outbox, "lease", outbox_read)
    harness.publisher.queue.take_begun()
    await wait_until_idle(harness)
    harness.outbox.taken = [create_post(2)]
    monkeypatch.setattr(harness.outbox, "sent_before", outbox_read)
    harness.publisher.queue.take_begun()
    await wait_until_idle(harness)
    assert harness.channels[THREAD_ID].messages == ["G1-1", "G2-1", "G1-2"]
    assert harness.outbox.done == {1: 1, 9: 2, 2: 3}
    outbox_read.assert_not_called()
    assert [call.args[0].id for call in remove_buttons.call_args_list] == [1]


async def test_own_posts_wait_for_the_queue_of_their_game(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = PublisherHarness([])
    monkeypatch.setattr("cogs.background.publisher.take_buttons", AsyncMock())
    harness.outbox.taken = [create_post(1), create_post(2), replace(create_post(1, 2), id=9)]
    harness.publisher.queue.take_begun()
    await wait_until_idle(harness)
    assert [nonce for nonce in harness.channels[THREAD_ID].messages if nonce.startswith("G1")] == ["G1-1", "G1-2"]


async def test_the_next_post_of_a_queue_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.background.publisher.take_buttons", AsyncMock())
    harness = PublisherHarness([])
    harness.outbox.taken = [create_post(1)]
    harness.publisher.queue.take_begun()
    await asyncio.sleep(0.0005)
    harness.publisher.wake()
    await asyncio.sleep(0)
    harness.outbox.posts = [create_post(2)]
    await wait_until_idle(harness)
    assert harness.channels[THREAD_ID].messages == ["G1-1", "G1-2"]


async def test_own_posts_that_wait_too_long_are_released(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "BEGUN_SECONDS", 0.0)
    harness = PublisherHarness([])
    harness.outbox.taken = [create_post(1), create_post(2)]
    harness.publisher.queue.take_begun()
    await wait_until_idle(harness)
    assert harness.channels[THREAD_ID].messages == ["G1-1"]
    assert sorted(harness.outbox.released) == [1, 2], "both are available to other processes"


async def test_continuous_wake_ups_do_not_starve_a_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next post of a queue is sent although the publisher is woken continuously."""
    harness = PublisherHarness([create_post(1), create_post(2)])
    due = harness.outbox.due

    async def slow_due(limit: int = 20) -> list[Post]:
        await asyncio.sleep(0.002)
        if len(harness.outbox.done) < 2:
            harness.publisher.wake()
        return await due(limit)

    monkeypatch.setattr(harness.outbox, "due", slow_due)
    harness.publisher.wake()
    async with asyncio.timeout(60):
        await wait_until_idle(harness)
    assert harness.channels[THREAD_ID].messages == ["G1-1", "G1-2"]


async def wait_until_idle(harness: PublisherHarness) -> None:
    """Wait until the publisher is idle."""
    assert harness.publisher.queue.worker is not None
    await harness.publisher.queue.worker


async def test_a_possibly_posted_card_is_searched_for_first() -> None:
    harness = PublisherHarness([create_post(4, tried=True), create_post(5)])
    harness.channels[THREAD_ID].messages = ["G1-3", "G1-4", "G9-4"]
    await harness.publish()
    assert harness.channels[THREAD_ID].messages == ["G1-3", "G1-4", "G9-4", "G1-5"]
    assert harness.outbox.done[4] == 504


async def test_a_card_that_is_not_found_is_posted() -> None:
    harness = PublisherHarness([create_post(4, tried=True)])
    harness.channels[THREAD_ID].messages = ["G1-3", "G1-44", "G9-4"]
    await harness.publish()
    assert harness.channels[THREAD_ID].messages[-1] == "G1-4"


async def test_a_card_posted_by_another_process_is_no_sign_of_a_restore() -> None:
    """A process that was stopped before its search may find a newer card although the game has not gone back."""
    harness = PublisherHarness([create_post(4, tried=False)])
    harness.channels[THREAD_ID].messages = ["G1-3", "G1-4"]
    check_messages = harness.publisher._restore_detector.check_messages = AsyncMock(return_value=True)  # type: ignore[method-assign]

    def lose_lease(post_id: int) -> None:
        """Let another process send the post meanwhile."""
        harness.outbox.done[post_id] = 504
        raise LeaseLostError(post_id)

    harness.outbox.check_lease = lose_lease  # type: ignore[method-assign]
    await harness.publish()
    assert not check_messages.called
    assert harness.channels[THREAD_ID].messages == ["G1-3", "G1-4"]
    assert harness.outbox.failures == []


async def test_a_restored_database_causes_a_new_scan_of_all_channels(monkeypatch: pytest.MonkeyPatch) -> None:
    harness, scans = PublisherHarness([create_post(1)]), list[str]()
    original_history = FakeChannel.history

    def counting_history(channel: FakeChannel, *, limit: int) -> AsyncIterator[Any]:
        """Count the reads of the history."""
        scans.append("scan")
        return original_history(channel, limit=limit)

    monkeypatch.setattr(FakeChannel, "history", counting_history)
    for number, count in ((1, 1), (2, 1), (3, 2)):
        harness.outbox.posts.append(create_post(number))
        if number == 3:
            harness.publisher._host.games.epochs.on_restored()
        await harness.publish()
        assert len(scans) == count, number


async def test_a_channel_with_a_newer_card_is_scanned_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Channels that were scanned before are included, as a database can be restored while the bot runs."""
    harness, now = PublisherHarness([create_post(1)]), [100.0]
    await harness.publish()
    scan = AsyncMock(return_value=False)
    monkeypatch.setattr(publisher, "monotonic", lambda: now[0])
    monkeypatch.setattr(harness.publisher._restore_detector, "check", scan)
    for seconds, count in ((0, 1), (0, 1), (59, 1), (2, 2)):
        now[0] += seconds
        harness.publisher.check_for_restore(replace(GAME, id=1))
        await asyncio.sleep(0)
        assert scan.await_count == count


async def test_without_its_thread_a_game_is_posted_in_the_channel() -> None:
    harness = PublisherHarness([create_post(1)])
    harness.channels[THREAD_ID].error = http_error(discord.NotFound, 404, 10003)
    await harness.publish()
    assert harness.channels[CHANNEL_ID].messages == ["G1-1"]
    assert harness.places == [(1, CHANNEL_ID)]


async def test_without_thread_and_channel_the_post_is_parked() -> None:
    harness = PublisherHarness([create_post(1)])
    for place in (THREAD_ID, CHANNEL_ID):
        harness.channels[place].error = http_error(discord.NotFound, 404, 10003)
    await harness.publish()
    assert harness.outbox.failures == [(1, True)]


@pytest.mark.parametrize(("attempts", "gone"), [(0, False), (MAX_REFUSALS, True)])
async def test_refused_posts_are_eventually_parked(attempts: int, *, gone: bool) -> None:
    harness = PublisherHarness([replace(create_post(1), attempts=attempts)])
    for place in (THREAD_ID, CHANNEL_ID):
        harness.channels[place].error = http_error(discord.Forbidden, 403, 50013)
    await harness.publish()
    assert harness.outbox.failures == [(1, gone)]
    assert harness.places == []


async def test_a_server_error_is_retried_later() -> None:
    harness = PublisherHarness([create_post(1), create_post(2)])
    harness.channels[THREAD_ID].error = http_error(discord.DiscordServerError, 500)
    await harness.publish()
    assert harness.outbox.failures == [(1, False)]
    assert harness.outbox.done == {}


async def test_every_outcome_releases_the_post() -> None:
    harness = PublisherHarness([create_post(1)])
    harness.channels[THREAD_ID].error = http_error(discord.DiscordServerError, 500)
    harness.outbox.is_full = True
    await harness.publish()
    assert harness.outbox.released == [1]


async def test_closing_waits_for_a_running_post() -> None:
    harness = PublisherHarness([create_post(1)])
    harness.publisher.wake()
    await harness.publisher.stop()
    assert harness.outbox.done == {1: 1}


async def test_posts_about_time_wait_for_the_first_heartbeat() -> None:
    """A reminder of an earlier process would otherwise show a deadline without the compensated downtime."""
    harness = PublisherHarness([replace(create_post(1), kind=PostKind.GIVEN), create_post(2, 2)])
    gateway_monitor = harness.publisher._host.gateway_monitor = MagicMock(beats=False)
    await harness.publish()
    assert list(harness.channels[THREAD_ID].messages) == ["G2-2"]
    gateway_monitor.beats = True
    harness.outbox.failures.clear()
    await harness.publish()
    assert list(harness.channels[THREAD_ID].messages) == ["G2-2", "G1-1"]
