/* The state of a simulation. Private to messages/model. */
#ifndef MESSAGES_MODEL_ENGINE_H
#define MESSAGES_MODEL_ENGINE_H

#include "messages.h"
#include "simulate.h"
#include "station.h"

/* A message, or its pixels of one segment. */
typedef struct simulate_part {
    double start; /* s: its pixels are ready; then, its first byte reaches the receiver */
    double finish; /* s: it has come */
} simulate_part;

/* Positions in groups: nodes, or hosts. Group g has members [begin[g], begin[g + 1]). */
typedef struct simulate_groups {
    int count;
    int *of;      /* [size]: the group of a position */
    int *begin;   /* [count + 1] */
    int *members; /* [size] */
    int64_t of_capacity, begin_capacity, members_capacity;
} simulate_groups;

/* The messages of the present round, and the order of each receiver. */
typedef struct simulate_work {
    int round; /* SIMULATE_GATHER_ROUND: to the root */
    simulate_part *parts;
    int64_t nparts, parts_capacity;
    simulate_job *jobs; /* of one group */
    int64_t *job_parts; /* [jobs]: their parts */
    int64_t *job_messages;
    int64_t njobs, jobs_capacity, job_parts_capacity, job_messages_capacity;
} simulate_work;

typedef struct simulate_traffic {
    double bytes, seconds;
} simulate_traffic;

/* The sending of a node in a round. */
typedef struct simulate_sending {
    simulate_station before; /* its ports before the round */
    double begin, end;       /* s: the first message leaves; the last one has left */
    double come;             /* s: the last one has come, less the latency */
    int round;
    bool has_sent; /* something, to other nodes */
} simulate_sending;

/* The network card of a node. */
typedef struct simulate_card {
    simulate_station out, in;
    simulate_sending sending;    /* of the last round in which it sent */
    bool goes_both_ways;         /* it sent and received in some round */
    simulate_traffic sent, come; /* over the ports */
} simulate_card;

struct simulate_simulator {
    composite_memory memory;
    simulate_scratch scratch;
    simulate_messages messages;
    simulate_groups nodes, hosts;
    simulate_work work;
    int64_t *part0; /* [messages + 1]: the first part of each in its round */
    int64_t *send_at, *receive_at; /* [size]: the next message of each position */
    double *ready;        /* [size][segments]: s at which its pixels are merged so far */
    double *left;         /* [size]: s at which its last message has left */
    simulate_card *cards; /* [nodes] */
    simulate_station *cores; /* [size] or [hosts] */
    simulate_rank *ranks;    /* [size] */
    simulate_round *rounds;  /* [nrounds] */
    int64_t part0_capacity, send_at_capacity, receive_at_capacity, ready_capacity,
        left_capacity, cards_capacity, cores_capacity, ranks_capacity, rounds_capacity;
    int *by_round;   /* [messages]: by ascending rounds */
    int64_t *round0; /* [rounds + 1]: the first one of each round */
    int64_t *seen;   /* [positions]: the last stamp of a group that was visited */
    int64_t by_round_capacity, round0_capacity, seen_capacity;
    int64_t stamp;
    /* The present call. */
    const simulate_case *of;
    const simulate_machine *machine;
    int size, segment, nrounds;
    int64_t segments;
    bool has_host; /* ranks share the cores of hosts */
};

enum { SIMULATE_EXPECTED_PARTS = 8000000 };

/* Grows an array of the simulator. */
#define SIMULATE_GROW(sim, array, count)                                                 \
    composite_memory_grow(&(sim)->memory, &(sim)->array, &(sim)->array##_capacity,       \
                          count, sizeof *(sim)->array, "the simulation of a schedule")

/* Checks a case, and makes it the present one. Local. Errors: STATUS_USAGE. */
status simulate_prepare(simulate_simulator *sim, const simulate_case *of,
                        const simulate_machine *machine);

/* Finds the nodes and hosts of all positions; makes room for the state of a call. Local.
 * Errors: STATUS_MEMORY. */
status simulate_groups_make(simulate_simulator *sim);
status simulate_room_make(simulate_simulator *sim);

/* The seconds at which a position begins. */
double simulate_begin_of(const simulate_simulator *sim, int q);

/* Lets the messages of round number `n` pass the ports; runs the round, with its merges.
 * Local. Errors: STATUS_MEMORY. */
status simulate_round_pass(simulate_simulator *sim, int n);
status simulate_round_run(simulate_simulator *sim, int n);

/* Runs all rounds of the messages that are collected. Local. Errors: STATUS_MEMORY. */
status simulate_rounds_run(simulate_simulator *sim);
void simulate_report(const simulate_simulator *sim, simulate_result *result);

/* Checks that the times at which positions begin are possible. NULL: all begin at 0.
 * Local. Errors: STATUS_USAGE. */
status simulate_late_check(const double *late, int size);

/* The seconds in which all ranks agree: before the first pixel moves, and after the last
 * one. Ranks of one node do so without messages. */
double simulate_agreement(const simulate_simulator *sim);

/* Whether messages of all rounds share the ports, and there are few enough of them. */
bool simulate_mixed_applies(const simulate_simulator *sim);

/* Runs all rounds at once, with the gathering. Local. Errors: STATUS_MEMORY. */
status simulate_mixed_run(simulate_simulator *sim);

/* Brings finished pixels to the root. Local. Errors: STATUS_MEMORY. */
status simulate_gather_run(simulate_simulator *sim);

/* Jobs of a group that is under way. */
status simulate_job_add(simulate_simulator *sim, simulate_job job, int64_t message,
                        int64_t part);

/* Serves the jobs at the ports of a node: those to send, or those to receive. */
status simulate_ports_serve(simulate_simulator *sim, int node, bool sends);

/* Serves the jobs at the cores of a host, or at that of a position. */
status simulate_cores_serve(simulate_simulator *sim, int host);

/* A message over the ports, for the counts of both nodes. */
void simulate_traffic_add(simulate_simulator *sim, int src, int dst, double bytes);

void simulate_event_note(const simulate_simulator *sim, const simulate_event *event);

/* The payload of pixels. `pixel_bytes`: of an unfinished pixel, or of a finished one. */
simulate_payload simulate_payload_of(const simulate_simulator *sim, int run0, int run1,
                                     composite_range pixels, double pixel_bytes);

/* The payload of part number `i` of a message. */
simulate_payload simulate_payload_find(const simulate_simulator *sim,
                                       const simulate_message *message, int64_t i);

/* Pixels of part number `i` of a range that segments cut. */
composite_range simulate_part_range(const simulate_simulator *sim, composite_range range,
                                    int64_t i);
int64_t simulate_part_count(const simulate_simulator *sim, composite_range range);

static inline int64_t simulate_segment_of(const simulate_simulator *sim, int64_t pixel)
{
    return sim->segments > 1 ? pixel / sim->segment : 0;
}

/* Whether a message brings finished pixels to the root. */
static inline bool simulate_gathers(const simulate_simulator *sim,
                                    const simulate_message *message)
{
    return message->round == sim->messages.gather_round;
}

static inline double simulate_pixel_bytes(const simulate_simulator *sim,
                                          const simulate_message *message)
{
    return simulate_gathers(sim, message) ? sim->of->problem.gather_bytes
                                          : COMPOSITE_PIXEL_BYTES;
}

static inline bool simulate_is_near(const simulate_simulator *sim, int a, int b)
{
    return sim->nodes.of[a] == sim->nodes.of[b];
}

/* The factor by which a byte takes longer at a node that sends and receives in a round.
 */
static inline double simulate_slowdown(const simulate_simulator *sim)
{
    return sim->machine->duplex > 1 ? sim->machine->duplex : 1;
}

/* Whether direct-send is simulated by samples of its receivers. */
bool simulate_direct_applies(const simulate_case *of);

/* Simulates it so. Local. Errors: STATUS_USAGE, STATUS_MEMORY. */
status simulate_direct_run(simulate_simulator *sim, simulate_result *result);

#endif
