"""Random games: pieces, tiles and points go from hand to hand, none is lost or made."""

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
from tests.engine.every_game import luck, moves, play

FIGURES = {"follower": ORDINARY.count, "builder": 1, "pig": 1, "big-follower": 1}
"""Return the number of figures of each kind that a player has; by default as dealt."""


def figures_of(position: Position, figure: str) -> list[int]:
    """Figures of a kind in supply, on tiles and in castles, by seat."""
    counts = list(position.supply[figure])
    lords = [follower for castle in castles_of(position) for follower in castle.followers]
    for entry in (*position.standing_figures(), *lords):
        counts[entry.player] += entry.figure == figure
    return counts


@given(setups(), luck())
def test_figures_are_neither_lost_nor_made(setup: Setup, seed: int) -> None:
    for position, _, _ in moves(setup, seed, resigning=True):
        for name, figure in position.figures.items():
            assert figures_of(position, name) == [FIGURES.get(name, figure.count)] * setup.players
            assert min(position.supply[name]) >= 0


@given(setups(expansions=st.just((BCB, TRADERS_BUILDERS))), luck())
def test_builders_and_pigs_never_stand_alone(setup: Setup, seed: int) -> None:
    """IX-06, IX-07; and a builder stands on a road or in a city, a pig on a field."""
    grounds = {"builder": {"road", "city"}, "pig": {"field"}}
    for position, _, _ in moves(setup, seed, resigning=True):
        for feature in position.features():
            followers = {entry.player for entry in feature.followers if entry.figure == "follower"}
            companions = [entry for entry in feature.followers if entry.figure != "follower"]
            assert followers.issuperset(entry.player for entry in companions)
            assert all(feature.kind in grounds[entry.figure] for entry in companions)


@given(setups(expansions=st.just((TRADERS_BUILDERS,))), luck())
def test_goods_are_those_of_the_completed_cities(setup: Setup, seed: int) -> None:
    taken = [Counter[str]() for _ in range(setup.players)]
    position = Position(setup)
    for position, _, events in moves(setup, seed):
        for event in events:
            if isinstance(event, GoodsTaken):
                taken[event.player][event.kind] += event.count
        assert goods_of(position) == tuple(taken)
    drawn = Counter(
        str(goods_on(segment))
        for feature in position.features()
        if feature.complete
        for _, segment in feature.parts
        if isinstance(segment, Segment) and goods_on(segment)
    )
    assert sum(taken, Counter()) == drawn


@given(setups(expansions=st.just((BCB,))), luck())
def test_bridges_and_castles_are_neither_lost_nor_made(setup: Setup, seed: int) -> None:
    each = 3 if setup.players <= 4 else 2
    built = [0] * setup.players
    for position, _, events in moves(setup, seed, resigning=True):
        for event in events:
            if isinstance(event, BridgeBuilt):
                built[event.player] += 1
        castles = Counter(castle.player for castle in castles_of(position))
        assert position.supply["bridge"] == [each - count for count in built]
        assert position.supply["castle"] == [each - castles[seat] for seat in range(setup.players)]
        assert sum(bridge_on(placed) is not None for placed in position.placed()) == sum(built)
        assert min(position.supply["bridge"] + position.supply["castle"]) >= 0


@given(setups(), luck())
def test_tiles_are_neither_lost_nor_made(setup: Setup, seed: int) -> None:
    """Every drawn tile is on the table, in the box, in hand, or a lot that waits for its buyer."""
    start = Position(setup)  # what fits nowhere beside the start tile is gone before the first move
    gone = Counter(setup.pile[: start.next_tile]) - Counter([start.hand.id] if start.hand else [])
    for position, _, events in moves(setup, seed, resigning=True):
        gone.update(event.tile.id for event in events if isinstance(event, TilePlaced | TileDiscarded))
        if position.is_ending:
            break  # everybody but one has left, and what was in hand with them
        drawn = Counter(setup.pile[: position.next_tile])
        in_hand = Counter([position.hand.id] if position.hand else [])
        waiting = drawn - gone - in_hand
        lots = Counter(kind.id for kind in bazaar.tiles) if (bazaar := bazaar_of(position)) else Counter()
        aside = set_aside(position)
        assert gone + in_hand + waiting == drawn
        assert waiting <= lots + Counter(setup.pile[aside.start : aside.stop])


@given(setups(), luck())
def test_points_come_from_scores_and_go_to_the_bank_only(setup: Setup, seed: int) -> None:
    scores = [0] * setup.players
    for position, _, events in moves(setup, seed, resigning=True):
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


@given(setups(rules=options().filter(lambda rules: rules.bazaar_too_few_tiles == "skip")), luck())
def test_everybody_ends_a_bazaar_with_one_tile(setup: Setup, seed: int) -> None:
    """BZ-27; without resignations, and where too few tiles make no bazaar (BZ-06)."""
    sold: list[LotSold] = []
    for _, _, events in moves(setup, seed):
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


@given(setups(rules=st.just(Options(bazaar_bid_limit="own_score"))), luck())
def test_nobody_falls_below_zero_where_bids_are_limited(setup: Setup, seed: int) -> None:
    """BZ-22."""
    for position, _, _ in moves(setup, seed):
        assert min(position.scores) >= 0


@given(setups(), luck())
def test_what_is_complete_is_told_once(setup: Setup, seed: int) -> None:
    told = 0
    for position, _, events in moves(setup, seed):
        told += sum(isinstance(event, Completed) and event.kind != "castle" for event in events)
        if isinstance(position.step, PlaceTile | None):
            assert told == sum(feature.complete and feature.kind != "castle" for feature in position.features())


def paid(events: Sequence[Event]) -> Counter[tuple[int, str, frozenset[Cell]]]:
    """Count the times that each player was paid for the roads, cities and monasteries on the same cells."""
    return Counter(
        (event.player, event.kind, frozenset(event.cells))
        for event in events
        if isinstance(event, Scored) and event.kind in {"road", "city", "monastery"}
    )


def overpaid(position: Position, events: Sequence[Event]) -> list[object]:
    """Return the scores that were paid more often than there are features."""
    there = Counter(
        (str(feature.kind), frozenset(cell for cell, _ in feature.parts)) for feature in position.features()
    )
    return [(seat, kind, cells) for (seat, kind, cells), times in paid(events).items() if times > there[kind, cells]]


@given(setups(), luck())
def test_nothing_is_paid_twice(setup: Setup, seed: int) -> None:
    told: list[Event] = []
    position = Position(setup)
    for position, _, events in moves(setup, seed):  # noqa: B007
        told += events
    assert not overpaid(position, told)


@given(setups(expansions=st.just((BCB,)), rules=st.just(Options())), luck())
def test_nothing_is_paid_twice_when_somebody_leaves_during_a_round(setup: Setup, seed: int) -> None:
    told: list[Event] = []
    for position, _, events in moves(replace(setup, players=2), seed):
        told += events
        if isinstance(position.step, DecideTown | ChooseCastleSource):
            ended = position.copy()
            rest = ended.apply(Resign(position.player))
            assert not overpaid(ended, [*told, *rest])


@given(setups(), luck())
def test_the_ranking_holds_every_seat_once(setup: Setup, seed: int) -> None:
    position, _ = play(setup, seed, resigning=True)
    ranking = position.ranking()
    assert sorted(seat for seats in ranking for seat in seats) == list(range(setup.players))
    for seats in ranking:
        assert len({(position.withdrawn[seat], position.scores[seat]) for seat in seats}) == 1
    order = [(position.withdrawn[seats[0]], -position.scores[seats[0]]) for seats in ranking]
    assert order == sorted(order)
