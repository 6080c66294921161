/* Moments over time of many values: mean, mean square of fluctuations, extremes. */
#ifndef APP_CONVERT_MOMENTS_H
#define APP_CONVERT_MOMENTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct mean_moments mean_moments;

/* Room for `most` values of some fields; stresses: and products of three more. Local.
 * Errors: STATUS_MEMORY. */
status moments_create(int fields, bool stresses, int64_t most, mean_moments **out);
void moments_destroy(mean_moments **moments);

/* Forgets all of the first `count` values. Local. */
void moments_clear(mean_moments *moments, int64_t count);

/* Adds a step of the fields, [fields], some of which may be missing (NULL), or of the
 * velocity; a value that is missing is left out. The order of the steps counts in the
 * last digits. Local; uses threads. */
void moments_add(mean_moments *moments, int64_t count, const float *const *values);
void moments_add_stresses(mean_moments *moments, int64_t count,
                          const float *const values[3]);

/* Gets a statistic of a field: 0 to 3 for mean, rms of the fluctuations, minimum and
 * maximum; or a component of the stress, xx, yy, zz, xy, yz, xz. NaN: there was no value.
 * Local. */
void moments_get(const mean_moments *moments, int field, int statistic, int64_t count,
                 float *out);
void moments_get_stress(const mean_moments *moments, int component, int64_t count,
                        float *out);

#endif
