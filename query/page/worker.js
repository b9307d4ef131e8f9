// The worker: the library as WebAssembly, and one table. Answers messages {id, call, args}.
'use strict';

if (typeof Table === 'undefined') {
    importScripts('engine.js');
}

const ERROR_BYTES = 540; // struct fewest_error
const PAUSE = 100; // milliseconds between two messages about progress

/** The functions that the module imports. */
function makeImports(memory, hooks) {
    const wasi = new Proxy({}, {
        get(_, name) {
            switch (name) {
            case 'clock_time_get':
                return (id, precision, at) => {
                    const now = BigInt(Math.round(performance.now() * 1e6));
                    new DataView(memory().buffer).setBigUint64(at, now, true);
                    return 0;
                };
            case 'fd_write':
                return () => 0;
            case 'fd_prestat_get':
                return () => 8; // EBADF: there are no folders
            case 'environ_sizes_get': // there are no variables
                return (count, size) => {
                    new DataView(memory().buffer).setUint32(count, 0, true);
                    new DataView(memory().buffer).setUint32(size, 0, true);
                    return 0;
                };
            case 'proc_exit':
                return code => {
                    throw new Error('The library ended with ' + code + '.');
                };
            default:
                return () => 52; // ENOSYS
            }
        },
    });
    const page = {
        watch: (what, done, all, bound) => hooks.watch(what, done, all, bound),
        watch_run: (event, text, done, all, layer) =>
            hooks.watchRun(event, text, done, all, layer),
        random: bound => Math.floor(Math.random() * bound),
    };
    return {wasi, page};
}

/** The memory of the module, and how texts and rows get in and out. */
class Module {
    constructor(instance) {
        this.f = instance.exports;
        this.f._initialize();
        this.error = this.room(ERROR_BYTES);
    }

    /** Room for so many bytes. */
    room(bytes) {
        const at = this.f.malloc(Math.max(bytes, 1));
        if (!at) {
            throw new LibraryError('There is not enough memory.', 6);
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
        const all = new Uint8Array(this.f.memory.buffer, at >>> 0);
        return new TextDecoder().decode(all.subarray(0, all.indexOf(0)));
    }

    /** A copy of bytes. The caller frees it. */
    put(bytes) {
        const at = this.room(bytes.length);
        this.bytes(at, bytes.length).set(bytes);
        return at;
    }

    status() {
        return this.i32(this.error);
    }

    /** Throws the error of the last call, if it failed. */
    check(result, fault) {
        if (!result) {
            throw new LibraryError(this.text(this.error + 4), this.status(), fault);
        }
        return result;
    }
}

/**
 * Starts the module.
 * @param {Uint8Array} wasm
 * @param {{watch: Function, watchRun: Function}} hooks
 */
async function startModule(wasm, hooks) {
    let module = null;
    const imports = makeImports(() => module.f.memory, {
        watch: (what, done, all, bound) =>
            hooks.watch(what ? module.text(what) : '', done, all, bound),
        watchRun: (event, text, done, all, layer) =>
            hooks.watchRun(event, text ? module.text(text) : '', done, all, layer),
    });
    const {instance} = await WebAssembly.instantiate(wasm, {
        wasi_snapshot_preview1: imports.wasi, page: imports.page,
    });
    module = {f: instance.exports}; // for the imports that _initialize calls
    module = new Module(instance);
    return module;
}

let module = null;
let table = null;
let current = 0; // the id of the message that is being answered
let told = 0;

/** Tells the page how far a call is, but not too often. */
function tell(progress, always) {
    const now = performance.now();
    if (always || now - told >= PAUSE) {
        told = now;
        self.postMessage({id: current, progress});
    }
    return 1;
}

const hooks = {
    watch: (what, done, all, bound) => tell({what, done, all, bound}),
    watchRun: (event, text, done, all, layer) =>
        tell({event, text, done, all, layer}, event === 1 || event === 4 || event === 5),
};

/** The calls of the page: three of the module, and those of an open table. */
async function answer(call, args) {
    switch (call) {
    case 'start':
        module = await startModule(args[0], hooks);
        return true;
    case 'open':
        table = new Table(module, args[0]);
        return table.describe();
    case 'make':
        return new Blob([makeTable(module, ...args)]);
    default:
        return table[call](...args);
    }
}

// A Blob holds a table outside of the page's memory.
async function unpack(args) {
    return Promise.all(args.map(async arg =>
        arg instanceof Blob ? new Uint8Array(await arg.arrayBuffer()) : arg));
}

self.onmessage = async event => {
    const {id, call, args} = event.data;
    try {
        current = id;
        told = performance.now();
        self.postMessage({id, result: await answer(call, await unpack(args))});
    } catch (error) {
        const known = typeof error.status === 'number';
        const text = error.message === undefined ? String(error) : error.message;
        self.postMessage({id, error: {
            text: known ? text : 'The library stopped: ' + text,
            status: known ? error.status : 0, fault: error.fault || 0, fatal: !known,
        }});
    }
};
