"""Tests whose assertions pytest rewrites so that they tell what they saw: each process rewrites its share of them.

Where nothing has run before, all processes would do so for the same modules at the same time: eleven seconds of CPU
each. What another has not written yet when it is wanted, pytest rewrites as always.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


def rewrite_share(config: pytest.Config) -> None:
    """Write what pytest would write at the first import of each test module that is this process's to do."""
    worker = getattr(config, "workerinput", None)
    if worker is None or sys.dont_write_bytecode:
        return
    number = int(worker["workerid"].removeprefix("gw"))
    for module in sorted(_asked_for(config))[number :: worker["workercount"]]:
        _rewrite(module, config)


def _asked_for(config: pytest.Config) -> Iterator[Path]:
    for argument in config.args:
        path = config.invocation_params.dir / argument.partition("::")[0]
        yield from path.rglob("test_*.py") if path.is_dir() else path.parent.glob(path.name)


def _rewrite(module: Path, config: pytest.Config) -> None:
    folder = rewrite.get_cache_dir(module)
    written = folder / f"{module.stem}{rewrite.PYC_TAIL}"
    if rewrite._read_pyc(module, written) is None:
        folder.mkdir(parents=True, exist_ok=True)
        digest, code = rewrite._rewrite_test(module, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, digest, written)
