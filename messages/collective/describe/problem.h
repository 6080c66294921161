/* A collective, its problem and a machine, as options of karman collectives give them. */
#ifndef MESSAGES_COLLECTIVE_DESCRIBE_PROBLEM_H
#define MESSAGES_COLLECTIVE_DESCRIBE_PROBLEM_H

#include "messages/collective/walk.h"

#include <stdbool.h>

typedef struct collectives_problem {
    const collective_operation *operation; /* NULL: all of them */
    const collective_algorithm *algorithm; /* NULL: all of the operation */
    collective_problem problem;
    collective_machine machine;         /* its .nodes are NULL or &nodes */
    composite_nodes nodes;              /* .size 0: each rank has its own */
    double late[COLLECTIVE_MOST_RANKS]; /* s at which each rank begins */
    bool check, json;
} collectives_problem;

/* Finds an operation and, unless its name is NULL, an algorithm. Local. Errors:
 * STATUS_USAGE, with the names that exist. */
status collectives_find(const char *operation, const char *algorithm,
                        collectives_problem *problem);

/* Reads seconds such as "20us"; `option` names them in the message. Local. Errors:
 * STATUS_USAGE. */
status collectives_read_seconds(const char *option, const char *text, double *seconds);

/* Reads "3:20us,7:1ms" into problem->late. Local. Errors: STATUS_USAGE. */
status collectives_read_late(const char *text, collectives_problem *problem);

/*
 * Reads nodes, "2x4" or "4,4,3". *ranks: the ranks that were given, or below 0; then all
 * ranks of the nodes. The caller clears problem->nodes. Local. Errors: STATUS_USAGE, also
 * for more than COLLECTIVE_MOST_RANKS; STATUS_MEMORY.
 */
status collectives_read_nodes(const char *text, int64_t *ranks,
                              collectives_problem *problem);

/* Checks that root and segment fit the collective; below 0 they are not given. Local.
 * Errors: STATUS_USAGE. */
status collectives_set(int64_t root, int64_t segment, collectives_problem *problem);

/* The n-th algorithm that is asked for, or NULL after the last. */
const collective_algorithm *collectives_at(const collectives_problem *problem, int n);

/* The problem of an algorithm: it has a root and segments only if the algorithm does. */
collective_problem collectives_problem_of(const collectives_problem *problem,
                                          const collective_algorithm *algorithm);

#endif
