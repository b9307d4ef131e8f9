// Starts the page.
'use strict';

const TITLES = {
    game: 'Loopover 3×3', eight: '8-puzzle', seven: '7-puzzle, 2×4',
    slide222: 'Sliding box 2×2×2', fifteen: '15-puzzle', magic: 'Magic board',
    dice: 'Rolling die', cubic: 'Rolling cubes', flip: 'Flip game, 4×4',
    fridge: 'Pilots’ fridge, 4×4',
};

/** A button that a press disables hands the focus to one of these. */
const HEIRS = {
    undo: ['redo', 'reset'], redo: ['undo', 'reset'], back: ['forth', 'pause'],
    forth: ['back', 'pause'], hint: ['solve', 'stop', 'pause'], solve: ['pause', 'stop'],
    stop: ['solve', 'hint'], pause: ['solve', 'stop'], 'stop-make': ['definition'],
};

function keepFocus() {
    for (const [id, heirs] of Object.entries(HEIRS)) {
        const button = $(id);
        new MutationObserver(() => {
            if (button.disabled && document.activeElement === button) {
                const heir = heirs.map($).find(element => !element.disabled);
                if (heir) {
                    heir.focus({preventScroll: true}); // the board stays in sight
                }
            }
        }).observe(button, {attributeFilter: ['disabled']});
    }
}

async function main() {
    keepFocus();
    const names = await listPuzzles();
    $('puzzle').append(...names.map(name => make('option', {value: name},
        TITLES[name] ? `${TITLES[name]} (${name})` : name)));
    await new App(names).link.follow();
}

main().catch(error => ($('problem').textContent = error.message));
