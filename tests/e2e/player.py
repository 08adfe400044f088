"""Players who know only what Discord shows them, and decide by clicks at random.

A `Clicker` presses the buttons of cards and panels; its `Habits` say how often it declines, rotates or types. It
finds buttons by their kind and label, never by asking the engine.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from simcord import ResponseMessage

from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bazaars import AMOUNT_FIELD
from cogs.presenting.ids import Op
from tests.e2e.screen import Button, Kind, buttons, buttons_by_kind, mentioned_users, says, words

MAX_TAPS = 60
"""Taps of one move after which `LostError` is raised."""
MAX_RAISE = 3
"""Points above the smallest bid that a typed bid has at most."""
_BID_REFUSALS = ("bad_amount", "bid_too_low", "bid_too_high")
"""Errors after which a player types another bid."""
COMPANIONS = ("builder@", "pig@")
"""Figures that are placed wherever they can be."""
PREFERRED_PLACES = ("@city", "@path", "@tower", "@house")
"""Features that a figure is placed on in preference to others."""
MAX_ROTATIONS = 3
"""Rotations of a tile; the fourth would lead back to the first orientation."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A message or a modal that a member sees; `handle` is what the client needs to act on it."""

    handle: Any
    components: Sequence[Any]
    modal: bool = False


def button_for(message: Shown | ResponseMessage, op: Op) -> Button:
    """Return the first button of an operation."""
    return next(button for button in buttons(message.components) if button.key.op is op)


def offered_ops(message: Shown | ResponseMessage) -> set[Op]:
    """Return the operations of all enabled buttons."""
    return {button.key.op for button in buttons(message.components)}


class Client(Protocol):
    """A member's Discord client."""

    async def press(self, member: int, shown: Shown, custom_id: str) -> Shown:
        """Press a button and return the modal, the private answer, or the message as it is afterwards."""

    async def submit(self, member: int, shown: Shown, values: dict[str, str]) -> Shown:
        """Submit a modal and return the answer."""

    async def turn_off_confirming(self, member: int) -> None:
        """Choose, in the member's settings, that moves need no confirmation."""


@dataclass(frozen=True, slots=True)
class Habits:
    """The probabilities with which a player takes the options that a panel offers."""

    quick: bool = False
    """Play without confirming each move."""
    turning: float = 0.4
    """Rotate the tile once more."""
    bridging: float = 0.3
    """Open the page of spots that need a bridge; build a bridge that is not needed."""
    paging: float = 0.2
    """Open another page of spots."""
    wavering: float = 0.05
    """Go back to choose another spot or another follower."""
    declining: float = 0.1
    """Decline to place a tile that needs a bridge."""
    switching: float = 0.3
    """Switch to another figure where several kinds can be placed."""
    opening: float = 0.3
    """Lay a tile of their own instead of drawing one."""
    typing: float = 0.3
    """Type an amount instead of pressing one."""


@dataclass(slots=True)
class Move:
    """A record of the way from a card to a published move."""

    member: int
    taps: list[Kind] = field(default_factory=list)
    modals: int = 0
    refusals: list[str] = field(default_factory=list)
    """The texts of the answers that refused a bid."""

    @property
    def of_tile(self) -> bool:
        """True if a tile was placed (or declined) with it."""
        return Kind.PLAY in self.taps


class LostError(AssertionError):
    """The player is stuck: what is shown offers no button that continues the move."""


class Clicker:
    """A player who chooses at random among the offered buttons, reproducibly for the same seed and answers."""

    def __init__(self, client: Client, random: Random, habits: Habits | None = None) -> None:
        self.client = client
        self.random = random
        self.habits = habits or Habits()
        self.last: Shown | None = None
        """The result of the last press or modal."""
        self._quick_members: set[int] = set()
        """The members whose confirming was turned off."""

    async def move(self, card: Shown) -> Move:
        """Let the member whom the card asks make their whole decision."""
        member = mentioned_users(card.components)[0]  # a card may also mention others, who can plan
        move = Move(member)
        if self.habits.quick and member not in self._quick_members:
            await self.client.turn_off_confirming(member)
            self._quick_members.add(member)
        offered = buttons_by_kind(card.components)
        if Kind.PLAY in offered and (Kind.ACT not in offered or self._chooses(self.habits.opening)):
            panel = await self._tap(move, card, offered[Kind.PLAY][0])
            await self._complete_turn(move, panel)
        else:
            await self._decide(move, card)
        return move

    # -- a tile ------------------------------------------------------------------------------------------------

    async def complete_turn(self, member: int, panel: Shown) -> Move:
        """Let a member complete a turn from an opened panel of spots."""
        move = Move(member)
        await self._complete_turn(move, panel)
        return move

    async def _complete_turn(self, move: Move, panel: Shown) -> None:
        """Press from the panel of spots to the button that makes the move."""
        while True:
            offered = buttons_by_kind(panel.components)
            if not offered:
                raise LostError(f"after {move.taps}: {words(panel.components)}")
            button = self._next_tap(move, offered)
            panel = await self._tap(move, panel, button)
            if button.key.op == "go":
                return

    def _next_tap(  # noqa: PLR0911 - one return a kind
        self, move: Move, offered: dict[Kind, list[Button]]
    ) -> Button:
        """Choose the next button of the composer."""
        if Kind.SPOT in offered or Kind.DECLINE in offered:
            return self._spot(move, offered)
        if Kind.BACK in offered and self._chooses(self.habits.wavering):
            return offered[Kind.BACK][0]
        if Kind.CONFIRM in offered or Kind.QUESTION in offered:
            return self._last(offered)
        turned = move.taps.count(Kind.ROTATE)
        if Kind.ROTATE in offered and turned < MAX_ROTATIONS and self._chooses(self.habits.turning):
            return offered[Kind.ROTATE][0]
        if Kind.BRIDGE in offered and Kind.BRIDGE not in move.taps and self._chooses(self.habits.bridging):
            return self.random.choice(offered[Kind.BRIDGE])
        if Kind.SWITCH in offered and Kind.SWITCH not in move.taps and self._chooses(self.habits.switching):
            return self.random.choice(offered[Kind.SWITCH])
        if Kind.FOLLOWER not in offered:
            raise LostError(offered)
        return self._follower(offered[Kind.FOLLOWER])

    def _spot(self, move: Move, offered: dict[Kind, list[Button]]) -> Button:
        """Choose a spot for the tile, or decline it."""
        if Kind.DECLINE in offered and (Kind.SPOT not in offered or self._chooses(self.habits.declining)):
            return offered[Kind.DECLINE][0]
        for button in offered.get(Kind.PAGE, ()) if Kind.PAGE not in move.taps else ():
            bridged = button.key.argument.endswith("b")
            if self._chooses(self.habits.bridging if bridged else self.habits.paging):
                return button
        return self.random.choice(offered[Kind.SPOT])

    def _last(self, offered: dict[Kind, list[Button]]) -> Button:
        """Confirm, or answer the question that takes the place of the confirmation."""
        if Kind.CONFIRM in offered:
            return offered[Kind.CONFIRM][0]
        castles = [button for button in offered[Kind.QUESTION] if "castle" in button.key.argument.split()]
        return self.random.choice(castles or offered[Kind.QUESTION])

    def _follower(self, offered: list[Button]) -> Button:
        """Prefer builders and pigs, then cities, which can become castles; in The Castle short features."""
        for preferred in (COMPANIONS, PREFERRED_PLACES):
            preferred_buttons = [button for button in offered if any(kind in button.key.argument for kind in preferred)]
            if preferred_buttons:
                return self.random.choice(preferred_buttons)
        return self.random.choice(offered)

    # -- castles and bazaars -----------------------------------------------------------------------------------

    async def _decide(self, move: Move, card: Shown) -> None:
        """Answer a question on the card, about a lot (a tile in an auction), a bid or a castle."""
        offered = buttons_by_kind(card.components)
        if Kind.LOT in offered:
            card = await self._tap(move, card, self.random.choice(offered[Kind.LOT]))
            offered = buttons_by_kind(card.components)
        types = Kind.OTHER in offered and self._chooses(self.habits.typing)
        if types and await self._type(move, card, offered[Kind.OTHER][0], _smallest_amount(offered[Kind.ACT])):
            return
        if Kind.ACT not in offered:
            raise LostError(words(card.components))
        castles = [button for button in offered[Kind.ACT] if button.key.argument == "castle"]
        answer = await self._tap(move, card, self.random.choice(castles or offered[Kind.ACT]))
        await self._confirm(move, answer)

    async def _confirm(self, move: Move, answer: Shown) -> None:
        """Press the confirmation that a player in careful mode is asked for."""
        confirm_buttons = buttons_by_kind(answer.components).get(Kind.CONFIRM, ())
        for button in confirm_buttons:
            await self._tap(move, answer, button)

    async def _type(self, move: Move, card: Shown, button: Button, smallest: int) -> bool:
        """Type a bid into the modal; return whether it was accepted."""
        modal = await self._tap(move, card, button)
        if not modal.modal:
            raise LostError(words(modal.components))
        move.modals += 1
        amount = smallest + self.random.randint(0, MAX_RAISE)
        self.last = answer = await self.client.submit(move.member, modal, {AMOUNT_FIELD: str(amount)})
        refused = any(says(words(answer.components), f"refusal.{key}") for key in _BID_REFUSALS)
        if refused:
            move.refusals.append(words(answer.components))
        else:
            await self._confirm(move, answer)
        return not refused

    # -- pressing ----------------------------------------------------------------------------------------------

    def _chooses(self, probability: float) -> bool:
        """Return True with this probability."""
        return self.random.random() < probability

    async def _tap(self, move: Move, shown: Shown, button: Button) -> Shown:
        """Press a button and count the tap."""
        if len(move.taps) >= MAX_TAPS:
            raise LostError(move.taps)
        move.taps.append(button.kind)
        return await self._press(move, shown, button)

    async def _press(self, move: Move, shown: Shown, button: Button) -> Shown:
        """Press a button and remember the answer."""
        self.last = None
        self.last = await self.client.press(move.member, shown, button.custom_id)
        return self.last


def _smallest_amount(acts: Sequence[Button]) -> int:
    """Return the smallest amount that has a button; 1 if no button has an amount."""
    amounts = [button.key.argument.replace("@", ":").split(":")[-1] for button in acts]
    return min((int(amount) for amount in amounts if amount.isdecimal()), default=1)
