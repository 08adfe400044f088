"""What happens in Carcassonne, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from cogs.games.carcassonne.box import BOXES
from cogs.games.carcassonne.words import figure_words, tile_words
from cogs.texts import t
from cogs.words.names import segment_words
from cogs.words.story import place_words, reason
from engine.events import Deployed, Event, Resigned, Scored, TileDiscarded, TilePlaced, TurnSkipped


def sentence(names: Sequence[str], event: Event) -> str:
    """One event in words, those of boxes first; empty for those that go without saying."""
    for box in BOXES.values():
        if type(event) in box.events:
            return box.events[type(event)](names, event)
    match event:
        case TilePlaced() | Deployed() | TileDiscarded() | Resigned() | TurnSkipped():
            return _move(names[event.player], event)
        case Scored():
            return _score(names[event.player], event)
        case _:
            return ""


def _move(name: str, event: TilePlaced | Deployed | TileDiscarded | Resigned | TurnSkipped) -> str:
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
    ways = {"declined": event.declined, "forfeited": event.forfeited, "skipped": event.skipped}
    way = next((way for way, so in ways.items() if so), "discarded")
    return t(f"story.{way}", player=name, tile=tile_words(event.tile))


def _score(name: str, event: Scored) -> str:
    if not event.points:
        return t("story.scored_nothing", player=name, kind=t(f"feature.{event.kind}"))
    key = "story.scored_final" if event.final else "story.scored"
    explained = not any(event.kind in box.unexplained for box in BOXES.values())
    why = reason(event.terms) if explained else ""
    return t(key, player=name, count=event.points, kind=place_words(event), reason=why)
