"""``python -m cogs.texts check``: check all translations, or only those of the named languages, as in ``check cs pl``.

The exit status is 1 if a text has to be fixed. A text that a translation lacks is only listed, since players read it in
English; with ``--release`` it is an error, too, in every language that players can choose.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from cogs.texts import LANGUAGE, catalogue
from cogs.texts.check import MISSING, Problem, problems, rule_book_problems, summary
from cogs.texts.languages import languages


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the translations; return the exit status 1 if any problem has to be fixed."""
    parser = ArgumentParser(prog="python -m cogs.texts", description="The translations of all texts.")
    check = parser.add_subparsers(dest="command", required=True).add_parser("check", help="what is wrong with them")
    check.add_argument("languages", nargs="*", help="codes of languages; all of them if none is named")
    check.add_argument("--release", action="store_true", help="a missing text is an error in an offered language")
    chosen = parser.parse_args(arguments)
    codes = chosen.languages or [code for code in languages() if code != LANGUAGE]
    unknown = [code for code in codes if code not in languages()]
    if unknown:
        parser.error(f"no such language: {', '.join(unknown)}")
    return max([_report(code, release=chosen.release) for code in codes], default=0)


def counts(code: str, problem: Problem, *, release: bool = False) -> bool:
    """Return whether a problem has to be fixed; a missing text only for a release, in a language that is offered."""
    return problem.what != MISSING or (release and languages()[code].offered)


def _report(code: str, *, release: bool) -> int:
    """Print the problems of a language; return 1 if any has to be fixed, else 0."""
    listed = sorted([*problems(catalogue(), catalogue(code)), *rule_book_problems(code)])
    lines = [f"{code}: {problem.key} {problem.what}" for problem in listed]
    sys.stdout.write("\n".join([*lines, f"{code}, {languages()[code].name}: {summary(listed)}\n"]))
    return int(any(counts(code, problem, release=release) for problem in listed))


if __name__ == "__main__":
    sys.exit(main())
