"""``boardfw learn progress`` and ``profiles``: who learns, and how far everybody is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from boardfw.cli.options import CONFIG, RECORD


@click.command()
@click.option(
    "--profile", metavar="NAME", default="guest", show_default=True, help="Whose progress."
)
@click.option("--csv", "as_csv", is_flag=True, help="Every answer as CSV, a line each.")
@click.option("--json", "as_json", is_flag=True, help="All of it as one JSON object.")
@click.option(
    "--course",
    metavar="DIR",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="The lessons.  [default: those that boardfw brings]",
)
@RECORD
@CONFIG
def progress(**options: Any) -> None:
    """Show which lessons are passed, what is to be repeated, and what comes next.

    A lesson is passed when each of its exercises was solved, and gold when each was solved
    once without an error and without help.
    """
    from boardfw.cli.learn.progress import Showing

    Showing(**options).run()


@click.command()
@click.argument("action", required=False, type=click.Choice(["add", "delete"]))
@click.argument("name", required=False)
@click.option("--yes", is_flag=True, help="Do not ask before deleting.")
@RECORD
@CONFIG
def profiles(**options: Any) -> None:
    """List who learns here; add NAME, or delete NAME with all answers.

    Profiles are kept in the database of games and nowhere else. Who has none is the guest, whose
    answers can be deleted like those of others.
    """
    from boardfw.cli.learn.profiles import Profiles

    Profiles(**options).run()
