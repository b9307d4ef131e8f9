// The board: shows a state, and how a move changes it.
'use strict';

const MARGIN = 6;
const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

/** The cells of a puzzle as a picture. The Tab key leads to one of them: the focused one. */
class Grid {
    /**
     * @param {any} info
     * @param {string} label
     * @param {{press: function(number): void, arrow: (function|undefined)}} act - what Enter does
     *   with a cell, and what an arrow key may do, which else moves the focus
     */
    constructor(info, label, act) {
        this.layout = makeLayout(info);
        this.look = new Look(info, this.layout);
        this.act = act;
        this.cells = [];
        this.svg = this.draw(label);
        this.focused = this.layout.places[0].cell;
        this.focus(this.focused);
        this.svg.addEventListener('keydown', event => this.key(event));
    }

    /** Draws slots below, then rows of cells. */
    draw(label) {
        const {layout} = this;
        const width = layout.width * UNIT + 2 * MARGIN;
        const height = layout.rows * UNIT + 2 * MARGIN;
        const slots = makeSvg('g', {role: 'presentation'});
        const svg = makeSvg('svg', {role: 'grid', 'aria-label': label,
            viewBox: [-MARGIN, -MARGIN, width, height].join(' ')}, slots);
        svg.style.setProperty('--ratio', String(width / height));
        const rows = new Map();
        for (const place of layout.places) {
            const at = {x: place.x * UNIT + 2, y: place.y * UNIT + 2};
            slots.append(makeSvg('rect', {class: 'slot', ...at, width: 96, height: 96, rx: 13}));
            const key = place.layer * layout.rows + place.row;
            if (!rows.has(key)) {
                rows.set(key, makeSvg('g', {role: 'row'}));
                svg.append(rows.get(key));
            }
            const holder = makeSvg('g', {class: 'holder'});
            const element = makeSvg('g', {role: 'gridcell', class: 'cell', tabindex: -1,
                transform: `translate(${place.x * UNIT} ${place.y * UNIT})`},
            makeSvg('rect', {class: 'touch', width: UNIT, height: UNIT}), holder,
            makeSvg('rect', {class: 'ring', x: 3, y: 3, width: 94, height: 94, rx: 13}));
            element.addEventListener('focus', () => this.focus(place.cell));
            rows.get(key).append(element);
            this.cells[place.cell] = {element, holder, place};
        }
        return svg;
    }

    /** The name of a place for a screen reader. */
    name(place) {
        const words = `row ${place.row + 1}, column ${place.column + 1}`;
        return this.layout.layers > 1 ? `layer ${place.layer + 1}, ${words}` : words;
    }

    /** Shows a state. */
    paint({row, text}) {
        const labels = splitText(text, row.length);
        this.cells.forEach(({element, holder, place}, cell) => {
            const shown = [cell, row[cell], labels[cell]];
            holder.replaceChildren(this.look.draw(...shown));
            element.setAttribute('aria-label',
                `${this.name(place)}: ${this.look.describe(...shown)}`);
        });
    }

    focus(cell) {
        this.cells[this.focused].element.setAttribute('tabindex', '-1');
        this.cells[cell].element.setAttribute('tabindex', '0');
        this.focused = cell;
    }

    key(event) {
        const by = ARROWS[event.key];
        const presses = event.key === 'Enter' || event.key === ' ';
        if (event.ctrlKey || event.altKey || event.metaKey || !by && !presses) {
            return;
        }
        event.preventDefault();
        if (presses) {
            this.act.press(this.focused);
        } else if (!this.act.arrow || !this.act.arrow(event, by)) {
            this.step(by);
        }
    }

    /** Moves the focus to the nearest cell in a direction. */
    step([dx, dy]) {
        const next = findNeighbour(this.layout, this.layout.byCell[this.focused], dx, dy);
        if (next) {
            this.cells[next.cell].element.focus();
        }
    }
}

/** The board of the puzzle that is being played. */
class Board {
    constructor(app) {
        this.app = app;
        this.hand = new Hand(this);
        this.frame = 0;
    }

    setPuzzle(info) {
        this.finish();
        this.hand.drag = null;
        this.info = info;
        this.state = null;
        this.next = null;
        this.presses = [];
        this.dropped = null;
        this.grid = info.board ? this.hand.makeGrid(info) : null;
        if (this.grid) {
            this.ghosts = makeSvg('g', {class: 'ghosts', role: 'presentation'});
            this.grid.svg.append(this.ghosts);
        }
        $('board').replaceChildren(this.grid ? this.grid.svg : this.listSets());
    }

    /** Without a board: a list of sets, each with its slots. */
    listSets() {
        const {info} = this;
        const sets = new Map();
        this.fields = info.cells.map(cell => {
            const name = `${cell.set} ${cell.orientation ? 'orientations' : 'pieces'}`;
            const field = make('span', {});
            sets.set(name, (sets.get(name) || []).concat(field, ' '));
            return field;
        });
        return make('dl', {class: 'sets'}, ...Array.from(sets, ([name, fields]) =>
            [make('dt', {}, name), make('dd', {}, ...fields)]).flat());
    }

    /**
     * Shows a state.
     * @param {State} state
     * @param {number} ms - for how long its move is to be seen, if it has one; 0 if it is not
     */
    show(state, ms) {
        const before = this.state;
        const {move} = state;
        this.finish();
        this.hand.cancel();
        this.state = state;
        this.next = null;
        if (!this.grid) {
            const labels = splitText(state.text, state.row.length);
            labels.forEach((label, i) => (this.fields[i].textContent = label));
            return;
        }
        const dropped = this.dropped && this.dropped.move === move ? this.dropped : null;
        this.dropped = null;
        const isSeen = move !== undefined && ms > 0 && before && !reducesMotion();
        const ways = isSeen ? this.findWays(move, before, state) : [];
        if (!ways.length) {
            this.paint();
        } else if (this.info.isRolling) {
            this.animateRoll(ways[0][0], before, ms);
        } else {
            const {shifts, t: from} = dropped || {shifts: ways[0], t: 0};
            this.animate(t => this.shift(shifts, from + (1 - from) * t), ms * (1 - from),
                () => this.paint());
        }
    }

    /** The ways to draw a move between two states. */
    findWays(move, before, after) {
        return findShifts(this.info, this.grid.layout, move, before.row, after.row);
    }

    /** Tells where the moves lead, so that they can be made. */
    setNext(next) {
        this.next = next;
        this.presses = this.grid ? findPresses(this.info, this.state.row, next) : [];
    }

    paint() {
        this.clearShift();
        this.grid.paint(this.state);
    }

    // ---- Pictures that move ----

    clearShift() {
        this.ghosts.replaceChildren();
        this.grid.cells.forEach(({holder}) => holder.removeAttribute('transform'));
    }

    /** Draws a move of which a part, 0 to 1, is done. */
    shift(shifts, t) {
        this.clearShift();
        for (const {from, to, dx, dy, wraps} of shifts) {
            const {holder} = this.grid.cells[from];
            holder.setAttribute('transform', `translate(${dx * t * UNIT} ${dy * t * UNIT})`);
            if (wraps) {
                const place = this.grid.layout.byCell[to];
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
    animateRoll({from, to, dx, dy}, before, ms) {
        const {holder, place} = this.grid.cells[from];
        const draw = (cell, {row, text}) => makeSvg('g', {},
            this.grid.look.draw(cell, row[cell], splitText(text, row.length)[cell]));
        const faces = [draw(from, before), draw(to, this.state)];
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
    hint(state) {
        if (!this.grid) {
            return;
        }
        this.grid.svg.querySelectorAll('.hinted').forEach(e => e.classList.remove('hinted'));
        if (state) {
            const ways = this.findWays(state.move, this.state, state);
            const cells = ways.length ? ways[0].map(shift => shift.from) :
                [this.presses.indexOf(state.move)];
            cells.filter(cell => cell >= 0)
                .forEach(cell => this.grid.cells[cell].element.classList.add('hinted'));
        }
    }
}
