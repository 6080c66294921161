#include "swarm.h"

#include "base/array.h"
#include "base/parallel/parallel.h"
#include "frame/scene/bricks.h"
#include "plan.h"

#include <stdlib.h>
#include <string.h>

struct frame_swarm {
    trace_options options;
    int count;
    frame_swarm_list *lists; /* [count]: those of the plan in its order, then others,
                              which are closed */
};

/* ---- Lists ------------------------------------------------------------------------- */

static void clear_list(frame_swarm_list *list)
{
    trace_tracer_destroy(&list->tracer);
    trace_snapshot_clear(&list->snapshot);
    frame_seeds_clear(&list->seeds);
    *list = (frame_swarm_list){0};
}

status frame_swarm_add_list(frame_swarm *swarm, frame_swarm_list *list)
{
    const status s =
        base_array_add(swarm->lists, swarm->count, *list, "the seeds of particles");
    if (s != STATUS_OK) {
        clear_list(list);
    }
    *list = (frame_swarm_list){0};
    return s;
}

frame_swarm_list *frame_swarm_list_at(const frame_swarm *swarm, int list)
{
    return &swarm->lists[list];
}

int frame_swarm_lists(const frame_swarm *swarm)
{
    return swarm->count;
}

void frame_swarm_close_list(frame_swarm *swarm, int list)
{
    swarm->lists[list].is_closed = true;
}

/* ---- Making ------------------------------------------------------------------------ */

static trace_options options_of(const io_particles_config *config,
                                frame_swarm_limits limits)
{
    static const trace_mode modes[] = {[IO_PARTICLES_PATH] = TRACE_PATH,
                                       [IO_PARTICLES_STREAK] = TRACE_STREAK,
                                       [IO_PARTICLES_STREAM] = TRACE_STREAM};
    const bool is_long = config->trail > limits.trail && limits.trail > 0;
    return (trace_options){.mode = modes[config->mode],
                           .every = config->every,
                           .trail = is_long ? limits.trail : config->trail,
                           .direction = config->direction > 0   ? TRACE_FORWARD
                                        : config->direction < 0 ? TRACE_BACKWARD
                                                                : TRACE_BOTH,
                           .length = config->length,
                           .steps = config->max_steps,
                           .tolerance = config->tolerance,
                           .most_particles = limits.particles,
                           .most_points = limits.points};
}

/* Adds a list of seeds that has not begun. */
static status add_seeds(frame_swarm *swarm, const io_particles_config *config, int n)
{
    frame_swarm_list list = {.first_seed = frame_plan_seeds(config, n)};
    status s = frame_seeds_copy(&config->seeds[n], &list.seeds);
    return s == STATUS_OK ? frame_swarm_add_list(swarm, &list) : s;
}

status frame_swarm_create(const io_particles_config *config, frame_swarm_limits limits,
                          frame_swarm **out)
{
    frame_swarm *made = calloc(1, sizeof *made);
    status s = made ? STATUS_OK : base_fail_memory(sizeof *made, "particles");
    if (made) {
        made->options = options_of(config, limits);
    }
    for (int n = 0; s == STATUS_OK && n < config->nseeds; n++) {
        s = add_seeds(made, config, n);
    }
    if (s != STATUS_OK) {
        frame_swarm_destroy(&made);
        return s;
    }
    *out = made;
    return STATUS_OK;
}

void frame_swarm_destroy(frame_swarm **swarm)
{
    frame_swarm *s = *swarm;
    if (s) {
        for (int n = 0; n < s->count; n++) {
            clear_list(&s->lists[n]);
        }
        free(s->lists);
        free(s);
        *swarm = NULL;
    }
}

/* Moves the list of these seeds, if there is one that is not closed, from a swarm to
 * another; false if there is none. */
static bool move_list(frame_swarm *from, const io_seed_config *seeds,
                      frame_swarm_list *to)
{
    for (int n = 0; n < from->count; n++) {
        frame_swarm_list *list = &from->lists[n];
        if (!list->is_closed && list->seeds.points &&
            frame_seeds_are_same(&list->seeds, seeds)) {
            *to = *list;
            *list = (frame_swarm_list){.is_closed = true};
            return true;
        }
    }
    return false;
}

/* Adds the lists of a plan: those that the old swarm has, and new ones. */
static status take_lists(frame_swarm *swarm, const io_particles_config *config,
                         frame_swarm *old)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < config->nseeds; n++) {
        frame_swarm_list list = {0};
        if (move_list(old, &config->seeds[n], &list)) {
            list.first_seed = frame_plan_seeds(config, n);
            s = frame_swarm_add_list(swarm, &list);
        } else {
            s = add_seeds(swarm, config, n);
        }
    }
    return s;
}

/* Adds the old lists that are left and have begun, closed. */
static status take_rest(frame_swarm *swarm, frame_swarm *old)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < old->count; n++) {
        if (old->lists[n].has_snapshot) {
            old->lists[n].is_closed = true;
            s = frame_swarm_add_list(swarm, &old->lists[n]);
        }
    }
    return s;
}

status frame_swarm_change(frame_swarm *swarm, const io_particles_config *config,
                          frame_swarm_limits limits)
{
    frame_swarm old = *swarm;
    *swarm = (frame_swarm){.options = options_of(config, limits)};
    status s = take_lists(swarm, config, &old);
    if (s == STATUS_OK) {
        s = take_rest(swarm, &old);
    }
    for (int n = 0; n < old.count; n++) {
        clear_list(&old.lists[n]);
    }
    free(old.lists);
    return s;
}

/* Copies a list that has no tracer. */
static status copy_list(const frame_swarm_list *from, frame_swarm_list *to)
{
    frame_swarm_list made = *from;
    made.snapshot = (trace_snapshot){0};
    status s = frame_seeds_copy(&from->seeds, &made.seeds);
    if (s == STATUS_OK && from->has_snapshot) {
        s = trace_snapshot_copy(&from->snapshot, &made.snapshot);
    }
    *to = made;
    return s;
}

status frame_swarm_copy(const frame_swarm *swarm, frame_swarm **out)
{
    frame_swarm *made = calloc(1, sizeof *made);
    status s = made ? STATUS_OK : base_fail_memory(sizeof *made, "particles");
    for (int n = 0; s == STATUS_OK && n < swarm->count; n++) {
        frame_swarm_list list;
        s = copy_list(&swarm->lists[n], &list);
        if (s == STATUS_OK) {
            s = frame_swarm_add_list(made, &list);
        } else {
            clear_list(&list);
        }
    }
    if (s != STATUS_OK) {
        frame_swarm_destroy(&made);
        return s;
    }
    made->options = swarm->options;
    *out = made;
    return STATUS_OK;
}

/* ---- Waking ------------------------------------------------------------------------ */

/* Makes the tracer of a list that is not closed. Collective. */
static status make_tracer(const frame_swarm *swarm, MPI_Comm comm, const frame_flow *flow,
                          frame_swarm_list *list)
{
    static const trace_shape shapes[] = {[IO_SEED_POINTS] = TRACE_POINTS,
                                         [IO_SEED_LINE] = TRACE_LINE,
                                         [IO_SEED_PLANE] = TRACE_PLANE,
                                         [IO_SEED_BOX] = TRACE_BOX};
    const io_seed_config *config = &list->seeds;
    const grid_layout *layout = trace_velocity_store(frame_flow_velocity(flow))->layout;
    const size_t bytes = (size_t)config->npoints * 3 * sizeof(double);
    double(*points)[3] = malloc(bytes + 1);
    trace_seeds seeds = {.shape = shapes[config->kind],
                         .in_grid = config->block != NULL,
                         .npoints = config->npoints,
                         .points = (const double(*)[3])points};
    status s = points ? STATUS_OK : base_fail_memory(bytes, "seeds");
    if (s == STATUS_OK && config->block) {
        s = frame_block_find(layout, config->block, &seeds.block);
    }
    for (int n = 0; s == STATUS_OK && n < config->npoints; n++) {
        for (int c = 0; c < 3; c++) {
            points[n][c] =
                config->points[n][c] - (config->block ? 0.0 : layout->origin.v[c]);
        }
    }
    for (int c = 0; c < 3; c++) {
        seeds.counts[c] = config->counts[c];
    }
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = trace_tracer_create(comm, frame_flow_velocity(flow), &swarm->options, &seeds,
                                &list->tracer);
    }
    free(points);
    return s;
}

/* Collective. */
static status wake_list(const frame_swarm *swarm, MPI_Comm comm, const frame_flow *flow,
                        bool seeks, frame_swarm_list *list)
{
    status s = list->is_closed
                   ? trace_tracer_create_closed(comm, frame_flow_velocity(flow),
                                                &swarm->options, &list->tracer)
                   : make_tracer(swarm, comm, flow, list);
    if (s == STATUS_OK && list->has_snapshot) {
        s = trace_tracer_import(list->tracer, &list->snapshot, seeks);
    }
    return s;
}

static void drop_tracers(frame_swarm *swarm)
{
    for (int n = 0; n < swarm->count; n++) {
        trace_tracer_destroy(&swarm->lists[n].tracer);
    }
}

static void drop_snapshots(frame_swarm *swarm)
{
    for (int n = 0; n < swarm->count; n++) {
        trace_snapshot_clear(&swarm->lists[n].snapshot);
        swarm->lists[n].has_snapshot = false;
    }
}

status frame_swarm_wake(frame_swarm *swarm, MPI_Comm comm, const frame_flow *flow,
                        bool seeks, int *failed)
{
    status s = STATUS_OK;
    *failed = -1;
    for (int n = 0; s == STATUS_OK && n < swarm->count; n++) {
        frame_swarm_list *list = &swarm->lists[n];
        if (list->is_closed && !list->has_snapshot) {
            continue;
        }
        s = wake_list(swarm, comm, flow, seeks, list);
        *failed = s == STATUS_OK ? -1 : n;
    }
    if (s == STATUS_OK) {
        drop_snapshots(swarm);
    } else {
        drop_tracers(swarm);
    }
    return s;
}

/* ---- Sleeping ---------------------------------------------------------------------- */

status frame_swarm_keep(frame_swarm *swarm)
{
    status s = STATUS_OK;
    drop_snapshots(swarm);
    for (int n = 0; s == STATUS_OK && n < swarm->count; n++) {
        frame_swarm_list *list = &swarm->lists[n];
        if (list->tracer && trace_tracer_has_begun(list->tracer)) {
            s = trace_tracer_export(list->tracer, &list->snapshot);
            list->has_snapshot = s == STATUS_OK;
        }
    }
    return s;
}

void frame_swarm_forget(frame_swarm *swarm)
{
    drop_snapshots(swarm);
}

status frame_swarm_sleep(frame_swarm *swarm)
{
    status s = frame_swarm_keep(swarm);
    drop_tracers(swarm);
    return s;
}

/* ---- Moving ------------------------------------------------------------------------ */

/* Whether a closed list has nothing left to show: no particle is on the way, and no trail
 * that will get shorter is left. */
static bool is_over(const frame_swarm *swarm, const frame_swarm_list *list)
{
    const trace_counts counts = trace_tracer_count(list->tracer);
    const bool fades = swarm->options.mode == TRACE_PATH && swarm->options.trail >= 0;
    return list->is_closed && counts.moving == 0 && !(fades && counts.points > 0);
}

status frame_swarm_step(frame_swarm *swarm, double time)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < swarm->count; n++) {
        frame_swarm_list *list = &swarm->lists[n];
        if (!list->tracer || trace_tracer_is_at(list->tracer, time)) {
            continue;
        }
        s = trace_tracer_advance(list->tracer, time);
        if (s == STATUS_OK && is_over(swarm, list)) {
            trace_tracer_destroy(&list->tracer);
        }
    }
    return s;
}

status frame_swarm_begin_step(frame_swarm *swarm, double time)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < swarm->count; n++) {
        frame_swarm_list *list = &swarm->lists[n];
        s = list->tracer ? trace_tracer_begin_step(list->tracer, time) : s;
    }
    return s;
}

status frame_swarm_collect(frame_swarm *swarm)
{
    status s = STATUS_OK;
    for (int n = 0; s == STATUS_OK && n < swarm->count; n++) {
        if (swarm->lists[n].tracer) {
            s = trace_tracer_collect(swarm->lists[n].tracer);
        }
    }
    return s;
}

void frame_swarm_drop_lines(frame_swarm *swarm)
{
    for (int n = 0; n < swarm->count; n++) {
        if (swarm->lists[n].tracer) {
            trace_tracer_drop_lines(swarm->lists[n].tracer);
        }
    }
}

const trace_lines *frame_swarm_lines(const frame_swarm *swarm, int list,
                                     int64_t *first_seed)
{
    *first_seed = swarm->lists[list].first_seed;
    return swarm->lists[list].tracer ? trace_tracer_lines(swarm->lists[list].tracer)
                                     : NULL;
}

trace_counts frame_swarm_count(const frame_swarm *swarm)
{
    trace_counts sum = {0};
    for (int n = 0; n < swarm->count; n++) {
        if (swarm->lists[n].tracer) {
            const trace_counts one = trace_tracer_count(swarm->lists[n].tracer);
            sum.moving += one.moving;
            sum.ended += one.ended;
            sum.points += one.points;
        }
    }
    return sum;
}
