"""Tests with the keyboard, on a phone, from a web server, and with axe-core."""
import base64
import functools
import hashlib
import http.server
import os
import re
import shutil
import subprocess
import tarfile
import threading

from browser import Failure, Keys, expect, expect_in
from own import make_by_form
from room import FARTHEST_FIFTEEN, NEAR_FIFTEEN, PUZZLES, README_BOARD, SOURCE, Skip, read, test


AXE = 'axe-core@4.10.3'
AXE_SHA512 = ('Xm7bpRXnDSX2YE2YFfBk2FnF0ep6tmG7xPh8iHee8MIcrgq762Nkce856dYtJYLkuIoYZvGfTs/PbZhideTc'
              'Eg==')

RUN_AXE = '''
    const [options, done] = arguments;
    axe.run(document, {resultTypes: ['violations'], ...options}).then(({violations}) =>
        done(violations.map(({id, nodes}) => id + ' at ' +
            nodes.slice(0, 3).map(node => node.target.join(' ')).join(', '))),
    error => done([String(error)]));
'''


# ---- For everyone --------------------------------------------------------------------------------


@test('the link to the board keeps the position')
def skip_to_board(room):
    page = room.page
    page.open(room.address + '#puzzle=eight&state=' + README_BOARD)
    page.press(Keys.TAB, Keys.ENTER)
    page.wait(lambda page: 'puzzle=eight' in page.driver.current_url, 'the address')
    expect(page.text('play-title'), 'eight', 'the title')
    expect(page.to_go(), 19, 'the distance')


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
    expect(page.run('return document.activeElement.id'), 'pause', 'the focus after Solve')
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
    page.begin_definition('Name ' + 'x' * 300 + '\nFoo')
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
    page.choose('speed', '1200')
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
    page.begin_definition('Foo')
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


@test('axe-core finds nothing in any state of the page, light or dark')
def check_desktop(room):
    script = load_axe(room)
    found = []
    for state in visit_states(room, PUZZLES):
        found += [f'{state}: {violation}' for violation in run_axe(room, script)]
        room.page.prefer(prefers_color_scheme='dark')  # nothing but colours differ
        found += [f'{state}, dark: {violation}'
                  for violation in run_axe(room, script, runOnly=['color-contrast'])]
        room.page.prefer()
    expect(found, [], 'violations')


@test('axe-core finds nothing in any state of the page on a phone')
def check_phone(room):
    script = load_axe(room)
    room.page.resize(360, 700)
    puzzles = PUZZLES if room.all else ['game', 'slide222', 'fifteen', 'cubic']
    found = [f'{state}: {violation}' for state in visit_states(room, puzzles)
             for violation in run_axe(room, script)]
    expect(found, [], 'violations')


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
