// The page's end of the worker: calls, Stop, and replies that nobody waits for any more.
'use strict';

const PATIENCE = 80; // milliseconds that a new question waits for an outdated one

/** A call ended because of Stop, or because its question is outdated. */
class Stopped extends Error {}

/**
 * A worker with a table. It gets one call at a time, so that a call can be dropped before it
 * begins. Calls carry a generation: those of an older one are outdated.
 */
class Client {
    /** @param {?(Blob|Promise<Blob>)} table */
    constructor(table) {
        this.table = table;
        this.generation = 0;
        this.queue = [];
        this.running = null;
        this.worker = null;
        this.timer = 0;
    }

    /** Outdates all calls so far. One that takes long gives way. */
    renew() {
        this.generation++;
        this.queue.splice(0).forEach(job => job.reject(new Stopped()));
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
            if (this.running && this.running.generation < this.generation) {
                this.end();
                this.next();
            }
        }, PATIENCE);
    }

    /**
     * Has the library answer.
     * @param {string} call
     * @param {any[]} args
     * @param {function} [progress]
     */
    call(call, args, progress = () => {}) {
        return new Promise((resolve, reject) => {
            const generation = this.generation;
            this.queue.push({call, args, progress, resolve, reject, generation});
            this.next();
        });
    }

    /** Ends all that runs, at once. The next call starts anew with the same table. */
    stop() {
        this.renew();
        this.end();
    }

    end() {
        if (this.worker) {
            this.worker.onmessage = null;
            this.worker.onerror = null;
            this.worker.terminate();
            this.worker = null;
        }
        if (this.running) {
            this.running.reject(new Stopped());
            this.running = null;
        }
    }

    next() {
        if (!this.running && this.queue.length) {
            this.running = this.queue.shift();
            this.run(this.running);
        }
    }

    async run(job) {
        try {
            const setup = this.worker ? null : await this.start(job);
            if (this.running === job) {
                this.worker.postMessage({setup, call: job.call, args: job.args});
            }
        } catch (error) {
            if (this.running === job) {
                this.fail(error.message);
            }
        }
    }

    /** Starts a worker for a job. Returns what the worker needs first. */
    async start(job) {
        const [{address, wasm}, table] = await Promise.all([findParts(), this.readTable()]);
        if (this.running !== job) {
            return null;
        }
        const worker = this.worker = new Worker(address);
        worker.onmessage = event => this.receive(event.data);
        worker.onerror = event => {
            event.preventDefault();
            this.fail(event.message || 'The worker failed.');
        };
        return {wasm, table};
    }

    /** The bytes of the table. Safari's worker can't read a Blob if the page is a file. */
    async readTable() {
        const blob = await this.table; // outside of the page's memory
        return blob && new Uint8Array(await blob.arrayBuffer());
    }

    fail(text) {
        this.receive({error: {text, fatal: true}});
    }

    receive({progress, error, result}) {
        const job = this.running;
        const isOutdated = job.generation < this.generation;
        if (progress) {
            if (!isOutdated) {
                job.progress(progress);
            }
            return;
        }
        if (isOutdated) {
            job.reject(new Stopped());
        } else if (error) {
            job.reject(new Error(error.text));
        } else {
            job.resolve(result);
        }
        this.running = null;
        if (error && error.fatal) {
            this.end();
        }
        this.next();
    }
}
