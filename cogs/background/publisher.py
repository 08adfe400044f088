"""Posting the cards: what the outbox holds goes to Discord once, in order within a game, several games at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Final

import discord
from discord.ext import tasks

from cogs.background.direct import write_directly
from cogs.background.lanes import STOP_SECONDS, Lanes
from cogs.background.openings import opened
from cogs.background.post_cards import PostCards, comes_too_early, comes_too_late
from cogs.background.requests import looking_again
from cogs.background.restored import Restored
from cogs.interactions.admission import marker_of
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
from cogs.panels.cards import Card, pictures_of
from cogs.services.aside import Aside
from cogs.services.lookups import CONNECTION_BROKEN
from cogs.texts import t
from cogs.texts.languages import speaking
from host import ErrorCode, GameStatus, HostError, LeaseLostError, PassingError, PostKind, log_failure
from host.notifications import KEEPING_CARD
from host.observability import reference
from host.retry import retry_forever

if TYPE_CHECKING:
    from cogs.services.bot import BotServices
    from cogs.services.render_pool import RenderPool
    from host import Consequence, Game, Host, Post

log = logging.getLogger(__name__)

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
    """Sends what the outbox holds."""

    def __init__(self, bot: BotServices, host: Host, render_pool: RenderPool) -> None:
        self._bot = bot
        self._host = host
        self._atelier = render_pool
        self._cards = PostCards(host, render_pool)
        self._stopped = self._tries_all = False
        self.lanes = Lanes(host.outbox, self._deliver)
        self._aside = Aside(log)
        """What is done beside posting, and waited for at the end."""
        self._restored = Restored(bot, host, self._aside.begin)
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
        running = [task for task in (self.lanes.pump, *self._aside.tasks) if task is not None and not task.done()]
        if running:
            _, late = await asyncio.wait(running, timeout=STOP_SECONDS)
            for task in (left := (*late, *self.lanes.tasks)):
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
        self._atelier.drop(pictures_of(outcome.game, outcome.before_revision))
        if outcome.begun is None:
            self.wake()
        elif not self._stopped:
            self.lanes.ring()

    def wake(self) -> None:
        """Something may be due. Returns at once; once stopped, leaves it for the next start."""
        if not self._stopped:
            self.lanes.look()

    def try_again(self, *, place_id: int | None = None, guild_id: int | None = None) -> None:
        """Something has changed in a place or a server, or a day is over: what was refused there may be allowed now."""
        if not self._stopped:
            self._aside.begin(self._try_again(place_id, guild_id), "try again")

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
            self._aside.begin(self._look_after(game), f"doubt {game.code}")

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
                self._aside.begin(told, f"write {post.nonce}")
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
            self._aside.begin(take_buttons(card), f"retire {post.nonce}")

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
            self._aside.begin(self._mark_undone(post), f"mark {post.nonce}")
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
