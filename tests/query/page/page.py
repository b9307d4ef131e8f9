#!/usr/bin/python3
"""Tests the page in a real Chromium, as a person uses it. Prints TAP.

    page.py BUILD [--all] [--only WORD] [--seed N]

BUILD is the build folder. --all compares 200 states of each puzzle instead of 40. --only runs the
tests with WORD in their names. --seed makes the random choices of an earlier run again.
"""
import argparse
import random
import signal
import sys
import tempfile

sys.dont_write_bytecode = True
import play  # noqa: E402
import own  # noqa: E402
import search  # noqa: E402
import everyone  # noqa: E402
import phone  # noqa: E402
from room import TESTS, Room, run_tests  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description='Test the page in a real Chromium.')
    parser.add_argument('build', help='the build folder')
    parser.add_argument('--all', action='store_true', help='compare 200 states of each puzzle')
    parser.add_argument('--only', default='', metavar='WORD',
                        help='run only tests with WORD in their names')
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
