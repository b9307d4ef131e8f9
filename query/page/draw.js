// Makes elements, and draws cells.
'use strict';

const SVG = 'http://www.w3.org/2000/svg';
const UNIT = 100; // of a drawing, for one cell
const WILD = 0xFF;
const HUES = 6;
const COLOURS = {W: 'white', w: 'white', R: 'red', B: 'blue', b: 'black', G: 'green', Y: 'yellow',
    O: 'orange', K: 'black'};
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

const $ = id => document.getElementById(id);

const onClick = (id, act) => $(id).addEventListener('click', act);

const onChange = (id, act) => $(id).addEventListener('change', () => act($(id).value));

function onSubmit(id, act) {
    $(id).addEventListener('submit', event => {
        event.preventDefault();
        act();
    });
}

const reducesMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** An element with attributes and children. */
function make(tag, attributes, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

function makeSvg(tag, attributes, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        element.setAttribute(name, String(value));
    }
    element.append(...children);
    return element;
}

/** Copies the text of a field, and says so on the button. */
async function copyField(field, button) {
    field.select();
    try {
        await navigator.clipboard.writeText(field.value);
    } catch (error) {
        document.execCommand('copy');
    }
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1200);
}

/** How the cells of a puzzle with a board look. */
class Look {
    constructor(info, layout) {
        this.info = info;
        const goal = info.goals[0].row;
        const pieces = goal.filter((_, i) => !info.cells[i].orientation);
        this.differ = new Set(pieces).size === pieces.length;
        this.homes = new Map();
        goal.forEach((value, cell) => this.homes.set(value, layout.byCell[cell].row));
        this.isDie = info.cells.length === 6 && info.board.includes(-1) &&
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
        const [kind, colour] = this.kind(cell, value, label).split(' ');
        const words = {wild: 'anything', blank: 'blank', colour,
            lamp: label + (value ? ', on' : ', off')};
        return words[kind] || label;
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
            group.append(...PIPS[value + 1].map(at => makeSvg('circle', {class: 'pip',
                cx: 26 + 24 * (at % 3), cy: 26 + 24 * Math.floor(at / 3), r: 8})));
            return group;
        }
        if (kind.startsWith('lamp')) {
            group.append(makeSvg('circle', {cx: 50, cy: 50, r: 32}));
        }
        const size = [44, 44, 38, 28, 22][label.length] || 18;
        group.append(makeSvg('text', {x: 50, y: 50, 'font-size': size}, label));
        return group;
    }
}
