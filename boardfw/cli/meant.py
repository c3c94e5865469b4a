"""Asking before something is gone for good."""

from __future__ import annotations

import sys

import click

from boardfw.errors import BoardError


def is_meant(question: str, what: str = "") -> bool:
    """Whether somebody at a terminal says yes. ``what``: is shown first.

    Raises BoardError where nobody can be asked.
    """
    if not sys.stdin.isatty():
        raise BoardError("nobody can be asked whether this is meant; add --yes if it is")
    if what:
        click.echo(what)
    return click.confirm(question)
