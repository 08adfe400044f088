"""Tiles and actions in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from cogs.games.carcassonne.box import BOXES, question_of
from cogs.games.carcassonne.drawn_on_tiles import drawn_in, with_drawn
from cogs.games.carcassonne.lying import lying
from cogs.games.carcassonne.segments import segment_on, shape
from cogs.texts import t
from cogs.texts.languages import by_ear
from cogs.words.names import segment_words, turn_words
from engine import Action, Adjudicate, Cell, Deploy, Pass, Place, Resign, Skip, tiles
from engine.carcassonne import Decline, FeatureKind, Position, Segment, tile


def tile_words(kind: tiles.TileKind, rotation: int = 0) -> str:
    """What is drawn on a tile: ``city corner with a pennant, road bend``; to a listener, how it lies turned so far."""
    if by_ear():
        return lying(kind, rotation)
    segments = tile(kind.id).segments
    cities = [segment for segment in segments if segment.kind is FeatureKind.CITY]
    roads = [segment for segment in segments if segment.kind is FeatureKind.ROAD]
    parts = [*_city_words(cities), *_road_words(roads), *(part for box in BOXES.values() for part in box.parts(kind))]
    if any(segment.kind is FeatureKind.MONASTERY for segment in segments):
        parts.append(t("tile.monastery"))
    parts += [t(f"tile.flag.{flag}") for flag in sorted(kind.flags)]
    return ", ".join(parts or [t("tile.field_only")])


def _city_words(cities: Iterable[Segment]) -> Iterator[str]:
    alike = Counter((shape(segment), segment.pennants, drawn_in(segment)) for segment in cities)
    for (form, pennants, drawn), count in alike.items():
        city = t(f"tile.city.{form}_pennant" if pennants else f"tile.city.{form}", count=count)
        yield with_drawn(city, drawn)


def _road_words(roads: Iterable[Segment]) -> Iterator[str]:
    alike = Counter((shape(segment), drawn_in(segment)) for segment in roads)
    return (with_drawn(t(f"tile.road.{form}", count=count), drawn) for (form, drawn), count in alike.items())


def action_words(position: Position, action: Action) -> str:
    """An action that is legal in a position, for those who read it before they choose it."""
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
    cell, turn = place.cell.label, turn_words(place.rotation)
    if place.aid is None:
        return t("action.place", cell=cell, turn=turn)
    return t("action.place_aided", cell=cell, turn=turn, aid=action_words(position, place.aid))


def _deploy_words(position: Position, action: Deploy) -> str:
    cell = getattr(position.step, "cell", None)  # a figure goes onto the tile just laid, or as a box has it
    return segment_words(segment_on(position, cell, action.segment)) if isinstance(cell, Cell) else action.segment


def _box_words(position: Position, action: Action) -> str:
    for box in BOXES.values():
        if type(action) in box.actions:
            return box.actions[type(action)](position, action)
    raise LookupError(f"no action of Carcassonne: {action}")


def figure_words(figure: str) -> str:
    """The name of a figure of the engine."""
    return t(f"figure.{figure}")
