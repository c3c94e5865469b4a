"""``boardfw doctor``: everything looked at in turn, from the settings to the switches."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import click

from boardfw.doctor import chips, gpio_lines, scanning, strip_check, system
from boardfw.doctor.diagnosis import (
    Diagnosis,
    State,
    as_json,
    as_table,
    not_applicable,
    passed,
    told,
    warned,
)
from boardfw.doctor.examined_board import Patient, opened
from boardfw.doctor.machine import Machine
from boardfw.doctor.report import place_of_report, report
from boardfw.errors import BoardError, ConfigError
from boardfw.shell.config import Settings, load_config
from boardfw.shell.files import write_whole


def examine(
    url: str | None,
    config: Path | None,
    as_object: bool,
    report_file: Path | None = None,
    machine: Machine | None = None,
) -> int:
    """Look at everything and tell, and write a report of it where one is wanted; the exit status.

    Raises BoardError where the report cannot be written, before anything is looked at if that is
    known by then.
    """
    logging.basicConfig(level=logging.CRITICAL)  # what drivers log is told in the table
    machine = machine or Machine()
    place = place_of_report(report_file) if report_file else None
    diagnoses = list(examined(machine, url, config))
    click.echo(as_json(diagnoses) if as_object else "\n".join(as_table(diagnoses)))
    if place:
        write_whole(place, report(machine, config, diagnoses))
        click.echo(f"{report_file}: written; look through it before you give it away", err=True)
    return int(any(diagnosis.state is State.FAILED for diagnosis in diagnoses))


class Playing(Machine):
    """The machine of a board on which this process plays: nothing is taken or configured."""

    @property
    def players(self) -> list[int]:
        """This process."""
        return [os.getpid()]


def examined_beside(url: str, config: Path | None) -> tuple[str, bool]:
    """What is found on the board on which this process plays, as a table; whether nothing failed.

    Any thread may call it. ``config``: the file of settings; None: none was given.
    """
    # The lines of a board that plays are held already; another factory would only cost memory.
    machine = Playing(pin_factory=lambda _: None)
    diagnoses = list(examined(machine, url, config))
    is_well = all(diagnosis.state is not State.FAILED for diagnosis in diagnoses)
    return "\n".join(as_table(diagnoses)), is_well


def examined(machine: Machine, url: str | None, config: Path | None) -> Iterator[Diagnosis]:
    """What is found, in the order in which one thing rests on the other."""
    try:
        settings = load_config(config)
    except ConfigError as error:
        yield told("configuration", error, "mend the file, or start without --config")
        settings, known = Settings(), url
    else:
        yield passed("configuration", f"{config} is in order" if config else "no file: defaults")
        known = settings.board.url if url is None else url
    yield _machine(machine)
    yield system.memory(machine)
    yield system.clock(machine)
    yield system.disk(machine, settings)
    yield system.record(machine, settings)
    yield from _board(machine, known, settings)


def _machine(machine: Machine) -> Diagnosis:
    model = machine.model or "no Raspberry Pi, or one that does not say so"
    return passed("machine", f"{model}; kernel {machine.kernel}")


def _board(machine: Machine, url: str | None, settings: Settings) -> Iterator[Diagnosis]:
    if url is None:
        yield not_applicable("board", "not examined: without its settings it is not known which")
        return
    try:
        with opened(url, machine) as patient:
            yield from _opened(machine, patient, settings)
    except BoardError as error:
        yield told("board", error, "mend the file, or name another board with --board")


def _opened(machine: Machine, patient: Patient, settings: Settings) -> Iterator[Diagnosis]:
    yield passed("board", patient.what)
    yield from _wiring(patient)
    yield _players(patient)
    yield system.groups(machine, patient)
    yield from system.devices(machine, patient)
    yield chips.bus_speed(machine, patient)
    yield gpio_lines.pin_factory(machine, patient)
    yield strip_check.led_driver(machine, patient)
    yield strip_check.core_clock(machine, patient)
    yield strip_check.sound(machine, patient)
    yield strip_check.led_budget(settings, patient)
    yield from chips.chips(patient)
    yield gpio_lines.interrupt(patient)
    yield scanning.switches(patient, settings.scan.period_us)


def _wiring(patient: Patient) -> Iterator[Diagnosis]:
    wiring = patient.wiring
    if wiring is None:
        yield not_applicable("wiring", "this board needs none")
        return
    many = f"{len(wiring.chips)} chips" if len(wiring.chips) > 1 else "one chip"
    yield passed("wiring", f"{wiring.name}: {many}, {len(wiring.leds.squares)} LEDs")
    for warning in wiring.warnings:
        found, _, remedy = warning.partition("; ")
        yield warned("wiring", found, remedy)


def _players(patient: Patient) -> Diagnosis:
    name = "running game"
    if not patient.is_real:
        return not_applicable(name, "no other program can use this board")
    if not patient.players:
        return passed(name, "none was found")
    found = f"process {', '.join(map(str, patient.players))} plays, perhaps on this board"
    remedy = "end it for a whole examination (sudo systemctl stop boardfw): what would disturb it"
    return warned(name, found, f"{remedy} is left out")
