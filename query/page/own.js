// A puzzle of one's own: from a form, a definition or a table, and the generator that makes it.
'use strict';

const MEMORY_MOST = 1.5 * 2 ** 30; // bytes that a tab of a browser can hold
const SHOWN_MOST = 200000; // characters of a definition: the field is slow
const CELLS_MOST = 254; // of a set
const MEMORY_FAULT = 3; // enum fewest_gen_fault
const PLANNED = 1; // enum fewest_gen_event
const LAYER = 2;
const PACKED = 3;
const TABLE_BEGINS = 'DTAB'; // after one byte

const number = value => value.toLocaleString('en');
const mebibytes = bytes => Math.max(1, Math.round(bytes / 2 ** 20)) + ' MiB';

/** The panel of own puzzles. The generator has a worker of its own. */
class Own {
    constructor(app) {
        this.app = app;
        this.client = new Client();
        $('kind').addEventListener('change', () => this.showLayers());
        $('size-form').addEventListener('submit', event => {
            event.preventDefault();
            const [rows, columns, layers] = ['rows', 'columns', 'layers']
                .map(id => Math.min(Math.max(Math.floor(Number($(id).value)) || 1, 1), 64));
            if ($('kind').value !== 'slide' && rows * columns > CELLS_MOST) {
                this.problem(`${rows} × ${columns} are ${rows * columns} cells: ` +
                    `at most ${CELLS_MOST} are possible.`);
                return;
            }
            const text = writeDefinition($('kind').value, rows, columns, layers);
            this.make(text, 0);
        });
        $('own-form').addEventListener('submit', event => {
            event.preventDefault();
            this.make($('definition').value, Number($('metric').value));
        });
        $('stop-make').addEventListener('click', () => this.stop());
        $('save').addEventListener('click', () => this.save());
        $('file').addEventListener('change', () => {
            this.read($('file').files[0]);
            $('file').value = '';
        });
        this.takeDrops();
        this.showLayers();
    }

    showLayers() {
        $('layers-field').hidden = $('kind').value !== 'slide';
    }

    /** A puzzle was opened. */
    setPuzzle(info) {
        $('save').disabled = false;
        const {source} = this.app;
        const list = $('puzzle');
        list.querySelectorAll('option.own').forEach(option => option.remove());
        if (!source.name) {
            list.append(make('option', {value: '', class: 'own'}, info.name));
        }
    }

    takeDrops() {
        const holdsFile = event => event.dataTransfer &&
            Array.from(event.dataTransfer.types).includes('Files');
        const mark = is => document.body.classList.toggle('dropping', is);
        document.addEventListener('dragover', event => {
            if (holdsFile(event)) {
                event.preventDefault();
                mark(true);
            }
        });
        document.addEventListener('dragleave', event => event.relatedTarget || mark(false));
        document.addEventListener('drop', event => {
            if (holdsFile(event)) {
                event.preventDefault();
                mark(false);
                this.read(event.dataTransfer.files[0]);
            }
        });
    }

    /** Opens a file: a table, or else a definition. */
    async read(file) {
        if (!file) {
            return;
        }
        this.problem('');
        try {
            const start = await file.slice(1, 5).text();
            if (file.name.endsWith('.dtab') || start === TABLE_BEGINS) {
                this.stop();
                this.note(`Opening ${file.name}`);
                const wrong = await this.app.open(file, {file: file.name});
                this.note(wrong ? '' : `${file.name} is open.`);
                this.problem(wrong ? `${file.name}: ${wrong}` : '');
            } else {
                const text = await file.slice(0, (1 << 20) + 1).text();
                await this.make(text, Number($('metric').value));
            }
        } catch (error) {
            this.problem(`${file.name} can’t be read: ${error.message}`);
        }
    }

    // ---- The generator ----

    /** Makes a table and opens it. */
    async make(definition, metric, state, goal) {
        this.app.appear();
        this.client.stop();
        this.problem('');
        if (definition.length < SHOWN_MOST) {
            $('definition').value = definition;
        }
        this.step = 'Reading the definition';
        this.note(this.step);
        this.busy(true);
        this.begun = performance.now();
        const run = this.run = {};
        try {
            const table = await this.client.call('make', [definition, metric, MEMORY_MOST],
                progress => this.progress(progress));
            this.busy(false);
            this.client.stop(); // its memory is large
            const wrong = await this.app.open(table, {definition, metric}, state, goal);
            this.problem(wrong);
            this.note(wrong ? '' : `The table is made: ${number(table.size)} bytes.`);
        } catch (error) {
            if (run === this.run) {
                this.fail(error);
            }
        }
    }

    fail(error) {
        this.busy(false);
        this.client.stop();
        this.note('');
        if (error instanceof Stopped) {
            this.note('Stopped.');
        } else {
            this.problem(error.fault === MEMORY_FAULT ?
                `${error.message}. A browser’s tab can hold no more.` : error.message);
        }
        if (!this.app.info) {
            this.app.openNamed(this.app.names[0]);
        }
    }

    stop() {
        this.client.stop();
    }

    busy(is) {
        $('stop-make').disabled = !is;
        $('made').value = 0;
    }

    progress({event, text, done, all, layer}) {
        if (event === PLANNED) {
            this.step = `${text} states, ${mebibytes(done)} of memory`;
        } else if (event === LAYER) {
            $('made').value = 0.8 * done / all;
            this.step = `Layer ${layer}: ${number(done)} of ${number(all)} states`;
        } else if (event === PACKED) {
            $('made').value = 0.8 + 0.2 * done / all;
            this.step = `Packing: ${number(done)} of ${number(all)} blocks`;
        } else if (text) {
            this.step = text;
        }
        const seconds = Math.round((performance.now() - this.begun) / 1000);
        this.note(`${this.step} (${seconds} s)`);
    }

    note(text) {
        $('make-note').textContent = text;
    }

    problem(text) {
        $('make-problem').textContent = text;
        this.app.problem('');
    }

    save() {
        const {table, info} = this.app;
        if (table && info) {
            const url = URL.createObjectURL(table);
            make('a', {href: url, download: info.name + '.dtab'}).click();
            setTimeout(() => URL.revokeObjectURL(url), 60000);
        }
    }
}
