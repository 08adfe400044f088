"""Players asked for an undo are told what it leaves known: the tiles that stay next, and nothing secret."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from cogs.games.presenters import presenter_of
from cogs.panels.cards import question_card
from cogs.texts import t
from cogs.texts.languages import languages, speaking
from cogs.words.asking import MAX_SEEN_TILES, seen_words
from engine import GAMES, Position, begin, seen_between
from engine.carcassonne import tile
from engine.carcassonne.expansions import OFFERED_TILE_SETS
from engine.carcassonne.tiles import tile_set
from engine.selfplay import random_action
from engine.the_castle import Position as CastlePosition
from host import Post, PostKind, Request, RequestKind
from tests.cogs.positions import LONG_NAMES, game_of
from tests.discord_limits.components import component_problems, walk
from tests.engine.the_castle_games import lively_action
from tests.scenarios.test_builders_bazaars import BUILDER_FIRST, REST, SOUTH
from tests.scenarios.vocabulary import play_turn
from tests.scenarios.vocabulary_builders import arrange_builders, place_far_away

NEXT = {
    "en": "The next tile has been seen and stays the next: road bend.",
    "de": "Die nächste Karte ist schon bekannt und bleibt die nächste: Straßenkurve.",
    "cs": "Příští kartička už je známá a zůstane příští: zatáčka cesty.",
    "nl": "De volgende tegel is al gezien en blijft de volgende: wegbocht.",
    "pl": "Następny kafelek jest już znany i pozostanie następny: zakręt drogi.",
}
NOT_TRIED: Any = {"attempts": 0, "first_attempt_at": None, "message_id": None}
"""Of a post that nobody has sent yet."""
BEND = "base/V"
"""A tile with a bend of a road alone."""


def told(before: Position, after: Position) -> list[str]:
    """Read what is told to whoever is asked to go back from one position to another."""
    return seen_words(presenter_of(after), before, after)


def turns(game: str, *, seed: int, count: int) -> list[Any]:
    """Play turns of a game for two; its positions where a tile is to be laid, the last where it is over."""
    position, random = begin(GAMES[game].new_setup(players=2, seed=str(seed), expansions=())), Random(seed)
    found = [position.copy()]
    while position.step is not None and len(found) <= count:
        position.apply(random_action(position, random))
        if position.hand is not None or position.is_over:
            found.append(position.copy())
    return found


@pytest.mark.parametrize("language", languages())
def test_the_next_tile_is_named_in_every_language(language: str) -> None:
    before = arrange_builders(tiles=SOUTH, hand="base/U", pile=[BEND, *REST])
    after = before.copy()
    place_far_away(after)
    with speaking(language):
        assert told(before, after) == [NEXT[language]]


@pytest.mark.parametrize("game", GAMES)
def test_all_tiles_that_came_up_since_are_named_in_their_order(game: str) -> None:
    before, *_, after = turns(game, seed=1, count=3)
    presenter = presenter_of(after)
    drawn = [presenter.tile_words(presenter.tile_kind(before, name)) for name in before.setup.pile[1 : after.next_tile]]
    assert len(drawn) > 2
    [line, *_] = told(before, after)
    assert line == t("undo.seen_next", count=len(drawn), tiles="; ".join(drawn))


def test_nothing_is_said_where_nothing_came_up_since() -> None:
    """Neither while a turn goes on, nor after the last tile."""
    *_, last, over = turns("carcassonne", seed=1, count=999)
    assert over.is_over
    assert last.hand is not None
    assert told(last, last.copy()) == []
    assert told(last, over) == []


def test_lots_that_were_taken_unseen_are_not_named() -> None:
    pile = ["base/U", "base/V", "base/W", "base/X", *REST]
    before = arrange_builders(tiles=SOUTH, hand="bcb/RFRF-a", pile=pile, options=BUILDER_FIRST)
    position = before.copy()
    play_turn(position, "2,0", 90)
    named = presenter_of(position).tile_words(tile("base/X"))
    assert told(before, position) == [t("undo.seen", count=1, tiles=named)]
    waiting = position.copy()
    place_far_away(position)
    assert len(seen_between(waiting, position).ids) == 3
    assert told(waiting, position)[0].startswith(t("undo.seen", count=3, tiles="|").partition("|")[0])
    assert told(before, position)[0].startswith(t("undo.seen_next", count=4, tiles="|").partition("|")[0])


def castle_with_a_wall_tile(seed: int) -> tuple[CastlePosition, CastlePosition]:
    """Play The Castle until a wall tile is turned up; the positions before that decision and after it."""
    position, random = begin(GAMES["the-castle"].new_setup(players=2, seed=str(seed))), Random(seed)
    assert isinstance(position, CastlePosition)
    while True:
        before = position.copy()
        position.apply(lively_action(position, random))
        if position.taken != before.taken:
            return before, position


@pytest.mark.parametrize("language", languages())
def test_a_wall_tile_that_was_turned_up_is_named_and_no_other_one(language: str) -> None:
    before, after = castle_with_a_wall_tile(1)
    [corner] = set(after.taken) - set(before.taken)
    kind = after.setup.wall_tile_on(corner)
    with speaking(language):
        spaces = t("tell.spaces", one=corner, other=corner + 1)
        number = int(kind)
        named = t("wall_tile.named", number=number, use=t(f"wall_tile.use.{number}"))
        *_, line = told(before, after)
        assert line == t("undo.seen_wall_tile", tile=named, spaces=spaces)
        assert told(after, after.copy()) == []


def test_nothing_that_lies_face_down_is_told() -> None:
    """With whatever nobody has seen hidden, or in another order, the same is told."""
    before, after = castle_with_a_wall_tile(3)
    lines = told(before, after)
    before.setup = after.setup = after.veiled().setup
    assert told(before, after) == lines
    first, *_, last = turns("carcassonne", seed=2, count=4)
    lines, pile = told(first, last), last.setup.pile
    other = (*pile[: last.next_tile], *reversed(pile[last.next_tile :]))
    assert other != pile
    first.setup = last.setup = replace(last.setup, pile=other)
    assert told(first, last) == lines


@pytest.mark.parametrize("language", languages())
def test_the_widest_question_fits(language: str) -> None:
    """Six players, forty lots with the longest words, of which the first are named and the others counted."""
    before = arrange_builders(tiles=SOUTH, hand="base/U", pile=[])
    presenter = presenter_of(before)
    with speaking(language):
        kinds = [kind for name in OFFERED_TILE_SETS for kind in tile_set(name).values()]
        widest = max(kinds, key=lambda kind: len(presenter.tile_words(kind)))
        before.setup = replace(before.setup, pile=(widest.id,) * 40)
        before.next_tile = 0
        after = before.copy()
        after.next_tile = 40
        [line] = told(before, after)
        assert line.endswith(t("card.and_more", number=40 - MAX_SEEN_TILES))
        view = asked(before, [line])
    assert not list(component_problems(view.to_components(), v2=True))


def asked(position: Position, seen: list[str]) -> Any:
    """Make the card that asks to undo something in a game."""
    game = game_of(position, LONG_NAMES)
    request = Request(
        id=1,
        game_id=game.id,
        kind=RequestKind.UNDO,
        user_id=game.seats[0].user_id,
        stamp=game.stamp,
        voters=tuple(person.user_id for person in game.seats[1:]),
        lapses_at=datetime(2026, 1, 2, tzinfo=UTC),
    )
    post = Post(
        id=1, game_id=game.id, game=game, from_ply=0, ply=0, kind=PostKind.ASKED, nonce="K7QF-0-q1", **NOT_TRIED
    )
    return question_card(post, request, seen).view


def test_the_question_says_it_between_what_is_asked_and_until_when() -> None:
    position = arrange_builders(tiles=SOUTH, hand="base/U", pile=REST)
    [words] = [part["content"] for _, part in walk(asked(position, [NEXT["en"]]).to_components()) if part["type"] == 10]
    first, second, third = words.splitlines()
    assert first.endswith(": do you agree?")
    assert second == NEXT["en"]
    assert third.startswith("-# Silence until")
    [words] = [part["content"] for _, part in walk(asked(position, []).to_components()) if part["type"] == 10]
    assert len(words.splitlines()) == 2
