"""Making tables, and counting states without one."""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _library as lib
from .formats import Puzzle, permutations, read
from .table import Table

Generators = Mapping[str, Sequence[int]]
Definition = Union[str, "os.PathLike[str]", Puzzle]
Report = Union[None, bool, Callable[[Any], Any]]
_METRICS = {"powers": 0, "quarter": 1, "listed": 2}
_PLANNED, _LAYER, _PACKED, _WARNING = 1, 2, 3, 5


@dataclass(frozen=True)
class Growth:
    """How many states there are at each distance from the solved state."""

    layer_sizes: List[int]  #: by distance, from 0
    classes: List[int]  #: the classes of these states under symmetries
    last_layer: NDArray[np.uint8]  #: up to ten states at the largest distance, of different classes: count × points
    complete: bool  #: False if `depth` or `memory` ended the count before its end

    @property
    def diameter(self) -> int:
        """The largest distance: God's number, if the count is complete."""
        return len(self.layer_sizes) - 1

    @property
    def states(self) -> int:
        """The number of all states."""
        return sum(self.layer_sizes)


# ---- Progress ------------------------------------------------------------------------------------


def _make_reporter(progress: Report) -> Optional[Callable[[Any], Any]]:
    """Returns the callback. True stands for a bar of tqdm or, if it is not installed, for lines."""
    if progress is None or progress is False:
        return None
    if progress is not True:
        return progress
    try:
        from tqdm import tqdm  # pylint: disable=import-outside-toplevel # optional
    except ImportError:
        return _print_layer
    bar = tqdm(unit=" states")

    def show(event: Any) -> None:
        if event.event == _LAYER:
            bar.total = event.entries or None
            bar.set_postfix(layer=event.layer, refresh=False)
            bar.update(event.reached - bar.n)
    return show


def _print_layer(event: Any) -> None:
    if event.event == _LAYER:
        print(f"layer {event.layer}: {event.found} states", file=sys.stderr)


# ---- Definitions ---------------------------------------------------------------------------------


def _read_definition(definition: Optional[Definition], generators: Optional[Generators],
                     central_state: Optional[Sequence[Any]]) -> Any:
    if (definition is None) == (generators is None):
        raise TypeError("expected a definition or generators")
    if generators is not None:
        return permutations.from_generators(generators, central_state)
    if central_state is not None:
        raise TypeError("central_state needs generators; a definition has its own solved state")
    return definition if definition is None or isinstance(definition, (str, Puzzle)) else read(definition)


def _make_options(watch: lib.Watch, metric: str, threads: int, memory: int) -> Any:
    if metric not in _METRICS:
        raise ValueError(f"metric: expected one of {', '.join(_METRICS)}, got '{metric}'")
    options = lib.GenOptions(metric=_METRICS[metric], threads=threads, memory=memory)
    options.watch = lib.GEN_WATCHER(watch)
    return options


def _find_cache(cache: Any, text: bytes, metric: str) -> str:
    """Returns the path of a cached table: by a hash of all that decides its bytes."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(home, "fewest") if cache is True else os.fspath(cache)
    os.makedirs(folder, exist_ok=True)
    version = lib.fewest_gen().fewest_gen_version()
    return os.path.join(folder, hashlib.sha256(b"\0".join((version, metric.encode(), text))).hexdigest() + ".dtab")


class _Buffer:
    """The bytes of a table in memory."""

    def __init__(self, result: Any) -> None:
        self.result = result

    def __del__(self) -> None:
        lib.fewest_gen().fewest_gen_free(ctypes.byref(self.result))


def make(definition: Optional[Definition] = None, *, generators: Optional[Generators] = None,
         central_state: Optional[Sequence[Any]] = None, metric: str = "powers", threads: int = 0,
         memory: int = 0, output: Union[None, str, "os.PathLike[str]"] = None, force: bool = False,
         cache: Union[bool, str, "os.PathLike[str]"] = False, progress: Report = None) -> Table:
    """Makes the table of a puzzle, and opens it.

    definition: text in the language of DEFINITION.md, a Puzzle, or a path (pathlib.Path) of a file
        in any format that fewest.formats reads.
    generators, central_state: instead of a definition, permutations by name, as CayleyPy has them:
        new[i] = old[generator[i]], counted from 0. Equal labels in central_state look alike.
        Exactly these moves count.
    metric: "powers" (every power of a move counts as one), "quarter" or "listed".
    threads: 0 stands for one for each processor. memory: bytes that may be used; 0: what there is.
    output: a file for the table, which is in memory without it; `force` replaces another puzzle's.
    cache: True keeps the table in ~/.cache/fewest, by a hash of the definition, and takes it from
        there the next time. A path names another folder.
    progress: True shows a bar (tqdm, if it is installed). A function is called with each event, a
        struct fewest_gen_progress, and stops the work if it returns False. So does Ctrl-C.

    Raises BadInputError for a bad definition, BeyondError if the puzzle is too large, StoppedError
    if `progress` stopped the work, and SystemFailure if a file can't be written.
    """
    source = _read_definition(definition, generators, central_state)
    text = (source.definition() if isinstance(source, Puzzle) else source).encode()
    path = _find_cache(cache, text, metric) if cache is not False else None if output is None else os.fspath(output)
    library, error, buffer = lib.fewest(), lib.ErrorStruct(), None
    if path is not None and cache is not False and os.path.exists(path):
        pointer = library.fewest_open(os.fsencode(path), ctypes.byref(error))
        if pointer:
            return Table(pointer)
    watch = lib.Watch(_make_reporter(progress))
    options = _make_options(watch, metric, threads, memory)
    options.output = None if path is None else os.fsencode(path)
    options.force = force or cache is not False
    result = lib.GenResult()
    done = watch.run(lambda: lib.fewest_gen().fewest_gen_make(
        text, len(text), options, ctypes.byref(result), ctypes.byref(error)))
    if not done:
        lib.raise_error(error)
    if path is None:
        buffer = _Buffer(result)
        pointer = library.fewest_open_buffer(result.bytes, result.length, ctypes.byref(error))
    else:
        pointer = library.fewest_open(os.fsencode(path), ctypes.byref(error))
    if not pointer:
        lib.raise_error(error)
    return Table(pointer, buffer)


def growth(generators: Union[Generators, Definition], central_state: Optional[Sequence[Any]] = None, *,
           symmetry: bool = True, depth: int = 0, metric: str = "powers", threads: int = 0,
           memory: int = 0, progress: Report = None) -> Growth:
    """Counts the states at each distance from the central state, layer by layer, without a table.

    generators: permutations by name, as for `make`; exactly these moves count. Or a definition, as
        for `make`: then the distances are those to the nearest goal.
    symmetry: search only one of the states that symmetries take to each other. The sizes are equal.
    depth: count only up to this distance; 0: all. `metric` is for definitions.

    It needs two bits of memory for each class of states. The other options, and what it raises, are
    those of `make`.
    """
    source: Any = generators
    if isinstance(generators, Mapping):
        # The count goes from states to the goal, so inverse moves make it go from the goal.
        source = permutations.from_generators(generators, central_state, inverted=True)
    else:
        source = _read_definition(generators, None, central_state)
    text = (source.definition() if isinstance(source, Puzzle) else source).encode()
    watch = lib.Watch(_make_reporter(progress))
    options = _make_options(watch, metric, threads, memory)
    options.no_symmetry, options.depth = not symmetry, depth
    counts, error = lib.GenCounts(), lib.ErrorStruct()
    library = lib.fewest_gen()
    done = watch.run(lambda: library.fewest_gen_count(
        text, len(text), options, ctypes.byref(counts), ctypes.byref(error)))
    try:
        if not done:
            lib.raise_error(error)
        sizes: Dict[str, List[int]] = {
            name: list(getattr(counts, name)[:counts.largest + 1]) for name in ("states", "classes")}
        texts = [counts.antipodes[i].decode() for i in range(counts.antipode_count)]
        last = [source.read_typed(text) if isinstance(source, Puzzle) else text for text in texts]
        return Growth(sizes["states"], sizes["classes"], np.array(last), counts.complete)
    finally:
        library.fewest_gen_free_counts(ctypes.byref(counts))
