"""Every fact in a picture is also in a text.

This module lists the attributes of a position that renderers read, each with the part of *In Words* that describes it.
:mod:`tests.cogs.description_parser` reconstructs all of them from the text alone. Other inputs of a picture (letters,
numbers, marks, counts) have to appear in the text beside it. If a renderer reads a new attribute, a test here fails
until the attribute is listed.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import cogs
import renderers
from cogs.commands.info import face_down
from cogs.panels import hints
from cogs.panels.composer import compose
from cogs.presenting.presenter import TilePanel, last_tile_marks
from cogs.texts import listed, t
from cogs.texts.languages import speaking
from cogs.words.telling import OVERVIEW, PILE, SUPPLIES, TILES
from engine import Cell
from engine.hints import DeadCells
from host import Preferences, Table
from renderers import DAY
from tests.cogs.test_telling import LANGUAGES, every_game, table_of, telling_of

WALL = "wall"
DESCRIBED_ATTRIBUTES = {
    "placed": TILES,
    "tile_at": TILES,
    "standing_figures": TILES,
    "bridge_on": TILES,
    "castles_of": "castles",
    "tokens_on": "castles",
    "fairy_of": "fairy",
    "holding_of": "king_robber",
    "herds_count": TILES,  # the herd; that it does not count, the panel of its tile says
    "pigs_are_herd": TILES,  # the herd; that it does not count, the panel of its tile says
    "setup": "king_robber",  # the boxes in play: only this box has the part
    "hand": OVERVIEW,
    "pile_left": OVERVIEW,
    "player": OVERVIEW,
    "players": OVERVIEW,
    "scores": OVERVIEW,
    "supply": SUPPLIES,
    "hands": SUPPLIES,
    "corners": WALL,
    "keeps": WALL,
    "house_of": WALL,
}
"""Attributes and queries of a position that renderers use, and the part that describes each."""
DESCRIBED_INPUTS = {
    "turn_card": "marks: the last tile of each player, in the overview",
    "whole_board": "marks and, in hints, what they say: fields, cells where nothing fits",
    "composer": "spots, the tile on trial, its rotations, places, the figure: the panel's words, labels and alt text",
    "remaining": "how many of each tile lie face down: the part that tells what is left",
    "score_panel": "points and supplies: the overview and the supplies",
    "order_question": "features by letter: the panel's words and its alt text",
    "castle_question": "two cells and a fief: the headline, the castles",
    "wagon_question": "where the wagon stood, and the tiles to which it may move: the headline, the buttons",
    "lots": "marks, the tiles of a bazaar, who has which, which is up: the bazaar",
    "replay": "the moves of a game: the film step by step in words",
    "score_bars": "points by kind: the final table",
    "score_sheet": "the same, dates and rules: the final table, the rules",
    "standings_table": "a line for each: the alt text",
    "cross_tables": "the same",
    "bracket": "who meets whom: the alt text",
    "round_sheet": "the same",
}
"""Drawing functions, their inputs beside a position, and the texts that contain these."""


def sources(package: object) -> Iterator[ast.Module]:
    """Yield the syntax trees of a package's modules."""
    folder = Path(str(getattr(package, "__file__", ""))).parent
    for path in sorted(folder.rglob("*.py")):
        yield ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.Module, package_name: str) -> set[str]:
    """Return the names that a module imports from a package."""
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return {
        name.asname or name.name
        for node in imports
        if (node.module or "").startswith(package_name)
        for name in node.names
    }


def attributes_read() -> Iterator[str]:
    """Yield each attribute of a position that renderers read, and each engine query about it."""
    objects = {"position", "tile", "placed", "castle"}
    for tree in sources(renderers):
        engine = {name for name in imported(tree, "engine") if name[0].islower()}
        for node in ast.walk(tree):
            match node:
                case ast.Attribute(value=ast.Name(id="position"), attr=name):
                    yield name
                case ast.Call(func=ast.Name(id=name), args=args) if name in engine:
                    if any(isinstance(argument, ast.Name) and argument.id in objects for argument in args):
                        yield name


def test_all_attributes_that_renderers_read_are_described() -> None:
    assert set(attributes_read()) == set(DESCRIBED_ATTRIBUTES)


def test_all_drawing_functions_are_listed_with_their_texts() -> None:
    """Check every function that draws a picture for Discord."""
    drawing_functions = {
        node.name
        for tree in sources(renderers)
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.returns is not None
        if ast.unparse(node.returns) in ("Picture", "list[Picture]", "tuple[Picture, ...]")
        if not node.name.startswith("_")
    }
    used = {name for tree in sources(cogs) for name in imported(tree, "renderers") if name in drawing_functions}
    assert used == set(DESCRIBED_INPUTS)


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_marks_of_last_tiles_are_described(game: str, language: str) -> None:
    table = table_of(game, 4)
    with speaking(language):
        text = "\n".join(telling_of(table).entries(OVERVIEW))
        for mark in last_tile_marks(table.position):
            names = telling_of(table).names
            [line] = [line for line in text.splitlines() if line in _last(names[mark.player], mark.cell)]
            assert line


def _last(name: str, cell: Cell) -> list[str]:
    """Return the sentences about the last tile of a player."""
    return [t(key, player=name, cell=cell.label) for key in ("tell.last", "tell.last_of")]


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_composers_picture_is_described_beside_it(game: str, language: str) -> None:
    """Spots, the placed tile, the places and the figure appear in text, labels and alt text."""
    table = table_with_tile(game)
    presenter, position = telling_of(table).presenter, table.position

    def panel(plan: str) -> TilePanel:
        return compose(presenter, table.game, position, plan, Preferences(confirm=True))

    with speaking(language):
        spots = panel("")
        assert spots.spots
        for cell in spots.spots:
            assert any(offer.label == cell.label for row in spots.offers for offer in row)
        panel_with_tile = panel(spots.offers[0][0].argument)
        assert panel_with_tile.place is not None
        assert panel_with_tile.place.cell.label in panel_words(panel_with_tile)
        for letter, segment in panel_with_tile.figure_places:
            kind = t(f"feature.{segment.kind}")
            offers = [offer for row in panel_with_tile.offers for offer in row if offer.label.startswith(f"{letter} ")]
            assert any(kind.lower() in offer.label.lower() for offer in offers), (letter, segment)


def table_with_tile(game: str) -> Table:
    """Return a table with a tile in hand."""
    return next(table for seed in range(9) if (table := table_of(game, seed)).position.hand is not None)


def panel_words(panel: TilePanel) -> str:
    """Return the text and the labels of a panel."""
    return "\n".join([panel.text, *(offer.label for row in panel.offers for offer in row)])


@every_game
def test_the_counts_of_remaining_tiles_are_described(game: str) -> None:
    telling = telling_of(table_of(game, 3))
    lines = telling.entries(PILE)[1:]
    remaining = {kind: count for kind, count in face_down(telling.position).items() if count}
    counted = sum(int(line.split()[0]) for line in lines)
    assert counted == sum(remaining.values()) == telling.position.pile_left
    with speaking("en", listens=True):
        for kind in remaining:
            description = telling.presenter.tile_aloud(telling.presenter.tile_kind(telling.position, kind), 0)
            assert any(description in line for line in lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_dead_cells_are_in_the_alt_text(language: str) -> None:
    """The text names a dozen of them; the picture crosses out all."""
    cells = tuple(Cell(x, y) for x in range(8) for y in range(5))
    dead = DeadCells(cells, ())
    with speaking(language):
        assert listed([cell.label for cell in cells]) in hints._cells(dead, len(cells))
        assert cells[-1].label not in hints._cells(dead)


def test_alt_texts_of_hints_and_spots_begin_with_the_news() -> None:
    table = table_with_tile("carcassonne")
    presenter = telling_of(table).presenter
    spots = compose(presenter, table.game, table.position, "", Preferences())
    [picture] = presenter.composer_pictures(table.position, spots, DAY)
    assert picture.alt.startswith(spots.spots[0].label)
    for key in ("alt.hints", "alt.hints_fields"):
        assert t(key, cells="|").startswith("|")
