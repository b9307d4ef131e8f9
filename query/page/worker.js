// The worker: the library as WebAssembly, and one table. It answers messages {call, args}, one at
// a time; the first also has the `setup` with which the worker begins.
'use strict';

const ERROR_BYTES = 544; // struct fewest_error
const PAUSE = 100; // milliseconds between two messages about progress
const PLANNED = 1; // enum fewest_gen_event
const NOTE = 4;
const WARNING = 5;

let module = null;
let table = null;
let told = 0; // when the page was last told how far a call is

/** Tells the page how far a call is, but not too often. */
function tell(progress, always) {
    const now = performance.now();
    if (always || now - told >= PAUSE) {
        told = now;
        self.postMessage({progress});
    }
    return 1;
}

const WASI = {
    clock_time_get(id, precision, at) {
        const now = BigInt(Math.round(performance.now() * 1e6));
        module.view().setBigUint64(at, now, true);
        return 0;
    },
    environ_sizes_get(count, size) { // there are no variables
        module.view().setUint32(count, 0, true);
        module.view().setUint32(size, 0, true);
        return 0;
    },
    fd_prestat_get: () => 8, // EBADF: there are no folders
    fd_write: () => 0,
    proc_exit(code) {
        throw new Error('The library ended with ' + code + '.');
    },
};

const IMPORTS = {
    wasi_snapshot_preview1: new Proxy(WASI, {
        get: (functions, name) => functions[name] || (() => 52), // ENOSYS
    }),
    page: {
        watch: (what, done, all, bound) => tell({bound}),
        watch_run: (event, text, done, all, layer) =>
            tell({event, text: text ? module.text(text) : '', done, all, layer},
                event === PLANNED || event === NOTE || event === WARNING),
        random: bound => Math.floor(Math.random() * bound),
    },
};

/** The memory of the module, and how texts and rows get in and out. */
class Module {
    constructor(instance) {
        this.f = instance.exports;
    }

    /** Room for so many bytes. */
    room(bytes) {
        const at = this.f.malloc(Math.max(bytes, 1));
        if (!at) {
            throw new LibraryError('There is not enough memory.');
        }
        return at >>> 0;
    }

    bytes(at, length) {
        return new Uint8Array(this.f.memory.buffer, at >>> 0, length);
    }

    view() {
        return new DataView(this.f.memory.buffer);
    }

    u32(at) {
        return this.view().getUint32(at, true);
    }

    i32(at) {
        return this.view().getInt32(at, true);
    }

    u64(at) {
        return Number(this.view().getBigUint64(at, true));
    }

    text(at) {
        const all = this.bytes(at);
        return new TextDecoder().decode(all.subarray(0, all.indexOf(0)));
    }

    /** A copy of bytes. The caller frees it. */
    put(bytes) {
        const at = this.room(bytes.length);
        this.bytes(at, bytes.length).set(bytes);
        return at;
    }

    /** Throws the error of the last call, if it failed. */
    check(result) {
        if (!result) {
            throw new LibraryError(this.text(this.error + 4));
        }
        return result;
    }
}

/** Starts the library, and opens a table if there is one. */
async function start(setup) {
    const {instance} = await WebAssembly.instantiate(setup.wasm, IMPORTS);
    module = new Module(instance);
    module.f._initialize();
    module.error = module.room(ERROR_BYTES);
    if (setup.table) {
        table = new Table(module, setup.table);
    }
}

self.onmessage = async event => {
    const {setup, call, args} = event.data;
    try {
        told = performance.now();
        if (setup) {
            await start(setup);
        }
        const result = call === 'make' ? makeTable(module, ...args) : table[call](...args);
        self.postMessage({result});
    } catch (error) {
        const known = error instanceof LibraryError || error instanceof KPuzzleError;
        const text = known ? error.message : 'The library stopped: ' + error.message;
        self.postMessage({error: {text, fatal: !known || !!setup}});
    }
};
