"""The private panels: the composer of a turn, and the buttons of any other decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from discord import ButtonStyle, ui

from cogs.texts import t
from cogs.ui.choices import choice_buttons
from cogs.ui.completions import moves_words
from cogs.ui.headlines import headline, lots_words
from cogs.ui.ids import Op
from cogs.ui.layouts import layout, rows
from cogs.ui.names import seat_names
from cogs.ui.plan import (
    LETTERS,
    SPOTS_A_PAGE,
    Plan,
    complete,
    followers,
    laid,
    optional_bridges,
    placements,
    spots,
    ways,
)
from cogs.ui.press import button
from cogs.ui.story import STORY, Storyteller, clipped
from cogs.ui.words import axis_words, capital, deploy_segment, segment_words, tile_words, turn_words
from engine import Action, Cell, Deploy, IllegalActionError, Pass, Place
from engine.carcassonne import BuildBridge, Decline, PlaceTile, Position, bazaar_of
from engine.events import Completed, Scored

if TYPE_CHECKING:
    from cogs.ui.press import Press
    from engine.carcassonne import Segment
    from host import Game

QUICK: Final = "quick"
CAREFUL: Final = "careful"


@dataclass(frozen=True, slots=True)
class Panel:
    """What a private panel says and offers, and what its picture has to show."""

    text: str
    buttons: Sequence[Sequence[ui.Item[Any]]]
    """In groups; each group begins a row."""
    letters: Sequence[tuple[Cell, str]] = ()
    """The spots and their letters."""
    place: Place | None = None
    """The tile that is tried out."""
    bridge: BuildBridge | None = None
    """The bridge that is built with it, though it needs none."""
    numbers: Sequence[Segment] = ()
    """Where a follower may stand, in the order of their numbers."""

    def view(self, pictures: Iterable[ui.Item[Any]]) -> ui.LayoutView:
        """The message."""
        text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(self.text)
        return layout(text, pictures, *(rows(group) for group in self.buttons))


@dataclass(frozen=True, slots=True)
class Composer:
    """Builds the panels of a turn for one player."""

    game: Game
    position: Position
    confirm: bool
    """Whether the player wants to confirm each move."""

    def panel(self, plan: Plan) -> Panel:
        """The panel of a plan.

        Raises:
            IllegalActionError: the plan does not fit the position.
        """
        if plan.place is None:
            return self._spots(plan)
        if plan.follower is None:
            return self._laying(plan, plan.place)
        return self._confirming(plan, plan.place)

    # -- choosing a spot --------------------------------------------------------------------------------------------

    def _spots(self, plan: Plan) -> Panel:
        plain, aided = (placements(self.position, aided=aided) for aided in (False, True))
        bridged = bool(aided) and (plan.aided or not plain)
        places = aided if bridged else plain
        cells = spots(places)
        here = Plan(plan.page % _pages(cells), aided=bridged)
        lettered = list(zip(cells[here.page * SPOTS_A_PAGE :], LETTERS, strict=False))
        text = "\n".join(
            [
                self._tile(),
                t("panel.spots_bridge" if bridged else "panel.spots"),
                f"-# {' · '.join(f'{letter} {cell.label}' for cell, letter in lettered)}",
            ]
        )
        choices = [self._plan(Plan(place=ways(places, cell)[0]), letter) for cell, letter in lettered]
        controls = [*self._other_spots(here, spots(plain), spots(aided)), self._mode(here)]
        return Panel(text, [choices, controls], letters=lettered)

    def _other_spots(self, here: Plan, plain: Sequence[Cell], aided: Sequence[Cell]) -> list[Press]:
        """To the next page, to the spots with or without a bridge, and letting the tile go."""
        controls: list[Press] = []
        pages = _pages(aided if here.aided else plain)
        if pages > 1:
            label = t("button.more_spots", page=here.page + 1, pages=pages)
            controls.append(self._plan(Plan((here.page + 1) % pages, aided=here.aided), label))
        if aided and plain:
            key, count = ("button.without_bridge", len(plain)) if here.aided else ("button.with_bridge", len(aided))
            controls.append(self._plan(Plan(aided=not here.aided), t(key, count=count)))
        if Decline() in self.position.legal_actions:
            controls.append(self._button(Op.GO, t("button.decline"), str(Decline()), ButtonStyle.danger))
        return controls

    def _tile(self) -> str:
        step, turn = self.position.step, self.position.turn
        if not isinstance(step, PlaceTile):
            raise IllegalActionError("no tile is to be laid")
        return t("panel.tile" if step.drawn else "panel.tile_bought", turn=turn, tile=tile_words(step.tile))

    # -- turning, bridge, follower ----------------------------------------------------------------------------------

    def _laying(self, plan: Plan, place: Place) -> Panel:
        after = laid(self.position, place)
        bridges = optional_bridges(after)
        if plan.bridge is not None:
            after.apply(plan.bridge)
        deploys = followers(self.position, plan)
        segments = [deploy_segment(after, place.cell, deploy) for deploy in deploys]
        text = "\n".join(
            [
                t("panel.laid", cell=place.cell.label, turn=turn_words(place.rotation)),
                *self._bridge_lines(plan.bridge or place.aid),
                t("panel.follower" if deploys else "panel.no_follower"),
            ]
        )
        choices = [
            self._follower(replace(plan, follower=deploy), _numbered(number, segment))
            for number, (deploy, segment) in enumerate(zip(deploys, segments, strict=True), 1)
        ]
        nobody = self._follower(replace(plan, follower=Pass()), t("button.no_follower"))
        ways_on = self._ways(plan, place, bridges)
        return Panel(text, [ways_on, [*choices, nobody]], place=place, bridge=plan.bridge, numbers=segments)

    def _ways(self, plan: Plan, place: Place, bridges: Sequence[BuildBridge]) -> list[Press]:
        """Rotate, bridges, back."""
        found = ways(placements(self.position, aided=plan.aided), place.cell)
        controls: list[Press] = []
        if len(found) > 1:
            following = found[(found.index(place) + 1) % len(found)] if place in found else found[0]
            controls.append(self._plan(Plan(place=following, aided=plan.aided), t("button.rotate")))
        for bridge in bridges:
            chosen = bridge == plan.bridge
            label = t("button.bridge", cell=bridge.cell.label, axis=axis_words(bridge))
            toggled = replace(plan, bridge=None if chosen else bridge)
            controls.append(self._plan(toggled, label, ButtonStyle.success if chosen else ButtonStyle.secondary))
        controls.append(self._plan(Plan(aided=plan.aided), t("button.back")))
        controls.append(self._mode(plan))
        return controls

    def _bridge_lines(self, bridge: BuildBridge | None) -> list[str]:
        if bridge is None:
            return []
        left = self.position.supply["bridge"][self.position.player]
        return [t("panel.bridge", cell=bridge.cell.label, axis=axis_words(bridge), count=left)]

    def _follower(self, plan: Plan, label: str) -> Press:
        if self.confirm:
            return self._plan(plan, label, ButtonStyle.primary)
        actions = " ".join(map(str, complete(self.position, plan)))
        return self._button(Op.GO, label, actions, ButtonStyle.primary)

    # -- confirming -------------------------------------------------------------------------------------------------

    def _confirming(self, plan: Plan, place: Place) -> Panel:
        actions = complete(self.position, plan)
        if not actions:
            raise IllegalActionError(f"no legal turn: {plan}")
        outlook = clipped("\n".join(self._outlook(actions)), STORY)
        text = "\n".join([t("panel.confirm", move=moves_words(self.position, actions)), outlook])
        confirm = self._button(Op.GO, t("button.confirm"), " ".join(map(str, actions)), ButtonStyle.success)
        change = self._plan(replace(plan, follower=None), t("button.change"))
        return Panel(text, [[confirm, change]], place=place, bridge=plan.bridge, numbers=self._chosen(plan, place))

    def _chosen(self, plan: Plan, place: Place) -> list[Segment]:
        if not isinstance(plan.follower, Deploy):
            return []
        after = laid(self.position, place)
        if plan.bridge is not None:
            after.apply(plan.bridge)
        return [deploy_segment(after, place.cell, plan.follower)]

    def _outlook(self, actions: Sequence[Action]) -> Iterator[str]:
        """The points that the move brings at once; nothing that a later draw or decision adds."""
        after = self.position.copy()
        events = [event for action in actions for event in after.apply(action)]
        scored = [
            event for event in events if isinstance(event, Scored | Completed) and not getattr(event, "final", False)
        ]
        return Storyteller.marked_up(self.game).sentences(scored)

    # -- buttons ----------------------------------------------------------------------------------------------------

    def _plan(self, plan: Plan, label: str, style: ButtonStyle = ButtonStyle.secondary) -> Press:
        return self._button(Op.PLAN, label, str(plan), style)

    def _mode(self, plan: Plan) -> Press:
        label = t("button.careful_on" if self.confirm else "button.quick_on")
        return self._button(Op.MODE, label, f"{QUICK if self.confirm else CAREFUL} {plan}")

    def _button(self, op: Op, label: str, argument: str, style: ButtonStyle = ButtonStyle.secondary) -> Press:
        return button(op, self.game.code, self.position.ply, label, argument=argument, style=style)


def _pages(cells: Sequence[Cell]) -> int:
    return max(1, -(-len(cells) // SPOTS_A_PAGE))


def _numbered(number: int, segment: Segment) -> str:
    return f"{number} {capital(segment_words(segment))}"


def decision_panel(game: Game, position: Position) -> Panel:
    """The same buttons as on the public card, for those who ask for them."""
    names = seat_names(game)
    lines = [headline(names, position, names[position.player])]
    bazaar = bazaar_of(position)
    if bazaar is not None:
        lines.append(lots_words(names, bazaar))
    return Panel("\n".join(lines), [choice_buttons(game.code, position)])
