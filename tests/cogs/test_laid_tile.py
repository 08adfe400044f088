"""A tile that is laid once for all figures: it says the same as each whole plan applied from the start.

The slow way is the twin in this module: it copies the position for each plan, and applies every action of it in turn.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import pytest

from cogs.games.presenters import presenter_of
from cogs.panels.composer import compose
from cogs.presenting.turn import LaidTile, Plan, Turn, placements, position_with
from cogs.words.story import without_final
from engine import GAMES, Action, Deploy, IllegalActionError, Pass, Place, Position, begin, parse_action, state_digest
from engine.actions import Instead
from engine.carcassonne import REGISTRY
from engine.events import Event, Scored
from gallery.built_positions import arrange
from host import Preferences
from tests.cogs.positions import game_of
from tests.soak import first

GAMES_PLAYED = [
    *(("carcassonne", tuple(REGISTRY), "after_tile"), ("carcassonne", tuple(REGISTRY), "any_time")),
    *(("carcassonne", (), "after_tile"), ("the-castle", (), "")),
    *(("carcassonne", (name,), "any_time") for name in REGISTRY),
]
"""Games with all boxes, with none and with each, by the moment at which a bridge may be built; and The Castle."""
SEEDS = range(6)
FEWEST_PLANS = 20
"""The fewest plans that are compared for each seed."""
MOST_GAMES = 10
"""The most games that are played for so many."""
SAMPLED = 0.12
"""The share of the turns that are tried out."""
POINTS = re.compile(r"\+(\d+)$")
"""The points at the end of a button's label."""


class Carried(NamedTuple):
    """A plan carried out by the slow way."""

    actions: Sequence[Action]
    after: Position
    events: Sequence[Event]

    def points(self, player: int) -> int:
        """Return the points that a player scores, without those of the final scoring."""
        scores = (event for event in without_final(self.events) if isinstance(event, Scored))
        return sum(event.points for event in scores if event.player == player)


def whole_plan(turn: Turn[Any], position: Position, plan: Plan) -> Carried | None:
    """Apply a plan from its tile to its standing answers on a copy of its own; return None if it is illegal."""
    assert plan.place is not None
    figure, built = plan.figure or Pass(), plan.built
    orders: list[list[Action]] = [[plan.place, figure]]
    if built is not None:
        orders = [[plan.place, built, figure], [plan.place, figure, built]]
    for actions in orders:
        after, events = turn.veiled(position), list[Event]()
        try:
            for action in actions:
                events += after.apply(action)
        except IllegalActionError:
            continue
        if isinstance(after.step, turn.deploy_step) and after.player == position.player and actions[-1] != Pass():
            actions.append(Pass())
            events += after.apply(Pass())
        for action in turn.standing_answers(after, {}):
            actions.append(action)
            events += after.apply(action)
        return Carried(actions, after, events)
    return None


def with_pass(turn: Turn[Any], carried: Carried | None, player: int) -> Carried:
    """Return a plan with a pass at the end if its player is asked for a second figure, which delays the scoring."""
    assert carried is not None
    step = carried.after.step
    if step is None or not turn.is_asked(carried.after, player) or not step.allows(carried.after, Pass()):
        return carried
    after = carried.after.copy()
    return Carried((*carried.actions, Pass()), after, (*carried.events, *after.apply(Pass())))


def deployable(turn: Turn[Any], position: Position, plan: Plan) -> list[Deploy]:
    """Return the figures that may follow a tile and its piece: each is tried out with the whole plan."""
    assert plan.place is not None
    after = position_with(position, plan.place)
    offered = [action for action in after.legal_actions if isinstance(action, Deploy)]
    if plan.built is not None:
        after.apply(plan.built)
        offered = [*(action for action in after.legal_actions if isinstance(action, Deploy)), *offered]
    return [figure for figure in dict.fromkeys(offered) if whole_plan(turn, position, replace(plan, figure=figure))]


def sampled_plans(game: str, expansions: tuple[str, ...], timing: str, seed: int) -> Iterator[tuple[Any, Plan]]:
    """Play a random game in which figures are put down where possible; yield some of its plans without a figure."""
    rng, kind = Random(f"{game} {expansions} {seed}"), GAMES[game]
    options = kind.options(**{"bridge_timing": timing} if timing else {})
    players = 3 if game == "carcassonne" else 2
    position = begin(kind.new_setup(players=players, seed=str(seed), options=options, expansions=expansions))
    turn = presenter_of(position).turn
    while position.step is not None:
        places = [*placements(position), *placements(position, aided=True)]
        for place in rng.sample(places, min(2, len(places))) if rng.random() < SAMPLED else ():
            yield position, Plan(place=place, aided=place.aid is not None)
            for built in turn.buildable(position_with(position, place)):
                yield position, Plan(place=place, aided=place.aid is not None, built=built)
        legal = list(position.legal_actions)
        figures = [action for action in legal if isinstance(action, Deploy)]
        position.apply(rng.choice(figures if figures and rng.random() < 0.7 else legal))


def enough_plans(game: str, expansions: tuple[str, ...], timing: str, seed: int) -> Iterator[tuple[Any, Plan]]:
    """Yield plans of a game, and of further ones if a game is so short that there are few: no two seeds share one."""
    yielded = 0
    for number in range(seed, MOST_GAMES * len(SEEDS), len(SEEDS)):
        for found in sampled_plans(game, expansions, timing, number):
            yielded += 1
            yield found
        if yielded > FEWEST_PLANS:
            return


@pytest.mark.parametrize("seed", first(1, SEEDS))
@pytest.mark.parametrize(("game", "expansions", "timing"), GAMES_PLAYED)
def test_a_tile_laid_once_says_the_same_as_each_whole_plan(
    game: str, expansions: tuple[str, ...], timing: str, seed: int
) -> None:
    compared = 0
    for position, plan in enough_plans(game, expansions, timing, seed):
        turn = presenter_of(position).turn
        laid = LaidTile(turn, position, plan)
        assert laid.deployments == turn.deployments(position, plan) == deployable(turn, position, plan)
        figures: list[Deploy | Pass] = [*laid.deployments, Pass()]
        for figure in figures:
            with_figure = replace(plan, figure=figure)
            outcome, slow = laid.outcome(with_figure, {}), whole_plan(turn, position, with_figure)
            assert slow is not None
            assert outcome.actions == tuple(slow.actions)
            assert outcome.events == tuple(slow.events)
            assert state_digest(outcome.after) == state_digest(slow.after)
            compared += 1
    assert compared > FEWEST_PLANS


@pytest.mark.parametrize("seed", first(1, SEEDS))
@pytest.mark.parametrize(("game", "expansions", "timing"), GAMES_PLAYED)
def test_buttons_tell_the_points_of_each_whole_plan(
    game: str, expansions: tuple[str, ...], timing: str, seed: int
) -> None:
    for position, plan in sampled_plans(game, expansions, timing, seed):
        presenter = presenter_of(position)
        turn, player = presenter.turn, position.player
        least = with_pass(turn, whole_plan(turn, position, replace(plan, figure=Pass())), player)
        panel = compose(presenter, game_of(position), position, str(plan), Preferences(confirm=True))
        for offer in (offer for group in panel.offers for offer in group):
            told = POINTS.search(offer.label)
            shown = Plan.parse(offer.argument) if str(plan.place) in offer.argument else Plan()
            if isinstance(shown.figure, Deploy | Instead):
                slow = with_pass(turn, whole_plan(turn, position, shown), player)
                more = slow.points(player) - least.points(player)
                assert int(told[1] if told else 0) == max(more, 0)
            else:
                assert told is None


@pytest.mark.parametrize(("game", "expansions", "timing"), GAMES_PLAYED)
def test_spots_are_ranked_by_the_points_of_the_whole_plan(game: str, expansions: tuple[str, ...], timing: str) -> None:
    for position, plan in sampled_plans(game, expansions, timing, 9):
        assert plan.place is not None
        turn, player = presenter_of(position).turn, position.player
        after = turn.veiled(position)
        after.apply(plan.place)
        if isinstance(after.step, turn.deploy_step):
            after.apply(Pass())
        assert turn.points_at(position, plan.place) == after.scores[player] - position.scores[player]


def test_a_figure_scores_a_completed_city_at_once() -> None:
    """Plans with points are rare in random games, so here is one: a city of two tiles."""
    position = arrange(players=2, tiles=["base/E 0,0 180"], hand="base/E", pile=["base/V"] * 3, expansions=())
    place = parse_action("M14/0")
    assert isinstance(place, Place)
    laid = LaidTile(presenter_of(position).turn, position, Plan(place=place))
    outcome = laid.outcome(Plan(place=place, figure=Deploy("city.N")), {})
    assert [event.points for event in outcome.events if isinstance(event, Scored)] == [4]
    assert position.supply["follower"] == laid.after.supply["follower"] == [7, 7]


def test_a_laid_tile_refuses_what_the_rules_refuse() -> None:
    position = arrange(players=2, tiles=["base/D 0,0"], hand="base/U", pile=["base/V"] * 3)
    turn = presenter_of(position).turn
    for text in ("Z30/0", "p0", "M12/0 castle"):
        with pytest.raises(IllegalActionError):
            LaidTile(turn, position, Plan.parse(text))
    place = placements(position)[0]
    laid = LaidTile(turn, position, Plan(place=place))
    with pytest.raises(IllegalActionError):
        laid.outcome(Plan(place=place, figure=Deploy("castle")), {})
