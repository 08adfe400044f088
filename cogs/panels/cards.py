"""The public *cards* of a game: the messages that show each move with a picture and buttons.

A card is built from the log of the game, so that it can be rebuilt at any time.

Cards look the same in every game; the game's presenter supplies words, buttons and pictures. Pictures are drawn in
worker threads.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

import discord
from discord import ButtonStyle, ui

from cogs.interactions.replies import Press, button, buttons_of, selects
from cogs.messages import BUTTONS_PER_ROW, layout, rows
from cogs.panels.lessons import Ending, lesson_buttons
from cogs.presenting.ids import Op, epoch_tag
from cogs.presenting.presenter import AltPicture, Presenter, attachments, gallery, table_theme
from cogs.services.render_pool import RenderPool, SupersededError
from cogs.texts import t
from cogs.words.alt_texts import MAX_ALT_LENGTH, board_alt, move_alt, news, sentences
from cogs.words.asking import away_words, gone_words, question_words, replaced_words
from cogs.words.names import marked, mentions, pictured_names, pile_words, plain_names, seat_name
from cogs.words.story import (
    MANY_PLAYERS,
    MAX_STORY,
    Storyteller,
    as_sentence,
    card_names,
    fit_text,
    lines_within,
    ranking_table,
    removal_sentences,
    score_line,
    seats_and_places,
    units,
    winners_words,
    without_final,
    without_marks,
)
from cogs.words.table_options import table_words
from engine import GAMES, Position
from engine.actions import seats
from engine.events import TilePlaced
from engine.hints import Hint
from host import NO_PACE, Game, Moment, Person, Post, PostKind, Preferences, Request, Substitution, Times, setup_of
from renderers import PLAYER_MARKS, Picture, SheetLine, Theme, score_bars, score_sheet

MAX_CARD_STORY: Final = 260
"""Units of the story on a card with a picture: four lines of one 550 CSS pixels wide, which fits into 700."""
MAX_DETAILED_STORY: Final = 160
"""Units up to which the story on a card with a picture describes the tile: four lines of a phone."""
MAX_STORY_OF_MANY: Final = 180
"""The same where five or six play, whose names and points take a line more."""
MIN_CARD_STORY: Final = 80
"""Units that are left to it beside long details of the decision, or many mentions."""
MENTION_UNITS: Final = 20
"""Units that a mention takes, by which the story is shorter."""
ROW_UNITS: Final = 40
"""Units of the labels that fill a row of buttons."""
MAX_BESIDE_BUTTON: Final = 3
"""Mentions that stand beside the button [My Plan …]; more take the whole width, as they would fill five lines there."""
MAX_LEFT: Final = 80
"""Units of the pieces left on a card with a picture: with the pile they fill two lines of a phone; [Board] has all."""
MAX_LEFT_OF_MANY: Final = 40
"""The same where five or six play: the followers, and what stands beside them in one line of a card 550 wide."""
MAX_BOXES: Final = 110
"""Units of the line that names the boxes on a first card: two lines of one 550 CSS pixels wide; [Rules] names all."""
_MAX_RULE_LINES: Final = 5
"""Lines of the score sheet about the rules of the game."""


def card_pictures(presenter: Presenter[Any], moment: Moment) -> list[AltPicture]:
    """Draw the picture of a card: the decision at hand, or else the board around the last move.

    There is only one picture, since a phone has room for no more; the button [Board] shows the rest.
    """
    game, position, theme = moment.game, moment.after, table_theme(moment.game)
    for decision in presenter.decision_pictures(game, position, theme)[:1]:
        return [replace(decision, alt=sentences(news(presenter, moment), decision.alt))]
    return [AltPicture(presenter.card_picture(game, position, theme), move_alt(presenter, moment))]


def final_pictures(presenter: Presenter[Any], moment: Moment, points: Sequence[Mapping[str, int]]) -> list[AltPicture]:
    """Draw the points by category as bars, the score sheet, and the final board.

    Of a lesson draw the board alone, no higher than on the cards before; [Board] shows all of it.
    """
    theme, alt = table_theme(moment.game), board_alt(presenter, moment)
    if moment.game.settings.lesson:
        return [AltPicture(presenter.card_picture(moment.game, moment.after, theme), alt)]
    board = AltPicture(presenter.board_picture(moment.after, theme), alt)
    return [*result_pictures(presenter, moment, points, theme), board]


def result_pictures(
    presenter: Presenter[Any], moment: Moment, points: Sequence[Mapping[str, int]], theme: Theme
) -> list[AltPicture]:
    """Draw the points by category as bars, and the score sheet."""
    game, position = moment.game, moment.after
    seats = [seat for group in position.ranking() for seat in group]
    names, pictured = plain_names(game), pictured_names(game)
    rows = [{t(f"legend.{kind}"): points[seat].get(kind, 0) for kind in presenter.categories} for seat in seats]
    bars = score_bars([pictured[seat] for seat in seats], rows, seats, theme=theme)
    scores = ", ".join(t("alt.score", player=names[seat], points=position.scores[seat]) for seat in seats)
    notes = _notes(presenter, game)
    sheet = " ".join(map(as_sentence, [t("alt.sheet", name=game.name, scores=scores), *notes]))
    return [
        AltPicture(bars, fit_text(t("alt.summary", scores=scores), MAX_ALT_LENGTH)),
        AltPicture(_sheet(presenter, moment, points, notes, theme), fit_text(sheet, MAX_ALT_LENGTH)),
    ]


def _notes(presenter: Presenter[Any], game: Game) -> list[str]:
    """Return the notes of a score sheet: the dates of the game, and its rules."""
    dates = [instant.date().isoformat() for instant in (game.created_at, game.updated_at)]
    rules = without_marks(table_words(presenter, game)).splitlines()
    return [t("sheet.dates", start=dates[0], end=dates[1]), *rules[:_MAX_RULE_LINES]]


def _sheet(
    presenter: Presenter[Any], moment: Moment, points: Sequence[Mapping[str, int]], notes: Sequence[str], theme: Theme
) -> Picture:
    """Draw the score sheet of a finished game: places and points, with these notes."""
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
        for seat, place in seats_and_places(position)
    ]
    columns = [t("sheet.player"), *(t(f"legend.{kind}") for kind in kinds), t("sheet.total")]
    return score_sheet(t("sheet.title", name=game.name, code=game.code), columns, lines, notes, theme=theme)


def tiles_pictures(
    presenter: Presenter[Any], position: Position, counts: Mapping[str, int], words: str, theme: Theme
) -> list[AltPicture]:
    """Draw every tile of the game with the number left, by id; ``words`` is the summary for the alt text."""
    alt = t("alt.tiles", count=sum(counts.values()), words=words)
    return [AltPicture(presenter.tiles_picture(position, counts, theme), fit_text(alt.strip(), MAX_ALT_LENGTH))]


MAX_VACATIONS: Final = 3
"""Vacations that a card lists."""


@dataclass(frozen=True, slots=True)
class Card:
    """A message ready to be posted."""

    view: ui.LayoutView
    pictures: Sequence[AltPicture]
    pinged: int | None
    players: Sequence[int] = ()
    """Further users to ping: those who may plan when planning begins; at the end, all players."""
    silent: bool = False
    """True if the message makes no sound on any device."""
    direct: bool = False
    """True if the pinged user also gets a direct message."""
    user_preferences: Preferences | None = None
    """The preferences of the pinged user, if they were read with the game."""

    def files(self) -> list[discord.File]:
        """Return the attachments; each attempt to post needs new ones."""
        return attachments(self.pictures)

    def mentions(self) -> discord.AllowedMentions:
        """Allow pings of the player to move and of :attr:`players` only."""
        users = [discord.Object(user) for user in (self.pinged, *self.players) if user and user > 0]
        return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


class CardTexts(NamedTuple):
    """The texts on the card of a move beside those that follow from the move itself."""

    instead: str = ""
    """The story where no move has led to the position."""
    remarks: str = ""
    """The explanations of a lesson."""


NO_TEXTS: Final = CardTexts()
"""The card of an ordinary move."""


async def turn_card(
    render_pool: RenderPool,
    presenter: Presenter[Any],
    moment: Moment,
    *,
    current: bool,
    missing: str = "",
    texts: CardTexts = NO_TEXTS,
    times: Times | None = None,
    further: Sequence[Press] = (),
) -> Card:
    """Build the card of a move.

    If several cards have piled up, all but the newest have no pings, questions or pictures. ``missing`` says why there
    are no pictures; if empty, they are drawn. ``times`` are the clocks of the game. ``further`` are buttons below all
    others (:func:`further_buttons`).
    """
    game, position = moment.game, moment.after
    pictures = await _newest_pictures(render_pool, presenter, moment) if current and not missing else []
    next_user = game.seats[position.player].user_id
    asks = current and next_user is not None  # a computer needs no buttons
    names, pictured = card_names(game), bool(pictures)
    details = "" if pictured and presenter.details_pictured(position) else _details(presenter, position, names)
    planners = _planner_ids(moment) if current and not game.settings.lesson else []
    planning_begins = any(isinstance(event, presenter.planning_events) for event in moment.events)
    notified = [user for user in planners if planning_begins and user != next_user]
    offers, menus = presenter.offers(position), presenter.menus(position) if asks else ()
    labels = sum(units(offer.label) for offer in offers)
    taken = units(details + texts.remarks) + MENTION_UNITS * len(notified) + max(labels - ROW_UNITS, 0)
    story = _story(presenter, moment, _story_room(position, taken) if pictured else None)
    player = marked(position.player, f"<@{next_user}>" if asks else names[position.player])
    headline, tile = _headline_and_tile(presenter, position, presenter.headline(names, position, player))
    if game.settings.lesson and pictured:  # the tile is in the picture, and its explanation needs the line
        tile = ""
    if texts.instead:
        story = texts.instead
    elif position.ply == 0 and game.settings.lesson:
        story = t("lesson.welcome", count=1 + position.pile_left)
    elif position.ply == 0:
        story = t(
            "card.start",
            name=game.name,
            code=game.code,
            rules="\n".join([table_words(presenter, game, room=MAX_BOXES), *presenter.opening_remarks(setup_of(game))]),
        )
    clocks = clock_words(times, game) if current else ""
    if tile and clocks and times is not None and times.deadline is not None:  # together they take a line less
        tile, clocks = f"{tile} · {clocks.removeprefix('-# ')}", ""
    title = f"**{headline}**" if game.settings.lesson else t("card.headline", name=game.name, headline=headline)
    question = "\n".join(filter(None, [title, clocks]))
    asked: ui.Item[Any] = ui.TextDisplay(question)
    if asks and not offers:
        play = button(Op.PLAY, game.code, moment.revision, t("button.play"), style=ButtonStyle.primary)
        asked = ui.Section(asked, accessory=play)
    answers: list[ui.Item[Any]] = [*buttons_of(game.code, moment.revision, offers)] if asks else []
    plan = [button(Op.ORDERS, game.code, moment.revision, t("button.plan"))] if planners else []
    call = _texts(f"-# {t('card.plan', players=mentions(notified))}") if notified else []
    if 0 < len(notified) <= MAX_BESIDE_BUTTON:
        call = [ui.Section(*call, accessory=plan.pop())]
    controls = [*_footer(game, moment, hints=not offers), *plan, *further]
    if len(answers) > BUTTONS_PER_ROW and presenter.details_pictured(position):  # the sixth lot takes no row alone
        answers, controls = [*answers, *controls], []
    red, green, blue = PLAYER_MARKS[position.player].colour
    return Card(
        view=layout(
            _texts(story, texts.remarks),
            asked,
            _texts(tile),
            call,
            _texts(missing),
            gallery(pictures),
            rows(answers),
            (row for menu in selects(game.code, moment.revision, menus) for row in rows([menu])),
            _texts(details, _state(presenter, moment, names, pictured=pictured, asks_much=bool(offers or details))),
            rows(controls),
            colour=red << 16 | green << 8 | blue,
        ),
        pictures=pictures,
        pinged=next_user if asks and not (game.settings.lesson and position.ply) else None,
        players=notified,
        user_preferences=moment.user_preferences,
    )


def further_buttons(post: Post, *, takes_back: bool) -> Iterator[Press]:
    """Yield the buttons of a post's card that not every card has.

    A card that shares its revision with another one is recognised by its button [Log]; with ``takes_back`` there is one
    for people in whose seats computers play.
    """
    if post.kind is PostKind.REOPENED:
        yield button(Op.LOG, post.game.code, post.revision, t("button.log"), argument=post.nonce)
    if takes_back:
        yield button(Op.RETURN, post.game.code, post.revision, t("button.take_seat_back"))


def _story(presenter: Presenter[Any], moment: Moment, room: int | None) -> str:
    """Tell what has happened.

    On a card with a picture, which has ``room`` for so many units and shows the tile, a long story says only where it
    lies, and leaves out the last sentences if that is not enough; [Board] tells each move in full.
    """
    teller = Storyteller(presenter.sentence, card_names(moment.game))
    lines = [*removal_sentences(moment), *teller.sentences(moment.events, moment.preset)]
    if room is None or units(" ".join(lines)) <= min(MAX_DETAILED_STORY, room):
        return lines_within(lines, MAX_STORY, " ")
    for placed in (event for event in moment.events if isinstance(event, TilePlaced)):
        shortly = t("alt.placed", player=teller.names[placed.player], cell=f"**{placed.cell.label}**")
        lines = [shortly if line in teller.sentences([placed]) else line for line in lines]
    return lines_within(lines, room, " ")


def _story_room(position: Position, taken: int) -> int:
    """Return the units of the story on a card with a picture, beside ``taken`` units of other words."""
    most = MAX_CARD_STORY if position.players < MANY_PLAYERS else MAX_STORY_OF_MANY
    return max(most - taken, MIN_CARD_STORY)


def _headline_and_tile(presenter: Presenter[Any], position: Position, headline: str) -> tuple[str, str]:
    """Split a headline that ends with the tile to be placed into the question and a line of small print.

    The headline shares its lines with [Play], so on a phone the words of a tile would take four or five of them.
    """
    tile = presenter.tile_words(position.hand) if position.hand is not None else ""
    if not tile or not headline.endswith(tile):
        return headline, ""
    return headline.removesuffix(tile).rstrip(), f"-# {tile}"


def story_without_move(kind: PostKind, moment: Moment, replaced: Substitution | None) -> str:
    """Return the story of a card that no move has led to: an undo, a substitution, a place that is open again."""
    if replaced is not None:
        return replaced_words(moment.game, replaced)
    if kind is PostKind.REOPENED:
        key = "card.reopened_plain" if moment.game.settings.pace == NO_PACE else "card.reopened"
        return t(key, name=moment.game.name, code=moment.game.code)
    if kind is PostKind.UNDONE:
        people = sum(isinstance(player, Person) for player in moment.game.seats)
        key = "undo.undone" if people > 1 else "undo.undone_alone"
        return t(key, player=seat_name(moment.game, moment.after.player))
    return ""


def _planner_ids(moment: Moment) -> list[int]:
    """Return the users who may file a sealed plan for the decision at hand."""
    position = moment.after
    may_plan, people = GAMES[position.setup.game].may_plan, moment.game.seats
    seated = zip(seats(position.players), people, strict=True)
    return [player.user_id for seat, player in seated if isinstance(player, Person) and may_plan(position, seat)]


def clock_words(times: Times | None, game: Game) -> str:
    """Return the lines about time: the deadline, pauses and absences, and the date on which the game ends."""
    ends = [] if game.ends_at is None else [t("card.ends_at", at=int(game.ends_at.timestamp()))]
    return "\n".join([*([] if times is None else _time_words(times, game)), *ends])


def _time_words(times: Times, game: Game) -> list[str]:
    """Return the lines about the clocks: the deadline, outages, pauses, and absent players."""
    lines = [] if times.deadline is None else [f"-# {t('card.deadline', at=int(times.deadline.timestamp()))}"]
    lines += lost_words(times)
    if times.paused_until is not None:
        lines.append(t("card.paused_until", at=int(times.paused_until.timestamp())))
    if times.gone:
        lines.append(gone_words(game, times.gone))
    lines += [away_words(game, entry) for entry in times.away[:MAX_VACATIONS]]
    return lines


def lost_words(times: Times) -> list[str]:
    """Return the line about a recent outage during which the clocks stood still, if there was one."""
    minutes = round(times.downtime / timedelta(minutes=1))
    return [t("card.downtime", count=minutes)] if minutes else []


async def _newest_pictures(render_pool: RenderPool, presenter: Presenter[Any], moment: Moment) -> list[AltPicture]:
    """Draw the pictures; return none if the next move is made before they are drawn."""
    try:
        place = picture_key(moment.game, moment.revision)
        pictures = await render_pool.draw_newest(place, lambda: card_pictures(presenter, moment))
    except SupersededError:
        return []
    setup = moment.after.setup
    render_pool.warm_for(setup.game, setup.expansions, table_theme(moment.game))
    return pictures


def picture_key(game: Game, revision: int) -> Hashable:
    """Return the key of a card's pictures in the render pool; dropping it cancels drawing that has not begun."""
    return "card", game.id, revision


def _texts(*texts: str) -> list[ui.Item[Any]]:
    return [ui.TextDisplay(text) for text in texts if text]


def _details(presenter: Presenter[Any], position: Position, names: Sequence[str]) -> str:
    """Return the details of the decision at hand in small print; empty if there are none."""
    lines = presenter.details(names, position).splitlines()
    details = " · ".join(line.removeprefix("-# ") for line in lines)
    return f"-# {details}" if details else ""


def _state(presenter: Presenter[Any], moment: Moment, names: Sequence[str], *, pictured: bool, asks_much: bool) -> str:
    """Return the scores, and in small print what the player has left, and the pile.

    What the player has left is missing where the details are in the picture: such a decision, a bid, costs only points.
    There is no small print where many play and the decision ``asks_much`` of them: [Board] has it.
    Below the picture of a lesson only the followers are counted: what else there is has yet to be explained.
    """
    game, position = moment.game, moment.after
    scores, in_lesson = score_line(game, position), game.settings.lesson and pictured
    if pictured and position.players >= MANY_PLAYERS and asks_much:
        return scores
    left, own = list(presenter.left(position, position.player)), []
    if not (pictured and presenter.details_pictured(position)):
        most = MAX_LEFT if position.players < MANY_PLAYERS else MAX_LEFT_OF_MANY
        told = left[:1] if in_lesson else left
        pieces = lines_within(told, most, " · ") if pictured else " · ".join(told)
        own = [t("score.left", player=names[position.player], pieces=pieces)]
    small = own if in_lesson else [*own, pile_words(position), game.code]
    return "\n".join([scores, *([f"-# {' · '.join(small)}"] if small else [])])


def _footer(game: Game, moment: Moment, *, hints: bool) -> list[ui.Item[Any]]:
    """Return the buttons of every card; [Board] has those to tiles, rules and the proof of a fair pile.

    Without ``hints`` it has that to the hints as well, for a card with the buttons of a decision has no room for it.
    """
    revision = moment.revision
    if game.settings.lesson:
        rules = button(Op.RULES, game.code, revision, t("button.rules"))
        return [_marker_button(game, revision), _words_button(game, revision), rules, *lesson_buttons(game, revision)]
    hints = hints and any(game.settings.allows(hint) for hint in Hint if hint is not Hint.TILES)
    return [
        _marker_button(game, revision),
        _words_button(game, revision),
        *([button(Op.HINTS, game.code, revision, t("button.hints"))] if hints else []),
        button(Op.NOTES, game.code, revision, t("button.notes")),
        *([] if moment.after.ply else [button(Op.RULES, game.code, revision, t("button.rules"))]),
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
    """Return the button whose id identifies the card."""
    return button(Op.BOARD, game.code, revision, t("button.board"), argument=epoch_tag(game.epoch))


def _words_button(game: Game, revision: int) -> ui.Item[Any]:
    """Return the button that tells the table in words to whoever presses it."""
    return button(Op.WORDS, game.code, revision, t("button.tell"))


async def final_card(
    render_pool: RenderPool,
    presenter: Presenter[Any],
    moment: Moment,
    whole_game: Moment,
    *,
    missing: str = "",
    put_away: datetime | None = None,
    lesson: Ending | None = None,
) -> Card:
    """Build the final card: the last move, the ranking, the seed; ``put_away`` is when the thread is archived.

    A ``lesson`` has paragraphs and buttons of its own, but no seed to reveal and no rematch.
    """
    game, position = moment.game, moment.after
    points = presenter.points(whole_game.events, position.players)
    pictures = [] if missing else await render_pool.draw(lambda: final_pictures(presenter, moment, points))
    last_move = without_final(moment.events)
    story_lines = [
        *removal_sentences(moment),
        *Storyteller.marked_up(presenter, game).sentences(last_move, moment.preset),
    ]
    story = lines_within(story_lines, MAX_STORY // 2, "\n" if lesson is None else " ")
    verdict = winners_words(game, position)
    table = ranking_table(presenter, game, position, points)
    foot = [] if lesson is not None else [t("card.seed", seed=setup_of(game).seed, game=f"{game.name} · {game.code}")]
    if put_away is not None and lesson is None:  # its next card reopens the thread
        foot.append(t("card.put_away", at=int(put_away.timestamp())))
    players, pings = _players(game)
    items = [
        *_texts(story, f"{verdict}\n{pings}", *(lesson.paragraphs if lesson else ()), missing),
        *gallery(pictures),
        *_texts(table, "\n".join(foot)),
    ]
    footer = [
        _marker_button(game, moment.revision),
        _words_button(game, moment.revision),
        button(Op.LOG, game.code, moment.revision, t("button.log")),
        button(Op.REPLAY, game.code, moment.revision, t("button.replay")),
        button(Op.PROOF, game.code, moment.revision, t("button.proof")),
        _rematch_button(game, moment.revision),
    ]
    if lesson is not None:
        footer = [*footer[:3], *lesson.buttons]
    return Card(view=layout(*items, rows(footer)), pictures=pictures, pinged=None, players=players)


def _rematch_button(game: Game, revision: int) -> ui.Item[Any]:
    return button(Op.REMATCH, game.code, revision, t("button.rematch"), style=ButtonStyle.primary)


def _players(game: Game) -> tuple[list[int], str]:
    """Return the users of all seats and their mentions, without users whose data was erased."""
    players = [player.user_id for player in game.seats if isinstance(player, Person) and player.user_id > 0]
    return players, mentions(players)


def bare_card(post: Post, reference: str, *, current: bool) -> Card:
    """Build a card without anything specific to the game, which therefore cannot fail: whose turn it is, and [Play]."""
    game = post.game
    person = game.person_to_act if current else None
    kind = "final" if post.kind is PostKind.FINAL else "now" if person else "past"
    player = f"<@{person.user_id}>" if person else ""
    text = t(f"card.bare_{kind}", name=game.name, code=game.code, player=player, reference=reference)
    play = button(Op.PLAY, game.code, post.revision, t("button.play"), style=ButtonStyle.primary)
    buttons = [*([play] if person else []), _marker_button(game, post.revision)]
    players, pings = _players(game) if kind == "final" else ([], "")
    rematch = [_rematch_button(game, post.revision)] if players and not game.settings.lesson else []
    return Card(
        view=layout(ui.TextDisplay("\n".join(filter(None, [text, pings]))), rows([*buttons, *rematch])),
        pictures=(),
        pinged=person.user_id if person else None,
        players=players,
    )


def words_card(post: Post, words: str, *buttons: Press, pinged: int | None = None, players: Sequence[int] = ()) -> Card:
    """Build a message about a game from words alone, with these buttons and [Log] below them."""
    text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(words)
    log = button(Op.LOG, post.game.code, post.revision, t("button.log"), argument=post.nonce)
    return Card(view=layout(text, rows([*buttons, log])), pictures=(), pinged=pinged, players=players)


def text_card(post: Post, key: str, *buttons: Press, pinged_players: Sequence[int] = (), **values: object) -> Card:
    """Build a message about a game from a text that names the game, with these values."""
    words = t(key, name=post.game.name, code=post.game.code, **values)
    return words_card(post, words, *buttons, players=pinged_players)


def notice_card(post: Post, **values: object) -> Card:
    """Build the notice of a post, such as that a game is frozen or continues."""
    return words_card(post, t(f"card.{post.kind}", name=post.game.name, code=post.game.code, **values))


def question_card(post: Post, request: Request | None, revealed: Sequence[str] = ()) -> Card:
    """Ask the players to agree to a request, or say that the game has moved on.

    The question about an undo also names the tiles that players have seen since (``revealed``).
    """
    game = post.game
    if request is None:
        return text_card(post, "undo.question_gone")
    answers = [
        button(op, game.code, post.revision, label, argument=str(request.id), style=style)
        for op, label, style in (
            (Op.AGREE, t("button.agree"), ButtonStyle.primary),
            (Op.DECLINE, t("button.disagree"), ButtonStyle.secondary),
        )
    ]
    return words_card(post, question_words(game, request, revealed), *answers, players=request.voters)
