// Where the cells of a board lie, and how far each move carries each piece.
'use strict';

/**
 * A cell on the drawn board: its number and its place, in cells from the top left.
 * @typedef {{cell: number, x: number, y: number, row: number, column: number, layer: number}} Place
 * @typedef {{places: Place[], byCell: Place[], width: number, rows: number, columns: number,
 *   layers: number}} Layout
 * One way in which a move carries pieces. A piece that leaves the board comes in on the other side.
 * @typedef {{from: number, to: number, dx: number, dy: number, wraps: boolean}} Shift
 */

const BETWEEN = 0.4; // room between two layers, in cells

/**
 * @param {any} info
 * @returns {Layout}
 */
function makeLayout(info) {
    const [rows, columns, layers] = info.boardSize;
    const places = [];
    const byCell = [];
    info.board.forEach((cell, i) => {
        const layer = Math.floor(i / (rows * columns));
        const row = Math.floor(i / columns) % rows;
        const column = i % columns;
        if (cell >= 0) {
            const x = column + layer * (columns + BETWEEN);
            byCell[cell] = {cell, x, y: row, row, column, layer};
            places.push(byCell[cell]);
        }
    });
    const width = layers * columns + (layers - 1) * BETWEEN;
    return {places, byCell, width, rows, columns, layers};
}

/** The cells of a straight way from one cell to another, both included; none if there is none. */
function findWay(layout, from, to) {
    const axes = ['layer', 'row', 'column'];
    const here = layout.byCell[from];
    const by = axes.map(axis => layout.byCell[to][axis] - here[axis]);
    const length = Math.max(...by.map(Math.abs));
    if (by.filter(distance => distance).length !== 1) {
        return [];
    }
    return Array.from({length: length + 1}, (_, i) => layout.places.find(place =>
        axes.every((axis, a) => place[axis] === here[axis] + by[a] * i / length)).cell);
}

/** From which cell to which pieces go between two states that one move connects. */
function findCarried(info, layout, move, before, after) {
    if (!info.hasBlank) {
        const carries = info.carries ? info.carries[move] : [];
        return carries.map((to, from) => [from, to])
            .filter(([from, to]) => to >= 0 && to !== from);
    }
    const gap = before.indexOf(0);
    const end = after.indexOf(0);
    const way = gap < 0 || end < 0 ? [] : findWay(layout, gap, end);
    const others = before.some((value, i) => !way.includes(i) && value !== after[i]);
    const carried = way.slice(1).map((from, i) => [from, way[i]]);
    // A cube that rolls shows another colour.
    const fits = carried.length === 1 ||
        carried.every(([from, to]) => before[from] === after[to]);
    return others || !fits ? [] : carried;
}

/**
 * The ways to draw a move: one, or two if a row goes as far to the left as to the right.
 * @returns {Shift[][]}
 */
function findShifts(info, layout, move, before, after) {
    const shifts = findCarried(info, layout, move, before, after).map(([from, to]) => {
        const a = layout.byCell[from];
        const b = layout.byCell[to];
        return {from, to, dx: b.x - a.x, dy: b.y - a.y, wraps: false};
    });
    if (!shifts.length) {
        return [];
    }
    const ways = layout.layers > 1 ? [] : findCommon(shifts).filter(way => shifts.every(shift =>
        (shift.dx - way.dx) % layout.columns === 0 && (shift.dy - way.dy) % layout.rows === 0));
    if (!ways.length) {
        return [shifts];
    }
    return ways.map(way => shifts.map(shift => ({
        from: shift.from, to: shift.to, dx: way.dx, dy: way.dy,
        wraps: shift.dx !== way.dx || shift.dy !== way.dy,
    })));
}

/** The displacements that most pieces have. */
function findCommon(shifts) {
    const counts = new Map();
    for (const {dx, dy} of shifts) {
        const key = dx + ' ' + dy;
        const entry = counts.get(key) || {dx, dy, count: 0};
        entry.count++;
        counts.set(key, entry);
    }
    const all = Array.from(counts.values());
    const most = Math.max(...all.map(entry => entry.count));
    return all.filter(entry => entry.count === most);
}

/** For puzzles such as lights out, the move of each cell; else an empty list. */
function findPresses(info, row, next) {
    const cells = info.board.filter(cell => cell >= 0);
    const presses = [];
    cells.forEach((cell, move) => (presses[cell] = move));
    const fits = !info.hasBlank && cells.length === info.moves.length &&
        info.cells.every(cell => cell.orientation) &&
        cells.every((cell, move) => next[move] && next[move].row[cell] !== row[cell]);
    return fits ? presses : [];
}

/** The nearest place in a direction; undefined at the edge. */
function findNeighbour(layout, here, dx, dy) {
    return layout.places.map(place => ({
        place,
        along: (place.x - here.x) * dx + (place.y - here.y) * dy,
        aside: Math.abs((place.x - here.x) * dy) + Math.abs((place.y - here.y) * dx),
    })).filter(({along, aside}) => along > 0 && aside < 0.5)
        .sort((a, b) => a.along - b.along).map(({place}) => place)[0];
}

/** The words of a state's text: one for each cell. */
function splitText(text, count) {
    const letters = text.replace(/[\s,/]/g, '');
    if (letters.length === count) {
        return letters.split('');
    }
    return text.split(/[\s,/]+/).filter(word => word);
}
