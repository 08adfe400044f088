"""The turn of any game as the composer presents it: where a tile fits, a plan of the turn, and the moves it leads to.

A turn is the same in every game: the player lays a tile, perhaps builds a piece with it, deploys a figure, and may then
be asked further questions. A :class:`Turn` describes what differs between games.

A :class:`Plan` is an unfinished turn: a plain value that lies between the composer's buttons and the engine's legal
actions. Its text form is the argument of a composer button. A button therefore always leads to what it shows, however
often and in whatever order buttons are pressed:

    p2                                  the third part of the spots; p2b: of the spots that need an extra piece
    M12                                 a spot, on which the composer chooses the rotation to begin with
    decline                             the player declines the tile
    M12/90 ~M13WE with:big-follower     the tile, the piece built with it, and the kind of figure to place
    M12/90 ~M13WE @road.W castle open   with the figure and answers to the questions so far; the rest is left open
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, NamedTuple, TypeVar

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
from engine.actions import FOLLOWER, Instead
from engine.agenda import Step
from engine.caching import lazy_property
from engine.events import Completed, Deployed, Event
from engine.tiles import Segment
from renderers import phone_window

P = TypeVar("P", bound=Position)

MAX_SPOTS: Final = 20
"""Spots in one panel: four rows of buttons, so that a fifth is left for the others."""
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXY"
"""Names of the features that a question is about."""


def spots(places: Sequence[Place]) -> list[Cell]:
    """Return the cells of these placements, row by row."""
    return sorted({place.cell for place in places}, key=lambda cell: (cell.y, cell.x))


def orientations(places: Sequence[Place], cell: Cell) -> list[Place]:
    """Return the placements on one cell, in the order of the numbers of their buttons."""
    return sorted((place for place in places if place.cell == cell), key=lambda place: (place.rotation, str(place)))


def position_with(position: P, place: Place) -> P:
    """Return a copy of the position with the tile laid.

    Raises:
        IllegalActionError: the tile does not fit there.
    """
    after = position.copy()
    after.apply(place)
    return after


def parts_of(cells: Sequence[Cell], ranking: Callable[[], Mapping[Cell, int]]) -> list[list[Cell]]:
    """Return these spots in parts that a phone shows legibly, each row by row; the part of the best spots is first.

    ``ranking`` returns the value of each spot. It is called only if there is more than one part.
    """
    if not cells or (len(cells) <= MAX_SPOTS and phone_window(cells) is not None):
        return [list(cells)]
    value = ranking()
    remaining, parts = sorted(cells, key=lambda cell: (-value[cell], cell.y, cell.x)), list[list[Cell]]()
    while remaining:
        part: list[Cell] = []
        for cell in remaining:
            if len(part) < MAX_SPOTS and (not part or phone_window([*part, cell]) is not None):
                part.append(cell)
        parts.append(sorted(part, key=lambda cell: (cell.y, cell.x)))
        remaining = [cell for cell in remaining if cell not in part]
    return parts


_PAGE: Final = re.compile(r"p(\d{1,3})(b?)")
"""Text of a part of the spots: its number, followed by ``b`` for the spots that need an extra piece."""
_SPOT: Final = re.compile(r"-?[A-Z]{1,2}-?\d{1,3}")
"""Text of a spot without a rotation."""
_DECLINED: Final = "decline"
"""Text of a plan that declines the tile."""
_OPEN: Final = "open"
"""Last word of a plan that leaves its questions to the card."""
_WITH: Final = re.compile(r"with:([a-z][a-z-]{0,19})")
"""Word of a plan that names the kind of figure."""
MAX_ARGUMENT_LENGTH: Final = 74
"""Characters that a custom id leaves for a plan, or for the actions of a move."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A turn that is being composed: a part of the spots, a declined tile, or a placement with what follows it."""

    page: int = 0
    aided: bool = False
    """True among the spots where the tile fits only with an extra piece."""
    spot: Cell | None = None
    """A spot on which the composer chooses the rotation of the tile."""
    place: Place | None = None
    built: Action | None = None
    """A piece that the player builds with the tile, though the tile fits without it."""
    figure_kind: str = ""
    """The kind of figure to place; if empty, the first one that may stand on each segment."""
    figure: Deploy | Instead | Pass | None = None
    """The figure to place, an action instead of placing one, or neither."""
    answers: tuple[Action, ...] = ()
    """Decisions about the questions that the move raises."""
    left_open: bool = False
    """True if the remaining questions are to be asked on the card."""
    declined: bool = False
    """True if the player declines the tile."""

    def __str__(self) -> str:
        if self.declined:
            return _DECLINED
        if self.spot is not None:
            return self.spot.label
        if self.place is None:
            return f"p{self.page}{'b' if self.aided else ''}"
        asked_for = [f"with:{self.figure_kind}"] if self.figure_kind and self.figure is None else []
        return " ".join([*map(str, self.actions), *asked_for, *([_OPEN] if self.left_open else [])])

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions decided so far, in the order of the text."""
        decided = (self.place, self.built, self.figure, *self.answers)
        return tuple(action for action in decided if action is not None)

    @property
    def without_figure(self) -> Plan:
        """The plan up to the tile and the piece built with it."""
        return Plan(aided=self.aided, place=self.place, built=self.built)

    @property
    def piece(self) -> Action | None:
        """The piece built with the tile, needed or not."""
        return self.built or (self.place.aid if self.place else None)

    @staticmethod
    def parse(text: str) -> Plan:
        """Read the text form. Only a position can tell whether the plan is a legal turn.

        Raises:
            NotationError: the text is no plan.
        """
        page = _PAGE.fullmatch(text)
        if page is not None:
            return Plan(int(page[1]), aided=bool(page[2]))
        if _SPOT.fullmatch(text):
            return Plan(spot=_cell(text))
        if text == _DECLINED:
            return Plan(declined=True)
        *tokens, last = text.split() or [""]
        left_open, kind = last == _OPEN, _WITH.fullmatch(last)
        plan = Plan()
        for token in tokens if left_open or kind else [*tokens, last]:
            plan = _plan_with(plan, parse_action(token))
        if plan.place is None or (left_open and plan.figure is None) or (kind and plan.figure is not None):
            raise NotationError(f"not a plan: {text!r}")
        return replace(plan, left_open=left_open, figure_kind=kind[1] if kind else "")


def _cell(text: str) -> Cell:
    try:
        return Cell.parse(text)
    except ValueError as error:
        raise NotationError(f"not a plan: {text!r}") from error


def _plan_with(plan: Plan, action: Action) -> Plan:
    """Add an action to a plan: first the tile, then the piece built with it, the figure, the answers."""
    match action:
        case Place() if plan.place is None:
            return replace(plan, place=action, aided=action.aid is not None)
        case Deploy() | Instead() | Pass() if plan.place and plan.figure is None:
            return replace(plan, figure=action)
        case Place() | Deploy() | Instead() | Resign() | Skip() | Adjudicate():
            raise NotationError(f"no place in a plan: {action}")
        case _ if plan.figure:
            return replace(plan, answers=(*plan.answers, action))
        case _ if plan.place and plan.built is None:
            return replace(plan, built=action)
        case _:
            raise NotationError(f"no place in a plan: {action}")


def actions_text(actions: Sequence[Action]) -> str:
    """Return the actions as the argument of a button."""
    return " ".join(map(str, actions))


def opened_text(opening: Action, plan: Plan | str) -> str:
    """Return a plan as the argument of a button, after an action that comes before its tile, such as ``abbey p0``."""
    return f"{opening} {plan}"


def fitting_actions(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return as many of the actions as a custom id has room for; the card asks for those left out.

    Only a tile that completes half a dozen features at once needs more room.
    """
    count = len(actions)
    while len(actions_text(actions[:count])) > MAX_ARGUMENT_LENGTH:
        count -= 1
    return tuple(actions[:count])


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece that may be built with a tile, or has to be built because the tile fits only with it."""

    name: str
    """Its name in the supply, and at the end of the keys of its sentences: ``panel.NAME``, ``button.with_NAME`` …"""
    action: type[Action]
    words: Callable[[Any], Mapping[str, str]]
    """The values of those sentences for an action, which say where the piece is built."""
    declining: Action
    """The action that declines a tile that fits only with such a piece."""


@dataclass(frozen=True, slots=True)
class PlanOutcome(Generic[P]):
    """The result of a plan, as far as its player decides and can know it."""

    plan: Plan
    """The plan with the answers that follow without a question."""
    actions: tuple[Action, ...]
    """All actions of the move."""
    after: P
    events: tuple[Event, ...]
    pending: bool
    """True if the same player has a further decision before anyone else has one."""

    @property
    def asks(self) -> bool:
        """True if that decision is asked for now, not left open."""
        return self.pending and not self.plan.left_open


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Generic[P]):
    """The structure of a turn in one game, and the words in which the composer asks for it."""

    deploy_step: type[Step[Any]]
    """The step in which a figure is deployed."""
    question_steps: tuple[type[Step[Any]], ...]
    """Decisions that the same player may have to take after it."""
    continuing_steps: tuple[type[Step[Any]], ...]
    """Steps that continue a move: it is told together with what follows."""
    questions_may_wait: bool = False
    """True if questions may be left to the card. An answer in the composer is then confirmed like any move."""
    piece: Piece | None = None
    instead: tuple[type[Instead], ...] = ()
    """The kinds of actions that may be taken instead of deploying a figure."""
    openings: tuple[type[Action], ...] = ()
    """The kinds of actions that may come before the tile, in the same move."""
    veiled: Callable[[P], P] = Position.copy
    """Returns a copy of the position without knowledge of what lies face down."""
    standing_answer: Callable[[P, Mapping[str, str]], Action | None] = lambda _position, _choices: None
    """Returns the answer that follows from the player's preferences, or None if they want to be asked."""

    tile_line: Callable[[P], str]
    """Says which tile is to be laid."""
    segment: Callable[[P, Cell, str], Segment]
    """Returns the segment of the tile just laid that the action of a figure names."""
    main_figure: str = FOLLOWER
    """The word for the figures of which every player has several, at the end of keys of sentences."""
    figure_lines: Callable[[P, Sequence[Deploy], bool], Iterator[str]]
    """Introduces the figures that may be deployed; says if none may stand here, or none is left.

    The flag is true if a later question of the turn can still put a figure on the table.
    """
    no_figure_label: Callable[[P, Sequence[Deploy]], str]
    """Labels the button that deploys no figure."""
    question_lines: Callable[[Sequence[str], PlanOutcome[P]], Iterator[str]]
    """Asks the next question."""
    afterwards_lines: Callable[[Sequence[str], PlanOutcome[P]], Iterator[str]] = lambda _names, _ahead: iter(())
    """Says who is asked what once the move is made."""
    question_features: Callable[[P], Sequence[Action]] = lambda _position: ()
    """Returns the features that a question is about, in the order of the letters of its answers."""
    answer_figure: Callable[[Action], tuple[str, str] | None] = lambda _action: None
    """Returns the segment on which an answer puts a figure, and the figure; None for all other answers."""
    corner_figure: Callable[[Action], tuple[str, tuple[float, float]] | None] = lambda _action: None
    """Returns the figure that an action puts on a corner of the tile just laid, and that point of it; else None."""
    foretold_sentence: Callable[[Sequence[str], Event], str]
    """Tells an event of a plan in advance (:attr:`cogs.presenting.presenter.BasePresenter.foretold_events`)."""

    # -- before the tile ---------------------------------------------------------------------------------------------

    def opening_in(self, text: str) -> tuple[Action | None, str]:
        """Split the text of a plan into the action that comes before its tile, if any, and the plan itself."""
        first, _, rest = text.partition(" ")
        try:
            action = parse_action(first)
        except NotationError:
            return None, text
        return (action, rest) if isinstance(action, self.openings) else (None, text)

    def opened(self, position: P, text: str) -> P:
        """Return the position in which the tile of a plan is laid: after the action that comes before it, if any.

        Raises:
            IllegalActionError: that action is not legal.
        """
        opening, _ = self.opening_in(text)
        return position if opening is None else _applied(position.copy(), [opening])

    # -- the tile, the piece built with it, and the figure ----------------------------------------------------------

    def points_at(self, position: P, place: Place) -> int:
        """Return the points that the player scores at once by a legal placement, without a figure."""
        after = self.veiled(position)
        after.play(place)
        self._pass_figure(after)
        return after.scores[position.player] - position.scores[position.player]

    def lead_at(self, position: P, place: Place) -> int:
        """Return the lead that the player gains at once by a legal placement, with the best figure or without one."""
        after, player = self.veiled(position), position.player
        events = (*after.play(place), *self._pass_figure(after))
        lead = _lead(after.scores, player)
        if after.step is None or any(isinstance(event, Completed) for event in events):  # else no figure scores at once
            laid = LaidTile(self, position, Plan(place=place))
            lead = max([lead, *(_lead(laid.turn_with(figure).after.scores, player) for figure in laid.deployments)])
        return lead - _lead(position.scores, player)

    def _pass_figure(self, after: P) -> tuple[Event, ...]:
        """Deploy no figure in a position in which a tile has just been laid, and return the events."""
        if isinstance(after.step, self.deploy_step) and after.step.allows(after, Pass()):
            return after.play(Pass())
        return ()

    def benefit(self, position: P, place: Place) -> tuple[int, int]:
        """Return what a legal placement brings its player at once, to compare the rotations of a tile on one spot.

        The first value is the lead that the player gains (:meth:`lead_at`); the second the number of open ends of the
        features on the tile, negated.
        """
        ends = sum(max(feature.open_ends, 0) for feature in position_with(position, place).features_at(place.cell))
        return self.lead_at(position, place), -ends

    def buildable(self, after: P) -> list[Action]:
        """Return the pieces that may be built beside the tile just laid."""
        return [action for action in self.deploy_step_actions(after) if self.is_piece(action)]

    def deploy_step_actions(self, after: P) -> Sequence[Action]:
        """Return the legal actions after a tile has been laid; none if no figure may be deployed now."""
        return tuple(after.legal_actions) if isinstance(after.step, self.deploy_step) else ()

    def is_piece(self, action: Action) -> bool:
        """Return True if the action builds the extra piece that a turn of this game may have."""
        return self.piece is not None and isinstance(action, self.piece.action)

    def deployments(self, position: P, plan: Plan) -> list[Deploy]:
        """Return the figures that may be deployed with this tile and piece, in the engine's order."""
        return LaidTile(self, position, plan).deployments if plan.place is not None else []

    # -- the whole turn ---------------------------------------------------------------------------------------------

    def complete(self, position: P, plan: Plan) -> tuple[Action, ...]:
        """Return the actions of a plan up to its figure, or its pass; empty if the rules allow them in no order."""
        try:
            return LaidTile(self, position, plan).turn_with(plan.figure or Pass()).actions
        except IllegalActionError:
            return ()

    def outcome(self, position: P, plan: Plan, choices: Mapping[str, str]) -> PlanOutcome[P]:
        """Carry out a plan with a figure on a veiled copy, then the answers that follow from the preferences.

        Raises:
            IllegalActionError: the plan is no legal turn.
        """
        return LaidTile(self, position, plan).outcome(plan, choices)

    def is_asked(self, after: P, player: int) -> bool:
        """Return True if the player has a decision after their figure."""
        return isinstance(after.step, self.question_steps) and after.player == player

    def standing_answers(self, position: P, choices: Mapping[str, str]) -> tuple[Action, ...]:
        """Return the answers that the player on turn gives without being asked, up to the first open question."""
        actions: list[Action] = []
        player = position.player
        if not self.is_asked(position, player):
            return ()
        after = position.copy()
        while self.is_asked(after, player):
            action = self.standing_answer(after, choices)
            if action is None:
                break
            after.apply(action)
            actions.append(action)
        return tuple(actions)

    # -- moves that are typed, or made on the card ------------------------------------------------------------------

    def moves(self, position: P, spot: str) -> Iterator[Sequence[Action]]:
        """Yield every whole move whose tile lies on a spot with a name that begins with ``spot``."""
        if position.hand is None:
            yield from self._with_answers(position, ())
            return
        places = [*placements(position), *placements(position, aided=True)]
        plans = [Plan(place=place) for place in places if str(place).lower().startswith(spot)]
        for plan in plans:
            yield from self._ended(position, replace(plan, figure=Pass()))
        if self.piece is not None and self.piece.declining in position.legal_actions:
            yield (self.piece.declining,)
        for plan in plans:
            yield from self._with_figures(position, plan)
        for plan in self._with_pieces(position, plans):
            yield from self._ended(position, replace(plan, figure=Pass()))
            yield from self._with_figures(position, plan)

    def _with_pieces(self, position: P, plans: Sequence[Plan]) -> Iterator[Plan]:
        """Yield the plans once more with each piece that may be built beside the tile."""
        for plan in plans if self.piece else ():
            if plan.place is not None:
                for built in self.buildable(position_with(position, plan.place)):
                    yield replace(plan, built=built)

    def _with_figures(self, position: P, plan: Plan) -> Iterator[Sequence[Action]]:
        laid = LaidTile(self, position, plan)
        figures: list[Deploy | Instead] = [*laid.deployments, *laid.alternatives]
        for figure in figures:
            yield from self._ended(position, replace(plan, figure=figure))

    def _ended(self, position: P, plan: Plan) -> Iterator[Sequence[Action]]:
        """Yield the move of a plan with every answer to its questions, unless those may wait for the card."""
        actions = self.complete(position, plan)
        if self.questions_may_wait:
            yield actions
        else:
            yield from self._with_answers(position, actions)

    def _with_answers(self, position: P, decided: tuple[Action, ...]) -> Iterator[Sequence[Action]]:
        """Yield the moves that begin with these actions, up to where their player is asked nothing more."""
        after = _applied(self.veiled(position), decided)
        answers = self.standing_answers(after, {})
        after, whole = _applied(after, answers), (*decided, *answers)
        if whole and (self.questions_may_wait or not isinstance(after.step, (self.deploy_step, *self.question_steps))):
            yield whole
            return
        for action in after.legal_actions:
            yield from self._with_answers(position, (*whole, action))

    def completed(self, position: P, actions: Sequence[Action]) -> Sequence[Action]:
        """Return legal actions with a lone pass at the end; empty if the figure is still to be decided.

        Further questions of the turn may stay open: the player's preferences answer them, or the card asks them.
        """
        after = _applied(position.copy(), actions)
        if isinstance(after.step, self.deploy_step) and after.player == position.player:
            return (*actions, Pass()) if len(after.legal_actions) == 1 else ()
        return actions

    def followed(self, position: P, actions: Sequence[Action], choices: Mapping[str, str]) -> Sequence[Action]:
        """Return a player's actions, followed by the answers that follow from their preferences.

        Raises:
            IllegalActionError: the actions are not legal.
        """
        return (*actions, *self.standing_answers(_applied(position.copy(), actions), choices))

    def continues(self, position: P) -> bool:
        """Return True if a move that has begun is unfinished in this position."""
        return isinstance(position.step, self.continuing_steps)


class CarriedOut(NamedTuple, Generic[P]):
    """The actions of a turn up to its figure, carried out on a veiled copy."""

    actions: tuple[Action, ...]
    after: P
    events: tuple[Event, ...]


class LaidTile(Generic[P]):
    """The tile of a plan laid on a veiled copy of the position, with the piece built with it.

    Each figure that may follow is tried out on a copy of this one, so that the tile is laid once for all of them. A
    panel of the composer takes everything that it says about one placement from here.

    Raises:
        IllegalActionError: the tile or the piece may not be laid there at all.
    """

    def __init__(self, turn: Turn[P], position: P, plan: Plan) -> None:
        if plan.place is None or not (plan.built is None or turn.is_piece(plan.built)):
            raise IllegalActionError(f"no tile is laid: {plan}")
        self._turn, self._plan, self._player = turn, plan, position.player
        alone = turn.veiled(position)
        self._alone = CarriedOut((plan.place,), alone, alone.apply(plan.place))

    @lazy_property
    def _with_piece(self) -> CarriedOut[P] | None:
        """The tile with its piece; None if the rules do not allow the piece before the figure (BR-14)."""
        return self._alone if self._plan.built is None else _continued(self._alone, [self._plan.built])

    @property
    def after(self) -> P:
        """The position with the tile and the piece; to be copied before anything is played on it.

        Raises:
            IllegalActionError: the rules do not allow the piece.
        """
        if self._with_piece is None:
            raise IllegalActionError(f"the piece may not be built: {self._plan}")
        return self._with_piece.after

    @lazy_property
    def _options(self) -> Sequence[Action]:
        """The legal actions after the tile, before any piece is built with it."""
        return self._turn.deploy_step_actions(self._alone.after)

    @property
    def buildable(self) -> list[Action]:
        """The pieces that may be built with the tile."""
        return [action for action in self._options if self._turn.is_piece(action)]

    @property
    def deployments(self) -> list[Deploy]:
        """The figures that may be deployed with this tile and piece, in the engine's order."""
        before_piece = _deploys(self._options)
        if self._plan.built is None:
            return before_piece
        after_piece = _deploys(self._turn.deploy_step_actions(self.after))
        others = (deploy for deploy in before_piece if deploy not in after_piece)
        return [*after_piece, *(deploy for deploy in others if self._tried(deploy) is not None)]

    @property
    def alternatives(self) -> list[Instead]:
        """The actions that the player may take instead of deploying a figure."""
        return [action for action in self._options if isinstance(action, self._turn.instead)]

    def turn_with(self, figure: Action) -> CarriedOut[P]:
        """Carry out the turn with this figure, or with a pass.

        Raises:
            IllegalActionError: the rules allow it neither after nor before the piece.
        """
        tried = self._tried(figure)
        if tried is None:
            raise IllegalActionError(f"no legal turn with {figure}: {self._plan}")
        return tried

    def _tried(self, figure: Action) -> CarriedOut[P] | None:
        """Carry out the turn with this figure; return None if the rules allow it neither after nor before the piece."""
        tried = _continued(self._with_piece, [figure]) if self._with_piece is not None else None
        if tried is None and self._plan.built is not None:
            tried = _continued(self._alone, [figure, self._plan.built])
        if tried is None:
            return None
        step, last = tried.after.step, tried.actions[-1]
        if isinstance(step, self._turn.deploy_step) and step.player == self._player and last != Pass():
            events = tried.after.apply(Pass())
            return CarriedOut((*tried.actions, Pass()), tried.after, (*tried.events, *events))
        return tried

    def deploys_later(self, outcome: PlanOutcome[P]) -> bool:
        """Return True if an answer to the question after a plan puts a figure on the table."""
        return outcome.pending and any(
            isinstance(event, Deployed)
            for action in outcome.after.legal_actions
            for event in outcome.after.copy().play(action)
        )

    def outcome(self, plan: Plan, choices: Mapping[str, str]) -> PlanOutcome[P]:
        """Carry out a plan with this tile and piece, then the answers that follow from the preferences.

        Raises:
            IllegalActionError: the plan is no legal turn.
        """
        turn, player = self._turn, self._player
        if plan.left_open and not turn.questions_may_wait:
            raise IllegalActionError(f"no legal turn: {plan}")
        laying, after, events = self.turn_with(plan.figure or Pass())
        for action in plan.answers:
            if not turn.is_asked(after, player):
                raise IllegalActionError(f"nothing to be decided: {plan}")
            events += after.apply(action)
        answers = turn.standing_answers(after, choices)
        for action in answers:
            events += after.apply(action)
        whole = replace(plan, answers=(*plan.answers, *answers))
        return PlanOutcome(whole, (*laying, *whole.answers), after, events, turn.is_asked(after, player))


def _continued(begun: CarriedOut[P], actions: Sequence[Action]) -> CarriedOut[P] | None:
    """Carry out further actions on a copy; return None if one of them is illegal."""
    after, events = begun.after.copy(), begun.events
    try:
        for action in actions:
            events += after.apply(action)
    except IllegalActionError:
        return None
    return CarriedOut((*begun.actions, *actions), after, events)


def placements(position: Position, *, aided: bool = False) -> list[Place]:
    """Return the placements that need an extra piece, or those that need none; one for each look of the tile."""
    if position.hand is None:
        return []
    rotations = position.hand.rotations
    return [
        action
        for action in position.legal_actions
        if isinstance(action, Place) and (action.aid is not None) is aided and action.rotation in rotations
    ]


def deploys_by_segment(deploys: Sequence[Deploy]) -> dict[str, list[Deploy]]:
    """Group the figures that may be deployed by the name of their segment.

    A builder or pig joins a follower, and a follower goes to an empty feature, so only followers of two sizes share a
    segment.
    """
    groups: dict[str, list[Deploy]] = {}
    for deploy in deploys:
        groups.setdefault(deploy.segment, []).append(deploy)
    return groups


def _lead(scores: Sequence[int], player: int) -> int:
    """Return the points that a player has more than the best of the others."""
    return scores[player] - max(score for seat, score in enumerate(scores) if seat != player)


def _deploys(actions: Sequence[Action]) -> list[Deploy]:
    """Return those of the actions that deploy a figure."""
    return [action for action in actions if isinstance(action, Deploy)]


def _applied(after: P, actions: Sequence[Action]) -> P:
    """Apply the actions to this position, and return it."""
    for action in actions:
        after.apply(action)
    return after
