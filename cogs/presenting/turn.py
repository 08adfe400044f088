"""A game's turn as the composer asks for it: where a tile may lie, the plan of the turn, and the moves it leads to.

A turn is the same in every game: a tile is laid, perhaps a piece built with it, a figure put down, and then its player
may be asked something more. What differs stands in a :class:`Turn`.

A :class:`Plan` is a turn that is being planned: pure values between the composer's buttons and the engine's legal
actions. Its text form is the argument of a composer button, so a button always leads to what it shows, however often
and in whatever order it is pressed:

    p2                                  the third page of spots; p2b of those that need a piece more
    decline                             the tile is let go
    M12/90 ~M13WE with:big-follower     the tile, what is built with it, which figure the places are for
    M12/90 ~M13WE @road.W castle open   with the figure, answers to what the turn asks then, and the rest left open
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from engine import (
    Action,
    Adjudicate,
    Cell,
    Deploy,
    IllegalActionError,
    NotationError,
    Pass,
    Place,
    Position,
    Resign,
    Skip,
    parse_action,
)

if TYPE_CHECKING:
    from engine.agenda import Step
    from engine.events import Event
    from engine.tiles import Segment


P = TypeVar("P", bound=Position)

SPOTS_A_PAGE: Final = 25
NO_BREAK: Final = "\N{NO-BREAK SPACE}"
"""Keeps a letter and its cell on one line."""
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXY"


def spots(places: Sequence[Place]) -> list[Cell]:
    """The cells of these placements, row by row."""
    return sorted({place.cell for place in places}, key=lambda cell: (cell.y, cell.x))


def ways(places: Sequence[Place], cell: Cell) -> list[Place]:
    """The placements on one cell, in the order in which rotating goes through them."""
    return sorted((place for place in places if place.cell == cell), key=lambda place: (place.rotation, str(place)))


def laid(position: P, place: Place) -> P:
    """The position with the tile laid.

    Raises:
        IllegalActionError: the tile does not fit there.
    """
    after = position.copy()
    after.apply(place)
    return after


def pages(cells: Sequence[Cell]) -> int:
    """How many pages these spots fill; an empty one counts."""
    return max(1, -(-len(cells) // SPOTS_A_PAGE))


def lettered(cells: Sequence[Cell], page: int) -> list[tuple[Cell, str]]:
    """The spots of a page with their letters."""
    return list(zip(cells[page * SPOTS_A_PAGE :], LETTERS, strict=False))


def letters_line(letters: Sequence[tuple[Cell, str]]) -> str:
    """Which letter means which spot."""
    return f"-# {' · '.join(f'{letter}{NO_BREAK}{cell.label}' for cell, letter in letters)}"


def turned(found: Sequence[Place], place: Place) -> Place | None:
    """How the tile lies on its spot after one more rotation; None where it can lie in one way only."""
    if len(found) < 2:
        return None
    return found[(found.index(place) + 1) % len(found)] if place in found else found[0]


_PAGE: Final = re.compile(r"p(\d{1,3})(b?)")
_DECLINED: Final = "decline"
_OPEN: Final = "open"
_WITH: Final = re.compile(r"with:([a-z][a-z-]{0,19})")
ROOM: Final = 74
"""Characters of a custom id that are left for a plan, or for the actions of a move."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A page of spots, letting the tile go, or a placement with what goes with it."""

    page: int = 0
    aided: bool = False
    """Among the spots where the tile needs a piece more to fit."""
    place: Place | None = None
    built: Action | None = None
    """A piece that is built with the tile, though it would fit without."""
    kind: str = ""
    """Which figure the places are for; the one that comes first to each when empty."""
    figure: Deploy | Pass | None = None
    answers: tuple[Action, ...] = ()
    """What is decided about the questions that the move raises."""
    left_open: bool = False
    """What is still to be decided about them is asked on the card."""
    declined: bool = False
    """The tile is let go."""

    def __str__(self) -> str:
        if self.declined:
            return _DECLINED
        if self.place is None:
            return f"p{self.page}{'b' if self.aided else ''}"
        asked_for = [f"with:{self.kind}"] if self.kind and self.figure is None else []
        return " ".join([*map(str, self.actions), *asked_for, *([_OPEN] if self.left_open else [])])

    @property
    def actions(self) -> tuple[Action, ...]:
        """What has been decided, in the order of the text."""
        decided = (self.place, self.built, self.figure, *self.answers)
        return tuple(action for action in decided if action is not None)

    @property
    def laid(self) -> Plan:
        """The same as far as the tile and what is built with it."""
        return Plan(aided=self.aided, place=self.place, built=self.built)

    @property
    def piece(self) -> Action | None:
        """What is built with the tile, needed or not."""
        return self.built or (self.place.aid if self.place else None)

    @staticmethod
    def parse(text: str) -> Plan:
        """Read the text form; whether it is a turn of any game is for its position to say.

        Raises:
            NotationError: it is none.
        """
        page = _PAGE.fullmatch(text)
        if page is not None:
            return Plan(int(page[1]), aided=bool(page[2]))
        if text == _DECLINED:
            return Plan(declined=True)
        *tokens, last = text.split() or [""]
        left_open, kind = last == _OPEN, _WITH.fullmatch(last)
        plan = Plan()
        for token in tokens if left_open or kind else [*tokens, last]:
            plan = _with(plan, parse_action(token))
        if plan.place is None or (left_open and plan.figure is None) or (kind and plan.figure is not None):
            raise NotationError(f"not a plan: {text!r}")
        return replace(plan, left_open=left_open, kind=kind[1] if kind else "")


def _with(plan: Plan, action: Action) -> Plan:
    """The plan with one action more: first the tile, then what is built with it, the figure, the answers."""
    match action:
        case Place() if plan.place is None:
            return replace(plan, place=action, aided=action.aid is not None)
        case Deploy() | Pass() if plan.place and plan.figure is None:
            return replace(plan, figure=action)
        case Place() | Deploy() | Resign() | Skip() | Adjudicate():
            raise NotationError(f"no place in a plan: {action}")
        case _ if plan.figure:
            return replace(plan, answers=(*plan.answers, action))
        case _ if plan.place and plan.built is None:
            return replace(plan, built=action)
        case _:
            raise NotationError(f"no place in a plan: {action}")


def written(actions: Sequence[Action]) -> str:
    """Actions as the argument of a button."""
    return " ".join(map(str, actions))


def fitting_actions(actions: Sequence[Action]) -> tuple[Action, ...]:
    """As many of the actions as a custom id has room for; what is left out is asked on the card.

    Only a tile that completes half a dozen features at once needs more.
    """
    count = len(actions)
    while len(written(actions[:count])) > ROOM:
        count -= 1
    return tuple(actions[:count])


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


def moves(turn: Turn[P], position: P, spot: str) -> Iterator[Sequence[Action]]:
    """Every whole move; of the placements only those on a spot whose name begins so."""
    if position.hand is None:
        yield from _decided(turn, position, ())
        return
    found = [*placements(position), *placements(position, aided=True)]
    plans = [Plan(place=place) for place in found if str(place).lower().startswith(spot)]
    for plan in plans:
        yield from _ended(turn, position, replace(plan, figure=Pass()))
    if turn.piece is not None and turn.piece.declining in position.legal_actions:
        yield (turn.piece.declining,)
    for plan in plans:
        yield from _with_figures(turn, position, plan)
    for plan in _building(turn, position, plans):
        yield from _ended(turn, position, replace(plan, figure=Pass()))
        yield from _with_figures(turn, position, plan)


def _building(turn: Turn[P], position: P, plans: Sequence[Plan]) -> Iterator[Plan]:
    """The same with each piece that may be built beside the tile."""
    for plan in plans if turn.piece else ():
        if plan.place is not None:
            for built in turn.buildable(laid(position, plan.place)):
                yield replace(plan, built=built)


def _with_figures(turn: Turn[P], position: P, plan: Plan) -> Iterator[Sequence[Action]]:
    for figure in turn.deployments(position, plan):
        yield from _ended(turn, position, replace(plan, figure=figure))


def _ended(turn: Turn[P], position: P, plan: Plan) -> Iterator[Sequence[Action]]:
    """The move of a plan, with every answer to every question that it raises, unless those may wait for the card."""
    actions = turn.complete(position, plan)
    if turn.leaves_open:
        yield actions
    else:
        yield from _decided(turn, position, actions)


def _decided(turn: Turn[P], position: P, decided: tuple[Action, ...]) -> Iterator[Sequence[Action]]:
    """The moves that begin so, up to where nothing more is asked of their player."""
    after = _applied(turn.veiled(position), decided)
    more = turn.following(after, {})
    after, whole = _applied(after, more), (*decided, *more)
    if whole and (turn.leaves_open or not isinstance(after.step, (turn.deploying, *turn.asked))):
        yield whole
        return
    for action in after.legal_actions:
        yield from _decided(turn, position, (*whole, action))


def completed(turn: Turn[P], position: P, actions: Sequence[Action]) -> Sequence[Action]:
    """The actions with a lone pass at the end; empty when a figure is still to be decided about.

    What else a turn asks may be left out: it is answered as its player prefers, or on the card.
    """
    after = _applied(position.copy(), actions)
    if isinstance(after.step, turn.deploying) and after.player == position.player:
        return (*actions, Pass()) if len(after.legal_actions) == 1 else ()
    return actions


def followed(turn: Turn[P], position: P, actions: Sequence[Action], choices: Mapping[str, str]) -> Sequence[Action]:
    """A player's actions, followed by what he does without being asked.

    Raises:
        IllegalActionError: the actions are not legal.
    """
    return (*actions, *turn.following(_applied(position.copy(), actions), choices))


def _applied(after: P, actions: Sequence[Action]) -> P:
    """A copy on which these actions have been carried out."""
    for action in actions:
        after.apply(action)
    return after
