"""The log of a game: by turns, with dates, complete on all pages.

Pages are read from the newest to the oldest; lines on a page have the same order.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from cogs.games.presenters import presenter_of
from cogs.texts import t
from cogs.words.story import LogPage, Storyteller, last_decided, log_page, since_last, units
from engine import begin
from host import Table, setup_of
from tests.cogs.positions import LONG_NAMES, NOW, finished_game

PAGE_LENGTH = 3500
"""Characters of a page at most."""
EMOJI_NAMES = ("\N{FAMILY} " * 16,) * 6
"""Long names in which each character counts as two."""


def pages(table: Table) -> list[LogPage]:
    """Return all pages of the log, newest first."""
    found_pages: list[LogPage] = []
    skipped = 0
    while not found_pages or found_pages[-1].older:
        page = log_page(presenter_of(table.position), table, skipped, PAGE_LENGTH)
        assert page.lines
        found_pages.append(page)
        skipped += len(page.lines)
    return found_pages


def with_dates(table: Table) -> Table:
    """Return the same game with a day between two actions."""
    log = tuple(replace(entry, at=NOW + timedelta(days=entry.ply)) for entry in table.log)
    return Table(table.game, table.position, log)


@pytest.mark.parametrize("names", [LONG_NAMES, EMOJI_NAMES])
@pytest.mark.parametrize(("players", "seed"), [(2, 3), (6, 5)])
def test_pages_keep_the_limit_and_are_complete(players: int, seed: int, names: tuple[str, ...]) -> None:
    """Regression: the final scoring of a big game was truncated, and pages exceeded the limit in UTF-16 units."""
    table, finished = finished_game(players, seed, names)
    all_pages = pages(table)
    assert all(sum(units(line) + 1 for line in page.lines) <= PAGE_LENGTH for page in all_pages)
    text = "\n".join(line for page in all_pages for line in page.lines)
    assert "…" not in text
    final = [event for event in finished.events if getattr(event, "final", False)]
    storyteller = Storyteller.marked_up(presenter_of(table.position), table.game)
    assert len(final) > 5
    assert all(sentence in text for sentence in storyteller.sentences(final))


def test_a_turn_contains_tile_figure_and_consequences() -> None:
    table, _ = finished_game(3, 5)
    entries = [line for page in pages(table) for line in page.lines][::-1]
    titles = list(dict.fromkeys(re.match(r"\*\*(.+?)\*\*", entry)[1] for entry in entries))  # type: ignore[index]
    turns = [int(title.split()[1]) for title in titles if title != t("log.end")]
    assert titles[-1] == t("log.end")
    assert turns == sorted(turns)
    assert turns == list(range(1, len(turns) + 1)), "each drawn tile is one turn, and none is missing"
    assert turns[-1] == table.position.turn


def test_the_events_since_a_players_decision_are_the_end_of_the_log() -> None:
    table, _ = finished_game(3, 5)
    presenter, limit = presenter_of(table.position), 10**6
    for decision in (40, 80, len(table.log) - 1):
        log = tuple(replace(entry, user_id=7 if entry.ply == decision - 1 else 8) for entry in table.log)
        log = tuple(replace(entry, user_id=7, preset=True) if entry.ply == decision + 1 else entry for entry in log)
        table_of_player = replace(table, log=log)
        assert last_decided(table_of_player, 7) == decision, "plans do not count as decisions"
        recent = since_last(presenter, table_of_player, 7, limit)
        log_text = " ".join(line for page in pages(table_of_player) for line in page.lines[::-1])
        assert recent
        assert recent.split()[-1] in log_text
        for earlier in (
            table_of_player.at(decision - 9),
            table_of_player.at(decision),
            table_of_player.at(decision + 1),
        ):
            assert since_last(presenter, replace(table_of_player, earlier=earlier), 7, limit) == recent
        shortened = since_last(presenter, table_of_player, 7, 200)
        assert units(shortened) <= 200
        assert recent.endswith(shortened), "the newest events are kept if space is short"
    assert last_decided(table, 9) == 0
    assert since_last(presenter, table, 9, limit) == ""


def test_each_turn_has_its_date() -> None:
    table = with_dates(finished_game(2, 3)[0])
    position = begin(setup_of(table.game))
    start_times: dict[int, int] = {}
    presenter = presenter_of(position)
    turn, turn_continues = position.turn, False
    for entry in table.log:
        position.apply(entry.action)
        turn_continues = presenter.turn.continues(position)
        if not turn_continues:
            start_times.setdefault(turn, int(entry.at.timestamp()))
            turn = position.turn
    entries = [line for page in pages(table) for line in page.lines]
    for number, at in list(start_times.items())[:20]:
        assert any(entry.startswith(f"**{t('log.turn', number=number)}** · <t:{at}:f>\n") for entry in entries)


def test_the_log_of_a_game_without_moves_is_empty() -> None:
    table, _ = finished_game(2, 3)
    empty = Table(replace(table.game, ply=0), begin(setup_of(table.game)), ())
    assert log_page(presenter_of(table.position), empty, 0, PAGE_LENGTH) == LogPage((), 0)


def test_a_page_beyond_the_beginning_is_empty() -> None:
    table, _ = finished_game(2, 3)
    assert log_page(presenter_of(table.position), table, 10_000, PAGE_LENGTH) == LogPage((), 0)
