// Loads the page's own files: from the page itself if they are inside, else from its folder.
//
// A page that is opened as a file can't load modules: its scripts share one scope.
'use strict';

/** The inlined file of this name, or null. */
function inlined(name) {
    return document.getElementById('file:' + name);
}

function decode(base64) {
    const binary = atob(base64.trim());
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
async function load(name) {
    const element = inlined(name);
    if (element) {
        return decode(element.textContent || '');
    }
    const response = await fetch(name.endsWith('.dtab') ? '../' + name : name);
    if (!response.ok) {
        throw new Error(name + ' can’t be loaded: ' + response.status);
    }
    return new Uint8Array(await response.arrayBuffer());
}

/** The names of the puzzles that the page has. */
async function listPuzzles() {
    const tables = document.querySelectorAll('script[id^="file:"][id$=".dtab"]');
    if (tables.length || inlined('fewest.wasm')) {
        return Array.from(tables, table => table.id.slice(5, -5));
    }
    const names = JSON.parse(new TextDecoder().decode(await load('puzzles.json')));
    return Array.isArray(names) ? names.map(String) : [];
}

let wasm = null;

/** A worker in which the library runs. */
async function startWorker() {
    wasm = wasm || load('fewest.wasm');
    if (!inlined('worker.js')) {
        return {worker: new Worker('worker.js'), wasm: await wasm};
    }
    const sources = await Promise.all([load('engine.js'), load('worker.js')]);
    const type = {type: 'text/javascript'};
    const url = URL.createObjectURL(new Blob([sources[0], '\n', sources[1]], type));
    return {worker: new Worker(url), wasm: await wasm};
}
