"""The publisher posts each card once and in order, despite failures of Discord and the database."""

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
from cogs.background.publisher import LANES, MAX_REFUSALS, PostCards, Publisher
from cogs.messages import Detail, notice
from cogs.panels.cards import Card
from cogs.presenting.ids import card_marker
from engine.carcassonne import Position, new_setup
from host import LeaseLostError, Post, PostKind
from tests.cogs.positions import NOW, game_of

THREAD, CHANNEL, ME = 3, 2, 77
GAME = game_of(Position(new_setup(players=2, seed="1")))


def post(number: int, game_id: int = 1, *, tried: bool = False) -> Post:
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


class Outbox:
    """A fake outbox in memory."""

    def __init__(self, posts: list[Post]) -> None:
        self.posts = posts
        self.done: dict[int, int] = {}
        self.failures: list[tuple[int, bool]] = []
        self.refused: set[int] = set()
        self.taken: list[Post] = []
        """Posts that this process has just stored."""
        self.left: list[int] = []
        """Posts that this process has released."""
        self.full = False
        """True if writes fail."""

    def stop_renewing(self, post_id: int) -> None:
        self.left.append(post_id)

    async def due(self, limit: int = 20) -> list[Post]:
        heads: dict[int, Post] = {}
        for entry in self.posts:
            if entry.id not in self.done:
                heads.setdefault(entry.game_id, entry)
        failed = {number for number, _ in self.failures}
        return [entry for entry in heads.values() if entry.id not in failed][:limit]

    def begun(self) -> list[Post]:
        taken, self.taken = self.taken, []
        return taken

    async def sending(self, post_id: int) -> bool:
        return post_id not in self.done

    def check_ours(self, post_id: int) -> None:
        """Accept every lease, as there is no other process."""

    async def sent(self, post_id: int, message_id: int, *, elsewhere: bool = False) -> None:  # noqa: ARG002
        assert post_id not in self.done
        self.done[post_id] = message_id

    async def sent_before(self, post: Post) -> Post | None:
        before = [entry for entry in self.posts if entry.game_id == post.game_id and entry.id in self.done]
        return max((entry for entry in before if entry.id < post.id), key=lambda entry: entry.id, default=None)

    async def failed(
        self, post_id: int, *, retry_after: float | None = None, gone: bool = False, refused: bool = False
    ) -> None:
        del retry_after
        self.failures.append((post_id, gone))
        self.refused |= {post_id} if refused or gone else set()
        if self.full:
            raise OSError("the disk is full")


class Epochs:
    """A fake of the epochs service, for a database that was never restored."""

    when_noticed: Callable[[], None]

    async def is_ahead(self, *_: object) -> bool:
        return False


class Channel:
    """A fake channel that stores posted messages, or raises an error that is set."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.error: Exception | None = None
        self.together = self.most_together = 0

    async def send(self, **message: Any) -> Any:
        self.together += 1
        self.most_together = max(self.most_together, self.together)
        await asyncio.sleep(0.001)
        self.together -= 1
        if self.error is not None:
            raise self.error
        self.messages.append(message["nonce"])
        return MagicMock(id=len(self.messages))

    async def history(self, *, limit: int) -> AsyncIterator[Any]:
        if self.error is not None:
            raise self.error
        for nonce in self.messages[-limit:]:
            code, _, ply = nonce.partition("-")
            button = SimpleNamespace(custom_id=card_marker(code, int(ply)))
            yield SimpleNamespace(id=500 + int(ply), author=SimpleNamespace(id=ME), components=[button])


class Stage:
    """A publisher with a fake outbox and fake channels."""

    def __init__(self, posts: list[Post]) -> None:
        self.outbox = Outbox(posts)
        self.channels: dict[int, Channel] = defaultdict(Channel)
        self.places: list[tuple[int, int]] = []
        bot = MagicMock(user=SimpleNamespace(id=ME))
        bot.get_partial_messageable = lambda place, **_: self.channels[place]
        host = MagicMock(outbox=self.outbox, games=MagicMock(epochs=Epochs()))
        host.places.set_thread = self._set_thread
        host.places.close = AsyncMock()
        self.publisher = Publisher(bot, host, cast("Any", None))

    async def _set_thread(self, game_id: int, place: int) -> None:
        self.places.append((game_id, place))

    async def publish(self) -> None:
        """Wake the publisher and wait until it is idle."""
        self.publisher.wake()
        assert self.publisher.queue.worker is not None
        await self.publisher.queue.worker


@pytest.fixture(autouse=True)
def _plain_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    async def card(_self: PostCards, _post: Post, _detail: Detail, _reference: str) -> Card:
        return Card(notice("x"), (), None)

    monkeypatch.setattr(PostCards, "of", card)


def http(kind: type[discord.HTTPException], status: int, code: int = 0) -> discord.HTTPException:
    """Return an error of Discord."""
    return kind(MagicMock(status=status, reason="x"), {"code": code, "message": "x"})


async def test_cards_are_posted_once_in_order_and_games_concurrently() -> None:
    stage = Stage([post(number, game_id) for number in range(1, 6) for game_id in (1, 2, 3, 4, 5, 6)])
    stage.outbox.posts = [replace(entry, id=index) for index, entry in enumerate(stage.outbox.posts)]
    await stage.publish()
    messages = stage.channels[THREAD].messages
    for game_id in range(1, 7):
        assert [nonce for nonce in messages if nonce.startswith(f"G{game_id}-")] == [
            f"G{game_id}-{n}" for n in range(1, 6)
        ]
    assert 1 < stage.channels[THREAD].most_together <= LANES


async def test_a_wake_up_during_posting_is_not_lost() -> None:
    stage = Stage([post(1)])
    stage.publisher.wake()
    await asyncio.sleep(0.0005)
    stage.outbox.posts.append(post(2))
    stage.publisher.wake()
    assert stage.publisher.queue.worker is not None
    await stage.publisher.queue.worker
    assert stage.channels[THREAD].messages == ["G1-1", "G1-2"]


async def test_own_posts_are_sent_without_reading_the_outbox(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage([])
    stage.outbox.taken = [post(1), replace(post(1, 2), id=9)]
    looked, retired = AsyncMock(return_value=[]), AsyncMock()
    monkeypatch.setattr("cogs.background.publisher.take_buttons", retired)
    monkeypatch.setattr(stage.outbox, "due", looked)
    monkeypatch.setattr(stage.outbox, "sending", looked)
    stage.publisher.queue.take_begun()
    await finished(stage)
    stage.outbox.taken = [post(2)]
    monkeypatch.setattr(stage.outbox, "sent_before", looked)
    stage.publisher.queue.take_begun()
    await finished(stage)
    assert stage.channels[THREAD].messages == ["G1-1", "G2-1", "G1-2"]
    assert stage.outbox.done == {1: 1, 9: 2, 2: 3}
    looked.assert_not_called()
    assert [call.args[0].id for call in retired.call_args_list] == [1]


async def test_own_posts_wait_for_the_queue_of_their_game(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage([])
    monkeypatch.setattr("cogs.background.publisher.take_buttons", AsyncMock())
    stage.outbox.taken = [post(1), post(2), replace(post(1, 2), id=9)]
    stage.publisher.queue.take_begun()
    await finished(stage)
    assert [nonce for nonce in stage.channels[THREAD].messages if nonce.startswith("G1")] == ["G1-1", "G1-2"]


async def test_the_next_post_of_a_queue_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cogs.background.publisher.take_buttons", AsyncMock())
    stage = Stage([])
    stage.outbox.taken = [post(1)]
    stage.publisher.queue.take_begun()
    await asyncio.sleep(0.0005)
    stage.publisher.wake()
    await asyncio.sleep(0)
    stage.outbox.posts = [post(2)]
    await finished(stage)
    assert stage.channels[THREAD].messages == ["G1-1", "G1-2"]


async def test_own_posts_that_wait_too_long_are_released(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "BEGUN_SECONDS", 0.0)
    stage = Stage([])
    stage.outbox.taken = [post(1), post(2)]
    stage.publisher.queue.take_begun()
    await finished(stage)
    assert stage.channels[THREAD].messages == ["G1-1"]
    assert sorted(stage.outbox.left) == [1, 2], "both are available to other processes"


async def test_continuous_wake_ups_do_not_starve_a_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next post of a queue is sent although the publisher is woken continuously."""
    stage = Stage([post(1), post(2)])
    due = stage.outbox.due

    async def slowly(limit: int = 20) -> list[Post]:
        await asyncio.sleep(0.002)
        if len(stage.outbox.done) < 2:
            stage.publisher.wake()
        return await due(limit)

    monkeypatch.setattr(stage.outbox, "due", slowly)
    stage.publisher.wake()
    async with asyncio.timeout(60):
        await finished(stage)
    assert stage.channels[THREAD].messages == ["G1-1", "G1-2"]


async def finished(stage: Stage) -> None:
    """Wait until the publisher is idle."""
    assert stage.publisher.queue.worker is not None
    await stage.publisher.queue.worker


async def test_a_possibly_posted_card_is_searched_for_first() -> None:
    stage = Stage([post(4, tried=True), post(5)])
    stage.channels[THREAD].messages = ["G1-3", "G1-4", "G9-4"]
    await stage.publish()
    assert stage.channels[THREAD].messages == ["G1-3", "G1-4", "G9-4", "G1-5"]
    assert stage.outbox.done[4] == 504


async def test_a_card_that_is_not_found_is_posted() -> None:
    stage = Stage([post(4, tried=True)])
    stage.channels[THREAD].messages = ["G1-3", "G1-44", "G9-4"]
    await stage.publish()
    assert stage.channels[THREAD].messages[-1] == "G1-4"


async def test_a_card_posted_by_another_process_is_no_sign_of_a_restore() -> None:
    """This process was stopped before its search, so that a newer card does not mean that the game went back."""
    stage = Stage([post(4, tried=False)])
    stage.channels[THREAD].messages = ["G1-3", "G1-4"]
    looked = stage.publisher._restore_detector.check_messages = AsyncMock(return_value=True)  # type: ignore[method-assign]

    def lost(post_id: int) -> None:
        stage.outbox.done[post_id] = 504
        raise LeaseLostError(post_id)

    stage.outbox.check_ours = lost  # type: ignore[method-assign]
    await stage.publish()
    assert not looked.called
    assert stage.channels[THREAD].messages == ["G1-3", "G1-4"]
    assert stage.outbox.failures == []


async def test_a_restored_database_causes_a_new_scan_of_all_channels(monkeypatch: pytest.MonkeyPatch) -> None:
    stage, looked = Stage([post(1)]), list[str]()
    history = Channel.history

    def looking(channel: Channel, *, limit: int) -> AsyncIterator[Any]:
        looked.append("looked")
        return history(channel, limit=limit)

    monkeypatch.setattr(Channel, "history", looking)
    for number, count in ((1, 1), (2, 1), (3, 2)):
        stage.outbox.posts.append(post(number))
        if number == 3:
            stage.publisher._host.games.epochs.when_noticed()
        await stage.publish()
        assert len(looked) == count, number


async def test_a_channel_with_a_newer_card_is_scanned_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """This includes channels that were scanned before, as a database can go back at runtime."""
    stage, now = Stage([post(1)]), [100.0]
    await stage.publish()
    look = AsyncMock(return_value=False)
    monkeypatch.setattr(publisher, "monotonic", lambda: now[0])
    monkeypatch.setattr(stage.publisher._restore_detector, "check", look)
    for seconds, count in ((0, 1), (0, 1), (59, 1), (2, 2)):
        now[0] += seconds
        stage.publisher.check_for_restore(replace(GAME, id=1))
        await asyncio.sleep(0)
        assert look.await_count == count


async def test_without_its_thread_a_game_is_posted_in_the_channel() -> None:
    stage = Stage([post(1)])
    stage.channels[THREAD].error = http(discord.NotFound, 404, 10003)
    await stage.publish()
    assert stage.channels[CHANNEL].messages == ["G1-1"]
    assert stage.places == [(1, CHANNEL)]


async def test_without_thread_and_channel_the_post_is_parked() -> None:
    stage = Stage([post(1)])
    for place in (THREAD, CHANNEL):
        stage.channels[place].error = http(discord.NotFound, 404, 10003)
    await stage.publish()
    assert stage.outbox.failures == [(1, True)]


@pytest.mark.parametrize(("attempts", "gone"), [(0, False), (MAX_REFUSALS, True)])
async def test_refused_posts_are_eventually_parked(attempts: int, *, gone: bool) -> None:
    stage = Stage([replace(post(1), attempts=attempts)])
    for place in (THREAD, CHANNEL):
        stage.channels[place].error = http(discord.Forbidden, 403, 50013)
    await stage.publish()
    assert stage.outbox.failures == [(1, gone)]
    assert stage.places == []


async def test_a_server_error_is_retried_later() -> None:
    stage = Stage([post(1), post(2)])
    stage.channels[THREAD].error = http(discord.DiscordServerError, 500)
    await stage.publish()
    assert stage.outbox.failures == [(1, False)]
    assert stage.outbox.done == {}


async def test_every_outcome_releases_the_post() -> None:
    stage = Stage([post(1)])
    stage.channels[THREAD].error = http(discord.DiscordServerError, 500)
    stage.outbox.full = True
    await stage.publish()
    assert stage.outbox.left == [1]


async def test_closing_waits_for_a_running_post() -> None:
    stage = Stage([post(1)])
    stage.publisher.wake()
    await stage.publisher.stop()
    assert stage.outbox.done == {1: 1}


async def test_posts_about_time_wait_for_the_first_heartbeat() -> None:
    """Otherwise a reminder of a previous process would show a deadline without the compensated downtime."""
    stage = Stage([replace(post(1), kind=PostKind.GIVEN), post(2, 2)])
    pulse = stage.publisher._host.gateway_monitor = MagicMock(beats=False)
    await stage.publish()
    assert list(stage.channels[THREAD].messages) == ["G2-2"]
    pulse.beats = True
    stage.outbox.failures.clear()
    await stage.publish()
    assert list(stage.channels[THREAD].messages) == ["G2-2", "G1-1"]
