/*
 * The simulator: walks the schedule of an algorithm in virtual time, without running it.
 *
 * It takes the messages that composite/run would send, and a machine (machine.h). It
 * costs a microsecond or less for each message, so that a tuner can call it thousands of
 * times.
 */
#ifndef MESSAGES_MODEL_SIMULATE_H
#define MESSAGES_MODEL_SIMULATE_H

#include "activity.h"
#include "composite/schedule.h"
#include "machine.h"

/* Something that a position does, for timelines. */
typedef enum simulate_event_kind {
    SIMULATE_EVENT_SEND,    /* a message leaves the ports of its sender */
    SIMULATE_EVENT_RECEIVE, /* it passes those of its receiver; ends when it has come */
    SIMULATE_EVENT_BLEND,   /* a position merges a message */
    SIMULATE_EVENT_KINDS
} simulate_event_kind;

typedef struct simulate_event {
    simulate_event_kind kind;
    int position, peer;
    int round;         /* of the schedule; SIMULATE_GATHER_ROUND: to the root */
    double begin, end; /* s */
    double bytes;      /* of the message */
    int64_t part; /* the number of the message's part in its round, the same in its three
                     events */
} simulate_event;

enum { SIMULATE_GATHER_ROUND = -1 };

typedef void simulate_visit_event(const simulate_event *event, void *context);

/* The problem to simulate. All pointers are borrowed. */
typedef struct simulate_case {
    const composite_algorithm *algorithm;
    composite_problem problem; /* .gather_bytes 0: pieces stay where they are. .nodes: the
                                  ranks of a node merge first */
    composite_params params;
    const composite_nodes *nodes; /* of the positions; NULL: each has its own. They share
                                     ports, and with problem.nodes NULL the algorithm
                                     still runs among all positions */
    int segment; /* pixels of a message at most, as COMPOSITE_SEGMENT of the executor; 0:
                    messages are whole */
    composite_encoding encoding;       /* of messages; looking for transparent pixels
                                          takes no time */
    const simulate_activity *activity; /* of the positions; NULL: dense */
    const double *late;                /* [positions]: s at which each begins, or NULL */
    bool has_begun; /* the first agreement is over: late times are counted from it */
    simulate_visit_event *visit; /* NULL: nobody looks */
    void *context;               /* of visit */
} simulate_case;

/* One round of the schedule, or the gathering. */
typedef struct simulate_round {
    int round;
    int64_t messages;
    double bytes;  /* between nodes */
    double finish; /* s at which its last pixel is merged */
} simulate_round;

/* One position. */
typedef struct simulate_rank {
    double begin, finish;          /* s */
    double blending;               /* s of its core */
    double bytes_sent, bytes_come; /* between nodes */
} simulate_rank;

/* Borrowed from the simulator until its next call. */
typedef struct simulate_result {
    double
        seconds;   /* from 0 until the root has the picture, or all pieces are finished */
    double merged; /* until all pieces are finished */
    double bound;  /* the time of the bytes over the busiest ports alone */
    int64_t messages;
    double bytes;      /* between nodes */
    double most_bytes; /* over the busiest node's link, in one direction */
    int nrounds;
    const simulate_round *rounds; /* [nrounds], ascending; the gathering comes last */
    const simulate_rank *ranks;   /* [positions]; NULL with a closed form */
    int segment;                  /* it was made longer if there were too many parts */
} simulate_result;

/* Memory that lives from call to call. */
typedef struct simulate_simulator simulate_simulator;

/* Local. Errors: STATUS_MEMORY. */
status simulate_create(simulate_simulator **out);
void simulate_destroy(simulate_simulator **simulator);

/*
 * Predicts the time of compositing.
 *
 * In each round of a position the model has these steps, in the order of the executor's
 * plan. A core prepares the bytes that leave (delta). Messages pass the ports of the
 * sender's node, then, a latency later, those of the receiver's node: both as they come.
 * The position merges them in the order of the schedule (gamma a pixel), as they come or,
 * without overlap, after the last message of the round. The next round of its pixels
 * begins then. In the end finished pixels go to the root through the same ports.
 *
 * Rounds are served in their order: a port or a core gives later rounds the time that
 * earlier ones leave. So the cost is O(messages log messages of a position).
 *
 * Direct-send with more messages than SIMULATE_MANY_MESSAGES is simulated for some
 * receivers, each of which takes its messages from all senders (direct.c); for images of
 * which all pixels are active, and ranks that all have their own node and are in time.
 *
 * Local; the same result every time. Errors: STATUS_USAGE from the algorithm's
 * check_params, for an impossible machine, and if there are too many messages;
 * STATUS_MEMORY.
 */
status simulate_run(simulate_simulator *simulator, const simulate_case *of,
                    const simulate_machine *machine, simulate_result *result);

/* A message of any schedule. */
typedef struct simulate_given {
    int src, dst; /* the same: the rank works alone, on what it has */
    int round;
    double bytes;
    double merged; /* the part of them that the receiver's core blends: gamma each */
    int64_t place; /* the receiver merges those of a round by ascending places; of equal
                      ones that first which is given first */
} simulate_given;

/* Messages that are no schedule of compositing. All pointers are borrowed. */
typedef struct simulate_messages_case {
    int size;                       /* positions */
    const composite_nodes *nodes;   /* of the positions; NULL: each has its own */
    const simulate_given *messages; /* [count], by ascending rounds; those of a round in
                                       the order in which their senders send them */
    int64_t count;
    const double *late;          /* [size]: s at which each begins, or NULL */
    simulate_visit_event *visit; /* NULL: nobody looks */
    void *context;               /* of visit */
} simulate_messages_case;

/*
 * Predicts the time of given messages in the same way. A message leaves when all that its
 * sender received in earlier rounds is merged. Each message has an event of merging, also
 * if there is nothing to blend; local work has that alone. Local. Errors: STATUS_USAGE
 * for an impossible machine, late times, and more than SIMULATE_MANY_MESSAGES;
 * STATUS_MEMORY.
 */
status simulate_run_messages(simulate_simulator *simulator,
                             const simulate_messages_case *of,
                             const simulate_machine *machine, simulate_result *result);

#endif
