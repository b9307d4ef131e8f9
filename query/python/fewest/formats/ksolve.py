"""Definitions of ksolve (.def) and twsearch (.tws), as far as our own reader does not take them.

Everything but the words below stays as it is, line by line.
"""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

from ._puzzle import Puzzle, complain, escape

#: These only prune ksolve's search, so the answers are the same without them.
_PRUNES = {"ForbiddenPairs": True, "ForbiddenGroups": True, "MultiplicativeGroups": True, "Parity": True,
           "MaxDepth": False, "Slack": False}
#: These change the answers, and our language can't say them. True: a block of lines follows.
_REFUSED = {"Block": "pieces that must stay together", "MoveLimits": "limits of the number of moves"}
_BLOCKS = ("Solved", "StartState", "Goal", "Move", "MoveTransformation")
Rows = Dict[str, List[Tuple[int, List[str]]]]  # of a block: by set, its rows with their lines


class KSolve(Puzzle):
    """A text of ksolve. Pieces under `Ignore` look alike, or their orientations do not count."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lines = text.lstrip("\ufeff").splitlines()
        self.sets: Dict[str, Tuple[int, int]] = {}
        self.dropped: List[str] = []  #: words that were left out, because they only prune a search
        ignored: Rows = {}
        solved: Rows = {}
        keep = [True] * len(self.lines)
        at = 0
        while at < len(self.lines):
            words = self._words(at)
            end = at + 1
            if words[:1] == ["Set"] and len(words) == 4 and words[2].isdigit() and words[3].isdigit():
                self.sets[words[1]] = int(words[2]), int(words[3])
            elif words and words[0] in _REFUSED:
                raise complain(f"line {at + 1}", f"{words[0]}: our language has no word for {_REFUSED[words[0]]}")
            elif words and (words[0] in _BLOCKS or words[0] == "Ignore" or _PRUNES.get(words[0])):
                end = self._find_end(at)
                if words[0] in ("Solved", "StartState"):
                    solved = self._read_rows(at + 1, end - 1)
                if words[0] == "Ignore":
                    ignored = self._read_rows(at + 1, end - 1)
            if words and (words[0] in _PRUNES or words[0] == "Ignore"):
                keep[at:end] = [False] * (end - at)
                self.dropped += [words[0]] if words[0] in _PRUNES else []
            at = end
        self._ignore(ignored, solved)
        for line, is_kept in zip(self.lines, keep):
            if is_kept:
                self._put(line)

    def _words(self, at: int) -> List[str]:
        return self.lines[at].partition("#")[0].split()

    def _find_end(self, at: int) -> int:
        for line in range(at + 1, len(self.lines)):
            if self._words(line) == ["End"]:
                return line + 1
        raise complain(f"line {at + 1}", "this block has no `End`")

    def _read_rows(self, begin: int, end: int) -> Rows:
        """The rows of each set in a block, some of which may stand on several lines."""
        rows: Rows = {}
        name = ""
        for at in range(begin, end):
            words = self._words(at)
            if len(words) == 1 and words[0] in self.sets:
                name = words[0]
                rows[name] = []
            elif words and not name:
                raise complain(f"line {at + 1}", f"expected the name of a set, got '{escape(words[0])}'")
            elif words:
                rows[name].append((at, words))
        return rows

    def _ignore(self, ignored: Rows, solved: Rows) -> None:
        """Changes the rows of the solved state. A set without rows under `Ignore` is ignored whole."""
        for name, rows in ignored.items():
            count, orientations = self.sets[name]
            marks = [self._read_marks(row, count) for row in rows[:2]] or [[True] * count] * 2
            alike, unturned = marks[0], marks[1] if len(marks) > 1 else [False] * count
            if name not in solved:
                raise complain(f"Ignore {name}", "expected this set in the block `Solved`")
            (piece_line, pieces), *rest = solved[name]
            turns = list(rest[0][1]) if rest else ["0"] * count
            if len(pieces) != count or len(turns) != count:
                raise complain(f"line {piece_line + 1}", f"expected {count} numbers on one line")
            first = next((pieces[i] for i in range(count) if alike[i]), "")
            turns = ["?" if unturned[i] and orientations > 1 else turns[i] for i in range(count)]
            self.lines[piece_line] = " ".join(first if alike[i] else pieces[i] for i in range(count))
            if rest:
                self.lines[rest[0][0]] = " ".join(turns)
            elif "?" in turns:
                self.lines[piece_line] += "\n" + " ".join(turns)

    def _read_marks(self, row: Tuple[int, List[str]], count: int) -> List[bool]:
        at, words = row
        if len(words) != count or not set(words) <= {"0", "1"}:
            raise complain(f"line {at + 1}", f"expected {count} numbers, 1 for what is ignored and 0 for the others")
        return [word == "1" for word in words]

    def state(self, state: Any) -> str:
        return str(state)  # `fewest` reads the scramble files of ksolve
