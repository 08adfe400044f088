"""The composer of a turn, the same for every game: the tile, its figure, and what the turn asks then, in one panel.

A button that leaves nothing to be decided makes the move, all of it at once; any other shows the next panel. What is
special about a game it asks of the game's :class:`cogs.presenting.turn.Turn`.

By ear the panel has no picture and no letters, but lists of spots that say what a tile would join. A spot in a list is
a cell with a rotation, so nothing has to be turned. Those that complete or continue something come first.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from discord import ButtonStyle

from cogs.presenting.ids import Op
from cogs.presenting.presenter import ButtonSpec, Menu, MenuEntry, TilePanel, mode_offer
from cogs.presenting.turn import (
    ROOM,
    Course,
    Plan,
    Turn,
    fitting_actions,
    laid,
    lettered,
    letters_line,
    pages,
    placements,
    places,
    spots,
    turned,
    ways,
    written,
)
from cogs.texts import known, listed, t
from cogs.words.names import capital, plain_names, seat_names, segment_aloud, segment_words, split_corners, turn_words
from cogs.words.story import STORY, Storyteller, fitting, lines_within, units
from cogs.words.typed_moves import moves_words
from engine import Action, Cell, Deploy, IllegalActionError, Pass, Place, parse_action
from engine.actions import FOLLOWER
from engine.hints import Hint

if TYPE_CHECKING:
    from cogs.presenting.presenter import Presenter
    from engine import Position
    from engine.tiles import Segment, TileKind
    from engine.views import Feature
    from host import Game, Preferences


def compose(
    presenter: Presenter[Any], game: Game, position: Position, plan: str, preferences: Preferences
) -> TilePanel:
    """The composer with a plan: the argument of one of its buttons, or nothing to begin with.

    Raises:
        EngineError: the plan is none, or does not fit the position.
    """
    return Composer(presenter, game, position, preferences).panel(Plan.parse(plan) if plan else Plan())


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
        if plan.declined:
            return self._declining()
        if plan.place is None:
            return self._spots(plan)
        if plan.figure is None:
            return self._laying(plan, plan.place)
        return self._deciding(plan, self._course(plan))

    @property
    def _turn(self) -> Turn[Any]:
        return self.presenter.turn

    @property
    def _confirm(self) -> bool:
        """Whether the player wants to confirm each move."""
        return self.preferences.confirm

    def _course(self, plan: Plan) -> Course[Any]:
        return self._turn.course(self.position, plan, self.preferences.choices)

    # -- choosing a spot --------------------------------------------------------------------------------------------

    def _spots(self, plan: Plan) -> TilePanel:
        if plan.aided and self._turn.piece is None:
            raise IllegalActionError(f"nothing helps a tile to fit: {plan}")
        plain, aided = (placements(self.position, aided=aided) for aided in (False, True))
        bridged = bool(aided) and (plan.aided or not plain)
        found = aided if bridged else plain
        cells = spots(found)
        here = Plan(plan.page % pages(cells), aided=bridged)
        letters = lettered(cells, here.page)
        asked = t(f"panel.spots_{self._piece()}" if bridged else "panel.spots")
        details = self.presenter.details(seat_names(self.game), self.position)
        text = "\n".join(filter(None, [self._tile(), details, asked, letters_line(letters)]))
        buttons = [self._plan(Plan(place=ways(found, cell)[0]), letter) for cell, letter in letters]
        return TilePanel(text, [buttons, self._other_spots(here, spots(plain), spots(aided))], letters=letters)

    def _other_spots(self, here: Plan, plain: Sequence[Cell], aided: Sequence[Cell]) -> list[ButtonSpec]:
        """To the next page, to the spots with or without a piece more, and letting the tile go."""
        controls: list[ButtonSpec] = []
        most = pages(aided if here.aided else plain)
        if most > 1:
            label = t("button.more_spots", page=here.page + 1, pages=most)
            controls.append(self._plan(Plan((here.page + 1) % most, aided=here.aided), label))
        return [*controls, *self._aiding(here, plain, aided)]

    def _aiding(self, here: Plan, plain: Sequence[Cell], aided: Sequence[Cell]) -> list[ButtonSpec]:
        """To the spots with or without a piece more, and letting the tile go."""
        controls: list[ButtonSpec] = []
        if aided and plain:
            way, count = ("without", len(plain)) if here.aided else ("with", len(aided))
            controls.append(self._plan(Plan(aided=not here.aided), t(f"button.{way}_{self._piece()}", count=count)))
        controls += [self._decline(action) for action in self._declinable()]
        return controls

    def _decline(self, action: Action) -> ButtonSpec:
        """Letting the tile go: at once, or when it has been confirmed."""
        label, style = t("button.decline"), ButtonStyle.danger
        return self._plan(Plan(declined=True), label, style) if self._confirm else self._go([action], label, style)

    def _piece(self) -> str:
        return self._turn.piece.name if self._turn.piece else ""

    def _tile(self) -> str:
        if self.position.hand is None:
            raise IllegalActionError("no tile is to be laid")
        return self._turn.tile(self.position)

    # -- turning, what is built with it, figure ---------------------------------------------------------------------

    def _laying(self, plan: Plan, place: Place) -> TilePanel:
        after = self._turn.trial(self.position, plan)
        deploys = self._turn.deployments(self.position, plan)
        offered = self._numbered(after, place.cell, deploys, plan.kind)
        title = t("panel.laid", cell=place.cell.label, turn=turn_words(place.rotation))
        text = "\n".join([title, *self._piece_lines(plan.piece), *self._turn.figures(self.position, deploys)])
        buttons = [
            self._figure(replace(plan, kind="", figure=deploy), _label(number, deploy, segment))
            for deploy, number, segment in offered
        ]
        nobody = self._figure(replace(plan, kind="", figure=Pass()), self._turn.nobody(self.position, deploys))
        offers = [self._ways(plan, place), [*buttons, nobody, *self._switches(plan, deploys)]]
        numbers = [(number, segment) for _, number, segment in offered]
        return TilePanel(text, offers, place=place, piece=plan.piece, numbers=numbers)

    def _numbered(
        self, after: Position, cell: Cell, deploys: Sequence[Deploy], kind: str
    ) -> list[tuple[Deploy, int, Segment]]:
        """On each place of a tile just laid the figure of a kind, or the one that comes first, with its number.

        A place has the same number whichever figure is asked for.
        """
        return [
            (deploy, number, self._turn.segment(after, cell, deploy.segment))
            for number, (first, *more) in enumerate(places(deploys).values(), 1)
            for deploy in (first, *more)
            if deploy.figure == (kind or first.figure)
        ]

    def _switches(self, plan: Plan, deploys: Sequence[Deploy]) -> Iterator[ButtonSpec]:
        """To another figure for the same places, and back to the one that is meant when nobody says."""
        switches = {deploy.figure: deploy.figure for _, *more in places(deploys).values() for deploy in more}
        if plan.kind:
            if plan.kind not in switches:
                raise IllegalActionError(f"no place for this figure: {plan}")
            switches = {_usual(deploys, plan.kind): "", **switches}
        for figure, kind in switches.items():
            if figure != plan.kind:
                yield self._plan(replace(plan, kind=kind), t("button.switch", figure=t(f"figure_button.{figure}")))

    def _ways(self, plan: Plan, place: Place) -> list[ButtonSpec]:
        """Rotate, what may be built, back."""
        controls: list[ButtonSpec] = []
        following = turned(ways(placements(self.position, aided=plan.aided), place.cell), place)
        if following is not None:
            controls.append(self._plan(Plan(place=following, aided=plan.aided), t("button.rotate")))
        controls += self._pieces(plan)
        controls.append(self._plan(Plan(aided=plan.aided), t("button.back")))
        controls.append(self._mode(plan))
        return controls

    def _pieces(self, plan: Plan) -> Iterator[ButtonSpec]:
        """Building each piece that may be built with the tile, or not."""
        piece = self._turn.piece
        if piece is None:
            return
        for built in self._turn.buildable(self._turn.trial(self.position, replace(plan, built=None))):
            chosen = built == plan.built
            toggled = replace(plan, kind="", built=None if chosen else built)  # it may have been the only place
            style = ButtonStyle.success if chosen else ButtonStyle.secondary
            yield self._plan(toggled, t(f"button.{piece.name}", **piece.words(built)), style)

    def _piece_lines(self, built: Action | None) -> Iterator[str]:
        piece = self._turn.piece
        if piece is not None and built is not None:
            left = self.position.supply[piece.name][self.position.player]
            yield t(f"panel.{piece.name}", count=left, **piece.words(built))

    def _figure(self, plan: Plan, label: str) -> ButtonSpec:
        """To be confirmed; or on, to what the turn asks then."""
        return self._plan(plan, label, ButtonStyle.primary) if self._confirm else self._onward(plan, label)

    def _onward(self, plan: Plan, label: str, style: ButtonStyle = ButtonStyle.primary) -> ButtonSpec:
        """To the next question, or the move itself where there is none; also where an id has no room for more."""
        ahead = self._course(plan)
        if ahead.asks and len(str(ahead.plan)) <= ROOM:
            return self._plan(ahead.plan, label, style)
        return self._go(ahead.actions, label, style)

    # -- what the turn asks, confirming -----------------------------------------------------------------------------

    def _deciding(self, plan: Plan, ahead: Course[Any]) -> TilePanel:
        """The question that the turn asks next; when it asks none, whether it shall be so."""
        names, turn = seat_names(self.game), self._turn
        lines = turn.question(names, ahead) if ahead.asks else turn.afterwards(names, ahead)
        outlook = lines_within(self._outlook(ahead), STORY)
        return TilePanel(
            "\n".join(filter(None, [self._move(ahead.actions), outlook, *lines])),
            self._decisions(plan, ahead),
            place=plan.place,
            piece=plan.piece,
            numbers=self._chosen(plan),
            figure=plan.figure.figure if isinstance(plan.figure, Deploy) else "",
            features=turn.features(ahead.after),
            decided=ahead.actions,
        )

    def _decisions(self, plan: Plan, ahead: Course[Any]) -> list[list[ButtonSpec]]:
        change = self._plan(plan.laid, t("button.change"))
        if not ahead.asks:
            return [[self._go(ahead.actions, t("button.confirm"), ButtonStyle.success), change]]
        answers = list(self._answers(ahead))
        if not self._turn.leaves_open:
            return [[*answers, change]]
        left_open = self._answered(replace(plan, left_open=True), t("button.leave_open"), ButtonStyle.secondary)
        return [[*answers, left_open], [change]]

    def _answers(self, ahead: Course[Any]) -> Iterator[ButtonSpec]:
        """What may be answered; where it may be left open instead, as far as an id has room for it."""
        for offer in self.presenter.offers(ahead.after):
            answers = (*ahead.plan.answers, parse_action(offer.argument))
            answered = replace(ahead.plan, answers=answers)
            if not self._turn.leaves_open or len(str(answered)) <= ROOM:
                yield self._answered(answered, offer.label, offer.style)

    def _answered(self, plan: Plan, label: str, style: ButtonStyle) -> ButtonSpec:
        """An answer is the last word where it stands for Confirm; where it might wait, it is confirmed, too."""
        if self._confirm and self._turn.leaves_open:
            return self._plan(plan, label, style)
        return self._onward(plan, label, style)

    def _declining(self) -> TilePanel:
        """Shown with the spots that are given up."""
        actions = self._declinable()
        if not actions:
            raise IllegalActionError("the tile cannot be declined")
        text = "\n".join([self._tile(), self._move(actions)])
        letters = lettered(spots(placements(self.position, aided=True)), 0)
        confirm = self._go(actions, t("button.confirm"), ButtonStyle.success)
        return TilePanel(text, [[confirm, self._plan(Plan(aided=True), t("button.change"))]], letters=letters)

    def _declinable(self) -> list[Action]:
        """The action that lets the tile go, if it may be let go."""
        piece = self._turn.piece
        return [piece.declining] if piece is not None and piece.declining in self.position.legal_actions else []

    def _move(self, actions: Sequence[Action]) -> str:
        return t("panel.confirm", move=capital(moves_words(self.presenter, self.position, actions)))

    def _chosen(self, plan: Plan) -> list[tuple[int, Segment]]:
        """Where the figure will stand, by the number that it had among all places."""
        if plan.place is None or not isinstance(plan.figure, Deploy):
            return []
        after, deploys = self._turn.trial(self.position, plan), self._turn.deployments(self.position, plan.laid)
        offered = self._numbered(after, plan.place.cell, deploys, plan.figure.figure)
        return [(number, segment) for deploy, number, segment in offered if deploy == plan.figure]

    def _outlook(self, ahead: Course[Any]) -> Iterator[str]:
        """What the move completes and for whom, if the table is told; nothing that a later draw or decision adds."""
        if not self.game.settings.allows(Hint.COMPLETION):
            return iter(())
        told = [
            event for event in ahead.events if isinstance(event, self._turn.told) and not getattr(event, "final", False)
        ]
        return Storyteller(self._turn.foretold, seat_names(self.game)).sentences(told)

    # -- buttons ----------------------------------------------------------------------------------------------------

    def _plan(self, plan: Plan, label: str, style: ButtonStyle = ButtonStyle.secondary) -> ButtonSpec:
        return ButtonSpec(Op.PLAN, label, str(plan), style)

    def _go(self, actions: Sequence[Action], label: str, style: ButtonStyle) -> ButtonSpec:
        return ButtonSpec(Op.GO, label, written(fitting_actions(actions)), style)

    def _mode(self, plan: Plan) -> ButtonSpec:
        return mode_offer(str(plan), confirm=self._confirm)


def _usual(deploys: Sequence[Deploy], kind: str) -> str:
    """The figure that comes first where one of this kind could stand too."""
    return next(first.figure for first, *more in places(deploys).values() if kind in {one.figure for one in more})


def _label(number: int, deploy: Deploy, segment: Segment) -> str:
    """The label of a place: its number, the figure if it is no follower, and where."""
    where = capital(segment_words(segment))
    if deploy.figure == FOLLOWER:
        return f"{number} {where}"
    return t("button.companion", number=number, figure=t(f"figure_button.{deploy.figure}"), segment=where)


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
    def _words(self) -> ButtonSpec:
        return ButtonSpec(Op.WORDS, t("button.tell"))

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
