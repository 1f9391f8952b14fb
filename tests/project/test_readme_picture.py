"""The picture in the README."""

from tools.readme_picture import FILE, picture


def test_the_picture_in_the_readme_is_the_one_its_example_draws():
    assert picture() == FILE.read_text(encoding="utf-8")
