// The address of the page: puzzle, state and goal, and the definition of a puzzle of one's own.
'use strict';

const DEFINITION_MOST = 24000; // characters of an address that holds a definition
const UNPACKED_MOST = 1 << 20; // characters of a definition

function toBase64(bytes) {
    let binary = '';
    bytes.forEach(byte => (binary += String.fromCharCode(byte)));
    return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

function fromBase64(text) {
    const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(binary, letter => letter.charCodeAt(0));
}

const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream));

/** A definition as text for an address. The first letter tells how it is packed. */
async function pack(definition) {
    const bytes = new TextEncoder().encode(definition);
    try {
        const stream = new CompressionStream('deflate-raw');
        return 'z' + toBase64(new Uint8Array(await through(bytes, stream).arrayBuffer()));
    } catch (error) {
        return 'p' + toBase64(bytes); // this browser can't compress
    }
}

async function unpack(text) {
    const bytes = fromBase64(text.slice(1));
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

/** Keeps the address up to date, and goes where it leads. */
class Link {
    constructor(app) {
        this.app = app;
        this.hash = '';
        this.timer = 0;
        this.packed = {definition: null, text: ''};
        $('copy-link').addEventListener('click', async () => {
            await this.write();
            copyField($('link'), $('copy-link'));
        });
        window.addEventListener('hashchange', () => {
            if (location.hash !== this.hash) {
                this.follow();
            }
        });
    }

    /** Goes where the address leads, or to the first puzzle. */
    async follow() {
        const {app} = this;
        this.hash = location.hash;
        const words = new URLSearchParams(location.hash.slice(1));
        const state = words.get('state') || '';
        const goal = words.get('goal') || '';
        const name = words.get('puzzle') || '';
        if (words.get('definition')) {
            try {
                const definition = await unpack(words.get('definition'));
                await app.own.make(definition, Number(words.get('moves')) || 0, state, goal);
            } catch (error) {
                await app.openNamed(app.names[0]);
                app.problem('The address is damaged: its definition can’t be read.');
            }
        } else if (app.names.includes(name) || !name) {
            const first = app.names.includes('game') ? 'game' : app.names[0];
            if (name || first) {
                await app.openNamed(name || first, state, goal);
            }
        } else {
            await app.openNamed(app.names[0]);
            app.problem(`This page has no puzzle ‘${name}’. Open its table below.`);
        }
    }

    /** Writes the address soon: browsers limit how often it may change. */
    update() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.write(), 400);
    }

    async write() {
        const {app} = this;
        const {info, source, state, target} = app;
        if (!info || !state) {
            return;
        }
        const words = new URLSearchParams();
        let note = '';
        if (source.definition !== undefined) {
            const text = await this.packOnce(source.definition);
            if (text.length > DEFINITION_MOST) {
                note = 'The definition is too long for an address: send the file, too.';
                words.set('puzzle', info.name);
            } else {
                words.set('definition', text);
                words.set('moves', String(source.metric));
            }
        } else {
            words.set('puzzle', source.name || info.name);
            note = source.name ? '' : 'The table came from a file: send that file, too.';
        }
        if (app.info !== info || app.state !== state) {
            return;
        }
        this.put(words, target, note);
    }

    put(words, target, note) {
        const {info, solution, states, state} = this.app;
        const start = info.isRolling && solution ? states[solution.begin] : state;
        words.set('state', start.text);
        if (target) {
            words.set('goal', $('goal').value);
        }
        this.hash = '#' + words.toString();
        try {
            history.replaceState(null, '', this.hash);
        } catch (error) {
            note = note || 'The browser keeps its address as it is. Copy this one.';
        }
        $('link').value = location.href.replace(/#.*$/, '') + this.hash;
        $('link-note').textContent = note;
    }

    async packOnce(definition) {
        if (this.packed.definition !== definition) {
            this.packed = {definition, text: await pack(definition)};
        }
        return this.packed.text;
    }
}
