"""Wherever people of one name stand side by side they read differently: in messages, on buttons, in lists and files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final
from unittest.mock import AsyncMock, MagicMock

import pytest

from cogs.commands import autocomplete, manage
from cogs.commands.info import games_view
from cogs.commands.lobby import closing_notice, lobby_card, seats_panel, started_card
from cogs.commands.records import read, record_of, shown_game
from cogs.commands.tourneys.ratings import leaderboard_page
from cogs.interactions.selection import MAX_NAME_TO_ACT, game_label
from cogs.panels.cards import story_without_move
from cogs.words.asking import offer_words, taken_over_words
from cogs.words.names import plain_names, safe
from cogs.words.story import clipped_name, units
from engine import begin
from engine.carcassonne import Position, new_setup
from engine.notation.records import format_record
from host import (
    INVITED,
    Asker,
    ClosingNotice,
    Game,
    GuildSettings,
    Lobby,
    Moment,
    Person,
    PostKind,
    Request,
    RequestKind,
    Substitution,
    Table,
    setup_of,
)
from renderers.final_scores import _NAME_WIDTH
from renderers.lettering import fitted, text_mask
from tests.cogs.positions import MOMENT, game_of
from tests.cogs.test_lengths import ME, summaries
from tests.cogs.test_lobby import lobby
from tests.cogs.test_rating_pages import rated
from tests.discord_limits.components import walk
from tournaments.lasting.ratings import Scale

ANAS: Final = tuple(Person(number, "Ana") for number in (81111, 82222, 83333, 84444))
CALLED: Final = tuple(f"Ana #{number % 10_000}" for number in (81111, 82222, 83333, 84444))


def table_of_two() -> Game:
    return replace(game_of(Position(new_setup(players=2, seed="1"))), seats=ANAS[:2])


def gathering() -> Lobby:
    """Two sit there, one was at the game before, and one was removed."""
    return replace(lobby(1), owner_id=81111, members=ANAS[:2], former=ANAS[2:3], barred=ANAS[3:])


def gone() -> Substitution:
    return Substitution(1, 1, 1, ANAS[2], ANAS[1], MOMENT)


def written(view: Any) -> str:
    """All that stands in a message, on its buttons and in its lists."""
    return "\n".join(
        str(part.get(name, "")) for _, part in walk(view.to_components()) for name in ("content", "label", "options")
    )


def replaced() -> str:
    game = table_of_two()
    position = begin(setup_of(game))
    return story_without_move(PostKind.REPLACED, Moment(game, position, position, (), ()), gone())


def asked() -> str:
    game, details = table_of_two(), {INVITED: 84444, "name": "Ana"}
    about: dict[str, Any] = {"stamp": game.stamp, "voters": (84444,), "lapses_at": MOMENT}
    request = Request(game_id=1, kind=RequestKind.REPLACE, user_id=81111, subject=82222, details=details, **about)
    return offer_words(game, request)


def exported() -> str:
    game = table_of_two()
    table = Table(game, begin(setup_of(game)), ())
    return "\n".join(record_of(table, [gone()]).names)


def owners() -> str:
    tables = [replace(gathering(), id=number, owner_id=ANAS[number].user_id) for number in range(2)]
    return written(manage.tables_page(tables))


SAID: Final[dict[str, tuple[Callable[[], str], tuple[int, ...]]]] = {
    "the card of a table that gathers": (lambda: written(lobby_card(gathering())), (0, 1, 2)),
    "its closing": (lambda: written(closing_notice(ClosingNotice(gathering(), 1, MOMENT))), (0,)),
    "its card when the game begins": (lambda: written(started_card(gathering(), table_of_two(), 9)), (0, 1)),
    "its seats, for the owner": (
        lambda: written(seats_panel(gathering(), Asker(81111, 1), GuildSettings())),
        (0, 1, 3),
    ),
    "its seats, for others": (lambda: written(seats_panel(gathering(), Asker(82222, 1), GuildSettings())), (0, 1)),
    "tables of a server": (owners, (0, 1)),
    "one of them": (lambda: written(manage.table_page(gathering())), (0, 1)),
    "a card after another one has taken over": (replaced, (1, 2)),
    "the log of that": (lambda: taken_over_words(table_of_two(), gone()), (1, 2)),
    "an offer to ask for another one": (asked, (1, 3)),
    "a record": (exported, (0, 1, 2)),
    "the ratings of a server": (
        lambda: str(
            leaderboard_page("Owls", Scale.DUEL, [replace(rated(1, 1, 1), person=each) for each in ANAS])[
                0
            ].to_components()
        ),
        (0, 1, 2, 3),
    ),
}


@pytest.mark.parametrize("where", SAID)
def test_they_are_told_apart(where: str) -> None:
    say, who = SAID[where]
    said = say().replace("\\", "")
    for number in who:
        assert CALLED[number] in said, (where, said)
    assert said.count("Ana") == sum(said.count(name) for name in CALLED), (where, said)


async def test_what_is_typed_finds_one_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autocomplete, "find_game", AsyncMock(return_value=table_of_two()))
    typing = MagicMock()
    for typed, found in (("", [0, 1]), ("ana #22", [1]), ("#1111", [0]), ("Ben", [])):
        offered = await autocomplete.complete_player(typing, typed)
        assert [(each.name, each.value) for each in offered] == [
            (CALLED[number], str(ANAS[number].user_id)) for number in found
        ]


def test_the_list_of_games_says_who_is_to_move() -> None:
    (game,) = summaries(1)
    game = replace(game, seats=(Person(ME, "Ben"), *ANAS[:2]), to_act=ANAS[1])
    said = written(games_view([game], 0, ME))
    assert [said.count(safe(name)) for name in CALLED[:2]] == [1, 2]


def test_a_record_of_theirs_is_read_with_two_names() -> None:
    """Of ours the names are told apart in the file, of others by their seats."""
    game = table_of_two()
    text = format_record(record_of(Table(game, begin(setup_of(game)), ())))
    assert plain_names(shown_game(read(text.encode()))) == list(CALLED[:2])
    alike = text.replace(CALLED[1], CALLED[0])
    assert alike != text
    assert plain_names(shown_game(read(alike.encode()))) == [f"{CALLED[0]} #{seat}" for seat in (1, 2)]


# -- where there is little room --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["Alexander the Great", "N" * 32, "\N{FACE WITH TEARS OF JOY}" * 32], ids=["words", "letters", "faces"]
)
def test_a_name_is_cut_and_its_number_stays(name: str) -> None:
    short = clipped_name(f"{name} #1234", MAX_NAME_TO_ACT)
    assert short.endswith("… #1234")
    assert short[0] == name[0]
    assert MAX_NAME_TO_ACT - 1 <= units(short) <= MAX_NAME_TO_ACT
    (game,) = summaries(1)
    game = replace(game, seats=(Person(ME, "Ben"), Person(81111, name), Person(82222, name)))
    for number in (1, 2):
        label = game_label(replace(game, to_act=game.seats[number]), ME, 100)
        assert f"… #{str(number) * 4}" in label


@pytest.mark.parametrize("name", ["Benjamin", "Alexander the Great", "N" * 32])
def test_it_stays_in_a_picture(name: str) -> None:
    short = fitted(f"{name} #1234", 34, _NAME_WIDTH - 110)
    assert short.endswith("… #1234")
    assert short[0] == name[0]
    assert text_mask(short, 34).width <= _NAME_WIDTH - 110


def test_where_there_is_no_room_for_a_number_the_name_is_cut() -> None:
    assert clipped_name("Ana #1234", 6) == "Ana #…"
    assert clipped_name("Ana #1234", 7) == "… #1234"
    assert clipped_name("Ana", 3) == "Ana"
