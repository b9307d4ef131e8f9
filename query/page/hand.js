// Takes clicks, drags and keys on the board as moves.
'use strict';

const DRAG_BEGINS = 0.12; // in cells
const NAMED = {ArrowLeft: 'l', ArrowRight: 'r', ArrowUp: 'b', ArrowDown: 'f'}; // of a die

/** What people do with the board. */
class Hand {
    constructor(board) {
        this.board = board;
        this.drag = null;
    }

    /** A picture of the board that takes what happens on it. */
    makeGrid(info) {
        const grid = new Grid(info, `Board of ${info.name}`, {
            press: cell => this.click(cell),
            arrow: (event, by) => this.arrow(event, by),
        });
        grid.svg.classList.toggle('lamps', info.cells.every(cell => cell.orientation));
        grid.cells.forEach(({element}, cell) =>
            element.addEventListener('pointerdown', event => this.press(event, cell)));
        grid.svg.addEventListener('pointermove', event => this.pull(event));
        grid.svg.addEventListener('pointerup', event => this.release(event));
        grid.svg.addEventListener('pointercancel', () => this.cancel());
        return grid;
    }

    /**
     * All ways in which a move carries the piece of this cell. A tile takes along those between it
     * and the blank: in one move or, if the puzzle has none of a whole row, in several.
     */
    findDrags(cell) {
        const {board} = this;
        const drags = (board.next || []).filter(after => after).flatMap(after =>
            board.findWays(after.move, board.state, after).flatMap(shifts =>
                shifts.filter(shift => shift.from === cell)
                    .map(({dx, dy}) => ({move: after.move, times: 1, shifts, dx, dy}))));
        if (!board.info.hasBlank) {
            return drags;
        }
        const ofRow = drags.filter(({shifts}) => shifts[shifts.length - 1].from === cell);
        return ofRow.length ? ofRow : this.findRowDrags(cell);
    }

    /** The ways to drag a row of tiles by moves of one tile. */
    findRowDrags(cell) {
        const {board} = this;
        const {layout} = board.grid;
        const gap = board.state ? board.state.row.indexOf(0) : -1;
        const way = gap < 0 || board.info.isRolling ? [] : findWay(layout, gap, cell);
        if (way.length < 3) {
            return [];
        }
        return this.findDrags(way[1]).map(({move, dx, dy}) => ({
            move, times: way.length - 1, dx, dy,
            shifts: way.slice(1).map((from, i) => ({from, to: way[i], dx, dy, wraps: false})),
        }));
    }

    press(event, cell) {
        const {board} = this;
        if (event.button === 0 && !this.drag) {
            board.finish();
            this.drag = {cell, pointer: event.pointerId, x: event.clientX, y: event.clientY,
                drags: null, best: null};
            board.grid.svg.setPointerCapture(event.pointerId);
        }
    }

    pull(event) {
        const {board} = this;
        const drag = this.drag;
        if (!drag || drag.pointer !== event.pointerId) {
            return;
        }
        const scale = 1 / (board.grid.svg.getScreenCTM().a * UNIT);
        const x = (event.clientX - drag.x) * scale;
        const y = (event.clientY - drag.y) * scale;
        if (!drag.drags && Math.hypot(x, y) < DRAG_BEGINS) {
            return;
        }
        if (!drag.drags || !drag.drags.length) {
            drag.drags = this.findDrags(drag.cell);
        }
        drag.offset = [x, y];
        drag.best = chooseDrag(drag.drags, x, y);
        if (drag.best) {
            board.shift(drag.best.shifts, drag.best.t);
        } else {
            board.clearShift();
        }
    }

    release(event) {
        const {board} = this;
        const drag = this.drag;
        if (!drag || drag.pointer !== event.pointerId) {
            return;
        }
        this.drag = null;
        if (!drag.drags) {
            this.click(drag.cell);
            return;
        }
        const [x, y] = drag.offset;
        const far = entry => Math.hypot(entry.dx - x, entry.dy - y);
        const best = drag.drags.reduce((a, b) => a && far(a) <= far(b) ? a : b, null);
        if (best && far(best) < Math.hypot(x, y)) {
            board.dropped = best.times === 1 ? {...best, t: part(best, x, y)} : null;
            board.app.move(best.move, best.times);
        } else if (drag.best) {
            const {shifts, t} = drag.best;
            board.animate(done => board.shift(shifts, t * (1 - done)), 120,
                () => board.clearShift());
        }
    }

    cancel() {
        if (this.drag) {
            this.board.clearShift();
        }
        this.drag = null;
    }

    /** Presses a lamp, or makes the only move that carries this piece. */
    click(cell) {
        const {board} = this;
        if (board.info.isRolling) {
            board.app.placeBlank(cell);
            return;
        }
        const press = board.presses[cell];
        const drags = press === undefined ? this.findDrags(cell) : [{move: press, times: 1}];
        if (new Set(drags.map(drag => drag.move)).size === 1) {
            board.app.move(drags[0].move, drags[0].times);
        }
    }

    /** Makes the move of an arrow key. Returns false if the key only chooses another cell. */
    arrow(event, [dx, dy]) {
        const {info, grid, app} = this.board;
        const named = grid.look.isDie && !event.shiftKey ?
            info.moves.indexOf(NAMED[event.key]) : -1;
        if (named >= 0) {
            app.move(named);
            return true;
        }
        const slides = info.hasBlank && !info.isRolling;
        if (slides === event.shiftKey) {
            return false;
        }
        const cells = slides ? grid.layout.places.map(place => place.cell) : [grid.focused];
        const drags = cells.flatMap(cell => this.findDrags(cell))
            .filter(drag => Math.sign(drag.dx) === dx && Math.sign(drag.dy) === dy)
            .sort((a, b) => Math.hypot(a.dx, a.dy) - Math.hypot(b.dx, b.dy) ||
                a.shifts.length - b.shifts.length);
        if (drags.length) {
            app.move(drags[0].move, drags[0].times);
        }
        return true;
    }
}

/** How much of a drag's way the pointer has gone, 0 to 1. */
function part({dx, dy}, x, y) {
    return Math.min(Math.max((x * dx + y * dy) / (dx * dx + dy * dy), 0), 1);
}

/** The drag whose line the pointer is nearest to; of those, the shortest. */
function chooseDrag(drags, x, y) {
    let best = null;
    for (const drag of drags) {
        const t = part(drag, x, y);
        const far = Math.hypot(drag.dx * t - x, drag.dy * t - y);
        const length = Math.hypot(drag.dx, drag.dy);
        if (t > 0 && (!best || far < best.far - 1e-6 ||
            (far < best.far + 1e-6 && length < best.length))) {
            best = {...drag, t, far, length};
        }
    }
    return best;
}
