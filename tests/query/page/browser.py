"""The page in a real Chromium, used as a person uses it: by its visible controls."""
import os
import re
import time

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

CHROMIUM = '/usr/bin/chromium'
DRIVER = '/usr/bin/chromedriver'
SWITCHES = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
            '--disable-background-networking', '--disable-component-update', '--disable-sync',
            '--window-size=1100,900']
PATIENCE = 30  # seconds
ANSWER = re.compile("to go|can't be solved|No answer|Stopped")

# Collects exceptions that nobody catches.
RECORDER = '''
    window.uncaught = [];
    addEventListener('error', event => uncaught.push(String(event.message)));
    addEventListener('unhandledrejection', event => uncaught.push(String(event.reason)));
'''

# For each state: types it into the field, presses Set, and waits for a new answer.
ASK_STATES = '''
    const [states, done] = arguments;
    const byId = id => document.getElementById(id);
    const known = () => byId('stop').disabled && byId('distance').textContent;
    const ask = text => new Promise(resolve => {
        const look = () => {
            const fault = byId('state-problem').textContent;
            if (fault || /to go|can't be solved|No answer/.test(known())) {
                observer.disconnect();
                resolve(fault || byId('distance').textContent);
            }
        };
        const observer = new MutationObserver(look);
        observer.observe(byId('distance'), {childList: true});
        observer.observe(byId('state-problem'), {childList: true});
        byId('state').value = text;
        byId('state-form').querySelector('button').click();
    });
    (async () => {
        const answers = [];
        for (const state of states) {
            answers.push(await ask(state));
        }
        return answers;
    })().then(done, error => done(String(error)));
'''


class Failure(Exception):
    """What a test found."""


def expect(found, wanted, what):
    """Fails unless two values are equal."""
    if found != wanted:
        raise Failure(f'{what}: expected {wanted!r}, got {found!r}')


def expect_in(part, text, what):
    """Fails unless a text has a part."""
    if part not in text:
        raise Failure(f'{what}: expected {part!r} in {text!r}')


class Answer:
    """A block of code after which the page shows a new answer."""

    def __init__(self, page):
        self.page = page

    def __enter__(self):
        self.page.run('const e = document.getElementById("distance").firstChild;'
                      'if (e) e.isOld = true;')

    def __exit__(self, kind, *_):
        if kind is None:
            self.page.wait(lambda page: page.run(
                'const e = document.getElementById("distance").firstChild;'
                'return !!e && !e.isOld') and page.is_answered(), 'a new answer')


class Page:
    """A browser that shows the page."""

    def __init__(self, folder, downloads):
        """Starts a browser that keeps all its files in a folder."""
        options = Options()
        options.binary_location = CHROMIUM
        for switch in SWITCHES + [f'--user-data-dir={folder}/profile']:
            options.add_argument(switch)
        options.add_experimental_option('prefs', {'download.default_directory': downloads})
        options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
        self.driver = webdriver.Chrome(options=options, service=Service(
            DRIVER, env={**os.environ, 'HOME': folder, 'TMPDIR': folder}))
        self.driver.set_script_timeout(600)
        self.record()
        self.command('Browser.setDownloadBehavior', behavior='allow', downloadPath=downloads)

    def record(self):
        """Collects exceptions of this tab from now on."""
        self.command('Page.addScriptToEvaluateOnNewDocument', source=RECORDER)

    def command(self, name, **arguments):
        """Sends a command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, arguments)

    def run(self, script, *arguments):
        """Runs a script in the page."""
        return self.driver.execute_script(script, *arguments)

    # ---- Looking ----

    def find(self, name):
        return self.driver.find_element(By.ID, name)

    def text(self, name):
        """The text of an element, as it is shown."""
        return self.run('return document.getElementById(arguments[0]).textContent', name).strip()

    def value(self, name):
        return self.run('return document.getElementById(arguments[0]).value', name)

    def to_go(self):
        """The number of moves to go."""
        text = self.text('distance')
        found = re.search(r'(\d+) moves? to go', text)
        if not found:
            raise Failure(f'expected a number of moves to go, got {text!r}')
        return int(found.group(1))

    def cell(self, grid, row, column):
        """A cell of a grid, `board` or `goal-board`, both counted from 1."""
        name = f'row {row}, column {column}:'
        return self.driver.find_element(By.CSS_SELECTOR,
                                        f'#{grid} [role=gridcell][aria-label*="{name}"]')

    def wait(self, check, what, seconds=PATIENCE):
        """Waits until a check of the page holds, and returns what the check found."""
        end = time.monotonic() + seconds
        while True:
            try:
                found = check(self)
            except StaleElementReferenceException:
                found = None
            if found:
                return found
            if time.monotonic() > end:
                raise Failure(f'waited {seconds} seconds for {what}; the page says '
                              f'{self.text("distance")!r}, {self.text("detail")!r}')
            time.sleep(0.01)

    def wait_for_text(self, name, part, seconds=PATIENCE):
        """Waits until the text of an element has a part, and returns the text."""
        self.wait(lambda page: part in page.text(name), f'{part!r} in {name}', seconds)
        return self.text(name)

    # ---- Acting ----

    def open(self, address):
        """Opens an address in a fresh page, and waits for its answer."""
        self.driver.get('about:blank')
        self.driver.get(address)
        self.wait(lambda page: ANSWER.search(page.text('distance')), 'the first answer')

    def answer(self):
        return Answer(self)

    def click(self, name):
        element = self.find(name)
        self.run('arguments[0].scrollIntoView({block: "center"})', element)
        element.click()

    def choose(self, name, value):
        Select(self.find(name)).select_by_value(value)

    def begin_form(self, kind, rows, columns, layers=1):
        """Begins to make a puzzle with the form."""
        self.choose('kind', kind)
        self.fill('rows', str(rows))
        self.fill('columns', str(columns))
        if kind == 'slide':
            self.fill('layers', str(layers))
        self.find('columns').send_keys(Keys.ENTER)

    def begin_definition(self, text):
        """Begins to make the table of a definition."""
        self.paste('definition', text)
        self.driver.find_element('css selector', '#own-form .main').click()

    def play(self, puzzle):
        """Chooses a puzzle from the menu."""
        if self.text('play-title') == puzzle and self.value('puzzle') == puzzle:
            with self.answer():
                self.click('reset')
            if self.find('goal-reset').is_displayed():
                with self.answer():
                    self.click('goal-reset')
        else:
            self.choose('puzzle', puzzle)
            self.wait_for_puzzle(puzzle)

    def wait_for_puzzle(self, puzzle):
        """Waits until a puzzle is open and its first answer is shown."""
        self.wait(lambda page: page.text('play-title') == puzzle and page.is_answered(),
                  f'the answer for {puzzle}')

    def is_answered(self):
        """Is no question open?"""
        return not self.find('stop').is_enabled() and ANSWER.search(self.text('distance'))

    def type(self, name, text):
        """Replaces the text of a field, and presses Enter."""
        self.fill(name, text)
        self.find(name).send_keys(Keys.ENTER)

    def fill(self, name, text):
        self.click(name)
        self.find(name).send_keys(Keys.CONTROL + 'a')
        self.find(name).send_keys(text)

    def paste(self, name, text):
        """Replaces the text of a field at once."""
        self.run('document.getElementById(arguments[0]).value = arguments[1]', name, text)

    def type_state(self, text):
        with self.answer():
            self.type('state', text)
        expect(self.text('state-problem'), '', f'the state {text}')

    def ask_states(self, states):
        """What the page answers to each of these states, typed into its field."""
        answers = self.driver.execute_async_script(ASK_STATES, states)
        if isinstance(answers, str):
            raise Failure(answers)
        return answers

    def drag(self, cell, columns, rows, kind='mouse'):
        """Drags a cell by a number of columns and rows."""
        self.run('arguments[0].scrollIntoView({block: "center"})', cell)
        size = self.run('return arguments[0].querySelector(".touch").getBoundingClientRect().width',
                        cell)
        pointer = PointerInput(kind, kind)
        builder = ActionBuilder(self.driver, mouse=pointer, duration=30)
        builder.pointer_action.move_to(cell).pointer_down()
        for step in range(1, 5):
            builder.pointer_action.move_to(cell, round(columns * size * step / 4),
                                           round(rows * size * step / 4))
        builder.pointer_action.pointer_up()
        builder.perform()

    def press(self, *keys, holding=None):
        """Presses keys, wherever the focus is, and holds another one meanwhile."""
        chain = ActionChains(self.driver, duration=0)
        if holding:
            chain.key_down(holding).send_keys(*keys).key_up(holding).perform()
        else:
            chain.send_keys(*keys).perform()

    def clipboard(self):
        """What was copied, pasted into the field of the state."""
        self.click('state')
        self.press('a', holding=Keys.CONTROL)
        self.press('v', holding=Keys.CONTROL)
        return self.value('state')

    def drop(self, name, content):
        """Drops a file on the page."""
        self.run('const data = new DataTransfer();'
                 'data.items.add(new File([arguments[1]], arguments[0]));'
                 'for (const kind of ["dragover", "drop"]) document.body.dispatchEvent('
                 'new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}))',
                 name, content)

    def tab_to(self, name):
        """Presses Tab until the focus is on the element, or in it."""
        for _ in range(80):
            if self.run('const e = document.getElementById(arguments[0]);'
                        'return e.contains(document.activeElement)', name):
                return
            self.press(Keys.TAB)
        raise Failure(f'80 presses of Tab do not lead to {name}')

    def give_file(self, path):
        """Chooses a file as one's own puzzle."""
        self.find('file').send_keys(path)

    def open_details(self):
        """Opens everything that can be folded."""
        for element in self.driver.find_elements(By.TAG_NAME, 'summary'):
            if element.find_element(By.XPATH, '..').get_attribute('open') is None and \
                    element.is_displayed():
                element.click()

    # ---- Windows ----

    def resize(self, width, height):
        """Makes the window a phone's; without numbers, a desktop's again."""
        if width:
            self.command('Emulation.setDeviceMetricsOverride', width=width, height=height,
                         deviceScaleFactor=2, mobile=True)
        else:
            self.command('Emulation.clearDeviceMetricsOverride')
        self.command('Emulation.setTouchEmulationEnabled', enabled=bool(width))

    def prefer(self, **features):
        """Has the page believe in preferences, such as prefers_color_scheme='dark'."""
        self.command('Emulation.setEmulatedMedia', features=[
            {'name': name.replace('_', '-'), 'value': value} for name, value in features.items()])

    def open_tab(self):
        """Opens a new tab. Returns a function that closes it and goes back."""
        old = self.driver.current_window_handle
        self.driver.switch_to.new_window('tab')
        self.record()

        def close():
            self.check_console()
            self.driver.close()
            self.driver.switch_to.window(old)
        return close

    # ---- The console ----

    def faults(self):
        """What went wrong unseen: errors in the console, and exceptions that nobody caught."""
        found = [entry['message'] for entry in self.driver.get_log('browser')
                 if entry['level'] == 'SEVERE']
        return found + (self.run('return (window.uncaught || []).splice(0)') or [])

    def check_console(self):
        """Fails if anything went wrong unseen."""
        faults = self.faults()
        if faults:
            raise Failure('the console has: ' + '; '.join(faults))
