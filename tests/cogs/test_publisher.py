"""Posting the cards once and in order, through a Discord that fails in every way."""

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
from tests.cogs.positions import MOMENT, game_of

THREAD, CHANNEL, ME = 3, 2, 77
GAME = game_of(Position(new_setup(players=2, seed="1")))


def post(number: int, game_id: int = 1, *, tried: bool = False) -> Post:
    """A post of the outbox."""
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
        first_attempt_at=MOMENT if tried else None,
        message_id=None,
    )


class Outbox:
    """The outbox of a host, in memory."""

    def __init__(self, posts: list[Post]) -> None:
        self.posts = posts
        self.done: dict[int, int] = {}
        self.failures: list[tuple[int, bool]] = []
        self.refused: set[int] = set()
        self.taken: list[Post] = []
        """What this process has begun."""
        self.left: list[int] = []
        """What it sends no more."""
        self.full = False
        """Whether nothing can be stored."""

    def let_go(self, post_id: int) -> None:
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
        """Nobody else is there."""

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
    """What a host knows of games that went back: nothing was ever restored."""

    when_noticed: Callable[[], None]

    async def is_ahead(self, *_: object) -> bool:
        return False


class Channel:
    """A channel or thread that keeps what is posted, or raises what it is told to."""

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
    """A publisher between a fake outbox and fake channels."""

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
        """Wake the publisher and wait until it rests."""
        self.publisher.wake()
        assert self.publisher.queue.worker is not None
        await self.publisher.queue.worker


@pytest.fixture(autouse=True)
def _plain_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    async def card(_self: PostCards, _post: Post, _detail: Detail, _reference: str) -> Card:
        return Card(notice("x"), (), None)

    monkeypatch.setattr(PostCards, "of", card)


def http(kind: type[discord.HTTPException], status: int, code: int = 0) -> discord.HTTPException:
    """An error of Discord."""
    return kind(MagicMock(status=status, reason="x"), {"code": code, "message": "x"})


async def test_each_card_once_in_order_and_games_side_by_side() -> None:
    stage = Stage([post(number, game_id) for number in range(1, 6) for game_id in (1, 2, 3, 4, 5, 6)])
    stage.outbox.posts = [replace(entry, id=index) for index, entry in enumerate(stage.outbox.posts)]
    await stage.publish()
    messages = stage.channels[THREAD].messages
    for game_id in range(1, 7):
        assert [nonce for nonce in messages if nonce.startswith(f"G{game_id}-")] == [
            f"G{game_id}-{n}" for n in range(1, 6)
        ]
    assert 1 < stage.channels[THREAD].most_together <= LANES


async def test_waking_while_posting_loses_nothing() -> None:
    stage = Stage([post(1)])
    stage.publisher.wake()
    await asyncio.sleep(0.0005)
    stage.outbox.posts.append(post(2))
    stage.publisher.wake()
    assert stage.publisher.queue.worker is not None
    await stage.publisher.queue.worker
    assert stage.channels[THREAD].messages == ["G1-1", "G1-2"]


async def test_what_is_begun_here_needs_no_look_into_the_outbox(monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_what_is_begun_waits_for_the_lane_of_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage([])
    monkeypatch.setattr("cogs.background.publisher.take_buttons", AsyncMock())
    stage.outbox.taken = [post(1), post(2), replace(post(1, 2), id=9)]
    stage.publisher.queue.take_begun()
    await finished(stage)
    assert [nonce for nonce in stage.channels[THREAD].messages if nonce.startswith("G1")] == ["G1-1", "G1-2"]


async def test_what_follows_in_a_lane_that_somebody_asked_about_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_what_finds_no_lane_for_too_long_is_left_to_the_outbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "BEGUN_SECONDS", 0.0)
    stage = Stage([])
    stage.outbox.taken = [post(1), post(2)]
    stage.publisher.queue.take_begun()
    await finished(stage)
    assert stage.channels[THREAD].messages == ["G1-1"]
    assert sorted(stage.outbox.left) == [1, 2], "neither is kept from those who look"


async def test_who_looks_without_end_holds_up_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lane that is done makes room for what follows in it, also while somebody asks again at every moment."""
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
    """Wait until the publisher rests."""
    assert stage.publisher.queue.worker is not None
    await stage.publisher.queue.worker


async def test_a_card_that_may_be_there_is_looked_for_first() -> None:
    stage = Stage([post(4, tried=True), post(5)])
    stage.channels[THREAD].messages = ["G1-3", "G1-4", "G9-4"]
    await stage.publish()
    assert stage.channels[THREAD].messages == ["G1-3", "G1-4", "G9-4", "G1-5"]
    assert stage.outbox.done[4] == 504


async def test_one_that_is_not_there_is_posted() -> None:
    stage = Stage([post(4, tried=True)])
    stage.channels[THREAD].messages = ["G1-3", "G1-44", "G9-4"]
    await stage.publish()
    assert stage.channels[THREAD].messages[-1] == "G1-4"


async def test_a_card_that_another_process_has_posted_meanwhile_is_not_one_of_a_newer_file() -> None:
    """This process was stopped before it looked: what stands there is no proof that the game went back."""
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


async def test_a_database_that_goes_back_has_all_places_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_of_a_card_from_ahead_its_place_is_looked_at_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a game whose place was looked at before: a database may go back while the bot runs."""
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


async def test_when_the_thread_is_gone_the_channel_takes_its_place() -> None:
    stage = Stage([post(1)])
    stage.channels[THREAD].error = http(discord.NotFound, 404, 10003)
    await stage.publish()
    assert stage.channels[CHANNEL].messages == ["G1-1"]
    assert stage.places == [(1, CHANNEL)]


async def test_when_everything_is_gone_the_post_is_parked() -> None:
    stage = Stage([post(1)])
    for place in (THREAD, CHANNEL):
        stage.channels[place].error = http(discord.NotFound, 404, 10003)
    await stage.publish()
    assert stage.outbox.failures == [(1, True)]


@pytest.mark.parametrize(("attempts", "gone"), [(0, False), (MAX_REFUSALS, True)])
async def test_refusals_are_not_repeated_for_ever(attempts: int, *, gone: bool) -> None:
    stage = Stage([replace(post(1), attempts=attempts)])
    for place in (THREAD, CHANNEL):
        stage.channels[place].error = http(discord.Forbidden, 403, 50013)
    await stage.publish()
    assert stage.outbox.failures == [(1, gone)]
    assert stage.places == []


async def test_a_server_error_is_tried_again_later() -> None:
    stage = Stage([post(1), post(2)])
    stage.channels[THREAD].error = http(discord.DiscordServerError, 500)
    await stage.publish()
    assert stage.outbox.failures == [(1, False)]
    assert stage.outbox.done == {}


async def test_whatever_becomes_of_a_post_nobody_else_is_kept_from_it() -> None:
    stage = Stage([post(1)])
    stage.channels[THREAD].error = http(discord.DiscordServerError, 500)
    stage.outbox.full = True
    await stage.publish()
    assert stage.outbox.left == [1]


async def test_stopping_waits_for_what_is_being_posted() -> None:
    stage = Stage([post(1)])
    stage.publisher.wake()
    await stage.publisher.stop()
    assert stage.outbox.done == {1: 1}


async def test_what_tells_of_time_waits_for_the_first_heartbeat_after_a_start() -> None:
    """A reminder that was left by a process that ended would show a deadline without what its end has cost."""
    stage = Stage([replace(post(1), kind=PostKind.GIVEN), post(2, 2)])
    pulse = stage.publisher._host.pulse = MagicMock(beats=False)
    await stage.publish()
    assert list(stage.channels[THREAD].messages) == ["G2-2"]
    pulse.beats = True
    stage.outbox.failures.clear()
    await stage.publish()
    assert list(stage.channels[THREAD].messages) == ["G2-2", "G1-1"]
