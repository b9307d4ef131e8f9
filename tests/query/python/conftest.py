"""Finds the package in the source tree, and the libraries and tables of the build."""
import os
import random
import sys

import pytest

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
BUILD = os.environ.get("BUILD", os.path.join(SOURCE, "build"))
sys.path.insert(0, os.path.join(SOURCE, "query", "python"))
os.environ["FEWEST_TABLES"] = os.path.join(BUILD, "tables")
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))


def pytest_report_header():
    """Random tests take this seed back."""
    return f"SEED={SEED}"


@pytest.fixture
def draw():
    """A source of random numbers."""
    return random.Random(SEED)


@pytest.fixture(scope="session")
def game():
    """The table of the game."""
    import fewest
    return fewest.open("game")


def search(moves, start):
    """A twin: the states at each distance from `start`, by new[i] = old[move[i]]."""
    layers, seen = [[tuple(start)]], {tuple(start)}
    while layers[-1]:
        layers.append([])
        for state in layers[-2]:
            for move in moves:
                new = tuple(state[i] for i in move)
                if new not in seen:
                    seen.add(new)
                    layers[-1].append(new)
    return layers[:-1]
