#!/usr/bin/env python3
"""Prints how many moves a query takes, and which: example.py PUZZLE 'START [TARGET]'.

PUZZLE is a name or, if it has a slash or ends in .dtab, the path of a table. Python must find the
shared library of fewest: if need be, LD_LIBRARY_PATH names its folder."""
import ctypes
import os
import sys

CELLS_MOST, PATH_MOST, ERROR_SIZE = 8192, 256, 512  # as in fewest.h


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("text", ctypes.c_char * ERROR_SIZE),
                ("lines", ctypes.c_uint * 6)]


class Path(ctypes.Structure):
    _fields_ = [("steps", ctypes.c_int), ("moves", ctypes.c_uint * PATH_MOST)]


def load_library():
    fewest = ctypes.CDLL("libfewest.so.0")
    fewest.fewest_open.restype = fewest.fewest_open_named.restype = ctypes.c_void_p
    fewest.fewest_read_query.restype = fewest.fewest_path.restype = ctypes.c_bool
    fewest.fewest_move_name.restype = ctypes.c_char_p
    return fewest


def answer(puzzle, query):
    fewest, path, error = load_library(), Path(), Error()
    why = ctypes.byref(error)
    start = ctypes.create_string_buffer(CELLS_MOST)
    target = ctypes.create_string_buffer(CELLS_MOST)
    # If another program cuts the table short while it is open, the signal SIGBUS ends Python.
    if b"/" in puzzle or puzzle.endswith(b".dtab"):
        table = fewest.fewest_open(puzzle, why)
    else:
        table = fewest.fewest_open_named(puzzle, None, why)
    table, length = ctypes.c_void_p(table), ctypes.c_size_t(len(query))
    if not (table and fewest.fewest_read_query(table, query, length, start, target, why)
            and fewest.fewest_path(table, start, target, ctypes.byref(path), why)):
        sys.exit("example: " + error.text.decode())
    if path.steps < 0:
        print("unreachable")
    else:
        names = (fewest.fewest_move_name(table, move).decode() for move in path.moves[:path.steps])
        print(" ".join([f"{path.steps}:", *names]))
    fewest.fewest_close(table)


if len(sys.argv) != 3:
    sys.exit("example: usage: example.py PUZZLE 'START [TARGET]'")
try:
    answer(os.fsencode(sys.argv[1]), os.fsencode(sys.argv[2]))
except OSError as problem:  # the library is not there
    sys.exit(f"example: {problem}")
