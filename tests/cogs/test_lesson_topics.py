"""The first lesson explains ten things, each once and as soon as it comes up, whatever the learner does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

from cogs.games.carcassonne.presenter import PRESENTER
from cogs.panels.composer import compose
from cogs.panels.lessons import explanations, with_explanations
from cogs.presenting.ids import Op
from cogs.presenting.lesson_topics import LEARNER, MAX_TOPICS_AT_ONCE, Course
from cogs.presenting.presenter import Panel
from cogs.presenting.turn import Plan, actions_text
from cogs.texts import has_text, t
from computer.players import Player
from engine import GAMES, Action, Deploy, Pass, Place, Position, begin
from engine.carcassonne import DeployFollower, PlaceTile
from engine.carcassonne.expansions.bridges_castles_bazaars import BAZAAR, BuildCastle, DecideTown, ScoreTown
from engine.selfplay import random_action
from host import LoggedAction, Preferences, Table, TableSettings
from tests.cogs.panel_buttons import labels
from tests.cogs.positions import NOW, game_of
from tests.soak import first

NAMES = ("tile", "follower", "road", "city", "monastery", "field", "majority", "bazaar", "bridge", "castle")
"""The topics of the lesson."""
QUICK = Player.parse("quick")
Learner = Callable[[Position, Random], Action]
"""Chooses the learner's next action."""


def careful(position: Position, _: Random) -> Action:
    """Play as the computer does."""
    return QUICK.decide(position).chosen.action


def at_random(position: Position, rng: Random) -> Action:
    """Do anything that is legal."""
    return random_action(position, rng)


def without_followers(position: Position, rng: Random) -> Action:
    """Never place a follower."""
    legal = list(position.legal_actions)
    return Pass() if any(isinstance(action, Deploy) for action in legal) else random_action(position, rng)


def greedy_for_followers(position: Position, rng: Random) -> Action:
    """Place a follower wherever one can stand, until none is left."""
    deploys = [action for action in position.legal_actions if isinstance(action, Deploy)]
    return rng.choice(deploys) if deploys else random_action(position, rng)


def in_a_corner(position: Position, _: Random) -> Action:
    """Lay tiles as far to the north-west as possible, without bridges, and decline everything else."""
    places = [action for action in position.legal_actions if isinstance(action, Place) and action.aid is None]
    if places:
        return min(places, key=lambda place: (place.cell.y + place.cell.x, str(place)))
    return position.step.default_action(position) if position.step is not None else Pass()


LEARNERS = (careful, at_random, without_followers, greedy_for_followers, in_a_corner)


def lesson(learner: Learner, seed: int) -> Iterator[tuple[Course, Action]]:
    """Play a lesson against the computer; yield it before each action, with that action."""
    setup, rng = GAMES["carcassonne"].lesson, Random(seed)
    assert setup is not None
    course = Course(PRESENTER.lesson_topics, begin(setup()))
    while course.position.step is not None:
        position = course.position
        action = learner(position, rng) if position.player == LEARNER else QUICK.decide(position).chosen.action
        yield course, action
        course = course.then(action)


def decisions(learner: Learner) -> Iterator[tuple[Table, Course, Sequence[Action]]]:
    """Play a lesson; yield it at each decision of the learner, with the tile and the figure of a turn, if it is one."""
    played, log = list(lesson(learner, 1)), list[LoggedAction]()
    for ply, (course, action) in enumerate(played):
        position = course.position
        if position.player == LEARNER and not isinstance(position.step, DeployFollower):
            game = replace(game_of(position, ("Ana", "Quick")), settings=TableSettings(lesson=True))
            follows = [
                later
                for after, later in played[ply + 1 : ply + 2]
                if isinstance(after.position.step, DeployFollower) and after.position.player == LEARNER
            ]
            turn = [action, *follows] if isinstance(action, Place) else []
            yield Table(game, position, tuple(log)), course, turn
        log.append(LoggedAction(ply, position.player, 100, action, NOW))


def composer_panel(table: Table, plan: Sequence[Action], before: str = "") -> Panel:
    """Return the panel of a plan in the composer, after the panel of another plan."""
    panel = compose(PRESENTER, table.game, table.position, actions_text(plan), Preferences(confirm=True))
    return with_explanations(PRESENTER, table, panel, before)


def builds_piece(panel: Panel) -> bool:
    """Return True if a panel offers to build a piece that the tile does not need."""
    buttons = [button for offers in panel.offers for button in offers if button.op is Op.PLAN]
    return any(Plan.parse(button.argument).built for button in buttons)


def explained(courses: Sequence[Course]) -> list[str]:
    """Return the topics in the order in which they were explained."""
    return [name for course in courses for name in course.due]


@pytest.mark.parametrize("seed", first(2, range(40)))
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: learner.__name__)
def test_everything_is_explained_once(learner: Learner, seed: int) -> None:
    courses = [course for course, _ in lesson(learner, seed)]
    assert sorted(explained(courses)) == sorted(NAMES)
    assert all(len(course.due) <= MAX_TOPICS_AT_ONCE for course in courses)
    assert all(not course.due for course in courses if course.position.player != LEARNER)


def test_the_first_turn_explains_what_a_follower_can_stand_on() -> None:
    """The first tile has a road and fields, and each of them has a button: a field must not come later."""
    courses = [course for course, _ in lesson(careful, 1)][:2]
    assert [course.due for course in courses] == [["tile", "follower"], ["road", "field"]]


def test_a_bazaar_is_explained_when_its_tile_is_drawn() -> None:
    course = next(course for course, _ in lesson(careful, 1) if "bazaar" in course.due)
    assert course.due == ["bazaar"]
    assert isinstance(course.position.step, PlaceTile)
    assert BAZAAR in course.position.step.tile.flags


@pytest.mark.parametrize("learner", [careful, in_a_corner], ids=lambda learner: learner.__name__)
def test_whole_turns_chosen_at_once_explain_everything_once(learner: Learner) -> None:
    """Regression: who pressed [Advice] came to the confirmation without a panel that explains the tile."""
    heard: list[str] = []
    for table, course, turn in decisions(learner):
        heard.append(explanations(course.due))
        if turn:
            heard.append(composer_panel(table, turn).text)
    assert {name: sum(t(f"lesson.{name}") in text for text in heard) for name in NAMES} == dict.fromkeys(NAMES, 1)


def test_a_follower_chosen_by_hand_is_not_explained_again() -> None:
    table, _, turn = next(decisions(careful))
    assert t("lesson.road") in composer_panel(table, turn[:1]).text
    assert t("lesson.road") not in composer_panel(table, turn, before=str(turn[0])).text
    assert t("lesson.road") in composer_panel(table, turn, before="p0").text, "advice was asked for among the spots"


def test_a_bridge_that_a_tile_does_not_need_is_not_offered() -> None:
    offered = 0
    for table, _, turn in decisions(careful):
        for place in turn[:1]:
            assert not builds_piece(composer_panel(table, [place]))
            ordinary = replace(table, game=replace(table.game, settings=TableSettings()))
            offered += builds_piece(composer_panel(ordinary, [place]))
    assert offered


def test_what_was_explained_follows_from_the_log() -> None:
    played = list(lesson(at_random, 3))
    setup = GAMES["carcassonne"].lesson
    assert setup is not None
    for ply, (course, _) in enumerate(played):
        again = Course.of(PRESENTER.lesson_topics, setup(), [action for _, action in played[:ply]])
        assert (again.explained, again.due) == (course.explained, course.due)


def builder(position: Position, rng: Random) -> Action:
    """Build castles where the rules allow it, and else play as the computer does."""
    return BuildCastle() if isinstance(position.step, DecideTown) else careful(position, rng)


def test_a_learner_decides_about_a_town_at_once() -> None:
    """Regression: [Decide Later] stood beside the two answers, and no beginner knew what it was for."""
    for table, _, turn in decisions(builder):
        panel = composer_panel(table, turn) if turn else Panel("", [])
        if t("button.castle") in labels(panel):
            assert t("button.leave_open") not in labels(panel)
            ordinary = replace(table, game=replace(table.game, settings=TableSettings()))
            assert t("button.leave_open") in labels(composer_panel(ordinary, turn))
            return
    pytest.fail("no town was closed")


@pytest.mark.parametrize("seed", first(2, range(40)))
def test_a_town_can_be_closed_by_a_learner_who_tries(seed: int) -> None:
    """A learner who builds castles where the rules allow it is asked about one, after castles were explained."""
    asked = [course for course, action in lesson(builder, seed) if isinstance(action, BuildCastle | ScoreTown)]
    own = [course for course in asked if course.position.player == LEARNER]
    assert own
    assert all("castle" in (*course.explained, *course.due) for course in own)


def test_each_topic_has_an_explanation() -> None:
    assert [topic.name for topic in PRESENTER.lesson_topics] == list(NAMES)
    assert all(has_text(f"lesson.{name}") for name in NAMES)
    assert all(has_text(f"lesson.learned_{topic.name}") for topic in PRESENTER.lesson_topics if topic.is_recalled)


def test_the_lesson_has_twenty_tiles_of_the_boxes_in_play() -> None:
    setup = GAMES["carcassonne"].lesson
    assert setup is not None
    pile = setup().pile
    assert len(pile) == 20
    whole = GAMES["carcassonne"].new_setup(players=2, seed="", expansions=setup().expansions).pile
    assert all(pile.count(tile_id) <= whole.count(tile_id) for tile_id in pile)
