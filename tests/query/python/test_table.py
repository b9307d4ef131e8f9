"""Tables: queries over arrays, numbers, samples, pictures."""
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time

import fewest
import numpy as np
import pytest
from conftest import BUILD
from fewest import _library as lib

GAME = [1, 12, 96, 736, 5208, 28674, 89497, 54741, 2475]


def test_a_text_a_row_and_a_matrix_get_the_same_answers(game):
    assert game.steps("123456789", "8*95372**") == 7
    states = game.sample(500, seed=1)
    steps = game.steps(states)
    assert steps.dtype == np.intc and steps.shape == (500,)
    assert [game.steps(state) for state in states[:20]] == steps[:20].tolist()
    assert game.steps(game.write(states)).tolist() == steps.tolist()
    assert game.steps(states, states[0]).tolist() == game.steps(states, np.repeat(states[:1], 500, axis=0)).tolist()
    assert game.steps(states[0], states).tolist() == game.steps(np.repeat(states[:1], 500, axis=0), states).tolist()


def test_the_command_gives_the_same_steps_and_paths(game):
    starts, targets = game.sample(300, seed=2), game.sample(300, seed=3)
    targets[:150, 2:7] = fewest.WILD
    lines = "".join(f"{a} {b}\n" for a, b in zip(game.write(starts), game.write(targets)))
    for option, answers in (("--steps", game.steps(starts, targets)),
                            ("--path", map(" ".join, game.path(starts, targets)))):
        command = [f"{BUILD}/query/fewest", "batch", "game"] + (["--path"] if option == "--path" else [])
        told = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout
        assert told.split("\n")[:-1] == [str(answer) for answer in answers]


def test_threads_change_no_answer(game):
    starts, targets = game.sample(5000, seed=4), game.sample(5000, seed=5)
    for threads in (0, 2, 3):
        assert (game.steps(starts, targets, threads=threads) == game.steps(starts, targets)).all()
        assert game.path(starts[:3000], threads=threads) == game.path(starts[:3000])


def test_a_path_leads_to_its_target(game):
    for start, target in zip(game.sample(50, seed=6), game.sample(50, seed=7)):
        path = game.path(start, target)
        assert len(path) == game.steps(start, target)
        assert (game.apply(start, path) == target).all()
    assert game.path("123456789", "123456798") is None
    assert game.steps("123456789", "123456798") == -1


def test_all_paths_are_counted_and_listed(game):
    start, target = "123456789", "213546789"
    paths = game.paths(start, target)
    assert len(paths) == len(set(map(tuple, paths))) == game.count_paths(start, target) > 5
    assert paths == sorted(paths) and paths[0] == game.path(start, target)
    assert len(game.paths(start, target, limit=3)) == 3
    assert len(game.paths("312456789", more=1)) > game.count_paths("312456789")
    assert game.count_paths(game.sample(3, seed=8)) == [game.count_paths(state) for state in game.sample(3, seed=8)]


def test_parity_gives_a_reason_for_one_query_and_an_array_for_many(game):
    odd = game.parity("123456789", "123456798")
    assert not odd.reachable and "odd" in odd.reason
    assert game.parity(["123456789", "123456798"]).tolist() == [True, False]


def test_ranks_are_those_of_the_command_and_unrank_undoes_them(game):
    states = game.sample(40, seed=9)
    numbers = game.rank(states)
    assert numbers.dtype == np.uint64
    told = subprocess.run([f"{BUILD}/query/fewest", "rank", "game", game.write(states[0])],
                          capture_output=True, text=True, check=True).stdout
    assert int(told) == numbers[0] == game.rank(states[0])
    assert (game.unrank(numbers) == states).all() and (game.unrank(int(numbers[0])) == states[0]).all()


def test_distances_are_those_that_the_command_exports(game):
    distances = game.distances(threads=2)
    exported = subprocess.run([f"{BUILD}/query/fewest", "export", "game"], capture_output=True, check=True).stdout
    assert distances.dtype == np.int16
    assert distances.astype(np.uint8).tobytes() == exported
    assert np.bincount(distances[distances >= 0]).tolist() == GAME


def test_statistics_are_those_of_the_readme(game):
    stats = game.stats()
    assert stats.counts.tolist() == GAME and stats.states == 181440 and stats.largest == 8
    assert abs(stats.mean - 6.0989) < 1e-4
    some = game.stats(matching="1*3*5*7*9")
    assert some.states == 12 and some.counts[0] == 1
    assert game.stats(start="312456789").counts.tolist() == GAME


def test_samples_are_different_reachable_states(game):
    states = game.sample(2000, seed=10)
    assert len(np.unique(states, axis=0)) == 2000 and (game.steps(states) >= 0).all()
    assert (states == game.sample(2000, seed=10)).all()
    far = game.sample(2475, distance=8, seed=11)
    assert (game.steps(far) == 8).all() and len(np.unique(far, axis=0)) == 2475
    assert (game.sample(5, matching="1*3*5*7*9", seed=12)[:, [0, 2, 4, 6, 8]] == [0, 2, 4, 6, 8]).all()
    assert game.sample(seed=13).shape == (9,)
    with pytest.raises(ValueError, match="at most 2475 states"):
        game.sample(2476, distance=8)
    board = fewest.open("fifteen")
    assert (board.parity(board.sample(5, seed=14))).all()


def test_every_shipped_table_opens_and_solves_its_goal():
    for name in ("cubic", "dice", "eight", "fifteen", "flip", "fridge", "game", "magic", "seven", "slide222"):
        with fewest.open(name) as table:
            assert table.name == name and table.steps(table.goals).tolist() == [0] * len(table.goals)
            assert table.state()._repr_svg_().startswith("<svg")
            assert name in table._repr_html_()


def test_wrong_arguments_raise_an_error_with_the_place(game):
    states = game.sample(700, seed=15)
    for wrong, message in (("12345678", "START has 8 cells"), ("1234567899", "cell"), (np.zeros(8, np.uint8), "9 cells"),
                           (np.zeros((2, 2, 9), np.uint8), "shape"), (np.full(9, 256), "0 to 255"),
                           (np.full(9, 0.5), "uint8"), (np.zeros(9, np.uint8), "twice")):
        with pytest.raises(fewest.BadInputError, match=message):
            game.steps(wrong)
    states[600, 4] = 99
    for threads in (1, 4):
        with pytest.raises(fewest.BadInputError, match="row 601: START: cell 5 is 99"):
            game.steps(states, threads=threads)
    with pytest.raises(ValueError, match="as many targets"):
        game.steps(states[:3], states[:2])
    with pytest.raises(fewest.BadInputError, match="from 0 to 362879"):
        game.unrank(-1)
    with pytest.raises(fewest.Error):
        game.unrank(362880)
    with pytest.raises(fewest.BadInputError, match="unknown move"):
        game.apply("123456789", "Q")
    with pytest.raises(fewest.BadInputError):
        game.rule("Q")


def test_bad_tables_raise_errors_of_their_own(tmp_path):
    with pytest.raises(FileNotFoundError, match="none"):
        fewest.open("none")
    with pytest.raises(fewest.MissingError):
        fewest.open(tmp_path / "x.dtab")
    bad = tmp_path / "bad.dtab"
    bad.write_bytes(b"nothing of a table" * 100)
    with pytest.raises(fewest.DamagedError):
        fewest.open(bad)
    limited = fewest.open("game", limit=3)
    with pytest.raises(fewest.LimitedError):
        limited.steps(limited.sample(distance=7, seed=16))
    hurried = fewest.open("fifteen", seconds=0.01)
    with pytest.raises(fewest.LimitedError) as raised:
        hurried.steps("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1")  # 80 moves
    assert 40 <= raised.value.at_least <= 80
    with pytest.raises(fewest.BeyondError):
        fewest.open("fifteen").distances()
    closed = fewest.open("game")
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        closed.steps("123456789")


def test_arrays_are_not_copied(game):
    states = game.sample(1000, seed=17)
    rows, single = game._rows(states, "START")
    assert rows.ctypes.data == states.ctypes.data and not single


def test_the_lock_of_the_interpreter_is_free_during_a_search():
    board = fewest.open("fifteen")
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    steps = board.steps("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1")
    end = time.monotonic()
    done.set()
    thread.join()
    assert steps == 80
    inside = [at for at in ticks if begin < at < end]
    assert len(inside) > (end - begin) / 0.1  # a search with the lock would let none through


def test_a_callback_watches_a_search_and_stops_it():
    bounds = []
    board = fewest.open("fifteen", progress=lambda progress: bounds.append(progress.bound))
    board.steps("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1")
    assert bounds and bounds == sorted(bounds)
    stopped = fewest.open("fifteen", progress=lambda _progress: False)
    with pytest.raises(fewest.StoppedError):
        stopped.steps("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1")

    def fail(_progress):
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        fewest.open("fifteen", progress=fail).steps("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1")


@pytest.mark.parametrize("call", [
    "t = fewest.open('game'); [t.steps(t.sample(5000)) for _ in range(10**6)]",
    "fewest.make('Name a\\nSlide 3 4\\nTrack 1-8\\n')",
    "t = fewest.open('game'); [t.distances() for _ in range(10**6)]",
    "t = fewest.open('fifteen'); [t.steps('0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1') for _ in range(100)]",
])
def test_ctrl_c_stops(call):
    program = f"import fewest\nprint('ready', flush=True)\n{call}\nprint('done')\n"
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(fewest.__file__)))
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env=environment)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in err and "done" not in out and process.returncode != 0


def test_the_histogram_is_drawn(game):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot
    _, axes = pyplot.subplots()
    assert game.plot(axes) is axes
    assert [bar.get_height() for bar in axes.patches] == GAME and axes.get_title() == "game"


def test_a_state_has_text_cells_and_a_picture(game):
    state = game.state("312456789")
    assert str(state) == "312/456/789" and np.asarray(state).tolist() == [2, 0, 1, 3, 4, 5, 6, 7, 8]
    assert game.steps(state) == 1 and str(game.state()) == "123/456/789"
    assert state._repr_svg_().count("<rect") == 9


def test_structs_have_the_layout_of_the_headers():
    assert ctypes.sizeof(lib.ErrorStruct) == 4 + 512 + 24 + 4 and ctypes.sizeof(lib.Path) == 4 + 1024
    assert lib.Stats.mean.offset == 8 + 256 * 8 and lib.Parity.reason.offset == 1
    assert lib.fewest().fewest_version() == lib.fewest_gen().fewest_gen_version() == fewest.__version__.encode()
