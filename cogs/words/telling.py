"""A description of a table in words, part by part, for players who use a screen reader and cannot see its pictures.

The parts are, for example, an overview, the open features, or the tiles around a cell. Each consists of entries of one
sentence or more. At a table without hints the description says nothing that the pictures do not show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cogs.presenting.presenter import Presenter
from cogs.texts import has_text, listed, t
from cogs.texts.languages import current_language, speaking
from cogs.words.names import capital, marked, pile_words, seat_names, segment_aloud, split_corners
from cogs.words.story import Storyteller, aloud, as_sentence, last_decided, turns_since
from engine import Cell, Position, hints_on
from engine.actions import seats
from engine.caching import lazy_property
from engine.geometry import Side
from engine.hints import Hint
from engine.views import Feature, PlacedTile, StandingFigure
from host import Game, Table

SINCE: Final = "since"
OVERVIEW: Final = "overview"
FEATURES: Final = "features"
LASTING: Final = "lasting"
"""Features that never complete and score at the end."""
TILES: Final = "tiles"
AROUND: Final = "around"
SUPPLIES: Final = "supplies"
PILE: Final = "left"
"""The tiles in the pile, where the table allows that hint."""
PARTS: Final = (SINCE, OVERVIEW, FEATURES, LASTING, TILES, AROUND, SUPPLIES)
"""The parts of every game; the game's own chapters follow."""


@dataclass(frozen=True)
class TableDescription:
    """The description of a table for one user; it is composed in a worker thread, since that takes a while."""

    presenter: Presenter[Any]
    table: Table
    user_id: int
    names: Sequence[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", seat_names(self.game))

    @property
    def game(self) -> Game:
        """The game of the table."""
        return self.table.game

    @property
    def position(self) -> Position:
        """The position of the table."""
        return self.table.position

    @property
    def parts(self) -> list[str]:
        """The parts that are not empty."""
        chapters = [name for name, chapter in self.presenter.chapters.items() if any(chapter(self, self.position))]
        parts = PARTS if any(self.position.placed()) else [part for part in PARTS if part != AROUND]
        return [*parts, *([PILE] if self.allows(Hint.TILES) else []), *chapters]

    def allows(self, hint: Hint) -> bool:
        """Return True if the table allows this hint."""
        return self.game.settings.allows(hint)

    def entries(self, part: str, where: str = "") -> list[str]:
        """Return the entries of a part, worded for a listener.

        Raises:
            LookupError: no part has this name.
            ValueError: ``where`` is no cell.
        """
        with speaking(current_language(), listens=True):
            return list(self._entries(part, where))

    def _entries(self, part: str, where: str) -> Iterator[str]:
        """Return the entries of a part."""
        tellers = {
            SINCE: self.since,
            OVERVIEW: self.overview,
            FEATURES: self.features,
            LASTING: self.lasting,
            TILES: self.tiles,
            SUPPLIES: self.supplies,
            PILE: self.pile,
        }
        if part == AROUND:
            return self.around(Cell.parse(where) if where else self.last.cell)
        if part in tellers:
            return tellers[part]()
        return iter([aloud(as_sentence(entry)) for entry in self.presenter.chapters[part](self, self.position)])

    # -- what happened ----------------------------------------------------------------------------------------------

    def since(self) -> Iterator[str]:
        """Tell the events since the user's last move, turn by turn; the whole game if they have not moved yet."""
        teller = Storyteller.marked_up(self.presenter, self.game)
        start = last_decided(self.table, self.user_id)
        has_turns = False
        for title, sentences in turns_since(self.presenter, self.table, start, teller):
            has_turns = True
            yield aloud(as_sentence(t("tell.turn", title=title, story=" ".join(sentences))))
        if not has_turns:
            yield t("log.empty_since")

    # -- the whole table --------------------------------------------------------------------------------------------

    def overview(self) -> Iterator[str]:
        """Tell whose turn it is, the decision at hand, the points, the pile, and the extent of the board."""
        position = self.position
        player = self.names[position.player] if position.player >= 0 else ""
        headline = self.presenter.headline(self.names, position, player) if player else t("alt.over")
        yield aloud(as_sentence(headline))
        details = self.presenter.details(self.names, position)
        yield from (aloud(as_sentence(line)) for line in details.splitlines())
        if position.hand is not None:
            yield as_sentence(t("tell.hand", tile=self.presenter.tile_aloud(position.hand, 0)))
        for seat, points in enumerate(position.scores):
            key = "tell.left" if position.withdrawn[seat] else "tell.score"
            yield t(key, player=marked(seat, self.names[seat]), count=points)
        yield as_sentence(pile_words(position))
        yield from self._extent()

    def _extent(self) -> Iterator[str]:
        """Tell the extent of the board, and the last tiles of all players."""
        cells = [placed.cell for placed in self.position.placed()]
        if not cells:
            return
        columns = sorted({cell.x: cell for cell in cells}.items())
        rows = sorted({cell.y for cell in cells})
        corners = {
            "west": Cell(columns[0][0], 0).label.rstrip("-0123456789"),
            "east": Cell(columns[-1][0], 0).label.rstrip("-0123456789"),
            "north": Cell(0, rows[0]).label[1:],
            "south": Cell(0, rows[-1]).label[1:],
        }
        yield t("tell.reach", count=len(cells), **corners)
        last = self.last
        if last.player >= 0:
            yield t("tell.last", cell=last.cell.label, player=self.names[last.player])
        newest = {placed.player: placed.cell for placed in self.position.placed()}
        for seat in seats(self.position.players):
            if seat in newest and seat != last.player:
                yield t("tell.last_of", player=self.names[seat], cell=newest[seat].label)

    @property
    def last(self) -> PlacedTile:
        """The tile that was laid last; before the first move the last of the start tiles."""
        *_, last = self.position.placed()
        placed: PlacedTile = last
        return placed

    def supplies(self) -> Iterator[str]:
        """Tell the belongings of each player."""
        for seat, name in enumerate(self.names):
            pieces = ", ".join(self.presenter.belongings(self.position, seat))
            yield aloud(as_sentence(t("tell.supply", player=name, pieces=pieces)))

    # -- tiles ------------------------------------------------------------------------------------------------------

    def tiles(self) -> Iterator[str]:
        """Tell every tile, row by row, with the figures on it."""
        placed = sorted(self.position.placed(), key=lambda tile: (tile.cell.y, tile.cell.x))
        yield from (self.tile(tile) for tile in placed)

    def tile(self, placed: PlacedTile) -> str:
        """Tell a tile, the pieces built on it, and the figures on it."""
        return as_sentence(t("tell.tile", cell=placed.cell.label, tile=self._tile_with_figures(placed)))

    def _tile_with_figures(self, placed: PlacedTile) -> str:
        """Return a tile in words, with the pieces and figures on it."""
        words = [
            self.presenter.tile_aloud(placed.tile, placed.rotation),
            *self.presenter.additions(self.position, placed),
        ]
        return "; ".join(
            [*words, *(self._figure(figure, _place(placed, figure)) for figure in self._standing[placed.cell])]
        )

    @lazy_property
    def _standing(self) -> _FiguresByCell:
        """The figures on the board, by their cells."""
        figures = _FiguresByCell()
        for figure in self.position.standing_figures():
            figures.setdefault(figure.cell, []).append(figure)
        return figures

    def _figure(self, figure: StandingFigure, where: str) -> str:
        """Return a figure with its owner and place in words."""
        role = f"role.{figure.segment.kind}"
        words = t(role if has_text(role) else f"figure.{figure.figure}")
        return t("tell.figure", player=self.names[figure.player], figure=words, where=where)

    def around(self, cell: Cell) -> Iterator[str]:
        """Tell a cell and its four neighbours."""
        yield self._cell_words(cell, t("tell.here", cell=cell.label))
        for side in Side:
            neighbour = cell.beside(side)
            direction = capital(t(f"direction.{side.name}"))
            yield self._cell_words(neighbour, t("tell.beside", direction=direction, cell=neighbour.label))

    def _cell_words(self, cell: Cell, where: str) -> str:
        """Return a cell in words: its tile, or the tiles that would fit there."""
        placed = next((placed for placed in self.position.placed() if placed.cell == cell), None)
        if placed is not None:
            return as_sentence(t("tell.there", where=where, what=self._tile_with_figures(placed)))
        is_open = cell in set(self.position.open_cells())
        description = self.presenter.border_words(self.position, cell) or t("tell.fits" if is_open else "tell.empty")
        return as_sentence(t("tell.there", where=where, what=description))

    def pile(self) -> Iterator[str]:
        """Tell the tiles in the pile, the most frequent first."""
        yield as_sentence(pile_words(self.position))
        counts: Counter[str] = Counter()
        for kind, count in hints_on(self.position).remaining():
            counts[self.presenter.tile_aloud(kind, 0)] += count
        for words, count in counts.most_common():
            if count:
                yield as_sentence(t("tiles.line", number=count, tile=words))

    # -- features ---------------------------------------------------------------------------------------------------

    def features(self) -> Iterator[str]:
        """Tell the features that can still be completed, those with figures first."""
        features = [feature for feature in self.position.features() if feature.open_ends > 0]
        yield from self._features(features) if features else iter([t("tell.no_features")])

    def lasting(self) -> Iterator[str]:
        """Tell the features that never complete and score at the end, such as fields."""
        features = [feature for feature in self.position.features() if feature.open_ends < 0]
        yield from self._features(features) if features else iter([t("tell.no_features")])

    def _features(self, features: Sequence[Feature]) -> Iterator[str]:
        """Tell these features: place, size, open ends and figures."""
        hints = hints_on(self.position)
        for feature in sorted(features, key=lambda feature: not feature.followers):
            parts = list(self._described(feature))
            if feature.open_ends > 0:
                gaps = sorted(
                    {Cell.at(square) for square in hints.squares_beyond(feature)}, key=lambda cell: (cell.y, cell.x)
                )
                parts.append(t("tell.open", cells=listed([cell.label for cell in gaps])))
            parts += self._held(feature)
            cells = list(dict.fromkeys(cell.label for cell, _ in feature.parts))
            kind = capital(t(f"feature.{feature.kind}"))
            yield as_sentence(t("tell.feature", kind=kind, cells=listed(cells), parts="; ".join(parts)))

    def _described(self, feature: Feature) -> Iterator[str]:
        """Tell the size of a feature, and the symbols in it."""
        yield t("term.tiles", count=feature.tiles)
        if feature.marks:
            yield t(f"tell.marks.{feature.kind}", count=feature.marks)

    def _held(self, feature: Feature) -> Iterator[str]:
        """Tell the figures on a feature, the players with the majority, and the points it would bring."""
        if not feature.followers:
            yield t("tell.nobody")
        for figure, count in Counter(feature.followers).items():
            yield from [self._figure(figure, figure.cell.label)] * count
        if len({figure.player for figure in feature.followers}) > 1:
            yield t("tell.majority", players=listed([self.names[seat] for seat in feature.owners]) or t("tell.none"))
        if self.allows(Hint.COMPLETION):
            key = "tell.complete" if feature.open_ends > 0 else "tell.at_end"
            yield t(key, count=self.presenter.feature_points(self.position, feature))


def _place(placed: PlacedTile, figure: StandingFigure) -> str:
    """Return the place of a figure on its tile."""
    return segment_aloud(figure.segment, split_corners(placed.tile, placed.rotation, figure.segment.kind))


class _FiguresByCell(dict[Cell, list["StandingFigure"]]):
    """The figures by their cells; an empty list for other cells."""

    def __missing__(self, _: Cell) -> list[StandingFigure]:
        return []
