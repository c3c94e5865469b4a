/*
 * Texas Instruments TCA9555, from its data sheet SCPS200: eight registers in pairs, pull-ups at all
 * inputs, INT until the port that changed is read or its level is back, and the erratum of INT.
 *
 * SPDX-License-Identifier: MIT
 */
#include "expander.h"
#include "qemu/module.h"

#define TYPE_TCA9555 "boardfw-tca9555"
OBJECT_DECLARE_SIMPLE_TYPE(Tca9555, TCA9555)

enum { INPUT = 0, OUTPUT = 2, POLARITY = 4, CONFIGURATION = 6, REGISTERS = 8 };

struct Tca9555 {
    Expander parent_obj;
    uint8_t reg[REGISTERS];     /* those of INPUT are the levels when each port was last read */
    uint8_t command;
    bool awaits_command, is_silenced;
};

static uint8_t levels(Tca9555 *s, int port)
{
    uint8_t closed = EXPANDER(s)->closed >> 8 * port;
    uint8_t inputs = s->reg[CONFIGURATION + port];

    return (~closed & inputs) | (s->reg[OUTPUT + port] & ~inputs);
}

static void show_interrupt(Tca9555 *s)
{
    bool is_active = false;

    for (int port = 0; port < 2; port++) {
        uint8_t changed = levels(s, port) ^ s->reg[INPUT + port];

        is_active |= (changed & s->reg[CONFIGURATION + port]) != 0;
    }
    expander_interrupt(EXPANDER(s), is_active && !s->is_silenced ? PULLS_LOW : LETS_GO);
}

static void power_on(Expander *chip)
{
    Tca9555 *s = TCA9555(chip);

    memset(s->reg, 0xff, sizeof(s->reg));
    s->reg[POLARITY] = s->reg[POLARITY + 1] = 0;
    s->command = 0;
    s->is_silenced = false;
    s->reg[INPUT] = levels(s, 0);
    s->reg[INPUT + 1] = levels(s, 1);
    show_interrupt(s);
}

static void start(Expander *chip, bool is_read)
{
    TCA9555(chip)->awaits_command = !is_read;
}

static void write_byte(Expander *chip, uint8_t byte)
{
    Tca9555 *s = TCA9555(chip);

    if (s->awaits_command) {
        s->command = byte & (REGISTERS - 1);
        s->awaits_command = false;
        return;
    }
    if (s->command >= OUTPUT) {
        s->reg[s->command] = byte;
    }
    s->command ^= 1;            /* the other register of the pair comes next */
    show_interrupt(s);
}

static uint8_t read_byte(Expander *chip)
{
    Tca9555 *s = TCA9555(chip);
    uint8_t at = s->command, byte = s->reg[at];

    if (at < OUTPUT) {
        s->reg[at] = levels(s, at);
        s->is_silenced = false;
        byte = s->reg[at] ^ s->reg[POLARITY + at];
    }
    s->command ^= 1;
    show_interrupt(s);
    return byte;
}

static void pins_changed(Expander *chip)
{
    TCA9555(chip)->is_silenced = false;
    show_interrupt(TCA9555(chip));
}

/* "Interrupt errata": INT is let go when another chip is read while the command byte is 00. */
static void other_was_read(Expander *chip)
{
    if (TCA9555(chip)->command == 0) {
        TCA9555(chip)->is_silenced = true;
        show_interrupt(TCA9555(chip));
    }
}

static void tca9555_class_init(ObjectClass *klass, void *data)
{
    ExpanderClass *chip = EXPANDER_CLASS(klass);

    chip->power_on = power_on;
    chip->start = start;
    chip->write = write_byte;
    chip->read = read_byte;
    chip->pins_changed = pins_changed;
    chip->other_was_read = other_was_read;
}

static const TypeInfo tca9555_types[] = { {
    .name = TYPE_TCA9555,
    .parent = TYPE_EXPANDER,
    .instance_size = sizeof(Tca9555),
    .class_init = tca9555_class_init,
} };
DEFINE_TYPES(tca9555_types)
