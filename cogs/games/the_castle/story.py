"""What happens in The Castle, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from cogs.games.the_castle.words import tile_words, wall_tile_words
from cogs.texts import t
from cogs.words.names import segment_words
from cogs.words.story import place_words, reason
from engine.events import Deployed, Event, Resigned, Scored, TileDiscarded, TilePlaced, TurnSkipped
from engine.the_castle.events import KeepMoved, KeepsCompared, WallTilesUsed, WallTileTaken

_MoveEvent: TypeAlias = TilePlaced | Deployed | TileDiscarded | Resigned | TurnSkipped
_WallEvent: TypeAlias = WallTileTaken | WallTilesUsed | KeepMoved


def sentence(names: Sequence[str], event: Event) -> str:
    """One event in words; empty for those that go without saying."""
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
    name, points = names[event.player], event.points
    match event.kind:
        case "keep":
            return t("story.scored_keep", player=name, count=points, reason=reason(event.terms))
        case "wall_tile_9":
            return t("story.scored_wall_tile_9", player=name, count=event.terms[0].count, points=points)
        case _:
            key = "story.scored_final" if event.final else "story.scored"
            return t(key, player=name, count=points, kind=place_words(event), reason=reason(event.terms))


def _wall(names: Sequence[str], event: _WallEvent) -> str:
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
    """The keeps at the end; nothing where nobody has any."""
    if not any(event.sizes):
        return ""
    keeps = [
        t("story.keep_raised" if counted > size else "story.keep", player=name, size=size, counted=counted)
        for name, size, counted in zip(names, event.sizes, event.counted, strict=True)
    ]
    return t("story.keeps", keeps=", ".join(keeps))


def planned_sentence(names: Sequence[str], event: Event) -> str:
    """The same before the move is made, when nobody may know what lies on the wall."""
    if isinstance(event, WallTileTaken):
        return t("story.wall_tile_waits", player=names[event.player], space=event.space)
    return sentence(names, event)
