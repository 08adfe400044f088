"""The card that asks for consent to an undo names what players know after it: drawn tiles, and nothing secret.

After an undo, a tile that was drawn meanwhile is again the next to be drawn. "Lots" are the tiles of a bazaar, drawn
from the pile.
"""

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
from tests.discord_limits.components import Kind, component_problems, walk
from tests.engine.the_castle_games import lively_action
from tests.scenarios.test_builders_bazaars import BUILDER_FIRST, FAR_TILES, SPARE_TILES
from tests.scenarios.vocabulary import play_turn
from tests.scenarios.vocabulary_builders import arrange_builders, place_far_away

NEXT_TILE_SENTENCES = {
    "en": "The next tile has already been seen and stays the next: road bend.",
    "de": "Die nächste Karte ist schon bekannt und bleibt die nächste: Straßenkurve.",
    "cs": "Příští kartička už je známá a zůstane příští: zatáčka cesty.",
    "nl": "De volgende tegel is al gezien en blijft de volgende: wegbocht.",
    "pl": "Następny kafelek jest już znany i pozostanie następny: zakręt drogi.",
}
"""The sentence that names the next tile, in each language."""
UNSENT: Any = {"attempts": 0, "first_attempt_at": None, "message_id": None}
"""Fields of a post that has not been sent yet."""
ROAD_BEND = "base/V"
"""A tile whose only road bends."""


def seen_since(before: Position, after: Position) -> list[str]:
    """Return the sentences about what players still know after an undo from the second position to the first."""
    return seen_words(presenter_of(after), before, after)


def turn_positions(game: str, *, seed: int, count: int) -> list[Any]:
    """Return the positions of a random game of two in which a tile is to be placed, and its end if it is reached."""
    position, rng = begin(GAMES[game].new_setup(players=2, seed=str(seed), expansions=())), Random(seed)
    positions = [position.copy()]
    while position.step is not None and len(positions) <= count:
        position.apply(random_action(position, rng))
        if position.hand is not None or position.is_over:
            positions.append(position.copy())
    return positions


@pytest.mark.parametrize("language", languages())
def test_the_next_tile_is_named_in_every_language(language: str) -> None:
    before = arrange_builders(tiles=FAR_TILES, hand="base/U", pile=[ROAD_BEND, *SPARE_TILES])
    after = before.copy()
    place_far_away(after)
    with speaking(language):
        assert seen_since(before, after) == [NEXT_TILE_SENTENCES[language]]


@pytest.mark.parametrize("game", GAMES)
def test_all_tiles_drawn_since_are_named_in_their_order(game: str) -> None:
    before, *_, after = turn_positions(game, seed=1, count=3)
    presenter = presenter_of(after)
    drawn = [presenter.tile_words(presenter.tile_kind(before, name)) for name in before.setup.pile[1 : after.next_tile]]
    assert len(drawn) > 2
    [line, *_] = seen_since(before, after)
    assert line == t("undo.seen_next", count=len(drawn), tiles="; ".join(drawn))


def test_nothing_is_named_if_no_tile_was_drawn_since() -> None:
    """No tile is drawn within a turn, nor after the last tile."""
    *_, last, finished = turn_positions("carcassonne", seed=1, count=999)
    assert finished.is_over
    assert last.hand is not None
    assert seen_since(last, last.copy()) == []
    assert seen_since(last, finished) == []


def test_lots_drawn_face_down_are_not_named() -> None:
    pile = ["base/U", "base/V", "base/W", "base/X", *SPARE_TILES]
    before = arrange_builders(tiles=FAR_TILES, hand="bcb/RFRF-a", pile=pile, options=BUILDER_FIRST)
    position = before.copy()
    play_turn(position, "2,0", 90)
    tile_text = presenter_of(position).tile_words(tile("base/X"))
    assert seen_since(before, position) == [t("undo.seen", count=1, tiles=tile_text)]
    before_lots = position.copy()
    place_far_away(position)
    assert len(seen_between(before_lots, position).ids) == 3
    assert seen_since(before_lots, position)[0].startswith(t("undo.seen", count=3, tiles="|").partition("|")[0])
    assert seen_since(before, position)[0].startswith(t("undo.seen_next", count=4, tiles="|").partition("|")[0])


def castle_positions_around_a_wall_tile(seed: int) -> tuple[CastlePosition, CastlePosition]:
    """Play The Castle until a wall tile is turned up; return the positions before and after that action."""
    position, rng = begin(GAMES["the-castle"].new_setup(players=2, seed=str(seed))), Random(seed)
    assert isinstance(position, CastlePosition)
    while True:
        before = position.copy()
        position.apply(lively_action(position, rng))
        if position.taken != before.taken:
            return before, position


@pytest.mark.parametrize("language", languages())
def test_only_a_wall_tile_turned_up_since_is_named(language: str) -> None:
    before, after = castle_positions_around_a_wall_tile(1)
    [corner] = set(after.taken) - set(before.taken)
    kind = after.setup.wall_tile_on(corner)
    with speaking(language):
        spaces = t("tell.spaces", one=corner, other=corner + 1)
        number = int(kind)
        tile_text = t("wall_tile.named", number=number, use=t(f"wall_tile.use.{number}"))
        *_, line = seen_since(before, after)
        assert line == t("undo.seen_wall_tile", tile=tile_text, spaces=spaces)
        assert seen_since(after, after.copy()) == []


def test_the_sentences_do_not_depend_on_hidden_tiles() -> None:
    """The tiles that no player has seen are hidden in one comparison, and in another order in the other."""
    before, after = castle_positions_around_a_wall_tile(3)
    lines = seen_since(before, after)
    before.setup = after.setup = after.veiled().setup
    assert seen_since(before, after) == lines
    first, *_, last = turn_positions("carcassonne", seed=2, count=4)
    lines, pile = seen_since(first, last), last.setup.pile
    other_pile = (*pile[: last.next_tile], *reversed(pile[last.next_tile :]))
    assert other_pile != pile
    first.setup = last.setup = replace(last.setup, pile=other_pile)
    assert seen_since(first, last) == lines


@pytest.mark.parametrize("language", languages())
def test_the_longest_question_keeps_the_limits(language: str) -> None:
    """Forty tiles with the longest descriptions have been seen: the first are named, the others counted."""
    before = arrange_builders(tiles=FAR_TILES, hand="base/U", pile=[])
    presenter = presenter_of(before)
    with speaking(language):
        kinds = [kind for name in OFFERED_TILE_SETS for kind in tile_set(name).values()]
        widest = max(kinds, key=lambda kind: len(presenter.tile_words(kind)))
        before.setup = replace(before.setup, pile=(widest.id,) * 40)
        before.next_tile = 0
        after = before.copy()
        after.next_tile = 40
        [line] = seen_since(before, after)
        assert line.endswith(t("card.and_more", number=40 - MAX_SEEN_TILES))
        view = question_view(before, [line])
    assert not list(component_problems(view.to_components(), v2=True))


def question_view(position: Position, sentences: list[str]) -> Any:
    """Return the card that asks the other players to agree to an undo."""
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
    post = Post(id=1, game_id=game.id, game=game, from_ply=0, ply=0, kind=PostKind.ASKED, nonce="K7QF-0-q1", **UNSENT)
    return question_card(post, request, sentences).view


def test_the_question_has_the_sentences_between_request_and_deadline() -> None:
    position = arrange_builders(tiles=FAR_TILES, hand="base/U", pile=SPARE_TILES)
    [words] = [
        part["content"]
        for _, part in walk(question_view(position, [NEXT_TILE_SENTENCES["en"]]).to_components())
        if part["type"] == Kind.TEXT_DISPLAY
    ]
    first, second, third = words.splitlines()
    assert first.endswith(": do you agree?")
    assert second == NEXT_TILE_SENTENCES["en"]
    assert third.startswith("-# No answer by")
    [words] = [
        part["content"]
        for _, part in walk(question_view(position, []).to_components())
        if part["type"] == Kind.TEXT_DISPLAY
    ]
    assert len(words.splitlines()) == 2
