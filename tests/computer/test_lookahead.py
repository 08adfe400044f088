"""The search of the levels standard and strong: shared draws, reused values, and the exact end of a game of two.

A reply is the best placement that a player has after a candidate; a draw is a tile that may be drawn next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from computer.candidates import Candidate, best
from computer.carcassonne import replies
from computer.endgame import Endgame
from computer.games import Evaluator, evaluator_for, lookahead_for
from computer.lookahead import Strength, evenly_drawn, search, widened, with_next_tile
from computer.weights import TUNED, read_weights
from engine import Cell, Pass, Place, Position
from engine.carcassonne.expansions import BCB, INNS_CATHEDRALS, KING_ROBBER, PHANTOM, RIVER, TRADERS_BUILDERS
from engine.carcassonne.expansions.river import LAKE, NAME
from tests.computer.positions import random_positions
from tests.soak import first

STRENGTH = Strength(contenders=4, margin=9.0, evaluations=400)
"""The extent of a small search."""


def evaluator_of(position: Position) -> Evaluator:
    """Return the evaluator of a position with the usual weights of its game."""
    return evaluator_for(position, read_weights(TUNED, position.setup.game))


SEEDED_BOXES = (BCB, TRADERS_BUILDERS, INNS_CATHEDRALS, RIVER, KING_ROBBER, PHANTOM)
"""The boxes of games with a chosen seed. Adding a box would change the course of these games."""


def position_with(
    name: str, tiles_left: int, *, players: int = 2, expansions: tuple[str, ...] = (), seed: int = 1
) -> Position:
    """Return the first placement of a random game at which only so many tiles are left in the pile."""
    return next(
        position.copy()
        for position in random_positions(name, players, expansions, "", seed=seed)
        if position.hand is not None and position.pile_left <= tiles_left
    )


class Gains:
    """A lookahead in which every candidate gains a fixed number of points, whatever is drawn."""

    first_cost = further_cost = 4.0
    evaluations = 0

    def __init__(self, gains: Sequence[float]) -> None:
        self._gains = gains
        self.asked: list[tuple[int, str]] = []

    def variants(self, candidate: Candidate) -> Sequence[Candidate]:
        return [candidate]

    def draws(self, count: int) -> Sequence[str]:
        return [f"{number}" for number in range(count)]

    def gain(self, candidate: Candidate, draw: str) -> float:
        number = candidate.action.rotation // 90
        self.asked.append((number, draw))
        return self._gains[number]


def candidates_with(*values: float) -> list[Candidate]:
    """Return placements with these values; the rotation of each, in quarter turns, is its number."""
    return [Candidate(Place(Cell(0, 0), 90 * number), value) for number, value in enumerate(values)]


def test_the_candidate_with_the_best_value_after_the_next_turns_is_chosen() -> None:
    chosen = search(candidates_with(3.0, 2.0, 1.0), Gains([-4.0, -1.0, -2.0]), STRENGTH)
    assert (chosen.action.rotation, chosen.value) == (90, 1.0)


def test_the_first_of_equal_candidates_is_chosen_whatever_the_last_bits_of_their_values() -> None:
    """Python 3.11 and 3.13 may add the same numbers to such values."""
    equal = candidates_with(0.3, 0.1 + 0.2)
    assert equal[0].value < equal[1].value
    assert best(equal) is equal[0]
    for gains in ([0.0, 0.0], [0.3, 0.1 + 0.2]):
        assert search(equal, Gains(gains), STRENGTH).action == equal[0].action
    assert widened(equal, Gains([]), STRENGTH) == equal


def test_candidates_far_behind_are_not_looked_at() -> None:
    lookahead = Gains([0.0, 0.0, 99.0])
    assert search(candidates_with(3.0, 2.0, -7.0), lookahead, STRENGTH).value == 3.0
    assert {number for number, _ in lookahead.asked} == {0, 1}


def test_candidates_share_their_draws_and_the_worse_half_is_dropped() -> None:
    lookahead = Gains([0.0, -1.0, -5.0, -6.0])
    search(candidates_with(1.0, 1.0, 1.0, 1.0), lookahead, STRENGTH)
    draws = {number: [draw for other, draw in lookahead.asked if other == number] for number in range(4)}
    assert draws[0] == draws[1]
    assert draws[2] == draws[3] == draws[0][: len(draws[2])]
    assert len(draws[0]) in {2 * len(draws[2]), 2 * len(draws[2]) - 1}
    assert len(lookahead.asked) <= STRENGTH.evaluations


def test_draws_are_in_proportion_to_the_tiles_left() -> None:
    possible = ["A"] * 8 + ["B"] * 4 + ["C"] * 4
    assert Counter(evenly_drawn(possible, 4, seed=1)) == {"A": 2, "B": 1, "C": 1}
    assert Counter(evenly_drawn(possible, 99, seed=1)) == Counter(possible)
    assert evenly_drawn(possible, 8, seed=1) == evenly_drawn(possible, 8, seed=1)
    assert evenly_drawn((), 8, seed=1) == []


@pytest.mark.parametrize("name", ["carcassonne", "the-castle"])
def test_a_tile_is_put_next_without_changing_what_is_left(name: str) -> None:
    position = position_with(name, 20)
    left = position.setup.pile[position.next_tile :]
    for tile_id in left:
        other = with_next_tile(position, tile_id)
        assert other.setup.pile[other.next_tile] == tile_id
        assert Counter(other.setup.pile[other.next_tile :]) == Counter(left)


def test_the_next_tile_is_one_of_the_deck_that_is_drawn_first() -> None:
    """The lake is the last tile of the river, as every player knows."""
    position = next(iter(random_positions("carcassonne", 2, (NAME,), "", seed=1)))
    river = set(position.setup.decks[NAME]) - {LAKE}
    assert set(lookahead_for(evaluator_of(position)).draws(99)) <= river


@pytest.mark.parametrize("expansions", [(), SEEDED_BOXES])
@pytest.mark.parametrize("players", first(1, (3, 2)))
def test_reused_values_are_those_of_a_new_search(players: int, expansions: tuple[str, ...]) -> None:
    """Values of placements are shared by candidates after which the cell looks alike; they differ by little."""
    position = position_with("carcassonne", 30, players=players, expansions=expansions)
    evaluator = evaluator_of(position)
    shared = lookahead_for(evaluator)
    contenders = widened(evaluator.candidates(), shared, STRENGTH)
    assert len(contenders) > 1
    evaluations = 0
    for contender in contenders:
        fresh = lookahead_for(evaluator)
        for draw in shared.draws(6):
            expected = fresh.gain(contender, draw)
            assert shared.gain(contender, draw) == pytest.approx(expected, abs=1.0)
        evaluations += fresh.evaluations
    assert shared.evaluations < evaluations


@pytest.mark.parametrize(("players", "weight"), [(2, "NEXT_REPLY"), (3, "MULTIPLAYER_NEXT_REPLY")])
def test_the_replies_of_several_rivals_have_a_weight_of_their_own(
    players: int, weight: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several rivals may want the same placement, so that each of their replies counts less than that of one."""
    evaluator = evaluator_of(position_with("carcassonne", 30, players=players))
    monkeypatch.setattr(replies, "OWN_REPLY", 0.0)
    gains = []
    for value in (1.5, 1.0, 0.0):
        monkeypatch.setattr(replies, weight, value)
        lookahead = lookahead_for(evaluator)
        gains.append(sum(lookahead.gain(evaluator.candidates()[0], draw) for draw in lookahead.draws(4)))
    assert gains == [pytest.approx(1.5 * gains[1]), gains[1], 0.0]
    assert gains[1]


@pytest.mark.parametrize("name", ["carcassonne", "the-castle"])
def test_the_last_tile_is_placed_for_the_best_result(name: str) -> None:
    position = position_with(name, 0)
    evaluator = evaluator_of(position)
    endgame = Endgame(evaluator.position, evaluator_of, width=3)
    chosen = endgame.best(evaluator.candidates())
    assert chosen.value == max(final_leads(evaluator.position, position.player))


def test_with_one_tile_to_come_the_reply_is_the_best_there_is() -> None:
    position = position_with("carcassonne", 1)
    evaluator = evaluator_of(position)
    endgame = Endgame(evaluator.position, evaluator_of, width=3)
    chosen = endgame.best(evaluator.candidates()[:3])
    after = evaluator.position.copy()
    after.apply(chosen.action)
    after.apply(chosen.follow_up)
    assert after.player != position.player
    assert chosen.value == min(final_leads(after, position.player))


def final_leads(position: Position, seat: int) -> Iterator[float]:
    """Yield the points by which a player of two is ahead at the end, for every placement of the last tile."""
    for action in position.legal_actions:
        placed = position.copy()
        placed.apply(action)
        for figure in list(placed.legal_actions):
            ended = placed.copy()
            ended.apply(figure)
            while ended.step is not None:
                ended.apply(Pass())
            yield ended.scores[seat] - ended.scores[1 - seat]
