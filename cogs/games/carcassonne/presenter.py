"""The presenter of Carcassonne: headlines and buttons, the turn in the composer, and pictures with alt texts.

Pictures are drawn in worker threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, cast

from cogs.games.carcassonne.box import BOXES, question_of
from cogs.games.carcassonne.lesson_topics import TOPICS
from cogs.games.carcassonne.words import action_words, figure_words, segment_on, sentence, tile_aloud, tile_words
from cogs.presenting.presenter import AltPicture, ButtonSpec, Menu, Presenter, TilePanel, act, last_tile_marks
from cogs.presenting.turn import PlanOutcome, Turn
from cogs.texts import listed, t
from cogs.words.alt_texts import MAX_ALT_LENGTH, composer_alt
from cogs.words.names import capital, pictured_names, plain_names, segment_words
from cogs.words.story import fit_text, has_long_names
from engine import Action, Cell, Deploy, IllegalActionError
from engine.carcassonne import (
    DEFAULT_EXPANSIONS,
    REGISTRY,
    Axis,
    DeployFollower,
    PlaceTile,
    Position,
    Segment,
    ordered_action,
    potential_points,
    tile,
)
from engine.carcassonne.box import Box
from engine.carcassonne.double_turns import first_tile
from engine.carcassonne.table import nowhere
from engine.carcassonne.tiles import BASE_SET
from engine.events import Completed, Scored
from engine.hints import DeadCells, Holding
from host import Game
from renderers import FigurePlace, Guides, HeldField, Picture, Theme
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


def headline(names: Sequence[str], position: Position, player: str) -> str:
    """Say what ``player`` (a mention or a name) has to decide now; empty when the game is over."""
    match position.step:
        case PlaceTile(tile=tile) as step:
            ending = origin_suffix(position, step)
            return t(f"headline.place{ending}", player=player, turn=position.turn, tile=tile_words(tile))
        case DeployFollower():
            return t("headline.deploy", player=player)
        case step:
            question = question_of(position)
            return question.headline(names, position, step, player) if question else ""


def origin_suffix(position: Position, step: PlaceTile) -> str:
    """Return the suffix of a key that says where the tile in hand comes from; empty if from the pile."""
    own = (box.tile_origins.get(type(step), "") for box in BOXES.values())
    if ending := next(filter(None, own), ""):
        return ending
    if not step.drawn:
        return "_bought"
    return "_second" if first_tile(position) >= 0 else ""


def offers(position: Position) -> list[ButtonSpec]:
    """Return the buttons of the decision at hand; none while a tile is to be placed or the game is over."""
    if isinstance(position.step, DeployFollower):  # the composer decides about it together with the tile
        return [act(action, capital(action_words(position, action))) for action in position.legal_actions]
    question = question_of(position)
    return question.offers(position, position.step) if question else []


def menus(position: Position) -> list[Menu]:
    """Return the menus of answers for which there are too few buttons."""
    question = question_of(position)
    return question.menus(position, position.step) if question else []


def prospect(names: Sequence[str], position: Position, action: Action) -> str:
    """Say in one line what an answer would cost the player, and what they would have left; empty if nothing."""
    question = question_of(position)
    return question.prospect(names, position, position.step, action) if question else ""


def means(position: Position) -> str:
    """Say what the player to move has that an answer may cost; empty if an answer costs nothing."""
    question = question_of(position)
    return question.means(position, position.step) if question else ""


def commits_least(position: Position, action: Action) -> bool:
    """Return True for an answer that commits its player to as little as possible: a pass, the lowest bid."""
    question = question_of(position)
    return question is not None and question.commits_least(position.step, action)


def at_once(position: Position, action: Action) -> bool:
    """Return True for an answer after which its player goes on, so that it is not held back."""
    question = question_of(position)
    return question is not None and question.at_once(position, position.step, action)


def _tile_line(position: Position) -> str:
    """Say which tile is to be laid."""
    if not isinstance(position.step, PlaceTile):
        raise IllegalActionError("no tile is to be laid")
    ending = origin_suffix(position, position.step)
    return t(f"panel.tile{ending}", turn=position.turn, tile=tile_words(position.step.tile))


def _figure_lines(position: Position, deploys: Sequence[Deploy], later: bool) -> Iterator[str]:  # noqa: FBT001 - a callback
    """Introduce the figures that may be deployed, or say why there are none."""
    return (t(f"panel.{key}") for key in _figure_keys(position, deploys, later=later))


def _figure_keys(position: Position, deploys: Sequence[Deploy], *, later: bool) -> Iterator[str]:
    """Yield the keys about figures: which one to deploy, that none may stand here, or that none is left.

    If a box asks for its figure ``later`` in the turn, nothing is said that its question would contradict.
    """
    player, supply = position.player, position.supply
    available = [
        figure for name, figure in position.figures.items() if supply[name][player] and figure.places is not nowhere
    ]
    followers = any(figure.is_follower for figure in available)
    if deploys:
        yield _figure_word(position, deploys)
    elif followers:
        yield "no_follower" if later or all(figure.is_follower for figure in available) else "no_figure"
    elif not later:
        yield "none_left"
        if available:
            yield "no_other_figure"


def _no_figure_label(position: Position, deploys: Sequence[Deploy]) -> str:
    """Label the button that deploys no figure."""
    return t(f"button.no_{_figure_word(position, deploys)}")


def _figure_word(position: Position, deploys: Sequence[Deploy]) -> str:
    """Return the part of a key that names the figures: follower or figure."""
    return "follower" if all(position.figures[deploy.figure].is_follower for deploy in deploys) else "figure"


def _question_lines(_: Sequence[str], outcome: PlanOutcome[Position]) -> Iterator[str]:
    """Ask the next question, in the words of the box that it belongs to."""
    question = question_of(outcome.after)
    return question.asked(outcome.after, outcome.after.step) if question and question.asked else iter(())


def _afterwards_lines(names: Sequence[str], outcome: PlanOutcome[Position]) -> Iterator[str]:
    """Say who is asked once the move is made: its player, who left the question open, or another one."""
    question = question_of(outcome.after)
    return question.afterwards(names, outcome, outcome.after.step) if question else iter(())


def _answer_figure(action: Action) -> tuple[str, str] | None:
    """Return the segment on which an answer puts a figure, and the figure; None for all other answers."""
    return next(filter(None, (box.answer_figure(action) for box in BOXES.values())), None)


def _corner_figure(action: Action) -> tuple[str, tuple[float, float]] | None:
    """Return the figure that an action puts on a corner of the tile just laid, and that point of it; else None."""
    return next(filter(None, (box.corner_figure(action) for box in BOXES.values())), None)


_ASKED: Final = tuple(
    step for box in BOXES.values() for step, question in box.questions.items() if question.asked is not None
)
TURN: Final[Turn[Position]] = Turn(
    deploy_step=DeployFollower,
    question_steps=_ASKED,
    continuing_steps=(DeployFollower,),
    questions_may_wait=True,
    standing_answer=ordered_action,
    instead=tuple(kind for box in BOXES.values() for kind in box.instead),
    openings=tuple(kind for box in BOXES.values() for kind in box.openings),
    piece=next((box.piece for box in BOXES.values() if box.piece is not None), None),
    tile_line=_tile_line,
    segment=segment_on,
    figure_lines=_figure_lines,
    no_figure_label=_no_figure_label,
    question_lines=_question_lines,
    afterwards_lines=_afterwards_lines,
    answer_figure=_answer_figure,
    corner_figure=_corner_figure,
    foretold_sentence=sentence,
)


def card_picture(game: Game, position: Position, theme: Theme) -> Picture:
    """Draw the surroundings of the last move, and the tile to be placed."""
    return turn_card(position, last_tile_marks(position), theme=theme, low=has_long_names(game))


def board_picture(position: Position, theme: Theme) -> Picture:
    """Draw the whole board."""
    return whole_board(position, last_tile_marks(position), theme=theme)


def hints_picture(position: Position, dead: DeadCells, holdings: Iterable[Holding], theme: Theme) -> Picture:
    """Draw the whole board with fields in their holders' colours and crosses where no tile fits."""
    fields = tuple(
        HeldField(holding.field.owners, cast("tuple[tuple[Cell, Segment], ...]", holding.field.parts))
        for holding in holdings
    )
    guides = Guides(fields, frozenset(dead.dead), frozenset(dead.aided))
    return whole_board(position, last_tile_marks(position), theme=theme, guides=guides)


def decision_pictures(game: Game, position: Position, theme: Theme) -> list[AltPicture]:
    """Draw the subject of a box's question; nothing for other decisions."""
    question = question_of(position)
    return question.pictures(game, position, position.step, theme) if question else []


def score_pictures(game: Game, position: Position, theme: Theme) -> list[AltPicture]:
    """Draw the score track with the pieces left and the belongings from boxes."""
    tallies = [
        Tally(seat, name, position.scores[seat], _counted_belongings(position, seat), next=seat == position.player)
        for seat, name in enumerate(pictured_names(game))
    ]
    scores = ", ".join(
        t("alt.score", player=name, points=tally.points) for name, tally in zip(plain_names(game), tallies, strict=True)
    )
    return [AltPicture(score_panel(tallies, theme=theme), fit_text(t("alt.track", scores=scores), MAX_ALT_LENGTH))]


def _counted_belongings(position: Position, seat: int) -> dict[str, int]:
    """Count the pieces of a seat, and the other belongings that it has, by the names of their icons."""
    counts = {piece: supplies[seat] for piece, supplies in position.supply.items()}
    for name in position.setup.expansions:
        counts |= {icon: count for icon, count in BOXES[name].counted(position, seat).items() if count}
    return counts


def tiles_picture(position: Position, counts: Mapping[str, int], theme: Theme) -> Picture:
    """Draw every tile of the game with the number left, by id."""
    kinds = map(tile, sorted(set(position.setup.pile)))
    return remaining([(kind, counts.get(kind.id, 0)) for kind in kinds], position=position, theme=theme)


def composer_pictures(position: Position, panel: TilePanel, theme: Theme, state: str = "") -> list[AltPicture]:
    """Draw the spots, or the tile on trial with its rotations and places."""
    ghost = None
    if panel.place is not None and position.hand is not None:
        ghost = Ghost(panel.place.cell, position.hand, panel.place.rotation, _trial(panel.piece))
    places = [FigurePlace(letter, segment, panel.figure) for letter, segment in panel.figure_places]
    places += [FigurePlace(*further) for further in panel.further_places]
    if ghost is not None:
        segment = ghost.tile.faces[ghost.rotation // 90].segments[0]
        places += _corner_places(panel, segment)
    guides = Guides(elsewhere=tuple(panel.elsewhere))
    picture = composer(position, panel.spots, ghost, places, panel.turns, theme=theme, guides=guides, state=state)
    alt = composer_alt(panel, figure_words(panel.figure) if panel.figure else "")
    offered = [f"{letter} {action_words(position, action)}" for letter, action in panel.corners]
    decided = [capital(action_words(position, action)) for action in panel.decided if _corner_figure(action)]
    return [AltPicture(picture, fit_text(". ".join([alt, *_further_alt(panel), *offered, *decided]), MAX_ALT_LENGTH))]


def _corner_places(panel: TilePanel, segment: Segment) -> Iterator[FigurePlace]:
    """Yield the places on corners of the tile: those offered with their letters, those decided with the figure."""
    for letter, action in panel.corners:
        if placed := _corner_figure(action):
            yield FigurePlace(letter, segment, at=placed[1])
    for action in panel.decided:
        if placed := _corner_figure(action):
            yield FigurePlace("", segment, *placed)


def _further_alt(panel: TilePanel) -> Iterator[str]:
    """Describe the places of a second figure: where it will stand, or the letters where it may."""
    for letter, segment, name in panel.further_places:
        if name:
            yield t("alt.further_standing", figure=figure_words(name), letter=letter, segment=segment_words(segment))
    if any(not place.figure for place in panel.further_places):
        yield t("alt.further_letters")


def _trial(piece: Action | None) -> tuple[Cell, Axis] | None:
    """Return the piece on trial as the renderers take it."""
    tried = (box.trial(piece) for box in BOXES.values()) if piece is not None else ()
    return next(filter(None, tried), None)


def _rules_summary(expansions: tuple[str, ...]) -> Iterator[str]:
    """Yield the rules of the base game, then of each expansion with the box that it comes from."""
    yield t(f"rules.{BASE_SET}")
    for name in expansions:
        yield t(f"rules.{name}")
        yield _box_origin(REGISTRY[name])


def _box_origin(box: Box) -> str:
    """Name the number and years of an expansion's box."""
    years = listed([str(year) for year in box.years])
    if not box.number:
        return t("rules.box_small")
    return t("rules.box" if years else "rules.box_undated", number=box.number, years=years)


def _expansions_asking_aside(expansions: tuple[str, ...]) -> list[str]:
    """Find the expansions with a step that is asked beside a turn (:attr:`engine.agenda.Step.out_of_turn`)."""
    return [name for name in expansions if any(step.out_of_turn for step in BOXES[name].questions)]


def _belongings(position: Position, seat: int) -> Iterator[str]:
    """Count the pieces left. If each player has only one of a figure, say instead whether it is at home."""
    for piece, counts in position.supply.items():
        if piece in position.figures and position.figures[piece].count == 1:
            yield t(f"piece.{piece}_{'home' if counts[seat] else 'out'}")
        else:
            yield t(f"piece.{piece}", count=counts[seat])


def _left(position: Position, seat: int) -> Iterator[str]:
    """Count the pieces left. A figure of which each player has only one is left out while it is on the board."""
    for piece, counts in position.supply.items():
        if piece not in position.figures or position.figures[piece].count > 1:
            yield t(f"piece.{piece}", count=counts[seat])
        elif counts[seat]:
            yield t(f"piece.{piece}_home")


_OWN_PRESENTER: Final[Presenter[Position]] = Presenter(
    categories=("city", "road", "monastery", "field"),
    lesson_topics=TOPICS,
    foretold_events=(Scored, Completed),
    default_expansions=DEFAULT_EXPANSIONS,
    expansion_names=lambda expansions: [t(f"expansion.{name}") for name in expansions or (BASE_SET,)],
    rules_summary=_rules_summary,
    expansions_asking_aside=_expansions_asking_aside,
    headline=headline,
    sentence=sentence,
    action_words=action_words,
    prospect=prospect,
    means=means,
    tile_kind=lambda _position, tile_id: tile(tile_id),
    tile_words=tile_words,
    tile_aloud=tile_aloud,
    feature_points=lambda position, feature: potential_points(position, feature.parts[0][0], feature.parts[0][1].name),
    belongings=_belongings,
    left=_left,
    turn=TURN,
    offers=offers,
    menus=menus,
    commits_least=commits_least,
    at_once=at_once,
    warm_up=warm_up,
    card_picture=card_picture,
    board_picture=board_picture,
    hints_picture=hints_picture,
    decision_pictures=decision_pictures,
    composer_pictures=composer_pictures,
    score_pictures=score_pictures,
    replay_picture=lambda positions, names, theme: replay(positions, names, theme=theme),
    tiles_picture=tiles_picture,
)
PRESENTER: Final = _OWN_PRESENTER.with_boxes(BOXES.values())
