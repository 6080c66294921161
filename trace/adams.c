/* Batches of particles for the kernels of adams/. */
#include "adams/batch.h"

#include "base/lanes/choose.h"
#include "particle.h"

#include <math.h>
#include <string.h>

trace_adams_kernel *const *trace_adams_kernels(void)
{
    static trace_adams_kernel *const all[] = {
#ifdef KARMAN_X86_KERNELS
        trace_adams_avx512, trace_adams_avx2,
#endif
#ifdef KARMAN_FOUR_KERNELS
        trace_adams_four,
#endif
        trace_adams_plain, NULL};
    return all + lanes_missing();
}

bool trace_adams_may_move(const trace_rule *rule, const trace_particle *p)
{
    return trace_particle_goes_on(rule, p) && p->past > 0.0 && !rule->is_frozen &&
           p->time == rule->before && rule->end == rule->now;
}

/* ---- Batches ----------------------------------------------------------------------- */

/* A batch in the making. */
typedef struct filling {
    trace_adams_batch batch;
    trace_particle *of[TRACE_ADAMS_BATCH];
    int count;
} filling;

static void put(filling *f, trace_particle *p, const trace_corners *corners)
{
    trace_adams_batch *b = &f->batch;
    const int n = f->count++;
    f->of[n] = p;
    for (int corner = 0; corner < 8; corner++) {
        b->at[corner][n] = 4 * corners->vertex[corner];
        b->flow_at[corner][n] = b->width * corners->vertex[corner];
    }
    for (int c = 0; c < 3; c++) {
        b->x[c][n] = p->x[c];
        b->velocity[c][n] = p->velocity[c];
        b->bend[c][n] = p->bend[c];
    }
    b->past[n] = p->past;
}

/* Fills unused lanes with a copy of the first. */
static void pad(filling *f)
{
    trace_adams_batch *b = &f->batch;
    for (int n = f->count; n < TRACE_ADAMS_BATCH; n++) {
        for (int corner = 0; corner < 8; corner++) {
            b->at[corner][n] = b->at[corner][0];
            b->flow_at[corner][n] = b->flow_at[corner][0];
        }
        for (int c = 0; c < 3; c++) {
            b->x[c][n] = b->x[c][0];
            b->velocity[c][n] = b->velocity[c][0];
            b->bend[c][n] = b->bend[c][0];
        }
        b->past[n] = b->past[0];
    }
}

/* Moves the batch, and takes the results over. */
static void move(const trace_rule *rule, filling *f, trace_records *records)
{
    trace_adams_batch *b = &f->batch;
    if (f->count == 0) {
        return;
    }
    pad(f);
    trace_adams_kernels()[0](b);
    for (int n = 0; n < f->count; n++) {
        if (b->good[n]) {
            const trace_arrival to = {
                {b->to[0][n], b->to[1][n], b->to[2][n]},
                {b->velocity[0][n], b->velocity[1][n], b->velocity[2][n]},
                b->value[n]};
            trace_particle_arrive(rule, f->of[n], &to, records);
        }
    }
    f->count = 0;
}

/* Tells the processor that the first part of a particle, up to its steps, will be needed:
 * three or four lines of the cache. */
static void fetch(const trace_particle *p)
{
    enum { LINE = 64 };
    const char *first = (const char *)p, *last = (const char *)(&p->steps + 1) - 1;
    for (const char *at = first; at < last; at += LINE) {
        __builtin_prefetch(at, 1);
    }
    __builtin_prefetch(last, 1);
}

void trace_adams_move(const trace_rule *rule, int64_t count, trace_particle *particles,
                      trace_records *records)
{
    enum { AHEAD = 8 };
    const grid_store *store = trace_locator_store(rule->locator);
    filling f;
    if (!rule->velocity) {
        return; /* seeds are searched for */
    }
    f.count = 0;
    f.batch.vertices = &store->vertex[0][0];
    f.batch.flow = trace_velocity_now(rule->velocity, &f.batch.width);
    f.batch.step = rule->end - rule->before;
    f.batch.tolerance = rule->tolerance;
    f.batch.margin = TRACE_MARGIN;
    for (int64_t n = 0; n < count; n++) {
        trace_corners corners;
        fetch(&particles[n + AHEAD < count ? n + AHEAD : n]);
        if (trace_adams_may_move(rule, &particles[n]) &&
            trace_cell_look(store, &particles[n].cell, &corners) == TRACE_PRESENT) {
            put(&f, &particles[n], &corners);
        }
        if (f.count == TRACE_ADAMS_BATCH) {
            move(rule, &f, records);
        }
    }
    move(rule, &f, records);
}
