#!/usr/bin/env python3
"""How many moves, and which: example.py FILE.dtab 'START [TARGET]'. Needs the shared library of fewest."""
import ctypes
import sys


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("text", ctypes.c_char * 512), ("lines", ctypes.c_uint * 6)]


class Path(ctypes.Structure):
    _fields_ = [("steps", ctypes.c_int), ("moves", ctypes.c_uint * 256)]


if len(sys.argv) != 3:
    sys.exit(__doc__)
fewest = ctypes.CDLL("libfewest.so.0")  # LD_LIBRARY_PATH names its folder
fewest.fewest_read_query.restype = fewest.fewest_path.restype = ctypes.c_bool
fewest.fewest_open_buffer.restype = fewest.fewest_move_name.restype = ctypes.c_void_p
with open(sys.argv[1], "rb") as file:
    content = file.read()  # unlike a mapped file, no other program can change it
text = sys.argv[2].encode()
start, target, path, error = ctypes.create_string_buffer(8192), ctypes.create_string_buffer(8192), Path(), Error()
why = ctypes.byref(error)
table = ctypes.c_void_p(fewest.fewest_open_buffer(content, ctypes.c_size_t(len(content)), why))
length = ctypes.c_size_t(len(text))
if not (table and fewest.fewest_read_query(table, text, length, start, target, why)
        and fewest.fewest_path(table, start, target, ctypes.byref(path), why)):
    sys.exit("example: " + error.text.decode())
names = [ctypes.string_at(fewest.fewest_move_name(table, path.moves[i])) for i in range(path.steps)]
print("unreachable" if path.steps < 0 else f"{path.steps}: {b' '.join(names).decode()}")
