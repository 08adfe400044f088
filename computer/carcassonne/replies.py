"""Look one turn ahead in Carcassonne: what the best replies to a candidate are worth, over the tiles to come.

Most placements are worth the same after every candidate, since a turn changes only a few features. A placement is
therefore valued once for each *signature* of its cell: the edges and the features around it, roughly as they are worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from computer.candidates import Candidate, best, stakes_of
from computer.carcassonne.evaluator import Evaluator, distinct_rotations
from computer.carcassonne.outlooks import Appraiser
from computer.carcassonne.survey import Survey
from computer.carcassonne.trials import try_placement
from computer.lookahead import evenly_drawn
from computer.weights import Weights
from engine.actions import Action, Place, Seat, seats
from engine.board import SegmentNumber
from engine.carcassonne import DeployFollower, FeatureKind, Position, TileKind, tile
from engine.carcassonne.placing import fitting
from engine.carcassonne.setup import PILE
from engine.geometry import STEP, Cell, Square

NEXT_REPLY: Final = 1.5
"""The weight of the rival's best reply in games of two. It is above 1 because most of an advantage that is left to them
is still there in their later turns: about 0.7 of it in the next one, by regression over 50 pairs of candidates."""
MULTIPLAYER_NEXT_REPLY: Final = 0.75
"""The weight of the best reply of each of several rivals, who may want the same: 0.93 ± 0.10 by regression over 359
pairs of candidates with four players, against what twelve turns brought; less here, as few draws are averaged over."""
OWN_REPLY: Final = 1.0
"""The weight of the thinking player's own next turn, of which the turns between take away about a third."""
MAX_DECISIONS: Final = 8
"""The most decisions between two placements that are played out, and the most actions that such a decision has."""
AMPLE: Final = 4
"""The number of figures in a supply from which on a further one changes no placement noticeably."""
FRESH_SHARE: Final = 0.35
"""The share of the placements after a further candidate that have to be valued, since no earlier value fits."""
POINTS_STEP: Final = 0.1
"""The difference in points from which on two features are told apart in a signature."""
FIELD_STEP: Final = 0.5
"""The same for fields, whose worth changes a little with every tile."""
CHANCE_STEP: Final = 0.02
"""The same for the chance that a feature is completed."""


class _AfterTurn:
    """The position after a turn, surveyed, with the signature of each cell."""

    def __init__(self, position: Position, weights: Weights, appraiser: Appraiser) -> None:
        self.position = position
        self.survey = Survey(position, weights, appraiser=appraiser)
        self.evaluator = Evaluator(position, weights, survey=self.survey)
        supply = position.supply.values()
        self.state = (
            tuple(tuple(min(AMPLE, count) for count in counts) for counts in supply),
            tuple(term.state(position) for term in self.survey.terms),
        )
        """The state on which the values of placements depend besides the land, roughly."""
        self.replies: dict[str, Sequence[_Reply]] = {}
        """The best replies found so far, by tile (id)."""
        self._signatures: dict[Square, object] = {}
        self._features: dict[SegmentNumber, object] = {}

    def signature(self, square: Square) -> object:
        """Return the edges and features around an empty cell; equal ones give placements there the same value."""
        result = self._signatures.get(square)
        if result is None:
            frontier = self.survey.land.frontier
            edges = tuple([frontier.get(Square(square + step), -1) for step in (0, *STEP)])
            roots = self.survey.roots_near(square)
            result = self._signatures[square] = edges, frozenset([self._feature(root) for root in roots])
        return result

    def _feature(self, root: SegmentNumber) -> object:
        """Return a feature as a signature has it, with its worth rounded."""
        result = self._features.get(root)
        if result is None:
            outlook = self.survey.outlook(root)
            step = FIELD_STEP if outlook.kind == FeatureKind.FIELD else POINTS_STEP
            holders = tuple([(holder.player, holder.figure) for holder in outlook.holders])
            rounded = round(outlook.worth / step), round(outlook.chance / CHANCE_STEP)
            result = self._features[root] = outlook.kind, holders, rounded
        return result


class _Reply(NamedTuple):
    """The best placement of a tile by a player after a turn."""

    seat: Seat
    chosen: Candidate
    value: float
    """Its value for the player who thinks."""


class Replies:
    """The turns that may follow each candidate of one decision; see :class:`computer.lookahead.Lookahead`."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.position = evaluator.position
        self.evaluations = 0
        self.first_cost = float(len(self.position.land.frontier))  # a tile has about one placement for each open cell
        self.further_cost = FRESH_SHARE * self.first_cost
        self._evaluator = evaluator
        self._weights = evaluator.weights
        self._appraiser = evaluator.survey.appraiser
        self._thinker = self.position.player
        self._seats = [seat for seat in seats(self.position.players) if not self.position.withdrawn[seat]]
        self._rivals = [seat for seat in self._seats if seat != self._thinker]
        self._next_reply = NEXT_REPLY if len(self._rivals) == 1 else MULTIPLAYER_NEXT_REPLY
        self._stakes = [stakes_of(self.position, seat) for seat in seats(self.position.players)]
        self._values: dict[object, Sequence[Candidate]] = {}
        self._after: dict[tuple[Action, Action | None], _AfterTurn] = {}
        self._possible = _possible_draws(self.position)

    def variants(self, candidate: Candidate) -> Sequence[Candidate]:
        """Return a placement with each figure that may follow it, and without one; any other action as it is."""
        kind = self.position.hand
        if isinstance(candidate.action, Place) and kind is not None:
            return self._evaluator.with_each_figure(candidate.action, kind, self._thinker)
        return [candidate]

    def draws(self, count: int) -> Sequence[str]:
        """Return the ids of up to ``count`` tiles that may be drawn next, in the proportions of all that may."""
        return evenly_drawn(self._possible, count, self.position.ply)

    def gain(self, candidate: Candidate, draw: str) -> float:
        """Return what the next turns are expected to add to a candidate if this tile (id) is drawn next."""
        turn = candidate.action, candidate.follow_up
        after = self._after.get(turn)
        if after is None:
            position = self._played(self.position, candidate)
            after = self._after[turn] = _AfterTurn(position, self._weights, self._appraiser)
        if after.position.is_over:
            return 0.0
        replies = self._replies(after, draw)
        return sum(
            [reply.value * (OWN_REPLY if reply.seat == self._thinker else self._next_reply) for reply in replies]
        )

    def _played(self, position: Position, candidate: Candidate) -> Position:
        """Return the position after a candidate, with the figure and the small decisions that follow it."""
        position = position.copy()
        position.play(candidate.action)
        if candidate.follow_up is not None and isinstance(position.step, DeployFollower):
            position.play(candidate.follow_up)
        for _ in range(MAX_DECISIONS):
            if position.step is None or position.hand is not None or len(position.legal_actions) > MAX_DECISIONS:
                break
            evaluator = Evaluator(position.veiled(), self._weights)
            position.play(best(evaluator.candidates()).action)
            self.evaluations += evaluator.evaluations
        return position

    def _replies(self, after: _AfterTurn, draw: str) -> Sequence[_Reply]:
        """Return the best placement of a tile (id) by each player; empty if it fits nowhere."""
        replies = after.replies.get(draw)
        if replies is None:
            replies = after.replies[draw] = tuple(self._find_replies(after, draw))
        return replies

    def _find_replies(self, after: _AfterTurn, draw: str) -> Iterator[_Reply]:
        """Yield the best placement of a tile (id) by each player."""
        kind = tile(draw)
        rotations = distinct_rotations(kind)
        by_seat: list[list[Candidate]] = [[] for _ in self._seats]
        for square, rotation in fitting(after.survey.land, kind):
            if rotation in rotations:
                key = draw, square, rotation, after.state, after.signature(square)
                candidates = self._values.get(key)
                if candidates is None:
                    candidates = self._values[key] = self._placement(after, kind, square, rotation)
                for own, candidate in zip(by_seat, candidates, strict=True):
                    own.append(candidate)
        for seat, candidates in zip(self._seats, by_seat, strict=True):
            if candidates:
                chosen = best(candidates)
                yield _Reply(seat, chosen, self._value_for_thinker(after, kind, seat, chosen))

    def _placement(self, after: _AfterTurn, kind: TileKind, square: Square, rotation: int) -> Sequence[Candidate]:
        """Return a placement as a candidate of each player, with the best figure."""
        self.evaluations += 1
        action = Place(Cell.at(square), rotation)
        trial = try_placement(after.survey, square, kind.faces[rotation // 90], self._thinker)
        candidates = []
        for seat in self._seats:
            trial.player = seat
            candidates.append(after.evaluator.with_best_figure(action, trial, self._stakes[seat]))
        return candidates

    def _value_for_thinker(self, after: _AfterTurn, kind: TileKind, seat: Seat, reply: Candidate) -> float:
        """Return the value of a reply for the player who thinks."""
        if seat == self._thinker:
            return reply.value
        if len(self._rivals) == 1 or not isinstance(reply.action, Place):
            return -reply.value
        face = kind.faces[reply.action.rotation // 90]
        trial = try_placement(after.survey, reply.action.cell.square, face, seat)
        return after.evaluator.value_of(trial, reply.follow_up, self._stakes[self._thinker])


def _possible_draws(position: Position) -> Sequence[str]:
    """Return the ids of the tiles that may be drawn next; ``position`` is veiled, which sorts them."""
    start, drawn = 0, position.next_tile
    for name, tiles in position.setup.decks.items():
        if name != PILE:
            start += len(tiles)
            if drawn < start:
                return position.setup.pile[drawn : max(start - 1, drawn + 1)]  # the last one of a deck is known
    return position.setup.pile[drawn:]
