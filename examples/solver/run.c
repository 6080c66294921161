#include "run.h"

#include "checkpoint.h"
#include "failure.h"
#include "flow/flow.h"
#include "insitu.h"
#include "monitor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The state of a run. */
typedef struct run {
    const solver_config *config;
    solver_flow *flow;
    solver_monitor *monitor;
    karman_session *session; /* NULL: no pictures */
    double cfl, end;         /* of the config, until orders change them */
    bool speaks, in_place;
    int64_t written; /* step of the last checkpoint, or -1 */
} run;

/* The initial state: the free stream, and a vortex behind the body that breaks the
 * symmetry. */
typedef struct start {
    double pressure, strength, length;
} start;

static void start_state(const void *context, const double position[3], double state[5])
{
    const start *s = context;
    double x = position[0] / s->length - 1.5, y = position[1] / s->length;
    const double disturbed[5] = {1.0, 1.0, s->strength * exp(-x * x - y * y), 0.0,
                                 s->pressure};
    memcpy(state, disturbed, sizeof disturbed);
}

/* Whether the run adds its checkpoints to the series from which it restarts, even if the
 * two paths differ. Collective. */
static bool find_in_place(MPI_Comm comm, const solver_config *c)
{
    struct stat from, to;
    int same = 0;
    if (c->output[0] && c->restart[0] && solver_rank(comm) == 0) {
        same = stat(c->restart, &from) == 0 && stat(c->output, &to) == 0 &&
               from.st_dev == to.st_dev && from.st_ino == to.st_ino;
    }
    MPI_Bcast(&same, 1, MPI_INT, 0, comm);
    return same;
}

static bool begin(run *r)
{
    const solver_config *c = r->config;
    start begin_with = {solver_flow_gas(r->flow)->pressure, c->disturbance,
                        solver_config_length(c)};
    bool works = true;
    if (c->restart[0]) {
        works = solver_checkpoint_read(r->flow, c->restart);
    } else {
        solver_flow_start(r->flow, start_state, &begin_with);
    }
    if (works && c->output[0]) {
        works = r->in_place ? solver_checkpoint_resume(r->flow, c->output)
                            : solver_checkpoint_create(r->flow, c->output, c->restart);
    }
    works = works && solver_monitor_create(r->flow, solver_config_area(c), c->monitors,
                                           &r->monitor);
    if (works && c->insitu[0]) {
        works = solver_insitu_open(r->flow, c->insitu, r->in_place, &r->cfl,
                                   c->steps > 0 ? NULL : &r->end, &r->session);
    }
    if (works && c->restart[0]) {
        solver_insitu_restore(r->session, r->flow);
    }
    return works;
}

static bool is_over(const run *r)
{
    const solver_config *c = r->config;
    return c->steps > 0 ? solver_flow_steps(r->flow) >= c->steps
                        : solver_flow_time(r->flow) >= r->end;
}

static bool write_checkpoint(run *r)
{
    int64_t steps = solver_flow_steps(r->flow);
    if (!r->config->output[0] || r->written == steps) {
        return true;
    }
    r->written = steps;
    if (!solver_checkpoint_add(r->flow, r->config->output)) {
        return false;
    }
    solver_insitu_save(r->session, r->flow);
    return true;
}

/* Prints about one line for each unit of time. */
static void report(const run *r, double *next)
{
    const solver_sample *samples;
    int64_t n = solver_monitor_samples(r->monitor, &samples);
    if (r->speaks && n > 0 && samples[n - 1].time >= *next) {
        const solver_sample *s = &samples[n - 1];
        printf("step %lld  time %.3f  residual %.2e  drag %.4f  lift %.4f\n",
               (long long)s->steps, s->time, s->residual, s->drag, s->lift);
        fflush(stdout);
        *next = floor(s->time) + 1.0;
    }
}

static bool after_step(run *r, double *next)
{
    const solver_config *c = r->config;
    const solver_sample *samples;
    int64_t steps = solver_flow_steps(r->flow);
    bool works = true;
    if (steps % c->monitor_every == 0) {
        works = solver_monitor_take(r->monitor, r->flow);
        report(r, next);
        int64_t n = solver_monitor_samples(r->monitor, &samples);
        if (n > 0) {
            solver_insitu_publish(r->session, &samples[n - 1]);
        }
    }
    if (c->output_every > 0 && steps % c->output_every == 0) {
        works = works && write_checkpoint(r);
    }
    return works;
}

static void report_shedding(const run *r)
{
    const solver_sample *samples;
    int64_t n = solver_monitor_samples(r->monitor, &samples);
    if (!r->speaks || n < 1) {
        return;
    }
    solver_shedding shedding = solver_shedding_find(n, samples);
    if (shedding.periods < 2) {
        printf("no vortex shedding: the lift made fewer than two oscillations in the "
               "second half\n");
        return;
    }
    printf("Strouhal number %.4f over %d periods, lift +-%.3f\n",
           shedding.frequency * solver_config_length(r->config), shedding.periods,
           shedding.amplitude);
}

static bool step_to_end(run *r)
{
    double next = 0.0;
    bool works = begin(r);
    bool goes_on = works && solver_insitu_step(r->session, r->flow);
    while (works && goes_on && !is_over(r)) {
        works = solver_flow_step(r->flow, r->cfl) && after_step(r, &next);
        goes_on = works && solver_insitu_step(r->session, r->flow);
    }
    works = works && write_checkpoint(r);
    if (works) {
        report_shedding(r);
    }
    return works;
}

bool solver_run(MPI_Comm comm, const solver_config *config)
{
    run r = {.config = config,
             .cfl = config->cfl,
             .end = config->end,
             .speaks = solver_rank(comm) == 0,
             .in_place = find_in_place(comm, config),
             .written = -1};
    solver_grid *grid = NULL;
    solver_conditions conditions = config->flow;
    conditions.reynolds /= solver_config_length(config);
    bool works = solver_agree(comm, solver_config_grid(config, &grid)) &&
                 solver_flow_create(comm, grid, &conditions, &r.flow);
    solver_grid_destroy(&grid);
    works = works && step_to_end(&r);
    karman_close(&r.session);
    solver_monitor_destroy(&r.monitor);
    solver_flow_destroy(&r.flow);
    return works;
}
