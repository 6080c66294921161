/* The parts of a partition. */
#ifndef GRID_PARTS_H
#define GRID_PARTS_H

typedef struct grid_parts {
    int count;        /* >= 1 */
    const int *group; /* [count]: number of the group of each part, for example the node
                         of a rank. The parts of a group become one subtree, so that in
                         every view they are neighbours in visibility order. NULL: all
                         parts are one group */
    const int *subgroup; /* [count]: the same within a group, for example the socket of a
                            rank on its node. NULL: a group has none */
} grid_parts;

#endif
