"""The interface between a game and Discord: a presenter describes everything that differs from game to game.

A presenter is a table of functions and data. It puts a position into words, offers buttons as plain values
(:class:`ButtonSpec`), and calls the game's renderers for pictures with alt texts. A game and its boxes (expansions)
fill in one base class, :class:`BasePresenter`; :meth:`Presenter.with_boxes` combines them. :mod:`cogs.games.presenters`
lists the presenters of all games. A *card* is the public message of a move; the *composer* is the private panel in
which a player puts a move together; a *sprite* is the cached picture of a single tile.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import discord
from discord import ButtonStyle, ui

from cogs.presenting.ids import Op, Operation
from cogs.presenting.lesson_topics import Topic
from cogs.presenting.turn import Turn
from engine import Action, Cell, Place, Position
from engine.events import Event, Scored
from engine.hints import DeadCells, Hint, Holding
from engine.tiles import Segment, TileKind
from engine.views import Feature, PlacedTile
from host import Game, PictureSize, Preferences
from renderers import DAY, THEMES, Mark, Picture, Theme, small


@dataclass(frozen=True, slots=True)
class AltPicture:
    """A picture with its alt text."""

    picture: Picture
    alt: str


def attachments(pictures: Sequence[AltPicture]) -> list[discord.File]:
    """Return the pictures as files to upload."""
    return [
        discord.File(io.BytesIO(shown.picture.data), shown.picture.filename, description=shown.alt)
        for shown in pictures
    ]


def gallery(pictures: Sequence[AltPicture]) -> list[ui.Item[Any]]:
    """Return one gallery for each picture: side by side, Discord would crop them and a phone halve their width."""
    return [
        ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{shown.picture.filename}", description=shown.alt))
        for shown in pictures
    ]


THEME: Final = "theme"
"""The key in :attr:`host.Preferences.choices` of the theme that overrides the table's."""


def table_theme(game: Game) -> Theme:
    """Return the theme of a game's public pictures."""
    return _theme_named(game.settings.theme)


def private_theme(preferences: Preferences, game: Game | None = None) -> Theme:
    """Return the theme of the pictures of ``game`` that only one player sees, in the size that they have chosen."""
    theme = _theme_named(preferences.choices.get(THEME, game.settings.theme if game else DAY.name))
    return small(theme) if preferences.picture_size is PictureSize.SMALL else theme


def _theme_named(name: str) -> Theme:
    """Return a theme, or the default if a stored name no longer exists."""
    return next((theme for key, theme in THEMES.items() if key == name), DAY)


QUICK: Final = "quick"
CAREFUL: Final = "careful"
"""The arguments of ``Op.MODE``: make moves at once, or confirm each."""


@dataclass(frozen=True, slots=True)
class ButtonSpec:
    """A button as a plain value; :func:`cogs.interactions.replies.buttons_of` turns it into a component."""

    op: Operation
    label: str
    argument: str = ""
    style: ButtonStyle = ButtonStyle.secondary


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry of a select menu: its label, the argument it stands for, and a description."""

    label: str
    argument: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """A select menu as a plain value; the chosen entry is the argument of the operation."""

    op: Operation
    placeholder: str
    entries: Sequence[MenuEntry]


def act(action: Action, label: str, style: ButtonStyle = ButtonStyle.secondary) -> ButtonSpec:
    """Return the button that does one action."""
    return ButtonSpec(Op.ACT, label, str(action), style)


P = TypeVar("P", bound=Position)
PlanPanel: TypeAlias = "Callable[[Game, str, Sequence[ui.Item[Any]]], ui.LayoutView]"
"""Builds the panel for a sealed plan in a game, given the text of the plan stored before, and the pictures to show."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The text and controls of a private panel; subclasses add what its picture shows."""

    text: str
    offers: Sequence[Sequence[ButtonSpec]]
    """Buttons in groups; each group begins a row."""
    menus: Sequence[Menu] = ()
    """Select menus above them."""


class FurtherPlace(NamedTuple):
    """A segment where the answer to a question puts a figure, with the letter of its button.

    ``figure`` is empty as long as the question is open.
    """

    letter: str
    segment: Segment
    figure: str


@dataclass(frozen=True, slots=True)
class TilePanel(Panel):
    """A panel about the tile in hand."""

    spots: Sequence[Cell] = ()
    """The spots to choose from, row by row."""
    elsewhere: Sequence[Cell] = ()
    """The spots in other parts of the board."""
    place: Place | None = None
    """The tile on trial."""
    piece: Action | None = None
    """The piece built with it."""
    turns: Sequence[int] = ()
    """The rotations in which it fits there, in the order of their buttons; empty if there is only one."""
    figure_places: Sequence[tuple[str, Segment]] = ()
    """The segments where a figure may stand, or will stand, with the letters of their buttons."""
    figure: str = ""
    """The chosen figure, if any."""
    further_places: Sequence[FurtherPlace] = ()
    """The segments where answers put a second figure, or may put one."""
    corners: Sequence[tuple[str, Action]] = ()
    """The actions that put a figure on a corner of the tile, with the letters of their buttons."""
    features: Sequence[Action] = ()
    """The features that the question is about, in the order of their letters."""
    decided: Sequence[Action] = ()
    """The actions decided before the question."""


class Listener(Protocol):
    """A player in screen reader mode, who is read the :class:`cogs.words.telling.TableDescription`."""

    @property
    def names(self) -> Sequence[str]:
        """The names of the seats."""

    def allows(self, hint: Hint) -> bool:
        """Return True if the table allows this hint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BasePresenter(Generic[P]):
    """The fields that a game and each of its boxes may fill in. All are empty by default.

    ``P`` is the position. Seats count from 0; ``names`` are the names of the seats.
    """

    categories: tuple[str, ...] = ()
    """The kinds of scores, in the order of the final table."""
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The values of each preference that holds for all games of this kind, by its key in
    :attr:`host.Preferences.choices`; the first value is the default."""
    foretold_events: tuple[type[Event], ...] = ()
    """Events of a plan that the composer tells in advance where the table allows it."""
    planning_events: tuple[type[Event], ...] = ()
    """Events after which everyone who may file a sealed plan is notified once."""
    plan_panel: Callable[[P, int], PlanPanel | None] = lambda _position, _seat: None
    """Returns the panel for a seat's sealed plan, or None if it has nothing to plan."""
    details: Callable[[Sequence[str], P], str] = lambda _names, _position: ""
    """Describes the subject of a decision where the headline does not say all, such as the lots of a bazaar."""
    details_pictured: Callable[[P], bool] = lambda _position: False
    """Returns True if the picture of the decision at hand shows those details, so that a card need not tell them."""
    additions: Callable[[P, PlacedTile], Iterable[str]] = lambda _position, _placed: ()
    """Describes the pieces built on a tile."""
    chapters: Mapping[str, Callable[[Listener, P], Iterable[str]]] = field(default_factory=dict)
    """Functions that describe further parts of the table in words; a name ends the key ``tell.part`` of a title."""
    beside_board: Callable[[Sequence[str], P], Iterator[str]] = lambda _names, _position: iter(())
    """Yields sentences about what the picture of a move shows beside the board, such as markers."""
    belongings: Callable[[P, int], Iterator[str]] = lambda _position, _seat: iter(())
    """Lists the public belongings of a seat: pieces left, goods, tiles."""
    out_of_turn: Callable[[P, int], str] = lambda _position, _seat: ""
    """Returns the key of a better refusal than "not your turn" for a seat that tries to decide; else empty."""
    lesson_topics: tuple[Topic, ...] = ()
    """The topics that the first lesson explains, in this order where several come up at once."""
    transfers: Callable[[Event], Iterable[tuple[int, str, int]]] = lambda _event: ()
    """Yields seat, category and points for each change of points by an event other than a score, such as a payment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Presenter(BasePresenter[P]):
    """The presentation of one game; :meth:`with_boxes` adds that of its boxes."""

    # -- the game itself --------------------------------------------------------------------------------------------

    default_expansions: tuple[str, ...] = ()
    """The expansions of a table whose owner chooses none."""
    expansion_names: Callable[[tuple[str, ...]], Sequence[str]]
    """Names what is played with these expansions."""
    rules_summary: Callable[[tuple[str, ...]], Iterator[str]]
    """Yields the rules in short, in parts, with these expansions."""
    expansions_asking_aside: Callable[[tuple[str, ...]], Sequence[str]] = lambda _expansions: ()
    """Returns those of the expansions that ask for decisions beside a turn (:attr:`engine.agenda.Step.aside`). Such
    decisions have their own time at each pace; ``pace_aside.EXPANSION.PACE`` says so."""
    remarks: Callable[[], Iterator[str]] = lambda: iter(())
    """Yields notes to read before deciding to play the game."""
    opening_remarks: Callable[[Any], Iterator[str]] = lambda _setup: iter(())
    """Yields the notes on the first card of a game, given its setup."""
    setup_remarks: Callable[[Any], Iterator[str]] = lambda _setup: iter(())
    """Yields the notes beside the rules of a game, given its setup."""

    # -- words ------------------------------------------------------------------------------------------------------

    headline: Callable[[Sequence[str], P, str], str]
    """Says what a player (a mention or a name) has to decide now; empty when the game is over."""
    sentence: Callable[[Sequence[str], Event], str]
    """Tells an event; empty for events that are not told."""
    action_words: Callable[[P, Action], str]
    """Describes an action that is legal in the position."""
    prospect: Callable[[Sequence[str], P, Action], str]
    """Says what a legal decision would cost its player, and what they would have left; empty if nothing is to add."""
    means: Callable[[P], str] = lambda _position: ""
    """Says what the player to move has that a decision may cost, such as points; empty where nothing is paid."""
    left: Callable[[P, int], Iterator[str]]
    """Lists the belongings that a seat may still use in a move, for the small print of a card."""
    tile_kind: Callable[[P, str], TileKind]
    """Returns the tile with this id."""
    tile_words: Callable[[TileKind], str]
    """Describes a tile in short."""
    tile_aloud: Callable[[TileKind, int], str]
    """Describes all that is drawn on a tile in this rotation (degrees), side by side, for players who listen."""
    feature_points: Callable[[P, Feature], int]
    """Returns the points of a feature if completed as it is, or at the end of the game if it never completes."""
    also_revealed: Callable[[P, P], Iterable[str]] = lambda _before, _after: ()
    """Names what was turned up between two positions, apart from tiles of the pile; an undo would hide it again."""
    border_words: Callable[[P, Cell], str] = lambda _position, _cell: ""
    """Describes a cell where no tile can lie; empty for others."""

    # -- decisions --------------------------------------------------------------------------------------------------

    turn: Turn[P]
    """The structure of a turn, as the composer asks for it."""
    offers: Callable[[P], Sequence[ButtonSpec]]
    """Returns the buttons of a decision that is made on the card; none where [Play] opens the composer instead."""
    menus: Callable[[P], Sequence[Menu]] = lambda _position: ()
    """Returns the menus of answers to that decision for which there are too few buttons."""
    commits_least: Callable[[P, Action], bool] = lambda _position, _action: False
    """Returns True for an answer that commits its player to as little as possible: a pass, the lowest bid."""
    at_once: Callable[[P, Action], bool] = lambda _position, _action: False
    """Returns True for an answer after which its player goes on, such as drawing a tile: it is never held back."""

    # -- pictures (drawn in worker threads) -------------------------------------------------------------------------

    warm_up: Callable[..., Iterator[None]]
    """Draws the sprites of a theme's cards in advance, one at each step; optionally only those of some expansions."""
    card_picture: Callable[[Game, P, Theme], Picture]
    """Draws the board or its part around the last move, and the tile to be placed, in the shape of a card."""
    board_picture: Callable[[P, Theme], Picture]
    """Draws the whole board."""
    hints_picture: Callable[[P, DeadCells, Sequence[Holding], Theme], Picture]
    """Draws the whole board with the cells that no tile fits, and with the holders of each field."""
    decision_pictures: Callable[[Game, P, Theme], list[AltPicture]]
    """Draws the subject of the decision at hand, where it has a picture of its own."""
    composer_pictures: Callable[[P, TilePanel, Theme, str], list[AltPicture]]
    """Draws the subject of a composer panel; the last argument is a hash of the position, which caches use as a key."""
    score_pictures: Callable[[Game, P, Theme], list[AltPicture]] = lambda _game, _position, _theme: []
    """Draws the score track and the belongings, where the board does not show them."""
    replay_picture: Callable[[Sequence[P], Sequence[str], Theme], Picture]
    """Draws a whole game as one animated picture, from its positions."""
    tiles_picture: Callable[[P, Mapping[str, int], Theme], Picture]
    """Draws every tile of the game with the number left, by id."""

    def with_boxes(self, boxes: Collection[BasePresenter[P]]) -> Presenter[P]:
        """Return this presenter combined with those of the game's boxes, field by field.

        Functions ask the boxes when they are called, so that ``boxes`` may be a view of a registry. Where a field has
        one value only, the first box that has one decides.
        """
        parts = (self, *boxes)

        def live() -> Iterator[BasePresenter[P]]:
            return iter((self, *boxes))

        return replace(
            self,
            categories=tuple(category for part in parts for category in part.categories),
            choices={key: values for part in parts for key, values in part.choices.items()},
            foretold_events=tuple(event for part in parts for event in part.foretold_events),
            planning_events=tuple(event for part in parts for event in part.planning_events),
            lesson_topics=tuple(topic for part in parts for topic in part.lesson_topics),
            chapters={name: chapter for part in parts for name, chapter in part.chapters.items()},
            plan_panel=lambda position, seat: next(
                filter(None, (part.plan_panel(position, seat) for part in live())), None
            ),
            details=lambda names, position: "\n".join(filter(None, (part.details(names, position) for part in live()))),
            details_pictured=lambda position: any(part.details_pictured(position) for part in live()),
            additions=lambda position, placed: (words for part in live() for words in part.additions(position, placed)),
            beside_board=lambda names, position: (
                words for part in live() for words in part.beside_board(names, position)
            ),
            belongings=lambda position, seat: (words for part in live() for words in part.belongings(position, seat)),
            out_of_turn=lambda position, seat: next(
                filter(None, (part.out_of_turn(position, seat) for part in live())), ""
            ),
            transfers=lambda event: (transfer for part in live() for transfer in part.transfers(event)),
        )

    def points(self, events: Iterable[Event], players: int) -> list[dict[str, int]]:
        """Return the points by category for each seat."""
        points: list[dict[str, int]] = [defaultdict(int) for _ in range(players)]
        for event in events:
            if isinstance(event, Scored):
                points[event.player][event.kind] += event.points
            for seat, category, gain in self.transfers(event):
                points[seat][category] += gain
        return points

    def panel_pictures(self, game: Game, position: P, panel: Panel, theme: Theme) -> list[AltPicture]:
        """Draw the pictures of a private panel: of the composer, or of a decision."""
        if isinstance(panel, TilePanel):
            return self.composer_pictures(position, panel, theme, game.digest)
        return self.decision_pictures(game, position, theme)


def last_tile_marks(position: Position) -> list[Mark]:
    """Return the marks of the last tile that each player laid."""
    last = {placed.player: placed.cell for placed in position.placed()}
    return [Mark(cell, player) for player, cell in last.items() if player >= 0]
