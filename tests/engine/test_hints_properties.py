"""Hints in random Carcassonne games, compared with trying out all placements and with how the games continue.

A dead cell is one on which no remaining tile fits; a gap is an empty cell at which a feature is open. A fit is aided if
it needs a piece of a box, such as a bridge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine import Cell, Place, Resign, hints_on, state_digest
from engine.carcassonne import DeployFollower, Options, PlaceTile, Position, Setup, TileKind, tile
from engine.carcassonne.expansions import BCB, REGISTRY
from engine.carcassonne.expansions.bridges_castles_bazaars import BazaarOpened, ChooseCastleSource, DecideTown
from engine.carcassonne.scoring import FinalScoring
from engine.carcassonne.tiles import FeatureKind
from engine.events import Event, TileDiscarded, TileDrawn, TilePlaced
from engine.hints import Missing
from engine.views import Feature
from tests.engine import naive
from tests.engine.carcassonne_games import setups
from tests.engine.every_game import action_counts, play_moves, play_random_game, seeds
from tests.engine.examples import examples

BOXES = ((BCB,), (BCB,), tuple(REGISTRY), ())
"""The expansions of the random games. The most popular choice is listed twice."""


def setups_with_or_without_bcb(rules: st.SearchStrategy[Options] | None = None) -> st.SearchStrategy[Setup]:
    """Draw games with *Bridges, Castles and Bazaars* (half of them), with every expansion, and with none."""
    return setups(expansions=st.sampled_from(BOXES), rules=rules)


Fit = tuple[str, int, bool]
"""A kind of tile, a rotation, and whether it needs a bridge."""


def sample_positions(setup: Setup, seed: int, share: float) -> Iterator[tuple[Position, tuple[Event, ...]]]:
    """Yield a share of the positions of a random game and the last one, each with the events since the one before."""
    position, rng, events_since = Position(setup), Random(seed), []
    for position, _, events in play_moves(setup, seed):
        events_since += events
        if rng.random() < share:
            yield position, tuple(events_since)
            events_since = []
    yield position, tuple(events_since)


# ---------------------------------------------------------------- tiles


@given(setups_with_or_without_bcb(), seeds())
@examples(30)
def test_remaining_and_revealed_tiles_are_the_whole_pile(setup: Setup, seed: int) -> None:
    seen = Counter(setup.pile[: Position(setup).next_tile])
    for position, events in sample_positions(setup, seed, 0.1):
        seen.update(event.tile.id for event in events if isinstance(event, TileDrawn))
        for event in events:
            if isinstance(event, BazaarOpened):
                seen.update(kind.id for kind in event.tiles)
        remaining = {kind.id: count for kind, count in hints_on(position).remaining()}
        assert seen + Counter(remaining) == Counter(setup.pile)
        assert remaining.keys() == set(setup.pile)


@given(setups_with_or_without_bcb(), seeds())
@examples(30)
def test_tiles_to_place_are_those_later_placed_or_discarded(setup: Setup, seed: int) -> None:
    """Tiles of which no pile holds any, such as abbeys, may also stay with their players."""
    ahead: list[Counter[TileKind]] = []
    for position, events in sample_positions(setup, seed, 0.1):
        gone = Counter(event.tile for event in events if isinstance(event, TilePlaced | TileDiscarded))
        for earlier in ahead:
            earlier.subtract(gone)
        ahead.append(Counter(hints_on(position).tiles_to_place))
    assert not any(count for earlier in ahead for kind, count in earlier.items() if kind.count or kind.editions)
    assert not any(count < 0 for earlier in ahead for count in earlier.values())


# ---------------------------------------------------------------- cells


def with_tile_in_hand(position: Position, seat: int, kind: TileKind) -> Position:
    """Return a copy of the position in which this player has to place this tile."""
    other = position.copy()
    other.agenda.append(PlaceTile(seat, kind, drawn=False))
    return other


def all_fits(position: Position) -> dict[Cell, set[Fit]]:
    """Return the legal placements of remaining tiles on each open cell, by any player."""
    fits: dict[Cell, set[Fit]] = {cell: set() for cell in position.open_cells()}
    for kind in hints_on(position).tiles_to_place:
        for seat in range(position.players):
            if position.withdrawn[seat]:
                continue
            for action in with_tile_in_hand(position, seat, kind).legal_actions:
                if isinstance(action, Place):
                    fits[action.cell].add((kind.id, action.rotation, action.aid is not None))
    return fits


@given(setups_with_or_without_bcb(), seeds())
@examples(25)
def test_dead_cells_are_those_on_which_nothing_is_legal(setup: Setup, seed: int) -> None:
    for position, _ in sample_positions(setup, seed, 0.03):
        hinted = hints_on(position).dead_cells()
        if not hints_on(position).tiles_to_place:
            assert not hinted.dead
            assert not hinted.aided
            continue
        fits = all_fits(position)
        assert set(hinted.dead) == {cell for cell, ways in fits.items() if not ways}
        assert set(hinted.aided) == {cell for cell, ways in fits.items() if ways and all(way[2] for way in ways)}
        assert not set(hinted.dead) & set(hinted.aided)


@given(setups_with_or_without_bcb(), seeds(), st.integers(0, 250))
@examples(10)
def test_dead_cells_are_those_of_the_naive_oracle(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies=plies)
    hints, table = hints_on(position), naive.table_of(position)
    bridges = max(position.supply.get("bridge", [0]))
    plain: set[Cell] = set()
    aided: set[Cell] = set()
    for kind in hints.tiles_to_place:
        without, with_bridge = naive.placements(table, kind, bridges=bridges)
        plain |= {Cell(x, y) for x, y, _ in without}
        aided |= {Cell(x, y) for x, y, *_ in with_bridge}
    blank = set(position.open_cells()) - plain if hints.tiles_to_place else set()
    hinted = hints.dead_cells()
    assert (set(hinted.dead), set(hinted.aided)) == (blank - aided, blank & aided)


# ---------------------------------------------------------------- completion


def open_ends(position: Position, feature: Feature) -> set[tuple[Cell, Cell]]:
    """Return the open ends of a feature as pairs of its cell and the empty cell beyond, found part by part."""
    filled = {placed.cell for placed in position.placed()}
    ends: set[tuple[Cell, Cell]] = set()
    for cell, segment in feature.parts:
        if feature.kind == FeatureKind.MONASTERY:
            beyond = [Cell(cell.x + x, cell.y + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
        else:
            beyond = [naive.beside(cell, side) for side in segment.places]
        ends |= {(cell, other) for other in beyond if other not in filled}
    return ends


def closing_fits(position: Position, feature: Feature) -> dict[Cell, set[Fit]]:
    """Return the placements that close each gap of a feature, found by applying all legal ones."""
    before = open_ends(position, feature)
    fits_by_cell: dict[Cell, set[Fit]] = {beyond: set() for _, beyond in before}
    cell, segment = feature.parts[0]
    for kind in hints_on(position).tiles_to_place:
        for seat in range(position.players):
            trial = with_tile_in_hand(position, seat, kind)
            for action in trial.legal_actions:
                if isinstance(action, Place) and action.cell in fits_by_cell and not position.withdrawn[seat]:
                    after = trial.copy()
                    after.apply(action)
                    left = open_ends(after, after.feature_at(cell, segment.name))
                    if left == {end for end in before if end[1] != action.cell}:
                        fits_by_cell[action.cell].add((kind.id, action.rotation, action.aid is not None))
    return fits_by_cell


def check_completion(position: Position, feature: Feature, hint: Missing) -> None:
    """Compare a hint about a feature with all placements that close one of its gaps."""
    fits, expected = all_fits(position), closing_fits(position, feature)
    assert [gap.cell for gap in hint.gaps] == sorted(expected, key=lambda cell: cell[::-1])
    for gap in hint.gaps:
        listed = {
            (candidate.kind.id, rotation, candidate.aided)
            for candidate in gap.closing
            for rotation in candidate.rotations
        }
        plain = {fit[0] for fit in expected[gap.cell] if not fit[2]}
        expected_candidates = {
            fit for fit in expected[gap.cell] if fit[1] in tile(fit[0]).rotations and not (fit[2] and fit[0] in plain)
        }
        assert listed == expected_candidates
        assert gap.dead == (gap.cell in fits and not fits[gap.cell])
    one_tile_completes = len(expected) == 1 and any(expected.values())
    assert (hint.min_tiles == 1) == bool(hint.completing_tiles) == one_tile_completes


@given(setups_with_or_without_bcb(), seeds(), st.integers(20, 200))
@examples(20)
def test_closing_tiles_are_those_found_by_trying_all_placements(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies=plies)
    if position.is_over:
        return
    hints, rng = hints_on(position), Random(seed)
    features = [feature for feature in position.features() if feature.open_ends > 0]
    for feature in rng.sample(features, min(3, len(features))):
        hint = hints.completion(feature)
        assert hint is not None
        check_completion(position, feature, hint)
    assert all(hints.completion(feature) is None for feature in position.features() if feature.open_ends <= 0)


@given(setups_with_or_without_bcb(), seeds())
@examples(10)
def test_no_feature_is_completed_with_fewer_tiles_than_predicted(setup: Setup, seed: int) -> None:
    predictions: list[tuple[int, Feature, Missing]] = []
    rng = Random(seed)
    for position, _, _ in play_moves(setup, seed):
        laid = sum(1 for _ in position.placed())
        for entry in tuple(predictions):
            since, feature, hint = entry
            cell, segment = feature.parts[0]
            if position.feature_at(cell, segment.name).complete:
                assert laid - since >= hint.min_tiles
                assert setup.expansions or not hint.impossible  # a bridge can make a dead cell usable again
                predictions.remove(entry)
        if rng.random() < 0.04 and position.step is not None:
            hints = hints_on(position)
            current = [(laid, feature, hints.completion(feature)) for feature in hints.open_features()]
            predictions += [(since, feature, hint) for since, feature, hint in current if hint is not None]


# ---------------------------------------------------------------- projection and fields


def projected_totals(position: Position) -> list[int]:
    """Return the points of each player if the game ended now."""
    return [entry.total for entry in hints_on(position).projection()]


@given(setups_with_or_without_bcb(), seeds())
@examples(30)
def test_the_projection_is_the_final_scoring(setup: Setup, seed: int) -> None:
    for position, _ in sample_positions(setup, seed, 0.1):
        digest = state_digest(position)
        final, _ = position.concluded()
        assert final.is_over
        assert projected_totals(position) == final.scores
        assert [entry.now for entry in hints_on(position).projection()] == position.scores
        if isinstance(position.step, PlaceTile):
            other = position.copy()
            FinalScoring().run(other)
            assert other.scores == final.scores
        assert state_digest(position) == digest


@given(setups_with_or_without_bcb(), seeds(), action_counts())
@examples(50)
def test_the_projection_comes_true_when_all_others_resign(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies=plies)
    if not isinstance(position.step, PlaceTile | DeployFollower | DecideTown | ChooseCastleSource):
        return
    expected = projected_totals(position)
    for seat in {*range(position.players)} - {position.player}:
        position.apply(Resign(seat))
    assert position.is_over
    assert position.scores == expected == projected_totals(position)


@given(setups_with_or_without_bcb(), seeds())
@examples(30)
def test_field_points_add_up_to_the_projection(setup: Setup, seed: int) -> None:
    for position, _ in sample_positions(setup, seed, 0.1):
        if position.is_over:
            continue
        hints = hints_on(position)
        holdings = hints.holdings()
        points: Counter[int] = Counter()
        for holding in holdings:
            points.update(holding.points)
            assert holding.points.keys() <= {standing.player for standing in holding.field.followers}
        assert [points[seat] for seat in range(position.players)] == [
            entry.gains.get("field", 0) for entry in hints.projection()
        ]
        fields = [feature for feature in position.features() if feature.kind == "field" and feature.followers]
        assert sorted(map(repr, fields)) == sorted(repr(holding.field) for holding in holdings)
        field_values = [sum(term.points for term in holding.terms) for holding in holdings]
        assert field_values == sorted(field_values, reverse=True)


@given(setups_with_or_without_bcb(st.just(Options())), seeds(), st.integers(0, 300))
@examples(50)
def test_a_field_counts_the_complete_cities_and_castles_beside_it(setup: Setup, seed: int, plies: int) -> None:
    position, _ = play_random_game(setup, seed, plies=plies)
    for holding in hints_on(position).holdings():
        beside = set()
        for cell, segment in holding.field.parts:
            placed = position.tile_at(cell)
            assert placed is not None
            cities = [placed.face.segments[index] for index in segment.cities]
            beside |= {position.feature_at(cell, city.name) for city in cities}
        complete = Counter(city.kind for city in beside if city.complete)
        counted = {term.name: term.count for term in holding.terms}
        assert counted == {
            name: count for name, count in (("cities", complete["city"]), ("castles", complete["castle"])) if count
        }
