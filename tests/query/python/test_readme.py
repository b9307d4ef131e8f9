"""The Python lines of the README run, and print what their comments say."""
import io
import re
from contextlib import redirect_stdout

import pytest
from conftest import SOURCE


def run_readme(text):
    """Runs the blocks of Python, and compares each printed line with the comment after `print`."""
    code = "".join(re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S))
    expected = [line.partition("  # ")[2] for line in code.splitlines() if line.startswith("print")]
    out = io.StringIO()
    with redirect_stdout(out):
        exec(code, {})  # pylint: disable=exec-used # of our own README
    printed = out.getvalue().splitlines()
    assert len(printed) == len(expected) > 2
    for line, comment in zip(printed, expected):
        value = re.search(r"\[.*|[\d.]+", comment)[0].rstrip("]").partition("…")[0].rstrip(", :")
        if value.replace(".", "").isdigit():
            assert abs(float(line) - float(value)) < 0.1, comment
        else:
            assert line.startswith(value), comment


def test_the_python_of_the_readme_prints_what_it_says():
    with open(f"{SOURCE}/README.md", encoding="utf-8") as file:
        text = file.read()
    run_readme(text)
    with pytest.raises(AssertionError):  # a negative control
        run_readme(text.replace("1191, 4281, …", "1191, 4282, …"))
