"""The pictures of The Castle with their alt texts. Runs in worker threads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cogs.games.the_castle.questions import asked_features
from cogs.games.the_castle.words import feature_words
from cogs.presenting.presenter import Shown, TilePanel
from cogs.presenting.turn import LETTERS
from cogs.texts import listed, t
from cogs.words.alt_texts import LONGEST, ghost_alt
from cogs.words.story import whole
from engine import Action, Cell
from engine.hints import DeadCells
from engine.the_castle import Position, ScoreFeature, Segment
from renderers import Guides, Mark, NumberedPlace, Picture, Spot, Theme
from renderers.the_castle import Area, Ghost, composer, order_question, remaining, turn_card, whole_board


def turn_pictures(position: Position, theme: Theme) -> Sequence[Picture]:
    """The surroundings of the last move, and the whole castle."""
    pictures = turn_card(position, _marks(position), theme=theme)
    return [pictures.focus] if pictures.alike else [pictures.focus, pictures.board]


def board_picture(position: Position, theme: Theme) -> Picture:
    """The whole castle."""
    return whole_board(position, _marks(position), theme=theme)


def hints_picture(position: Position, dead: DeadCells, _: object, theme: Theme) -> Picture:
    """The whole castle with the cells where nothing fits; there are no fields."""
    return whole_board(position, _marks(position), guides=Guides(dead=frozenset(dead.dead)), theme=theme)


def _marks(position: Position) -> list[Mark]:
    """The last tile of each player."""
    last = {placed.player: placed.cell for placed in position.placed()}
    return [Mark(cell, player) for player, cell in last.items()]


def decision_pictures(_: object, position: Position, theme: Theme) -> list[Shown]:
    """The features that a question is about."""
    features = asked_features(position)
    return [_question(position, features, theme)] if features else []


def _question(position: Position, features: Sequence[ScoreFeature], theme: Theme) -> Shown:
    """One feature alone needs no letter."""
    lettered = list(zip(LETTERS if len(features) > 1 else ("",), features, strict=False))
    areas = [Area(letter, _parts(position, feature)) for letter, feature in lettered]
    words = [f"{letter} {feature_words(position, feature)}".lstrip() for letter, feature in lettered]
    return Shown(order_question(position, areas, theme=theme), whole(t("alt.order", features=listed(words)), LONGEST))


def _parts(position: Position, feature: ScoreFeature) -> tuple[tuple[Cell, Segment], ...]:
    """Everything that a feature consists of."""
    parts = position.feature_at(feature.cell, feature.segment).parts
    return tuple((cell, part) for cell, part in parts if isinstance(part, Segment))


def tiles_picture(position: Position, left: Mapping[str, int], theme: Theme) -> Picture:
    """Every tile of the game with how many are left, by id."""
    return remaining([(kind, left.get(kind.id, 0)) for kind in position.setup.tiles.kinds.values()], theme=theme)


def composer_pictures(position: Position, panel: TilePanel, theme: Theme, _state: str = "") -> list[Shown]:
    """The spots with their letters, the tile on trial with its numbers, or what a question is about."""
    if panel.features:
        return decision_pictures(None, _after(position, panel.decided), theme)
    spots = [Spot(cell, letter) for cell, letter in panel.letters]
    ghost, alt = None, t("alt.spots", spots=_listed(spots))
    if panel.place is not None and position.hand is not None:
        place = panel.place
        ghost = Ghost(place.cell, position.hand, place.rotation)
        alt = ghost_alt(place, panel.numbers, t(f"role.{panel.numbers[0][1].kind}") if panel.figure else "")
    numbers = [NumberedPlace(number, segment, panel.figure) for number, segment in panel.numbers]
    picture = composer(position, spots, ghost, numbers, theme=theme)
    return [Shown(picture, whole(alt, LONGEST))]


def _after(position: Position, actions: Iterable[Action]) -> Position:
    """What is asked about, as far as anybody may know."""
    after = position.veiled()
    for action in actions:
        after.apply(action)
    return after


def _listed(spots: Iterable[Spot]) -> str:
    return ", ".join(f"{spot.letter} {spot.cell.label}" for spot in spots)
