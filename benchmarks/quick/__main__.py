"""``python -m benchmarks.quick STEP``: choose the tests of ``make test-quick``, and judge the choice by mutants.

``reach`` runs the whole suite and records which test executes which line; ``choose`` writes the list; ``judge`` tries
mutants, which are drawn by a seed, and goes on where it was stopped; ``report`` counts. A choice is made from the
mutants of one seed and judged by those of another.
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path

from benchmarks.quick import mutants, reach
from benchmarks.quick.choice import choose, chosen_tests, lines_of_list
from benchmarks.quick.fork_server import Trial
from benchmarks.quick.trial import START_SECONDS, Copy, Result, read_results, try_all

ROOT: Path = Path(__file__).parents[2]
LIST: Path = ROOT / "tests" / "quick.txt"
HEAD = """\
# The tests of `make test-quick`: files, and functions with all their parameters.
# docs/testing.md says how they are chosen. After a rename, edit the line here; remove it if the test is gone.
"""


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quick")
    parser.add_argument("step", choices=("reach", "choose", "judge", "report"))
    parser.add_argument(
        "--folder", type=Path, default=ROOT.parent / "quick", help="what is recorded (default: ../quick)"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes at the same time")
    parser.add_argument("--seconds", type=float, default=100.0, help="time of the chosen tests, added up, as recorded")
    parser.add_argument(
        "--most", type=float, default=60.0, help="seconds of tests of the choice, and of others, to try on a mutant"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the mutants")
    parser.add_argument("--mutants", type=int, default=200, help="number of mutants")
    options, others = parser.parse_known_args()
    if others and options.step != "reach":
        parser.error(f"unknown: {' '.join(others)}")
    results = options.folder / "results.jsonl"
    match options.step:
        case "reach":
            reach.record(ROOT, options.folder, ["-n", str(options.workers), *others])
        case "choose":
            reached = reach.collect(ROOT, options.folder)
            missed = [
                result.killer for result in read_results(results) if result.seed == options.seed and result.killer
            ]
            chosen = choose(reached, options.seconds, {killer.partition("[")[0] for killer in missed})
            LIST.write_text(HEAD + "".join(f"{line}\n" for line in lines_of_list(reached, chosen)), "utf-8")
        case "judge":
            judge(options, results)
        case _:
            report([result for result in read_results(results) if result.seed == options.seed])


def judge(options: argparse.Namespace, file: Path) -> None:
    """Try the mutants that have no result yet, and add each result to the file."""
    reached = reach.collect(ROOT, options.folder)
    done = {result.mutant for result in read_results(file) if result.seed == options.seed}
    drawn = [mutant for mutant in mutants.draw(ROOT, options.seed, options.mutants) if mutant.name not in done]
    copies = [Copy(ROOT, options.folder / f"copy{number}") for number in range(options.workers)]
    choice = chosen_tests(reached, LIST)
    cheapest = min(range(len(reached.tests)), key=reached.seconds.__getitem__)
    with ExitStack() as stack, file.open("a", encoding="utf-8") as opened:
        for copy in copies:
            stack.enter_context(copy.fork_server)
        for copy in copies:
            trial = Trial("", [reached.tests[cheapest]], START_SECONDS)
            if (failure := copy.fork_server.run(trial) or copy.run(trial.tests, START_SECONDS)) is not None:
                raise RuntimeError(f"without any fault a test fails in {copy.root}: {failure}")
        for result in try_all(drawn, options.seed, reached, choice, options.most, copies):
            opened.write(result.line)
            opened.flush()
            print(result.line, end="")


def report(results: list[Result]) -> None:
    """Print how many mutants all tests notice, how many of those the choice does, and which it does not."""
    noticed = [result for result in results if result.killer]
    quick = [result for result in noticed if result.quick]
    print(f"{len(results)} mutants, {len(noticed)} noticed by the suite, {len(quick)} of them by the choice", end="")
    print(f" ({len(quick) / len(noticed):.1%})" if noticed else "")
    for result in noticed:
        if not result.quick:
            print(f"missed: {result.mutant} {result.killer}")


if __name__ == "__main__":
    main()
