"""The tiles of The Castle, its wall, and files of custom tiles.

The default tiles are the project's own designs. Owners of the published game may describe its tiles in a TOML file,
which is checked when it is read. Codes such as TC-02 are rules of the rule digest.
"""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from engine import NotationError, begin, read_setup
from engine.selfplay import random_action
from engine.the_castle import FeatureKind, TileFileError, TileKind, default_tile_set, new_setup, read_tiles, wall
from engine.the_castle.tilefile import DEFAULT_TILE_SET, parse_segment, tile_set_text
from engine.the_castle.tiles import PORTS, Segment
from tests.each import for_each
from tests.engine.naive_castle import turned_parts

ALL = list(default_tile_set().kinds.values())
"""All castle tiles."""
every_tile = for_each(ALL)
DEFAULT_TILES_TEXT = tile_set_text(default_tile_set())
"""The file of the default tiles, as the engine writes it."""

# -- the default tiles ------------------------------------------------------------------------------------------------


def test_the_box_has_the_published_numbers_of_features() -> None:
    """The numbers of squares, wells, markets and dead ends are those of the published game (TC-02 to TC-05)."""
    assert len(ALL) == 60
    assert sum(kind.square for kind in ALL) == 7
    assert sum(segment.well for kind in ALL for segment in kind.segments) == 8
    assert sum(segment.markets for kind in ALL for segment in kind.segments) == 13
    ends_at_building = [
        kind
        for kind in ALL
        if not kind.square
        and any(segment.kind is FeatureKind.PATH and len(segment.places) == 1 for segment in kind.segments)
    ]
    assert len(ends_at_building) == 5


@every_tile
def test_segments_cover_the_tile(kind: TileKind) -> None:
    halves = Counter(half for segment in kind.segments if segment.kind in Segment.HALF_KINDS for half in segment.places)
    assert halves == dict.fromkeys(range(8), 1)
    quarters = Counter(quarter for segment in kind.segments for quarter in segment.quarters)
    assert quarters == dict.fromkeys(range(4), 1)
    if kind.square:
        arms = [segment for segment in kind.segments if segment.kind is FeatureKind.PATH]
        assert [len(arm.places) for arm in arms] == [1, 1, 1]


@every_tile
def test_four_quarter_turns_give_the_same_segment(kind: TileKind) -> None:
    for segment in kind.segments:
        assert segment.turned(1).turned(1).turned(1).turned(1) == segment
        assert segment.turned(3).turned(1) == segment.turned(4) == segment


@every_tile
def test_a_face_indexes_its_segments(kind: TileKind) -> None:
    for quarters, face in enumerate(kind.faces):
        assert face.rotation == 90 * quarters
        assert len(face.ports) == PORTS
        for index, segment in enumerate(face.segments):
            assert all(face.ports[port] == index for port in segment.ports)
        assert {(part.kind, part.places) for part in turned_parts(wall().interior[0], kind, quarters)} == {
            (segment.kind, frozenset(segment.place_names)) for segment in face.segments
        }
        assert len({segment.name for segment in face.segments}) == len(face.segments)


@pytest.mark.parametrize(
    ("tile", "rotations"),
    [("D01", (0,)), ("D30", (0, 90)), ("D28", (0, 90)), ("D44", (0, 90, 180, 270)), ("D07", (0, 90, 180, 270))],
)
def test_rotations_that_look_different(tile: str, rotations: tuple[int, ...]) -> None:
    assert default_tile_set()[f"castle/{tile}"].rotations == rotations


def test_names_of_segments() -> None:
    tile = default_tile_set()["castle/D43"]
    assert [segment.name for segment in tile.faces[0].segments] == ["tower.NL", "house.NR", "court.ER", "path.N"]
    assert tile.faces[0].segments[0].is_named("tower.WR")
    assert not tile.faces[0].segments[0].is_named("tower.NR")
    assert repr(tile) == "tile('castle/D43')"


def test_no_start_space_touches_a_cell_that_it_does_not_face() -> None:
    inside = set(wall().interior)
    for start in wall().starts:
        around = [(start.cell.x + x, start.cell.y + y) for x, y in ((0, 1), (0, -1), (1, 0), (-1, 0))]
        assert [cell for cell in inside if cell in around] == [start.inside]


# -- custom tiles -----------------------------------------------------------------------------------------------------


def with_replacement(old: str, new: str) -> str:
    """Return the text of the default tiles with one passage replaced."""
    assert DEFAULT_TILES_TEXT.count(old) == 1, old
    return DEFAULT_TILES_TEXT.replace(old, new)


def test_a_tile_set_round_trips() -> None:
    tiles = read_tiles(DEFAULT_TILES_TEXT)
    assert tile_set_text(tiles) == DEFAULT_TILES_TEXT
    assert tiles.name != DEFAULT_TILE_SET
    assert [kind.id for kind in tiles.kinds.values()] == [
        f"{tiles.name}/{kind.id.removeprefix('castle/')}" for kind in ALL
    ]
    assert [kind.segments for kind in tiles.kinds.values()] == [kind.segments for kind in ALL]


def test_the_name_of_a_set_depends_on_its_content() -> None:
    reordered = "\n".join(
        reversed(DEFAULT_TILES_TEXT.replace("\nsegments", "; segments").replace("\nflags", "; flags").splitlines())
    )
    reordered = reordered.replace("; segments", "\nsegments").replace("; flags", "\nflags")
    assert read_tiles(reordered).name == read_tiles(DEFAULT_TILES_TEXT).name
    assert read_tiles("# ours\n" + DEFAULT_TILES_TEXT) == read_tiles(DEFAULT_TILES_TEXT)
    other = with_tile_redefined(f'segments = ["house {WHOLE}"]')
    assert read_tiles(other).name != read_tiles(DEFAULT_TILES_TEXT).name
    assert read_tiles(other) != read_tiles(DEFAULT_TILES_TEXT)


def with_tile_redefined(body: str, tile: str = "D01") -> str:
    """Return the text of the default tiles with another definition of one tile."""
    before, _, rest = DEFAULT_TILES_TEXT.partition(f"[{tile}]\n")
    return f"{before}[{tile}]\n{body}\n{rest[rest.find('[D') :]}"


WHOLE = "NL NR EL ER SL SR WL WR"
"""All eight half-sides of a tile."""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (with_replacement("[D60]", "[D60"), "not TOML: .*at line 126"),
        (with_replacement("[D60]", "[D59]"), "not TOML: .*D59"),
        (with_replacement("[D60]", '["D/60"]'), "line 126, tile D/60: its name has to be of at most 12 letters"),
        (with_tile_redefined("").replace("[D01]\n", ""), "59 tiles, where the game has 60"),
        (with_tile_redefined(""), "line 1, tile D01: it needs a list of texts called segments"),
        (with_tile_redefined("segments = []"), "tile D01: it needs a list of texts"),
        (with_tile_redefined("segments = [1, 2]"), "tile D01: it needs a list of texts"),
        (with_tile_redefined(f'segments = ["tower {WHOLE}"]\nname = "keep"'), "tile D01: beside segments"),
        (with_tile_redefined(f'segments = ["tower {WHOLE}"]\nflags = ["round"]'), "tile D01: beside segments"),
        (with_tile_redefined(f'segments = ["castle {WHOLE}"]'), "tile D01: 'castle NL .*' begins with no path"),
        (with_tile_redefined('segments = ["tower N E S W"]'), "tile D01: 'tower N E S W' has to name its places"),
        (with_tile_redefined('segments = ["tower"]'), "tile D01: 'tower' has to name its places"),
        (with_tile_redefined('segments = ["tower NL NR EL ER SL SR WL"]'), "WR belongs to no towers, houses or courts"),
        (with_tile_redefined(f'segments = ["tower {WHOLE}", "house NL"]'), "NL belongs to 2 towers, houses or courts"),
        (with_tile_redefined(f'segments = ["tower {WHOLE} NL"]'), "NL belongs to 2 towers, houses or courts"),
        (with_tile_redefined(f'segments = ["tower {WHOLE}", "path N", "path N S"]'), "N belongs to 2 paths"),
        (
            with_tile_redefined(f'segments = ["tower {WHOLE}", "path N E"]\nflags = ["square"]'),
            "its square needs two paths or more",
        ),
        (
            with_tile_redefined(f'segments = ["tower {WHOLE}", "path N"]\nflags = ["square"]'),
            "its square needs two paths or more",
        ),
        (with_tile_redefined(f'segments = ["tower {WHOLE}; well"]'), "has attributes that no tower has"),
        (with_tile_redefined(f'segments = ["house {WHOLE}; markets 1"]'), "has attributes that no house has"),
        (with_tile_redefined(f'segments = ["court {WHOLE}; markets -1"]'), "has attributes that no court has"),
        (with_tile_redefined(f'segments = ["court {WHOLE}", "path N; markets 1"]'), "has attributes that no path has"),
    ],
)
def test_a_wrong_file_is_refused(text: str, problem: str) -> None:
    with pytest.raises(TileFileError, match=problem) as caught:
        read_tiles(text)
    assert isinstance(caught.value, NotationError)
    assert caught.value.code == "tile-file"


def test_all_problems_are_reported_together() -> None:
    text = with_tile_redefined('segments = ["castle NL"]').replace("house NL WR", "house NL", 1)
    with pytest.raises(TileFileError) as caught:
        read_tiles(text)
    assert len(caught.value.problems) == 2
    assert str(caught.value) == "; ".join(caught.value.problems)


@pytest.mark.parametrize("text", ["", "tower", "path", "tower NL;", "path N; well; well", "house NL; markets 1"])
def test_a_malformed_segment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="'"):
        parse_segment(text)


def test_a_game_stores_custom_tiles() -> None:
    tiles = read_tiles(with_replacement("[D04]", "[X04]"))
    setup = new_setup(seed="x", tiles=tiles)
    assert all(tile_id.startswith(f"{tiles.name}/") for tile_id in setup.pile)
    stored = setup.to_json()
    assert json.loads(stored)["tiles"] == tile_set_text(tiles)
    assert read_setup(stored) == setup
    assert read_setup(stored).commitment == setup.commitment
    position = begin(setup)
    for _ in range(10):
        position.apply(random_action(position, Random(1)))
    assert all(placed.tile.id.startswith(tiles.name) for placed in position.placed())


def test_a_game_does_not_store_the_default_tiles() -> None:
    assert "tiles" not in json.loads(new_setup(seed="x").to_json())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("players", 3),
        ("wall_tiles", [1] * 18),
        ("wall_tiles", list(range(1, 10))),
        ("wall_tiles", [17, *range(17)]),
        ("pile", ["castle/D99"]),
        ("pile", ["base/D"]),
        ("tiles", "[D01]"),
        ("options", {"tc_final_tie": "dice"}),
    ],
)
def test_an_invalid_stored_setup_is_refused(key: str, value: object) -> None:
    stored = json.loads(new_setup(seed="x").to_json()) | {key: value}
    with pytest.raises(NotationError, match="not a setup"):
        read_setup(json.dumps(stored))


def test_there_are_no_expansions() -> None:
    with pytest.raises(NotationError, match="unknown expansion"):
        new_setup(seed="x", expansions=("bridges-castles-bazaars",))
