/*
 * Swarms: the particles of one layer. Each list of seeds has its own tracer; all tracers
 * of a swarm follow the same flow.
 *
 * A swarm sleeps or is awake. Awake it has tracers on a flow and can move. Asleep it has
 * snapshots of them, and can go on with another flow, grid, plan or number of ranks.
 */
#ifndef FRAME_PARTICLES_SWARM_H
#define FRAME_PARTICLES_SWARM_H

#include "flow.h"
#include "io/config/config.h"
#include "trace/tracer.h"

typedef struct frame_swarm frame_swarm;

/* Limits of a swarm; zero: none. */
typedef struct frame_swarm_limits {
    int trail; /* longer trails reach as far back as this number of steps, 0: as far back
                  as the first one */
    int64_t particles, points; /* trace_options */
} frame_swarm_limits;

/* Makes a sleeping swarm that has not begun. It copies the seeds. Local. Errors:
 * STATUS_MEMORY. */
status frame_swarm_create(const io_particles_config *config, frame_swarm_limits limits,
                          frame_swarm **out);
void frame_swarm_destroy(frame_swarm **swarm);

/*
 * Wakes a swarm on a flow, which is borrowed. `seeks`: the grid is another one than
 * before (trace_tracer_import). *failed: the index of the list of seeds that has failed;
 * -1: none. Collective. Errors: STATUS_USAGE (no seed of a list lies in the grid, no such
 * block), STATUS_INPUT (trace_tracer_import), STATUS_MEMORY. The swarm is then asleep,
 * with the particles that it had.
 */
status frame_swarm_wake(frame_swarm *swarm, MPI_Comm comm, const frame_flow *flow,
                        bool seeks, int *failed);

/* Takes new snapshots; the swarm stays awake. Local. Errors: STATUS_MEMORY. */
status frame_swarm_keep(frame_swarm *swarm);

/* Drops the snapshots of an awake swarm. Local. */
void frame_swarm_forget(frame_swarm *swarm);

/* Lets an awake swarm sleep: takes snapshots and drops the tracers. Local. Errors:
 * STATUS_MEMORY; the swarm can then only be destroyed, on all ranks. */
status frame_swarm_sleep(frame_swarm *swarm);

/*
 * Gives a sleeping swarm other seeds and options. Lists of seeds that stay keep their
 * particles. Particles of lists that are gone go on, but no more set out there. The mode
 * is the same. Local. Errors: STATUS_MEMORY; the swarm can then only be destroyed, on all
 * ranks.
 */
status frame_swarm_change(frame_swarm *swarm, const io_particles_config *config,
                          frame_swarm_limits limits);

/* Copies a sleeping swarm with its particles. Local. Errors: STATUS_MEMORY. */
status frame_swarm_copy(const frame_swarm *swarm, frame_swarm **out);

/* Closes list `list` of a sleeping swarm: nothing sets out there. Local. */
void frame_swarm_close_list(frame_swarm *swarm, int list);

/*
 * Moves all particles to `time`, and releases those that are due; lists that are at this
 * time already stay. The flow has this step. Collective. Errors: those of
 * trace_tracer_advance; the swarm can then only be destroyed.
 */
status frame_swarm_step(frame_swarm *swarm, double time);

/* Moves particles half of the way to a step that has another grid
 * (trace_tracer_begin_step); the swarm then sleeps, and wakes there. Collective. Errors:
 * likewise. */
status frame_swarm_begin_step(frame_swarm *swarm, double time);

/* Makes the lines of all particles; _drop gives their memory back. Collective; local.
 * Errors: STATUS_MEMORY. */
status frame_swarm_collect(frame_swarm *swarm);
void frame_swarm_drop_lines(frame_swarm *swarm);

/* The number of lists that have a tracer or had one; the lines of a list, borrowed (NULL:
 * none), and the number of its first seed. Local. */
int frame_swarm_lists(const frame_swarm *swarm);
const trace_lines *frame_swarm_lines(const frame_swarm *swarm, int list,
                                     int64_t *first_seed);

/* Sums over all lists; of an awake swarm. Local, the same on every rank. */
trace_counts frame_swarm_count(const frame_swarm *swarm);

/* ---- For files of states ----------------------------------------------------------- */

/* A list of seeds and its particles. */
typedef struct frame_swarm_list {
    io_seed_config seeds;
    bool is_closed;     /* nothing sets out any more */
    int64_t first_seed; /* the number of its first seed */
    bool has_snapshot;
    trace_snapshot snapshot;
    trace_tracer *tracer; /* NULL: it sleeps, or is closed and empty */
} frame_swarm_list;

/* A list of a swarm. Borrowed. Local. */
frame_swarm_list *frame_swarm_list_at(const frame_swarm *swarm, int list);

/* Adds a list to a sleeping swarm; takes *list and empties it, also on failure. Local.
 * Errors: STATUS_MEMORY. */
status frame_swarm_add_list(frame_swarm *swarm, frame_swarm_list *list);

#endif
