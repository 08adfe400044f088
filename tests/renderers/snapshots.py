"""Snapshots of the pictures of Carcassonne, as digests of their pixels.

Run ``python -m tests.renderers.snapshots`` to update the snapshots after an intended change; look at ``make gallery``
first. Snapshots are valid only for the version of Pillow that is stored with them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

import PIL

from engine.carcassonne import tile, tile_set
from engine.carcassonne.expansions import OFFERED_TILE_SETS, OTHER_TILE_SETS
from engine.geometry import Axis, Cell
from gallery.carcassonne import bridges_sheet, figures_sheet, markers, pieces_sheet, tiles_sheet
from renderers import DAY, THEMES, FigurePlace, Guides, HeldField, Picture, SheetLine, Theme, score_bars, score_sheet
from renderers.carcassonne import Ghost, Tally, composer, remaining, score_panel, turn_card, whole_board
from renderers.carcassonne.figures import FIGURES
from renderers.carcassonne.questions.bridges_castles_bazaars import castle_question, lots
from tests.renderers.carcassonne.boards import board_with_castles, last_marks, small_board, wide_board
from tests.renderers.image_checks import rgb_image

SNAPSHOT_FILE = Path(__file__).with_name("snapshots.json")
"""The file of the digests."""
NAMES = ("Ana", "Ben", "Cleo")
"""The names of the players, by seat."""
DrawPicture = Callable[[], Picture]
"""A function that draws a picture."""


def sheets() -> Iterator[tuple[str, DrawPicture]]:
    """Yield the name and drawing function of each snapshot: all tiles, bridges over them, each picture in each theme.

    The tiles of each expansion have snapshots of their own, so that adding an expansion leaves all others unchanged.
    """
    for name in (*OFFERED_TILE_SETS, *OTHER_TILE_SETS):
        yield f"tiles of {name}", partial(tiles_sheet, list(tile_set(name).values()), DAY)
        yield f"bridges over {name}", partial(bridges_sheet, DAY, (name,))
    for theme in THEMES.values():
        for name, picture in _drawn_in(theme):
            yield f"{name}, {theme.name}", picture


def _drawn_in(theme: Theme) -> Iterator[tuple[str, DrawPicture]]:
    """Yield each picture's name with a function that draws it in this theme."""
    yield "pieces", partial(pieces_sheet, theme)
    for figure in FIGURES:
        yield f"figure {figure}", partial(figures_sheet, theme, (figure,))
    position = small_board()
    yield "turn card", lambda: turn_card(position, last_marks(position), theme=theme)
    fields = tuple(
        HeldField(feature.owners, feature.parts)
        for feature in position.features()
        if feature.kind == "field" and feature.owners
    )
    guides = Guides(fields, frozenset({Cell(3, 1)}), frozenset({Cell(-1, 0)}))
    yield "guides", lambda: whole_board(position, theme=theme, guides=guides)
    yield "castles", lambda: whole_board(board_with_castles(), theme=theme)
    yield "markers", lambda: turn_card(markers(), theme=theme)
    yield "large board", lambda: whole_board(wide_board(14, 12), theme=theme)
    yield "spots", partial(composer, position, [Cell(3, 0), Cell(0, -1)], theme=theme)
    ghost = Ghost(Cell(1, -1), tile("base/D"), 90, (Cell(1, -1), Axis.NS))
    places = [
        FigurePlace(letter, segment) for letter, segment in zip("ABCDEFGHI", ghost.tile.faces[1].segments, strict=False)
    ]
    yield "ghost", partial(composer, position, (), ghost, places, theme=theme)
    fief_cells = [Cell(x, y) for x in (-1, 0, 1) for y in (0, 1)]
    yield (
        "castle question",
        partial(castle_question, board_with_castles(), (Cell(0, 0), Cell(0, 1)), fief_cells, theme=theme),
    )
    kinds = [tile(name) for name in ("base/D", "base/L", "bcb/CCRC")]
    yield "lots", partial(lots, position, kinds, [-1, 2, -1], 0, theme=theme)
    yield "remaining", partial(remaining, [(kind, number) for number, kind in enumerate(kinds)], theme=theme)
    points = [{"Cities": 12, "Bazaars": -3}, {"Cities": 4, "Bazaars": 3}]
    yield "summary", partial(score_bars, NAMES[:2], points, theme=theme)
    supply = {"follower": 5, "bridge": 2, "castle": 0}
    yield (
        "track",
        partial(
            score_panel, [Tally(n, name, 30 * n, supply, next=n == 1) for n, name in enumerate(NAMES)], theme=theme
        ),
    )
    supply_with_goods = {**supply, "builder": 1, "pig": 0, "wine": 2, "grain": 0, "cloth": 1}
    yield (
        "track with goods",
        partial(score_panel, [Tally(n, name, 9 * n, supply_with_goods) for n, name in enumerate(NAMES)], theme=theme),
    )
    lines = [SheetLine(n, name, str(n + 1), (9, -2), 7, first=not n) for n, name in enumerate(NAMES)]
    yield (
        "sheet",
        partial(score_sheet, "Cup · K7QX2", ("Player", "Cities", "Bazaars", "Total"), lines, ["2021"], theme=theme),
    )


def picture_digests() -> dict[str, str]:
    """Draw all pictures and return the digest of each."""
    return {name: sha256(rgb_image(draw()).tobytes()).hexdigest()[:16] for name, draw in sheets()}


def main() -> None:
    """Write the digests of all pictures to the snapshot file."""
    SNAPSHOT_FILE.write_text(
        json.dumps({"pillow": PIL.__version__, "pictures": picture_digests()}, indent=2) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
