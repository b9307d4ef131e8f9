// Starts the page, and connects the controls that belong to no panel.
'use strict';

const TITLES = {
    game: 'Loopover 3×3', eight: '8-puzzle', seven: '7-puzzle, 2×4',
    slide222: 'Sliding box 2×2×2', fifteen: '15-puzzle', magic: 'Magic board',
    dice: 'Rolling die', cubic: 'Rolling cubes', flip: 'Flip game, 4×4',
    fridge: 'Pilots’ fridge, 4×4',
};

/** Copies the text of a field, and says so on the button. */
async function copyField(field, button) {
    const text = button.textContent;
    field.select();
    try {
        await navigator.clipboard.writeText(field.value);
    } catch (error) {
        document.execCommand('copy');
    }
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), text === 'Copied' ? 0 : 1200);
}

function connect(app) {
    const on = (id, act) => $(id).addEventListener('click', act);
    on('undo', () => {
        app.answer.pause();
        app.travel(app.at - 1);
    });
    on('redo', () => {
        app.answer.pause();
        app.travel(app.at + 1, MOVE_MS);
    });
    on('reset', () => app.info &&
        app.go({row: app.info.goals[0], text: app.info.goalTexts[0], move: -1}, 0));
    on('random', () => app.random(null).catch(error => app.fault('state-problem', error)));
    $('state-form').addEventListener('submit', event => {
        event.preventDefault();
        app.typed($('state').value);
    });
    $('puzzle').addEventListener('change', () => {
        if ($('puzzle').value) {
            app.openNamed($('puzzle').value);
        }
    });
    on('go-own', () => {
        $('own').scrollIntoView();
        $('own-title').focus();
    });
}

async function main() {
    const app = new App();
    app.answer.say('Loading…', '');
    connect(app);
    try {
        const names = await listPuzzles();
        $('puzzle').replaceChildren(...names.map(name => make('option', {value: name},
            TITLES[name] ? `${TITLES[name]} (${name})` : name)));
        app.names = names;
        await app.link.follow();
    } catch (error) {
        app.problem(error.message);
    }
}

main();
