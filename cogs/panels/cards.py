"""The public cards: one for each move, drawn from the log, so that any of them can be made again at any time.

Their pictures, each with its alt text, are the same for every game; they are drawn in worker threads.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ButtonStyle, ui

from cogs.interactions.replies import button, buttons_of
from cogs.messages import layout, rows
from cogs.presenting.ids import Op, epoch_tag
from cogs.presenting.presenter import AltPicture, attachments, colour_of, gallery, table_theme
from cogs.services.render_pool import SupersededError
from cogs.texts import t
from cogs.words.alt_texts import LONGEST, board_alt, move_alt, news, sentences
from cogs.words.asking import away_words, gone_words, question_words, replaced_words
from cogs.words.names import pictured_names, pile_words, plain_names, seat_name, seat_names
from cogs.words.story import (
    STORY,
    Storyteller,
    lines_within,
    places,
    ranking_table,
    removals,
    score_table,
    sentence,
    whole,
    winners,
    without_final,
    without_marks,
)
from cogs.words.table_options import table_words
from engine import GAMES
from engine.actions import seats
from engine.events import TilePlaced
from engine.hints import Hint
from host import NO_PACE, PostKind, setup_of
from renderers import SheetLine, score_sheet, summary

if TYPE_CHECKING:
    from datetime import datetime

    from cogs.interactions.replies import Press
    from cogs.presenting.presenter import ButtonSpec, Presenter
    from cogs.services.render_pool import RenderPool
    from engine import Position
    from host import Game, Moment, Post, Preferences, Request, Substitution, Times
    from renderers import Picture, Theme


_MOST_RULES: Final = 5
"""Lines of the score sheet that say what was played."""


def card_pictures(presenter: Presenter[Any], moment: Moment) -> list[AltPicture]:
    """The pictures of a card: what is decided now, then the last move and the whole board."""
    game, position, theme = moment.game, moment.after, table_theme(moment.game)
    asked = presenter.decision_pictures(game, position, theme)
    if asked and not any(isinstance(event, TilePlaced) for event in moment.events):
        first, *others = asked  # a bid changes nothing on the board
        return [replace(first, alt=sentences(news(presenter, moment), first.alt)), *others]
    move, *board = presenter.turn_pictures(position, theme)
    return [
        *asked,
        AltPicture(move, move_alt(presenter, moment)),
        *(AltPicture(picture, board_alt(presenter, moment)) for picture in board),
    ]


def final_pictures(presenter: Presenter[Any], moment: Moment, points: Sequence[Mapping[str, int]]) -> list[AltPicture]:
    """The points by category as bars, the score sheet, and the board at the end."""
    theme = table_theme(moment.game)
    return [*result_pictures(presenter, moment, points, theme), *board_pictures(presenter, moment, theme)]


def result_pictures(
    presenter: Presenter[Any], moment: Moment, points: Sequence[Mapping[str, int]], theme: Theme
) -> list[AltPicture]:
    """The points by category as bars, and the score sheet."""
    game, position = moment.game, moment.after
    seats = [seat for group in position.ranking() for seat in group]
    names, written = plain_names(game), pictured_names(game)
    rows = [{t(f"legend.{kind}"): points[seat].get(kind, 0) for kind in presenter.categories} for seat in seats]
    bars = summary([written[seat] for seat in seats], rows, seats, theme=theme)
    scores = ", ".join(t("alt.score", player=names[seat], points=position.scores[seat]) for seat in seats)
    notes = _notes(presenter, game)
    sheet = " ".join(map(sentence, [t("alt.sheet", name=game.name, scores=scores), *notes]))
    return [
        AltPicture(bars, whole(t("alt.summary", scores=scores), LONGEST)),
        AltPicture(_sheet(presenter, moment, points, notes, theme), whole(sheet, LONGEST)),
    ]


def _notes(presenter: Presenter[Any], game: Game) -> list[str]:
    """What has to be known of a finished game to file it: its dates, and what was played."""
    dates = [instant.date().isoformat() for instant in (game.created_at, game.updated_at)]
    rules = without_marks(table_words(presenter, game)).splitlines()
    return [t("sheet.dates", start=dates[0], end=dates[1]), *rules[:_MOST_RULES]]


def _sheet(
    presenter: Presenter[Any], moment: Moment, points: Sequence[Mapping[str, int]], notes: Sequence[str], theme: Theme
) -> Picture:
    """The score sheet of a finished game: places and points, with these notes."""
    game, position = moment.game, moment.after
    names, won = pictured_names(game), position.winners()
    kinds = [kind for kind in presenter.categories if any(row.get(kind) for row in points)]
    lines = [
        SheetLine(
            seat,
            names[seat],
            str(place),
            tuple(points[seat].get(kind, 0) for kind in kinds),
            position.scores[seat],
            first=seat in won,
        )
        for seat, place in places(position)
    ]
    columns = [t("sheet.player"), *(t(f"legend.{kind}") for kind in kinds), t("sheet.total")]
    return score_sheet(t("sheet.title", name=game.name, code=game.code), columns, lines, notes, theme=theme)


def board_pictures(presenter: Presenter[Any], moment: Moment, theme: Theme) -> list[AltPicture]:
    """The whole board."""
    return [AltPicture(presenter.board_picture(moment.after, theme), board_alt(presenter, moment))]


def tiles_pictures(
    presenter: Presenter[Any], position: Position, left: Mapping[str, int], words: str, theme: Theme
) -> list[AltPicture]:
    """Every tile of the game with how many are left, by id; ``words`` sum up what they show."""
    alt = t("alt.tiles", count=sum(left.values()), words=words)
    return [AltPicture(presenter.tiles_picture(position, left, theme), whole(alt.strip(), LONGEST))]


MOST_AWAY: Final = 3
"""Vacations that a card tells."""


@dataclass(frozen=True, slots=True)
class Card:
    """A message ready to be posted."""

    view: ui.LayoutView
    pictures: Sequence[AltPicture]
    pinged: int | None
    players: Sequence[int] = ()
    """Whom else: everybody who may plan, when that begins, or who played, at the end."""
    silent: bool = False
    """Nobody's device makes a sound of it."""
    direct: bool = False
    """Who is pinged is written to directly, too."""
    wishes: Preferences | None = None
    """How who is pinged wants to play, where that was read with the game."""

    def files(self) -> list[discord.File]:
        """The attachments, new for each attempt to post them."""
        return attachments(self.pictures)

    def mentions(self) -> discord.AllowedMentions:
        """Nobody but the player who is next, those who are called with him, or at the end those who played."""
        users = [discord.Object(user) for user in (self.pinged, *self.players) if user and user > 0]
        return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


async def turn_card(
    render_pool: RenderPool,
    presenter: Presenter[Any],
    moment: Moment,
    *,
    current: bool,
    missing: str = "",
    instead: str = "",
    marker: str = "",
    times: Times | None = None,
) -> Card:
    """The card of a move.

    One that is not the newest any more (several had piled up) neither pings nor asks, nor does it show the board.
    ``missing`` says why there are no pictures; there are where it says nothing. ``times`` are those of the table.
    ``instead`` is told where no move has led here; ``marker`` is by what a card is known that has its revision with
    another one.
    """
    game, position = moment.game, moment.after
    pictures = await _newest_pictures(render_pool, presenter, moment) if current and not missing else []
    next_user = game.seats[position.player].user_id
    told = [*removals(moment), *Storyteller.marked_up(presenter, game).sentences(moment.events, moment.preset)]
    story = lines_within(told, STORY)
    names = seat_names(game)
    asked = presenter.headline(names, position, f"<@{next_user}>" if current else names[position.player])
    if instead:
        story = instead
    elif position.ply == 0:
        story = t(
            "card.start",
            name=game.name,
            code=game.code,
            rules="\n".join([table_words(presenter, game), *presenter.setup_remarks(setup_of(game))]),
        )
    planners = _planners(moment) if current else []
    called = [user for user in planners if user != next_user] if _calls(presenter, moment) else []
    call = t("card.plan", players=" ".join(f"<@{user}>" for user in called)) if called else ""
    question = f"**{asked}**\n{clock_words(times, game) if current else ''}".rstrip()
    texts = [*_texts(story, question, call, missing), *gallery(pictures), *_standing(presenter, moment)]
    offers = presenter.offers(position)
    buttons = buttons_of(game.code, moment.revision, offers) if current else []
    plan = [button(Op.ORDERS, game.code, moment.revision, t("button.plan"))] if planners else []
    log = [button(Op.LOG, game.code, moment.revision, t("button.log"), argument=marker)] if marker else []
    controls = [*_play(game.code, moment.revision, offers), *plan, *_footer(game, moment), *log]
    colour = colour_of(position.player)
    return Card(
        view=layout(*texts, rows(buttons), rows(controls), colour=colour),
        pictures=pictures,
        pinged=next_user if current else None,
        players=called,
        wishes=moment.wishes,
    )


def no_move(kind: PostKind, moment: Moment, replaced: Substitution | None) -> str:
    """What a card tells to which no move has led: of an undo, of another player in a seat, of an open place."""
    if replaced is not None:
        return replaced_words(moment.game, replaced)
    if kind is PostKind.REOPENED:
        key = "card.reopened_plain" if moment.game.settings.pace == NO_PACE else "card.reopened"
        return t(key, name=moment.game.name, code=moment.game.code)
    return t("undo.undone", player=seat_name(moment.game, moment.after.player)) if kind is PostKind.UNDONE else ""


def _planners(moment: Moment) -> list[int]:
    """Who may plan what is decided now."""
    position = moment.after
    may_plan, people = GAMES[position.setup.game].may_plan, moment.game.seats
    of = zip(seats(position.players), people, strict=True)
    return [person.user_id for seat, person in of if may_plan(position, seat)]


def _calls(presenter: Presenter[Any], moment: Moment) -> bool:
    """Whether something has begun for which everybody may plan."""
    return any(isinstance(event, presenter.planning_events) for event in moment.events)


def clock_words(times: Times | None, game: Game) -> str:
    """When time runs out, that the clocks stood still, and when the game ends, whatever is left to be played."""
    ends = [] if game.ends_at is None else [t("card.ends_at", at=int(game.ends_at.timestamp()))]
    return "\n".join([*([] if times is None else _time_words(times, game)), *ends])


def _time_words(times: Times, game: Game) -> list[str]:
    lines = [] if times.deadline is None else [t("card.deadline", at=int(times.deadline.timestamp()))]
    lines += lost_words(times)
    if times.paused_until is not None:
        lines.append(t("card.paused_until", at=int(times.paused_until.timestamp())))
    if times.gone:
        lines.append(gone_words(game, times.gone))
    lines += [away_words(game, entry) for entry in times.away[:MOST_AWAY]]
    return lines


def lost_words(times: Times) -> list[str]:
    """That the clocks stood still of late, if they did."""
    minutes = round(times.downtime / timedelta(minutes=1))
    return [t("card.downtime", count=minutes)] if minutes else []


async def _newest_pictures(render_pool: RenderPool, presenter: Presenter[Any], moment: Moment) -> list[AltPicture]:
    """The pictures, or none when the next move is made before they are drawn."""
    try:
        place = pictures_of(moment.game, moment.revision)
        pictures = await render_pool.draw_newest(place, lambda: card_pictures(presenter, moment))
    except SupersededError:
        return []
    setup = moment.after.setup
    render_pool.warm_for(setup.game, setup.expansions, table_theme(moment.game))
    return pictures


def pictures_of(game: Game, revision: int) -> Hashable:
    """Where the render pool draws a card of a game: dropping it takes back what waits to be drawn."""
    return "card", game.id, revision


def _texts(*texts: str) -> list[ui.Item[Any]]:
    return [ui.TextDisplay(text) for text in texts if text]


def _standing(presenter: Presenter[Any], moment: Moment) -> list[ui.Item[Any]]:
    """What lies there to be decided, apart from how the game stands."""
    game, position = moment.game, moment.after
    details = presenter.details(seat_names(game), position)
    foot = f"-# {pile_words(position)} · {game.name} · {game.code}"
    return _texts(details, "\n".join([score_table(presenter, game, position), foot]))


def _play(code: str, revision: int, offers: Sequence[ButtonSpec]) -> list[ui.Item[Any]]:
    """The way into the composer, where the card itself offers nothing."""
    return [] if offers else [button(Op.PLAY, code, revision, t("button.play"), style=ButtonStyle.primary)]


def _footer(game: Game, moment: Moment) -> list[ui.Item[Any]]:
    revision = moment.revision
    return [
        _marker_button(game, revision),
        _words_button(game, revision),
        *hint_buttons(game, revision),
        button(Op.RULES, game.code, revision, t("button.rules")),
        button(Op.NOTES, game.code, revision, t("button.notes")),
        *([] if moment.after.ply else [button(Op.PROOF, game.code, revision, t("button.proof"))]),
    ]


def hint_buttons(game: Game, revision: int) -> list[Press]:
    """Return the buttons to the hints that the table allows: the tiles left, and the panel with all other hints."""
    buttons = tiles_buttons(game, revision)
    if any(game.settings.allows(hint) for hint in Hint if hint is not Hint.TILES):
        buttons.append(button(Op.HINTS, game.code, revision, t("button.hints")))
    return buttons


def tiles_buttons(game: Game, revision: int) -> list[Press]:
    """Return the button to the tiles left, if the table allows it."""
    if not game.settings.allows(Hint.TILES):
        return []
    return [button(Op.TILES, game.code, revision, t("button.tiles"))]


def _marker_button(game: Game, revision: int) -> ui.Item[Any]:
    """The button by whose id a card is recognised."""
    return button(Op.BOARD, game.code, revision, t("button.board"), argument=epoch_tag(game.epoch))


def _words_button(game: Game, revision: int) -> ui.Item[Any]:
    """The table in words, for whoever presses it."""
    return button(Op.WORDS, game.code, revision, t("button.tell"))


async def final_card(
    render_pool: RenderPool,
    presenter: Presenter[Any],
    moment: Moment,
    whole_game: Moment,
    *,
    missing: str = "",
    put_away: datetime | None = None,
) -> Card:
    """The card of the end: the last move, the ranking by category, the seed; ``put_away`` is when the thread closes."""
    game, position = moment.game, moment.after
    points = presenter.points(whole_game.events, position.players)
    pictures = [] if missing else await render_pool.draw(lambda: final_pictures(presenter, moment, points))
    last_move = without_final(moment.events)
    told = [*removals(moment), *Storyteller.marked_up(presenter, game).sentences(last_move, moment.preset)]
    story = lines_within(told, STORY // 2)
    verdict = winners(game, position)
    table = ranking_table(presenter, game, position, points)
    foot = [t("card.seed", seed=setup_of(game).seed, game=f"{game.name} · {game.code}")]
    if put_away is not None:
        foot.append(t("card.put_away", at=int(put_away.timestamp())))
    players, called = _players(game)
    items = [*_texts(story, f"{verdict}\n{called}", missing), *gallery(pictures), *_texts(table, "\n".join(foot))]
    footer = [
        _marker_button(game, moment.revision),
        _words_button(game, moment.revision),
        button(Op.LOG, game.code, moment.revision, t("button.log")),
        button(Op.REPLAY, game.code, moment.revision, t("button.replay")),
        button(Op.PROOF, game.code, moment.revision, t("button.proof")),
        _rematch_button(game, moment.revision),
    ]
    return Card(view=layout(*items, rows(footer)), pictures=pictures, pinged=None, players=players)


def _rematch_button(game: Game, revision: int) -> ui.Item[Any]:
    return button(Op.REMATCH, game.code, revision, t("button.rematch"), style=ButtonStyle.primary)


def _players(game: Game) -> tuple[list[int], str]:
    """Everybody who plays, and the words that call them; nobody who asked to be forgotten."""
    players = [person.user_id for person in game.seats if person.user_id > 0]
    return players, " ".join(f"<@{user}>" for user in players)


def bare_card(post: Post, reference: str, *, current: bool) -> Card:
    """A card that nothing of a game's own can spoil: whose turn it is, and the ways on."""
    game = post.game
    person = game.person_to_act if current else None
    kind = "final" if post.kind is PostKind.FINAL else "now" if person else "past"
    player = f"<@{person.user_id}>" if person else ""
    text = t(f"card.bare_{kind}", name=game.name, code=game.code, player=player, reference=reference)
    play = button(Op.PLAY, game.code, post.revision, t("button.play"), style=ButtonStyle.primary)
    buttons = [*([play] if person else []), _marker_button(game, post.revision)]
    players, called = _players(game) if kind == "final" else ([], "")
    again = [_rematch_button(game, post.revision)] if players else []
    return Card(
        view=layout(ui.TextDisplay("\n".join(filter(None, [text, called]))), rows([*buttons, *again])),
        pictures=(),
        pinged=person.user_id if person else None,
        players=players,
    )


def words_card(post: Post, words: str, *buttons: Press, pinged: int | None = None, players: Sequence[int] = ()) -> Card:
    """A message about a game that says no more than words: its own buttons below, and behind them [Log]."""
    text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(words)
    log = button(Op.LOG, post.game.code, post.revision, t("button.log"), argument=post.nonce)
    return Card(view=layout(text, rows([*buttons, log])), pictures=(), pinged=pinged, players=players)


def notice_card(post: Post, **values: object) -> Card:
    """A notice about a game: it is frozen, or goes on, or went back."""
    return words_card(post, t(f"card.{post.kind}", name=post.game.name, code=post.game.code, **values))


def question_card(post: Post, request: Request | None, seen: Sequence[str] = ()) -> Card:
    """Show what somebody asks the others, of an undo with what has been seen; nothing where the game has gone on."""
    game = post.game
    if request is None:
        return words_card(post, t("undo.question_gone", name=game.name, code=game.code))
    answers = [
        button(op, game.code, post.revision, label, argument=str(request.id), style=style)
        for op, label, style in (
            (Op.AGREE, t("button.agree"), ButtonStyle.success),
            (Op.DECLINE, t("button.disagree"), ButtonStyle.danger),
        )
    ]
    return words_card(post, question_words(game, request, seen), *answers, players=request.voters)
