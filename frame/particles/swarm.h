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

typedef struct app_swarm app_swarm;

/* Limits of a swarm; zero: none. */
typedef struct app_swarm_limits {
    int trail; /* longer trails reach as far back as this number of steps, 0: as far back
                  as the first one */
    int64_t particles, points; /* trace_options */
} app_swarm_limits;

/* Makes a sleeping swarm that has not begun. It copies the seeds. Local. Errors:
 * STATUS_MEMORY. */
status app_swarm_create(const io_particles_config *config, app_swarm_limits limits,
                        app_swarm **out);
void app_swarm_destroy(app_swarm **swarm);

/*
 * Wakes a swarm on a flow, which is borrowed. `seeks`: the grid is another one than
 * before (trace_tracer_import). *failed: the index of the list of seeds that has failed;
 * -1: none. Collective. Errors: STATUS_USAGE (no seed of a list lies in the grid, no such
 * block), STATUS_INPUT (trace_tracer_import), STATUS_MEMORY. The swarm is then asleep,
 * with the particles that it had.
 */
status app_swarm_wake(app_swarm *swarm, MPI_Comm comm, const app_flow *flow, bool seeks,
                      int *failed);

/* Takes new snapshots; the swarm stays awake. Local. Errors: STATUS_MEMORY. */
status app_swarm_keep(app_swarm *swarm);

/* Drops the snapshots of an awake swarm. Local. */
void app_swarm_forget(app_swarm *swarm);

/* Lets an awake swarm sleep: takes snapshots and drops the tracers. Local. Errors:
 * STATUS_MEMORY; the swarm can then only be destroyed, on all ranks. */
status app_swarm_sleep(app_swarm *swarm);

/*
 * Gives a sleeping swarm other seeds and options. Lists of seeds that stay keep their
 * particles. Particles of lists that are gone go on, but no more set out there. The mode
 * is the same. Local. Errors: STATUS_MEMORY; the swarm can then only be destroyed, on all
 * ranks.
 */
status app_swarm_change(app_swarm *swarm, const io_particles_config *config,
                        app_swarm_limits limits);

/* Copies a sleeping swarm with its particles. Local. Errors: STATUS_MEMORY. */
status app_swarm_copy(const app_swarm *swarm, app_swarm **out);

/* Closes list `list` of a sleeping swarm: nothing sets out there. Local. */
void app_swarm_close_list(app_swarm *swarm, int list);

/*
 * Moves all particles to `time`, and releases those that are due; lists that are at this
 * time already stay. The flow has this step. Collective. Errors: those of
 * trace_tracer_advance; the swarm can then only be destroyed.
 */
status app_swarm_step(app_swarm *swarm, double time);

/* Makes the lines of all particles; _drop gives their memory back. Collective; local.
 * Errors: STATUS_MEMORY. */
status app_swarm_collect(app_swarm *swarm);
void app_swarm_drop_lines(app_swarm *swarm);

/* The number of lists that have a tracer or had one; the lines of a list, borrowed (NULL:
 * none), and the number of its first seed. Local. */
int app_swarm_lists(const app_swarm *swarm);
const trace_lines *app_swarm_lines(const app_swarm *swarm, int list, int64_t *first_seed);

/* Sums over all lists; of an awake swarm. Local, the same on every rank. */
trace_counts app_swarm_count(const app_swarm *swarm);

/* ---- For files of states ----------------------------------------------------------- */

/* A list of seeds and its particles. */
typedef struct app_swarm_list {
    io_seed_config seeds;
    bool is_closed;     /* nothing sets out any more */
    int64_t first_seed; /* the number of its first seed */
    bool has_snapshot;
    trace_snapshot snapshot;
    trace_tracer *tracer; /* NULL: it sleeps, or is closed and empty */
} app_swarm_list;

/* A list of a swarm. Borrowed. Local. */
app_swarm_list *app_swarm_list_at(const app_swarm *swarm, int list);

/* Adds a list to a sleeping swarm; takes *list and empties it, also on failure. Local.
 * Errors: STATUS_MEMORY. */
status app_swarm_add_list(app_swarm *swarm, app_swarm_list *list);

#endif
