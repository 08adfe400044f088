"""The composer of a turn: the tile, its bridge, its figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from discord import ButtonStyle

from cogs.games.carcassonne.choices import choice_offers
from cogs.games.carcassonne.headlines import asked_lines, origin, then_lines, to_lay_words
from cogs.games.carcassonne.plan import (
    ROOM,
    Course,
    Plan,
    course,
    figures,
    optional_bridges,
    others,
    placements,
    places,
)
from cogs.games.carcassonne.words import axis_words, deploy_segment, tile_words
from cogs.presenting.ids import Op
from cogs.presenting.offers import Offer, mode_offer
from cogs.presenting.presenter import Panel
from cogs.presenting.spots import laid, lettered, letters_line, pages, spots, turned, ways
from cogs.texts import t
from cogs.words.completions import moves_words
from cogs.words.names import seat_names
from cogs.words.story import STORY, Storyteller, clipped
from cogs.words.terms import capital, segment_words, turn_words
from engine import Action, Cell, Deploy, IllegalActionError, Pass, Place, parse_action
from engine.actions import FOLLOWER
from engine.carcassonne import BuildBridge, Decline, PlaceTile, Position
from engine.carcassonne.events import GoodsTaken
from engine.events import Completed, Scored
from engine.hints import Hint

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from engine.carcassonne import Segment
    from host import Game


@dataclass(frozen=True, slots=True)
class TilePanel(Panel):
    """A panel about the tile in hand."""

    letters: Sequence[tuple[Cell, str]] = ()
    """The spots and their letters."""
    place: Place | None = None
    """The tile that is tried out."""
    bridge: BuildBridge | None = None
    """The bridge that is built with it."""
    numbers: Sequence[tuple[int, Segment]] = ()
    """Where a figure may stand, or will, by the number of its button."""
    figure: str = ""
    """The one that will stand there, when it is chosen."""


@dataclass(frozen=True, slots=True)
class Composer:
    """Builds the panels of a turn for one player."""

    presenter: Presenter[Any]
    game: Game
    position: Position
    confirm: bool
    """Whether the player wants to confirm each move."""

    def panel(self, plan: Plan) -> TilePanel:
        """The panel of a plan.

        Raises:
            IllegalActionError: the plan does not fit the position.
        """
        if plan.declined:
            return self._declining()
        if plan.place is None:
            return self._spots(plan)
        if plan.figure is None:
            return self._laying(plan, plan.place)
        ahead = course(self.position, plan)
        if ahead.asks and not plan.left_open:
            return self._asking(plan, plan.place, ahead)
        return self._confirming(plan, plan.place, ahead)

    # -- choosing a spot --------------------------------------------------------------------------------------------

    def _spots(self, plan: Plan) -> TilePanel:
        plain, aided = (placements(self.position, aided=aided) for aided in (False, True))
        bridged = bool(aided) and (plan.aided or not plain)
        places = aided if bridged else plain
        cells = spots(places)
        here = Plan(plan.page % pages(cells), aided=bridged)
        letters = lettered(cells, here.page)
        asked = t("panel.spots_bridge" if bridged else "panel.spots")
        to_lay = to_lay_words(seat_names(self.game), self.position)
        text = "\n".join(filter(None, [self._tile(), to_lay, asked, letters_line(letters)]))
        choices = [self._plan(Plan(place=ways(places, cell)[0]), letter) for cell, letter in letters]
        controls = [*self._other_spots(here, spots(plain), spots(aided)), self._mode(here)]
        return TilePanel(text, [choices, controls], letters=letters)

    def _other_spots(self, here: Plan, plain: Sequence[Cell], aided: Sequence[Cell]) -> list[Offer]:
        """To the next page, to the spots with or without a bridge, and letting the tile go."""
        controls: list[Offer] = []
        most = pages(aided if here.aided else plain)
        if most > 1:
            label = t("button.more_spots", page=here.page + 1, pages=most)
            controls.append(self._plan(Plan((here.page + 1) % most, aided=here.aided), label))
        if aided and plain:
            key, count = ("button.without_bridge", len(plain)) if here.aided else ("button.with_bridge", len(aided))
            controls.append(self._plan(Plan(aided=not here.aided), t(key, count=count)))
        if Decline() in self.position.legal_actions:
            controls.append(self._last(Plan(declined=True), (Decline(),), t("button.decline"), ButtonStyle.danger))
        return controls

    def _tile(self) -> str:
        step, turn = self.position.step, self.position.turn
        if not isinstance(step, PlaceTile):
            raise IllegalActionError("no tile is to be laid")
        return t(f"panel.tile{origin(self.position, step)}", turn=turn, tile=tile_words(step.tile))

    # -- turning, bridge, follower ----------------------------------------------------------------------------------

    def _laying(self, plan: Plan, place: Place) -> TilePanel:
        after = laid(self.position, place)
        bridges = optional_bridges(after)
        if plan.bridge is not None:
            after.apply(plan.bridge)
        deploys = figures(self.position, plan)
        offered = _offered(after, place.cell, deploys, plan.kind)
        kind = "follower" if all(self.position.figures[deploy.figure].is_follower for deploy in deploys) else "figure"
        text = "\n".join(
            [
                t("panel.laid", cell=place.cell.label, turn=turn_words(place.rotation)),
                *self._bridge_lines(_bridge(plan)),
                *(t(f"panel.{key}") for key in self._asked_figure(deploys, kind)),
            ]
        )
        choices = [
            self._figure(replace(plan, kind="", figure=deploy), _label(number, deploy, segment))
            for deploy, number, segment in offered
        ]
        nobody = self._figure(replace(plan, kind="", figure=Pass()), t(f"button.no_{kind}"))
        ways_on = self._ways(plan, place, bridges)
        numbers = [(number, segment) for _, number, segment in offered]
        offers = [ways_on, [*choices, nobody, *self._switches(plan, deploys)]]
        return TilePanel(text, offers, place=place, bridge=_bridge(plan), numbers=numbers)

    def _switches(self, plan: Plan, deploys: Sequence[Deploy]) -> Iterator[Offer]:
        """To another figure for the same places, and back to the one that is meant when nobody says."""
        switches = {figure: figure for figure in others(deploys)}
        if plan.kind:
            if plan.kind not in switches:
                raise IllegalActionError(f"no place for this figure: {plan}")
            switches = {_usual(deploys, plan.kind): "", **switches}
        for figure, kind in switches.items():
            if figure != plan.kind:
                yield self._plan(replace(plan, kind=kind), t("button.switch", figure=t(f"figure_button.{figure}")))

    def _ways(self, plan: Plan, place: Place, bridges: Sequence[BuildBridge]) -> list[Offer]:
        """Rotate, bridges, back."""
        controls: list[Offer] = []
        following = turned(ways(placements(self.position, aided=plan.aided), place.cell), place)
        if following is not None:
            controls.append(self._plan(Plan(place=following, aided=plan.aided), t("button.rotate")))
        for bridge in bridges:
            chosen = bridge == plan.bridge
            label = t("button.bridge", cell=bridge.cell.label, axis=axis_words(bridge))
            toggled = replace(plan, kind="", bridge=None if chosen else bridge)  # it may have been the only place
            controls.append(self._plan(toggled, label, ButtonStyle.success if chosen else ButtonStyle.secondary))
        controls.append(self._plan(Plan(aided=plan.aided), t("button.back")))
        controls.append(self._mode(plan))
        return controls

    def _bridge_lines(self, bridge: BuildBridge | None) -> list[str]:
        if bridge is None:
            return []
        left = self.position.supply["bridge"][self.position.player]
        return [t("panel.bridge", cell=bridge.cell.label, axis=axis_words(bridge), count=left)]

    def _asked_figure(self, deploys: Sequence[Deploy], kind: str) -> Iterator[str]:
        """The keys of what is said of figures: which one, none that may stand here, or none left at all."""
        player, supply = self.position.player, self.position.supply
        left = [figure for name, figure in self.position.figures.items() if supply[name][player]]
        followers = any(figure.is_follower for figure in left)
        if not followers:
            yield "none_left"
        if deploys:
            yield kind
        elif followers:
            yield "no_follower" if all(figure.is_follower for figure in left) else "no_figure"
        elif left:
            yield "no_other_figure"

    def _figure(self, plan: Plan, label: str) -> Offer:
        return self._onward(plan, label, ButtonStyle.primary)

    def _onward(self, plan: Plan, label: str, style: ButtonStyle) -> Offer:
        """To what is decided about a castle with the same move, or its last choice where nothing is."""
        ahead = course(self.position, plan)
        asks = ahead.asks and not plan.left_open
        return self._plan(plan, label, style) if asks else self._last(plan, ahead.actions, label, style)

    def _last(self, plan: Plan, actions: Sequence[Action], label: str, style: ButtonStyle) -> Offer:
        """The last choice of a move: it makes it at once, or asks whether it shall be so."""
        if self.confirm:
            return self._plan(plan, label, style)
        return Offer(Op.GO, label, " ".join(map(str, actions)), style)

    # -- confirming -------------------------------------------------------------------------------------------------

    def _asking(self, plan: Plan, place: Place, ahead: Course) -> TilePanel:
        """What the move raises about a castle of the same player: asked here, not on a card of its own afterwards."""
        left = ahead.after.supply["castle"][self.position.player]
        offers = [
            self._onward(answered, offer.label, offer.style)
            for offer in choice_offers(ahead.after)
            if len(str(answered := replace(plan, answers=(*plan.answers, parse_action(offer.argument))))) <= ROOM
        ]
        open_offer = self._onward(replace(plan, left_open=True), t("button.leave_open"), ButtonStyle.secondary)
        change = self._plan(Plan(place=place, bridge=plan.bridge), t("button.change"))
        text = "\n".join([self._told(ahead), *asked_lines(ahead.after, left)])
        return TilePanel(
            text,
            [[*offers, open_offer], [change]],
            place=place,
            bridge=_bridge(plan),
            numbers=self._chosen(plan, place),
            figure=_figure_of(plan),
        )

    def _confirming(self, plan: Plan, place: Place, ahead: Course) -> TilePanel:
        text = "\n".join([self._told(ahead), *then_lines(seat_names(self.game), ahead)])
        offers = self._confirm(ahead.actions, Plan(place=place, bridge=plan.bridge))
        numbers, figure = self._chosen(plan, place), _figure_of(plan)
        return TilePanel(text, [offers], place=place, bridge=_bridge(plan), numbers=numbers, figure=figure)

    def _told(self, ahead: Course) -> str:
        """The move, and what it brings."""
        outlook = clipped("\n".join(self._outlook(ahead)), STORY)
        return "\n".join(filter(None, [self._move(ahead.actions), outlook]))

    def _declining(self) -> TilePanel:
        """Shown with the spots that are given up."""
        if Decline() not in self.position.legal_actions:
            raise IllegalActionError("the tile cannot be declined")
        text = "\n".join([self._tile(), self._move([Decline()])])
        letters = lettered(spots(placements(self.position, aided=True)), 0)
        return TilePanel(text, [self._confirm([Decline()], Plan(aided=True))], letters=letters)

    def _move(self, actions: Sequence[Action]) -> str:
        return t("panel.confirm", move=capital(moves_words(self.presenter, self.position, actions)))

    def _confirm(self, actions: Sequence[Action], before: Plan) -> list[Offer]:
        confirm = Offer(Op.GO, t("button.confirm"), " ".join(map(str, actions)), ButtonStyle.success)
        return [confirm, self._plan(before, t("button.change"))]

    def _chosen(self, plan: Plan, place: Place) -> list[tuple[int, Segment]]:
        """Where the figure will stand, by the number that it had among all places."""
        after = laid(self.position, place)
        if plan.bridge is not None:
            after.apply(plan.bridge)
        if not isinstance(plan.figure, Deploy):
            return []
        deploys = figures(self.position, Plan(place=place, bridge=plan.bridge))
        offered = _offered(after, place.cell, deploys, plan.figure.figure)
        return [(number, segment) for deploy, number, segment in offered if deploy == plan.figure]

    def _outlook(self, ahead: Course) -> Iterator[str]:
        """What the move completes and for whom, if the table is told; nothing that a later draw or decision adds."""
        if not self.game.settings.allows(Hint.COMPLETION):
            return iter(())
        told = Scored | Completed | GoodsTaken
        scored = [event for event in ahead.events if isinstance(event, told) and not getattr(event, "final", False)]
        return Storyteller.marked_up(self.presenter, self.game).sentences(scored)

    # -- buttons ----------------------------------------------------------------------------------------------------

    def _plan(self, plan: Plan, label: str, style: ButtonStyle = ButtonStyle.secondary) -> Offer:
        return Offer(Op.PLAN, label, str(plan), style)

    def _mode(self, plan: Plan) -> Offer:
        return mode_offer(str(plan), confirm=self.confirm)


def _offered(after: Position, cell: Cell, deploys: Sequence[Deploy], kind: str) -> list[tuple[Deploy, int, Segment]]:
    """On each place of a tile just laid the figure of a kind, or the one that comes first, with the place's number.

    A place has the same number whichever figure is asked for.
    """
    return [
        (deploy, number, deploy_segment(after, cell, deploy))
        for number, (first, *more) in enumerate(places(deploys).values(), 1)
        for deploy in (first, *more)
        if deploy.figure == (kind or first.figure)
    ]


def _usual(deploys: Sequence[Deploy], kind: str) -> str:
    """The figure that comes first where one of this kind could stand too."""
    return next(first.figure for first, *more in places(deploys).values() if kind in {one.figure for one in more})


def _label(number: int, deploy: Deploy, segment: Segment) -> str:
    """The label of a place: its number, the figure if it is no follower, and where."""
    where = capital(segment_words(segment))
    if deploy.figure == FOLLOWER:
        return f"{number} {where}"
    return t("button.companion", number=number, figure=t(f"figure_button.{deploy.figure}"), segment=where)


def _bridge(plan: Plan) -> BuildBridge | None:
    """The bridge that is built with the tile, needed or not."""
    aid = plan.place.aid if plan.place else None
    return plan.bridge or (aid if isinstance(aid, BuildBridge) else None)


def _figure_of(plan: Plan) -> str:
    """The figure that is put down; empty for none."""
    return plan.figure.figure if isinstance(plan.figure, Deploy) else ""
