"""Bots by forking: a process that has imported all that the script of a bot imports, and forks itself for each start.

A start then costs a fraction of the second that the imports take. The process is nobody's child, since a test looks
whether it has left any behind, and ends with its standard input. Each line of that is the order for one bot, in JSON:
``environment``, ``prepare`` (Python that is carried out first), ``log`` for all that it writes, and ``ended``, a file
that gets its exit code. Its process id is printed.
"""

import gc
import json
import os
import runpy
import signal
import sys
from pathlib import Path
from typing import Any

Order = dict[str, Any]


def nurse() -> Order | None:
    """Start a bot for each line; the order in the process of a bot, None at the end of the input."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        order: Order = json.loads(line)
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            number = os.fork()
            if number == 0:
                return order
            keep(number, Path(order["ended"]))
    return None


def keep(number: int, ended: Path) -> None:
    """Wait for the end of a bot, and write its exit code down."""
    os.write(1, f"{number}\n".encode())
    _, status = os.waitpid(number, 0)
    written = ended.with_suffix(".part")
    written.write_text(str(os.waitstatus_to_exitcode(status)), encoding="utf-8")
    written.rename(ended)
    os._exit(0)


def live(order: Order) -> None:
    """Become what was ordered."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    log = os.open(order["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.environ.clear()
    os.environ.update(order["environment"])
    exec(order["prepare"], {})  # noqa: S102  # a test's own words


def main(script: str, ahead: str) -> None:
    """Import what the script imports, do what else can be done ahead, and wait for lines."""
    if os.fork():
        os._exit(0)
    sys.path[0] = str(Path(script).parent)
    runpy.run_path(script, run_name="nursery")
    exec(ahead, {})  # noqa: S102  # as above
    gc.collect()
    gc.freeze()
    order = nurse()
    if order is not None:
        live(order)
        sys.argv = [script]
        runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
