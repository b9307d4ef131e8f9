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
    constructor() {
        this.table = null; // a Blob
        this.generation = 0;
        this.queue = [];
        this.running = null;
        this.worker = null;
        this.starting = null;
        this.id = 0;
    }

    /** Outdates all calls so far. */
    renew() {
        this.generation++;
        this.queue.splice(0).forEach(job => job.reject(new Stopped()));
        return this.generation;
    }

    /** Opens a table. */
    async open(blob) {
        this.renew();
        this.end();
        this.table = null;
        const info = await this.call('open', [blob]);
        this.table = blob;
        return info;
    }

    /**
     * Has the library answer.
     * @param {string} call
     * @param {any[]} args
     * @param {?function} [progress]
     */
    call(call, args, progress) {
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
        const running = this.running;
        clearTimeout(this.timer);
        this.running = null;
        this.starting = null;
        if (this.worker) {
            this.worker.onmessage = null;
            this.worker.onerror = null;
            this.worker.terminate();
            this.worker = null;
        }
        if (running) {
            running.reject(new Stopped());
        }
    }

    next() {
        if (this.running) {
            this.hurry();
        } else if (this.queue.length) {
            this.running = this.queue.shift();
            this.run(this.running);
        }
    }

    /** An outdated call that takes long gives way. */
    hurry() {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
            if (this.running && this.queue.length &&
                this.running.generation < this.generation) {
                this.end();
                this.next();
            }
        }, PATIENCE);
    }

    async run(job) {
        try {
            if (!this.worker) {
                await this.start(job);
            }
            if (this.running === job) {
                this.post(job, job.call, job.args);
            }
        } catch (error) {
            if (this.running === job) {
                this.fail(job, error);
            }
        }
    }

    async start(job) {
        const {worker, wasm} = await startWorker();
        if (this.running !== job) {
            worker.terminate();
            return;
        }
        this.worker = worker;
        worker.onmessage = event => this.receive(event.data);
        worker.onerror = event => {
            event.preventDefault();
            if (this.running) {
                this.fail(this.running, new Error(event.message || 'The worker failed.'));
            }
        };
        await this.postAlone('start', [wasm]);
        if (this.table && this.running === job) {
            await this.postAlone('open', [this.table]);
        }
    }

    /** Posts a message that belongs to the start of a worker. */
    postAlone(call, args) {
        return new Promise((resolve, reject) => {
            this.starting = {id: ++this.id, resolve, reject};
            this.worker.postMessage({id: this.id, call, args});
        });
    }

    post(job, call, args) {
        job.id = ++this.id;
        this.worker.postMessage({id: job.id, call, args});
    }

    receive(message) {
        const job = this.starting && this.starting.id === message.id ?
            this.starting : this.running;
        if (!job || job.id !== message.id) {
            return;
        }
        if (message.progress) {
            if (job.progress && job.generation === this.generation) {
                job.progress(message.progress);
            }
        } else if (job === this.starting) {
            this.starting = null;
            settle(job, message);
        } else {
            this.finish(job, message);
        }
    }

    finish(job, message) {
        clearTimeout(this.timer);
        this.running = null;
        if (message.error && message.error.fatal) {
            this.end();
        }
        if (job.generation < this.generation) {
            job.reject(new Stopped());
        } else {
            settle(job, message);
        }
        this.next();
    }

    fail(job, error) {
        this.end();
        job.reject(error);
        this.next();
    }
}

function settle(job, message) {
    if (message.error) {
        job.reject(Object.assign(new Error(message.error.text), message.error));
    } else {
        job.resolve(message.result);
    }
}
