"""Digests of positions are made of text forms, so that renaming a class does not invalidate those of running games."""

from __future__ import annotations

from dataclasses import is_dataclass
from pathlib import Path
from random import Random

import pytest

from engine import DIGEST_FORM, GAMES, GameKind, begin, state_digest
from engine.carcassonne import REGISTRY
from engine.notation.records import read_record
from tests.engine import storage_formats
from tests.engine.every_game import RANDOM_GAMES
from tests.engine.test_values import CLASSES

RECORDS = Path(__file__).with_name("records")
"""The folder of the stored games."""
STATE_CLASSES = [
    kind for kind in CLASSES if is_dataclass(kind) or (issubclass(kind, tuple) and hasattr(kind, "_fields"))
]
"""Classes of values of which a position may be made, in all games and boxes."""
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)

STORED_DIGESTS = {
    ("carcassonne-finished", 0): "2:f54ae36e301906ca68fba208596cad8ffc16c938607037e1e45b28125fb721",
    ("carcassonne-finished", 60): "2:c27e14ab1f6633bd00d12162cf3149b955510dc1052a9ab6d2a2ef9c474330",
    ("carcassonne-finished", 117): "2:49761505a456ea25bc0f934f0b014580cfff2163a30b75ea30b18741b481cd",
    ("king-robber-finished", 0): "2:9b42f90db044a79421f52c529af10bc5d09b4de692671aeb85ac7aadbd5dd3",
    ("king-robber-finished", 94): "2:a8db77e97eafa16cc54c86b4f343846e2aa871af182150068ac5a1d4061eec",
    ("king-robber-finished", 215): "2:9f72c36012036de5c5d13dc8bac7adc97936776231e68baa08b6619bacb25b",
    ("phantom-finished", 0): "2:565c096b022e4596b507993c1535823a97b53ffa13469cb462f14bcc4983a8",
    ("phantom-finished", 23): "2:19b237afabfe8d159ce73c21a80629d7cbeef4471b6f4e82ba6ede3ae4b105",
    ("phantom-finished", 144): "2:0c095f24dc85507cf63f3395afda46e5a0e4a7f37aa018a8fb84cde3eda68b",
    ("river-two-finished", 0): "2:c0aa09c4d232742a72bdc61fbdbf890ab505524d4549d91c87d0a1c4614307",
    ("river-two-finished", 40): "2:828d10706caa27beae1ee1f5da207e87706e7c570009138475fb5522a261cb",
    ("river-two-finished", 232): "2:69deb9bd2716814639d5bdcfd224190f6ce4c8f8160a3bf11d50881c2f3202",
    ("the-castle-finished", 0): "2:a4e103c11073e0e381a3126461a9ba923f8ab09a3666ee877aeffc897710a9",
    ("the-castle-finished", 50): "2:4b139fee063021aab151381e014e63b292f7dda829391d61b2e861f8fefda2",
}
"""Digests that earlier versions stored, by record and ply (the number of actions so far)."""


def play_for_digests(game: GameKind, seed: int) -> list[str]:
    """Return the digest after each action of an eventful random game."""
    setup = game.new_setup(players=game.players[-1], seed="7", options=game.options(), expansions=game.expansions)
    position, rng, collected = begin(setup), Random(seed), []
    while position.step is not None:
        position.apply(RANDOM_GAMES[game.name].lively_action(position, rng))
        collected.append(state_digest(position))
    return collected


@every_game
def test_no_digest_contains_the_repr_of_a_class(game: GameKind, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = play_for_digests(game, 3)
    for kind in STATE_CLASSES:
        monkeypatch.setattr(kind, "__repr__", lambda self: pytest.fail(f"the repr of {type(self)} was asked for"))
    assert play_for_digests(game, 3) == expected
    assert len(set(expected)) == len(expected)


@pytest.mark.parametrize("owner", storage_formats.owner_names())
def test_storage_formats_are_stored_and_unchanged(owner: str) -> None:
    """Running games break if the text of a step, task, action or name changes."""
    assert storage_formats.lost_formats(owner) == {}
    assert storage_formats.unstored_formats(owner) == {}, (
        "if they are meant to stay: python -m tests.engine.storage_formats"
    )


def test_every_word_of_a_game_belongs_to_it_or_to_a_box() -> None:
    stored = {owner: storage_formats.stored_formats(owner)["words"] for owner in GAMES}
    stored["carcassonne"] += [word for box in REGISTRY for word in storage_formats.stored_formats(box).get("words", ())]
    for name, game in GAMES.items():
        assert sorted(stored[name]) == sorted(word.name for word in game.notation.words)


def test_a_renamed_format_is_reported_as_lost_and_unstored(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = storage_formats.stored_formats("fairy")
    monkeypatch.setattr(storage_formats, "stored_formats", lambda _: {**stored, "extras": ["Feya"]})
    assert storage_formats.lost_formats("fairy") == {"extras": ["Feya"]}
    assert storage_formats.unstored_formats("fairy") == {"extras": ["Fairy"]}


@pytest.mark.parametrize(("name", "ply"), STORED_DIGESTS)
def test_stored_digests_are_stable(name: str, ply: int) -> None:
    digest = state_digest(read_record((RECORDS / f"{name}.txt").read_text()).position(ply))
    assert digest.startswith(DIGEST_FORM)
    assert len(digest) == 64, "as long as the column of the database"
    assert digest == STORED_DIGESTS[name, ply]
