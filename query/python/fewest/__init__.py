"""How few moves lead from here to there? Distance tables of puzzles, with NumPy.

    import fewest
    table = fewest.open("game")
    table.steps("123456789", "8*95372**")

`fewest.make` makes a table, `fewest.growth` counts states without one, and `fewest.formats` reads
the files of other programs.
"""

from . import formats
from ._library import (WILD, BadInputError, BeyondError, DamagedError, Error, ForeignError, LimitedError,
                       MissingError, StoppedError, SystemFailure)
from .formats import Puzzle
from .making import Growth, growth, make
from .table import Reachability, State, Stats, Table, open  # pylint: disable=redefined-builtin

__version__ = "0.1.0"
__all__ = ["WILD", "BadInputError", "BeyondError", "DamagedError", "Error", "ForeignError", "Growth",
           "LimitedError", "MissingError", "Puzzle", "Reachability", "State", "Stats", "StoppedError",
           "SystemFailure", "Table", "formats", "growth", "make", "open"]
