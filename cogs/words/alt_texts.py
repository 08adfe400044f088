"""Alt texts for the pictures of games and events, which screen readers read in place of the pictures.

Each says what the picture shows, in sentences without markup, within the length that Discord allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from cogs.presenting.presenter import Presenter, TilePanel
from cogs.texts import listed, t
from cogs.words.names import isolate, plain_names, segment_words, turn_words
from cogs.words.story import Storyteller, join_fitting, lines_within, units, without_final, without_marks
from engine import Position
from engine.events import TilePlaced
from engine.geometry import Cell
from host import Game, Moment
from renderers.events import BoxLine, BracketSide, CrossTable, EntryState, Pairing, Rank, Section

MAX_ALT_LENGTH: Final = 1024
"""The most characters that Discord allows in an alt text."""
MAX_STORY: Final = 250
"""The maximum length of the story in an alt text, in units: short, because the message itself tells all of it."""


def move_alt(presenter: Presenter[Any], moment: Moment) -> str:
    """Describe the picture of a move: the story, whose turn it is, what lies beside the board, and the scores."""
    game, position = moment.game, moment.after
    turn, scores = _turn(presenter, game, position), _scores(game, position)
    pieces_beside = () if position.hand is None else presenter.beside_board(plain_names(game), position)
    return sentences(news(presenter, moment), turn, *pieces_beside, scores)


def board_alt(presenter: Presenter[Any], moment: Moment) -> str:
    """Describe the picture of the whole board: the story, its size, whose turn it is, and the scores."""
    game, position = moment.game, moment.after
    count = sum(1 for _ in position.placed())
    board = t("alt.board", count=count, turn=_turn(presenter, game, position), scores=_scores(game, position))
    return sentences(news(presenter, moment), board)


def news(presenter: Presenter[Any], moment: Moment) -> str:
    """Tell the events before a moment in whole sentences, without the final scoring; abridged if too long."""
    teller = Storyteller.plain(presenter, moment.game)
    story = teller.sentences(without_final(moment.events), moment.preset)
    texts = [without_marks(sentence) for sentence in story]
    placed = next((event for event in moment.events if isinstance(event, TilePlaced)), None)
    if join_fitting(texts, MAX_STORY) or placed is None:
        return join_fitting(texts, MAX_STORY)
    shortly = t("alt.placed", player=teller.names[placed.player], cell=placed.cell.label)
    return join_fitting([shortly, *texts[1:]], MAX_STORY)


def composer_alt(panel: TilePanel, figure: str) -> str:
    """Describe the picture of the panel in which a move is composed.

    It shows the spots for the tile, or the tile laid on trial; ``figure`` is the chosen figure in words, or empty.
    """
    if panel.place is None:
        spots = t("alt.spots", spots=_labels(panel.spots))
        others = t("alt.spots_elsewhere", spots=_labels(panel.elsewhere)) if panel.elsewhere else ""
        return sentences(spots, others)
    values = {"cell": panel.place.cell.label, "turn": turn_words(panel.place.rotation)}
    if not figure:
        tile = t("alt.ghost_figure" if panel.figure_places or panel.corners else "alt.ghost_nobody", **values)
        turns = [f"{number} {turn_words(rotation)}" for number, rotation in enumerate(panel.turns, 1)]
        return f"{tile}. {t('alt.turns', turns=listed(turns))}" if turns else tile
    [(letter, segment)] = panel.figure_places
    return t("alt.ghost_standing", figure=figure, letter=letter, segment=segment_words(segment), **values)


def _labels(cells: Iterable[Cell]) -> str:
    """Return the names of cells as a list."""
    return ", ".join(cell.label for cell in cells)


def sentences(*parts: str) -> str:
    """Join as many parts of an alt text as fit into it."""
    return join_fitting(filter(None, parts), MAX_ALT_LENGTH)


def _turn(presenter: Presenter[Any], game: Game, position: Position) -> str:
    """Return the headline of the decision at hand, as a sentence."""
    if position.player < 0:
        return _ended(t("alt.over"))
    names = plain_names(game)
    return _ended(without_marks(presenter.headline(names, position, names[position.player])))


def _ended(sentence: str) -> str:
    """Return a sentence with a full stop if it lacks one."""
    return sentence if sentence.endswith(("?", ".", "!")) else f"{sentence}."


def _scores(game: Game, position: Position) -> str:
    """Return the names and points of all players."""
    scores = zip(plain_names(game), position.scores, strict=True)
    return ", ".join(t("alt.score", player=name, points=points) for name, points in scores)


_STANDING: Final = {EntryState.LEFT: "event.alt.left", EntryState.THROUGH: "event.alt.rising"}
"""The keys of the sentences about players who have left or advance; all others share one."""


def standings_alt(name: str, note: str, ranks: Sequence[Rank], columns: Sequence[str]) -> str:
    """Describe a table of standings: places, names, values, and the headings of the values."""
    lines = []
    for rank in ranks:
        key = _STANDING.get(rank.state, "event.alt.standing")
        words = t(key, place=rank.place, player=isolate(rank.name), values=" ".join(rank.values))
        lines.append(t("event.alt.box", heading=rank.heading, lines=words).strip())
    return _with_lines("standings", name, note, lines, ", ", t("event.alt.columns", columns=listed(columns)))


def bracket_alt(name: str, note: str, headings: Sequence[str], rounds: Sequence[Sequence[Pairing]]) -> str:
    """Describe a bracket: the known pairings, round by round."""
    lines = [
        t("event.alt.match", heading=heading, one=_side(match.upper), other=_side(match.lower))
        for heading, column in zip(headings, rounds, strict=True)
        for match in column
        if match.upper.name and match.lower.name
    ]
    return _with_lines("bracket", name, note, lines)


def round_alt(name: str, note: str, sections: Sequence[Section]) -> str:
    """Describe a round: its games and their results."""
    lines = [
        t("event.alt.box", heading=box.heading or section.heading, lines=", ".join(map(_line, box.lines))).strip()
        for section in sections
        for box in section.boxes
    ]
    return _with_lines("round", name, note, lines)


def cross_alt(name: str, note: str, tables: Sequence[CrossTable]) -> str:
    """Describe cross tables: each participant's points, and the results between them."""
    return _with_lines("cross", name, note, list(_groups(tables)), closing=t("event.alt.in_turn"))


def _groups(tables: Sequence[CrossTable]) -> Iterator[str]:
    """Yield a description of each cross table."""
    for table in tables:
        people = (
            t(
                "event.alt.against_left" if line.state is EntryState.LEFT else "event.alt.against",
                player=isolate(line.name),
                value=line.total,
                cells=" ".join(line.cells),
            )
            for line in table.lines
        )
        yield t("event.alt.box", heading=table.heading, lines=", ".join(people))


def _side(side: BracketSide) -> str:
    """Describe one side of a pairing."""
    if side.note:
        return _noted(side.name, " ".join(filter(None, (side.games, side.note))))
    if side.state is EntryState.LEFT:
        return t("event.alt.side_left", player=isolate(side.name), value=side.games).rstrip(" ,")
    return _words(side.name, side.games, side.state)


def _line(line: BoxLine) -> str:
    """Describe a line of a box: a player with their result."""
    return _noted(line.name, line.value) if line.state is EntryState.LEFT else _words(line.name, line.value, line.state)


def _words(name: str, value: str, state: EntryState) -> str:
    key = "event.alt.won" if state is EntryState.THROUGH else "event.alt.side"
    return t(key, player=isolate(name), value=value).rstrip()


def _noted(name: str, note: str) -> str:
    """Return a name with the note that replaces its score."""
    return t("event.alt.noted", player=isolate(name), note=note)


def _with_lines(kind: str, name: str, note: str, lines: Sequence[str], separator: str = "; ", closing: str = "") -> str:
    """Return an alt text of ``kind``: its subject, as many lines as fit, the number of the others, and ``closing``."""
    subject = ", ".join(filter(None, [isolate(name), note]))
    budget = MAX_ALT_LENGTH - units(f"{t(f'event.alt.{kind}', about=subject, lines='')} {closing}")
    text = t(f"event.alt.{kind}", about=subject, lines=lines_within(lines, budget, separator))
    return " ".join(f"{text} {closing}".split())
