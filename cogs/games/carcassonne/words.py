"""Tiles, segments, bridges and actions in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from cogs.texts import t
from cogs.words.terms import segment_words, turn_words
from engine import Action, Cell, Deploy, Pass, Place, Resign, Skip, tiles
from engine.carcassonne import (
    Bid,
    BidOnLot,
    BuildBridge,
    BuildCastle,
    Buy,
    Castle,
    ChooseCastleSource,
    ChooseSource,
    Decline,
    DeployFollower,
    FeatureKind,
    MoveFairy,
    PickLot,
    Position,
    ScoreTown,
    Segment,
    SelectLot,
    Sell,
    castle_with_fairy,
    goods_on,
    has_cathedral,
    has_inn,
    tile,
)
from engine.carcassonne.expansions import river


def tile_words(kind: tiles.TileKind) -> str:
    """What is drawn on a tile: ``city corner with a pennant, road bend``."""
    segments = tile(kind.id).segments
    cities = [segment for segment in segments if segment.kind is FeatureKind.CITY]
    roads = [segment for segment in segments if segment.kind is FeatureKind.ROAD]
    parts = [*_city_words(cities), *_road_words(roads), *_river_words(kind.id, segments)]
    if any(segment.kind is FeatureKind.MONASTERY for segment in segments):
        parts.append(t("tile.monastery"))
    parts += [t(f"tile.flag.{flag}") for flag in sorted(kind.flags)]
    return ", ".join(parts or [t("tile.field_only")])


def _city_words(cities: Iterable[Segment]) -> list[str]:
    shapes = Counter((_shape(segment), segment.pennants, _drawn_in(segment)) for segment in cities)
    parts: list[str] = []
    for (shape, pennants, drawn), count in shapes.items():
        city = t(f"tile.city.{shape}_pennant" if pennants else f"tile.city.{shape}", count=count)
        parts.append(_with(city, drawn))
    return parts


def _road_words(roads: Iterable[Segment]) -> list[str]:
    shapes = Counter((_shape(segment), _drawn_in(segment)) for segment in roads)
    return [_with(t(f"tile.road.{shape}", count=count), drawn) for (shape, drawn), count in shapes.items()]


def _river_words(tile_id: str, segments: Iterable[Segment]) -> list[str]:
    """The course of the river; where it begins or ends, in what."""
    ends = {river.SPRING: "spring", river.LAKE: "lake"}
    return [t(f"tile.river.{ends.get(tile_id) or _shape(part)}") for part in segments if part.kind == river.NAME]


def _drawn_in(segment: Segment) -> str:
    """What is drawn in a city or beside a road but pennants, whichever boxes are in play; empty if nothing is."""
    goods = goods_on(segment)
    if goods is not None:
        return goods
    return "cathedral" if has_cathedral(segment) else "inn" if has_inn(segment) else ""


def _with(feature: str, drawn: str) -> str:
    return t(f"tile.with.{drawn}", feature=feature) if drawn else feature


def _shape(segment: Segment) -> str:
    """``edge``, ``corner``, ``through``, ``three`` or ``all``: how the sides of a segment lie."""
    match len(segment.places):
        case 1:
            return "edge"
        case 2:
            return "through" if (segment.places[1] - segment.places[0]) % 2 == 0 else "corner"
        case 3:
            return "three"
        case _:
            return "all"


def axis_words(bridge: BuildBridge) -> str:
    """The line along which a bridge runs."""
    return t("compass.to").join(t(f"compass.{side.name}") for side in bridge.axis.sides)


def action_words(position: Position, action: Action) -> str:  # noqa: PLR0911 - one return a kind
    """An action that is legal in a position, for those who read it before they choose it."""
    match action:
        case Place():
            return _place_words(action)
        case BuildBridge():
            return t("action.bridge", cell=action.cell.label, axis=axis_words(action))
        case Deploy():
            return t("action.deploy_role", role=figure_words(action.figure), segment=_deploy_words(position, action))
        case ChooseSource():
            return _source_words(position, action)
        case MoveFairy():
            castle = castle_with_fairy(position, action)
            return t("action.fairy", place=castle_words(castle) if castle else _place_of(position, action))
        case Pass():
            return t("action.no_bid" if isinstance(position.step, BidOnLot) else "action.no_follower")
        case SelectLot() | Bid() | PickLot():
            return _bazaar_words(action)
        case Decline() | BuildCastle() | ScoreTown() | Buy() | Sell() | Resign() | Skip():
            return t(f"action.{type(action).__name__}")
        case _:
            raise LookupError(f"no action of Carcassonne: {action}")


def _place_words(place: Place) -> str:
    cell, turn = place.cell.label, turn_words(place.rotation)
    if not isinstance(place.aid, BuildBridge):
        return t("action.place", cell=cell, turn=turn)
    bridge = t("action.bridge", cell=place.aid.cell.label, axis=axis_words(place.aid))
    return t("action.place_aided", cell=cell, turn=turn, bridge=bridge)


def _bazaar_words(action: SelectLot | Bid | PickLot) -> str:
    match action:
        case SelectLot(lot=lot, bid=bid):
            return t("action.select", lot=lot, bid=bid)
        case Bid(amount=amount):
            return t("action.bid", count=amount)
        case PickLot(lot=lot):
            return t("action.pick", lot=lot)


def figure_words(figure: str) -> str:
    """The name of a figure of the engine: follower, builder or pig."""
    return t(f"figure.{figure}")


def _deploy_words(position: Position, action: Deploy) -> str:
    step = position.step
    if not isinstance(step, DeployFollower):
        return action.segment
    return segment_words(segment_on(position, step.cell, action.segment))


def _source_words(position: Position, action: ChooseSource) -> str:
    """What feeds a castle: where it lies tells two roads of a tile apart, as both its tiles tell two castles."""
    step = position.step
    castle = step.castle_named(position, action) if isinstance(step, ChooseCastleSource) else None
    return castle_words(castle) if castle else _place_of(position, action)


def castle_words(castle: Castle) -> str:
    """A castle by its tiles: ``castle on M12 and M13``."""
    one, other = castle.cells
    return t("segment.castle", one=one.label, other=other.label)


def _place_of(position: Position, action: ChooseSource | MoveFairy) -> str:
    segment = segment_on(position, action.cell, action.segment)
    return t("segment.at", segment=segment_words(segment), cell=action.cell.label)


def segment_on(position: Position, cell: Cell, name: str) -> Segment:
    """The segment of a laid tile, or of the bridge on it, with this name.

    Raises:
        LookupError: there is none.
    """
    placed = position.tile_at(cell)
    for _, part in position.land.segments(placed) if placed else ():
        if part.is_named(name):
            return part
    raise LookupError(f"{cell.label}.{name}")
