"""The panel of *hints*: facts that a player could work out from the board.

A table may allow all kinds of hints, some or none. Every command and button that shows a hint checks that here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

from cogs.presenting.presenter import AltPicture, Presenter
from cogs.texts import listed, t
from cogs.words.alt_texts import MAX_ALT_LENGTH
from cogs.words.names import MARKS, capital, seat_name
from cogs.words.refusals import RefusedError
from cogs.words.story import fit_text, terms_words, units
from engine import Cell, Position, hints_on
from engine.actions import Seat
from engine.hints import Candidate, DeadCells, Hint, Hints, Holding, Missing, Projection
from engine.views import Feature
from host import Game
from renderers import Theme

MAX_FEATURES: Final = 8
"""Open features listed in the panel."""
MAX_FIELDS: Final = 6
"""Fields listed in the panel."""
SCORES_UNITS: Final = 1300
FEATURES_UNITS: Final = 1000
FIELDS_UNITS: Final = 800
"""Units given to each part of the message; with spots, title and disabled hints they add up to at most 4000."""
MORE_LINE_UNITS: Final = 30
"""Units of the line that counts what was left out."""
MAX_KINDS: Final = 3
"""Kinds of tiles named where each would fit."""
MAX_CELLS: Final = 12
"""Spots named in one line."""
MAX_LINE_UNITS: Final = 260
"""Units of one line."""


def allowed_hints(game: Game, position: Position) -> frozenset[Hint]:
    """Return the kinds of hints that the game offers and its table allows."""
    return frozenset(hint for hint in hints_on(position).offers if game.settings.allows(hint))


def require(game: Game, hint: Hint) -> None:
    """Refuse a hint at a table that does without it.

    Raises:
        RefusedError: the table plays without hints, or without this one.
    """
    if not game.settings.hints:
        raise RefusedError("no_hints", name=game.name, code=game.code)
    if not game.settings.allows(hint):
        raise RefusedError("hint_off", name=game.name, code=game.code, hint=t(f"hint.{hint}"))


@dataclass(frozen=True, slots=True)
class HintPanel:
    """The texts and pictures of a panel, made in a worker thread."""

    texts: Sequence[str]
    pictures: Sequence[AltPicture]


def hint_panel(presenter: Presenter[Any], game: Game, position: Position, seat: int | None, theme: Theme) -> HintPanel:
    """Return all hints that the table allows, for the player in a seat or for a spectator (None)."""
    return _HintWriter(presenter, game, position, seat).panel(theme)


class _HintWriter:
    """Writes the hints on one position for one player."""

    def __init__(self, presenter: Presenter[Any], game: Game, position: Position, seat: int | None) -> None:
        self.presenter = presenter
        self.game = game
        self.position = position
        self.seat = seat
        self.allowed = allowed_hints(game, position)
        self.hints: Hints[Any, Any] = hints_on(position)

    def panel(self, theme: Theme) -> HintPanel:
        """Return the texts, and the board with what they are about."""
        dead = self.hints.dead_cells() if Hint.CELLS in self.allowed else DeadCells((), ())
        holdings = self.hints.holdings() if Hint.FIELDS in self.allowed else ()
        texts = [t("hints.title", name=self.game.name, code=self.game.code)]
        if Hint.PROJECTION in self.allowed:
            texts.append(self._projection())
        if Hint.COMPLETION in self.allowed:
            texts.append(self._completion())
        if Hint.FIELDS in self.allowed:
            texts.append(self._fields(holdings))
        if Hint.CELLS in self.allowed:
            texts.append(_cells(dead))
        off = [t(f"hint.{hint}") for hint in Hint if hint in self.hints.offers - self.allowed]
        if off:
            texts.append(t("hints.off", hints=listed(off)))
        return HintPanel(texts, self._pictures(dead, holdings, theme))

    # -- if the game ended now --------------------------------------------------------------------------------------

    def _projection(self) -> str:
        """Say how many points each player would have if the game ended now."""
        projections = self.hints.projection()
        room = SCORES_UNITS // (len(projections) + 1)
        lines = [t("hints.projection")]
        lines += [self._projected(seat, projected, room) for seat, projected in enumerate(projections)]
        return "\n".join(lines)

    def _projected(self, seat: int, projected: Projection, room: int) -> str:
        """Say how many points a player would have at the end, and from what, as far as the line has room."""
        values: dict[str, object] = {"mark": MARKS[seat], "player": seat_name(self.game, seat)}
        values |= {"now": projected.now, "total": projected.total}
        gains = [
            t(f"category.{kind}", points=projected.gains[kind])
            for kind in self.presenter.categories
            if projected.gains.get(kind)
        ] or [t("hints.nothing_more")]
        return _fitting_line(
            lambda most: t("hints.projected", parts=" · ".join(gains[:most]), **values), len(gains), room
        )

    # -- open features ----------------------------------------------------------------------------------------------

    def _completion(self) -> str:
        """Say which tiles would complete the player's open features, the easiest first."""
        features = [
            (feature, completion)
            for feature in self.hints.open_features()
            if self._concerns(feature) and (completion := self.hints.completion(feature)) is not None
        ]
        features.sort(key=lambda entry: (entry[1].impossible, entry[1].min_tiles, -entry[0].tiles))
        lines = [self._feature(feature, completion) for feature, completion in features]
        title = t("hints.completion_all" if self.seat is None else "hints.completion")
        return "\n".join([title, *_lines_within(lines, MAX_FEATURES, FEATURES_UNITS, t("hints.no_features"))])

    def _concerns(self, feature: Feature) -> bool:
        """Return True if the player has a figure on the feature; spectators see the features of all."""
        return self.seat is None or any(standing.player == self.seat for standing in feature.followers)

    def _feature(self, feature: Feature, missing: Missing) -> str:
        """Say how many tiles a feature lacks, which ones, and on which cells."""
        kind = capital(t(f"feature.{feature.kind}"))
        words = t("hints.feature", kind=kind, cell=self._cell(feature).label, count=feature.tiles)
        marks = _marks(feature.owners)
        dead = [gap.cell for gap in missing.gaps if gap.dead]
        if dead:
            return t("hints.dead", marks=marks, feature=words, cells=_labels(dead))
        if missing.impossible:
            return t("hints.too_few", marks=marks, feature=words)
        if missing.completing_tiles:
            tiles_left, cell = (
                sum(candidate.left for candidate in missing.completing_tiles),
                missing.gaps[0].cell.label,
            )
            values = {"marks": marks, "feature": words, "cell": cell}
            return _fitting_line(
                lambda most: t(
                    "hints.at_once", count=tiles_left, tiles=self._tiles(missing.completing_tiles, most), **values
                ),
                MAX_KINDS,
            )
        gaps = [
            t("hints.gap", cell=gap.cell.label, count=sum(candidate.left for candidate in gap.closing))
            for gap in missing.gaps
        ]
        return _fitting_line(
            lambda most: t(
                "hints.several", marks=marks, feature=words, count=missing.min_tiles, gaps=_up_to(gaps, most)
            ),
            MAX_CELLS,
        )

    def _cell(self, feature: Feature) -> Cell:
        """Return the cell that names a feature: one with a figure of the player, or else of anyone."""
        return min(feature.followers, key=lambda standing: standing.player != self.seat).cell

    def _tiles(self, candidates: Iterable[Candidate], most: int) -> str:
        """Name the most frequent kinds of tiles that would fit, at most ``most``, and count the others."""
        counts: dict[str, int] = {}
        for candidate in candidates:
            key = "hints.tile_aided" if candidate.aided else "hints.tile"
            words = t(key, number="{number}", tile=self.presenter.tile_words(candidate.kind))
            counts[words] = counts.get(words, 0) + candidate.left
        ordered = sorted(counts.items(), key=lambda entry: -entry[1])
        names = [words.replace("{number}", str(count)) for words, count in ordered[:most]]
        others = sum(count for _, count in ordered[most:])
        return "; ".join([*names, *([t("hints.other_tiles", count=others)] if others else [])])

    # -- fields -----------------------------------------------------------------------------------------------------

    def _fields(self, holdings: Sequence[Holding]) -> str:
        """Say what each field is worth, within the room of the message."""
        lines = [self._field(holding) for holding in holdings]
        return "\n".join([t("hints.fields"), *_lines_within(lines, MAX_FIELDS, FIELDS_UNITS, t("hints.no_fields"))])

    def _field(self, holding: Holding) -> str:
        """Say what a field is worth, and to whom."""
        field = holding.field
        shares = [self._share(holding, seat) for seat in sorted({*field.owners, *holding.points})]
        terms = terms_words(holding.terms) or t("hints.worthless")
        cell = self._cell(field).label
        values = {"marks": _marks(field.owners), "cell": cell, "terms": terms}
        return _fitting_line(lambda most: t("hints.field", shares=_up_to(shares, most), **values), len(shares))

    def _share(self, holding: Holding, seat: Seat) -> str:
        """Say how many points a field brings to a player; some players may get more for it than others."""
        points = holding.points.get(seat, 0)
        key = "hints.share_more" if points > sum(term.points for term in holding.terms) else "hints.share"
        return t(key, player=seat_name(self.game, seat), points=points)

    # -- picture ----------------------------------------------------------------------------------------------------

    def _pictures(self, dead: DeadCells, holdings: Sequence[Holding], theme: Theme) -> list[AltPicture]:
        """Draw the board with the hints that the table allows on it; nothing if it allows none of them."""
        if not self.allowed & {Hint.CELLS, Hint.FIELDS}:
            return []
        words = _cells(dead, len(dead.dead) + len(dead.aided)).replace("**", "") if Hint.CELLS in self.allowed else ""
        alt = t("alt.hints_fields" if Hint.FIELDS in self.allowed else "alt.hints", cells=words.replace("\n", " "))
        picture = self.presenter.hints_picture(self.position, dead, holdings, theme)
        return [AltPicture(picture, fit_text(alt.strip(), MAX_ALT_LENGTH))]


def _cells(dead: DeadCells, most: int = MAX_CELLS) -> str:
    """Name the cells that no tile fits, at most ``most`` of each kind."""
    lines = []
    if dead.dead:
        lines.append(t("hints.dead_cells", count=len(dead.dead), cells=_labels(dead.dead, most)))
    if dead.aided:
        lines.append(t("hints.aided_cells", cells=_labels(dead.aided, most)))
    return "\n".join(lines or [t("hints.no_dead_cells")])


def _marks(seats: Iterable[int]) -> str:
    """Return the marks of these seats one after the other."""
    return "".join(MARKS[seat] for seat in seats)


def _labels(cells: Iterable[Cell], most: int = MAX_CELLS) -> str:
    """Name cells in one phrase."""
    return _up_to([cell.label for cell in cells], most)


def _up_to(items: Sequence[str], most: int = MAX_CELLS) -> str:
    """Return at most ``most`` items in one phrase, and the number of the others."""
    overflow = [t("hints.more_cells", count=len(items) - most)] if len(items) > most else []
    return listed([*items[:most], *overflow])


def _fitting_line(line: Callable[[int], str], most: int, longest: int = MAX_LINE_UNITS) -> str:
    """Return a line with as many items as it has room for; the line counts the others."""
    fitting = next((words for count in range(most, 0, -1) if units(words := line(count)) <= longest), line(1))
    return fit_text(fitting, longest)


def _lines_within(lines: Sequence[str], most: int, room: int, nothing: str) -> list[str]:
    """Return the first lines for which there is room, and count the others; without lines, return ``nothing``."""
    if not lines:
        return [nothing]
    reached = accumulate(units(line) + 1 for line in lines[:most])
    kept = sum(1 for length in reached if length + MORE_LINE_UNITS <= room)
    overflow = [t("hints.more", count=len(lines) - kept)] if len(lines) > kept else []
    return [*lines[:kept], *overflow]
