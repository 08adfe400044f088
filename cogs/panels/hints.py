"""Hints as a player reads them. What a table does without is decided here, for every way to ask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from cogs.presenting.presenter import AltPicture
from cogs.texts import listed, t
from cogs.words.alt_texts import MAX_ALT_LENGTH
from cogs.words.names import MARKS, capital, seat_name
from cogs.words.refusals import RefusedError
from cogs.words.story import terms_words, units, whole
from engine import hints_on
from engine.actions import Seat
from engine.hints import Candidate, DeadCells, Hint, Holding, Missing, Projection

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from engine import Cell, Position
    from engine.hints import Hints
    from engine.views import Feature
    from host import Game
    from renderers import Theme

FEATURES: Final = 8
"""Open features that are told."""
FIELDS: Final = 6
"""Fields that are told."""
ROOM_FOR_SCORES: Final = 1300
ROOM_FOR_FEATURES: Final = 1000
ROOM_FOR_FIELDS: Final = 800
"""Units of a message given to a part: together with its spots, its title and what the table does without, 4000."""
ROOM_FOR_MORE: Final = 30
"""What the line takes that says how many more there are."""
KINDS: Final = 3
"""Kinds of tiles that are named where each would do."""
CELLS: Final = 12
"""Spots that are named."""
LONGEST_LINE: Final = 260
"""Units of a line."""


def given(game: Game, position: Position) -> frozenset[Hint]:
    """The kinds of hints that there are in this game and that its table allows."""
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
    """What a player reads and sees; made in a worker thread."""

    texts: Sequence[str]
    pictures: Sequence[AltPicture]


def hint_panel(presenter: Presenter[Any], game: Game, position: Position, seat: int | None, theme: Theme) -> HintPanel:
    """All hints that the table allows, for the player in a seat or for somebody who looks on (None)."""
    return _Writer(presenter, game, position, seat).panel(theme)


class _Writer:
    """Tells the hints on one position to one player."""

    def __init__(self, presenter: Presenter[Any], game: Game, position: Position, seat: int | None) -> None:
        self.presenter = presenter
        self.game = game
        self.position = position
        self.seat = seat
        self.given = given(game, position)
        self.hints: Hints[Any] = hints_on(position)

    def panel(self, theme: Theme) -> HintPanel:
        """The texts, and the board with what they are about."""
        dead = self.hints.dead_cells() if Hint.CELLS in self.given else DeadCells((), ())
        holdings = self.hints.holdings() if Hint.FIELDS in self.given else ()
        texts = [t("hints.title", name=self.game.name, code=self.game.code)]
        if Hint.PROJECTION in self.given:
            texts.append(self._projection())
        if Hint.COMPLETION in self.given:
            texts.append(self._completion())
        if Hint.FIELDS in self.given:
            texts.append(self._fields(holdings))
        if Hint.CELLS in self.given:
            texts.append(_cells(dead))
        off = [t(f"hint.{hint}") for hint in Hint if hint in self.hints.offers - self.given]
        if off:
            texts.append(t("hints.off", hints=listed(off)))
        return HintPanel(texts, self._pictures(dead, holdings, theme))

    # -- if the game ended now --------------------------------------------------------------------------------------

    def _projection(self) -> str:
        projections = self.hints.projection()
        room = ROOM_FOR_SCORES // (len(projections) + 1)
        lines = [t("hints.projection")]
        lines += [self._projected(seat, projected, room) for seat, projected in enumerate(projections)]
        return "\n".join(lines)

    def _projected(self, seat: int, projected: Projection, room: int) -> str:
        """What a player would have, and by what, as far as there is room for that."""
        values: dict[str, object] = {"mark": MARKS[seat], "player": seat_name(self.game, seat)}
        values |= {"now": projected.now, "total": projected.total}
        gains = [
            t(f"category.{kind}", points=projected.gains[kind])
            for kind in self.presenter.categories
            if projected.gains.get(kind)
        ] or [t("hints.nothing_more")]
        return _fitting(lambda most: t("hints.projected", parts=" · ".join(gains[:most]), **values), len(gains), room)

    # -- open features ----------------------------------------------------------------------------------------------

    def _completion(self) -> str:
        features = [
            (feature, found)
            for feature in self.hints.open_features()
            if self._concerns(feature) and (found := self.hints.completion(feature)) is not None
        ]
        features.sort(key=lambda entry: (entry[1].impossible, entry[1].least, -entry[0].tiles))
        lines = [self._feature(feature, found) for feature, found in features]
        title = t("hints.completion_all" if self.seat is None else "hints.completion")
        return "\n".join([title, *_first(lines, FEATURES, ROOM_FOR_FEATURES, t("hints.no_features"))])

    def _concerns(self, feature: Feature) -> bool:
        """Whether the player stands there; who looks on sees what anybody holds."""
        return self.seat is None or any(standing.player == self.seat for standing in feature.followers)

    def _feature(self, feature: Feature, found: Missing) -> str:
        kind = capital(t(f"feature.{feature.kind}"))
        words = t("hints.feature", kind=kind, cell=self._cell(feature).label, count=feature.tiles)
        marks = _marks(feature.owners)
        dead = [gap.cell for gap in found.gaps if gap.dead]
        if dead:
            return t("hints.dead", marks=marks, feature=words, cells=_labels(dead))
        if found.impossible:
            return t("hints.too_few", marks=marks, feature=words)
        if found.at_once:
            left, cell = sum(candidate.left for candidate in found.at_once), found.gaps[0].cell.label
            values = {"marks": marks, "feature": words, "cell": cell}
            return _fitting(
                lambda most: t("hints.at_once", count=left, tiles=self._tiles(found.at_once, most), **values), KINDS
            )
        gaps = [
            t("hints.gap", cell=gap.cell.label, count=sum(candidate.left for candidate in gap.closing))
            for gap in found.gaps
        ]
        return _fitting(
            lambda most: t("hints.several", marks=marks, feature=words, count=found.least, gaps=_some(gaps, most)),
            CELLS,
        )

    def _cell(self, feature: Feature) -> Cell:
        """By which tile a feature is called: one on which the player stands, or else somebody."""
        return min(feature.followers, key=lambda standing: standing.player != self.seat).cell

    def _tiles(self, candidates: Iterable[Candidate], most: int) -> str:
        """The most frequent kinds of tiles that would do, so many at most, and how many others."""
        counts: dict[str, int] = {}
        for candidate in candidates:
            key = "hints.tile_aided" if candidate.aided else "hints.tile"
            words = t(key, number="{number}", tile=self.presenter.tile_words(candidate.kind))
            counts[words] = counts.get(words, 0) + candidate.left
        ordered = sorted(counts.items(), key=lambda entry: -entry[1])
        named = [words.replace("{number}", str(count)) for words, count in ordered[:most]]
        others = sum(count for _, count in ordered[most:])
        return "; ".join([*named, *([t("hints.other_tiles", count=others)] if others else [])])

    # -- fields -----------------------------------------------------------------------------------------------------

    def _fields(self, holdings: Sequence[Holding]) -> str:
        lines = [self._field(holding) for holding in holdings]
        return "\n".join([t("hints.fields"), *_first(lines, FIELDS, ROOM_FOR_FIELDS, t("hints.no_fields"))])

    def _field(self, holding: Holding) -> str:
        field = holding.field
        shares = [self._share(holding, seat) for seat in sorted({*field.owners, *holding.points})]
        terms = terms_words(holding.terms) or t("hints.worthless")
        cell = self._cell(field).label
        values = {"marks": _marks(field.owners), "cell": cell, "terms": terms}
        return _fitting(lambda most: t("hints.field", shares=_some(shares, most), **values), len(shares))

    def _share(self, holding: Holding, seat: Seat) -> str:
        """What a field brings to a player, which may be more than it is worth to the others."""
        points = holding.points.get(seat, 0)
        key = "hints.share_more" if points > sum(term.points for term in holding.terms) else "hints.share"
        return t(key, player=seat_name(self.game, seat), points=points)

    # -- picture ----------------------------------------------------------------------------------------------------

    def _pictures(self, dead: DeadCells, holdings: Sequence[Holding], theme: Theme) -> list[AltPicture]:
        if not self.given & {Hint.CELLS, Hint.FIELDS}:
            return []
        words = _cells(dead, len(dead.dead) + len(dead.aided)).replace("**", "") if Hint.CELLS in self.given else ""
        alt = t("alt.hints_fields" if Hint.FIELDS in self.given else "alt.hints", cells=words.replace("\n", " "))
        picture = self.presenter.hints_picture(self.position, dead, holdings, theme)
        return [AltPicture(picture, whole(alt.strip(), MAX_ALT_LENGTH))]


def _cells(dead: DeadCells, most: int = CELLS) -> str:
    """Where nothing fits, so many cells of it."""
    lines = []
    if dead.dead:
        lines.append(t("hints.dead_cells", count=len(dead.dead), cells=_labels(dead.dead, most)))
    if dead.aided:
        lines.append(t("hints.aided_cells", cells=_labels(dead.aided, most)))
    return "\n".join(lines or [t("hints.no_dead_cells")])


def _marks(seats: Iterable[int]) -> str:
    return "".join(MARKS[seat] for seat in seats)


def _labels(cells: Iterable[Cell], most: int = CELLS) -> str:
    return _some([cell.label for cell in cells], most)


def _some(items: Sequence[str], most: int = CELLS) -> str:
    """Items in one phrase, not too many of them."""
    more = [t("hints.more_cells", count=len(items) - most)] if len(items) > most else []
    return listed([*items[:most], *more])


def _fitting(line: Callable[[int], str], most: int, longest: int = LONGEST_LINE) -> str:
    """A line with as many of its items as there is room for; the line tells how many more there are."""
    told = next((words for count in range(most, 0, -1) if units(words := line(count)) <= longest), line(1))
    return whole(told, longest)


def _first(lines: Sequence[str], most: int, room: int, nothing: str) -> list[str]:
    """The first lines for which there is room and how many more there are, or what is said without any."""
    if not lines:
        return [nothing]
    reached = accumulate(units(line) + 1 for line in lines[:most])
    shown = sum(1 for length in reached if length + ROOM_FOR_MORE <= room)
    more = [t("hints.more", count=len(lines) - shown)] if len(lines) > shown else []
    return [*lines[:shown], *more]
