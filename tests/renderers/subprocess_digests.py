"""Digests of pictures drawn in other processes with other hash seeds.

The order of a set of strings differs between hash seeds; pictures must not depend on it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The folder of the repository."""


def digests_of_two_processes(imports: str, pictures: str) -> set[str]:
    """Evaluate an expression for pictures in two processes; return the digests of their pixels and palettes.

    One digest means that both drew the same. ``imports`` are the statements that the expression needs.
    """
    code = (
        f"from hashlib import sha256; from tests.renderers.image_checks import pixel_bytes; {imports};"
        f"print(sha256(b''.join(pixel_bytes(picture) for picture in {pictures})).hexdigest())"
    )
    return {
        subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
