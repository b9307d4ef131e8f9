#!/usr/bin/python3
"""Tests the page in a real Chromium, as a person uses it. Prints TAP.

    page.py BUILD [--all] [--only WORD] [--seed N]

BUILD is the build folder. --all compares 200 states of each puzzle instead of 40. --only runs the
tests with WORD in their names. --seed makes the random choices of an earlier run again.
"""
import argparse
import base64
import functools
import hashlib
import http.server
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import traceback

sys.dont_write_bytecode = True
from browser import Failure, Keys, Page, expect, expect_in  # noqa: E402

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), '../../..'))
PUZZLES = ['game', 'eight', 'seven', 'slide222', 'fifteen', 'magic', 'dice', 'cubic', 'flip',
           'fridge']
README_BOARD = '23415x768'
README_PATH = 'dlurullddrurdllurdr'
FARTHEST_FIFTEEN = '0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1'  # 80 moves: a search of seconds
NEAR_FIFTEEN = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15'
KORF_HARDEST = '11 14 13 1 2 3 12 4 15 7 9 5 10 6 8 0'  # number 60
BLANK_FIRST = ' '.join(map(str, range(16)))
AXE = 'axe-core@4.10.3'
AXE_SHA512 = ('Xm7bpRXnDSX2YE2YFfBk2FnF0ep6tmG7xPh8iHee8MIcrgq762Nkce856dYtJYLkuIoYZvGfTs/PbZhideTc'
              'Eg==')

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

RUN_AXE = '''
    const [options, done] = arguments;
    axe.run(document, {resultTypes: ['violations'], ...options}).then(({violations}) =>
        done(violations.map(({id, nodes}) => id + ' at ' +
            nodes.slice(0, 3).map(node => node.target.join(' ')).join(', '))),
    error => done([String(error)]));
'''

TESTS = []


def test(name):
    """Registers a test under a sentence."""
    def register(function):
        TESTS.append((name, function))
        return function
    return register


class Skip(Exception):
    """Why a test can't run here."""


class Room:
    """What the tests share: programs, folders and the browser."""

    def __init__(self, options, folder):
        self.build = os.path.realpath(options.build)
        self.folder = folder
        self.downloads = os.path.join(folder, 'downloads')
        self.natives = os.path.join(folder, 'natives')
        os.mkdir(self.downloads)
        os.mkdir(self.natives)
        self.seed = options.seed
        self.all = options.all
        self.count = 200 if self.all else 40
        self.page_file = os.path.join(folder, 'fewest.html')
        self.address = 'file://' + self.page_file
        self.run('query/fewest', 'page', '-o', self.page_file)
        self.page = Page(folder, self.downloads)
        self.servers = []

    def close(self):
        for server in self.servers:
            server.shutdown()
        self.page.driver.quit()

    def run(self, program, *arguments, text=None):
        """The output of a program of the build folder."""
        done = subprocess.run([os.path.join(self.build, program), *arguments], input=text,
                              capture_output=True, encoding='utf-8', check=False)
        if done.returncode > 1:
            raise Failure(f'{program} ended with {done.returncode}: {done.stderr}')
        return done.stdout.rstrip('\n')

    def fewest(self, *arguments, text=None):
        return self.run('query/fewest', *arguments, text=text)

    def complaint(self, program, *arguments, text=None):
        """What a program of the build folder complains about, without places."""
        done = subprocess.run([os.path.join(self.build, program), *arguments], input=text,
                              capture_output=True, encoding='utf-8', check=False)
        places = r'^fewest(-gen)?: ((stdin:\d+|\S*\.(dtab|puzzle)): )?'
        return re.sub(places, '', done.stderr.splitlines()[0])

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        """Writes a file into the folder of the tests, and returns its path."""
        mode = {'encoding': 'utf-8'} if isinstance(content, str) else {}
        with open(self.path(name), 'w' if mode else 'wb', **mode) as file:
            file.write(content)
        return self.path(name)

    def sample(self, puzzle, count):
        return self.fewest('sample', puzzle, '-n', str(count), '--seed',
                           str(self.seed)).splitlines()

    def generate(self, definition):
        """The path of the table that fewest-gen makes of a definition's file."""
        name = self.page.text('play-title')
        table = os.path.join(self.natives, name + '.dtab')
        self.run('gen/fewest-gen', '--force', '-o', table, definition)
        return table


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def bare(state):
    """A state's text without separators."""
    return re.sub(r'[\s/]', '', state)


# ---- The answer ----------------------------------------------------------------------------------


@test('the README board takes 19 moves, and its solution ends with 0 moves to go')
def solve_readme_board(room):
    page = room.page
    page.play('eight')
    page.type_state(README_BOARD)
    expect(page.text('distance'), '19 moves to go (at most 31)', 'the distance')
    page.wait_for_text('live', '19 moves to go')
    page.click('solve')
    page.click('pause')
    expect(page.value('path'), README_PATH, 'the path')
    while page.to_go():
        before = page.to_go()
        page.click('forth')
        expect(page.to_go(), before - 1, 'the distance after a step')
    expect(page.text('distance'), 'Solved: 0 moves to go', 'the distance')
    page.find('scrub').send_keys(Keys.HOME)
    expect(page.to_go(), 19, 'the distance at the begin of the scrubber')


@test('Solve plays the whole solution')
def play_solution(room):
    page = room.page
    for puzzle in ['dice', 'cubic']:
        page.play(puzzle)
        page.choose('speed', '60')
        with page.answer():
            page.click('antipode')
        length = page.to_go()
        page.click('solve')
        page.wait_for_text('distance', 'Solved: 0 moves to go')
        page.wait_for_text('pause', 'Play')
        expect(page.find('scrub').get_attribute('max'), str(length), f'the path of {puzzle}')


@test('a solution ends under reduced motion, too')
def solve_without_motion(room):
    page = room.page
    page.prefer(prefers_reduced_motion='reduce')
    page.play('eight')
    page.type_state('12345x786')
    page.click('solve')
    page.wait_for_text('distance', 'Solved')
    page.prefer()


@test('a hint names a move that brings the goal nearer')
def follow_hint(room):
    page = room.page
    for puzzle in ['game', 'eight', 'flip', 'magic']:
        page.play(puzzle)
        with page.answer():
            page.click('antipode')
        before = page.to_go()
        page.click('hint')
        name = page.wait_for_text('detail', 'Hint: ').removeprefix('Hint: ')
        hinted = page.driver.find_element('css selector', '#moves .hinted')
        expect(hinted.find_element('tag name', 'span').text, name, 'the marked move')
        with page.answer():
            hinted.click()
        expect(page.to_go(), before - 1, f'the distance after the hint for {puzzle}')


@test('a hint stays while the moves are being marked')
def keep_hint(room):
    page = room.page
    page.play('fifteen')
    page.type_state(f'{KORF_HARDEST} {BLANK_FIRST}')
    page.click('hint')
    page.wait_for_text('detail', 'Hint: ')
    page.wait(lambda page: page.run(
        'return Array.from(document.querySelectorAll("#moves button:enabled .mark"))'
        '.every(mark => mark.textContent)'), 'all marks')
    hinted = page.driver.find_elements('css selector', '#moves .hinted')
    expect(len(hinted), 1, 'marked moves')


@test('each move is marked by what it does to the distance')
def check_marks(room):
    page = room.page
    page.play('game')
    page.type_state('312564897')
    before = page.to_go()
    page.wait(lambda page: page.driver.find_elements('css selector', '#moves .near'), 'marks')
    for number in range(page.run('return document.querySelectorAll("#moves button").length')):
        page.wait(lambda page: page.run(
            'return document.querySelectorAll("#moves button")[arguments[0]].lastChild.textContent',
            number), 'a mark')
        button = page.driver.find_elements('css selector', '#moves button')[number]
        sign = button.find_element('class name', 'mark').text
        with page.answer():
            button.click()
        change = page.to_go() - before
        expect(sign, '▼' if change < 0 else '▲' if change > 0 else '=', f'the mark of {number}')
        with page.answer():
            page.click('undo')
        expect(page.to_go(), before, 'the distance after Undo')


@test('Undo, Redo and Reset go through the states')
def undo_and_redo(room):
    page = room.page
    page.play('seven')
    page.type_state('10234567')
    with page.answer():
        page.driver.find_element('css selector', '#moves button:enabled').click()
    moved = page.value('state')
    with page.answer():
        page.click('undo')
    expect(bare(page.value('state')), '10234567', 'the state after Undo')
    with page.answer():
        page.click('redo')
    expect(page.value('state'), moved, 'the state after Redo')
    with page.answer():
        page.click('reset')
    expect(page.to_go(), 0, 'the distance after Reset')


@test('an unreachable state says why')
def explain_unreachable(room):
    page = room.page
    for puzzle, state in [('eight', '123456870'), ('game', '213456789'),
                          ('fifteen', '1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0')]:
        page.play(puzzle)
        page.type_state(state)
        expect(page.text('distance'), 'Unreachable', f'the answer for {puzzle}')
        reason = room.fewest('parity', puzzle, state)
        expect_in(page.text('detail').rstrip('.'), reason, f'the reason for {puzzle}')


# ---- The board -----------------------------------------------------------------------------------


@test('a dragged row or column of Loopover changes the distance')
def drag_loopover(room):
    page = room.page
    page.play('game')
    with page.answer():
        page.drag(page.cell('board', 1, 2), 1, 0)
    expect(page.value('state'), '312/456/789', 'the state after a row')
    expect(page.text('distance'), '1 move to go (at most 8)', 'the distance after a row')
    with page.answer():
        page.drag(page.cell('board', 2, 3), 0, -1)
    expect(page.value('state'), '316/459/782', 'the state after a column')
    expect(page.text('distance'), '2 moves to go (at most 8)', 'the distance after a column')
    page.drag(page.cell('board', 1, 1), 0.2, 0)
    time.sleep(0.2)
    expect(page.value('state'), '316/459/782', 'the state after a short drag')


@test('a tile slides by a click or a drag, and a lamp turns by a click')
def click_board(room):
    page = room.page
    page.play('eight')
    with page.answer():
        page.cell('board', 2, 3).click()
    expect(page.value('state'), '123/450/786', 'the state after a click')
    with page.answer():
        page.drag(page.cell('board', 2, 2), 1, 0)
    expect(page.value('state'), '123/405/786', 'the state after a drag')
    page.play('flip')
    before = page.value('state')
    with page.answer():
        page.cell('board', 1, 1).click()
    changed = sum(a != b for a, b in zip(before, page.value('state')))
    expect(changed, 3, 'the pieces that a click turns')


@test('a click on the board of rolling cubes puts the blank there')
def place_blank(room):
    page = room.page
    page.play('cubic')
    with page.answer():
        page.cell('board', 3, 3).click()
    expect(page.value('state'), 'WWW/WWW/WWE', 'the start')


@test('a puzzle without a board is a table of sets')
def open_without_board(room):
    page = room.page
    with page.answer():
        page.give_file(os.path.join(SOURCE, 'tests/data/pyraminx.tws'))
    expect(page.text('play-title'), 'pyraminx', 'the title')
    expect(page.text('how'), 'This puzzle has no board. The buttons make its moves.', 'the help')
    rows = page.driver.find_elements('css selector', '#board table tr')
    expect(len(rows) > 1, True, 'rows of sets')
    with page.answer():
        page.driver.find_element('css selector', '#moves button:enabled').click()
    expect(page.to_go(), 1, 'the distance after a move')


# ---- Asking more ---------------------------------------------------------------------------------


@test('cells of the goal that are painted may be anything')
def paint_wildcards(room):
    page = room.page
    page.play('game')
    state = room.sample('game', 1)[0]
    page.type_state(state)
    before = page.to_go()
    for row, column in [(2, 2), (2, 3), (3, 1), (3, 2), (3, 3)]:
        with page.answer():
            page.cell('goal-board', row, column).click()
    expect(page.value('goal'), '123/4**/***', 'the goal')
    wanted = room.fewest('steps', 'game', state, '1234*****')
    expect(str(page.to_go()), wanted, 'the distance to the nearest match')
    with page.answer():
        page.click('goal-reset')
    expect(page.to_go(), before, 'the distance after Reset of the goal')


@test('one goal of several can be chosen')
def choose_goal(room):
    page = room.page
    page.play('flip')
    for goal, text in [('0', 'w' * 16), ('1', 'b' * 16), ('nearest', None)]:
        with page.answer():
            page.choose('goals', goal)
        page.type_state('wbbw/bbwb/bwbb/wwww')
        target = [] if text is None else [page.value('goal')]
        wanted = room.fewest('steps', 'flip', 'wbbw/bbwb/bwbb/wwww', *target)
        expect(str(page.to_go()), wanted, f'the distance to goal {goal}')


@test('the farthest state of Loopover takes 8 moves')
def find_antipode(room):
    page = room.page
    page.play('game')
    with page.answer():
        page.click('antipode')
    expect(page.text('distance'), '8 moves to go (at most 8)', 'the distance')
    expect(room.fewest('steps', 'game', page.value('state')), '8', "the command's answer")


@test('a random state has the distance that was asked for')
def draw_at_distance(room):
    page = room.page
    for puzzle, distance in [('game', 6), ('dice', 3), ('magic', 9), ('cubic', 20)]:
        page.play(puzzle)
        with page.answer():
            page.type('at', str(distance))
        expect(page.to_go(), distance, f'the distance of {puzzle}')
        note = page.text('plot-note')
        expect_in(f'{distance} moves to go', note, 'the note of the plot')
    page.fill('at', '99')
    expect(page.run('return document.getElementById("at").checkValidity()'), False, 'more than 36')


@test('a searched puzzle has no plot')
def hide_plot(room):
    page = room.page
    page.play('fifteen')
    expect(page.find('more').is_displayed(), False, 'the panel of distances')
    page.play('game')
    expect(page.find('more').is_displayed(), True, 'the panel of distances of game')


# ---- One's own puzzle ----------------------------------------------------------------------------


def make_by_form(room, kind, rows, columns, layers=1):
    """Makes a puzzle with the form. Returns the path of the table that fewest-gen makes of it."""
    page = room.page
    page.choose('kind', kind)
    page.fill('rows', str(rows))
    page.fill('columns', str(columns))
    if kind == 'slide':
        page.fill('layers', str(layers))
    with page.answer():
        page.find('columns').send_keys(Keys.ENTER)
    page.wait_for_text('make-note', 'The table is made')
    return room.generate(room.write('own.puzzle', page.value('definition')))


def read_numbers(page):
    """The numbers of the plot, as `fewest stats --tsv` prints them."""
    rows = page.run('return Array.from(document.querySelectorAll("#numbers tbody tr"), '
                    'row => Array.from(row.cells, cell => cell.textContent).join("\\t"))')
    return '\n'.join(rows)


def save_table(room):
    """Saves the open table, and returns its bytes."""
    page = room.page
    path = os.path.join(room.downloads, page.text('play-title') + '.dtab')
    page.click('save')
    page.wait(lambda _: os.path.exists(path), f'the download of {path}')
    content = read(path)
    os.remove(path)
    return content


@test('own lights out 3x3 has the numbers that the command counts')
def make_lights(room):
    page = room.page
    page.play('game')
    table = make_by_form(room, 'lights', 3, 3)
    expect(page.text('play-title'), 'lights3x3', 'the title')
    page.open_details()
    numbers = read_numbers(page)
    expect(numbers, room.fewest('stats', table, '--tsv'), 'the numbers')
    expect(sum(int(line.split('\t')[1]) for line in numbers.splitlines()), 512, 'all states')
    titles = page.run('return Array.from(document.querySelectorAll("#plot title"), '
                      'title => title.textContent.replace(": ", "\\t")).join("\\n")')
    expect(titles, numbers, 'the bars of the plot')
    with page.answer():
        page.cell('board', 2, 2).click()
    expect(bare(page.value('state')), '010111010', 'the state after a press in the middle')
    expect(page.to_go(), 1, 'the distance after a press')


@test('tables that the page makes have the bytes that fewest-gen writes')
def compare_tables(room):
    page = room.page
    for form in [('lights', 3, 3), ('cross', 2, 3), ('loopover', 2, 3), ('slide', 2, 3),
                 ('slide', 2, 2, 2), ('roll', 2, 2), ('loopover', 3, 3)]:
        table = make_by_form(room, *form)
        expect(save_table(room) == read(table), True, f'the same bytes of {form}')
        expect(read_numbers(page), room.fewest('stats', table, '--tsv'), f'numbers of {form}')
    for name in ['topspin.tws', 'pyraminx.tws', 'identical.tws']:
        definition = os.path.join(SOURCE, 'tests/data', name)
        with page.answer():
            page.give_file(definition)
        expect(save_table(room) == read(room.generate(definition)), True, f'the same bytes of {name}')


@test('a saved table can be opened again')
def open_table(room):
    page = room.page
    page.play('eight')
    with page.answer():
        page.give_file(os.path.join(room.build, 'tables/seven.dtab'))
    expect(page.text('play-title'), 'seven', 'the title')
    page.type_state('10234567')
    expect(page.to_go(), 1, 'the distance')
    expect(save_table(room), read(os.path.join(room.build, 'tables/seven.dtab')), 'its bytes')


@test('a size that a tab cannot hold is refused with the number')
def refuse_size(room):
    page = room.page
    page.play('game')
    page.choose('kind', 'slide')
    page.fill('rows', '5')
    page.fill('columns', '5')
    page.find('columns').send_keys(Keys.ENTER)
    page.wait(lambda page: page.text('make-problem'), 'a refusal')
    expect(bool(re.search(r'\d', page.text('make-problem'))), True,
           f'a number in {page.text("make-problem")!r}')
    expect(page.text('play-title'), 'game', 'the puzzle that stays')


@test('Stop ends the generator, and the page answers at once')
def stop_generator(room):
    page = room.page
    page.play('game')
    page.choose('kind', 'slide')
    page.fill('rows', '2')
    page.fill('columns', '5')
    page.fill('layers', '1')
    page.find('columns').send_keys(Keys.ENTER)
    page.wait_for_text('make-note', 'Layer')
    page.click('stop-make')
    page.wait_for_text('make-note', 'Stopped.', seconds=2)
    page.type_state('312456789')
    expect(page.to_go(), 1, 'the distance')


# ---- The link ------------------------------------------------------------------------------------


def open_copied_link(room):
    """Opens the address in a new tab, and checks that it shows the same."""
    page = room.page
    shown = {name: page.value(name) for name in ['state', 'goal']}
    shown.update({name: page.text(name) for name in ['play-title', 'distance']})
    page.click('copy-link')
    page.find('state').click()
    page.press('a', holding=Keys.CONTROL)
    page.press('v', holding=Keys.CONTROL)
    address = page.value('state')
    time.sleep(0.5)
    expect(address, page.driver.current_url, 'the copied link')
    expect(page.value('link'), address, 'the link')
    close = page.open_tab()
    try:
        page.open(address)
        for name in ['state', 'goal']:
            expect(page.value(name), shown[name], f'{name} of the new tab')
        for name in ['play-title', 'distance']:
            expect(page.text(name), shown[name], f'{name} of the new tab')
    finally:
        close()


@test('a copied link opens in a new tab with the same state')
def open_link(room):
    page = room.page
    page.play('eight')
    page.type_state(README_BOARD)
    open_copied_link(room)
    for puzzle in ['fifteen', 'cubic', 'fridge']:
        page.play(puzzle)
        with page.answer():
            page.click('random')
        open_copied_link(room)


@test('a link holds the goal with its wildcards')
def open_link_with_goal(room):
    page = room.page
    page.play('game')
    page.type_state('312456789')
    with page.answer():
        page.type('goal', '8*95372**')
    open_copied_link(room)


@test('a link holds the definition of an own puzzle')
def open_link_with_definition(room):
    page = room.page
    make_by_form(room, 'lights', 2, 3)
    with page.answer():
        page.click('antipode')
    open_copied_link(room)


@test('a damaged link says so and shows a puzzle')
def open_damaged_link(room):
    page = room.page
    for words, message in [('definition=zAAAA', 'The address is damaged'),
                           ('puzzle=chess', 'This page has no puzzle ‘chess’')]:
        page.open(f'{room.address}#{words}')
        page.wait_for_text('problem', message)
    page.open(f'{room.address}#puzzle=eight&state=zz')
    page.wait_for_text('state-problem', 'cell 1')
    page.open(room.address)


# ---- Long searches -------------------------------------------------------------------------------


@test('Stop ends a long search, and the page answers at once')
def stop_search(room):
    page = room.page
    page.play('fifteen')
    page.type('state', FARTHEST_FIFTEEN)
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


# ---- Damage --------------------------------------------------------------------------------------


def expect_refusal(room, path, message):
    """Gives the page a file, and checks what it says. The open puzzle stays."""
    page = room.page
    page.run('document.getElementById("make-problem").textContent = ""')
    page.give_file(path)
    page.wait(lambda page: page.text('make-problem'), f'a refusal of {path}')
    expect_in(message, page.text('make-problem'), f'the message about {path}')
    expect(page.text('play-title'), 'game', 'the puzzle that stays')
    page.type_state('312456789')
    expect(page.to_go(), 1, 'the distance afterwards')


@test("a damaged table gives the library's message")
def open_damaged_table(room):
    room.page.play('game')
    table = read(os.path.join(room.build, 'tables/game.dtab'))
    damaged = bytearray(table)
    damaged[300] ^= 0xFF
    for name, content in [('damaged', bytes(damaged)), ('short', table[:1000]),
                          ('noise', random.Random(room.seed).randbytes(5000))]:
        path = room.write(name + '.dtab', content)
        expect_refusal(room, path, room.complaint('query/fewest', 'steps', path, '123456789'))
    expect_refusal(room, room.write('empty.dtab', b''), 'this is not a distance table')


@test("a definition of garbage gives the library's message")
def open_garbage(room):
    page = room.page
    page.play('game')
    for text in ['Name x\nFoo bar\n', 'Name x\n', 'Name x\nSet A 3 1\nSolved\nA 1 2\nEnd\n',
                 '\x01\x02\x03', 'Name x\n' * 30000]:
        path = room.write('garbage.puzzle', text)
        expect_refusal(room, path,
                       room.complaint('gen/fewest-gen', '-o', room.path('x.dtab'), path))
    page.fill('definition', 'Nonsense')
    page.driver.find_element('css selector', '#own-form .main').click()
    page.wait_for_text('make-problem', "unknown keyword 'Nonsense'")


@test('a definition of 10 MB is refused')
def open_large_definition(room):
    room.page.play('game')
    expect_refusal(room, room.write('large.puzzle', '# a comment\n' * 870000), '')


@test("a nonsense state or goal gives the library's message")
def type_nonsense(room):
    page = room.page
    page.play('eight')
    for text in ['zz', '123', '113456780', '12345678', '💥', '1' * 5000]:
        page.paste('state', text)
        page.find('state').send_keys(Keys.ENTER)
        message = room.complaint('query/fewest', 'batch', 'eight', text=text + '\n')
        page.wait_for_text('state-problem', message)
        page.type_state(README_BOARD)
    page.type('goal', 'zz')
    page.wait_for_text('goal-problem', "TARGET: cell 1: expected a number from 0 to 8")
    page.type_state(README_BOARD)
    expect(page.to_go(), 19, 'the distance afterwards')


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
    expect(len(find_differences(states, ['Unreachable', shown[1]], ['19', '0'])), 1, 'no number')


# ---- For everyone --------------------------------------------------------------------------------


@test('the keyboard alone solves a board')
def solve_by_keyboard(room):
    page = room.page
    page.open(room.address)
    page.tab_to('puzzle')
    page.press('8')
    page.wait_for_puzzle('eight')
    page.tab_to('state')
    with page.answer():
        page.press('1234567x8', Keys.ENTER)
    expect(page.to_go(), 1, 'the distance')
    page.tab_to('board')
    with page.answer():
        page.press(Keys.ARROW_LEFT)
    expect(page.text('distance'), 'Solved: 0 moves to go', 'the distance after an arrow key')
    page.tab_to('state')
    with page.answer():
        page.press(README_BOARD, Keys.ENTER)
    expect(page.to_go(), 19, 'the distance')
    page.tab_to('speed')
    page.press('v')
    page.tab_to('solve')
    page.press(Keys.SPACE)
    page.wait_for_text('distance', 'Solved: 0 moves to go')
    page.tab_to('puzzle')
    page.press('L')
    page.wait_for_puzzle('game')
    page.tab_to('board')
    with page.answer():
        page.press(Keys.ARROW_DOWN)
        page.press(Keys.ARROW_RIGHT, holding=Keys.SHIFT)
    expect(page.value('state'), '123/645/789', 'the state after Shift and an arrow key')
    page.tab_to('goal-board')
    with page.answer():
        page.press(Keys.ENTER)
    expect(page.value('goal'), '*23/456/789', 'the goal after Enter')


@test('a phone of 360 x 700 needs no horizontal scrolling')
def fit_phone(room):
    page = room.page
    page.resize(360, 700)
    for puzzle in PUZZLES:
        page.play(puzzle)
        page.click('random')
        page.open_details()
        width = page.run('return document.documentElement.scrollWidth')
        expect(width <= 360, True, f'{width} pixels of {puzzle} fit')
    page.paste('definition', 'Name ' + 'x' * 300 + '\nFoo')
    page.driver.find_element('css selector', '#own-form .main').click()
    page.wait(lambda page: page.text('make-problem'), 'a message')
    width = page.run('return document.documentElement.scrollWidth')
    expect(width <= 360, True, f'{width} pixels of a long message fit')


@test('a finger drags a column of Loopover on a phone')
def drag_by_touch(room):
    page = room.page
    page.resize(360, 700)
    page.play('game')
    with page.answer():
        page.drag(page.cell('board', 2, 1), 0, 1, 'touch')
    expect(page.value('state'), '723/156/489', 'the state')
    expect(page.to_go(), 1, 'the distance')


@test('the page loads nothing from a network')
def load_nothing(room):
    page = room.page
    loaded = page.run('return performance.getEntriesByType("resource").map(e => e.name)')
    others = [name for name in loaded if not re.match('(file|blob|data):', name)]
    expect(others, [], 'what was loaded')
    expect(page.run('return document.cookie + localStorage.length'), '0', 'what is stored')


# ---- The page as a folder ------------------------------------------------------------------------


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@test('the folder of the page works on a plain web server')
def serve_folder(room):
    page = room.page
    site = room.path('site')
    os.mkdir(site)
    os.symlink(os.path.join(room.build, 'query/page'), os.path.join(site, 'page'))
    for puzzle in PUZZLES:
        name = puzzle + '.dtab'
        os.symlink(os.path.join(room.build, 'tables', name), os.path.join(site, name))
    handler = functools.partial(QuietHandler, directory=site)
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler)
    room.servers.append(server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page.open(f'http://127.0.0.1:{server.server_port}/page/#puzzle=eight&state=234150768')
    expect(page.to_go(), 19, 'the distance')
    listed = page.run('return Array.from(document.getElementById("puzzle").options, o => o.value)')
    expect(sorted(listed), sorted(PUZZLES), 'the menu of puzzles')
    for puzzle in ['fifteen', 'game']:
        page.play(puzzle)
    page.type_state('312456789')
    expect(page.to_go(), 1, 'the distance')
    make_by_form(room, 'lights', 2, 2)
    page.check_console()
    page.open(room.address)


# ---- Accessibility -------------------------------------------------------------------------------


def load_axe(room):
    """The script of axe-core, which npm fetches into the build folder."""
    folder = os.path.join(room.build, 'tests')
    package = os.path.join(folder, AXE.replace('@', '-') + '.tgz')
    if not os.path.exists(package):
        os.makedirs(folder, exist_ok=True)
        npm = shutil.which('npm')
        if not npm:
            raise Skip('npm is missing')
        done = subprocess.run([npm, 'pack', AXE, '--pack-destination', folder,
                               '--cache', room.path('npm')],
                              capture_output=True, check=False, timeout=120)
        if done.returncode or not os.path.exists(package):
            raise Skip(f'npm cannot fetch {AXE}')
    digest = base64.b64encode(hashlib.sha512(read(package)).digest()).decode()
    if digest != AXE_SHA512:
        os.remove(package)
        raise Failure(f'{AXE} has the hash {digest}')
    with tarfile.open(package) as archive:
        return archive.extractfile('package/axe.min.js').read().decode()


def visit_states(room, puzzles):
    """Brings the page into one state after another, and yields the name of each."""
    page = room.page
    for puzzle in puzzles:
        page.play(puzzle)
        page.open_details()
        if puzzle == 'fifteen':
            page.type_state(NEAR_FIFTEEN)
        else:
            with page.answer():
                page.click('antipode')
        if puzzle in ['game', 'dice', 'flip']:
            page.click('hint')
            page.wait_for_text('detail', 'Hint')
        if puzzle in ['eight', 'cubic']:
            page.click('solve')
            page.click('pause')
        yield puzzle
    page.play('fifteen')
    page.type('state', FARTHEST_FIFTEEN)
    page.wait_for_text('detail', 'Looking for paths')
    yield 'a search'
    page.click('stop')
    page.play('eight')
    page.type_state('123456870')
    page.type('goal', 'zz')
    page.wait(lambda page: page.text('goal-problem'), 'a message')
    page.type('state', 'zz')
    page.wait(lambda page: page.text('state-problem'), 'a message')
    page.type('at', '99')
    page.paste('definition', 'Foo')
    page.driver.find_element('css selector', '#own-form .main').click()
    page.wait(lambda page: page.text('make-problem'), 'a message')
    yield 'messages'
    with page.answer():
        page.give_file(os.path.join(SOURCE, 'tests/data/pyraminx.tws'))
    yield 'a puzzle without a board'
    page.play('game')
    with page.answer():
        page.cell('goal-board', 2, 2).click()
    page.run('document.body.classList.add("dropping")')
    yield 'a file above the page, and wildcards'
    page.run('document.body.classList.remove("dropping")')


def run_axe(room, script, **options):
    """What axe-core finds in the page as it is."""
    page = room.page
    if not page.run('return !!window.axe'):
        page.run(script)
    return page.driver.execute_async_script(RUN_AXE, options)


def check_accessibility(look, room):
    page = room.page
    script = load_axe(room)
    options = {}
    if look == 'dark':  # nothing but colours differ
        page.prefer(prefers_color_scheme='dark')
        options = {'runOnly': ['color-contrast']}
    elif look == 'phone':
        page.resize(360, 700)
    page.run('document.getElementById("speed").value = "1200"')
    puzzles = PUZZLES if look != 'phone' or room.all else ['game', 'slide222', 'fifteen', 'cubic']
    found = [f'{state}: {violation}' for state in visit_states(room, puzzles)
             for violation in run_axe(room, script, **options)]
    expect(found, [], 'violations')


for each_look in ['light', 'dark', 'phone']:
    test(f'axe-core finds nothing in any state of the page: {each_look}')(
        functools.partial(check_accessibility, each_look))


@test('axe-core finds a planted violation')
def plant_violation(room):
    page = room.page
    script = load_axe(room)
    page.run('document.querySelector("main").insertAdjacentHTML("beforeend",'
             '"<p id=planted style=color:#777;background:#888>pale</p><button></button>")')
    found = '; '.join(run_axe(room, script))
    expect_in('color-contrast at #planted', found, 'the violations')
    expect_in('button-name', found, 'the violations')
    page.open(room.address)


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


# ---- Running -------------------------------------------------------------------------------------


def run_test(room, function):
    """Runs a test. Returns what it found, or None, and why it was skipped, or None."""
    page = room.page
    try:
        function(room)
        page.check_console()
        return None, None
    except Skip as skip:
        return None, str(skip)
    except Exception as error:  # a fault of the page may stop the driver anywhere
        place = traceback.extract_tb(error.__traceback__)
        lines = [str(step.lineno) for step in place if step.filename == __file__]
        text = str(error) if isinstance(error, Failure) else \
            f'{type(error).__name__}: {str(error).splitlines()[0]}'
        return f'{text} (line {lines[-1]})', None
    finally:
        page.prefer()
        page.resize(None, None)


def run_tests(room, tests):
    """Runs tests, and prints their lines. Returns how many failed."""
    failed = 0
    for number, (name, function) in enumerate(tests, 1):
        begun = time.monotonic()
        problem, skipped = run_test(room, function)
        seconds = time.monotonic() - begun
        if problem is None:
            print(f'ok {number} - {name}' + (f' # skip {skipped}' if skipped else ''), flush=True)
        else:
            failed += 1
            print(f'not ok {number} - {name}')
            for line in problem.splitlines():
                print(f'# {line}', flush=True)
            room.page.open(room.address)
            room.page.faults()
        print(f'# {seconds:.1f} s', flush=True)
    print(f'1..{len(tests)}')
    return failed


def main():
    parser = argparse.ArgumentParser(description='Test the page in a real Chromium.')
    parser.add_argument('build', help='the build folder')
    parser.add_argument('--all', action='store_true', help='compare 200 states of each puzzle')
    parser.add_argument('--only', default='', metavar='WORD', help='run tests with WORD in the name')
    parser.add_argument('--seed', type=int, default=random.randrange(10**6), metavar='N',
                        help='seed the random choices')
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # cleans up
    print(f'# seed {options.seed}')
    tests = [entry for entry in TESTS if options.only in entry[0]]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        room = Room(options, folder)
        try:
            room.page.open(room.address)
            return 1 if run_tests(room, tests) else 0
        finally:
            room.close()


if __name__ == '__main__':
    sys.exit(main())
