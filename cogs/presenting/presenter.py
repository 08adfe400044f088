"""What a game has to know about itself to be played on Discord; everything else is the same for all games.

A presenter is stateless: it tells a position in words, offers what may be pressed, and calls the game's renderers.
The presenters of all games stand in :mod:`cogs.games.presenters`; a function that needs one is handed it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from cogs.presenting.moves import completed, followed, moves
from cogs.presenting.turn import Turn
from engine import Action, Cell, Place, Position
from engine.events import Event, Scored
from engine.tiles import Segment, TileKind

if TYPE_CHECKING:
    from cogs.presenting.offers import Offer
    from cogs.presenting.pictures import Shown
    from engine.hints import DeadCells, Holding
    from host import Game, Preferences
    from renderers import Picture, Theme

P = TypeVar("P", bound=Position)


@dataclass(frozen=True, slots=True)
class Panel:
    """What a private panel says and offers; games add what its picture has to show."""

    text: str
    offers: Sequence[Sequence[Offer]]
    """In groups; each group begins a row."""


@dataclass(frozen=True, slots=True)
class TilePanel(Panel):
    """A panel about the tile in hand."""

    letters: Sequence[tuple[Cell, str]] = ()
    """The spots and their letters."""
    place: Place | None = None
    """The tile that is tried out."""
    piece: Action | None = None
    """What is built with it."""
    numbers: Sequence[tuple[int, Segment]] = ()
    """Where a figure may stand, or will, by the number of its button."""
    figure: str = ""
    """The one that will stand there, when it is chosen."""
    features: Sequence[Action] = ()
    """What the question is about, in the order of their letters."""
    decided: Sequence[Action] = ()
    """What has been decided before the question."""


class Presenter(ABC, Generic[P]):
    """How one game is presented; ``P`` is its position. Seats count from 0, ``names`` are theirs."""

    categories: ClassVar[Sequence[str]]
    """What brings points, in the order in which the final table lists it."""
    expansions: ClassVar[tuple[str, ...]] = ()
    """What is played with when nobody says otherwise."""

    choices: ClassVar[Mapping[str, Sequence[str]]] = MappingProxyType({})
    """What a player may choose once for all his games of this kind, by the key in :attr:`host.Preferences.choices`;
    the first value is what he begins with."""

    turn: ClassVar[Turn[Any]]
    """What its turn consists of, as the composer asks for it."""

    # -- the game itself --------------------------------------------------------------------------------------------

    @abstractmethod
    def played(self, expansions: tuple[str, ...]) -> Sequence[str]:
        """The names of what is played."""

    @abstractmethod
    def in_short(self, expansions: tuple[str, ...]) -> Iterator[str]:
        """The rules in short, in parts."""

    def remarks(self) -> Iterator[str]:
        """What has to be known before anybody decides to play it."""
        return iter(())

    def remarks_on(self, setup: Any) -> Iterator[str]:  # noqa: ANN401, ARG002 - a game knows its setups
        """The same about a game that begins."""
        return iter(())

    # -- words ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def headline(self, names: Sequence[str], position: P, player: str) -> str:
        """What ``player`` (a mention or a name) has to decide now; empty when the game is over."""

    def details(self, names: Sequence[str], position: P) -> str:  # noqa: ARG002 - most games have none
        """What the decision is about, where its headline does not say everything, as the lots of a bazaar."""
        return ""

    @abstractmethod
    def sentence(self, names: Sequence[str], event: Event) -> str:
        """What happened; empty for what goes without saying."""

    @abstractmethod
    def action_words(self, position: P, action: Action) -> str:
        """An action that is legal in the position, for those who read it before they choose it."""

    def prospect(self, names: Sequence[str], position: P, action: Action) -> str:  # noqa: ARG002 - not all cost anything
        """What a legal decision would cost its player and leave him; empty where its words say everything."""
        return ""

    @abstractmethod
    def kind(self, position: P, tile_id: str) -> TileKind:
        """The tile with this id."""

    @abstractmethod
    def tile_words(self, kind: TileKind) -> str:
        """What is drawn on a tile."""

    @abstractmethod
    def belongings(self, position: P, seat: int) -> Iterator[str]:
        """What lies before a player: pieces left, and what else everybody sees there."""

    def out_of_turn(self, position: P, seat: int) -> str:  # noqa: ARG002 - most games have nothing to add
        """The key of a better sentence than "not your turn" for who wants to decide, if there is one."""
        return ""

    # -- scores -----------------------------------------------------------------------------------------------------

    def points(self, events: Iterable[Event], players: int) -> list[dict[str, int]]:
        """For each seat the points by category."""
        points: list[dict[str, int]] = [defaultdict(int) for _ in range(players)]
        for event in events:
            if isinstance(event, Scored):
                points[event.player][event.kind] += event.points
        return points

    # -- decisions --------------------------------------------------------------------------------------------------

    @abstractmethod
    def offers(self, position: P) -> Sequence[Offer]:
        """The buttons of a decision that is made on the card itself; none where [Play] opens a panel for it."""

    def moves(self, position: P, spot: str) -> Iterator[Sequence[Action]]:
        """Every whole move that may be typed now; of the placements only those on a spot whose name begins so."""
        return moves(self.turn, position, spot)

    def completed(self, position: P, actions: Sequence[Action]) -> Sequence[Action]:
        """Legal actions as a whole move, with what goes without saying; empty when more has to be said."""
        return completed(self.turn, position, actions)

    def followed(self, position: P, actions: Sequence[Action], preferences: Preferences) -> Sequence[Action]:
        """A player's actions, followed by what he does without being asked (:attr:`choices`).

        Raises:
            IllegalActionError: the actions are not legal.
        """
        return followed(self.turn, position, actions, preferences.choices)

    def goes_on(self, position: P) -> bool:
        """Whether a move that has begun is not over in this position, so that it is told together with what follows."""
        return isinstance(position.step, self.turn.together)

    # -- pictures (drawn in worker threads) -------------------------------------------------------------------------

    @abstractmethod
    def turn_pictures(self, position: P, theme: Theme) -> Sequence[Picture]:
        """The surroundings of the last move, then the whole board where that shows more."""

    @abstractmethod
    def board_picture(self, position: P, theme: Theme) -> Picture:
        """The whole board."""

    @abstractmethod
    def hints_picture(self, position: P, dead: DeadCells, holdings: Sequence[Holding], theme: Theme) -> Picture:
        """The whole board with the cells where nothing fits, and with who holds which field."""

    def decision_pictures(self, game: Game, position: P, theme: Theme) -> list[Shown]:  # noqa: ARG002 - many have none
        """What is decided now, where a picture of its own shows it."""
        return []

    @abstractmethod
    def panel_pictures(self, game: Game, position: P, panel: Panel, theme: Theme) -> list[Shown]:
        """The pictures of a private panel, which is one of this game's, or that of a decision."""

    def score_pictures(self, game: Game, position: P, theme: Theme) -> list[Shown]:  # noqa: ARG002 - as above
        """The score track and what everybody has left, where the board does not show them."""
        return []

    @abstractmethod
    def replay_picture(self, positions: Sequence[P], names: Sequence[str], theme: Theme) -> Picture:
        """A whole game as one animated picture: its positions from the first to the last."""

    @abstractmethod
    def tiles_picture(self, position: P, left: Mapping[str, int], theme: Theme) -> Picture:
        """Every tile of the game with how many are left, by id."""
