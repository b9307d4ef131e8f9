// An open table in the memory of WebAssembly, and its answers. Runs in the worker.
'use strict';

/**
 * A state: its cells, its text, and the move that led to it, if one did.
 * @typedef {{row: Uint8Array, text: string, move: (number|undefined)}} State
 * What the page knows of an open table: struct fewest_info and a little more.
 * @typedef {{name: string, definition: string, statesText: string, cells: Cell[],
 *   goals: State[], defaultStart: ?State, board: ?number[], boardSize: number[],
 *   cellCount: number, moves: string[], hasBlank: boolean, isSearched: boolean,
 *   isUncounted: boolean, joinsMoves: boolean, isRolling: boolean, stateCount: number,
 *   counts: ?number[], largest: number, carries: ?(number[])[]}} Info
 * @typedef {{set: string, letters: string, values: number, orientation: boolean}} Cell
 */

const CELLS_MOST = 8192;
const TEXT_BYTES = 32776;
const ANSWER_BYTES = 2072; // struct fewest_stats, the largest answer; fewest_path has 1028
const RESULT_BYTES = 16; // struct fewest_gen_result
const LIMITED = 8; // enum fewest_status
const MEMORY_FAULT = 3; // enum fewest_gen_fault
const GOALS = 0xFE;
const PROBES = 40; // random states that tell what a move takes where
const DRAWS_MOST = 100;
const CARRIES_MOST = 400; // cells of a board that is learnt

const list = (count, get) => Array.from({length: count}, (_, i) => get(i));

/** An error that ends a call, but not the worker. Most texts are the library's. */
class LibraryError extends Error {
    constructor(text) {
        super(sayPlainly(text));
    }
}

/** A message of the library in the words of the page: START is the board, TARGET the goal. */
function sayPlainly(text) {
    return text.replace(/(^|[ (])(a )?(START|TARGET)(?=$|[ :;,.)])/g, (_, before, one, word) =>
        before + (one || 'the ') + (word === 'START' ? 'board' : 'goal'))
        .replace(/^the (?=board:|goal:)/, 'The ');
}

/** An open table. */
class Table {
    constructor(module, bytes) {
        const m = this.m = module;
        this.at = m.check(m.f.fewest_open_buffer(m.put(bytes), bytes.length, m.error));
        this.limitSearches(0);
        this.rows = [0, 1, 2].map(() => m.room(CELLS_MOST));
        this.out = m.room(ANSWER_BYTES);
        this.text_ = m.room(TEXT_BYTES);
        this.readInfo();
        this.count();
        this.learnMoves();
    }

    limitSearches(limit) {
        this.m.check(this.m.f.page_watch_table(this.at, limit, this.m.error));
    }

    row(at) {
        return this.m.bytes(at, this.n).slice();
    }

    putRow(which, row) {
        this.m.bytes(this.rows[which], this.n).set(row);
        return this.rows[which];
    }

    putTarget(target) {
        return target ? this.putRow(1, target) : 0;
    }

    /** Has a function read a text, which it gets as an address and a length. */
    withText(text, read) {
        const bytes = new TextEncoder().encode(text);
        const at = this.m.put(bytes);
        try {
            return read(at, bytes.length);
        } finally {
            this.m.f.free(at);
        }
    }

    readInfo() {
        const m = this.m;
        const at = m.f.fewest_info(this.at);
        const pointer = offset => m.u32(at + offset);
        this.n = pointer(56);
        const size = [0, 1, 2].map(i => pointer(72 + 4 * i));
        const flags = m.bytes(at + 84, 4).slice();
        const places = size[0] * size[1] * size[2];
        this.info = /** @type {Info} */ ({
            name: m.text(pointer(0)),
            definition: m.text(pointer(4)),
            statesText: m.text(pointer(8)),
            cells: list(this.n, i => this.readCell(pointer(12) + 20 * i)),
            goals: list(pointer(64), i => this.state(this.row(pointer(16) + i * this.n))),
            defaultStart: pointer(24) ? this.state(this.row(pointer(24))) : null,
            board: pointer(28) ? list(places, i => m.i32(pointer(28) + 4 * i)) : null,
            boardSize: size,
            stateCount: m.u64(at + 40),
            cellCount: this.n,
            moves: list(pointer(60), i => m.text(m.f.fewest_move_name(this.at, i))),
            hasBlank: !!flags[0],
            isSearched: !!flags[1],
            isUncounted: !!flags[2],
            joinsMoves: !!flags[3],
        });
    }

    readCell(at) {
        const m = this.m;
        return {
            set: m.text(m.u32(at)),
            letters: m.text(m.u32(at + 4)),
            values: m.u32(at + 8),
            orientation: !!m.bytes(at + 12, 1)[0],
        };
    }

    /** Finds how many states there are at each distance, if the table can tell. */
    count() {
        const {m, info} = this;
        info.counts = null;
        info.largest = -1;
        if (!info.isSearched && m.f.fewest_count(this.at, 0, this.out, m.error)) {
            info.largest = m.u32(this.out + 2064);
            info.counts = list(info.largest + 1, i => m.u64(this.out + 8 + 8 * i));
        }
    }

    /** Finds what moves do, as far as drawing them needs it. */
    learnMoves() {
        const {info} = this;
        info.isRolling = info.hasBlank && this.next(info.goals[0].row).every(state => !state);
        const learns = info.board && !info.hasBlank && this.n <= CARRIES_MOST;
        info.carries = learns ? info.moves.map((_, move) => this.learn(move)) : null;
    }

    /** For each cell, the cell to which the move takes its piece; -1 where none is known. */
    learn(move) {
        const {cells} = this.info;
        const pieces = cells.map((_, i) => i).filter(i => !cells[i].orientation);
        let from = pieces.map(() => pieces); // the cells from which each may get its piece
        for (let probe = 0; probe < PROBES && from.some(some => some.length > 1); probe++) {
            this.m.f.page_draw(this.at, this.rows[0]);
            const before = this.row(this.rows[0]);
            const after = this.apply(move, before);
            if (after) {
                from = from.map((sources, k) => sources.filter(i =>
                    cells[i].set === cells[pieces[k]].set && before[i] === after[pieces[k]]));
            }
        }
        const to = new Array(this.n).fill(-1);
        from.forEach((sources, k) => {
            if (sources.length) {
                to[sources.includes(pieces[k]) ? pieces[k] : sources[0]] = pieces[k];
            }
        });
        return to;
    }

    /**
     * What the table is, and what an address says of it: the state and the goal with these texts,
     * or else what is wrong with them.
     */
    describe(stateText, goalText) {
        const read = (text, isTarget) => {
            try {
                return {state: text ? this.read(text, isTarget) : null, fault: ''};
            } catch (error) {
                return {state: null, fault: error.message};
            }
        };
        return {info: this.info, start: read(stateText, false), goal: read(goalText, true)};
    }

    // ---- States ----

    /**
     * The state with these cells.
     * @returns {State}
     */
    state(row) {
        const m = this.m;
        m.check(m.f.fewest_write_state(this.at, this.putRow(0, row), this.text_, m.error));
        return {row, text: m.text(this.text_)};
    }

    /** Reads a state or, as a target, one that may have wildcards. */
    read(text, isTarget) {
        const m = this.m;
        const read = isTarget ? m.f.fewest_read_target : m.f.fewest_read_state;
        this.withText(isTarget ? 'TARGET\0' : 'START\0', what => this.withText(text, (at, length) =>
            m.check(read(this.at, what, at, length, this.rows[0], m.error))));
        return this.state(this.row(this.rows[0]));
    }

    /** Reads a state and perhaps a target, as in one line of text, or moves. */
    readAny(text, from) {
        const {m, rows} = this;
        return this.withText(text, (at, length) => {
            if (m.f.fewest_read_query(this.at, at, length, rows[0], rows[1], m.error)) {
                const target = this.row(rows[1]);
                return {
                    state: this.state(this.row(rows[0])),
                    target: target[0] === GOALS ? null : this.state(target),
                };
            }
            const problem = m.text(m.error + 4);
            const mayBeMoves = /[^\s]/.test(text) && !m.f.page_is_facelets(at, length);
            // From the solved state, rotations only change how the puzzle is held.
            const isSolved = from.every((value, i) => value === this.info.goals[0].row[i]);
            const begin = isSolved ? 0 : this.putRow(1, from);
            if (mayBeMoves && m.f.fewest_read_moves(this.at, begin, at, length, rows[0], m.error)) {
                return {state: this.state(this.row(rows[0])), target: null};
            }
            throw new LibraryError(problem);
        });
    }

    apply(move, from) {
        const m = this.m;
        const done = m.f.fewest_apply(this.at, move, this.putRow(0, from), this.rows[2], m.error);
        return done ? this.row(this.rows[2]) : null;
    }

    /** For each move, the state to which it leads; null if it can't be made. */
    next(row) {
        return this.info.moves.map((_, move) => {
            const after = this.apply(move, row);
            return after && {...this.state(after), move};
        });
    }

    /** A random state that can be reached; at a distance, unless that is null. */
    random(distance) {
        if (distance !== null) {
            return this.state(this.pickAt(distance));
        }
        return this.state(this.info.isSearched || !this.info.stateCount ?
            this.drawReachable() || this.scramble() : this.pick());
    }

    pickAt(distance) {
        const m = this.m;
        const number = Math.floor(Math.random() * this.info.counts[distance]);
        const found = m.f.page_select(this.at, 0, distance, number, this.rows[2], m.error);
        m.check(found >= 0);
        if (!found) {
            throw new LibraryError('No state is at distance ' + distance + '.');
        }
        return this.row(this.rows[2]);
    }

    pick() {
        const m = this.m;
        const number = Math.floor(Math.random() * this.info.stateCount);
        m.check(m.f.fewest_pick(this.at, BigInt(number), this.rows[2], m.error));
        return this.row(this.rows[2]);
    }

    /** Draws arrangements until one can reach the solved state; null without luck. */
    drawReachable() {
        const m = this.m;
        for (let i = 0; i < DRAWS_MOST && !this.info.isUncounted; i++) {
            m.f.page_draw(this.at, this.rows[2]);
            if (m.f.fewest_parity(this.at, this.rows[2], 0, this.out, m.error) &&
                m.bytes(this.out, 1)[0]) {
                return this.row(this.rows[2]);
            }
        }
        return null;
    }

    /** Moves at random, as people scramble a puzzle. */
    scramble() {
        let row = this.info.goals[0].row;
        for (let i = 0; i < 60 + 20 * this.n; i++) {
            const move = Math.floor(Math.random() * this.info.moves.length);
            row = this.apply(move, row) || row;
        }
        return row;
    }

    // ---- Answers ----

    /**
     * A shortest path from a state to a target: how many moves it has, the states after each, and
     * its text. If there is none, why.
     */
    answer(start, target) {
        const m = this.m;
        m.check(m.f.fewest_path(this.at, this.putRow(0, start), this.putTarget(target), this.out,
            m.error));
        const path = this.readPath(start);
        return {...path, reason: path.steps < 0 ? this.explain(start, target) : ''};
    }

    /** The path in this.out: how many moves it has, the states after each, and its text. */
    readPath(start) {
        const m = this.m;
        const steps = m.i32(this.out);
        const moves = list(Math.max(steps, 0), i => m.u32(this.out + 4 + 4 * i));
        const states = moves.map((move, i) => {
            m.check(m.f.fewest_follow(this.at, this.putRow(0, start), this.out + 4, i + 1,
                this.rows[2], m.error));
            return {...this.state(this.row(this.rows[2])), move};
        });
        const text = moves.map(move => this.info.moves[move])
            .join(this.info.joinsMoves ? '' : ' ');
        return {steps, states, text};
    }

    /** The number of shortest paths, as text. */
    countWays(start, target) {
        const m = this.m;
        m.check(m.f.fewest_count_paths(this.at, this.putRow(0, start), this.putTarget(target),
            this.out, m.error));
        return m.text(m.f.fewest_write_wide(this.out + 8, this.text_));
    }

    /** The shortest path after one whose moves are known. */
    nextWay(start, target, moves) {
        const m = this.m;
        m.view().setInt32(this.out, moves.length, true);
        moves.forEach((move, i) => m.view().setUint32(this.out + 4 + 4 * i, move, true));
        m.check(m.f.page_next_way(this.at, this.putRow(0, start), this.putTarget(target),
            this.out, m.error));
        return this.readPath(start);
    }

    /** Why a target can't be reached. */
    explain(start, target) {
        const m = this.m;
        m.check(m.f.fewest_parity(this.at, this.putRow(0, start), this.putTarget(target),
            this.out, m.error));
        return sayPlainly(m.text(this.out + 1));
    }

    /** For each of these moves, by how much it changes the distance, or null. */
    marks(start, target, steps, moves) {
        this.limitSearches(this.info.isSearched ? Math.max(steps, 1) : 0);
        try {
            return moves.map(move => this.mark(this.apply(move, start), target, steps));
        } finally {
            this.limitSearches(0);
        }
    }

    mark(state, target, steps) {
        const m = this.m;
        if (!state) {
            return null;
        }
        const done = m.f.fewest_steps(this.at, this.putRow(0, state), this.putTarget(target),
            this.out, m.error);
        if (!done && m.i32(m.error) === LIMITED) {
            return 1;
        }
        m.check(done);
        const then = m.i32(this.out);
        return then < 0 ? 'never' : then - steps;
    }
}

/** Makes the table of a definition, which may be a KPuzzle (JSON). A dictionary of Python is none. */
function makeTable(module, definition, metric, memory) {
    const m = module;
    const isJson = /^\ufeff?\s*\{(?!\s*')/.test(definition);
    const bytes = new TextEncoder().encode(isJson ? translateKPuzzle(definition) : definition);
    const result = m.room(RESULT_BYTES);
    const done = m.f.page_make(m.put(bytes), bytes.length, metric, memory, result, m.error);
    if (!done && m.i32(result + 12) === MEMORY_FAULT) {
        throw new LibraryError(m.text(m.error + 4) + '. A browser’s tab can hold no more.');
    }
    m.check(done);
    return new Blob([m.bytes(m.u32(result), m.u32(result + 4))]);
}
