// Draws cells, and makes elements.
'use strict';

const SVG = 'http://www.w3.org/2000/svg';
const UNIT = 100; // of a drawing, for one cell
const WILD = 0xFF;
const HUES = 6;
const COLOURS = {W: 'white', w: 'white', R: 'red', B: 'blue', b: 'black', G: 'green',
    Y: 'yellow', O: 'orange', K: 'black'};
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

const $ = id => document.getElementById(id);

/** An element with attributes and children. */
function make(tag, attributes, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

function makeSvg(tag, attributes, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
        if (name.startsWith('on')) {
            element.addEventListener(name.slice(2), value);
        } else if (value !== null && value !== false) {
            element.setAttribute(name, String(value));
        }
    }
    element.append(...children.filter(child => child !== null));
    return element;
}

/** How the cells of a puzzle look. */
class Look {
    constructor(info, layout) {
        this.info = info;
        const goal = info.goals[0];
        const pieces = info.cells.map((cell, i) => cell.orientation ? -1 : goal[i])
            .filter(value => value >= 0);
        this.differ = new Set(pieces).size === pieces.length;
        this.homes = new Map();
        if (layout) {
            goal.forEach((value, cell) => this.homes.set(value, layout.byCell[cell].row));
        }
        this.isDie = !!layout && info.cells.length === 6 && info.board.includes(-1) &&
            info.cells.every(cell => cell.set === 'FACES' && cell.values === 6);
    }

    kind(cell, value, label) {
        const type = this.info.cells[cell];
        if (value === WILD) {
            return 'wild';
        }
        if (this.info.hasBlank && value === 0) {
            return 'blank';
        }
        if (type.letters && COLOURS[label]) {
            return 'colour ' + COLOURS[label];
        }
        if (type.orientation) {
            return value ? 'lamp on' : 'lamp';
        }
        if (this.isDie) {
            return 'tile hue5';
        }
        const hue = this.differ && this.homes.has(value) ? this.homes.get(value) : value;
        return 'tile hue' + hue % HUES;
    }

    /** What a screen reader says about a cell. */
    describe(cell, value, label) {
        const kind = this.kind(cell, value, label);
        if (kind === 'wild') {
            return 'anything';
        }
        if (kind === 'blank') {
            return 'blank';
        }
        if (kind.startsWith('colour')) {
            return kind.slice(7);
        }
        return kind.startsWith('lamp') ? label + (value ? ', on' : ', off') : label;
    }

    /** The picture of a cell, at the origin. */
    draw(cell, value, label) {
        const kind = this.kind(cell, value, label);
        const group = makeSvg('g', {class: 'piece ' + kind});
        if (kind === 'blank') {
            return group;
        }
        group.append(makeSvg('rect', {x: 4, y: 4, width: 92, height: 92, rx: 12}));
        if (this.isDie && value < 6) {
            this.drawPips(group, value + 1);
            return group;
        }
        if (kind.startsWith('lamp')) {
            group.append(makeSvg('circle', {cx: 50, cy: 50, r: 32}));
        }
        const size = [44, 44, 38, 28, 22][label.length] || 18;
        group.append(makeSvg('text', {x: 50, y: 50, 'font-size': size}, label));
        return group;
    }

    drawPips(group, count) {
        for (const at of PIPS[count]) {
            group.append(makeSvg('circle', {class: 'pip', cx: 26 + 24 * (at % 3),
                cy: 26 + 24 * Math.floor(at / 3), r: 8}));
        }
    }
}

const reducesMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
