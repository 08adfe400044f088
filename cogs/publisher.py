"""Posting the cards: what the outbox holds goes to Discord once, in order within a game, several games at a time."""

from __future__ import annotations

import asyncio
import logging
from contextvars import Context
from typing import TYPE_CHECKING, Final

import discord
from discord.ext import tasks

from cogs.ui.answers import CONNECTION_BROKEN
from cogs.ui.card import Card, final_card, notice_card, pictures_of, turn_card
from cogs.ui.components import custom_ids
from cogs.ui.ids import card_marker, notice_marker
from cogs.ui.retiring import without_buttons
from host import PostKind

if TYPE_CHECKING:
    from discord.ext import commands

    from cogs.ui.atelier import Atelier
    from host import Game, Host, Outcome, Post

log = logging.getLogger(__name__)

LANES: Final = 4
"""Games whose cards are posted at the same time."""
SWEEP_SECONDS: Final = 5.0
"""How often to look for posts whose time to be tried again has come."""
STOP_SECONDS: Final = 10.0
"""How long to wait at the end for what is being posted."""
SEARCHED: Final = 50
"""Messages looked through for a card that may have been posted already."""
FORBIDDEN_PAUSE: Final = 900.0
"""Seconds until a place that refused the bot is tried again."""
MOST_REFUSALS: Final = 8
"""Attempts after which a place that refuses the bot counts as gone: Discord bans those who insist."""
THREAD_ARCHIVED: Final = 50083


class NoPlaceLeftError(Exception):
    """There is no place left in which the game's cards can be posted."""


class Publisher:
    """Sends what the outbox holds."""

    def __init__(self, bot: commands.Bot, host: Host, atelier: Atelier) -> None:
        self._bot = bot
        self._host = host
        self._atelier = atelier
        self._pump: asyncio.Task[None] | None = None
        self._bell: asyncio.Future[None] | None = None
        self._woken = False
        self._stopped = False
        self._lanes: dict[int, asyncio.Task[None]] = {}
        self._retiring: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Post what waits, then look for more now and then."""
        _ = self._sweep.start()  # its task is kept by the loop

    async def stop(self) -> None:
        """Finish what is being posted; what takes too long is left for the next start."""
        self._stopped = True
        self._sweep.cancel()
        running = [task for task in (self._pump, *self._retiring) if task is not None and not task.done()]
        if running:
            _, late = await asyncio.wait(running, timeout=STOP_SECONDS)
            left = (*late, *self._lanes.values())
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    async def show_again(self, game: Game, *, before: int | None = None) -> None:
        """Post a copy of the newest card where the game is now; one that still waits to be posted comes by itself.

        ``before`` is the place where the card has been until now.
        """
        post = await self._host.outbox.last_sent(game.id)
        if post is None or post.ply != game.ply:
            return
        card = await self._card(post)
        nobody = discord.AllowedMentions.none()
        channel = self._channel(game, game.place)
        message = await channel.send(view=card.view, files=card.files(), allowed_mentions=nobody)
        await self._host.outbox.sent_again(post.id, message.id)
        self._retire(post, before or game.place)

    def moved_on(self, outcome: Outcome) -> None:
        """A move was made: the picture of the position before it is not wanted any more, a card is due."""
        self._atelier.drop(pictures_of(outcome.game, outcome.before_ply))
        self.wake()

    def wake(self) -> None:
        """Something may be due. Returns at once; once stopped, leaves it for the next start."""
        if self._stopped:
            return
        self._woken = True
        if self._bell is not None and not self._bell.done():
            self._bell.set_result(None)
        if self._pump is None or self._pump.done():
            # A context of its own: who happened to wake it is not what its lines in the log are about.
            self._pump = asyncio.create_task(self._drain(), name="publisher", context=Context())

    @tasks.loop(seconds=SWEEP_SECONDS)
    async def _sweep(self) -> None:
        self.wake()

    async def _drain(self) -> None:
        """Give each game with something due a lane, until nothing is."""
        while self._woken or self._lanes:
            self._woken = False
            try:
                await self._fill_lanes()
            except Exception:  # the next sweep looks again
                log.exception("the outbox could not be read")
            if not self._lanes:
                continue
            self._bell = asyncio.get_running_loop().create_future()
            await asyncio.wait((*self._lanes.values(), self._bell), return_when=asyncio.FIRST_COMPLETED)
            done = [game for game, lane in self._lanes.items() if lane.done()]
            for game in done:
                del self._lanes[game]
            self._woken = self._woken or bool(done)

    async def _fill_lanes(self) -> None:
        if len(self._lanes) >= LANES:
            return
        for post in await self._host.outbox.due():
            if post.game_id not in self._lanes and len(self._lanes) < LANES:
                self._lanes[post.game_id] = asyncio.create_task(self._lane(post), name=f"post {post.nonce}")

    async def _lane(self, post: Post) -> None:
        try:
            await self._deliver(post)
        except Exception:  # the lease of the post runs out, and it is tried again
            log.exception("the outbox could not be kept", extra=_about(post))

    async def _deliver(self, post: Post) -> None:
        """Post a card once: one that may be there already is looked for first."""
        outbox = self._host.outbox
        if not await outbox.sending(post.id):
            return
        try:
            message_id = await self._posted_before(post) if post.first_attempt_at else None
            if message_id is None:
                message_id = await self._post(post)
            await outbox.sent(post.id, message_id)
            log.info("card posted", extra={**_about(post), "card": message_id, "attempts": post.attempts})
            self._retire(await outbox.sent_before(post), post.game.place)
        except NoPlaceLeftError:
            log.warning("no place for a card: it is parked", extra=_about(post))
            await outbox.failed(post.id, gone=True)
        except discord.Forbidden as error:
            gone = post.attempts >= MOST_REFUSALS
            log.warning("not allowed to post a card: %s", error, extra={**_about(post), "parked": gone})
            await outbox.failed(post.id, retry_after=FORBIDDEN_PAUSE, gone=gone)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("a card could not be posted yet: %r", error, extra=_about(post))
            await outbox.failed(post.id)
        except Exception:  # whatever it was, the card must be tried again
            log.exception("a card could not be posted", extra=_about(post))
            await outbox.failed(post.id)

    async def _posted_before(self, post: Post) -> int | None:
        """The message of a card that was sent, though its being sent was never recorded."""
        marker = _marker(post)
        me = self._bot.user.id if self._bot.user else 0
        for place in _places(post.game):
            try:
                async for message in self._channel(post.game, place).history(limit=SEARCHED):
                    if message.author.id == me and marker in custom_ids(message):
                        return message.id
            except (discord.NotFound, discord.Forbidden):
                continue
        return None

    async def _post(self, post: Post) -> int:
        """Send the card to the game's place; when that is gone, to the channel in which the game was opened."""
        card = await self._card(post)
        refused: discord.Forbidden | None = None
        for place in _places(post.game):
            try:
                message = await self._send(post, place, card)
            except discord.NotFound:
                log.warning("the place of a game is gone", extra={**_about(post), "place": place})
                continue
            except discord.Forbidden as error:
                refused = error
                continue
            if place != post.game.place and refused is None:
                await self._host.set_thread(post.game_id, place)
            return message.id
        if refused is not None:
            raise refused
        raise NoPlaceLeftError

    async def _send(self, post: Post, place: int, card: Card) -> discord.Message:
        channel = self._channel(post.game, place)
        try:
            return await self._send_to(channel, post, card)
        except discord.HTTPException as error:
            if error.code != THREAD_ARCHIVED:
                raise
        thread = await self._bot.fetch_channel(place)  # archived and locked: sending alone does not open it
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False, locked=False)
        return await self._send_to(channel, post, card)

    async def _send_to(self, channel: discord.PartialMessageable, post: Post, card: Card) -> discord.Message:
        return await channel.send(
            view=card.view, files=card.files(), allowed_mentions=card.mentions(), nonce=post.nonce
        )

    def _channel(self, game: Game, place: int) -> discord.PartialMessageable:
        return self._bot.get_partial_messageable(place, guild_id=game.guild_id)

    async def _card(self, post: Post) -> Card:
        match post.kind:
            case PostKind.FROZEN | PostKind.THAWED:
                return notice_card(post)
            case PostKind.FINAL:
                moment = await self._host.moment_of(post)
                return await final_card(self._atelier, moment, await self._host.moment(post.game_id, 0, post.ply))
            case _:
                moment = await self._host.moment_of(post)
                newest = (await self._host.game(post.game_id)).ply == post.ply
                return await turn_card(self._atelier, moment, current=newest)

    def _retire(self, post: Post | None, place: int) -> None:
        """Take the buttons from a card that is not the newest any more, if possible; they are stale in any case."""
        if post is not None and post.message_id is not None and post.kind in {PostKind.START, PostKind.CARD}:
            card = self._channel(post.game, place).get_partial_message(post.message_id)
            task = asyncio.create_task(_take_buttons(card), name=f"retire {post.nonce}")
            self._retiring.add(task)
            task.add_done_callback(self._retiring.discard)


def _about(post: Post) -> dict[str, object]:
    """What the log says of a post."""
    game = post.game
    return {"game": game.code, "ply": post.ply, "server": game.guild_id, "place": game.place, "kind": post.kind.value}


def _places(game: Game) -> list[int]:
    """Where a game's cards may go, the right place first."""
    return list(dict.fromkeys((game.place, game.channel_id)))


def _marker(post: Post) -> str:
    """The custom id by which the message of a post is recognised."""
    code = post.game.code
    if post.kind in {PostKind.FROZEN, PostKind.THAWED}:
        return notice_marker(code, post.ply, post.nonce)
    return card_marker(code, post.ply)


async def _take_buttons(card: discord.PartialMessage) -> None:
    try:
        message = await card.fetch()
        await message.edit(view=without_buttons(message), attachments=message.attachments)
    except (discord.HTTPException, *CONNECTION_BROKEN) as error:
        log.debug("old buttons stay: %s", error, extra={"card": card.id})
