/* The k-d tree behind a grid_partition, for code that makes one. */
#ifndef GRID_PARTITION_TREE_H
#define GRID_PARTITION_TREE_H

#include "grid/layout.h"
#include "parts.h"

/* A plane that cuts a node's box: points with coordinate < plane lie in the left half. */
typedef struct tree_node {
    int axis;
    double plane;
} tree_node;

/* The tree, in preorder; a subtree of one part has no node. The parts of a subtree are
 * consecutive leaves. Its left half has half of them, or whole groups: as near to half
 * as these allow.
 *
 *     node t:   t | left: nleft[t] parts, at t + 1 | right: the rest, at t + nleft[t] */
struct grid_partition {
    int nparts;
    tree_node *nodes; /* [nparts - 1] */
    int *nleft;       /* [nparts - 1] */
    int *part;        /* [nparts]: of each leaf, from left to right */
    int *leaf;        /* [nparts]: of each part */
};

/* A tree whose cuts are still to be filled in. Local. Errors: STATUS_MEMORY. */
status grid_partition_allocate(grid_parts parts, struct grid_partition **out);

#endif
