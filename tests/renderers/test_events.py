"""Pictures of events: standings, brackets, rounds and cross tables are legible on a phone, also without colours.

An event is a tournament, an entry a player or a team in it. The pictures have twice the width, in pixels, at which a
phone shows them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from renderers import PLAYER_MARKS, THEMES, Picture, Theme
from renderers.events import (
    MAX_ENTRIES,
    BoxLine,
    BracketBox,
    BracketSide,
    CrossLine,
    CrossTable,
    EntryState,
    Pairing,
    Rank,
    Section,
    bracket,
    cross_tables,
    round_sheet,
    split_evenly,
    standings_table,
)
from renderers.events.pictures import _MIN_FIRST_WIDTH as FIRST_COLUMN_WIDTH
from renderers.events.sheet import HEAD_HEIGHT, MARGIN, WIDTH
from renderers.lettering import told_apart
from renderers.theme import DAY
from tests.renderers.image_checks import count_pixels, rgb_image

every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
LONG_NAMES = (
    "W" * 32,
    "محمد عبد الرحمن الطويل جدا",
    "שלום עולם וכל הקוסמים",
    "李小龍李小龍李小龍李小龍李小龍李小龍",
    "",
)
"""Long names in several scripts."""
COLUMNS = ("Points", "Share", "Wins")
"""The names of the values in a table."""
PHONE_WIDTH = 400
"""The width in pixels at which a phone shows a picture."""


def make_ranks(count: int = 16, name: str = "Player") -> list[Rank]:
    """Return a table of places."""
    return [Rank(str(place), f"{name} {place}", ("12½", "1.31", "2")) for place in range(1, count + 1)]


def make_rounds(count: int = 8, name: str = "Ana") -> list[list[Pairing]]:
    """Return the rounds of a bracket; the first is over, the others are open."""
    first = [
        Pairing(BracketSide(name, "2", EntryState.THROUGH), BracketSide("Ben", "1", EntryState.BEATEN))
        for _ in range(count)
    ]
    return [first, *([Pairing()] * (count >> step) for step in range(1, count.bit_length()))]


HEADINGS = ("Round of 16", "Quarter-finals", "Semi-finals", "Final")
"""The names of the rounds."""


def box(name: str = "Ana", state: EntryState = EntryState.PLAYING) -> Section:
    """Return a section with the box of one game."""
    return Section("Unbeaten", (BracketBox("Table 1", (BoxLine(name, "71", 0, state), BoxLine("Ben", "64", 1))),))


def make_cross_table(
    names: tuple[str, ...] = ("Ana", "Ben", "Cleo"), state: EntryState = EntryState.PLAYING
) -> CrossTable:
    """Return a group in which every game was a draw."""
    count = len(names)
    lines = [
        CrossLine(name, tuple("" if other == own else "½" for other in range(count)), "1½")
        for own, name in enumerate(names)
    ]
    return CrossTable("Group A", (replace(lines[0], state=state), *lines[1:]))


FULL_PICTURES: tuple[Callable[[Theme], Picture], ...] = (
    lambda theme: standings_table("Cup", COLUMNS, make_ranks(), note="after round 3", foot="▲", theme=theme),
    lambda theme: bracket("Cup", HEADINGS, make_rounds(), note="Knock-out", theme=theme),
    lambda theme: round_sheet("Cup", [replace(box(), boxes=box().boxes * 8)], theme=theme),
    lambda theme: cross_tables("Cup", [make_cross_table(("Ana",) * 16)], theme=theme),
    lambda theme: cross_tables("Cup", [make_cross_table(("Ana",) * 4)] * 4, theme=theme),
)
"""Functions that draw each kind of picture with as many entries as it can hold."""


@every_theme
@pytest.mark.parametrize("draw", FULL_PICTURES)
def test_a_full_picture_is_two_phones_wide_and_its_file_small(draw: Callable[[Theme], Picture], theme: Theme) -> None:
    picture = draw(theme)
    assert (picture.width, picture.height <= 1600) == (2 * PHONE_WIDTH, True)
    assert len(picture.data) < 100_000


@every_theme
@pytest.mark.parametrize("draw", FULL_PICTURES)
def test_text_is_legible_on_a_phone(draw: Callable[[Theme], Picture], theme: Theme) -> None:
    image = rgb_image(draw(theme))
    small = image.resize((PHONE_WIDTH, image.height // 2), Image.Resampling.LANCZOS)
    assert count_pixels(small, theme.text, 40) > 150


def test_every_text_is_drawn() -> None:
    for first, second in (
        (standings_table("Cup", COLUMNS, make_ranks()), standings_table("Cap", COLUMNS, make_ranks())),
        (
            standings_table("Cup", COLUMNS, make_ranks()),
            standings_table("Cup", ("Points", "Shore", "Wins"), make_ranks()),
        ),
        (standings_table("Cup", COLUMNS, make_ranks()), standings_table("Cup", COLUMNS, make_ranks(name="Pleyer"))),
        (standings_table("Cup", COLUMNS, make_ranks()), standings_table("Cup", COLUMNS, make_ranks(), note="final")),
        (bracket("Cup", HEADINGS, make_rounds()), bracket("Cup", HEADINGS, make_rounds(name="Ann"))),
        (bracket("Cup", HEADINGS, make_rounds()), bracket("Cup", ("Round 1", *HEADINGS[1:]), make_rounds())),
        (round_sheet("Cup", [box()]), round_sheet("Cup", [box("Ann")])),
        (round_sheet("Cup", [box()]), round_sheet("Cup", [replace(box(), heading="One loss")])),
        (cross_tables("Cup", [make_cross_table()]), cross_tables("Cup", [make_cross_table(("Ana", "Ben", "Cleu"))])),
    ):
        difference = ImageChops.difference(
            rgb_image(first).crop((0, 0, WIDTH, 330)), rgb_image(second).crop((0, 0, WIDTH, 330))
        )
        assert difference.getbbox() is not None


@every_theme
def test_the_state_of_an_entry_has_a_shape_of_its_own(theme: Theme) -> None:
    """Compare the states in black and white; each differs from all others."""

    def draw_in_black_and_white(state: EntryState) -> list[Image.Image]:
        standing = [replace(make_ranks(1)[0], state=state)]
        match = [[Pairing(BracketSide("Ana", "", state), BracketSide("Ben"))]]
        drawn = (
            standings_table("Cup", COLUMNS, standing, theme=theme),
            bracket("Cup", ("Final",), match, theme=theme),
            round_sheet("Cup", [box(state=state)], theme=theme),
            cross_tables("Cup", [make_cross_table(state=state)], theme=theme),
        )
        return [rgb_image(picture).convert("L").point(lambda value: 255 if value > 120 else 0) for picture in drawn]

    plain, through, left = (
        draw_in_black_and_white(EntryState.PLAYING),
        draw_in_black_and_white(EntryState.THROUGH),
        draw_in_black_and_white(EntryState.LEFT),
    )
    for one, other in ((plain, through), (plain, left), (through, left)):
        for first, second in zip(one, other, strict=True):
            assert ImageChops.difference(first, second).histogram()[255] > 40


def test_the_leader_is_highlighted() -> None:
    leading = [replace(make_ranks(1)[0], first=True)]
    picture = rgb_image(standings_table("Cup", COLUMNS, leading))
    assert (
        count_pixels(picture, DAY.highlight)
        > 400
        > count_pixels(rgb_image(standings_table("Cup", COLUMNS, make_ranks(1))), DAY.highlight)
    )


def test_players_at_a_table_have_their_marks() -> None:
    picture = rgb_image(round_sheet("Cup", [box()]))
    assert all(count_pixels(picture, PLAYER_MARKS[seat].colour) > 150 for seat in (0, 1))


@pytest.mark.parametrize("name", LONG_NAMES)
@pytest.mark.parametrize("columns", [("Points",), COLUMNS])
def test_long_names_stay_in_their_column_in_either_direction(name: str, columns: tuple[str, ...]) -> None:
    values = ("12½", "1.31", "2")[: len(columns)]
    named, nameless = (rgb_image(standings_table("Cup", columns, [Rank("1", each, values)])) for each in (name, ""))
    row = (
        nameless.crop((200, HEAD_HEIGHT + 52, WIDTH, HEAD_HEIGHT + 110))
        .convert("L")
        .point(lambda value: 255 * (value > 100))
    )
    box = row.getbbox()
    assert box is not None
    rest = (200 + box[0] - 8, HEAD_HEIGHT, WIDTH, named.height)
    assert ImageChops.difference(named.crop(rest), nameless.crop(rest)).getbbox() is None
    wide, empty = (rgb_image(bracket("Cup", HEADINGS, make_rounds(name=each))) for each in (name, "-"))
    changed = ImageChops.difference(wide, empty).getbbox()
    assert changed is None or changed[2] < MARGIN + FIRST_COLUMN_WIDTH


@pytest.mark.parametrize("column", range(4))
def test_similar_names_differ_in_every_column_of_a_bracket(column: int) -> None:
    """The names differ in their last letter only, and a bracket of sixteen has little room for each."""
    first, second = (
        [
            list(matches)
            if number != column
            else [Pairing(BracketSide(name, "12", EntryState.BEATEN)) for _ in matches]
            for number, matches in enumerate(make_rounds())
        ]
        for name in ("Alexandra", "Alexandru")
    )
    assert rgb_image(bracket("Cup", HEADINGS, first)) != rgb_image(bracket("Cup", HEADINGS, second))


ALIKE = (
    "Maximilian von Hohenstaufen-Berg",
    "Maximilian von Hohenstaufen-Burg",
    "Maximilian von Hohenstaufen",
    "Team Carcassonne Freunde Köln 03",
    "Team Carcassonne Freunde Köln 04",
    "DragonSlayer_Carcassonne_1998_XX",
    "DragonSlayer_Carcassonne_1998_XY",
    "DragonSlayer",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac",
)
"""Names that begin alike."""


@pytest.mark.parametrize("length", range(8, 33))
def test_names_that_begin_alike_are_cut_so_that_they_differ(length: int) -> None:
    cut = [told_apart(name, ALIKE, lambda shorter: len(shorter) <= length) for name in ALIKE]
    assert len(set(cut)) == len(ALIKE)
    assert all(len(shorter) <= length for shorter in cut)


def test_a_name_is_cut_before_the_word_by_which_it_differs() -> None:
    def cut(name: str, length: int) -> str:
        return told_apart(name, ALIKE, lambda shorter: len(shorter) <= length)

    assert cut(ALIKE[0], 14) == "Maximilia…Berg"
    assert cut(ALIKE[4], 12) == "Team Carc…04"
    assert cut(ALIKE[4], 40) == ALIKE[4]
    assert cut("Bartholomäus Schmidt aus Leipzig", 12) == "Bartholomäu…", "nobody else begins so"
    assert told_apart("Ana Maria #1234", ["Ana Maria #1235"], lambda shorter: len(shorter) <= 9) == "An… #1234"


@pytest.mark.parametrize("draw", [
    lambda names: standings_table("Cup", COLUMNS, [replace(make_ranks(1)[0], name=name) for name in names]),
    lambda names: round_sheet("Cup", [Section("", (BracketBox("", tuple(BoxLine(name, "71") for name in names)),))]),
    lambda names: cross_tables("Cup", [make_cross_table(names)]),
    lambda names: bracket("Cup", ["Final"], [[Pairing(*map(BracketSide, names))]]),
])  # fmt: skip
def test_every_picture_tells_names_apart_that_begin_alike(draw: Callable[[tuple[str, ...]], Picture]) -> None:
    """The second name shows in another way if the first one is the same up to its end."""
    one, other = (f"{'Maximilian von Hohenstaufen ' * 3}{end}" for end in ("Berg", "Burg"))
    assert ImageChops.difference(rgb_image(draw((one, other))), rgb_image(draw((other, one)))).getbbox() is not None


def test_a_long_name_stays_within_its_side_of_a_match() -> None:
    """Check that the long name takes two lines, which start below the name of the other player."""
    last = make_rounds()[:3]
    plain, named = (
        rgb_image(bracket("Cup", HEADINGS, [*last, [Pairing(BracketSide(name), BracketSide("Ben"))]]))
        for name in ("W", "W" * 40)
    )
    changed = ImageChops.difference(plain, named).getbbox()
    assert changed is not None
    assert changed[2] <= WIDTH - MARGIN
    assert changed[3] - changed[1] < 200


def test_columns_without_room_are_left_out() -> None:
    columns = ("Points", *(f"A long heading {number}" for number in range(6)))
    many = [Rank("1", "Ana", ("1",) * 7)]
    assert standings_table("Cup", columns, many).width == WIDTH


def test_lines_of_a_bracket_lead_to_the_match_of_the_winners() -> None:
    """The connecting lines are drawn in the middle between the columns."""
    image = rgb_image(bracket("Cup", ("Semi-finals", "Final"), make_rounds(2)))
    between = image.crop((WIDTH // 2 - 8, HEAD_HEIGHT, WIDTH // 2 + 8, image.height))
    assert count_pixels(between, DAY.muted_text) > 150


def test_too_many_entries_and_malformed_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 16"):
        standings_table("Cup", COLUMNS, make_ranks(17))
    with pytest.raises(ValueError, match="3 values"):
        standings_table("Cup", COLUMNS, [Rank("1", "Ana", ("1",))])
    with pytest.raises(ValueError, match="half as many"):
        bracket("Cup", HEADINGS, [[Pairing()] * 3, [Pairing()]])
    with pytest.raises(ValueError, match="at most 8"):
        bracket("Cup", HEADINGS, make_rounds(16))
    with pytest.raises(ValueError, match="at most 16"):
        round_sheet("Cup", [replace(box(), boxes=box().boxes * 9)])
    with pytest.raises(ValueError, match="at most 16"):
        cross_tables("Cup", [make_cross_table(("Ana",) * 17)])
    with pytest.raises(ValueError, match="a cell"):
        cross_tables("Cup", [CrossTable("A", (CrossLine("Ana", ("1", "1"), "2"),))])


@pytest.mark.parametrize("count", [0, 1, 16, 17, 33, 64, 256])
def test_entries_are_split_into_few_even_parts(count: int) -> None:
    parts = split_evenly(list(range(count)))
    assert [entry for part in parts for entry in part] == list(range(count))
    assert len(parts) == max(1, -(-count // MAX_ENTRIES))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("column", [0, 1, 3])
def test_a_note_below_a_name_stays_within_its_side_of_a_match(column: int) -> None:
    """A note, such as *withdrew*, stands in place of a score."""

    def drawn(note: str) -> Image.Image:
        noted = Pairing(
            BracketSide("Alexandra of the Hill", "", EntryState.LEFT, note), BracketSide("Ben", "", EntryState.THROUGH)
        )
        matches = make_rounds()
        return rgb_image(
            bracket("Cup", HEADINGS, [*matches[:column], [noted] * len(matches[column]), *matches[column + 1 :]])
        )

    plain, first, second = drawn("."), drawn("withdrew"), drawn("withdraw")
    assert plain.size == first.size
    assert first.height <= 1600
    changed = ImageChops.difference(first, second).getbbox()
    assert changed is not None
    left = MARGIN if not column else MARGIN + FIRST_COLUMN_WIDTH
    assert left < changed[0] < changed[2] <= WIDTH - MARGIN
    assert count_pixels(first.crop((0, HEAD_HEIGHT + 60, WIDTH, first.height)), DAY.muted_text) > count_pixels(
        plain.crop((0, HEAD_HEIGHT + 60, WIDTH, plain.height)), DAY.muted_text
    )


def test_a_bracket_without_notes_keeps_its_height() -> None:
    """Names in the first column take one line there."""
    assert bracket("Cup", HEADINGS, make_rounds()).height == HEAD_HEIGHT + 44 + 8 * (2 * 42 + 22) + 10
