/* A machine as the simulator sees it: links, ports, cores, and the time of a pixel. */
#ifndef MESSAGES_MODEL_MACHINE_H
#define MESSAGES_MODEL_MACHINE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { SIMULATE_MOST_POINTS = 32, SIMULATE_MOST_NAME = 128 };

/* A measured time: a message of so many bytes occupies its ports so long. */
typedef struct simulate_point {
    double bytes, seconds;
} simulate_point;

/*
 * The time of messages of one kind. A message of n bytes arrives `latency` after it was
 * sent, and occupies a port at both ends for `overhead` + `beta` n. In the terms of LogGP
 * that is L, g and G (A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman, "LogGP", SPAA
 * 1995). Many papers have one constant, alpha: a latency where messages of a round
 * overlap, an overhead where they follow each other.
 *
 * With `points` the time is linear between them, and beyond the last one it grows by beta
 * a byte. The first one has 0 bytes, and its seconds are the overhead.
 */
typedef struct simulate_link {
    double latency, overhead; /* s */
    double beta;              /* s a byte */
    int npoints;
    simulate_point points[SIMULATE_MOST_POINTS]; /* ascending in both */
} simulate_link;

/* Zero is a machine on which nothing takes time; simulate_machine_usual has usual values.
 */
typedef struct simulate_machine {
    char name[SIMULATE_MOST_NAME];
    simulate_link between; /* nodes */
    /* Ranks of a node read each other's pixels in place: the reader's core spends the
     * time of a byte, and no port. */
    simulate_link within;
    int ports;         /* of a node's network card, in each direction, >= 1 */
    int receive_ports; /* the same for receiving; 0: any number of messages at once */
    bool half_duplex;  /* ports send and receive, one at a time */
    double duplex;     /* a byte takes so many times as long at a node that sends and
                          receives in the same round; 0 is 1: both are independent */
    bool is_mixed;     /* messages of all rounds share ports, in schedules of few ranks;
                          else those of earlier rounds go first */
    double burst;      /* s of work that an idle port saves up, and then does at once, as
                          a token bucket; if is_mixed */
    bool is_fifo;      /* ports finish one message after another; else all share them */
    bool overlaps;     /* a rank blends while messages of the round are under way */
    double agree;      /* s of a step of an agreement; n ranks take log2 n of them */
    double gamma;      /* s to blend a pixel */
    double delta;      /* s of a core for a byte of a message, at each end */
    int cores;         /* of a node; 0: one for each rank */
    bool one_host;     /* the cores are those of all nodes together */
} simulate_machine;

/* The named machine `gigabit`: links of 1 Gbit/s (117 MB/s), one port, 1 ns to blend a
 * pixel, overlapped. */
simulate_machine simulate_machine_usual(void);

/* Seconds for which a message of so many bytes occupies a port. Local. */
double simulate_link_time(const simulate_link *link, double bytes);

/* The one of several measured points [count] whose messages must have stalled: it is much
 * slower a byte than the fastest of those with long messages. The slowest; -1: none.
 * Local. */
int simulate_points_find_stalled(int count, const simulate_point *points);

/* Whether a text begins with the name of a machine: "infiniband,ports=2". Local. */
bool simulate_machine_is_named(const char *text);

/* Sets the overhead, if it is infinite: nobody gave one. No message is free: it is half
 * of the latency, as long as that is less than `usual`. Local. */
void simulate_machine_find_overhead(simulate_machine *machine, double usual);

/*
 * Changes a machine as a text says: "alpha=20us,beta=8.5ns,ports=2". A number may have a
 * unit: s, ms, us, ns, ps; rates ("rate=117MB") are bytes a second with kB, MB, GB. A
 * name stands for its values: "infiniband,ports=2". On failure *machine is unchanged.
 * Local. Errors: STATUS_USAGE, with a sentence that names the keys.
 */
status simulate_machine_parse(const char *text, simulate_machine *machine);

/* Checks that the values make a machine. `source` names it in the message. Local. Errors:
 * STATUS_USAGE. */
status simulate_machine_check(const simulate_machine *machine, const char *source);

/* ---- Its values by name, for files and options ------------------------------------- */

typedef enum simulate_value_kind {
    SIMULATE_SECONDS, /* double */
    SIMULATE_FACTOR,  /* double */
    SIMULATE_COUNT,   /* int */
    SIMULATE_FLAG     /* bool */
} simulate_value_kind;

typedef struct simulate_value {
    const char *key;
    simulate_value_kind kind;
    size_t offset; /* in simulate_machine */
    const char *meaning;
} simulate_value;

/* The n-th value of a machine, or NULL after the last. The links' points are not among
 * them. */
const simulate_value *simulate_machine_value(int n);

#endif
