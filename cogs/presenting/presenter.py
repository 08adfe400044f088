"""What a game has to know about itself to be played on Discord; everything else is the same for all games.

A presenter is a table of functions and data: they tell a position in words, offer what may be pressed as buttons before
they are any (:class:`ButtonSpec`), and call the game's renderers for pictures with alt texts, in a theme.
The presenters of all games stand in :mod:`cogs.games.presenters`; a function that needs one is handed it.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeAlias, TypeVar

import discord
from discord import ButtonStyle, ui

from cogs.presenting.ids import Op, Operation
from cogs.presenting.turn import Turn, completed, followed, moves
from cogs.texts import t
from engine import Action, Cell, Place, Position
from engine.events import Event, Scored
from engine.tiles import Segment, TileKind
from host import PictureSize
from renderers import DAY, PLAYER_MARKS, THEMES, Picture, Theme, small

if TYPE_CHECKING:
    from engine.hints import DeadCells, Hint, Holding
    from engine.views import Feature, PlacedTile
    from host import Game, Preferences
    from renderers import Picture, Theme


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture and its alt text."""

    picture: Picture
    alt: str


def attachments(pictures: Sequence[Shown]) -> list[discord.File]:
    """Pictures as files to upload."""
    return [
        discord.File(io.BytesIO(shown.picture.data), shown.picture.filename, description=shown.alt)
        for shown in pictures
    ]


def gallery(pictures: Sequence[Shown]) -> list[ui.Item[Any]]:
    """The pictures one below the other: side by side Discord crops them, and a phone shows them half as wide."""
    return [
        ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{shown.picture.filename}", description=shown.alt))
        for shown in pictures
    ]


def colour_of(seat: int) -> int:
    """The colour of a seat, as Discord numbers colours."""
    red, green, blue = PLAYER_MARKS[seat].colour
    return red << 16 | green << 8 | blue


THEME: Final = "theme"
"""The choice in :class:`host.Preferences` that overrides the table's theme."""


def table_theme(game: Game) -> Theme:
    """The theme of the public pictures of a game."""
    return _named(game.settings.theme)


def private_theme(preferences: Preferences, game: Game | None = None) -> Theme:
    """The theme of what one player sees alone, in the size that he has chosen; ``game`` is the one that is shown."""
    theme = _named(preferences.choices.get(THEME, game.settings.theme if game else DAY.name))
    return small(theme) if preferences.picture_size is PictureSize.SMALL else theme


def _named(name: str) -> Theme:
    """A theme; the usual one where a stored name is none any more."""
    return next((theme for known, theme in THEMES.items() if known == name), DAY)


QUICK: Final = "quick"
CAREFUL: Final = "careful"
"""How a player makes moves, in the argument of ``Op.MODE``."""


@dataclass(frozen=True, slots=True)
class ButtonSpec:
    """Something that a player may press; :func:`cogs.interactions.replies.buttons_of` makes a button of it."""

    op: Operation
    label: str
    argument: str = ""
    style: ButtonStyle = ButtonStyle.secondary


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry of a list: what it is called, the argument that it stands for, and what else is said of it."""

    label: str
    argument: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """A list from which one entry is chosen, for an operation."""

    op: Operation
    placeholder: str
    entries: Sequence[MenuEntry]


def act(action: Action, label: str, style: ButtonStyle = ButtonStyle.secondary) -> ButtonSpec:
    """The offer to do one action."""
    return ButtonSpec(Op.ACT, label, str(action), style)


def mode_offer(plan: str, *, confirm: bool) -> ButtonSpec:
    """The switch between confirming each move and not, which shows the same plan again."""
    label = t("button.careful_on" if confirm else "button.quick_on")
    return ButtonSpec(Op.MODE, label, f"{QUICK if confirm else CAREFUL} {plan}")


P = TypeVar("P", bound=Position)
PlanForm: TypeAlias = "Callable[[Game, str], ui.Modal]"
"""The form for a plan in a game, filled in with what was planned before."""


@dataclass(frozen=True, slots=True)
class Panel:
    """What a private panel says and offers; games add what its picture has to show."""

    text: str
    offers: Sequence[Sequence[ButtonSpec]]
    """In groups; each group begins a row."""
    menus: Sequence[Menu] = ()
    """Lists above them."""


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


class Listener(Protocol):
    """To whom a table is told in words."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the seats."""

    def allows(self, hint: Hint) -> bool:
        """Whether the table is told this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Presenter(Generic[P]):
    """How one game is presented; ``P`` is its position. Seats count from 0, ``names`` are theirs."""

    # -- the game itself --------------------------------------------------------------------------------------------

    categories: Sequence[str]
    """What brings points, in the order in which the final table lists it."""
    expansions: tuple[str, ...] = ()
    """What is played with when nobody says otherwise."""
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What a player may choose once for all his games of this kind, by the key in :attr:`host.Preferences.choices`;
    the first value is what he begins with."""
    played: Callable[[tuple[str, ...]], Sequence[str]]
    """The names of what is played with these expansions."""
    in_short: Callable[[tuple[str, ...]], Iterator[str]]
    """The rules in short, in parts, with these expansions."""
    asking_aside: Callable[[tuple[str, ...]], Sequence[str]] = lambda _expansions: ()
    """Which of these expansions ask for decisions beside a turn, which have their own time at each pace; each has a
    sentence about it, ``pace_aside.EXPANSION.PACE``."""
    remarks: Callable[[], Iterator[str]] = lambda: iter(())
    """What has to be known before anybody decides to play it."""
    remarks_on: Callable[[Any], Iterator[str]] = lambda _setup: iter(())
    """The same about a game that begins, by its setup."""

    # -- words ------------------------------------------------------------------------------------------------------

    headline: Callable[[Sequence[str], P, str], str]
    """What a player (by a mention or a name) has to decide now; empty when the game is over."""
    details: Callable[[Sequence[str], P], str]
    """What the decision is about, where its headline does not say everything, as the lots of a bazaar."""
    sentence: Callable[[Sequence[str], Event], str]
    """What happened; empty for what goes without saying."""
    action_words: Callable[[P, Action], str]
    """An action that is legal in the position, for those who read it before they choose it."""
    prospect: Callable[[Sequence[str], P, Action], str]
    """What a legal decision would cost its player and leave him; empty where its words say everything."""
    kind: Callable[[P, str], TileKind]
    """The tile with this id."""
    tile_words: Callable[[TileKind], str]
    """What is drawn on a tile, in short."""
    lying: Callable[[TileKind, int], str]
    """All that is drawn on a tile turned so far, by its sides, for who does not see it."""
    worth: Callable[[P, Feature], int]
    """What a feature brings when it is complete as it lies; what is never complete, at the end."""
    upon: Callable[[P, PlacedTile], Iterable[str]] = lambda _position, _placed: ()
    """What was built on a tile, in words."""
    also_seen: Callable[[P, P], Iterable[str]] = lambda _before, _after: ()
    """What beside tiles of the pile was turned up between two positions, and would lie face down again in the first."""
    edge: Callable[[P, Cell], str] = lambda _position, _cell: ""
    """What is at a cell where no tile can lie, in words."""
    chapters: Mapping[str, Callable[[Listener, P], Iterable[str]]] = field(default_factory=dict)
    """What else there is to tell at the table, by the ends of the keys ``tell.part``; nothing where nothing is."""
    belongings: Callable[[P, int], Iterator[str]]
    """What lies before the player of a seat: pieces left, and what else everybody sees there."""
    out_of_turn: Callable[[P, int], str] = lambda _position, _seat: ""
    """The key of a better sentence than "not your turn" for the seat that wants to decide, if there is one."""
    calling: tuple[type[Event], ...] = ()
    """The events after which everybody who may plan is called once."""
    gains: Callable[[Event], Iterable[tuple[int, str, int]]] = lambda _event: ()
    """What is won or lost by an event that is no score: seat, category, points."""

    # -- decisions --------------------------------------------------------------------------------------------------

    turn: Turn[P]
    """What its turn consists of, as the composer asks for it."""
    offers: Callable[[P], Sequence[ButtonSpec]]
    """The buttons of a decision that is made on the card itself; none where [Play] opens the composer for it."""

    plan_form: Callable[[P, int], PlanForm | None] = lambda _position, _seat: None
    """How a seat is asked what it plans, sealed, for what is being decided; None where it has nothing to plan."""

    # -- pictures (drawn in worker threads) -------------------------------------------------------------------------

    ahead: Callable[..., Iterator[None]]
    """Draws ahead what cards of a theme show, and with which boxes if these are said, one sprite at each step."""
    turn_pictures: Callable[[P, Theme], Sequence[Picture]]
    """The surroundings of the last move, then the whole board where that shows more."""
    board_picture: Callable[[P, Theme], Picture]
    """The whole board."""
    hints_picture: Callable[[P, DeadCells, Sequence[Holding], Theme], Picture]
    """The whole board with the cells where nothing fits, and with who holds which field."""
    decision_pictures: Callable[[Game, P, Theme], list[Shown]]
    """What is decided now, where a picture of its own shows it."""
    composer_pictures: Callable[[P, TilePanel, Theme, str], list[Shown]]
    """What a panel of the composer is about; the last is the digest of the position, by which pictures are kept."""
    score_pictures: Callable[[Game, P, Theme], list[Shown]] = lambda _game, _position, _theme: []
    """The score track and what everybody has left, where the board does not show them."""
    replay_picture: Callable[[Sequence[P], Sequence[str], Theme], Picture]
    """A whole game as one animated picture: its positions from the first to the last."""
    tiles_picture: Callable[[P, Mapping[str, int], Theme], Picture]
    """Every tile of the game with how many are left, by id."""

    # -- what follows from the table --------------------------------------------------------------------------------

    def points(self, events: Iterable[Event], players: int) -> list[dict[str, int]]:
        """For each seat the points by category."""
        points: list[dict[str, int]] = [defaultdict(int) for _ in range(players)]
        for event in events:
            if isinstance(event, Scored):
                points[event.player][event.kind] += event.points
            for seat, category, gain in self.gains(event):
                points[seat][category] += gain
        return points

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

    def panel_pictures(self, game: Game, position: P, panel: Panel, theme: Theme) -> list[Shown]:
        """The pictures of a private panel: of the composer, or of a decision."""
        if isinstance(panel, TilePanel):
            return self.composer_pictures(position, panel, theme, game.digest)
        return self.decision_pictures(game, position, theme)
