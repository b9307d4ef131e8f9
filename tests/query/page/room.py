"""What all tests of the page share: programs, folders, the browser, and lines of TAP."""
import os
import re
import subprocess
import time
import traceback

from browser import Failure, Page

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), '../../..'))
PUZZLES = ['game', 'eight', 'seven', 'slide222', 'fifteen', 'magic', 'dice', 'cubic', 'flip',
           'fridge']
NEAR_FIFTEEN = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15'
FARTHEST_FIFTEEN = '0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1'  # 80 moves: a search of seconds
README_BOARD = '23415x768'
BLANK_FIRST = ' '.join(map(str, range(16)))

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
        path = os.path.join(SOURCE, 'query/python') + ':' + os.environ['PATH'] # fewest-import
        done = subprocess.run([os.path.join(self.build, program), *arguments], input=text,
                              capture_output=True, encoding='utf-8', check=False,
                              env=os.environ | {'PATH': path})
        if done.returncode > 1:
            raise Failure(f'{program} ended with {done.returncode}: {done.stderr}')
        return done.stdout.rstrip('\n')

    def fewest(self, *arguments, text=None):
        return self.run('query/fewest', *arguments, text=text)

    def complaint(self, program, *arguments, text=None):
        """What a program complains about, without places and in the words of the page."""
        done = subprocess.run([os.path.join(self.build, program), *arguments], input=text,
                              capture_output=True, encoding='utf-8', check=False)
        places = r'^fewest(-gen)?: ((stdin:\d+|\S*\.(dtab|puzzle)): )?'
        return say_plainly(re.sub(places, '', done.stderr.splitlines()[0]))

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


def say_plainly(message):
    """A message of the library in the words of the page."""
    for word, plain in [('START', 'board'), ('TARGET', 'goal')]:
        message = re.sub(f'^{word}:', f'The {plain}:', message)
        message = message.replace(f'a {word}', f'a {plain}').replace(word, f'the {plain}')
    return message


def bare(state):
    """A state's text without separators."""
    return re.sub(r'[\s/]', '', state)


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
        lines = [f'{os.path.basename(step.filename)}:{step.lineno}'
                 for step in traceback.extract_tb(error.__traceback__)
                 if step.filename.startswith(os.path.dirname(__file__))
                 and not step.filename.endswith('browser.py')]
        text = str(error) if isinstance(error, Failure) else \
            f'{type(error).__name__}: {str(error).splitlines()[0]}'
        return f'{text} ({lines[-1]})', None
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
