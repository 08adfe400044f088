"""``python -m tournaments``."""

import json

import pytest

from tournaments.cli import main


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(arguments) == 0
    return capsys.readouterr().out.splitlines()


def test_formats_are_listed_one_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    names = printed(capsys, "formats")
    assert names[0] == "tables"
    described = json.loads("\n".join(printed(capsys, "formats", "--json")))
    assert [each["name"] for each in described] == names
    assert all(each["players"]["least"] <= each["players"]["most"] and each["invariants"] for each in described)


def test_an_event_is_rounds_and_standings(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "--format", "swiss-tables", "--players", "13", "--seed", "7", "--late", "1", "--json")
    lines = [json.loads(line) for line in printed(capsys, *arguments)]
    *rounds, last = lines
    assert [(each["stage"], each["round"]) for each in rounds] == [("preliminary", n) for n in range(1, 5)] + [
        ("final", 1)
    ]
    for each in rounds:
        assert {"stage", "round", "tables", "byes", "active", "repeats", "weeks"} <= set(each)
        assert all(len(table["seats"]) == len(table["points"]) for table in each["tables"])
    assert [each["active"] for each in rounds] == [13, 14, 14, 14, 4]
    assert [line["rank"] for line in last["standings"]] == list(range(1, 15))
    assert list(last["standings"][-1]["tie_breaks"]) == ["points", "share", "wins", "opponents", "scores", "lot"]
    assert printed(capsys, *arguments) == printed(capsys, *arguments)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("simulate", "--format", "tables", "--players", "3"), "too-few"),
        (("simulate", "--format", "tables", "--players", "300"), "too-many"),
        (("simulate", "--format", "tables", "--players", "12", "--points", "9-9"), "unknown-points"),
        (("simulate", "--format", "duel-swiss", "--players", "12", "--best-of", "2"), "best-of"),
        (("simulate", "--format", "duel-swiss", "--players", "12", "--pace", "never"), "unknown-parameter"),
    ],
)
def test_a_refusal_is_one_line(arguments: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("simulate", "--format", "chess", "--players", "12"),
        ("simulate", "--format", "tables", "--players", "many"),
        ("simulate", "--format", "tables", "--players", "12", "--dropouts", "101%"),
        ("simulate", "--format", "tables", "--players", "12", "--timeouts", "often"),
        ("simulate", "--format", "tables", "--players", "12", "--late", "-1"),
        ("simulate", "--format", "tables"),
    ],
)
def test_a_wrong_argument_is_one_line(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "players", "asked", "last"),
    [("league", "6", "2", "1"), ("team-round-robin", "2", "2", "1"), ("duel-knockout", "6", "9", "3")],
)
def test_a_round_that_a_field_does_not_have_is_told_beside_the_event(
    name: str, players: str, asked: str, last: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(("simulate", "--format", name, "--players", players, "--correct", asked)) == 0
    out, err = capsys.readouterr()
    assert "standings" in out
    assert err.endswith(f"there is no round {asked} in this field, the last one is {last}\n")


def test_a_round_without_a_result_to_correct_is_told_beside_the_event(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "--format", "duel-knockout", "--players", "4", "--correct", "1", "--timeouts")
    for timeouts, told in (("100%", "nothing-to-correct round=1"), ("0", "")):
        assert main((*arguments, timeouts)) == 0
        out, err = capsys.readouterr()
        assert "standings" in out
        assert told in err
        assert bool(err) is bool(told)


def test_two_players_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "--format", "duel-swiss", "--players", "12", "--seed", "7", "--explain", "3", "8")
    (line,) = printed(capsys, *arguments)
    assert " before " in line
    assert "value " in line
    assert main((*arguments[:-1], "12")) == 2


def test_whoever_left_is_explained_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "--format", "duel-knockout", "--players", "8", "--seed", "7", "--dropouts", "40%")
    *_, last = (json.loads(line) for line in printed(capsys, *arguments))
    lines = {line["player"]: line["tie_breaks"] for line in last["standings"]}
    left = [player for player, values in lines.items() if not values["stayed"]]
    two = next(
        (str(player), str(other))
        for player in left
        for other in lines.keys() - set(left)
        if lines[player]["reached"] == lines[other]["reached"]
    )
    assert printed(capsys, *arguments, "--explain", *two) == [f"{two[1]} before {two[0]}: {two[0]} has left"]


def test_fields_and_quality_are_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert any("| 17 | 2 x 4 + 3 x 3 |" in line for line in printed(capsys, "fields"))
    table = printed(capsys, "quality", "--players", "6", "--events", "1")
    assert table[2].startswith("| `tables` |")


def test_shares_are_fractions_or_hundredths(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "--format", "duel-knockout", "--players", "12", "--dropouts")
    assert (
        printed(capsys, *arguments, "0.25") == printed(capsys, *arguments, "25%") == printed(capsys, *arguments, "25")
    )
