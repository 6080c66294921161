#include "keys.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

const io_key *io_keys_get(const io_key *keys, const char *name, size_t length)
{
    for (const io_key *key = keys; key != NULL && key->name != NULL; key++) {
        if (strlen(key->name) == length && memcmp(key->name, name, length) == 0) {
            return key;
        }
    }
    return NULL;
}

const io_key *io_keys_find(const io_key *keys, const char *path, bool *is_steerable)
{
    const io_key *key = NULL;
    bool steers = false;
    for (const char *part = path; part != NULL && *part != '\0';) {
        const char *dot = strchr(part, '.');
        const size_t length = dot != NULL ? (size_t)(dot - part) : strlen(part);
        if (key == NULL || key->many == IO_KEY_ONE ||
            (!isdigit((unsigned char)*part) && *part != '+')) {
            key = io_keys_get(keys, part, length);
            if (key == NULL) {
                return NULL;
            }
            steers = steers || (key->flags & IO_KEY_STEERABLE) != 0;
            keys = key->below;
        }
        part = dot != NULL ? dot + 1 : NULL;
    }
    if (is_steerable != NULL) {
        *is_steerable = steers;
    }
    return key;
}

void io_key_limits(const io_key *key, double *low, double *high)
{
    const io_key_bounds bounds = key->range.bounds;
    *low = bounds != IO_KEY_ANY ? key->range.low : -INFINITY;
    *high = bounds == IO_KEY_WITHIN || bounds == IO_KEY_UP_TO ||
                    bounds == IO_KEY_BETWEEN || bounds == IO_KEY_COLOR
                ? key->range.high
                : INFINITY;
}
