"""Pictures for notebooks: boards of states, and summaries of tables."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, List, Tuple

if TYPE_CHECKING:
    from .table import State, Table

_SIDE = 36  # of a square, in pixels


def _places(state: "State") -> Tuple[List[Tuple[int, float, float]], float, float]:
    """Each cell with the column and row of its square, and the size of the picture in squares."""
    board = state.table.board
    if board is None:  # a line for each set
        sets = list(dict.fromkeys(state.table.sets))
        places: List[Tuple[int, float, float]] = []
        widths = [0] * len(sets)
        for cell, name in enumerate(state.table.sets):
            row = sets.index(name)
            places.append((cell, widths[row], row * 1.25))
            widths[row] += 1
        return places, max(widths), len(sets) * 1.25 - 0.25
    layers, rows, columns = board.shape
    places = [(int(board[layer, row, column]), column + layer * (columns + 0.5), row)
              for layer in range(layers) for row in range(rows) for column in range(columns)
              if board[layer, row, column] >= 0]
    return places, layers * (columns + 0.5) - 0.5, rows


def draw_state(state: "State") -> str:
    """The board of a state, or a line of cells for each set, as SVG."""
    places, width, height = _places(state)
    words = state.table.cell_words(state.cells)
    most = max(int(state.cells.max()), 1)
    squares = []
    for cell, x, y in places:
        hue = 300 * int(state.cells[cell]) / most
        squares.append(
            f'<rect x="{x * _SIDE + 1:g}" y="{y * _SIDE + 1:g}" width="{_SIDE - 2}" height="{_SIDE - 2}" rx="4" '
            f'fill="hsl({hue:.0f},60%,82%)" stroke="#666"/>'
            f'<text x="{(x + 0.5) * _SIDE:g}" y="{(y + 0.65) * _SIDE:g}" text-anchor="middle" '
            f'font-family="sans-serif" font-size="{_SIDE * 0.45:g}">{escape(words[cell])}</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * _SIDE:g}" height="{height * _SIDE:g}">'
            f'{"".join(squares)}</svg>')


def draw_summary(table: "Table") -> str:
    """What a table is, and how many states it has at each distance, as HTML."""
    rows = [("puzzle", table.name), ("states", table.states_text), ("moves", " ".join(table.moves))]
    bars = ""
    if not table.is_searched:
        stats = table.stats()
        rows += [("mean distance", f"{stats.mean:.4f}"), ("largest distance", str(stats.largest))]
        most = max(int(stats.counts.max()), 1)
        bars = "<table>" + "".join(
            f'<tr><td style="text-align:right">{distance}</td><td style="text-align:right">{int(count)}</td>'
            f'<td><div style="background:#69c;height:0.8em;width:{200 * int(count) / most:.0f}px"></div></td></tr>'
            for distance, count in enumerate(stats.counts)) + "</table>"
    lines = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in rows)
    return f"<table>{lines}</table>{bars}"
