"""Tables: how few moves lead from here to there?"""

from __future__ import annotations

import ctypes
import os
import random
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Callable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _library as lib
from .drawing import draw_state, draw_summary

States = Union[str, "State", Sequence[Any], NDArray[np.uint8]]  #: one state or many
Moves = Union[str, Sequence[str]]
_CHUNK = 1 << 16  # rows of one call, between which Ctrl-C is heard


class Reachability(NamedTuple):
    """Whether a target can be reached, and why or why not in a short text."""

    reachable: bool
    reason: str


@dataclass(frozen=True)
class Stats:
    """How many states there are at each distance."""

    counts: NDArray[np.uint64]  #: by distance, from 0 to `largest`
    states: int  #: the sum of the counts
    mean: float  #: the mean distance, in moves
    largest: int  #: the largest distance, in moves: of all states, God's number


class State:
    """A state of a table's puzzle: its cells, its text and, in a notebook, its board."""

    def __init__(self, table: "Table", cells: NDArray[np.uint8]) -> None:
        self.table = table
        self.cells = cells  #: uint8, one for each cell

    def __array__(self, dtype: Any = None) -> NDArray[Any]:
        return self.cells if dtype is None else self.cells.astype(dtype)

    def __str__(self) -> str:
        return self.table.write(self.cells)

    def __repr__(self) -> str:
        return f"<state {self} of {self.table.name}>"

    def _repr_svg_(self) -> str:
        return draw_state(self)


class Table:
    """An open distance table.

    A state is a row of `cell_count` uint8 numbers: its cells in reading order, counted from 0. Many
    states are a matrix, count × cells. Wherever a method takes states, it also takes one text, such
    as "123456789", or a list of texts. A target may hold WILD, or `*` in a text. A method that gets
    one state returns one answer. One that gets many returns an array or a list with an answer for
    each. Arrays of uint8 in C order are not copied, and the interpreter's lock (GIL) is released.

    `threads` is the number of threads that share the rows; 0 stands for one for each processor.

    Every method raises fewest.BadInputError for states that can't be read, fewest.BeyondError for
    queries that the table can't answer, fewest.DamagedError if the file is damaged, and
    fewest.LimitedError for distances above the option `limit` and for searches that take longer than
    `seconds`. The text is the library's.
    """

    def __init__(self, pointer: int, owner: Any = None, *, threads: int = 1, limit: int = 0, seconds: float = 0,
                 cache: int = 0, progress: Optional[Callable[[Any], Any]] = None) -> None:
        self._library = lib.fewest()
        self._pointer = pointer
        self._owner = owner  # of the bytes of a table in memory
        self._close = weakref.finalize(self, self._library.fewest_close, pointer)
        self._watch = lib.Watch(progress)
        self._watcher = lib.WATCHER(self._watch)
        options = lib.Options(cache, self._watcher, None, threads, limit, seconds)
        self._check(lambda error: self._library.fewest_set_options(pointer, options, error))
        info = self._info = self._library.fewest_info(pointer).contents
        self.name: str = info.name.decode()
        self.definition: str = info.definition.decode()  #: the text that the table was made from
        self.states_text: str = info.states_text.decode()  #: the number of states, or a bound of it
        self.state_count: int = info.state_count  #: 0 if it is not known
        self.arrangement_count: int = info.arrangement_count  #: reachable or not; 0 if above 2^64
        self.cell_count: int = info.cell_count
        self.is_searched: bool = info.is_searched
        self.has_blank: bool = info.has_blank  #: a sliding board or rolling cubes
        self.moves: Tuple[str, ...] = tuple(
            self._library.fewest_move_name(pointer, move).decode() for move in range(info.move_count))
        self.goals: NDArray[np.uint8] = _copy(info.goals, info.goal_count, info.cell_count)  #: first the solved state
        self.sets: Tuple[str, ...] = tuple(info.cells[i].set.decode() for i in range(info.cell_count))
        #: the cell at each place, -1 for a hole: layers × rows × columns; None without a board
        self.board = _copy(info.board, *(info.board_size[i] for i in (2, 0, 1))) if info.board else None

    # ---- Life ----

    def close(self) -> None:
        """Closes the table. It can't be used any more."""
        self._close()

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<table of {self.name}: {self.states_text} states>"

    def _repr_html_(self) -> str:
        return draw_summary(self)

    def _check(self, call: Callable[[Any], Any], first_row: int = 0) -> Any:
        """Makes a call with an error struct. Raises what stopped it, or its error."""
        if self._pointer and not self._close.alive:
            raise ValueError("the table is closed")
        error = lib.ErrorStruct()
        result = call(ctypes.byref(error))
        self._watch.settle()
        if not result:
            self._watch.stopped = False
            if error.status == lib.STOPPED and not self._watch.report:
                raise KeyboardInterrupt  # nothing else stops; ctypes has printed it
            lib.raise_error(error, first_row)
        return result

    def _check_long(self, call: Callable[[Any], Any], first_row: int = 0) -> Any:
        """The same in a thread of its own. Python's callbacks then run there, and Ctrl-C never in them."""
        return self._check(lambda error: self._watch.run(lambda: call(error)), first_row)

    # ---- States ----

    def _read(self, text: str, what: str) -> NDArray[np.uint8]:
        state = np.empty(self.cell_count, np.uint8)
        encoded = text.encode()
        read = self._library.fewest_read_target if what == "TARGET" else self._library.fewest_read_state
        self._check(lambda error: read(self._pointer, what.encode(), encoded, len(encoded), state.ctypes.data, error))
        return state

    def _rows(self, states: Any, what: str) -> Tuple[NDArray[np.uint8], bool]:
        """Returns states as a matrix in C order, and whether it was one state."""
        if isinstance(states, str):
            states = self._read(states, what)
        elif isinstance(states, (list, tuple)) and any(isinstance(state, str) for state in states):
            states = np.array([self._read(state, what) for state in states])
        cells = np.asarray(states)
        if cells.dtype != np.uint8:
            rounded = cells.astype(np.uint8) if cells.dtype.kind in "iub" else None
            if rounded is None or not (rounded == cells).all():
                raise lib.BadInputError(f"{what}: expected cells from 0 to 255 as uint8, got {cells.dtype}")
            cells = rounded
        if cells.ndim not in (1, 2) or cells.shape[-1] != self.cell_count:
            raise lib.BadInputError(f"{what}: expected {self.cell_count} cells, or a matrix of so many columns, "
                                    f"got the shape {cells.shape}")
        return np.ascontiguousarray(cells.reshape(-1, self.cell_count)), cells.ndim == 1

    def _pairs(self, starts: Any, targets: Any) -> Tuple[NDArray[np.uint8], Optional[NDArray[np.uint8]], bool]:
        """Returns the rows of the starts and of the targets, as many, and whether both were single."""
        rows, single = self._rows(starts, "START")
        if targets is None:
            return rows, None, single
        ends, single_end = self._rows(targets, "TARGET")
        if len(rows) != len(ends) and not single and not single_end:
            raise lib.BadInputError(f"expected as many targets as starts, got {len(ends)} and {len(rows)}")
        count = max(len(rows), len(ends)) if len(rows) and len(ends) else 0
        shape = (count, self.cell_count)
        return np.broadcast_to(rows, shape), np.broadcast_to(ends, shape), single and single_end

    def read(self, states: States) -> NDArray[np.uint8]:
        """Reads one text, or many, as states. Returns their cells: uint8, cells or count × cells."""
        rows, single = self._rows(states, "STATE")
        return rows[0] if single else rows

    def write(self, states: States) -> Any:
        """Writes a state or a target as text, or many as a list of texts."""
        rows, single = self._rows(states, "TARGET")
        buffer = ctypes.create_string_buffer(lib.TEXT_SIZE)
        texts = []
        for row in _pointers(rows):
            self._check(lambda error: self._library.fewest_write_state(self._pointer, row, buffer, error))
            texts.append(buffer.value.decode())
        return texts[0] if single else texts

    def state(self, state: Optional[States] = None) -> State:
        """One state, which a notebook draws. None: the solved state."""
        return State(self, self.goals[0] if state is None else self.read(state))

    def apply(self, states: States, moves: Moves) -> NDArray[np.uint8]:
        """Applies the same moves to each state.

        `moves` is a text such as "R U R'", as `fewest --moves` takes it, or a list of names. Returns
        new states: uint8, of the shape of `states`.
        """
        rows, single = self._rows(states, "STATE")
        text = (moves if isinstance(moves, str) else " ".join(moves)).encode()
        result = np.empty_like(rows)
        for i, (row, end) in enumerate(zip(_pointers(rows), _pointers(result))):
            self._check(lambda error: self._library.fewest_read_moves(
                self._pointer, row, text, len(text), end, error), i)
        return result[0] if single else result

    def rank(self, states: States) -> Any:
        """The dense index of each state: its number among all arrangements, uint64."""
        rows, single = self._rows(states, "STATE")
        numbers = np.empty(len(rows), np.uint64)
        base = numbers.ctypes.data
        for i, row in enumerate(_pointers(rows)):
            self._check(lambda error: self._library.fewest_rank(self._pointer, row, base + 8 * i, error), i)
        return int(numbers[0]) if single else numbers

    def unrank(self, numbers: Any) -> NDArray[np.uint8]:
        """The state with each dense index: uint8, cells or count × cells."""
        wanted = [int(number) for number in np.atleast_1d(numbers)]
        result = np.empty((len(wanted), self.cell_count), np.uint8)
        for number, row in zip(wanted, _pointers(result)):
            if not 0 <= number < 1 << 64:
                raise lib.BadInputError(f"expected a number from 0 to {self.arrangement_count - 1}, got {number}")
            self._check(lambda error: self._library.fewest_unrank(self._pointer, number, row, error))
        return result[0] if np.ndim(numbers) == 0 else result

    # ---- Queries ----

    def _answer(self, rows: NDArray[np.uint8], ends: Optional[NDArray[np.uint8]], threads: int, chunk: int,
                ask: Callable[..., Any]) -> None:
        """Calls ask(begin, count, start, target, error) for chunks of rows, in threads. Ctrl-C stops between them."""
        check = self._check_long if self.is_searched and threads == 1 else self._check

        def work(begin: int) -> None:
            some = np.ascontiguousarray(rows[begin:begin + chunk])
            others = None if ends is None else np.ascontiguousarray(ends[begin:begin + chunk])
            check(lambda error: ask(begin, len(some), some.ctypes.data, _address(others), error) == len(some), begin)

        threads = threads or len(os.sched_getaffinity(0))
        chunk = min(chunk, max(1, -(-len(rows) // threads)))
        begins = range(0, len(rows), chunk)
        if threads == 1 or len(begins) < 2:
            for begin in begins:
                work(begin)
            return
        pool = ThreadPoolExecutor(threads)
        try:
            for job in [pool.submit(work, begin) for begin in begins]:
                job.result()
        except BaseException:
            self._watch.stopped = True
            raise
        finally:
            pool.shutdown(cancel_futures=True)
            self._watch.stopped = False

    def steps(self, starts: States, targets: Optional[States] = None, *, threads: int = 1) -> Any:
        """The least number of moves from each start to its target; -1 if no moves lead there.

        Without targets, the nearest goal of the puzzle counts. One target may stand for all starts,
        and one start for all targets. Returns an int, or an array of int32, one for each query.
        """
        rows, ends, single = self._pairs(starts, targets)
        steps = np.empty(len(rows), np.intc)
        self._answer(rows, ends, threads, _CHUNK, lambda begin, count, start, target, error:
                     self._library.fewest_steps_many(self._pointer, start, target, count,
                                                     steps.ctypes.data + begin * steps.itemsize, error))
        return int(steps[0]) if single else steps

    def path(self, starts: States, targets: Optional[States] = None, *, threads: int = 1) -> Any:
        """A shortest path from each start to its target: a list of names of moves.

        It is None if no moves lead there. Returns a path, or a list of them for many queries.
        """
        rows, ends, single = self._pairs(starts, targets)
        found: List[Optional[List[str]]] = [None] * len(rows)

        def ask(begin: int, count: int, start: int, target: Optional[int], error: Any) -> Any:
            paths = (lib.Path * count)()
            done = self._library.fewest_path_many(self._pointer, start, target, count, paths, error)
            for i, path in enumerate(paths):
                if path.steps >= 0:
                    found[begin + i] = [self.moves[move] for move in path.moves[:path.steps]]
            return done

        self._answer(rows, ends, threads, 1024, ask)  # a path has 1 KiB
        return found[0] if single else found

    def _single(self, start: States, target: Optional[States]) -> Tuple[Any, Any]:
        rows, ends, single = self._pairs(start, target)
        if not single:
            raise lib.BadInputError(f"expected one query, got {len(rows)}")
        return np.ascontiguousarray(rows), None if ends is None else np.ascontiguousarray(ends)

    def paths(self, start: States, target: Optional[States] = None, *, more: int = 0,
              limit: Optional[int] = None) -> List[List[str]]:
        """All shortest paths of one query, by the byte order of the names of their moves.

        With `more`, also those of up to this number of moves above the least. At most `limit`.
        """
        row, end = self._single(start, target)
        found: List[List[str]] = []

        def visit(_context: Any, moves: Any, count: int) -> bool:
            if limit is not None and len(found) >= limit:
                return False
            found.append([self.moves[moves[i]] for i in range(count)])
            return True

        asked = lib.Paths(row.ctypes.data, _address(end), more)
        self._check_long(lambda error: self._library.fewest_each_path(
            self._pointer, asked, lib.PATH_VISITOR(self._guard(visit)), None, error))
        return found

    def _ask_each(self, starts: States, targets: Optional[States], ask: Callable[..., Any]) -> Tuple[List[Any], bool]:
        """Calls ask(start, target, error) for each query, and returns what it fills in."""
        rows, ends, single = self._pairs(starts, targets)
        answers = []
        for i in range(len(rows)):
            row, end = np.ascontiguousarray(rows[i]), None if ends is None else np.ascontiguousarray(ends[i])
            answer = lib.PathCount() if ask is self._library.fewest_count_paths else lib.Parity()
            self._check(lambda error: ask(self._pointer, row.ctypes.data, _address(end), answer, error), i)
            answers.append(answer)
        return answers, single

    def count_paths(self, starts: States, targets: Optional[States] = None) -> Any:
        """The number of shortest paths of each query, 0 if no moves lead there: an int, or a list."""
        answers, single = self._ask_each(starts, targets, self._library.fewest_count_paths)
        counts = [(answer.high << 64) + answer.low for answer in answers]
        return counts[0] if single else counts

    def parity(self, starts: States, targets: Optional[States] = None) -> Any:
        """Whether each target can be reached.

        Returns a Reachability, with the reason, for one query, and an array of bool for many.
        """
        answers, single = self._ask_each(starts, targets, self._library.fewest_parity)
        if single:
            return Reachability(answers[0].reachable, answers[0].reason.decode())
        return np.array([answer.reachable for answer in answers], bool)

    # ---- The whole table ----

    def _guard(self, visit: Callable[..., bool]) -> Callable[..., bool]:
        """A visitor whose exceptions stop the visit and are raised after it. So does Ctrl-C."""
        def visit_safely(*arguments: Any) -> bool:
            try:
                return visit(*arguments) and not self._watch.stopped
            except BaseException as exception:  # pylint: disable=broad-except # C can't pass it on
                self._watch.exception = exception
                return False
        return visit_safely

    def _select(self, distance: Optional[int], matching: Optional[States], start: Optional[States] = None) -> Any:
        rows = [None if states is None else self._single(states, None)[0] if what == "START" else
                self._rows(states, what)[0] for states, what in ((start, "START"), (matching, "TARGET"))]
        selection = lib.Selection(*map(_address, rows), lib.ANY if distance is None else distance)
        selection.rows = rows  # keep them
        return selection

    def stats(self, *, start: Optional[States] = None, matching: Optional[States] = None) -> Stats:
        """How many states there are at each distance from `start` or, without it, to the nearest goal.

        `matching` is a target: only states that match it count.
        """
        selection, stats = self._select(None, matching, start), lib.Stats()
        self._check(lambda error: self._library.fewest_count(self._pointer, selection, stats, error))
        counts = np.array(stats.count[:stats.largest + 1], np.uint64)
        return Stats(counts, stats.states, stats.mean, stats.largest)

    def sample(self, count: Optional[int] = None, *, distance: Optional[int] = None,
               matching: Optional[States] = None, seed: Optional[int] = None) -> NDArray[np.uint8]:
        """Random different states that moves can reach, each equally likely.

        With `distance` or `matching`, only states at this distance, or that match this target. None
        for the count: one state, as a row. Returns uint8, count × cells. Raises ValueError if there
        are fewer states. States of a searched puzzle may come twice.
        """
        wanted, draw = 1 if count is None else count, random.Random(seed)
        states = np.empty((wanted, self.cell_count), np.uint8)
        if self.is_searched:
            self._draw(states, draw)
        else:
            selects = distance is not None or matching is not None
            self._pick(states, draw, self._select(distance, matching) if selects else None, distance)
        return states[0] if count is None else states

    def _draw(self, states: NDArray[np.uint8], draw: random.Random) -> None:
        below = lib.RANDOM_BELOW(lambda _context, bound: draw.randrange(bound))
        if self._info.is_uncounted:
            raise lib.BeyondError(f"can't draw states of {self.name}: only a search tells which can be reached")
        for row in states:
            self._library.fewest_draw(self._pointer, below, None, row.ctypes.data)
            while not self.parity(row).reachable:
                self._library.fewest_draw(self._pointer, below, None, row.ctypes.data)

    def _pick(self, states: NDArray[np.uint8], draw: random.Random, selection: Any,
              distance: Optional[int]) -> None:
        total = self.state_count
        if selection:
            every = lib.Selection(selection.start, selection.matching, lib.ANY)
            stats = lib.Stats()
            self._check(lambda error: self._library.fewest_count(self._pointer, every, stats, error))
            total = stats.states if distance is None else stats.count[distance] if 0 <= distance < 256 else 0
        if total < len(states):
            raise ValueError(f"expected at most {total} states, the number that there are, got {len(states)}")
        numbers = draw.sample(range(total), len(states))
        if not selection:
            for number, row in zip(numbers, _pointers(states)):
                self._check(lambda error: self._library.fewest_pick(self._pointer, number, row, error))
            return
        places = dict(zip(numbers, range(len(numbers))))
        seen = iter(range(total))

        def visit(_context: Any, state: int, _distance: int) -> bool:
            place = places.pop(next(seen), None)
            if place is not None:
                ctypes.memmove(states.ctypes.data + place * self.cell_count, state, self.cell_count)
            return bool(places)

        self._check_long(lambda error: self._library.fewest_visit(
            self._pointer, selection, lib.VISITOR(self._guard(visit)), None, error))

    def distances(self, *, threads: int = 1) -> NDArray[np.int16]:
        """The distance of every arrangement, by its dense index; -1 if it can't be reached.

        It is the distance to the nearest goal, or from the start that `stats` takes. Returns int16,
        of the length `arrangement_count`. numpy.save writes it to a file.
        """
        self.unrank(0)  # raises an error if arrangements have no numbers
        if self.is_searched:
            self.stats()  # raises the error that says why there are none
        distances = np.empty(self.arrangement_count, np.int16)
        states = np.empty((min(16 * _CHUNK, self.arrangement_count), self.cell_count), np.uint8)
        begin = _copy(self._info.default_start, self.cell_count) if self._info.default_start else None
        done = waiting = 0

        def flush() -> None:
            nonlocal done, waiting
            some = states[:waiting]
            distances[done:done + waiting] = self.steps(
                *((some,) if begin is None else (begin, some)), threads=threads)
            done, waiting = done + waiting, 0

        def visit(_context: Any, state: int) -> bool:
            nonlocal waiting
            ctypes.memmove(states.ctypes.data + waiting * self.cell_count, state, self.cell_count)
            waiting += 1
            if waiting == len(states):
                flush()
            return True

        self._check_long(lambda error: self._library.fewest_visit_arrangements(
            self._pointer, None, lib.ARRANGEMENT_VISITOR(self._guard(visit)), None, error))
        flush()
        return distances

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draws the number of states at each distance, with matplotlib. Returns the axes."""
        if ax is None:
            from matplotlib import pyplot  # pylint: disable=import-outside-toplevel # optional
            ax = pyplot.gca()
        counts = self.stats().counts
        ax.bar(range(len(counts)), counts, **options)
        ax.set(xlabel="moves", ylabel="states", title=self.name)
        return ax

    def rule(self, move: str) -> Tuple[NDArray[np.uint16], NDArray[np.uint8]]:
        """What a move of a permutation puzzle does: two rows, `source` and `add`.

        Cell i takes the value of cell source[i]. To an orientation, add[i] is then added.
        """
        if move not in self.moves:
            raise lib.BadInputError(f"expected one of {', '.join(self.moves)}, got '{move}'")
        rule = lib.Rule()
        self._check(lambda error: self._library.fewest_move_rule(self._pointer, self.moves.index(move), rule, error))
        return _copy(rule.source, self.cell_count), _copy(rule.add, self.cell_count)

    def cells_of_sets(self) -> Iterator[Tuple[str, List[int], List[int], int]]:
        """For each set: its name, the cells of its pieces, those of its orientations, their number of values."""
        for name in dict.fromkeys(self.sets):
            cells = [i for i, of in enumerate(self.sets) if of == name]
            turns = [i for i in cells if self._info.cells[i].is_orientation]
            pieces = [i for i in cells if i not in turns]
            yield name, pieces, turns, self._info.cells[turns[0]].values if turns else 1

    def cell_words(self, cells: NDArray[np.uint8]) -> List[str]:
        """What is typed for each cell of a state."""
        words = []
        for i, value in enumerate(cells.tolist()):
            cell = self._info.cells[i]
            letters, number = cell.letters.decode(), value + (not cell.is_orientation and not self.has_blank)
            words.append(letters[value] if value < len(letters) else str(number))
        return words

    def counts_orientation(self, name: str, piece: int) -> bool:
        """Does the orientation of this piece of a set count?"""
        state = self.goals[0].copy()
        pieces, turns = next((pieces, turns) for of, pieces, turns, _ in self.cells_of_sets() if of == name)
        slot = int(np.flatnonzero(state[pieces] == piece)[0]) if pieces else 0
        state[turns[slot]] = 1
        self._check(lambda error: self._library.fewest_check_state(self._pointer, b"STATE", state.ctypes.data, error))
        return bool(state[turns[slot]])

    @property
    def forbids_states(self) -> bool:
        """Does the definition forbid some states (`Illegal`)?"""
        return any(bool(self._info.cells[i].illegal) for i in range(self.cell_count))

def _copy(pointer: Any, *shape: int) -> NDArray[Any]:
    """A copy of an array of the library."""
    return np.ctypeslib.as_array(pointer, shape).copy()


def _address(rows: Optional[NDArray[np.uint8]]) -> Optional[int]:
    return None if rows is None else rows.ctypes.data


def _pointers(rows: NDArray[np.uint8]) -> range:
    """The address of each row of a matrix in C order."""
    begin, width = rows.ctypes.data, rows.shape[1]
    return range(begin, begin + width * len(rows), width)


# pylint: disable=redefined-builtin
def open(puzzle: Union[str, "os.PathLike[str]"], *, threads: int = 1, limit: int = 0, seconds: float = 0, cache: int = 0,
         progress: Optional[Callable[[Any], Any]] = None) -> Table:
    """Opens the table of a puzzle by its name, such as "game", or the file of a table.

    A text with a slash or the ending .dtab is a path, as for the `fewest` command. `threads` is
    for long searches. `limit`: queries with more moves raise LimitedError, and so do searches of more
    than `seconds`; 0 stands for none.
    `cache` is the number of bytes for unpacked blocks; 0 stands for 64 MiB. `progress` is called
    by long searches; it stops them if it returns False.
    """
    library, error = lib.fewest(), lib.ErrorStruct()
    path = os.fspath(puzzle)
    if path is not puzzle or "/" in path or path.endswith(".dtab"):
        pointer = library.fewest_open(os.fsencode(path), ctypes.byref(error))
    else:
        folder = None if "FEWEST_TABLES" in os.environ else os.fsencode(lib.TABLES)
        pointer = library.fewest_open_named(os.fsencode(path), folder, ctypes.byref(error))
    if not pointer:
        lib.raise_error(error)
    return Table(pointer, threads=threads, limit=limit, seconds=seconds, cache=cache, progress=progress)
