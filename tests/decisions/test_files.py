import numpy as np
import pytest

from credo.beliefs import Categorical
from credo.decisions import Loss, decide
from credo.errors import FormatError, InvalidInput


def write(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "loss.csv"
    path.write_bytes(text.encode(encoding))
    return path


def test_a_loss_is_read_with_its_names(tmp_path):
    text = '\ufeffaction, B ,M\r\n\r\n"call it, B",0,5\r\nM,1, 0\r\nask a pathologist,0.5,5e-1\r\n'
    loss = Loss.read(write(tmp_path, text))
    assert loss.states == ("B", "M")
    assert loss.actions == ("call it, B", "M", "ask a pathologist")
    assert loss.matrix.tolist() == [[0, 5], [1, 0], [0.5, 0.5]]
    assert decide(Categorical({"M": 0.3, "B": 0.7}), loss).action == "ask a pathologist"


def test_numbers_in_a_file_stand_for_the_states_of_a_belief(tmp_path):
    loss = Loss.read(write(tmp_path, ",1,0\nact,0,1\nwait,5,0\n"))
    made = decide(Categorical(np.array([[0.9, 0.1], [0.2, 0.8]]), states=[0, 1]), loss)
    assert made.action.tolist() == ["wait", "act"]


@pytest.mark.parametrize(
    ("text", "line", "column", "match"),
    [
        ("", None, None, "is empty"),
        ("\n\n", 1, None, "first line must name"),
        ("a,s,t\n", 1, None, "each line after"),
        ("a\nx\n", 1, None, "no states"),
        ("a,s,\nx,1,2\n", 1, 3, "without a name"),
        ("a,s,s\nx,1,2\n", 1, 3, "'s' stands twice"),
        ("a,s,t\nx,1,2\ny,1\n", 3, None, "2 fields where the first line has 3"),
        ("a,s,t\nx,1,2,3\n", 2, None, "4 fields"),
        ("a,s,t\nx,1,2\n\nx,1,2\n", 4, 1, "'x' stands twice"),
        ("a,s,t\n,1,2\n", 2, 1, "without a name"),
        ("a,s,t\nx,1,two\n", 2, 3, "'x' when it is 't' must be a finite number; got 'two'"),
        ("a,s,t\nx,1,\n", 2, 3, "finite number"),
        ("a,s,t\nx,nan,1\n", 2, 2, "finite number"),
        ("a,s,t\nx,inf,1\n", 2, 2, "finite number"),
        ('a,s,t\n"x,1,2\n', None, None, "cannot be read"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(tmp_path, text, line, column, match):
    path = write(tmp_path, text)
    with pytest.raises(FormatError, match=match) as refused:
        Loss.read(path)
    assert (refused.value.file, refused.value.line, refused.value.column) == (str(path), line, column)


def test_what_is_not_a_text_file_is_refused(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        Loss.read(tmp_path / "none.csv")
    with pytest.raises(FormatError, match="this is a directory"):
        Loss.read(tmp_path)
    for encoding in ("latin-1", "utf-16"):
        with pytest.raises(FormatError, match="CSV file in UTF-8"):
            Loss.read(write(tmp_path, "ä,ö\n", encoding=encoding))
    with pytest.raises(InvalidInput, match="path must be a path; got 3"):
        Loss.read(3)
