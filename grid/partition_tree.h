/* The k-d tree behind a grid_partition, for code that makes one. */
#ifndef GRID_PARTITION_TREE_H
#define GRID_PARTITION_TREE_H

#include "layout.h"

/* A plane that cuts a node's box: points with coordinate < plane lie in the left half. */
typedef struct tree_node {
    int axis;
    double plane;
} tree_node;

/* The tree, in preorder. The number of parts of a subtree alone determines the indices of
 * its nodes; a subtree of one part has none. The parts of a subtree are numbered
 * consecutively.
 *
 *     n parts at node t:   t | left: n/2 parts, at t + 1 | right: the rest, at t + n/2 */
struct grid_partition {
    int nparts;
    tree_node *nodes; /* [nparts - 1] */
};

/* A tree whose nodes are still to be filled in. Local. Errors: STATUS_MEMORY. */
status grid_partition_allocate(int nparts, struct grid_partition **out);

#endif
