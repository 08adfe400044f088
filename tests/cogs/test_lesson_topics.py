"""The first lesson explains nine things, each once and as soon as it comes up, whatever the learner does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest

from cogs.games.carcassonne.presenter import PRESENTER
from cogs.presenting.lesson_topics import LEARNER, MAX_TOPICS_AT_ONCE, Course
from cogs.texts import has_text
from computer.players import Player
from engine import GAMES, Action, Deploy, Pass, Place, Position, begin
from engine.carcassonne.expansions.bridges_castles_bazaars import BuildCastle, DecideTown, ScoreTown
from engine.selfplay import random_action
from tests.soak import first

NAMES = ("tile", "follower", "road", "city", "monastery", "field", "bridge", "castle", "bazaar")
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


def test_the_first_turn_explains_tile_follower_and_road() -> None:
    courses = [course for course, _ in lesson(careful, 1)][:2]
    assert [course.due for course in courses] == [["tile"], ["follower", "road"]]


def test_what_was_explained_follows_from_the_log() -> None:
    played = list(lesson(at_random, 3))
    setup = GAMES["carcassonne"].lesson
    assert setup is not None
    for ply, (course, _) in enumerate(played):
        again = Course.of(PRESENTER.lesson_topics, setup(), [action for _, action in played[:ply]])
        assert (again.explained, again.due) == (course.explained, course.due)


@pytest.mark.parametrize("seed", first(2, range(40)))
def test_a_town_can_be_closed_by_a_learner_who_tries(seed: int) -> None:
    """A learner who builds castles where the rules allow it is asked about one, after castles were explained."""

    def builder(position: Position, rng: Random) -> Action:
        if isinstance(position.step, DecideTown):
            return BuildCastle()
        return careful(position, rng)

    asked = [course for course, action in lesson(builder, seed) if isinstance(action, BuildCastle | ScoreTown)]
    own = [course for course in asked if course.position.player == LEARNER]
    assert own
    assert all("castle" in (*course.explained, *course.due) for course in own)


def test_each_topic_has_an_explanation() -> None:
    assert [topic.name for topic in PRESENTER.lesson_topics] == list(NAMES)
    assert all(has_text(f"lesson.{name}") for name in NAMES)


def test_the_lesson_has_twenty_tiles_of_the_boxes_in_play() -> None:
    setup = GAMES["carcassonne"].lesson
    assert setup is not None
    pile = setup().pile
    assert len(pile) == 20
    whole = GAMES["carcassonne"].new_setup(players=2, seed="", expansions=setup().expansions).pile
    assert all(pile.count(tile_id) <= whole.count(tile_id) for tile_id in pile)
