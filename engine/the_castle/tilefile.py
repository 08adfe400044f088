"""Sets of castle tiles as text: the built-in one, and those that an owner of the published game writes down.

The format is TOML; ``engine/the_castle/data/tiles.toml`` explains it. Every tile is checked when it is read, so any set
that has been read can be played. Codes such as TC-02 are rules of the rule digest.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from importlib import resources
from types import MappingProxyType
from typing import Final

from engine.caching import thread_safe_cache, thread_safe_lru_cache
from engine.errors import NotationError
from engine.geometry import HALVES
from engine.the_castle.tiles import FeatureKind, Segment, TileKind, TileSet, places_of

DEFAULT_TILE_SET: Final = "castle"
"""The name of the set with Castellan's own drawings."""
TILE_COUNT: Final = 60
"""The number of castle tiles in the box, all of them different (TC-02, TC-03)."""
SQUARE: Final = "square"
"""The flag of a tile on which paths end in a square (TC-05)."""
_TILE_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,12}")
"""The characters of a tile's id."""
_HEADER: Final = re.compile(r"""\s*\[\s*["']?([^"'\]]+?)["']?\s*\]""")
"""The line ``[id]`` that begins a tile, also with quotes."""


class TileFileError(NotationError):
    """The text is not a valid set of castle tiles; ``problems`` lists everything wrong with it, one sentence each."""

    code = "tile-file"

    def __init__(self, *problems: str) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


@thread_safe_cache
def default_tile_set() -> TileSet:
    """Return Castellan's own tile set, the default."""
    text = resources.files("engine.the_castle.data").joinpath("tiles.toml").read_text(encoding="utf-8")
    return _tile_set(DEFAULT_TILE_SET, _drawings(text))


@thread_safe_lru_cache(8)
def read_tiles(text: str) -> TileSet:
    """Read a tile set that an owner of the game has written down; its name is a hash of its content.

    Raises:
        TileFileError: the text is not TOML, or its tiles cannot be those of the game.
    """
    drawings = _drawings(text)
    name = sha256("".join(_tile_text(*drawing) for drawing in sorted(drawings.items())).encode()).hexdigest()[:12]
    return _tile_set(name, drawings)


def tile_set_text(tiles: TileSet) -> str:
    """Return a tile set in the form that :func:`read_tiles` reads."""
    return "".join(_tile_text(_local(kind), (kind.segments, kind.flags)) for kind in tiles.kinds.values())


def parse_segment(text: str) -> Segment:
    """Read ``kind places; attribute …``.

    Raises:
        ValueError: the text is not a segment.
    """
    head, *attributes = (part.split() for part in text.split(";"))
    if not head or head[0] not in set(FeatureKind):
        raise ValueError(f"{text!r} begins with no path, tower, house or court")
    kind, names = FeatureKind(head[0]), places_of(FeatureKind(head[0]))
    unknown = [name for name in head[1:] if name not in names]
    if unknown or len(head) == 1:
        raise ValueError(f"{text!r} has to name its places, of {' '.join(names)}, and no others")
    places = tuple(sorted(names.index(name) for name in head[1:]))
    match kind, attributes:
        case _, []:
            return Segment(kind, places)
        case FeatureKind.PATH, [["well"]]:
            return Segment(kind, places, well=True)
        case FeatureKind.COURT, [["markets", count]] if count.isdecimal():
            return Segment(kind, places, markets=int(count))
        case _:
            raise ValueError(f"{text!r} has attributes that no {kind} has")


Drawing = tuple[tuple[Segment, ...], frozenset[str]]
"""The segments and the flags of a tile."""


def _drawings(text: str) -> dict[str, Drawing]:
    """Read the drawings (segments and flags) of all tiles, by the ids of the tiles.

    Raises:
        TileFileError: the text is not TOML, or some drawings are wrong.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TileFileError(f"not TOML: {error}") from error
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        header = _HEADER.match(line)
        if header is not None:
            lines.setdefault(header[1], number)
    drawings: dict[str, Drawing] = {}
    problems: list[str] = []
    for name, table in tables.items():
        place = f"line {lines[name]}, tile {name}" if name in lines else f"tile {name}"
        try:
            drawings[name] = _drawing(name, table)
        except ValueError as error:
            problems.append(f"{place}: {error}")
    if len(tables) != TILE_COUNT:
        problems.append(f"{len(tables)} tiles, where the game has {TILE_COUNT}")
    if problems:
        raise TileFileError(*problems)
    return drawings


def _drawing(name: str, table: object) -> Drawing:
    """Read and check the TOML table of a tile."""
    if not _TILE_ID.fullmatch(name):
        raise ValueError("its name has to be of at most 12 letters, digits, hyphens and underscores")
    match table:
        case {"segments": [*texts], **rest} if texts and all(isinstance(text, str) for text in texts):
            flags = rest.pop("flags", [])
        case _:
            raise ValueError("it needs a list of texts called segments")
    if rest or flags not in ([], [SQUARE]):
        raise ValueError(f'beside segments it can have nothing but flags = ["{SQUARE}"]')
    segments = tuple(parse_segment(text) for text in texts)
    problems = list(_contradictions(segments, square=bool(flags)))
    if problems:
        raise ValueError(", ".join(problems))
    return segments, frozenset(flags)


def _contradictions(segments: Iterable[Segment], *, square: bool) -> Iterator[str]:
    """Yield the contradictions in a tile, such as a half-side that belongs to no segment or to two."""
    paths = [segment for segment in segments if segment.kind is FeatureKind.PATH]
    halves = Counter(half for segment in segments if segment.kind is not FeatureKind.PATH for half in segment.places)
    sides = Counter(side for path in paths for side in path.place_names)
    for half, name in enumerate(HALVES):
        if halves[half] != 1:
            yield f"{name} belongs to {halves[half] or 'no'} towers, houses or courts instead of one"
    yield from (f"{side} belongs to {count} paths" for side, count in sides.items() if count > 1)
    if square and (len(paths) < 2 or any(len(path.places) > 1 for path in paths)):
        yield "its square needs two paths or more, and each of them has one side (TC-05)"


def _tile_set(name: str, drawings: Mapping[str, Drawing]) -> TileSet:
    """Return the tile set with this name and these drawings."""
    kinds = (TileKind(f"{name}/{local}", 1, segments, flags) for local, (segments, flags) in drawings.items())
    return TileSet(name, MappingProxyType({kind.id: kind for kind in kinds}))


def _local(kind: TileKind) -> str:
    """Return the local name of a tile: its name within the file, without the name of the set before it."""
    return kind.id.rpartition("/")[2]


def _tile_text(name: str, drawing: Drawing) -> str:
    """Return a tile in the form of a TOML table."""
    segments, flags = drawing
    texts = ", ".join(f'"{_segment_text(segment)}"' for segment in segments)
    return f"[{name}]\nsegments = [{texts}]\n" + (f'flags = ["{SQUARE}"]\n' if flags else "")


def _segment_text(segment: Segment) -> str:
    """Return a segment in the form that :func:`parse_segment` reads."""
    places = " ".join(segment.place_names)
    attribute = f"; markets {segment.markets}" if segment.markets else "; well" if segment.well else ""
    return f"{segment.kind} {places}{attribute}"
