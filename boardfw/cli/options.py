"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path

import click

CONFIG = click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="Configuration (TOML); docs/boardfw.toml explains every key.  [default: none]",
)
