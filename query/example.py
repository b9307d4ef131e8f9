#!/usr/bin/env python3
"""How many moves, and which: example.py FILE.dtab 'START [TARGET]'. Needs the shared library of fewest."""
import ctypes
import sys


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("text", ctypes.c_char * 512)]


class Query(ctypes.Structure):
    _fields_ = [("has_target", ctypes.c_bool), ("start", ctypes.c_ubyte * 8192), ("target", ctypes.c_ubyte * 8192)]


if len(sys.argv) != 3:
    sys.exit(__doc__)
fewest = ctypes.CDLL("libfewest.so.0")  # LD_LIBRARY_PATH names its folder
fewest.fewest_read_query.restype = fewest.fewest_path.restype = ctypes.c_bool
fewest.fewest_open_buffer.restype = fewest.fewest_move_name.restype = ctypes.c_void_p
with open(sys.argv[1], "rb") as file:
    content = file.read()  # unlike a mapped file, no other program can change it
text = sys.argv[2].encode()
query, moves, steps, error = Query(), (ctypes.c_uint * 256)(), ctypes.c_int(), Error()
why = ctypes.byref(error)
table = ctypes.c_void_p(fewest.fewest_open_buffer(content, ctypes.c_size_t(len(content)), why))
length = ctypes.c_size_t(len(text))
if not (table and fewest.fewest_read_query(table, text, length, ctypes.byref(query), why)
        and fewest.fewest_path(table, ctypes.byref(query), moves, ctypes.byref(steps), why)):
    sys.exit("example: " + error.text.decode())
names = [ctypes.string_at(fewest.fewest_move_name(table, moves[i])) for i in range(steps.value)]
print("unreachable" if steps.value < 0 else f"{steps.value}: {b' '.join(names).decode()}")
