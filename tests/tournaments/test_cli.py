"""The command line ``python -m tournaments``: simulations, lists of formats, and errors in one line.

A format is the system of a tournament, such as "swiss-tables". A simulation prints one line for each round and one
for the result, in JSON with `--json`.
"""

import json

import pytest

from tournaments.cli import main
from tournaments.formats import PROFILES


def run_command(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """Run a command line and return the printed lines."""
    assert main(arguments) == 0
    return capsys.readouterr().out.splitlines()


def test_formats_are_listed_one_per_line(capsys: pytest.CaptureFixture[str]) -> None:
    names = run_command(capsys, "formats")
    assert names[0] == "tables"
    formats = json.loads("\n".join(run_command(capsys, "formats", "--json")))
    assert [entry["name"] for entry in formats] == names
    assert all(entry["players"]["least"] <= entry["players"]["most"] and entry["invariants"] for entry in formats)
    assert {name for entry in formats for name in entry["profiles"]} == set(PROFILES)


def test_a_simulation_prints_rounds_and_standings(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "--format", "swiss-tables", "--players", "13", "--seed", "7", "--late", "1", "--json")
    lines = [json.loads(line) for line in run_command(capsys, *arguments)]
    *rounds, last = lines
    assert [(entry["stage"], entry["round"]) for entry in rounds] == [("preliminary", n) for n in range(1, 5)] + [
        ("final", 1)
    ]
    for entry in rounds:
        assert {"stage", "round", "tables", "byes", "active", "repeats", "weeks"} <= set(entry)
        assert all(len(table["seats"]) == len(table["points"]) for table in entry["tables"])
    assert [entry["active"] for entry in rounds] == [13, 14, 14, 14, 4]
    assert [line["rank"] for line in last["standings"]] == list(range(1, 15))
    assert list(last["standings"][-1]["tie_breaks"]) == ["points", "share", "wins", "opponents", "scores", "lot"]
    assert run_command(capsys, *arguments) == run_command(capsys, *arguments)


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_is_simulated_with_its_usual_field(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    *rounds, last = (json.loads(line) for line in run_command(capsys, "simulate", "--profile", name, "--seed", "7"))
    assert len(last["standings"]) == PROFILES[name].entries
    assert set(last["ended"].values()) == {"played"}
    assert [entry["stage"] for entry in rounds][-1] == list(last["ended"])[-1]


def test_parameters_change_a_profile(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "--profile", "group-league", "--players", "12", "--groups", "2", "--group-play", "double")
    *rounds, last = (json.loads(line) for line in run_command(capsys, *arguments, "--playoff", "double"))
    assert list(last["ended"]) == ["groups", "double-elimination"]
    assert rounds[-1]["stage"] == "double-elimination"


@pytest.mark.parametrize(
    ("arguments", "expected_text"),
    [
        (("simulate", "--format", "tables", "--players", "3"), "too-few"),
        (("simulate", "--format", "tables", "--players", "300"), "too-many"),
        (("simulate", "--format", "tables", "--players", "12", "--points", "9-9"), "unknown-points"),
        (("simulate", "--format", "duel-swiss", "--players", "12", "--best-of", "2"), "best-of"),
        (("simulate", "--format", "duel-swiss", "--players", "12", "--pace", "never"), "unknown-parameter"),
        (("simulate", "--format", "duel-groups", "--players", "12", "--group-play", "chess"), "unknown-parameter"),
        (("simulate", "--format", "tables"), "players-missing"),
    ],
)
def test_a_refusal_is_printed_in_one_line(
    arguments: tuple[str, ...], expected_text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert expected_text in line


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("simulate", "--format", "chess", "--players", "12"),
        ("simulate", "--format", "tables", "--players", "many"),
        ("simulate", "--format", "tables", "--players", "12", "--dropouts", "101%"),
        ("simulate", "--format", "tables", "--players", "12", "--timeouts", "often"),
        ("simulate", "--format", "tables", "--players", "12", "--late", "-1"),
        ("simulate", "--format", "tables", "--profile", "duel-open"),
        ("simulate", "--profile", "chess"),
    ],
)
def test_a_wrong_argument_is_reported_in_one_line(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "players", "requested_round", "last"),
    [("league", "6", "2", "1"), ("team-round-robin", "2", "2", "1"), ("duel-knockout", "6", "9", "3")],
)
def test_a_correction_of_a_missing_round_is_reported_with_the_event(
    name: str, players: str, requested_round: str, last: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(("simulate", "--format", name, "--players", players, "--correct", requested_round)) == 0
    out, err = capsys.readouterr()
    assert "standings" in out
    assert err.endswith(f"there is no round {requested_round} in this field, the last one is {last}\n")


def test_a_correction_without_a_result_is_reported_with_the_event(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "--format", "duel-knockout", "--players", "4", "--correct", "1", "--timeouts")
    for timeouts, expected_text in (("100%", "nothing-to-correct round=1"), ("0", "")):
        assert main((*arguments, timeouts)) == 0
        out, err = capsys.readouterr()
        assert "standings" in out
        assert expected_text in err
        assert bool(err) is bool(expected_text)


def test_the_order_of_two_players_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "--format", "duel-swiss", "--players", "12", "--seed", "7", "--explain", "3", "8")
    (line,) = run_command(capsys, *arguments)
    assert " before " in line
    assert "value " in line
    assert main((*arguments[:-1], "12")) == 2


def test_the_explanation_names_a_leaver(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "--format", "duel-knockout", "--players", "8", "--seed", "7", "--dropouts", "40%")
    *_, last = (json.loads(line) for line in run_command(capsys, *arguments))
    lines = {line["player"]: line["tie_breaks"] for line in last["standings"]}
    leavers = [player for player, values in lines.items() if not values["stayed"]]
    pair = next(
        (str(player), str(other))
        for player in leavers
        for other in lines.keys() - set(leavers)
        if lines[player]["reached"] == lines[other]["reached"]
    )
    assert run_command(capsys, *arguments, "--explain", *pair) == [f"{pair[1]} before {pair[0]}: {pair[0]} has left"]


def test_fields_and_quality_print_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert any("| 17 | 2 x 4 + 3 x 3 |" in line for line in run_command(capsys, "fields"))
    table = run_command(capsys, "quality", "--players", "6", "--events", "1")
    assert table[2].startswith("| `tables` |")


def test_shares_are_fractions_or_hundredths(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "--format", "duel-knockout", "--players", "12", "--dropouts")
    assert (
        run_command(capsys, *arguments, "0.25")
        == run_command(capsys, *arguments, "25%")
        == run_command(capsys, *arguments, "25")
    )
