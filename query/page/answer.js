// The answer: moves to go, what each move does to them, Hint, Solve, the number of shortest ways and
// the player of a path.
'use strict';

const MARKS_WAIT = 60; // milliseconds without a change before moves are marked
const MOVE_MS = 160; // how long a move by hand is seen
const WAYS = {a: 'above', b: 'below', d: 'down', l: 'left', r: 'right', u: 'up'};

const countMoves = moves => moves === 1 ? '1 move' : moves + ' moves';

/** A number of ways, given by its digits: 20,922,789,888,000 shortest ways. */
const countWays = digits => digits === '1' ? '1 shortest way' :
    digits.replace(/\B(?=(\d{3})+$)/g, ',') + ' shortest ways';

/** The panel of the answer. */
class Answer {
    constructor(app) {
        this.app = app;
        this.timer = 0;
        this.playing = 0;
        this.steps = null; // to go; null if that is not known
        this.path = null; // a shortest one from the current state, if it is known
        new ResizeObserver(measureBar).observe($('bar'));
        onClick('hint', () => this.hint());
        onClick('solve', () => this.solve());
        onClick('stop', () => this.stop());
        onClick('pause', () => this.playing ? this.pause() : this.play());
        onClick('next-way', () => this.showNextWay());
        onClick('copy-path', () => copyField($('path'), $('copy-path')));
        $('scrub').addEventListener('input', () => {
            const move = Number($('scrub').value); // pausing shows the move before
            this.pause();
            app.travel(app.solution.begin + move);
        });
    }

    setPuzzle(info) {
        this.buttons = info.moves.map((name, move) => {
            const button = make('button', {type: 'button', disabled: ''}, make('span', {}, name),
                make('span', {class: 'hidden'}), make('span', {'aria-hidden': 'true'}));
            button.addEventListener('click', () => this.app.move(move));
            return button;
        });
        $('moves').replaceChildren(...this.buttons);
        $('moves-note').textContent = describeMoves(info);
        $('legend').hidden = info.isRolling;
    }

    // ---- Moves to go ----

    say(text, detail) {
        const [moves, most] = text.split(/(?= \(at most)/);
        $('distance').replaceChildren(moves, make('span', {class: 'most'}, most || ''));
        $('detail').textContent = detail;
        if (!this.playing) {
            $('live').textContent = (detail ? `${text}. ${detail}` : text).replace(':.', ':');
        }
    }

    /** What is known of the current state on a path; null if it is not on one. */
    left() {
        const {solution, at} = this.app;
        return solution && at >= solution.begin ? solution.begin + solution.length - at : null;
    }

    describe() {
        const {steps} = this;
        const {info, isBounded} = this.app;
        const most = isBounded && info.largest >= 0 ? ` (at most ${info.largest})` : '';
        return steps === 0 ? 'Solved: 0 moves to go' : `${countMoves(steps)} to go${most}`;
    }

    /** Finds out how far the current state is. */
    async ask() {
        const {client, state, target} = this.app;
        clearTimeout(this.timer);
        this.steps = null;
        this.path = null;
        this.mark(null);
        this.setWays(null);
        this.showPlayer();
        const left = this.left();
        if (left !== null) {
            this.show(left, '');
            return;
        }
        $('stop').disabled = false;
        $('hint').disabled = $('solve').disabled = true;
        const wait = setTimeout(() => this.say('…', 'Searching'), 250);
        try {
            const rows = [state.row, target && target.row];
            const path = await client.call('answer', rows, ({bound}) => {
                clearTimeout(wait);
                this.say('…', bound ? `Looking for paths of ${countMoves(bound)}` :
                    'Looking at states');
            });
            this.path = path;
            this.show(path.steps, path.reason);
        } catch (error) {
            if (!(error instanceof Stopped)) { // nobody asks anew, or pressed Stop
                $('stop').disabled = true;
                this.say('No answer', error.message);
            }
        } finally {
            clearTimeout(wait);
        }
    }

    show(steps, reason) {
        const {app} = this;
        const {info, solution} = app;
        this.steps = steps;
        if (steps < 0) {
            this.say("This board can't be solved:", reason);
        } else {
            this.say(this.describe(), '');
        }
        $('stop').disabled = true;
        $('hint').disabled = $('solve').disabled = steps <= 0;
        const counted = info.defaultStart && solution ? solution.length : steps;
        app.plot.mark(app.isBounded ? counted : -1);
        if (!this.playing) {
            this.timer = setTimeout(() => this.askMore(), MARKS_WAIT);
        }
    }

    stop() {
        this.pause();
        clearTimeout(this.timer);
        this.app.client.stop();
        this.app.askNext();
        $('stop').disabled = true;
        $('solve').disabled = false;
        if (this.steps === null) {
            this.say('Stopped', 'Solve or any move asks again.');
        }
    }

    // ---- Shortest ways ----

    /** Shows how many shortest ways there are; null if that is not known. */
    setWays(digits) {
        $('ways').textContent = digits ? countWays(digits) : '';
        $('next-way').disabled = !digits || digits === '1';
    }

    /** Counts the shortest ways from the current state. A searched puzzle would take too long. */
    async askWays() {
        const {steps} = this;
        const {info, client, state, target} = this.app;
        if (info.isSearched || steps < 1) {
            return;
        }
        const begun = setTimeout(() => ($('stop').disabled = false), 300);
        try {
            this.setWays(await client.call('countWays', [state.row, target && target.row]));
        } catch (error) {
            // Somebody asks anew, or there are too many to count.
        }
        clearTimeout(begun);
        if (this.app.state === state && this.steps !== null) {
            $('stop').disabled = true;
        }
    }

    /** Takes the next shortest way from the current state, after that which is known. */
    async showNextWay() {
        const {app} = this;
        const {state, target} = app;
        this.pause();
        const states = this.left() > 0 ? app.states.slice(app.at + 1) : this.path.states;
        const moves = states.map(({move}) => move);
        await app.attempt('problem', async () => {
            const path = await app.client.call('nextWay', [state.row, target && target.row, moves]);
            if (app.state === state) {
                this.markHint(null);
                app.follow(path);
                this.showPlayer();
            }
        });
    }

    // ---- What each move does ----

    /** Asks what is not needed for an answer. */
    async askMore() {
        await this.askWays();
        await this.askMarks();
    }

    async askMarks() {
        const {steps} = this;
        const {info, client, state, target} = this.app;
        if (info.isRolling || steps < 0) {
            return;
        }
        const all = info.moves.map((_, move) => move);
        const marks = all.map(() => null);
        // A search for each move may take long: each mark is shown when it is known.
        const parts = info.isSearched ? all.map(move => [move]) : [all];
        const begun = setTimeout(() => ($('stop').disabled = false), 300);
        try {
            for (const moves of parts) {
                const found = await client.call('marks',
                    [state.row, target && target.row, steps, moves]);
                moves.forEach((move, i) => (marks[move] = found[i]));
                this.mark(marks);
            }
        } catch (error) {
            // Somebody asks anew, or some moves stay without marks.
        }
        clearTimeout(begun);
        if (this.app.state === state && this.steps !== null) {
            $('stop').disabled = true;
        }
    }

    /** Marks the moves; null is for another state, to which no hint belongs either. */
    mark(marks) {
        this.buttons.forEach((button, move) => {
            const [kind, sign, words] = wordMark(marks ? marks[move] : null);
            button.lastChild.textContent = sign;
            button.lastChild.className = 'mark ' + kind;
            button.children[1].textContent = words;
        });
        if (!marks) {
            this.markHint(null);
        }
    }

    /** Enables the moves that can be made. */
    setNext(next) {
        this.buttons.forEach((button, move) => (button.disabled = !next[move]));
    }

    /** Marks a move that leads to a state; null marks none. */
    markHint(state) {
        this.app.board.hint(state);
        this.buttons.forEach((button, move) =>
            button.classList.toggle('hinted', !!state && move === state.move));
    }

    hint() {
        const {app} = this;
        const state = this.left() > 0 ? app.states[app.at + 1] : this.path.states[0];
        this.markHint(state);
        $('moves').scrollTop = this.buttons[state.move].offsetTop - $('moves').offsetTop - 60;
        this.say(this.describe(), `Hint: ${app.info.moves[state.move]}`);
        const marksCells = $('board').querySelector('.hinted');
        bringIntoSight(marksCells ? $('board') : this.buttons[state.move]);
    }

    // ---- Solve ----

    async solve() {
        const {app} = this;
        if (this.left() === null && !this.path) { // after Stop
            await this.ask();
        }
        if (this.steps > 0) {
            if (this.left() === null) {
                app.follow(this.path);
            }
            bringIntoSight($('board'));
            this.play();
        }
    }

    play() {
        const {app} = this;
        if (!this.left()) {
            app.travel(app.solution.begin);
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
        if (played && this.steps !== null) {
            this.say($('distance').textContent, '');
            this.timer = setTimeout(() => this.askMore(), MARKS_WAIT);
        }
        this.showPlayer();
    }

    /** Shows where on the path the page is. */
    showPlayer() {
        const {solution} = this.app;
        const left = this.left();
        const length = solution ? solution.length : 0;
        const done = left === null ? 0 : length - left;
        $('pause').textContent = this.playing ? 'Pause' : 'Play';
        $('pause').disabled = $('scrub').disabled = $('copy-path').disabled = !length;
        $('scrub').max = String(length);
        $('scrub').value = String(done);
        $('scrub').setAttribute('aria-valuetext', `move ${done} of ${length}`);
        $('back').disabled = !done;
        $('forth').disabled = !left;
        $('path').value = solution ? solution.text : '';
    }
}

/** Tells the styles how high the bar is that a phone keeps in sight. */
function measureBar() {
    document.documentElement.style.setProperty('--bar-height', $('bar').offsetHeight + 'px');
}

/** Scrolls no farther than an element needs to be seen below the bar. */
function bringIntoSight(element) {
    measureBar();
    element.scrollIntoView({block: 'nearest'});
}

function describeMoves(info) {
    if (info.isRolling) {
        return 'No move can be made by hand: a state shows only the tops of the cubes, and ' +
            'they do not tell how the next tops look. Solve rolls them.';
    }
    const names = info.moves.map(name => `${name} ${WAYS[name]}`);
    return info.hasBlank ? `A move says how the blank goes: ${names.join(', ')}.` : '';
}

/** The class, the sign and the words of a move that changes the distance by so much. */
function wordMark(change) {
    if (change === null) {
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
