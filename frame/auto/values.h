/* The list of values found for a config. */
#ifndef FRAME_AUTO_VALUES_H
#define FRAME_AUTO_VALUES_H

#include "auto.h"

/* Adds an override "KEY=…" that belongs to a field (NULL: to none). The value is
 * formatted as by printf. Local. Errors: STATUS_MEMORY. */
status auto_values_add(frame_auto_values *values, const char *field, const char *key,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The value found for a key and field: its text after '='; NULL: none. */
const char *auto_values_find(const frame_auto_values *values, const char *field,
                             const char *key);

/* Adds the user's overrides of layers that were found just now, of those whose key begins
 * with `prefix`. Local. Errors: STATUS_MEMORY. */
status auto_values_add_later(frame_auto_values *values, const io_config *config,
                             const char *prefix);

/* Applies the values from `first` on: replaces *config by a new one. Local. Errors as
 * io_config_override. */
status auto_values_apply(const frame_auto_values *values, int first, io_config **config);

/* Whether the user changes keys of a volume that karman finds: he wants one. Local. */
bool auto_wants_volume(const io_config *config);

/* A text that grows, up to a limit. */
typedef struct auto_text {
    size_t used;
    char text[24576];
} auto_text;

/* Appends to it, formatted as by printf. Local. */
void auto_text_print(auto_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The axis along which all blocks are a single cell thick, or two cells beside many: flat
 * grids, and the planes of solvers of two dimensions; -1: there is none. Local. */
int auto_sheet_axis(const frame_auto_data *data);

/* Whether the file has a field, or it can be derived, or the config defines it. Local.
 */
bool auto_can_make(const frame_auto_data *data, const char *name);

enum { AUTO_MOST_CANDIDATES = 12 };

/*
 * The names of fields for slices, the best first, and their number: `chosen`, after those
 * that fill a flow if it is the one that karman takes for a volume; then those of the
 * file that are no marks. Some may be impossible to make. Borrowed. Local.
 */
int auto_candidates(const frame_auto_data *data, const char *chosen,
                    const char *names[AUTO_MOST_CANDIDATES]);

#endif
