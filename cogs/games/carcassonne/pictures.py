"""The pictures of Carcassonne with their alt texts. Runs in worker threads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from cogs.games.carcassonne.box import BOXES, question_of
from cogs.games.carcassonne.words import figure_words
from cogs.presenting.presenter import Shown, TilePanel
from cogs.texts import t
from cogs.words.alt_texts import LONGEST, ghost_alt
from cogs.words.names import pictured_names, plain_names
from cogs.words.story import whole
from engine.carcassonne import Position, tile
from renderers import Guides, Held, Mark, NumberedPlace, Picture, Spot, Theme
from renderers.carcassonne import Ghost, Tally, composer, remaining, score_panel, turn_card, whole_board

if TYPE_CHECKING:
    from engine import Action, Cell
    from engine.carcassonne import Axis, Segment
    from engine.hints import DeadCells, Holding
    from host import Game


def turn_pictures(position: Position, theme: Theme) -> Sequence[Picture]:
    """The surroundings of the last move, and the whole board if that shows more."""
    pictures = turn_card(position, _marks(position), theme=theme)
    return [pictures.focus] if pictures.alike else [pictures.focus, pictures.board]


def board_picture(position: Position, theme: Theme) -> Picture:
    """The whole board."""
    return whole_board(position, _marks(position), theme=theme)


def hints_picture(position: Position, dead: DeadCells, holdings: Iterable[Holding], theme: Theme) -> Picture:
    """The whole board, fields in their holders' colours, and crosses where nothing fits."""
    fields = tuple(
        Held(holding.field.owners, cast("tuple[tuple[Cell, Segment], ...]", holding.field.parts))
        for holding in holdings
    )
    guides = Guides(fields, frozenset(dead.dead), frozenset(dead.aided))
    return whole_board(position, _marks(position), theme=theme, guides=guides)


def _marks(position: Position) -> list[Mark]:
    """The last tile of each player."""
    return [Mark(cell, player) for player, cell in _last_cells(position).items() if player >= 0]


def _last_cells(position: Position) -> dict[int, Cell]:
    return {placed.player: placed.cell for placed in position.placed()}


def decision_pictures(game: Game, position: Position, theme: Theme) -> list[Shown]:
    """The picture of a decision that a box asks for; none for others."""
    question = question_of(position)
    return question.pictures(game, position, position.step, theme) if question else []


def score_pictures(game: Game, position: Position, theme: Theme) -> list[Shown]:
    """The score track, what everybody has left, and what boxes give."""
    tallies = [
        Tally(seat, name, position.scores[seat], _left(position, seat), next=seat == position.player)
        for seat, name in enumerate(pictured_names(game))
    ]
    scores = ", ".join(
        t("alt.score", player=name, points=tally.points) for name, tally in zip(plain_names(game), tallies, strict=True)
    )
    return [Shown(score_panel(tallies, theme=theme), whole(t("alt.track", scores=scores), LONGEST))]


def _left(position: Position, seat: int) -> dict[str, int]:
    counted = {piece: left[seat] for piece, left in position.supply.items()}
    for name in position.setup.expansions:
        counted.update(BOXES[name].counted(position, seat))
    return counted


def tiles_picture(position: Position, left: Mapping[str, int], theme: Theme) -> Picture:
    """Every tile of the game with how many are left, by id."""
    kinds = map(tile, sorted(set(position.setup.pile)))
    return remaining([(kind, left.get(kind.id, 0)) for kind in kinds], theme=theme)


def composer_pictures(position: Position, panel: TilePanel, theme: Theme, state: str = "") -> list[Shown]:
    """The spots with their letters, or the tile on trial with its numbers."""
    spots = [Spot(cell, letter) for cell, letter in panel.letters]
    ghost, alt = None, t("alt.spots", spots=_listed(spots))
    if panel.place is not None and position.hand is not None:
        place = panel.place
        ghost = Ghost(place.cell, position.hand, place.rotation, _trial(panel.piece))
        alt = ghost_alt(place, panel.numbers, figure_words(panel.figure) if panel.figure else "")
    numbers = [NumberedPlace(number, segment, panel.figure) for number, segment in panel.numbers]
    picture = composer(position, spots, ghost, numbers, theme=theme, state=state)
    return [Shown(picture, whole(alt, LONGEST))]


def _trial(piece: Action | None) -> tuple[Cell, Axis] | None:
    """What is built with the tile, as the renderers know it."""
    tried = (box.trial(piece) for box in BOXES.values()) if piece is not None else ()
    return next(filter(None, tried), None)


def _listed(spots: Iterable[Spot]) -> str:
    return ", ".join(f"{spot.letter} {spot.cell.label}" for spot in spots)
