"""Checks: the driver of the strip, the clock that it needs, the current that it may draw.

Nothing is sent to the strip: a game may be shown on it.
"""

from __future__ import annotations

from boardfw.doctor.diagnosis import Diagnosis, failed, not_applicable, passed, told, warned
from boardfw.doctor.examined_board import Patient
from boardfw.doctor.machine import Machine, config_txt
from boardfw.errors import WiringError
from boardfw.shell.config import Settings
from hardware.leds import open_leds
from hardware.model import core_clock_lines
from hardware.strip import frame_us
from hardware.wiring import SPI_GPIO, LedDriver, Wiring
from hardware.ws281x import TO_HAVE

PCM_GPIO = 21
PWM_SOUND = (
    "PWM",
    "snd_bcm2835",
    "LEDs flicker while both send: write 'blacklist snd_bcm2835' in "
    "/etc/modprobe.d/boardfw-sound.conf, take dtparam=audio=on out of config.txt",
)
PCM_SOUND = (
    "PCM",
    "snd_soc_bcm2835_i2s",
    "LEDs flicker while both send: take dtparam=i2s=on and sound cards out of config.txt",
)
"""What else makes signals by PWM or PCM: the name, the kernel's module, what to do without it.

Source: "Limitations" in the README of jgarff/rpi_ws281x.
"""


def led_driver(machine: Machine, patient: Patient) -> Diagnosis:
    """Check that the driver can do what is wired, and its library is there."""
    name = "LED driver"
    wiring = _lit(patient)
    if wiring is None:
        return not_applicable(name, _why_dark(patient))
    try:
        said = open_leds(wiring.leds, machine.model)[1].removeprefix("lights: ")
    except WiringError as error:
        return told(name, error, "mend [leds] of the board file")
    if wiring.leds.driver is LedDriver.WS281X:
        if why := machine.why_not_imported("rpi_ws281x"):
            return failed(name, f"{said}: {why}", TO_HAVE)
        ms = frame_us(wiring.leds) / 1000
        found = f"{said}; while it sends, for {ms:.1f} ms or more, no switch is read"
        return warned(name, found, "set leds.driver to 'spi' (data line on GPIO 10)")
    return passed(name, said)


def core_clock(machine: Machine, patient: Patient) -> Diagnosis:
    """Check that config.txt keeps the clock still from which SPI's is made."""
    name, wiring = "core clock", _lit(patient)
    if wiring is None:
        return not_applicable(name, _why_dark(patient))
    if not wiring.leds.driver.uses_spi(wiring.leds.gpio):
        return not_applicable(name, "the strip is not on SPI")
    if not machine.model:
        return not_applicable(name, "the source of SPI's clock is not known on this machine")
    lines = core_clock_lines(machine.model)
    if not lines:
        return passed(name, f"SPI's clock is steady by itself on {machine.model}")
    config = config_txt(machine)
    where = config.path if config else "config.txt"
    missing = [line for line in lines if config is None or not config.holds(line)]
    if not missing:
        return passed(name, f"{where} has {', '.join(lines)}")
    found = f"{where} has no {', '.join(missing)}" if config else "no config.txt can be read"
    remedy = f"LEDs may light up at random: write {' and '.join(missing)} there and restart"
    return warned(name, found, remedy)


def sound(machine: Machine, patient: Patient) -> Diagnosis:
    """Return whether the kernel's sound uses the PWM or PCM that makes the strip's signal."""
    name, wiring = "sound", _lit(patient)
    if wiring is None:
        return not_applicable(name, _why_dark(patient))
    leds = wiring.leds
    if leds.driver is not LedDriver.WS281X or leds.gpio == SPI_GPIO:
        return passed(name, "the strip uses neither PWM nor PCM, so sound cannot disturb it")
    source, module, remedy = PCM_SOUND if leds.gpio == PCM_GPIO else PWM_SOUND
    if not machine.exists(f"/sys/module/{module}"):
        return passed(name, f"{module} is not loaded; {source} is free for GPIO {leds.gpio}")
    found = f"{module} is loaded and uses {source}, as the strip on GPIO {leds.gpio} does"
    return warned(name, found, f"{remedy} and restart, or put the data line on GPIO {SPI_GPIO}")


def led_budget(settings: Settings, patient: Patient) -> Diagnosis:
    """Warn if the lights may draw more than their supply gives."""
    name, wiring = "LED budget", _lit(patient, simulated=True)
    if wiring is None:
        return not_applicable(name, _why_dark(patient))
    budget_ma, supply_ma = settings.lights.budget_ma, wiring.supply_ma
    if budget_ma > supply_ma:
        found = f"lights.budget_ma is {budget_ma}, and the board's supply_ma only {supply_ma}"
        return warned(name, found, f"set lights.budget_ma to {supply_ma} or less")
    return passed(name, f"{budget_ma} mA of the {supply_ma} mA that the supply can give")


def _lit(patient: Patient, simulated: bool = False) -> Wiring | None:
    """The wiring of a board that has lights, real ones if not said otherwise."""
    wiring = patient.wiring if patient.is_real or simulated else None
    return wiring if wiring and wiring.leds.driver is not LedDriver.NONE else None


def _why_dark(patient: Patient) -> str:
    if not patient.is_real:
        return "the lights of a simulated board are simulated"
    return "the board file says that there are no lights"
