"""Files of other programs: what they become, which are refused and why, and round trips."""
import json
import os
import shutil
import subprocess
import sys

import fewest
import numpy as np
import pytest
from conftest import BUILD, SOURCE, search
from fewest import formats
from fewest.formats import permutations

LRX = {"L": [1, 2, 3, 4, 5, 0], "R": [5, 0, 1, 2, 3, 4], "X": [1, 0, 2, 3, 4, 5]}
IMPORT = [sys.executable, f"{SOURCE}/query/python/fewest-import"]


def stickers_of_2x2x2():
    """The stickers of a 2x2x2 cube with one corner held, made of the pieces of a .tws file."""
    return fewest.make(open(f"{SOURCE}/tests/data/2x2x2.tws", encoding="utf-8").read(), metric="quarter")


# ---- Kaggle and CayleyPy -------------------------------------------------------------------------


def test_a_file_of_kaggle_is_read_and_its_moves_are_named_as_there():
    text = json.dumps({"central_state": [0, 1, 2, 3, 4, 5], "generators": {"L": LRX["L"], "X": LRX["X"]}})
    puzzle = formats.parse(text, "lrx")
    table = fewest.make(puzzle)
    layers = search(LRX.values(), range(6))
    assert table.name == "lrx" and table.moves == ("-L", "L", "X")
    assert table.stats().counts.tolist() == [len(layer) for layer in layers]
    for state in layers[-1]:
        for form in (",".join(map(str, state)), ";".join(map(str, state)), list(state), str(list(state))):
            start = table.read(puzzle.state(form))
            assert table.steps(start) == len(layers) - 1
        assert puzzle.read_typed(table.write(start)) == list(state)
        moved = state
        for move in puzzle.answer(table.path(start)).split("."):
            row = LRX["R"] if move == "-L" else LRX[move]
            moved = tuple(moved[i] for i in row)
        assert moved == (0, 1, 2, 3, 4, 5)


def test_inverses_that_are_listed_under_a_name_get_no_second_one():
    assert fewest.make(formats.parse(json.dumps({"generators": LRX}))).moves == ("L", "R", "X")
    listed = {"-L": LRX["R"], "L": LRX["L"], "X": LRX["X"]}
    assert sorted(formats.parse(json.dumps({"generators": listed})).moves) == ["-L", "L", "X"]
    assert sorted(formats.parse(json.dumps(LRX)).moves) == ["L", "R", "X"]  # without `generators`


def test_equal_numbers_look_alike():
    puzzle = formats.parse(json.dumps({"central_state": [0, 0, 0, 1, 1, 1], "generators": LRX}))
    table = fewest.make(puzzle)
    assert table.state_count == 20 == len(sum(search(LRX.values(), [0, 0, 0, 1, 1, 1]), []))
    assert table.steps(table.read(puzzle.state("1 0 0 0 1 1"))) == 1


def test_states_of_a_csv_are_read():
    found = formats.read_scrambles('initial_state_id,initial_state\n0,"1,0,2"\n1,"[2, 1, 0]"\n')
    assert found["0"].state == ["1", "0", "2"] and found["1"].state == ["2", "1", "0"]
    assert formats.read_scrambles("id;state\n7;1,0\n")["7"].state == ["1", "0"]
    with pytest.raises(formats.FormatError, match="line 1: expected a column"):
        formats.read_scrambles("a,b\n1,2\n")


# ---- Santa 2023 ----------------------------------------------------------------------------------

SANTA = ('puzzle_type,allowed_moves\nring_4,"{\'f0\': [1, 2, 3, 0], \'r0\': [1, 0, 2, 3]}"\n'
         'swap_2,"{\'f0\': [1, 0]}"\n')
SCRAMBLES = ("id,puzzle_type,solution_state,initial_state,num_wildcards\n"
             "3,ring_4,A;A;B;B,B;A;B;A,0\n4,ring_4,N0;N1;N2;N3,N1;N2;N3;N0,2\n")


def test_a_puzzle_of_santa_is_chosen_by_its_type_or_by_a_line_of_puzzles():
    with pytest.raises(formats.FormatError, match="got 2: choose a puzzle_type with --type, such as --type ring_4"):
        formats.parse(SANTA)
    with pytest.raises(formats.FormatError, match="no puzzle_type is called 'x'; expected one of ring_4, swap_2"):
        formats.parse(SANTA, kind="x")
    assert fewest.make(formats.parse(SANTA, kind="ring_4")).state_count == 24
    puzzle = formats.parse(SANTA, goal=SCRAMBLES, number="3")
    table = fewest.make(puzzle)
    start = table.read(puzzle.state("B;A;B;A"))
    assert table.state_count == 6 and puzzle.answer(table.path(start)) in ("-f0.r0", "r0.-f0")
    with pytest.raises(formats.FormatError, match="--id"):
        formats.parse(SANTA, goal=SCRAMBLES)


def test_wildcards_allow_so_many_wrong_labels():
    puzzle = formats.parse(SANTA, goal=SCRAMBLES, number="4")
    table = fewest.make(puzzle)
    near = list(puzzle.near(2))
    assert len(near) == 1 + 6
    start = table.read(puzzle.state("N1;N0;N2;N3"))
    assert min(table.steps(start, puzzle.state(state)) for state in near) == 0 < table.steps(start)
    assert len(list(puzzle.near(4))) == 24  # all states
    with pytest.raises(formats.FormatError, match="200000"):
        list(permutations.from_generators({"a": list(range(1, 40)) + [0]}).near(6))


# ---- GAP -----------------------------------------------------------------------------------------


def test_gap_files_are_read_with_names_gen_and_ip():
    text = "# comment\nM_U:=(1,2,3)(4,5,6);\nM_R:=(1,2)(4,5);\nM_X:=(1,4);\nGen:=[\nM_U,M_R\n];\nip:=[[1],[2,3]];\n"
    puzzle = formats.parse(text, "g")
    assert list(puzzle.moves) == ["U", "R"] and puzzle.moves["U"].tolist()[:3] == [2, 0, 1]  # what is at 1 goes to 2
    assert puzzle.labels == [1, 2, 2, 4, 5, 6]
    assert formats.parse("gap> a:=(1,2,3,4);\ngap> b:=(1,2);\n").labels == [1, 2, 3, 4]
    assert fewest.make(formats.parse("G:=Group((1,2,3)(4,5),(3,4));")).state_count == 120
    assert fewest.make(formats.parse("Group([(1,2,3),(1,2)]);")).state_count == 6
    assert fewest.make(formats.parse("Group((1,2,3),(1,2))")).moves == ("g1", "g1'", "g2")


def test_stickers_of_gap_become_pieces():
    # The corners of a 2x2x2 cube, of which one is held: three stickers each, as puzzle-geometry numbers them.
    text = ("U:=(1,10,7,4)(2,11,8,5)(3,12,9,6);\nR:=(7,12,19,24)(8,10,20,22)(9,11,21,23);\n"
            "F:=(4,8,23,15)(5,9,24,13)(6,7,22,14);\n")
    puzzle = formats.parse(text, "cube")
    assert "Set ORBIT1 7 3" in puzzle.definition()
    assert fewest.make(puzzle).state_count == 3674160


# ---- Pieces --------------------------------------------------------------------------------------


def test_stickers_and_pieces_of_one_puzzle_have_the_same_histogram_and_states():
    table = stickers_of_2x2x2()
    puzzle = formats.parse(formats.write(table, "kaggle"), "stickers")
    assert len(puzzle.labels) == 21 and [(len(s.pieces), s.orientations) for s in puzzle.sets] == [(7, 3)]
    stickers = fewest.make(puzzle)
    assert stickers.stats().counts.tolist() == table.stats().counts.tolist()
    states = table.sample(1000, seed=1)
    typed = [puzzle.state(formats_of_state(table, state)) for state in states]
    assert stickers.steps(typed).tolist() == table.steps(states).tolist()


def formats_of_state(table, state):
    """The labels of the points of a table's state: by slot and orientation, the sticker there."""
    (_, pieces, turns, size), = table.cells_of_sets()
    labels = []
    for piece, turn in zip(state[pieces].tolist(), state[turns].tolist()):
        labels += [piece * size + (place - turn) % size for place in range(size)]
    return labels


def draw_points(draw):
    """Random moves of blocks of points that move together, under random names of the points."""
    slots, size = draw.randrange(1, 5), draw.randrange(1, 4)
    names = draw.sample(range(slots * size), slots * size)
    moves = {}
    for name in "abc"[:draw.randrange(1, 4)]:
        image, turns = draw.sample(range(slots), slots), [draw.randrange(size) for _ in range(slots)]
        move = [0] * len(names)
        for slot in range(slots):
            for turn in range(size):
                move[names[slot * size + turn]] = names[image[slot] * size + (turn + turns[slot]) % size]
        moves[name] = move
    labels = [draw.randrange(draw.randrange(1, len(names) + 1)) for _ in names]
    return moves, labels


def test_pieces_have_exactly_the_states_of_the_points(draw):
    merged = 0
    for _ in range(150):
        moves, labels = draw_points(draw)
        layers = search(list(moves.values()), labels)
        if len(layers) == 1:
            with pytest.raises(formats.FormatError, match="got none"):
                permutations.from_generators(moves, labels)
            continue
        puzzle = permutations.from_generators(moves, labels, inverted=True)
        merged += any(pieces.orientations > 1 for pieces in puzzle.sets)
        table = fewest.make(puzzle)
        assert table.stats().counts.tolist() == [len(layer) for layer in layers], (moves, labels)
        for distance, layer in enumerate(layers):
            for state in layer[:5]:
                typed = puzzle.state(list(state))
                assert table.steps(typed) == distance, (moves, labels, state)
                assert puzzle.read_typed(table.write(typed)) == list(state)
    assert merged > 20


@pytest.mark.parametrize("form", ["kaggle", "santa", "gap"])
def test_what_is_written_is_read_back(form):
    for name in ("pyraminx", "skewb", "2x2x2-held", "topspin"):
        with open(f"{SOURCE}/tests/data/{name}.tws", encoding="utf-8") as file:
            table = fewest.make(file.read())
        puzzle = formats.parse(formats.write(table, form), name)
        assert fewest.make(puzzle).stats().counts.tolist() == table.stats().counts.tolist(), name
        again = formats.parse(formats.write(puzzle, form), name)
        assert again.definition() == puzzle.definition()
    magic = fewest.open("magic")  # its moves have no inverses
    if form == "kaggle":
        again = fewest.make(formats.parse(formats.write(magic, form)))
        assert again.stats().counts.tolist() == magic.stats().counts.tolist()
    else:
        with pytest.raises(formats.FormatError, match="magic: expected "):
            formats.write(magic, form)
    for text in ("Name a\nSlide 2 2\n", open(f"{SOURCE}/tables/puzzles/flip.puzzle", encoding="utf-8").read()):
        with pytest.raises(formats.FormatError, match="one goal"):
            formats.write(fewest.make(text), form)


def test_any_definition_has_the_same_counts_as_a_file_of_kaggle():
    for name in sorted(os.listdir(f"{SOURCE}/tests/corpus/definition")) + ["pyraminx.tws", "skewb.tws", "rotations.tws"]:
        path = f"{SOURCE}/tests/" + ("data/" if name.endswith(".tws") else "corpus/definition/") + name
        text = open(path, encoding="utf-8").read()
        try:
            table = fewest.make(text)
            table.stats()
            written = formats.write(table, "kaggle")
        except (fewest.BeyondError, formats.FormatError):
            continue  # it is searched, has a blank or several goals, or forbids states
        again = fewest.make(formats.parse(written, "again"))
        assert again.stats().counts.tolist() == table.stats().counts.tolist(), name


# ---- KPuzzle and KPattern ------------------------------------------------------------------------


def corpus():
    folder = f"{SOURCE}/tests/corpus/kpuzzle"
    return sorted(f"{folder}/{name}" for name in os.listdir(folder) if name.endswith(".json"))


@pytest.mark.parametrize("path", corpus())
def test_a_kpuzzle_of_the_corpus_becomes_its_text(path):
    goal = path[:-5] + ".goal" if os.path.exists(path[:-5] + ".goal") else None
    with open(path[:-5] + ".out", encoding="utf-8") as file:
        expected = file.read()
    try:
        found = formats.read(path, goal=goal).definition()
    except formats.FormatError as fault:
        found = str(fault).replace(f"{SOURCE}/tests/corpus/kpuzzle/", "") + "\n"
    assert found == expected


def test_the_reader_of_the_page_writes_the_same_texts():
    node = shutil.which("node") or pytest.skip("there is no node")
    told = subprocess.run([node, f"{SOURCE}/tests/query/python/kpuzzle.js", f"{SOURCE}/query/page/kpuzzle.js",
                           f"{SOURCE}/tests/corpus/kpuzzle"], capture_output=True, text=True, check=True).stdout
    texts = json.loads(told)
    assert len(texts) == len(corpus()) > 60
    for name, text in texts:
        with open(f"{SOURCE}/tests/corpus/kpuzzle/{name}.out", encoding="utf-8") as file:
            assert text == file.read(), name


def test_a_kpuzzle_makes_the_table_of_the_puzzle_by_hand():
    puzzle = formats.read(f"{SOURCE}/tests/data/ivy.kpuzzle.json")
    table = fewest.make(puzzle)
    assert table.name == "ivy" and table.stats().counts.tolist() == [1, 8, 48, 288, 1640, 7582, 15262, 4221, 110]
    goal = fewest.make(formats.read(f"{SOURCE}/tests/data/ivy.kpuzzle.json", goal=f"{SOURCE}/tests/data/ivy-corners.json"))
    assert goal.stats().counts.tolist() == [1, 8, 24, 32, 16]


def test_a_kpattern_is_a_state():
    puzzle = formats.read(f"{SOURCE}/tests/data/ivy.kpuzzle.json")
    table = fewest.make(puzzle)
    pattern = {"CORNERS": {"pieces": [0, 1, 2, 3], "orientation": [1, 0, 0, 0]},
               "CENTERS": {"pieces": [4, 1, 0, 3, 2, 5], "orientation": [0, 0, 0, 0, 0, 0]}}
    state = table.apply(table.goals[0], puzzle.state(json.dumps(pattern)))
    assert (state == table.apply(table.goals[0], "R")).all() and table.path(state) == ["R'"]
    with pytest.raises(formats.FormatError, match=r"CENTERS.pieces\[0\]: expected a label of the solved state, got 9"):
        puzzle.state(json.dumps(pattern).replace("[4, 1", "[9, 1"))


def test_labels_of_a_target_pattern_only_say_which_pieces_look_alike():
    trio = {"name": "trio", "orbits": [{"orbitName": "A", "numPieces": 4, "numOrientations": 1}],
            "defaultPattern": {"A": {"pieces": [0, 1, 2, 3], "orientation": [0, 0, 0, 0]}},
            "moves": {"R": {"A": {"permutation": [1, 2, 0, 3], "orientationDelta": [0, 0, 0, 0]}},
                      "S": {"A": {"permutation": [0, 1, 3, 2], "orientationDelta": [0, 0, 0, 0]}}}}
    for labels in ([4, 4, 6, 7], [0, 0, 2, 3], [900, 900, 5, 6]):
        goal = json.dumps({"A": {"pieces": labels, "orientation": [0, 0, 0, 0]}})
        assert fewest.make(formats.parse(json.dumps(trio), goal=goal)).state_count == 12


# ---- ksolve --------------------------------------------------------------------------------------

DEF = """Name four
Set P 4 2
Solved
P
1 2 3 4
End
Move A
P
2 3 4 1
1 0 0 0
End
Move B
P
2 1 3 4
End
"""


def test_words_of_ksolve_that_only_prune_are_left_out_and_others_refused():
    puzzle = formats.parse(DEF + "ForbiddenPairs\nA B\nEnd\nMaxDepth 20\n", suffix=".def")
    assert puzzle.dropped == ["ForbiddenPairs", "MaxDepth"] and puzzle.definition() == DEF
    for word, message in (("Block\nP\n1 2\nEnd\n", "line 16: Block: our language has no word for pieces"),
                          ("MoveLimits\nA 2\nEnd\n", "line 16: MoveLimits: ")):
        with pytest.raises(formats.FormatError, match=message):
            formats.parse(DEF + word)
    with pytest.raises(formats.FormatError, match="line 16: this block has no `End`"):
        formats.parse(DEF + "ForbiddenPairs\nA B\n")


def test_ignored_pieces_look_alike_and_ignored_orientations_do_not_count():
    whole = fewest.make(formats.parse(DEF))
    some = fewest.make(formats.parse(DEF + "Ignore\nP\n0 0 1 1\n0 0 1 1\nEnd\n"))
    assert whole.state_count == 384 and some.state_count == 4 * 3 * 4
    turned = fewest.make(formats.parse(DEF + "Ignore\nP\n0 0 0 0\n1 1 1 1\nEnd\n"))
    assert turned.state_count == 24
    with pytest.raises(formats.FormatError, match="line 18: expected 4 numbers, 1 for what is ignored"):
        formats.parse(DEF + "Ignore\nP\n0 0 1\nEnd\n")


# ---- Bad files and the command -------------------------------------------------------------------

BAD = [
    ("x.json", "{", "x.json: line 1, column 2: expected JSON"),
    ("x.json", "[1]", "x.json: expected an object"),
    ("x.json", '{"a": 1}', "x.json: expected an object with `orbits` (KPuzzle) or `generators` (Kaggle)"),
    ("x.json", '{"a": [0], "a": [0]}', "x.json: expected JSON: the key 'a' appears twice"),
    ("x.json", '{"generators": {"L": [1, 0, 0]}}', "x.json: generators.L[2]: 0 appears twice"),
    ("x.json", '{"generators": {"L": [1, 0, 3]}}', "x.json: generators.L[2]: expected a number from 0 to 2, got 3"),
    ("x.json", '{"generators": {"L": [1, 0], "R": [0]}}', "x.json: generators.R: expected 2 numbers, got 1"),
    ("x.json", '{"generators": {"L": "10"}}', "x.json: generators.L: expected a list of whole numbers"),
    ("x.json", '{"generators": {"L": [true, false]}}', "x.json: generators.L: expected a list of whole numbers"),
    ("x.json", '{"generators": {"L M": [1, 0]}}', "x.json: generators.L M: expected a name of 1 to 63"),
    ("x.json", '{"generators": []}', "x.json: generators: expected an object"),
    ("x.json", '{"central_state": 3, "generators": {}}', "x.json: central_state: expected a list of labels"),
    ("x.json", '{"central_state": [[]], "generators": {"a": [0]}}', "x.json: central_state[0]: expected a number or"),
    ("x.json", '{"generators": {"a": NaN}}', "x.json: expected JSON: NaN is no number"),
    ("x.json", "[" * 100000, "x.json: expected an object with"),
    ("x.json", '{"a":' * 100000, "x.json: expected JSON: too deep"),
    ("x.gap", "M:=(1,2,1);", "x.gap: line 1: 1 appears twice"),
    ("x.gap", "# a\nM:=(1,2;\n", "x.gap: line 2: expected cycles such as (1,2,3)(4,5)"),
    ("x.gap", "M:=(1,2);\nGen:=[M,N];", "x.gap: line 2: Gen: no permutation is called 'N'"),
    ("x.gap", "M:=(1,2);\nip:=[[1,9]];", "x.gap: line 2: ip: expected points from 1 to 2, got 9"),
    ("x.gap", "M:=(0,1);", "x.gap: line 1: expected points from 1 to 65536, got 0"),
    ("x.gap", "a:=7;", "x.gap: expected permutations such as"),
    ("x.csv", "puzzle_type,allowed_moves\na,\"{'f': [1, 1]}\"\n", "x.csv: line 2: allowed_moves.f[1]: 1 appears twice"),
    ("x.csv", "puzzle_type,allowed_moves\na,import os\n", "x.csv: line 2: allowed_moves: expected a dictionary"),
    ("x.csv", "puzzle_type,allowed_moves\na\n", "x.csv: line 2: expected 2 columns, got 1"),
    ("x.csv", "puzzle_type,allowed_moves\n", "x.csv: expected a line with names of columns and at least one more"),
    ("x.csv", "id,puzzle_type\n1,a\n", "x.csv: line 1: expected the columns puzzle_type and allowed_moves"),
    ("x.txt", "{'f': __import__('os')}", "x.txt: expected a dictionary of Python"),
    ("x.bin", b"\xff\xfe\x00", "x.bin: byte 0: expected UTF-8"),
]


@pytest.mark.parametrize("name, content, message", BAD)
def test_a_bad_file_is_refused_with_its_place(tmp_path, monkeypatch, name, content, message, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    from fewest.formats.command import main
    assert main([name]) == 2
    out, err = capsys.readouterr()
    assert err.startswith(f"fewest-import: {message}") and err.count("\n") == 1 and not out


def test_limits_are_told_with_the_number():
    ring = list(range(1, 300)) + [0]
    with pytest.raises(formats.FormatError, match=r"at most 254 pieces .* got 300 \(of 300 points\)"):
        permutations.from_generators({"a": ring, "b": [1, 0] + list(range(2, 300))})
    with pytest.raises(formats.FormatError, match="at most 65536 points, got 65537"):
        permutations.from_generators({"a": list(range(65537))})
    pairs = [i ^ 1 for i in range(600)]
    with pytest.raises(formats.FormatError, match="at most 256 orbits of points, got 300"):
        permutations.from_generators({"a": pairs})


def test_a_definition_of_4000_points_and_100_generators_is_read(draw):
    moves = {}
    for number in range(100):  # 20 orbits of 200 points
        moves[f"m{number}"] = [200 * (i // 200) + (i % 200 + 1 + number * (i // 200 % 3 == number % 3)) % 200
                               for i in range(4000)]
    text = json.dumps({"generators": moves})
    assert formats.parse(text)


def test_the_command_writes_a_definition_that_fewest_gen_reads(tmp_path):
    (tmp_path / "lrx.json").write_text(json.dumps({"generators": LRX}))
    out = subprocess.run(IMPORT + ["-o", "lrx.puzzle", "lrx.json"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert out.stdout == out.stderr == ""
    told = subprocess.run([f"{BUILD}/gen/fewest-gen", "--dry-run", "lrx.puzzle"], cwd=tmp_path, capture_output=True,
                          text=True, check=True).stdout
    assert "states      720\n" in told
    state = subprocess.run(IMPORT + ["--state", "1;0;2;3;4;5", "lrx.json"], cwd=tmp_path, capture_output=True, text=True,
                           check=True).stdout
    assert state == "2 1 3 4 5 6\n"


def test_the_command_ends_with_the_statuses_of_its_help(tmp_path):
    def ends(*arguments):
        done = subprocess.run(IMPORT + list(arguments), cwd=tmp_path, capture_output=True, text=True)
        return done.returncode, done.stderr
    (tmp_path / "lrx.json").write_text(json.dumps({"generators": LRX}))
    assert ends("none.json") == (4, "fewest-import: none.json: No such file or directory\n")
    assert ends("--goal", "none", "lrx.json") == (4, "fewest-import: none: No such file or directory\n")
    assert ends()[0] == ends("--wrong", "lrx.json")[0] == 2
    assert ends("--state", "1;2", "lrx.json") == (2, "fewest-import: --state: expected 6 labels, got 2\n")
    assert ends("-o", "lrx.json", "lrx.json")[0] == 2 and (tmp_path / "lrx.json").read_text().startswith("{")
    assert ends("-o", "no/x.puzzle", "lrx.json")[0] == 4
    assert ends("--help")[0] == ends("--version")[0] == 0
    (tmp_path / "goal").write_text("0;0;0;1;1;1")
    assert ends("--goal", "goal", "lrx.json")[0] == 0
    (tmp_path / "goal").write_text("0;0")
    assert ends("--goal", "goal", "lrx.json") == (2, "fewest-import: goal: expected 6 labels, got 2\n")
    (tmp_path / "four.def").write_text(DEF + "MaxDepth 3\n")
    assert "left out MaxDepth" in ends("four.def")[1]
    assert shutil.which("env")


def test_permutations_given_as_arrays_are_taken():
    moves = {name: np.array(row, np.uint8) for name, row in LRX.items()}
    assert fewest.growth(moves, "000111").layer_sizes == fewest.growth(LRX, [0, 0, 0, 1, 1, 1]).layer_sizes
