/* The header of a Raspberry Pi, to which chips and buttons are wired. SPDX-License-Identifier: MIT */
#ifndef BOARDFW_HEADER_H
#define BOARDFW_HEADER_H

#include "qom/object.h"

enum { NOT_WIRED = 255 };

/* What a part outside does to the line that it is wired to. */
typedef enum { LETS_GO, PULLS_LOW, DRIVES_HIGH } Drive;

typedef void (*LineWatcher)(void *who, bool is_high);

/* Tell what `who` does to a line. Nothing happens where there is no header, or nothing is wired. */
void header_drive(uint8_t gpio, const void *who, Drive drive);

/* Have a part told of a line that the Pi drives, now and whenever it changes. */
void header_watch(uint8_t gpio, void *who, LineWatcher watcher);

#endif
