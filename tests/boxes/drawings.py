"""Requirements of the renderers: a drawing of everything that a box (expansion) adds, and its stored picture.

Each check yields a sentence for everything that is missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from PIL import Image, ImageChops

from engine.carcassonne import REGISTRY, Position, TileKind, new_setup
from renderers import DAY
from renderers.canvas import Canvas
from renderers.carcassonne.boxes import BOXES
from renderers.carcassonne.figures import FIGURES, layout_of
from renderers.carcassonne.scoreboard import ICONS
from tests.boxes.rules import figures_of, pieces_of, tiles_of
from tests.engine.test_every_kind import boxes_with_edge
from tests.renderers.image_checks import PHONE_CELL_PIXELS, silhouette
from tests.renderers.snapshots import SNAPSHOT_FILE, sheets

MAX_TWIN_SHARE = 0.05
"""Two outlines that differ in at most this share of their area look like the same figure."""


def missing(name: str) -> Iterator[str]:
    """Yield the figures, pieces and tiles of a box that have no drawing, or one that looks like another's."""
    box, drawn = REGISTRY[name], type(BOXES[name]).__name__
    for kind in figures_of(box):
        if kind.name not in FIGURES:
            yield f"{drawn}.figures has no drawing of the figure {kind.name!r}"
        elif twin := _twin(kind.name):
            yield f"the figure {kind.name!r} looks like the figure {twin!r} on a phone"
    for piece in pieces_of(box):
        if piece not in ICONS:
            yield f"{drawn}.icons has no drawing of the piece {piece!r}"
    for tile in tiles_of(box):
        yield from _not_drawn(name, tile)


def belongings_without_icon(name: str, counted: Iterable[str]) -> list[str]:
    """Return the belongings that a presenter counts for the score panel but that have no icon."""
    return [f"{type(BOXES[name]).__name__}.icons has no drawing of {what!r}" for what in counted if what not in ICONS]


def new_position(name: str) -> Position:
    """Return the start of a game with a box and those on which it depends."""
    return Position(new_setup(players=2, seed="drawn", expansions=(*REGISTRY[name].depends_on, name)))


def _twin(name: str) -> str:
    """Return another figure with nearly the same outline at the size of a phone; empty if there is none."""
    own = silhouette(DAY, 0, name, PHONE_CELL_PIXELS)
    for other in FIGURES:
        if other != name:
            outline = silhouette(DAY, 0, other, PHONE_CELL_PIXELS).resize(own.size, Image.Resampling.NEAREST)
            different_pixels = ImageChops.difference(own, outline).histogram()[255]
            if different_pixels <= MAX_TWIN_SHARE * own.width * own.height:
                return other
    return ""


def _not_drawn(name: str, tile: TileKind) -> Iterator[str]:
    """Yield the error that a tile raises when it is laid out, and the edges of the box that are not painted on it."""
    box = BOXES[name]
    for face, rotation in zip(tile.faces, (0, 90, 180, 270), strict=True):
        try:
            layout = layout_of(tile, rotation)
            box.draw_ground_prints(Canvas(32, DAY), layout)
        except Exception as error:  # noqa: BLE001 - whatever one tile raises, the others are looked at, too
            yield f"{tile.id} cannot be drawn at {rotation}: {error!r}"
            return
        running = {tract.segment for tract in box.tracts(layout.features.face)}
        for index, segment in enumerate(face.segments):
            if segment.is_bare and name in boxes_with_edge(segment.kind) and index not in running:
                yield f"{tile.id}: {type(box).__name__}.tracts has nothing for {segment.name}"


def without_snapshot(name: str) -> Iterator[str]:
    """Yield the pictures of a box that are not stored."""
    box = REGISTRY[name]
    stored = json.loads(SNAPSHOT_FILE.read_text(encoding="utf-8"))["pictures"]
    own = [f"figure {figure.name}," for figure in figures_of(box)]
    own += [f"{what} {box.tiles.name}" for what in ("tiles of", "bridges over") if box.tiles is not None]
    new = [picture for picture, _ in sheets() if picture.startswith(tuple(own)) and picture not in stored]
    if new:
        yield f"not stored: {', '.join(new)} (look at `make gallery`, then python -m tests.renderers.snapshots)"
