/* The algorithms that exist, and what their files share. Private to composite/. */
#ifndef COMPOSITE_ALGORITHMS_H
#define COMPOSITE_ALGORITHMS_H

#include "composite/schedule.h"

/* The registry: one line per algorithm, each a constant in the file of its name. */
#define COMPOSITE_ALGORITHMS(X)                                                          \
    X(composite_direct_send)                                                             \
    X(composite_binary_swap)

#define COMPOSITE_DECLARE(algorithm) extern const composite_algorithm algorithm;
COMPOSITE_ALGORITHMS(COMPOSITE_DECLARE)
#undef COMPOSITE_DECLARE

/* check_params of an algorithm `name` that has no parameters: STATUS_USAGE where any is
 * given. */
status composite_params_reject(const char *name, const composite_params *params);

#endif
