"""The composer of a turn of The Castle: the tile, its figure, and whatever the turn asks then, in one panel.

A button that leaves nothing to be decided makes the move, all of it at once; any other shows the next panel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from discord import ButtonStyle

from cogs.games.the_castle.choices import answers, asked_features
from cogs.games.the_castle.headlines import rest_lines
from cogs.games.the_castle.plan import Course, Plan, course, deployments, fitting, is_decided, placements, written
from cogs.games.the_castle.story import planned_sentence
from cogs.games.the_castle.words import feature_words, segment_at, tile_words
from cogs.presenting.ids import Op
from cogs.presenting.offers import Offer, mode_offer
from cogs.presenting.presenter import Panel
from cogs.presenting.spots import laid, lettered, letters_line, pages, spots, turned, ways
from cogs.texts import t
from cogs.words.completions import moves_words
from cogs.words.names import seat_names
from cogs.words.story import STORY, Storyteller, clipped
from cogs.words.terms import capital, segment_words, turn_words
from engine import Action, Cell, Deploy, IllegalActionError, Pass, Place
from engine.actions import FOLLOWER
from engine.events import Completed, Scored
from engine.hints import Hint
from engine.the_castle import ChooseFeature, DoubleFeature, ExtraTurn, PlaceTile, Position, ScoreFeature
from engine.the_castle.events import KeepMoved, WallTilesUsed, WallTileTaken

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from engine.tiles import Segment
    from host import Game, Preferences

_TOLD = (Scored, Completed, KeepMoved, WallTilesUsed, WallTileTaken)
"""What a plan tells in advance."""


@dataclass(frozen=True, slots=True)
class TilePanel(Panel):
    """A panel about the tile in hand."""

    letters: Sequence[tuple[Cell, str]] = ()
    """The spots and their letters."""
    place: Place | None = None
    """The tile that is tried out."""
    numbers: Sequence[tuple[int, Segment]] = ()
    """Where a figure may stand, or will, by the number of its button."""
    figure: str = ""
    """The one that will stand there, when it is chosen."""
    features: Sequence[ScoreFeature] = ()
    """What the question is about, in the order of their letters."""
    decided: Sequence[Action] = ()
    """What has been decided before the question."""


@dataclass(frozen=True, slots=True)
class Composer:
    """Builds the panels of a turn for one player."""

    presenter: Presenter[Any]
    game: Game
    position: Position
    preferences: Preferences

    def panel(self, plan: Plan) -> TilePanel:
        """The panel of a plan.

        Raises:
            IllegalActionError: the plan does not fit the position.
        """
        match plan.actions:
            case ():
                return self._spots(plan.page)
            case (Place() as place,):
                return self._laying(place)
            case (Place() as place, *_) if is_decided(plan.actions):
                return self._deciding(place, course(self.position, plan.actions, self.preferences.choices))
            case _:
                raise IllegalActionError(f"not the turn of one tile: {plan}")

    # -- choosing a spot --------------------------------------------------------------------------------------------

    def _spots(self, wanted: int) -> TilePanel:
        step = self.position.step
        if not isinstance(step, PlaceTile):
            raise IllegalActionError("no tile is to be laid")
        places = placements(self.position)
        cells = spots(places)
        most = pages(cells)
        page = wanted % most
        letters = lettered(cells, page)
        title = t("panel.tile", turn=self.position.turn, tile=tile_words(step.tile))
        text = "\n".join([title, t("panel.spots"), letters_line(letters)])
        choices = [self._plan([ways(places, cell)[0]], letter) for cell, letter in letters]
        controls = [mode_offer(str(Plan(page)), confirm=self.preferences.confirm)]
        if most > 1:
            label = t("button.more_spots", page=page + 1, pages=most)
            controls.insert(0, Offer(Op.PLAN, label, str(Plan((page + 1) % most))))
        return TilePanel(text, [choices, controls], letters=letters)

    # -- turning, figure --------------------------------------------------------------------------------------------

    def _laying(self, place: Place) -> TilePanel:
        after = laid(self.position, place)
        deploys = deployments(after)
        numbers = _numbered(after, place.cell)
        title = t("panel.laid", cell=place.cell.label, turn=turn_words(place.rotation))
        text = "\n".join([title, t("panel.figure" if deploys else "panel.no_figure")])
        choices = [
            self._figure(place, deploy, f"{number} {capital(segment_words(segment))}")
            for deploy, (number, segment) in zip(deploys, numbers, strict=True)
        ]
        nobody = self._figure(place, Pass(), t("button.no_figure"))
        return TilePanel(text, [self._ways(place), [*choices, nobody]], place=place, numbers=numbers)

    def _ways(self, place: Place) -> list[Offer]:
        """Rotate, back."""
        following = turned(ways(placements(self.position), place.cell), place)
        rotate = [] if following is None else [self._plan([following], t("button.rotate"))]
        back = Offer(Op.PLAN, t("button.back"), str(Plan()))
        return [*rotate, back, mode_offer(written([place]), confirm=self.preferences.confirm)]

    def _figure(self, place: Place, figure: Action, label: str) -> Offer:
        if self.preferences.confirm:
            return self._plan([place, figure], label, ButtonStyle.primary)
        return self._onward([place, figure], label, ButtonStyle.primary)

    # -- what the turn asks, confirming -----------------------------------------------------------------------------

    def _deciding(self, place: Place, ahead: Course) -> TilePanel:
        """The question that the turn asks next; when it asks none, whether it shall be so."""
        title = t("panel.confirm", move=moves_words(self.presenter, self.position, ahead.actions))
        outlook = clipped("\n".join(self._outlook(ahead)), STORY)
        text = "\n".join(filter(None, [title, outlook, self._question(ahead.after), *rest_lines(ahead.after)]))
        offers = [self._onward([*ahead.actions, action], label, style) for action, label, style in answers(ahead.after)]
        if not ahead.asks:
            offers = [self._go(ahead.actions, t("button.confirm"), ButtonStyle.success)]
        change = self._plan([place], t("button.change"))
        figures = {action.segment for action in ahead.actions if isinstance(action, Deploy)}
        numbers = _numbered(laid(self.position, place), place.cell)
        chosen = [(number, segment) for number, segment in numbers if any(map(segment.is_named, figures))]
        features = asked_features(ahead.after)
        return TilePanel(
            text,
            [[*offers, change]],
            place=place,
            numbers=chosen,
            figure=FOLLOWER if chosen else "",
            features=features,
            decided=ahead.actions,
        )

    def _question(self, after: Position) -> str:
        names = seat_names(self.game)
        match after.step:
            case ChooseFeature() as step if step.scorer == step.player:
                return t("panel.order_own")
            case ChooseFeature(scorer=scorer):
                return t("panel.order", scorer=names[scorer])
            case DoubleFeature(feature=feature, kind=kind, count=tiles):
                return t("panel.double", feature=feature_words(after, feature), number=int(kind), count=tiles)
            case ExtraTurn():
                return t("panel.again")
            case _:
                return ""

    def _outlook(self, ahead: Course) -> Iterator[str]:
        """The points that the move brings at once, if the table is told; nothing that a hidden wall tile adds."""
        if not self.game.settings.allows(Hint.COMPLETION):
            return iter(())
        told = [event for event in ahead.events if isinstance(event, _TOLD) and not getattr(event, "final", False)]
        return Storyteller(planned_sentence, seat_names(self.game)).sentences(told)

    # -- buttons ----------------------------------------------------------------------------------------------------

    def _onward(self, decided: Sequence[Action], label: str, style: ButtonStyle) -> Offer:
        """To the next question, or the move itself where there is none; also where an id has no room for more."""
        ahead = course(self.position, decided, self.preferences.choices)
        if ahead.asks and fitting(ahead.actions) == ahead.actions:
            return self._plan(ahead.actions, label, style)
        return self._go(ahead.actions, label, style)

    def _plan(self, actions: Sequence[Action], label: str, style: ButtonStyle = ButtonStyle.secondary) -> Offer:
        return Offer(Op.PLAN, label, written(actions), style)

    def _go(self, actions: Sequence[Action], label: str, style: ButtonStyle) -> Offer:
        return Offer(Op.GO, label, written(fitting(actions)), style)


def _numbered(after: Position, cell: Cell) -> list[tuple[int, Segment]]:
    """The places for a figure on a tile just laid, with their numbers."""
    deploys = deployments(after)
    return list(enumerate((segment_at(after, cell, deploy.segment) for deploy in deploys), 1))
