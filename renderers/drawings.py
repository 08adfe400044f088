"""Drawings as data: the shapes of a building, a piece or a sign, in the TOML file beside the module that paints it.

A drawing is a list of shapes in the order of painting, in units of a cell, around the place where it is painted::

    gate = [
        {box = [-0.085, -0.12, 0.085, 0.03], fill = "stone_dark"},
        {disc = [0, -0.035, 0.042], fill = "ink"},
    ]

A shape has one of these forms: ``polygon`` (its points), ``box`` (left, top, right and bottom), ``ellipse`` (its middle
and semi-axes), ``line`` (its points; ``width`` beside it), ``disc`` (its middle and radius; ``flat`` beside it makes it
so many times as high as wide), or ``rounded`` (a box, and the radius of its corners). It is filled with ``fill``, a
colour of the theme, with its number where there are several (``roofs.0.1``), or one that the caller gives. ``edge``
is the width of a line in ink around it, painted first. With ``shade`` it is a shadow of this strength instead. ``at``
is a point to which the numbers of the shape are relative.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import getitem
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, assert_never

from renderers.canvas import Canvas, Point, Polyline, ellipse, rectangle
from renderers.theme import Colour, Theme

Colours = Mapping[str, Colour]
"""Colours that are not the theme's, such as those of a player, by the names that a drawing has for them."""
_NO_COLOURS: Final[Colours] = MappingProxyType({})


class Form(StrEnum):
    """The form of a shape; all that are given by an outline are polygons."""

    POLYGON = "polygon"
    LINE = "line"
    DISC = "disc"
    ROUNDED = "rounded"


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape of a drawing."""

    form: Form
    points: Polyline
    size: float = 0.0
    """The width of a line, the radius of a disc or of round corners."""
    at: Sequence[float] = (0.0, 0.0)
    """The point to which the others are relative."""
    fill: str = ""
    edge: float = 0.0
    shade: float = 0.0
    flat: float = 1.0

    def outline(self, at: Point, scale: float = 1.0) -> Polyline:
        """Return the points of the shape where it is painted."""
        left, top = at[0] + self.at[0] * scale, at[1] + self.at[1] * scale
        return tuple((left + x * scale, top + y * scale) for x, y in self.points)

    def paint(self, canvas: Canvas, at: Point, scale: float, colours: Colours) -> None:
        """Paint the shape."""
        points, size = self.outline(at, scale), self.size * scale
        if self.shade:
            canvas.shade([points], self.shade)
        if self.edge:
            canvas.outline(points, self.edge * scale, canvas.theme.ink)
        if not self.fill:
            return
        fill = colours[self.fill] if self.fill in colours else _theme_colour(canvas.theme, self.fill)
        match self.form:
            case Form.POLYGON:
                canvas.polygon(points, fill)
            case Form.LINE:
                canvas.stroke(points, size, fill)
            case Form.DISC:
                canvas.disc(points[0], size, fill, flat=self.flat)
            case Form.ROUNDED:
                canvas.rounded((*points[0], *points[1]), size, fill)
            case never:
                assert_never(never)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes in the order of painting."""

    shapes: tuple[Shape, ...]

    def paint(
        self, canvas: Canvas, at: Point = (0.0, 0.0), *, scale: float = 1.0, colours: Colours = _NO_COLOURS
    ) -> None:
        """Paint all shapes around a point."""
        for shape in self.shapes:
            shape.paint(canvas, at, scale, colours)

    def outlines(self, at: Point) -> Iterator[Polyline]:
        """Yield the outlines of all polygons that are no shadows."""
        return (shape.outline(at) for shape in self.shapes if shape.form is Form.POLYGON and not shape.shade)


def read_drawings(module: str) -> Mapping[str, Drawing]:
    """Return the drawings of the data file beside a module, which passes its ``__file__``, by their names."""
    tables = tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))
    return {name: Drawing(tuple(map(_shape, entries))) for name, entries in tables.items()}


def _shape(entry: dict[str, Any]) -> Shape:
    """Return a shape of a data file.

    Raises:
        ValueError: it has no known form.
    """
    match entry:
        case {"polygon": points, **style}:
            return Shape(Form.POLYGON, tuple(map(tuple, points)), **style)
        case {"box": bounds, **style}:
            return Shape(Form.POLYGON, rectangle(*bounds), **style)
        case {"ellipse": [x, y, *semi_axes], **style}:
            return Shape(Form.POLYGON, ellipse((x, y), *semi_axes), **style)
        case {"line": points, "width": width, **style}:
            return Shape(Form.LINE, tuple(map(tuple, points)), width, **style)
        case {"disc": [x, y, radius], **style}:
            return Shape(Form.DISC, ((x, y),), radius, **style)
        case {"rounded": [left, top, right, bottom, radius], **style}:
            return Shape(Form.ROUNDED, ((left, top), (right, bottom)), radius, **style)
        case _:
            raise ValueError(f"not a shape: {entry}")


def _theme_colour(theme: Theme, name: str) -> Colour:
    """Return a colour of a theme by its name, with its place in nested lists behind dots."""
    group, *places = name.split(".")
    colour: Colour = reduce(getitem, map(int, places), getattr(theme, group))
    return colour
