"""Sentences about events: places on a tile, terms of scores, unscored features, the pile, the end.

A term is one counted item of a score, such as its tiles. Half-sides of a tile are named by the side and L or R, seen
from its centre: NL is the left half of the north side.
"""

from collections import Counter
from dataclasses import replace

import pytest

from cogs.commands.info import face_down, tiles_summary
from cogs.games.presenters import PRESENTERS, presenter_of
from cogs.games.the_castle.words import short_feature_words
from cogs.panels.cards import tiles_pictures
from cogs.panels.deciding import done_text
from cogs.texts import t
from cogs.words.alt_texts import MAX_ALT_LENGTH
from cogs.words.names import direction_words, segment_words
from cogs.words.story import Storyteller, terms_words
from engine import GAMES, Cell, begin
from engine.events import Completed, Event, Scored, Term
from engine.geometry import HALVES
from engine.the_castle import FeatureKind, ScoreFeature, Segment
from host import Computer, Consequence, Person, TableSettings
from renderers import DAY, Picture
from tests.cogs.positions import finished_game, game_of
from tests.engine.built_castle_positions import arrange

NAMES = ("Ana", "Ben")
"""Names of the seats 0 and 1."""
EAST, WEST = (Cell(1, 0),), (Cell(-1, 0),)
"""Features of one tile, beside the start tile."""
every_game = pytest.mark.parametrize("name", GAMES)


def tower(halves: str) -> Segment:
    """Return a tower at these half-sides."""
    return Segment(FeatureKind.TOWER, tuple(sorted(HALVES.index(half) for half in halves.split())))


def sentences_of(name: str, *events: Event) -> list[str]:
    """Return the sentences about these events in a game of Ana and Ben."""
    return list(Storyteller(PRESENTERS[name].sentence, NAMES).sentences(events))


def score_sentence(name: str, kind: str, *terms: Term, final: bool = False) -> str:
    """Return the sentence about a score of Ana with these terms."""
    [sentence] = sentences_of(name, Scored(0, sum(term.points for term in terms), kind, terms, EAST, final=final))
    return sentence


# -- places on a tile -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("halves", "expected"),
    [
        ("NL WR", "NW"),
        ("NL NR EL WR", "N"),
        ("NL SR WL WR", "W"),
        ("NR EL SR WL", "NE-SW"),
        ("NL NR EL SR WL WR", "SW-NW-NE"),
        ("NL NR EL ER SL WR", "NW-NE-SE"),
        ("NR EL ER SL SR WL", "NE-SE-SW"),
        ("NL ER SL SR WL WR", "SE-SW-NW"),
        ("NL NR EL ER SL SR WL WR", ""),
    ],
)
def test_corners_are_named_clockwise_starting_after_the_gap(halves: str, expected: str) -> None:
    assert direction_words(tower(halves)) == expected.replace("-", t("compass.to"))


def test_a_feature_that_covers_the_tile_has_no_place() -> None:
    assert segment_words(tower(" ".join(HALVES))) == "tower"
    position = arrange(tiles=["D01 F4"])
    [placed] = position.placed()
    assert short_feature_words(position, ScoreFeature(placed.cell, "tower.NL")) == "Tower F4"


# -- terms of a score -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind", "terms", "sentence"),
    [
        ("the-castle", "house", [Term("tiles", 1, 1)], "**Ana +1** for a house at N13."),
        ("the-castle", "tower", [Term("tiles", 1, 2)], "**Ana +2** for a tower at N13: 1 tile."),
        (
            "the-castle",
            "tower",
            [Term("tiles", 3, 6), Term("doubled", 1, 6)],
            "**Ana +12** for a tower at N13: 3 tiles (6) + doubled (6).",
        ),
        (
            "the-castle",
            "path",
            [Term("tiles", 3, 3), Term("wells", 1, 3)],
            "**Ana +6** for a path at N13: 3 tiles (3) + a well (3).",
        ),
        ("carcassonne", "road", [Term("tiles", 4, 4)], "**Ana +4** for a road at N13."),
        ("carcassonne", "city", [Term("tiles", 4, 8)], "**Ana +8** for a city at N13: 4 tiles."),
        (
            "carcassonne",
            "city",
            [Term("tiles", 4, 8), Term("pennants", 1, 2)],
            "**Ana +10** for a city at N13: 4 tiles (8) + 1 pennant (2).",
        ),
        ("carcassonne", "castle", [Term("road", 1, 5)], "**Ana +5** for a castle at N13: a road in its fief."),
        ("carcassonne", "fairy", [Term("fairy", 1, 3)], "**Ana +3** for a visit by the fairy at N13."),
    ],
)
def test_points_and_counts_cannot_be_confused(name: str, kind: str, terms: list[Term], sentence: str) -> None:
    assert score_sentence(name, kind, *terms) == sentence


def test_final_points_and_counts_cannot_be_confused() -> None:
    fields = Term("cities", 2, 6), Term("castles", 1, 4), Term("pig", 3, 3)
    assert (
        score_sentence("carcassonne", "field", *fields[:1], final=True)
        == "**Ana +6** at the end for a field at N13: 2 cities."
    )
    terms_text = "2 cities (6) + 1 castle (4) + a pig for 3 of them (3)"
    assert (
        score_sentence("carcassonne", "field", *fields, final=True)
        == f"**Ana +13** at the end for a field at N13: {terms_text}."
    )
    assert terms_words(fields) == terms_text
    keep = "**Ana +9** at the end for the larger keep: 9 empty spaces."
    assert score_sentence("the-castle", "keep", Term("spaces", 9, 9), final=True) == keep


def test_scores_name_a_tile_of_the_feature() -> None:
    """Two cities completed by one tile are named by different tiles; goods have no place."""
    cities = [Scored(0, 4, "city", (Term("tiles", 2, 4),), (cell, Cell(0, 0)), final=False) for cell in (*EAST, *WEST)]
    assert [sentence.partition(":")[0] for sentence in sentences_of("carcassonne", *cities)] == [
        "**Ana +4** for a city at N13",
        "**Ana +4** for a city at L13",
    ]
    goods = Scored(0, 10, "goods", (Term("wine", 5, 10),), (), final=True)
    assert sentences_of("carcassonne", goods) == ["**Ana +10** at the end for a majority in goods: 5 barrels of wine."]


# -- unscored features -----------------------------------------------------------------------------------------------


@every_game
def test_all_unscored_features_are_one_sentence(name: str) -> None:
    kind, other_kind = ("path", "house") if name == "the-castle" else ("road", "city")
    features = Completed(kind, EAST, 2), Completed(other_kind, WEST, 1)
    one_sentence = f"Complete, but nobody scores: a {kind} at N13 (2 points), a {other_kind} at L13 (1 point)."
    assert sentences_of(name, *features) == [one_sentence]
    assert sentences_of(name, features[0]) == [f"Complete, but nobody scores: a {kind} at N13 (2 points)."]
    score = Scored(1, 1, other_kind, (Term("tiles", 1, 1),), WEST, final=False)
    assert sentences_of(name, *features, score) == [sentences_of(name, features[0])[0], sentences_of(name, score)[0]]


# -- the pile ---------------------------------------------------------------------------------------------------------


@every_game
def test_the_picture_of_remaining_tiles_is_summarised(name: str) -> None:
    position = begin(GAMES[name].new_setup(players=2, seed="1", expansions=GAMES[name].expansions))
    remaining = face_down(position)
    presenter = replace(presenter_of(position), tiles_picture=lambda *_: Picture(b"x", "tiles.png", 1, 1))
    summary = tiles_summary(position, remaining)
    [picture] = tiles_pictures(presenter, position, remaining, summary, DAY)
    assert f"{remaining.total()} in all" in picture.alt
    assert summary in picture.alt
    assert summary.count(" with a ") >= 4
    assert len(picture.alt) <= MAX_ALT_LENGTH
    [picture] = tiles_pictures(presenter, position, remaining, "x " * MAX_ALT_LENGTH, DAY)
    assert len(picture.alt) <= MAX_ALT_LENGTH
    assert tiles_summary(position, Counter()) == ""


# -- the end ----------------------------------------------------------------------------------------------------------


def test_the_last_mover_gets_a_link_to_the_final_card() -> None:
    table, moment = finished_game(2, 5)
    final = [event for event in moment.events if getattr(event, "final", False)]
    last = Completed("road", EAST, 2)
    story = sentences_of("carcassonne", last)[0]
    for game, events, key in (
        (table.game, (last, *final), "panel.done_over"),
        (game_of(moment.before), (last,), "panel.done"),
    ):
        answer = done_text(presenter_of(moment.after), Consequence(game, 1, 2, events, repeated=False))
        assert answer == t(key, story=story, place=f"<#{game.place}>")
    assert sentences_of("carcassonne", *final)


@pytest.mark.parametrize(("seat", "key"), [(0, "lesson.done_asks"), (1, "lesson.done")])
def test_a_learner_is_told_who_decides_next(seat: int, key: str) -> None:
    """Regression: after [Decide Later] it said that the computer would answer."""
    _, moment = finished_game(2, 5)
    players = (Person(100, "Ana"), Computer("Bot", "quick"))
    settings = TableSettings(lesson=True)
    game = replace(game_of(moment.before), seats=players, seat_to_act=seat, settings=settings)
    answer = done_text(presenter_of(moment.after), Consequence(game, 1, 2, (), repeated=False))
    assert answer == t(key, story="").lstrip("\n")
