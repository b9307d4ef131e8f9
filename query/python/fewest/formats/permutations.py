"""Puzzles as permutations of points: Kaggle and CayleyPy (JSON), Santa 2023 (CSV), GAP."""

from __future__ import annotations

import ast
import csv
import io
import itertools
import json
import re
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from ._pieces import Permutation, find_pieces, move_of_set
from ._puzzle import DEFINITION_LONGEST, Puzzle, check_name, clean_name, complain, escape, is_rotation_name

_POINTS_MOST, _MOVES_MOST, _NEAR_MOST = 1 << 16, 4096, 200_000


class Permutations(Puzzle):
    """Points with labels, and moves: new[i] = old[move[i]], counted from 0.

    Points with equal labels look alike. If `powers` is False, exactly the listed moves count.
    """

    def __init__(self, name: str, moves: Mapping[str, Permutation], labels: Sequence[Any], *, powers: bool = False,
                 separator: str = ".", origin: str = "permutations") -> None:
        super().__init__()
        self.name, self.moves, self.labels = clean_name(name), dict(moves), list(labels)
        self.powers, self.separator = powers, separator
        self._numbers = {label: number for number, label in enumerate(dict.fromkeys(self.labels))}
        numbers = np.array([self._numbers[label] for label in self.labels], np.intp)
        self.sets = find_pieces(list(self.moves.values()), numbers)
        self._write(origin)

    def _write(self, origin: str) -> None:
        self._put(f"# Made from {origin}.")
        if self.name:
            self._put(f"Name {self.name}")
        for pieces in self.sets:
            self._put(f"Set {pieces.name} {len(pieces.pieces)} {pieces.orientations}")
        if not self.powers:
            self._put("Powers none")
        self._put("Solved")
        for pieces in self.sets:
            self._put(pieces.name)
            self._put(" ".join(map(str, pieces.pieces)))
            if pieces.orientations > 1:
                self._put(" ".join("?" if turn is None else str(turn) for turn in pieces.turns))
        self._put("End")
        where = np.zeros(len(self.labels), np.intp)
        for pieces in self.sets:
            where[pieces.points.reshape(-1)] = np.arange(pieces.points.size)
        for name, move in self.moves.items():
            self._write_move(name, move, where)
        if any(map(is_rotation_name, self.moves)):
            self._put("Generators " + " ".join(self.moves))
        size = sum(len(line) + 1 for line in self._lines)
        if size > DEFINITION_LONGEST:
            raise complain("", f"expected a definition of at most {DEFINITION_LONGEST} bytes as text, got {size}")

    def _write_move(self, name: str, move: Permutation, where: NDArray[np.intp]) -> None:
        self._put(f"MoveTransformation {name}")
        for pieces in self.sets:
            came, turns = move_of_set(pieces, move, where)
            if came != list(range(len(came))) or any(turns):
                row, cycles = " ".join(map(str, came)), write_cycles(came, 0)
                self._put(pieces.name)
                self._put(row if len(row) <= len(cycles) else cycles)
                if any(turns):
                    self._put(" ".join(map(str, turns)))
        self._put("End")

    # ---- States ----

    def _read_labels(self, state: Any) -> List[Any]:
        """A state as text, with ; , or spaces between the labels, or as a list."""
        labels = split_labels(state) if isinstance(state, str) else list(state)
        if len(labels) != len(self.labels):
            raise complain("", f"expected {len(self.labels)} labels, got {len(labels)}")
        as_typed = {str(label): label for label in self._numbers}
        for place, label in enumerate(labels):
            if str(label) not in as_typed:
                raise complain("", f"label {place + 1}: expected one of the solved state, got '{escape(label)}'")
        return [as_typed[str(label)] for label in labels]

    def state(self, state: Any) -> str:
        labels = self._read_labels(state)
        numbers = [self._numbers[label] for label in labels]
        words: List[str] = []
        moved = {int(point) for pieces in self.sets for point in pieces.points.reshape(-1)}
        for point, label in enumerate(labels):
            if point not in moved and label != self.labels[point]:
                raise complain("", f"label {point + 1}: no move changes it; expected '{escape(self.labels[point])}', "
                                   f"got '{escape(label)}'")
        for pieces in self.sets:
            found = []
            for points in pieces.points.tolist():
                colours = tuple(numbers[point] for point in points)
                if colours not in pieces.colours:
                    places = ", ".join(str(point + 1) for point in points)
                    raise complain("", f"labels {places}: expected those of one piece, got "
                                       f"{', '.join(escape(labels[point]) for point in points)}")
                found.append(pieces.colours[colours])
            rows = ([str(number) for number, _ in found], [str(turn or 0) for _, turn in found])
            shows_pieces, shows_turns = _shown(pieces)
            words += (rows[0] if shows_pieces else []) + (rows[1] if shows_turns else [])
        return " ".join(words)

    def read_typed(self, text: str) -> List[Any]:
        words = re.findall(r"\d+", text)
        cells = sum(len(pieces.pieces) * sum(_shown(pieces)) for pieces in self.sets)
        if len(words) != cells:  # each cell is one character
            words = re.findall(r"\d", text)
        labels = list(self.labels)
        names = list(self._numbers)
        values = iter(map(int, words))
        for pieces in self.sets:
            shows_pieces, shows_turns = _shown(pieces)
            slots = range(len(pieces.pieces))
            numbers = [next(values) if shows_pieces else pieces.pieces[slot] for slot in slots]
            turns = [next(values) if shows_turns else 0 for _ in slots]
            back = {(number, turn or 0): key for key, (number, turn) in pieces.colours.items()}
            for slot, points in enumerate(pieces.points.tolist()):
                key = back.get((numbers[slot], turns[slot])) or back[(numbers[slot], 0)]
                for point, label in zip(points, key):
                    labels[point] = names[label]
        return labels

    def answer(self, path: Optional[Sequence[str]]) -> str:
        return self.separator.join(self._name_inverse(move) for move in path or ())

    def _name_inverse(self, move: str) -> str:
        return move if move in self.moves or not move.endswith("'") or self.powers else "-" + move[:-1]

    def near(self, wrong: int) -> Iterator[List[Any]]:
        """The states in which at most `wrong` labels differ from the solved one, reachable or not.

        Raises FormatError if there are more than 200,000 arrangements to try.
        """
        yield list(self.labels)
        tried = 0
        points = sorted(int(point) for pieces in self.sets for point in pieces.points.reshape(-1))
        for count in range(2, wrong + 1):
            for chosen in itertools.combinations(points, count):
                old = [self.labels[point] for point in chosen]
                for new in sorted(set(itertools.permutations(range(count)))):
                    tried += 1
                    if tried > _NEAR_MOST:
                        raise complain("", f"expected at most {_NEAR_MOST} states with {wrong} wrong labels")
                    if all(old[i] != old[k] for i, k in enumerate(new)):
                        labels = list(self.labels)
                        for i, k in enumerate(new):
                            labels[chosen[i]] = old[k]
                        yield labels


def _shown(pieces: Any) -> Tuple[bool, bool]:
    """Does `fewest` type the pieces of a set, and their orientations?"""
    return len(pieces.pieces) > 1, pieces.orientations > 1


def split_labels(text: str) -> List[str]:
    """The labels of a state: between ; or , or spaces, perhaps in brackets."""
    return [word.strip("'\"") for word in re.split(r"[;,\s\[\]()]+", text.strip().strip("\"'[]()")) if word]


def write_cycles(row: Sequence[int], first: int) -> str:
    """A row new[i] = old[row[i]] as cycles: (a b) says that what is at a goes to b."""
    goes = {came: place for place, came in enumerate(row)}
    seen, text = set(), ""
    for start in range(len(row)):
        cycle = []
        while start not in seen:
            seen.add(start)
            cycle.append(start + first)
            start = goes[start]
        if len(cycle) > 1:
            text += "(" + " ".join(map(str, cycle)) + ")"
    return text or "()"


# ---- Generators ----------------------------------------------------------------------------------


def _check_moves(place: str, generators: Any, points: Optional[int]) -> Dict[str, Permutation]:
    if not isinstance(generators, Mapping) or not generators:
        raise complain(place, "expected an object with a list of numbers for each move")
    if len(generators) > _MOVES_MOST:
        raise complain(place, f"expected at most {_MOVES_MOST} moves, got {len(generators)}")
    moves = {}
    for name, row in generators.items():
        at = f"{place}.{escape(name)}" if place else escape(name)
        check_name(at, name)
        if isinstance(row, np.ndarray):
            row = row.tolist()
        if not isinstance(row, (list, tuple)) or not all(type(number) is int for number in row):
            raise complain(at, "expected a list of whole numbers")
        points = len(row) if points is None else points
        if len(row) != points:
            raise complain(at, f"expected {points} numbers, got {len(row)}")
        if points > _POINTS_MOST:
            raise complain(at, f"expected at most {_POINTS_MOST} points, got {points}")
        seen = bytearray(points)
        for i, number in enumerate(row):
            if not 0 <= number < points:
                raise complain(f"{at}[{i}]", f"expected a number from 0 to {points - 1}, got {number}")
            if seen[number]:
                raise complain(f"{at}[{i}]", f"{number} appears twice; expected each of 0 to {points - 1} once")
            seen[number] = 1
        moves[name] = np.array(row, np.intp)
    return moves


def _add_inverses(moves: Dict[str, Permutation]) -> Dict[str, Permutation]:
    """Adds -NAME for the inverse of each move that is in the list under no name."""
    known = {move.tobytes() for move in moves.values()}
    inverses = {"-" + name: np.argsort(move) for name, move in moves.items()}
    return {**moves, **{name: move for name, move in inverses.items() if move.tobytes() not in known}}


def from_generators(generators: Any, central_state: Optional[Sequence[Any]] = None, *, name: str = "permutations",
                    inverted: bool = False, place: str = "") -> Permutations:
    """A puzzle of exactly these moves. `inverted`: of their inverses, under the same names."""
    labels = None if central_state is None else list(central_state)
    moves = _check_moves(place, generators, None if labels is None else len(labels))
    if inverted:
        moves = {key: np.argsort(move) for key, move in moves.items()}
    if labels is None:
        labels = list(range(len(next(iter(moves.values())))))
    return Permutations(name, moves, labels)


# ---- Kaggle and CayleyPy -------------------------------------------------------------------------


def read_kaggle(value: Any, name: str) -> Permutations:
    """puzzle_info.json: {"central_state": [...], "generators": {"L": [...]}}."""
    generators, labels = value.get("generators", value.get("actions")), value.get("central_state")
    if isinstance(generators, list) and isinstance(value.get("generator_names"), list):
        generators = dict(zip(value["generator_names"], generators))
    if labels is not None and (not isinstance(labels, list) or not labels):
        raise complain("central_state", "expected a list of labels")
    for i, label in enumerate(labels or ()):
        if not isinstance(label, (int, str)) or isinstance(label, bool):
            raise complain(f"central_state[{i}]", f"expected a number or a string, got {escape(json.dumps(label))}")
    moves = _check_moves("generators", generators, len(labels) if labels else None)
    if not any(key.startswith("-") for key in moves) and value.get("listed_only") is not True:
        moves = _add_inverses(moves)
    labels = labels or list(range(len(next(iter(moves.values())))))
    return Permutations(str(value.get("name") or name), moves, labels, origin="a file of Kaggle or CayleyPy")


def write_kaggle(puzzle: Permutations) -> str:
    """The moves and the central state as puzzle_info.json. Our own `listed_only` says that no inverses are meant."""
    value: Dict[str, Any] = {"central_state": puzzle.labels,
                             "generators": {name: move.tolist() for name, move in puzzle.moves.items()}}
    if len(_add_inverses(puzzle.moves)) > len(puzzle.moves):
        value["listed_only"] = True
    return json.dumps(value) + "\n"


class Scramble(NamedTuple):
    """A state to solve, of a CSV file."""

    number: str  #: in the first column
    state: List[str]
    puzzle_type: str = ""
    solution: Sequence[str] = ()
    wildcards: int = 0  #: this number of labels may be wrong


def read_scrambles(text: str) -> Dict[str, Scramble]:
    """test.csv of Kaggle and puzzles.csv of Santa 2023: the states, by the first column."""
    rows = _read_csv(text)
    states = [key for key in rows[0] if "state" in key and "solution" not in key and not key.endswith("_id")]
    if not states:
        raise complain("line 1", "expected a column whose name has `state`")
    found = {}
    for line, row in enumerate(rows, 2):
        wild = row.get("num_wildcards") or "0"
        if not wild.isdigit():
            raise complain(f"line {line}", f"num_wildcards: expected a number, got '{escape(wild)}'")
        number = next(iter(row.values()))
        found[number] = Scramble(number, split_labels(row[states[0]]), row.get("puzzle_type", ""),
                                 split_labels(row.get("solution_state", "")), int(wild))
    return found


# ---- Santa 2023 ----------------------------------------------------------------------------------


def _read_csv(text: str) -> List[Dict[str, str]]:
    csv.field_size_limit(1 << 27)
    first = text.splitlines()[0] if text else ""
    delimiter = ";" if ";" in first and "," not in first else ","
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as fault:
        raise complain("", f"expected CSV: {fault}") from None
    rows = [row for row in rows if row]
    for line, row in enumerate(rows[1:], 2):
        if len(row) != len(rows[0]):
            raise complain(f"line {line}", f"expected {len(rows[0])} columns, got {len(row)}")
    if len(rows) < 2:
        raise complain("", "expected a line with names of columns and at least one more")
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def read_santa(text: str, kind: Optional[str] = None, scramble: Optional[Scramble] = None) -> Permutations:
    """A puzzle of puzzle_info.csv. `scramble` of puzzles.csv has the labels of its solved state."""
    rows = _read_csv(text)
    if "allowed_moves" not in rows[0] or "puzzle_type" not in rows[0]:
        raise complain("line 1", "expected the columns puzzle_type and allowed_moves; moves are in puzzle_info.csv")
    kind = scramble.puzzle_type if scramble else kind
    kinds = [row["puzzle_type"] for row in rows]
    if kind is None and len(rows) > 1:
        raise complain("", f"expected one puzzle, got {len(rows)}: choose a puzzle_type with --type, such as "
                           f"--type {kinds[0]}")
    if kind is not None and kind not in kinds:
        raise complain("", f"no puzzle_type is called '{escape(kind)}'; expected one of {', '.join(kinds)}")
    line = kinds.index(kind) if kind is not None else 0
    try:
        moves = ast.literal_eval(rows[line]["allowed_moves"])
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise complain(f"line {line + 2}", "allowed_moves: expected a dictionary of Python") from None
    labels = list(scramble.solution) if scramble else None
    permutations = _add_inverses(_check_moves(f"line {line + 2}: allowed_moves", moves, len(labels) if labels else None))
    labels = labels or [f"N{point}" for point in range(len(next(iter(permutations.values()))))]
    return Permutations(kinds[line], permutations, labels, origin="a file of Santa 2023")


def write_santa(puzzle: Permutations) -> str:
    """The moves as puzzle_info.csv, without the inverses that -NAME means."""
    if len(_add_inverses(puzzle.moves)) > len(puzzle.moves):
        raise complain(puzzle.name, "expected moves whose inverses are moves, which the format always means")
    moves = {name: move.tolist() for name, move in puzzle.moves.items()
             if not (name.startswith("-") and name[1:] in puzzle.moves)}
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([["puzzle_type", "allowed_moves"], [puzzle.name, str(moves)]])
    return out.getvalue()


# ---- GAP -----------------------------------------------------------------------------------------


def _line_of(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}"


def _read_permutation(text: str, begin: int, end: int) -> Dict[int, int]:
    """The points of disjoint cycles, counted from 1: where each goes."""
    part = text[begin:end]
    if not re.fullmatch(r"\s*(\(\s*(\d+\s*(,\s*\d+\s*)*)?\)\s*)+", part):
        raise complain(_line_of(text, begin), f"expected cycles such as (1,2,3)(4,5), got '{escape(part.strip())}'")
    goes: Dict[int, int] = {}
    for cycle in re.finditer(r"\(([^)]*)\)", part):
        points = [int(word) for word in cycle[1].split(",") if word.strip()]
        for point, image in zip(points, points[1:] + points[:1]):
            if not 1 <= point <= _POINTS_MOST:
                raise complain(_line_of(text, begin), f"expected points from 1 to {_POINTS_MOST}, got {point}")
            if point in goes:
                raise complain(_line_of(text, begin), f"{point} appears twice; expected each point once")
            goes[point] = image
    return goes


def _find_cycles(text: str) -> Dict[str, Dict[int, int]]:
    """The permutations of a text, by their names."""
    named = {found[1]: _read_permutation(text, *found.span(2))
             for found in re.finditer(r"([A-Za-z_]\w*)\s*:=\s*(\([^;:]*)", text)}
    listed = re.search(r"\bGen\s*:=\s*\[([^\]]*)\]", text)
    if listed:
        names = [word.strip() for word in listed[1].split(",") if word.strip()]
        for name in names:
            if name not in named:
                raise complain(_line_of(text, listed.start()), f"Gen: no permutation is called '{escape(name)}'")
        named = {name: named[name] for name in names}
    group = re.search(r"\bGroup\s*\(\s*\[?\s*(?=\()", text)
    if not named and group:
        listed_in_group = re.finditer(r"(?:\([^()]*\)\s*)+", text[group.end():].partition(";")[0])
        for number, found in enumerate(listed_in_group, 1):
            named[f"g{number}"] = _read_permutation(text, group.end() + found.start(), group.end() + found.end())
    if not named:
        raise complain("", "expected permutations such as `M:=(1,2,3);` or `Group((1,2),(1,2,3));`")
    while all(name.startswith("M_") and len(name) > 2 for name in named):
        named = {name[2:]: goes for name, goes in named.items()}
    return named


def read_gap(text: str, name: str) -> Permutations:
    """A GAP file: assignments of cycles, `Gen`, `ip`, or a plain Group. Powers count as moves."""
    text = re.sub(r"#[^\n]*", lambda comment: " " * len(comment[0]), text)
    text = re.sub(r"^gap>", "    ", text, flags=re.M)
    named = _find_cycles(text)
    points = max(max(goes, default=1) for goes in named.values())
    moves = {}
    for key, goes in named.items():
        move = np.arange(points)
        for point, image in goes.items():
            move[image - 1] = point - 1
        moves[check_name(key, key)] = move
    labels = list(range(1, points + 1))
    puzzle = Permutations(name, moves, labels, powers=True, separator=" ", origin="a file of GAP")
    found = re.search(r"\bip\s*:=\s*(\[[\s\d,\[\]]*\])\s*;", text)
    alike = [group for group in ast.literal_eval(found[1]) if isinstance(group, list) and len(group) > 1] if found else []
    if found and alike:
        labels = _join_labels(puzzle, alike, _line_of(text, found.start()))
        puzzle = Permutations(name, moves, labels, powers=True, separator=" ", origin="a file of GAP")
    return puzzle


def _join_labels(puzzle: Permutations, alike: List[List[int]], place: str) -> List[int]:
    """Gives pieces that look alike the same labels: their stickers, in the order of their orientations."""
    labels = list(puzzle.labels)
    spot = {int(point): (pieces, slot, turn) for pieces in puzzle.sets
            for slot, points in enumerate(pieces.points) for turn, point in enumerate(points)}
    for group in alike:
        for point in group:
            if not isinstance(point, int) or not 1 <= point <= len(labels):
                raise complain(place, f"ip: expected points from 1 to {len(labels)}, got {escape(point)}")
        firsts: Dict[str, Tuple[Any, int, int]] = {}  # moves never exchange pieces of two orbits
        for pieces, slot, turn in (spot[point - 1] for point in group if point - 1 in spot):
            first, at, first_turn = firsts.setdefault(pieces.name, (pieces, slot, turn))
            size = pieces.points.shape[1]
            for step in range(size):
                labels[pieces.points[slot][(turn + step) % size]] = labels[first.points[at][(first_turn + step) % size]]
    return labels


def write_gap(puzzle: Permutations) -> str:
    """The moves as assignments of cycles, `Gen`, and `ip` with one sticker of each piece."""
    known = {move.tobytes() for move in puzzle.moves.values()}
    for name, move in () if puzzle.powers else puzzle.moves.items():
        power = move[move]
        while (power != move).any() and (power.tobytes() in known or (power == np.arange(len(power))).all()):
            power = power[move]
        if (power != move).any():
            raise complain(puzzle.name, f"expected all powers of {name} among the moves, because readers of GAP take "
                                        "them for moves")
    clean = {name: "M_" + re.sub(r"\W", "_", name) for name in puzzle.moves}
    lines = [f"{clean[name]}:={write_cycles(move.tolist(), 1).replace(' ', ',')};" for name, move in puzzle.moves.items()]
    groups: Dict[Any, List[int]] = {}
    for pieces in puzzle.sets:
        for slot, points in enumerate(pieces.points.tolist()):
            turn = pieces.turns[slot] or 0
            groups.setdefault((pieces.name, pieces.pieces[slot]), []).append(points[turn] + 1)
    return "\n".join(lines + [f"Gen:=[\n{','.join(clean.values())}\n];",
                              f"ip:={json.dumps(list(groups.values()), separators=(',', ':'))};", ""])
