#include "particles.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/load/load.h"
#include "state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The collection ---------------------------------------------------------------- */

status frame_particles_create(MPI_Comm comm, frame_particles **out)
{
    frame_particles *made = calloc(1, sizeof *made);
    if (!made) {
        return base_fail_memory(sizeof *made, "particles");
    }
    made->comm = comm;
    *out = made;
    return STATUS_OK;
}

static void drop_lives(frame_particles *p)
{
    for (int n = 0; n < p->nlives; n++) {
        particles_live_clear(&p->lives[n]);
    }
    free(p->lives);
    p->lives = NULL;
    p->nlives = 0;
}

void frame_particles_destroy(frame_particles **particles)
{
    frame_particles *p = *particles;
    if (!p) {
        return;
    }
    drop_lives(p);
    particles_drop_grid(p);
    particles_wishes_clear(p, NULL);
    free(p->wishes);
    for (int n = 0; n < p->data.npriority; n++) {
        free(p->data.priority[n]);
    }
    free(p->data.priority);
    free(p);
    *particles = NULL;
}

void particles_say(frame_particles *p, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(p->note, sizeof p->note, format, list);
    va_end(list);
    p->has_note = true;
    base_log_warning("%s", p->note);
}

const char *frame_particles_note(frame_particles *particles)
{
    const bool has_note = particles->has_note;
    particles->has_note = false;
    return has_note ? particles->note : NULL;
}

trace_counts frame_particles_count(const frame_particles *particles)
{
    trace_counts sum = {0};
    for (int n = 0; n < particles->nlives; n++) {
        if (particles->lives[n].swarm) {
            const trace_counts one = frame_swarm_count(particles->lives[n].swarm);
            sum.moving += one.moving;
            sum.ended += one.ended;
            sum.points += one.points;
        }
    }
    return sum;
}

static void sum_bytes(const frame_particles *p, int64_t *values, int64_t *grid)
{
    *values = *grid = 0;
    for (int n = 0; n < p->nflows; n++) {
        int64_t of_values = 0, of_grid = 0;
        frame_flow_bytes(p->flows[n].flow, &of_values, &of_grid);
        *values += of_values;
        *grid += of_grid;
    }
}

int64_t frame_particles_bytes(const frame_particles *particles)
{
    int64_t values, grid;
    sum_bytes(particles, &values, &grid);
    return values + grid;
}

/* ---- Failures ---------------------------------------------------------------------- */

/* The layer that a swarm belongs to, for messages. */
static void name_live(const particles_live *live, size_t size, char *text)
{
    const char *owner = live->nowners > 0 ? live->owners[0] : "/0";
    const char *slash = strrchr(owner, '/');
    snprintf(text, size, "%.*s%slayers.%s.particles", (int)(slash - owner), owner,
             slash > owner ? ": " : "", slash + 1);
}

/* Drops the swarm of a failure that base_fail_message tells. The same on every rank. */
static void fail_live(frame_particles *p, particles_live *live, status s)
{
    enum { MOST_DOUBLINGS = 10 };
    char name[OWNER_SIZE + 32];
    name_live(live, sizeof name, name);
    frame_swarm_destroy(&live->swarm);
    live->flow = -1;
    live->failed = s;
    free(live->message);
    live->message = strdup(base_fail_message());
    live->wait =
        INT64_C(1) << (live->failures < MOST_DOUBLINGS ? live->failures : MOST_DOUBLINGS);
    if (live->failures++ == 0) {
        particles_say(p, "%s: %.512s (they set out anew as soon as it works)", name,
                      base_fail_message());
    }
}

/* Whether a swarm takes part in this step. */
static bool takes_part(const particles_live *live)
{
    return live->swarm || live->wait <= 0;
}

/* ---- Flows ------------------------------------------------------------------------- */

/* Whether a swarm can follow a flow: one without a field takes any of its velocity. */
static bool can_follow(const frame_plan *flow, const frame_plan *plan)
{
    frame_plan bare = *flow;
    if (!frame_plan_field(&plan->config)) {
        bare.config.color_what = IO_PAINT_CONSTANT;
    }
    return frame_plan_has_flow(&bare, plan);
}

static int find_flow(const frame_particles *p, const frame_plan *plan)
{
    for (int n = 0; n < p->nflows; n++) {
        if (can_follow(&p->flows[n].plan, plan)) {
            return n;
        }
    }
    return -1;
}

static status make_recipes(io_source *source, const frame_plan *plan,
                           frame_flow_recipes *out)
{
    status s = STATUS_OK;
    for (int c = 0; s == STATUS_OK && c < TRACE_COMPONENTS; c++) {
        const char *name = c == TRACE_FIELD ? frame_plan_field(&plan->config)
                                            : plan->config.velocity[c - TRACE_U];
        if (!name) {
            continue;
        }
        s = grid_recipe_create(name, io_source_field_count(source),
                               io_source_fields(source), plan->terms, &out->of[c]);
        if (s == STATUS_OK) {
            grid_recipe_move_to_vertices(out->of[c]);
        }
    }
    return s;
}

static status add_flow(frame_particles *p, const frame_plan *plan)
{
    const size_t bytes = ((size_t)p->nflows + 1) * sizeof *p->flows;
    particles_flow *flows = realloc(p->flows, bytes);
    if (!flows) {
        return base_fail_memory(bytes, "particles");
    }
    p->flows = flows;
    flows[p->nflows] = (particles_flow){0};
    return frame_plan_copy(&plan->config, plan->terms, &flows[p->nflows].plan);
}

/* Makes a flow for a plan. Collective. */
static status make_flow(frame_particles *p, io_source *source, const frame_plan *plan)
{
    frame_flow_recipes recipes = {0};
    status s = add_flow(p, plan);
    if (s == STATUS_OK) {
        s = make_recipes(source, plan, &recipes);
    }
    s = parallel_agree(p->comm, s);
    if (s == STATUS_OK) {
        const io_load_list list = {p->layout, p->nbricks, p->bricks, GRID_VERTEX};
        s = frame_flow_create(p->comm, source, &list, APP_FLOW_LIVE, &recipes,
                              &p->flows[p->nflows].flow);
    }
    frame_flow_recipes_clear(&recipes);
    if (s != STATUS_OK && p->flows) {
        frame_plan_clear(&p->flows[p->nflows].plan);
    }
    p->nflows += s == STATUS_OK;
    return s;
}

/* Loads a flow's step, unless it has it. Collective. */
static status load_flow(frame_particles *p, int n, io_source *source, int step)
{
    particles_flow *flow = &p->flows[n];
    if (flow->is_loaded) {
        return STATUS_OK;
    }
    status s = frame_flow_load(flow->flow, source, step, NULL, NULL);
    flow->is_loaded = s == STATUS_OK;
    return s;
}

/* Frees the flows that no swarm follows. */
static void drop_unused_flows(frame_particles *p)
{
    int kept = 0;
    for (int n = 0; n < p->nflows; n++) {
        bool is_used = false;
        for (int l = 0; l < p->nlives; l++) {
            is_used |= p->lives[l].flow == n;
        }
        if (!is_used) {
            frame_flow_destroy(&p->flows[n].flow);
            frame_plan_clear(&p->flows[n].plan);
            continue;
        }
        for (int l = 0; l < p->nlives && kept < n; l++) {
            p->lives[l].flow = p->lives[l].flow == n ? kept : p->lives[l].flow;
        }
        p->flows[kept++] = p->flows[n];
    }
    p->nflows = kept;
}

/* Reports the memory of all flows, if it has changed much. Collective. */
static void tell_bytes(frame_particles *p)
{
    const double mega = 1e6;
    int64_t bytes[2];
    sum_bytes(p, &bytes[0], &bytes[1]);
    parallel_allreduce(MPI_IN_PLACE, bytes, 2, MPI_INT64_T, MPI_SUM, p->comm);
    const int64_t all = bytes[0] + bytes[1];
    if (llabs(all - p->told) * 10 > p->told) {
        p->told = all;
        if (all > 0) {
            base_log_note(
                "particles keep the velocity of one step, %.1f MB, and the grid "
                "around it, %.1f MB, on all ranks together",
                (double)bytes[0] / mega, (double)bytes[1] / mega);
        }
    }
}

/* ---- Steps ------------------------------------------------------------------------- */

/* Wakes a swarm. Lists of seeds that cannot be are closed, and the user hears of it.
 * Collective. */
static status wake(frame_particles *p, particles_live *live)
{
    status s = STATUS_USAGE;
    const frame_flow *flow = p->flows[live->flow].flow;
    while (s == STATUS_USAGE) {
        int failed = -1;
        s = frame_swarm_wake(live->swarm, p->comm, flow, live->seeks, &failed);
        if (s == STATUS_USAGE && failed >= 0) {
            char name[OWNER_SIZE + 32];
            name_live(live, sizeof name, name);
            particles_say(p, "%s.seeds.%d: nothing sets out there: %.400s", name, failed,
                          base_fail_message());
            base_fail_set_message("");
            frame_swarm_close_list(live->swarm, failed);
        }
    }
    live->seeks = live->seeks && s != STATUS_OK;
    return s;
}

/* Brings a swarm that sleeps, or has failed, to a flow. Collective. */
static status rouse(frame_particles *p, particles_live *live, io_source *source, int step)
{
    status s = STATUS_OK;
    if (!live->swarm) {
        s = parallel_agree(p->comm, frame_swarm_create(&live->plan.config,
                                                       particles_limits(), &live->swarm));
    }
    int flow = find_flow(p, &live->plan);
    if (s == STATUS_OK && flow < 0) {
        s = make_flow(p, source, &live->plan);
        flow = p->nflows - 1;
    }
    if (s == STATUS_OK) {
        s = load_flow(p, flow, source, step);
    }
    if (s == STATUS_OK) {
        live->flow = flow;
        s = wake(p, live);
    }
    return s;
}

/* Moves the particles of a layer. Collective. */
static status step_live(frame_particles *p, particles_live *live, io_source *source,
                        int step)
{
    status s = STATUS_OK;
    if (live->flow < 0) {
        s = rouse(p, live, source, step);
    } else {
        s = load_flow(p, live->flow, source, step);
    }
    return s == STATUS_OK ? frame_swarm_step(live->swarm, p->time) : s;
}

void particles_restart(frame_particles *p)
{
    for (int n = 0; n < p->nlives; n++) {
        frame_swarm_destroy(&p->lives[n].swarm);
        p->lives[n].flow = -1;
    }
    particles_drop_flows(p);
}

/* Compares the step with the last one: *is_new if fields must be loaded. */
static status take_time(frame_particles *p, const io_step *step, bool *is_new)
{
    enum { LONG = 10 };
    if (!isfinite(step->time)) {
        return base_fail(STATUS_INPUT,
                         "particles need the time of each step: step %lld "
                         "has none",
                         (long long)step->number);
    }
    *is_new = !p->has_begun || step->time != p->time || step->number != p->cycle;
    const bool stands = p->has_begun && *is_new && step->time == p->time;
    p->standing = stands ? p->standing + 1 : 0;
    if (p->standing == LONG) {
        particles_say(p, "particles stand still: %d steps in a row have the time %g",
                      LONG, step->time);
    }
    if (p->has_begun && step->time < p->time) {
        particles_say(p, "particles set out anew: the time goes back from %g to %g",
                      p->time, step->time);
        particles_restart(p);
    }
    p->has_begun = true;
    p->time = step->time;
    p->cycle = step->number;
    return STATUS_OK;
}

/* Takes up changes of plans. If memory has run out on any rank, all ranks drop their
 * particles. Collective. */
static status prepare(frame_particles *p)
{
    const status s = p->is_changed ? particles_reconcile(p) : STATUS_OK;
    int broken[2] = {s != STATUS_OK || p->is_broken, p->has_no_wishes};
    parallel_allreduce(MPI_IN_PLACE, broken, 2, MPI_INT, MPI_MAX, p->comm);
    if (!broken[0] && !broken[1]) {
        return STATUS_OK;
    }
    drop_lives(p);
    particles_drop_flows(p);
    if (broken[1]) {
        particles_wishes_clear(p, NULL);
    }
    p->is_changed = true;
    p->is_broken = p->has_no_wishes = false;
    return base_fail(STATUS_MEMORY, "not enough memory for the particles: they are lost");
}

/* Moves the particles of all layers, and goes on after a failure. Collective. */
static status step_all(frame_particles *p, io_source *source, int step)
{
    char first[NOTE_SIZE] = "";
    status all = STATUS_OK;
    for (int n = 0; n < p->nlives; n++) {
        particles_live *live = &p->lives[n];
        if (!takes_part(live)) {
            continue;
        }
        const status s = step_live(p, live, source, step);
        if (s == STATUS_OK) {
            live->failures = 0;
            live->failed = STATUS_OK;
            continue;
        }
        fail_live(p, live, s);
        if (all == STATUS_OK) {
            all = s;
            snprintf(first, sizeof first, "%s", base_fail_message());
        }
        base_fail_set_message("");
    }
    base_fail_set_message(first);
    return all;
}

status frame_particles_begin(frame_particles *p, io_source *source, int step)
{
    bool is_new = false;
    status s = particles_cross(p, source, step);
    s = s != STATUS_OK ? s : take_time(p, &io_source_steps(source)[step], &is_new);
    if (s == STATUS_OK) {
        s = prepare(p);
    }
    if (s == STATUS_OK && p->nlives > 0) {
        s = particles_find_grid(p, source);
    }
    for (int n = 0; n < p->nlives && is_new; n++) {
        p->lives[n].wait--;
    }
    for (int n = 0; n < p->nflows; n++) {
        p->flows[n].is_loaded = p->flows[n].is_loaded && !is_new;
    }
    return s;
}

status frame_particles_step(frame_particles *particles, io_source *source, int step)
{
    frame_particles *p = particles;
    status s = frame_particles_begin(p, source, step);
    if (s != STATUS_OK) {
        return s;
    }
    const int before = p->nflows;
    s = step_all(p, source, step);
    for (int n = 0; n < p->nflows; n++) {
        frame_flow_rest(p->flows[n].flow);
    }
    drop_unused_flows(p);
    if (p->nlives == 0) {
        particles_drop_grid(p);
    }
    if (io_source_is_in_memory(source) && (p->nflows != before || p->told == 0)) {
        tell_bytes(p);
    }
    return s;
}

status frame_particles_find(const frame_particles *particles,
                            const io_particles_config *config, grid_terms terms,
                            frame_swarm **out)
{
    for (int n = 0; n < particles->nlives; n++) {
        const particles_live *live = &particles->lives[n];
        if (!frame_plan_is_same(&live->plan, config, terms)) {
            continue;
        }
        if (live->swarm && live->flow >= 0) {
            *out = live->swarm;
            return STATUS_OK;
        }
        return base_fail(live->failed != STATUS_OK ? live->failed : STATUS_INTERNAL, "%s",
                         live->message ? live->message : "its particles failed");
    }
    return base_fail(STATUS_INTERNAL, "nobody moves the particles of this layer");
}
