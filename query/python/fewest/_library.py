"""The C libraries libfewest and libfewest-gen, through ctypes.

ctypes needs no compiler where the package is installed, and none for another version of Python.
It releases the interpreter's lock (GIL) during each call. The structs below are those of fewest.h
and fewest_gen.h, which promise to keep their layout within a major version.
"""

from __future__ import annotations

import ctypes
import functools
import glob
import os
import re
import threading
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_int, c_size_t, \
    c_uint, c_uint8, c_uint16, c_uint64, c_void_p
from typing import Any, Callable, NoReturn, Optional

WILD = 0xFF  #: a cell of a target that may hold anything
CELLS_MOST, PATH_MOST, TEXT_SIZE, ERROR_SIZE = 8192, 256, 32776, 512
UNREACHABLE, ANY = -1, -2
STOPPED = 7  # a status
FOLDER = os.path.dirname(os.path.abspath(__file__))
TABLES = os.path.join(FOLDER, "tables")  #: of a wheel


# ---- Errors --------------------------------------------------------------------------------------


class Error(Exception):
    """A failure of the library. The text is a sentence of the library's."""


class BadInputError(Error, ValueError):
    """Text, cells or moves that can't be read, or a bad definition."""


class BeyondError(Error):
    """A valid query that the table can't answer, or a definition beyond a limit."""


class MissingError(Error, FileNotFoundError):
    """There is no such table, or it can't be opened."""


class DamagedError(Error):
    """The file is not a table, is damaged, or has a version that this library can't read."""


class ForeignError(Error):
    """A sound table or checkpoint, but of another puzzle."""


class SystemFailure(Error, OSError):
    """Memory, input or output failed."""


class StoppedError(Error):
    """A callback stopped the work."""


class LimitedError(Error):
    """The distance exceeds the option `limit`."""


_CLASSES = {1: BadInputError, 2: BeyondError, 3: MissingError, 4: DamagedError, 5: ForeignError,
            6: SystemFailure, 7: StoppedError, 8: LimitedError}


# ---- Structs of fewest.h and fewest_gen.h --------------------------------------------------------


class ErrorLine(Structure):
    _fields_ = [("number", c_uint), ("begin", c_uint), ("length", c_uint)]


class ErrorStruct(Structure):
    _fields_ = [("status", c_int), ("text", c_char * ERROR_SIZE), ("lines", ErrorLine * 2)]

    def raise_it(self, first_row: int = 0) -> NoReturn:
        """Raises the error. A row that it names counts from the caller's first row."""
        text = self.text.decode("ascii", "replace")
        if first_row:
            text = re.sub(r"\brow (\d+)", lambda row: f"row {int(row[1]) + first_row}", text)
        raise _CLASSES.get(self.status, Error)(text)


class Cell(Structure):
    _fields_ = [("set", c_char_p), ("letters", c_char_p), ("values", c_uint),
                ("is_orientation", c_bool), ("illegal", POINTER(c_bool))]


class Info(Structure):
    _fields_ = [("name", c_char_p), ("definition", c_char_p), ("states_text", c_char_p),
                ("cells", POINTER(Cell)), ("goals", POINTER(c_uint8)), ("sharing", POINTER(c_char_p)),
                ("default_start", POINTER(c_uint8)), ("board", POINTER(c_int)),
                ("file_bytes", c_uint64), ("state_count", c_uint64), ("arrangement_count", c_uint64),
                ("cell_count", c_uint), ("move_count", c_uint), ("goal_count", c_uint),
                ("database_count", c_uint), ("board_size", c_uint * 3), ("has_blank", c_bool),
                ("is_searched", c_bool), ("is_uncounted", c_bool), ("joins_moves", c_bool)]


class Progress(Structure):
    _fields_ = [("what", c_char_p), ("done", c_uint64), ("all", c_uint64), ("bound", c_int)]


WATCHER = CFUNCTYPE(c_bool, c_void_p, POINTER(Progress))
VISITOR = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_int)
ARRANGEMENT_VISITOR = CFUNCTYPE(c_bool, c_void_p, c_void_p)
PATH_VISITOR = CFUNCTYPE(c_bool, c_void_p, POINTER(c_uint), c_uint)
RANDOM_BELOW = CFUNCTYPE(c_uint64, c_void_p, c_uint64)


class Options(Structure):
    _fields_ = [("cache", c_uint64), ("watch", WATCHER), ("context", c_void_p), ("threads", c_uint),
                ("limit", c_uint)]


class Path(Structure):
    _fields_ = [("steps", c_int), ("moves", c_uint * PATH_MOST)]


class Paths(Structure):
    _fields_ = [("start", c_void_p), ("target", c_void_p), ("more", c_uint)]


class PathCount(Structure):
    _fields_ = [("steps", c_int), ("high", c_uint64), ("low", c_uint64)]


class Parity(Structure):
    _fields_ = [("reachable", c_bool), ("reason", c_char * ERROR_SIZE)]


class Rule(Structure):
    _fields_ = [("source", POINTER(c_uint16)), ("add", POINTER(c_uint8))]


class Selection(Structure):
    _fields_ = [("start", c_void_p), ("matching", c_void_p), ("distance", c_int)]


class Stats(Structure):
    _fields_ = [("states", c_uint64), ("count", c_uint64 * 256), ("mean", c_double), ("largest", c_uint)]


class GenProgress(Structure):
    _fields_ = [("event", c_int), ("states", c_char_p), ("memory", c_uint64), ("disk", c_uint64),
                ("search", c_char_p), ("number", c_uint), ("count", c_uint), ("layer", c_uint),
                ("found", c_uint64), ("reached", c_uint64), ("entries", c_uint64),
                ("traffic", c_void_p), ("packed", c_uint64), ("blocks", c_uint64), ("text", c_char_p)]


GEN_WATCHER = CFUNCTYPE(c_bool, c_void_p, POINTER(GenProgress))


class GenOptions(Structure):
    _fields_ = [("output", c_char_p), ("force", c_bool), ("metric", c_int), ("threads", c_uint),
                ("memory", c_uint64), ("checkpoint", c_char_p), ("folder", c_char_p),
                ("watch", GEN_WATCHER), ("context", c_void_p), ("rotations", c_bool),
                ("no_symmetry", c_bool), ("verify", c_bool), ("depth", c_uint)]


class GenResult(Structure):
    _fields_ = [("bytes", c_void_p), ("length", c_size_t), ("unchanged", c_bool), ("fault", c_int)]


class GenCounts(Structure):
    _fields_ = [("states", c_uint64 * 254), ("classes", c_uint64 * 254), ("total", c_uint64),
                ("mean", c_double), ("largest", c_uint), ("symmetries", c_uint), ("rotations", c_uint),
                ("antipodes", c_char_p * 10), ("antipode_count", c_uint), ("complete", c_bool),
                ("fault", c_int)]


# ---- Loading -------------------------------------------------------------------------------------


def _load(name: str) -> ctypes.CDLL:
    """Loads a library of the wheel or, if the package is from no wheel, of the system."""
    own = glob.glob(os.path.join(glob.escape(FOLDER), "..", ".fewest.mesonpy.libs", name + "*"))
    return ctypes.CDLL(own[0] if own else name)


@functools.lru_cache(None)
def fewest() -> ctypes.CDLL:
    """libfewest. Raises OSError if it can't be loaded."""
    library = _load("libfewest.so.0")
    state, error = c_void_p, POINTER(ErrorStruct)
    for name, result, *arguments in (
            ("version", c_char_p),
            ("open", c_void_p, c_char_p, error),
            ("open_named", c_void_p, c_char_p, c_char_p, error),
            ("open_buffer", c_void_p, c_void_p, c_size_t, error),
            ("close", None, c_void_p),
            ("info", POINTER(Info), c_void_p),
            ("move_name", c_char_p, c_void_p, c_uint),
            ("move_rule", c_bool, c_void_p, c_uint, POINTER(Rule), error),
            ("set_options", c_bool, c_void_p, POINTER(Options), error),
            ("read_state", c_bool, c_void_p, c_char_p, c_char_p, c_size_t, state, error),
            ("read_target", c_bool, c_void_p, c_char_p, c_char_p, c_size_t, state, error),
            ("read_moves", c_bool, c_void_p, state, c_char_p, c_size_t, state, error),
            ("check_state", c_bool, c_void_p, c_char_p, state, error),
            ("write_state", c_char_p, c_void_p, state, c_char_p, error),
            ("rank", c_bool, c_void_p, state, c_void_p, error),
            ("unrank", c_bool, c_void_p, c_uint64, state, error),
            ("draw", None, c_void_p, RANDOM_BELOW, c_void_p, state),
            ("steps_many", c_size_t, c_void_p, state, state, c_size_t, c_void_p, error),
            ("path_many", c_size_t, c_void_p, state, state, c_size_t, POINTER(Path), error),
            ("each_path", c_bool, c_void_p, POINTER(Paths), PATH_VISITOR, c_void_p, error),
            ("count_paths", c_bool, c_void_p, state, state, POINTER(PathCount), error),
            ("parity", c_bool, c_void_p, state, state, POINTER(Parity), error),
            ("visit", c_bool, c_void_p, POINTER(Selection), VISITOR, c_void_p, error),
            ("count", c_bool, c_void_p, POINTER(Selection), POINTER(Stats), error),
            ("pick", c_bool, c_void_p, c_uint64, state, error),
            ("visit_arrangements", c_bool, c_void_p, state, ARRANGEMENT_VISITOR, c_void_p, error)):
        function = getattr(library, "fewest_" + name)
        function.restype, function.argtypes = result, arguments
    return library


@functools.lru_cache(None)
def fewest_gen() -> ctypes.CDLL:
    """libfewest-gen. Raises OSError if it can't be loaded."""
    library = _load("libfewest-gen.so.0")
    for name, result, *arguments in (
            ("version", c_char_p),
            ("make", c_bool, c_char_p, c_size_t, POINTER(GenOptions), POINTER(GenResult), POINTER(ErrorStruct)),
            ("free", None, POINTER(GenResult)),
            ("count", c_bool, c_char_p, c_size_t, POINTER(GenOptions), POINTER(GenCounts), POINTER(ErrorStruct)),
            ("free_counts", None, POINTER(GenCounts))):
        function = getattr(library, "fewest_gen_" + name)
        function.restype, function.argtypes = result, arguments
    return library


# ---- Calls that take long ------------------------------------------------------------------------


class Watch:
    """Lets Ctrl-C and a callback stop a call of the library.

    `report` is called with what the library tells, and returns False to stop. An exception that it
    raises, or that a signal raises during the callback, is kept; `settle` raises it again.
    """

    def __init__(self, report: Optional[Callable[[Any], Any]] = None) -> None:
        self.report = report
        self.stopped = False
        self.exception: Optional[BaseException] = None

    def __call__(self, _context: Optional[int], progress: Any) -> bool:
        try:
            if self.report and not self.stopped:
                self.stopped = self.report(progress.contents) is False
        except BaseException as exception:  # pylint: disable=broad-except # C can't pass it on
            self.exception, self.stopped = exception, True
        return not self.stopped

    def settle(self) -> None:
        """Raises the exception that stopped the call, if there is one. Then begins anew."""
        if self.exception:
            exception, self.exception, self.stopped = self.exception, None, False
            raise exception

    def run(self, call: Callable[[], Any]) -> Any:
        """Makes a call in a thread of its own, so that Ctrl-C reaches the caller meanwhile."""
        results = []
        thread = threading.Thread(target=lambda: results.append(call()), daemon=True)
        thread.start()
        while thread.is_alive():
            try:
                thread.join()
            except BaseException as exception:  # pylint: disable=broad-except # it is raised below
                self.exception, self.stopped = exception, True
        self.settle()
        return results[0]
