"""Castle tiles, segments, wall tiles and actions in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from cogs.games.the_castle.lying import lying
from cogs.texts import t
from cogs.texts.languages import by_ear
from cogs.words.names import capital, direction_words, segment_words, turn_words
from engine import Action, Adjudicate, Cell, Deploy, Pass, Place, Resign, Skip, tiles
from engine.the_castle import (
    Double,
    DoubleFeature,
    ExtraTurn,
    FeatureKind,
    PlayAgain,
    Position,
    ScoreFeature,
    Segment,
    Triple,
    WallTile,
)

_SIZES: Final = {2: "quarter", 4: "half", 6: "three_quarters", 8: "all"}
"""How much of a tile a tower, house or court covers, by its half-sides."""
_ARMS: Final = {1: "end", 3: "three", 4: "all"}
_WITH_ARMS: Final = frozenset({"three", "all"})


def tile_words(kind: tiles.TileKind, rotation: int = 0) -> str:
    """What is drawn on a tile: ``tower on a half, court on a half, path straight on``; to a listener, how it lies."""
    if by_ear():
        return lying(kind, rotation)
    segments = [segment for segment in kind.segments if isinstance(segment, Segment)]
    areas = (segment for segment in segments if segment.kind is not FeatureKind.PATH)
    paths = [segment for segment in segments if segment.kind is FeatureKind.PATH]
    if "square" in kind.flags:
        return ", ".join([*_area_words(areas), t("ward_tile.square", count=len(paths))])
    return ", ".join([*_area_words(areas), *_path_words(paths)])


def _area_words(areas: Iterable[Segment]) -> Iterator[str]:
    alike = Counter((_SIZES.get(len(area.places), "part"), _area_kind(area)) for area in areas)
    return (t(f"ward_tile.{size}", count=count, kind=kind) for (size, kind), count in alike.items())


def _area_kind(area: Segment) -> str:
    kind = t(f"feature.{area.kind}")
    return t("ward_tile.markets", kind=kind, count=area.markets) if area.markets else kind


def _path_words(paths: Iterable[Segment]) -> Iterator[str]:
    alike = Counter((_course(path), path.well) for path in paths)
    for (course, well), count in alike.items():
        words = t(f"ward_tile.path.{course}", count=count)
        yield t("ward_tile.well_arms" if course in _WITH_ARMS else "ward_tile.well", path=words) if well else words


def _course(path: Segment) -> str:
    """How a path runs: by its arms, with two of them by whether it turns."""
    straight = len(path.places) == 2 and (path.places[1] - path.places[0]) % 2 == 0
    return _ARMS.get(len(path.places)) or ("through" if straight else "corner")


def wall_tile_words(kind: WallTile) -> str:
    """A wall tile by its number and what it does."""
    return _named("wall_tile.named", kind)


def wall_tiles_words(kinds: Iterable[WallTile]) -> str:
    """Wall tiles in a row, each kind once: ``2 (doubles a tower), 3 twice (doubles a house)``."""
    counts = Counter(kinds)
    return ", ".join(_named("wall_tile.twice" if n > 1 else "wall_tile.named", kind) for kind, n in counts.items())


def _named(key: str, kind: WallTile) -> str:
    return t(key, number=int(kind), use=t(f"wall_tile.use.{int(kind)}"))


def segment_at(position: Position, cell: Cell, name: str) -> tiles.Segment:
    """A segment of a laid tile or a start space by its name.

    Raises:
        KeyError: there is none.
    """
    parts = position.feature_at(cell, name).parts
    return next(part for at, part in parts if at == cell and part.is_named(name))


def feature_words(position: Position, feature: ScoreFeature) -> str:
    """A feature that is to be scored, and where it lies: ``tower N at M12``."""
    segment = segment_at(position, feature.cell, feature.segment)
    return t("segment.at", segment=segment_words(segment), cell=feature.cell.label)


def short_feature_words(position: Position, feature: ScoreFeature) -> str:
    """The same for a button: ``Tower M12 N``."""
    segment = segment_at(position, feature.cell, feature.segment)
    kind, cell, where = capital(t(f"feature.{segment.kind}")), feature.cell.label, direction_words(segment)
    return t("segment.short", kind=kind, cell=cell, where=where) if where else t("segment.whole", kind=kind, cell=cell)


def action_words(position: Position, action: Action) -> str:
    """An action that is legal in a position, for those who read it before they choose it."""
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
    cell = getattr(position.step, "cell", None)
    if not isinstance(cell, Cell):
        return name
    segment = segment_at(position, cell, name)
    return t("action.deploy_role", role=t(f"role.{segment.kind}"), segment=segment_words(segment))


def _pass_words(position: Position) -> str:
    match position.step:
        case DoubleFeature():
            return t("action.not_doubled")
        case ExtraTurn():
            return t("action.not_again")
        case _:
            return t("action.no_figure")
