"""Simulated members who make moves by clicks, and measure how long the bot takes to answer them.

A member makes a *careful* move: [Play], a spot on the board, a figure, and [Confirm]. Measured are the times until a
click is acknowledged, until the member sees an effect, and until the card with the move is posted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

from simcord.backend.models import Message

from benchmarks.bot.late_games import LateGame
from cogs.presenting.ids import Op, parse_key
from tests.e2e.player import Clicker, Habits, LostError, Shown, offered_ops
from tests.e2e.screen import Kind, buttons, buttons_by_kind
from tests.loopback import LoopbackDiscord, MemberInteraction

ANSWER_TIMEOUT = 120.0
"""Seconds after which a member stops waiting for an answer."""
CAREFUL: Habits = Habits(turning=0, bridging=0, paging=0, wavering=0, declining=0, typing=0)
"""Habits of a player who presses [Play], a spot, a figure and [Confirm], and nothing else."""
_MOVE_OPS = frozenset({Op.GO})
"""Operations of buttons that make a move: for a careful player only that of [Confirm]."""


class NoAnswerError(Exception):
    """An answer was not received within its timeout."""


@dataclass(slots=True)
class ClickTimes:
    """Measurements of clicks: milliseconds until their effects, and the numbers of confirmed and of posted moves."""

    ack: list[float] = field(default_factory=list)
    """Until the click was acknowledged."""
    panel: list[float] = field(default_factory=list)
    """Until the member saw a panel or a change of it."""
    card: list[float] = field(default_factory=list)
    """Until the card of a confirmed move was posted."""
    computers: list[float] = field(default_factory=list)
    """From that card until the one with the moves of the computers that follow."""
    confirmed: int = 0
    posted: int = 0


@dataclass
class LoadMember:
    """A simulated member who acts for all players of one game; implements the interface `Client`."""

    server: LoopbackDiscord
    game: LateGame
    random: Random
    times: ClickTimes
    think: float = 0.0
    """Mean seconds before a click."""
    timeout: float = ANSWER_TIMEOUT
    """Seconds after which the member stops waiting for an answer. The timeout for cards is always `ANSWER_TIMEOUT`."""
    before_confirm: Callable[[], None] = lambda: None
    """Called right before the click that makes the move."""

    def cards(self) -> list[Message]:
        """Return the public messages of the game."""
        return self.server.messages(self.game.thread_id)

    def card(self) -> Shown:
        """Return the newest card."""
        message = self.cards()[-1]
        return Shown(message, message.components)

    @property
    def asks_for_a_tile(self) -> bool:
        """True if the newest card asks a player to place a tile."""
        cards = self.cards()
        return bool(cards) and Kind.PLAY in buttons_by_kind(cards[-1].components)

    @property
    def asks_person(self) -> bool:
        """True if the newest card asks a person for a decision."""
        return bool({Kind.PLAY, Kind.ACT, Kind.LOT, Kind.OTHER} & buttons_by_kind(self.card().components).keys())

    @property
    def over(self) -> bool:
        """True if the newest card is the final one."""
        if self.game.has_computers:
            return Op.REMATCH in offered_ops(self.card())
        return not self.asks_person

    async def move(self) -> None:
        """Make the move that the newest card asks for; wait for the next card and until the old one has no buttons.

        Raises:
            NoAnswerError: an answer or a card was not received in time.
            LostError: no button that is shown continues the move.
        """
        old = self.cards()[-1]
        await Clicker(self, self.random, CAREFUL).move(self.card())
        await self._until(lambda: not buttons_by_kind(old.components), "the old buttons")
        if self.game.has_computers and not self.asks_person and not self.over:
            since = perf_counter()
            await self._until(lambda: self.asks_person or self.over, "the moves of computers", ANSWER_TIMEOUT)
            self.times.computers.append(1000 * (perf_counter() - since))

    async def press(self, member: int, shown: Shown, custom_id: str) -> Shown:
        """Pause, press a button, and measure the times until it is acknowledged and until it has a visible effect."""
        await asyncio.sleep(self.random.expovariate(1 / self.think) if self.think else 0.0)
        key = parse_key(custom_id)
        makes_move = key is not None and key.op in _MOVE_OPS
        if makes_move:
            self.before_confirm()
        before, cards = list(shown.handle.components), len(self.cards())
        started = perf_counter()
        done = await self.server.click(self.server.world.users[member], shown.handle, custom_id)
        if not await asyncio.wait_for(done.acknowledged, self.timeout):
            raise NoAnswerError(done.error)
        self.times.ack.append(1000 * (perf_counter() - started))
        if makes_move:
            await self._wait_for_card(done, shown, cards, started)
            return Shown(shown.handle, shown.handle.components)
        await self._until(
            lambda: bool(done.modal or done.ephemeral_messages) or shown.handle.components != before, "a panel"
        )
        self.times.panel.append(1000 * (perf_counter() - started))
        if done.ephemeral_messages:
            return Shown(done.ephemeral_messages[-1], done.ephemeral_messages[-1].components)
        return Shown(shown.handle, shown.handle.components)

    async def submit(self, member: int, shown: Shown, values: dict[str, str]) -> Shown:
        """Raise an error, as these members never open a modal."""
        raise LostError((member, shown.handle, values))

    async def turn_off_confirming(self, member: int) -> None:
        """Raise an error, as these members confirm their moves."""
        raise LostError(member)

    async def _wait_for_card(self, done: MemberInteraction, shown: Shown, cards: int, started: float) -> None:
        """Wait until the move is confirmed, by any visible effect, and then until its card is posted."""

        def is_confirmed() -> bool:
            return len(self.cards()) > cards or bool(done.ephemeral_messages) or not buttons(shown.handle.components)

        await self._until(is_confirmed, "the confirmation of the move")
        self.times.confirmed += 1
        await self._until(lambda: len(self.cards()) > cards, "a card", ANSWER_TIMEOUT)
        self.times.posted += 1
        self.times.card.append(1000 * (perf_counter() - started))

    async def _until(self, condition: Callable[[], bool], what: str, seconds: float | None = None) -> None:
        """Wait until a condition holds; raise NoAnswerError if it does not in time."""
        try:
            await self.server.until(condition, timeout=seconds or self.timeout)
        except TimeoutError as error:
            raise NoAnswerError(f"{self.game.code}: {what} was not received\n{error}") from error
