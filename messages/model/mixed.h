/* All rounds of a schedule at once. Private to messages/model. */
#ifndef MESSAGES_MODEL_MIXED_H
#define MESSAGES_MODEL_MIXED_H

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
    double bytes, seconds;   /* seconds: of a port */
    double before, after;    /* s of a core: until it can leave; to merge it */
    double start, come;      /* s: it begins to leave; it has come */
    bool has_left, has_come; /* has_left: its first byte */
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

/* Parts that follow each other at a core. */
typedef struct simulate_mixed_queue {
    int64_t first;     /* SIMULATE_NONE: it is empty */
    double rest, rate; /* of the first one: s of work; s a second */
    double begin;      /* s: of the first one */
} simulate_mixed_queue;

/* Bytes of a part that pass a port as one. */
typedef struct simulate_mixed_packet {
    int64_t part;
    double work;    /* s of a port */
    double arrives; /* s: at the receiver's node */
    bool is_last;   /* of its part */
    int64_t next;   /* in its queue */
} simulate_mixed_packet;

typedef struct simulate_mixed_line {
    int64_t first, last; /* packets; SIMULATE_NONE: it is empty */
} simulate_mixed_line;

/* One direction of a node's ports: packets wait in one line. Ports save up time while
 * they are idle. */
typedef struct simulate_mixed_card {
    simulate_mixed_line waiting;
    int busy;     /* ports at work */
    double saved; /* s of work that it can do at once */
    double since; /* s: up to when it is known */
    double rate;  /* of the ports, up to the next event: s of work a second */
} simulate_mixed_card;

/* A port. */
typedef struct simulate_mixed_port {
    int64_t packet; /* SIMULATE_NONE: it is idle */
    double rest;    /* s of work */
} simulate_mixed_port;

typedef struct simulate_mixed_network {
    int *node;                      /* [positions]: the number of its node's cards */
    simulate_mixed_packet *packets; /* [capacity] */
    int64_t npackets, capacity;
    double most_bytes;          /* of a packet */
    simulate_mixed_line flying; /* between the ports of two nodes, as they arrive */
    simulate_mixed_card *cards; /* [2][nodes]: to send, to receive */
    simulate_mixed_port *ports; /* [2 nodes][nports] */
    int nports;                 /* the larger number of both directions */
} simulate_mixed_network;

typedef struct simulate_mixing {
    simulate_simulator *sim;
    simulate_mixed_part *parts; /* [nparts], then one for the begin of each position */
    int64_t nparts;
    bool is_paced;              /* composite_is_paced */
    simulate_mixed_cell *cells; /* [positions][segments] */
    int64_t *lists; /* of cells, [2 nparts]: of each part where it comes and where it
                       leaves; then room for [segments] cells */
    simulate_mixed_queue *cores; /* [positions] */
    int64_t *coming;             /* heap of parts by the time at which they come */
    int64_t ncoming;
    simulate_mixed_network network;
    double now;
} simulate_mixing;

/* The number of parts of all messages. */
int64_t simulate_mixed_count(const simulate_simulator *sim);

/* Makes the parts round by round, counts their bytes, and lists them in their cells. */
void simulate_mixed_list(simulate_mixing *mixing);

/* A part comes at a time. */
void simulate_mixed_come_later(simulate_mixing *mixing, int64_t part, double time);

/* Takes the part that comes first out of those that are to come. */
int64_t simulate_mixed_take_first(simulate_mixing *mixing);

/* Notes what happens to a part, for timelines. */
void simulate_mixed_note(const simulate_mixing *mixing, simulate_event_kind kind,
                         int64_t part, double begin, double end);

/* ---- The network (mixed_network.c) ------------------------------------------------- */

/* Makes room for the packets of all parts. Local. Errors: STATUS_MEMORY. */
status simulate_mixed_network_create(simulate_mixing *mixing);
void simulate_mixed_network_destroy(simulate_mixing *mixing);

/* A part leaves its sender's core for the network. */
void simulate_mixed_network_send(simulate_mixing *mixing, int64_t part);

/* Seconds until something happens in the network, as things are; infinite: nothing. */
double simulate_mixed_network_find_step(simulate_mixing *mixing);

/* Goes on by a step, up to `now`. Parts that have come by then are in `coming`. */
void simulate_mixed_network_advance(simulate_mixing *mixing, double step);

#endif
