"""Private panels of events, organisers, ratings and servers can be read aloud to players by ear.

The screen reader mode is a setting of the player. The panels are built in every language from simulated events;
``tests/e2e`` opens them through Discord.
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
from cogs.commands.tourneys.teams import encode_line_up, line_up_panel
from cogs.games.presenters import PRESENTERS
from cogs.panels.events import pictures, private
from cogs.panels.events.exchanging import Choice, exchange_panel
from cogs.panels.events.posts import announcement
from cogs.panels.events.private import home_page, plan_page
from cogs.texts.languages import languages, speaking
from cogs.words.event_plans import SETTING_PAGES
from host import Counts, GuildSettings, Person
from host.events import AuditRecord, ChoiceView, ReportRecord
from store import EventState
from tests.cogs.event_views import NOW, event_view, rank_views, round_view_of, sign_up_view
from tests.cogs.test_event_log import RECORDED_DETAILS
from tests.cogs.test_lengths import summaries
from tests.cogs.test_line_ups import line_up_choice
from tests.cogs.test_rating_pages import rating_view
from tests.e2e.accessibility import message_problems
from tests.e2e.pictures import PIXEL
from tests.e2e.player import Shown
from tests.e2e.screen_reader import assert_readable_aloud
from tests.tournaments.invariants import ROUGH_CONDITIONS
from tournaments.event import EventFold
from tournaments.lasting.ratings import HeadToHead, Scale
from tournaments.trials import simulate_format

FORMATS_SHOWN = ("swiss-tables", "duel-swiss-knockout", "team-round-robin")
"""Formats whose panels differ."""
LONG_NAME = "W" * 32
"""A name of the maximal length."""


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace all pictures by one pixel."""
    for name in ("standings_table", "bracket", "round_sheet", "cross_tables"):
        monkeypatch.setattr(pictures, name, lambda *_, **__: PIXEL)
    monkeypatch.setattr(ratings, "standings_table", lambda *_, **__: PIXEL)


@cache
def simulated_event(name: str) -> EventFold:
    """Return a simulated event with enough players for several pages."""
    return simulate_format(name, 8 if name.startswith("team") else 33, "by ear", ROUGH_CONDITIONS).event


def event_panels(name: str) -> Iterator[ui.LayoutView]:
    """Yield the panels of a running event, for members and organisers."""
    event = simulated_event(name)
    view, stage = event_view(event), len(event.stages)
    last_round = round_view_of(event, stage, len(event.stages[-1].rounds))
    yield announcement(view, PRESENTERS)
    for page in range(3):
        yield private.standings_page(view, rank_views(event), page)[0]
        yield private.bracket_page(view, page)[0]
        yield private.games_page(view, last_round, page)[0]
        yield private.preview_page(view, last_round, page)[0]
        players = last_round.state.tables[0].seats
        yield exchange_panel(view, last_round, Choice(view.facts, page, (players[0], None)))
        yield exchange_panel(view, last_round, Choice(view.facts, page, players[:2]), refusal=LONG_NAME)  # type: ignore[arg-type]
        yield private.log_page(view, _log(), page)[0]
    yield private.rules_page(view)
    for state in EventState:
        yield home_page(event_view(event, state=state), "")
    reports = [ReportRecord(1, NOW, Person(7, LONG_NAME), 1, 12, "He stalls. " * 60)] * 20
    yield private.text_panel(private.reports_words(view, reports))
    if name.startswith("team"):
        distinct_choice = _with_distinct_names(line_up_choice(20, 40))
        yield from (line_up_panel(view, distinct_choice, encode_line_up(distinct_choice), page) for page in range(4))


def _with_distinct_names(choice: ChoiceView) -> ChoiceView:
    """Return the choice with distinct names."""
    roster = tuple(Person(person.user_id, f"Player {person.user_id}") for person in choice.roster)
    return replace(choice, roster=roster, members=roster[: len(choice.members)])


def _log() -> list[AuditRecord]:
    """Return a log with each kind of action, twice."""
    return [
        AuditRecord(number=number, user_id=500, kind=kind, details=details, at=NOW)
        for number, (kind, details) in enumerate([*RECORDED_DETAILS.items()] * 2, 1)
    ]


def sign_up_panels() -> Iterator[ui.LayoutView]:
    """Yield the panels before the first round."""
    view = sign_up_view("swiss-tables", 33)
    yield announcement(view, PRESENTERS)
    yield home_page(view, "")
    yield from (plan_page(view, page) for page in SETTING_PAGES)


def server_panels() -> Iterator[ui.LayoutView]:
    """Yield the panels of ratings and of server management."""
    ratings_found = [rating_view(number, 1300 - number, 1290, rank=number) for number in range(1, 41)]
    yield ratings.leaderboard_page(LONG_NAME, Scale.DUEL, ratings_found)[0]
    yield ratings.profile_page(LONG_NAME, ratings_found[:1], ratings_found[:1], {"duel": HeadToHead(7, 4, 3)})
    settings = GuildSettings()
    yield manage.home_page(settings, Counts(3, 40))
    yield manage.opening_page(settings)
    yield manage.games_page(summaries(26))


def check_readable_aloud(views: Iterator[ui.LayoutView]) -> None:
    """Assert that each panel is readable aloud and conveys nothing by signs alone."""
    for view in views:
        components: Sequence[Any] = view.to_components()
        assert_readable_aloud(Shown(None, components))  # type: ignore[arg-type]
        assert not list(message_problems(components))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", FORMATS_SHOWN)
def test_event_panels_are_readable_aloud(name: str, language: str) -> None:
    with speaking(language, listens=True):
        check_readable_aloud(event_panels(name))


@pytest.mark.parametrize("language", languages())
def test_sign_up_and_server_panels_are_readable_aloud(language: str) -> None:
    with speaking(language, listens=True):
        check_readable_aloud(sign_up_panels())
        check_readable_aloud(server_panels())
