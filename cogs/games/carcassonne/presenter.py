"""Carcassonne as it is presented: the questions asked, the turn as the composer asks for it, pictures with alt texts.

The pictures are drawn in worker threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from cogs.games.carcassonne.box import BOXES, question_of
from cogs.games.carcassonne.words import action_words, figure_words, lying, segment_on, sentence, tile_words
from cogs.presenting.presenter import ButtonSpec, Presenter, Shown, TilePanel, act
from cogs.presenting.turn import Course, Turn
from cogs.texts import listed, t
from cogs.words.alt_texts import LONGEST, ghost_alt
from cogs.words.names import capital, pictured_names, plain_names
from cogs.words.story import whole
from engine import Action, Deploy, IllegalActionError
from engine.carcassonne import DEFAULT_EXPANSIONS, REGISTRY, DeployFollower, PlaceTile, Position, ordered, outlook, tile
from engine.carcassonne.double_turns import first_tile
from engine.carcassonne.tiles import BASE_SET
from engine.events import Completed, Scored
from renderers import Guides, Held, Mark, NumberedPlace, Picture, Spot, Theme
from renderers.carcassonne import (
    Ghost,
    Tally,
    composer,
    remaining,
    replay,
    score_panel,
    turn_card,
    warm_up,
    whole_board,
)

if TYPE_CHECKING:
    from cogs.presenting.presenter import PlanForm
    from engine import Action, Cell
    from engine.carcassonne import Axis, Segment
    from engine.carcassonne.box import Box
    from engine.events import Event
    from engine.hints import DeadCells, Holding
    from engine.views import PlacedTile
    from host import Game


def headline(names: Sequence[str], position: Position, player: str) -> str:
    """What ``player`` (a mention or a name) has to decide now; empty when the game is over."""
    match position.step:
        case PlaceTile(tile=tile) as step:
            ending = origin(position, step)
            return t(f"headline.place{ending}", player=player, turn=position.turn, tile=tile_words(tile))
        case DeployFollower():
            return t("headline.deploy", player=player)
        case step:
            question = question_of(position)
            return question.headline(names, position, step, player) if question else ""


def origin(position: Position, step: PlaceTile) -> str:
    """How the keys of sentences end that say where the tile in hand comes from: from the pile when they say nothing."""
    if not step.drawn:
        return "_bought"
    return "_second" if first_tile(position) >= 0 else ""


def details(names: Sequence[str], position: Position) -> str:
    """What the decision is about, or what waits for somebody."""
    return "\n".join(filter(None, (box.details(names, position) for box in BOXES.values())))


def offers(position: Position) -> list[ButtonSpec]:
    """The buttons of the decision at hand; none while a tile is to be placed or the game is over."""
    if isinstance(position.step, DeployFollower):  # the composer decides about it together with the tile
        return [act(action, capital(action_words(position, action))) for action in position.legal_actions]
    question = question_of(position)
    return question.offers(position, position.step) if question else []


def prospect(names: Sequence[str], position: Position, action: Action) -> str:
    """What an answer would cost and leave, in one line; empty where nothing is to be said."""
    question = question_of(position)
    return question.prospect(names, position, position.step, action) if question else ""


def _tile(position: Position) -> str:
    """Which tile is to be laid."""
    if not isinstance(position.step, PlaceTile):
        raise IllegalActionError("no tile is to be laid")
    ending = origin(position, position.step)
    return t(f"panel.tile{ending}", turn=position.turn, tile=tile_words(position.step.tile))


def _figure_lines(position: Position, deploys: Sequence[Deploy]) -> Iterator[str]:
    return (t(f"panel.{key}") for key in _asked_figure(position, deploys))


def _asked_figure(position: Position, deploys: Sequence[Deploy]) -> Iterator[str]:
    """The keys of what is said of figures: which one, none that may stand here, or none left at all."""
    player, supply = position.player, position.supply
    left = [figure for name, figure in position.figures.items() if supply[name][player]]
    followers = any(figure.is_follower for figure in left)
    if not followers:
        yield "none_left"
    if deploys:
        yield _kind(position, deploys)
    elif followers:
        yield "no_follower" if all(figure.is_follower for figure in left) else "no_figure"
    elif left:
        yield "no_other_figure"


def _nobody(position: Position, deploys: Sequence[Deploy]) -> str:
    return t(f"button.no_{_kind(position, deploys)}")


def _kind(position: Position, deploys: Sequence[Deploy]) -> str:
    """What may be put down, in one word."""
    return "follower" if all(position.figures[deploy.figure].is_follower for deploy in deploys) else "figure"


def _question(_: Sequence[str], ahead: Course[Position]) -> Iterator[str]:
    question = question_of(ahead.after)
    return question.asked(ahead.after, ahead.after.step) if question and question.asked else iter(())


def _afterwards(names: Sequence[str], ahead: Course[Position]) -> Iterator[str]:
    """Who is asked when the move is made: its player, who left it open, or somebody else."""
    question = question_of(ahead.after)
    return question.afterwards(names, ahead, ahead.after.step) if question else iter(())


_ASKED: Final = tuple(
    step for box in BOXES.values() for step, question in box.questions.items() if question.asked is not None
)
TURN: Final[Turn[Position]] = Turn(
    deploying=DeployFollower,
    asked=_ASKED,
    together=(DeployFollower,),
    leaves_open=True,
    answer=ordered,
    piece=next((box.piece for box in BOXES.values() if box.piece is not None), None),
    tile=_tile,
    segment=segment_on,
    figures=_figure_lines,
    nobody=_nobody,
    question=_question,
    afterwards=_afterwards,
    told=(Scored, Completed, *(event for box in BOXES.values() for event in box.told)),
    foretold=sentence,
)


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


def _in_short(expansions: tuple[str, ...]) -> Iterator[str]:
    """The base game, then each expansion with the box that it comes from."""
    yield t(f"rules.{BASE_SET}")
    for name in expansions:
        yield t(f"rules.{name}")
        yield _which_box(REGISTRY[name])


def _which_box(box: Box) -> str:
    """Where an expansion stands among those of its publisher."""
    years = listed([str(year) for year in box.years])
    if not box.number:
        return t("rules.box_small")
    return t("rules.box" if years else "rules.box_undated", number=box.number, years=years)


def _asking_aside(expansions: tuple[str, ...]) -> list[str]:
    """Find the expansions of which a step is asked beside a turn (:attr:`engine.agenda.Step.aside`)."""
    return [name for name in expansions if any(step.aside for step in BOXES[name].questions)]


def _belongings(position: Position, seat: int) -> Iterator[str]:
    """What is left of each piece, where figures are of which each player has one, and what boxes give."""
    for piece, counts in position.supply.items():
        if piece in position.figures and position.figures[piece].count == 1:
            yield t(f"piece.{piece}_{'home' if counts[seat] else 'out'}")
        else:
            yield t(f"piece.{piece}", count=counts[seat])
    for box in BOXES.values():
        yield from box.belongings(position, seat)


def _out_of_turn(position: Position, seat: int) -> str:
    return next(filter(None, (box.out_of_turn(position, seat) for box in BOXES.values())), "")


def _plan_form(position: Position, seat: int) -> PlanForm | None:
    return next(filter(None, (box.plan_form(position, seat) for box in BOXES.values())), None)


def _gains(event: Event) -> Iterator[tuple[int, str, int]]:
    return (gain for box in BOXES.values() for gain in box.gains(event))


def _upon(position: Position, placed: PlacedTile) -> Iterator[str]:
    return (words for box in BOXES.values() for words in box.upon(position, placed))


_FEATURES: Final = ("city", "road", "monastery", "field")
PRESENTER: Final[Presenter[Position]] = Presenter(
    choices=dict(pair for box in BOXES.values() for pair in box.choices.items()),
    calling=tuple(event for box in BOXES.values() for event in box.calling),
    categories=(*_FEATURES, *(category for box in BOXES.values() for category in box.categories)),
    expansions=DEFAULT_EXPANSIONS,
    played=lambda expansions: [t(f"expansion.{name}") for name in expansions or (BASE_SET,)],
    in_short=_in_short,
    asking_aside=_asking_aside,
    headline=headline,
    details=details,
    sentence=sentence,
    action_words=action_words,
    prospect=prospect,
    kind=lambda _position, tile_id: tile(tile_id),
    tile_words=tile_words,
    lying=lying,
    worth=lambda position, feature: outlook(position, feature.parts[0][0], feature.parts[0][1].name),
    upon=_upon,
    chapters={name: chapter for box in BOXES.values() for name, chapter in box.chapters.items()},
    belongings=_belongings,
    out_of_turn=_out_of_turn,
    gains=_gains,
    turn=TURN,
    offers=offers,
    plan_form=_plan_form,
    ahead=warm_up,
    turn_pictures=turn_pictures,
    board_picture=board_picture,
    hints_picture=hints_picture,
    decision_pictures=decision_pictures,
    composer_pictures=composer_pictures,
    score_pictures=score_pictures,
    replay_picture=lambda positions, names, theme: replay(positions, names, theme=theme),
    tiles_picture=tiles_picture,
)
