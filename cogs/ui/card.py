"""The public cards: one for each move, drawn from the log, so that any of them can be made again at any time."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import discord
from discord import ButtonStyle, ui

from cogs.texts import t
from cogs.ui.choices import choice_buttons
from cogs.ui.headlines import headline, lots_words, pile_words
from cogs.ui.ids import Op
from cogs.ui.layouts import layout, rows
from cogs.ui.names import seat_names
from cogs.ui.pictures import Shown, card_pictures, colour_of, final_pictures
from cogs.ui.press import button
from cogs.ui.scores import points_by_category, ranking_table, score_table, winners
from cogs.ui.story import STORY, Storyteller, clipped
from engine.carcassonne import BidOnLot, BuyOrSell, ChooseLot

if TYPE_CHECKING:
    from cogs.ui.atelier import Atelier
    from engine.carcassonne import Position
    from host import Game, Moment, Post


@dataclass(frozen=True, slots=True)
class Card:
    """A message ready to be posted; ``retired`` is what it becomes when the next card follows."""

    view: ui.LayoutView
    retired: ui.LayoutView
    pictures: Sequence[Shown]
    pinged: int | None

    def files(self) -> list[discord.File]:
        """The attachments, new for each attempt to post them."""
        return attachments(self.pictures)

    def mentions(self) -> discord.AllowedMentions:
        """Nobody but the player who is next."""
        users = [discord.Object(self.pinged)] if self.pinged else []
        return discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=users)


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


async def turn_card(atelier: Atelier, moment: Moment, *, current: bool) -> Card:
    """The card of a move. One that is not the newest any more (several had piled up) neither pings nor asks."""
    game, position = moment.game, moment.after
    pictures = await atelier.draw(lambda: card_pictures(moment))
    next_user = game.seats[position.player].user_id
    story = clipped("\n".join(Storyteller.marked_up(game).sentences(moment.events)), STORY)
    names = seat_names(game)
    asked = f"**{headline(names, position, f'<@{next_user}>' if current else names[position.player])}**"
    if position.ply == 0:
        story = t("card.start", name=game.name, code=game.code, commitment=game.setup.commitment)
    texts = [*_texts(story, asked), *gallery(pictures), _standing(game, moment)]
    choices = choice_buttons(game.code, position) if current else []
    controls = [*_play(game.code, position), *_footer(game.code, position.ply)]
    colour = colour_of(position.player)
    return Card(
        view=layout(*texts, rows(choices), rows(controls), colour=colour),
        retired=layout(*texts, colour=colour),
        pictures=pictures,
        pinged=next_user if current else None,
    )


def _texts(*texts: str) -> list[ui.Item[Any]]:
    return [ui.TextDisplay(text) for text in texts if text]


def _standing(game: Game, moment: Moment) -> ui.Item[Any]:
    position = moment.after
    parts = [score_table(game, position), f"-# {pile_words(position)} · {game.name} · {game.code}"]
    if isinstance(position.step, ChooseLot | BidOnLot | BuyOrSell):
        parts.insert(0, lots_words(seat_names(game), position.step.bazaar))
    return ui.TextDisplay("\n".join(parts))


def _play(code: str, position: Position) -> list[ui.Item[Any]]:
    if position.hand is None:
        return []
    return [button(Op.PLAY, code, position.ply, t("button.play"), style=ButtonStyle.primary)]


def _footer(code: str, ply: int) -> list[ui.Item[Any]]:
    return [
        button(Op.BOARD, code, ply, t("button.board")),
        button(Op.TILES, code, ply, t("button.tiles")),
        button(Op.RULES, code, ply, t("button.rules")),
    ]


async def final_card(atelier: Atelier, moment: Moment, whole_game: Moment) -> Card:
    """The card of the end: the last move, the ranking by category, the seed that the first card committed to."""
    game, position = moment.game, moment.after
    categories = points_by_category(whole_game.events, position.players)
    pictures = await atelier.draw(lambda: final_pictures(moment, categories))
    last = [event for event in moment.events if not getattr(event, "final", False)]
    story = clipped("\n".join(Storyteller.marked_up(game).sentences(last)), STORY // 2)
    won = len(position.ranking()[0])
    verdict = t("card.won", players=winners(game, position), count=won)
    table = ranking_table(game, position, categories)
    setup = game.setup
    proof = t("card.seed", seed=setup.seed, commitment=setup.commitment, name=game.name, code=game.code)
    items = [*_texts(story, verdict), *gallery(pictures), *_texts(table, proof)]
    footer = [
        button(Op.BOARD, game.code, position.ply, t("button.board")),
        button(Op.LOG, game.code, position.ply, t("button.log")),
    ]
    return Card(view=layout(*items, rows(footer)), retired=layout(*items, rows(footer)), pictures=pictures, pinged=None)


def notice_card(post: Post) -> Card:
    """A notice about a game that says no more than words: it is frozen, or goes on."""
    game = post.game
    text: ui.TextDisplay[ui.LayoutView] = ui.TextDisplay(t(f"card.{post.kind}", name=game.name, code=game.code))
    log = button(Op.LOG, game.code, post.ply, t("button.log"), argument=post.nonce)
    view = layout(text, rows([log]))
    return Card(view=view, retired=view, pictures=(), pinged=None)
