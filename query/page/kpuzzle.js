// Translates KPuzzle definitions of cubing.js and twips (JSON) into our own language. The Python
// package does the same (query/python/fewest/formats/kpuzzle.py), and writes the same text: the files
// in tests/corpus/kpuzzle say which.
'use strict';

/** A definition that can't be translated. The text begins with the JSON path. */
class KPuzzleError extends Error {}

// As in the limits of a definition (tables/definition/definition.h).
const KPUZZLE = {text: 1 << 20, sets: 256, pieces: 4096, setPieces: 254, orientations: 127, name: 63,
    keys: 8702, label: 2 ** 31 - 1};

/** A text as printable ASCII, cut to a readable length. */
function escapeKey(text) {
    const short = {'\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\'};
    const hex = (code, digits) => code.toString(16).padStart(digits, '0');
    const shown = Array.from(text, c => {
        const code = c.codePointAt(0);
        return short[c] || (code >= 32 && code < 127 ? c :
            code < 256 ? '\\x' + hex(code, 2) : code < 65536 ? '\\u' + hex(code, 4) : '\\U' + hex(code, 8));
    }).join('');
    return shown.length <= 60 ? shown : shown.slice(0, 57) + '...';
}

// ---- JSON ----------------------------------------------------------------------------------------

/** A whole number keeps its digits as a BigInt, so that 2.0 is none. Objects are Maps, in order. */
class JsonReader {
    constructor(text) {
        this.text = text;
        this.at = 0;
    }

    fail(at = this.at) {
        const before = this.text.slice(0, at).split('\n');
        throw new KPuzzleError(`line ${before.length}, column ${before.pop().length + 1}: expected JSON`);
    }

    /** Skips white space. Returns the next character. */
    skipSpace() {
        const space = /[ \t\n\r]*/y;
        space.lastIndex = this.at;
        this.at += space.exec(this.text)[0].length;
        return this.text[this.at];
    }

    whole() {
        const value = this.value(0);
        if (this.skipSpace() !== undefined) {
            this.fail();
        }
        return value;
    }

    value(depth) {
        if (depth > 900) {
            throw new KPuzzleError('expected JSON: too deep or too large');
        }
        const sign = this.skipSpace();
        if (sign === '{' || sign === '[') {
            return this.members(sign, depth);
        } else if (sign === '"') {
            return this.string();
        }
        const word = /(?:true|false|null|-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?)/y;
        word.lastIndex = this.at;
        const found = word.exec(this.text) || this.fail();
        this.at += found[0].length;
        if (/^[tfn]/.test(found[0])) {
            return {true: true, false: false, null: null}[found[0]];
        }
        return found[1] || found[2] ? Number(found[0]) : BigInt(found[0]);
    }

    /** Goes past the next sign, which must be one of these. */
    take(signs) {
        const sign = this.skipSpace();
        if (sign === undefined || !signs.includes(sign)) {
            this.fail();
        }
        this.at++;
        return sign;
    }

    /** An object or a list. */
    members(bracket, depth) {
        const end = bracket === '{' ? '}' : ']';
        const found = bracket === '{' ? new Map() : [];
        let twice = null;
        this.at++;
        if (this.skipSpace() === end) {
            this.at++;
            return found;
        }
        do {
            if (bracket === '[') {
                found.push(this.value(depth + 1));
                continue;
            }
            const key = this.skipSpace() === '"' ? this.string() : this.fail();
            this.take(':');
            twice = twice === null && found.has(key) ? key : twice;
            found.set(key, this.value(depth + 1));
        } while (this.take(',' + end) === ',');
        if (twice !== null) {
            throw new KPuzzleError(`expected JSON: the key '${escapeKey(twice)}' appears twice in an object`);
        }
        return found;
    }

    string() {
        const begin = this.at;
        const sound = /"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*/y;
        sound.lastIndex = begin;
        const end = begin + sound.exec(this.text)[0].length;
        if (this.text[end] !== '"') {
            this.fail(end < this.text.length ? end : begin);
        }
        this.at = end + 1;
        return JSON.parse(this.text.slice(begin, this.at));
    }
}

/** A value in the JSON, and its path, such as moves.U.CORNERS.permutation[3]. */
class JsonNode {
    constructor(value, path = '') {
        this.value = value;
        this.path = path;
    }

    get(key) {
        if (typeof key === 'number') {
            return new JsonNode(this.value[key], `${this.path}[${key}]`);
        }
        const value = this.value instanceof Map ? this.value.get(key) : undefined;
        return new JsonNode(value, (this.path ? this.path + '.' : '') + escapeKey(key));
    }

    fail(message) {
        throw new KPuzzleError(this.path ? `${this.path}: ${message}` : message);
    }

    /** The value, which must be of a kind: map, list, string, or number for a whole one. */
    need(kind, expected) {
        const {value} = this;
        const kinds = {map: 'an object', list: 'a list', string: 'a string', number: 'a whole number',
            fraction: 'a number with a fraction', other: 'true, false or null', none: 'nothing'};
        const found = value === undefined ? 'none' : value instanceof Map ? 'map' : Array.isArray(value) ? 'list' :
            typeof value === 'string' ? 'string' : typeof value === 'bigint' ? 'number' :
            typeof value === 'number' ? 'fraction' : 'other';
        return found === kind ? value : this.fail(`expected ${expected}, got ${kinds[found]}`);
    }

    number(least, most) {
        const number = this.need('number', 'a whole number');
        return number >= least && number <= most ? Number(number) :
            this.fail(`expected a number from ${least} to ${most}, got ${number}`);
    }

    /** A name that can be one word of our language. */
    checkName(name) {
        return /^[!-~]{1,63}$/.test(name) ? name : this.fail(
            `expected a name of 1 to ${KPUZZLE.name} printable ASCII characters without a space, got '${escapeKey(name)}'`);
    }

    /** A list with a number from 0 to `most` for each piece. most < 0: modulo the orientations. */
    row(orbit, most) {
        const {length} = this.need('list', 'a list of numbers');
        if (length !== orbit.pieces) {
            this.fail(`expected ${orbit.pieces} numbers, one for each piece of ${orbit.name}, got ${length}`);
        }
        const modulo = BigInt(orbit.orientations);
        return this.value.map((value, i) => most >= 0 ? this.get(i).number(0, most) :
            Number((this.get(i).need('number', 'a whole number') % modulo + modulo) % modulo));
    }
}

// ---- Definitions ---------------------------------------------------------------------------------

const isRotationName = name => /^([xyz]['2]?|[A-Z_]+v)$/.test(name);

class KPuzzleTranslator {
    constructor(root, goal) {
        this.lines = ['# Made from a KPuzzle definition.'];
        this.root = new JsonNode(root);
        if (goal) {
            this.lines.push('# The solved state is the target pattern of --goal.');
        }
        this.name();
        this.readOrbits();
        this.findMoves();
    }

    name() {
        const node = this.root.get('name');
        if (node.value !== undefined && node.need('string', 'a string')) {
            const bytes = Array.from(new TextEncoder().encode(node.value));
            this.lines.push('Name ' + bytes.map(byte => byte > 32 && byte < 127 ? String.fromCharCode(byte) : '_').join(''));
        }
    }

    readOrbits() {
        const list = this.root.get('orbits');
        const {length} = list.need('list', 'a list of orbits');
        let pieces = 0;
        if (length < 1 || length > KPUZZLE.sets) {
            list.fail(`expected 1 to ${KPUZZLE.sets} orbits, got ${length}`);
        }
        this.orbits = list.value.map((_, i) => {
            const node = list.get(i);
            node.need('map', 'an object');
            const nameNode = node.get('orbitName');
            const name = nameNode.checkName(nameNode.need('string', 'a string'));
            if (name[0] === '#') {
                nameNode.fail(`expected a name that begins with a letter, got '${escapeKey(name)}'`);
            }
            const orbit = {name, pieces: node.get('numPieces').number(1, KPUZZLE.setPieces),
                orientations: node.get('numOrientations').number(1, KPUZZLE.orientations)};
            this.lines.push(`Set ${name} ${orbit.pieces} ${orbit.orientations}`);
            pieces += orbit.pieces;
            return pieces <= KPUZZLE.pieces ? orbit :
                node.fail(`all orbits together may have at most ${KPUZZLE.pieces} pieces`);
        });
    }

    findMoves() {
        this.moves = this.root.get('moves');
        this.derived = this.root.get('derivedMoves');
        for (const node of [this.moves, this.derived]) {
            if (node === this.moves || node.value !== undefined) {
                const {size} = node.need('map', 'an object with a key for each move');
                if (size > KPUZZLE.keys) {
                    node.fail(`expected at most ${KPUZZLE.keys} moves, got ${size}`);
                }
            }
        }
        if (this.moves.value.size === 0 && !(this.derived.value && this.derived.value.size > 0)) {
            throw new KPuzzleError('expected at least one move under `moves`');
        }
    }

    /** Writes a pattern as the solved state. Pieces with one label look alike, if both or neither turn. */
    solve(pattern) {
        for (const key of pattern.need('map', 'an object with a key for each orbit').keys()) {
            if (!this.orbits.some(orbit => orbit.name === key)) {
                pattern.get(key).fail('no orbit has this name');
            }
        }
        const lines = this.orbits.map(orbit => {
            const rows = pattern.get(orbit.name);
            rows.need('map', 'an object with `pieces` and `orientation`');
            const pieces = rows.get('pieces').row(orbit, KPUZZLE.label);
            const turns = rows.get('orientation').row(orbit, orbit.orientations - 1);
            const mods = rows.get('orientationMod');
            const ignored = mods.value === undefined ? turns.map(() => 0) : mods.row(orbit, KPUZZLE.orientations);
            ignored.forEach((mod, i) => mod <= 1 || mods.get(i).fail(`expected 0 (the orientation counts) or 1 (it ` +
                `does not), got ${mod}: an orientation can't count in part`));
            const labels = pieces.map((piece, i) => 2 * piece + ignored[i]);
            const sorted = Array.from(new Set(labels)).sort((a, b) => a - b);
            return [orbit.name, labels.map(label => sorted.indexOf(label)).join(' '),
                turns.map((turn, i) => ignored[i] ? '?' : turn).join(' ')];
        });
        this.lines.push('StartState', ...lines.flat(), 'End');
    }

    /** A derived move, such as y2, that has the name of a rotation and is nothing but this move. */
    findRotation(move) {
        const found = Array.from(this.derived.value || []).find(([key, alg]) =>
            isRotationName(key) && !this.moves.value.has(key) && alg === move);
        return found && found[0];
    }

    move(name) {
        const node = this.moves.get(name);
        node.checkName(name);
        node.need('map', 'an object with a key for each orbit');
        const rotation = isRotationName(name) ? null : this.findRotation(name);
        this.lines.push(`MoveTransformation ${rotation || name}`);
        for (const orbit of this.orbits) {
            const rows = node.get(orbit.name);
            rows.need('map', 'an object with `permutation` and `orientationDelta`');
            const pieces = rows.get('permutation').row(orbit, orbit.pieces - 1);
            const turns = rows.get('orientationDelta').row(orbit, -1);
            const twice = pieces.find((piece, i) => pieces.indexOf(piece) < i);
            if (twice !== undefined) {
                rows.get('permutation').fail(`piece ${twice} appears twice; expected each of 0 to ${orbit.pieces - 1} once`);
            }
            if (pieces.some((piece, i) => piece !== i || turns[i] !== 0)) {
                this.lines.push(orbit.name, pieces.join(' '), turns.join(' '));
            }
        }
        this.lines.push('End', ...(rotation ? [`MoveAlias ${name} ${rotation}`] : []));
    }

    derive(name) {
        const node = this.derived.get(name);
        const {value} = node;
        const isWritten = typeof value === 'string' && this.moves.value.has(value) && !isRotationName(value) &&
            this.findRotation(value) === name;
        if (this.moves.value.has(name) || isWritten) {
            return;
        }
        node.checkName(name);
        const alg = node.need('string', 'a string with moves').replace(/(^|\s)(\/\/|#)[^\r\n]*/g, ' ')
            .split(/\s+/).filter(word => word).join(' ');
        if (!alg || alg === '.') {
            this.lines.push(`MoveTransformation ${name}`, 'End');
        } else {
            const isAlias = !/[\s,:()[\]]/.test(alg) && !isRotationName(name);
            this.lines.push(`${isAlias ? 'MoveAlias' : 'MoveSequence'} ${name} ${alg}`);
        }
    }

    text() {
        Array.from(this.moves.value.keys()).forEach(name => this.move(name));
        Array.from((this.derived.value || new Map()).keys()).forEach(name => this.derive(name));
        const text = [...this.lines, 'Rotation', ''].join('\n');
        if (text.length > KPUZZLE.text) {
            throw new KPuzzleError(`expected a definition of at most ${KPUZZLE.text} bytes as text`);
        }
        return text;
    }
}

/** Calls a function. Its errors begin with the name of a file. */
function nameFile(name, call) {
    try {
        return call();
    } catch (fault) {
        throw fault instanceof KPuzzleError ? new KPuzzleError(`${name}: ${fault.message}`) : fault;
    }
}

/** Returns the definition in our language. With a goal, that pattern is the solved state. */
function translateKPuzzle(json, name = 'KPuzzle', goal = null, goalName = 'goal') {
    const read = text => new JsonReader(text.replace(/^\ufeff/, '')).whole();
    const root = nameFile(name, () => read(json));
    if (!(root instanceof Map && root.has('orbits'))) {
        throw new KPuzzleError('this JSON is no KPuzzle, which has a list `orbits`; `fewest-import` translates other files');
    }
    const pattern = goal === null ? null : nameFile(goalName, () => new JsonNode(read(goal)));
    const translator = nameFile(name, () => new KPuzzleTranslator(root, pattern));
    nameFile(pattern ? goalName : name, () => translator.solve(pattern || translator.root.get('defaultPattern')));
    return nameFile(name, () => translator.text());
}
