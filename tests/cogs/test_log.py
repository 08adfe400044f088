"""The log of a game: by turns, with dates, complete on all pages."""

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

PAGE = 3500
EMOJI = ("\N{FAMILY} " * 16,) * 6


def pages(table: Table) -> list[LogPage]:
    """Return all pages of the log, newest first."""
    found: list[LogPage] = []
    skipped = 0
    while not found or found[-1].older:
        page = log_page(presenter_of(table.position), table, skipped, PAGE)
        assert page.lines
        found.append(page)
        skipped += len(page.lines)
    return found


def dated(table: Table) -> Table:
    """Return the same game with a day between two actions."""
    log = tuple(replace(entry, at=NOW + timedelta(days=entry.ply)) for entry in table.log)
    return Table(table.game, table.position, log)


@pytest.mark.parametrize("names", [LONG_NAMES, EMOJI])
@pytest.mark.parametrize(("players", "seed"), [(2, 3), (6, 5)])
def test_pages_keep_the_limit_and_are_complete(players: int, seed: int, names: tuple[str, ...]) -> None:
    """Regression: the final scoring of a big game was truncated, and pages exceeded the limit in UTF-16 units."""
    table, whole = finished_game(players, seed, names)
    found = pages(table)
    assert all(sum(units(line) + 1 for line in page.lines) <= PAGE for page in found)
    said = "\n".join(line for page in found for line in page.lines)
    assert "…" not in said
    final = [event for event in whole.events if getattr(event, "final", False)]
    teller = Storyteller.marked_up(presenter_of(table.position), table.game)
    assert len(final) > 5
    assert all(sentence in said for sentence in teller.sentences(final))


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
    presenter, most = presenter_of(table.position), 10**6
    for start in (40, 80, len(table.log) - 1):
        log = tuple(replace(entry, user_id=7 if entry.ply == start - 1 else 8) for entry in table.log)
        log = tuple(replace(entry, user_id=7, preset=True) if entry.ply == start + 1 else entry for entry in log)
        known = replace(table, log=log)
        assert last_decided(known, 7) == start, "plans do not count as decisions"
        said = since_last(presenter, known, 7, most)
        whole = " ".join(line for page in pages(known) for line in page.lines[::-1])
        assert said
        assert said.split()[-1] in whole
        for earlier in (known.at(start - 9), known.at(start), known.at(start + 1)):
            assert since_last(presenter, replace(known, earlier=earlier), 7, most) == said
        short = since_last(presenter, known, 7, 200)
        assert units(short) <= 200
        assert said.endswith(short), "the newest events are kept if space is short"
    assert last_decided(table, 9) == 0
    assert since_last(presenter, table, 9, most) == ""


def test_each_turn_has_its_date() -> None:
    table = dated(finished_game(2, 3)[0])
    position = begin(setup_of(table.game))
    began: dict[int, int] = {}
    presenter = presenter_of(position)
    turn, goes_on = position.turn, False
    for entry in table.log:
        position.apply(entry.action)
        goes_on = presenter.turn.continues(position)
        if not goes_on:
            began.setdefault(turn, int(entry.at.timestamp()))
            turn = position.turn
    entries = [line for page in pages(table) for line in page.lines]
    for number, at in list(began.items())[:20]:
        assert any(entry.startswith(f"**{t('log.turn', number=number)}** · <t:{at}:f>\n") for entry in entries)


def test_the_log_of_a_game_without_moves_is_empty() -> None:
    table, _ = finished_game(2, 3)
    empty = Table(replace(table.game, ply=0), begin(setup_of(table.game)), ())
    assert log_page(presenter_of(table.position), empty, 0, PAGE) == LogPage((), 0)


def test_a_page_beyond_the_beginning_is_empty() -> None:
    table, _ = finished_game(2, 3)
    assert log_page(presenter_of(table.position), table, 10_000, PAGE) == LogPage((), 0)
