"""Finds pieces with orientations among points, such as the stickers of a puzzle.

The moves generate a group of permutations of the points. Each orbit becomes a set. A permutation
of an orbit that commutes with all moves cuts it into cycles of equal length. The points of a cycle
stay together, and in the same order: they are a block that the moves take to a block. So a cycle is
a slot, its points are the orientations of the piece there, and a move adds a number to them. A
permutation that commutes takes a point `a` to a point that each element of the group that fixes `a`
fixes, too. Random elements of the group therefore show the few points that it can be.

The representation is exact: every state of the points is one of pieces, and no other.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from ._puzzle import ORIENTATIONS_MOST, PIECES_MOST, PIECES_OF_SET_MOST, SETS_MOST, FormatError

Permutation = NDArray[np.intp]
_RANDOM, _CANDIDATES = 24, 64


@dataclass
class PieceSet:
    """An orbit of points as a set of slots, pieces and orientations."""

    name: str
    points: Permutation  # slots × orientations: the point at each
    pieces: List[int] = field(default_factory=list)  # by slot: the number of the piece in the solved state, from 1
    turns: List[Optional[int]] = field(default_factory=list)  # by slot: its orientation; None: it does not count
    colours: Dict[Tuple[int, ...], Tuple[int, Optional[int]]] = field(default_factory=dict)  # labels of a slot

    @property
    def orientations(self) -> int:
        """How many orientations a piece has: 1 if those of no piece count."""
        return 1 if all(turn is None for turn in self.turns) else self.points.shape[1]


def _find_orbits(moves: Sequence[Permutation], count: int) -> List[List[int]]:
    lists = [move.tolist() for move in moves]
    seen = bytearray(count)
    orbits = []
    for first in range(count):
        if not seen[first]:
            seen[first] = 1
            orbit = [first]
            for point in orbit:  # it grows meanwhile
                for move in lists:
                    image = move[point]
                    if not seen[image]:
                        seen[image] = 1
                        orbit.append(image)
            orbits.append(sorted(orbit))
    return orbits


def _make_tree(moves: Sequence[Permutation]) -> Tuple[List[int], Dict[int, Tuple[int, int]]]:
    """The points in the order of a search from point 0, and for each the move and point that it came from."""
    lists = [move.tolist() for move in moves]
    parents = {0: (0, 0)}
    order = [0]
    for point in order:  # it grows meanwhile
        for number, move in enumerate(lists):
            if move[point] not in parents:
                parents[move[point]] = (number, point)
                order.append(move[point])
    return order, parents


def _find_fixed(moves: Sequence[Permutation], parents: Dict[int, Tuple[int, int]]) -> List[int]:
    """Points other than 0 that seem fixed by each element of the group that fixes point 0."""
    draw = random.Random(0)
    pool = [move.copy() for move in (list(moves) * 10)[:max(10, len(moves))]]
    fixed = np.ones(len(moves[0]), bool)
    for step in range(60 + _RANDOM):  # product replacement
        one, other = draw.sample(range(len(pool)), 2)
        pool[one] = pool[one][pool[other]] if draw.random() < 0.5 else pool[other][pool[one]]
        if step >= 60:
            words, point = [], int(pool[one][0])
            while point:
                words.append(parents[point][0])
                point = parents[point][1]
            transversal = np.arange(len(fixed))  # also takes 0 to that point
            for word in reversed(words):
                transversal = moves[word][transversal]
            fixed &= transversal == pool[one]
    return [int(point) for point in np.flatnonzero(fixed) if point]


def _extend(image: int, moves: Sequence[Permutation], order: Sequence[int],
            parents: Dict[int, Tuple[int, int]]) -> Optional[Permutation]:
    """The permutation that commutes with all moves and takes point 0 to `image`, or None."""
    whole = np.empty(len(order), np.intp)
    whole[0] = image
    for point in order[1:]:
        number, parent = parents[point]
        whole[point] = moves[number][whole[parent]]
    return whole if all((whole[move] == move[whole]).all() for move in moves) else None


def _cut(commuting: Permutation) -> Permutation:
    """The cycles of a permutation, by their least points: a matrix."""
    cycles = [np.arange(len(commuting))]
    while not (commuting[cycles[-1]] == cycles[0]).all():
        cycles.append(commuting[cycles[-1]])
    table = np.array(cycles).T
    return table[table.min(axis=1) == table[:, 0]]


def _colour(pieces: PieceSet, labels: NDArray[np.intp]) -> bool:
    """Numbers the pieces of the solved state. False if an orientation shows only in part."""
    keys: Dict[Tuple[int, ...], int] = {}
    size = pieces.points.shape[1]
    pieces.pieces, pieces.turns, pieces.colours = [], [], {}
    for row in labels[pieces.points].tolist():
        if tuple(row) not in pieces.colours:
            turned = {tuple(row[(at - turn) % size] for at in range(size)): turn for turn in reversed(range(size))}
            if len(turned) not in (1, size):
                return False
            number = keys.setdefault(tuple(row), len(keys) + 1)
            for key, turn in turned.items():
                pieces.colours[key] = (number, turn if len(turned) == size else None)
        pieces.pieces.append(pieces.colours[tuple(row)][0])
        pieces.turns.append(pieces.colours[tuple(row)][1])
    return True


def _make_set(name: str, orbit: Permutation, moves: Sequence[Permutation], labels: NDArray[np.intp]) -> PieceSet:
    local = np.full(len(labels), -1, np.intp)
    local[orbit] = np.arange(len(orbit))
    inner = [local[move[orbit]] for move in moves]
    inner = [move for move in inner if (move != np.arange(len(orbit))).any()]
    order, parents = _make_tree(inner)
    found = [_cut(whole) for whole in (
        _extend(image, inner, order, parents) for image in _find_fixed(inner, parents)[:_CANDIDATES])
        if whole is not None]
    found.sort(key=lambda cycles: -cycles.shape[1])
    for cycles in [cycles for cycles in found if cycles.shape[1] <= ORIENTATIONS_MOST] + [
            np.arange(len(orbit))[:, None]]:
        pieces = PieceSet(name, orbit[cycles])
        if _colour(pieces, labels):
            break
    return pieces


def find_pieces(moves: Sequence[Permutation], labels: NDArray[np.intp]) -> List[PieceSet]:
    """Makes sets of the orbits in which points differ. Raises FormatError beyond the limits."""
    orbits = [np.array(orbit) for orbit in _find_orbits(moves, len(labels))]
    orbits = [orbit for orbit in orbits if (labels[orbit] != labels[orbit[0]]).any()]
    if not orbits:
        raise FormatError("expected moves that change the central state, got none")
    if len(orbits) > SETS_MOST:
        raise FormatError(f"expected at most {SETS_MOST} orbits of points, got {len(orbits)}")
    sets = [_make_set(f"ORBIT{number}", orbit, moves, labels) for number, orbit in enumerate(orbits, 1)]
    for pieces in sets:
        if len(pieces.pieces) > PIECES_OF_SET_MOST:
            raise FormatError(f"expected at most {PIECES_OF_SET_MOST} pieces between which moves exchange places, got "
                              f"{len(pieces.pieces)} (of {pieces.points.size} points)")
    count = sum(len(pieces.pieces) for pieces in sets)
    if count > PIECES_MOST:
        raise FormatError(f"expected at most {PIECES_MOST} pieces, got {count}")
    return sets


def move_of_set(pieces: PieceSet, move: Permutation, where: NDArray[np.intp]) -> Tuple[List[int], List[int]]:
    """The rows of a move, as MoveTransformation counts them.

    where[point] is slot × orientations + orientation. A piece with orientation t in a slot shows its
    sticker k at orientation k + t.
    """
    size = pieces.points.shape[1]
    came = where[move[pieces.points[:, 0]]]
    return (came // size).tolist(), ((-came) % size if pieces.orientations > 1 else 0 * came).tolist()
