"""Posting the cards: what the outbox holds goes to Discord once, in order within a game, several games at a time.

:class:`PerGameQueue` says who posts when: each game with something due has a lane, in which its posts follow one
another. What this process has begun to send itself comes from memory. For all else the outbox is looked into: when
somebody says that something may be due, and after a lane behind whose post there may be another one.

:class:`PostCards` makes the card of a post anew whenever it is to be sent, from what is stored. A game of an event gets
a thread of its own first, under the message that tells of it in the event's channel.

:class:`Restored` notices that a game went back: in its place stand cards that this database, put back from a copy,
never sent.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, assert_never

import discord
from discord.ext import tasks

from cogs.background.direct_messages import write_directly
from cogs.background.requests import looking_again
from cogs.games.presenters import PRESENTERS, presenter_of
from cogs.interactions.admission import NOTICES, PostedMessage, cards_of, marker_of, posted_in
from cogs.interactions.threads import ARCHIVE_MINUTES, THREAD_EXISTS, thread_title
from cogs.messages import Detail, is_defect, report
from cogs.panels.card_messages import (
    ASKING,
    CLOSES,
    PostedCards,
    considerate,
    follows,
    is_locked,
    places_of,
    send_card,
    take_buttons,
    tell_silence,
)
from cogs.panels.cards import Card, bare_card, final_card, no_move, notice_card, pictures_of, question_card, turn_card
from cogs.panels.side_messages import beside_card
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.services.sessions import BackgroundTasks
from cogs.texts import t
from cogs.texts.languages import speaking
from cogs.words.asking import seen_by
from host import ErrorCode, GameStatus, HostError, LeaseLostError, PassingError, PostKind, log_failure
from host.notifications import KEEPING_CARD, POSTS, Obsolete
from host.observability import about, reference, work_apart
from host.retry import retry_forever

if TYPE_CHECKING:
    from cogs.services.bot import BotServices
    from cogs.services.render_pool import RenderPool
    from host import Consequence, Game, Host, Outbox, Post


log = logging.getLogger(__name__)

LANES: Final = 32
"""Games whose cards are posted at the same time; most of them wait for Discord."""
STOP_SECONDS: Final = 10.0
"""How long to wait at the end for what is being posted."""
BEGUN_SECONDS: Final = 120.0
"""What was begun and finds no lane for so long is left to whoever looks into the outbox: it is not ours much longer."""


class PerGameQueue:
    """A queue of due posts: one post of a game at a time, several games at once."""

    def __init__(self, outbox: Outbox, deliver: Callable[[Post, bool], Awaitable[None]]) -> None:
        self._outbox = outbox
        self._deliver = deliver
        self._pump: asyncio.Task[None] | None = None
        self._bell: asyncio.Future[None] | None = None
        self._rung = self._looking = self._more = False
        self._running: dict[int, asyncio.Task[None]] = {}
        self._begun: list[tuple[float, Post]] = []
        """What has no lane yet, and since when."""
        self._unsure: set[int] = set()
        """Games in whose lanes something runs behind which there may be more."""

    @property
    def busy(self) -> bool:
        """Whether anything is posted or about to be."""
        return bool(self._running or self._begun)

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """What is under way."""
        return list(self._running.values())

    @property
    def pump(self) -> asyncio.Task[None] | None:
        """What runs until nothing is due."""
        return None if self._pump is None or self._pump.done() else self._pump

    def look(self) -> None:
        """Something may be due that nobody here has begun."""
        self._looking = True
        self._unsure |= self._running.keys()
        self.ring()

    def ring(self) -> None:
        """Something was begun."""
        now = asyncio.get_running_loop().time()
        self._begun += [(now, post) for post in self._outbox.begun()]
        self._rung = True
        if self._bell is not None and not self._bell.done():
            self._bell.set_result(None)
        if self._pump is None or self._pump.done():
            # A context of its own: who happened to wake it is not what its lines in the log are about.
            self._pump = asyncio.create_task(self._drain(), name="publisher", context=work_apart())

    async def _drain(self) -> None:
        while self._rung or self._running:
            self._rung = False
            self._leave()  # not only when nothing rings any more: who rings without end would hold up what follows
            self._start_begun()
            if self._looking:
                await self._fill()
            if self._rung or not self._running:
                continue
            self._bell = asyncio.get_running_loop().create_future()
            await asyncio.wait((*self._running.values(), self._bell), return_when=asyncio.FIRST_COMPLETED)

    def _leave(self) -> None:
        """Clear the lanes that are done."""
        for game_id in [game_id for game_id, lane in self._running.items() if lane.done()]:
            del self._running[game_id]
            self._looking = self._looking or self._more or game_id in self._unsure
            self._unsure.discard(game_id)
            self._rung = True

    def _start_begun(self) -> None:
        waiting, self._begun = self._begun, []
        longest = asyncio.get_running_loop().time() - BEGUN_SECONDS
        for since, post in waiting:
            if self._is_free(post):
                self._start(post, begun=True)
            elif since > longest:
                self._begun.append((since, post))
            else:
                self._outbox.let_go(post.id)

    async def _fill(self) -> None:
        """Give each game with something due a lane, as far as there are any."""
        self._looking = self._more = False
        try:
            found = await self._outbox.due()
        except Exception as error:  # noqa: BLE001 - the next sweep looks again
            log_failure(log, "the outbox could not be read", error)
            return
        for post in found:
            if self._is_free(post):
                self._start(post, begun=False)
                self._unsure.add(post.game_id)
            else:
                self._more = True

    def _is_free(self, post: Post) -> bool:
        return post.game_id not in self._running and len(self._running) < LANES

    def _start(self, post: Post, *, begun: bool) -> None:
        about = work_apart(game=post.game.code, ply=post.ply, server=post.game.guild_id, **post.cause)
        lane = self._lane(post, begun=begun)
        self._running[post.game_id] = asyncio.create_task(lane, name=f"post {post.nonce}", context=about)

    async def _lane(self, post: Post, *, begun: bool) -> None:
        try:
            await self._deliver(post, begun)
        except Exception as error:  # noqa: BLE001 - the lease of the post runs out, and it is tried again
            log_failure(log, "the outbox could not be kept", error, {"game": post.game.code, "post": post.nonce})
        finally:
            self._outbox.let_go(post.id)


NO_ROOM: Final = 160006
"""The server has as many active threads as Discord allows."""
WAIT_FOR_ROOM: Final = 600.0
"""Seconds until a thread is tried again for which there was no room; its event is told, and founds none meanwhile."""


async def opened(bot: BotServices, host: Host, post: Post, message_id: int) -> bool:
    """Open the thread of a game under its message, which may be there already; False where it has to wait for room.

    Whatever is no such message has no thread to open.
    """
    if post.kind is not PostKind.OPENING:
        return True
    game = post.game
    with speaking(game.settings.language):
        name = thread_title(game.name, game.code, game.players)
    channel = bot.get_partial_messageable(game.channel_id, guild_id=game.guild_id)
    try:
        await channel.get_partial_message(message_id).create_thread(name=name, auto_archive_duration=ARCHIVE_MINUTES)
    except discord.HTTPException as error:
        if error.code == NO_ROOM:
            until = await host.events.openings.no_room(game.id)
            await host.outbox.failed(post.id, retry_after=WAIT_FOR_ROOM)
            log.warning("no room for the thread of a game", extra={**about(game), "until": str(until)})
            return False
        if error.code != THREAD_EXISTS:
            raise
    await host.events.openings.opened(game.id, message_id)
    return True


FIRST_BEAT_SECONDS: Final = 5.0
"""Seconds until what waits for the first heartbeat is tried again."""


class PostCards:
    """The maker of the cards of posts."""

    def __init__(self, host: Host, render_pool: RenderPool) -> None:
        self._host = host
        self._render_pool = render_pool

    async def of(self, post: Post, detail: Detail, reference: str) -> Card:
        """The card, whole or as plain as ``detail`` says; ``reference`` is what a plainer one names."""
        if detail is Detail.FULL:
            return await self._whole(post)
        if detail is Detail.WORDS or post.kind in NOTICES:
            return await self._whole(post, t("card.no_pictures", reference=reference))
        game = await self._host.games.get(post.game_id)
        return bare_card(replace(post, game=game), reference, current=game.revision == post.revision)

    async def _whole(self, post: Post, missing: str = "") -> Card:
        if post.kind in (PostKind.FROZEN, PostKind.HELD, PostKind.THAWED):
            return notice_card(post)
        if post.kind is PostKind.ASKED:
            request = await self._host.votes.asked_by(post)
            seen = await seen_by(self._host, PRESENTERS, request) if request else ()
            return question_card(post, request, seen)
        if post.kind in KEEPING_CARD:
            return await beside_card(self._host, replace(post, game=await self._host.games.get(post.game_id)))
        moment = await self._host.games.moment_of(post)
        presenter = presenter_of(moment.after)
        match post.kind:
            case PostKind.WENT_BACK:
                return notice_card(post, turn=moment.after.turn)
            case PostKind.FINAL:
                whole = await self._host.games.moment(post.game_id, 0, post.ply)
                put_away = await self._host.timers.put_away_at(post.game)
                return await final_card(self._render_pool, presenter, moment, whole, missing=missing, put_away=put_away)
            case PostKind.START | PostKind.CARD | PostKind.UNDONE | PostKind.REPLACED | PostKind.REOPENED:
                newest = moment.game.revision == post.revision
                times = await self._host.times.of(moment.game, moment.around) if newest else None
                instead = no_move(post.kind, moment, await self._host.seats.substitution_of(post))
                return await turn_card(
                    self._render_pool,
                    presenter,
                    moment,
                    current=newest,
                    missing=missing,
                    instead=instead,
                    marker=post.nonce if post.kind is PostKind.REOPENED else "",
                    times=times,
                )
            case _:
                raise ValueError(f"no card of a move: {post.kind}")


async def comes_too_early(host: Host, post: Post) -> bool:
    """Whether a message that tells how much time there is waits: what a stop has cost is not given back yet."""
    if not POSTS[post.kind].tells_time or host.pulse.beats:
        return False
    await host.outbox.failed(post.id, retry_after=FIRST_BEAT_SECONDS)
    return True


async def comes_too_late(host: Host, post: Post) -> bool:
    """Drop a message that has become obsolete, as the policy of its kind says; return whether it was."""
    match POSTS[post.kind].obsolete:
        case Obsolete.NOT_AWAITED:
            return await host.calls.drop_late(post)
        case Obsolete.NOTHING_HOLDS:
            return await host.news.drop_late(post)
        case Obsolete.PLACE_CHANGED:
            return await host.places.drop_late(post)
        case Obsolete.NEVER | Obsolete.NOBODY_NAMED:
            return False
        case never:
            assert_never(never)


AGAIN_SECONDS: Final = 60.0
"""How long nobody looks again because of a card from ahead."""


class Restored:
    """The search of game channels for cards from ahead: once after a start, and when somebody holds such a card.

    ``beside`` does what nobody waits for, under a name.
    """

    def __init__(self, bot: BotServices, host: Host, beside: Callable[[Coroutine[Any, Any, None], str], None]) -> None:
        self._bot = bot
        self._host = host
        self._beside = beside
        self.looked: set[int] = set()
        """Games in whose place it was looked for cards of a newer file since the start, or since one went back."""
        self._doubted: dict[int, float] = {}
        """When it was looked because somebody holds a card from ahead."""
        host.games.epochs.when_noticed = self.looked.clear

    def is_to_be_looked(self, game_id: int) -> bool:
        """Whether to look because somebody holds a card from ahead: once a minute, whatever is pressed."""
        now = monotonic()
        self._doubted = {game: at for game, at in self._doubted.items() if now - at < AGAIN_SECONDS}
        if game_id in self._doubted:
            return False
        self._doubted[game_id] = now
        return True

    async def posted_in(self, game: Game, place: int) -> list[PostedMessage]:
        """The newest messages of ours in a place of a game.

        Raises:
            discord.HTTPException: Discord does not show them.
        """
        channel = self._bot.get_partial_messageable(place, guild_id=game.guild_id)
        return await posted_in(channel, self._bot.user.id if self._bot.user else 0)

    async def look(self, game: Game) -> bool:
        """Whether a game went back, as far as the newest cards in its place tell."""
        try:
            return await self.went_back(game, await self.posted_in(game, game.place), game.ply)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("the newest cards could not be looked at: %r", error, extra=about(game))
            return False

    async def went_back(self, game: Game, posted: list[PostedMessage], ply: int, trying: Post | None = None) -> bool:
        """Whether these messages are ahead of the game; then it goes on from ``ply``, and they lose their buttons."""
        cards = cards_of(game.code, posted)
        seen = [card for _, card in cards]
        if not seen or not await self._host.games.epochs.is_ahead(game, seen, trying):
            return False
        if await self._host.games.epochs.begin(game, seen, ply):
            details = {"game": game.code, "ply": ply, "cards": [tuple(card) for card in seen]}
            log.error("a game went back: its thread shows cards that this file never sent; restored?", extra=details)
        for entry, _ in cards:
            self._beside(take_buttons(entry.message), f"retire {entry.message.id}")
        self.looked.add(game.id)
        return True


SWEEP_SECONDS: Final = {True: 5.0, False: 1.0}
"""How often to look for posts whose time to be tried again has come: alone, or where others write some, too."""
RETRY_HOURS: Final = 24.0
"""How often what was refused is tried again though nothing has happened."""
FORBIDDEN_PAUSE: Final = 900.0
"""Seconds until a place that refused the bot is tried again."""
MOST_REFUSALS: Final = 8
"""Attempts after which a place that refuses the bot counts as gone: Discord bans those who insist."""


class NoPlaceLeftError(Exception):
    """There is no place left in which the game's cards can be posted."""


class LockedError(Exception):
    """A thread is locked: whoever plays there can do nothing with a card, even if the bot may post it."""


class WentBackError(Exception):
    """The game went back: what was to be posted is known by another name now, and comes later."""


class Publisher:
    """The publisher of cards: sends what the outbox holds."""

    def __init__(self, bot: BotServices, host: Host, render_pool: RenderPool) -> None:
        self._bot = bot
        self._host = host
        self._render_pool = render_pool
        self._cards = PostCards(host, render_pool)
        self._stopped = self._tries_all = False
        self.queue = PerGameQueue(host.outbox, self._deliver)
        self._background = BackgroundTasks(log)
        """What is done beside posting, and waited for at the end."""
        self._restored = Restored(bot, host, self._background.start)
        self._standing = PostedCards()
        self._elsewhere: set[int] = set()
        """Posts that stand in another place, since their own refused them."""
        self._plainer: dict[int, tuple[Detail, str]] = {}
        """Posts of which Discord refused to show more, with the reference in the log."""

    def start(self) -> None:
        """Post what waits, then look for more now and then."""
        self._host.outbox.sends_here = True
        self._sweep.change_interval(seconds=SWEEP_SECONDS[self._host.crew.is_alone])
        _ = self._sweep.start(), self._daily.start()  # their tasks are kept by the loops

    async def stop(self) -> None:
        """Finish what is being posted; what takes too long is left for the next start."""
        self._stopped = True
        self._host.outbox.sends_here = False
        self._sweep.cancel()
        self._daily.cancel()
        running = [
            task for task in (self.queue.pump, *self._background.running) if task is not None and not task.done()
        ]
        if running:
            _, late = await asyncio.wait(running, timeout=STOP_SECONDS)
            for task in (left := (*late, *self.queue.tasks)):
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    async def show_again(self, game: Game, *, before: int | None = None) -> None:
        """Post a copy of the newest card, calling nobody, where the game is now; one that still waits comes by itself.

        ``before`` is the place where the card has been until now.
        """
        post = await self._host.outbox.last_sent(game.id)
        if post is None or post.revision != game.revision or await self._host.places.card_waits(game):
            return
        channel = self._channel(game, game.place)

        async def send(card: Card) -> int:
            return self._standing.keep(post, await channel.send(view=card.view, files=card.files()))

        await self._host.outbox.sent_again(post.id, await self._shown(post, send))
        self._retire(post, before or game.place)

    def moved_on(self, outcome: Consequence) -> None:
        """A move was made: the picture of the position before it is not wanted any more, a card is due."""
        self._render_pool.drop(pictures_of(outcome.game, outcome.before_revision))
        if outcome.begun is None:
            self.wake()
        elif not self._stopped:
            self.queue.ring()

    def wake(self) -> None:
        """Something may be due. Returns at once; once stopped, leaves it for the next start."""
        if not self._stopped:
            self.queue.look()

    def try_again(self, *, place_id: int | None = None, guild_id: int | None = None) -> None:
        """Something has changed in a place or a server, or a day is over: what was refused there may be allowed now."""
        if not self._stopped:
            self._background.start(self._try_again(place_id, guild_id), "try again")

    async def _try_again(self, place_id: int | None, guild_id: int | None) -> None:
        try:
            found = await self._host.outbox.try_again(place_id=place_id, guild_id=guild_id)
        except PassingError:
            if self._tries_all:
                return
            self._tries_all = True  # once the database can be used: of all that has changed by then
            found = await retry_forever(self._host.outbox.try_again)
            self._tries_all = False
        if found:
            self.wake()

    def doubt(self, game: Game) -> None:
        """Somebody holds a card of a move that the game does not know: look whether the game went back."""
        if not self._stopped and self._restored.is_to_be_looked(game.id):
            self._background.start(self._look_after(game), f"doubt {game.code}")

    @tasks.loop(seconds=SWEEP_SECONDS[True])
    async def _sweep(self) -> None:
        self.wake()

    @tasks.loop(hours=RETRY_HOURS)
    async def _daily(self) -> None:
        self.try_again()

    async def _deliver(self, post: Post, begun: bool) -> None:  # noqa: FBT001 - the lanes say it
        """Post a card once: one that may be there already is looked for first, unless its first attempt is begun."""
        outbox, before = self._host.outbox, self._standing.newest(post.game_id)
        if not (begun or await outbox.sending(post.id)):
            return
        try:
            if await comes_too_early(self._host, post) or await comes_too_late(self._host, post):
                return
            message_id = await self._posted_before(post)
            if message_id is None:
                message_id = await self._shown(post, lambda card: self._post_card(post, card))
            if not await opened(self._bot, self._host, post, message_id):
                return
            await self._retire_closed(post)
            await outbox.sent(post.id, message_id, elsewhere=post.id in self._elsewhere)
            self._elsewhere.discard(post.id)
            log.info("card posted", extra={**_about(post), "card": message_id, "attempts": post.attempts})
            self._plainer.pop(post.id, None)
            await self._retire_before(post, before)
        except WentBackError:
            self.wake()
        except NoPlaceLeftError:
            await self._silent(post, "its place is gone", gone=True)
        except (discord.Forbidden, LockedError) as error:
            await self._silent(post, str(error), gone=post.attempts >= MOST_REFUSALS)
        except (discord.HTTPException, *CONNECTION_BROKEN) as error:
            log.warning("a card could not be posted yet: %r", error, extra=_about(post))
            await outbox.failed(post.id)
        except Exception as error:  # noqa: BLE001 - whatever it was, the card must be tried again
            await self._failed(post, error)

    async def _silent(self, post: Post, reason: str, *, gone: bool) -> None:
        """Nothing can be posted where a game is: its clocks stand still until something can."""
        if post.kind is PostKind.SHUT:
            await self._host.places.give_up(post)
            return
        tell_silence(post, reason)
        await self._host.places.close([post.game_id], anywhere=True)
        await self._host.outbox.failed(post.id, retry_after=FORBIDDEN_PAUSE, gone=gone, refused=True)

    async def _failed(self, post: Post, error: Exception) -> None:
        if isinstance(error, LeaseLostError) or (isinstance(error, HostError) and error.code is ErrorCode.STALE):
            log.info("what was to be posted is undone, or another process has it", extra=_about(post))
            return
        log_failure(log, "a card could not be posted", error, _about(post))
        await self._host.outbox.failed(post.id)
        if isinstance(error, HostError):
            await self._host.game_checks.check(post.game_id)

    # -- what is there already ------------------------------------------------------------------------------------

    async def _posted_before(self, post: Post) -> int | None:
        """The message of a card that was sent, though its being sent was never recorded.

        Before the first card of a game after a start the newest cards in its place are looked at, too: one that is not
        of this file says that the game went back.

        Raises:
            WentBackError: it did.
            LeaseLostError: another process may have posted it.
        """
        restored = self._restored
        first = post.game_id not in restored.looked and post.kind not in (PostKind.OPENING, PostKind.START)
        if not (first or post.first_attempt_at):
            return None
        marker = marker_of(post)
        for place in places_of(post.game, post.kind) if post.first_attempt_at else [post.game.place]:
            posted = await restored.posted_in(post.game, place)
            self._host.outbox.check_ours(post.id)  # or what stands there may be another process's
            if await restored.went_back(post.game, posted, post.from_ply, post):
                raise WentBackError
            found = next((entry.message.id for entry in posted if marker in entry.ids), None)
            if found is not None and post.first_attempt_at:
                return found
        restored.looked.add(post.game_id)
        return None

    async def _look_after(self, game: Game) -> None:
        if await self._restored.look(game):
            self.wake()

    # -- posting --------------------------------------------------------------------------------------------------

    async def _shown(self, post: Post, send: Callable[[Card], Awaitable[int]]) -> int:
        """Send the card in the language of its table; where Discord refuses what is in it, a plainer one."""
        detail, under = self._plainer.get(post.id, (Detail.FULL, ""))
        while True:
            card: Card | None = None
            try:
                with speaking(post.game.settings.language):
                    card = await self._cards.of(post, detail, under)
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
                under = report("a card", error, {"post": post.nonce, "game": post.game.code})
                detail = Detail(detail + 1)
                self._plainer[post.id] = detail, under

    async def _without_files(self, post: Post, send: Callable[[Card], Awaitable[int]], error: Exception) -> int:
        """Whoever may not attach files may still send words; if not even that, it is said elsewhere."""
        with speaking(post.game.settings.language):
            card = await self._cards.of(post, Detail.WORDS, reference())
        message_id = await send(card)
        report("a card", error, {"post": post.nonce, "game": post.game.code})
        return message_id

    async def _post_card(self, post: Post, card: Card) -> int:
        """Send a card to the game's place; when that is gone, to the channel in which the game was opened."""
        refused: discord.Forbidden | LockedError | None = None
        card = await considerate(self._host, post, card)
        for place in places_of(post.game, post.kind):
            if is_locked(self._bot, post.game, place):
                refused = LockedError("the thread is locked")
                continue
            self._host.outbox.check_ours(post.id)
            try:
                with looking_again(partial(self._host.outbox.check_ours, post.id)):
                    message = await send_card(self._bot, self._channel(post.game, place), card, post.nonce)
            except discord.NotFound:
                log.warning("the place of a game is gone", extra={**_about(post), "place": place})
                continue
            except discord.Forbidden as error:
                refused = error
                continue
            if card.direct and card.pinged:
                told = write_directly(self._bot, self._host, post, card.pinged, message.jump_url)
                self._background.start(told, f"write {post.nonce}")
            if place != post.game.place and refused is None and post.kind is not PostKind.SHUT:
                await self._host.places.set_thread(post.game_id, place)
            elif place != post.game.place and post.kind is not PostKind.SHUT:
                self._elsewhere.add(post.id)
            return self._standing.keep(post, message)
        if refused is not None:
            raise refused
        raise NoPlaceLeftError

    def _channel(self, game: Game, place: int) -> discord.PartialMessageable:
        return self._bot.get_partial_messageable(place, guild_id=game.guild_id)

    def _retire(self, post: Post | None, place: int) -> None:
        """Take the buttons from a card that is not the newest any more, if possible; they are stale in any case."""
        card = self._asking(post, place)
        if post is not None and card is not None:
            self._background.start(take_buttons(card), f"retire {post.nonce}")

    def _asking(self, post: Post | None, place: int) -> discord.Message | discord.PartialMessage | None:
        """The message of a card that may have buttons, not remembered any longer."""
        if post is None or post.message_id is None or post.kind not in ASKING:
            return None
        known = self._standing.take(post.message_id)
        return known or self._channel(post.game, place).get_partial_message(post.message_id)

    async def _retire_closed(self, post: Post) -> None:
        """Take the buttons from the newest card of a table that is closed, which no other card follows.

        Only then it is recorded that this was said: whoever is stopped before does it at the next start.
        """
        if post.kind in CLOSES and post.game.status is GameStatus.FINISHED:
            card = self._asking(await self._host.outbox.sent_before(post), post.game.place)
            if card is not None:
                await take_buttons(card)

    async def _retire_before(self, post: Post, before: Post | None) -> None:
        """What becomes of the card before this one, or of all cards of what is undone with it."""
        if post.kind in KEEPING_CARD:
            return  # the card of which it reminds stays as it is
        if post.kind is PostKind.UNDONE:
            self._background.start(self._mark_undone(post), f"mark {post.nonce}")
            return
        before = before if follows(before, post) else await self._host.outbox.sent_before(post)
        self._retire(before, post.game.place)

    async def _mark_undone(self, post: Post) -> None:
        """Let the cards of what was undone say so; they lose their buttons, which do nothing any more."""
        channel = self._channel(post.game, post.game.place)
        with speaking(post.game.settings.language):
            mark = t("undo.mark")
        for message_id in await retry_forever(partial(self._host.undo.undone_cards, post.game_id, post.revision)):
            await take_buttons(self._standing.take(message_id) or channel.get_partial_message(message_id), mark)


def _about(post: Post) -> dict[str, object]:
    """What the log says of a post."""
    game = post.game
    return {"game": game.code, "ply": post.ply, "server": game.guild_id, "place": game.place, "kind": post.kind.value}
