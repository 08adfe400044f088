"""Carcassonne in words: tiles, actions, events and places on the board.

To listeners, a tile is described by its sides in order and by what joins them. No two drawings have the same
description, nor do two rotations of a drawing that look different.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import assert_never

from cogs.games.carcassonne.box import BOXES, question_of
from cogs.texts import listed, t
from cogs.texts.languages import by_ear
from cogs.words.names import corner, corners, segment_words, sides, split_corners, turn_words
from cogs.words.story import place_words, reason_words
from engine import Action, Adjudicate, Cell, Deploy, Pass, Place, Resign, Skip, tiles
from engine.carcassonne import Decline, FeatureKind, Position, Segment, tile
from engine.events import Deployed, Event, Resigned, Scored, TileDiscarded, TilePlaced, TurnSkipped
from engine.geometry import Side


def segment_on(position: Position, cell: Cell, name: str) -> Segment:
    """Return the segment of a laid tile, or of a piece built on it, with this name.

    Raises:
        LookupError: there is no such segment.
    """
    placed = position.tile_at(cell)
    for _, part in position.land.segments(placed) if placed else ():
        if part.is_named(name):
            return part
    raise LookupError(f"{cell.label}.{name}")


def place_of(position: Position, cell: Cell, name: str) -> str:
    """Name a segment with its cell."""
    return t("segment.at", segment=segment_words(segment_on(position, cell, name)), cell=cell.label)


def shape(segment: tiles.Segment) -> str:
    """Classify the sides of a segment: ``edge``, ``corner``, ``through``, ``three`` or ``all``."""
    match len(segment.places):
        case 1:
            return "edge"
        case 2:
            return "through" if (segment.places[1] - segment.places[0]) % 2 == 0 else "corner"
        case 3:
            return "three"
        case _:
            return "all"


def drawn_in(segment: Segment) -> str:
    """Name the drawing on a segment, other than pennants, as the end of a key ``tile.with.NAME``; empty if none."""
    return next(filter(None, (box.drawn(segment) for box in BOXES.values())), "")


def with_drawn(feature: str, drawing: str) -> str:
    """Name a feature with the drawing on it."""
    return t(f"tile.with.{drawing}", feature=feature) if drawing else feature


def tile_aloud(kind: tiles.TileKind, rotation: int) -> str:
    """Describe a rotated tile: ``north city, east road, south field, west road; road joins east and west``."""
    segments = tile(kind.id).faces[rotation // 90].segments
    side_words = ", ".join(_sides(segments))
    return "; ".join(
        [*([side_words] if side_words else ()), *_joining(segments), *_inside(kind), *_fields(kind, rotation, segments)]
    )


def _sides(segments: Sequence[Segment]) -> Iterator[str]:
    """Yield the segment at each side."""
    fields_last = sorted(segments, key=lambda segment: segment.kind is FeatureKind.FIELD)
    for side in Side:
        at_side = next((segment for segment in fields_last if _touches(segment, side)), None)
        if at_side is not None:
            name = feature(at_side) if len(at_side.places) == 1 else t(f"feature.{at_side.kind}")
            yield t("lies.part", what=name, where=t(f"direction.{side.name}"))


def _touches(segment: Segment, side: Side) -> bool:
    """Return True if a side of the tile belongs to this segment; a field has to cover both of its halves."""
    if segment.kind in segment.HALF_KINDS:
        return {2 * side, 2 * side + 1} <= set(segment.places)
    return side in segment.places


def feature(segment: Segment) -> str:
    """Name a segment with what is drawn on it, such as ``city with a pennant``."""
    words = t(f"feature.{segment.kind}")
    if segment.pennants == 1:
        words = t("lies.pennant", feature=words)
    return with_drawn(_with_pennants(words, segment.pennants), drawn_in(segment))


def _with_pennants(feature: str, count: int) -> str:
    """Name a feature with its pennants, if it has several."""
    return t("tile.with.pennants", feature=feature, count=count) if count > 1 else feature


def _joining(segments: Sequence[Segment]) -> Iterator[str]:
    """Yield each segment that joins sides."""
    for segment in segments:
        if segment.kind not in segment.HALF_KINDS and not segment.is_bare and len(segment.places) > 1:
            yield t("lies.joins", what=feature(segment), where=sides(Side(place).name for place in segment.places))


def _inside(kind: tiles.TileKind) -> Iterator[str]:
    """Yield the segments that touch no side, and the drawings that belong to the whole tile."""
    if any(segment.kind is FeatureKind.MONASTERY for segment in kind.segments if isinstance(segment, Segment)):
        yield t("tile.monastery")
    for box in BOXES.values():
        yield from box.parts(kind)
    yield from (t(f"tile.flag.{flag}") for flag in sorted(kind.flags))


def _fields(kind: tiles.TileKind, rotation: int, segments: Sequence[Segment]) -> Iterator[str]:
    """Yield the number of fields, and their places."""
    # Fields named by their corners are sorted, so that rotations that look the same have the same words.
    fields = sorted((part for part in segments if part.kind is FeatureKind.FIELD), key=lambda field: field.corner)
    if len(fields) == 1 and not fields[0].places:
        yield t("lies.enclosed_field")
    elif fields:
        roads = {side for segment in segments if segment.kind not in segment.HALF_KINDS for side in segment.places}
        split = split_corners(kind, rotation, FeatureKind.FIELD)
        where = "; ".join(_field(field, roads, split) for field in fields)
        yield t("lies.fields", count=len(fields), fields=where)


def _field(field: Segment, parted: Collection[int], split: Collection[int]) -> str:
    """Name the place of a field: the whole sides that it covers, and further corners."""
    if not field.places:
        enclosed = t("lies.enclosed")
        return t("segment.aloud", kind=enclosed, where=sides(field.place_names)) if field.place_names else enclosed
    whole_sides = [side for side in Side if side not in parted and {2 * side, 2 * side + 1} <= set(field.places)]
    covered = {place for side in whole_sides for place in (side, (side + 1) % 4)}
    lone_halves = [half for half in field.places if corner(half) not in covered]
    return listed([*(t(f"direction.{side.name}") for side in whole_sides), *corners(lone_halves, split)])


def tile_words(kind: tiles.TileKind, rotation: int = 0) -> str:
    """Describe a tile in short: ``city corner with a pennant, road bend``; to listeners, side by side."""
    if by_ear():
        return tile_aloud(kind, rotation)
    segments = tile(kind.id).segments
    cities = [segment for segment in segments if segment.kind is FeatureKind.CITY]
    roads = [segment for segment in segments if segment.kind is FeatureKind.ROAD]
    parts = [*_city_words(cities), *_road_words(roads), *(part for box in BOXES.values() for part in box.parts(kind))]
    if any(segment.kind is FeatureKind.MONASTERY for segment in segments):
        parts.append(t("tile.monastery"))
    parts += [t(f"tile.flag.{flag}") for flag in sorted(kind.flags)]
    return ", ".join(parts or [t("tile.field_only")])


def _city_words(cities: Iterable[Segment]) -> Iterator[str]:
    """Describe the cities of a tile in short, those of the same shape together."""
    alike = Counter((shape(segment), segment.pennants, drawn_in(segment)) for segment in cities)
    for (form, pennants, drawn), count in alike.items():
        city = t(f"tile.city.{form}_pennant" if pennants == 1 else f"tile.city.{form}", count=count)
        yield with_drawn(_with_pennants(city, pennants), drawn)


def _road_words(roads: Iterable[Segment]) -> Iterator[str]:
    """Describe the roads of a tile in short, those of the same shape together."""
    alike = Counter((shape(segment), drawn_in(segment)) for segment in roads)
    return (with_drawn(t(f"tile.road.{form}", count=count), drawn) for (form, drawn), count in alike.items())


def action_words(position: Position, action: Action) -> str:
    """Describe an action that is legal in a position."""
    match action:
        case Place():
            return _place_words(position, action)
        case Deploy():
            return t("action.deploy_role", role=figure_words(action.figure), segment=_deploy_words(position, action))
        case Pass():
            question = question_of(position)
            return t(question.passing if question else "action.no_follower")
        case Decline() | Resign() | Skip() | Adjudicate():
            return t(f"action.{type(action).__name__}")
        case _:
            return _box_words(position, action)


def _place_words(position: Position, place: Place) -> str:
    """Describe a placement: the cell, the rotation, and the piece without which the tile would not fit."""
    cell, turn = place.cell.label, turn_words(place.rotation)
    if place.aid is None:
        return t("action.place", cell=cell, turn=turn)
    return t("action.place_aided", cell=cell, turn=turn, aid=action_words(position, place.aid))


def _deploy_words(position: Position, action: Deploy) -> str:
    """Name the segment on which a figure is deployed, with its place on the tile just laid."""
    cell = getattr(
        position.step, "cell", None
    )  # a figure is deployed on the tile just laid; a box may have other steps
    return segment_words(segment_on(position, cell, action.segment)) if isinstance(cell, Cell) else action.segment


def _box_words(position: Position, action: Action) -> str:
    """Describe an action in the words of the expansion that it belongs to."""
    for box in BOXES.values():
        if type(action) in box.actions:
            return box.actions[type(action)](position, action)
    raise LookupError(f"no action of Carcassonne: {action}")


def figure_words(figure: str) -> str:
    """Return the name of a figure of the engine."""
    return t(f"figure.{figure}")


def sentence(names: Sequence[str], event: Event) -> str:
    """Tell an event, by the words of its box if it has one; empty for events that are not told."""
    for box in BOXES.values():
        if type(event) in box.events:
            return box.events[type(event)](names, event)
    match event:
        case Deployed() if told := next(filter(None, (box.deployed(names, event) for box in BOXES.values())), ""):
            return told
        case TilePlaced() | Deployed() | TileDiscarded() | Resigned() | TurnSkipped():
            return _move(names[event.player], event)
        case Scored():
            return _score(names[event.player], event)
        case _:
            return ""


def _move(name: str, event: TilePlaced | Deployed | TileDiscarded | Resigned | TurnSkipped) -> str:
    """Tell a placement, a deployment, a discarded tile, a resignation or a skipped turn."""
    match event:
        case TilePlaced():
            return t("story.placed", player=name, cell=event.cell.label, tile=tile_words(event.tile, event.rotation))
        case Deployed():
            role = figure_words(event.figure)
            return t("story.deployed_role", player=name, role=role, segment=segment_words(event.segment))
        case TileDiscarded():
            return _discard(name, event)
        case Resigned():
            return t("story.resigned", player=name)
        case TurnSkipped():
            return t("story.skipped_turn", player=name)
        case never:
            assert_never(never)


def _discard(name: str, event: TileDiscarded) -> str:
    """Tell that a tile was discarded, and why."""
    causes = {"declined": event.declined, "forfeited": event.forfeited, "skipped": event.skipped}
    cause = next((cause for cause, applies in causes.items() if applies), "discarded")
    return t(f"story.{cause}", player=name, tile=tile_words(event.tile))


def _score(name: str, event: Scored) -> str:
    """Tell a score, with the feature that brought it and the reason."""
    if not event.points:
        return t("story.scored_nothing", player=name, kind=t(f"feature.{event.kind}"))
    key = "story.scored_final" if event.final else "story.scored"
    explained = not any(event.kind in box.unexplained for box in BOXES.values())
    why = reason_words(event.terms) if explained else ""
    return t(key, player=name, count=event.points, kind=place_words(event), reason=why)
