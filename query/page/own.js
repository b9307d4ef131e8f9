// A puzzle of one's own: from a form, a definition or a table, and the generator that makes it.
'use strict';

const MEMORY_MOST = 1.5 * 2 ** 30; // bytes that a tab of a browser can hold
const SHOWN_MOST = 200000; // characters of a definition: the field is slow
const READ_MOST = 1 << 20; // bytes of a definition
const PLANNED = 1; // enum fewest_gen_event
const LAYER = 2;
const PACKED = 3;
const WARNING = 5;
const TABLE_BEGINS = 'DTAB'; // after one byte

const chosenMetric = () => Number($('metric').value);
const writeNumber = value => value.toLocaleString('en');

/** The panel of own puzzles. The generator has a worker of its own. */
class Own {
    constructor(app) {
        this.app = app;
        this.client = new Client(null);
        const showLayers = kind => {
            $('layers-field').hidden = $('layers').disabled = kind !== 'slide';
        };
        onChange('kind', showLayers);
        showLayers($('kind').value);
        onSubmit('size-form', () => {
            const size = ['rows', 'columns', 'layers'].map(id => Number($(id).value));
            this.make(writeDefinition($('kind').value, ...size), 0);
        });
        onSubmit('own-form', () => this.make($('definition').value, chosenMetric()));
        onClick('stop-make', () => this.giveUp('Stopped.'));
        onClick('save', () => this.save());
        $('file').addEventListener('change', () => {
            this.read($('file').files[0]);
            $('file').value = '';
        });
        this.takeDrops();
    }

    takeDrops() {
        const mark = is => document.body.classList.toggle('dropping', is);
        const take = event => {
            if (event.dataTransfer && event.dataTransfer.types.includes('Files')) {
                event.preventDefault();
                mark(event.type === 'dragover');
                if (event.type === 'drop') {
                    this.read(event.dataTransfer.files[0]);
                }
            }
        };
        document.addEventListener('dragover', take);
        document.addEventListener('drop', take);
        document.addEventListener('dragleave', event => event.relatedTarget || mark(false));
    }

    /** Opens a file: a table, or else a definition. */
    async read(file) {
        if (!file) {
            return;
        }
        const done = await this.app.attempt('make-problem', async () => {
            const begin = await file.slice(1, 5).text();
            if (file.name.endsWith('.dtab') || begin === TABLE_BEGINS) {
                this.stop('');
                const note = 'The table came from a file: send that file, too.';
                await this.app.open(file, {note});
                this.note(`${file.name} is open.`);
            } else {
                await this.make(await file.slice(0, READ_MOST + 1).text(), chosenMetric());
            }
        });
        if (!done) {
            this.note(`${file.name} can’t be opened.`);
            $('make-problem').scrollIntoView({block: 'nearest'});
        }
    }

    // ---- The generator ----

    /** Makes a table and opens it. */
    async make(definition, metric, state, goal) {
        const {app} = this;
        const before = app.state;
        document.body.classList.replace('waiting', 'empty');
        if (definition.length < SHOWN_MOST) {
            $('definition').value = definition;
            $('metric').value = metric;
        }
        this.stop('Reading the definition');
        this.warnings = [];
        $('stop-make').disabled = false;
        const done = await app.attempt('make-problem', async () => {
            const begun = performance.now();
            const table = await this.client.call('make', [definition, metric, MEMORY_MOST],
                progress => this.progress(progress, performance.now() - begun));
            const made = `The table is made: ${writeNumber(table.size)} bytes.`;
            const note = [made, ...this.warnings].join(' ');
            this.stop(note); // frees memory
            const source = await linkDefinition(definition, metric);
            const name = /^\s*Name\s+(\S+)/m.exec(definition);
            app.keep(table, source, name ? name[1] : 'own');
            if (app.state === before && !app.coming) {
                await app.open(table, source, state, goal);
            } else { // somebody plays
                this.note(note + ' It is the last in the list of puzzles.');
            }
        });
        if (!done) {
            this.giveUp(this.warnings.join(' '));
        }
    }

    /** Ends the generator. */
    stop(note) {
        this.client.stop();
        $('stop-make').disabled = true;
        $('made').value = 0;
        this.step = note;
        this.note(note);
    }

    giveUp(note) {
        this.stop(note);
        if (!this.app.info) {
            this.app.openNamed(this.app.names[0]);
        }
    }

    progress({event, text, done, all, layer}, ms) {
        if (event === PLANNED) {
            const mebibytes = Math.max(1, Math.round(done / 2 ** 20));
            this.step = `${text} states, ${mebibytes} MiB of memory`;
        } else if (event === LAYER) {
            $('made').value = 0.8 * done / all;
            this.step = `Layer ${layer}: ${writeNumber(done)} of ${writeNumber(all)} states`;
        } else if (event === PACKED) {
            $('made').value = 0.8 + 0.2 * done / all;
            this.step = `Packing: ${writeNumber(done)} of ${writeNumber(all)} blocks`;
        } else if (event === WARNING) {
            this.warnings.push(`Note: ${text}.`);
        } else if (text) {
            this.step = text;
        }
        this.note(`${this.step} (${Math.round(ms / 1000)} s)`);
    }

    note(text) {
        $('make-note').textContent = text;
    }

    async save() {
        const {client, info} = this.app;
        const url = URL.createObjectURL(await client.table);
        make('a', {href: url, download: info.name + '.dtab'}).click();
        setTimeout(() => URL.revokeObjectURL(url), 60000);
    }
}
