"""The pictures of the castle: what they show, where, within which limits, and what they must not show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from random import Random

import pytest
from PIL import Image, ImageChops

from engine import Cell, Place, Side
from engine.the_castle import FeatureKind, Position, WallTile, designed, wall
from renderers import PLAYER_MARKS, THEMES, Choice, Guides, Mark, Picture, Spot, Theme, the_castle
from renderers.boards.rim import paint_rim
from renderers.boards.view import LONGEST, SIZES, View, fitting, focus
from renderers.shapes import turned
from renderers.the_castle import Area, Ghost, cards, composer, order_question, turn_card, whole_board
from renderers.the_castle.areas import free_place, occupied_places
from renderers.the_castle.board import closed_sides, keep_place, paint_castle
from renderers.the_castle.labels import half_owners
from renderers.the_castle.layout import anchor, layout_of
from renderers.the_castle.strip import STRIP
from renderers.the_castle.tokens import wall_tile, wall_tile_back
from renderers.the_castle.track import space_places, stretches
from renderers.the_castle.wall import start_sprite
from renderers.theme import DAY
from tests.renderers.elsewhere import digests
from tests.renderers.looking import colour_at, gap, is_road, pixels, shown
from tests.renderers.the_castle.boards import TILES, after, last_marks, with_scores

LARGEST_FILE = 2 * 2**20
BOTH = 350 * 1024


def board_view(position: Position) -> View:
    views = (View(cards.whole(), size) for size in SIZES)
    return next(view for view in views if view.height + position.players * round(STRIP * view.size) <= LONGEST)


def crop_of(image: Image.Image, view: View, cell: Cell) -> Image.Image:
    x, y = view.at(cell)
    return image.crop((x, y, x + view.size, y + view.size))


def ghost_of(position: Position) -> tuple[Ghost, list[Choice]]:
    place = next(action for action in position.legal_actions if isinstance(action, Place))
    assert position.hand is not None
    segments = position.hand.faces[place.rotation // 90].segments
    choices = [Choice(number, segment) for number, segment in enumerate(segments, 1)]
    return Ghost(place.cell, position.hand, place.rotation), choices


def areas_of(position: Position, count: int = 3) -> list[Area]:
    largest = sorted(position.features(), key=lambda feature: (-feature.tiles, feature.kind))[:count]
    return [Area(letter, feature.parts) for letter, feature in zip("ABC", largest, strict=False)]


def every_picture(position: Position, theme: Theme = DAY) -> list[Picture]:
    """All pictures of a position with a tile in hand and a tile on the table."""
    marks = last_marks(position)
    card = turn_card(position, marks, theme=theme)
    ghost, choices = ghost_of(position)
    cells = sorted(position.open_cells(), key=lambda cell: (cell.y, cell.x))
    spots = [Spot(cell, chr(65 + number % 26)) for number, cell in enumerate(cells)]
    return [
        card.focus,
        card.board,
        composer(position, spots, theme=theme),
        composer(position, (), ghost, choices, theme=theme),
        order_question(position, areas_of(position), theme=theme),
        the_castle.replay([position, position], ("Ana", "Ben"), theme=theme),
        the_castle.wall_tiles(position.hands, ("Ana", "Ben"), theme=theme),
    ]


# ---------------------------------------------------------------- the turn card


def test_before_the_first_tile_there_is_only_the_castle() -> None:
    card = turn_card(after(0))
    assert card.alike
    assert card.board.filename == "board.png"


def test_the_focus_is_seven_cells_round_the_newest_tile_and_the_board_everything() -> None:
    position = after(40)
    card, newest = turn_card(position), list(position.placed())[-1].cell
    assert not card.alike
    crop = focus(cards.whole(), newest, 7)
    assert newest in crop
    assert (crop.columns, crop.rows) == (7, 7)
    assert (card.focus.width, card.focus.height) == (fitting(crop).width, fitting(crop).height)
    assert (cards.whole().columns, cards.whole().rows) == (11, 14)
    assert card.board.height > card.board.width
    assert whole_board(position) == card.board


def test_the_whole_castle_is_in_the_picture_large_enough_for_a_phone() -> None:
    view = board_view(after(0))
    assert view.size >= 80
    assert all(cell in view.window for cell in (*stretches(), *wall().interior))


def test_the_newest_tile_is_framed_in_the_movers_colour_and_others_less() -> None:
    position = after(40)
    marks, view = last_marks(position), board_view(position)
    plain, marked = pixels(whole_board(position)), pixels(whole_board(position, marks))
    newest = list(position.placed())[-1]
    added = {
        mark.player: shown(crop_of(marked, view, mark.cell), PLAYER_MARKS[mark.player].colour)
        - shown(crop_of(plain, view, mark.cell), PLAYER_MARKS[mark.player].colour)
        for mark in marks
    }
    assert added[newest.player] > added[1 - newest.player] > view.size


def test_figures_show_their_players_colour_where_they_stand() -> None:
    position = after(80)
    image, view = pixels(whole_board(position)), board_view(position)
    figures = list(position.standing())
    assert {figure.segment.kind for figure in figures} >= {FeatureKind.COURT}
    for figure in figures:
        colour = PLAYER_MARKS[figure.player].colour
        assert shown(crop_of(image, view, figure.cell), colour) > view.size**2 // 30, figure


def test_keeps_stand_on_their_houses() -> None:
    position = after(116)
    assert any(keep is not None for keep in position.keeps)
    image, view = pixels(whole_board(position)), board_view(position)
    for seat, keep in enumerate(position.keeps):
        found, house = keep_place(position, seat), position.house_of(seat)
        assert (found is None) == (keep is None)
        if found is not None and house is not None:
            assert found[0] in {cell for cell, _ in house.parts}
            x, y = view.at(*found)
            there = image.crop((x - 20, y - 24, x + 20, y + 24))
            assert shown(there, PLAYER_MARKS[seat].colour) > 500


def test_tiles_that_cannot_be_laid_any_more_are_told_by_dead_cells() -> None:
    position = after(40)
    cell = next(position.open_cells())
    plain = pixels(whole_board(position))
    dead = pixels(whole_board(position, guides=Guides(dead=frozenset({cell}))))
    changed = ImageChops.difference(plain, dead).getbbox()
    left, top = board_view(position).at(cell)
    assert changed is not None
    assert left <= changed[0] < changed[2] <= left + board_view(position).size
    assert top <= changed[1] < changed[3] <= top + board_view(position).size


# ---------------------------------------------------------------- the wall and the track


def test_the_track_goes_round_the_wall_space_by_space() -> None:
    places = space_places()
    assert len(places) == 100
    squares = [cell for cell, _ in places]
    assert squares[::2] == squares[1::2] == list(stretches())
    points = [(cell.x + x, cell.y + y) for cell, (x, y) in places]
    for (x, y), (ex, ey) in zip(points, points[1:] + points[:1], strict=True):
        assert 0.25 < abs(x - ex) + abs(y - ey) < 1.3


def test_markers_stand_on_their_spaces() -> None:
    view = board_view(after(0))
    for points in (0, 7, 12, 13, 57, 83, 99):
        image = pixels(whole_board(with_scores(points, (points + 40) % 100)))
        for seat, own in enumerate((points, (points + 40) % 100)):
            x, y = view.at(*space_places()[own])
            colour = PLAYER_MARKS[seat].colour
            assert shown(image.crop((x - 20, y - 24, x + 20, y + 26)), colour) > 200, (points, seat)


def test_markers_that_share_a_space_are_both_seen() -> None:
    view, image = board_view(after(0)), pixels(whole_board(with_scores(30, 30)))
    x, y = view.at(*space_places()[30])
    near = image.crop((x - 40, y - 24, x + 40, y + 26))
    assert all(shown(near, mark.colour) > 150 for mark in PLAYER_MARKS[:2])


def test_in_the_second_lap_a_marker_lies() -> None:
    """The same space, the same figure on its side, and how much lies behind it."""
    view = board_view(after(0))
    x, y = view.at(*space_places()[30])
    area = (x - 24, y - 26, x + 24, y + 34)
    boxes = []
    for points in (30, 130):
        image = pixels(whole_board(with_scores(points, 60))).crop(area)
        mask = Image.new("L", image.size)
        mask.putdata(
            [255 * (gap(colour_at(image, i % 48, i // 48), PLAYER_MARKS[0].colour) < 12) for i in range(48 * 60)]
        )
        boxes.append(mask.getbbox())
    standing, lying = boxes
    assert standing is not None
    assert lying is not None
    assert standing[3] - standing[1] > standing[2] - standing[0]
    assert lying[2] - lying[0] > lying[3] - lying[1]


def test_numbers_are_told_on_every_space() -> None:
    """Every space has one, every fifth is larger, and no two of the wall's straight parts look alike."""
    view, image = board_view(after(0)), pixels(whole_board(with_scores(0, 0)))
    ink = {}
    for space, (cell, place) in enumerate(space_places()):
        x, y = view.at(cell, place)
        there = image.crop((x - 18, y - 12, x + 18, y + 12))
        ink[space] = shown(there, DAY.ink, 40)
    straight = [space for space in range(2, 100) if stretches()[space_places()[space][0]].inward is not None]
    assert all(ink[space] > 25 for space in straight)
    fifths = [ink[space] for space in straight if space % 5 == 0 and space > 9]
    others = [ink[space] for space in straight if space % 5 and space > 9]
    assert min(fifths) > sum(others) / len(others)


@pytest.mark.parametrize("start", wall().starts, ids=lambda start: start.cell.label)
def test_the_yard_of_a_start_space_shows_its_kinds_at_the_inner_side(start: object) -> None:
    place = next(other for other in wall().starts if other is start)
    image = Image.new("RGB", (96, 96), DAY.meadow)
    sprite = start_sprite(DAY, place, 96, 0)
    image.paste(sprite, (0, 0), sprite)
    face = place.kind.faces[0]
    x, y = turned((0.5, 0.99), (place.side - Side.S) % 4)
    assert is_road(colour_at(image, x * 96, y * 96)) == bool(face.paths)
    for second in (0, 1):
        x, y = turned((0.9 - 0.8 * second, 0.99), (place.side - Side.S) % 4)
        colour = colour_at(image, x * 96, y * 96)
        match face.kinds[half_owners(face)[place.side * 2 + second]]:
            case FeatureKind.COURT:
                assert gap(colour, DAY.meadow) < 12, second
            case FeatureKind.HOUSE:
                assert min(gap(colour, ground) for ground in (DAY.street, DAY.plaster_dark, DAY.road_edge)) < 40
            case _:
                assert max(colour) - min(colour) < 40


def test_a_gate_opens_where_a_path_ends_at_the_wall() -> None:
    position = after(100)
    faces = {tile.cell: tile.face for tile in position.placed()}
    view, image = board_view(position), pixels(whole_board(position))
    gates = 0
    for cell, face in faces.items():
        for side in Side:
            dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[side]
            square = Cell(cell.x + dx, cell.y + dy)
            plain = square in stretches() and square not in {start.cell for start in wall().starts}
            if plain and face.paths >> side & 1:
                gates += 1
                x, y = view.at(square, turned((0.5, 0.86), (side.opposite - Side.S) % 4))
                assert gap(colour_at(image, x, y), DAY.ink) < 12, (cell.label, side)
    assert gates >= 3


def test_features_are_closed_exactly_where_the_engine_ends_them() -> None:
    """A tower or house without open half-sides on the board is complete, and the other way round."""
    position = after(90)
    faces = {start.cell: start.kind.faces[0] for start in wall().starts} | {
        tile.cell: tile.face for tile in position.placed()
    }
    for feature in position.features():
        if feature.kind not in {FeatureKind.TOWER, FeatureKind.HOUSE}:
            continue
        openings = 0
        for cell, segment in feature.parts:
            closed = closed_sides(faces, cell)
            for half in segment.places:
                dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[half // 2]
                beside = Cell(cell.x + dx, cell.y + dy)
                openings += not closed >> half & 1 and beside not in faces
        assert (openings == 0) == feature.complete, feature.parts


# ---------------------------------------------------------------- wall tiles


def test_wall_tiles_lie_face_down_on_all_corner_towers_but_the_first() -> None:
    position = after(0)
    view, image = board_view(position), pixels(whole_board(position))
    for square in wall().squares:
        if square.corner:
            blue = shown(crop_of(image, view, square.cell), DAY.shield)
            assert (blue > 300) == (square.space != 0), square


def test_a_tile_that_is_taken_leaves_its_tower_and_lies_face_up_below() -> None:
    position = after(0)
    taken = position.copy()
    taken.taken, taken.hands[1] = (32,), (WallTile.LARGER_KEEP,)
    view = board_view(position)
    one, other = pixels(whole_board(position)), pixels(whole_board(taken))
    cell, _ = space_places()[32]
    assert shown(crop_of(one, view, cell), DAY.shield) > 300
    assert shown(crop_of(other, view, cell), DAY.shield) == 0
    strips = [picture.crop((0, view.height, view.width, picture.height)) for picture in (one, other)]
    assert ImageChops.difference(*strips).getbbox() is not None
    upper = [strip.crop((0, 0, strip.width, strip.height // 2)) for strip in strips]
    assert ImageChops.difference(*upper).getbbox() is None


def test_all_wall_tiles_of_both_players_have_room() -> None:
    position = after(0)
    position.hands[0] = tuple(sorted((*WallTile, *WallTile))[2:])
    position.hands[1] = (WallTile.FIVE_POINTS,)
    picture = whole_board(position)
    assert (picture.width, picture.height) == (whole_board(after(0)).width, whole_board(after(0)).height)


def hidden_twin(position: Position, seed: int) -> Position:
    """The same position, but for what nobody can see: the rest of the pile and the wall tiles that still lie."""
    twin, random = position.copy(), Random(seed)
    setup = position.setup
    rest = list(setup.pile[position.next_tile :])
    lying = [index for index, corner in enumerate(wall().corners) if corner not in position.taken]
    lying += range(len(wall().corners), len(setup.wall_tiles))
    kinds, tiles = [setup.wall_tiles[index] for index in lying], list(setup.wall_tiles)
    random.shuffle(rest)
    random.shuffle(kinds)
    for index, kind in zip(lying, kinds, strict=True):
        tiles[index] = kind
    pile = (*setup.pile[: position.next_tile], *rest)
    twin.setup = replace(setup, pile=pile, wall_tiles=tuple(tiles), seed=f"another {seed}")
    return twin


@pytest.mark.parametrize("plies", [20, 60, 100])
def test_what_lies_face_down_changes_no_picture(plies: int) -> None:
    position = after(plies)
    expected = every_picture(position)
    twin = hidden_twin(position, plies)
    assert twin.setup.wall_tiles != position.setup.wall_tiles
    assert every_picture(twin) == expected
    assert every_picture(position.veiled()) == expected


def test_backs_are_alike_and_faces_are_not() -> None:
    faces = {wall_tile(DAY, kind, 64).tobytes() for kind in WallTile}
    assert len(faces) == len(WallTile)
    assert wall_tile(DAY, WallTile.HIDDEN, 64).tobytes() == wall_tile_back(DAY, 64).tobytes()


# ---------------------------------------------------------------- the composer


def test_each_spot_has_its_letter_in_its_cell() -> None:
    position = after(30)
    cells = sorted(position.open_cells(), key=lambda cell: (cell.y, cell.x))
    spots = [Spot(cell, chr(65 + number)) for number, cell in enumerate(cells)]
    image, view = pixels(composer(position, spots)), cards._composer_view(spots, None, DAY.longest)
    for spot in spots:
        assert spot.cell in view.window
        x, y = view.at(spot.cell, (0.5, 0.5))
        assert gap(colour_at(image, x - view.size * 0.23, y), DAY.highlight) < 12, spot
        letter = image.crop((x - view.size // 5, y - view.size // 5, x + view.size // 5, y + view.size // 5))
        assert shown(letter, DAY.highlight_dark, 30) > 40, spot


def test_the_drawn_tile_is_beside_the_castle_and_a_ghost_is_enlarged() -> None:
    position = after(30)
    spot = Spot(next(position.open_cells()), "A")
    view = cards._composer_view([spot], None, DAY.longest)
    hand = composer(position, [spot])
    assert (hand.width > view.width) != (hand.height > view.height)
    ghost, choices = ghost_of(position)
    bare, numbered = composer(position, (), ghost), composer(position, (), ghost, choices)
    assert (bare.width, bare.height) == (numbered.width, numbered.height)
    assert shown(pixels(numbered), DAY.halo, 6) > shown(pixels(bare), DAY.halo, 6) + 600 * len(choices)


def test_the_figure_that_was_chosen_stands_there() -> None:
    """On the ghost, enlarged and on the board, in the colour of the player who lays it."""
    position = after(30)
    ghost, choices = ghost_of(position)
    colour = PLAYER_MARKS[position.player].colour
    view = cards._composer_view([], ghost, DAY.longest)
    for choice in choices:
        numbered = pixels(composer(position, (), ghost, [choice]))
        standing = pixels(composer(position, (), ghost, [replace(choice, figure="follower")]))
        assert shown(standing, colour) > shown(numbered, colour) + 2000
        assert shown(crop_of(standing, view, ghost.cell), colour) > shown(crop_of(numbered, view, ghost.cell), colour)
        assert shown(standing, DAY.halo, 6) > shown(numbered, DAY.halo, 6)


def test_a_ghost_closes_what_it_would_close() -> None:
    """Its neighbours are drawn as if it lay there."""
    position = after(60)
    ghost, _ = ghost_of(position)
    view = cards._composer_view((), ghost, DAY.longest)
    before, then = (paint_castle(position, view, DAY, trial).pixels for trial in (None, ghost))
    x, y = view.at(ghost.cell)
    around = ImageChops.difference(before, then)
    around.paste((0, 0, 0), (x, y, x + view.size, y + view.size))
    tried = position.copy()
    tried.push(Place(ghost.cell, ghost.rotation))
    laid = paint_castle(tried, view, DAY).pixels
    assert ImageChops.difference(then, laid).getbbox() is None


def test_no_letter_covers_the_ghost_and_spots_off_the_picture_are_left_out() -> None:
    position = after(30)
    ghost, _ = ghost_of(position)
    spots = [Spot(ghost.cell, "A"), Spot(Cell(90, 90), "Z")]
    assert composer(position, spots, ghost).data == composer(position, (), ghost).data


# ---------------------------------------------------------------- which feature is meant


def test_the_features_in_question_stand_out_with_their_letters() -> None:
    position = after(90)
    areas = areas_of(position)
    image = pixels(order_question(position, areas))
    assert shown(image, DAY.highlight) > 3000
    assert shown(image, DAY.meadow, 20) < shown(pixels(whole_board(position)), DAY.meadow, 20)
    one, other = (order_question(position, [Area(letter, areas[0].parts)]) for letter in "AB")
    assert one.data != other.data
    assert (one.width, one.height) == (other.width, other.height)


def test_a_feature_alone_in_question_needs_no_letter() -> None:
    position = after(90)
    (area,) = areas_of(position, 1)
    lettered, plain = (pixels(order_question(position, [Area(letter, area.parts)])) for letter in ("A", ""))
    assert 0 < shown(plain, DAY.highlight) < shown(lettered, DAY.highlight)


@pytest.mark.parametrize("plies", range(20, 116, 8))
def test_letters_stand_on_their_features(plies: int) -> None:
    """Also where a figure or a keep has taken the middle."""
    position = after(plies)
    occupied = [
        feature
        for feature in position.features()
        if feature.followers and all(position.tile_at(cell) is not None for cell, _ in feature.parts)
    ]
    for feature in occupied:
        cell, point = free_place(position, Area("A", feature.parts), occupied_places(position))
        tile = position.tile_at(cell)
        assert tile is not None
        layout = layout_of(tile.tile, tile.rotation)
        owner = layout.labels(64).owner(point)
        assert (cell, layout.face.segments[owner].places) in {(at, part.places) for at, part in feature.parts}


def test_a_feature_that_reaches_a_start_space_is_shown_there_too() -> None:
    position = after(90)
    starts = {start.cell for start in wall().starts}
    reaching = [f for f in position.features() if starts & {cell for cell, _ in f.parts}]
    assert reaching
    for feature in reaching:
        picture = order_question(position, [Area("A", feature.parts)])
        within = tuple(part for part in feature.parts if part[0] not in starts)
        assert picture.data != order_question(position, [Area("A", within)]).data


def test_every_kind_of_feature_can_be_asked_about() -> None:
    position = after(116)
    smallest = {(feature.kind, feature.complete): feature for feature in position.features()}
    for feature in smallest.values():
        image = pixels(order_question(position, [Area("A", feature.parts)]))
        assert shown(image, DAY.highlight) > 300


# ---------------------------------------------------------------- limits, sameness, themes


@pytest.mark.parametrize("plies", [0, 30, 118])
def test_pictures_keep_within_the_limits(plies: int) -> None:
    position = after(plies)
    card = turn_card(position, last_marks(position))
    assert len(card.focus.data) + len(card.board.data) <= BOTH
    pictures = [card.focus, card.board]
    if position.hand is not None and plies:
        pictures += every_picture(position)
    for picture in pictures:
        assert max(picture.width, picture.height) <= LONGEST
        assert len(picture.data) <= LARGEST_FILE


def test_the_same_position_gives_the_same_bytes_in_any_thread() -> None:
    position = after(50)
    expected = every_picture(position)
    with ThreadPoolExecutor(2) as pool:
        for pictures in [pool.submit(every_picture, position.copy()) for _ in range(2)]:
            assert pictures.result() == expected


def test_the_same_position_gives_the_same_bytes_in_another_process() -> None:
    imports = "from tests.renderers.the_castle import boards, test_cards as cards"
    assert len(digests(imports, "cards.every_picture(boards.after(20))")) == 1


def test_every_picture_follows_the_theme() -> None:
    position = after(50)
    drawn = [every_picture(position, theme) for theme in THEMES.values()]
    for same in zip(*drawn, strict=True):
        assert len({picture.data for picture in same}) == len(THEMES)
        assert len({(picture.width, picture.height) for picture in same}) == 1


def test_the_rim_names_the_cells_of_the_castle() -> None:
    image = paint_castle(after(0), board_view(after(0)), DAY)
    before = image.pixels.copy()
    paint_rim(image)
    assert cards.whole().left == Cell.parse("A1").x
    assert ImageChops.difference(before, image.pixels).getbbox() is not None


# ---------------------------------------------------------------- without the castle


def test_what_is_left_is_bright_and_what_is_laid_is_dimmed() -> None:
    full, gone = (pixels(the_castle.remaining([(kind, count) for kind in TILES])) for count in (1, 0))
    assert full.size == gone.size
    assert max(full.size) <= LONGEST
    assert sum(full.convert("L").tobytes()) > 1.8 * sum(gone.convert("L").tobytes())
    assert pixels(the_castle.remaining([])).width > 0


@pytest.mark.parametrize("held", [((), ()), ((WallTile.EXTRA_TURN,), ()), (tuple(WallTile)[1:], tuple(WallTile)[1:])])
def test_every_hand_of_wall_tiles_has_a_picture(held: Sequence[Sequence[WallTile]]) -> None:
    picture = the_castle.wall_tiles(held, ("Ana", "Ben"))
    assert max(picture.width, picture.height) <= LONGEST
    assert picture.data != the_castle.wall_tiles(held, ("Cleo", "Dan")).data


def test_the_game_as_a_film_shows_each_position_once() -> None:
    positions = [after(plies) for plies in (0, 10, 20)]
    picture = the_castle.replay(positions, ("Ana", "Ben"))
    assert picture.filename == "replay.gif"
    with Image.open(BytesIO(picture.data)) as image:
        assert getattr(image, "n_frames", 1) == 3


@pytest.mark.parametrize("draw", [turn_card, whole_board])
def test_marks_of_cells_without_tiles_do_no_harm(draw: Callable[..., object]) -> None:
    assert draw(after(10), [Mark(Cell(90, 90), 1)]) == draw(after(10))


def test_the_set_that_is_played_is_the_one_that_is_drawn() -> None:
    assert {kind.id for kind in TILES} == set(designed().kinds)
    kind = TILES[42]
    assert anchor(kind, 90, kind.faces[1].segments[0]) != anchor(kind, 0, kind.segments[0])


def test_a_figure_without_a_drawing_is_an_error() -> None:
    position = after(0)
    tile = TILES[0]
    choice = Choice(1, tile.faces[0].segments[0], "dragon")
    with pytest.raises(ValueError, match="without a drawing: dragon"):
        composer(position, (), Ghost(Cell.parse("F7"), tile, 0), [choice])
