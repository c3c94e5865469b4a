/*
 * The header of a Raspberry Pi: GPIO 0 to 27 with pulls, levels from outside, edges and interrupts.
 *
 * QEMU's own controller knows outputs only. This part lies over its registers, passes everything on
 * to it, and adds what "BCM2835 ARM Peripherals", chapter 6, says of inputs.
 *
 * QMP: `tapped` is a mask of lines whose buttons are pressed and, 300 ms of the machine's time later,
 * let go; `levels` is what a meter shows.
 *
 * SPDX-License-Identifier: MIT
 */
#include "qemu/osdep.h"
#include "exec/memory.h"
#include "hw/gpio/bcm2835_gpio.h"
#include "hw/intc/bcm2835_ic.h"
#include "hw/irq.h"
#include "hw/qdev-core.h"
#include "hw/sysbus.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/module.h"
#include "qemu/timer.h"
#include "header.h"

#define TYPE_PI_HEADER "boardfw-header"
OBJECT_DECLARE_SIMPLE_TYPE(PiHeader, PI_HEADER)

enum {
    LINES = 28, MOST_PARTS = 16, TAP_MS = 300, GPU_IRQ = 49,      /* gpio_int[0] */
    FSEL0 = 0x00, FSEL2 = 0x08, SET0 = 0x1c, CLR0 = 0x28, LEV0 = 0x34, EDS0 = 0x40,
    REN0 = 0x4c, FEN0 = 0x58, HEN0 = 0x64, LEN0 = 0x70, AREN0 = 0x7c, AFEN0 = 0x88,
    PUD = 0x94, PUDCLK0 = 0x98,
};
#define ALL_LINES ((1u << LINES) - 1)
#define PULLED_UP_AT_RESET 0x1ffu                   /* GPIO 0 to 8; the others are pulled down */

typedef struct {
    const void *who;
    uint8_t gpio;
    Drive drive;
} Part;

typedef struct {
    void *who;
    uint8_t gpio;
    LineWatcher tell;
} Watched;

struct PiHeader {
    DeviceState parent_obj;
    MemoryRegion over, *under;
    qemu_irq irq;
    QEMUTimer *letting_go;
    Part parts[MOST_PARTS];
    Watched watched[MOST_PARTS];
    int n_parts, n_watched;
    uint32_t fsel[3], latch, pud, pull_up, pull_down, tapped, levels, detected;
    uint32_t rising, falling, high, low, rising_async, falling_async;
};

static PiHeader *header;

static uint32_t outputs(PiHeader *s)
{
    uint32_t mask = 0;

    for (int i = 0; i < LINES; i++) {
        mask |= (uint32_t)((s->fsel[i / 10] >> i % 10 * 3 & 7) == 1) << i;
    }
    return mask;
}

static uint32_t levels_now(PiHeader *s)
{
    uint32_t out = outputs(s), inputs = s->pull_up, low = s->tapped, high = 0;

    for (int i = 0; i < s->n_parts; i++) {
        low |= (uint32_t)(s->parts[i].drive == PULLS_LOW) << s->parts[i].gpio;
        high |= (uint32_t)(s->parts[i].drive == DRIVES_HIGH) << s->parts[i].gpio;
    }
    for (int i = 0; i < s->n_watched; i++) {        /* such a line has a resistor to 3.3 V */
        inputs |= 1u << s->watched[i].gpio;
    }
    /* Where one part drives high against another that pulls low, nobody hears the other. */
    inputs = (inputs & ~low) | high;
    return ((s->latch & out) | (inputs & ~out)) & ALL_LINES;
}

static void look(PiHeader *s)
{
    uint32_t before = s->levels, now = levels_now(s), changed = before ^ now;

    s->levels = now;
    s->detected |= changed & now & (s->rising | s->rising_async);
    s->detected |= changed & ~now & (s->falling | s->falling_async);
    s->detected |= (now & s->high) | (~now & s->low & ALL_LINES);
    qemu_set_irq(s->irq, s->detected != 0);
    for (int i = 0; i < s->n_watched; i++) {
        if (changed >> s->watched[i].gpio & 1) {
            s->watched[i].tell(s->watched[i].who, now >> s->watched[i].gpio & 1);
        }
    }
}

void header_drive(uint8_t gpio, const void *who, Drive drive)
{
    int i = 0;

    if (!header || gpio >= LINES) {
        return;
    }
    while (i < header->n_parts && header->parts[i].who != who) {
        i++;
    }
    assert(i < MOST_PARTS);
    header->n_parts = MAX(header->n_parts, i + 1);
    header->parts[i] = (Part) { who, gpio, drive };
    look(header);
}

void header_watch(uint8_t gpio, void *who, LineWatcher watcher)
{
    if (!header || gpio >= LINES) {
        return;
    }
    assert(header->n_watched < MOST_PARTS);
    header->watched[header->n_watched++] = (Watched) { who, gpio, watcher };
    look(header);
    watcher(who, header->levels >> gpio & 1);
}

static uint32_t *enables(PiHeader *s, hwaddr at)
{
    switch (at) {
    case REN0: return &s->rising;
    case FEN0: return &s->falling;
    case HEN0: return &s->high;
    case LEN0: return &s->low;
    case AREN0: return &s->rising_async;
    case AFEN0: return &s->falling_async;
    default: return NULL;
    }
}

static void pull(PiHeader *s, uint32_t lines)
{
    s->pull_up = (s->pull_up & ~lines) | (s->pud == 2 ? lines : 0);
    s->pull_down = (s->pull_down & ~lines) | (s->pud == 1 ? lines : 0);
}

static MemTxResult over_read(void *opaque, hwaddr at, uint64_t *data, unsigned size, MemTxAttrs attrs)
{
    PiHeader *s = opaque;
    uint32_t *enable = enables(s, at);

    if (enable) {
        *data = *enable;
    } else if (at == LEV0) {
        MemTxResult result = memory_region_dispatch_read(s->under, at, data, MO_32, attrs);

        *data = (*data & ~ALL_LINES) | s->levels;
        return result;
    } else if (at == EDS0) {
        *data = s->detected;
    } else {
        return memory_region_dispatch_read(s->under, at, data, MO_32, attrs);
    }
    return MEMTX_OK;
}

static MemTxResult over_write(void *opaque, hwaddr at, uint64_t data, unsigned size, MemTxAttrs attrs)
{
    PiHeader *s = opaque;
    uint32_t *enable = enables(s, at);
    MemTxResult result = MEMTX_OK;

    if (enable) {
        *enable = data & ALL_LINES;
    } else if (at == EDS0) {
        s->detected &= ~data;
    } else {
        result = memory_region_dispatch_write(s->under, at, data, MO_32, attrs);
    }
    if (at <= FSEL2) {
        s->fsel[at / 4] = data;
    } else if (at == SET0) {
        s->latch |= data;
    } else if (at == CLR0) {
        s->latch &= ~data;
    } else if (at == PUD) {
        s->pud = data & 3;
    } else if (at == PUDCLK0) {
        pull(s, data);
    }
    look(s);
    return result;
}

static const MemoryRegionOps over_ops = {
    .read_with_attrs = over_read,
    .write_with_attrs = over_write,
    .endianness = DEVICE_NATIVE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

static void let_go(void *opaque)
{
    PiHeader *s = opaque;

    s->tapped = 0;
    look(s);
}

static void header_realize(DeviceState *dev, Error **errp)
{
    PiHeader *s = PI_HEADER(dev);
    Object *gpio = object_resolve_path_type("", TYPE_BCM2835_GPIO, NULL);
    Object *ic = object_resolve_path_type("", TYPE_BCM2835_IC, NULL);

    if (!gpio || !ic || header) {
        error_setg(errp, "one header, on a Raspberry Pi");
        return;
    }
    s->pull_up = PULLED_UP_AT_RESET;
    s->pull_down = ALL_LINES & ~PULLED_UP_AT_RESET;
    s->irq = qdev_get_gpio_in_named(DEVICE(ic), BCM2835_IC_GPU_IRQ, GPU_IRQ);
    s->under = sysbus_mmio_get_region(SYS_BUS_DEVICE(gpio), 0);
    memory_region_init_io(&s->over, OBJECT(s), &over_ops, s, TYPE_PI_HEADER, memory_region_size(s->under));
    memory_region_add_subregion_overlap(s->under->container, s->under->addr, &s->over, 1);
    s->letting_go = timer_new_ms(QEMU_CLOCK_VIRTUAL, let_go, s);
    s->levels = levels_now(s);
    header = s;
}

static void get_levels(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    visit_type_uint32(v, name, &PI_HEADER(obj)->levels, errp);
}

static void get_tapped(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    visit_type_uint32(v, name, &PI_HEADER(obj)->tapped, errp);
}

static void set_tapped(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    PiHeader *s = PI_HEADER(obj);
    uint32_t lines;

    if (visit_type_uint32(v, name, &lines, errp)) {
        s->tapped = lines & ALL_LINES;
        timer_mod(s->letting_go, qemu_clock_get_ms(QEMU_CLOCK_VIRTUAL) + TAP_MS);
        look(s);
    }
}

static void header_class_init(ObjectClass *klass, void *data)
{
    DEVICE_CLASS(klass)->realize = header_realize;
    object_class_property_add(klass, "levels", "uint32", get_levels, NULL, NULL, NULL);
    object_class_property_add(klass, "tapped", "uint32", get_tapped, set_tapped, NULL, NULL);
}

static const TypeInfo header_types[] = { {
    .name = TYPE_PI_HEADER,
    .parent = TYPE_DEVICE,
    .instance_size = sizeof(PiHeader),
    .class_init = header_class_init,
} };
DEFINE_TYPES(header_types)
