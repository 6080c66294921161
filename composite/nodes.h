/*
 * Schedules for several nodes: ranks of a node merge in the memory that they share, then
 * nodes exchange merged images.
 *
 * Neighbours in visibility order that lie on one node form a *team*. A node has one team
 * if the domain decomposition gives its ranks one subtree of the k-d tree. Otherwise it
 * has several, and the schedule is right all the same.
 *
 * How their images merge stands in schedule.c.
 */
#ifndef COMPOSITE_NODES_H
#define COMPOSITE_NODES_H

#include "base/status.h"

#include <stdbool.h>

typedef struct composite_nodes {
    int size;      /* positions */
    int count;     /* teams, by visibility */
    int slices;    /* of the picture */
    int *begin;    /* [count + 1]: team t has the positions [begin[t], begin[t + 1]) */
    int *team;     /* [size]: of a position */
    int *node;     /* [count]: number of the team's node, >= 0 */
    bool *late;    /* [count]: the team is a position whose image comes late */
    int most_node; /* the largest number of a node */
} composite_nodes;

/*
 * Finds the teams. node: [size], the number (>= 0) of the node of each position. Replaces
 * what *nodes has; zero is empty. Local. Errors: STATUS_MEMORY; then *nodes is empty.
 */
status composite_nodes_find(int size, const int *node, composite_nodes *nodes);

/* The same around late positions. late: [size]: the image of a position comes late
 * (composite/late_positions.h). Late positions form teams by themselves, and their
 * neighbours merge without them. NULL: none does. */
status composite_nodes_find_around(int size, const int *node, const bool *late,
                                   composite_nodes *nodes);

/* The number of these teams. Local. */
int composite_nodes_count(int size, const int *node, const bool *late);

/* Frees what it has; the struct is the caller's. */
void composite_nodes_clear(composite_nodes *nodes);

/* Whether both have the same teams on the same nodes, and late at the same places. NULL
 * is like none at all. Local. */
bool composite_nodes_are_same(const composite_nodes *a, const composite_nodes *b);

/* Members of a team. */
static inline int composite_nodes_members(const composite_nodes *nodes, int team)
{
    return nodes->begin[team + 1] - nodes->begin[team];
}

#endif
