"""Send the messages about events (tournaments) that the host has stored: each once, and in order within an event.

The messages of different events are sent at the same time, in *lanes*: one lane for each event, so that a slow channel
delays only its own event.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import discord
from discord.ext import tasks

from cogs.background.direct_messages import write_to_organisers
from cogs.background.round_schedules import KINDS, schedule_round
from cogs.interactions.admission import posted_in
from cogs.panels.events.posts import PostContext, event_card, refresh_card
from cogs.services.bot import BotServices
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.texts.languages import speaking
from host import log_failure
from host.events import EventPost, EventPostKind, RankView, RoundView
from host.notifications import EVENT_POSTS, Obsolete, QuietHours, Where
from host.observability import logging_failures, new_log_context
from host.retry import retry_forever

log = logging.getLogger(__name__)

POLL_SECONDS: Final = 2.0
"""The seconds between two looks for due posts."""
MAX_LANES: Final = 16
"""The most events whose posts are sent at the same time."""
FORBIDDEN_PAUSE: Final = 900.0
"""The seconds after which a channel that has refused the bot is tried again."""
GONE_PAUSE: Final = 86400.0
"""The seconds after which a channel that does not exist is tried again."""
MAX_ATTEMPTS: Final = 12
"""The attempts after which a post is dropped, so that it does not hold up the later posts of its event for ever."""


class EventPublisher:
    """Sends the due posts of events."""

    def __init__(self, bot: BotServices) -> None:
        self._bot = bot
        self._working = asyncio.Lock()
        self._lanes: dict[int, asyncio.Task[None]] = {}
        """The running deliveries, by event id."""

    def start(self) -> None:
        """Start to look for due posts periodically."""
        _ = self._round.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Stop sending; the next start looks in the channels for messages that were sent but not recorded."""
        running = self._round.get_task()
        self._round.cancel()
        if running is not None:
            await asyncio.gather(running, return_exceptions=True)
        for lane in self._lanes.values():
            lane.cancel()
        await asyncio.gather(*self._lanes.values(), return_exceptions=True)

    @tasks.loop(seconds=POLL_SECONDS)
    async def _round(self) -> None:
        """Send the due posts; a failure is only logged, since the next round tries again."""
        with logging_failures(log, "the posts of events could not be sent"):
            await self.work()

    async def work(self) -> None:
        """Send all due posts, including those that become due meanwhile."""
        async with self._working:
            while await self._fill():
                _ = await asyncio.wait(
                    self._lanes.values(), timeout=POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )  # unfinished lanes stay

    async def _fill(self) -> bool:
        """Start a lane for each event with a due post, as far as lanes are free; return whether any lane is in use."""
        self._lanes = {event_id: lane for event_id, lane in self._lanes.items() if not lane.done()}
        due_posts = await self._bot.host.events.posts.due() if len(self._lanes) < MAX_LANES else []
        for post in due_posts:
            if post.event.id not in self._lanes and len(self._lanes) < MAX_LANES:
                lane = asyncio.create_task(
                    self._run_lane(post), name=f"post {post.nonce}", context=new_log_context(event=post.event.code)
                )
                self._lanes[post.event.id] = lane
        return bool(self._lanes)

    async def _run_lane(self, first: EventPost) -> None:
        """Send the due posts of one event one after the other."""
        post: EventPost | None = first
        try:
            while post is not None and await self._deliver(post):
                post = await self._bot.host.events.posts.next_of(first.event.id)
        except Exception as error:  # noqa: BLE001 - the post is retried when its lease expires
            log_failure(log, "the posts of an event could not be sent", error, {"event": first.event.code})
            await asyncio.sleep(POLL_SECONDS)

    async def _deliver(self, post: EventPost) -> bool:
        """Send a post once; return whether the next one of its event may follow."""
        posts = self._bot.host.events.posts
        if not await posts.lease(post.id):
            return False
        details = {"event": post.event.code, "post": post.nonce, "kind": str(post.kind)}
        try:
            message_id = await self._find_message(post) or await self._send(post)
            if post.kind is EventPostKind.ANNOUNCED and message_id is not None:
                await self._bot.host.events.reader.set_message(post.event.id, message_id)
            await posts.record_sent(post.id, message_id)
            log.info("event message posted", extra={**details, "card": message_id})
        except (discord.NotFound, discord.Forbidden) as error:
            return await self._refused(post, error)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("a message about an event could not be posted yet: %r", error, extra=details)
            await posts.record_failure(post.id)
            return False
        except Exception as error:  # noqa: BLE001 - retried after any error
            log_failure(log, "a message about an event could not be posted", error, details)
            await posts.record_failure(post.id)
            return False
        if post.kind in KINDS:
            with logging_failures(log, "a round could not be put among the scheduled events"):
                await schedule_round(self._bot, await self._context(post))
        if post.kind not in (EventPostKind.ANNOUNCED, EventPostKind.NEWS):
            await retry_forever(partial(refresh_card, self._bot, post.event.code))
        return True

    async def _refused(self, post: EventPost, error: discord.HTTPException) -> bool:
        """Retry a post later whose channel is closed to the bot or does not exist.

        After :data:`MAX_ATTEMPTS` it is dropped. Return whether the next post of the event may follow.
        """
        posts = self._bot.host.events.posts
        log.error("an event is silent: %s", error, extra={"event": post.event.code, "channel": post.event.channel_id})
        if post.attempts >= MAX_ATTEMPTS:
            await posts.record_sent(post.id, None)
            return True
        pause = GONE_PAUSE if isinstance(error, discord.NotFound) else FORBIDDEN_PAUSE
        await posts.record_failure(post.id, retry_after=pause)
        return False

    async def _find_message(self, post: EventPost) -> int | None:
        """Return the id of the message of a post that was sent before but not recorded; None if there is none."""
        if post.first_attempt_at is None:
            return None
        me = self._bot.user.id if self._bot.user else 0
        for posted in await posted_in(self._channel(post), me):
            if any(custom_id.endswith(f" {post.nonce}") for custom_id in posted.ids):
                return posted.message.id
        return None

    async def _send(self, post: EventPost) -> int | None:
        """Send a post, and return the id of its message; None if it is obsolete because nobody is left to ping."""
        context = await self._context(post)
        if EVENT_POSTS[post.kind].where is Where.ORGANISERS:
            context = await write_to_organisers(self._bot, context)
        if EVENT_POSTS[post.kind].obsolete is Obsolete.NOBODY_NAMED and not context.named:
            return None
        event = post.event
        settings = await self._bot.host.servers.usual_settings(event.guild_id, language=event.plan.language)
        with speaking(settings.language):
            card = await self._bot.render_pool.draw(lambda: event_card(context))
        pinged = await self._pinged_now(context, card.pinged)
        card, channel = replace(card, pinged=pinged), self._channel(post)
        message = await channel.send(
            view=card.view, files=card.files(), allowed_mentions=card.mentions(), nonce=post.nonce
        )
        return message.id

    async def _pinged_now(self, context: PostContext, pinged: Sequence[int]) -> Sequence[int]:
        """Return the users to ping now; those in their quiet hours will be notified when these end."""
        users = context.named or pinged
        if not users or QuietHours.UNTIL_NEWS not in EVENT_POSTS[context.post.kind].quiet:
            return pinged
        quiet_users = await self._bot.host.events.posts.defer_quiet(context.post, users)
        return [user_id for user_id in pinged if user_id not in quiet_users]

    async def _context(self, post: EventPost) -> PostContext:
        """Collect what the message of a post shows."""
        events, event = self._bot.host.events, post.event.event
        round_view: RoundView | None = None
        standings: tuple[RankView, ...] = ()
        if event is not None and event.stages:
            if post.stage and post.round and post.round <= len(event.stages[post.stage - 1].rounds):
                round_view = await events.reader.round(post.event.code, post.stage, post.round)
            standings = await events.reader.standings(post.event.code)
        context = PostContext(post, self._bot.presenters, round_view, standings)
        if post.kind is not EventPostKind.NEWS:
            return context
        pinged, message_id = await events.posts.deferred_recipients(post)
        return replace(context, named=pinged, pinged=pinged, missed_message_id=message_id)

    def _channel(self, post: EventPost) -> discord.PartialMessageable:
        """Return the channel of a post, without asking Discord for it."""
        return self._bot.get_partial_messageable(post.event.channel_id, guild_id=post.event.guild_id)
