"""The computer answers every decision of every game legally, reproducibly, and by public knowledge alone.

Public knowledge is what all players see: not the order of the pile. A position in which it is shuffled has to get the
same answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from random import Random

import pytest

from computer import Level, Player
from computer.arena import Match, play_pair
from computer.carcassonne.boxes import TERMS
from computer.carcassonne.boxes.bridges_castles_bazaars.auction import Market
from computer.games import evaluator_for
from computer.lookahead import Strength
from computer.players import MULTIPLAYER_STRENGTHS, TWO_PLAYER_STRENGTHS
from computer.weights import PACKAGE, START, SUFFIX, TUNED, read_weights
from engine import GAMES, Position, begin, state_digest
from engine.carcassonne.expansions import bridges_castles_bazaars as bazaars
from tests.computer.positions import ALL_BOXES, GAMES_PLAYED, random_positions, with_other_secrets

DECISIONS_PER_SAMPLE = 12
"""One decision in so many is checked where a check takes several decisions."""
MAX_WORTH_OF_FAIRY = 10
"""More points than moving the fairy can bring, and fewer than all features of a position are worth."""
PLIES_PER_SEARCH = 120
"""Two decisions in so many are made by the levels that look ahead, which take longer."""
SHORT_STRONG = Strength(contenders=3, margin=3.0, evaluations=100, endgame_tiles=2, endgame_width=2)
"""The extent of a search like that of the level strong, but short enough for tests."""
OPENING_PLIES = 12
"""The decisions after which there are several good placements."""
MANY_PLAYERS = 4
"""With at least this many players, one decision in three is enough, since such games are long."""


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("name", "players", "expansions", "preset"), GAMES_PLAYED)
def test_every_decision_is_answered_legally(
    name: str, players: int, expansions: tuple[str, ...], preset: str, step: int
) -> None:
    """Players who do not look ahead are included. Every fifth decision is checked, and with `make soak` each one."""
    quick, greedy, lots = Player(Level.QUICK), Player(Level.GREEDY), Player(Level.RANDOM)
    for position in random_positions(name, players, expansions, preset, seed=1):
        if position.ply % (3 * step if players >= MANY_PLAYERS else step):
            continue
        before = state_digest(position)
        for player in (quick, lots) if position.ply % DECISIONS_PER_SAMPLE else (quick, greedy, lots):
            assert player.decide(position, "a").chosen.action in position.legal_actions
        assert state_digest(position) == before


@pytest.mark.parametrize(("name", "players", "expansions", "preset"), [GAMES_PLAYED[5], *GAMES_PLAYED[-2:]])
def test_hidden_things_change_no_decision(name: str, players: int, expansions: tuple[str, ...], preset: str) -> None:
    """The copy differs in the order of the pile, the tiles set aside, the untaken wall tiles and the seed."""
    random = Random(3)
    for position in random_positions(name, players, expansions, preset, seed=2):
        if position.ply % DECISIONS_PER_SAMPLE == 0:
            second = with_other_secrets(position, random)
            for level in (Level.QUICK, Level.GREEDY):
                decision, second_decision = Player(level).decide(position), Player(level).decide(second)
                assert (decision.chosen, decision.evaluations) == (second_decision.chosen, second_decision.evaluations)


@pytest.mark.parametrize(
    ("name", "players", "expansions", "preset"),
    [GAMES_PLAYED[0], pytest.param(*GAMES_PLAYED[-4], marks=pytest.mark.soak), GAMES_PLAYED[-1]],
)
def test_levels_that_look_ahead_answer_legally_and_by_public_knowledge(
    name: str, players: int, expansions: tuple[str, ...], preset: str
) -> None:
    """Decisions at the end of the game, which is solved, are checked more often."""
    random = Random(5)
    strong = Player(Level.STRONG, strength=SHORT_STRONG)
    for position in random_positions(name, players, expansions, preset, seed=3):
        if abs(position.ply % PLIES_PER_SEARCH - 60) < 2 or (position.pile_left <= 1 and players == 2):
            before, second = state_digest(position), with_other_secrets(position, random)
            for player in (Player(Level.STANDARD), strong):
                decision = player.decide(position)
                assert decision.chosen.action in position.legal_actions
                assert decision.chosen == player.decide(second).chosen
            assert state_digest(position) == before


@pytest.mark.parametrize(
    ("players", "extents", "others"),
    [(2, TWO_PLAYER_STRENGTHS, MULTIPLAYER_STRENGTHS), (3, MULTIPLAYER_STRENGTHS, TWO_PLAYER_STRENGTHS)],
)
def test_the_extent_of_a_search_depends_on_the_number_of_players(
    players: int, extents: Mapping[Level, Strength], others: Mapping[Level, Strength]
) -> None:
    """In games of more than two a level looks at more candidates."""
    position = begin(Match("quick", "quick", players).setup(0))
    while position.ply < OPENING_PLIES or position.hand is None:
        position.play(Player(Level.QUICK).decide(position).chosen.action)
    level = Level.STANDARD
    usual = Player(level).decide(position)
    assert usual == Player(level, strength=extents[level]).decide(position)
    assert usual.evaluations != Player(level, strength=others[level]).decide(position).evaluations


def test_the_same_position_gives_the_same_decision_however_it_was_reached() -> None:
    """A player with memories of the whole game decides like one who sees the position for the first time."""
    old = Player(Level.QUICK)
    for position in random_positions("carcassonne", 3, ALL_BOXES, "", seed=4):
        if position.ply % (2 * DECISIONS_PER_SAMPLE) < 3:
            assert old.decide(position).chosen == Player(Level.QUICK).decide(position.copy()).chosen


@pytest.mark.parametrize(("name", "players", "expansions", "preset"), GAMES_PLAYED)
def test_each_value_is_the_sum_of_its_parts(name: str, players: int, expansions: tuple[str, ...], preset: str) -> None:
    for position in random_positions(name, players, expansions, preset, seed=8):
        if not expansions or position.ply % (4 * DECISIONS_PER_SAMPLE) < 2:
            for candidate in Player(Level.QUICK).candidates(position):
                assert sum(candidate.parts.values()) == pytest.approx(candidate.value, abs=1e-6)


def test_boxes_without_terms_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their own decisions are then valued by the positions to which they lead; one of each kind is made."""
    for box in ALL_BOXES:
        monkeypatch.delitem(TERMS, box, raising=False)
    asked = set()
    for position in random_positions("carcassonne", 3, ALL_BOXES, "", seed=9):
        if type(position.step) not in asked:
            asked.add(type(position.step))
            assert Player(Level.QUICK).decide(position).chosen.action in position.legal_actions
    assert {bazaars.BidOnLot, bazaars.ChooseLot} <= asked


def test_an_action_instead_of_a_figure_is_compared_with_passing() -> None:
    """A box without terms may add such an action, as the fairy does; it is on the same scale as the figures."""
    compared = 0
    for position in random_positions("carcassonne", 2, ("fairy",), "", seed=10):
        actions = {str(action).partition(":")[0] for action in position.legal_actions}
        if "fairy" in actions and position.ply % DECISIONS_PER_SAMPLE < 4:
            values = {str(candidate.action): candidate.value for candidate in Player(Level.QUICK).candidates(position)}
            fairies = [value for action, value in values.items() if action.startswith("fairy")]
            assert all(abs(value - values["pass"]) < MAX_WORTH_OF_FAIRY for value in fairies)
            compared += len(fairies)
    assert compared > 10


def test_a_random_player_draws_by_seed_and_ply() -> None:
    position = next(iter(random_positions("carcassonne", 2, (), "", seed=5)))
    lots = Player(Level.RANDOM)
    assert lots.decide(position, "a") == lots.decide(position, "a")
    assert len({lots.decide(position, f"{seed}").chosen.action for seed in range(20)}) > 1


def test_no_bid_is_above_its_own_value() -> None:
    """Winning the lot with this bid is at least as good as letting another player have it for nothing."""
    bids = 0
    for seed in range(6, 8):
        for position in random_positions("carcassonne", 3, (bazaars.BCB,), "", seed=seed):
            action = Player(Level.QUICK).decide(position).chosen.action if bidding(position) else None
            if isinstance(action, bazaars.Bid):
                amount, lot = action.amount, position.step.bazaar.lot
            elif isinstance(action, bazaars.SelectLot) and action.bid:
                amount, lot = action.bid, action.lot - 1
            else:
                continue
            bids += 1
            assert amount <= gain_from(position, lot)
    assert bids > 3


def bidding(position: Position) -> bool:
    """Return True if the step is a decision of an auction."""
    return isinstance(position.step, bazaars.ChooseLot | bazaars.BidOnLot)


def gain_from(position: Position, lot: int) -> float:
    """Return how much more the player to move gains from a lot than from losing it to the worst rival."""
    evaluator = evaluator_for(position, read_weights(TUNED, "carcassonne"))
    bazaar, player = position.step.bazaar, position.player
    market = Market(position, bazaar, lambda seat, at: evaluator.tile_worth(bazaar.tiles[at], seat))
    rivals = [seat for seat in market.players_without_lot(bazaar.owners) if seat != player]
    own_value = market.utility(player, market.owners_with(lot, player))
    return own_value - min(market.utility(player, market.owners_with(lot, seat)) for seat in rivals)


@pytest.mark.parametrize("game", list(GAMES))
def test_every_set_has_weights_of_the_same_names(game: str) -> None:
    names = read_weights(TUNED, game).keys()
    sets = [file.name.removesuffix(SUFFIX) for file in resources.files(PACKAGE).iterdir() if file.name.endswith(SUFFIX)]
    assert {START, "greedy", "tuned-1"} < set(sets)
    assert all(read_weights(name, game).keys() == names for name in sets)


def test_each_level_is_ahead_of_the_one_below() -> None:
    """A few games suffice: a sign error in the evaluation would lose them."""
    for a, b in (("quick", "greedy"), ("greedy", "random")):
        games = [game for number in range(2) for game in play_pair(Match(a, b, seed=1), number).games]
        assert sum(game.points for game in games) > sum(game.rival_points for game in games)
