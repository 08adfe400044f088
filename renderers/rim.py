"""The coordinates round a board."""

from __future__ import annotations

from engine.geometry import Cell
from renderers.sheet import BoardImage
from renderers.text import write
from renderers.view import column_and_row


def paint_rim(image: BoardImage) -> None:
    """Column letters above and row numbers at the left, on wide boards also below and at the right."""
    view, theme = image.view, image.theme
    right, bottom = view.width - view.far_rim, view.height - view.far_rim
    for area in (
        (0, 0, view.width, view.rim - 1),
        (0, 0, view.rim - 1, view.height),
        (right, 0, view.width, view.height),
        (0, bottom, view.width, view.height),
    ):
        image.draw.rectangle(area, fill=theme.rim)
    window = view.window
    for x in range(window.left, window.left + window.columns):
        label, _ = column_and_row(Cell(x, window.top))
        write(image.pixels, label, (view.at(Cell(x, 0), (0.5, 0))[0], view.rim / 2), view.letter, theme.rim_text)
    for y in range(window.top, window.top + window.rows):
        _, label = column_and_row(Cell(window.left, y))
        size = view.letter if len(label) < 3 else round(view.letter * 0.75)
        write(image.pixels, label, (view.rim / 2, view.at(Cell(0, y), (0, 0.5))[1]), size, theme.rim_text)
    if view.far_rim == view.rim:
        image.pixels.paste(image.pixels.crop((0, 0, view.width, view.rim)), (0, bottom))
        image.pixels.paste(image.pixels.crop((0, 0, view.rim, view.height)), (right, 0))
