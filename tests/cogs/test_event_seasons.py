"""Seasons of the ladder on private pages: with 211 players every list pages, and pictures name who won each game."""

from __future__ import annotations

import pytest

from cogs.panels.events import private
from cogs.panels.events.pictures import round_sections, standings_pictures
from cogs.panels.events.posts import table_line
from cogs.texts import t
from host.events import AllTimeView
from renderers.events import EntryState
from tests.cogs.event_views import event_view, rank_views, round_view_of
from tests.cogs.test_event_posts import problems
from tests.tournaments.invariants import ROUGH_CONDITIONS
from tournaments.event import EventFold, due
from tournaments.facts import Result, SeasonGame
from tournaments.lasting.leagues import all_time_table
from tournaments.points import Outcome
from tournaments.specification import Specification
from tournaments.trials import entries_for, simulate_format


@pytest.fixture(scope="module")
def season() -> EventFold:
    """Return a large season."""
    return simulate_format("duel-season", 211, "large", ROUGH_CONDITIONS).event


def text_of(page: private.Page) -> str:
    """Return the components of a page as text, after checking Discord's limits."""
    view, pictures = page
    assert not problems(view, pictures)
    return str(view.to_components())


def test_every_player_is_in_the_standings_and_in_the_table_of_all_time(season: EventFold) -> None:
    view, lines = event_view(season), rank_views(season)
    totals = all_time_table([season])
    all_time = [AllTimeView(number, line.key.replace("-", " "), line) for number, line in enumerate(totals, 1)]
    standings = "".join(text_of(private.standings_page(view, lines, page)) for page in (0, 6, 13))
    assert lines[0].name in standings
    assert lines[-1].name in standings
    texts = [text_of(private.all_time_page(view, all_time, page)) for page in range(-(-len(all_time) // 16))]
    assert all(sum(line.name + ":" in text for text in texts) == 1 for line in all_time)


def test_games_are_paged_with_the_newest_first(season: EventFold) -> None:
    view, round_view = event_view(season), round_view_of(season, 1, 1)
    count = len(round_view.tables)
    assert count > 211
    last_page = (count - 1) // 8
    assert f"**{count}.**" in text_of(private.games_page(view, round_view, 0))
    assert "**1.**" in text_of(private.games_page(view, round_view, last_page))
    assert text_of(private.games_page(view, round_view, last_page + 1)) == text_of(
        private.games_page(view, round_view, last_page)
    )


def test_a_picture_marks_the_winner_of_each_game(season: EventFold) -> None:
    """Regression: whoever had won one game of a round was marked in all of it."""
    view, round_view = event_view(season), round_view_of(season, 1, 1)
    part = private.with_tables(round_view, round_view.tables[-40:])
    (section,) = round_sections(view, part)
    played = [box for box in section.boxes if all(line.state is not EntryState.LEFT for line in box.lines)]
    assert len(played) > 20
    for box in played:
        assert sum(line.state is EntryState.THROUGH for line in box.lines) == 1


def test_only_events_with_seasons_have_a_button_to_all_of_them(season: EventFold) -> None:
    label = t("event.button.all_time")
    assert label in text_of(private.standings_page(event_view(season), rank_views(season), 0))
    cup = simulate_format("duel-swiss", 6, "cup", ROUGH_CONDITIONS).event
    assert label not in text_of(private.standings_page(event_view(cup), rank_views(cup), 0))


def test_organisers_of_a_season_are_offered_what_they_can_do(season: EventFold) -> None:
    text = str(private.home_page(event_view(season)).to_components())
    assert all(t(f"event.deed.{deed}") in text for deed in ("extend", "correct", "close"))
    assert not any(t(f"event.deed.{deed}") in text for deed in ("redraw", "pause"))


def test_a_picture_of_the_standings_has_each_division_below_its_heading() -> None:
    """Regression: two divisions were told apart by a number in each line alone, below a heading "· 1 of 2"."""
    event = simulate_format("duel-season", 18, "two divisions", ROUGH_CONDITIONS).event
    first, second = standings_pictures(event_view(event), rank_views(event))
    alts = first.alt + second.alt
    assert alts.count(t("event.picture.division", number=1)) == 1
    assert alts.count(t("event.picture.division", number=2)) >= 1
    assert t("event.heading.division") not in alts.replace(t("event.picture.division", number=""), "")
    assert "· 1" not in first.alt


def test_a_game_lost_by_time_says_so_beside_the_score() -> None:
    event = EventFold(Specification("duel-season", entries_for(4), "slow"))
    for _ in range(2):  # the stage, and its only round
        fact = due(event)
        assert fact is not None
        event.apply(fact)
    event.apply(SeasonGame(1, (0, 1), "ABCD"))
    event.apply(Result(1, 1, 1, Outcome((60, 50), stalled=0)))
    view, round_view = event_view(event), round_view_of(event, 1, 1)
    (section,) = round_sections(view, round_view)
    slow, winner = section.boxes[0].lines
    assert (slow.value, slow.state) == (t("event.picture.too_slow", score=60), EntryState.BEATEN)
    assert (winner.value, winner.state) == ("50", EntryState.THROUGH)
    assert t("event.too_slow", player="Player number 0", score=60) in table_line(view, round_view.tables[0])
