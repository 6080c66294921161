#include "lines.h"

#include "base/array.h"

#include <stdlib.h>

/* ---- Records ----------------------------------------------------------------------- */

void trace_records_add(trace_records *records, const trace_record *record)
{
    trace_record *items = base_array_reserve(records->items, &records->capacity,
                                             records->count + 1, sizeof *items);
    if (!items) {
        records->failed = true;
        return;
    }
    records->items = items;
    records->items[records->count++] = *record;
}

void trace_records_clear(trace_records *records)
{
    free(records->items);
    *records = (trace_records){0};
}

static int compare(const void *a, const void *b)
{
    const trace_record *one = a, *other = b;
    if (one->particle != other->particle) {
        return one->particle < other->particle ? -1 : 1;
    }
    return (one->place > other->place) - (one->place < other->place);
}

void trace_records_sort(trace_records *records)
{
    if (records->count > 1) {
        qsort(records->items, (size_t)records->count, sizeof *records->items, compare);
    }
}

/* ---- Lines ------------------------------------------------------------------------- */

void trace_lines_clear(trace_lines *lines)
{
    free(lines->lines);
    free(lines->points);
    *lines = (trace_lines){0};
}

/* Renumbers a record so that sorting joins lines: `particle` becomes the number of the
 * line, `place` the place along it. False if the record is not part of a line. */
static bool number_record(trace_mode mode, int64_t nseeds, trace_record *record)
{
    const int64_t release = record->particle / nseeds;
    if (mode == TRACE_PATH) {
        return true;
    }
    record->particle %= nseeds;
    if (mode == TRACE_STREAK) {
        record->place = -release; /* the last released comes first */
        return !record->ended;
    }
    /* Both directions begin at the seed, which must occur once. A line that runs only
     * against the flow has its seed at place 0, too, and sorts alike. */
    record->place = release == 0 ? record->place : -record->place;
    return !record->ended;
}

static void number_records(trace_mode mode, int64_t nseeds, trace_records *records)
{
    int64_t kept = 0;
    for (int64_t n = 0; n < records->count; n++) {
        if (number_record(mode, nseeds, &records->items[n])) {
            records->items[kept++] = records->items[n];
        }
    }
    records->count = kept;
}

/* Whether a record continues the line of the record before. */
static bool is_joined(trace_mode mode, const trace_record *before, const trace_record *r)
{
    /* A streak breaks at a particle that has ended. */
    return r->particle == before->particle &&
           (mode != TRACE_STREAK || r->place == before->place + 1);
}

static trace_point point_of(const trace_record *r)
{
    return (trace_point){
        {(float)r->x[0], (float)r->x[1], (float)r->x[2]}, (float)r->age, (float)r->value};
}

static void add_record(trace_mode mode, int64_t nseeds, const trace_records *records,
                       int64_t n, trace_lines *out)
{
    const trace_record *r = &records->items[n];
    const trace_record *before = n > 0 ? r - 1 : NULL;
    const bool joined = before && is_joined(mode, before, r);
    if (r->ended) {
        if (joined) {
            out->lines[out->nlines - 1].ended = true;
        }
        return;
    }
    if (mode == TRACE_STREAM && joined && r->place == before->place) {
        return; /* the seed, a second time */
    }
    if (!joined) {
        out->lines[out->nlines] = (trace_line){
            .seed = r->particle % nseeds, .particle = r->particle, .first = out->npoints};
        out->nlines++;
    }
    out->lines[out->nlines - 1].count++;
    out->points[out->npoints++] = point_of(r);
}

status trace_lines_make(trace_mode mode, int64_t nseeds, trace_records *records,
                        trace_lines *out)
{
    number_records(mode, nseeds, records);
    trace_records_sort(records);
    const size_t count = (size_t)records->count + 1;
    *out = (trace_lines){.lines = malloc(count * sizeof *out->lines),
                         .points = malloc(count * sizeof *out->points)};
    if (!out->lines || !out->points) {
        trace_lines_clear(out);
        return base_fail_memory(count * sizeof *out->points, "the lines of particles");
    }
    for (int64_t n = 0; n < records->count; n++) {
        add_record(mode, nseeds, records, n, out);
    }
    return STATUS_OK;
}
