"""The composer: the private panel in which a player composes a turn of any game, from the tile to the last question.

A button that leaves no decision open makes the whole move at once; any other button shows the next panel. Differences
between games come from the game's :class:`cogs.presenting.turn.Turn`.

For players who listen (in screen reader mode), :class:`EarComposer` replaces pictures and cells by
menus of spots that say what a tile would join. An entry is a cell with a rotation, so there are no buttons for
rotations. Spots that complete or continue a feature come first.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from discord import ButtonStyle

from cogs.presenting.ids import Op
from cogs.presenting.presenter import ButtonSpec, FurtherPlace, Menu, MenuEntry, Presenter, TilePanel
from cogs.presenting.turn import (
    LETTERS,
    MAX_ARGUMENT_LENGTH,
    LaidTile,
    Plan,
    PlanOutcome,
    Turn,
    actions_text,
    deploys_by_segment,
    fitting_actions,
    opened_text,
    orientations,
    parts_of,
    placements,
    position_with,
    spots,
)
from cogs.texts import has_text, listed, t
from cogs.texts.languages import by_ear
from cogs.words.names import capital, plain_names, seat_names, segment_aloud, segment_words, split_corners, turn_words
from cogs.words.story import MAX_STORY, Storyteller, join_fitting, lines_within, units, without_final
from cogs.words.typed_moves import moves_words
from engine import Action, Cell, Deploy, IllegalActionError, Pass, Place, Position, parse_action
from engine.actions import FOLLOWER
from engine.events import Event, Scored
from engine.hints import Hint
from engine.tiles import Segment, TileKind
from engine.views import Feature
from host import Game, Preferences


def compose(
    presenter: Presenter[Any],
    game: Game,
    position: Position,
    plan: str,
    preferences: Preferences,
    *,
    advises: bool = False,
    undoable: bool = False,
) -> TilePanel:
    """Return the composer's panel for a plan: the argument of one of its buttons, or empty to begin.

    With ``advises`` it has a button that asks a computer for advice. ``undoable`` says that the move can be undone for
    a while.

    Raises:
        EngineError: the text is no plan, or does not fit the position.
    """
    kind = EarComposer if by_ear() else Composer
    opening, text = presenter.turn.opening_in(plan)
    opened = presenter.turn.opened(position, plan)
    composer = kind(presenter, game, opened, preferences, advises=advises and opening is None, undoable=undoable)
    panel = composer.panel(Plan.parse(text) if text else Plan())
    return panel if opening is None else _after_opening(panel, opening)


def _after_opening(panel: TilePanel, opening: Action) -> TilePanel:
    """Return the panel with buttons whose plans and moves begin with an action, and with a way back before the tile."""

    def opened(spec: ButtonSpec) -> ButtonSpec:
        return replace(spec, argument=opened_text(opening, spec.argument)) if spec.op in {Op.PLAN, Op.GO} else spec

    offers = [[opened(spec) for spec in row] for row in panel.offers]
    if panel.place is None:
        offers.append([ButtonSpec(Op.PLAN, t("button.change"), str(Plan()))])
    menus = [
        replace(menu, entries=[replace(entry, argument=opened_text(opening, entry.argument)) for entry in menu.entries])
        for menu in panel.menus
    ]
    return replace(panel, offers=offers, menus=menus)


class HeldFeature(NamedTuple):
    """A feature by its kind, with its number of tiles and the players who have figures on it."""

    kind: str
    tiles: int
    players: Sequence[str]
    can_be_completed: bool
    """False for a kind that never is, such as fields."""

    def words(self, *, detailed: bool) -> str:
        """Return the feature; if ``detailed``, with its size and the players who have figures on it."""
        if not detailed:
            return self.kind
        if self.players:
            return t("spot.held", kind=self.kind, count=self.tiles, players=listed(self.players))
        return t("spot.free", kind=self.kind, count=self.tiles)

    def joined_words(self) -> str:
        """Return the feature with its players, and with its size where that brings points."""
        if self.can_be_completed:
            return self.words(detailed=True)
        return t("panel.joined_field", kind=self.kind, players=listed(self.players))


def _held(feature: Feature, names: Sequence[str]) -> HeldFeature:
    """Return a feature in words, with the players who have figures on it."""
    players = dict.fromkeys(names[figure.player] for figure in feature.followers)
    return HeldFeature(t(f"feature.{feature.kind}"), feature.tiles, list(players), feature.open_ends >= 0)


def completed_in(position: Position) -> Container[tuple[Cell, Segment]]:
    """Return the completed features of a position, each by its first part."""
    return {feature.parts[0] for feature in position.features() if not feature.open_ends}


def changed_features(
    position: Position, place: Place, completed: Container[tuple[Cell, Segment]], names: Sequence[str]
) -> tuple[list[HeldFeature], list[HeldFeature]]:
    """Return the features that a placement would complete, on this tile or beside it, and those that it continues.

    ``completed`` are the features that are complete already (:func:`completed_in`).
    """
    after = list(position_with(position, place).features())
    complete = [feature for feature in after if not feature.open_ends and feature.parts[0] not in completed]
    on_tile = [feature for feature in after if any(cell == place.cell for cell, _ in feature.parts)]
    joins = [_held(feature, names) for feature in on_tile if feature.open_ends > 0 and feature.tiles > 1]
    joins += [_held(feature, names) for feature in on_tile if feature.open_ends < 0 and feature.followers]
    return [_held(feature, names) for feature in complete], joins


class Spots(NamedTuple):
    """The placements to choose from: those that need no extra piece, those that do, and which of them are shown."""

    plain: Sequence[Place]
    aided: Sequence[Place]
    shows_aided: bool

    @property
    def shown(self) -> Sequence[Place]:
        """The placements that are shown."""
        return self.aided if self.shows_aided else self.plain


@dataclass(frozen=True, slots=True)
class Composer:
    """Builds the panels of a turn for one player."""

    presenter: Presenter[Any]
    game: Game
    position: Position
    preferences: Preferences
    advises: bool = False
    """True if a computer may be asked for advice."""
    undoable: bool = False
    """True if the move can be undone for a while."""

    def panel(self, plan: Plan) -> TilePanel:
        """Return the panel of a plan.

        Raises:
            IllegalActionError: the plan does not fit the position.
        """
        if plan.declined:
            return self._declining()
        if plan.spot is not None:
            plan = Plan(place=self._best_rotation(plan.spot))
        if plan.place is None:
            return self._choosing(plan)
        if plan.figure is None:
            return self._laying(plan, plan.place)
        return self._deciding(plan)

    @property
    def _turn(self) -> Turn[Any]:
        return self.presenter.turn

    @property
    def _confirm(self) -> bool:
        """True if the player confirms each move."""
        return self.preferences.confirm

    @property
    def _foretells(self) -> bool:
        """True if the table allows the hint of what a move completes and scores."""
        return self.game.settings.allows(Hint.COMPLETION)

    def _outcome(self, plan: Plan, laid: LaidTile[Any] | None = None) -> PlanOutcome[Any]:
        """Return the result of a plan with the player's standing answers; ``laid`` is its tile if it lies already."""
        laid = laid or LaidTile(self._turn, self.position, plan)
        return laid.outcome(plan, self.preferences.in_game(self.game.code))

    # -- choosing a spot --------------------------------------------------------------------------------------------

    def _choosing(self, plan: Plan) -> TilePanel:
        """Return the panel in which the player chooses a spot for the tile."""
        if plan.aided and self._turn.piece is None:
            raise IllegalActionError(f"nothing helps a tile to fit: {plan}")
        plain, aided = (placements(self.position, aided=aided) for aided in (False, True))
        return self._spots_panel(plan.page, Spots(plain, aided, bool(aided) and (plan.aided or not plain)))

    def _spots_panel(self, page: int, choices: Spots) -> TilePanel:
        """Return the panel with one part of the spots, each a button."""
        parts = self._parts(choices.shown)
        number = page % len(parts)
        question = t(f"panel.spots_{self._piece_name}" if choices.shows_aided else "panel.spots")
        elsewhere = [cell for other, part in enumerate(parts) if other != number for cell in part]
        named = _elsewhere_line([cell.label for cell in elsewhere])
        lines = [self._tile_line(), self._details(), question, named]
        text = "\n".join(filter(None, lines))
        buttons = [self._plan(self._spot_plan(choices.shown, cell), cell.label) for cell in parts[number]]
        controls, advice = self._spot_controls(number, len(parts), choices), self._advice()
        # Alone, the button stands behind the spots, so that most panels are no longer than without it.
        grid, below = (buttons, [*controls, *advice]) if controls else ([*buttons, *advice], [])
        width = SPOTS_PER_ROW if len(grid) <= MAX_SPOT_ROWS * SPOTS_PER_ROW else len(grid)
        groups = [grid[start : start + width] for start in range(0, len(grid), width)]
        return TilePanel(text, [*groups, below], spots=parts[number], elsewhere=elsewhere)

    def _spot_plan(self, places: Sequence[Place], cell: Cell) -> Plan:
        """Return the plan of a spot's button.

        The rotations are compared only after the press, and not at all if the table does not allow the hint or if an
        extra piece is needed: then the first one is shown.
        """
        first, *others = orientations(places, cell)
        return Plan(spot=cell) if others and first.aid is None and self._foretells else Plan(place=first)

    def _best_rotation(self, cell: Cell) -> Place:
        """Return the placement on a spot that brings most at once; of equal ones the first."""
        places = orientations(placements(self.position), cell)
        if not places:
            raise IllegalActionError(f"no tile fits on {cell.label}")
        return max(places, key=lambda place: self._turn.benefit(self.position, place))

    def _parts(self, places: Sequence[Place]) -> list[list[Cell]]:
        """Return the spots of these placements in parts of the board, first the one where the turn can bring most."""

        def ranking() -> dict[Cell, int]:
            values: dict[Cell, int] = {}
            for place in places:
                lead = self._turn.lead_at(self.position, place)
                values[place.cell] = max(values.get(place.cell, lead), lead)
            return values

        return parts_of(spots(places), ranking)

    def _spot_controls(self, page: int, pages: int, choices: Spots) -> list[ButtonSpec]:
        """Return the buttons to the next part, to the spots with or without an extra piece, and to declining."""
        controls: list[ButtonSpec] = []
        if pages > 1:
            label = self._pages_label(page + 1, pages)
            controls.append(self._plan(Plan((page + 1) % pages, aided=choices.shows_aided), label))
        if choices.aided and choices.plain:
            other_places = choices.plain if choices.shows_aided else choices.aided
            key = f"button.{'without' if choices.shows_aided else 'with'}_{self._piece_name}"
            controls.append(self._plan(Plan(aided=not choices.shows_aided), t(key, count=len(spots(other_places)))))
        return [*controls, *(self._decline(action) for action in self._declinable())]

    def _advice(self) -> list[ButtonSpec]:
        """Return the button that asks a computer for advice, if that is possible."""
        return [ButtonSpec(Op.ADVICE, t("button.advice"))] if self.advises else []

    def _pages_label(self, page: int, pages: int) -> str:
        return t("button.other_parts", page=page, pages=pages)

    def _decline(self, action: Action) -> ButtonSpec:
        """Return the button that declines the tile, at once or after confirming."""
        label, style = t("button.decline"), ButtonStyle.danger
        return self._plan(Plan(declined=True), label, style) if self._confirm else self._go([action], label, style)

    @property
    def _piece_name(self) -> str:
        """The name of the extra piece that a turn of this game may have, such as a bridge; empty if there is none."""
        return self._turn.piece.name if self._turn.piece else ""

    @property
    def _hand(self) -> TileKind:
        """The tile to be laid."""
        if self.position.hand is None:
            raise IllegalActionError("no tile is to be laid")
        return self.position.hand

    def _tile_line(self) -> str:
        if self.position.hand is None:
            raise IllegalActionError("no tile is to be laid")
        return self._turn.tile_line(self.position)

    def _details(self) -> str:
        return self.presenter.details(seat_names(self.game), self.position)

    # -- rotating, extra pieces, figure -----------------------------------------------------------------------------

    def _laying(self, plan: Plan, place: Place) -> TilePanel:
        """Return the panel of a tile on trial: its rotations, the extra pieces, and the figures to deploy."""
        laid = LaidTile(self._turn, self.position, plan)
        deploys = laid.deployments
        offered = self._lettered(laid.after, place.cell, deploys, plan.figure_kind)
        title = t("panel.laid", cell=place.cell.label, turn=turn_words(place.rotation))
        without_figure = self._outcome(replace(plan, figure_kind="", figure=Pass()), laid)
        outlook = lines_within(self._outlook(without_figure, (Scored,)), MAX_STORY)
        lines = [*self._piece_lines(plan.piece), *self._joined_lines(laid.after, place), outlook]
        later = not deploys and laid.deploys_later(without_figure)
        text = "\n".join(filter(None, [title, *lines, *self._figure_lines(place, deploys, later=later)]))
        least = self._points(without_figure)
        figures: list[ButtonSpec] = []
        for deploy, letter, segment in offered:
            with_figure = replace(plan, figure_kind="", figure=deploy)
            outcome = self._outcome(with_figure, laid)
            label = self._with_points(self._figure_label(place, letter, deploy, segment), self._points(outcome) - least)
            figures.append(self._figure(with_figure, outcome, label))
        corners = self._lettered_corners(laid)
        for action in laid.alternatives:
            instead = replace(plan, figure_kind="", figure=action)
            outcome = self._outcome(instead, laid)
            words = capital(self.presenter.action_words(laid.after, action))
            label = self._lettered_label(corners.get(action, ""), words)
            figures.append(self._figure(instead, outcome, self._with_points(label, self._points(outcome) - least)))
        no_figure = self._turn.no_figure_label(self.position, deploys)
        style = ButtonStyle.secondary if offered else ButtonStyle.primary
        if self.undoable:  # a pass commits to as little as possible, so it is not confirmed
            figures.append(self._onward(without_figure, no_figure, style))
        else:
            figures.append(self._figure(replace(plan, figure_kind="", figure=Pass()), without_figure, no_figure, style))
        turns = self._turns(plan, place)
        controls = [*self._pieces(plan, laid.buildable), self._back(plan)]
        switches = list(self._switches(plan, deploys))
        menus = [_menu_of(switches)] if len(switches) > MAX_SWITCHES else []
        offers = self._laying_buttons(self._turn_buttons(plan, turns), controls, figures, [] if menus else switches)
        return TilePanel(
            text,
            offers,
            menus,
            place=place,
            piece=plan.piece,
            turns=[turn.rotation for turn in turns],
            figure_places=[(letter, segment) for _, letter, segment in offered],
            corners=[(letter, action) for action, letter in corners.items()],
        )

    def _joined_lines(self, after: Position, place: Place, /) -> Iterator[str]:
        """Yield the line that names the features which the tile continues, with the players who hold them."""
        names = seat_names(self.game)
        held = [_held(feature, names).joined_words() for feature in after.features_at(place.cell) if feature.followers]
        if held:
            yield t("panel.joins", features=listed(held))

    def _points(self, outcome: PlanOutcome[Any]) -> int:
        """Return the points that the player scores at once, without those of the final scoring."""
        player = self.position.player
        scores = (event for event in events_ahead(outcome) if isinstance(event, Scored))
        return sum(event.points for event in scores if event.player == player)

    def _with_points(self, label: str, more: int) -> str:
        """Add the points that a figure scores at once to the label of its button, if the table allows that hint.

        ``more`` are its points beyond those of the move without a figure, which are told above the buttons.
        """
        return t("button.scores", label=label, points=more) if more > 0 and self._foretells else label

    def _figure_lines(self, _place: Place, deploys: Sequence[Deploy], /, *, later: bool) -> Iterator[str]:
        """Yield the lines that introduce the figures; with ``later``, the next question can put one on the table."""
        return self._turn.figure_lines(self.position, deploys, later)

    def _figure_label(self, _place: Place, letter: str, deploy: Deploy, segment: Segment, /) -> str:
        """Return the label of a segment: its letter, the figure unless it is a follower, and the place."""
        where, to = capital(segment_words(segment)), t("compass.to")
        label = self._place_label(letter, deploy, where)
        room = MAX_PLACE_LENGTH - units(label) + units(where)
        if units(where) <= room:
            return label
        first, *_ = parts = where.split(to)  # the letter is in the picture, so a few directions will do
        more = f"{to}…"
        return self._place_label(letter, deploy, f"{join_fitting(parts, room - units(more), to) or first}{more}")

    @staticmethod
    def _place_label(letter: str, deploy: Deploy, where: str) -> str:
        if deploy.figure == FOLLOWER:
            return f"{letter} {where}"
        return t("button.companion", letter=letter, figure=t(f"figure_button.{deploy.figure}"), segment=where)

    def _laying_buttons(
        self,
        turns: Sequence[ButtonSpec],
        controls: Sequence[ButtonSpec],
        figures: Sequence[ButtonSpec],
        switches: Sequence[ButtonSpec],
        /,
    ) -> list[list[ButtonSpec]]:
        """Return the buttons for a tile on trial: rotations, pieces and the way back first, then the figures."""
        return [[*turns, *controls], [*figures, *switches]]

    def _turn_buttons(self, plan: Plan, turns: Sequence[Place]) -> list[ButtonSpec]:
        """Return the numbered buttons of the rotations."""
        # The button of the present rotation keeps piece and figure; otherwise it would take them back.
        plans = [plan if turned == plan.place else Plan(place=turned, aided=plan.aided) for turned in turns]
        return [self._plan(turned, str(number)) for number, turned in enumerate(plans, 1)]

    def _turns(self, plan: Plan, place: Place) -> Sequence[Place]:
        """Return the placements on the same cell by rotation, if there are several."""
        options = orientations(placements(self.position, aided=plan.aided), place.cell)
        return options if len(options) > 1 else ()

    def _back(self, plan: Plan) -> ButtonSpec:
        """Return the button back to the choice of a spot."""
        return self._plan(Plan(aided=plan.aided), t("button.back"))

    def _lettered(
        self, after: Position, cell: Cell, deploys: Sequence[Deploy], kind: str
    ) -> list[tuple[Deploy, str, Segment]]:
        """Return a figure for each segment of the tile just laid, with the letter of the segment.

        The figure is of this kind, by default of the first kind that may stand there. A segment has the same letter
        whatever the kind of figure.
        """
        return [
            (deploy, letter, self._turn.segment(after, cell, deploy.segment))
            for letter, (first, *rest) in zip(LETTERS, deploys_by_segment(deploys).values(), strict=False)
            for deploy in (first, *rest)
            if deploy.figure == (kind or first.figure)
        ]

    def _lettered_corners(self, laid: LaidTile[Any]) -> dict[Action, str]:
        """Return the actions that put a figure on a corner, with the letters that follow those of the segments."""
        actions = (action for action in laid.alternatives if self._turn.corner_figure(action))
        return dict(zip(actions, LETTERS[len(deploys_by_segment(laid.deployments)) :], strict=False))

    def _switches(self, plan: Plan, deploys: Sequence[Deploy]) -> Iterator[ButtonSpec]:
        """Yield the buttons to another kind of figure for the same segments, and back to the default kind."""
        switches = {
            deploy.figure: deploy.figure for _, *rest in deploys_by_segment(deploys).values() for deploy in rest
        }
        if plan.figure_kind:
            if plan.figure_kind not in switches:
                raise IllegalActionError(f"no place for this figure: {plan}")
            switches = {_default_figure(deploys, plan.figure_kind): "", **switches}
        for figure, kind in switches.items():
            if figure != plan.figure_kind:
                yield self._plan(
                    replace(plan, figure_kind=kind), t("button.switch", figure=t(f"figure_button.{figure}"))
                )

    def _pieces(self, plan: Plan, buildable: Sequence[Action]) -> Iterator[ButtonSpec]:
        """Yield a toggle for each piece that may be built with the tile."""
        piece = self._turn.piece
        if piece is None:
            return
        for built in buildable:
            chosen = built == plan.built
            toggled = replace(
                plan, figure_kind="", built=None if chosen else built
            )  # the piece may have been the figure's only place
            style = ButtonStyle.success if chosen else ButtonStyle.secondary
            yield self._plan(toggled, t(f"button.{piece.name}", **piece.words(built)), style)

    def _piece_lines(self, built: Action | None) -> Iterator[str]:
        """Yield the line about the extra piece of the plan, with the number that the player has left."""
        piece = self._turn.piece
        if piece is not None and built is not None:
            supply = self.position.supply[piece.name][self.position.player]
            yield t(f"panel.{piece.name}", count=supply, **piece.words(built))

    def _figure(
        self, plan: Plan, outcome: PlanOutcome[Any], label: str, style: ButtonStyle = ButtonStyle.secondary
    ) -> ButtonSpec:
        """Return the button of a figure. It leads to the confirmation, or straight on to the next question."""
        return self._plan(plan, label, style) if self._confirm else self._onward(outcome, label, style)

    def _onward(self, outcome: PlanOutcome[Any], label: str, style: ButtonStyle) -> ButtonSpec:
        """Return the button to the next question.

        If there is none, or if a custom id has no room for the plan, the button makes the move.
        """
        if outcome.asks and len(str(outcome.plan)) <= MAX_ARGUMENT_LENGTH:
            return self._plan(outcome.plan, label, style)
        return self._go(outcome.actions, label, style)

    # -- further questions, confirming -----------------------------------------------------------------------------

    def _deciding(self, plan: Plan) -> TilePanel:
        """Return the panel of the next question; if there is none, the one that asks for confirmation."""
        names, turn = seat_names(self.game), self._turn
        laid = LaidTile(turn, self.position, plan)
        outcome = self._outcome(plan, laid)
        lines = turn.question_lines(names, outcome) if outcome.asks else turn.afterwards_lines(names, outcome)
        outlook = lines_within(self._outlook(outcome), MAX_STORY)
        letters = dict(zip(deploys_by_segment(laid.deployments), LETTERS, strict=False))
        answers = self._answers(outcome) if outcome.asks else []
        return TilePanel(
            "\n".join(filter(None, [self._move(outcome.actions), outlook, *lines])),
            self._decisions(plan, outcome, answers, letters),
            self._answer_menus(outcome) if outcome.asks else (),
            place=plan.place,
            piece=plan.piece,
            figure_places=self._chosen(plan, laid),
            figure=plan.figure.figure if isinstance(plan.figure, Deploy) else "",
            further_places=self._further_places(outcome, answers, letters),
            features=turn.question_features(outcome.after),
            decided=outcome.actions,
        )

    def _decisions(
        self,
        plan: Plan,
        outcome: PlanOutcome[Any],
        answers: Sequence[tuple[Action, ButtonSpec]],
        letters: Mapping[str, str],
    ) -> list[list[ButtonSpec]]:
        """Return the buttons below a question, or those that confirm the move."""
        change = self._plan(plan.without_figure, t("button.change"))
        if not outcome.asks:
            return [[self._go(outcome.actions, t("button.confirm"), ButtonStyle.primary), change]]
        buttons = list(self._answer_buttons(outcome, answers, letters))
        if not self._turn.questions_may_wait or self.game.settings.lesson:  # a learner has nothing to wait for
            return [[*buttons, change]]
        left_open = self._answered(replace(plan, left_open=True), t("button.leave_open"), ButtonStyle.secondary)
        return [[*buttons, left_open], [change]]

    def _answers(self, outcome: PlanOutcome[Any]) -> list[tuple[Action, ButtonSpec]]:
        """Return the answers to the next question, each with the button that offers it on the card."""
        return [(parse_action(offer.argument), offer) for offer in self.presenter.offers(outcome.after)]

    def _answer_menus(self, outcome: PlanOutcome[Any]) -> list[Menu]:
        """Return the menus of further answers to the next question; an entry leads to the panel that confirms it."""

        def answered(entry: MenuEntry) -> MenuEntry:
            plan = replace(outcome.plan, answers=(*outcome.plan.answers, parse_action(entry.argument)))
            return replace(entry, argument=str(plan))

        return [
            replace(menu, op=Op.PLAN, entries=[answered(entry) for entry in menu.entries])
            for menu in self.presenter.menus(outcome.after)
        ]

    def _answer_buttons(
        self, outcome: PlanOutcome[Any], answers: Sequence[tuple[Action, ButtonSpec]], letters: Mapping[str, str]
    ) -> Iterator[ButtonSpec]:
        """Yield the buttons of the answers, except those too long for a custom id where questions may wait."""
        for answer, offer in answers:
            answered = replace(outcome.plan, answers=(*outcome.plan.answers, answer))
            if not self._turn.questions_may_wait or len(str(answered)) <= MAX_ARGUMENT_LENGTH:
                yield self._answered(answered, self._answer_label(outcome, answer, offer.label, letters), offer.style)

    def _answer_label(self, outcome: PlanOutcome[Any], answer: Action, label: str, letters: Mapping[str, str]) -> str:
        """Return the label of an answer; for a second figure with the letter of its place and its points."""
        placed = self._turn.answer_figure(answer)
        if placed is None:
            return label
        answered = self._outcome(replace(outcome.plan, answers=(*outcome.plan.answers, answer)))
        lettered = self._lettered_label(letters.get(placed[0], ""), label)
        return self._with_points(lettered, self._points(answered) - self._points(outcome))

    def _lettered_label(self, letter: str, label: str) -> str:
        """Return a label after the letter of its place in the picture; unchanged without one."""
        return f"{letter} {label}".strip()

    def _further_places(
        self, outcome: PlanOutcome[Any], answers: Sequence[tuple[Action, ButtonSpec]], letters: Mapping[str, str]
    ) -> list[FurtherPlace]:
        """Return the places of figures that earlier answers put, and those where an answer to this question may."""
        place = outcome.plan.place
        if place is None:
            return []
        decided = [placed for action in outcome.plan.answers if (placed := self._turn.answer_figure(action))]
        offered = [(placed[0], "") for action, _ in answers if (placed := self._turn.answer_figure(action))]
        return [
            FurtherPlace(letters.get(name, ""), self._turn.segment(outcome.after, place.cell, name), figure)
            for name, figure in (*decided, *offered)
        ]

    def _answered(self, plan: Plan, label: str, style: ButtonStyle) -> ButtonSpec:
        """Return the button of an answer. It is final, unless questions may wait and the player confirms each move."""
        if self._confirm and self._turn.questions_may_wait:
            return self._plan(plan, label, style)
        return self._onward(self._outcome(plan), label, style)

    def _declining(self) -> TilePanel:
        """Return the panel that confirms declining the tile, with the spots that are given up."""
        actions = self._declinable()
        if not actions:
            raise IllegalActionError("the tile cannot be declined")
        text = "\n".join([self._tile_line(), self._move(actions)])
        cells = self._parts(placements(self.position, aided=True))[0]
        confirm = self._go(actions, t("button.confirm"), ButtonStyle.primary)
        return TilePanel(text, [[confirm, self._plan(Plan(aided=True), t("button.change"))]], spots=cells)

    def _declinable(self) -> list[Action]:
        """Return the action that declines the tile, if it may be declined."""
        piece = self._turn.piece
        return [piece.declining] if piece is not None and piece.declining in self.position.legal_actions else []

    def _move(self, actions: Sequence[Action]) -> str:
        """Return the sentence that describes the whole move."""
        return t("panel.confirm", move=capital(moves_words(self.presenter, self.position, actions)))

    def _chosen(self, plan: Plan, laid: LaidTile[Any]) -> list[tuple[str, Segment]]:
        """Return the segment of the chosen figure with the letter that it had among all segments."""
        if plan.place is None or not isinstance(plan.figure, Deploy):
            return []
        offered = self._lettered(laid.after, plan.place.cell, laid.deployments, plan.figure.figure)
        return [(letter, segment) for deploy, letter, segment in offered if deploy == plan.figure]

    def _outlook(self, outcome: PlanOutcome[Any], kinds: tuple[type[Event], ...] = (Event,)) -> Iterator[str]:
        """Tell what the move completes and for whom, if the table allows it.

        The final scoring is left out. ``kinds`` are the events to tell, by default all that can be foretold.
        """
        if not self._foretells:
            return iter(())
        foretold = self.presenter.foretold_events
        events = [event for event in events_ahead(outcome) if isinstance(event, foretold) and isinstance(event, kinds)]
        return Storyteller(self._turn.foretold_sentence, seat_names(self.game)).sentences(events)

    # -- buttons ----------------------------------------------------------------------------------------------------

    def _plan(self, plan: Plan, label: str, style: ButtonStyle = ButtonStyle.secondary) -> ButtonSpec:
        """Return a button that shows the panel of a plan."""
        return ButtonSpec(Op.PLAN, label, str(plan), style)

    def _go(self, actions: Sequence[Action], label: str, style: ButtonStyle) -> ButtonSpec:
        """Return a button that makes a move."""
        return ButtonSpec(Op.GO, label, actions_text(fitting_actions(actions)), style)


def _menu_of(switches: Sequence[ButtonSpec]) -> Menu:
    """Return a menu of other kinds of figures, in the order of the buttons for which there is no room."""
    return Menu(Op.PLAN, t("panel.another_figure"), [MenuEntry(switch.label, switch.argument) for switch in switches])


def events_ahead(outcome: PlanOutcome[Any]) -> Sequence[Event]:
    """Return the events of a plan without the final scoring.

    A question that can be passed, such as that for a second figure, comes before the scoring; these are the events of
    passing it.
    """
    step, events = outcome.after.step, outcome.events
    if outcome.pending and step is not None and step.allows(outcome.after, Pass()):
        events += outcome.after.copy().apply(Pass())
    return without_final(events)


def _elsewhere_line(spots: Sequence[str]) -> str:
    """Tell which spots are in other parts of the board."""
    if not spots:
        return ""
    if len(spots) <= MAX_NAMED_SPOTS:
        return t("panel.elsewhere", cells=", ".join(spots))
    return t("panel.elsewhere_many", count=len(spots))


def _default_figure(deploys: Sequence[Deploy], kind: str) -> str:
    """Return the default figure of a segment where this kind could stand, too."""
    return next(
        first.figure
        for first, *rest in deploys_by_segment(deploys).values()
        if kind in {deploy.figure for deploy in rest}
    )


MAX_SWITCHES: Final = 2
"""Buttons to other kinds of figures that a phone shows in one row."""
ENTRIES_PER_MENU: Final = 25
MAX_MENUS: Final = 4
"""Menus of spots in a panel."""
MAX_ENTRY_LENGTH: Final = 100
"""Characters of a menu entry's label, and of its description."""
MAX_LABEL_LENGTH: Final = 80
"""Characters of a button's label."""
MAX_PLACE_LENGTH: Final = 42
"""Characters of the button of a place that a phone shows in one line."""
SPOTS_PER_ROW: Final = 4
"""The spots in a row of buttons: a phone puts the fifth on a line of its own."""
MAX_SPOT_ROWS: Final = 4
"""The most such rows; more spots stand in rows as long as Discord allows."""
MAX_NAMED_SPOTS: Final = 8
"""The most spots in other parts of the board that are named; more are counted."""


@dataclass(frozen=True, slots=True)
class SpotInWords:
    """A placement, with the features that it would complete and continue."""

    place: Place
    completes: Sequence[HeldFeature]
    joins: Sequence[HeldFeature]
    points: int
    """The points that it scores at once for the player; 0 where the table does not allow that hint."""

    @property
    def rank(self) -> tuple[int, int, int, int, int, str]:
        """The sort key: what scores most comes first, then what completes most, then what continues most."""
        cell = self.place.cell
        return -self.points, -len(self.completes), -len(self.joins), cell.y, cell.x, str(self.place)


@dataclass(frozen=True, slots=True)
class EarComposer(Composer):
    """Builds the panels of a turn for a player who listens, with a screen reader."""

    # -- choosing a spot --------------------------------------------------------------------------------------------

    def _spots_panel(self, page: int, choices: Spots) -> TilePanel:
        ranked = self.ranked(choices.shown)
        per_panel = ENTRIES_PER_MENU * MAX_MENUS
        pages = max(1, -(-len(ranked) // per_panel))
        page %= pages
        question = t(f"panel.spots_{self._piece_name}" if choices.shows_aided else "spot.ask")
        text = "\n".join(filter(None, [self._tile_line(), question, self._details()]))
        tell = ButtonSpec(Op.WORDS, t("button.tell"))
        controls = [*self._spot_controls(page, pages, choices), *self._advice(), tell]
        return TilePanel(text, [controls], menus=list(self._menus(ranked, page * per_panel)))

    def _pages_label(self, page: int, pages: int) -> str:
        return t("button.more_spots", page=page, pages=pages)

    def _menus(self, ranked: Sequence[SpotInWords], first: int) -> Iterator[Menu]:
        """Yield the menus of spots, from the number ``first`` on."""
        for start in range(first, min(first + ENTRIES_PER_MENU * MAX_MENUS, len(ranked)), ENTRIES_PER_MENU):
            listed_spots = ranked[start : start + ENTRIES_PER_MENU]
            placeholder = t("spot.list", first=start + 1, last=start + len(listed_spots), count=len(ranked))
            yield Menu(Op.PLAN, placeholder, [self._entry(spot) for spot in listed_spots])

    def _entry(self, spot: SpotInWords) -> MenuEntry:
        """Return a menu entry: the spot, and below it the tile as it would lie there."""
        tile = self.presenter.tile_aloud(self._hand, spot.place.rotation)
        label = self._entry_label(spot, detailed=True)
        if units(label) > MAX_ENTRY_LENGTH:
            label = join_fitting(self._entry_label(spot, detailed=False).split(", "), MAX_ENTRY_LENGTH, ", ")
        return MenuEntry(label, str(Plan(place=spot.place)), join_fitting(tile.split("; "), MAX_ENTRY_LENGTH, "; "))

    def _entry_label(self, spot: SpotInWords, *, detailed: bool) -> str:
        """Name the cell first, then the features that the tile would complete and continue."""
        parts = [self.presenter.action_words(self.position, spot.place)]
        for key, features in (("spot.completes", spot.completes), ("spot.joins", spot.joins)):
            if features:
                parts.append(t(key, features=listed([feature.words(detailed=detailed) for feature in features])))
        return ", ".join(parts)

    def ranked(self, places: Sequence[Place]) -> list[SpotInWords]:
        """Return these placements, those that score, complete or continue most first."""
        completed = completed_in(self.position)
        return sorted((self._spot(place, completed) for place in places), key=lambda spot: spot.rank)

    def _spot(self, place: Place, completed: Container[tuple[Cell, Segment]]) -> SpotInWords:
        """Find what a placement would complete, continue and score."""
        completes, joins = changed_features(self.position, place, completed, plain_names(self.game))
        points = self._turn.points_at(self.position, place) if self.game.settings.allows(Hint.COMPLETION) else 0
        return SpotInWords(place, completes, joins, points)

    # -- figure -----------------------------------------------------------------------------------------------------

    def _joined_lines(self, _after: Position, _place: Place, /) -> Iterator[str]:
        """Yield nothing, because the list of spots has named these features already."""
        return iter(())

    def _figure_lines(self, place: Place, deploys: Sequence[Deploy], /, *, later: bool) -> Iterator[str]:
        yield from [t("spot.figure")] if deploys else self._turn.figure_lines(self.position, deploys, later)
        if place.rotation:  # else the tile lies as it was described when it was drawn
            yield t("spot.lies", tile=self.presenter.tile_aloud(self._hand, place.rotation))

    def _figure_label(self, place: Place, _letter: str, deploy: Deploy, segment: Segment, /) -> str:
        """Return the figure and its place, without a letter: the letters are in the picture."""
        role = f"role.{segment.kind}"
        figure = t(role) if has_text(role) else t(f"figure.{deploy.figure}")
        split = split_corners(self._hand, place.rotation, segment.kind)
        where = segment_aloud(segment, split) if split else segment_words(segment)
        return join_fitting(t("spot.stand", figure=capital(figure), where=where).split(", "), MAX_LABEL_LENGTH, ", ")

    def _lettered_label(self, _letter: str, label: str, /) -> str:
        """Return the label alone: the letters are in the picture."""
        return label

    def _laying_buttons(
        self,
        _turns: Sequence[ButtonSpec],
        controls: Sequence[ButtonSpec],
        figures: Sequence[ButtonSpec],
        switches: Sequence[ButtonSpec],
        /,
    ) -> list[list[ButtonSpec]]:
        return [[*figures], [*switches, *controls]]
