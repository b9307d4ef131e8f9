"""KPuzzle definitions of cubing.js and twips (JSON), and KPattern states.

query/page/kpuzzle.js of the page does the same, and writes the same text.
"""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._puzzle import DEFINITION_LONGEST, ORIENTATIONS_MOST, PIECES_MOST, PIECES_OF_SET_MOST, SETS_MOST, FormatError, \
    Puzzle, check_name, complain, escape, is_rotation_name

_KEYS_MOST, _LABEL_MOST = 8702, (1 << 31) - 1


class Node:
    """A value in the JSON, and its path, such as moves.U.CORNERS.permutation[3]."""

    def __init__(self, value: Any, path: str = "", exists: bool = True) -> None:
        self.value, self.path, self.exists = value, path, exists

    def get(self, key: Any) -> "Node":
        """A member of an object or an element of a list."""
        if isinstance(key, int):
            return Node(self.value[key], f"{self.path}[{key}]")
        exists = isinstance(self.value, dict) and key in self.value
        path = (self.path + "." if self.path else "") + escape(key)
        return Node(self.value[key] if exists else None, path, exists)

    def wrong_type(self, expected: str) -> FormatError:
        """An error about a value of another type."""
        kind: Callable[[Any], str] = lambda value: {
            dict: "an object", list: "a list", str: "a string", int: "a whole number",
            float: "a number with a fraction"}.get(type(value), "true, false or null")
        return complain(self.path, f"expected {expected}, got {kind(self.value) if self.exists else 'nothing'}")

    def need(self, kind: type, expected: str) -> Any:
        """The value, which must be of a type."""
        if type(self.value) is not kind:  # bool is an int to isinstance
            raise self.wrong_type(expected)
        return self.value

    def number(self, least: int, most: int) -> int:
        """The value, which must be a whole number from `least` to `most`."""
        number: int = self.need(int, "a whole number")
        if not least <= number <= most:
            raise complain(self.path, f"expected a number from {least} to {most}, got {number}")
        return number


class Orbit:
    """An orbit of a KPuzzle: a set of pieces."""

    def __init__(self, node: Node) -> None:
        node.need(dict, "an object")
        name = node.get("orbitName")
        self.name: str = check_name(name.path, name.need(str, "a string"))
        if self.name.startswith("#"):
            raise complain(name.path, f"expected a name that begins with a letter, got '{escape(self.name)}'")
        self.pieces = node.get("numPieces").number(1, PIECES_OF_SET_MOST)
        self.orientations = node.get("numOrientations").number(1, ORIENTATIONS_MOST)

    def row(self, node: Node, most: int) -> List[int]:
        """A list with a number from 0 to `most` for each piece. most < 0: modulo the orientations."""
        values = node.need(list, "a list of numbers")
        if len(values) != self.pieces:
            raise complain(node.path, f"expected {self.pieces} numbers, one for each piece of {self.name}, "
                                      f"got {len(values)}")
        nodes = [node.get(i) for i in range(self.pieces)]
        if most < 0:
            return [each.need(int, "a whole number") % self.orientations for each in nodes]
        return [each.number(0, most) for each in nodes]


Pattern = List[Tuple[List[Tuple[int, int]], List[Optional[int]]]]  # for each orbit: labels, orientations


class KPuzzle(Puzzle):
    """A KPuzzle. With a goal, that pattern is the solved state."""

    def __init__(self, value: Any, goal: Any = None, goal_name: str = "") -> None:
        super().__init__()
        self.root = Node(value)
        self._put("# Made from a KPuzzle definition.")
        if goal is not None:
            self._put("# The solved state is the target pattern of --goal.")
        self._translate_name()
        self._translate_orbits()
        self._find_moves()
        default = self.root.get("defaultPattern")
        try:
            self.solved = self._read_pattern(default if goal is None else Node(goal))
        except FormatError as fault:
            raise fault if goal is None else complain(goal_name, str(fault)) from None
        self._translate_solved()
        for key in self.moves.value:
            self._translate_move(key, self.moves.get(key))
        for key in self.derived.value or ():
            self._translate_derived(key, self.derived.get(key))
        self._put("Rotation")
        if sum(len(line) + 1 for line in self._lines) > DEFINITION_LONGEST:
            raise complain("", f"expected a definition of at most {DEFINITION_LONGEST} bytes as text")

    def _translate_name(self) -> None:
        node = self.root.get("name")
        if node.exists and node.need(str, "a string"):
            self.name = "".join(c if " " < c <= "~" else "_" * len(c.encode("utf-8", "replace")) for c in node.value)
            self._put("Name " + self.name)

    def _translate_orbits(self) -> None:
        node, count = self.root.get("orbits"), 0
        self.orbits: List[Orbit] = []
        if not 1 <= len(node.need(list, "a list of orbits")) <= SETS_MOST:
            raise complain(node.path, f"expected 1 to {SETS_MOST} orbits, got {len(node.value)}")
        for i in range(len(node.value)):
            orbit = Orbit(node.get(i))
            self._put(f"Set {orbit.name} {orbit.pieces} {orbit.orientations}")
            self.orbits.append(orbit)
            count += orbit.pieces
            if count > PIECES_MOST:
                raise complain(node.get(i).path, f"all orbits together may have at most {PIECES_MOST} pieces")

    def _find_moves(self) -> None:
        self.moves, self.derived = self.root.get("moves"), self.root.get("derivedMoves")
        for node in (self.moves, self.derived):
            if node is self.moves or node.exists:
                node.need(dict, "an object with a key for each move")
                if len(node.value) > _KEYS_MOST:
                    raise complain(node.path, f"expected at most {_KEYS_MOST} moves, got {len(node.value)}")
        if not self.moves.value and not self.derived.value:
            raise complain("", "expected at least one move under `moves`")

    # ---- Patterns ----

    def _read_pattern(self, node: Node) -> Pattern:
        """For each slot the label of its piece, which also tells if its orientation counts, and the orientation."""
        names = {orbit.name for orbit in self.orbits}
        for key in node.need(dict, "an object with a key for each orbit"):
            if key not in names:
                raise complain(node.get(key).path, "no orbit has this name")
        pattern = []
        for orbit in self.orbits:
            rows = node.get(orbit.name)
            rows.need(dict, "an object with `pieces` and `orientation`")
            pieces = orbit.row(rows.get("pieces"), _LABEL_MOST)
            turns: List[Optional[int]] = list(orbit.row(rows.get("orientation"), orbit.orientations - 1))
            ignored = [0] * orbit.pieces
            if rows.get("orientationMod").exists:
                ignored = orbit.row(rows.get("orientationMod"), ORIENTATIONS_MOST)
                for i, number in enumerate(ignored):
                    if number > 1:
                        raise complain(rows.get("orientationMod").get(i).path,
                                       f"expected 0 (the orientation counts) or 1 (it does not), got {number}: an "
                                       "orientation can't count in part")
            pattern.append((list(zip(pieces, ignored)),
                            [None if mod else turn for turn, mod in zip(turns, ignored)]))
        return pattern

    def _translate_solved(self) -> None:
        self.numbers: List[List[int]] = []
        self._put("StartState")
        for orbit, (labels, turns) in zip(self.orbits, self.solved):
            ranks = {label: number for number, label in enumerate(sorted(set(labels)))}
            self.numbers.append([ranks[label] for label in labels])
            self._put(orbit.name)
            self._put(" ".join(map(str, self.numbers[-1])))
            self._put(" ".join("?" if turn is None else str(turn) for turn in turns))
        self._put("End")

    # ---- Moves ----

    def _find_rotation(self, move: str) -> Optional[str]:
        """A derived move, such as y2, that has the name of a rotation and is nothing but this move."""
        for key, alg in (self.derived.value or {}).items():
            if is_rotation_name(key) and key not in self.moves.value and alg == move:
                return str(key)
        return None

    def _translate_move(self, name: str, node: Node) -> None:
        check_name(node.path, name)
        node.need(dict, "an object with a key for each orbit")
        rotation = None if is_rotation_name(name) else self._find_rotation(name)
        self._put(f"MoveTransformation {rotation or name}")
        for orbit in self.orbits:
            rows = node.get(orbit.name)
            rows.need(dict, "an object with `permutation` and `orientationDelta`")
            pieces = orbit.row(rows.get("permutation"), orbit.pieces - 1)
            turns = orbit.row(rows.get("orientationDelta"), -1)
            twice = next((piece for i, piece in enumerate(pieces) if piece in pieces[:i]), None)
            if twice is not None:
                raise complain(rows.get("permutation").path, f"piece {twice} appears twice; expected each of 0 to "
                                                             f"{orbit.pieces - 1} once")
            if pieces != list(range(orbit.pieces)) or any(turns):
                self._put(orbit.name)
                self._put(" ".join(map(str, pieces)))
                self._put(" ".join(map(str, turns)))
        self._put("End")
        if rotation:
            self._put(f"MoveAlias {name} {rotation}")

    def _translate_derived(self, name: str, node: Node) -> None:
        if name in self.moves.value:
            return
        if isinstance(node.value, str) and node.value in self.moves.value and not is_rotation_name(node.value) \
                and self._find_rotation(node.value) == name:
            return  # it is written already, in place of that move
        check_name(node.path, name)
        alg = node.need(str, "a string with moves")
        alg = " ".join(re.sub(r"(^|\s)(//|#)[^\r\n]*", " ", alg).split())
        if not alg or alg == ".":
            self._put(f"MoveTransformation {name}")
            self._put("End")
        else:
            is_alias = not re.search(r"[\s,:()\[\]]", alg) and not is_rotation_name(name)
            self._put(f"{'MoveAlias' if is_alias else 'MoveSequence'} {name} {alg}")

    # ---- States ----

    def state(self, state: Any) -> str:
        """A KPattern, as JSON or as an object, in the form of twsearch's scrambles, which `--moves` reads."""
        node = Node(parse_json(state) if isinstance(state, str) else state)
        lines = ["ScrambleState pattern"]
        for orbit, numbers, (labels, _), (pieces, turns) in zip(
                self.orbits, self.numbers, self.solved, self._read_pattern(node)):
            known = {label: number for (label, _), number in zip(labels, numbers)}
            for i, (label, _) in enumerate(pieces):
                if label not in known:
                    raise complain(node.get(orbit.name).get("pieces").path + f"[{i}]",
                                   f"expected a label of the solved state, got {label}")
            lines += [orbit.name, " ".join(str(known[label]) for label, _ in pieces),
                      " ".join(str(turn or 0) for turn in turns)]
        return "\n".join(lines + ["End", ""])


def parse_json(text: str) -> Any:
    """A value of JSON. Raises FormatError with line and column."""
    def pair(members: List[Tuple[str, Any]]) -> Dict[str, Any]:
        result = dict(members)
        if len(result) < len(members):
            keys = [key for key, _ in members]
            raise FormatError(f"expected JSON: the key '{escape(next(key for key in keys if keys.count(key) > 1))}' "
                              "appears twice in an object")
        return result

    def refuse(name: str) -> Any:
        raise FormatError(f"expected JSON: {name} is no number")

    try:
        return json.loads(text.lstrip("\ufeff"), object_pairs_hook=pair, parse_constant=refuse)
    except json.JSONDecodeError as fault:
        raise complain(f"line {fault.lineno}, column {fault.colno}", "expected JSON") from None
    except (RecursionError, ValueError) as fault:
        raise fault if isinstance(fault, FormatError) else FormatError("expected JSON: too deep or too large") from None
