// An open table in the memory of WebAssembly, and its answers. Runs in the worker.
'use strict';

/**
 * What the page knows of an open table: struct fewest_info and a little more.
 * @typedef {{name: string, definition: string, statesText: string, cells: Cell[],
 *   goals: Uint8Array[], goalTexts: string[], defaultStart: ?Uint8Array, board: ?number[],
 *   boardSize: number[], cellCount: number, moves: string[], hasBlank: boolean,
 *   isSearched: boolean, isUncounted: boolean, joinsMoves: boolean, isRolling: boolean,
 *   stateCount: number, counts: ?number[], largest: number, carries: ?(number[])[],
 *   hasWildcards: boolean}} Info
 * @typedef {{set: string, letters: string, values: number, orientation: boolean}} Cell
 */

const CELLS_MOST = 8192;
const TEXT_BYTES = 32776;
const PATH_BYTES = 1028; // struct fewest_path
const STATS_BYTES = 2072; // struct fewest_stats
const PARITY_BYTES = 516; // struct fewest_parity
const ANY = -2;
const UNREACHABLE = -1;
const LIMITED = 8; // enum fewest_status
const GOALS = 0xFE;
const PROBES = 40; // random states that tell what a move takes where
const DRAWS_MOST = 100;
const CARRIES_MOST = 400; // cells of a board that is learnt

/** An error whose text the library wrote. */
class LibraryError extends Error {
    constructor(text, status, fault) {
        super(text);
        this.status = status;
        this.fault = fault || 0;
    }
}

/** An open table. */
class Table {
    constructor(module, bytes) {
        const m = this.m = module;
        this.at = m.check(m.f.fewest_open_buffer(m.put(bytes), bytes.length, m.error));
        m.check(m.f.page_watch_table(this.at, 0, m.error));
        this.rows = [0, 1, 2].map(() => m.room(CELLS_MOST));
        this.path_ = m.room(PATH_BYTES);
        this.parity_ = m.room(PARITY_BYTES);
        this.stats_ = m.room(STATS_BYTES);
        this.steps_ = m.room(4);
        this.text_ = m.room(TEXT_BYTES);
        this.readInfo();
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

    readInfo() {
        const m = this.m;
        const at = m.f.fewest_info(this.at);
        const pointer = offset => m.u32(at + offset);
        this.n = pointer(56);
        const goalCount = pointer(64);
        const size = [0, 1, 2].map(i => pointer(72 + 4 * i));
        const flags = m.bytes(at + 84, 4).slice();
        const places = size[0] * size[1] * size[2];
        this.info = /** @type {Info} */ ({
            name: m.text(pointer(0)),
            definition: m.text(pointer(4)),
            statesText: m.text(pointer(8)),
            cells: this.readCells(pointer(12)),
            goals: Array.from({length: goalCount}, (_, i) =>
                this.row(pointer(16) + i * this.n)),
            defaultStart: pointer(24) ? this.row(pointer(24)) : null,
            board: pointer(28) ?
                Array.from({length: places}, (_, i) => m.i32(pointer(28) + 4 * i)) : null,
            boardSize: size,
            stateCount: m.u64(at + 40),
            cellCount: this.n,
            moves: Array.from({length: pointer(60)}, (_, i) =>
                m.text(m.f.fewest_move_name(this.at, i))),
            hasBlank: !!flags[0],
            isSearched: !!flags[1],
            isUncounted: !!flags[2],
            joinsMoves: !!flags[3],
        });
        this.info.goalTexts = this.info.goals.map(goal => this.write(goal));
    }

    readCells(at) {
        const m = this.m;
        return Array.from({length: this.n}, (_, i) => ({
            set: m.text(m.u32(at + 16 * i)),
            letters: m.text(m.u32(at + 16 * i + 4)),
            values: m.u32(at + 16 * i + 8),
            orientation: !!m.bytes(at + 16 * i + 12, 1)[0],
        }));
    }

    /** Adds what takes a little longer: the distribution, and what moves take where. */
    describe() {
        const info = this.info;
        const start = info.goals[0];
        info.isRolling = info.hasBlank && this.next(start).every(state => !state);
        info.counts = null;
        info.largest = -1;
        if (!info.isSearched) {
            this.count();
        }
        const learns = info.board && !info.hasBlank && this.n <= CARRIES_MOST;
        info.carries = learns ? info.moves.map((_, move) => this.learn(move)) : null;
        return info;
    }

    count() {
        const m = this.m;
        if (m.f.fewest_count(this.at, 0, this.stats_, m.error)) {
            this.info.largest = m.u32(this.stats_ + 2064);
            this.info.counts = Array.from({length: this.info.largest + 1}, (_, i) =>
                m.u64(this.stats_ + 8 + 8 * i));
        }
    }

    /** For each cell, the cell to which the move takes its piece; -1 where none is known. */
    learn(move) {
        const {cells} = this.info;
        const from = cells.map(cell => cell.orientation ? [] : null);
        for (let probe = 0; probe < PROBES; probe++) {
            this.m.f.page_draw(this.at, this.rows[0]);
            const before = this.row(this.rows[0]);
            const after = this.apply(move, before);
            if (after) {
                narrow(cells, from, before, after);
            }
            if (from.every(sources => sources && sources.length < 2)) {
                break;
            }
        }
        const to = new Array(this.n).fill(-1);
        from.forEach((sources, cell) => {
            if (sources && sources.length) {
                to[sources.includes(cell) ? cell : sources[0]] = cell;
            }
        });
        return to;
    }

    write(row) {
        const m = this.m;
        m.check(m.f.fewest_write_state(this.at, this.putRow(0, row), this.text_, m.error));
        return m.text(this.text_);
    }

    /** Reads a state or, as a target, one that may have wildcards. */
    read(what, text, asTarget) {
        const m = this.m;
        const bytes = new TextEncoder().encode(text);
        const at = m.put(bytes);
        const reader = asTarget ? m.f.fewest_read_target : m.f.fewest_read_state;
        const name = m.put(new TextEncoder().encode(what + '\0'));
        try {
            m.check(reader(this.at, name, at, bytes.length, this.rows[0], m.error));
        } finally {
            m.f.free(at);
            m.f.free(name);
        }
        return this.row(this.rows[0]);
    }

    /** Reads a state and perhaps a target, as in one line of text, or moves. */
    readAny(text, from) {
        const m = this.m;
        const bytes = new TextEncoder().encode(text);
        const at = m.put(bytes);
        try {
            if (m.f.fewest_read_query(this.at, at, bytes.length, this.rows[0], this.rows[1],
                m.error)) {
                const target = this.row(this.rows[1]);
                const state = this.row(this.rows[0]);
                return {state, target: target[0] === GOALS ? null : target};
            }
            const problem = m.text(m.error + 4);
            if (/[^\s]/.test(text) && m.f.fewest_read_moves(this.at, this.putRow(1, from), at,
                bytes.length, this.rows[0], m.error)) {
                return {state: this.row(this.rows[0]), target: null, moves: true};
            }
            throw new LibraryError(problem, 1);
        } finally {
            m.f.free(at);
        }
    }

    apply(move, from) {
        const m = this.m;
        const done = m.f.fewest_apply(this.at, move, this.putRow(0, from), this.rows[2],
            m.error);
        return done ? this.row(this.rows[2]) : null;
    }

    /** For each move, the state to which it leads; null if it can't be made. */
    next(state) {
        return this.info.moves.map((_, move) => this.apply(move, state));
    }

    /** The text of a state, and the states to which the moves lead, with their texts. */
    look(state) {
        const next = this.next(state);
        return {
            text: this.write(state), next,
            texts: next.map(row => row && this.write(row)),
        };
    }

    steps(start, target) {
        const m = this.m;
        m.check(m.f.fewest_steps(this.at, this.putRow(0, start), this.putTarget(target),
            this.steps_, m.error));
        return m.i32(this.steps_);
    }

    /**
     * How many moves lead from a state to a target, and if none do, why. A search takes long
     * but finds a path, too.
     */
    answer(start, target) {
        const m = this.m;
        const path = this.info.isSearched ? this.path(start, target) : null;
        const steps = path ? path.steps : this.steps(start, target);
        let reason = '';
        if (steps === UNREACHABLE) {
            m.check(m.f.fewest_parity(this.at, this.putRow(0, start), this.putTarget(target),
                this.parity_, m.error));
            reason = m.text(this.parity_ + 1);
        }
        return {steps, reason, path};
    }

    /** For each of these moves, by how much it changes the distance, or null. */
    marks(start, target, steps, moves) {
        const m = this.m;
        const limit = this.info.isSearched ? Math.max(steps, 1) : 0;
        m.check(m.f.page_watch_table(this.at, limit, m.error));
        try {
            return moves.map(move => this.mark(this.apply(move, start), target, steps));
        } finally {
            m.f.page_watch_table(this.at, 0, m.error);
        }
    }

    mark(state, target, steps) {
        if (!state) {
            return null;
        }
        try {
            const then = this.steps(state, target);
            return then < 0 ? 'never' : then - steps;
        } catch (error) {
            if (error.status === LIMITED) {
                return 1;
            }
            throw error;
        }
    }

    /** A shortest path: its moves, the states on it, and its text. */
    path(start, target) {
        const m = this.m;
        m.check(m.f.fewest_path(this.at, this.putRow(0, start), this.putTarget(target),
            this.path_, m.error));
        const count = Math.max(m.i32(this.path_), 0);
        const moves = Array.from({length: count}, (_, i) => m.u32(this.path_ + 4 + 4 * i));
        const states = [this.row(this.rows[0])];
        for (let i = 1; i <= count; i++) {
            m.check(m.f.fewest_follow(this.at, this.putRow(0, start), this.path_ + 4, i,
                this.rows[2], m.error));
            states.push(this.row(this.rows[2]));
        }
        const names = moves.map(move => this.info.moves[move]);
        return {
            steps: m.i32(this.path_), moves, states,
            texts: states.map(state => this.write(state)),
            text: names.join(this.info.joinsMoves ? '' : ' '),
        };
    }

    /** A random state that can be reached; at a distance, unless that is null. */
    random(distance) {
        const m = this.m;
        if (distance === null) {
            return this.info.isSearched || !this.info.stateCount ?
                this.drawReachable() || this.scramble() : this.pick();
        }
        const counts = this.info.counts || [];
        const number = Math.floor(Math.random() * (counts[distance] || 1));
        const found = m.f.page_select(this.at, 0, distance, number, this.rows[2], m.error);
        m.check(found >= 0);
        if (!found) {
            throw new LibraryError('No state is at distance ' + distance + '.', 1);
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
            if (m.f.fewest_parity(this.at, this.rows[2], 0, this.parity_, m.error) &&
                m.bytes(this.parity_, 1)[0]) {
                return this.row(this.rows[2]);
            }
        }
        return null;
    }

    /** Moves at random, as people scramble a puzzle. */
    scramble() {
        let state = this.info.goals[0];
        for (let i = 0; i < 60 + 20 * this.n; i++) {
            const move = Math.floor(Math.random() * this.info.moves.length);
            state = this.apply(move, state) || state;
        }
        return state;
    }
}

/** Keeps the sources of each cell that the two states allow. */
function narrow(cells, from, before, after) {
    const at = new Map();
    cells.forEach((cell, i) => {
        const key = cell.set + ' ' + before[i];
        if (!cell.orientation) {
            at.set(key, (at.get(key) || []).concat(i));
        }
    });
    cells.forEach((cell, i) => {
        if (!cell.orientation) {
            const possible = at.get(cell.set + ' ' + after[i]) || [];
            from[i] = from[i] ? from[i].filter(j => possible.includes(j)) : possible;
        }
    });
}

/** Makes the table of a definition. */
function makeTable(module, definition, metric, memory) {
    const m = module;
    const bytes = typeof definition === 'string' ?
        new TextEncoder().encode(definition) : definition;
    const at = m.put(bytes);
    const result = m.room(16); // struct fewest_gen_result
    const done = m.f.page_make(at, bytes.length, metric, memory, result, m.error);
    m.check(done, m.i32(result + 12));
    return m.bytes(m.u32(result), m.u32(result + 4)).slice();
}
