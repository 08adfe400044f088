"""Stepping through a game: its stops, the scene at each stop, and the buttons from stop to stop.

A *ply* is a number of actions from the start. A stop is the ply at the end of a move; laying a tile and deploying its
figure are one move. Setup and actions determine everything, so a button carries only the game and the ply. All of it
runs in worker threads.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cogs.interactions.replies import Press, button
from cogs.panels.cards import result_pictures
from cogs.presenting.ids import Op
from cogs.presenting.presenter import AltPicture, Presenter
from cogs.services.bot import Interaction
from cogs.texts import t
from cogs.words.alt_texts import move_alt
from cogs.words.names import pile_words, seat_names
from cogs.words.refusals import RefusedError
from cogs.words.story import MAX_STORY, Storyteller, lines_within, score_table
from engine import Action, Position, Resign, Setup, begin
from engine.events import Event
from host import Game, Moment
from renderers import Theme


@dataclass(frozen=True, slots=True)
class Stops:
    """The stops of a game: their plies, and for each turn the ply at which its tile has been laid."""

    plies: Sequence[int]
    turns: Mapping[int, int]

    @property
    def last(self) -> int:
        """The ply of the last stop."""
        return self.plies[-1]

    def number(self, ply: int) -> int:
        """Return the number of the move that ends at a ply; 0 is the beginning."""
        return bisect_left(self.plies, ply)

    def before(self, ply: int) -> int:
        """Return the stop before a ply, or the first stop if there is none."""
        return self.plies[max(bisect_left(self.plies, ply) - 1, 0)]

    def after(self, ply: int) -> int:
        """Return the stop after a ply, or the last stop if there is none."""
        return self.plies[min(bisect_right(self.plies, ply), len(self.plies) - 1)]

    def turn_at(self, ply: int) -> int:
        """Return the turn whose tile was the last to be laid by this ply."""
        return max((turn for turn, there in self.turns.items() if there <= ply), default=0)

    def of_turn(self, turn: int) -> int:
        """Return the ply at which the tile of a turn has been laid; 0 for turn 0, the last ply for one too high."""
        earlier = [ply for number, ply in self.turns.items() if number <= turn]
        return self.last if turn > max(self.turns, default=0) else max(earlier, default=0)


def stops_of(presenter: Presenter[Any], setup: Setup, actions: Sequence[Action]) -> Stops:
    """Find the stops of a game by replaying it."""
    position = begin(setup)
    plies, turns, turn = [0], dict[int, int](), position.turn
    laying = position.hand is not None
    for ply, action in enumerate(actions, 1):
        position.apply(action)
        if ply < len(actions) and presenter.turn.continues(position):
            continue  # the move is not finished
        if laying and not isinstance(action, Resign):
            turns[turn] = ply
        plies.append(ply)
        turn, laying = position.turn, position.hand is not None
    return Stops(plies, turns)


@dataclass(frozen=True, slots=True)
class SteppedScene:
    """The state of a game at a stop: the moment, the story of the move that led to it, and the board."""

    stops: Stops
    moment: Moment
    words: str
    pictures: Sequence[AltPicture]

    @property
    def ply(self) -> int:
        """The ply of the scene."""
        return self.moment.after.ply


@dataclass(frozen=True, slots=True)
class SteppedGame:
    """A game to step through: its setup and all its actions."""

    presenter: Presenter[Any]
    game: Game
    setup: Setup
    actions: Sequence[Action]
    shows_card_at_end: bool = False
    """True if the last step shows all that the newest card shows."""

    def step(self, where: Callable[[Stops], int], theme: Theme) -> SteppedScene:
        """Return the scene at the ply that ``where`` chooses from the stops; runs in a worker thread."""
        stops = stops_of(self.presenter, self.setup, self.actions)
        ply = max(0, min(where(stops), stops.last))
        moment, words = self._move(stops.before(ply), ply)
        picture = self.presenter.board_picture(moment.after, theme)
        scores = self.presenter.score_pictures(self.game, moment.after, theme)
        details = self._card(moment, theme) if self.shows_card_at_end and ply == stops.last else []
        return SteppedScene(
            stops, moment, words, [AltPicture(picture, move_alt(self.presenter, moment)), *scores, *details]
        )

    def _card(self, moment: Moment, theme: Theme) -> list[AltPicture]:
        """Draw what the newest card shows besides the board: the decision at hand, or the result."""
        if not moment.after.is_over:
            return self.presenter.decision_pictures(self.game, moment.after, theme)
        position, events = begin(self.setup), list[Event]()
        for action in self.actions:
            events += position.apply(action)
        points = self.presenter.points(events, position.players)
        return result_pictures(self.presenter, moment, points, theme)

    def _move(self, start: int, end: int) -> tuple[Moment, str]:
        """Return the moment between two plies, and its story."""
        position = begin(self.setup)
        for action in self.actions[:start]:
            position.apply(action)
        before, events, plain_words = position.copy(), list[Event](), ""
        for action in self.actions[start:end]:
            plain_words = self._plain(position, action)
            events += position.apply(action)
        story = lines_within(Storyteller.marked_up(self.presenter, self.game).sentences(events), MAX_STORY, " ")
        return Moment(self.game, before, position, (), tuple(events)), story or plain_words

    def _plain(self, position: Position, action: Action) -> str:
        """Describe an action in words, for a move whose events have no sentences."""
        seat = action.player if isinstance(action, Resign) else position.player
        player = seat_names(self.game)[seat]
        return t("log.plain", player=player, action=self.presenter.action_words(position, action))

    def lines(self, step: SteppedScene) -> list[str]:
        """Return the text of a scene: the number of the move, its story, the decision at hand, and the scores."""
        position, names = step.moment.after, seat_names(self.game)
        number = _where(step.stops, position.ply)
        seat = position.player
        headline = t("alt.over") if seat < 0 else self.presenter.headline(names, position, names[seat])
        details = self.presenter.details(names, position)
        scores = score_table(self.presenter, self.game, position)
        return [line for line in (number, step.words, headline, details, scores, pile_words(position)) if line]


def _where(stops: Stops, ply: int) -> str:
    """Return the number of the move, counted in stops, so that each button changes it by one."""
    moves = stops.number(stops.last)
    if not ply:
        return t("step.beginning", count=moves)
    return t("step.at", number=stops.number(ply), last=moves, turn=stops.turn_at(ply))


def step_buttons(op: Op, ref: str, step: SteppedScene) -> list[Press]:
    """Return the buttons to the beginning, back, on, and to the end."""
    stops, ply = step.stops, step.ply
    targets = {"first": 0, "back": stops.before(ply), "on": stops.after(ply), "last": stops.last}
    return [
        button(op, ref, target, t(f"button.step_{name}"), argument=name, disabled=target == ply)
        for name, target in targets.items()
    ]


def require_private(interaction: Interaction) -> None:
    """Refuse to turn the pages of a public message.

    Raises:
        RefusedError: the message is not private.
    """
    if interaction.message is None or not interaction.message.flags.ephemeral:
        raise RefusedError("unknown_button")
