// Takes clicks, drags and keys on the board as moves.
'use strict';

const DRAG_BEGINS = 0.12; // in cells
const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
const NAMED = {ArrowLeft: 'l', ArrowRight: 'r', ArrowUp: 'b', ArrowDown: 'f'}; // of a die

/** What people do with the board. `act` makes moves, and places the blank among cubes. */
class Hand {
    /**
     * @param {any} board
     * @param {{move: function(number): void, place: function(number): void}} act
     */
    constructor(board, act) {
        this.board = board;
        this.act = act;
        this.drag = null;
        this.focused = 0;
    }

    /** Takes what happens on a new picture of the board. */
    watch() {
        const {svg, cells, layout} = this.board;
        cells.forEach(({element}, cell) => {
            element.setAttribute('tabindex', '-1');
            element.addEventListener('pointerdown', event => this.press(event, cell));
            element.addEventListener('focus', () => this.focus(cell, false));
        });
        svg.addEventListener('keydown', event => this.key(event));
        svg.addEventListener('pointermove', event => this.pull(event));
        svg.addEventListener('pointerup', () => this.release());
        svg.addEventListener('pointercancel', () => this.cancel());
        this.drag = null;
        this.focus(layout.places[0].cell, false);
    }

    /** All ways in which a move carries the piece of this cell. */
    findDrags(cell) {
        const {board} = this;
        const drags = [];
        (board.next || []).forEach((after, move) => {
            const ways = after ?
                findShifts(board.info, board.layout, move, board.row, after) : [];
            for (const shifts of ways) {
                const own = shifts.find(shift => shift.from === cell);
                if (own) {
                    drags.push({move, shifts, dx: own.dx, dy: own.dy, t: 0});
                }
            }
        });
        return drags;
    }

    press(event, cell) {
        const {board} = this;
        if (event.button === 0 && !this.drag) {
            board.finish();
            this.focus(cell, false);
            this.drag = {cell, x: event.clientX, y: event.clientY, drags: null, best: null};
            board.svg.setPointerCapture(event.pointerId);
        }
    }

    pull(event) {
        const {board} = this;
        const drag = this.drag;
        if (!drag) {
            return;
        }
        const scale = 1 / (board.svg.getScreenCTM().a * UNIT);
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

    release() {
        const {board} = this;
        const drag = this.drag;
        this.drag = null;
        if (!drag) {
            return;
        }
        if (!drag.drags) {
            this.click(drag.cell);
            return;
        }
        const [x, y] = drag.offset;
        const far = entry => Math.hypot(entry.dx - x, entry.dy - y);
        const best = drag.drags.reduce((a, b) => a && far(a) <= far(b) ? a : b, null);
        if (best && far(best) < Math.hypot(x, y)) {
            board.dropped = {...best, t: part(best, x, y)};
            this.act.move(best.move);
        } else if (drag.best) {
            const {shifts, t} = drag.best;
            board.animate(done => board.shift(shifts, t * (1 - done)), 120,
                () => board.clearShift());
        }
    }

    cancel() {
        const {board} = this;
        if (this.drag && board.layout) {
            board.clearShift();
        }
        this.drag = null;
    }

    /** Presses a lamp, or makes the only move that carries this piece. */
    click(cell) {
        const {board} = this;
        if (board.info.isRolling) {
            this.act.place(cell);
            return;
        }
        const press = board.presses && board.presses[cell];
        const drags = press === undefined ? this.findDrags(cell) : [];
        const moves = new Set(drags.map(drag => drag.move));
        if (press !== undefined) {
            this.act.move(press);
        } else if (moves.size === 1) {
            this.act.move(drags[0].move);
        }
    }

    // ---- Keys ----

    focus(cell, moves) {
        const {board} = this;
        const old = board.cells[this.focused];
        if (old) {
            old.element.setAttribute('tabindex', '-1');
        }
        this.focused = cell;
        board.cells[cell].element.setAttribute('tabindex', '0');
        if (moves) {
            board.cells[cell].element.focus();
        }
    }

    key(event) {
        const {board} = this;
        if (event.ctrlKey || event.altKey || event.metaKey || !board.row) {
            return;
        }
        const arrow = ARROWS[event.key];
        if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            this.click(this.focused);
        } else if (arrow) {
            event.preventDefault();
            this.arrow(event, arrow);
        }
    }

    arrow(event, [dx, dy]) {
        const {board} = this;
        const slides = board.info.hasBlank && !board.info.isRolling;
        const named = board.look.isDie && !event.shiftKey ?
            board.info.moves.indexOf(NAMED[event.key]) : -1;
        if (named >= 0) {
            this.act.move(named);
        } else if (slides !== event.shiftKey) {
            const cells = slides ? board.layout.places.map(place => place.cell) :
                [this.focused];
            const drags = cells.flatMap(cell => this.findDrags(cell))
                .filter(drag => Math.sign(drag.dx) === dx && Math.sign(drag.dy) === dy)
                .sort((a, b) => Math.hypot(a.dx, a.dy) - Math.hypot(b.dx, b.dy));
            if (drags.length) {
                this.act.move(drags[0].move);
            }
        } else {
            this.step(dx, dy);
        }
    }

    /** Moves the focus to the nearest cell in a direction. */
    step(dx, dy) {
        const {board} = this;
        const here = board.layout.byCell[this.focused];
        const next = findNeighbour(board.layout, here, dx, dy);
        if (next) {
            this.focus(next.cell, true);
        }
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
