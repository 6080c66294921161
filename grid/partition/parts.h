/* The parts of a partition. */
#ifndef GRID_PARTS_H
#define GRID_PARTS_H

typedef struct grid_parts {
    int count;        /* >= 1 */
    const int *group; /* [count]: number of the group of each part, for example the node
                         of a rank. The parts of a group become one subtree, so that in
                         every view they are neighbours in visibility order. NULL: all
                         parts are one group */
} grid_parts;

#endif
