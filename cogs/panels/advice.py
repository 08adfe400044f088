"""The panel with a computer's advice: the best placements, what each is good for, and a button that leads to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from cogs.panels.composer import changed_features, completed_in, events_ahead
from cogs.presenting.ids import Op
from cogs.presenting.presenter import ButtonSpec, Presenter, TilePanel
from cogs.presenting.turn import LaidTile, Plan, PlanOutcome, Turn, actions_text, parts_of, placements, spots
from cogs.texts import t
from cogs.words.advice import Effects, advice_words, worth_words
from cogs.words.names import capital, seat_names
from cogs.words.typed_moves import moves_words
from engine import Pass, Place, Position
from engine.actions import FOLLOWER
from engine.events import Returned, Scored
from host import Advice, Game

TURN_PART: Final = "turn"
"""The part of a move's value that is the turn which follows it: another one of the player, or one of the others."""


def advice_panel(presenter: Presenter[Any], game: Game, position: Position, advice: Sequence[Advice]) -> TilePanel:
    """Return the panel that shows the placements which a computer recommends, the best first.

    A button sets the composer to one of them; nothing is sent by it. What is said is taken from a veiled position.
    """
    position = position.veiled()
    lines, buttons = [t("advice.title")], []
    for number, entry in enumerate(_without_turn(advice), 1):
        place, move = _place(entry), capital(moves_words(presenter, position, entry.actions))
        reasons = advice_words(_effects(presenter, game, position, entry), entry.parts)
        line = t("advice.entry", number=number, move=move, worth=worth_words(entry.value), reasons=reasons)
        lines.append(line.rstrip())
        label = t("button.advised", number=number, place=place.cell.label if place else move)
        buttons.append(ButtonSpec(Op.PLAN, label, actions_text(entry.actions)))
    lines.append(t("advice.foot"))
    places = [place for entry in advice if (place := _place(entry)) is not None]
    ranks = {place.cell: -rank for rank, place in reversed([*enumerate(places)])}
    cells = spots(places or placements(position, aided=True))
    first, *others = parts_of(cells, lambda: dict.fromkeys(cells, 0) | ranks)
    elsewhere = [cell for part in others for cell in part]
    back = ButtonSpec(Op.PLAN, t("button.back"), str(Plan()))
    return TilePanel("\n".join(lines), [[*buttons, back]], spots=first, elsewhere=elsewhere)


def _without_turn(advice: Sequence[Advice]) -> list[Advice]:
    """Return the moves valued without the turn that they all hand over to the others.

    Otherwise the best of them could read as a loss, though nobody can keep the turn.
    """
    given = min([0.0, *(entry.parts.get(TURN_PART, 0.0) for entry in advice)])
    return [
        replace(
            entry, value=entry.value - given, parts={**entry.parts, TURN_PART: entry.parts.get(TURN_PART, 0.0) - given}
        )
        for entry in advice
    ]


def _place(advice: Advice) -> Place | None:
    """Return the placement that is recommended; None if it is to decline the tile."""
    return next((action for action in advice.actions if isinstance(action, Place)), None)


def _effects(presenter: Presenter[Any], game: Game, position: Position, advice: Advice) -> Effects:
    """Return what a placement does at once, found by carrying it out on a copy of the position."""
    place = _place(advice)
    if place is None:
        return Effects()
    names, player, plan = seat_names(game), position.player, Plan.parse(actions_text(advice.actions))
    completes, joins = changed_features(position, place, completed_in(position), names)
    outcome = LaidTile(presenter.turn, position, plan).outcome(plan, {})
    events = events_ahead(outcome)
    scores = Counter[int]()
    for event in events:
        if isinstance(event, Scored):
            scores[event.player] += event.points
    returned = (event for event in events if isinstance(event, Returned) and event.player == player)
    return Effects(
        completes=[feature.words(detailed=True) for feature in completes],
        joins=[feature.words(detailed=True) for feature in joins if feature.players and feature.can_be_completed],
        points=scores[player],
        rival_points={names[seat]: points for seat, points in scores.items() if seat != player and points},
        returning=sum(1 for event in returned if event.cell != place.cell),
        last_figure=_last_figure(presenter.turn, position, outcome),
    )


def _last_figure(turn: Turn[Any], position: Position, outcome: PlanOutcome[Any]) -> str:
    """Say whether a placement uses or keeps the last figure that the player has left; empty if they have others."""
    player = position.player
    if position.supply[FOLLOWER][player] != 1:
        return ""
    if outcome.plan.figure == Pass():
        return f"{turn.main_figure}.kept"
    return "" if outcome.after.supply[FOLLOWER][player] else f"{turn.main_figure}.used"
