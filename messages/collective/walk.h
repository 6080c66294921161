/* A collective in virtual time: the cost of its schedule on a machine, and why. */
#ifndef MESSAGES_COLLECTIVE_WALK_H
#define MESSAGES_COLLECTIVE_WALK_H

#include "composite/nodes.h"
#include "schedule.h"

/*
 * A message of n elements occupies a port of its sender and one of its receiver for
 * alpha + beta n; to combine n elements takes gamma n. All ports send and receive at the
 * same time.
 *
 * Ranks of a node share its ports. What they send to each other takes no port: the
 * receiver reads it in place, and its core spends near_alpha + near_beta n.
 */
typedef struct collective_machine {
    double alpha, beta, gamma;    /* s; s an element */
    int ports;                    /* of a node in each direction, >= 1 */
    double near_alpha, near_beta; /* the same for ranks of a node */
    const composite_nodes *nodes; /* of the ranks, borrowed; NULL: each has its own */
} collective_machine;

/* The usual machine of messages/model: links of 1 Gbit/s, elements of 8 bytes. Ranks
 * of a node read 8 GB/s. */
collective_machine collective_machine_usual(void);

/* A message, or local work of a rank (src == dst), in time. */
typedef struct collective_message {
    int src, dst, round;
    int64_t elements;      /* 0: a notification */
    int64_t combined;      /* elements that the receiver combines with its own */
    double sent, left;     /* s at which it begins to leave its sender, and has left */
    double comes, came;    /* the same at its receiver */
    double combines, done; /* its elements enter the memory of the receiver, which may be
                              late or combine others before */
    bool is_near;          /* its ends lie on one node: it comes while it is read */
    bool is_critical;      /* it lies on the critical path */
} collective_message;

/* Borrowed from the walker until its next call. */
typedef struct collective_times {
    double seconds;                     /* until the last rank is done */
    const collective_message *messages; /* [count], by rounds */
    int64_t count;
    const int64_t *path; /* [npath], numbers of messages, from the first to the last: each
                            one waits for the one before */
    int64_t npath;
    collective_cost cost; /* of the critical path. A port may serve another message in
                             between: then `seconds` are more */
    collective_cost near; /* alpha and beta of its messages within nodes, which cost
                             near_alpha and near_beta; they are not in `cost` */
    double begin;         /* s at which it begins: its first rank may be late */
    double finish[COLLECTIVE_MOST_RANKS]; /* s at which each rank is done */
} collective_times;

/* Memory that lives from call to call. */
typedef struct collective_walker collective_walker;

/* Local. Errors: STATUS_MEMORY. */
status collective_walker_create(collective_walker **out);
void collective_walker_destroy(collective_walker **walker);

/*
 * Walks through a right schedule with the simulator of messages/model, and traces its
 * critical path back from the end: which message made the last one wait, at a port or for
 * its data?
 *
 * late: s at which each rank begins [size], or NULL. Local; the same result every time.
 * Errors: STATUS_USAGE for an impossible machine; STATUS_MEMORY.
 */
status collective_walk(collective_walker *walker, const collective_schedule *schedule,
                       const collective_machine *machine, const double *late,
                       collective_times *times);

/* The seconds of an algorithm when nobody is late, without its path. Local. Errors: as
 * collective_walk. */
status collective_walk_seconds(collective_walker *walker,
                               const collective_algorithm *algorithm,
                               const collective_problem *problem,
                               const collective_machine *machine, double *seconds);

/* ---- Which algorithm is the fastest? ------------------------------------------------
 */

/* From `count` elements on, up to the next range, the algorithm is the fastest. */
typedef struct collective_range_of_counts {
    int64_t count;
    const collective_algorithm *algorithm;
} collective_range_of_counts;

enum {
    COLLECTIVE_MOST_CROSSOVERS = 16,
    COLLECTIVE_LAST_COUNT = 1 << 24, /* the longest vector that is tried */
    COLLECTIVE_TRIED_SEGMENTS = 128  /* and, with segments, the most of them */
};

/*
 * Finds the counts at which another algorithm of an operation becomes the fastest, by
 * walks at counts that double, and bisection between them. Of algorithms that are equal
 * the first one in the table wins. Local. Errors: as collective_walk.
 */
status collective_crossovers(
    collective_walker *walker, const collective_operation *operation,
    const collective_problem *problem, const collective_machine *machine,
    collective_range_of_counts ranges[COLLECTIVE_MOST_CROSSOVERS], int *nranges);

#endif
