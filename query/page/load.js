// Loads the page's own files: from the page itself if they are inside, else from its folder.
//
// A page that is opened as a file can't load modules: all its scripts share one scope.
'use strict';

const findInlined = name => document.getElementById('file:' + name);

function fromBase64(text) {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) {
        bytes[i] = binary.charCodeAt(i);
    }
    return bytes;
}

/**
 * The bytes of a file.
 * @param {string} name
 * @returns {Promise<Uint8Array>}
 */
async function loadFile(name) {
    const element = findInlined(name);
    if (element) {
        return fromBase64(element.textContent);
    }
    const response = await fetch(name.endsWith('.dtab') ? '../' + name : name);
    if (!response.ok) {
        throw new Error(name + ' can’t be loaded: ' + response.status);
    }
    return new Uint8Array(await response.arrayBuffer());
}

/** The names of the puzzles that the page has. */
async function listPuzzles() {
    if (findInlined('fewest.wasm')) {
        const tables = document.querySelectorAll('script[id^="file:"][id$=".dtab"]');
        return Array.from(tables, table => table.id.slice(5, -5));
    }
    return JSON.parse(new TextDecoder().decode(await loadFile('puzzles.json')));
}

async function loadParts() {
    const names = ['engine.js', 'kpuzzle.js', 'worker.js', 'fewest.wasm'];
    const [engine, kpuzzle, worker, wasm] = await Promise.all(names.map(loadFile));
    const script = new Blob([engine, '\n', kpuzzle, '\n', worker], {type: 'text/javascript'});
    return {address: URL.createObjectURL(script), wasm};
}

let parts = null; // of a worker

/** The address of the worker's script, and the library that is to run in it. */
function findParts() {
    parts = parts || loadParts().catch(error => {
        parts = null; // the next time it may succeed
        throw error;
    });
    return parts;
}
