"""The colours of a picture, in one place, so that another theme is another value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """The colours of everything that is drawn; compared and hashed by identity, since sprites are cached by it."""

    table: Colour
    """Behind the tiles."""
    grid: Colour
    """The lines between empty cells."""
    rim: Colour
    rim_text: Colour
    text: Colour
    muted_text: Colour
    panel: Colour
    """Behind what is shown beside the board."""
    meadow: Colour
    meadow_light: Colour
    meadow_dark: Colour
    tree: Colour
    tree_light: Colour
    tree_dark: Colour
    trunk: Colour
    road: Colour
    road_worn: Colour
    road_edge: Colour
    street: Colour
    """The ground within the walls."""
    street_worn: Colour
    stone: Colour
    stone_light: Colour
    stone_dark: Colour
    ink: Colour
    """Outlines."""
    plaster: Colour
    plaster_dark: Colour
    roofs: tuple[tuple[Colour, Colour], ...]
    """The lit and the shaded side of each kind of roof."""
    spire: Colour
    spire_dark: Colour
    timber: Colour
    timber_light: Colour
    timber_dark: Colour
    awning: tuple[Colour, ...]
    """The stripes of the stalls; the second colour is between all others."""
    square: Colour
    """The ground of villages and markets."""
    water: Colour
    water_light: Colour
    shield: Colour
    shield_mark: Colour
    halo: Colour
    """Round everything that lies on the tiles."""
    highlight: Colour
    """What the picture is about: spots, the ghost, the fief."""
    highlight_dark: Colour
    categories: tuple[Colour, ...]
    """The parts of the bars of the summary."""


DAY: Final = Theme(
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
