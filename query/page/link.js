// The address of the page: puzzle, state and goal, and the definition of a puzzle of one's own.
'use strict';

const DEFINITION_MOST = 24000; // characters of an address that holds a definition
const UNPACKED_MOST = 1 << 20; // characters of a definition

function toBase64(bytes) {
    let binary = '';
    bytes.forEach(byte => (binary += String.fromCharCode(byte)));
    return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** A definition as text for an address. The first letter tells how it is packed. */
async function pack(definition) {
    const bytes = new TextEncoder().encode(definition);
    try {
        const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
        return 'z' + toBase64(new Uint8Array(await new Response(stream).arrayBuffer()));
    } catch (error) {
        return 'p' + toBase64(bytes); // this browser can't compress
    }
}

async function unpack(text) {
    const bytes = fromBase64(text.slice(1).replace(/-/g, '+').replace(/_/g, '/'));
    if (text[0] === 'p') {
        return new TextDecoder().decode(bytes);
    }
    const reader = new Blob([bytes]).stream()
        .pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    const decoder = new TextDecoder();
    let definition = '';
    for (;;) {
        const {done, value} = await reader.read();
        if (done) {
            return definition + decoder.decode();
        }
        definition += decoder.decode(value, {stream: true});
        if (definition.length > UNPACKED_MOST) {
            await reader.cancel();
            throw new Error('too long');
        }
    }
}

/** How an address holds a puzzle of one's own: its words, or a note that it does not. */
async function linkDefinition(definition, metric) {
    const packed = await pack(definition);
    return packed.length > DEFINITION_MOST ?
        {note: 'The definition is too long for an address: send the file, too.'} :
        {words: {definition: packed, moves: metric}};
}

/** Keeps the address up to date, and goes where it leads. */
class Link {
    constructor(app) {
        this.app = app;
        this.hash = '';
        this.timer = 0;
        onClick('copy-link', () => {
            this.write();
            copyField($('link'), $('copy-link'));
        });
        window.addEventListener('hashchange', () => {
            if (!location.hash.includes('=')) { // it leads to a part of the page
                this.write();
            } else if (location.hash !== this.hash) {
                this.follow();
            }
        });
    }

    /** Goes where the address leads, or to the first puzzle. */
    async follow() {
        const {app} = this;
        const {names} = app;
        clearTimeout(this.timer);
        this.hash = location.hash;
        const words = new URLSearchParams(location.hash.slice(1));
        const [name, state, goal] = ['puzzle', 'state', 'goal'].map(word => words.get(word) || '');
        const kept = app.findKept(words);
        let definition = null;
        let problem = '';
        if (kept) {
            await app.openKept(kept, state, goal);
        } else if (words.get('definition')) {
            try {
                definition = await unpack(words.get('definition'));
            } catch (error) {
                problem = 'The address is damaged: its definition can’t be read.';
            }
        } else if (name && !names.includes(name)) {
            problem = `This page has no puzzle ‘${name}’. Open its table below.`;
        }
        if (definition !== null) {
            await app.own.make(definition, Number(words.get('moves')) || 0, state, goal);
        } else if (problem) {
            await app.openNamed(names[0]);
            $('problem').textContent = problem;
        } else if (!kept) {
            const first = names.includes('game') ? 'game' : names[0];
            await app.openNamed(name || first, state, goal);
        }
        if (!problem && $('state-problem').textContent) {
            $('problem').textContent = 'The state in the address is wrong: see below the board.';
        }
        this.info = app.info; // so that Back leads on to what was before
    }

    /** Writes the address soon: browsers limit how often it may change. */
    update() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.write(), 400);
    }

    write() {
        const {info, source, solution, states, state, target} = this.app;
        if (!info) {
            return;
        }
        const start = info.isRolling && solution ? states[solution.begin] : state;
        const words = new URLSearchParams(source.words || {puzzle: info.name});
        words.set('state', start.text);
        if (target) {
            words.set('goal', target.text);
        }
        let note = source.note || '';
        this.hash = '#' + words.toString();
        // Back leads to the puzzle before.
        const isOther = this.info && this.info !== info;
        this.info = info;
        try {
            history[isOther ? 'pushState' : 'replaceState'](null, '', this.hash);
        } catch (error) {
            note = note || 'The browser keeps its address as it is. Copy this one.';
        }
        $('link').value = location.href.replace(/#.*$/, '') + this.hash;
        $('link-note').textContent = note;
    }
}
