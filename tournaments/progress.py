"""What an event does by itself, and where everybody stands: pure functions of its specification and its facts.

Whoever drives an event adds the facts that are due, one after the other, until there is none, then waits for results.
The same facts make the same fact due, in every process; adding it a second time is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.duels.matches import games_needed
from tournaments.event import EventFold
from tournaments.facts import Fact, GamesAdded, StageBegun, StageEnded
from tournaments.ranking.standings import Line
from tournaments.stages import KINDS
from tournaments.stages.base import PLAYED
from tournaments.states import Scene, StageState


def due(event: EventFold) -> Fact | None:
    """What comes next without anybody doing anything; None while games are played, and at the end."""
    state = event.stage
    if state is None:
        return None if event.finished else _begin(event)
    added = _games_added(event, state)
    return added if added is not None else _next_round(event.scene(state))


def advance(event: EventFold) -> Iterator[Fact]:
    """Add whatever is due to the event, and tell it."""
    while (fact := due(event)) is not None:
        event.apply(fact)
        yield fact


def standings(event: EventFold) -> list[Line]:
    """Everybody, best first: who played the last stage by its ranking, then those who played only the one before.

    Whoever was disqualified is behind all others.
    """
    lines: list[Line] = []
    known: set[int] = set()
    for state in reversed(event.stages):
        ranking = stage_ranking(event, state)
        lines += [line for line in ranking if line.player not in known]
        known |= {line.player for line in ranking}
    rest = [Line(player, 0, 0, ()) for player in range(len(event.entries)) if player not in known]
    if event.specification.rules > 2:
        rest.sort(key=lambda line: line.player in event.gone)
    order = sorted([*lines, *rest], key=lambda line: line.player in event.disqualified)
    return [Line(line.player, rank, line.stage, line.values) for rank, line in enumerate(order, 1)]


def stage_ranking(event: EventFold, state: StageState) -> list[Line]:
    """The entrants of a stage, best first."""
    return KINDS[state.plan.kind].ranking(event.scene(state))


def _begin(event: EventFold) -> StageBegun:
    number = len(event.stages) + 1
    plan = event.plans[number - 1]
    before = [line.player for line in standings(event)] if event.stages else list(range(len(event.entries)))
    there = [player for player in before if player not in event.gone]
    return StageBegun(number, tuple(there[: plan.size] if plan.size else there))


def _games_added(event: EventFold, state: StageState) -> GamesAdded | None:
    if state.plan.best_of < 2:
        return None
    for each in state.rounds[_block(state) :]:
        tables = games_needed(state, each, event.gone)
        if tables:
            return GamesAdded(state.number, each.number, tables)
    return None


def _block(state: StageState) -> int:
    """Where the rounds begin that are open together: matches of earlier ones are over, whatever is corrected."""
    together = state.plan.together
    return (len(state.rounds) - 1) // together * together if together and state.rounds else 0


def _next_round(scene: Scene) -> Fact | None:
    """The next round, when those that it waits for are over: all of its block open together."""
    state = scene.state
    kind = KINDS[state.plan.kind]
    rounds, drawn = kind.rounds(scene), len(state.rounds)
    last = bool(rounds) and drawn >= rounds
    together = state.plan.together or max(rounds, 1)
    if (last or drawn % together == 0) and not state.decided:
        return None
    if last or (not rounds and not state.entrants):
        return StageEnded(state.number, PLAYED)
    fact = kind.draw(scene)
    if isinstance(fact, StageEnded) and not state.decided:
        return None
    return fact
