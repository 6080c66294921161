/*
 * Schedules for several nodes: ranks of a node merge in the memory that they share, then
 * nodes exchange merged images.
 *
 * Neighbours in visibility order that lie on one node form a *team*. A node has one team
 * if the domain decomposition gives its ranks one subtree of the k-d tree. Otherwise it
 * has several, and the schedule is right all the same.
 *
 * A node may have several sockets, each with memory of its own. Neighbours of a team that
 * are bound to one socket form a *group*. The members of a group merge first, and then
 * groups: so of each group one image crosses to another socket, not one of each member.
 *
 * How their images merge stands in schedule.c.
 */
#ifndef COMPOSITE_NODES_H
#define COMPOSITE_NODES_H

#include "base/status.h"

#include <stdbool.h>

/* The groups of all teams. */
typedef struct composite_sockets {
    int count;  /* 0: teams merge at once, without regard to sockets */
    int *begin; /* [count + 1]: group g has the positions [begin[g], begin[g + 1]) */
    int *group; /* [size]: of a position */
} composite_sockets;

typedef struct composite_nodes {
    int size;      /* positions */
    int count;     /* teams, by visibility */
    int slices;    /* of the picture */
    int *begin;    /* [count + 1]: team t has the positions [begin[t], begin[t + 1]) */
    int *team;     /* [size]: of a position */
    int *node;     /* [count]: number of the team's node, >= 0 */
    bool *late;    /* [count]: the team is a position whose image comes late */
    int most_node; /* the largest number of a node */
    int rounds;    /* in which teams merge: 1, or 2 if one of them does so by sockets */
    composite_sockets sockets;
} composite_nodes;

/* The places of positions. */
typedef struct composite_places {
    int size;
    const int *node;   /* [size]: number of its node, >= 0 */
    const int *socket; /* [size]: number of its socket on the node; below 0: it is bound
                          to none. NULL: none is */
    const bool *late;  /* [size]: its image comes late (composite/late_positions.h). Late
                          positions  form teams by themselves, and their neighbours merge
                          without  them. NULL: none does */
} composite_places;

/*
 * Finds the teams. node: [size], the number (>= 0) of the node of each position. Replaces
 * what *nodes has; zero is empty. Local. Errors: STATUS_MEMORY; then *nodes is empty.
 */
status composite_nodes_find(int size, const int *node, composite_nodes *nodes);

/* The same for positions with sockets, or late ones. */
status composite_nodes_find_places(const composite_places *places,
                                   composite_nodes *nodes);

/* The number of these teams. Local. */
int composite_nodes_count(int size, const int *node, const bool *late);

/* Frees what it has; the struct is the caller's. */
void composite_nodes_clear(composite_nodes *nodes);

/* Whether both have the same teams and groups on the same nodes, and late at the same
 * places. NULL is like none at all. Local. */
bool composite_nodes_are_same(const composite_nodes *a, const composite_nodes *b);

/* Members of a team. */
static inline int composite_nodes_members(const composite_nodes *nodes, int team)
{
    return nodes->begin[team + 1] - nodes->begin[team];
}

/* The groups of a team. There are some. */
static inline int composite_nodes_groups(const composite_nodes *nodes, int team)
{
    const int *group = nodes->sockets.group;
    return group[nodes->begin[team + 1] - 1] - group[nodes->begin[team]] + 1;
}

/* Whether the groups of a team merge first: it has several, of two members and more in
 * the mean. */
static inline bool composite_nodes_by_sockets(const composite_nodes *nodes, int team)
{
    if (nodes->sockets.count == 0) {
        return false;
    }
    const int groups = composite_nodes_groups(nodes, team);
    return groups > 1 && 2 * groups <= composite_nodes_members(nodes, team);
}

#endif
