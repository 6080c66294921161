#include "snapshot.h"

#include "exchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void trace_snapshot_clear(trace_snapshot *snapshot)
{
    free(snapshot->times);
    free(snapshot->travellers);
    trace_records_clear(&snapshot->records);
    *snapshot = (trace_snapshot){0};
}

/* Copies an array, which may be empty; NULL without memory. */
static void *copy_array(const void *from, int64_t count, size_t size)
{
    void *copy = malloc((size_t)count * size + 1);
    if (copy && count > 0) {
        memcpy(copy, from, (size_t)count * size);
    }
    return copy;
}

status trace_snapshot_copy(const trace_snapshot *snapshot, trace_snapshot *out)
{
    trace_snapshot made = *snapshot;
    made.times = copy_array(snapshot->times, snapshot->ntimes, sizeof *made.times);
    made.travellers =
        copy_array(snapshot->travellers, snapshot->ntravellers, sizeof *made.travellers);
    made.records.capacity = snapshot->records.count;
    made.records.items = copy_array(snapshot->records.items, snapshot->records.count,
                                    sizeof *made.records.items);
    const bool works = made.times && made.travellers && made.records.items;
    if (!works) {
        trace_snapshot_clear(&made);
    }
    *out = made;
    return works ? STATUS_OK : base_fail_memory(0, "the state of particles");
}

/* ---- Keeping ----------------------------------------------------------------------- */

static trace_traveller traveller_of(const trace_particle *p)
{
    return (trace_traveller){
        .number = p->number,
        .records = p->records,
        .steps = p->steps,
        .x = {p->x[0], p->x[1], p->x[2]},
        .release = p->release,
        .length = p->length,
        .value = p->value,
        .next_step = p->next_step,
        .velocity = {p->velocity[0], p->velocity[1], p->velocity[2]},
        .past = p->past,
        .bend = {p->bend[0], p->bend[1], p->bend[2]},
        .guess = {p->place.local[0], p->place.local[1], p->place.local[2]},
        .cell = p->cell};
}

static status fail_records(const trace_records *records)
{
    return base_fail_memory((size_t)records->count * sizeof *records->items,
                            "the ways of particles");
}

status trace_snapshot_keep(trace_snapshot *snapshot, const trace_crowd *crowd,
                           const trace_records *records)
{
    const size_t bytes = ((size_t)crowd->count + 1) * sizeof *snapshot->travellers;
    snapshot->travellers = malloc(bytes);
    if (!snapshot->travellers) {
        return base_fail_memory(bytes, "the state of particles");
    }
    for (int64_t n = 0; n < crowd->count; n++) {
        const trace_particle p = trace_crowd_get(crowd, n);
        snapshot->travellers[n] = traveller_of(&p);
    }
    snapshot->ntravellers = crowd->count;
    for (int64_t n = 0; n < records->count && !snapshot->records.failed; n++) {
        trace_records_add(&snapshot->records, &records->items[n]);
    }
    return snapshot->records.failed ? fail_records(records) : STATUS_OK;
}

/* ---- Taking ------------------------------------------------------------------------ */

status trace_snapshot_check(const trace_snapshot *snapshot)
{
    const int64_t most = INT64_MAX / 4; /* numbers of particles must not overflow */
    bool is_fine = snapshot->calls > 0 && snapshot->calls < most &&
                   snapshot->releases >= 0 && snapshot->nseeds > 0 &&
                   snapshot->releases < most / snapshot->nseeds && snapshot->ended >= 0 &&
                   isfinite(snapshot->now);
    for (int n = 0; n < 3; n++) {
        is_fine = is_fine && isfinite(snapshot->origin[n]);
    }
    for (int64_t n = 0; n < snapshot->ntimes; n++) {
        is_fine = is_fine && isfinite(snapshot->times[n]) &&
                  snapshot->times[n] <= snapshot->now;
    }
    return is_fine ? STATUS_OK
                   : base_fail(STATUS_INPUT,
                               "the state of the particles has impossible numbers");
}

/* Moves a position to another origin; false if it is not finite. */
static bool shift_place(const double shift[3], double x[3])
{
    bool is_fine = true;
    for (int n = 0; n < 3; n++) {
        x[n] += shift[n];
        is_fine = is_fine && isfinite(x[n]);
    }
    return is_fine;
}

/* Whether a cell lies within its block. */
static bool is_cell(const grid_layout *layout, const trace_cell *cell)
{
    bool is_fine = cell->block >= 0 && cell->block < layout->nblocks;
    for (int n = 0; n < 3 && is_fine; n++) {
        is_fine = cell->at[n] >= 0 && cell->at[n] < layout->blocks[cell->block].n[n] - 1;
    }
    return is_fine;
}

static trace_particle particle_of(const trace_traveller *from, double now,
                                  const double x[3])
{
    trace_particle p = trace_particle_seek(from->number, x);
    p.records = from->records;
    p.steps = from->steps;
    p.direction = 1.0;
    p.time = now;
    p.release = isfinite(from->release) ? from->release : now;
    p.length = from->length;
    p.value = from->value;
    p.next_step = from->next_step > 0.0 ? from->next_step : INFINITY;
    return p;
}

/* Takes the step before over, if its numbers can be. */
static void take_past(const trace_traveller *from, trace_particle *p)
{
    bool is_fine = from->past > 0.0 && isfinite(from->past);
    for (int n = 0; n < 3; n++) {
        is_fine = is_fine && isfinite(from->velocity[n]) && isfinite(from->bend[n]) &&
                  isfinite(from->guess[n]);
        p->velocity[n] = from->velocity[n];
        p->bend[n] = from->bend[n];
        p->place.local[n] = from->guess[n];
    }
    p->past = is_fine ? from->past : 0.0;
}

static status take_travellers(const trace_snapshot *snapshot, const grid_layout *layout,
                              const double shift[3], bool seeks, trace_crowd *crowd)
{
    status s = STATUS_OK;
    for (int64_t n = 0; n < snapshot->ntravellers && s == STATUS_OK; n++) {
        const trace_traveller *from = &snapshot->travellers[n];
        double x[3] = {from->x[0], from->x[1], from->x[2]};
        if (!shift_place(shift, x) || from->number < 0 || from->records < 0) {
            continue;
        }
        trace_particle p = particle_of(from, snapshot->now, x);
        if (!seeks && is_cell(layout, &from->cell)) {
            p.cell = from->cell;
            p.state = TRACE_ARRIVED;
            take_past(from, &p);
        }
        s = trace_crowd_add(crowd, &p);
    }
    return s;
}

static status take_records(const trace_snapshot *snapshot, const double shift[3],
                           trace_records *records)
{
    for (int64_t n = 0; n < snapshot->records.count; n++) {
        trace_record record = snapshot->records.items[n];
        if (shift_place(shift, record.x) && record.particle >= 0 && record.place >= 0 &&
            record.time <= snapshot->now) {
            trace_records_add(records, &record);
        }
    }
    return records->failed ? fail_records(&snapshot->records) : STATUS_OK;
}

status trace_snapshot_take(const trace_snapshot *snapshot, const grid_layout *layout,
                           bool seeks, trace_crowd *crowd, trace_records *records)
{
    double shift[3];
    for (int n = 0; n < 3; n++) {
        shift[n] = snapshot->origin[n] - layout->origin.v[n];
    }
    status s = take_travellers(snapshot, layout, shift, seeks, crowd);
    return s == STATUS_OK ? take_records(snapshot, shift, records) : s;
}
