/*
 * What all chips with switches have in common: power, RESET, INT, and holding the bus.
 *
 * QMP: `closed` are the switches; `powered` false takes the supply away, and true gives it back with
 * fresh registers; `holding` true lets the chip hold SDA low, until RESET or its supply frees it. Who
 * asks then, whatever the address, gets an acknowledgement and zeros: nobody can make SDA high.
 *
 * SPDX-License-Identifier: MIT
 */
#include "expander.h"
#include "hw/qdev-properties.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/module.h"

enum { MOST_CHIPS = 8 };

static Expander *chips[MOST_CHIPS];
static int n_chips;
static Expander *holder;

void expander_interrupt(Expander *s, Drive drive)
{
    header_drive(s->int_gpio, s, s->is_powered ? drive : LETS_GO);
}

static void start_anew(Expander *s)
{
    if (holder == s) {
        holder = NULL;
    }
    EXPANDER_GET_CLASS(s)->power_on(s);
}

static bool is_deaf(Expander *s)
{
    return !s->is_powered || s->is_reset;
}

static bool expander_match(I2CSlave *slave, uint8_t address, bool broadcast, I2CNodeList *found)
{
    if (holder) {
        return EXPANDER(slave) == holder
            && EXPANDER_GET_CLASS(slave)->match(slave, slave->address, broadcast, found);
    }
    return EXPANDER_GET_CLASS(slave)->match(slave, address, broadcast, found);
}

static int expander_event(I2CSlave *slave, enum i2c_event event)
{
    Expander *s = EXPANDER(slave);
    bool is_start = event == I2C_START_RECV || event == I2C_START_SEND;

    if (holder || !is_start) {
        return 0;
    }
    if (is_deaf(s)) {
        return 1;
    }
    s->reads += event == I2C_START_RECV;
    for (int i = 0; event == I2C_START_RECV && i < n_chips; i++) {
        ExpanderClass *other = EXPANDER_GET_CLASS(chips[i]);

        if (chips[i] != s && !is_deaf(chips[i]) && other->other_was_read) {
            other->other_was_read(chips[i]);
        }
    }
    EXPANDER_GET_CLASS(s)->start(s, event == I2C_START_RECV);
    return 0;
}

static int expander_send(I2CSlave *slave, uint8_t byte)
{
    Expander *s = EXPANDER(slave);

    if (holder) {
        return 0;
    }
    if (is_deaf(s)) {
        return 1;
    }
    EXPANDER_GET_CLASS(s)->write(s, byte);
    return 0;
}

static uint8_t expander_recv(I2CSlave *slave)
{
    Expander *s = EXPANDER(slave);

    if (holder) {
        return 0x00;
    }
    return is_deaf(s) ? 0xff : EXPANDER_GET_CLASS(s)->read(s);
}

static void reset_line(void *who, bool is_high)
{
    Expander *s = who;

    s->is_reset = !is_high;
    if (s->is_reset) {
        start_anew(s);
    }
}

static void expander_realize(DeviceState *dev, Error **errp)
{
    Expander *s = EXPANDER(dev);

    if (n_chips == MOST_CHIPS) {
        error_setg(errp, "a bus has room for %d chips", MOST_CHIPS);
        return;
    }
    chips[n_chips++] = s;
    s->is_powered = true;
    start_anew(s);
    header_watch(s->reset_gpio, s, reset_line);
}

static void get_closed(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    visit_type_uint16(v, name, &EXPANDER(obj)->closed, errp);
}

static void set_closed(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    Expander *s = EXPANDER(obj);

    if (visit_type_uint16(v, name, &s->closed, errp) && !is_deaf(s)) {
        EXPANDER_GET_CLASS(s)->pins_changed(s);
    }
}

static void get_reads(Object *obj, Visitor *v, const char *name, void *opaque, Error **errp)
{
    visit_type_uint32(v, name, &EXPANDER(obj)->reads, errp);
}

static bool get_powered(Object *obj, Error **errp)
{
    return EXPANDER(obj)->is_powered;
}

static void set_powered(Object *obj, bool is_powered, Error **errp)
{
    EXPANDER(obj)->is_powered = is_powered;
    start_anew(EXPANDER(obj));
}

static bool get_holding(Object *obj, Error **errp)
{
    return holder == EXPANDER(obj);
}

static void set_holding(Object *obj, bool is_holding, Error **errp)
{
    holder = is_holding ? EXPANDER(obj) : NULL;
}

static const Property expander_properties[] = {
    DEFINE_PROP_UINT8("int", Expander, int_gpio, NOT_WIRED),
    DEFINE_PROP_UINT8("reset", Expander, reset_gpio, NOT_WIRED),
};

static void expander_class_init(ObjectClass *klass, void *data)
{
    I2CSlaveClass *slave = I2C_SLAVE_CLASS(klass);

    EXPANDER_CLASS(klass)->match = slave->match_and_add;
    slave->match_and_add = expander_match;
    slave->event = expander_event;
    slave->send = expander_send;
    slave->recv = expander_recv;
    DEVICE_CLASS(klass)->realize = expander_realize;
    device_class_set_props(DEVICE_CLASS(klass), expander_properties);
    object_class_property_add(klass, "closed", "uint16", get_closed, set_closed, NULL, NULL);
    object_class_property_add(klass, "reads", "uint32", get_reads, NULL, NULL, NULL);
    object_class_property_add_bool(klass, "powered", get_powered, set_powered);
    object_class_property_add_bool(klass, "holding", get_holding, set_holding);
}

static const TypeInfo expander_types[] = { {
    .name = TYPE_EXPANDER,
    .parent = TYPE_I2C_SLAVE,
    .instance_size = sizeof(Expander),
    .class_size = sizeof(ExpanderClass),
    .class_init = expander_class_init,
    .abstract = true,
} };
DEFINE_TYPES(expander_types)
