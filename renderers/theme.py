"""Themes: all colours of a picture in one value, so that another theme is another value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

Colour = tuple[int, int, int]

LONGEST_SIDE: Final = 1400
SMALL_LONGEST_SIDE: Final = 840
"""The longest side of a picture in pixels: by default, and for users who prefer small pictures."""


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


DAY: Final = Theme(
    name=ThemeName.DAY,
    table=(47, 52, 60),
    grid=(64, 70, 80),
    rim=(36, 40, 47),
    rim_text=(222, 226, 232),
    text=(240, 242, 246),
    muted_text=(168, 175, 186),
    panel=(36, 40, 47),
    meadow=(141, 178, 86),
    meadow_light=(160, 194, 100),
    meadow_dark=(120, 158, 74),
    seam=(120, 158, 74),
    tree=(84, 130, 62),
    tree_light=(112, 158, 78),
    tree_dark=(58, 96, 50),
    trunk=(101, 76, 48),
    road=(238, 226, 196),
    road_worn=(248, 240, 218),
    road_edge=(140, 112, 74),
    street=(222, 190, 138),
    street_worn=(229, 200, 151),
    stone=(176, 166, 150),
    stone_light=(214, 206, 192),
    stone_dark=(112, 102, 92),
    ink=(58, 46, 38),
    plaster=(240, 224, 194),
    plaster_dark=(206, 182, 146),
    window=(98, 62, 34),
    roofs=(
        ((205, 92, 58), (165, 66, 44)),
        ((217, 112, 68), (176, 80, 50)),
        ((188, 78, 60), (148, 56, 46)),
        ((196, 120, 66), (156, 88, 50)),
    ),
    spire=(92, 122, 158),
    spire_dark=(62, 88, 122),
    timber=(164, 112, 62),
    timber_light=(204, 152, 94),
    timber_dark=(98, 62, 34),
    awning=((206, 62, 52), (250, 244, 230), (52, 116, 176), (226, 160, 44)),
    square=(206, 178, 132),
    water=(92, 160, 200),
    water_light=(150, 202, 228),
    shield=(38, 74, 160),
    shield_mark=(250, 214, 88),
    halo=(255, 255, 255),
    highlight=(255, 214, 64),
    highlight_dark=(60, 44, 0),
    dead=(110, 118, 130),
    categories=(
        (205, 92, 58),
        (238, 226, 196),
        (150, 130, 200),
        (141, 178, 86),
        (150, 160, 172),
        (226, 160, 44),
        (92, 160, 200),
    ),
)
"""Bright land on a slate table."""

NIGHT: Final = replace(
    DAY,
    name=ThemeName.NIGHT,
    table=(49, 51, 56),
    grid=(62, 64, 71),
    rim=(43, 45, 49),
    rim_text=(219, 222, 225),
    text=(242, 243, 245),
    muted_text=(160, 165, 173),
    panel=(43, 45, 49),
    meadow=(66, 94, 72),
    meadow_light=(76, 106, 78),
    meadow_dark=(54, 80, 64),
    seam=(54, 80, 64),
    tree=(40, 68, 52),
    tree_light=(58, 90, 66),
    tree_dark=(24, 44, 38),
    trunk=(50, 42, 38),
    road=(158, 154, 150),
    road_worn=(180, 176, 170),
    road_edge=(70, 64, 62),
    street=(132, 113, 103),
    street_worn=(142, 122, 111),
    stone=(116, 116, 126),
    stone_light=(156, 156, 168),
    stone_dark=(68, 68, 80),
    ink=(22, 20, 28),
    plaster=(160, 146, 132),
    plaster_dark=(118, 108, 108),
    window=(255, 208, 112),
    roofs=(
        ((136, 64, 54), (100, 46, 46)),
        ((146, 78, 58), (110, 56, 48)),
        ((122, 54, 56), (90, 40, 46)),
        ((132, 84, 58), (100, 62, 48)),
    ),
    spire=(76, 98, 138),
    spire_dark=(48, 64, 98),
    timber=(126, 86, 54),
    timber_light=(164, 120, 78),
    timber_dark=(66, 42, 30),
    awning=((160, 52, 52), (196, 190, 182), (50, 92, 146), (180, 128, 48)),
    square=(130, 112, 94),
    water=(58, 98, 134),
    water_light=(104, 146, 178),
    shield=(40, 70, 156),
    shield_mark=(240, 204, 92),
    halo=(240, 241, 245),
    dead=(104, 108, 118),
    categories=(
        (196, 96, 72),
        (204, 198, 186),
        (150, 130, 200),
        (112, 158, 104),
        (136, 142, 156),
        (206, 152, 60),
        (92, 150, 196),
    ),
)
"""Land in moonlight with lit windows, on the grey of Discord's dark mode."""

CONTRAST: Final = replace(
    DAY,
    name=ThemeName.CONTRAST,
    table=(0, 0, 0),
    grid=(74, 74, 74),
    rim=(0, 0, 0),
    rim_text=(255, 255, 255),
    text=(255, 255, 255),
    muted_text=(200, 200, 200),
    panel=(0, 0, 0),
    meadow=(24, 104, 56),
    meadow_light=(24, 104, 56),
    meadow_dark=(24, 104, 56),
    seam=(10, 72, 36),
    tree=(14, 78, 40),
    tree_light=(44, 132, 76),
    tree_dark=(4, 48, 22),
    trunk=(40, 26, 12),
    road=(255, 255, 255),
    road_worn=(255, 255, 255),
    road_edge=(0, 0, 0),
    street=(255, 214, 140),
    street_worn=(255, 226, 168),
    stone=(206, 206, 206),
    stone_light=(255, 255, 255),
    stone_dark=(84, 84, 84),
    ink=(0, 0, 0),
    plaster=(255, 240, 214),
    plaster_dark=(214, 180, 136),
    window=(0, 0, 0),
    roofs=(
        ((190, 60, 30), (126, 32, 16)),
        ((198, 70, 36), (132, 38, 18)),
        ((170, 46, 24), (112, 26, 12)),
        ((182, 54, 26), (120, 30, 14)),
    ),
    spire=(60, 100, 190),
    spire_dark=(24, 52, 124),
    timber=(176, 104, 36),
    timber_light=(240, 178, 96),
    timber_dark=(52, 26, 4),
    awning=((206, 30, 30), (255, 255, 255), (20, 80, 190), (255, 176, 0)),
    square=(255, 214, 140),
    water=(70, 170, 255),
    water_light=(190, 226, 255),
    shield=(10, 40, 160),
    shield_mark=(255, 224, 60),
    highlight=(255, 230, 0),
    highlight_dark=(0, 0, 0),
    dead=(190, 190, 190),
    categories=(
        (255, 140, 90),
        (255, 255, 255),
        (190, 160, 255),
        (90, 210, 120),
        (170, 180, 196),
        (255, 190, 0),
        (100, 190, 255),
    ),
)
"""Few colours, each far from the next in lightness, and grass without texture."""

THEMES: Final[Mapping[ThemeName, Theme]] = MappingProxyType({theme.name: theme for theme in (DAY, NIGHT, CONTRAST)})
"""All themes by name."""
_SMALL: Final[Mapping[ThemeName, Theme]] = MappingProxyType(
    {name: replace(theme, longest=SMALL_LONGEST_SIDE) for name, theme in THEMES.items()}
)
"""The themes of small pictures by name; one value each, because themes are compared by identity."""


def small(theme: Theme) -> Theme:
    """Return the theme with the same colours, for small pictures."""
    return _SMALL[theme.name]
