"""Conservation in random games: pieces, tiles and points move between players, none is lost or created.

A property is checked in many random games, which Hypothesis draws: setup, options, number of players and decisions.
Codes such as IX-06 are rules of the rule digest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine import Cell, Resign
from engine.carcassonne import Options, PlaceTile, Position, Segment, Setup
from engine.carcassonne.expansions import BCB, TRADERS_BUILDERS
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BANK,
    BazaarClosed,
    BazaarOpened,
    BridgeBuilt,
    ChooseCastleSource,
    DecideTown,
    LotSold,
    bazaar_of,
    bridge_on,
    castles_of,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.bazaars import set_aside
from engine.carcassonne.expansions.traders_builders import GoodsTaken, goods_of, goods_on
from engine.carcassonne.table import ORDINARY
from engine.events import Completed, Event, GameOver, Scored, TileDiscarded, TilePlaced
from tests.engine.carcassonne_games import options, setups
from tests.engine.every_game import play_moves, play_random_game, seeds

FIGURE_COUNTS = {"follower": ORDINARY.count, "builder": 1, "pig": 1, "big-follower": 1}
"""The number of figures of each kind that a player owns. For other kinds, the expansion gives the number."""


def figures_of(position: Position, figure: str) -> list[int]:
    """Count the figures of a kind in supply, on tiles and in castles, by seat."""
    counts = list(position.supply[figure])
    lords = [follower for castle in castles_of(position) for follower in castle.followers]
    for entry in (*position.standing_figures(), *lords):
        counts[entry.player] += entry.figure == figure
    return counts


@given(setups(), seeds())
def test_figures_are_neither_lost_nor_made(setup: Setup, seed: int) -> None:
    for position, _, _ in play_moves(setup, seed, resigning=True):
        for name, figure in position.figures.items():
            assert figures_of(position, name) == [FIGURE_COUNTS.get(name, figure.count)] * setup.players
            assert min(position.supply[name]) >= 0


@given(setups(expansions=st.just((BCB, TRADERS_BUILDERS))), seeds())
def test_builders_and_pigs_never_stand_alone(setup: Setup, seed: int) -> None:
    """Each shares its road or city (builders, IX-06) or field (pigs, IX-07) with a follower of its owner."""
    grounds = {"builder": {"road", "city"}, "pig": {"field"}}
    for position, _, _ in play_moves(setup, seed, resigning=True):
        for feature in position.features():
            followers = {entry.player for entry in feature.followers if entry.figure == "follower"}
            companions = [entry for entry in feature.followers if entry.figure != "follower"]
            assert followers.issuperset(entry.player for entry in companions)
            assert all(feature.kind in grounds[entry.figure] for entry in companions)


@given(setups(expansions=st.just((TRADERS_BUILDERS,))), seeds())
def test_goods_are_those_of_the_completed_cities(setup: Setup, seed: int) -> None:
    goods = [Counter[str]() for _ in range(setup.players)]
    position = Position(setup)
    for position, _, events in play_moves(setup, seed):
        for event in events:
            if isinstance(event, GoodsTaken):
                goods[event.player][event.kind] += event.count
        assert goods_of(position) == tuple(goods)
    drawn = Counter(
        str(goods_on(segment))
        for feature in position.features()
        if feature.complete
        for _, segment in feature.parts
        if isinstance(segment, Segment) and goods_on(segment)
    )
    assert sum(goods, Counter()) == drawn


@given(setups(expansions=st.just((BCB,))), seeds())
def test_bridges_and_castles_are_neither_lost_nor_made(setup: Setup, seed: int) -> None:
    dealt = 3 if setup.players <= 4 else 2
    built = [0] * setup.players
    for position, _, events in play_moves(setup, seed, resigning=True):
        for event in events:
            if isinstance(event, BridgeBuilt):
                built[event.player] += 1
        castles = Counter(castle.player for castle in castles_of(position))
        assert position.supply["bridge"] == [dealt - count for count in built]
        assert position.supply["castle"] == [dealt - castles[seat] for seat in range(setup.players)]
        assert sum(bridge_on(placed) is not None for placed in position.placed()) == sum(built)
        assert min(position.supply["bridge"] + position.supply["castle"]) >= 0


@given(setups(), seeds())
def test_tiles_are_neither_lost_nor_made(setup: Setup, seed: int) -> None:
    """Every drawn tile is on the table, discarded, in hand, or a lot that waits for its buyer.

    Abbeys are in no pile.
    """
    pile = frozenset(setup.pile)
    start = Position(setup)  # tiles that fit nowhere beside the start tile are discarded before the first move
    played = Counter(setup.pile[: start.next_tile]) - Counter([start.hand.id] if start.hand else [])
    for position, _, events in play_moves(setup, seed, resigning=True):
        used = (event.tile.id for event in events if isinstance(event, TilePlaced | TileDiscarded))
        played.update(name for name in used if name in pile)
        if position.is_ending:
            break  # all players but one have resigned, and the tile in hand is out of the game
        drawn = Counter(setup.pile[: position.next_tile])
        in_hand = Counter([position.hand.id] if position.hand and position.hand.id in pile else [])
        waiting = drawn - played - in_hand
        lots = Counter(kind.id for kind in bazaar.tiles) if (bazaar := bazaar_of(position)) else Counter()
        lots_set_aside = set_aside(position)
        assert played + in_hand + waiting == drawn
        assert waiting <= lots + Counter(setup.pile[lots_set_aside.start : lots_set_aside.stop])


@given(setups(), seeds())
def test_points_come_from_scores_and_go_to_the_bank_only(setup: Setup, seed: int) -> None:
    scores = [0] * setup.players
    for position, _, events in play_moves(setup, seed, resigning=True):
        for event in events:
            match event:
                case Scored():
                    assert event.points == sum(term.points for term in event.terms)
                    scores[event.player] += event.points
                case LotSold():
                    scores[event.payer] -= event.price
                    if event.payee != BANK:
                        scores[event.payee] += event.price
                case GameOver():
                    assert list(event.scores) == scores
        assert position.scores == scores


@given(setups(rules=options().filter(lambda rules: rules.bazaar_too_few_tiles == "skip")), seeds())
def test_every_player_ends_a_bazaar_with_one_tile(setup: Setup, seed: int) -> None:
    """The games have no resignations, and no bazaar with too few tiles (BZ-06, BZ-27)."""
    sold: list[LotSold] = []
    for _, _, events in play_moves(setup, seed):
        for event in events:
            match event:
                case BazaarOpened():
                    assert len(event.tiles) == setup.players
                    sold = []
                case LotSold():
                    sold.append(event)
                case BazaarClosed():
                    assert sorted(sale.player for sale in sold) == list(range(setup.players))
                    assert sorted(sale.lot for sale in sold) == list(range(1, setup.players + 1))


@given(setups(rules=st.just(Options(bazaar_bid_limit="own_score"))), seeds())
def test_no_score_falls_below_zero_where_bids_are_limited(setup: Setup, seed: int) -> None:
    """Play with the option that limits bids to the player's own score (BZ-22)."""
    for position, _, _ in play_moves(setup, seed):
        assert min(position.scores) >= 0


@given(setups(), seeds())
def test_each_completed_feature_is_announced_once(setup: Setup, seed: int) -> None:
    announced = 0
    for position, _, events in play_moves(setup, seed):
        announced += sum(isinstance(event, Completed) and event.kind != "castle" for event in events)
        if isinstance(position.step, PlaceTile | None):
            assert announced == sum(feature.complete and feature.kind != "castle" for feature in position.features())


def count_payments(events: Sequence[Event]) -> Counter[tuple[int, str, frozenset[Cell]]]:
    """Count the times that each player was paid for the roads, cities and monasteries on the same cells."""
    return Counter(
        (event.player, event.kind, frozenset(event.cells))
        for event in events
        if isinstance(event, Scored) and event.kind in {"road", "city", "monastery"}
    )


def find_overpayments(position: Position, events: Sequence[Event]) -> list[object]:
    """Return the payments that were made more often than there are such features."""
    there = Counter(
        (str(feature.kind), frozenset(cell for cell, _ in feature.parts)) for feature in position.features()
    )
    return [
        (seat, kind, cells)
        for (seat, kind, cells), times in count_payments(events).items()
        if times > there[kind, cells]
    ]


@given(setups(), seeds())
def test_no_feature_is_paid_twice(setup: Setup, seed: int) -> None:
    announced: list[Event] = []
    position = Position(setup)
    for position, _, events in play_moves(setup, seed):  # noqa: B007
        announced += events
    assert not find_overpayments(position, announced)


@given(setups(expansions=st.just((BCB,)), rules=st.just(Options())), seeds())
def test_no_feature_is_paid_twice_when_a_player_resigns_during_scoring(setup: Setup, seed: int) -> None:
    announced: list[Event] = []
    for position, _, events in play_moves(replace(setup, players=2), seed):
        announced += events
        if isinstance(position.step, DecideTown | ChooseCastleSource):
            ended = position.copy()
            rest = ended.apply(Resign(position.player))
            assert not find_overpayments(ended, [*announced, *rest])


@given(setups(), seeds())
def test_the_ranking_holds_every_seat_once(setup: Setup, seed: int) -> None:
    position, _ = play_random_game(setup, seed, resigning=True)
    ranking = position.ranking()
    assert sorted(seat for seats in ranking for seat in seats) == list(range(setup.players))
    for seats in ranking:
        assert len({(position.withdrawn[seat], position.scores[seat]) for seat in seats}) == 1
    order = [(position.withdrawn[seats[0]], -position.scores[seats[0]]) for seats in ranking]
    assert order == sorted(order)
