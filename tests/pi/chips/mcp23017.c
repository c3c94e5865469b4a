/*
 * Microchip MCP23017, from its data sheet DS20001952: registers in both banks, the address pointer,
 * interrupts. INTA is the leg that is wired. Without a pull-up (GPPU) an open switch reads low here.
 *
 * SPDX-License-Identifier: MIT
 */
#include "expander.h"
#include "qemu/module.h"

#define TYPE_MCP23017 "boardfw-mcp23017"
OBJECT_DECLARE_SIMPLE_TYPE(Mcp23017, MCP23017)

/* Register A of each pair, as with BANK = 0; register B follows (table 3-1). */
enum {
    IODIR = 0x00, IPOL = 0x02, GPINTEN = 0x04, DEFVAL = 0x06, INTCON = 0x08, IOCON = 0x0a,
    GPPU = 0x0c, INTF = 0x0e, INTCAP = 0x10, GPIO = 0x12, OLAT = 0x14, REGISTERS = 0x16,
};
/* Bits of IOCON (register 3-6). Bit 0 does not exist, and bit 3 is of the chip on SPI. */
enum { BANK = 0x80, MIRROR = 0x40, SEQOP = 0x20, ODR = 0x04, INTPOL = 0x02, IOCON_BITS = 0xfe };

struct Mcp23017 {
    Expander parent_obj;
    uint8_t reg[REGISTERS], pins[2], pointer;
    bool awaits_pointer;
};

/* The place of an address in `reg`; -1 where nothing is. */
static int place(Mcp23017 *s, uint8_t address)
{
    if (!(s->reg[IOCON] & BANK)) {
        return address < REGISTERS ? address : -1;
    }
    return (address & 0xef) < REGISTERS / 2 ? (address & 0x0f) * 2 + (address >> 4) : -1;
}

static void step(Mcp23017 *s)
{
    bool is_banked = s->reg[IOCON] & BANK;

    if (s->reg[IOCON] & SEQOP) {            /* 3.2.1: stays, or toggles within the pair */
        s->pointer ^= is_banked ? 0 : 1;
    } else if (is_banked) {
        s->pointer = s->pointer == 0x1a ? 0x00 : s->pointer == 0x0a ? 0x10 : s->pointer + 1;
    } else {
        s->pointer = s->pointer + 1 < REGISTERS ? s->pointer + 1 : 0;
    }
}

static uint8_t levels(Mcp23017 *s, int port)
{
    uint8_t closed = EXPANDER(s)->closed >> 8 * port;
    uint8_t inputs = s->reg[GPPU + port] & ~closed;

    return (inputs & s->reg[IODIR + port]) | (s->reg[OLAT + port] & ~s->reg[IODIR + port]);
}

static uint8_t port_register(Mcp23017 *s, int port)
{
    return levels(s, port) ^ (s->reg[IPOL + port] & s->reg[IODIR + port]);
}

static void show_interrupt(Mcp23017 *s)
{
    uint8_t control = s->reg[IOCON];
    bool is_active = s->reg[INTF] || ((control & MIRROR) && s->reg[INTF + 1]);
    bool is_high = is_active == !!(control & INTPOL);

    if (control & ODR) {                    /* overrides INTPOL */
        expander_interrupt(EXPANDER(s), is_active ? PULLS_LOW : LETS_GO);
    } else {
        expander_interrupt(EXPANDER(s), is_high ? DRIVES_HIGH : PULLS_LOW);
    }
}

/* Look for interrupts (3.6): changes against the last level, or a difference from DEFVAL. */
static void look(Mcp23017 *s)
{
    for (int port = 0; port < 2; port++) {
        uint8_t now = levels(s, port);
        uint8_t against = s->reg[INTCON + port];
        uint8_t causes = ((now ^ s->pins[port]) & ~against) | ((now ^ s->reg[DEFVAL + port]) & against);

        s->pins[port] = now;
        causes &= s->reg[GPINTEN + port] & s->reg[IODIR + port];
        if (causes && !s->reg[INTF + port]) {   /* what comes later is not noted until this is read */
            s->reg[INTF + port] = causes;
            s->reg[INTCAP + port] = port_register(s, port);
        }
    }
    show_interrupt(s);
}

static void power_on(Expander *chip)
{
    Mcp23017 *s = MCP23017(chip);

    memset(s->reg, 0, sizeof(s->reg));
    s->reg[IODIR] = s->reg[IODIR + 1] = 0xff;
    s->pointer = 0;
    s->pins[0] = levels(s, 0);
    s->pins[1] = levels(s, 1);
    show_interrupt(s);
}

static void start(Expander *chip, bool is_read)
{
    MCP23017(chip)->awaits_pointer = !is_read;
}

static void store(Mcp23017 *s, int at, uint8_t byte)
{
    switch (at & ~1) {
    case IOCON:                             /* one register at two addresses */
        s->reg[IOCON] = s->reg[IOCON + 1] = byte & IOCON_BITS;
        break;
    case INTF:
    case INTCAP:                            /* read only */
        break;
    case GPIO:                              /* writes go to the latch */
        s->reg[OLAT + (at & 1)] = byte;
        break;
    default:
        s->reg[at] = byte;
    }
}

static void write_byte(Expander *chip, uint8_t byte)
{
    Mcp23017 *s = MCP23017(chip);
    int at;

    if (s->awaits_pointer) {
        s->pointer = byte;
        s->awaits_pointer = false;
        return;
    }
    at = place(s, s->pointer);
    step(s);                                /* by the control register before this byte */
    if (at >= 0) {
        store(s, at, byte);
    }
    look(s);
}

static uint8_t read_byte(Expander *chip)
{
    Mcp23017 *s = MCP23017(chip);
    int at = place(s, s->pointer);
    uint8_t byte;

    step(s);
    if (at < 0) {
        return 0x00;
    }
    byte = (at & ~1) == GPIO ? port_register(s, at & 1) : s->reg[at];
    if ((at & ~1) == GPIO || (at & ~1) == INTCAP) {     /* either ends the port's interrupt */
        s->reg[INTF + (at & 1)] = 0;
        look(s);
    }
    return byte;
}

static void pins_changed(Expander *chip)
{
    look(MCP23017(chip));
}

static void mcp23017_class_init(ObjectClass *klass, void *data)
{
    ExpanderClass *chip = EXPANDER_CLASS(klass);

    chip->power_on = power_on;
    chip->start = start;
    chip->write = write_byte;
    chip->read = read_byte;
    chip->pins_changed = pins_changed;
}

static const TypeInfo mcp23017_types[] = { {
    .name = TYPE_MCP23017,
    .parent = TYPE_EXPANDER,
    .instance_size = sizeof(Mcp23017),
    .class_init = mcp23017_class_init,
} };
DEFINE_TYPES(mcp23017_types)
