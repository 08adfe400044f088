"""A computer that thinks in the process of the test, by the protocol that workers speak."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from computer.protocol import serve
from host.computers.workers import Advice, Answer, ThinkingError, Thought


@dataclass
class FakeThinker:
    """Thinks in this process, and remembers what it was told; it can be told to fail or to wait."""

    told: list[Thought] = field(default_factory=list)
    servers: list[int] = field(default_factory=list)
    """The servers for whose games it was asked."""
    failing: tuple[str, ...] = ()
    """The levels that do not decide."""
    fails_for: Callable[[Thought], bool] = lambda _: False
    """Returns whether a thought fails."""
    seconds: float = 0.0
    """The time that each decision seems to take."""
    version: int = 1
    """The only version that it plays."""
    candidates: Sequence[Advice] = ()
    """The moves that it names as the best ones; empty to think about them."""
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    may_answer: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.may_answer.set()

    async def decide(self, thought: Thought, guild_id: int = 0) -> Answer:
        """Decide at once, like a worker."""
        self.told.append(thought)
        self.servers.append(guild_id)
        self.asked.set()
        await self.may_answer.wait()
        if thought.level in self.failing or self.fails_for(thought):
            raise ThinkingError("told to fail")
        lines = replace(thought, version=0).lines().replace("level strange", "level quick")
        return Answer(list(serve(lines.splitlines()))[-1].split()[1], self.version, self.seconds)

    async def explain(self, thought: Thought, count: int, guild_id: int = 0) -> Sequence[Advice]:
        """Name the best moves at once, like a worker."""
        self.told.append(thought)
        self.servers.append(guild_id)
        self.asked.set()
        await self.may_answer.wait()
        if thought.level in self.failing:
            raise ThinkingError("told to fail")
        if self.candidates:
            return self.candidates
        answers = serve(thought.explaining_lines(count).splitlines())
        return [Advice.parse(answer) for answer in answers if answer != "explained"]

    async def close(self) -> None:
        """Have nothing to end."""
