// The board: shows a state, and takes clicks, drags and keys as moves.
'use strict';

var Fewest = self.Fewest || {};

(function () {
    const {make, makeSvg, UNIT} = Fewest;
    const MARGIN = 6;
    const DRAG_BEGINS = 0.12; // in cells
    const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    // Moves that arrow keys make if a puzzle has just these, such as a die.
    const NAMED = {ArrowLeft: 'l', ArrowRight: 'r', ArrowUp: 'b', ArrowDown: 'f'};

    /** Puts a shape on the cells of a grid: slots below, then rows of cells. */
    function drawGrid(layout, label, addCell) {
        const width = layout.width * UNIT + 2 * MARGIN;
        const height = layout.height * UNIT + 2 * MARGIN;
        const svg = makeSvg('svg', {role: 'grid', 'aria-label': label,
            viewBox: [-MARGIN, -MARGIN, width, height].join(' ')});
        const slots = makeSvg('g', {role: 'presentation'});
        svg.append(slots);
        const rows = new Map();
        for (const place of layout.places) {
            const at = {x: place.x * UNIT + 2, y: place.y * UNIT + 2};
            slots.append(makeSvg('rect', {class: 'slot', ...at, width: 96, height: 96, rx: 13}));
            const key = place.layer * layout.rows + place.row;
            if (!rows.has(key)) {
                rows.set(key, makeSvg('g', {role: 'row'}));
                svg.append(rows.get(key));
            }
            const cell = makeSvg('g', {role: 'gridcell', class: 'cell',
                transform: `translate(${place.x * UNIT} ${place.y * UNIT})`});
            rows.get(key).append(cell);
            addCell(cell, place);
        }
        return svg;
    }

    /** The name of a place for a screen reader. */
    function namePlace(layout, place) {
        const words = `row ${place.row + 1}, column ${place.column + 1}`;
        return layout.layers > 1 ? `layer ${place.layer + 1}, ${words}` : words;
    }

    /** The board of the puzzle that is being played. */
    class Board {
        /**
         * @param {HTMLElement} host
         * @param {{move: function(number): void, place: function(number): void}} act
         */
        constructor(host, act) {
            this.host = host;
            this.act = act;
            this.frame = 0;
        }

        setPuzzle(info) {
            this.finish();
            this.info = info;
            this.layout = info.board ? Fewest.makeLayout(info) : null;
            this.look = new Fewest.Look(info, this.layout);
            this.cells = [];
            this.row = null;
            this.next = null;
            this.drag = null;
            this.dropped = null;
            this.focused = 0;
            this.host.replaceChildren(this.layout ? this.build() : this.buildTable());
        }

        build() {
            const label = `Board of ${this.info.name}`;
            this.svg = drawGrid(this.layout, label, (element, place) => {
                const holder = makeSvg('g', {class: 'holder'});
                element.append(
                    makeSvg('rect', {class: 'touch', width: UNIT, height: UNIT}), holder,
                    makeSvg('rect', {class: 'ring', x: 3, y: 3, width: 94, height: 94, rx: 13}));
                element.addEventListener('pointerdown', event => this.press(event, place.cell));
                element.addEventListener('focus', () => this.focus(place.cell, false));
                this.cells[place.cell] = {element, holder, place};
            });
            this.ghosts = makeSvg('g', {class: 'ghosts', role: 'presentation'});
            this.svg.append(this.ghosts);
            this.svg.addEventListener('keydown', event => this.key(event));
            this.svg.addEventListener('pointermove', event => this.pull(event));
            this.svg.addEventListener('pointerup', event => this.release(event));
            this.svg.addEventListener('pointercancel', () => this.cancel());
            this.focus(this.layout.places[0].cell, false);
            return this.svg;
        }

        /** Without a board: a table with a row for each set. */
        buildTable() {
            const sets = new Map();
            this.info.cells.forEach((cell, i) => {
                const kind = cell.orientation ? 'orientations' : 'pieces';
                const name = `${cell.set} ${kind}`;
                sets.set(name, (sets.get(name) || []).concat(i));
            });
            const rows = Array.from(sets, ([name, cells]) => make('tr', {},
                make('th', {scope: 'row'}, name),
                ...cells.map(i => (this.cells[i] = make('td', {})))));
            const table = make('table', {class: 'sets'},
                make('caption', {}, `State of ${this.info.name}`), make('tbody', {}, ...rows));
            return make('div', {class: 'scroll', tabindex: 0, role: 'group',
                'aria-label': `State of ${this.info.name}`}, table);
        }

        /**
         * Shows a state. `change` tells the move that led there, if it is to be seen.
         * @param {Uint8Array} row
         * @param {string[]} labels
         * @param {?{move: number, ms: number}} change
         */
        show(row, labels, change) {
            this.finish();
            const before = this.row;
            const old = this.labels;
            const dropped = this.dropped;
            this.dropped = null;
            this.cancel();
            this.row = row;
            this.labels = labels;
            this.next = null;
            if (!this.layout) {
                labels.forEach((label, i) => (this.cells[i].textContent = label));
                return;
            }
            const ways = change && before && !Fewest.reducesMotion() ?
                Fewest.findShifts(this.info, this.layout, change.move, before, row) : [];
            const known = dropped && dropped.move === (change && change.move);
            if (!ways.length) {
                this.paint();
                return;
            }
            const shifts = known ? dropped.shifts : ways[0];
            if (this.info.isRolling) {
                this.animateRoll(shifts[0], before, old, change.ms);
            } else {
                const from = known ? dropped.t : 0;
                this.animate(t => this.shift(shifts, from + (1 - from) * t),
                    change.ms * (1 - from), () => this.paint());
            }
        }

        /** Tells where the moves lead, so that they can be made. */
        setNext(next) {
            this.next = next;
            this.presses = this.layout ? Fewest.findPresses(this.info, this.row, next) : [];
        }

        paint() {
            this.clearShift();
            for (const {cell} of this.layout.places) {
                const {element, holder, place} = this.cells[cell];
                const picture = this.look.draw(cell, this.row[cell], this.labels[cell]);
                holder.replaceChildren(picture);
                element.setAttribute('aria-label', namePlace(this.layout, place) + ': ' +
                    this.look.describe(cell, this.row[cell], this.labels[cell]));
            }
        }

        // ---- Pictures that move ----

        clearShift() {
            this.ghosts.replaceChildren();
            for (const {cell} of this.layout.places) {
                this.cells[cell].holder.removeAttribute('transform');
            }
        }

        /** Draws a move of which a part, 0 to 1, is done. */
        shift(shifts, t) {
            this.clearShift();
            for (const {from, to, dx, dy, wraps} of shifts) {
                const {holder} = this.cells[from];
                holder.setAttribute('transform', `translate(${dx * t * UNIT} ${dy * t * UNIT})`);
                if (wraps) {
                    const place = this.layout.byCell[to];
                    const ghost = holder.cloneNode(true);
                    const x = (place.x - dx * (1 - t)) * UNIT;
                    const y = (place.y - dy * (1 - t)) * UNIT;
                    ghost.setAttribute('transform', `translate(${x} ${y})`);
                    this.ghosts.append(ghost);
                }
            }
        }

        animate(draw, ms, done) {
            const begin = performance.now();
            this.ending = done;
            draw(0);
            const step = now => {
                const t = ms > 0 ? Math.min(Math.max((now - begin) / ms, 0), 1) : 1;
                if (t < 1) {
                    draw(1 - (1 - t) * (1 - t));
                    this.frame = requestAnimationFrame(step);
                } else {
                    this.finish();
                }
            };
            this.frame = requestAnimationFrame(step);
        }

        /** Ends an animation at once. */
        finish() {
            cancelAnimationFrame(this.frame);
            const done = this.ending;
            this.ending = null;
            if (done) {
                done();
            }
        }

        /** A cube shows its next face behind the one that turns away. */
        animateRoll({from, to, dx, dy}, before, labels, ms) {
            const {holder, place} = this.cells[from];
            const faces = [makeSvg('g', {}), makeSvg('g', {})];
            faces[0].append(this.look.draw(from, before[from], labels[from]));
            faces[1].append(this.look.draw(to, this.row[to], this.labels[to]));
            holder.replaceChildren();
            this.animate(t => {
                const x = (place.x + dx * t) * UNIT;
                const y = (place.y + dy * t) * UNIT;
                faces.forEach((face, i) => {
                    const part = i ? t : 1 - t;
                    const ahead = i === 0 ? dx + dy > 0 : dx + dy < 0;
                    const gap = ahead ? (1 - part) * UNIT : 0;
                    face.setAttribute('transform', dx ?
                        `translate(${x + gap} ${y}) scale(${part} 1)` :
                        `translate(${x} ${y + gap}) scale(1 ${part})`);
                });
                this.ghosts.replaceChildren(...faces);
            }, ms, () => this.paint());
        }

        // ---- Moves by hand ----

        /** All ways in which a move carries the piece of this cell. */
        findDrags(cell) {
            const drags = [];
            (this.next || []).forEach((after, move) => {
                const ways = after ?
                    Fewest.findShifts(this.info, this.layout, move, this.row, after) : [];
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
            if (event.button === 0 && !this.drag) {
                this.finish();
                this.focus(cell, false);
                this.drag = {cell, x: event.clientX, y: event.clientY, drags: null, best: null};
                this.svg.setPointerCapture(event.pointerId);
            }
        }

        pull(event) {
            const drag = this.drag;
            if (!drag) {
                return;
            }
            const scale = (this.layout.width * UNIT + 2 * MARGIN) /
                this.svg.getBoundingClientRect().width / UNIT;
            const x = (event.clientX - drag.x) * scale;
            const y = (event.clientY - drag.y) * scale;
            if (!drag.drags && Math.hypot(x, y) < DRAG_BEGINS) {
                return;
            }
            drag.drags = drag.drags || this.findDrags(drag.cell);
            drag.offset = [x, y];
            drag.best = chooseDrag(drag.drags, x, y);
            if (drag.best) {
                this.shift(drag.best.shifts, drag.best.t);
            } else {
                this.clearShift();
            }
        }

        release() {
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
                this.dropped = {...best, t: part(best, x, y)};
                this.act.move(best.move);
            } else if (drag.best) {
                const {shifts, t} = drag.best;
                this.animate(done => this.shift(shifts, t * (1 - done)), 120,
                    () => this.clearShift());
            }
        }

        cancel() {
            if (this.drag && this.layout) {
                this.clearShift();
            }
            this.drag = null;
        }

        /** Presses a lamp, or makes the only move that carries this piece. */
        click(cell) {
            if (this.info.isRolling) {
                this.act.place(cell);
                return;
            }
            const press = this.presses && this.presses[cell];
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
            const old = this.cells[this.focused];
            if (old) {
                old.element.setAttribute('tabindex', '-1');
            }
            this.focused = cell;
            this.cells[cell].element.setAttribute('tabindex', '0');
            if (moves) {
                this.cells[cell].element.focus();
            }
        }

        key(event) {
            if (event.ctrlKey || event.altKey || event.metaKey || !this.row) {
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
            const slides = this.info.hasBlank && !this.info.isRolling;
            const named = this.look.isDie && !event.shiftKey ?
                this.info.moves.indexOf(NAMED[event.key]) : -1;
            if (named >= 0) {
                this.act.move(named);
            } else if (slides !== event.shiftKey) {
                const cells = slides ? this.layout.places.map(place => place.cell) :
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
            const here = this.layout.byCell[this.focused];
            const next = Fewest.findNeighbour(this.layout, here, dx, dy);
            if (next) {
                this.focus(next.cell, true);
            }
        }

        // ---- Hints ----

        /** Marks what a move carries, or the cell to press; null marks nothing. */
        hint(move) {
            if (!this.layout) {
                return;
            }
            this.svg.querySelectorAll('.hinted').forEach(e => e.classList.remove('hinted'));
            const after = move === null || !this.next ? null : this.next[move];
            if (!after) {
                return;
            }
            const ways = Fewest.findShifts(this.info, this.layout, move, this.row, after);
            const cells = ways.length ? ways[0].map(shift => shift.from) :
                [this.presses.indexOf(move)];
            cells.filter(cell => cell >= 0)
                .forEach(cell => this.cells[cell].element.classList.add('hinted'));
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

    Object.assign(Fewest, {Board, drawGrid, namePlace});
})();
