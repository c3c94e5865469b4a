/*
 * A strip of WS2812B, from its data sheet: it measures for how long its line is high, and shows what
 * it was sent once the line was low for 280 us. It is wired to MOSI. It cannot see how fast SPI runs,
 * so `hz` says it: the default is what a core clock of 250 MHz gives for the clock that we ask for.
 *
 * QMP: `shown` are the bytes of all LEDs in hexadecimal, `frames` how often they changed or not.
 *
 * SPDX-License-Identifier: MIT
 */
#include "qemu/osdep.h"
#include "hw/qdev-properties.h"
#include "hw/ssi/ssi.h"
#include "qapi/visitor.h"
#include "qemu/module.h"
#include "qom/object.h"

#define TYPE_STRIP "boardfw-strip"
OBJECT_DECLARE_SIMPLE_TYPE(Strip, STRIP)

enum { MOST_BYTES = 4096, ONE_FROM_NS = 600, LATCH_NS = 280000 };

struct Strip {
    SSIPeripheral parent_obj;
    uint32_t hz, frames, high, low, bits;
    uint8_t data[MOST_BYTES];
    char *shown;
};

static uint64_t ns(Strip *s, uint32_t ticks)
{
    return (uint64_t)ticks * 1000000000 / s->hz;
}

static void latch(Strip *s)
{
    g_free(s->shown);
    s->shown = g_malloc0(s->bits / 8 * 2 + 1);
    for (uint32_t i = 0; i < s->bits / 8; i++) {
        snprintf(s->shown + 2 * i, 3, "%02x", s->data[i]);
    }
    s->frames++;
    s->bits = 0;
}

static void hear(Strip *s, bool is_high)
{
    if (is_high) {
        s->low = 0;
        s->high++;
        return;
    }
    if (s->high && s->bits < MOST_BYTES * 8) {
        uint8_t mask = 0x80 >> s->bits % 8, *byte = &s->data[s->bits / 8];

        *byte = ns(s, s->high) >= ONE_FROM_NS ? *byte | mask : *byte & ~mask;
        s->bits++;
    }
    s->high = 0;
    s->low++;
    if (s->bits && ns(s, s->low) >= LATCH_NS) {
        latch(s);
    }
}

static uint32_t strip_transfer(SSIPeripheral *peripheral, uint32_t byte)
{
    for (int bit = 7; bit >= 0; bit--) {
        hear(STRIP(peripheral), byte >> bit & 1);
    }
    return 0;
}

static void strip_realize(SSIPeripheral *peripheral, Error **errp)
{
    STRIP(peripheral)->shown = g_strdup("");
}

static char *get_shown(Object *obj, Error **errp)
{
    return g_strdup(STRIP(obj)->shown);
}

static void get_frames(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    visit_type_uint32(v, name, &STRIP(obj)->frames, errp);
}

static const Property strip_properties[] = {
    DEFINE_PROP_UINT32("hz", Strip, hz, 3205128),
};

static void strip_class_init(ObjectClass *klass, void *data)
{
    SSIPeripheralClass *peripheral = SSI_PERIPHERAL_CLASS(klass);

    peripheral->realize = strip_realize;
    peripheral->transfer = strip_transfer;
    peripheral->cs_polarity = SSI_CS_NONE;
    device_class_set_props(DEVICE_CLASS(klass), strip_properties);
    object_class_property_add_str(klass, "shown", get_shown, NULL);
    object_class_property_add(klass, "frames", "uint32", get_frames, NULL, NULL, NULL);
}

static const TypeInfo strip_types[] = { {
    .name = TYPE_STRIP,
    .parent = TYPE_SSI_PERIPHERAL,
    .instance_size = sizeof(Strip),
    .class_init = strip_class_init,
} };
DEFINE_TYPES(strip_types)
