"""Send the messages about games that the host has stored: each once, and in order within a game.

A *post* is a stored message to send; the posts of all games are the *outbox*. A *card* is the message of a move, with a
picture of the board and buttons. Only the newest card of a game has buttons.

- :class:`Publisher` sends posts, retries those that fail, and takes the buttons off older cards.
- :class:`PerGameQueue` decides which posts are sent when: several games at the same time, each in a *lane* of its own,
  but only one post of a game. *Begun* posts, which this process has just stored and leased, come from memory. All
  others are read from the outbox when something may be due.
- :class:`PostCards` composes the card of a post from the stored game, each time that it is sent.
- :class:`RestoreDetector` notices that the database was restored from a backup: then a game's channel shows cards that
  this database has never sent.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import Any, Final, assert_never

import discord
from discord.ext import tasks

from cogs.background.direct_messages import write_directly
from cogs.background.requests import rechecking
from cogs.games.presenters import PRESENTERS
from cogs.interactions.admission import NOTICES, PostedMessage, cards_of, marker_of, posted_in
from cogs.interactions.threads import ARCHIVE_MINUTES, THREAD_EXISTS, thread_title
from cogs.messages import Detail, is_defect, report
from cogs.panels.card_messages import (
    CARDS_WITH_BUTTONS,
    CLOSING_NOTICES,
    PostedCards,
    directly_follows,
    is_locked,
    log_silence,
    places_of,
    respect_quiet_hours,
    send_card,
    take_buttons,
)
from cogs.panels.cards import (
    Card,
    CardTexts,
    bare_card,
    final_card,
    further_buttons,
    notice_card,
    picture_key,
    question_card,
    story_without_move,
    turn_card,
)
from cogs.panels.lessons import course_of, ending, explanations
from cogs.panels.side_messages import side_card
from cogs.presenting.lesson_topics import Course
from cogs.presenting.presenter import Presenter
from cogs.services.bot import BotServices
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.services.render_pool import RenderPool
from cogs.services.sessions import BackgroundTasks
from cogs.texts import t
from cogs.texts.languages import speaking
from cogs.words.asking import revealed_since
from host import (
    Consequence,
    ErrorCode,
    Game,
    GameStatus,
    Host,
    HostError,
    LeaseLostError,
    Moment,
    Outbox,
    Post,
    PostKind,
    TransientError,
    log_failure,
)
from host.notifications import KEEPING_CARD, POSTS, Obsolete
from host.observability import game_fields, logging_failures, new_log_context
from host.observability import reference as new_reference
from host.retry import retry_forever

log = logging.getLogger(__name__)

MAX_LANES: Final = 32
"""The most games whose posts are sent at the same time; most of the time they wait for Discord."""
STOP_SECONDS: Final = 10.0
"""The seconds for which a shutdown waits for posts that are being sent."""
BEGUN_SECONDS: Final = 120.0
"""The seconds after which a begun post that has found no free lane is left to the outbox, before its lease expires."""


class PerGameQueue:
    """Starts the delivery of due posts: of one post of a game at a time, and of several games at once."""

    def __init__(self, outbox: Outbox, deliver: Callable[[Post, bool], Awaitable[None]]) -> None:
        self._outbox = outbox
        self._deliver = deliver
        self._worker: asyncio.Task[None] | None = None
        self._wakeup: asyncio.Future[None] | None = None
        self._woken = False
        self._read_outbox = False
        """True if the outbox has to be read in the next round."""
        self._outbox_has_more = False
        """True if the outbox held a post that found no free lane."""
        self._lanes: dict[int, asyncio.Task[None]] = {}
        """The running deliveries, by game id."""
        self._begun: list[tuple[float, Post]] = []
        """The begun posts without a lane, each with the time of the event loop since which it waits."""
        self._read_after: set[int] = set()
        """The ids of games of which the outbox may have another post after the running delivery."""

    @property
    def busy(self) -> bool:
        """True if posts are being sent or wait for a lane."""
        return bool(self._lanes or self._begun)

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """The running deliveries."""
        return list(self._lanes.values())

    @property
    def worker(self) -> asyncio.Task[None] | None:
        """The task that runs until nothing is due; None while it does not run."""
        return None if self._worker is None or self._worker.done() else self._worker

    def read_outbox(self) -> None:
        """Read due posts from the outbox in the next round."""
        self._read_outbox = True
        self._read_after |= self._lanes.keys()
        self.take_begun()

    def take_begun(self) -> None:
        """Queue the posts that this process has begun, and wake the worker."""
        now = asyncio.get_running_loop().time()
        self._begun += [(now, post) for post in self._outbox.take_begun()]
        self._woken = True
        if self._wakeup is not None and not self._wakeup.done():
            self._wakeup.set_result(None)
        if self._worker is None or self._worker.done():
            # In a fresh context, so that its log lines do not carry the fields of the interaction that woke it.
            self._worker = asyncio.create_task(self._work(), name="publisher", context=new_log_context())

    async def _work(self) -> None:
        """Start deliveries until nothing is due, no delivery runs, and nothing has woken the worker meanwhile."""
        while self._woken or self._lanes:
            self._woken = False
            self._free_lanes()  # in every round, or constant waking would hold up the next posts of these games
            self._start_begun()
            if self._read_outbox:
                await self._start_due()
            if self._woken or not self._lanes:
                continue
            self._wakeup = asyncio.get_running_loop().create_future()
            await asyncio.wait((*self._lanes.values(), self._wakeup), return_when=asyncio.FIRST_COMPLETED)

    def _free_lanes(self) -> None:
        """Free the lanes whose delivery has ended."""
        for game_id in [game_id for game_id, lane in self._lanes.items() if lane.done()]:
            del self._lanes[game_id]
            self._read_outbox = self._read_outbox or self._outbox_has_more or game_id in self._read_after
            self._read_after.discard(game_id)
            self._woken = True

    def _start_begun(self) -> None:
        """Deliver the begun posts for which there is a free lane, and release those that waited too long."""
        posts, self._begun = self._begun, []
        oldest = asyncio.get_running_loop().time() - BEGUN_SECONDS
        for since, post in posts:
            if self._has_lane_for(post):
                self._start(post, begun=True)
            elif since > oldest:
                self._begun.append((since, post))
            else:
                self._outbox.stop_renewing(post.id)

    async def _start_due(self) -> None:
        """Read the due posts from the outbox, and deliver those for which there is a free lane."""
        self._read_outbox = self._outbox_has_more = False
        due_posts: list[Post] = []
        with logging_failures(log, "the outbox could not be read"):  # the next sweep reads it again
            due_posts = await self._outbox.due()
        for post in due_posts:
            if self._has_lane_for(post):
                self._start(post, begun=False)
                self._read_after.add(post.game_id)
            else:
                self._outbox_has_more = True

    def _has_lane_for(self, post: Post) -> bool:
        """Return whether a post can be sent now: no other post of its game is being sent, and a lane is free."""
        return post.game_id not in self._lanes and len(self._lanes) < MAX_LANES

    def _start(self, post: Post, *, begun: bool) -> None:
        """Start to deliver a post in a lane of its own, with its own log context."""
        context = new_log_context(game=post.game.code, ply=post.ply, server=post.game.guild_id, **post.cause)
        delivery = self._run_lane(post, begun=begun)
        self._lanes[post.game_id] = asyncio.create_task(delivery, name=f"post {post.nonce}", context=context)

    async def _run_lane(self, post: Post, *, begun: bool) -> None:
        """Deliver a post, and stop renewing its lease afterwards, also after a failure."""
        details = {"game": post.game.code, "post": post.nonce}
        try:
            with logging_failures(log, "the outbox could not be updated", details):  # retried when its lease expires
                await self._deliver(post, begun)
        finally:
            self._outbox.stop_renewing(post.id)


TOO_MANY_THREADS: Final = 160006
"""Discord's error code for a server with as many active threads as are allowed."""
THREAD_LIMIT_PAUSE: Final = 600.0
"""The seconds until opening a thread is tried again in such a server; the event opens no further games meanwhile."""


async def open_thread_of(bot: BotServices, host: Host, post: Post, message_id: int) -> bool:
    """Open the thread of an event's game under the post that announces it; do nothing for all other posts.

    This is idempotent. Return False if the server has too many threads; then the post is retried later.
    """
    if post.kind is not PostKind.OPENING:
        return True
    game = post.game
    with speaking(game.settings.language):
        name = thread_title(game.name, game.code, game.seats)
    channel = bot.get_partial_messageable(game.channel_id, guild_id=game.guild_id)
    try:
        await channel.get_partial_message(message_id).create_thread(name=name, auto_archive_duration=ARCHIVE_MINUTES)
    except discord.HTTPException as error:
        if error.code == TOO_MANY_THREADS:
            until = await host.events.openings.pause_openings(game.id)
            await host.outbox.record_failure(post.id, retry_after=THREAD_LIMIT_PAUSE)
            log.warning(
                "too many active threads to open one for a game", extra={**game_fields(game), "until": str(until)}
            )
            return False
        if error.code != THREAD_EXISTS:
            raise
    await host.events.openings.record_thread(game.id, message_id)
    return True


FIRST_BEAT_SECONDS: Final = 5.0
"""The seconds after which a post that waits for the first heartbeat is tried again."""


@dataclass(eq=False)
class PostCards:
    """Composes the cards of posts, with pictures that a :class:`RenderPool` draws."""

    _host: Host
    _render_pool: RenderPool

    async def of(self, post: Post, detail: Detail, reference: str) -> Card:
        """Return the card of a post with this detail; a reduced card shows the ``reference`` of an error in the log."""
        if detail is Detail.FULL:
            return await self._full(post)
        if detail is Detail.WORDS or post.kind in NOTICES:
            return await self._full(post, t("card.no_pictures", reference=reference))
        game = await self._host.games.get(post.game_id)
        return bare_card(replace(post, game=game), reference, current=game.revision == post.revision)

    async def _full(self, post: Post, missing: str = "") -> Card:
        """Return the full card; ``missing`` is a text in place of the pictures."""
        if post.kind in (PostKind.FROZEN, PostKind.HELD, PostKind.THAWED):
            return notice_card(post)
        if post.kind is PostKind.ASKED:
            request = await self._host.votes.request_of(post)
            revealed = await revealed_since(self._host, PRESENTERS, request) if request else ()
            return question_card(post, request, revealed)
        if post.kind in KEEPING_CARD:
            return await side_card(self._host, replace(post, game=await self._host.games.get(post.game_id)))
        moment = await self._host.games.moment_of(post)
        presenter = PRESENTERS[moment.after.setup.game]
        match post.kind:
            case PostKind.WENT_BACK:
                return notice_card(post, turn=moment.after.turn)
            case PostKind.FINAL:
                whole_game = await self._host.games.moment(post.game_id, 0, post.ply)
                put_away = await self._host.timers.put_away_at(post.game)
                lesson = None
                if post.game.settings.lesson:
                    lesson = ending(presenter, await _course(presenter, whole_game), whole_game)
                return await final_card(
                    self._render_pool, presenter, moment, whole_game, missing=missing, put_away=put_away, lesson=lesson
                )
            case PostKind.START | PostKind.CARD | PostKind.UNDONE | PostKind.REPLACED | PostKind.REOPENED:
                is_newest = moment.game.revision == post.revision
                times = await self._host.times.of(moment.game, moment.timing) if is_newest else None
                takes_back = is_newest and bool(await self._host.seats.awaited(moment.game))
                replaced = await self._host.seats.substitution_of(post)
                texts = CardTexts(story_without_move(post.kind, moment, replaced))
                if is_newest and post.game.settings.lesson:
                    so_far = await self._host.games.moment(post.game_id, 0, post.ply)
                    texts = texts._replace(remarks=explanations((await _course(presenter, so_far)).due))
                return await turn_card(
                    self._render_pool,
                    presenter,
                    moment,
                    current=is_newest,
                    missing=missing,
                    texts=texts,
                    times=times,
                    further=tuple(further_buttons(post, takes_back=takes_back)),
                )
            case _:
                raise ValueError(f"no card of a move: {post.kind}")


async def _course(presenter: Presenter[Any], span: Moment) -> Course:
    """Return a lesson as far as a span from its beginning shows it."""
    return await asyncio.to_thread(course_of, presenter, span.before.setup, span.actions)


async def postpone_before_heartbeat(host: Host, post: Post) -> bool:
    """Postpone a post that says how much time a player has if there was no heartbeat yet, and say whether it did.

    The first heartbeat after a start refunds the time for which the bot was down.
    """
    if not POSTS[post.kind].tells_time or host.gateway_monitor.beats:
        return False
    await host.outbox.record_failure(post.id, retry_after=FIRST_BEAT_SECONDS)
    return True


async def drop_if_obsolete(host: Host, post: Post) -> bool:
    """Drop a post that has become obsolete, as the policy of its kind says; return whether it was dropped."""
    match POSTS[post.kind].obsolete:
        case Obsolete.NOT_AWAITED:
            return await host.turn_reminders.drop_late(post)
        case Obsolete.NOTHING_HOLDS:
            return await host.deferred_notifications.drop_late(post)
        case Obsolete.PLACE_CHANGED:
            return await host.places.drop_late(post)
        case Obsolete.NEVER | Obsolete.NOBODY_NAMED:
            return False
        case never:
            assert_never(never)


CHECK_SPACING: Final = 60.0
"""The least seconds between two checks of a game because of a button that is ahead of the database."""


class RestoreDetector:
    """Detects that the database was restored from a backup, by cards in Discord that are newer than its data.

    The messages in the place of a game are checked before its first post after a start, and when a player presses a
    button with a revision that the database does not have. ``start_task`` runs work in the background.
    """

    def __init__(
        self, bot: BotServices, host: Host, start_task: Callable[[Coroutine[Any, Any, None], str], None]
    ) -> None:
        self._bot = bot
        self._host = host
        self._start_task = start_task
        self.checked: set[int] = set()
        """The ids of games whose place was checked since the start, or since a restore was last detected."""
        self._requested_at: dict[int, float] = {}
        """The time of the last check that a press has caused, by game id."""
        host.games.epochs.on_restored = self.checked.clear

    def may_check(self, game_id: int) -> bool:
        """Return whether a press may cause a check of a game now: it may once in :data:`CHECK_SPACING`."""
        now = monotonic()
        self._requested_at = {game: at for game, at in self._requested_at.items() if now - at < CHECK_SPACING}
        if game_id in self._requested_at:
            return False
        self._requested_at[game_id] = now
        return True

    async def posted_in(self, game: Game, place: int) -> list[PostedMessage]:
        """Return the bot's newest messages in a place of a game.

        Raises:
            discord.HTTPException: the messages cannot be read.
        """
        channel = self._bot.get_partial_messageable(place, guild_id=game.guild_id)
        return await posted_in(channel, self._bot.user.id if self._bot.user else 0)

    async def check(self, game: Game) -> bool:
        """Check the newest messages in a game's place; return whether they are ahead of the database."""
        try:
            return await self.check_messages(game, await self.posted_in(game, game.place), game.ply)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("the newest cards could not be read: %r", error, extra=game_fields(game))
            return False

    async def check_messages(
        self, game: Game, posted: list[PostedMessage], ply: int, trying: Post | None = None
    ) -> bool:
        """Return whether messages are ahead of the stored game.

        If so, the game begins a new *epoch* at ``ply`` (its number of actions), so that buttons of earlier epochs no
        longer count, and the messages lose their buttons. ``trying`` is the post that is about to be sent.
        """
        cards = cards_of(game.code, posted)
        keys = [card for _, card in cards]
        if not keys or not await self._host.games.epochs.has_unknown_card(game, keys, trying):
            return False
        if await self._host.games.epochs.begin(game, keys, ply):
            details = {"game": game.code, "ply": ply, "cards": [tuple(card) for card in keys]}
            log.error(
                "a game went back: its thread shows cards that this database never sent; was it restored?",
                extra=details,
            )
        for entry, _ in cards:
            self._start_task(take_buttons(entry.message), f"retire {entry.message.id}")
        self.checked.add(game.id)
        return True


SWEEP_SECONDS: Final = {True: 5.0, False: 1.0}
"""The seconds between two looks into the outbox, by whether this process is the only one (True)."""
RETRY_HOURS: Final = 24.0
"""The hours after which refused posts are tried again although nothing has changed."""
FORBIDDEN_PAUSE: Final = 900.0
"""The seconds after which a place that has refused the bot is tried again."""
MAX_REFUSALS: Final = 8
"""The attempts after which a place that refuses the bot is left alone, because Discord bans clients that insist."""


class NoPlaceLeftError(Exception):
    """There is no place in which the cards of a game can be posted."""


class LockedError(Exception):
    """A thread is locked, so that players cannot press buttons there, even if the bot may post."""


class WentBackError(Exception):
    """The database was restored from a backup: the post has another identity now, and is sent later."""


class Publisher:
    """Sends the posts about games, and keeps the buttons of older cards up to date."""

    def __init__(self, bot: BotServices, host: Host, render_pool: RenderPool) -> None:
        self._bot = bot
        self._host = host
        self._render_pool = render_pool
        self._cards = PostCards(host, render_pool)
        self._stopped = self._tries_all = False
        self.queue = PerGameQueue(host.outbox, self._deliver)
        self._background = BackgroundTasks(log)
        """Work that is not needed for a post, such as taking off buttons; a shutdown waits for it."""
        self._restore_detector = RestoreDetector(bot, host, self._background.start)
        self._posted = PostedCards()
        self._elsewhere: set[int] = set()
        """The ids of posts that were sent to another place, because their own has refused them."""
        self._reduced: dict[int, tuple[Detail, str]] = {}
        """For posts that Discord has refused in full, by id: a detail to try, and the reference of the log line."""

    def start(self) -> None:
        """Start to send posts, and to read the outbox periodically."""
        self._host.outbox.sends_here = True
        self._sweep.change_interval(seconds=SWEEP_SECONDS[self._host.processes.is_alone])
        _ = self._sweep.start(), self._daily.start()  # their tasks are kept by the loops

    async def stop(self) -> None:
        """Stop sending; wait up to :data:`STOP_SECONDS` for running deliveries, leaving the rest for the next start."""
        self._stopped = True
        self._host.outbox.sends_here = False
        self._sweep.cancel()
        self._daily.cancel()
        running = [
            task for task in (self.queue.worker, *self._background.running) if task is not None and not task.done()
        ]
        if running:
            _, unfinished = await asyncio.wait(running, timeout=STOP_SECONDS)
            for task in (cancelled := (*unfinished, *self.queue.tasks)):
                task.cancel()
            await asyncio.gather(*cancelled, return_exceptions=True)

    async def show_again(self, game: Game, *, before: int | None = None) -> None:
        """Post a copy of a game's newest card in its present place, without pings; not if a card waits to be sent.

        ``before`` is the place in which the card was until now.
        """
        post = await self._host.outbox.last_sent(game.id)
        if post is None or post.revision != game.revision or await self._host.places.card_waits(game):
            return
        channel = self._channel(game, game.place)

        async def send(card: Card) -> int:
            return self._posted.keep(post, await channel.send(view=card.view, files=card.files()))

        await self._host.outbox.sent_again(post.id, await self._send(post, send))
        self._retire(post, before or game.place)

    def move_made(self, outcome: Consequence) -> None:
        """Send the card of a move that was just made, and drop the drawing of the position before it."""
        self._render_pool.drop(picture_key(outcome.game, outcome.before_revision))
        if outcome.begun is None:
            self.wake()
        elif not self._stopped:
            self.queue.take_begun()

    def wake(self) -> None:
        """Look for due posts and send them, in the background; do nothing after :meth:`stop`."""
        if not self._stopped:
            self.queue.read_outbox()

    def try_again(self, *, place_id: int | None = None, guild_id: int | None = None) -> None:
        """Retry the refused posts of a place or a server, or all of them, since the bot may be allowed to post now."""
        if not self._stopped:
            self._background.start(self._try_again(place_id, guild_id), "try again")

    async def _try_again(self, place_id: int | None, guild_id: int | None) -> None:
        """Make refused posts due and wake the publisher; during an outage of the database, do it afterwards."""
        try:
            retried = await self._host.outbox.try_again(place_id=place_id, guild_id=guild_id)
        except TransientError:
            if self._tries_all:
                return
            self._tries_all = True  # once the database is available: one retry for all changes until then
            retried = await retry_forever(self._host.outbox.try_again)
            self._tries_all = False
        if retried:
            self.wake()

    def check_for_restore(self, game: Game) -> None:
        """Check whether the database was restored, because a player pressed a button that is ahead of it."""
        if not self._stopped and self._restore_detector.may_check(game.id):
            self._background.start(self._check_for_restore(game), f"check {game.code}")

    @tasks.loop(seconds=SWEEP_SECONDS[True])
    async def _sweep(self) -> None:
        """Look for due posts that nothing else has reported."""
        self.wake()

    @tasks.loop(hours=RETRY_HOURS)
    async def _daily(self) -> None:
        """Retry all refused posts, in case a change of permissions went unnoticed."""
        self.try_again()

    async def _deliver(self, post: Post, begun: bool) -> None:  # noqa: FBT001 - the signature of the queue's callback
        """Send a post once: if an earlier attempt may have succeeded, look for its message first.

        A ``begun`` post was leased when it was stored, so this is its first attempt.
        """
        outbox, before = self._host.outbox, self._posted.newest(post.game_id)
        if not (begun or await outbox.lease(post.id)):
            return
        try:
            if await postpone_before_heartbeat(self._host, post) or await drop_if_obsolete(self._host, post):
                return
            message_id = await self._find_message(post)
            if message_id is None:
                message_id = await self._send(post, lambda card: self._post_card(post, card))
            if not await open_thread_of(self._bot, self._host, post, message_id):
                return
            await self._retire_closed(post)
            await outbox.record_sent(post.id, message_id, elsewhere=post.id in self._elsewhere)
            self._elsewhere.discard(post.id)
            log.info("card posted", extra={**_log_fields(post), "card": message_id, "attempts": post.attempts})
            self._reduced.pop(post.id, None)
            await self._retire_before(post, before)
        except WentBackError:
            self.wake()
        except NoPlaceLeftError:
            await self._mark_silent(post, "its place is gone", gone=True)
        except (discord.Forbidden, LockedError) as error:
            await self._mark_silent(post, str(error), gone=post.attempts >= MAX_REFUSALS)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("a card could not be posted yet: %r", error, extra=_log_fields(post))
            await outbox.record_failure(post.id)
        except Exception as error:  # noqa: BLE001 - after any error the card has to be retried
            await self._failed(post, error)

    async def _mark_silent(self, post: Post, reason: str, *, gone: bool) -> None:
        """Record that nothing can be posted in the place of a game, which holds its clocks; retry the post later."""
        if post.kind is PostKind.SHUT:
            await self._host.outbox.drop(post)
            return
        log_silence(post, reason)
        await self._host.places.close([post.game_id], anywhere=True)
        await self._host.outbox.record_failure(post.id, retry_after=FORBIDDEN_PAUSE, gone=gone, refused=True)

    async def _failed(self, post: Post, error: Exception) -> None:
        """Log that a post has failed, and retry it later unless it was undone or another process sends it."""
        if isinstance(error, LeaseLostError) or (isinstance(error, HostError) and error.code is ErrorCode.STALE):
            log.info("a post was undone, or another process has leased it", extra=_log_fields(post))
            return
        log_failure(log, "a card could not be posted", error, _log_fields(post))
        await self._host.outbox.record_failure(post.id)
        if isinstance(error, HostError):
            await self._host.game_checks.check(post.game_id)

    # -- messages that exist already ----------------------------------------------------------------------------------

    async def _find_message(self, post: Post) -> int | None:
        """Return the id of the message of a post that was sent before but not recorded; None if there is none.

        For the first post of a game after a start, also check its place for cards that are ahead of the database.

        Raises:
            WentBackError: the database was restored.
            LeaseLostError: another process may have posted it.
        """
        detector = self._restore_detector
        is_unchecked = post.game_id not in detector.checked and post.kind not in (PostKind.OPENING, PostKind.START)
        if not (is_unchecked or post.first_attempt_at):
            return None
        marker = marker_of(post)
        for place in places_of(post.game, post.kind) if post.first_attempt_at else [post.game.place]:
            posted = await detector.posted_in(post.game, place)
            self._host.outbox.check_lease(post.id)  # else another process may have sent the message
            if await detector.check_messages(post.game, posted, post.from_ply, post):
                raise WentBackError
            message_id = next((entry.message.id for entry in posted if marker in entry.ids), None)
            if message_id is not None and post.first_attempt_at:
                return message_id
        detector.checked.add(post.game_id)
        return None

    async def _check_for_restore(self, game: Game) -> None:
        """Check a game, and send its new messages if the database was restored."""
        if await self._restore_detector.check(game):
            self.wake()

    # -- posting --------------------------------------------------------------------------------------------------

    async def _send(self, post: Post, send: Callable[[Card], Awaitable[int]]) -> int:
        """Compose the card of a post in the language of its game, and send it; reduce it if Discord refuses it."""
        detail, reference = self._reduced.get(post.id, (Detail.FULL, ""))
        while True:
            card: Card | None = None
            try:
                with speaking(post.game.settings.language):
                    card = await self._cards.of(post, detail, reference)
                return await send(card)
            except HostError:
                raise
            except discord.Forbidden as error:
                if card is None or not card.pictures:
                    raise
                return await self._without_files(post, send, error)
            except Exception as error:
                if detail is Detail.BARE or not (card is None or is_defect(error)):
                    raise
                reference = report("a card", error, {"post": post.nonce, "game": post.game.code})
                detail = Detail(detail + 1)
                self._reduced[post.id] = detail, reference

    async def _without_files(self, post: Post, send: Callable[[Card], Awaitable[int]], error: Exception) -> int:
        """Send the card of a post without pictures, since the bot may not be allowed to attach files.

        Raises:
            discord.Forbidden: the bot may not send anything in this place.
        """
        with speaking(post.game.settings.language):
            card = await self._cards.of(post, Detail.WORDS, new_reference())
        message_id = await send(card)
        report("a card", error, {"post": post.nonce, "game": post.game.code})
        return message_id

    async def _post_card(self, post: Post, card: Card) -> int:
        """Send a card to the place of its game or, if that does not exist or refuses it, to the game's first channel.

        Raises:
            NoPlaceLeftError: none of the places exists.
            discord.Forbidden, LockedError: the places refuse the card.
        """
        refused: discord.Forbidden | LockedError | None = None
        card = await respect_quiet_hours(self._host, post, card)
        for place in places_of(post.game, post.kind):
            if is_locked(self._bot, post.game, place):
                refused = LockedError("the thread is locked")
                continue
            self._host.outbox.check_lease(post.id)
            try:
                with rechecking(partial(self._host.outbox.check_lease, post.id)):
                    message = await send_card(self._bot, self._channel(post.game, place), card, post.nonce)
            except discord.NotFound:
                log.warning("the place of a game is gone", extra={**_log_fields(post), "place": place})
                continue
            except discord.Forbidden as error:
                refused = error
                continue
            if card.direct and card.pinged:
                direct = write_directly(self._bot, self._host, post, card.pinged, message.jump_url)
                self._background.start(direct, f"write {post.nonce}")
            if place != post.game.place and refused is None and post.kind is not PostKind.SHUT:
                await self._host.places.set_thread(post.game_id, place)
            elif place != post.game.place and post.kind is not PostKind.SHUT:
                self._elsewhere.add(post.id)
            return self._posted.keep(post, message)
        if refused is not None:
            raise refused
        raise NoPlaceLeftError

    def _channel(self, game: Game, place: int) -> discord.PartialMessageable:
        """Return a place of a game, without asking Discord for it."""
        return self._bot.get_partial_messageable(place, guild_id=game.guild_id)

    def _retire(self, post: Post | None, place: int) -> None:
        """Take the buttons off a card that is not the newest any more; if that fails, pressing them is refused."""
        card = self._card_with_buttons(post, place)
        if post is not None and card is not None:
            self._background.start(take_buttons(card), f"retire {post.nonce}")

    def _card_with_buttons(self, post: Post | None, place: int) -> discord.Message | discord.PartialMessage | None:
        """Return the message of a post if it may have buttons, and stop remembering it."""
        if post is None or post.message_id is None or post.kind not in CARDS_WITH_BUTTONS:
            return None
        card = self._posted.take(post.message_id)
        return card or self._channel(post.game, place).get_partial_message(post.message_id)

    async def _retire_closed(self, post: Post) -> None:
        """Take the buttons off the last card of a game that a post declares closed, since no card follows it.

        This happens before the post is recorded as sent, so that it is done again if it is interrupted.
        """
        if post.kind in CLOSING_NOTICES and post.game.status is GameStatus.FINISHED:
            card = self._card_with_buttons(await self._host.outbox.sent_before(post), post.game.place)
            if card is not None:
                await take_buttons(card)

    async def _retire_before(self, post: Post, before: Post | None) -> None:
        """Take the buttons off the card before this post; if it announces an undo, mark all cards that were undone."""
        if post.kind in KEEPING_CARD:
            return
        if post.kind is PostKind.UNDONE:
            self._background.start(self._mark_undone(post), f"mark {post.nonce}")
            return
        before = before if directly_follows(before, post) else await self._host.outbox.sent_before(post)
        self._retire(before, post.game.place)

    async def _mark_undone(self, post: Post) -> None:
        """Mark the cards of undone moves as undone, and take off their buttons."""
        channel = self._channel(post.game, post.game.place)
        with speaking(post.game.settings.language):
            mark = t("undo.mark")
        for message_id in await retry_forever(partial(self._host.undo.undone_cards, post.game_id, post.revision)):
            await take_buttons(self._posted.take(message_id) or channel.get_partial_message(message_id), mark)


def _log_fields(post: Post) -> dict[str, object]:
    """Return the log fields of a post."""
    game = post.game
    return {"game": game.code, "ply": post.ply, "server": game.guild_id, "place": game.place, "kind": post.kind.value}
