// What the page shows: a puzzle, the states that were met, and a goal. Each panel shows a part.
'use strict';

const STATES_MOST = 5000; // that Undo remembers

const same = (a, b) => !!a && !!b && a.length === b.length && a.every((v, i) => v === b[i]);

/**
 * What the panels share. A state is {row, text, move}: `move` led to it, or is -1. `solution`
 * is the part of `states` that is a shortest path: {begin, length, text}.
 */
class App {
    constructor() {
        this.client = new Client();
        this.board = new Board($('board'), {
            move: move => this.move(move),
            place: cell => this.placeBlank(cell),
        });
        this.info = null;
        this.source = {}; // {name}, {definition, metric} or {file}
        this.states = [];
        this.at = 0;
        this.target = null;
        this.steps = null;
        this.solution = null;
        this.next = null;
        this.waiting = []; // moves that were made before it was known where they lead
        this.answer = new Answer(this);
        this.goal = new Goal(this);
        this.plot = new Plot(this);
        this.own = new Own(this);
        this.link = new Link(this);
    }

    get state() {
        return this.states[this.at];
    }

    /** Is the distance one of those that the plot counts? */
    get isBounded() {
        const {info, target} = this;
        return info.defaultStart ? !target || !target.includes(0xFF) &&
            same(this.states[this.solution ? this.solution.begin : this.at].row,
                info.defaultStart) : !target;
    }

    // ---- Puzzles ----

    /**
     * Opens a table in a new worker and shows it. Returns '' or what is wrong with the table;
     * then the puzzle before stays.
     */
    async open(table, source, state, goal) {
        const opening = this.opening = {};
        const client = new Client();
        try {
            const info = await client.open(table);
            if (opening !== this.opening) {
                client.stop();
                return '';
            }
            this.answer.pause();
            this.client.stop();
            Object.assign(this, {client, source, table});
            await this.begin(info, state, goal);
            return '';
        } catch (error) {
            client.stop();
            this.showChoice();
            if (!this.info) {
                this.appear();
                this.answer.say('No puzzle', '');
            }
            return opening === this.opening ? error.message : '';
        }
    }

    /** Has the menu name the puzzle that is open. */
    showChoice() {
        $('puzzle').value = this.source.name || '';
    }

    async begin(info, state, goal) {
        this.problem('');
        this.appear();
        Object.assign(this, {info, states: [], at: 0, target: null, steps: null,
            solution: null, next: null, waiting: []});
        this.look = new Look(info, null);
        this.board.setPuzzle(info);
        this.answer.setPuzzle(info);
        this.goal.setPuzzle(info);
        this.plot.setPuzzle(info);
        this.own.setPuzzle(info);
        this.showChoice();
        $('play-title').textContent = info.name;
        $('states').textContent = info.statesText + ' states';
        $('about').textContent = describePuzzle(info);
        $('how').textContent = describeUse(info);
        $('state-label').textContent = info.isRolling ? 'Start' : 'State';
        $('random').textContent = info.defaultStart ? 'Random goal' : 'Random';
        const first = {row: info.goals[0], text: info.goalTexts[0], move: -1};
        if (goal) {
            await this.goal.setText(goal, true);
        }
        $('state-problem').textContent = '';
        this.states = [state ? await this.read(state, first) : first];
        this.refresh(null, !!$('state-problem').textContent);
    }

    /** A state that somebody typed; if it is wrong, the fallback. */
    async read(text, fallback) {
        try {
            const row = await this.client.call('read', ['STATE', text, false]);
            return {row, text, move: -1};
        } catch (error) {
            $('state').value = text;
            this.fault('state-problem', error);
            return fallback;
        }
    }

    /** Opens a puzzle that the page has. */
    async openNamed(name, state, goal) {
        const opening = this.opening = {};
        try {
            const bytes = await load(name + '.dtab');
            if (opening === this.opening) {
                this.problem(await this.open(new Blob([bytes]), {name}, state, goal));
            }
        } catch (error) {
            this.problem(error.message);
            this.showChoice();
        }
    }

    /** Before, the panels are invisible, so that nothing jumps when the first puzzle comes. */
    appear() {
        document.body.classList.remove('waiting');
    }

    problem(text) {
        if (text) {
            this.appear();
        }
        $('problem').textContent = text;
        $('problem').hidden = !text;
    }

    // ---- States ----

    /** Goes to a new state. */
    go(state, ms) {
        this.answer.pause();
        this.states.splice(this.at + 1);
        if (this.states.length >= STATES_MOST) {
            this.states.shift();
        }
        this.states.push(state);
        this.at = this.states.length - 1;
        this.solution = null;
        this.refresh(state.move >= 0 ? {move: state.move, ms} : null);
    }

    /** Makes a move by hand. */
    move(move) {
        if (!this.info) {
            return;
        }
        if (!this.next) {
            this.waiting = this.waiting.concat(move).slice(-3);
            return;
        }
        if (this.next[move]) {
            this.go({row: this.next[move], text: this.texts[move], move}, MOVE_MS);
        }
    }

    /** Goes to another state of the list. */
    travel(at, ms) {
        if (!this.info || at < 0 || at >= this.states.length || at === this.at) {
            return;
        }
        const forward = at === this.at + 1;
        this.at = at;
        this.refresh(forward && ms ? {move: this.state.move, ms} : null);
    }

    /** Puts a path behind the current state. */
    follow(path) {
        this.states.splice(this.at + 1);
        path.moves.forEach((move, i) => this.states.push(
            {row: path.states[i + 1], text: path.texts[i + 1], move}));
        this.solution = {begin: this.at, length: path.moves.length, text: path.text};
        this.history();
    }

    /** On a board of rolling cubes, a click puts the blank there. */
    placeBlank(cell) {
        const row = this.state.row.slice();
        const blank = row.indexOf(0);
        if (blank >= 0 && blank !== cell) {
            row.fill(1);
            row[cell] = 0;
            this.set(row);
        }
    }

    async set(row) {
        const {info} = this;
        try {
            this.client.renew();
            const text = await this.client.call('write', [row]);
            if (info === this.info) {
                this.go({row, text, move: -1}, 0);
            }
        } catch (error) {
            this.fault('state-problem', error);
        }
    }

    fault(id, error) {
        if (!(error instanceof Stopped)) {
            $(id).textContent = error.message;
        }
    }

    /** A random state; where distances count from a start, a random goal. */
    async random(distance) {
        const {info} = this;
        if (!info) {
            return;
        }
        this.client.renew();
        const row = await this.client.call('random', [distance]);
        if (info !== this.info) {
            return;
        }
        if (info.defaultStart) {
            await this.goal.setRow(row);
            await this.set(info.defaultStart);
        } else {
            if (distance !== null) {
                await this.goal.setRow(null);
            }
            await this.set(row);
        }
    }

    async typed(text) {
        const {info} = this;
        $('state-problem').textContent = '';
        if (!info) {
            return;
        }
        this.answer.pause();
        try {
            this.client.renew();
            const {state, target} = await this.client.call('readAny', [text, this.state.row]);
            if (info === this.info) {
                if (target) {
                    await this.goal.setRow(target);
                }
                await this.set(state);
            }
        } catch (error) {
            this.fault('state-problem', error);
            this.refresh(null, true);
        }
    }

    // ---- Showing ----

    history() {
        $('undo').disabled = this.at === 0;
        $('redo').disabled = this.at >= this.states.length - 1;
        $('reset').disabled = $('random').disabled = false;
    }

    /** Shows the current state, and asks about it. */
    async refresh(change, keepsProblem) {
        const {info, state} = this;
        const generation = this.client.renew();
        if (!keepsProblem) {
            $('state-problem').textContent = '';
            $('state').value = state.text;
        }
        this.next = null;
        this.history();
        this.board.show(state.row, splitText(state.text, info.cellCount), change);
        this.link.update();
        const looking = this.client.call('look', [state.row]); // before a long search
        this.answer.ask();
        try {
            const {text, next, texts} = await looking;
            if (this.client.generation === generation) {
                state.text = text;
                if (!keepsProblem) {
                    $('state').value = text;
                }
                this.next = next;
                this.texts = texts;
                this.board.setNext(next);
                this.answer.setNext(next);
                this.makeWaiting();
            }
        } catch (error) {
            if (!(error instanceof Stopped)) {
                this.problem(error.message);
            }
        }
    }

    makeWaiting() {
        const [first, ...rest] = this.waiting;
        this.waiting = [];
        if (first !== undefined) {
            this.move(first);
            this.waiting = rest;
        }
    }

    /** The distance is known. */
    answered() {
        const {info, solution} = this;
        const steps = info.defaultStart && solution ? solution.length : this.steps;
        this.plot.mark(this.isBounded ? steps : -1);
    }

    /** The goal has changed. */
    aim(target) {
        this.target = target;
        this.solution = null;
        if (this.states.length) {
            this.answer.pause();
            this.refresh(null);
        }
    }
}

/** The first sentence of the comment with which a definition begins. */
function describePuzzle(info) {
    const comment = /^\s*((?:#[^\n]*\n)+)/.exec(info.definition);
    const text = comment ? comment[1].replace(/#/g, ' ').replace(/\s+/g, ' ').trim() : '';
    const sentence = /^.{10,200}?[.:](?= |$)/.exec(text);
    return sentence ? sentence[0].replace(/:$/, '.') : '';
}

function describeUse(info) {
    if (!info.board) {
        return 'This puzzle has no board. The buttons make its moves.';
    }
    if (info.isRolling) {
        return 'All cubes begin with the first colour on top. Click where the blank begins.';
    }
    if (info.cells.every(cell => cell.set === 'FACES')) {
        return 'Arrow keys roll the die. Or drag the face in its middle, the top.';
    }
    if (info.hasBlank) {
        const layers = info.boardSize[2] > 1 ? ' The first layer lies above the next.' : '';
        return 'Click or drag a tile next to the blank. Arrow keys slide tiles, too.' + layers;
    }
    if (info.cells.every(cell => cell.orientation)) {
        return 'Click a cell, or choose it with the arrow keys and press Enter.';
    }
    return 'Drag a tile; or choose it with arrow keys, and press Shift and an arrow key.';
}
