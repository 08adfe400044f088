"""Patches that turn an imported module into a mutant: other code for those of its functions that differ."""

from __future__ import annotations

import gc
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType


class Calls:
    """The functions that are called while modules are imported and tests collected.

    What such a function has returned may be kept in a table or a decorator, where a patch would change nothing.
    """

    def __init__(self) -> None:
        self._codes: dict[int, CodeType] = {}

    def begin(self) -> None:
        """Begin to note each call."""
        sys.settrace(self._note)

    def end(self) -> None:
        """Note no more."""
        sys.settrace(None)

    def _note(self, frame: FrameType, _event: str, _argument: object) -> None:
        """Note a call, and trace nothing within it."""
        self._codes[id(frame.f_code)] = frame.f_code  # a code's own hash looks at all its bytes

    def __contains__(self, code: CodeType) -> bool:
        """Return True if code was executed."""
        return id(code) in self._codes


Patch = Sequence[tuple[FunctionType, CodeType]]
"""Functions, each with the code that it gets."""


class LoadedFunctions:
    """The functions of all modules below a folder, as they are in memory; what is frozen there is not found."""

    def __init__(self, root: Path, calls: Calls) -> None:
        self._calls = calls
        self._by_file: defaultdict[str, defaultdict[str, dict[CodeType, list[FunctionType]]]] = defaultdict(
            lambda: defaultdict(dict)
        )
        for function in gc.get_objects():
            if isinstance(function, FunctionType) and function.__code__.co_filename.startswith(f"{root}/"):
                code = function.__code__
                self._by_file[code.co_filename][code.co_qualname].setdefault(code, []).append(function)

    def patch_to(self, path: Path, source: bytes) -> Patch:
        """Return the patch that makes a module do what another source of it does.

        Empty if the difference is none, or one that no patch can bring about: at import, or in a function called then.
        """
        patch: list[tuple[FunctionType, CodeType]] = []
        new_codes: defaultdict[str, list[CodeType]] = defaultdict(list)
        for code in _codes(compile(source, str(path), "exec", dont_inherit=True)):
            new_codes[code.co_qualname].append(code)
        for name, functions in self._by_file[str(path)].items():
            old, new = sorted(functions, key=place), sorted(new_codes[name], key=place)
            for before, after in zip(old, new, strict=True) if len(old) == len(new) else ():
                if _is_same(before, after):
                    continue
                if before in self._calls or len(before.co_freevars) != len(after.co_freevars):
                    return []
                patch += ((function, after) for function in functions[before])
        return patch


def apply_patch(patch: Patch) -> None:
    """Give functions other code."""
    for function, code in patch:
        function.__code__ = code


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of the functions in a module and its classes, but not of those within functions."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & _IN_FUNCTION:
                yield constant
            else:
                yield from _codes(constant)


def place(code: CodeType) -> tuple[int, int]:
    """Return the place of code in its file: its first line, and the last column, which tells lambdas apart."""
    return code.co_firstlineno, max(column or 0 for _, _, column, _ in code.co_positions())


_IN_FUNCTION = 0x02
"""The flag of code with local variables of its own (CO_NEWLOCALS): that of a function, not of a class."""


def _is_same(one: CodeType, other: CodeType) -> bool:
    """Return True if two codes do the same, on whatever lines they stand."""
    return (
        one.co_code == other.co_code
        and (one.co_names, one.co_varnames, one.co_freevars, one.co_cellvars)
        == (other.co_names, other.co_varnames, other.co_freevars, other.co_cellvars)
        and one.co_exceptiontable == other.co_exceptiontable
        and len(one.co_consts) == len(other.co_consts)
        and all(map(_is_same_constant, one.co_consts, other.co_consts))
    )


def _is_same_constant(one: object, other: object) -> bool:
    """Return True if two constants are equal and of one type; True equals 1."""
    if isinstance(one, CodeType) and isinstance(other, CodeType):
        return _is_same(one, other)
    if isinstance(one, frozenset):  # the order in which it is written is any
        return one == other
    return type(one) is type(other) and repr(one) == repr(other)
