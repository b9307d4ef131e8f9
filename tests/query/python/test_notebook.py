"""The notebook runs, and prints what it holds. `python3 test_notebook.py` writes its outputs anew."""
import ast
import base64
import copy
import io
import json
from contextlib import redirect_stdout

import conftest
import pytest

PATH = f"{conftest.SOURCE}/query/python/fewest.ipynb"


def run_cell(source, names):
    """Runs a cell as Jupyter does. Returns what it prints and shows: a list of outputs."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    out, outputs = io.StringIO(), []
    with redirect_stdout(out):
        exec(compile(tree, "cell", "exec"), names)  # pylint: disable=exec-used # of our own notebook
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None  # pylint: disable=eval-used
    if out.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": out.getvalue().splitlines(True)})
    if value is not None:
        data = {"text/plain": [repr(value)]}
        for kind, method in (("image/svg+xml", "_repr_svg_"), ("text/html", "_repr_html_")):
            if hasattr(value, method):
                data[kind] = [getattr(value, method)()]
        if hasattr(value, "figure"):
            data = {"text/plain": ["<Axes>"], "image/png": draw(value.figure)}
        outputs.append({"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data})
    return outputs


def draw(figure):
    """A small picture of a figure, in base64."""
    file = io.BytesIO()
    figure.set_size_inches(5, 3)
    figure.savefig(file, format="png", dpi=50, metadata={"Software": None})
    return base64.b64encode(file.getvalue()).decode()


def run_notebook(notebook):
    """Returns the notebook with the outputs of a run."""
    import matplotlib
    matplotlib.use("agg")
    done, names = copy.deepcopy(notebook), {}
    for cell in done["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = run_cell("".join(cell["source"]), names)
    return done


def without_pictures(notebook):
    """The text of a notebook; matplotlib draws a little otherwise in each version."""
    return [[{kind: text for kind, text in output.get("data", output).items() if kind != "image/png"}
             for output in cell.get("outputs", ())] for cell in notebook["cells"]]


def test_the_notebook_prints_what_it_holds():
    pytest.importorskip("matplotlib")
    with open(PATH, encoding="utf-8") as file:
        notebook = json.load(file)
    done = run_notebook(notebook)
    assert without_pictures(done) == without_pictures(notebook)
    assert sum(len(cell.get("outputs", ())) for cell in notebook["cells"]) >= 6
    assert any("image/png" in output.get("data", ()) for cell in done["cells"] for output in cell.get("outputs", ()))


if __name__ == "__main__":
    with open(PATH, encoding="utf-8") as old:
        content = run_notebook(json.load(old))
    with open(PATH, "w", encoding="utf-8") as new:
        new.write(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
