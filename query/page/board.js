// The board: shows a state, and how a move changes it.
'use strict';

const MARGIN = 6;

/** Puts a shape on the cells of a grid: slots below, then rows of cells. */
function drawGrid(layout, label, addCell) {
    const width = layout.width * UNIT + 2 * MARGIN;
    const height = layout.height * UNIT + 2 * MARGIN;
    const svg = makeSvg('svg', {role: 'grid', 'aria-label': label,
        viewBox: [-MARGIN, -MARGIN, width, height].join(' ')});
    svg.style.setProperty('--ratio', String(width / height));
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
        const holder = makeSvg('g', {class: 'holder'});
        cell.append(makeSvg('rect', {class: 'touch', width: UNIT, height: UNIT}), holder,
            makeSvg('rect', {class: 'ring', x: 3, y: 3, width: 94, height: 94, rx: 13}));
        rows.get(key).append(cell);
        addCell({element: cell, holder, place});
    }
    return svg;
}

/** The name of a place for a screen reader. */
function namePlace(layout, place) {
    const words = `row ${place.row + 1}, column ${place.column + 1}`;
    return layout.layers > 1 ? `layer ${place.layer + 1}, ${words}` : words;
}

/** Shows what a state has in a cell. */
function paintCell(look, layout, {element, holder, place}, row, labels) {
    const shown = [place.cell, row[place.cell], labels[place.cell]];
    holder.replaceChildren(look.draw(...shown));
    element.setAttribute('aria-label',
        `${namePlace(layout, place)}: ${look.describe(...shown)}`);
}

/** The board of the puzzle that is being played. */
class Board {
    constructor(host, act) {
        this.host = host;
        this.hand = new Hand(this, act);
        this.frame = 0;
    }

    setPuzzle(info) {
        this.finish();
        this.info = info;
        this.layout = info.board ? makeLayout(info) : null;
        this.look = new Look(info, this.layout);
        this.cells = [];
        this.row = null;
        this.next = null;
        this.dropped = null;
        this.host.replaceChildren(this.layout ? this.build() : this.buildTable());
    }

    build() {
        const label = `Board of ${this.info.name}`;
        this.svg = drawGrid(this.layout, label, cell => (this.cells[cell.place.cell] = cell));
        this.ghosts = makeSvg('g', {class: 'ghosts', role: 'presentation'});
        this.svg.append(this.ghosts);
        this.hand.watch();
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
        this.hand.cancel();
        this.row = row;
        this.labels = labels;
        this.next = null;
        if (!this.layout) {
            labels.forEach((label, i) => (this.cells[i].textContent = label));
            return;
        }
        const ways = change && before && !reducesMotion() ?
            findShifts(this.info, this.layout, change.move, before, row) : [];
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
        this.presses = this.layout ? findPresses(this.info, this.row, next) : [];
    }

    paint() {
        this.clearShift();
        this.cells.forEach(cell =>
            paintCell(this.look, this.layout, cell, this.row, this.labels));
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
        const ways = findShifts(this.info, this.layout, move, this.row, after);
        const cells = ways.length ? ways[0].map(shift => shift.from) :
            [this.presses.indexOf(move)];
        cells.filter(cell => cell >= 0)
            .forEach(cell => this.cells[cell].element.classList.add('hinted'));
    }
}
