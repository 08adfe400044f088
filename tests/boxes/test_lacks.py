"""The checker of boxes (expansions): no registered box lacks anything, and every kind of lack is found in one run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from cogs.games.carcassonne.box import BOXES as PRESENTERS
from cogs.texts import catalogue, rule_book
from engine.carcassonne import REGISTRY
from engine.carcassonne.expansions import BOXES
from engine.carcassonne.table import Expansion
from tests.boxes import __main__, drawings, papers, rules, words
from tests.boxes.lacks import FLOORS, Lack, lacks
from tests.engine import pedlars, storage_formats
from tests.renderers.image_checks import silhouette


@pytest.mark.parametrize("name", list(REGISTRY))
def test_a_box_lacks_nothing(name: str) -> None:
    """``python -m tests.boxes`` runs the same checks on an unfinished box, before a game can be played with it."""
    assert lacks(name) == []


def test_an_unknown_box_is_reported_as_not_registered() -> None:
    assert lacks("atlantis") == [Lack("engine", "not registered in engine/carcassonne/expansions/__init__.py")]


def test_a_box_of_the_engine_alone_lacks_all_other_floors_in_one_run() -> None:
    with pedlars.registered():
        missing = lacks(pedlars.NAME)
    assert {lack.floor for lack in missing} == {"storage", "renderers", "cogs", "rule book", "documents"}
    assert Lack("cogs", "not registered in cogs/games/carcassonne/boxes/__init__.py") in missing
    assert Lack("renderers", "not registered in renderers/carcassonne/boxes/__init__.py") in missing
    (formats,) = (lack.what for lack in missing if lack.floor == "storage")
    assert "pedlar" in formats
    assert "ped/FFRF" in formats


def without(name: str, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> list[str]:
    """Return everything that the checks find missing after these changes to the description of a box."""
    monkeypatch.setitem(BOXES, name, replace(BOXES[name], **changes))
    return [lack.what for lack in lacks(name)]


def test_steps_and_actions_without_a_text_form_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = without("traders-builders", monkeypatch, words=())
    assert "TakeGoods has no AgendaWord among the words of the Box, so a position with it is not stored" in found
    assert "words that games hold can no longer be read: goods, second, secondover" in found


def test_an_action_that_nobody_reads_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def unread(text: str) -> Any:
        raise rules.NotationError(text)

    monkeypatch.setattr(rules, "parse_action", unread)
    assert [lack.what for lack in lacks("fairy")] == [
        "MoveFairy has no Form among the forms of the Box: 'fairy:M13.road.N' cannot be read"
    ]


def test_a_mechanism_without_effect_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Idle(Expansion):
        """A mechanism without any effect, as if its author forgot to write it."""

    missing = without("river", monkeypatch, mechanisms=(*BOXES["river"].mechanisms, Idle()))
    assert missing == ["Idle overrides no hook of Expansion, so it changes nothing"]


def test_names_used_twice_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = without("fairy", monkeypatch, mechanisms=BOXES["traders-builders"].mechanisms)
    assert "the figure 'pig' is also that of something else" in found


def test_boxes_registered_too_late_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = without("traders-builders", monkeypatch, depends_on=("fairy",))
    assert missing == ["depends_on names 'fairy', which is not registered before it"]


def test_what_is_not_drawn_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawings, "FIGURES", {"follower": None})
    monkeypatch.setattr(drawings, "ICONS", {})
    assert [lack.what for lack in lacks("traders-builders")] == [
        *(f"TradersBuilders.figures has no drawing of the figure {figure!r}" for figure in ("builder", "pig")),
        *(f"TradersBuilders.icons has no drawing of {good!r}" for good in ("wine", "grain", "cloth")),
    ]


def test_a_figure_that_looks_like_another_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def same(*arguments: Any, **options: Any) -> Image.Image:
        return silhouette(arguments[0], arguments[1], "follower", arguments[3], **options)

    monkeypatch.setattr(drawings, "silhouette", same)
    found = [lack.what for lack in lacks("traders-builders")]
    assert "the figure 'pig' looks like the figure 'follower' on a phone" in found


def test_a_tile_that_cannot_be_drawn_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise ValueError("a river with 3 ends")

    monkeypatch.setattr(drawings, "layout_of", broken)
    missing = [lack.what for lack in lacks("river")]
    assert "river/FIFF cannot be drawn at 0: ValueError('a river with 3 ends')" in missing


def test_a_picture_that_is_not_stored_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    empty = tmp_path / "snapshots.json"
    empty.write_text('{"pictures": {}}', encoding="utf-8")
    monkeypatch.setattr(drawings, "SNAPSHOT_FILE", empty)
    (lack,) = lacks("river")
    assert lack.floor == "renderers"
    assert lack.what.startswith("not stored: tiles of river, bridges over river")


def test_what_has_no_words_or_buttons_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "bridges-castles-bazaars"
    bare = replace(PRESENTERS[name], actions={}, events={}, questions={})
    monkeypatch.setitem(PRESENTERS, name, bare)
    found = [lack.what for lack in lacks(name) if lack.floor == "cogs"]
    assert "BoxPresenter.actions has nothing for Bid" in found
    assert "BoxPresenter.events (or, where none is needed, silent) has nothing for LotSold" in found
    assert "BoxPresenter.questions has nothing for DecideTown" in found
    assert not [what for what in found if "BazaarClosed" in what]


def test_missing_and_long_texts_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rest = {**catalogue().sentences, "expansion.fairy": "The Fairy " * 11}
    del rest["story.fairy"], rest["tell.part.fairy"]
    monkeypatch.setattr(catalogue(), "sentences", rest)
    assert [lack.what for lack in lacks("fairy") if lack.floor == "texts"] == [
        "expansion.fairy has 110 characters, at most 100 fit",
        "story.fairy",
        "tell.part.fairy",
    ]


@pytest.fixture
def rule_files(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Give the files of the English rule book, to be changed."""
    tables = dict(rule_book.read_files("en").tables)
    monkeypatch.setattr(words.rule_book, "read_files", lambda _: rule_book.Files(tables))
    return tables


def test_rules_that_cannot_be_read_are_found(rule_files: dict[str, Any]) -> None:
    topics, rules = rule_files["topics"], rule_files["river"]
    rule_files["topics"] = {name: topic for name, topic in topics.items() if name != "river"}
    rule_files["river"] = {
        **rules,
        "RI-01": {"title": "x" * 61, "sources": "hearsay/3"},
        "RI-09": {**rules["RI-08"], "text": "No farmer."},
    }
    found = [lack for lack in lacks("river") if lack.floor in ("rule book", "scenarios")]
    assert Lack("rule book", "RI-01 is in no topic (topics.river.rules)") in found
    assert Lack("rule book", "RI-01: its title has 61 characters, at most 60 fit") in found
    assert Lack("rule book", "RI-01 has no text") in found
    untied = "RI-09 speaks of what option farmers decides, and is not tied to it (options, only or expects)"
    assert Lack("rule book", untied) in found
    assert Lack("rule book", "RI-01 names the source 'hearsay', which has no name (sources.hearsay)") in found
    assert (
        Lack("scenarios", "RI-09: a scenario test_RI_09_… in tests/scenarios/, or a reason in docs/rules.md") in found
    )


def test_a_box_without_rules_and_an_option_without_a_tie_are_found(rule_files: dict[str, Any]) -> None:
    ties = rule_files["ties"]
    rule_files["ties"] = {**ties, "boxes": {}, "names": {}, "short": {}}
    assert any(lack.what.startswith("no rule belongs to it") for lack in lacks("phantom"))
    missing = [lack.what for lack in lacks("bridges-castles-bazaars")]
    assert "option bridge_timing: no rule of the box is tied to it (options, only or expects of the rule)" in missing
    assert any(what.startswith("ties.short.bridges-castles-bazaars") for what in missing)


def test_what_the_documents_do_not_say_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    document = tmp_path / "rules.md"
    document.write_text("| expansion | where | what |\n|---|---|---|\n| *The River* | engine | 12 tiles |\n")
    monkeypatch.setattr(papers, "RULES", document)
    assert [lack.what for lack in lacks("river")] == [
        "docs/rules.md: the row *The River* says 'engine', the Box is offered",
        *(f"docs/rules.md does not say what {group} stands for" for group in ("GQ", "IX", "RI", "RT")),
    ]
    assert "no row *Traders & Builders*" in next(lack.what for lack in lacks("traders-builders"))


def test_lists_of_boxes_are_those_of_the_registry() -> None:
    """The documents list them as ``python -m tests.boxes --write`` does."""
    for name in papers.LISTING:
        document = (papers.ROOT / name).read_text(encoding="utf-8")
        assert papers.BOX_LIST.search(document)
        assert papers.with_boxes(document) == document


def test_a_list_that_is_out_of_date_is_found_and_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in papers.LISTING:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(
            "Any of <!-- boxes -->*The River* and *The Fairy*<!-- /boxes -->.", encoding="utf-8"
        )
    monkeypatch.setattr(papers, "ROOT", tmp_path)
    assert not list(papers.without_title("river"))
    assert len(list(papers.without_title("traders-builders"))) == len(papers.LISTING)
    assert __main__.main(["river", "--write"]) == 0
    assert not list(papers.without_title("traders-builders"))
    assert "The Fairy" not in (tmp_path / "README.md").read_text(encoding="utf-8")


def test_marks_left_to_write_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = tmp_path / "cogs" / "texts" / "en" / "river.toml"
    place.parent.mkdir(parents=True)
    place.write_text('[expansion]\nriver = "WRITE: the name of the box"\n', encoding="utf-8")
    monkeypatch.setattr(papers, "ROOT", tmp_path)
    monkeypatch.setattr(papers, "LISTING", ())
    assert lacks("river")[0] == Lack("to write", "cogs/texts/en/river.toml:2: the name of the box")


def test_the_command_lists_everything(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main(["river"]) == 0
    assert capsys.readouterr().out == "river: complete\n"
    monkeypatch.setattr(storage_formats, "stored_formats", lambda _: {})
    assert __main__.main(["fairy"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("fairy: storage: new: fairy:M13.road.N, Fairy (if they are meant to stay")
    assert lines[1] == "fairy: 1 thing to do"


def test_every_floor_has_requirements() -> None:
    assert {floor for floor, _ in FLOORS} == {
        *("engine", "storage", "renderers", "cogs", "texts", "rule book", "scenarios", "documents")
    }
