"""The presenter of The Castle: headlines and buttons, the turn in the composer, and pictures with alt texts.

Pictures are drawn in worker threads. The answers to a question after a tile has been laid are the same on the card
and in the composer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from cogs.games.the_castle.wishes import CHOICES, standing_answer
from cogs.games.the_castle.words import (
    action_words,
    also_revealed,
    border_words,
    feature_words,
    planned_sentence,
    segment_at,
    sentence,
    short_feature_words,
    tile_aloud,
    tile_words,
    wall_tiles_words,
    wall_words,
)
from cogs.presenting.presenter import AltPicture, ButtonSpec, Presenter, TilePanel, act, last_tile_marks
from cogs.presenting.turn import LETTERS, PlanOutcome, Turn
from cogs.texts import listed, t
from cogs.words.alt_texts import MAX_ALT_LENGTH, composer_alt
from cogs.words.names import capital
from cogs.words.story import fit_text
from engine import Action, Cell, Deploy, IllegalActionError, Pass
from engine.events import Completed, Scored
from engine.hints import DeadCells
from engine.the_castle import (
    GAME,
    ChooseFeature,
    DeployFollower,
    Double,
    DoubleFeature,
    ExtraTurn,
    PlaceTile,
    PlayAgain,
    Position,
    ScoreFeature,
    Segment,
    Setup,
    Triple,
    default_tile_set,
    potential_points,
    wall,
)
from engine.the_castle.events import KeepMoved, WallTilesUsed, WallTileTaken
from engine.the_castle.wall import TRACK_SPACES
from host import Game
from renderers import FigurePlace, Guides, Picture, Theme
from renderers.the_castle import (
    Area,
    Ghost,
    composer,
    order_question,
    remaining,
    replay,
    turn_card,
    warm_up,
    whole_board,
)

_TIMES = {Pass(): 1, Double(): 2, Triple(): 3}
"""Factors of a feature's points by the use of wall tiles."""


def headline(names: Sequence[str], position: Position, player: str) -> str:
    """Say what ``player`` (a mention or a name) has to decide now; empty when the game is over."""
    match position.step:
        case PlaceTile(tile=tile):
            return t("headline.place", player=player, turn=position.turn, tile=tile_words(tile))
        case DeployFollower():
            return t("headline.deploy_figure", player=player)
        case ChooseFeature() as step:
            is_own = step.scorer == step.player
            return t("headline.order_own" if is_own else "headline.order", player=player, scorer=names[step.scorer])
        case DoubleFeature(feature=feature, points=points, kind=kind, count=tiles):
            key = "headline.double_both" if tiles > 1 else "headline.double"
            return t(key, player=player, feature=feature_words(position, feature), count=points, number=int(kind))
        case ExtraTurn():
            return t("headline.again", player=player)
        case _:
            return ""


class Answer(NamedTuple):
    """An answer to a question: the action and its button's label."""

    action: Action
    label: str


def answers(position: Position) -> Iterator[Answer]:
    """Yield the answers to the question at hand; none while a tile is to be laid or the game is over."""
    match position.step:
        case DeployFollower():  # the composer decides about it together with the tile
            for action in position.legal_actions:
                yield Answer(action, capital(action_words(position, action)))
        case ChooseFeature(options=options):
            for letter, (feature, points) in zip(LETTERS, options, strict=False):
                words = short_feature_words(position, feature)
                yield Answer(feature, t("button.score_first", letter=letter, feature=words, count=points))
        case DoubleFeature(points=points, count=tiles):
            for action, times in doublings(position):
                key = "times_1_both" if times == 1 and tiles > 1 else f"times_{times}"
                yield Answer(action, t(f"button.{key}", count=points * times))
        case ExtraTurn():
            yield Answer(PlayAgain(), t("button.again"))
            yield Answer(Pass(), t("button.not_again"))
        case _:
            return


def doublings(position: Position) -> Iterator[tuple[Action, int]]:
    """Yield the uses of the wall tiles that multiply a feature's points, with the factor of each."""
    return ((action, _TIMES[action]) for action in position.legal_actions)


def offers(position: Position) -> list[ButtonSpec]:
    """Return the answers as buttons of a card."""
    return [act(*answer) for answer in answers(position)]


def question_features(position: Position) -> tuple[ScoreFeature, ...]:
    """Return the features that a question is about, in the order of their letters."""
    match position.step:
        case ChooseFeature(options=options):
            return tuple(feature for feature, _ in options)
        case DoubleFeature(feature=feature):
            return (feature,)
        case _:
            return ()


def rest_lines(position: Position) -> Iterator[str]:
    """Say where the marker would come to rest with each answer to the question at hand."""
    match position.step:
        case ChooseFeature(scorer=scorer, options=options):
            for letter, (_, points) in zip(LETTERS, options, strict=False):
                space, takes_tile = _rest(position, scorer, points)
                yield t("headline.order_takes" if takes_tile else "headline.order_rests", letter=letter, space=space)
        case DoubleFeature(player=player, points=points):
            for _, times in doublings(position):
                space, takes_tile = _rest(position, player, points * times)
                key = "headline.double_takes" if takes_tile else "headline.double_rests"
                yield t(key, count=points * times, space=space)
        case _:
            return


def rest_line(position: Position, action: Action) -> str:
    """Return the line of :func:`rest_lines` about one answer; empty if there is none."""
    actions: list[Action] = []
    match position.step:
        case ChooseFeature(options=options):
            actions += [feature for feature, _ in options]
        case DoubleFeature():
            actions += [use for use, _ in doublings(position)]
        case _:
            pass
    return next((line for answer, line in zip(actions, rest_lines(position), strict=False) if answer == action), "")


def _rest(position: Position, seat: int, points: int) -> tuple[int, bool]:
    """Return the space on which a marker would come to rest, and True if a wall tile lies there."""
    space = (position.scores[seat] + points) % TRACK_SPACES
    return space, wall().corner_at[space] in position.corners


def _tile_line(position: Position) -> str:
    """Say which tile is to be laid."""
    if not isinstance(position.step, PlaceTile):
        raise IllegalActionError("no tile is to be laid")
    return t("panel.tile", turn=position.turn, tile=tile_words(position.step.tile))


def _figure_lines(position: Position, deploys: Sequence[Deploy], _: bool) -> Iterator[str]:  # noqa: FBT001 - a callback
    """Ask which figure to deploy, or say that none is left, or that none may stand on the tile."""
    if deploys:
        yield t("panel.figure")
    else:
        has_figures = any(counts[position.player] for counts in position.supply.values())
        yield t("panel.no_figure" if has_figures else "panel.no_figure_left")


def _question_lines(names: Sequence[str], outcome: PlanOutcome[Position]) -> Iterator[str]:
    """Ask the next question, and say where the marker would come to rest with each answer."""
    yield _asked(names, outcome.after)
    yield from rest_lines(outcome.after)


def _asked(names: Sequence[str], after: Position) -> str:
    """Return the question that the player has to answer next."""
    match after.step:
        case ChooseFeature() as step if step.scorer == step.player:
            return t("panel.order_own")
        case ChooseFeature(scorer=scorer):
            return t("panel.order", scorer=names[scorer])
        case DoubleFeature(feature=feature, kind=kind, count=tiles):
            return t("panel.double", feature=feature_words(after, feature), number=int(kind), count=tiles)
        case _:
            return t("panel.again")


_ASKED: Final = (ChooseFeature, DoubleFeature, ExtraTurn)
TURN: Final[Turn[Position]] = Turn(
    deploy_step=DeployFollower,
    question_steps=_ASKED,
    continuing_steps=(DeployFollower, *_ASKED),
    veiled=Position.veiled,
    standing_answer=standing_answer,
    tile_line=_tile_line,
    segment=segment_at,
    main_figure="figure",
    figure_lines=_figure_lines,
    no_figure_label=lambda *_: t("button.no_figure"),
    question_lines=_question_lines,
    question_features=question_features,
    foretold_sentence=planned_sentence,
)


def card_picture(_: Game, position: Position, theme: Theme) -> Picture:
    """Draw the surroundings of the last move, and the tile to be placed."""
    return turn_card(position, last_tile_marks(position), theme=theme)


def board_picture(position: Position, theme: Theme) -> Picture:
    """Draw the whole castle."""
    return whole_board(position, last_tile_marks(position), theme=theme)


def hints_picture(position: Position, dead: DeadCells, _: object, theme: Theme) -> Picture:
    """Draw the whole castle with the cells that no tile fits; the game has no fields."""
    return whole_board(position, last_tile_marks(position), guides=Guides(dead=frozenset(dead.dead)), theme=theme)


def decision_pictures(_: object, position: Position, theme: Theme) -> list[AltPicture]:
    """Draw the features that a question is about."""
    features = question_features(position)
    return [_question_picture(position, features, theme)] if features else []


def _question_picture(position: Position, features: Sequence[ScoreFeature], theme: Theme) -> AltPicture:
    """Draw the features with letters; a single feature needs none."""
    lettered = list(zip(LETTERS if len(features) > 1 else ("",), features, strict=False))
    areas = [Area(letter, _parts(position, feature)) for letter, feature in lettered]
    words = [f"{letter} {feature_words(position, feature)}".lstrip() for letter, feature in lettered]
    return AltPicture(
        order_question(position, areas, theme=theme), fit_text(t("alt.order", features=listed(words)), MAX_ALT_LENGTH)
    )


def _parts(position: Position, feature: ScoreFeature) -> tuple[tuple[Cell, Segment], ...]:
    """Return all segments of a feature with their cells."""
    parts = position.feature_at(feature.cell, feature.segment).parts
    return tuple((cell, part) for cell, part in parts if isinstance(part, Segment))


def tiles_picture(position: Position, counts: Mapping[str, int], theme: Theme) -> Picture:
    """Draw every tile of the game with the number left, by id."""
    return remaining([(kind, counts.get(kind.id, 0)) for kind in position.setup.tiles.kinds.values()], theme=theme)


def composer_pictures(position: Position, panel: TilePanel, theme: Theme, _state: str = "") -> list[AltPicture]:
    """Draw the spots, the tile on trial with its rotations and places, or the features of a question."""
    if panel.features:
        return decision_pictures(None, _after(position, panel.decided), theme)
    ghost = None
    if panel.place is not None and position.hand is not None:
        ghost = Ghost(panel.place.cell, position.hand, panel.place.rotation)
    places = [FigurePlace(letter, segment, panel.figure) for letter, segment in panel.figure_places]
    guides = Guides(elsewhere=tuple(panel.elsewhere))
    picture = composer(position, panel.spots, ghost, places, panel.turns, theme=theme, guides=guides)
    return [
        AltPicture(picture, composer_alt(panel, t(f"role.{panel.figure_places[0][1].kind}") if panel.figure else ""))
    ]


def _after(position: Position, actions: Iterable[Action]) -> Position:
    """Return the position after the actions, without hidden knowledge."""
    after = position.veiled()
    for action in actions:
        after.apply(action)
    return after


def _rules_summary(_: tuple[str, ...]) -> Iterator[str]:
    """Yield the rules in short."""
    yield t(f"rules.{GAME}")


def _remarks() -> Iterator[str]:
    """Say that the tiles were designed for this bot."""
    yield t("lobby.designed")


def _opening_remarks(setup: Setup) -> Iterator[str]:
    """Say that the operator's tiles are played with; that the usual ones were designed for this bot is said before."""
    if setup.tiles != default_tile_set():
        yield from _setup_remarks(setup)


def _setup_remarks(setup: Setup) -> Iterator[str]:
    """Say whose tiles a game is played with."""
    yield t("lobby.designed_here" if setup.tiles == default_tile_set() else "lobby.loaded_here")


def _details(_: Sequence[str], position: Position) -> str:
    """Say where the marker comes to rest with each answer."""
    return "\n".join(rest_lines(position))


def _prospect(_: Sequence[str], position: Position, action: Action) -> str:
    """Say where the marker comes to rest with this answer."""
    return rest_line(position, action)


def _belongings(position: Position, seat: int) -> Iterator[str]:
    """List the figures left, the keep, and the wall tiles that lie face up (TC-53)."""
    yield t("piece.figure", count=position.supply["follower"][seat])
    keep = position.keeps[seat]
    yield t("piece.keep_stands", size=keep.size) if keep else t("piece.keep_home")
    tiles = position.hands[seat]
    if tiles:
        yield t("piece.wall_tiles", count=len(tiles), tiles=wall_tiles_words(tiles))


_WALL_TILES: Final = tuple(f"wall_tile_{number}" for number in (4, 5, 6, 9))
PRESENTER: Final[Presenter[Position]] = Presenter(
    categories=("path", "tower", "house", "keep", "court", *_WALL_TILES),
    choices=CHOICES,
    foretold_events=(Scored, Completed, KeepMoved, WallTilesUsed, WallTileTaken),
    expansion_names=lambda _expansions: [t(f"rulebook.game.{GAME}")],
    rules_summary=_rules_summary,
    remarks=_remarks,
    opening_remarks=_opening_remarks,
    setup_remarks=_setup_remarks,
    headline=headline,
    details=_details,
    sentence=sentence,
    action_words=action_words,
    prospect=_prospect,
    tile_kind=lambda position, tile_id: position.setup.tiles[tile_id],
    tile_words=tile_words,
    tile_aloud=tile_aloud,
    feature_points=lambda position, feature: potential_points(position, feature.parts[0][0], feature.parts[0][1].name),
    also_revealed=also_revealed,
    border_words=border_words,
    chapters={"wall": wall_words},
    belongings=_belongings,
    left=_belongings,
    turn=TURN,
    offers=offers,
    warm_up=warm_up,
    card_picture=card_picture,
    board_picture=board_picture,
    hints_picture=hints_picture,
    decision_pictures=decision_pictures,
    composer_pictures=composer_pictures,
    replay_picture=lambda positions, names, theme: replay(positions, names, theme=theme),
    tiles_picture=tiles_picture,
)
