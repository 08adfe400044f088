"""Pytest's assertion rewriting, shared among xdist workers: each one rewrites some of the modules in advance.

With an empty cache all workers would rewrite the same modules at the same time, for eleven seconds of CPU each. A
module that its worker has not written yet is rewritten at import, as usual.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


def rewrite_share(config: pytest.Config) -> None:
    """Write the cache files of this worker's share of the test modules, as pytest does at their first import."""
    worker = getattr(config, "workerinput", None)
    if worker is None or sys.dont_write_bytecode:
        return
    number = int(worker["workerid"].removeprefix("gw"))
    for module in sorted(_requested_modules(config))[number :: worker["workercount"]]:
        _rewrite(module, config)


def _requested_modules(config: pytest.Config) -> Iterator[Path]:
    """Yield the test modules that this run collects."""
    for argument in config.args:
        path = config.invocation_params.dir / argument.partition("::")[0]
        modules = path.rglob("test_*.py") if path.is_dir() else path.parent.glob(path.name)
        yield from (module for module in modules if not _is_ignored(module, config))


def _is_ignored(module: Path, config: pytest.Config) -> bool:
    """Tell whether a plugin leaves a module out (tests/selection.py)."""
    return bool(config.hook.pytest_ignore_collect(collection_path=module, config=config))


def _rewrite(module: Path, config: pytest.Config) -> None:
    """Write the cache of a module, unless it is up to date."""
    folder = rewrite.get_cache_dir(module)
    cached = folder / f"{module.stem}{rewrite.PYC_TAIL}"
    if rewrite._read_pyc(module, cached) is None:
        folder.mkdir(parents=True, exist_ok=True)
        digest, code = rewrite._rewrite_test(module, config)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, digest, cached)
