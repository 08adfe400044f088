"""Ratings of players: joint places, withdrawals, separate scales, and recomputation from all games.

A rating has a mean and a deviation, its uncertainty; `shown` is the number that players see. A scale is a kind of
games with ratings of its own, such as duels. Players are "a" to "e", and a game lists their places.
"""

from openskill.models import PlackettLuce

from tests.tournaments.rating_history import rated_games, rebuild_ratings
from tournaments.event import EventFold
from tournaments.facts import DrawnTable, EntrySubstitution, Result, RoundDrawn, StageBegun
from tournaments.lasting.ratings import RatedGame, Rating, Scale, head_to_head, rate_game, scale_of
from tournaments.points import Outcome
from tournaments.specification import Entry, Parameters, Specification


def multiplayer_game(*places: int) -> RatedGame:
    """Return a game in which players a, b and so on take these places."""
    return RatedGame(Scale.MULTIPLAYER, tuple("abcde"[: len(places)]), places)


def test_joint_winners_gain_the_same_and_more_than_the_third() -> None:
    after = rate_game(multiplayer_game(1, 1, 3, 4), {})
    assert after["a"] == after["b"]
    assert after["b"].mean > after["c"].mean > after["d"].mean
    model = PlackettLuce()
    usual = model.rate([[model.rating()] for _ in range(4)], ranks=[1, 1, 3, 4])
    assert usual[0][0].mu == usual[2][0].mu  # the reason not to use openskill's default model


def test_a_game_with_equal_places_changes_no_mean() -> None:
    assert {rating.mean for rating in rate_game(multiplayer_game(1, 1, 1, 1), {}).values()} == {25.0}


def test_ratings_move_visibly() -> None:
    before = {player: Rating(25.0, 3.0, 30) for player in "abcd"}
    after = rate_game(multiplayer_game(1, 2, 3, 4), before)
    assert after["a"].shown - before["a"].shown >= 20
    assert before["d"].shown - after["d"].shown >= 20


def test_scales_have_separate_ratings() -> None:
    assert [scale_of("carcassonne", 2), scale_of("carcassonne", 4), scale_of("the-castle", 2)] == list(Scale)
    ratings = rebuild_ratings([multiplayer_game(1, 2, 3), RatedGame(Scale.DUEL, ("a", "b"), (2, 1))])
    assert set(ratings[Scale.MULTIPLAYER]) == {"a", "b", "c"}
    assert ratings[Scale.DUEL]["b"].mean > 25 > ratings[Scale.DUEL]["a"].mean
    assert ratings[Scale.THE_CASTLE] == {}


def test_a_player_with_fewer_than_five_games_has_a_provisional_rating() -> None:
    ratings = rebuild_ratings([multiplayer_game(1, 2, 3, 4)] * 5 + [RatedGame(Scale.MULTIPLAYER, ("e", "a"), (1, 2))])[
        Scale.MULTIPLAYER
    ]
    assert ratings["e"].provisional


def test_head_to_head_counts_games_and_places_of_two_players() -> None:
    games = [
        multiplayer_game(1, 2, 3),
        multiplayer_game(2, 1, 3),
        multiplayer_game(1, 1, 3),
        RatedGame(Scale.DUEL, ("a", "b"), (1, 2)),
    ]
    record = head_to_head(games, Scale.MULTIPLAYER, "a", "b")
    assert (record.games, record.before, record.behind) == (3, 1, 1)


def event() -> EventFold:
    """An event of eight players whose first round of two tables is drawn."""
    fold = EventFold(Specification("swiss-tables", tuple(map(Entry, "abcdefgh")), "seed", Parameters()))
    fold.apply(StageBegun(1, tuple(range(8))))
    fold.apply(RoundDrawn(1, 1, (DrawnTable(1, (0, 1, 2, 3)), DrawnTable(2, (4, 5, 6, 7)))))
    return fold


def test_withdrawn_seats_are_last_and_games_not_played_do_not_count() -> None:
    played = event()
    played.apply(Result(1, 1, 1, Outcome((90, 80, 70, 60), out=(0,))))
    played.apply(Result(1, 1, 2, Outcome((0, 0, 0, 0), out=(0, 1, 2, 3), how="forfeited")))
    assert list(rated_games(played)) == [RatedGame(Scale.MULTIPLAYER, tuple("abcd"), (4, 1, 2, 3))]


def test_unrated_events_and_running_games_do_not_count() -> None:
    assert list(rated_games(event())) == []
    unrated = EventFold(Specification("swiss-tables", tuple(map(Entry, "abcd")), "seed", Parameters(rated=False)))
    assert list(rated_games(unrated)) == []


def test_games_of_a_substitute_are_not_rated() -> None:
    played = event()
    played.apply(Result(1, 1, 1, Outcome((90, 80, 70, 60))))
    played.apply(EntrySubstitution(0, "x"))
    played.apply(EntrySubstitution(4, "y"))
    played.apply(Result(1, 1, 2, Outcome((90, 80, 70, 60))))
    assert [game.players for game in rated_games(played)] == [tuple("abcd"), tuple("fgh")]
