// What the page shows: a puzzle, the states that were met, and a goal. Each panel shows a part.
'use strict';

const STATES_MOST = 5000; // that Undo remembers

const sameRow = (a, b) => a.length === b.length && a.every((v, i) => v === b[i]);

/**
 * What the panels share. `solution` is the part of `states` that is a shortest path: {begin,
 * length, text}. `source` tells where the puzzle comes from: its `name` if the page has it, and how
 * an address holds it: {name, words, note}.
 */
class App {
    constructor(names) {
        this.names = names;
        this.client = new Client(null);
        this.coming = null; // the client of a puzzle that is being opened
        this.info = null;
        this.source = {};
        this.states = [];
        this.at = 0;
        this.target = null;
        this.solution = null;
        this.next = null; // the states to which moves lead; null if that is not known
        this.waiting = []; // moves that were made before it was known
        this.board = new Board(this);
        this.answer = new Answer(this);
        this.goal = new Goal(this);
        this.plot = new Plot(this);
        this.own = new Own(this);
        this.link = new Link(this);
        this.kept = []; // puzzles of one's own, which the menu names by their numbers
        onClick('undo', () => this.step(-1));
        onClick('redo', () => this.step(1));
        onClick('back', () => this.step(-1));
        onClick('forth', () => this.step(1));
        onClick('reset', () => this.go(this.info.goals[0]));
        onClick('random', () => this.random(null, 'state-problem'));
        onSubmit('state-form', () => this.typed($('state').value));
        onChange('puzzle', choice => {
            const kept = this.kept[choice];
            return kept ? this.openKept(kept) : this.openNamed(choice);
        });
        onClick('go-own', () => {
            $('own').scrollIntoView();
            $('own-title').focus();
        });
    }

    get state() {
        return this.states[this.at];
    }

    /** Is the distance one of those that the plot counts? */
    get isBounded() {
        const {info, solution, target} = this;
        const start = this.states[solution ? solution.begin : this.at];
        return !target || !!info.defaultStart && !target.row.includes(WILD) &&
            sameRow(start.row, info.defaultStart.row);
    }

    /**
     * Does what a person wants. If it fails, shows why in an element, and returns false. What is
     * stopped, or outdated by another wish, has not failed.
     */
    async attempt(id, act) {
        $(id).textContent = '';
        try {
            await act();
        } catch (error) {
            if (!(error instanceof Stopped)) {
                $(id).textContent = error.message;
                return false;
            }
        }
        return true;
    }

    // ---- Puzzles ----

    /**
     * Opens a table in a new worker and shows it, with the state and the goal of an address. If the
     * table is wrong, fails, and the puzzle before stays.
     */
    async open(table, source, stateText, goalText) {
        if (this.coming) {
            this.coming.stop();
        }
        const client = this.coming = new Client(table);
        this.answer.pause();
        let found = null;
        try {
            found = await client.call('describe', [stateText, goalText]);
        } catch (error) {
            if (!(error instanceof Stopped)) {
                client.stop();
                this.coming = null;
                this.showChoice();
                document.body.classList.replace('waiting', 'empty');
            }
            throw error;
        }
        this.client.stop();
        Object.assign(this, {client, source, coming: null});
        this.setPuzzle(found);
        $('goal-problem').textContent = found.goal.fault;
        $('state-problem').textContent = found.start.fault;
        if (found.start.fault) {
            $('state').value = stateText;
        }
        this.refresh(0, !!found.start.fault);
    }

    setPuzzle({info, start, goal}) {
        Object.assign(this, {info, states: [start.state || info.goals[0]], at: 0, solution: null,
            waiting: []});
        this.board.setPuzzle(info);
        this.answer.setPuzzle(info);
        this.goal.setPuzzle(info);
        this.goal.take(goal.state);
        this.plot.setPuzzle(info);
        $('save').disabled = false;
        if (!this.source.name) {
            this.keep(this.client.table, this.source, info.name);
        }
        this.showChoice();
        document.body.classList.remove('waiting', 'empty');
        $('problem').textContent = '';
        $('play-title').textContent = info.name;
        $('states').textContent = info.statesText + ' states';
        $('about').textContent = describePuzzle(info);
        $('how').textContent = describeUse(info);
        $('state-label').textContent = info.isRolling ? 'Start' : 'State or moves';
        $('random').textContent = info.defaultStart ? 'Random goal' : 'Random';
    }

    /** Opens a puzzle that the page has. */
    openNamed(name, stateText, goalText) {
        const table = loadFile(name + '.dtab').then(bytes => new Blob([bytes]));
        return this.attempt('problem', () => this.open(table, {name}, stateText, goalText));
    }

    openKept({table, source}, stateText, goalText) {
        return this.attempt('problem', () => this.open(table, source, stateText, goalText));
    }

    /** Puts a puzzle of one's own into the menu. */
    keep(table, source, name) {
        const kept = source.words && this.findKept(new URLSearchParams(source.words));
        if (kept) {
            source.option = kept.source.option;
        } else if (!source.option) {
            source.option = make('option', {value: this.kept.length});
            this.kept.push({table, source});
            $('puzzle').append(source.option);
        }
        source.option.textContent = name;
    }

    /** The puzzle of one's own to which the words of an address lead. */
    findKept(words) {
        const [name, definition, moves] = ['puzzle', 'definition', 'moves'].map(w => words.get(w));
        return this.kept.find(({source}) => source.words ?
            source.words.definition === definition && String(source.words.moves) === moves :
            source.option.textContent === name && !this.names.includes(name));
    }

    /** Has the menu name the puzzle that is open. */
    showChoice() {
        const {name, option} = this.source;
        $('puzzle').value = option ? option.value : name || '';
    }

    // ---- States ----

    /** Goes to a new state. */
    go(state) {
        this.answer.pause();
        this.states.splice(this.at + 1);
        if (this.states.length >= STATES_MOST) {
            this.states.shift();
        }
        this.states.push(state);
        this.at = this.states.length - 1;
        this.solution = null;
        this.refresh(MOVE_MS);
    }

    /** Makes a move by hand, once or several times. */
    move(move, times = 1) {
        const again = Array(times - 1).fill(move);
        if (!this.next) {
            this.waiting = this.waiting.concat(move, again).slice(-Math.max(3, times));
        } else if (this.next[move]) {
            this.go(this.next[move]);
            this.waiting = again;
        }
    }

    /** Goes to another state of the list. A move forward is seen for some time. */
    travel(at, ms = MOVE_MS) {
        if (at >= 0 && at < this.states.length && at !== this.at) {
            const forward = at === this.at + 1;
            this.at = at;
            this.refresh(forward ? ms : 0);
        }
    }

    step(by) {
        this.answer.pause();
        this.travel(this.at + by);
    }

    /** Puts a path behind the current state. */
    follow({states, text}) {
        this.states.splice(this.at + 1);
        this.states.push(...states);
        this.solution = {begin: this.at, length: states.length, text};
        this.showHistory();
    }

    /** On a board of rolling cubes, a click puts the blank there. */
    placeBlank(cell) {
        const row = this.state.row.slice();
        if (row[cell] !== 0) {
            row.fill(1);
            row[cell] = 0;
            this.query('state-problem', 'state', [row], state => this.go(state));
        }
    }

    /** A random state; where distances count from a start, a random goal. */
    random(distance, id) {
        const {defaultStart} = this.info;
        this.query(id, 'random', [distance], state => {
            if (defaultStart) {
                this.goal.take(state);
            } else if (distance !== null) {
                this.goal.take(null);
            }
            this.go(defaultStart || state);
        });
    }

    typed(text) {
        this.query('state-problem', 'readAny', [text, this.state.row], ({state, target}) => {
            if (target) {
                this.goal.take(target);
            }
            this.go(state);
        });
    }

    /**
     * Asks the library about states, before all that it was asked, and does something with its
     * answer. If it has none, shows why, and asks about the current state again.
     */
    async query(id, call, args, act) {
        this.answer.pause();
        this.client.renew();
        const done = await this.attempt(id, async () => act(await this.client.call(call, args)));
        if (!done) {
            this.refresh(0, true);
        }
    }

    // ---- Showing ----

    showHistory() {
        $('undo').disabled = this.at === 0;
        $('redo').disabled = this.at >= this.states.length - 1;
    }

    /** Shows the current state, and asks about it. */
    refresh(ms, keepsText) {
        const {client, state} = this;
        client.renew();
        if (!keepsText) {
            $('state-problem').textContent = '';
            $('state').value = state.text;
        }
        this.showHistory();
        this.board.show(state, ms);
        this.link.update();
        this.askNext(); // before a long search
        this.answer.ask();
    }

    /** Asks where the moves lead, and makes the moves that wait for it. */
    askNext() {
        const {client, state} = this;
        this.next = null;
        this.waiting = [];
        this.attempt('problem', async () => {
            const next = this.next = await client.call('next', [state.row]);
            this.board.setNext(next);
            this.answer.setNext(next);
            const {waiting} = this;
            const first = waiting.findIndex(move => next[move]);
            if (first >= 0) {
                this.go(next[waiting[first]]);
                this.waiting = waiting.slice(first + 1);
            }
        });
    }

    /** Takes another goal; null stands for the nearest of the puzzle's. */
    aim(target) {
        this.answer.pause();
        this.goal.take(target);
        this.solution = null;
        this.refresh(0);
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
        return 'Click or drag a tile in line with the blank. Arrow keys slide tiles, too.' + layers;
    }
    if (info.cells.every(cell => cell.orientation)) {
        return 'Click a cell, or choose it with the arrow keys and press Enter.';
    }
    return 'Drag a tile; or choose it with arrow keys, and press Shift and an arrow key.';
}
