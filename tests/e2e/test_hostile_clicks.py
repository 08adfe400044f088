"""Repeated, late, early and forged clicks of players and strangers do not affect the game.

A clean sequence of decisions is computed first; the other clicks, called noise, are made around each of them. The game
has to end as it does without noise.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from cogs.games.presenters import presenter_of
from cogs.presenting.ids import Key, Op
from engine import DEFAULT_GAME, GAMES, Action, Pass, Position, Setup, begin, read_setup, state_digest
from engine.carcassonne.expansions.bridges_castles_bazaars import BidOnLot
from engine.selfplay import random_action
from host import Preferences
from tests.discord_limits.recorder import Recorder
from tests.e2e.raw_interactions import SentInteraction, send_press
from tests.e2e.screen import says
from tests.e2e.table import Table, open_table

pytestmark = pytest.mark.usefixtures("random_language")

DECISION_COUNT = 30
"""Genuine decisions of the game."""
MAX_NOISE = 6
"""Maximal number of noise presses around a genuine one."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One genuine press: the seat, the number of actions before it (the ply) and the decision."""

    seat: int
    ply: int
    op: Op
    argument: str

    def custom_id(self, code: str) -> str:
        """Return the custom id of the button for this decision."""
        return str(Key(self.op, code, self.ply, self.argument))


def clean_sequence(setup: Setup, random: Random, count: int) -> tuple[list[Decision], Position]:
    """Return random decisions, whole turns as the composer makes them, and the resulting position."""
    position = begin(setup)
    presenter = presenter_of(position)
    decisions: list[Decision] = []
    while len(decisions) < count and position.step is not None:
        seat, ply = position.player, position.ply
        op = Op.ACT if presenter.offers(position) else Op.GO
        passes = (
            isinstance(position.step, BidOnLot) and random.random() < 0.5
        )  # random bids alone would rarely end an auction
        actions: list[Action] = [Pass() if passes else random_action(position, random)]
        position.apply(actions[0])
        while presenter.turn.continues(position):
            actions.append(random_action(position, random))
            position.apply(actions[-1])
        decisions.append(Decision(seat, ply, op, " ".join(map(str, actions))))
    return decisions, position


@dataclass
class HostileMembers:
    """All members of the channel, who press genuine and noise buttons."""

    table: Table
    random: Random
    decisions: Sequence[Decision]
    code: str
    seats: Sequence[int]
    sent: list[SentInteraction] = field(default_factory=list)

    def press_genuine(self, number: int) -> SentInteraction:
        """Send the genuine press."""
        decision = self.decisions[number]
        return self._press(self.seats[decision.seat], decision.custom_id(self.code))

    async def burst(self, number: int) -> None:
        """Send the genuine press at a random place among noise, without waiting in between."""
        noise = [self._noise(number) for _ in range(self.random.randint(1, MAX_NOISE))]
        place = self.random.randint(0, len(noise))
        for custom_id, user_id in noise[:place]:
            self._press(user_id, custom_id)
        genuine = self.press_genuine(number)
        if self.random.random() < 0.5:
            genuine.resend()
        for custom_id, user_id in noise[place:]:
            self._press(user_id, custom_id)
        if self.sent and self.random.random() < 0.5:
            self.random.choice(self.sent).resend()
        await self.table.env.settle()

    def _noise(self, number: int) -> tuple[str, int]:
        """Return a repeated, late, early or invalid press, by its player or by another member."""
        any_member = self.random.choice(list(self.table.members))
        match self.random.randrange(6):
            case 0:
                return self._by_its_player(self.decisions[number])
            case 1:
                return self._by_its_player(self._earlier(number))
            case 2:
                return self._earlier(number).custom_id(self.code), self._other_member(number)
            case 3 if number + 1 < len(self.decisions):
                return self._by_its_player(self.decisions[number + 1])
            case 4:
                return str(Key(Op.PLAY, self.code, self._earlier(number).ply)), any_member
            case _:
                return self.random.choice(["c1:go:0:0:", "c0:old:1", f"c1:go:{self.code}:0:nonsense"]), any_member

    def _by_its_player(self, decision: Decision) -> tuple[str, int]:
        """Return the custom id of a decision and the user who may press it."""
        return decision.custom_id(self.code), self.seats[decision.seat]

    def _earlier(self, number: int) -> Decision:
        """Return an earlier decision; half of the time one of the same player and operation as the current one."""
        now, earlier = self.decisions[number], self.decisions[: number + 1]
        similar = [it for it in earlier if (it.seat, it.op) == (now.seat, now.op)]
        return self.random.choice(similar if self.random.random() < 0.5 else earlier)

    def _other_member(self, number: int) -> int:
        """Return a member who may not make this decision."""
        player = self.seats[self.decisions[number].seat]
        return self.random.choice([user_id for user_id in self.table.members if user_id != player])

    def _press(self, user_id: int, custom_id: str) -> SentInteraction:
        """Send a press on the newest card without waiting for its answer."""
        sent = send_press(self.table.env, self.table.members[user_id], self.table.card().handle, custom_id)
        self.sent.append(sent)
        return sent


async def test_a_press_that_is_delivered_again_is_no_error(tmp_path: Path, no_drawing: None) -> None:
    async with open_table(tmp_path / "games.sqlite3", seed="again") as table:
        await table.start(2)
        game = table.stored()
        (decision,), _ = clean_sequence(read_setup(game.setup), Random(1), 1)
        member = table.members[game.seats[decision.seat]]
        sent = send_press(table.env, member, table.card().handle, decision.custom_id(game.code))
        await table.env.settle()
        sent.resend()
        await table.env.settle()
        await table.restart()
        sent.resend()
        await table.env.settle()
        assert sent.text == ""
        assert table.stored().log == tuple(decision.argument.split())


async def play_amid_noise(path: Path, seed: int, decisions: int, game: str = DEFAULT_GAME) -> None:
    """Play a clean sequence amid noise, with a restart half-way, and compare the stored game."""
    random = Random(seed)
    async with open_table(path / "games.sqlite3", seed=f"noise {seed}") as table:
        await table.start(min(3, GAMES[game].players[-1]), game=game)
        stored = table.stored()
        clean, position = clean_sequence(read_setup(stored.setup), random, decisions)
        for user_id in stored.seats:  # with confirmation, each decision on a card would take a second press
            await table.bot.host.preferences.set(user_id, Preferences(confirm=False))
        members = HostileMembers(table, random, clean, stored.code, stored.seats)
        for number in range(len(clean)):
            await members.burst(number)
            if number == len(clean) // 2:
                await table.restart()
        after = table.stored()
        assert after.log == tuple(action for decision in clean for action in decision.argument.split())
        assert after.digest == state_digest(position)
        assert [post.message_id for post in after.posts] == [card.handle.id for card in table.cards()]
        assert len(after.posts) == len(clean) + 1
        assert [sent.payload for sent in members.sent if not sent.record.responded] == []
        assert [sent.text for sent in members.sent if says(sent.text, "answer.unexpected")] == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "seed"), [("carcassonne", 8), pytest.param("carcassonne", 27, marks=pytest.mark.soak), ("the-castle", 1)]
)
async def test_noise_does_not_change_the_game(
    tmp_path: Path, recorder: Recorder, no_drawing: None, seed: int, game: str
) -> None:
    await play_amid_noise(tmp_path, seed, DECISION_COUNT, game)
    assert recorder.problems() == []


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(100, 140))
async def test_long_noise_does_not_change_the_game(tmp_path: Path, no_drawing: None, seed: int, game: str) -> None:
    await play_amid_noise(tmp_path, seed, 200, game)
