"""The composer of a turn for who plays by ear: no picture, no letters, lists of spots that say what a tile would join.

A spot in a list is a cell with a rotation, so nothing has to be turned. Those that complete or continue something come
first.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cogs.panels.composer import Composer
from cogs.presenting.ids import Op
from cogs.presenting.presenter import Menu, MenuEntry, Offer, TilePanel
from cogs.presenting.turn import Plan, laid, placements, spots
from cogs.texts import known, listed, t
from cogs.words.names import capital, plain_names, seat_names, segment_aloud, segment_words, split_corners, turn_words
from cogs.words.story import fitting, units
from engine import Cell, Deploy, IllegalActionError, Pass, Place

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from engine import Position
    from engine.tiles import Segment, TileKind
    from engine.views import Feature
    from host import Game, Preferences

A_LIST: Final = 25
LISTS: Final = 4
"""Lists of spots in a panel."""
LONGEST: Final = 100
"""Characters of an entry of a list, and of what is said below it."""
LONGEST_LABEL: Final = 80
"""Characters of a button."""


def compose_by_ear(
    presenter: Presenter[Any], game: Game, position: Position, plan: str, preferences: Preferences
) -> TilePanel:
    """The composer with a plan, in words; see :func:`cogs.panels.composer.compose`.

    Raises:
        EngineError: the plan is none, or does not fit the position.
    """
    return EarComposer(presenter, game, position, preferences).panel(Plan.parse(plan) if plan else Plan())


class HeldFeature(NamedTuple):
    """A feature by its kind, and who stands there."""

    kind: str
    players: Sequence[str]

    def words(self, *, named: bool) -> str:
        """The feature, with the names where there is room for them."""
        return t("spot.held", kind=self.kind, players=listed(self.players)) if named and self.players else self.kind


@dataclass(frozen=True, slots=True)
class SpotInWords:
    """A placement, with what it would complete and continue, in words."""

    place: Place
    completes: Sequence[HeldFeature]
    joins: Sequence[HeldFeature]

    @property
    def rank(self) -> tuple[int, int, int, int, str]:
        """Where it stands among the others: what completes most comes first, then what continues most."""
        cell = self.place.cell
        return -len(self.completes), -len(self.joins), cell.y, cell.x, str(self.place)


@dataclass(frozen=True, slots=True)
class EarComposer(Composer):
    """Builds the panels of a turn for one player who listens."""

    # -- choosing a spot --------------------------------------------------------------------------------------------

    def _spots(self, plan: Plan) -> TilePanel:
        if plan.aided and self._turn.piece is None:
            raise IllegalActionError(f"nothing helps a tile to fit: {plan}")
        plain, aided = (placements(self.position, aided=aided) for aided in (False, True))
        bridged = bool(aided) and (plan.aided or not plain)
        looks = self.looks(aided if bridged else plain)
        room = A_LIST * LISTS
        most = max(1, -(-len(looks) // room))
        here = Plan(plan.page % most, aided=bridged)
        asked = t(f"panel.spots_{self._piece()}" if bridged else "spot.ask")
        details = self.presenter.details(seat_names(self.game), self.position)
        text = "\n".join(filter(None, [self._tile(), asked, details]))
        controls = self._aiding(here, spots(plain), spots(aided))
        if most > 1:
            label = t("button.more_spots", page=here.page + 1, pages=most)
            controls.insert(0, self._plan(Plan((here.page + 1) % most, aided=bridged), label))
        menus = list(self._menus(looks, here.page * room))
        return TilePanel(text, [[*controls, self._mode(here), self._words]], menus=menus)

    def _menus(self, looks: Sequence[SpotInWords], first: int) -> Iterator[Menu]:
        for start in range(first, min(first + A_LIST * LISTS, len(looks)), A_LIST):
            shown = looks[start : start + A_LIST]
            placeholder = t("spot.list", first=start + 1, last=start + len(shown), count=len(looks))
            yield Menu(Op.PLAN, placeholder, [self._entry(look) for look in shown])

    def _entry(self, look: SpotInWords) -> MenuEntry:
        place = look.place
        said = self.presenter.lying(self._hand, place.rotation)
        label = self._called(look, named=True)
        if units(label) > LONGEST:
            label = fitting(self._called(look, named=False).split(", "), LONGEST, ", ")
        return MenuEntry(label, str(Plan(place=place)), fitting(said.split("; "), LONGEST, "; "))

    def _called(self, look: SpotInWords, *, named: bool) -> str:
        """The cell first, then what the tile would complete and continue."""
        parts = [self.presenter.action_words(self.position, look.place)]
        for key, features in (("spot.completes", look.completes), ("spot.joins", look.joins)):
            if features:
                parts.append(t(key, features=listed([feature.words(named=named) for feature in features])))
        return ", ".join(parts)

    def looks(self, found: Sequence[Place]) -> list[SpotInWords]:
        """These placements, those that complete or continue most first."""
        done = {feature.parts[0] for feature in self.position.features() if not feature.open_ends}
        return sorted((self._look(place, done) for place in found), key=lambda look: look.rank)

    def _look(self, place: Place, done: Container[tuple[Cell, Segment]]) -> SpotInWords:
        """What a placement would complete, on this tile or beside it, and continue."""
        after = list(laid(self.position, place).features())
        complete = [feature for feature in after if not feature.open_ends and feature.parts[0] not in done]
        here = [feature for feature in after if any(cell == place.cell for cell, _ in feature.parts)]
        joins = [self._held(feature) for feature in here if feature.open_ends > 0 and feature.tiles > 1]
        joins += [self._held(feature) for feature in here if feature.open_ends < 0 and feature.followers]
        return SpotInWords(place, [self._held(feature) for feature in complete], joins)

    def _held(self, feature: Feature) -> HeldFeature:
        names = plain_names(self.game)
        return HeldFeature(
            t(f"feature.{feature.kind}"), list(dict.fromkeys(names[figure.player] for figure in feature.followers))
        )

    @property
    def _hand(self) -> TileKind:
        if self.position.hand is None:
            raise IllegalActionError("no tile is to be laid")
        return self.position.hand

    @property
    def _words(self) -> Offer:
        return Offer(Op.WORDS, t("button.tell"))

    # -- figure -----------------------------------------------------------------------------------------------------

    def _laying(self, plan: Plan, place: Place) -> TilePanel:
        after = self._turn.trial(self.position, plan)
        deploys = self._turn.deployments(self.position, plan)
        lines = [t("spot.figure")] if deploys else list(self._turn.figures(self.position, deploys))
        title = t("panel.laid", cell=place.cell.label, turn=turn_words(place.rotation))
        lies = t("spot.lies", tile=self.presenter.lying(self._hand, place.rotation))
        text = "\n".join([title, *self._piece_lines(plan.piece), *lines, lies])
        buttons = [
            self._figure(replace(plan, kind="", figure=deploy), self._place(plan, deploy, segment))
            for deploy, _, segment in self._numbered(after, place.cell, deploys, plan.kind)
        ]
        nobody = self._figure(replace(plan, kind="", figure=Pass()), self._turn.nobody(self.position, deploys))
        back = self._plan(Plan(aided=plan.aided), t("button.back"))
        others = [*self._switches(plan, deploys), *self._pieces(plan), back, self._mode(plan)]
        return TilePanel(text, [[*buttons, nobody], others], place=place, piece=plan.piece)

    def _place(self, plan: Plan, deploy: Deploy, segment: Segment) -> str:
        """Which figure may be put where."""
        role = f"role.{segment.kind}"
        figure = t(role) if known(role) else t(f"figure.{deploy.figure}")
        split = split_corners(self._hand, plan.place.rotation if plan.place else 0, segment.kind)
        where = segment_aloud(segment, split) if split else segment_words(segment)
        return fitting(t("spot.stand", figure=capital(figure), where=where).split(", "), LONGEST_LABEL, ", ")
