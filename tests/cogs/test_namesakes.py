"""Namesakes are distinguished wherever they appear together: in messages, on buttons, in menus and in files.

Four users are called Ana; the tests expect "Ana #1111" to "Ana #4444", by the last digits of their ids.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final
from unittest.mock import AsyncMock, MagicMock

import pytest

from cogs.commands import autocomplete, manage
from cogs.commands.info import games_view
from cogs.commands.lobby import closing_notice, lobby_card, seats_panel, started_card
from cogs.commands.records import read_bytes, record_of, shown_game
from cogs.commands.tourneys.ratings import leaderboard_page
from cogs.interactions.selection import MAX_NAME_TO_ACT, game_label
from cogs.panels.cards import story_without_move
from cogs.words.asking import offers_words, taken_over_words
from cogs.words.names import plain_names, safe
from cogs.words.story import clip_name, units
from engine import begin
from engine.carcassonne import Position, new_setup
from engine.notation.records import format_record
from host import (
    INVITED_USER,
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
from tests.cogs.positions import NOW, game_of
from tests.cogs.test_lengths import ME, summaries
from tests.cogs.test_lobby import create_lobby
from tests.cogs.test_rating_pages import rating_view
from tests.discord_limits.components import walk
from tournaments.lasting.ratings import Scale

ANAS: Final = tuple(Person(number, "Ana") for number in (81111, 82222, 83333, 84444))
"""Four users of the same name."""
DISTINCT_NAMES: Final = tuple(f"Ana #{number % 10_000}" for number in (81111, 82222, 83333, 84444))


def table_of_two() -> Game:
    """Return a game of two namesakes."""
    return replace(game_of(Position(new_setup(players=2, seed="1"))), seats=ANAS[:2])


def lobby_of_namesakes() -> Lobby:
    """Return a lobby with two members, one former player and one removed member."""
    return replace(create_lobby(1), owner_id=81111, members=ANAS[:2], former=ANAS[2:3], barred=ANAS[3:])


def substitution() -> Substitution:
    """Return the replacement of a player by a namesake."""
    return Substitution(1, 1, 1, ANAS[2], ANAS[1], NOW)


def all_texts(view: Any) -> str:
    """Return all texts of a message, including buttons and menus."""
    return "\n".join(
        str(part.get(name, "")) for _, part in walk(view.to_components()) for name in ("content", "label", "options")
    )


def replacement_text() -> str:
    """Return the text of the card about a replaced player."""
    game = table_of_two()
    position = begin(setup_of(game))
    return story_without_move(PostKind.REPLACED, Moment(game, position, position, (), ()), substitution())


def request_text() -> str:
    """Return the text of an offer to replace a player."""
    game, details = table_of_two(), {INVITED_USER: 84444, "name": "Ana"}
    about: dict[str, Any] = {"stamp": game.stamp, "voters": (84444,), "lapses_at": NOW}
    request = Request(game_id=1, kind=RequestKind.REPLACE, user_id=81111, subject=82222, details=details, **about)
    return offers_words(game, [request], [False])


def exported_names() -> str:
    """Return the names in the exported record of a game."""
    game = table_of_two()
    table = Table(game, begin(setup_of(game)), ())
    return "\n".join(record_of(table, [substitution()]).names)


def owners_text() -> str:
    """Return the text of the list of a server's lobbies."""
    tables = [replace(lobby_of_namesakes(), id=number, owner_id=ANAS[number].user_id) for number in range(2)]
    return all_texts(manage.tables_page(tables))


TEXTS_WITH_NAMESAKES: Final[dict[str, tuple[Callable[[], str], tuple[int, ...]]]] = {
    "the card of a lobby": (lambda: all_texts(lobby_card(lobby_of_namesakes())), (0, 1, 2)),
    "the notice of a closed lobby": (
        lambda: all_texts(closing_notice(ClosingNotice(lobby_of_namesakes(), 1, NOW))),
        (0,),
    ),
    "the card of a started game": (lambda: all_texts(started_card(lobby_of_namesakes(), table_of_two(), 9)), (0, 1)),
    "the seats of a lobby, for its owner": (
        lambda: all_texts(seats_panel(lobby_of_namesakes(), Asker(81111, 1), GuildSettings(), {})),
        (0, 1, 3),
    ),
    "the seats of a lobby, for others": (
        lambda: all_texts(seats_panel(lobby_of_namesakes(), Asker(82222, 1), GuildSettings(), {})),
        (0, 1),
    ),
    "the lobbies of a server": (owners_text, (0, 1)),
    "a lobby in the management of a server": (lambda: all_texts(manage.table_page(lobby_of_namesakes())), (0, 1)),
    "the card about a replaced player": (replacement_text, (1, 2)),
    "the log entry about a replaced player": (lambda: taken_over_words(table_of_two(), substitution()), (1, 2)),
    "the offer to replace a player": (request_text, (1, 3)),
    "an exported record": (exported_names, (0, 1, 2)),
    "the leaderboard of a server": (
        lambda: str(
            leaderboard_page("Owls", Scale.DUEL, [replace(rating_view(1, 1, 1), person=each) for each in ANAS])[
                0
            ].to_components()
        ),
        (0, 1, 2, 3),
    ),
}
"""Texts in which several of them appear, each with the ids that it has to show."""


@pytest.mark.parametrize("place", TEXTS_WITH_NAMESAKES)
def test_namesakes_are_distinguished(place: str) -> None:
    render, expected = TEXTS_WITH_NAMESAKES[place]
    text = render().replace("\\", "")
    for number in expected:
        assert DISTINCT_NAMES[number] in text, (place, text)
    assert text.count("Ana") == sum(text.count(name) for name in DISTINCT_NAMES), (place, text)


async def test_a_typed_name_with_a_number_finds_one_namesake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autocomplete, "find_game", AsyncMock(return_value=table_of_two()))
    interaction = MagicMock()
    for typed, expected in (("", [0, 1]), ("ana #22", [1]), ("#1111", [0]), ("Ben", [])):
        offered = await autocomplete.complete_player(interaction, typed)
        assert [(choice.name, choice.value) for choice in offered] == [
            (DISTINCT_NAMES[number], str(ANAS[number].user_id)) for number in expected
        ]


def test_the_list_of_games_distinguishes_the_player_to_move() -> None:
    (game,) = summaries(1)
    game = replace(game, seats=(Person(ME, "Ben"), *ANAS[:2]), to_act=ANAS[1], seat_to_act=2)
    text = all_texts(games_view([game], 0, ME))
    assert [text.count(safe(name)) for name in DISTINCT_NAMES[:2]] == [1, 2]


def test_a_record_with_namesakes_has_distinct_names() -> None:
    """Our records contain distinct names; in others namesakes are distinguished by their seats."""
    game = table_of_two()
    text = format_record(record_of(Table(game, begin(setup_of(game)), ())))
    assert plain_names(shown_game(read_bytes(text.encode()))) == list(DISTINCT_NAMES[:2])
    same_names = text.replace(DISTINCT_NAMES[1], DISTINCT_NAMES[0])
    assert same_names != text
    assert plain_names(shown_game(read_bytes(same_names.encode()))) == [
        f"{DISTINCT_NAMES[0]} #{seat}" for seat in (1, 2)
    ]


# -- limited space ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["Alexander the Great", "N" * 32, "\N{FACE WITH TEARS OF JOY}" * 32], ids=["words", "letters", "faces"]
)
def test_a_truncated_name_keeps_its_number(name: str) -> None:
    shortened = clip_name(f"{name} #1234", MAX_NAME_TO_ACT)
    assert shortened.endswith("… #1234")
    assert shortened[0] == name[0]
    assert MAX_NAME_TO_ACT - 1 <= units(shortened) <= MAX_NAME_TO_ACT
    (game,) = summaries(1)
    game = replace(game, seats=(Person(ME, "Ben"), Person(81111, name), Person(82222, name)))
    for number in (1, 2):
        label = game_label(replace(game, to_act=game.seats[number], seat_to_act=number), ME, 100)
        assert f"… #{str(number) * 4}" in label


@pytest.mark.parametrize("name", ["Benjamin", "Alexander the Great", "N" * 32])
def test_the_number_is_kept_in_pictures(name: str) -> None:
    shortened = fitted(f"{name} #1234", 34, _NAME_WIDTH - 110)
    assert shortened.endswith("… #1234")
    assert shortened[0] == name[0]
    assert text_mask(shortened, 34).width <= _NAME_WIDTH - 110


def test_without_space_for_a_number_only_the_name_is_truncated() -> None:
    assert clip_name("Ana #1234", 6) == "Ana #…"
    assert clip_name("Ana #1234", 7) == "… #1234"
    assert clip_name("Ana", 3) == "Ana"
