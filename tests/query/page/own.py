"""Tests of own puzzles, links and damaged files."""
import os
import random
import re
import time

from browser import Keys, Select, expect, expect_in
from room import README_BOARD, SOURCE, bare, read, test



# ---- One's own puzzle ----------------------------------------------------------------------------


def make_by_form(room, kind, rows, columns, layers=1):
    """Makes a puzzle with the form. Returns the path of the table that fewest-gen makes of it."""
    page = room.page
    with page.answer():
        page.begin_form(kind, rows, columns, layers)
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
    # The browser may make the file first, and fill it when another one, *.crdownload, is complete.
    page.wait(lambda _: os.path.exists(path) and os.path.getsize(path) > 0 and
              not any(name.endswith('.crdownload') for name in os.listdir(room.downloads)), f'the download of {path}')
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
        same = save_table(room) == read(room.generate(definition))
        expect(same, True, f'the same bytes of {name}')


@test('a KPuzzle makes the table that fewest-gen writes, and an error names its JSON path')
def make_kpuzzle(room):
    page = room.page
    page.play('game')
    path = os.path.join(SOURCE, 'tests/data/ivy.kpuzzle.json')
    with page.answer():
        page.give_file(path)
    expect(page.text('play-title'), 'ivy', 'the title')
    expect(save_table(room) == read(room.generate(path)), True, 'the same bytes')
    text = read(path).decode()
    for old, new, message in [
            ('"numPieces": 4', '"numPieces": 0', 'KPuzzle: orbits[0].numPieces: expected'),
            ('{', '{{', 'KPuzzle: line 1, column 2: expected JSON'),
            ('[0, 3, 1, 2]', '[0, 3, 1, 1]', 'moves.Rv.CORNERS.permutation: piece 1 appears')]:
        page.begin_definition(text.replace(old, new, 1))
        page.wait_for_text('make-problem', message)
    expect(page.text('play-title'), 'ivy', 'the puzzle that stays')


@test('the page says which moves it takes for rotations, and a declared one is silent')
def make_rotation(room):
    page = room.page
    page.play('game')
    text = ('Name turned\nSet P 4 1\nSolved\nEnd\nMove A\nP\n(1 2)\nEnd\nMove B\nP\n(3 4)\nEnd\n'
            'Move x\nP\n(1 3)(2 4)\nEnd\n')
    with page.answer():
        page.begin_definition(text)
    page.wait_for_text('make-note', 'The table is made')
    expect_in('Note: the move x is taken for a rotation of the whole puzzle, so it does not count; '
              'if that is right, add the line `Rotation x`', page.text('make-note'), 'the note')
    expect('x' in [button.text for button in page.driver.find_elements('css selector', '#moves button')],
           False, 'x among the moves')
    with page.answer():
        page.begin_definition(text.replace('turned', 'declared') + 'Rotation x\n')
    page.wait_for_text('make-note', 'The table is made')
    expect('rotation' in page.text('make-note'), False, 'a note')


@test('a definition can be dropped on the page or pasted into its field')
def drop_definition(room):
    page = room.page
    page.play('game')
    with page.answer():
        page.drop('dropped.puzzle', 'Name dropped\nSlide 2 3\n')
    expect(page.text('play-title'), 'dropped', 'the title')
    with page.answer():
        page.begin_definition('Name pasted\nSlide 2 2\n')
    expect(page.text('play-title'), 'pasted', 'the title')


@test('a file of another program is named')
def name_foreign_file(room):
    page = room.page
    page.play('game')
    for text, message in [('# c\nM_A:=(1,2,3);\n', 'this is a GAP file'),
                          ('[[1, 0]]', 'this is a list of JSON'),
                          ("{'f0': [1, 0]}", 'this is a dictionary of Python'),
                          ('{"f0": [1, 0]}', 'this JSON is no KPuzzle')]:
        page.begin_definition(text)
        page.wait_for_text('make-problem', message)
    expect(page.text('play-title'), 'game', 'the puzzle that stays')


@test('colours of stickers are not taken for moves')
def refuse_facelets(room):
    page = room.page
    faces = 'URFDLB'
    text = ''.join(f'Set {face}DIAL 1 4\n' for face in faces) + 'Solved\nEnd\n'
    text += ''.join(f'Move {face}\n{face}DIAL\n1\n1\nEnd\n' for face in faces)
    page.play('game')
    with page.answer():
        page.begin_definition('Name dials\n' + text)
    page.type_state('UUFRUFR')
    expect(bare(page.value('state')), '322000', 'the state after moves')
    page.type('state', 'UFRUFRRUUDLBDFDDLLRBLBFB')
    page.wait_for_text('state-problem', 'the colours of a cube')
    expect(page.to_go(), 3, 'the distance that stays')


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


@test('a scramble of the cube is solved with a table from a file')
def solve_cube(room):
    page = room.page
    page.play('game')
    table = room.path('cube.dtab')
    room.run('gen/fewest-gen', '-o', table, os.path.join(SOURCE, 'tables/puzzles/cube.puzzle'))
    with page.answer():
        page.give_file(table)
    expect(page.text('play-title'), 'cube', 'the title')
    for scramble in ["R U2 Rw M' F D2 x", "D2 R' B2 L2 F2 R2 F B2 U2 L2 D' U2 F'"]:
        with page.answer():
            page.click('reset')
        page.type_state(scramble)
        wanted = room.fewest('steps', table, '--moves', scramble).strip()
        expect(str(page.to_go()), wanted, f'the length of {scramble}')


@test('a size that a tab cannot hold is refused with the number')
def refuse_size(room):
    page = room.page
    page.play('game')
    page.begin_form('slide', 5, 5)
    page.wait(lambda page: page.text('make-problem'), 'a refusal')
    expect(bool(re.search(r'\d', page.text('make-problem'))), True,
           f'a number in {page.text("make-problem")!r}')
    expect(page.text('play-title'), 'game', 'the puzzle that stays')


@test('Stop ends the generator, and the page answers at once')
def stop_generator(room):
    page = room.page
    page.play('game')
    page.begin_form('slide', 2, 5)
    page.wait_for_text('make-note', 'Layer')
    page.click('stop-make')
    page.wait_for_text('make-note', 'Stopped.', seconds=2)
    page.type_state('312456789')
    expect(page.to_go(), 1, 'the distance')


@test('a table that is ready while somebody plays waits in the list of puzzles')
def keep_playing(room):
    page = room.page
    page.play('eight')
    page.begin_form('slide', 2, 5)
    with page.answer():
        page.click('random')
    page.wait_for_text('make-note', 'It is the last in the list of puzzles.')
    expect(page.text('play-title'), 'eight', 'the puzzle that stays')
    for puzzle in ['slide2x5', 'game', 'slide2x5']:
        with page.answer():
            Select(page.find('puzzle')).select_by_visible_text(
                'Loopover 3×3 (game)' if puzzle == 'game' else puzzle)
        expect(page.text('play-title'), puzzle, 'the title')


@test('Back leads to the puzzle before')
def go_back(room):
    page = room.page
    page.open(room.address + '#puzzle=eight&state=' + README_BOARD)
    page.play('seven')
    page.wait(lambda page: 'puzzle=seven' in page.driver.current_url, 'the address of seven')
    page.driver.back()
    page.wait_for_puzzle('eight')
    page.wait_for_text('distance', '19 moves to go')
    page.driver.forward()
    page.wait_for_puzzle('seven')


# ---- The link ------------------------------------------------------------------------------------


def open_copied_link(room):
    """Opens the address in a new tab, and checks that it shows the same."""
    page = room.page
    shown = {name: page.value(name) for name in ['state', 'goal']}
    shown.update({name: page.text(name) for name in ['play-title', 'distance']})
    page.click('copy-link')
    address = page.clipboard()
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
    page.begin_definition('Nonsense')
    page.wait_for_text('make-problem', "unknown keyword 'Nonsense'")


@test('a definition of 10 MB is refused')
def open_large_definition(room):
    room.page.play('game')
    expect_refusal(room, room.write('large.puzzle', '# a comment\n' * 870000), '')


# A puzzle or definition, a field, what is typed into it, and where the page then says what.
SAID = [
    ('eight', 'state', 'zz', 'state-problem', 'The board: cell 1: expected a number from 0 to 8'),
    ('eight', 'goal', 'zz', 'goal-problem', 'The goal: cell 1: expected a number from 0 to 8'),
    ('game', 'state', '*23456789', 'state-problem',
     'The board: cell 1 is a wildcard; only the goal may have wildcards'),
    ('game', 'state', '123', 'state-problem',
     'got 3 cells; game needs 9 (the board) or 18 (the board and the goal)'),
    ('game', 'state', '213456789', 'detail',
     'the permutation from the board to the goal is odd, but every move is even'),
    ('flip', 'state', 'w' * 15 + 'b', 'detail',
     'no moves lead from the board to a goal'),
    ('cubic', 'state', 'RWWWEWWWW', 'detail',
     'cubic answers only from a board where every cube has W on top'),
    ('Set A 3 3\nSolved\nA\n1 2 3\nEnd\nMove b\nA\n2 3 1\n1 2 0\nEnd\n', 'state', '1 2 3 1 0 0',
     'detail', 'the orientations of A add up to 1 in the board and to 0 in the goal'),
    ('Slide 1 4', 'state', '2 1 3 0', 'detail', 'the board and the goal have different orders'),
    ('Nonsense START', None, None, 'make-problem', "unknown keyword 'Nonsense'"),
]


@test('messages speak of the board and the goal, not of START and TARGET')
def speak_plainly(room):
    page = room.page
    heard = ['distance', 'detail', 'live', 'problem', 'state-problem', 'goal-problem',
             'make-problem']
    page.open(room.address + '#puzzle=eight&state=zz&goal=zz')
    page.wait_for_text('goal-problem', 'The goal: cell 1: ')
    page.wait_for_text('state-problem', 'The board: cell 1: ')
    for puzzle, field, text, place, message in SAID:
        if ' ' not in puzzle:
            page.play(puzzle)
        else:
            page.begin_definition(f'Name said\n{puzzle}\n')
        if field:
            page.wait_for_puzzle(puzzle if ' ' not in puzzle else 'said')
            page.type(field, text)
        page.wait_for_text(place, message)
        words = ' '.join(page.text(name) for name in heard)
        found = re.findall(r'.{0,20}\b(?:START|STATE|TARGET)\b', words)
        expect(found, [], f'words of the command that the page says of {puzzle}')


@test('the field below the board is called State or moves')
def label_state(room):
    page = room.page
    for puzzle in ['eight', 'game', 'fifteen', 'dice', 'flip']:
        page.play(puzzle)
        label = page.driver.find_element('css selector', 'label[for=state]')
        expect(label.text, 'State or moves', f'the label for {puzzle}')
    page.play('game')
    page.type_state("R1 C2'")
    expect(page.to_go(), 2, 'the distance after two moves')


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
    page.wait_for_text('goal-problem', "The goal: cell 1: expected a number from 0 to 8")
    page.type_state(README_BOARD)
    expect(page.to_go(), 19, 'the distance afterwards')
