// The worker: one library, one table. Answers messages {id, call, args}.
'use strict';

if (!self.Fewest) {
    importScripts('engine.js');
}

(function () {
    const PAUSE = 100; // milliseconds between two messages about progress
    let library = null;
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

    async function answer(call, args) {
        if (call === 'start') {
            library = await Fewest.startLibrary(args[0], hooks);
            return true;
        }
        const made = library[call](...args);
        return call === 'make' ? new Blob([made]) : made;
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
})();
