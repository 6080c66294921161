/* Texts with placeholders, which are filled in for each frame. */
#ifndef RENDER_ANNOTATE_TEXT_H
#define RENDER_ANNOTATE_TEXT_H

#include "base/status.h"

#include <stdint.h>

/* Values of a frame for placeholders. */
typedef struct annotate_values {
    int64_t step;
    double time;
    const char *field;
} annotate_values;

/* Checks that a text can be filled in, for the check of a config. `where` begins the
 * message.
 *
 * Placeholders are {step}, {time} and {field}. A format may follow after a colon. For
 * {step} it is a width, which may begin with a zero: {step:04}. For {time} it is width,
 * precision (0 to 17) and one of e, f, g (default g): {time:.3f}, {time:8.2e}. Widths go
 * up to 64. {{ and }} stand for braces. Errors: STATUS_USAGE. */
status annotate_text_check(const char *where, const char *text);

/* Fills in the placeholders of a text; *out is malloc'ed. Numbers have a decimal point in
 * every locale. Errors: those of the check; STATUS_MEMORY. */
status annotate_text_expand(const char *where, const char *text,
                            const annotate_values *values, char **out);

#endif
