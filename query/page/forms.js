// Writes definitions of common puzzles, of any size.
'use strict';

/** The numbers 1 to n. */
const upTo = n => Array.from({length: n}, (_, i) => i + 1);

// Names of moves sort in reading order if their numbers have as many digits.
const pad = (number, most) => String(number).padStart(String(most).length, '0');

function writeLights(rows, columns, isCross) {
    const count = rows * columns;
    const pieces = upTo(count).join(' ');
    const lines = ['# Lights out: a press of a lamp turns it and ' +
        (isCross ? 'all others in its row and its column.' : 'its neighbours.'),
    `Name lights${rows}x${columns}${isCross ? '-cross' : ''}`,
        `Set LAMPS ${count} 2`, `Board ${rows} ${columns}`, '', 'Solved', 'LAMPS', pieces,
        new Array(count).fill(0).join(' '), 'End'];
    for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) {
            const turns = upTo(count).map((_, i) => {
                const y = Math.abs(Math.floor(i / columns) - r);
                const x = Math.abs(i % columns - c);
                return (isCross ? x === 0 || y === 0 : x + y <= 1) ? 1 : 0;
            });
            const name = pad(r + 1, rows) + (rows > 9 || columns > 9 ? '.' : '') +
                pad(c + 1, columns);
            lines.push('', 'Move ' + name, 'LAMPS', pieces, turns.join(' '), 'End');
        }
    }
    return lines.join('\n') + '\n';
}

function writeLoopover(rows, columns) {
    const count = rows * columns;
    const lines = [`# Loopover ${rows}x${columns}: a move rotates one row or one column.`,
        `Name loopover${rows}x${columns}`, `Set TILES ${count} 1`,
        `Board ${rows} ${columns}`, '', 'Solved', 'TILES', upTo(count).join(' '), 'End'];
    const add = (name, length, slot) => {
        if (length > 1) {
            const cycle = upTo(length).map((_, i) => slot(i) + 1);
            lines.push('', 'Move ' + name, 'TILES', `(${cycle.join(' ')})`, 'End');
        }
    };
    for (let r = 0; r < rows; r++) {
        add('R' + pad(r + 1, rows), columns, i => r * columns + i);
    }
    for (let c = 0; c < columns; c++) {
        add('C' + pad(c + 1, columns), rows, i => i * columns + c);
    }
    return lines.join('\n') + '\n';
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
        return `Name roll${rows}x${columns}\nRoll ${rows} ${columns}\n` +
            'Letters CUBES E W R B\n';
    default: {
        const size = [rows, columns].concat(layers > 1 ? layers : []);
        return `Name slide${size.join('x')}\nSlide ${size.join(' ')}\n`;
    }
    }
}
