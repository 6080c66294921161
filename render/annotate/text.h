/* Texts with placeholders, filled in for each frame. */
#ifndef RENDER_ANNOTATE_TEXT_H
#define RENDER_ANNOTATE_TEXT_H

#include "base/status.h"

#include <stdint.h>

/* What a frame puts in the place of placeholders. */
typedef struct annotate_values {
    int64_t step;
    double time;
    const char *field;
} annotate_values;

/*
 * Whether a text can be filled in, for the check of a config. `where` begins the message.
 *
 * Placeholders are {step}, {time} and {field}. After a colon stands a width that may
 * begin with a zero, for {step}; width, precision (0 to 17) and one of e, f, g for
 * {time}, which is g where it is left out: {step:04}, {time:.3f}, {time:8.2e}. Widths go
 * up to 64. {{ and
 * }} stand for braces. Errors: STATUS_USAGE.
 */
status annotate_text_check(const char *where, const char *text);

/* The text with its placeholders filled in, malloc'ed. Numbers have a point, whatever the
 * language of the machine. Errors: those of the check; STATUS_MEMORY. */
status annotate_text_expand(const char *where, const char *text,
                            const annotate_values *values, char **out);

#endif
