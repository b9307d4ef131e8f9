"""The command fewest-import."""

from __future__ import annotations

import argparse
import os
import sys
from typing import List, NoReturn, Optional

from . import read
from ._puzzle import FormatError, complain
from .ksolve import KSolve

_BAD, _SYSTEM = 2, 4  # exit statuses, as of fewest


_HELP = """\
Usage: fewest-import [OPTION...] DEFINITION

Translates a definition of another program into the language of fewest-gen.

DEFINITION is of Kaggle or CayleyPy (puzzle_info.json), Santa 2023 (puzzle_info.csv),
GAP, cubing.js or twips (KPuzzle), or ksolve. Its content tells which. Stickers that
stay together become pieces with orientations.

Options:
  -o, --output FILE   write the definition to FILE (default: to standard output)
      --goal FILE     take the solved state from FILE: a KPattern, labels, or puzzles.csv
      --id ID         use the line of puzzles.csv that begins with ID
      --type TYPE     use this puzzle_type of a puzzle_info.csv
      --state STATE   print STATE, in the form of its program, as a START of fewest
  -h, --help          show this help
  -V, --version       show the version

Exit status:
  0   translated
  2   wrong usage, or a bad file
  4   input or output failed
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(_BAD, f"fewest-import: {message}; `fewest-import --help` lists the options\n")

    def format_help(self) -> str:
        return _HELP


def _make_parser() -> argparse.ArgumentParser:
    parser = _Parser(allow_abbrev=False)
    parser.add_argument("file", metavar="DEFINITION")
    parser.add_argument("-o", "--output")
    for option in ("--goal", "--id", "--type", "--state"):
        parser.add_argument(option)
    parser.add_argument("-V", "--version", action="version", version="fewest-import 0.1.0")
    return parser


def _run(options: argparse.Namespace) -> None:
    puzzle = read(options.file, goal=options.goal, kind=options.type, number=options.id)
    if isinstance(puzzle, KSolve) and puzzle.dropped:
        print(f"fewest-import: {options.file}: left out {', '.join(sorted(set(puzzle.dropped)))}, because fewest "
              "needs no hints for its search", file=sys.stderr)
    if options.state is not None:
        try:
            text = puzzle.state(options.state) + "\n"
        except FormatError as fault:
            raise complain("--state", str(fault)) from None
    else:
        text = puzzle.definition()
    if options.output is None:
        sys.stdout.write(text)
        sys.stdout.flush()
    elif os.path.exists(options.output) and os.path.samefile(options.output, options.file):
        raise complain(options.output, "the definition would replace the file that it is made from")
    else:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command. Returns the exit status."""
    options = _make_parser().parse_args(arguments)
    try:
        _run(options)
        return 0
    except FormatError as fault:
        print(f"fewest-import: {fault}", file=sys.stderr)
        return _BAD
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing complains at the end
        return _SYSTEM
    except OSError as fault:
        print(f"fewest-import: {fault.filename or options.file}: {fault.strerror}", file=sys.stderr)
        return _SYSTEM
