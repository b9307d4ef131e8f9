"""Making tables, and counting states."""
import fewest
import numpy as np
import pytest
from conftest import search
from fewest import making


def pancakes(count):
    return {f"R{k}": list(range(k))[::-1] + list(range(k, count)) for k in range(2, count + 1)}


def lrx(count):
    turn = list(range(1, count)) + [0]
    return {"L": turn, "R": [count - 1] + list(range(count - 1)), "X": [1, 0] + list(range(2, count))}


def test_a_definition_becomes_a_table_in_memory():
    table = fewest.make("Name six\nSlide 2 3\n")
    assert table.name == "six" and table.state_count == 360 and table.stats().largest == 21


def test_generators_make_a_table_of_exactly_these_moves():
    table = fewest.make(generators=lrx(6))
    layers = search(list(lrx(6).values()), range(6))
    assert table.stats().counts.tolist() == [len(layer) for layer in layers] and sorted(table.moves) == ["L", "R", "X"]
    alike = fewest.make(generators=lrx(6), central_state=[0, 0, 0, 1, 1, 1])
    assert alike.state_count == 20


def test_a_table_goes_to_a_file_and_to_a_cache(tmp_path, monkeypatch):
    path = tmp_path / "six.dtab"
    made = fewest.make("Name six\nSlide 2 3\n", output=path)
    assert fewest.open(path).stats().states == made.stats().states == 360
    with pytest.raises(fewest.Error, match="another puzzle"):
        fewest.make("Name other\nSlide 2 2\n", output=path)
    fewest.make("Name other\nSlide 2 2\n", output=path, force=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    fewest.make("Name six\nSlide 2 3\n", cache=True)
    kept = list((tmp_path / "fewest").iterdir())
    assert len(kept) == 1
    time = kept[0].stat().st_mtime_ns
    fewest.make("Name six\nSlide 2 3\n", cache=True)
    assert kept[0].stat().st_mtime_ns == time
    kept[0].write_bytes(b"damaged" * 1000)
    assert fewest.make("Name six\nSlide 2 3\n", cache=True).state_count == 360
    fewest.make("Name six\nSlide 2 3\n", metric="listed", cache=tmp_path / "mine")
    assert len(list((tmp_path / "mine").iterdir())) == 1


def test_progress_is_told_and_can_stop_the_work(capsys):
    events = []
    fewest.make("Name six\nSlide 2 3\n", progress=lambda event: events.append((event.event, event.layer)))
    assert {layer for event, layer in events if event == 2} == set(range(22))
    with pytest.raises(fewest.StoppedError):
        fewest.make("Name six\nSlide 2 3\n", progress=lambda event: False)
    with pytest.raises(ZeroDivisionError):
        fewest.make("Name six\nSlide 2 3\n", progress=lambda event: 1 // 0)
    fewest.make("Name six\nSlide 2 3\n", progress=making._print_layer)
    assert "layer 21: 1 states" in capsys.readouterr().err


def test_bad_definitions_and_options_are_refused():
    with pytest.raises(fewest.BadInputError, match="line 2"):
        fewest.make("Name a\nSlide 2\n")
    with pytest.raises(fewest.BeyondError, match="too many for a table"):
        fewest.make("Name a\nSlide 5 5\n")
    with pytest.raises(fewest.BeyondError):
        fewest.make("Name a\nSlide 3 4\n", memory=1 << 20)
    with pytest.raises(ValueError, match="metric"):
        fewest.make("Name a\nSlide 2 3\n", metric="half")
    with pytest.raises(TypeError):
        fewest.make()
    with pytest.raises(TypeError):
        fewest.make("Name a\nSlide 2 3\n", central_state=[1])
    for generators, message in (({}, "expected an object"), ({"a": [0, 0]}, "0 appears twice"), ({"a b": [1, 0]}, "name"),
                                ({"a": [0, 2]}, "from 0 to 1"), ({"a": [1, 0], "b": [0]}, "expected 2 numbers"),
                                ({"a": [0, 1]}, "got none"), ({"a": [True, False]}, "whole numbers")):
        with pytest.raises(fewest.BadInputError, match=message):
            fewest.make(generators=generators)


# Growth of families as CayleyPy's data files have it: pancakes, L R X, L X (which has no inverses),
# and L R X on words of two letters.
PUBLISHED = [
    (pancakes(7), None, [1, 6, 30, 149, 543, 1357, 1903, 1016, 35]),
    (pancakes(8), None, [1, 7, 42, 251, 1191, 4281, 10561, 15011, 8520, 455]),
    (lrx(5), None, [1, 3, 6, 10, 16, 24, 29, 21, 6, 3, 1]),
    (lrx(7), None, [1, 3, 6, 12, 22, 42, 73, 124, 203, 303, 425, 559, 678, 713, 746, 611, 355, 122, 28, 10, 3, 1]),
]


@pytest.mark.parametrize("generators, central, sizes", PUBLISHED)
def test_growth_equals_published_numbers(generators, central, sizes):
    assert fewest.growth(generators, central).layer_sizes == sizes


def test_growth_is_that_of_a_search_from_the_central_state(draw):
    for _ in range(60):
        count, labels = draw.randrange(3, 7), draw.randrange(1, 7)
        central = [draw.randrange(labels) for _ in range(count)]
        moves = {name: draw.sample(range(count), count) for name in "abc"[:draw.randrange(1, 4)]}
        layers = search(list(moves.values()), central)
        if len(layers) == 1:
            continue
        for symmetry in (True, False):
            found = fewest.growth(moves, central, symmetry=symmetry)
            assert found.layer_sizes == [len(layer) for layer in layers], (moves, central)
            assert set(map(tuple, found.last_layer.tolist())) <= set(layers[-1])
            assert found.complete and found.states == sum(map(len, layers)) and found.diameter == len(layers) - 1


def test_growth_ends_at_a_depth_and_takes_definitions():
    some = fewest.growth(pancakes(9), depth=3)
    assert some.layer_sizes == [1, 8, 56, 391] and not some.complete
    assert fewest.growth("Name a\nSlide 2 3\n").layer_sizes[-1] == 1
    with pytest.raises(fewest.BadInputError):
        fewest.growth("Name a\nSlide 2\n")


def test_moves_with_names_of_rotations_count():
    turn = {"x": [1, 2, 3, 0], "y": [1, 0, 3, 2]}
    assert fewest.growth(turn).layer_sizes == [len(layer) for layer in search(list(turn.values()), range(4))]
    assert fewest.make(generators={name: np.array(move) for name, move in turn.items()}).moves == ("x", "y")
