// The answer: moves to go, what each move does to them, Hint, Solve and the player of a path.
'use strict';

const MARKS_WAIT = 60; // milliseconds without a change before moves are marked
const MOVE_MS = 160; // how long a move by hand is seen

const count = moves => moves === 1 ? '1 move' : moves + ' moves';

/** The panel of the answer. It changes `app`, which main.js explains. */
class Answer {
    constructor(app) {
        this.app = app;
        this.timer = 0;
        this.playing = 0;
        const on = (id, act) => $(id).addEventListener('click', act);
        on('hint', () => this.hint());
        on('solve', () => this.solve());
        on('stop', () => this.stop());
        on('back', () => this.jump(-1));
        on('forth', () => this.jump(1));
        on('pause', () => this.playing ? this.pause() : this.play());
        on('copy-path', () => copyField($('path'), $('copy-path')));
        $('scrub').addEventListener('input', () => {
            const move = Number($('scrub').value); // pausing shows the move before
            this.pause();
            if (app.solution) {
                app.travel(app.solution.begin + move);
            }
        });
    }

    setPuzzle(info) {
        this.pause();
        this.marked = null;
        this.buttons = info.moves.map((name, move) => make('button', {
            type: 'button', disabled: true, onclick: () => this.app.move(move),
        }, make('span', {}, name), make('span', {class: 'hidden'}),
        make('span', {class: 'mark', 'aria-hidden': 'true'})));
        $('moves').replaceChildren(...this.buttons);
        $('moves-note').textContent = describeMoves(info);
        $('legend').hidden = info.isRolling;
        this.showPlayer();
    }

    // ---- Moves to go ----

    say(text, detail) {
        const [moves, most] = text.split(/(?= \(at most)/);
        $('distance').replaceChildren(moves, make('span', {class: 'most'}, most || ''));
        $('detail').textContent = detail || '';
        if (!this.playing) {
            $('live').textContent = detail ? `${text}. ${detail}` : text;
        }
    }

    /** What is known of the current state on a path; null if it is not on one. */
    left() {
        const {solution, at} = this.app;
        const done = solution ? at - solution.begin : -1;
        return done >= 0 && done <= solution.length ? solution.length - done : null;
    }

    describe(steps) {
        const {info, isBounded} = this.app;
        const most = isBounded && info.largest >= 0 ? ` (at most ${info.largest})` : '';
        return steps === 0 ? 'Solved: 0 moves to go' : `${count(steps)} to go${most}`;
    }

    /** Asks how far the current state is. */
    async ask() {
        const {app} = this;
        clearTimeout(this.timer);
        this.path = null;
        this.mark(null);
        this.showPlayer();
        const known = this.left();
        if (known !== null) {
            this.busy(false);
            this.show({steps: known, reason: ''});
            return;
        }
        app.steps = null;
        this.busy(true);
        const wait = setTimeout(() => this.say('…', 'Searching'), 250);
        try {
            const args = [app.state.row, app.target];
            const answer = await app.client.call('answer', args, progress => {
                clearTimeout(wait);
                this.progress(progress);
            });
            clearTimeout(wait);
            this.busy(false);
            this.show(answer);
        } catch (error) {
            clearTimeout(wait);
            this.fail(error);
        }
    }

    show(answer) {
        const {app} = this;
        app.steps = answer.steps;
        this.path = answer.path || null;
        if (answer.steps < 0) {
            this.say('Unreachable', answer.reason);
        } else {
            this.say(this.describe(answer.steps), '');
        }
        const can = answer.steps > 0;
        $('hint').disabled = $('solve').disabled = !can;
        app.answered();
        if (!this.playing) {
            this.timer = setTimeout(() => this.askMarks(), MARKS_WAIT);
        }
    }

    fail(error) {
        if (error instanceof Stopped) {
            return; // somebody asks anew, or pressed Stop
        }
        this.busy(false);
        this.say('No answer', error.message);
    }

    progress({bound}) {
        this.say('…', bound ? `Looking for paths of ${count(bound)}` : 'Looking at states');
    }

    /** While the library works, Stop is possible, and Hint and Solve are not. */
    busy(is) {
        $('stop').disabled = !is;
        if (is) {
            $('hint').disabled = $('solve').disabled = true;
        }
    }

    stop() {
        this.pause();
        clearTimeout(this.timer);
        this.app.client.stop();
        this.busy(false);
        if (this.app.steps === null) {
            this.say('Stopped', 'Solve or any move asks again.');
        }
        $('solve').disabled = false;
    }

    // ---- What each move does ----

    async askMarks() {
        const {app} = this;
        const {info, state, target, steps} = app;
        if (!info || info.isRolling || steps === null || steps < 0) {
            return;
        }
        const all = info.moves.map((_, move) => move);
        const marks = all.map(() => null);
        // A search for each move may take long: each mark is shown when it is known.
        const parts = info.isSearched ? all.map(move => [move]) : [all];
        const begun = setTimeout(() => ($('stop').disabled = false), 300);
        try {
            for (const moves of parts) {
                const found = await app.client.call('marks', [state.row, target, steps, moves]);
                moves.forEach((move, i) => (marks[move] = found[i]));
                this.mark(marks);
            }
        } catch (error) {
            // Somebody asks anew, or some moves stay without marks.
        }
        clearTimeout(begun);
        if (app.state === state && app.steps !== null) {
            $('stop').disabled = true;
        }
    }

    mark(marks) {
        this.marked = marks;
        this.buttons.forEach((button, move) => {
            const [kind, sign, words] = wordMark(marks ? marks[move] : null);
            button.lastChild.textContent = sign;
            button.lastChild.className = 'mark ' + kind;
            button.children[1].textContent = words;
            if (!marks) { // another state, to which no hint belongs
                button.classList.remove('hinted');
            }
        });
        if (!marks) {
            this.app.board.hint(null);
        }
    }

    /** Enables the moves that can be made. */
    setNext(next) {
        this.buttons.forEach((button, move) => (button.disabled = !next[move]));
    }

    async hint() {
        const {app} = this;
        const {state, target} = app;
        const move = this.left() > 0 ? app.states[app.at + 1].move :
            this.marked ? this.marked.findIndex(change => change < 0) : -1;
        try {
            const found = move >= 0 ? move : (await this.findPath(state, target)).moves[0];
            if (app.state !== state || found === undefined) {
                return;
            }
            app.board.hint(found);
            this.buttons.forEach((button, i) =>
                button.classList.toggle('hinted', i === found));
            $('moves').scrollTop = this.buttons[found].offsetTop - $('moves').offsetTop - 60;
            this.say(this.describe(app.steps), `Hint: ${app.info.moves[found]}`);
        } catch (error) {
            this.fail(error);
        }
    }

    // ---- Solve ----

    /** A shortest path from the current state: the known one, or the library finds it. */
    async findPath(state, target) {
        if (this.path) {
            return this.path;
        }
        const {client} = this.app;
        client.renew(); // the marks of moves can wait
        this.busy(true);
        const wait = setTimeout(() => this.say('…', 'Searching'), 250);
        try {
            return await client.call('path', [state.row, target], progress => {
                clearTimeout(wait);
                this.progress(progress);
            });
        } finally {
            clearTimeout(wait);
            if (this.app.state === state) {
                this.busy(false);
                $('hint').disabled = $('solve').disabled = false;
            }
        }
    }

    async solve() {
        const {app} = this;
        const {state, target} = app;
        if (this.left() > 0) {
            this.play();
            return;
        }
        try {
            const path = await this.findPath(state, target);
            if (path.steps < 0) {
                this.show({steps: path.steps, reason: ''});
            } else if (app.state === state) {
                app.follow(path);
                this.play();
            }
        } catch (error) {
            this.fail(error);
        }
    }

    play() {
        const {app} = this;
        if (!this.left()) {
            if (app.solution) {
                app.travel(app.solution.begin);
            } else {
                return;
            }
        }
        clearTimeout(this.playing);
        const tick = () => {
            const ms = Number($('speed').value);
            if (!this.left()) {
                this.pause();
                return;
            }
            this.playing = setTimeout(tick, ms);
            app.travel(app.at + 1, Math.min(ms * 0.7, 400));
        };
        this.playing = setTimeout(tick, 0);
        this.showPlayer();
    }

    pause() {
        clearTimeout(this.playing);
        const played = this.playing;
        this.playing = 0;
        if (played && this.app.steps !== null) {
            this.say($('distance').textContent, '');
            this.timer = setTimeout(() => this.askMarks(), MARKS_WAIT);
        }
        this.showPlayer();
    }

    jump(by) {
        const {app} = this;
        this.pause();
        if (app.solution) {
            app.travel(app.at + by, MOVE_MS);
        }
    }

    /** Shows where on the path the page is. */
    showPlayer() {
        const {solution, at} = this.app;
        const left = this.left();
        const length = solution ? solution.length : 0;
        $('pause').textContent = this.playing ? 'Pause' : 'Play';
        $('pause').setAttribute('aria-label', this.playing ? 'Pause' : 'Play');
        $('pause').disabled = !length;
        $('scrub').disabled = !length;
        $('scrub').max = String(length);
        $('scrub').value = String(left === null ? 0 : length - left);
        $('scrub').setAttribute('aria-valuetext', `move ${length - (left || 0)} of ${length}`);
        $('back').disabled = left === null || at <= solution.begin;
        $('forth').disabled = !left;
        $('path').value = solution ? solution.text : '';
        $('copy-path').disabled = !length;
    }
}

function describeMoves(info) {
    if (info.isRolling) {
        return 'No move can be made by hand: a state shows only the tops of the cubes, and ' +
            'they do not tell how the next tops look. Solve rolls them.';
    }
    const names = info.moves.map(name => `${name} ${WAYS[name]}`);
    return info.hasBlank ? `A move says how the blank goes: ${names.join(', ')}.` : '';
}

const WAYS = {a: 'above', b: 'below', d: 'down', l: 'left', r: 'right', u: 'up'};

/** The class, the sign and the words of a move that changes the distance by so much. */
function wordMark(change) {
    if (change === null || change === undefined) {
        return ['', '', ''];
    }
    if (change === 'never') {
        return ['far', '▲∞', ', no way back'];
    }
    if (change === 0) {
        return ['same', '=', ', as far'];
    }
    const by = Math.abs(change) > 1 ? String(Math.abs(change)) : '';
    return change < 0 ? ['near', '▼' + by, `, ${by || 'one'} nearer`] :
        ['far', '▲' + by, `, ${by || 'one'} farther`];
}
