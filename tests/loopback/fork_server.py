"""A fork server: a process that has imported everything a bot needs, and forks itself to start a bot.

A start then costs a fraction of the second that the imports take. Each line of standard input is a request to start a
bot, in JSON: ``environment``, ``prepare`` (Python code that runs first), ``log`` (the file for all output) and
``ended`` (a file that receives the exit code). The process id of the bot is printed as the answer. The server ends when
its standard input is closed. It detaches from its parent process, because tests fail if they leave a child process
behind.
"""

import gc
import json
import os
import runpy
import signal
import sys
from pathlib import Path
from typing import Any

StartRequest = dict[str, Any]
"""A request in JSON, as described above."""


def serve_requests() -> StartRequest | None:
    """Fork a bot for each line; return its request in the process of a bot, and None in the server at the end.

    Each bot has a parent process of its own. The parent waits for the bot to end, while the server reads further
    requests.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        request: StartRequest = json.loads(line)
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            pid = os.fork()
            if pid == 0:
                return request
            wait_for_exit(pid, Path(request["ended"]))
    return None


def wait_for_exit(pid: int, ended: Path) -> None:
    """Print the process id of a bot, wait for its end, and write its exit code to a file."""
    os.write(1, f"{pid}\n".encode())
    _, status = os.waitpid(pid, 0)
    part = ended.with_suffix(".part")
    part.write_text(str(os.waitstatus_to_exitcode(status)), encoding="utf-8")
    part.rename(ended)
    os._exit(0)


def prepare_process(request: StartRequest) -> None:
    """Give the forked process the log, the environment and the preparation that were requested."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    log = os.open(request["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.environ.clear()
    os.environ.update(request["environment"])
    exec(request["prepare"], {})  # noqa: S102  # code of a test


def main(script: str, preload: str) -> None:
    """Detach, import everything that the script imports, run the preload code, and serve requests."""
    if os.fork():
        os._exit(0)
    sys.path[0] = str(Path(script).parent)
    runpy.run_path(script, run_name="fork_server")
    exec(preload, {})  # noqa: S102  # as above
    gc.collect()
    gc.freeze()
    request = serve_requests()
    if request is not None:
        prepare_process(request)
        sys.argv = [script]
        runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
