"""Tests of small windows: what stays in sight, and what wraps."""
from browser import expect
from own import make_by_form
from room import PUZZLES, test


PHONES = [(360, 640), (740, 360), (320, 568), (360, 740), (390, 844), (844, 390)]
TALL = [('loopover', 8, 1), ('slide', 5, 2), ('lights', 12, 1)]
FAR = {'fifteen': '1 2 3 4 5 6 7 8 9 10 0 11 13 14 15 12'}

# The names of elements that can't be seen whole, because they end outside of the window or because
# something lies above them.
FIND_HIDDEN = '''
    const isSeen = element => {
        const {left, right, top, bottom} = element.getBoundingClientRect();
        const spots = [[left + 4, top + 4], [right - 4, top + 4], [(left + right) / 2, bottom - 4]];
        return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight &&
            spots.every(spot => element.contains(document.elementFromPoint(...spot)));
    };
    return arguments[0].filter(selector => {
        const elements = Array.from(document.querySelectorAll(selector));
        return !elements.length || !elements.every(isSeen);
    });
'''
ANSWER = ['#distance', '#hint', '#solve']

# How far elements reach to the right of what holds them, and the page to the right of the window.
FIND_WIDE = '''
    const root = document.documentElement;
    const wide = Array.from(document.querySelectorAll('#board, #board *')).filter(element =>
        element.getBoundingClientRect().right > innerWidth || element.scrollWidth >
        element.clientWidth && getComputedStyle(element).overflowX !== 'visible');
    return wide.map(element => element.tagName).concat(
        root.scrollWidth > innerWidth ? `the page has ${root.scrollWidth} pixels` : []);
'''


def expect_in_sight(page, selectors, what):
    expect(page.run(FIND_HIDDEN, selectors), [], f'hidden {what}')


def scroll_everywhere(page):
    """Scrolls to the top, to places between, and to the end. Yields each place's name."""
    for part in [0, 0.2, 0.5, 1]:
        page.run('scrollTo(0, arguments[0] * document.documentElement.scrollHeight)', part)
        yield f'at {part:.0%} of the page'


def go_far(page, puzzle):
    """Brings the puzzle into a state with moves to go."""
    with page.answer():
        if puzzle in FAR:
            page.type('state', FAR[puzzle])
        else:
            page.click('antipode')


def list_phones(room):
    return PHONES if room.all else PHONES[:2]


def ask_hints(room, puzzle):
    """Asks for a hint from everywhere in the page, and looks for what it marks."""
    page = room.page
    for width, height in list_phones(room):
        page.resize(width, height)
        where = f'of {puzzle} at {width} x {height}'
        for place in scroll_everywhere(page):
            expect_in_sight(page, ANSWER, f'{where}, {place}')
            page.find('hint').click()
            page.wait_for_text('detail', 'Hint: ')
            expect_in_sight(page, ANSWER + ['#board .hinted'], f'{where} after a hint {place}')


@test('a phone keeps the answer, Hint, Solve and the marked cell in sight')
def keep_in_sight(room):
    page = room.page
    for puzzle in PUZZLES:
        page.resize(None, None)
        page.play(puzzle)
        go_far(page, puzzle)
        ask_hints(room, puzzle)


@test('a phone keeps the marked cells of a tall board in sight')
def keep_tall_board_in_sight(room):
    page = room.page
    for kind, rows, columns in TALL:
        page.resize(None, None)
        make_by_form(room, kind, rows, columns)
        go_far(page, kind)
        ask_hints(room, f'{kind} {rows}x{columns}')


@test('a phone keeps the answer in sight while a state is typed, a tile dragged, or a path played')
def keep_in_sight_while_playing(room):
    page = room.page
    for width, height in list_phones(room) + [(360, 340)]:  # a keyboard covers the rest
        page.resize(width, height)
        where = f'at {width} x {height}'
        page.play('game')
        page.type_state('312456789')
        expect_in_sight(page, ANSWER + ['#state'], f'after a state {where}')
        page.type('state', 'x')
        page.wait(lambda page: page.text('state-problem'), 'a message')
        expect_in_sight(page, ANSWER + ['#state'], f'after a wrong state {where}')
        with page.answer():
            page.drag(page.cell('board', 2, 1), 1, 0, 'touch')
        expect_in_sight(page, ANSWER, f'after a drag {where}')
        page.find('hint').click()
        page.wait_for_text('detail', 'Hint: ')
        expect_in_sight(page, ANSWER + ['#board .hinted'], f'after a hint {where}')
        page.choose('speed', '60')
        page.run('scrollTo(0, document.documentElement.scrollHeight)')
        page.find('solve').click()
        page.wait_for_text('distance', 'Solved')
        expect_in_sight(page, ANSWER + ['#board svg'], f'after a solution {where}')
        expect(page.run('return document.activeElement.id'), 'pause', 'the focus')


@test('a hint of a puzzle without a board brings the move into sight')
def show_marked_move(room):
    page = room.page
    page.resize(360, 640)
    with page.answer():
        page.begin_definition(write_beads(40))
    with page.answer():
        page.click('antipode')
    for place in scroll_everywhere(page):
        page.find('hint').click()
        page.wait_for_text('detail', 'Hint: ')
        expect_in_sight(page, ANSWER + ['#moves .hinted'], f'after a hint {place}')


# ---- Long rows -----------------------------------------------------------------------------------


def write_beads(count):
    """A ring of beads, without a board."""
    beads = ' '.join(map(str, range(1, count + 1)))
    return (f'Name beads{count}\nSet BEADS {count} 1\nSolved\nBEADS\n{beads}\nEnd\n'
            f'Move turn\nBEADS\n({beads})\nEnd\n')


def write_cube():
    """One move of the cube, with all its slots."""
    corners, edges = ('CORNERS_OF_THE_CUBE', 'EDGES')
    return (f'Name cube\nSet {corners} 8 3\nSet {edges} 12 2\nSolved\n{corners}\n1 2 3 4 5 6 7 8\n'
            f'{edges}\n1 2 3 4 5 6 7 8 9 10 11 12\nEnd\n'
            f'Move U\n{corners}\n2 3 4 1 5 6 7 8\n{edges}\n2 3 4 1 5 6 7 8 9 10 11 12\nEnd\n')


@test('long rows of slots wrap on a window of 320 pixels')
def wrap_slots(room):
    page = room.page
    for definition in [write_beads(40), write_beads(254), write_cube()]:
        with page.answer():
            page.begin_definition(definition)
        name = page.text('play-title')
        for width in [320, 740, None]:
            page.resize(width, 640)
            expect(page.run(FIND_WIDE), [], f'what is too wide of {name} at {width} pixels')
        shown = page.run('return Array.from(document.querySelectorAll("#board dd"), '
                         'e => e.textContent).join(" ")')
        expect(page.value('state').split(), shown.split(), f'the slots of {name}')


@test('a phone of 320 pixels needs no horizontal scrolling')
def fit_small_phone(room):
    page = room.page
    page.resize(320, 568)
    for puzzle in PUZZLES:
        page.play(puzzle)
        page.click('random')
        page.open_details()
        expect(page.run(FIND_WIDE), [], f'what is too wide of {puzzle}')
