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
    int64_t segment;
    int needs;     /* parts that the sender's cell has merged before */
    int64_t turn;  /* by stages, then composite_send_turn */
    int64_t stage; /* number among the parts of its message, from 0 */
    int64_t gate;  /* cell of the sender that is merged in round 0 before it leaves;
                      SIMULATE_NONE: it does not wait for its turn */
    int64_t from,
        cell; /* of the sender and the receiver; SIMULATE_NONE: nothing is merged */
    double bytes, seconds; /* seconds: of a port */
    double before, after;  /* s of a core: until it can leave; to merge it */
    double start, come;    /* s: it begins to leave; it has come */
    bool has_come, is_merged;
    bool is_empty; /* it has no active pixel: it is not sent, and nobody waits for it */
    int64_t next;  /* in its queue */
} simulate_mixed_part;

/* The pixels of a position in a segment: parts that come, in the order of merging, and
 * parts that leave. */
typedef struct simulate_mixed_cell {
    int64_t *come, *leave; /* [ncome], [nleave] */
    int ncome, nleave;
    int nfirst;               /* of ncome: of round 0 */
    int queued, merged, left; /* so many of them */
} simulate_mixed_cell;

/* Parts that follow each other: on a connection, or at a core. */
typedef struct simulate_mixed_queue {
    int64_t first, last; /* SIMULATE_NONE: it is empty */
    double rest, rate;   /* of the first one: s of work; s a second */
    double begin;        /* s: of the first one */
} simulate_mixed_queue;

/* How far a position is: the ranks of its node read pixels of a round and a segment once
 * it has merged all parts of earlier rounds, and those of the round before up to the
 * segment (composite/run/status_page.h). Parts ascend by rounds, then segments. */
typedef struct simulate_mixed_progress {
    int64_t *come, *leave; /* [ncome] parts that it merges, [nleave] that others read */
    int64_t ncome, nleave;
    int64_t merged, left; /* so many of them, without a gap */
} simulate_mixed_progress;

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
    bool is_paced;                     /* composite_is_paced */
    simulate_mixed_cell *cells;        /* [positions][segments] */
    simulate_mixed_progress *progress; /* [positions] */
    int64_t *lists; /* of cells and progress, [4 nparts]: of each part where it comes and
                       where it leaves */
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

/* Whether a part may be read in place, if `first` is the first one that its sender has
 * not merged; NULL: it has merged all. Local. */
bool simulate_mixed_is_ready(const simulate_mixed_part *one,
                             const simulate_mixed_part *first);

/* Makes the parts round by round, counts their bytes, and lists them in their cells. */
void simulate_mixed_list(simulate_mixing *mixing);

#endif
