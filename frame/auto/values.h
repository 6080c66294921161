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

/* The axis along which all blocks are a single cell thick: flat grids, and the two planes
 * of solvers of two dimensions; -1: there is none. Local. */
int auto_sheet_axis(const frame_auto_data *data);

/* The field of slices through a flow: `chosen`, unless it is the one that karman takes
 * for a volume and the file has one that fills the flow. Borrowed. Local. */
const char *auto_field_of_sheets(const frame_auto_data *data, const char *chosen);

#endif
