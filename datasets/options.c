#include "options.h"

#include <limits.h>

enum {
    PLANE_VERTICES = 1 << 26, /* most vertices in a plane of constant k, the smallest
                                 piece */
    MAX_STEPS = 1000000
};

dataset_options dataset_default_options(const dataset *set)
{
    return (dataset_options){.size = {set->size[0], set->size[1], set->size[2]},
                             .steps = set->steps,
                             .double_precision = set->double_precision};
}

status dataset_options_check(const dataset *set, const dataset_options *options)
{
    const int64_t *size = options->size;
    for (int axis = 0; axis < 3; axis++) {
        if (size[axis] < set->minimum[axis] || size[axis] > INT_MAX) {
            return base_fail(
                STATUS_USAGE,
                "the size of '%s' along %c is %lld: it must be %lld to %d vertices",
                set->name, "ijk"[axis], (long long)size[axis],
                (long long)set -> minimum[axis], INT_MAX);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        if (size[axis] * size[(axis + 1) % 3] > PLANE_VERTICES) {
            return base_fail(STATUS_USAGE,
                             "the size %lld,%lld,%lld has index planes of more than %d "
                             "vertices: make the other axis longer instead",
                             (long long)size[0], (long long)size[1], (long long)size[2],
                             PLANE_VERTICES);
        }
    }
    if (options->steps < 1 || options->steps > MAX_STEPS) {
        return base_fail(STATUS_USAGE, "the number of steps is %d: it must be 1 to %d",
                         options->steps, MAX_STEPS);
    }
    return STATUS_OK;
}
