"""The cache of unfinished plans in the composer, by game, user and ply (the number of actions so far).

A plan here is the state of the private panel in which a player puts a move together, as text: "M12/90" is a tile on
M12 rotated by 90 degrees, "p0" the first page of spots.
"""

from cogs.services.sessions import Plans


def test_a_plan_belongs_to_its_own_decision() -> None:
    plans = Plans()
    plans.keep(1, 10, 4, "M12/90")
    plans.keep(1, 10, 5, "p0")
    plans.keep(1, 11, 5, "N13/0")
    assert plans.find(1, 10, 5) == "p0"
    assert plans.find(1, 10, 4) == ""
    assert plans.find(1, 11, 5) == "N13/0"
    assert plans.find(2, 10, 5) == ""


def test_the_cache_of_plans_is_bounded() -> None:
    plans = Plans(maximum=2)
    for game in (1, 2, 1, 3):
        plans.keep(game, 10, 0, f"p{game}")
    assert [plans.find(game, 10, 0) for game in (1, 2, 3)] == ["p1", "", "p3"]
