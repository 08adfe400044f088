"""Themes: all colours of a picture in one value, so that the same functions draw by day, by night or in high contrast.

Users choose a theme. A theme also has the longest side of its pictures, for users who prefer small ones.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

Colour = tuple[int, int, int]
"""Red, green and blue, from 0 to 255."""

LONGEST_SIDE: Final = 1400
"""The longest side of a picture, in pixels."""
SMALL_LONGEST_SIDE: Final = 840
"""The same for users who prefer small pictures."""


def mixed(first: Colour, second: Colour, share: float) -> Colour:
    """Return the first colour mixed with a share of the second, from 0 to 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return (red, green, blue)


class ThemeName(StrEnum):
    """The name of a theme in the user's settings."""

    DAY = "day"
    NIGHT = "night"
    CONTRAST = "contrast"


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """The colours of everything that is drawn; compared and hashed by identity, because sprites are cached by theme."""

    name: ThemeName
    table: Colour
    """Ground behind the tiles."""
    grid: Colour
    """Lines between empty cells."""
    rim: Colour
    rim_text: Colour
    text: Colour
    muted_text: Colour
    panel: Colour
    """Ground of everything shown beside the board."""
    meadow: Colour
    meadow_light: Colour
    meadow_dark: Colour
    seam: Colour
    """Line in the grass between two tiles."""
    tree: Colour
    tree_light: Colour
    tree_dark: Colour
    trunk: Colour
    road: Colour
    road_worn: Colour
    road_edge: Colour
    street: Colour
    """Ground within the walls of a city."""
    street_worn: Colour
    stone: Colour
    stone_light: Colour
    stone_dark: Colour
    ink: Colour
    """Outlines."""
    plaster: Colour
    plaster_dark: Colour
    window: Colour
    """Doors and windows: dark by day, lit by night."""
    roofs: tuple[tuple[Colour, Colour], ...]
    """Lit and shaded side of each kind of roof."""
    spire: Colour
    spire_dark: Colour
    timber: Colour
    timber_light: Colour
    timber_dark: Colour
    awning: tuple[Colour, ...]
    """Stripes of market stalls; the second colour alternates with each of the others."""
    square: Colour
    """Ground of villages and markets."""
    water: Colour
    water_light: Colour
    shield: Colour
    shield_mark: Colour
    halo: Colour
    """Light outline around everything that lies on the tiles."""
    highlight: Colour
    """Colour of the subject of a picture: lettered cells, the tile on trial, the fief of a castle."""
    highlight_dark: Colour
    dead: Colour
    """Hatching of dead cells, which no remaining tile fits."""
    categories: tuple[Colour, ...]
    """Parts of the bars of the final scores."""
    longest: int = LONGEST_SIDE
    """Longest side, in pixels, of a picture of the board: users who prefer small pictures have a theme of their own."""


def _as_tuples(value: Any) -> Any:  # noqa: ANN401 - TOML is nested lists of any depth
    """Return a value of the data file with tuples in place of its lists."""
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def _read_themes() -> Iterator[tuple[ThemeName, Theme]]:
    """Yield the themes of the data file by name; each entry lists only the colours that differ from the first."""
    tables = tomllib.loads(Path(__file__).with_name("themes.toml").read_text(encoding="utf-8"))
    for name in ThemeName:
        colours = {**tables[ThemeName.DAY], **tables[name]}
        yield name, Theme(name=name, **{part: _as_tuples(value) for part, value in colours.items()})


THEMES: Final[Mapping[ThemeName, Theme]] = dict(_read_themes())
"""All themes by name."""
DAY: Final = THEMES[ThemeName.DAY]
"""The bright theme, which is the default."""
NIGHT: Final = THEMES[ThemeName.NIGHT]
"""The dark theme."""
CONTRAST: Final = THEMES[ThemeName.CONTRAST]
"""The theme with strong contrasts."""
_SMALL: Final[Mapping[ThemeName, Theme]] = {
    name: replace(theme, longest=SMALL_LONGEST_SIDE) for name, theme in THEMES.items()
}
"""The themes of small pictures by name; each exists once, because themes are compared by identity."""


def small(theme: Theme) -> Theme:
    """Return the theme with the same colours, for small pictures."""
    return _SMALL[theme.name]
