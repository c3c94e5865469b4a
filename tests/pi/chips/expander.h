/* What all chips with switches have in common. SPDX-License-Identifier: MIT */
#ifndef BOARDFW_EXPANDER_H
#define BOARDFW_EXPANDER_H

#include "qemu/osdep.h"
#include "hw/i2c/i2c.h"
#include "header.h"

#define TYPE_EXPANDER "boardfw-expander"
OBJECT_DECLARE_TYPE(Expander, ExpanderClass, EXPANDER)

struct Expander {
    I2CSlave parent_obj;
    uint16_t closed;            /* switches to ground, bit n for pin n of both ports in a row */
    bool is_powered, is_reset;
    uint8_t int_gpio, reset_gpio;
    uint32_t reads;             /* transfers in which it was read */
};

struct ExpanderClass {
    I2CSlaveClass parent_class;
    bool (*match)(I2CSlave *chip, uint8_t address, bool broadcast, I2CNodeList *found);
    void (*power_on)(Expander *chip);                   /* registers as the data sheet says */
    void (*start)(Expander *chip, bool is_read);
    void (*write)(Expander *chip, uint8_t byte);
    uint8_t (*read)(Expander *chip);
    void (*pins_changed)(Expander *chip);
    void (*other_was_read)(Expander *chip);             /* another chip on the bus; may be NULL */
};

/* What the chip does to its INT line. */
void expander_interrupt(Expander *chip, Drive drive);

#endif
