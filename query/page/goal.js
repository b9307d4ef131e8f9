// The goal: one of the puzzle's, or a pattern in which some cells may be anything.
'use strict';

/** The panel of the goal. */
class Goal {
    constructor(app) {
        this.app = app;
        onChange('goals', value => this.choose(value));
        onClick('goal-reset', () => app.aim(null));
        onSubmit('goal-form', () => this.ask('read', [$('goal').value, true]));
    }

    setPuzzle(info) {
        const {goals} = info;
        const paints = !!info.board && !info.isSearched;
        this.goals = goals;
        this.own = goals[0].row; // what cells have that are not wildcards
        this.grid = null;
        $('goal-board').replaceChildren();
        if (info.board) {
            const press = paints ? cell => this.paint(cell) : () => {};
            this.grid = new Grid(info, 'Goal', {press});
            this.grid.cells.forEach(({element}, cell) =>
                element.addEventListener('click', () => press(cell)));
            $('goal-board').append(this.grid.svg);
        }
        $('goal-how').hidden = !paints;
        $('goal-choice').hidden = goals.length === 1;
        const options = [['nearest', 'the nearest of ' + goals.length],
            ...goals.map(({text}, i) => [i, text]), ['own', 'another']];
        $('goals').replaceChildren(...options.map(([value, text]) =>
            make('option', {value}, text.length > 40 ? text.slice(0, 39) + '…' : text)));
    }

    choose(value) {
        if (value === 'own') {
            $('goal').focus();
            $('goal').select();
        } else {
            this.app.aim(value === 'nearest' ? null : this.goals[value]);
        }
    }

    /** Has the library make a goal, and takes it. */
    ask(call, args) {
        this.app.query('goal-problem', call, args, target => this.app.aim(target));
    }

    /** Takes and shows a goal; null stands for the nearest of the puzzle's. */
    take(target) {
        const {app, goals} = this;
        const number = target ? goals.findIndex(({row}) => sameRow(row, target.row)) : -1;
        const isOnly = number === 0 && goals.length === 1;
        const shown = target || goals[0];
        app.target = isOnly ? null : target;
        this.own = shown.row.map((value, i) => value === WILD ? this.own[i] : value);
        $('goal').value = shown.text;
        $('goal-problem').textContent = '';
        $('goals').value = !target ? 'nearest' : number < 0 ? 'own' : String(number);
        if (this.grid) {
            this.grid.paint(shown);
        }
    }

    /** Makes a cell of the goal a wildcard, or what it was before. */
    paint(cell) {
        const row = (this.app.target || this.goals[0]).row.slice();
        row[cell] = row[cell] === WILD ? this.own[cell] : WILD;
        this.ask('state', [row]);
    }
}
