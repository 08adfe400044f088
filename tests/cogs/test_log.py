"""The log of a game: by turns, with dates, complete on all pages.

Pages are read from the newest to the oldest; lines on a page have the same order.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from cogs.games.presenters import presenter_of
from cogs.texts import t
from cogs.words.story import LogPage, Storyteller, last_decided, log_page, since_last, units
from engine import Action, Position, begin
from engine.carcassonne import new_setup
from engine.selfplay import random_action
from host import LoggedAction, Table, UndoneAction, setup_of
from store.records import ActionRecord
from tests.cogs.positions import LONG_NAMES, NOW, finished_game, game_of

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


def play_turns(position: Position, rng: Random, count: int) -> tuple[list[Action], list[str]]:
    """Play whole turns at random; return their actions and the sentences that tell them."""
    presenter, actions, sentences = presenter_of(position), list[Action](), list[str]()
    teller = Storyteller.marked_up(presenter, game_of(position))
    for _ in range(count):
        turn, events = position.turn, []
        while position.turn == turn:
            actions.append(random_action(position, rng))
            events += position.apply(actions[-1])
        sentences += teller.sentences(events)
    return actions, sentences


def test_undone_moves_are_told_in_words() -> None:
    """Regression: they were told in notation. The second undo here takes back more than the first one."""
    setup, rng = new_setup(players=2, seed="7"), Random(1)
    kept, _ = play_turns(begin(setup), rng, 2)

    def after(actions: list[Action]) -> Position:
        position = begin(setup)
        for action in actions:
            position.apply(action)
        return position

    second, second_told = play_turns(after(kept), rng, 2)
    third, third_told = play_turns(after([*kept, *second]), rng, 2)
    instead, instead_told = play_turns(after([*kept, *second]), rng, 2)
    now, now_told = play_turns(after(kept), rng, 2)

    def undone(revision: int, ply: int, actions: list[Action]) -> list[UndoneAction]:
        at = NOW + timedelta(days=revision)
        rows = (ActionRecord(number, 0, 100, str(action), at) for number, action in enumerate(actions, ply))
        return [UndoneAction(revision, row) for row in rows]

    undos = [*undone(1, len(kept) + len(second), third), *undone(2, len(kept), [*second, *instead])]
    position = after([*kept, *now])
    log = tuple(LoggedAction(ply, 0, 100, action, NOW) for ply, action in enumerate([*kept, *now]))
    table = Table(game_of(position), position, log)
    lines = log_page(presenter_of(position), table, 0, 10**6, undos).lines
    struck = [re.findall("~~(.*?)~~", line) for line in lines]
    assert [told for told in struck if told] == [[*second_told, *instead_told], third_told]
    assert all(sentence in "\n".join(lines) for sentence in now_told)
    recent = log_page(presenter_of(position), table, 0, 10**6, undos, start=len(log))
    assert len(recent.lines) == 2, "both undos are newer than the last action"
