#include "composite/schedule.h"

#include "composite/algorithms.h"

#include <stddef.h>
#include <string.h>

#define ENTRY(algorithm) &(algorithm),
static const composite_algorithm *const registry[] = {COMPOSITE_ALGORITHMS(ENTRY)};
#undef ENTRY

const composite_algorithm *composite_algorithm_at(int n)
{
    const int count = (int)(sizeof registry / sizeof registry[0]);
    return n >= 0 && n < count ? registry[n] : NULL;
}

const composite_algorithm *composite_algorithm_find(const char *name)
{
    const composite_algorithm *algorithm;
    for (int n = 0; (algorithm = composite_algorithm_at(n)); n++) {
        if (strcmp(algorithm->name, name) == 0) {
            return algorithm;
        }
    }
    return NULL;
}

status composite_params_reject(const char *name, const composite_params *params)
{
    const char *given = params->nfactors ? "factors"
                        : params->group  ? "group"
                        : params->fan_in ? "fan_in"
                                         : NULL;
    if (given) {
        return base_fail(STATUS_USAGE,
                         "the compositing algorithm %s has no parameters: remove '%s'",
                         name, given);
    }
    return STATUS_OK;
}
