"""What every format becomes: a puzzle with a definition in our own language."""

from __future__ import annotations

import re
from typing import Any, List, Optional, Sequence

from .._library import BadInputError

DEFINITION_LONGEST = 1 << 20  # bytes of a definition
SETS_MOST, PIECES_MOST, PIECES_OF_SET_MOST, ORIENTATIONS_MOST, NAME_LONGEST = 256, 4096, 254, 127, 63
_ROTATION = re.compile(r"[xyz]['2]?|[A-Z_]+v")


class FormatError(BadInputError):
    """A file that can't be read: which file, where in it, what was expected."""


def complain(place: str, message: str) -> FormatError:
    """An error about a line or a JSON path of a file."""
    return FormatError(f"{place}: {message}" if place else message)


def escape(text: Any) -> str:
    """A text as printable ASCII, cut to a readable length."""
    shown = str(text).encode("unicode_escape").decode("ascii")
    return shown if len(shown) <= 60 else shown[:57] + "..."


def check_name(place: str, name: str) -> str:
    """Returns a name that can be one word of our language."""
    if not re.fullmatch(r"[!-~]{1,%d}" % NAME_LONGEST, name):
        raise complain(place, f"expected a name of 1 to {NAME_LONGEST} printable ASCII characters without a space, "
                              f"got '{escape(name)}'")
    return name


def is_rotation_name(name: str) -> bool:
    """Would our language take a move of this name for a turn of the whole puzzle?"""
    return bool(_ROTATION.fullmatch(name))


def clean_name(name: str) -> str:
    """A puzzle's name: bytes that a name can't have become underscores."""
    return re.sub(rb"[^!-~]", b"_", name.encode()).decode()[:NAME_LONGEST]


class Puzzle:
    """A puzzle that was read from a file of another program."""

    name: str = ""

    def __init__(self) -> None:
        self._lines: List[str] = []

    def _put(self, line: str) -> None:
        self._lines.append(line)

    def definition(self) -> str:
        """The definition in the language of DEFINITION.md."""
        return "".join(line + "\n" for line in self._lines)

    def state(self, state: Any) -> str:
        """A state in the format's own form, as `fewest` reads a START."""
        raise NotImplementedError

    def read_typed(self, text: str) -> Any:
        """A state as `fewest` writes it, in the format's own form."""
        raise NotImplementedError

    def answer(self, path: Optional[Sequence[str]]) -> str:
        """A path in the form of the format's answers."""
        return " ".join(path or ())
