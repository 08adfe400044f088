"""Pictures drawn by other processes, which have other hashes of words."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def digests(imports: str, pictures: str) -> set[str]:
    """The digests of pixels and palettes that two processes come to for the pictures of an expression."""
    code = (
        f"from hashlib import sha256; from tests.renderers.looking import drawn; {imports};"
        f"print(sha256(b''.join(drawn(picture) for picture in {pictures})).hexdigest())"
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
