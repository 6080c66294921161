/* Colours as texts. */
#ifndef IO_CONFIG_COLORS_COLOR_H
#define IO_CONFIG_COLORS_COLOR_H

#include "base/status.h"

#include <stddef.h>

/*
 * Reads a colour: "#rrggbb", "#rgb", or a name of CSS in any case (CSS Color Module Level
 * 4, section 6.1), as r, g, b in 0..1. Fails with STATUS_USAGE; `problem`, of `size`
 * bytes, then says what is wrong: "unknown colour 'whit': did you mean 'white'?". Local.
 */
status io_color_read(const char *text, double rgb[3], size_t size, char *problem);

/* The ways to write a colour, for messages. */
#define IO_COLOR_NOTATIONS                                                               \
    "a colour: [r, g, b], a name such as white, or \"#rrggbb\" in quotes"

#endif
