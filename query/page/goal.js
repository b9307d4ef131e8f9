// The goal: one of the puzzle's, or a pattern in which some cells may be anything.
'use strict';

/** The panel of the goal. */
class Goal {
    constructor(app) {
        this.app = app;
        $('goals').addEventListener('change', () => this.choose($('goals').value));
        $('goal-reset').addEventListener('click', () => this.info && this.setRow(null));
        $('goal-form').addEventListener('submit', event => {
            event.preventDefault();
            this.setText($('goal').value, false);
        });
    }

    setPuzzle(info) {
        const layout = info.board ? makeLayout(info) : null;
        this.info = info;
        this.row = info.goals[0].slice();
        this.own = this.row;
        this.cells = [];
        this.paints = !!layout && !info.isSearched;
        this.look = new Look(info, layout);
        $('goal-problem').textContent = '';
        $('goal-board').replaceChildren();
        $('goal-how').textContent = this.paints ?
            'Click a cell, and it may be anything: the nearest match then counts.' : '';
        $('goal-how').hidden = !this.paints;
        if (layout) {
            $('goal-board').replaceChildren(this.build(layout));
        }
        $('goal-choice').hidden = info.goals.length === 1;
        this.list();
        this.show(info.goals[0], info.goalTexts[0]);
    }

    build(layout) {
        const svg = drawGrid(layout, 'Goal', cell => {
            const {element, place} = cell;
            this.cells[place.cell] = cell;
            if (this.paints) {
                element.addEventListener('click', () => this.paint(place.cell));
                element.addEventListener('keydown', event => this.key(event, place));
            }
            element.setAttribute('tabindex', this.cells.filter(c => c).length === 1 ? 0 : -1);
        });
        this.layout = layout;
        return svg;
    }

    /** Lists the goals of the puzzle. */
    list() {
        const {goals, goalTexts} = this.info;
        const options = goals.map((_, i) => [String(i), goalTexts[i]]);
        if (goals.length > 1) {
            options.unshift(['nearest', 'the nearest of ' + goals.length]);
        }
        options.push(['own', 'another']);
        $('goals').replaceChildren(...options.map(([value, text]) =>
            make('option', {value}, text.length > 40 ? text.slice(0, 39) + '…' : text)));
    }

    choose(value) {
        const {goals} = this.info || {goals: []};
        if (value === 'own') {
            $('goal').focus();
            $('goal').select();
        } else {
            this.setRow(value === 'nearest' || goals.length === 1 ? null : goals[value]);
        }
    }

    /** Reads a goal that somebody typed. */
    async setText(text, isQuiet) {
        const {app, info} = this;
        $('goal-problem').textContent = '';
        if (!info) {
            return;
        }
        app.answer.pause();
        try {
            const row = await app.client.call('read', ['TARGET', text, true]);
            if (info === this.info) {
                await this.setRow(row);
            }
        } catch (error) {
            app.fault('goal-problem', error);
            if (isQuiet) {
                app.problem('');
            }
        }
    }

    /** Takes a row as the goal; null stands for the nearest of the puzzle's. */
    async setRow(row) {
        const {app, info} = this;
        const only = info.goals.length === 1 && same(row, info.goals[0]);
        const target = only ? null : row;
        const shown = row || info.goals[0];
        try {
            const text = await app.client.call('write', [shown]);
            if (info !== this.info) {
                return;
            }
            $('goal-problem').textContent = '';
            this.own = shown.map((value, i) => value === WILD ? this.own[i] : value);
            this.show(shown, text);
            this.select(target);
            app.aim(target);
        } catch (error) {
            app.fault('goal-problem', error);
        }
    }

    select(target) {
        const {goals} = this.info;
        const number = goals.findIndex(goal => same(goal, target));
        $('goals').value = target ? (number >= 0 ? String(number) : 'own') :
            goals.length > 1 ? 'nearest' : '0';
    }

    show(row, text) {
        this.row = row;
        $('goal').value = text;
        const labels = splitText(text, this.info.cellCount);
        this.cells.forEach(cell =>
            paintCell(this.look, this.layout, cell, row, labels));
    }

    /** Makes a cell of the goal a wildcard, or what it was before. */
    paint(cell) {
        const row = this.row.slice();
        row[cell] = row[cell] === WILD ? this.own[cell] : WILD;
        this.setRow(row);
    }

    key(event, place) {
        const by = ARROWS[event.key];
        if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            this.paint(place.cell);
        } else if (by) {
            event.preventDefault();
            const next = findNeighbour(this.layout, place, by[0], by[1]);
            if (next) {
                this.cells[place.cell].element.setAttribute('tabindex', '-1');
                this.cells[next.cell].element.setAttribute('tabindex', '0');
                this.cells[next.cell].element.focus();
            }
        }
    }
}
