"""A computer that thinks in the process of the test, by the protocol that workers speak."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from computer.protocol import serve
from host.computers.workers import Answer, ThinkingError, Thought


@dataclass
class FakeThinker:
    """Thinks in this process, and remembers what it was told; it can be told to fail or to wait."""

    told: list[Thought] = field(default_factory=list)
    failing: tuple[str, ...] = ()
    """The levels that do not decide."""
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    may_answer: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.may_answer.set()

    async def decide(self, thought: Thought) -> Answer:
        """Decide at once, like a worker."""
        self.told.append(thought)
        self.asked.set()
        await self.may_answer.wait()
        if thought.level in self.failing:
            raise ThinkingError("told to fail")
        answers = list(serve(thought.lines().replace("level strange", "level quick").splitlines()))
        return Answer(answers[-1].split()[1], 1)

    async def close(self) -> None:
        """Have nothing to end."""
