"""Bots by forking: a process that has imported all that the script of a bot imports, and forks itself for each start.

A start then costs a fraction of the second that the imports take. Each line on the standard input starts a bot, once
the one before it has ended; its process id is printed, and its exit code when it ends. What a bot writes goes to the
standard error stream.
"""

import gc
import os
import runpy
import sys
from pathlib import Path


def nurse(script: str) -> bool:
    """Start a bot for each line; True in the process of a bot, False at the end of the input."""
    for _ in sys.stdin:
        number = os.fork()
        if number == 0:
            return True
        print(number, flush=True)  # noqa: T201  # this is what is asked for
        _, status = os.waitpid(number, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201  # as above
    return False


def main(script: str, prepare: str) -> None:
    """Import what the script imports, do what else can be done ahead, and wait for lines."""
    sys.path[0] = str(Path(script).parent)
    runpy.run_path(script, run_name="nursery")
    exec(prepare)  # noqa: S102  # a test's own words
    gc.freeze()
    if nurse(script):
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        sys.argv = [script]
        runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
