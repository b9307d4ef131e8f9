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
from ctypes import CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, \
    c_uint64, c_void_p
from typing import Any, Callable, Dict, NoReturn, Optional, Tuple

WILD = 0xFF  #: a cell of a target that may hold anything
ANY, TEXT_SIZE, STOPPED = -2, 32776, 7  # any distance, bytes of a state as text, a status
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
    """The distance exceeds the option `limit`, or a search took longer than `seconds`.

    `at_least` is a number of moves that the distance is proved to have."""

    at_least: int


_CLASSES = {1: BadInputError, 2: BeyondError, 3: MissingError, 4: DamagedError, 5: ForeignError,
            6: SystemFailure, 7: StoppedError, 8: LimitedError}


# ---- Structs of fewest.h and fewest_gen.h --------------------------------------------------------


_TYPES: Dict[str, Any] = {"int": c_int, "unsigned": c_uint, "size_t": c_size_t, "uint64_t": c_uint64, "uint8_t": ctypes.c_uint8,
          "uint16_t": ctypes.c_uint16, "bool": c_bool, "double": c_double, "char": c_char, "char*": c_char_p,
          "void*": c_void_p}


def _struct(name: str, declaration: str) -> Any:
    """Makes a struct of its members, in the words of C: "int steps; unsigned moves[256]"."""
    fields = []
    for member in declaration.split(";"):
        kind, member, length = re.fullmatch(r"\s*(\S+)\s+(\w+)(?:\[(\d+)\])?\s*", member).groups()  # type: ignore
        known = _TYPES.get(kind) or POINTER(_TYPES[kind[:-1]])
        fields.append((member, known * int(length) if length else known))
    _TYPES[name] = type(name, (Structure,), {"_fields_": fields})
    return _TYPES[name]


ErrorLine = _struct("ErrorLine", "unsigned number; unsigned begin; unsigned length")
ErrorStruct = _struct("ErrorStruct", "int status; char text[512]; ErrorLine lines[2]; unsigned at_least")
Cell = _struct("Cell", "char* set; char* letters; unsigned values; bool is_orientation; bool* illegal")
Info = _struct("Info", """char* name; char* definition; char* states_text; Cell* cells; uint8_t* goals; void* sharing;
    uint8_t* default_start; int* board; uint64_t file_bytes; uint64_t state_count; uint64_t arrangement_count;
    unsigned cell_count; unsigned move_count; unsigned goal_count; unsigned database_count; unsigned board_size[3];
    bool has_blank; bool is_searched; bool is_uncounted; bool joins_moves""")
Progress = _struct("Progress", """char* what; uint64_t done; uint64_t all; int bound; uint64_t nodes; double share;
    double forecast""")
Path = _struct("Path", "int steps; unsigned moves[256]")
Paths = _struct("Paths", "void* start; void* target; unsigned more")
PathCount = _struct("PathCount", "int steps; uint64_t high; uint64_t low")
Parity = _struct("Parity", "bool reachable; char reason[512]")
Rule = _struct("Rule", "uint16_t* source; uint8_t* add")
Selection = _struct("Selection", "void* start; void* matching; int distance")
Stats = _struct("Stats", "uint64_t states; uint64_t count[256]; double mean; unsigned largest")
GenProgress = _struct("GenProgress", """int event; char* states; uint64_t memory; uint64_t disk; char* search;
    unsigned number; unsigned count; unsigned layer; uint64_t found; uint64_t reached; uint64_t entries;
    void* traffic; uint64_t packed; uint64_t blocks; char* text""")
GenResult = _struct("GenResult", "void* bytes; size_t length; bool unchanged; int fault")
GenCounts = _struct("GenCounts", """uint64_t states[254]; uint64_t classes[254]; uint64_t total; double mean;
    unsigned largest; unsigned symmetries; unsigned rotations; char* antipodes[10]; unsigned antipode_count;
    bool complete; int fault""")
WATCHER = _TYPES["watcher"] = CFUNCTYPE(c_bool, c_void_p, POINTER(Progress))
GEN_WATCHER = _TYPES["gen_watcher"] = CFUNCTYPE(c_bool, c_void_p, POINTER(GenProgress))
VISITOR = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_int)
ARRANGEMENT_VISITOR = CFUNCTYPE(c_bool, c_void_p, c_void_p)
PATH_VISITOR = CFUNCTYPE(c_bool, c_void_p, POINTER(c_uint), c_uint)
RANDOM_BELOW = CFUNCTYPE(c_uint64, c_void_p, c_uint64)
Options = _struct("Options", """uint64_t cache; watcher watch; void* context; unsigned threads; unsigned limit;
    double seconds""")
GenOptions = _struct("GenOptions", """char* output; bool force; int metric; unsigned threads; uint64_t memory;
    char* checkpoint; char* folder; gen_watcher watch; void* context; bool rotations; bool no_symmetry; bool verify;
    unsigned depth""")


def raise_error(error: Any, first_row: int = 0) -> NoReturn:
    """Raises the error of a struct. A row that it names counts from the caller's first row."""
    text = error.text.decode("ascii", "replace")
    if first_row:
        text = re.sub(r"\brow (\d+)", lambda row: f"row {int(row[1]) + first_row}", text)
    raised = _CLASSES.get(error.status, Error)(text)
    if isinstance(raised, LimitedError):
        raised.at_least = error.at_least
    raise raised


# ---- Loading -------------------------------------------------------------------------------------


def _load(name: str) -> ctypes.CDLL:
    """Loads a library of the wheel or, if the package is from no wheel, of the system."""
    own = glob.glob(os.path.join(glob.escape(FOLDER), "..", ".fewest.mesonpy.libs", name + "*"))
    return ctypes.CDLL(own[0] if own else name)


def _declare(library: ctypes.CDLL, prefix: str, functions: Tuple[Any, ...]) -> ctypes.CDLL:
    for name, result, *arguments in functions:
        function = getattr(library, prefix + name)
        function.restype, function.argtypes = result, arguments
    return library


@functools.lru_cache(None)
def fewest() -> ctypes.CDLL:
    """libfewest. Raises OSError if it can't be loaded."""
    table, rows, error = c_void_p, c_void_p, POINTER(ErrorStruct)
    return _declare(_load("libfewest.so.0"), "fewest_", (
        ("version", c_char_p),
        ("open", c_void_p, c_char_p, error),
        ("open_named", c_void_p, c_char_p, c_char_p, error),
        ("open_buffer", c_void_p, c_void_p, c_size_t, error),
        ("close", None, table),
        ("info", POINTER(Info), table),
        ("move_name", c_char_p, table, c_uint),
        ("move_rule", c_bool, table, c_uint, POINTER(Rule), error),
        ("set_options", c_bool, table, POINTER(Options), error),
        ("read_state", c_bool, table, c_char_p, c_char_p, c_size_t, rows, error),
        ("read_target", c_bool, table, c_char_p, c_char_p, c_size_t, rows, error),
        ("read_moves", c_bool, table, rows, c_char_p, c_size_t, rows, error),
        ("check_state", c_bool, table, c_char_p, rows, error),
        ("write_state", c_char_p, table, rows, c_char_p, error),
        ("rank", c_bool, table, rows, c_void_p, error),
        ("unrank", c_bool, table, c_uint64, rows, error),
        ("draw", None, table, RANDOM_BELOW, c_void_p, rows),
        ("steps_many", c_size_t, table, rows, rows, c_size_t, c_void_p, error),
        ("path_many", c_size_t, table, rows, rows, c_size_t, POINTER(Path), error),
        ("each_path", c_bool, table, POINTER(Paths), PATH_VISITOR, c_void_p, error),
        ("count_paths", c_bool, table, rows, rows, POINTER(PathCount), error),
        ("parity", c_bool, table, rows, rows, POINTER(Parity), error),
        ("visit", c_bool, table, POINTER(Selection), VISITOR, c_void_p, error),
        ("count", c_bool, table, POINTER(Selection), POINTER(Stats), error),
        ("pick", c_bool, table, c_uint64, rows, error),
        ("visit_arrangements", c_bool, table, rows, ARRANGEMENT_VISITOR, c_void_p, error)))


@functools.lru_cache(None)
def fewest_gen() -> ctypes.CDLL:
    """libfewest-gen. Raises OSError if it can't be loaded."""
    options, error = POINTER(GenOptions), POINTER(ErrorStruct)
    return _declare(_load("libfewest-gen.so.0"), "fewest_gen_", (
        ("version", c_char_p),
        ("make", c_bool, c_char_p, c_size_t, options, POINTER(GenResult), error),
        ("free", None, POINTER(GenResult)),
        ("count", c_bool, c_char_p, c_size_t, options, POINTER(GenCounts), error),
        ("free_counts", None, POINTER(GenCounts))))


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
