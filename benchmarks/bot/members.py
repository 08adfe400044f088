"""Members who play careful tile moves by clicks, and how long each click takes to be answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

from simcord.backend.models import Message

from benchmarks.bot.late_games import LateGame
from cogs.presenting.ids import Op, parse_key
from tests.e2e.player import Clicker, Habits, LostError, Shown
from tests.e2e.screen import Kind, buttons, buttons_by_kind
from tests.loopback import LoopbackDiscord, MemberInteraction

PATIENCE = 120.0
"""Seconds after which a member gives an answer up."""
CAREFUL: Habits = Habits(turning=0, bridging=0, paging=0, wavering=0, declining=0, typing=0)
"""[Play], spot, figure, [Confirm], and nothing else."""
_DECIDES = frozenset({Op.GO})
"""Ops that make a move; a careful player has to confirm every other one that would."""


class SilenceError(Exception):
    """An answer did not come within all patience."""


@dataclass(slots=True)
class ClickTimes:
    """Milliseconds from clicks to what they bring, and how many moves were confirmed and posted."""

    ack: list[float] = field(default_factory=list)
    panel: list[float] = field(default_factory=list)
    card: list[float] = field(default_factory=list)
    confirmed: int = 0
    posted: int = 0


@dataclass
class LoadMember:
    """Whoever is next in one game; the client of its clicks."""

    server: LoopbackDiscord
    game: LateGame
    random: Random
    times: ClickTimes
    think: float = 0.0
    """Mean seconds before a click."""
    patience: float = PATIENCE
    """Seconds after which an answer is given up; a card is waited for longer."""
    confirming: Callable[[], None] = lambda: None
    """Called right before the click that makes the move."""

    def cards(self) -> list[Message]:
        """The public messages of the game."""
        return self.server.messages(self.game.thread_id)

    def card(self) -> Shown:
        """The newest card."""
        message = self.cards()[-1]
        return Shown(message, message.components)

    @property
    def asks_for_a_tile(self) -> bool:
        """Return whether the newest card leads to the composer."""
        cards = self.cards()
        return bool(cards) and Kind.PLAY in buttons_by_kind(cards[-1].components)

    @property
    def over(self) -> bool:
        """Return whether the newest card is the last."""
        return not {Kind.PLAY, Kind.ACT, Kind.LOT, Kind.OTHER} & buttons_by_kind(self.card().components).keys()

    async def move(self) -> None:
        """Decide what the newest card asks, and wait until its card is there and the old one has lost its buttons.

        Raises:
            SilenceError: something did not come in time.
            LostError: what is shown offers nothing that would go on.
        """
        old = self.cards()[-1]
        await Clicker(self, self.random, CAREFUL).move(self.card())
        await self._until(lambda: not buttons_by_kind(old.components), "the old buttons")

    async def press(self, member: int, shown: Shown, custom_id: str) -> Shown:
        """Think, press a button, and take the time until it is acknowledged and until something is shown for it."""
        await asyncio.sleep(self.random.expovariate(1 / self.think) if self.think else 0.0)
        key = parse_key(custom_id)
        decides = key is not None and key.op in _DECIDES
        if decides:
            self.confirming()
        before, cards = list(shown.handle.components), len(self.cards())
        started = perf_counter()
        done = await self.server.click(self.server.world.users[member], shown.handle, custom_id)
        if not await asyncio.wait_for(done.acknowledged, self.patience):
            raise SilenceError(done.error)
        self.times.ack.append(1000 * (perf_counter() - started))
        if decides:
            await self._carded(done, shown, cards, started)
            return Shown(shown.handle, shown.handle.components)
        await self._until(
            lambda: bool(done.modal or done.ephemeral_messages) or shown.handle.components != before, "a panel"
        )
        self.times.panel.append(1000 * (perf_counter() - started))
        if done.ephemeral_messages:
            return Shown(done.ephemeral_messages[-1], done.ephemeral_messages[-1].components)
        return Shown(shown.handle, shown.handle.components)

    async def submit(self, member: int, shown: Shown, values: dict[str, str]) -> Shown:
        """Members here type nothing."""
        raise LostError((member, shown.handle, values))

    async def _carded(self, done: MemberInteraction, shown: Shown, cards: int, started: float) -> None:
        """The move counts as confirmed once it is told, or its card is there; then the card is waited for."""

        def told() -> bool:
            return len(self.cards()) > cards or bool(done.ephemeral_messages) or not buttons(shown.handle.components)

        await self._until(told, "a word about the move")
        self.times.confirmed += 1
        await self._until(lambda: len(self.cards()) > cards, "a card", PATIENCE)
        self.times.posted += 1
        self.times.card.append(1000 * (perf_counter() - started))

    async def _until(self, condition: Callable[[], bool], what: str, patience: float | None = None) -> None:
        try:
            await self.server.until(condition, timeout=patience or self.patience)
        except TimeoutError as error:
            raise SilenceError(f"{self.game.code}: {what} did not come\n{error}") from error
