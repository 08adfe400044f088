"""The presentation of every game: within Discord's limits, complete, and offering legal moves only.

The tests play random games with the highest number of players, the longest names and all expansions, and replace the
pictures by two of one byte, which have long alt texts.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from cogs.commands.autocomplete import capacity_of, expansions_of, options_of, preset_choices
from cogs.commands.lobby import lobby_card
from cogs.commands.play import decision_panel, panel_view
from cogs.games.presenters import PRESENTERS
from cogs.panels import cards
from cogs.panels.cards import Card, final_card, turn_card
from cogs.panels.composer import compose
from cogs.panels.stepping import stops_of
from cogs.presenting.ids import Op, parse_key
from cogs.presenting.presenter import AltPicture, Panel, Presenter
from cogs.services.render_pool import RenderPool
from cogs.texts import has_text, t
from cogs.words.alt_texts import MAX_ALT_LENGTH, board_alt, move_alt
from cogs.words.refusals import RefusedError
from cogs.words.story import card_names, log_page
from cogs.words.typed_moves import typed_actions, typed_moves
from engine import GAMES, Action, Position, begin, parse_action
from engine.events import Event, Scored
from engine.selfplay import random_action
from host import Lobby, LobbyState, LoggedAction, Moment, Person, Preferences, Table, TableSettings, setup_of
from renderers.values import Picture
from tests.cogs.positions import LONG_NAMES, NOW, game_of
from tests.discord_limits.components import Kind, component_problems, walk
from tests.soak import first

PICTURES = [
    AltPicture(Picture(b"x", "focus.png", 1, 1), "alt" * 80),
    AltPicture(Picture(b"x", "board.png", 1, 1), "alt" * 80),
]
"""Stubs with long alt texts."""
every_game = pytest.mark.parametrize("name", GAMES)
"""Runs a test once for each game."""
quick_and_careful = pytest.mark.parametrize("confirm", [True, False])
"""Runs a test with and without confirmation of moves."""


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace all pictures by stubs."""
    monkeypatch.setattr(cards, "card_pictures", lambda *_: PICTURES)
    monkeypatch.setattr(cards, "final_pictures", lambda *_: PICTURES[:1])


def play_random_game(name: str, seed: int) -> Iterator[tuple[Position, Action, tuple[Event, ...]]]:
    """Yield a random game with all players and expansions: each position, the next action, its events."""
    rng, game = Random(seed), GAMES[name]
    setup = game.new_setup(players=game.players[-1], seed=f"the secret of {seed}", expansions=game.expansions)
    position = begin(setup)
    while position.step is not None:
        before = position.copy()
        action = random_action(position, rng)
        yield before, action, position.apply(action)


def moments(name: str, seed: int) -> Iterator[Moment]:
    """Yield the moments of a random game, one per action."""
    for before, action, events in play_random_game(name, seed):
        after = before.copy()
        after.apply(action)
        yield Moment(game_of(after, LONG_NAMES), before, after, (), events)


def finished_game(name: str, seed: int) -> tuple[Table, Moment]:
    """Return a finished random game, as a table and as one moment."""
    plies = list(play_random_game(name, seed))
    log = [LoggedAction(before.ply, before.player, 100, action, NOW) for before, action, _ in plies]
    end = plies[-1][0].copy()
    end.apply(plies[-1][1])
    game = game_of(end, LONG_NAMES)
    events = tuple(event for _, _, events in plies for event in events)
    return Table(game, end, tuple(log)), Moment(game, plies[0][0], end, tuple(log), events)


def components(panel: Panel, ply: int) -> list[dict[str, Any]]:
    """Return the components that are sent for a panel."""
    payload: list[dict[str, Any]] = panel_view("K7QF", ply, panel, PICTURES[:1]).to_components()
    return payload


def keys(parts: list[dict[str, Any]]) -> list[Any]:
    """Return the parsed custom ids of the buttons."""
    return [parse_key(part["custom_id"]) for _, part in walk(parts) if part["type"] == Kind.BUTTON]


def texts(card: Card) -> str:
    """Return the whole text of a card."""
    return "\n".join(
        part["content"] for _, part in walk(card.view.to_components()) if part["type"] == Kind.TEXT_DISPLAY
    )


def apply_all(position: Position, tokens: str) -> Position:
    """Return the position after these actions, each of which is checked."""
    after = position.copy()
    for token in tokens.split():
        after.apply(parse_action(token))
    return after


def presenter_of(name: str) -> Presenter[Any]:
    """Return the presenter of a game."""
    return PRESENTERS[name]


@every_game
@quick_and_careful
@pytest.mark.parametrize("seed", first(1, range(2)))
def test_a_random_sequence_of_composer_panels_keeps_the_limits(name: str, seed: int, *, confirm: bool) -> None:
    rng = Random(seed)
    submitted = 0
    for position, _, _ in play_random_game(name, seed):
        presenter = presenter_of(name)
        if presenter.offers(position) or rng.random() < 0.7:
            continue  # a sample of the turns is enough
        plan = ""
        for _ in range(8):
            panel = compose(presenter, game_of(position, LONG_NAMES), position, plan, Preferences(confirm=confirm))
            parts = components(panel, position.ply)
            assert not list(component_problems(parts, v2=True))
            for key in keys(parts):
                if key.op is Op.GO:
                    submitted += 1
                    assert not presenter.turn.continues(apply_all(position, key.argument))
            plans = [key.argument for key in keys(parts) if key.op is Op.PLAN]
            plan = rng.choice(plans) if plans else ""
    assert submitted > 20


@every_game
@pytest.mark.parametrize("seed", range(2))
def test_every_decision_has_buttons_for_legal_actions_only(name: str, seed: int) -> None:
    for position, _, _ in play_random_game(name, seed):
        presenter = presenter_of(name)
        if not presenter.offers(position):
            continue
        panel = decision_panel(presenter, game_of(position, LONG_NAMES), position)
        parts = components(panel, position.ply)
        assert not list(component_problems(parts, v2=True))
        assert keys(parts)
        for key in keys(parts):
            assert key.revision == position.ply
            if key.op is Op.ACT:
                assert parse_action(key.argument) in position.legal_actions


@every_game
def test_every_unfinished_position_has_a_headline(name: str) -> None:
    for position, _, _ in play_random_game(name, 3):
        assert presenter_of(name).headline(["A"] * 6, position, "A")


@every_game
@pytest.mark.parametrize("seed", range(2))
async def test_every_card_of_a_game_keeps_the_limits(name: str, seed: int) -> None:
    render_pool = RenderPool()
    shown_moments = [moment for moment in moments(name, seed) if not moment.after.is_over][::5]
    for moment in shown_moments:
        card = await turn_card(render_pool, presenter_of(name), moment, current=True)
        assert not list(component_problems(card.view.to_components(), v2=True))
        assert all(person in texts(card) for person in card_names(moment.game))
    render_pool.close()
    assert len(shown_moments) > 10


@every_game
async def test_the_first_card_hides_the_seed_and_the_last_reveals_it(name: str) -> None:
    render_pool = RenderPool()
    _, end = finished_game(name, 2)
    setup = setup_of(end.game)
    first = await turn_card(
        render_pool, presenter_of(name), Moment(end.game, end.before, end.before, (), ()), current=True
    )
    last = await final_card(render_pool, presenter_of(name), end, end)
    render_pool.close()
    assert setup.commitment not in texts(first)
    assert setup.seed not in texts(first)
    assert f"`{setup.seed}`" in texts(last)
    for card in (first, last):
        assert not list(component_problems(card.view.to_components(), v2=True))


@every_game
@pytest.mark.parametrize("seed", range(2))
def test_the_categories_add_up_to_the_score(name: str, seed: int) -> None:
    presenter = presenter_of(name)
    _, end = finished_game(name, seed)
    points = presenter.points(end.events, end.after.players)
    assert [sum(kinds.values()) for kinds in points] == end.after.scores
    assert {kind for kinds in points for kind in kinds} <= set(presenter.categories)
    for kind in presenter.categories:
        assert has_text(f"category.{kind}")
        assert has_text(f"legend.{kind}")


@every_game
def test_scores_are_explained_completely(name: str) -> None:
    _, end = finished_game(name, 4)
    for event in end.events:
        if isinstance(event, Scored):
            assert all(has_text(f"term.{term.name}.one") or has_text(f"term.{term.name}") for term in event.terms)
            assert presenter_of(name).sentence(["A"] * 6, event)


@every_game
def test_alt_texts_are_complete_and_free_of_markup(name: str) -> None:
    presenter = presenter_of(name)
    for moment in list(moments(name, 5))[::5]:
        for alt in (move_alt(presenter, moment), board_alt(presenter, moment)):
            assert 0 < len(alt) <= MAX_ALT_LENGTH
            assert "**" not in alt
            assert "\\" not in alt
            assert "…" not in alt


@every_game
def test_the_log_contains_every_turn_once(name: str) -> None:
    table, _ = finished_game(name, 6)
    lines: list[str] = []
    skipped: int | None = 0
    while skipped is not None:
        page = log_page(presenter_of(name), table, skipped, 3500)
        lines += page.lines
        skipped = skipped + len(page.lines) if page.older else None
    stops = stops_of(presenter_of(name), table.position.setup, [entry.action for entry in table.log])
    titles = [line.removeprefix("**").partition("**")[0] for line in lines][::-1]
    numbers = dict.fromkeys(int(title.removeprefix("Turn ")) for title in titles if title != t("log.end"))
    assert list(numbers) == sorted(stops.turns), "the log and the step buttons number the turns alike"
    assert titles[-1] == t("log.end")


@every_game
def test_suggestions_are_complete_legal_moves(name: str) -> None:
    rng = Random(7)
    presenter = presenter_of(name)
    for position, _, _ in play_random_game(name, 7):
        if rng.random() < 0.7 or presenter.turn.continues(position):
            continue  # a sample of the turns is enough
        suggestions = typed_moves(presenter, position, "", 60)
        assert suggestions
        for move in rng.sample(suggestions, min(5, len(suggestions))):
            assert len(move.text) <= 100
            assert move.words
            assert not presenter.turn.continues(apply_all(position, move.text))
            actions = tuple(parse_action(token) for token in move.text.split())
            assert tuple(typed_actions(presenter, position, move.text)) == actions


@every_game
def test_every_tile_has_a_description(name: str) -> None:
    game = GAMES[name]
    position = begin(game.new_setup(players=game.players[0], seed="tiles", expansions=game.expansions))
    presenter = presenter_of(name)
    assert all(presenter.tile_words(presenter.tile_kind(position, tile_id)) for tile_id in position.setup.pile)


@every_game
def test_every_option_of_the_game_has_a_text(name: str) -> None:
    game = GAMES[name]
    options = [f"option.{option}.{value}" for option, values in game.options.values().items() for value in values]
    presets = [f"preset.{preset}" for preset in game.presets]
    assert not [
        key for key in (*options, *presets, f"game_choice.{name}", f"rulebook.game.{name}") if not has_text(key)
    ]
    assert all(presenter_of(name).rules_summary(game.expansions))
    for setting, values in presenter_of(name).choices.items():
        assert not [key for key in ("title", *values) if not has_text(f"setting.{setting}.{key}")]


# -- opening a table --------------------------------------------------------------------------------------------------


@every_game
def test_a_table_can_be_opened_with_every_preset(name: str) -> None:
    game = GAMES[name]
    for preset, options in game.presets.items():
        assert game.options.of(options_of(name, preset)) == options
        assert game.options.of(options_of(name, t(f"preset.{preset}"))) == options
        assert preset in {choice.value for choice in preset_choices(name, t(f"preset.{preset}")[:5])}
    assert game.options.of(options_of(name, "")) == next(iter(game.presets.values()))
    assert capacity_of(name, None) == game.players[-1]
    assert set(expansions_of(name, "", PRESENTERS[name].default_expansions)) <= set(game.expansions)


@every_game
def test_unknown_options_of_a_game_are_refused(name: str) -> None:
    for players in (1, 7):
        with pytest.raises(RefusedError):
            capacity_of(name, players)
    with pytest.raises(RefusedError):
        options_of(name, "no such edition")
    with pytest.raises(RefusedError):
        expansions_of(name, "no-such-expansion", ())


@every_game
def test_the_lobby_card_names_the_game(name: str) -> None:
    game = GAMES[name]
    members = tuple(Person(100 + seat, LONG_NAMES[seat]) for seat in range(game.players[-1]))
    lobby = Lobby(
        id=7,
        guild_id=1,
        channel_id=2,
        message_id=3,
        owner_id=100,
        game=name,
        capacity=len(members),
        members=members,
        expansions=PRESENTERS[name].default_expansions,
        options={option: values[-1] for option, values in game.options.values().items()},
        settings=TableSettings(),
        state=LobbyState.OPEN,
        game_id=None,
        created_at=NOW,
        changed_at=NOW,
    )
    parts = lobby_card(lobby).to_components()
    assert not list(component_problems(parts, v2=True))
    text = "\n".join(part["content"] for _, part in walk(parts) if part["type"] == Kind.TEXT_DISPLAY)
    assert t(f"rulebook.game.{name}") in text
    assert all(remark in text for remark in PRESENTERS[name].remarks())
