"""Untrusted records and positions: every text is parsed, or refused with a line number and a reason.

The texts are games stored by earlier versions (``records/``), changed in one place, and random mutations of them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import GAMES, NotationError
from engine.games import GameKind
from engine.grammar.tags import MAX_TEXT_LENGTH, RecordError
from engine.notation import records as reading
from engine.notation.positions import format_position, parse_position
from engine.notation.records import UNFINISHED, Record, format_record, read_record, records_in

T = TypeVar("T")
"""The type of the object that a text is parsed into."""

RECORDS = Path(__file__).parent / "records"
"""The folder of texts that earlier versions stored."""
FINISHED = (RECORDS / "carcassonne-finished.txt").read_text(encoding="utf-8")
"""The record of a finished game of Carcassonne."""
RUNNING = (RECORDS / "carcassonne-running.txt").read_text(encoding="utf-8")
"""The record of an unfinished game of Carcassonne."""
CASTLE_POSITION = (RECORDS / "the-castle-position.txt").read_text(encoding="utf-8")
"""A position of The Castle."""
RESIGNED = (RECORDS / "carcassonne-resigned.txt").read_text(encoding="utf-8")
"""The record of a game of Carcassonne in which a player has resigned."""
POSITION = (RECORDS / "carcassonne-position.txt").read_text(encoding="utf-8")
"""A position of Carcassonne during a bazaar."""


def refusal(text: str) -> tuple[int, str]:
    """Return the line and the reason with which a record is refused."""
    with pytest.raises(RecordError) as caught:
        read_record(text)
    assert str(caught.value) == f"line {caught.value.line}: {caught.value.reason}"
    assert isinstance(caught.value, NotationError)
    return caught.value.line, caught.value.reason


def position_refusal(text: str) -> tuple[int, str]:
    """Return the line and the reason with which a position is refused."""
    with pytest.raises(RecordError) as caught:
        parse_position(text)
    return caught.value.line, caught.value.reason


# -- compatibility ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*-finished.txt")), ids=lambda path: path.stem)
def test_stored_records_stay_readable(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = read_record(text)
    assert record.position().is_over
    assert format_record(record) == text


def test_a_stored_record_keeps_its_content() -> None:
    record = read_record(FINISHED)
    assert record.title == "Golden Barrow"
    assert record.names == ("Ana", 'Ben "the Builder" [b]', "Çem 🏰")
    assert len(record.actions) == 202
    assert record.position().scores == [63, 6, 22]
    assert record.setup.seed == "0123456789abcdef0123456789abcdef"
    assert record.setup.commitment == record.commitment


def test_stored_running_and_resigned_games_stay_readable() -> None:
    running, resigned = read_record(RUNNING), read_record(RESIGNED)
    assert format_record(running) == RUNNING
    assert format_record(resigned) == RESIGNED
    assert format_position(running.position()) == POSITION == format_position(parse_position(POSITION))
    assert (running.setup.seed, running.position().is_over) == ("", False)
    assert resigned.position().ranking() == ((1,), (0,))


# -- free layout -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: "; a comment\n\n" + text + "\n\n; the end [\n",
        lambda text: "\n".join(f"  {line}\t" for line in text.split("\n")),
        lambda text: text.replace("18. +bcb/CCCC", "18.\n\n+bcb/CCCC ; drawn\n"),
        lambda text: text.replace("18. ", "").replace("20. ", ""),
        lambda text: text.replace(" pass ", " 0000000pass ").replace("0000000", ""),
    ],
)
def test_whitespace_comments_and_move_numbers_are_free(change: Callable[[str], str]) -> None:
    assert read_record(change(FINISHED)) == read_record(FINISHED)


def test_a_text_may_hold_several_records() -> None:
    texts = list(records_in(f"; both\n{FINISHED}\n{RUNNING}"))
    assert [first for first, _ in texts] == [1, 2 + FINISHED.count("\n") + 1]
    assert [read_record(text, first_line=first).title for first, text in texts] == ["Golden Barrow"] * 2
    broken = f"{FINISHED}\n{RUNNING.replace('+base/R', '+base/Z')}"
    first, text = list(records_in(broken))[1]
    with pytest.raises(RecordError) as caught:
        read_record(text, first_line=first)
    assert "+base/Z" in broken.split("\n")[caught.value.line - 1]


# -- refusals ---------------------------------------------------------------------------------------------------------

RECORD_CASES: list[tuple[str, str, int, str]] = [
    ('"record 1"', '"record 2"', 1, "[Castellan] this is 'record 2', which cannot be read, only 'record 1'"),
    ('[Castellan "record 1"]\n', "", 1, 'it does not begin with [Castellan "record 1"]'),
    ('"carcassonne"', '"chess"', 2, "[Game] unknown game 'chess'"),
    ('[Rules "1"]', '[Rules "99"]', 3, "[Rules] not rules that can be played: '99'"),
    ('[Players "3"]', '[Players "7"]', 4, "[Players] not a number from 2 to 6: '7'"),
    ('[Players "3"]', '[Players "three"]', 4, "[Players] not a number from 2 to 6: 'three'"),
    ('[Players "3"]', '[Players "3"]\n[Players "3"]', 5, "[Players] stands here for the second time"),
    ('[Players "3"]', "[Players 3]", 4, "not a tag: '[Players 3]', expected [Key \"value\"]"),
    ("[Expansions", '[Options "castle_auto_choose=maybe"]\n[Expansions', 5, "unknown option: 'castle_auto_choose="),
    ('"bridges-castles-bazaars"', '"rivers"', 5, "[Expansions] unknown expansion 'rivers'"),
    ('"bridges-castles-bazaars"', '"fairy fairy"', 5, "[Expansions] an expansion stands there twice"),
    ('[Pile "83"]', '[Pile "82"]', 6, "unknown tile '82'"),
    ('[Pile "83"]', '[Pile "base/A*501"]', 6, "[Pile] 501 are too many, at most 500"),
    ('[Pile "83"]', '[Pile "base/A*0"]', 6, "[Pile] not a number: 'base/A*0'"),
    ("Golden Barrow", "Golden\\nBarrow", 7, "[Title] not a name: 'Golden\\nBarrow'"),
    ("Golden Barrow", "x" * 101, 7, "[Title] not a name"),
    ('[SeatB "Ben', '[SeatD "Ben', 12, "there is no [SeatB]"),
    ("Golden Barrow", "\\ud800", 7, "[Title] not a name"),
    ("Golden Barrow", "\\x", 7, "[Title] Invalid \\escape"),
    ('[Title "Golden Barrow"]', '[Event "Golden Barrow"]', 7, "unknown tag [Event]"),
    ("8cb4c6844f", "8cb4c6844e", 12, "the [Commitment] is not that of the seed and the tiles"),
    ("8cb4c6844f", "8cb4", 11, "[Commitment] not 64 hexadecimal digits"),
    ('[Seed "0123456789abcdef0123456789abcdef"]\n', "", 11, "the game is over, but there is no [Seed]"),
    ("0123456789abcdef0123456789abcdef", "\\u0000", 12, "[Seed] not a seed"),
    ("1. +base/U N13/180", "2. +base/U N13/180", 14, "'2.' stands before action 1"),
    ("+base/U N13/180", "N13/180", 14, "a tile comes to light before 'N13/180'"),
    ("+base/U N13/180", "+base/U +base/R N13/180", 14, "nothing comes to light here, not '+base/R'"),
    ("+base/U N13/180", "+base/Ü N13/180", 14, "no 'base/Ü' is left"),
    ("+base/U N13/180", "+pile.1=base/U N13/180", 14, "expected '+base/U', not '+pile.1=base/U'"),
    ("+base/U N13/180", "+pile.84=base/U N13/180", 14, "no such place in a deck"),
    ("+base/U N13/180", "+walls.1=base/U N13/180", 14, "no such place in a deck"),
    ("+base/U N13/180", "+ N13/180", 14, "not a tile: '+'"),
    ("N13/180 @field.NL", "N13/90 @field.NL", 14, "not legal now: N13/90"),
    ("N13/180 @field.NL", "ZZ999/0 @field.NL", 14, "not an action: 'ZZ999/0'"),
    ("N13/180 @field.NL", "resign:4 @field.NL", 14, "this seat cannot resign: resign:4"),
    ("N13/180 @field.NL", "<script> @field.NL", 14, "not an action: '<script>'"),
    ("N13/180 @field.NL", "[SeatB] @field.NL", 14, "not an action: '[SeatB]'"),
    ("3. +base/R", '[Note "x"]\n3. +base/R', 15, "a tag among the moves, or another record"),
    ("=63:6:22", "=63:6:23", -1, "the end is '=63:6:22', not '=63:6:23'"),
    ("=63:6:22", "*", -1, "the end is '=63:6:22', not '*'"),
    ("=63:6:22", "=63:6:22 pass", -1, "nothing may follow the end: 'pass'"),
    ("=63:6:22\n", "", -2, "the end is missing"),
]
"""Changes to the finished record (a text and what replaces it), with the line and the reason of the refusal."""


@pytest.mark.parametrize(("old", "new", "line", "reason"), RECORD_CASES)
def test_a_wrong_record_is_refused_with_line_and_reason(old: str, new: str, line: int, reason: str) -> None:
    assert old in FINISHED
    actual_line, actual_reason = refusal(FINISHED.replace(old, new, 1))
    last = len(FINISHED.rstrip().split("\n"))
    assert actual_line == (line if line > 0 else last + 1 + line)
    assert reason in actual_reason


def test_a_running_game_has_no_seed_and_no_points() -> None:
    seeded = RUNNING.replace("\n\n1.", '\n[Seed "x"]\n\n1.')
    assert refusal(seeded) == (12, "a [Seed], though the game is not over")
    assert refusal(RUNNING.replace("\n*", "\n=1:2:3"))[1] == "the end is '*', not '=1:2:3'"


@pytest.mark.parametrize("text", ["", "\n\n", "; nothing", "\x00\x01", "[", "🏰", "PK\x03\x04", '{"game": 1}'])
def test_a_text_that_is_no_record_is_refused(text: str) -> None:
    line, reason = refusal(text)
    assert line == 1
    assert reason.startswith(("it does not begin with [Castellan", "not a tag"))


CASTLE = '[Castellan "record 1"]\n[Game "the-castle"]\n[Rules "1"]\n[Players "2"]\n[Drawings "{drawings}"]\n'
"""The beginning of a record of The Castle with drawings of tiles."""


@pytest.mark.parametrize("drawings", ["a=" + "[" * 60_000, ".".join("a" * 100_000) + "=1", "[" + " " * 5_000, "x = 1"])
def test_drawings_too_costly_to_parse_are_refused(drawings: str) -> None:
    """Reject deep nesting and long dotted keys before the TOML parser runs out of stack or memory."""
    line, reason = refusal(CASTLE.format(drawings=drawings))
    assert line == 5
    assert "not a drawing" in reason


def test_a_text_that_is_too_long_is_refused() -> None:
    line, reason = refusal(FINISHED + "\n" * MAX_TEXT_LENGTH)
    assert line == 1 + (FINISHED + "\n" * MAX_TEXT_LENGTH).count("\n", 0, MAX_TEXT_LENGTH)
    assert "too long" in reason


def test_a_record_of_too_many_actions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """All current games end long before this limit. It guards against games that could repeat for ever."""
    plies: list[int] = []
    read_record(FINISHED, watch=plies.append)
    assert plies == list(range(202))
    assert len(plies) < reading.MAX_ACTIONS
    monkeypatch.setattr(reading, "MAX_ACTIONS", 201)
    assert refusal(FINISHED) == (90, "more than 201 actions")


def test_reading_can_be_stopped_at_any_action() -> None:
    class EnoughError(Exception):
        pass

    def stop(ply: int) -> None:
        if ply == 50:
            raise EnoughError

    with pytest.raises(EnoughError):
        read_record(FINISHED, watch=stop)


POSITION_CASES: list[tuple[str, str, int, str]] = [
    ('"position 1"', '"record 1"', 1, "[Castellan] this is 'record 1', which cannot be read, only 'position 1'"),
    ('[FaceDown "base/J', '[FaceDown "base/J*9', 7, "[FaceDown] there are not so many 'base/J'"),
    ("N13/180:base/U:1", "N13/180:base/U:9", 8, "no seat '9', only 1 to 3"),
    ("N13/180:base/U:1", "M13/180:base/U:1", 8, "two tiles on 'M13'"),
    ("N13/180:base/U:1", "N13/180:base/Ü:1", 8, "unknown tile 'base/Ü'"),
    ("N13/180:base/U:1", "N13/45:base/U:1", 8, "not a tile: 'N13/45:base/U:1'"),
    ("~M14WE", "~M14XY", 8, "not a bridge: '~M14XY'"),
    ("~M14WE", "~A1WE", 8, "no place for a bridge: '~A1WE'"),
    ("1@N13.field.NL", "1@N13.city.N", 9, "no segment"),
    ("1@N13.field.NL", "4@N13.field.NL", 9, "no seat '4', only 1 to 3"),
    ("1@N13.field.NL", "1pig@N13.field.NL", 9, "no figure 'pig'"),
    ("1@M16.city.N/18/18=scored", "1@M16.city.N/18/18", 10, "not a castle"),
    ("1@M16.city.N/18/18=scored", "1@L10.city.N/18/18=scored", 10, "[Castles]"),
    ('"auction 2 3 1@1/3', '"lottery 2 3 1@1/3', 11, "not a bazaar"),
    ('"auction 2 3 1@1/3', '"auction 2 3 9@1/3', 11, "no lot '9'"),
    ('"auction 2 3 1@1/3 base/S', '"auction', 11, "[Bazaar]"),
    ('[Scores "25 -15 8"]', '[Scores "25 -15"]', 12, "2 numbers for 3 players"),
    ('[Scores "25 -15 8"]', '[Scores "25 -15 x"]', 12, "not a number"),
    ("follower 0 0 0", "knight 0 0 0", 13, "the pieces have to be follower, bridge, castle"),
    ("follower 0 0 0", "follower 0 0 -1", 13, "not a number from 0 to 99: '-1'"),
    ('[Ply "185"]', '[Ply "185"]\n[Resigned "-"]', 15, "nobody sits in seat '-'"),
    ("lots:2 bid:1", "lots:2 sing:1", 16, "nothing to do is called 'sing'"),
    ("lots:2 bid:1", "lots:2 bid", 16, "'bid' takes player"),
    ("lots:2 bid:1", "lots:2 deploy:1:A1", 16, "no tile on 'A1'"),
    ("lots:2 bid:1", "lots:2 source:7", 16, "no castle '7'"),
    ("lots:2 bid:1", "lots:2 source:1", 16, "no scoring round"),
    ("lots:2 bid:1", "turnup:1:9", 16, "9 tiles cannot be set aside"),
    ('[Agenda "', '[Note "', 16, "there is no [Agenda]"),
    ('[Turn "77"]', '[Turn "77"]\n[Note ""]', 16, "unknown tag [Note]"),
    ('[Turn "77"]', '[Turn "77"]\n[Delayed "4"]', 16, "no seat '4', only 1 to 3"),
    ('[Turn "77"]', '[Turn "77"]\n[Goods "1/2/3 1/2/3"]', 16, "not the goods of each player"),
    ('[Turn "77"]', '[Turn "77"]\n[FirstTile "x"]', 16, "not a number: 'x'"),
    ('[Tiles "M13/0:base/D:-', '[Note "', 16, "there is no [Tiles]"),
    ('[Turn "77"]', "1. +base/U", 15, "not a tag: '1. +base/U'"),
]
"""Changes to the position of Carcassonne, with the line and the reason of the refusal."""


@pytest.mark.parametrize(("old", "new", "line", "reason"), POSITION_CASES)
def test_a_wrong_position_is_refused_with_line_and_reason(old: str, new: str, line: int, reason: str) -> None:
    assert old in POSITION
    actual_line, actual_reason = position_refusal(POSITION.replace(old, new, 1))
    assert (actual_line, reason in actual_reason) == (line, True), (actual_line, actual_reason)


CASTLE_CASES: list[tuple[str, str, int, str]] = [
    ('[Players "2"]', '[Players "3"]', 4, "not a number from 2 to 2: '3'"),
    ('[Pile "60"]', '[Pile "castle/D99*60"]', 16, "unknown tile 'castle/D99'"),
    ('[FaceDown ""]', '[FaceDown "castle/D48*2"]', 6, "not so many 'castle/D48'"),
    ("C11/270:castle/D48:1", "C11/270:castle/D99:1", 7, "unknown tile 'castle/D99'"),
    ("C11/270:castle/D48:1", "C11/45:castle/D48:1", 7, "not a tile"),
    ("C11/270:castle/D48:1", "A1/270:castle/D48:1", 7, "no place for a tile"),
    ("1@C12.path.N", "1:C12.path.N", 8, "not a figure"),
    ("1@C12.path.N", "1@C12.path.E", 8, "no segment"),
    ("1@C12.path.N", "3@C12.path.N", 8, "no seat '3', only 1 to 2"),
    ('"2:D4.house.NR 1:E6.house.ER"', '"2:D4.house.NR"', 9, "1 entries for 2 players"),
    ("12=1 16=2", "13=1 16=2", 10, "no wall tile there: '13=1'"),
    ("12=1 16=2 20=8", "12=9 16=9 20=9", 16, "there are not so many"),
    ('"3,8 -"', '"3,8,x -"', 11, "[Hands]"),
    ("over:1 score:1 deploy:1:D13", "over:1 score:1 deploy:1:A1", 16, "no tile on 'A1'"),
]
"""Changes to the position of The Castle, with the line and the reason of the refusal."""


@pytest.mark.parametrize(("old", "new", "line", "reason"), CASTLE_CASES)
def test_a_wrong_position_of_the_castle_is_refused_with_line_and_reason(
    old: str, new: str, line: int, reason: str
) -> None:
    assert old in CASTLE_POSITION
    actual_line, actual_reason = position_refusal(CASTLE_POSITION.replace(old, new, 1))
    assert (actual_line, reason in actual_reason) == (line, True), (actual_line, actual_reason)


def test_a_position_without_tiles_is_refused() -> None:
    lines = ['[Tiles ""]' if line.startswith("[Tiles") else line for line in POSITION.split("\n")]
    assert position_refusal("\n".join(lines)) == (8, "[Tiles] there is no tile")


def test_rare_state_round_trips() -> None:
    for text in (
        POSITION.replace("[Scores", '[Delayed "2 3"]\n[Scores'),
        CASTLE_POSITION.replace("[Scores", '[Fresh "1,7"]\n[Moved "2 1"]\n[Cleared "yes"]\n[Scores'),
    ):
        assert format_position(parse_position(text)) == text


def test_a_bazaar_step_needs_its_bazaar() -> None:
    lines = [line for line in POSITION.split("\n") if not line.startswith("[Bazaar")]
    assert position_refusal("\n".join(lines)) == (15, "[Agenda] there is no [Bazaar]")


# -- mutations --------------------------------------------------------------------------------------------------------

TEXTS = {"finished": FINISHED, "running": RUNNING, "resigned": RESIGNED, "position": POSITION}
"""The texts that are mutated, by name."""
INSERTED_WORDS = [
    "pass",
    "+base/A",
    "*",
    "=1:2:3",
    "resign:1",
    "99.",
    "M13/0",
    "[",
    '"',
    "\\",
    "\x00",
    "٣",
    "-1",
    "bid:999",
    ";",
]
"""Words that replace a part of a text. Most of them are valid in another place."""


def mutate(text: str, rng: Random) -> str:
    """Change one to three places of a text: delete, insert, swap or replace a part, or cut the rest off."""
    for _ in range(rng.randint(1, 3)):
        parts, glue = rng.choice([(list(text), ""), (text.split(" "), " "), (text.split("\n"), "\n")])
        at, other = rng.randrange(len(parts)), rng.randrange(len(parts))
        match rng.randrange(5):
            case 0:
                del parts[at]
            case 1:
                parts.insert(at, parts[other])
            case 2:
                parts[at], parts[other] = parts[other], parts[at]
            case 3:
                parts[at] = rng.choice(INSERTED_WORDS)
            case _:
                parts = parts[:at]
        text = glue.join(parts) or " "
    return text


def read_or_error(read: Callable[[str], T], text: str) -> T | RecordError:
    """Return the object that a text is parsed into, or the error if it is refused."""
    try:
        return read(text)
    except RecordError as error:
        return error


@given(st.sampled_from(sorted(TEXTS)), st.integers(0, 2**40))
def test_a_mutated_text_is_read_or_refused(source: str, seed: int) -> None:
    text = mutate(TEXTS[source], Random(seed))
    for result in (read_or_error(read_record, text), read_or_error(parse_position, text)):
        match result:
            case RecordError():
                assert 1 <= result.line <= text.count("\n") + 1
                assert result.reason
            case Record():
                rewritten = format_record(result)
                assert read_record(rewritten) == result
                assert rewritten.endswith(f"{UNFINISHED}\n") == (not result.position().is_over)
            case _:
                assert format_position(parse_position(format_position(result))) == format_position(result)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    assert isinstance(read_or_error(read_record, text), RecordError)
    assert isinstance(read_or_error(parse_position, text), RecordError)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_record_with_wrong_names_or_title_is_refused(game: GameKind) -> None:
    setup = game.new_setup(players=2, seed="x")
    for names, title in ((["Ana"], ""), (["Ana", "Ben", "Cem"], ""), (["Ana", " Ben"], ""), (["Ana", ""], "")):
        with pytest.raises(NotationError):
            Record(setup=setup, actions=(), commitment="", names=tuple(names), title=title)
    with pytest.raises(NotationError):
        Record(setup=setup, actions=(), commitment="", title="a\nb")
