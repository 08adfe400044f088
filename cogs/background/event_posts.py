"""Posting what is told of events: each thing once, in order within an event, several events at a time."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import discord
from discord.ext import tasks

from cogs.background.direct_messages import write_to_organisers
from cogs.interactions.admission import posted_in
from cogs.panels.events.announcement import Told, show_event
from cogs.panels.events.posts import event_card
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.texts.languages import speaking
from host import log_failure
from host.events import EventPostKind
from host.notifications import EVENT_POSTS, Obsolete, QuietHours, Where
from host.observability import work_apart
from host.retry import retry_forever

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cogs.services.bot import BotServices
    from host.events import EventPost, RankView, RoundView

log = logging.getLogger(__name__)

SECONDS: Final = 2.0
LANES: Final = 16
"""Events of which something is posted at the same time: a channel that does not answer holds up its own alone."""
FORBIDDEN_PAUSE: Final = 900.0
"""Seconds until a channel that refused the bot is tried again."""
GONE_PAUSE: Final = 86400.0
"""The same for one that is not there any more."""
MOST_ATTEMPTS: Final = 12
"""Attempts after which nobody waits for a message any more: what follows it must not wait for ever."""


class EventPublisher:
    """Sends what is due of events."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._working = asyncio.Lock()
        self._lanes: dict[int, asyncio.Task[None]] = {}
        """By event: what is being posted of it."""

    def start(self) -> None:
        """Post what waits, then look for more now and then."""
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Leave the rest for the next start; what is half done is found in the channel then."""
        running = self._round.get_task()
        self._round.cancel()
        if running is not None:
            await asyncio.gather(running, return_exceptions=True)
        for lane in self._lanes.values():
            lane.cancel()
        await asyncio.gather(*self._lanes.values(), return_exceptions=True)

    @tasks.loop(seconds=SECONDS)
    async def _round(self) -> None:
        try:
            await self.work()
        except Exception as error:  # noqa: BLE001 - the next round tries again
            log_failure(log, "what is due about events could not be posted", error)

    async def work(self) -> None:
        """Post all that is due now, and what comes due meanwhile."""
        async with self._working:
            while await self._fill():
                _ = await asyncio.wait(
                    self._lanes.values(), timeout=SECONDS, return_when=asyncio.FIRST_COMPLETED
                )  # those that go on are kept

    async def _fill(self) -> bool:
        """Give each event of which something is due a lane, as far as there are any; whether any is in use."""
        self._lanes = {event_id: lane for event_id, lane in self._lanes.items() if not lane.done()}
        found = await self._bot.host.events.posts.due() if len(self._lanes) < LANES else []
        for post in found:
            if post.event.id not in self._lanes and len(self._lanes) < LANES:
                work = asyncio.create_task(
                    self._lane(post), name=f"post {post.nonce}", context=work_apart(event=post.event.code)
                )
                self._lanes[post.event.id] = work
        return bool(self._lanes)

    async def _lane(self, first: EventPost) -> None:
        """Post what is due of one event, one thing after the other."""
        post: EventPost | None = first
        try:
            while post is not None and await self._deliver(post):
                post = await self._bot.host.events.posts.next_of(first.event.id)
        except Exception as error:  # noqa: BLE001 - the lease of the post runs out, and it is tried again
            log_failure(log, "what is due about an event could not be posted", error, {"event": first.event.code})
            await asyncio.sleep(SECONDS)

    async def _deliver(self, post: EventPost) -> bool:
        """Post one message, once; whether the next one of its event may follow."""
        posts = self._bot.host.events.posts
        if not await posts.sending(post.id):
            return False
        details = {"event": post.event.code, "post": post.nonce, "kind": str(post.kind)}
        try:
            message_id = await self._posted_before(post) or await self._send(post)
            if post.kind is EventPostKind.ANNOUNCED and message_id is not None:
                await self._bot.host.events.reader.set_message(post.event.id, message_id)
            await posts.sent(post.id, message_id)
            log.info("event told", extra={**details, "card": message_id})
        except (discord.NotFound, discord.Forbidden) as error:
            return await self._refused(post, error)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("a message about an event could not be posted yet: %r", error, extra=details)
            await posts.failed(post.id)
            return False
        except Exception as error:  # noqa: BLE001 - whatever it was, it is tried again
            log_failure(log, "a message about an event could not be posted", error, details)
            await posts.failed(post.id)
            return False
        if post.kind not in (EventPostKind.ANNOUNCED, EventPostKind.NEWS):
            await retry_forever(partial(show_event, self._bot, post.event.code))
        return True

    async def _refused(self, post: EventPost, error: discord.HTTPException) -> bool:
        """The channel is closed to the bot, or gone: it is tried now and then, and given up in the end."""
        posts = self._bot.host.events.posts
        log.error("an event is silent: %s", error, extra={"event": post.event.code, "channel": post.event.channel_id})
        if post.attempts >= MOST_ATTEMPTS:
            await posts.sent(post.id, None)
            return True
        pause = GONE_PAUSE if isinstance(error, discord.NotFound) else FORBIDDEN_PAUSE
        await posts.failed(post.id, retry_after=pause)
        return False

    async def _posted_before(self, post: EventPost) -> int | None:
        """The message of a post that was sent, though its being sent was never recorded."""
        if post.first_attempt_at is None:
            return None
        me = self._bot.user.id if self._bot.user else 0
        for posted in await posted_in(self._channel(post), me):
            if any(custom_id.endswith(f" {post.nonce}") for custom_id in posted.ids):
                return posted.message.id
        return None

    async def _send(self, post: EventPost) -> int | None:
        told = await self._told(post)
        if EVENT_POSTS[post.kind].where is Where.ORGANISERS:
            told = await write_to_organisers(self._bot, told)
        if EVENT_POSTS[post.kind].obsolete is Obsolete.NOBODY_NAMED and not told.named:
            return None
        event = post.event
        settings = await self._bot.host.servers.usual_settings(event.guild_id, language=event.plan.language)
        with speaking(settings.language):
            card = await self._bot.render_pool.draw(lambda: event_card(told))
        called = await self._awake(told, card.called)
        card, channel = replace(card, called=called), self._channel(post)
        message = await channel.send(
            view=card.view, files=card.files(), allowed_mentions=card.mentions(), nonce=post.nonce
        )
        return message.id

    async def _awake(self, told: Told, called: Sequence[int]) -> Sequence[int]:
        """Those whom a message pings now; the others, who have quiet hours, are called when those end."""
        wanted = told.named or called
        if not wanted or QuietHours.UNTIL_NEWS not in EVENT_POSTS[told.post.kind].quiet:
            return called
        asleep = await self._bot.host.events.posts.asleep(told.post, wanted)
        return [user_id for user_id in called if user_id not in asleep]

    async def _told(self, post: EventPost) -> Told:
        events, event = self._bot.host.events, post.event.event
        found: RoundView | None = None
        standings: tuple[RankView, ...] = ()
        if event is not None and event.stages:
            if post.stage and post.round and post.round <= len(event.stages[post.stage - 1].rounds):
                found = await events.reader.round(post.event.code, post.stage, post.round)
            standings = await events.reader.standings(post.event.code)
        told = Told(post, self._bot.presenters, found, standings)
        if post.kind is not EventPostKind.NEWS:
            return told
        called, message_id = await events.posts.awaited(post)
        return replace(told, named=called, called=called, of=message_id)

    def _channel(self, post: EventPost) -> discord.PartialMessageable:
        return self._bot.get_partial_messageable(post.event.channel_id, guild_id=post.event.guild_id)
