// Starts the page.
'use strict';

const TITLES = {
    game: 'Loopover 3×3', eight: '8-puzzle', seven: '7-puzzle, 2×4',
    slide222: 'Sliding box 2×2×2', fifteen: '15-puzzle', magic: 'Magic board',
    dice: 'Rolling die', cubic: 'Rolling cubes', flip: 'Flip game, 4×4',
    fridge: 'Pilots’ fridge, 4×4',
};

async function main() {
    const names = await listPuzzles();
    $('puzzle').append(...names.map(name => make('option', {value: name},
        TITLES[name] ? `${TITLES[name]} (${name})` : name)));
    await new App(names).link.follow();
}

main().catch(error => ($('problem').textContent = error.message));
