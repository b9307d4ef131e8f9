"""Tells pieces apart that look alike, by the pieces that moves keep beside them.

A block system cuts the slots into blocks such that each move takes all pieces of a block to one
block. So a state shows which numbers a piece has in its block, and two pieces with one number
differ if their blocks have different numbers. kpuzzle.js of the page does the same, and ends at the
same work, so that both write the same text.
"""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

_WORK_MOST = 1 << 23  # joins, for definitions that are hostile


class _Finder:
    def __init__(self, moves: Sequence[Sequence[int]], numbers: List[int]) -> None:
        self.moves, self.numbers = moves, numbers
        self.slots = range(len(numbers))
        self.parent = list(self.slots)
        self.work = 0

    def least(self, slot: int) -> int:
        """The least slot of a slot's block."""
        parent = self.parent
        while parent[slot] != slot:
            parent[slot] = parent[parent[slot]]
            slot = parent[slot]
        return slot

    def join(self, one: int, other: int, queue: List[int]) -> None:
        """Joins two blocks, and queues the slot that is no longer the least of one."""
        low, high = sorted((self.least(one), self.least(other)))
        self.work += 1
        if low != high:
            self.parent[high] = low
            queue.append(high)

    def find_orbits(self) -> List[int]:
        """For each slot the least one from which moves take pieces there."""
        for move in self.moves:
            for slot in self.slots:
                self.join(slot, move[slot], [])
        return [self.least(slot) for slot in self.slots]

    def find_blocks(self, one: int, other: int) -> None:
        """Finds the least block system with two slots in one block (Atkinson 1975)."""
        self.parent = list(self.slots)
        queue: List[int] = []
        self.join(one, other, queue)
        for slot in queue:  # it grows meanwhile
            least = self.least(slot)
            for move in self.moves:
                self.join(move[slot], move[least], queue)

    def number_by_blocks(self) -> int:
        """Gives different numbers to equal ones in blocks of other numbers. Returns how many there are."""
        blocks: Dict[int, List[int]] = {}
        for slot in self.slots:
            blocks.setdefault(self.least(slot), []).append(self.numbers[slot])
        kinds = {least: tuple(sorted(block)) for least, block in blocks.items()}
        self.work += 64 * len(self.slots)
        keys = [(self.numbers[slot], kinds[self.least(slot)]) for slot in self.slots]
        known = {key: number for number, key in enumerate(sorted(set(keys)))}
        self.numbers = [known[key] for key in keys]
        return len(known)


def number_pieces(moves: Sequence[Sequence[int]], labels: Sequence[Any]) -> List[int]:
    """Numbers from 0 for the pieces with these labels, by slot: in the order of the labels, then of the slots."""
    finder = _Finder(moves, [0] * len(labels))
    order = {label: number for number, label in enumerate(sorted(set(labels)))}
    finder.numbers = [order[label] for label in labels]
    before, count, refined = list(finder.numbers), len(order), 0
    orbits = finder.find_orbits()
    while count > refined:
        refined, count = count, _refine(finder, orbits, count)
    first: Dict[int, int] = {}
    for slot in finder.slots:
        first.setdefault(finder.numbers[slot], slot)
    keys = [(before[slot], first[finder.numbers[slot]]) for slot in finder.slots]
    ranks = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [ranks[key] for key in keys]


def _refine(finder: _Finder, orbits: List[int], count: int) -> int:
    for one in finder.slots:
        for other in finder.slots if orbits[one] == one else ():
            if count == len(orbits) or finder.work > _WORK_MOST:
                return count
            finder.find_blocks(one, other)
            finder.work += len(orbits)
            if any(orbits[slot] == one and finder.least(slot) != finder.least(one) for slot in finder.slots):
                count = finder.number_by_blocks()
    return count
