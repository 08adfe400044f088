"""Words for The Castle: its tiles and segments, wall tiles, actions, events, and the castle wall.

No two drawings have the same description, nor do two rotations of a drawing that look different.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias, assert_never

from cogs.presenting.presenter import Listener
from cogs.texts import listed, t
from cogs.texts.languages import by_ear
from cogs.words.names import capital, corner, direction_words, segment_words, sides, turn_words
from cogs.words.story import place_words, reason_words
from engine import Action, Adjudicate, Cell, Deploy, Pass, Place, Resign, Skip, tiles
from engine.actions import seats
from engine.events import Deployed, Event, Resigned, Scored, TileDiscarded, TilePlaced, TurnSkipped
from engine.geometry import CORNERS, Side
from engine.the_castle import (
    Double,
    DoubleFeature,
    ExtraTurn,
    FeatureKind,
    PlayAgain,
    Position,
    ScoreFeature,
    Segment,
    StartSpace,
    Triple,
    WallTile,
    wall,
)
from engine.the_castle.events import KeepMoved, KeepsCompared, WallTilesUsed, WallTileTaken
from engine.the_castle.wall import TRACK_SPACES


def tile_aloud(kind: tiles.TileKind, rotation: int) -> str:
    """Describe a rotated tile: ``tower: north-west and north-east; court: south-east and south-west; path: north``."""
    segments = [segment.turned(rotation // 90) for segment in kind.segments if isinstance(segment, Segment)]
    paths = sorted((part for part in segments if part.kind is FeatureKind.PATH), key=lambda path: path.places)
    areas = sorted((part for part in segments if part.kind is not FeatureKind.PATH), key=_corners)
    parts = [t("lies.part", what=feature(segment), where=segment_place(segment)) for segment in (*areas, *paths)]
    return "; ".join([*parts, *([t("ward_tile.square", count=len(paths))] if "square" in kind.flags else ())])


def feature(segment: Segment) -> str:
    """Name a segment with what is drawn on it, such as ``court with a market``."""
    words = t(f"feature.{segment.kind}")
    if segment.markets:
        return t("ward_tile.markets", kind=words, count=segment.markets)
    return t("ward_tile.well", path=words) if segment.well else words


def segment_place(segment: Segment) -> str:
    """Name the sides to which a path runs, or the corners that another segment covers."""
    if segment.kind is FeatureKind.PATH:
        return sides(Side(place).name for place in segment.places)
    return sides(CORNERS[place] for place in _corners(segment))


def _corners(segment: Segment) -> list[int]:
    """Return the corners of the tile that a segment touches, in order."""
    return sorted({corner(half) for half in segment.places})


_SIZES: Final = {2: "quarter", 4: "half", 6: "three_quarters", 8: "all"}
"""Keys for the part of a tile that a tower, house or court covers, by its number of half-sides."""
_ARMS: Final = {1: "end", 3: "three", 4: "all"}
"""Keys for the course of a path by its number of arms; two arms are described by their direction."""
_WITH_ARMS: Final = frozenset({"three", "all"})
"""Courses with a sentence of their own about a well."""


def tile_words(kind: tiles.TileKind, rotation: int = 0) -> str:
    """Describe a tile in short: ``tower on a half, court on a half, path straight on``; to listeners, side by side."""
    if by_ear():
        return tile_aloud(kind, rotation)
    segments = [segment for segment in kind.segments if isinstance(segment, Segment)]
    areas = (segment for segment in segments if segment.kind is not FeatureKind.PATH)
    paths = [segment for segment in segments if segment.kind is FeatureKind.PATH]
    if "square" in kind.flags:
        return ", ".join([*_area_words(areas), t("ward_tile.square", count=len(paths))])
    return ", ".join([*_area_words(areas), *_path_words(paths)])


def _area_words(areas: Iterable[Segment]) -> Iterator[str]:
    """Describe the towers, houses and courts of a tile in short, alike ones together."""
    alike = Counter((_SIZES.get(len(area.places), "part"), _area_kind(area)) for area in areas)
    return (t(f"ward_tile.{size}", count=count, kind=kind) for (size, kind), count in alike.items())


def _area_kind(area: Segment) -> str:
    """Name a tower, house or court, with the markets on it."""
    kind = t(f"feature.{area.kind}")
    return t("ward_tile.markets", kind=kind, count=area.markets) if area.markets else kind


def _path_words(paths: Iterable[Segment]) -> Iterator[str]:
    """Describe the paths of a tile in short, alike ones together."""
    alike = Counter((_course(path), path.well) for path in paths)
    for (course, well), count in alike.items():
        words = t(f"ward_tile.path.{course}", count=count)
        yield t("ward_tile.well_arms" if course in _WITH_ARMS else "ward_tile.well", path=words) if well else words


def _course(path: Segment) -> str:
    """Return the key of a path's course: by its arms, and with two arms by its direction."""
    straight = len(path.places) == 2 and (path.places[1] - path.places[0]) % 2 == 0
    return _ARMS.get(len(path.places)) or ("through" if straight else "corner")


def wall_tile_words(kind: WallTile) -> str:
    """Name a wall tile by its number and use."""
    return _named("wall_tile.named", kind)


def wall_tiles_words(kinds: Iterable[WallTile]) -> str:
    """Name wall tiles, each kind once: ``2 (doubles a tower), 3 twice (doubles a house)``."""
    counts = Counter(kinds)
    return ", ".join(_named("wall_tile.twice" if n > 1 else "wall_tile.named", kind) for kind, n in counts.items())


def _named(key: str, kind: WallTile) -> str:
    """Fill in a sentence about a wall tile with its number and use."""
    return t(key, number=int(kind), use=t(f"wall_tile.use.{int(kind)}"))


def segment_at(position: Position, cell: Cell, name: str) -> tiles.Segment:
    """Return a segment of a laid tile or a start space by its name.

    Raises:
        KeyError: there is no such segment.
    """
    parts = position.feature_at(cell, name).parts
    return next(part for at, part in parts if at == cell and part.is_named(name))


def feature_words(position: Position, feature: ScoreFeature) -> str:
    """Name a feature to score and its place: ``tower N at M12``."""
    segment = segment_at(position, feature.cell, feature.segment)
    return t("segment.at", segment=segment_words(segment), cell=feature.cell.label)


def short_feature_words(position: Position, feature: ScoreFeature) -> str:
    """Name a feature for a button: ``Tower M12 N``."""
    segment = segment_at(position, feature.cell, feature.segment)
    kind, cell, where = capital(t(f"feature.{segment.kind}")), feature.cell.label, direction_words(segment)
    return t("segment.short", kind=kind, cell=cell, where=where) if where else t("segment.whole", kind=kind, cell=cell)


def action_words(position: Position, action: Action) -> str:
    """Describe an action that is legal in a position."""
    match action:
        case Place(cell=cell, rotation=rotation):
            return t("action.place", cell=cell.label, turn=turn_words(rotation))
        case Deploy(segment=name):
            return _deploy_words(position, name)
        case ScoreFeature():
            return t("action.score_first", feature=feature_words(position, action))
        case Pass():
            return _pass_words(position)
        case Double() | Triple() | PlayAgain() | Resign() | Skip() | Adjudicate():
            return t(f"action.{type(action).__name__}")
        case _:
            raise LookupError(f"no action of The Castle: {action}")


def _deploy_words(position: Position, name: str) -> str:
    """Name the figure that is deployed, and the segment on which it is placed."""
    cell = getattr(position.step, "cell", None)
    if not isinstance(cell, Cell):
        return name
    segment = segment_at(position, cell, name)
    return t("action.deploy_role", role=t(f"role.{segment.kind}"), segment=segment_words(segment))


def _pass_words(position: Position) -> str:
    """Describe a pass by the offer that it declines."""
    match position.step:
        case DoubleFeature():
            return t("action.not_doubled")
        case ExtraTurn():
            return t("action.not_again")
        case _:
            return t("action.no_figure")


_MoveEvent: TypeAlias = TilePlaced | Deployed | TileDiscarded | Resigned | TurnSkipped
_WallEvent: TypeAlias = WallTileTaken | WallTilesUsed | KeepMoved


def sentence(names: Sequence[str], event: Event) -> str:
    """Tell an event; empty for events that are not told."""
    match event:
        case TilePlaced() | Deployed() | TileDiscarded() | Resigned() | TurnSkipped():
            return _move(names, event)
        case Scored():
            return _score(names, event)
        case WallTileTaken() | WallTilesUsed() | KeepMoved():
            return _wall(names, event)
        case KeepsCompared():
            return _keeps(names, event)
        case _:
            return ""


def _move(names: Sequence[str], event: _MoveEvent) -> str:
    """Tell a placement, a deployment, a discarded tile, a resignation or a skipped turn."""
    name = names[event.player]
    match event:
        case TilePlaced():
            return t("story.placed", player=name, cell=event.cell.label, tile=tile_words(event.tile, event.rotation))
        case Deployed():
            role = t(f"role.{event.segment.kind}")
            return t("story.deployed_role", player=name, role=role, segment=segment_words(event.segment))
        case TileDiscarded():
            return t("story.discarded", player=name, tile=tile_words(event.tile))
        case Resigned():
            return t("story.resigned", player=name)
        case TurnSkipped():
            return t("story.skipped_turn", player=name)
        case never:
            assert_never(never)


def _score(names: Sequence[str], event: Scored) -> str:
    """Tell a score, with the feature that brought it and the reason."""
    name, points = names[event.player], event.points
    match event.kind:
        case "keep":
            return t("story.scored_keep", player=name, count=points, reason=reason_words(event.terms))
        case "wall_tile_9":
            return t("story.scored_wall_tile_9", player=name, count=event.terms[0].count, points=points)
        case _:
            key = "story.scored_final" if event.final else "story.scored"
            return t(key, player=name, count=points, kind=place_words(event), reason=reason_words(event.terms))


def _wall(names: Sequence[str], event: _WallEvent) -> str:
    """Tell that a player has taken or used a wall tile, or that their keep has moved."""
    name = names[event.player]
    match event:
        case WallTileTaken():
            return t("story.wall_tile_taken", player=name, space=event.space, tile=wall_tile_words(event.kind))
        case WallTilesUsed():
            number, tile = int(event.kind), wall_tile_words(event.kind)
            return t("story.wall_tiles_used", player=name, count=event.count, number=number, tile=tile)
        case KeepMoved():
            return t("story.keep_moved", player=name, size=event.size)
        case never:
            assert_never(never)


def _keeps(names: Sequence[str], event: KeepsCompared) -> str:
    """Tell the sizes that the keeps count at the end of the game; empty if there are no keeps."""
    if not any(event.sizes):
        return ""
    keeps = [
        t("story.keep_raised" if counted > size else "story.keep", player=name, size=size, counted=counted)
        for name, size, counted in zip(names, event.sizes, event.counted, strict=True)
    ]
    return t("story.keeps", keeps=", ".join(keeps))


def planned_sentence(names: Sequence[str], event: Event) -> str:
    """Tell an event before the move is made, without naming wall tiles that lie face down."""
    if isinstance(event, WallTileTaken):
        return t("story.wall_tile_waits", player=names[event.player], space=event.space)
    return sentence(names, event)


def wall_words(listener: Listener, position: Position) -> Iterator[str]:
    """Tell where the markers, wall tiles and keeps are, and what is drawn at the start spaces."""
    for name, points in zip(listener.names, position.scores, strict=True):
        yield t("tell.marker", player=name, space=points % TRACK_SPACES)
        distances = [(corner + space - points) % TRACK_SPACES for corner in position.corners for space in (0, 1)]
        if any(distances):
            yield t("tell.ahead", count=min(steps for steps in distances if steps))
    corners = [t("tell.spaces", one=corner, other=corner + 1) for corner in position.corners]
    yield t("tell.wall_tiles", spaces="; ".join(corners)) if corners else t("tell.no_wall_tiles")
    yield from _keeps_standing(listener, position)
    yield from (t("tell.start", cell=start.cell.label, drawn=_drawn(start)) for start in wall().starts)


def _keeps_standing(listener: Listener, position: Position) -> Iterator[str]:
    """Say for each player where their keep stands and how large it is, or that they have none."""
    for seat, name in zip(seats(position.players), listener.names, strict=True):
        house, keep = position.house_of(seat), position.keeps[seat]
        if house is not None and keep is not None:
            cells = dict.fromkeys(cell.label for cell, _ in house.parts)
            yield t("tell.keep", player=name, cells=listed(list(cells)), size=keep.size)
        else:
            yield t("tell.no_keep", player=name)


def also_revealed(before: Position, after: Position) -> Iterator[str]:
    """Tell the wall tiles that were turned up between two positions."""
    for space in after.taken:
        if space not in before.taken:
            spaces = t("tell.spaces", one=space, other=space + 1)
            kind = after.setup.wall_tile_on(space)
            yield t("undo.seen_wall_tile", tile=wall_tile_words(kind), spaces=spaces)


def border_words(_: Position, cell: Cell) -> str:
    """Describe a cell of the wall or beyond it; empty within the wall."""
    start = next((start for start in wall().starts if start.cell == cell), None)
    if start is not None:
        return t("tell.start_space", drawn=_drawn(start))
    inside = cell.square in wall().inside
    return "" if inside else t("tell.wall" if any(part.cell == cell for part in wall().squares) else "tell.outside")


def _drawn(start: StartSpace) -> str:
    """Describe what is drawn at a start space, and on which side of the wall."""
    return f"{t(f'direction.{start.side.name}')}: {tile_aloud(start.kind, 0)}"
