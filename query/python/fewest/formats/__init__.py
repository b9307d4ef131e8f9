"""Files of other programs: what they hold, as definitions in the language of DEFINITION.md.

    puzzle = fewest.formats.read("puzzle_info.json")
    table = fewest.make(puzzle)
    start = table.read(puzzle.state("1,0,2,3"))
    print(puzzle.answer(table.path(start)))

`read` tells the formats apart by content. `write` writes a puzzle in another format.
"""

from __future__ import annotations

import ast
import os
import re
from typing import Any, List, Mapping, Optional, Union

import numpy as np

from . import kpuzzle, ksolve, permutations
from ._puzzle import FormatError, Puzzle, complain
from .permutations import Permutations, Scramble, read_scrambles

__all__ = ["FormatError", "Permutations", "Puzzle", "Scramble", "find_format", "parse", "read", "read_scrambles",
           "write"]
FORMATS = ("kaggle", "santa", "gap", "puzzle")  #: that `write` knows
_BYTES_MOST = 1 << 26  # of a file


def find_format(text: str, suffix: str = "") -> str:
    """Tells what a text is by its content: json, python, list, gap, csv or ksolve. The suffix breaks ties."""
    lines = [line.strip() for line in text.lstrip("\ufeff").splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    first, second = (lines + ["", ""])[:2]
    if first.startswith("{"):
        return "python" if (first[1:].strip() or second).startswith("'") else "json"
    if first.startswith("["):
        return "list"
    if ":=" in first or first.startswith("gap>") or re.match(r"(\w+\s*:=|Group\s*\()", first):
        return "gap"
    if first.endswith(";") and any(":=" in line or "Group(" in line for line in lines):
        return "gap"
    if re.fullmatch(r"[a-z][\w ]*([,;][a-z][\w ]*)+", first):
        return "csv"
    return {".json": "json", ".gap": "gap", ".g": "gap", ".csv": "csv"}.get(suffix.lower(), "ksolve")


def parse(text: str, name: str = "", *, suffix: str = "", goal: Optional[str] = None, goal_name: str = "",
          kind: Optional[str] = None, number: Optional[str] = None) -> Puzzle:
    """Reads a puzzle from a text.

    name: of the puzzle, if the text has none. suffix: of the file, such as ".gap".
    goal: the text of a file with the solved state. For a KPuzzle, it is a pattern. For permutations,
        it has labels. For Santa 2023, it is puzzles.csv, and `number` the first column of a line.
    kind: the puzzle_type of a file of Santa 2023. goal_name: of the file of the goal, for errors.

    Raises FormatError with the line or JSON path, and what was expected there.
    """
    form = find_format(text, suffix)
    if form == "csv":
        scramble = None
        if goal is not None:
            scrambles = read_scrambles(goal)
            if number is None or number not in scrambles:
                raise complain(goal_name, f"expected the number of a line (--id), such as {next(iter(scrambles))}")
            scramble = scrambles[number]
        return permutations.read_santa(text, kind, scramble)
    if form in ("json", "python"):
        puzzle = _read_object(kpuzzle.parse_json(text) if form == "json" else _read_python(text), name, goal, goal_name)
    elif form == "gap":
        puzzle = permutations.read_gap(text, name)
    elif form == "list":
        raise complain("", "expected an object with `orbits` (KPuzzle) or `generators` (Kaggle), got a list")
    else:
        puzzle = ksolve.KSolve(text)
        if goal is not None:
            raise complain("", "--goal needs a KPuzzle, or permutations; in this file, change `Solved` instead")
    if goal is not None and isinstance(puzzle, Permutations):
        puzzle = _change_goal(puzzle, goal, goal_name)
    return puzzle


def _read_object(value: Any, name: str, goal: Optional[str], goal_name: str) -> Puzzle:
    if not isinstance(value, dict):
        raise complain("", "expected an object")
    if "orbits" in value:
        pattern = None
        if goal is not None:
            try:
                pattern = kpuzzle.parse_json(goal)
            except FormatError as fault:
                raise complain(goal_name, str(fault)) from None
        return kpuzzle.KPuzzle(value, pattern, goal_name)
    if any(key in value for key in ("generators", "actions", "central_state")):
        return permutations.read_kaggle(value, name)
    if value and all(isinstance(row, list) for row in value.values()):
        return permutations.read_kaggle({"generators": value}, name)
    raise complain("", "expected an object with `orbits` (KPuzzle) or `generators` (Kaggle)")


def _read_python(text: str) -> Any:
    try:
        return ast.literal_eval(text.lstrip("\ufeff").strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise complain("", "expected a dictionary of Python with a list of numbers for each move") from None


def _change_goal(puzzle: Permutations, goal: str, goal_name: str) -> Permutations:
    labels = permutations.split_labels(goal)
    if len(labels) != len(puzzle.labels):
        raise complain(goal_name, f"expected {len(puzzle.labels)} labels, got {len(labels)}")
    return Permutations(puzzle.name, puzzle.moves, labels, powers=puzzle.powers, separator=puzzle.separator)


def read(path: Union[str, "os.PathLike[str]"], *, goal: Union[None, str, "os.PathLike[str]"] = None,
         kind: Optional[str] = None, number: Optional[str] = None) -> Puzzle:
    """Reads a puzzle from a file. `goal` is the path of a file; the rest is as for `parse`.

    Raises FormatError, whose text begins with the file, and OSError.
    """
    file = os.fspath(path)
    stem = re.sub(r"(\.kpuzzle)?\.[^.]*$", "", os.path.basename(file))
    try:
        text = _read_text(file)
        goal_text = None if goal is None else _read_text(os.fspath(goal))
        return parse(text, stem, suffix=os.path.splitext(file)[1], goal=goal_text,
                     goal_name=os.fspath(goal) if goal is not None else "", kind=kind, number=number)
    except FormatError as fault:
        begins = goal is not None and str(fault).startswith(os.fspath(goal) + ":")
        raise fault if begins else complain(file, str(fault)) from None


def _read_text(path: str) -> str:
    with open(path, "rb") as file:
        content = file.read(_BYTES_MOST + 1)
    if len(content) > _BYTES_MOST:
        raise complain("", f"expected a file of at most {_BYTES_MOST} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise complain("", f"byte {fault.start}: expected UTF-8") from None


def write(puzzle: Any, form: str) -> str:
    """Writes a puzzle, or an open table of a permutation puzzle, as a text.

    form: "kaggle" (puzzle_info.json), "santa" (puzzle_info.csv), "gap", or "puzzle" (our language).
    A table's points are its slots and orientations, and its moves are all that count.

    Raises FormatError if the format can't hold the puzzle.
    """
    if form not in FORMATS:
        raise ValueError(f"expected one of {', '.join(FORMATS)}, got '{form}'")
    if form == "puzzle":
        return puzzle.definition() if isinstance(puzzle, Puzzle) else str(puzzle.definition)
    if not isinstance(puzzle, (Puzzle, Permutations)):
        puzzle = _read_table(puzzle)
    if not isinstance(puzzle, Permutations):
        raise complain("", "expected permutations or an open table; make a table of this puzzle first")
    return {"kaggle": permutations.write_kaggle, "santa": permutations.write_santa,
            "gap": permutations.write_gap}[form](puzzle)


def _read_table(table: Any) -> Permutations:
    """The points of a table: one for each slot and orientation of each set."""
    if table.has_blank or table.forbids_states or len(table.goals) > 1:
        raise complain(table.name, "expected a permutation puzzle with one goal and without `Illegal`")
    moves = {name: table.rule(name) for name in table.moves}
    points: Mapping[str, List[np.ndarray[Any, Any]]] = {name: [] for name in moves}
    labels: List[int] = []
    known: List[Any] = []
    for name, pieces, turns, size in table.cells_of_sets():
        count, first = max(len(pieces), len(turns)), len(labels)
        turned = np.arange(size)
        for move, (source, add) in moves.items():
            cells = pieces or turns
            came = source[cells].astype(int) - cells[0]
            step = add[turns].astype(int) if turns else np.zeros(count, int)
            points[move].append(first + came[:, None] * size + (turned - step[:, None]) % size)
        for slot in range(count):
            piece = int(table.goals[0][pieces[slot]]) if pieces else 0
            turn = int(table.goals[0][turns[slot]]) if turns else 0
            counts = not turns or table.counts_orientation(name, piece)
            for place in range(size):
                known.append((name, piece, (place - turn) % size if counts else 0))
                labels.append(0)
    numbers = {label: number for number, label in enumerate(dict.fromkeys(known))}
    return Permutations(table.name, {name: np.concatenate([rows.reshape(-1) for rows in parts])
                                     for name, parts in points.items()}, [numbers[label] for label in known])
