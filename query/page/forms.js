// Writes definitions of common puzzles, of any size.
'use strict';

/** The numbers 1 to n. */
const upTo = n => Array.from({length: n}, (_, i) => i + 1);

// Names of moves sort in reading order if their numbers have as many digits.
const pad = (number, most) => String(number).padStart(String(most).length, '0');

/** A definition with one set: its first lines, the lines of its solved state, and its moves. */
function writeSet(set, head, solved, moves) {
    const write = ([keyword, ...lines]) => ['', keyword, set, ...lines, 'End'];
    return [...head, ...[['Solved', ...solved], ...moves].flatMap(write)].join('\n') + '\n';
}

function writeLights(rows, columns, isCross) {
    const count = rows * columns;
    const pieces = upTo(count).join(' ');
    const dot = rows > 9 || columns > 9 ? '.' : '';
    const moves = upTo(count).map((_, lamp) => {
        const r = Math.floor(lamp / columns);
        const c = lamp % columns;
        const turns = upTo(count).map((_, i) => {
            const y = Math.abs(Math.floor(i / columns) - r);
            const x = Math.abs(i % columns - c);
            return (isCross ? x === 0 || y === 0 : x + y <= 1) ? 1 : 0;
        });
        return [`Move ${pad(r + 1, rows)}${dot}${pad(c + 1, columns)}`, pieces, turns.join(' ')];
    });
    return writeSet('LAMPS', ['# Lights out: a press of a lamp turns it and ' +
        (isCross ? 'all others in its row and its column.' : 'its neighbours.'),
    `Name lights${rows}x${columns}${isCross ? '-cross' : ''}`,
    `Set LAMPS ${count} 2`, `Board ${rows} ${columns}`],
    [pieces, new Array(count).fill(0).join(' ')], moves);
}

function writeLoopover(rows, columns) {
    const count = rows * columns;
    const rotate = (name, length, slot) =>
        [`Move ${name}`, `(${upTo(length).map((_, i) => slot(i) + 1).join(' ')})`];
    const moves = [
        ...upTo(columns > 1 ? rows : 0).map((number, r) =>
            rotate('R' + pad(number, rows), columns, i => r * columns + i)),
        ...upTo(rows > 1 ? columns : 0).map((number, c) =>
            rotate('C' + pad(number, columns), rows, i => i * columns + c)),
    ];
    const size = `${rows}x${columns}`;
    return writeSet('TILES', [`# Loopover ${size}: a move rotates one row or one column.`,
        `Name loopover${size}`, `Set TILES ${count} 1`, `Board ${rows} ${columns}`],
    [upTo(count).join(' ')], moves);
}

/**
 * The definition of a puzzle of this kind and size.
 * @param {string} kind
 */
function writeDefinition(kind, rows, columns, layers) {
    switch (kind) {
    case 'lights':
    case 'cross':
        return writeLights(rows, columns, kind === 'cross');
    case 'loopover':
        return writeLoopover(rows, columns);
    case 'roll':
        return `Name roll${rows}x${columns}\nRoll ${rows} ${columns}\nLetters CUBES E W R B\n`;
    default: {
        const size = [rows, columns].concat(layers > 1 ? layers : []);
        return `Name slide${size.join('x')}\nSlide ${size.join(' ')}\n`;
    }
    }
}
