"""Tests of long searches, and of lengths beside those of the command."""
import functools
import os
import random
import re
import time

from browser import expect
from room import BLANK_FIRST, FARTHEST_FIFTEEN, NEAR_FIFTEEN, PUZZLES, SOURCE, test


# Clicks controls at random, quicker than a person.
CLICK_QUICKLY = '''
    const [picks, done] = arguments;
    const names = ['undo', 'redo', 'reset', 'random', 'hint', 'solve', 'stop', 'back', 'pause',
        'forth', 'goal-reset', 'antipode', 'linear', 'log'];
    (async () => {
        for (const pick of picks) {
            const buttons = names.map(name => document.getElementById(name)).concat(
                ...document.querySelectorAll('#moves button, #goal-board [role=gridcell]'));
            const button = buttons[Math.floor(pick * buttons.length)];
            if (!button.disabled && !button.closest('[hidden]')) {
                button.dispatchEvent(new MouseEvent('click', {bubbles: true}));
            }
            await new Promise(resolve => setTimeout(resolve, 40 * pick));
        }
    })().then(() => done(''), error => done(String(error)));
'''


# ---- Long searches -------------------------------------------------------------------------------


@test('Stop ends a long search, and the page answers at once')
def stop_search(room):
    page = room.page
    page.play('fifteen')
    page.type('state', FARTHEST_FIFTEEN)
    page.wait_for_text('detail', 'Looking for paths')
    page.click('stop')
    page.wait_for_text('distance', 'Stopped', seconds=1)
    page.click('solve')
    page.wait_for_text('detail', 'Looking for paths')
    page.click('stop')
    page.wait_for_text('distance', 'Stopped', seconds=1)
    begun = time.monotonic()
    page.type_state(NEAR_FIFTEEN)
    seconds = time.monotonic() - begun
    expect(page.to_go(), 1, 'the distance')
    expect(seconds < 3, True, f'an answer in time, not after {seconds:.1f} s')


@test("Korf's three hardest boards have their known lengths")
def solve_korf(room):
    page = room.page
    with open(os.path.join(SOURCE, 'tests/data/korf100.txt'), encoding='utf-8') as file:
        boards = [line.split() for line in file if not line.startswith('#')]
    boards.sort(key=lambda board: int(board[1]))
    page.play('fifteen')
    for _, length, *cells in boards[-3:]:
        page.type_state(' '.join(cells) + ' ' + BLANK_FIRST)
        expect(str(page.to_go()), length, f'the length of {cells}')


@test('quick clicks and changes of the puzzle during a search do no harm')
def click_quickly(room):
    page = room.page
    chance = random.Random(room.seed)
    page.play('fifteen')
    page.type('state', FARTHEST_FIFTEEN)
    page.wait_for_text('detail', 'Looking for paths')
    for button in page.driver.find_elements('css selector', '#moves button')[:2] * 3:
        button.click()
    for puzzle in ['eight', 'fifteen', 'cubic', 'flip', 'game', 'fifteen', 'magic']:
        page.choose('puzzle', puzzle)
    page.wait_for_puzzle('magic')
    for puzzle in ['magic', 'fifteen', 'cubic', 'flip', 'eight']:
        page.choose('puzzle', puzzle)
        picks = [chance.random() for _ in range(30)]
        expect(page.driver.execute_async_script(CLICK_QUICKLY, picks), '', 'the clicks')
        page.check_console()
    page.play('game')
    page.type_state('312456789')
    expect(page.to_go(), 1, 'the distance afterwards')


# ---- Lengths -------------------------------------------------------------------------------------


def find_differences(states, shown, wanted):
    """The states for which the page shows another length than the command."""
    if not len(states) == len(shown) == len(wanted) > 0:
        return [f'{len(states)} states, {len(shown)} answers, {len(wanted)} lengths']
    lengths = [re.search(r'(\d+) moves? to go', text) for text in shown]
    return [f'{state}: the page shows {text!r}, the command prints {length}'
            for state, text, found, length in zip(states, shown, lengths, wanted)
            if not found or found.group(1) != length]


def compare_lengths(puzzle, room):
    page = room.page
    page.play(puzzle)
    states = room.sample(puzzle, room.count)
    wanted = room.fewest('batch', puzzle, text='\n'.join(states)).splitlines()
    differences = find_differences(states, page.ask_states(states), wanted)
    expect(differences[:3], [], f'differences of {puzzle}')


for each_puzzle in PUZZLES:
    test(f"lengths of {each_puzzle} equal the command's")(
        functools.partial(compare_lengths, each_puzzle))


@test('the comparison of lengths finds a wrong number')
def plant_wrong_length(_):
    states = ['a', 'b']
    shown = ['19 moves to go (at most 31)', 'Solved: 0 moves to go']
    expect(find_differences(states, shown, ['19', '0']), [], 'equal lengths')
    for wrong in [['18', '0'], ['19', '1'], ['19'], ['9', '0']]:
        expect(len(find_differences(states, shown, wrong)), 1, f'differences from {wrong}')
    unsolved = ["This board can't be solved:", shown[1]]
    expect(len(find_differences(states, unsolved, ['19', '0'])), 1, 'no number')


# ---- The console ---------------------------------------------------------------------------------


@test('the checker of the console finds planted errors')
def plant_errors(room):
    page = room.page
    page.check_console()
    for script in ['setTimeout(() => { throw new Error("planted"); })',
                   'Promise.reject(new Error("planted"))', 'console.error("planted")']:
        page.run(script)
        faults = []

        def look(page, faults=faults):
            faults += page.faults()
            return 'planted' in str(faults)
        page.wait(look, f'the error of {script}', seconds=5)
        time.sleep(0.1)
        page.faults()
    page.check_console()
