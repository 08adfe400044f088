"""Commands for translators.

``python -m cogs.texts check`` checks all translations, or only those of the named languages, as in ``check cs pl``. The
exit status is 1 if a text has to be fixed. A text that a translation lacks is only listed, since players read it in
English; with ``--release`` it is an error, too, in every language that players can choose.

``export --po cs`` writes the file ``cs.po`` for a program for translators, and ``import cs.po`` puts it back into the
texts (:mod:`cogs.texts.exchange`).
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from cogs.texts import LANGUAGE, catalogue
from cogs.texts.check import MISSING, Problem, problems, rule_book_problems, summary
from cogs.texts.languages import languages


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command; return the exit status 1 if a check has found a problem that has to be fixed."""
    parser = ArgumentParser(prog="python -m cogs.texts", description="The translations of all texts.")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="list what is wrong with translations")
    check.add_argument("languages", nargs="*", help="codes of languages; all of them if none is named")
    check.add_argument("--release", action="store_true", help="a missing text is an error in an offered language")
    export = commands.add_parser("export", help="write a translation to a file for translators")
    export.add_argument("--po", metavar="LANGUAGE", required=True, help="the code of the language")
    export.add_argument("file", nargs="?", type=Path, help="the file to write; LANGUAGE.po by default")
    read = commands.add_parser("import", help="put a file of translators back into the translation")
    read.add_argument("file", type=Path, help="the file; it names its language")
    chosen = parser.parse_args(arguments)
    if chosen.command == "check":
        codes = chosen.languages or [code for code in languages() if code != LANGUAGE]
        _require_known(parser, codes)
        return max([_report(code, release=chosen.release) for code in codes], default=0)
    from cogs.texts import exchange  # noqa: PLC0415 - needs more packages than a host installs, who may check, too

    if chosen.command == "export":
        _require_known(parser, [chosen.po])
        file = chosen.file or Path(f"{chosen.po}.po")
        count = exchange.export_texts(chosen.po, file)
        sys.stdout.write(f"{file}: {count} texts\n")
        return 0
    code = exchange.language_of(chosen.file)
    _require_known(parser, [code])
    lines = exchange.import_texts(code, chosen.file)
    sys.stdout.write("".join(f"{line}\n" for line in [*lines, f"{code}: {len(lines)} changes"]))
    return 0


def _require_known(parser: ArgumentParser, codes: Sequence[str]) -> None:
    """End the program with an error unless all languages are there."""
    unknown = [code for code in codes if code not in languages()]
    if unknown:
        parser.error(f"no such language: {', '.join(unknown)} (docs/translating.md tells how to begin one)")


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
