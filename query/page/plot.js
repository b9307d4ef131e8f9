// How many states there are at each distance: a plot, numbers, and states at a chosen distance.
'use strict';

const WIDTH = 460;
const HEIGHT = 190;
const LEFT = 8;
const BOTTOM = 24;
const TOP = 22;

/** The panel of all states. A searched puzzle has none. */
class Plot {
    constructor(app) {
        this.app = app;
        this.isLog = false;
        this.here = -1;
        $('linear').addEventListener('click', () => this.scale(false));
        $('log').addEventListener('click', () => this.scale(true));
        $('antipode').addEventListener('click', () => this.draw(app.info.largest));
        $('distance-form').addEventListener('submit', event => {
            event.preventDefault();
            const distance = Number($('at').value);
            const most = app.info ? app.info.largest : 0;
            if (Number.isInteger(distance) && distance >= 0 && distance <= most) {
                this.draw(distance);
            } else {
                $('more-problem').textContent = `Choose a number from 0 to ${most}.`;
            }
        });
    }

    setPuzzle(info) {
        this.counts = info.counts;
        this.here = -1;
        $('more').hidden = !info.counts;
        document.querySelector('main').classList.toggle('searched', !info.counts);
        $('more-problem').textContent = '';
        if (!info.counts) {
            return;
        }
        $('at-label').textContent = info.defaultStart ? 'Random goal at distance' :
            'Random state at distance';
        $('at').max = String(info.largest);
        $('at').value = String(Math.min(5, info.largest));
        const rows = info.counts.map((count, distance) => make('tr', {},
            make('th', {scope: 'row'}, String(distance)), make('td', {}, String(count))));
        $('numbers').replaceChildren(make('table', {},
            make('thead', {}, make('tr', {}, make('th', {scope: 'col'}, 'moves'),
                make('th', {scope: 'col'}, 'states'))), make('tbody', {}, ...rows)));
        this.show();
    }

    async draw(distance) {
        $('more-problem').textContent = '';
        try {
            await this.app.random(distance);
        } catch (error) {
            this.app.fault('more-problem', error);
        }
    }

    scale(isLog) {
        this.isLog = isLog;
        $('linear').setAttribute('aria-pressed', String(!isLog));
        $('log').setAttribute('aria-pressed', String(isLog));
        if (this.counts) {
            this.show();
        }
    }

    /** Marks the distance of the current state; -1 marks none. */
    mark(distance) {
        if (this.counts && distance !== this.here) {
            this.here = distance;
            this.show();
        }
    }

    show() {
        const {counts, here} = this;
        const most = Math.max(...counts);
        const size = count => !count ? 0 : this.isLog ?
            Math.log(count * 1.6) / Math.log(most * 1.6) : count / most;
        const step = (WIDTH - 2 * LEFT) / counts.length;
        const room = HEIGHT - TOP - BOTTOM;
        const every = Math.ceil(24 / step);
        const svg = makeSvg('svg', {viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img',
            'aria-label': this.describe(most)});
        svg.append(makeSvg('line', {x1: LEFT, x2: WIDTH - LEFT, y1: HEIGHT - BOTTOM,
            y2: HEIGHT - BOTTOM}));
        counts.forEach((count, i) => {
            const height = Math.max(size(count) * room, count ? 1 : 0);
            const x = LEFT + i * step;
            svg.append(makeSvg('rect', {class: i === here ? 'bar here' : 'bar',
                x: x + step * 0.08, width: step * 0.84, y: HEIGHT - BOTTOM - height, height},
            makeSvg('title', {}, `${i}: ${count}`)));
            if (i % every === 0) {
                svg.append(makeSvg('text', {x: x + step / 2, y: HEIGHT - 7,
                    'text-anchor': 'middle'}, String(i)));
            }
        });
        if (here >= 0 && here < counts.length) {
            const x = LEFT + (here + 0.5) * step;
            const y = HEIGHT - BOTTOM - size(counts[here]) * room - 7;
            svg.append(makeSvg('text', {x, y, 'text-anchor': 'middle'}, '▼'));
        }
        $('plot').replaceChildren(svg);
        $('plot-note').textContent = here < 0 ? '' : counts[here] === 1 ?
            `▼ This is the only state with ${here} moves to go.` :
            `▼ ${counts[here].toLocaleString('en')} states have ${here} moves to go.`;
    }

    describe(most) {
        const {counts} = this;
        return `States at each distance from 0 to ${counts.length - 1}; the most, ${most}, ` +
            `at ${counts.indexOf(most)}.`;
    }
}
