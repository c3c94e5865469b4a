"""``boardfw learn check``: what is wrong with lessons, and what they teach of the rules."""

from __future__ import annotations

import sys
from pathlib import Path

import click

FAULTY = 2
"""Exit status when a lesson cannot be taught."""


@click.command()
@click.argument("directory", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
def check(directory: Path | None) -> None:
    """Look through lessons: DIR/course/*.toml, and their texts in DIR/text/en.toml.

    Without DIR the course that comes with the board. Each fault is a line, FILE:LINE and what to
    mend; what could be better follows, and then which statements of the rule documents the
    lessons meet, which they do not, and how many exercises there are of each type.

    Exit status 0: every lesson can be taught; 2: one cannot.
    """
    from boardfw.learning.checking import matrix, remarks_on
    from boardfw.shell.learning.course_files import read_library

    library = read_library(directory)
    for complaint in library.complaints:
        click.echo(complaint, err=True)
    for remark in remarks_on(library.drafts, library.statements):
        click.echo(f"{remark.line()} (a remark)")
    for line in matrix(library.drafts, library.statements):
        click.echo(line)
    sys.exit(FAULTY if library.complaints else 0)
