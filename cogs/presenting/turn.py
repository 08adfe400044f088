"""What a game's turn consists of, and where a plan of it leads: what the composer asks of a game, as a table.

A turn is the same in every game: a tile is laid, perhaps a piece built with it, a figure put down, and then its player
may be asked something more. What differs stands in a :class:`Turn`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from cogs.presenting.plan import Plan
from cogs.presenting.spots import laid
from engine import Action, Cell, Deploy, IllegalActionError, Pass, Place, Position

if TYPE_CHECKING:
    from engine.agenda import Step
    from engine.events import Event
    from engine.tiles import Segment

P = TypeVar("P", bound=Position)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece that may be built with a tile, or has to be where the tile fits only so."""

    name: str
    """In the supply, and at the end of the keys of what is said of it: ``panel.NAME``, ``button.with_NAME`` …"""
    action: type[Action]
    words: Callable[[Any], Mapping[str, str]]
    """What those sentences say of an action: where it is built."""
    declining: Action
    """Letting a tile go that fits only with such a piece."""


@dataclass(frozen=True, slots=True)
class Course(Generic[P]):
    """Where a plan leads, as far as its player decides it and can know it."""

    plan: Plan
    """With the answers that follow without being asked for."""
    actions: tuple[Action, ...]
    """All of the move."""
    after: P
    events: tuple[Event, ...]
    pending: bool
    """Whether the same player has to decide something more before anybody else has to do anything."""

    @property
    def asks(self) -> bool:
        """Whether that is asked now, not left open."""
        return self.pending and not self.plan.left_open


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Generic[P]):
    """What is asked in a turn of one game, and how it is told."""

    deploying: type[Step[Any]]
    """The step in which a figure is put down."""
    asked: tuple[type[Step[Any]], ...]
    """What the same player may have to decide after it."""
    together: tuple[type[Step[Any]], ...]
    """Steps in which a move goes on that has begun: it is told together with what follows."""
    leaves_open: bool = False
    """Whether questions may wait for the card; then an answer is no last word, and is confirmed like any move."""
    piece: Piece | None = None
    veiled: Callable[[P], P] = Position.copy
    """A copy in which nothing is known that lies face down."""
    answer: Callable[[P, Mapping[str, str]], Action | None] = lambda _position, _choices: None
    """What the player who has to decide would answer by his choices; None when he wants to be asked."""

    tile: Callable[[P], str]
    """Which tile is to be laid."""
    segment: Callable[[P, Cell, str], Segment]
    """The segment of the tile just laid that a figure's action names."""
    figures: Callable[[P, Sequence[Deploy]], Iterator[str]]
    """What is said of the figures when these may be put down: which one, none that may stand here, or none left."""
    nobody: Callable[[P, Sequence[Deploy]], str]
    """The button that puts down none of them."""
    question: Callable[[Sequence[str], Course[P]], Iterator[str]]
    """What is asked next, in lines."""
    afterwards: Callable[[Sequence[str], Course[P]], Iterator[str]] = lambda _names, _ahead: iter(())
    """Who is asked what when the move is made."""
    features: Callable[[P], Sequence[Action]] = lambda _position: ()
    """What a question is about, in the order of the letters of its answers."""
    told: tuple[type[Event], ...]
    """What a plan tells in advance, if the table is told."""
    foretold: Callable[[Sequence[str], Event], str]
    """One such event in words."""

    # -- the tile and what is built with it -------------------------------------------------------------------------

    def trial(self, position: P, plan: Plan) -> P:
        """The position with the tile of a plan, and what is built with it.

        Raises:
            IllegalActionError: the rules do not allow it.
        """
        if plan.place is None or not self._may_build(plan.built):
            raise IllegalActionError(f"no tile is laid: {plan}")
        after = laid(position, plan.place)
        if plan.built is not None:
            after.apply(plan.built)
        return after

    def buildable(self, after: P) -> list[Action]:
        """The pieces that may be built beside the tile just laid."""
        return [action for action in self._offered(after) if self.piece and isinstance(action, self.piece.action)]

    def _may_build(self, built: Action | None) -> bool:
        return built is None or (self.piece is not None and isinstance(built, self.piece.action))

    # -- the figure -------------------------------------------------------------------------------------------------

    def deployments(self, position: P, plan: Plan) -> list[Deploy]:
        """Which figure may be put where with this tile and piece: figures and features first met first."""
        if plan.place is None:
            return []
        offered = _deploys(self._offered(laid(position, plan.place)))
        if plan.built is not None:
            offered = list(dict.fromkeys([*_deploys(self._offered(self.trial(position, plan))), *offered]))
        return [deploy for deploy in offered if self.complete(position, replace(plan, figure=deploy))]

    def _offered(self, after: P) -> Sequence[Action]:
        return tuple(after.legal_actions) if isinstance(after.step, self.deploying) else ()

    # -- the whole turn ---------------------------------------------------------------------------------------------

    def complete(self, position: P, plan: Plan) -> tuple[Action, ...]:
        """The actions of a plan up to its figure, or none; empty when the rules do not allow them in any order."""
        if plan.place is None or not self._may_build(plan.built):
            return ()
        for order in _orders(plan.place, plan.built, plan.figure or Pass()):
            actions = self._carried_out(position, order)
            if actions:
                return actions
        return ()

    def _carried_out(self, position: P, actions: Sequence[Action]) -> tuple[Action, ...]:
        """These actions and the pass that may have to end the turn; empty when one of them is not legal."""
        after, player = self.veiled(position), position.player
        try:
            for action in actions:
                after.apply(action)
        except IllegalActionError:
            return ()
        unfinished = isinstance(after.step, self.deploying) and after.player == player and actions[-1] != Pass()
        return (*actions, Pass()) if unfinished else tuple(actions)

    def course(self, position: P, plan: Plan, choices: Mapping[str, str]) -> Course[P]:
        """Carry out a plan with a figure on a veiled copy, then whatever its player does not want to be asked about.

        Raises:
            IllegalActionError: it is no legal turn.
        """
        laying = self.complete(position, plan)
        if not laying or (plan.left_open and not self.leaves_open):
            raise IllegalActionError(f"no legal turn: {plan}")
        after = self.veiled(position)
        events: list[Event] = []
        for action in laying:
            events += after.apply(action)
        for action in plan.answers:
            if not self.is_asked(after, position.player):
                raise IllegalActionError(f"nothing to be decided: {plan}")
            events += after.apply(action)
        more = self.following(after, choices)
        for action in more:
            events += after.apply(action)
        whole = replace(plan, answers=(*plan.answers, *more))
        pending = self.is_asked(after, position.player)
        return Course(whole, (*laying, *whole.answers), after, tuple(events), pending)

    def is_asked(self, after: P, player: int) -> bool:
        """Whether a player has to decide something after his figure."""
        return isinstance(after.step, self.asked) and after.player == player

    def following(self, position: P, choices: Mapping[str, str]) -> tuple[Action, ...]:
        """What the player on turn does now without being asked; ends where he wants to be, or where his turn does."""
        after, player = position.copy(), position.player
        actions: list[Action] = []
        while self.is_asked(after, player):
            action = self.answer(after, choices)
            if action is None:
                break
            after.apply(action)
            actions.append(action)
        return tuple(actions)


def placements(position: Position, *, aided: bool = False) -> list[Place]:
    """The placements that need a piece more, or those that need none; each look of the tile once."""
    if position.hand is None:
        return []
    looks = position.hand.rotations
    return [
        action
        for action in position.legal_actions
        if isinstance(action, Place) and (action.aid is not None) is aided and action.rotation in looks
    ]


def places(deploys: Sequence[Deploy]) -> dict[str, list[Deploy]]:
    """The figures that may be put on each segment of the tile, by its name.

    A builder or pig joins a follower, and a follower goes where nobody is; followers of two sizes share their places.
    """
    found: dict[str, list[Deploy]] = {}
    for deploy in deploys:
        found.setdefault(deploy.segment, []).append(deploy)
    return found


def _deploys(actions: Sequence[Action]) -> list[Deploy]:
    return [action for action in actions if isinstance(action, Deploy)]


def _orders(place: Place, built: Action | None, figure: Action) -> Iterator[list[Action]]:
    """The piece comes before the figure; after it only where the rules let it (BR-14)."""
    if built is None:
        yield [place, figure]
        return
    yield [place, built, figure]
    yield [place, figure, built]
