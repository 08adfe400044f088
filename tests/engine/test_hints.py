"""Hints on arranged positions: remaining tiles, dead cells, gaps, projected scores and fields.

A cell is dead when no tile still to be placed fits; a gap is an empty cell that an incomplete feature needs.
"""

from __future__ import annotations

from engine import GAMES, Cell, Deploy, Pass, Resign, hints_on
from engine.carcassonne import Options, PlaceTile, Position, potential_points, tile
from engine.carcassonne.expansions.bridges_castles_bazaars import SelectLot, bazaar_of
from engine.events import Term
from engine.hints import DeadCells, Gap, Hint, Missing, Projection
from engine.the_castle import potential_points as castle_potential_points
from gallery.built_positions import arrange
from tests.engine.built_castle_positions import arrange as arrange_castle
from tests.scenarios.vocabulary import BLUE, RED, base_game, cell, placement, play_turn
from tests.scenarios.vocabulary_castles import TOWN

TILES_AROUND_GAP = ["base/E 1,0 180", "base/E 0,1 90", "base/E 2,1 270", "base/B 1,2 0"]
"""Four tiles around the empty cell (1, 1): cities to the north, west and east, a field to the south."""


def completion(position: Position, where: str, segment: str) -> Missing:
    """Return the hint about completing a feature."""
    hint = hints_on(position).completion(position.feature_at(cell(where), segment))
    assert hint is not None
    return hint


def closing_tiles(gap: Gap) -> list[tuple[str, tuple[int, ...], int]]:
    """Return the tiles that close a gap, with their rotations and how many remain."""
    return [(candidate.kind.id, candidate.rotations, candidate.left) for candidate in gap.closing]


def dead_cells(position: Position) -> DeadCells:
    """Return the hint about cells on which no remaining tile fits."""
    return hints_on(position).dead_cells()


def test_each_game_offers_known_hints() -> None:
    for game in GAMES.values():
        position = game.begin(game.new_setup(players=min(game.players), seed="1", options=None))
        assert hints_on(position).offers <= set(Hint)


# ---------------------------------------------------------------- tiles


def test_remaining_lists_every_kind_even_at_zero() -> None:
    position = base_game(hand="base/U", pile=["base/V", "base/V", "base/X"])
    play_turn(position, "1,0")
    left = hints_on(position).remaining()
    assert [(entry.kind.id, entry.left) for entry in left] == [("base/U", 0), ("base/V", 1), ("base/X", 1)]


def test_open_lots_do_not_count_as_remaining() -> None:
    position = arrange(players=2, hand="bcb/FFFF", pile=["base/B", "base/V", "base/V"])
    assert isinstance(position.step, PlaceTile)
    play_turn(position, "0,1")
    left = hints_on(position).remaining()
    assert [(entry.kind.id, entry.left) for entry in left] == [("base/B", 0), ("base/V", 1), ("bcb/FFFF", 0)]


# ---------------------------------------------------------------- cells


def test_a_cell_is_dead_when_no_remaining_tile_fits() -> None:
    position = base_game(tiles=TILES_AROUND_GAP, hand="base/B", pile=["base/U", "base/E"])
    assert Cell(1, 1) in dead_cells(position).dead
    position = base_game(tiles=TILES_AROUND_GAP, hand="base/B", pile=["base/U", "base/R"])
    assert Cell(1, 1) not in dead_cells(position).dead


def test_the_tile_in_hand_and_the_lots_are_still_to_be_placed() -> None:
    position = base_game(tiles=TILES_AROUND_GAP, hand="base/R", pile=["base/U"])
    assert Cell(1, 1) not in dead_cells(position).dead
    position = arrange(players=2, tiles=TILES_AROUND_GAP, hand="bcb/FFFF", pile=["base/R", "base/B", "base/B"])
    play_turn(position, "1,3")
    assert Cell(1, 1) not in dead_cells(position).dead


def test_the_lot_of_a_player_who_left_is_lost() -> None:
    position = arrange(
        players=3, tiles=TILES_AROUND_GAP, hand="bcb/FFFF", pile=["base/R", "base/B", "base/B"], scores=[1, 1, 1]
    )
    play_turn(position, "1,3")
    for action in (SelectLot(1, 0), Pass(), Pass()):
        position.apply(action)
    lots = bazaar_of(position)
    assert lots is not None
    assert lots.owners == (BLUE, -1, -1)
    assert Cell(1, 1) not in dead_cells(position).dead
    position.apply(Resign(BLUE))
    assert Cell(1, 1) in dead_cells(position).dead


def test_cells_that_need_a_bridge_are_listed_separately() -> None:
    tiles = ["base/U 0,0 0", "base/B 1,1 0"]  # (1, 0) is east of the road and north of a field
    fitting = arrange(tiles=tiles, hand="base/U", pile=[])
    assert Cell(1, 0) not in (*dead_cells(fitting).dead, *dead_cells(fitting).aided)
    aided = arrange(tiles=tiles, hand="base/B", pile=[])
    assert dead_cells(aided).dead == ()
    assert Cell(1, 0) in dead_cells(aided).aided
    without = arrange(tiles=tiles, hand="base/B", pile=[], supply={"bridge": [0, 0, 0]})
    assert Cell(1, 0) in dead_cells(without).dead
    assert dead_cells(without).aided == ()


def test_the_bridge_may_belong_to_any_player() -> None:
    tiles = ["base/U 0,0 0", "base/B 1,1 0"]
    position = arrange(tiles=tiles, hand="base/B", pile=[], supply={"bridge": [0, 0, 1]})
    assert Cell(1, 0) in dead_cells(position).aided


def test_dead_cells_come_in_reading_order_and_end_with_the_last_tile() -> None:
    position = base_game(tiles=["base/C 0,0 0"], hand="base/E", pile=["base/C"])
    assert dead_cells(position) == DeadCells((), ())
    position = base_game(tiles=["base/D 0,0 0"], hand="base/B", pile=[])
    assert dead_cells(position).dead == (Cell(0, -1), Cell(-1, 0), Cell(1, 0))
    position.apply(placement("0,1", 0))
    assert dead_cells(position) == DeadCells((), ())


# ---------------------------------------------------------------- completion


def test_one_gap_and_the_tiles_that_close_it() -> None:
    pile = ["base/E", "base/E", "base/H", "base/G", "base/B"]
    position = base_game(tiles=["base/E 0,0 90"], hand="base/U", pile=pile)
    hint = completion(position, "0,0", "city.E")
    assert [gap.cell for gap in hint.gaps] == [Cell(1, 0)]
    assert closing_tiles(hint.gaps[0]) == [("base/E", (270,), 2), ("base/H", (90,), 1)]
    assert (hint.completing_tiles, hint.min_tiles, hint.impossible) == (hint.gaps[0].closing, 1, False)


def test_one_gap_that_no_tile_closes_takes_two_tiles() -> None:
    position = base_game(tiles=["base/E 0,0 90"], hand="base/U", pile=["base/G", "base/G"])
    hint = completion(position, "0,0", "city.E")
    assert (hint.gaps[0].closing, hint.completing_tiles, hint.min_tiles, hint.impossible) == ((), (), 2, False)


def test_a_tile_that_opens_another_gap_closes_none() -> None:
    tiles = ["base/E 0,0 90", "base/G 1,1 90", "base/E 2,0 270"]
    position = base_game(tiles=tiles, hand="base/U", pile=["base/R", "base/N", "base/O"])
    assert completion(position, "0,0", "city.E").gaps == (Gap(Cell(1, 0), (), dead=False),)


def test_each_gap_needs_a_tile() -> None:
    position = base_game(tiles=["base/G 0,0 0"], hand="base/E", pile=["base/E", "base/B"])
    hint = completion(position, "0,0", "city.E")
    assert [(gap.cell, closing_tiles(gap)) for gap in hint.gaps] == [
        (Cell(-1, 0), [("base/E", (90,), 2)]),
        (Cell(1, 0), [("base/E", (270,), 2)]),
    ]
    assert (hint.min_tiles, hint.completing_tiles, hint.impossible) == (2, (), False)


def test_both_ends_at_one_cell_are_one_gap() -> None:
    tiles = ["base/V 0,0 270", "base/V 1,0 0", "base/V 0,1 180"]  # three corners of a round road
    position = base_game(tiles=tiles, hand="base/V", pile=["base/X", "base/W"])
    hint = completion(position, "0,0", "road.E")
    assert [gap.cell for gap in hint.gaps] == [Cell(1, 1)]
    assert closing_tiles(hint.gaps[0]) == [("base/V", (90,), 1), ("base/W", (90, 180), 1), ("base/X", (0,), 1)]
    assert hint.completing_tiles == hint.gaps[0].closing


def test_crossings_end_a_road() -> None:
    position = base_game(tiles=["base/A 0,0 270"], hand="base/X", pile=["base/A", "base/U"])
    hint = completion(position, "0,0", "road.E")
    assert closing_tiles(hint.gaps[0]) == [("base/A", (90,), 1), ("base/X", (0,), 1)]


def test_a_feature_with_a_dead_gap_or_too_few_tiles_cannot_be_completed() -> None:
    dead = base_game(tiles=TILES_AROUND_GAP, hand="base/B", pile=["base/U", "base/E", "base/E", "base/E", "base/E"])
    hint = completion(dead, "0,1", "city.E")
    assert hint.impossible
    assert [gap.cell for gap in hint.gaps if gap.dead] == [Cell(1, 1)]
    empty_pile = base_game(tiles=["base/G 0,0 0"], hand="base/E", pile=[])
    assert completion(empty_pile, "0,0", "city.E").impossible


def test_every_empty_cell_around_a_garden_is_a_gap_where_gardens_count() -> None:
    """AB-09; without the abbot's box a garden is a drawing (SU-11), for which there is no hint."""
    tiles = ["base/V+garden 0,0", *(f"base/B {x},{y}" for x, y in ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1)))]
    position = arrange(tiles=tiles, followers=["0 0,0 garden abbot"], expansions=("abbot",))
    hint = completion(position, "0,0", "garden")
    assert {gap.cell for gap in hint.gaps} == {Cell(0, 1), Cell(-1, 1), Cell(-1, 0)}
    assert potential_points(position, cell("0,0"), "garden") == 9
    drawn = arrange(tiles=tiles, expansions=())
    assert hints_on(drawn).completion(drawn.feature_at(cell("0,0"), "garden")) is None


def test_every_empty_cell_around_a_monastery_is_a_gap() -> None:
    around = ["base/B 1,0 0", "base/U 1,1 90", "base/U 1,-1 90", "base/B -1,0 0", "base/B -1,1 0", "base/B 0,1 0"]
    position = base_game(tiles=["base/B 0,0 0", *around], hand="base/B", pile=["base/U", "base/E"])
    hint = completion(position, "0,0", "monastery")
    assert [gap.cell for gap in hint.gaps] == [Cell(-1, -1), Cell(0, -1)]
    assert hint.min_tiles == 2
    assert closing_tiles(hint.gaps[1]) == [("base/B", (0,), 1), ("base/E", (0, 270), 1)]


def test_a_cell_that_no_tile_touches_yet_is_a_gap_but_not_dead() -> None:
    position = base_game(tiles=["base/B 0,0 0"], hand="base/C", pile=["base/C"] * 9)
    hint = completion(position, "0,0", "monastery")
    assert [gap.cell for gap in hint.gaps if not gap.dead] == [Cell(-1, -1), Cell(1, -1), Cell(-1, 1), Cell(1, 1)]
    assert hint.impossible


def test_a_bridge_may_complete_a_road() -> None:
    tiles = ["base/A 0,0 270", "base/B 1,1 0", "base/A 2,0 90"]
    position = arrange(tiles=tiles, hand="base/B", pile=["base/U", "base/H"])
    (gap,) = completion(position, "0,0", "road.E").gaps
    assert [(candidate.kind.id, candidate.rotations, candidate.aided) for candidate in gap.closing] == [
        ("base/U", (0,), False),
        ("base/B", (0,), True),
    ]


def test_fields_and_complete_features_have_no_completion() -> None:
    position = base_game(tiles=TOWN, hand="base/U")
    hints = hints_on(position)
    assert hints.completion(position.feature_at(Cell(0, 0), "city.S")) is None
    assert hints.completion(position.feature_at(Cell(0, 0), "field.NL")) is None


def test_only_features_with_figures_are_listed_as_open() -> None:
    position = base_game(
        tiles=["base/D 0,0 0", "base/B 0,1 0"], followers=["0 0,0 road.E", "1 0,0 field.SL"], hand="base/U"
    )
    assert [feature.kind for feature in hints_on(position).open_features()] == ["road"]


# ---------------------------------------------------------------- projection


def test_the_projection_adds_the_final_scoring_to_the_scores() -> None:
    position = base_game(
        players=2,
        tiles=["base/D 0,0 0", "base/E 0,-1 180"],
        followers=["0 0,0 road.E", "1 0,0 field.WR"],
        scores=[5, 7],
        hand="base/U",
    )
    assert hints_on(position).projection() == (Projection(5, {"road": 1}), Projection(7, {"field": 3}))
    assert [entry.total for entry in hints_on(position).projection()] == [6, 10]
    assert position.scores == [5, 7]


def test_the_projection_includes_the_tile_just_placed() -> None:
    position = base_game(players=2, tiles=["base/E 0,0 90", "base/F 1,0 0"], followers=["0 1,0 city.E"], hand="base/E")
    position.apply(placement("2,0", 270))
    assert hints_on(position).projection()[RED] == Projection(0, {"city": 8})
    position.apply(Deploy("field.NL"))
    assert hints_on(position).projection()[RED] == Projection(8, {"field": 3})


def test_after_the_end_the_projection_is_the_result() -> None:
    position = base_game(players=2, tiles=["base/D 0,0 0"], followers=["0 0,0 road.E"], hand="base/U", pile=[])
    position.apply(placement("1,0", 0))
    position.apply(Pass())
    assert position.is_over
    assert hints_on(position).projection() == (Projection(2, {}), Projection(0, {}))


# ---------------------------------------------------------------- fields


def test_a_field_names_its_holders_its_cities_and_its_points() -> None:
    position = arrange(
        tiles=[*TOWN, "base/E 1,0 180", "base/E 1,1 0", "base/E 2,0 180"],
        castles=["2 0,0 0,1"],
        followers=["0 0,0 field.NL", "1 2,0 field.NR"],
        hand="base/B",
    )
    (north,) = (holding for holding in hints_on(position).holdings() if holding.field.followers)
    assert north.field.owners == (RED, BLUE)
    assert set(north.terms) == {Term("castles", 1, 4), Term("cities", 1, 3)}
    assert north.points == {RED: 7, BLUE: 7}


def test_the_most_valuable_field_comes_first() -> None:
    position = base_game(
        tiles=["base/D 0,0 0", "base/E 0,-1 180"], followers=["0 0,0 field.SL", "1 0,0 field.WR"], hand="base/U"
    )
    assert [(holding.field.owners, holding.points) for holding in hints_on(position).holdings()] == [
        ((BLUE,), {BLUE: 3}),
        ((RED,), {RED: 0}),
    ]


def test_by_the_oldest_rules_each_city_pays_the_most_farmers_around_it() -> None:
    tiles = ["base/D 0,0 0", "base/H 0,-1 0", "base/E 0,-2 180", "base/U 1,-1 90", "base/U -1,-1 90"]
    followers = ["0 0,-1 field.EL", "1 0,0 field.EL", "1 0,-2 field.NL"]
    position = base_game(tiles=tiles, followers=followers, hand="base/U", options=Options(farm_scoring="city4"))
    totals = [0, 0, 0]
    for holding in hints_on(position).holdings():
        for seat, points in holding.points.items():
            totals[seat] += points
    assert totals == [entry.gains.get("field", 0) for entry in hints_on(position).projection()]
    assert sum(totals) > 0


def test_fields_without_farmers_are_not_listed() -> None:
    position = base_game(hand="base/U")
    assert hints_on(position).holdings() == ()
    assert tile("base/U") is position.hand


# ---------------------------------------------------------------- potential points


def test_potential_points_count_a_feature_as_if_complete() -> None:
    position = base_game(tiles=[*TILES_AROUND_GAP, "base/M 4,0 0"], hand="base/V")
    assert potential_points(position, cell("4,0"), "city.N") == 4, "one tile and one pennant"
    assert potential_points(position, cell("1,2"), "monastery") == 9
    assert potential_points(position, cell("4,0"), "field.EL") == 0
    assert position.feature_at(cell("4,0"), "city.N").open_ends == 2, "the position stays as it is"


def test_potential_points_in_the_castle() -> None:
    position = arrange_castle(tiles=["D09 F4", "D26 F5"])
    assert castle_potential_points(position, Cell.parse("F4"), "tower.NL") == 2
    assert castle_potential_points(position, Cell.parse("F4"), "court.SL") == 3
    assert castle_potential_points(position, Cell.parse("F5"), "path.N") == 2
