/* All rounds of a schedule at once. Private to composite/simulate. */
#ifndef COMPOSITE_SIMULATE_MIXED_H
#define COMPOSITE_SIMULATE_MIXED_H

#include "engine.h"

enum { SIMULATE_NONE = -1 };

/* A message, or its pixels of one segment. It passes a core, a connection and the core of
 * its receiver. */
typedef struct simulate_mixed_part {
    int src, dst, round;
    int index; /* of the round in simulate_simulator.rounds */
    int needs; /* parts that the sender's cell has merged before */
    int64_t from,
        cell; /* of the sender and the receiver; SIMULATE_NONE: nothing is merged */
    double bytes, seconds; /* seconds: of a port */
    double before, after;  /* s of a core: until it can leave; to merge it */
    double start, come;    /* s: it begins to leave; it has come */
    bool has_come;
    int64_t next; /* in its queue */
} simulate_mixed_part;

/* The pixels of a position in a segment: parts that come, in the order of merging, and
 * parts that leave. */
typedef struct simulate_mixed_cell {
    int64_t *come, *leave; /* [ncome], [nleave] */
    int ncome, nleave;
    int queued, merged, left; /* so many of them */
} simulate_mixed_cell;

/* Parts that follow each other: on a connection, or at a core. */
typedef struct simulate_mixed_queue {
    int64_t first, last; /* SIMULATE_NONE: it is empty */
    double rest, rate;   /* of the first one: s of work; s a second */
    double begin;        /* s: of the first one */
} simulate_mixed_queue;

/* A port, or all of them together. Ports save up time while they are idle. */
typedef struct simulate_mixed_limit {
    double rest;  /* of its rate, while rates are found */
    int count;    /* connections without a rate */
    double used;  /* of its rate */
    double saved; /* s of work that it can do at once */
    bool is_fast; /* as it does now */
} simulate_mixed_limit;

typedef struct simulate_mixing {
    simulate_simulator *sim;
    simulate_mixed_part *parts; /* [nparts], then one for the begin of each position */
    int64_t nparts;
    simulate_mixed_cell *cells; /* [positions][segments] */
    int64_t *lists; /* of the cells, [2 nparts]: of each part where it comes and where it
                       leaves */
    simulate_mixed_queue *links; /* [positions][positions] */
    simulate_mixed_queue *cores; /* [positions] */
    int *active;                 /* [nactive]: connections with work */
    int nactive;
    bool has_changed; /* active, since rates were found */
    int64_t *coming;  /* heap of parts by the time at which they come */
    int64_t ncoming;
    simulate_mixed_limit *limits; /* [3][nodes]: to send, to receive, both together */
    double now;
} simulate_mixing;

/* The number of parts of all messages and pieces. */
int64_t simulate_mixed_count(const simulate_simulator *sim);

/* Makes the parts round by round, counts their bytes, and lists them in their cells. */
void simulate_mixed_list(simulate_mixing *mixing);

#endif
