"""Sequences of moves as people write them: groups, conjugates, commutators, comments."""

from __future__ import annotations

import re
from typing import Callable, List, Tuple

from ._puzzle import NAME_LONGEST, FormatError, escape

_MOVES_MOST, _NESTING_MOST = 4351, 64
_WORD = re.compile(r"""[^\s#'",:()\[\]\x00-\x20\x7f-\U0010ffff]*[^\s#'",:()\[\]\x00-\x20\x7f-\U0010ffff0-9]\d*'?""")
_NOTE = re.compile(r"//[^\r\n]*|#[^\r\n]*|\.(?=[\s,:()\[\]]|$)")
_LINE_NUMBER = re.compile(r"\d+\.(?=[\s,:()\[\]]|$)")
Move = Tuple[str, bool]  # a word, and whether its inverse is meant


class AlgReader:
    """Reads a text into a list of moves without groups. is_move tells whether a name is a move."""

    def __init__(self, text: str, is_move: Callable[[str], bool]) -> None:
        self.text, self.is_move, self.next, self.nesting = re.sub("[’‘′´]", "'", text), is_move, 0, 0

    def read(self) -> List[Move]:
        """The moves of the whole text."""
        moves = self._read_moves(False)
        if self.next < len(self.text):
            raise self._refuse("a move")
        return moves

    def _refuse(self, expected: str) -> FormatError:
        got = f", got '{escape(self.text[self.next])}'" if self.next < len(self.text) else ", but the text ends"
        return FormatError(f"character {self.next + 1}: expected {expected}{got}")

    def _find_word(self) -> str:
        """The move at the next character, or nothing."""
        found = _WORD.match(self.text, self.next)
        word = found[0] if found else ""
        after = self.text[self.next + len(word):self.next + len(word) + 1]
        name = re.sub(r"\d*'?$", "", word)
        is_note = (name.startswith(".") or name.startswith("//")) and not self.is_move(name)
        ends = not after or after.isspace() or after in ",:()[]"
        return word if word and ends and len(name) <= NAME_LONGEST and not is_note else ""

    def _skip(self, comma_ends: bool) -> str:
        """Skips space, notes and commas. Returns the next character."""
        while self.next < len(self.text):
            rest = self.text[self.next]
            line = self.text[:self.next].replace("\r", "\n").rpartition("\n")[2]
            note = _NOTE.match(self.text, self.next) or (not line.strip() and _LINE_NUMBER.match(self.text, self.next))
            if rest.isspace() or (rest == "," and not comma_ends):
                self.next += 1
            elif note and not self._find_word():
                self.next = note.end()
            else:
                return rest
        return ""

    def _read_moves(self, comma_ends: bool) -> List[Move]:
        moves: List[Move] = []
        while True:
            sign = self._skip(comma_ends)
            word = self._find_word() if sign else ""
            if word:
                self.next += len(word)
                moves.append((word, False))
            elif sign in ("(", "["):
                moves += self._read_nested(sign)
            elif not sign or sign in ")],:":
                return moves
            else:
                raise self._refuse("a move")
            if len(moves) > _MOVES_MOST:
                raise FormatError(f"character {self.next + 1}: without groups, this sequence has more than "
                                  f"{_MOVES_MOST} moves, the most that is allowed")

    def _take(self, signs: str, expected: str) -> str:
        sign = self._skip(True)
        if not sign or sign not in signs:
            raise self._refuse(expected)
        self.next += 1
        return sign

    def _read_nested(self, bracket: str) -> List[Move]:
        if self.nesting == _NESTING_MOST:
            raise FormatError(f"character {self.next + 1}: brackets are nested more than {_NESTING_MOST} deep")
        self.nesting += 1
        self.next += 1
        first = self._read_moves(bracket == "[")
        if bracket == "(":
            self._take(")", "a move or ')'")
        else:
            sign = self._take(":,", "a move, ':' or ','")
            second = self._read_moves(True)
            self._take("]", "a move or ']'")
            first = first + second + _invert(first) + (_invert(second) if sign == "," else [])
        self.nesting -= 1
        return self._read_suffix(first)

    def _read_suffix(self, moves: List[Move]) -> List[Move]:
        found = re.compile(r"(\d*)('?)").match(self.text, self.next)
        times, mark = found.groups() if found else ("", "")
        self.next += len(times + mark)
        if mark and not times and not self._find_word():
            late = re.compile(r"\d*").match(self.text, self.next)
            times = late[0] if late else ""
            self.next += len(times)
        after = self.text[self.next:self.next + 1]
        if after and not after.isspace() and after not in ",:()[]":
            raise self._refuse("a space between moves")
        count = min(int(times[:9]), _MOVES_MOST + 1) if times else 1
        return (_invert(moves) if mark else moves) * count


def _invert(moves: List[Move]) -> List[Move]:
    return [(word, not inverse) for word, inverse in reversed(moves)]


def write_moves(moves: List[Move]) -> str:
    """The moves with spaces: a mark in a word and an inverted group around it cancel out."""
    return " ".join(word.rstrip("'") + ("'" if inverse != word.endswith("'") else "") for word, inverse in moves)
