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
        onClick('linear', () => this.scale(false));
        onClick('log', () => this.scale(true));
        onClick('antipode', () => app.random(app.info.largest, 'more-problem'));
        onSubmit('distance-form', () => app.random(Number($('at').value), 'more-problem'));
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

    scale(isLog) {
        this.isLog = isLog;
        $('linear').setAttribute('aria-pressed', String(!isLog));
        $('log').setAttribute('aria-pressed', String(isLog));
        this.show();
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
                svg.append(makeSvg('text', {x: x + step / 2, y: HEIGHT - 7}, String(i)));
            }
        });
        if (here >= 0) {
            const x = LEFT + (here + 0.5) * step;
            const y = HEIGHT - BOTTOM - size(counts[here]) * room - 7;
            svg.append(makeSvg('text', {x, y}, '▼'));
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
