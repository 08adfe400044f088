"""Public cards of Carcassonne, the messages about a game's turns: texts, mentions, buttons, alt texts, and limits.

The moments come from random games; pictures are replaced by two of one byte.
"""

import asyncio
import re
import threading
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bazaars import LOT, OTHER
from cogs.games.carcassonne.words import tile_words
from cogs.games.presenters import PRESENTERS, presenter_of
from cogs.panels import cards
from cogs.panels.cards import (
    MAX_BOXES,
    MAX_CARD_STORY,
    MAX_LEFT,
    MAX_LEFT_OF_MANY,
    MAX_STORY_OF_MANY,
    MIN_CARD_STORY,
    Card,
    final_card,
    picture_key,
    turn_card,
)
from cogs.presenting.ids import Op, Operation, card_marker, parse_key
from cogs.presenting.presenter import AltPicture
from cogs.services.render_pool import THREADS, RenderPool
from cogs.texts import t
from cogs.texts.languages import languages, speaking
from cogs.words.alt_texts import MAX_ALT_LENGTH, MAX_STORY, board_alt, move_alt, news
from cogs.words.names import pile_words, plain_names, seat_names
from cogs.words.story import (
    Storyteller,
    card_names,
    has_long_names,
    log_page,
    ranking_table,
    score_line,
    score_table,
    units,
    without_marks,
)
from engine import Cell
from engine.carcassonne import PlaceTile, Position, new_setup
from engine.carcassonne.expansions import INNS_CATHEDRALS, OFFERED, OFFERED_TILE_SETS, PHANTOM
from engine.carcassonne.expansions.bridges_castles_bazaars import BazaarOpened, BidOnLot, BuyOrSell, ChooseLot
from engine.carcassonne.tiles import tile_set
from engine.events import Scored, Term, TilePlaced
from gallery.built_positions import arrange
from host import Moment, Times, setup_of
from renderers import DAY
from renderers.values import Picture
from tests.cogs.positions import LONG_NAMES, NOW, finished_game, game_of, random_game
from tests.discord_limits.components import Kind, component_problems, walk

PICTURES = [
    AltPicture(Picture(b"x", "focus.png", 1, 1), "alt" * 80),
    AltPicture(Picture(b"x", "board.png", 1, 1), "alt" * 80),
]
"""Stubs with long alt texts."""


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace all pictures by stubs."""
    monkeypatch.setattr(cards, "card_pictures", lambda *_: PICTURES)
    monkeypatch.setattr(cards, "final_pictures", lambda *_: PICTURES[:1])


def build_card(moment: Moment, *, current: bool = True, missing: str = "") -> Card:
    """Return the card of a moment; ``missing`` says why it has no pictures."""
    render_pool = RenderPool()
    try:
        card = turn_card(render_pool, presenter_of(moment.after), moment, current=current, missing=missing)
        return asyncio.run(card)
    finally:
        render_pool.close()


def moments(players: int, seed: int) -> list[Moment]:
    """Return all moments of a random game except the last."""
    before = Position(new_setup(players=players, seed=str(seed)))
    found = []
    for position, _, events in random_game(players, seed):
        if not position.is_over:
            after = position.copy()
            found.append(Moment(game_of(after, LONG_NAMES), before, after, (), events))
            before = after
    return found


def texts(card: Card) -> str:
    """Return the whole text of a card."""
    return "\n".join(
        part["content"] for _, part in walk(card.view.to_components()) if part["type"] == Kind.TEXT_DISPLAY
    )


def asks(moment: Moment) -> bool:
    """Return True if the decision has buttons of its own."""
    return bool(presenter_of(moment.after).offers(moment.after))


def operations(card: Card) -> list[Operation]:
    """Return the operations of a card's buttons."""
    found = [parse_key(part["custom_id"]) for _, part in walk(card.view.to_components()) if part["type"] == Kind.BUTTON]
    return [key.op for key in found if key is not None]


@pytest.mark.parametrize(("players", "seed"), [(2, 0), (3, 1), (6, 2)])
def test_every_card_of_a_game_keeps_the_limits(players: int, seed: int) -> None:
    for moment in moments(players, seed)[::3]:
        card = build_card(moment)
        assert not list(component_problems(card.view.to_components(), v2=True))
        markers = [part["custom_id"] for _, part in walk(card.view.to_components()) if part["type"] == Kind.BUTTON]
        assert markers.count(card_marker("K7QF", moment.after.ply)) == 1


def test_the_longest_card_keeps_the_limits() -> None:
    """The longest card: six players with long names, a bazaar of six lots, and a move that scores sixty times."""
    score = Scored(0, 99, "castle", (Term("monastery", 1, 99),), (), final=False)
    bazaars = [moment for moment in moments(6, 2) if presenter_of(moment.after).details(LONG_NAMES, moment.after)]
    assert any(isinstance(moment.after.step, BidOnLot | BuyOrSell) for moment in bazaars)
    assert any(isinstance(moment.after.step, PlaceTile) for moment in bazaars)
    for moment in bazaars:
        longest = replace(moment, events=tuple(replace(score, player=seat % 6) for seat in range(60)))
        assert not list(component_problems(build_card(longest).view.to_components(), v2=True))
        assert len(texts(build_card(longest))) <= 4000
        told = texts(build_card(longest))
        for name in card_names(longest.game):
            told = told.replace(name, "")
        assert "…" not in told
        assert t("card.and_more", number="|").partition("|")[0] in texts(build_card(longest))


def test_only_the_next_player_is_pinged() -> None:
    moment = moments(3, 1)[4]
    card = build_card(moment)
    next_user = moment.game.seats[moment.after.player].user_id
    assert card.pinged == next_user
    assert [user.id for user in card.mentions().users] == [next_user]  # type: ignore[union-attr]
    assert card.mentions().everyone is False
    assert texts(card).count("<@") - texts(card).count("\\<@") == 1


def test_an_outdated_card_neither_pings_nor_asks() -> None:
    for moment in moments(3, 1)[:40]:
        card = build_card(moment, current=False)
        assert card.pinged is None
        assert not card.mentions().users
        assert f"<@{moment.game.seats[moment.after.player].user_id}>" not in texts(card)
        assert not {Op.ACT, LOT, OTHER} & set(operations(card))


def test_a_turn_has_play_and_a_decision_has_its_own_buttons() -> None:
    for moment in moments(3, 1):
        placing = isinstance(moment.after.step, PlaceTile)
        assert (Op.PLAY in operations(build_card(moment))) is placing


def test_the_words_of_a_tile_are_small_print_below_the_question() -> None:
    """Regression: beside [Play] they took five lines on a phone."""
    moment = next(moment for moment in moments(3, 1) if moment.after.hand is not None)
    lines = texts(build_card(moment)).splitlines()
    words = tile_words(moment.after.hand)
    assert f"-# {words}" in lines
    assert not any(words in line for line in lines if line.startswith("**"))


def test_the_first_card_hides_the_commitment_and_the_final_card_reveals_the_seed() -> None:
    """Regression: the first card of a game began with a hash of 64 digits."""
    setup = new_setup(players=2, seed="a secret")
    start = Position(setup)
    first = Moment(game_of(start), start, start, (), ())
    assert not re.search(r"[0-9a-f]{64}", texts(build_card(first)))
    assert setup.seed not in texts(build_card(first))
    assert Op.RULES in operations(build_card(first))
    assert Op.RULES not in operations(build_card(moments(2, 0)[3]))
    _, final_moment = finished_game(6, 3)
    last = asyncio.run(build_final_card(final_moment))
    assert setup_of(final_moment.game).seed in texts(last)
    assert not re.search(r"[0-9a-f]{64}", texts(last))
    assert Op.PROOF in operations(last)
    assert not list(component_problems(last.view.to_components(), v2=True))


def test_the_final_card_pings_all_players_and_offers_a_rematch() -> None:
    _, final_moment = finished_game(6, 3)
    last = asyncio.run(build_final_card(final_moment))
    players = [person.user_id for person in final_moment.game.seats]
    assert [user.id for user in last.mentions().users] == players  # type: ignore[union-attr]
    assert last.mentions().everyone is False
    assert all(f"<@{user}>" in texts(last) for user in players)
    assert Op.REMATCH in operations(last)


def test_the_final_card_names_the_time_of_archiving() -> None:
    _, final_moment = finished_game(2, 3)
    at = NOW + timedelta(days=3)
    assert f"<t:{int(at.timestamp())}:R>" in texts(asyncio.run(build_final_card(final_moment, archived_at=at)))
    assert "archives" not in texts(asyncio.run(build_final_card(final_moment)))


async def build_final_card(final_moment: Moment, archived_at: datetime | None = None) -> Card:
    """Return the final card of a finished game."""
    render_pool = RenderPool()
    card = await final_card(
        render_pool, presenter_of(final_moment.after), final_moment, final_moment, put_away=archived_at
    )
    render_pool.close()
    return card


@pytest.mark.parametrize("seed", range(4))
def test_the_categories_add_up_to_the_score(seed: int) -> None:
    _, final_moment = finished_game(4, seed)
    points = presenter_of(final_moment.after).points(final_moment.events, 4)
    assert [sum(kinds.values()) for kinds in points] == final_moment.after.scores


def test_the_score_table_has_a_line_for_each_player() -> None:
    position = Position(new_setup(players=6, seed="1"))
    assert len(score_table(presenter_of(position), game_of(position, LONG_NAMES), position).splitlines()) == 6


def test_ranks_and_move_numbers_do_not_form_markdown_lists() -> None:
    """Discord renumbers Markdown lists: two first places would become first and second."""
    table, final_moment = finished_game(3, 5)
    position = final_moment.after.copy()
    position.scores[:] = [7, 7, 3]
    presenter = presenter_of(position)
    lines = ranking_table(presenter, table.game, position, presenter.points((), 3)).splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["1\\.", "1\\.", "3\\."]
    lines = [*lines, *"\n".join(log_page(presenter, table, 0, 3500).lines).splitlines()]
    assert not [line for line in lines if re.match(r"\d+\. ", line)]


def test_features_without_points_are_summarised_per_player() -> None:
    game = game_of(Position(new_setup(players=2, seed="1")))
    fields = [Scored(seat, 0, "field", (), (Cell(x, 0),), final=True) for x, seat in enumerate((0, 0, 1, 0))]
    paid = Scored(0, 3, "field", (Term("cities", 1, 3),), (Cell(9, 0),), final=True)
    sentences = list(Storyteller.plain(PRESENTERS["carcassonne"], game).sentences([*fields, paid, paid]))
    assert sentences[:2] == [t("story.scored_nothing", player=name, kind="field") for name in ("Ana", "Ben")]
    assert len(sentences) == 4, "scores are listed individually"


def test_lots_are_told_above_the_scores_only_on_a_card_without_pictures() -> None:
    """Regression: beside the picture they took four lines of a phone; its alt text and [In Words] tell them, too."""
    moment = next(moment for moment in moments(3, 1) if isinstance(moment.after.step, BidOnLot))
    presenter = presenter_of(moment.after)
    lots = "-# " + presenter.details(seat_names(moment.game), moment.after).replace("\n", " · ")
    pictured, plain = (
        [part["content"] for _, part in walk(card.view.to_components()) if part["type"] == Kind.TEXT_DISPLAY]
        for card in (build_card(moment), build_card(moment, missing="No pictures."))
    )
    assert plain[-2] == lots
    assert lots not in pictured
    scores, pile = score_line(moment.game, moment.after), pile_words(moment.after)
    assert pictured[-1] == f"{scores}\n-# {pile} · {moment.game.code}"
    assert plain[-1].startswith(scores)
    assert plain[-1].endswith(f" · {pile} · {moment.game.code}")
    (picture,) = presenter.decision_pictures(moment.game, moment.after, DAY)
    for line in presenter.details(plain_names(moment.game), moment.after).splitlines():
        assert without_marks(line) in picture.alt


def test_a_card_with_the_buttons_of_a_decision_leaves_hints_to_the_board() -> None:
    """Regression: on a phone the buttons below a bid took two rows."""
    for moment in moments(3, 1):
        assert (Op.HINTS in operations(build_card(moment))) is isinstance(moment.after.step, PlaceTile)


def test_those_who_may_plan_are_told_beside_the_button() -> None:
    moment = next(moment for moment in moments(3, 1) if any(isinstance(event, BazaarOpened) for event in moment.events))
    sections = [part for _, part in walk(build_card(moment).view.to_components()) if part["type"] == Kind.SECTION]
    keys = [parse_key(section["accessory"]["custom_id"]) for section in sections]
    assert [key.op for key in keys if key is not None] == [Op.ORDERS]
    assert operations(build_card(moment)).count(Op.ORDERS) == 1


def test_small_print_in_the_details_is_marked_once() -> None:
    """Bought tiles that are still to be laid stand in small print already."""
    cards = [moment for moment in moments(3, 1) if presenter_of(moment.after).details(LONG_NAMES, moment.after)]
    shown = [
        part["content"]
        for moment in cards
        for _, part in walk(build_card(moment).view.to_components())
        if "content" in part
    ]
    assert any("Still to lay" in text for text in shown)
    assert not any("-# " in line.removeprefix("-# ") for text in shown for line in text.splitlines())


def test_the_last_tile_is_named_as_the_last() -> None:
    position = arrange(players=2, tiles=["base/D 0,0 0"], hand="base/V", pile=[])
    assert pile_words(position) == t("headline.pile_empty")
    position = arrange(players=2, tiles=["base/D 0,0 0"], hand="base/V", pile=["base/U"])
    assert pile_words(position) == t("headline.pile", count=1)


@pytest.mark.parametrize("language", languages())
def test_alt_texts_begin_with_the_news_in_whole_sentences(language: str) -> None:
    presenter = PRESENTERS["carcassonne"]
    with speaking(language):
        for moment in moments(6, 4)[::9]:
            headline_news = news(presenter, moment)
            assert len(headline_news) <= MAX_STORY
            assert headline_news or not any(isinstance(event, TilePlaced) for event in moment.events)
            for alt in (move_alt(presenter, moment), board_alt(presenter, moment)):
                assert 0 < len(alt) <= MAX_ALT_LENGTH
                assert alt.startswith(headline_news)
                for name, points in zip(LONG_NAMES, moment.after.scores, strict=True):
                    assert t("alt.score", player=name, points=points) in alt
                assert "**" not in alt
                assert "\\" not in alt
                assert "…" not in alt


@pytest.mark.parametrize("players", [2, 6])
def test_the_drawn_tile_is_described_in_words(players: int) -> None:
    described_tiles = 0
    for moment in moments(players, 3):
        position: Any = moment.after
        if position.hand is not None:
            assert tile_words(position.hand) in move_alt(presenter_of(position), moment)
            described_tiles += 1
    assert described_tiles > 30


def test_a_bazaar_card_shows_only_its_lots() -> None:
    steps = [
        moment.after for moment in moments(4, 2) if isinstance(moment.after.step, ChooseLot | BidOnLot | BuyOrSell)
    ]
    assert steps
    assert all(position.hand is None for position in steps)


def test_the_longest_tile_description_fits_an_alt_text() -> None:
    words = max((tile_words(kind) for name in OFFERED_TILE_SETS for kind in tile_set(name).values()), key=len)
    scores = ", ".join(t("alt.score", player=name, points=-199) for name in LONG_NAMES)
    for ending in ("", "_bought", "_second"):
        turn = t(f"headline.place{ending}", player=LONG_NAMES[0], turn=199, tile=words)
        assert MAX_STORY + 2 + len(t("alt.board", count=199, turn=turn, scores=scores)) <= MAX_ALT_LENGTH


def test_each_card_has_new_files() -> None:
    card: Any = build_card(moments(2, 0)[0])
    assert [file.filename for file in card.files()] == ["focus.png", "board.png"]
    assert card.files()[0].fp is not card.files()[0].fp


async def test_a_newer_move_cancels_a_waiting_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Moment] = []
    monkeypatch.setattr(cards, "card_pictures", lambda _, moment: drawn.append(moment) or PICTURES)
    render_pool, blockers_may_finish = RenderPool(), threading.Event()
    blockers = [asyncio.create_task(render_pool.draw(lambda: blockers_may_finish.wait(10))) for _ in range(THREADS)]
    older, newer, *_ = moments(2, 0)
    try:
        first = asyncio.create_task(turn_card(render_pool, presenter_of(older.after), older, current=True))
        await asyncio.sleep(0)
        render_pool.drop(picture_key(older.game, older.after.ply))
        second = asyncio.create_task(turn_card(render_pool, presenter_of(newer.after), newer, current=True))
        await asyncio.sleep(0)
        blockers_may_finish.set()
        assert ((await first).pictures, (await second).pictures) == ([], PICTURES)
        assert drawn == [newer]
        assert not list(component_problems((await first).view.to_components(), v2=True))
    finally:
        blockers_may_finish.set()
        await asyncio.gather(*blockers)
        render_pool.close()


def test_a_picture_belongs_to_the_revision_of_its_card() -> None:
    """Cancelling the picture of an undone card does not affect the picture of the card that replaces it.

    After an undo, the next move brings the game to the same number of actions again, but to another revision.
    """
    game = replace(moments(2, 0)[1].game, ply=2)
    after_undo = replace(game, taken_back=3)
    assert game.ply == after_undo.ply
    assert picture_key(game, game.revision) != picture_key(after_undo, after_undo.revision)


def test_an_outdated_move_is_posted_without_a_picture() -> None:
    card = build_card(moments(2, 0)[0], current=False)
    assert card.pictures == []
    assert texts(card)


def test_a_long_story_leaves_out_the_look_of_the_tile_and_then_its_last_sentences() -> None:
    """Regression: after a move that scored five times, the card was taller than a screen."""
    laid = [(event, moment) for moment in moments(3, 1) for event in moment.events if isinstance(event, TilePlaced)]
    placed, moment = max(laid, key=lambda pair: len(tile_words(pair[0].tile)))
    look, cell = tile_words(placed.tile), f"**{placed.cell.label}**"
    score = Scored(0, 9, "castle", (Term("monastery", 1, 9),), (), final=False)
    seen = list[tuple[bool, bool]]()
    for scores in range(1, 9):
        longer = replace(moment, game=game_of(moment.after), events=(placed, *[score] * scores))
        story = texts(build_card(longer)).splitlines()[0]
        assert cell in story
        assert units(story) <= MAX_CARD_STORY
        assert look in texts(build_card(longer, missing="No pictures.")).splitlines()[0]
        seen.append((look in story, story.count("+9") == scores))
    assert list(dict.fromkeys(seen)) == [(True, True), (False, True), (False, False)], "tile and scores told"


def test_small_print_leaves_out_figures_that_stand_on_the_board() -> None:
    """Regression: with five boxes what was left took four lines of a phone; [Board] tells all of it."""
    position = arrange(
        players=5,
        tiles=["base/D 0,0 0", "base/B 0,1 0"],
        expansions=(INNS_CATHEDRALS, PHANTOM),
        followers=["0 0,0 road.E phantom"],
        player=0,
        hand="base/V",
        pile=["base/U"],
    )
    moment = Moment(game_of(position), position, position, (), ())
    *_, small_print = texts(build_card(moment)).splitlines()
    assert t("piece.big-follower_home") in small_print
    assert t("piece.phantom_out") not in small_print
    assert t("piece.phantom_out") in score_table(presenter_of(position), moment.game, position)


def test_many_long_names_are_cut_on_a_card() -> None:
    position = Position(new_setup(players=6, seed="1"))
    long = tuple(f"{name} Maximiliane von Hohenfels" for name in ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn"))
    assert card_names(game_of(position, long))[:2] == ["Ana Max…", "Ben Max…"]
    two = game_of(Position(new_setup(players=2, seed="1")), long)
    assert card_names(two) == seat_names(two)
    assert has_long_names(game_of(position, long))
    assert not has_long_names(two)


def test_names_that_begin_alike_are_cut_in_the_middle() -> None:
    position = Position(new_setup(players=6, seed="1"))
    alike = tuple(f"Maximiliane von Hohenfels {name}" for name in ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn"))
    assert card_names(game_of(position, alike))[:3] == ["Maxi…Ana", "Maxi…Ben", "Max…Cleo"]


def test_short_names_leave_their_room_to_a_long_one() -> None:
    names = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Maximiliane von Hohenfels")
    game = game_of(Position(new_setup(players=6, seed="1")), names)
    assert card_names(game) == seat_names(game)
    assert not has_long_names(game)


@pytest.mark.parametrize(("players", "key"), [(4, "button.lot"), (5, "button.lot_short")])
def test_the_buttons_of_many_lots_have_their_names_alone(players: int, key: str) -> None:
    """Regression: those of five took two rows, and the card was taller than a screen."""
    moment = next(moment for moment in moments(players, 1) if isinstance(moment.after.step, ChooseLot))
    parts = [part for _, part in walk(build_card(moment).view.to_components()) if part["type"] == Kind.BUTTON]
    pressed = [(parse_key(part["custom_id"]), part["label"]) for part in parts]
    labels = [label for pressed_key, label in pressed if pressed_key is not None and pressed_key.op == LOT]
    assert labels == [t(key, lot=lot) for lot in range(1, players + 1)]


def test_more_than_three_who_may_plan_are_told_across_the_card() -> None:
    """Regression: beside the button the mentions of five long names took eight lines of a phone."""
    for players, beside in ((4, True), (5, False)):
        opened = [it for it in moments(players, 1) if any(isinstance(event, BazaarOpened) for event in it.events)]
        card = build_card(opened[0])
        assert any(part["type"] == Kind.SECTION for _, part in walk(card.view.to_components())) is beside
        assert operations(card).count(Op.ORDERS) == 1
        assert len(card.players) == players - 1


def test_the_sixth_lot_shares_a_row_with_the_buttons_of_the_card() -> None:
    """Regression: it took a row alone, and the card of six players was taller than a screen."""
    moment = next(moment for moment in moments(6, 1) if isinstance(moment.after.step, ChooseLot))
    rows = [part for _, part in walk(build_card(moment).view.to_components()) if part["type"] == Kind.ACTION_ROW]
    assert [len(row["components"]) for row in rows] == [5, 5]


def test_the_pieces_left_are_counted_from_some_number_on() -> None:
    """Regression: with all boxes they took five lines of a phone; [Board] names all."""
    for players, most in ((2, MAX_LEFT), (6, MAX_LEFT_OF_MANY)):
        position = Position(new_setup(players=players, seed="1", expansions=OFFERED))
        moment = Moment(game_of(position), position, position, (), ())
        left = list(presenter_of(position).left(position, position.player))
        shown = texts(build_card(moment)).splitlines()[-1].removeprefix("-# Ana: ").split(" · ")[:-2]
        assert shown[:-1] == left[: len(shown) - 1]
        assert shown[-1] == t("card.and_more", number=len(left) - len(shown) + 1)
        assert units(" · ".join(shown)) <= most
        assert left[-1] in texts(build_card(moment, missing="No pictures."))


def test_a_long_decision_of_many_players_has_no_small_print_below_the_points() -> None:
    """Regression: with long names and five buttons such a card was taller than a screen; [Board] has the pile."""
    found = {
        len(moment.game.seats): moment for players in (4, 6) for moment in moments(players, 1)[30:] if asks(moment)
    }
    small, large = (texts(build_card(found[players])).splitlines()[-1] for players in (4, 6))
    assert pile_words(found[4].after) in small
    assert large == score_line(found[6].game, found[6].after).splitlines()[-1]
    assert pile_words(found[6].after) in texts(build_card(found[6], missing="No pictures."))


def test_the_first_card_names_some_boxes_and_counts_the_others() -> None:
    position = Position(new_setup(players=2, seed="1", expansions=OFFERED))
    start = Moment(game_of(position), position, position, (), ())
    line = texts(build_card(start)).splitlines()[1]
    names = presenter_of(position).expansion_names(position.setup.expansions)
    named = sum(name in line for name in names)
    assert 1 < named < len(names)
    assert t("rules.more_expansions", number=len(names) - named) in line
    assert units(line) <= MAX_BOXES


def test_the_story_leaves_room_to_the_details_of_the_decision() -> None:
    for moment in moments(6, 2):
        details = presenter_of(moment.after).details(card_names(moment.game), moment.after)
        if details and moment.after.hand is not None:
            story = texts(build_card(moment)).splitlines()[0]
            assert units(story) <= max(MAX_STORY_OF_MANY - units(details), MIN_CARD_STORY)


def test_the_deadline_stands_behind_the_words_of_the_tile() -> None:
    moment = next(moment for moment in moments(3, 1) if moment.after.hand is not None)
    times = Times(NOW, (), timedelta(0))
    render_pool = RenderPool()
    card = asyncio.run(turn_card(render_pool, presenter_of(moment.after), moment, current=True, times=times))
    render_pool.close()
    deadline = t("card.deadline", at=int(NOW.timestamp()))
    assert f"-# {tile_words(moment.after.hand)} · {deadline}" in texts(card).splitlines()
