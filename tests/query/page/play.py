"""Tests of the board, the answer, the goal and the plot."""
import os
import time

from browser import Keys, expect, expect_in
from room import BLANK_FIRST, README_BOARD, SOURCE, bare, say_plainly, test


README_PATH = 'dlurullddrurdllurdr'
KORF_HARDEST = '11 14 13 1 2 3 12 4 15 7 9 5 10 6 8 0'  # number 60


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
    page.click('copy-path')
    expect(page.clipboard(), README_PATH, 'the copied path')
    while page.to_go():
        before = page.to_go()
        page.click('forth')
        expect(page.to_go(), before - 1, 'the distance after a step')
    expect(page.text('distance'), 'Solved: 0 moves to go', 'the distance')
    page.find('scrub').send_keys(Keys.HOME)
    expect(page.to_go(), 19, 'the distance at the begin of the scrubber')


def list_ways(page, count):
    """Presses Next way so many times. Returns the paths."""
    ways = []
    for _ in range(count):
        before = page.value('path')
        page.click('next-way')
        page.wait(lambda page: page.value('path') != before, 'another path')
        ways.append(page.value('path'))
    return ways


@test('Next way goes through all shortest ways, and begins anew after the last')
def go_through_ways(room):
    page = room.page
    page.play('eight')
    page.type_state('87654321x')
    page.wait_for_text('ways', '10 shortest ways')
    ways = list_ways(page, 11)
    wanted = room.fewest('path', '--all', 'eight', '87654321x').split()
    expect(ways, wanted[1:] + wanted[:2], 'the ways')
    for button in ['forth', 'forth', 'forth', 'forth']:
        with page.answer():
            page.click(button)
    page.wait_for_text('ways', 'shortest way')
    expect(page.to_go(), 26, 'the distance on the way')
    with page.answer():
        page.click('undo')
    page.wait_for_text('ways', 'shortest ways')
    list_ways(page, 1)
    expect(page.to_go(), 27, 'the distance at the begin of another way')
    while page.to_go():
        with page.answer():
            page.click('forth')
    expect(page.text('ways'), '', 'the ways of the goal')


@test('the number of shortest ways is counted where a table has the distances')
def count_ways(room):
    page = room.page
    page.play('fridge')
    page.type_state('++++/++++/++++/++++')
    page.wait_for_text('ways', '20,922,789,888,000 shortest ways')
    page.play('game')
    page.type_state('312456789')
    page.wait_for_text('ways', '1 shortest way')
    expect(page.find('next-way').is_enabled(), False, 'Next way of the only way')
    page.play('cubic')
    with page.answer():
        page.click('antipode')
    page.wait_for_text('ways', '76 shortest ways')
    expect(len(set(list_ways(page, 3))), 3, 'ways of cubes')
    page.play('fifteen')
    page.type_state('1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15')
    expect(page.text('ways'), '', 'the ways of a searched puzzle')
    expect(page.find('next-way').is_enabled(), False, 'Next way of a searched puzzle')


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
    for button in ['undo', 'undo', 'redo']:
        with page.answer():
            page.click(button)
    expect(bare(page.value('state')), '10234567', 'the typed state after Redo')
    with page.answer():
        page.click('reset')
    expect(page.to_go(), 0, 'the distance after Reset')


@test('presses in quick succession make the moves that can be made')
def press_quickly(room):
    page = room.page
    page.play('eight')
    page.type_state('123456780')
    page.run('''
        const buttons = Array.from(document.querySelectorAll('#moves button'));
        for (const name of ['l', 'l', 'l', 'u']) {
            buttons.find(button => button.firstChild.textContent === name).click();
        }''')
    page.wait(lambda page: bare(page.value('state')) == '123056478', 'the state after three moves')
    with page.answer():
        page.click('undo')
    expect(bare(page.value('state')), '123456078', 'the state after Undo')


@test("a board that can't be solved says so first, then why")
def explain_unreachable(room):
    page = room.page
    for puzzle, state in [('eight', '123456870'), ('game', '213456789'),
                          ('fifteen', '1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0')]:
        page.play(puzzle)
        page.type_state(state)
        expect(page.text('distance'), "This board can't be solved:", f'the answer for {puzzle}')
        reason = room.fewest('parity', puzzle, state)
        expect(f'unreachable ({page.text("detail")})', say_plainly(reason), f'why, for {puzzle}')
        expect_in("This board can't be solved: the", page.text('live'), 'what is read aloud')


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


@test('a puzzle without a board is a list of sets')
def open_without_board(room):
    page = room.page
    with page.answer():
        page.give_file(os.path.join(SOURCE, 'tests/data/pyraminx.tws'))
    expect(page.text('play-title'), 'pyraminx', 'the title')
    expect(page.text('how'), 'This puzzle has no board. The buttons make its moves.', 'the help')
    rows = page.driver.find_elements('css selector', '#board dd')
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
