/* The algorithms that exist, and what their files share. */
#ifndef COMPOSITE_ALGORITHMS_ALGORITHMS_H
#define COMPOSITE_ALGORITHMS_ALGORITHMS_H

#include "composite/schedule.h"

/* The registry: one line per algorithm, each a constant in the file of its name. */
#define COMPOSITE_ALGORITHMS(X)                                                          \
    X(composite_direct_send)                                                             \
    X(composite_binary_swap)                                                             \
    X(composite_swap_2_3)                                                                \
    X(composite_radix_k)                                                                 \
    X(composite_tree)                                                                    \
    X(composite_tod_tree)                                                                \
    X(composite_chain)                                                                   \
    X(composite_serial)

#define COMPOSITE_DECLARE(algorithm) extern const composite_algorithm algorithm;
COMPOSITE_ALGORITHMS(COMPOSITE_DECLARE)
#undef COMPOSITE_DECLARE

/* ---- Parameters ---- */

/* check_params of an algorithm `name` without parameters: STATUS_USAGE if any is given.
 */
status composite_params_reject(const char *name, const composite_params *params);

/* Parameters as a set. */
enum { COMPOSITE_HAS_FACTORS = 1, COMPOSITE_HAS_GROUP = 2, COMPOSITE_HAS_FAN_IN = 4 };

/* The same for an algorithm with the parameters of the set `has`: STATUS_USAGE if any
 * other one is given. The algorithm itself checks the values. */
status composite_params_reject_except(const char *name, const composite_params *params,
                                      unsigned has);

/* STATUS_USAGE unless `fan_in` is 0 (choose) or at least 2. */
status composite_params_check_fan_in(const char *name, const composite_params *params);

/* ---- Trees ---- */

/*
 * A tree that merges the images of leaves, all for one range of pixels. Leaf i stands for
 * the positions [i * spacing, (i + 1) * spacing), the last one for all up to `size`.
 * Position i * spacing + offset holds its image. The result ends at the leaf `root`.
 */
typedef struct composite_merge_tree {
    int leaves;          /* >= 1 */
    int fan_in;          /* images that merge at once, >= 2 */
    int root;            /* a leaf */
    int spacing, offset; /* positions of the leaves */
    int size;            /* positions */
    int round;           /* number of the first round */
    composite_range range;
} composite_merge_tree;

/* Visits the messages of a leaf, as the `generate` of an algorithm does (tree.c). */
int composite_merge_tree_visit(const composite_merge_tree *tree, int leaf,
                               composite_visit *visit, void *context);

#endif
