"""Private panels of events, of their organisers, of ratings and of a server, for who plays by ear: words come first.

They are put together in every language from events that nobody plays; a walk through Discord is in ``tests/e2e``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from discord import ui

from cogs.commands import manage
from cogs.commands.tourneys import ratings
from cogs.commands.tourneys.teams import chosen_so_far, line_up_panel
from cogs.games.presenters import PRESENTERS
from cogs.panels.events import pictures, private
from cogs.panels.events.announcement import announcement
from cogs.panels.events.planning import home_page, plan_page
from cogs.texts.languages import languages, speaking
from cogs.words.event_plans import PAGES
from host import Counts, GuildSettings, Person
from host.events import AuditRecord, ChoiceView, ReportRecord
from store import EventState
from tests.cogs.event_views import AT, gathering, round_of, standings_of, view_of
from tests.cogs.test_event_log import DONE
from tests.cogs.test_lengths import summaries
from tests.cogs.test_line_ups import choice
from tests.cogs.test_rating_pages import rated
from tests.e2e.accessibility import message_problems
from tests.e2e.pictures import PIXEL
from tests.e2e.player import Shown
from tests.e2e.screen_reader import assert_readable_aloud
from tests.tournaments.invariants import STORM
from tournaments.event import EventFold
from tournaments.lasting.ratings import HeadToHead, Scale
from tournaments.trials import simulated

PLAYED = ("swiss-tables", "duel-swiss-knockout", "team-round-robin")
LONG = "W" * 32


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("standings_table", "bracket", "round_sheet", "cross_tables"):
        monkeypatch.setattr(pictures, name, lambda *_, **__: PIXEL)
    monkeypatch.setattr(ratings, "standings_table", lambda *_, **__: PIXEL)


@cache
def played(name: str) -> EventFold:
    """An event with as many players as its panels need pages for."""
    return simulated(name, 8 if name.startswith("team") else 33, "by ear", STORM).event


def of_an_event(name: str) -> Iterator[ui.LayoutView]:
    """What members and organisers see of one that is played."""
    event = played(name)
    view, stage = view_of(event), len(event.stages)
    found = round_of(event, stage, len(event.stages[-1].rounds))
    yield announcement(view, PRESENTERS)
    for page in range(3):
        yield private.standings_page(view, standings_of(event), page)[0]
        yield private.bracket_page(view, page)[0]
        yield private.games_page(view, found, page)[0]
        yield private.log_page(view, _log(), page)[0]
    yield private.rules_page(view)
    for state in EventState:
        yield home_page(view_of(event, state=state), "")
    reports = [ReportRecord(1, AT, Person(7, LONG), 1, 12, "He stalls. " * 60)] * 20
    yield private.said(private.reports_words(view, reports))
    if name.startswith("team"):
        chosen = _named(choice(20, 40))
        yield from (line_up_panel(view, chosen, chosen_so_far(chosen), page) for page in range(4))


def _named(choice: ChoiceView) -> ChoiceView:
    """The same with everybody called differently."""
    roster = tuple(Person(person.user_id, f"Player {person.user_id}") for person in choice.roster)
    return replace(choice, roster=roster, members=roster[: len(choice.members)])


def _log() -> list[AuditRecord]:
    return [
        AuditRecord(number=number, user_id=500, kind=kind, details=details, at=AT)
        for number, (kind, details) in enumerate([*DONE.items()] * 2, 1)
    ]


def of_one_that_gathers() -> Iterator[ui.LayoutView]:
    """What is seen before the first round."""
    view = gathering("swiss-tables", 33)
    yield announcement(view, PRESENTERS)
    yield home_page(view, "")
    yield from (plan_page(view, page) for page in PAGES)


def of_a_server() -> Iterator[ui.LayoutView]:
    """Ratings, and what its managers see."""
    found = [rated(number, 1300 - number, 1290, rank=number) for number in range(1, 41)]
    yield ratings.leaderboard_page(LONG, Scale.DUEL, found)[0]
    yield ratings.profile_page(LONG, found[:1], found[:1], {"duel": HeadToHead(7, 4, 3)})
    settings = GuildSettings()
    yield manage.home_page(settings, Counts(3, 40))
    yield manage.opening_page(settings)
    yield manage.games_page(summaries(26))


def require_by_ear(views: Iterator[ui.LayoutView]) -> None:
    """Each begins with words, few of them; its lists have at most 25 entries, and nothing is told by signs alone."""
    for view in views:
        components: Sequence[Any] = view.to_components()
        assert_readable_aloud(Shown(None, components))  # type: ignore[arg-type]
        assert not list(message_problems(components))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", PLAYED)
def test_the_panels_of_an_event(name: str, language: str) -> None:
    with speaking(language, listens=True):
        require_by_ear(of_an_event(name))


@pytest.mark.parametrize("language", languages())
def test_the_panels_of_one_that_gathers_and_of_a_server(language: str) -> None:
    with speaking(language, listens=True):
        require_by_ear(of_one_that_gathers())
        require_by_ear(of_a_server())
