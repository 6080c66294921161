#include "strands.h"

#include "base/hash.h"

#include <stdlib.h>

/* A zone at its time. */
typedef struct tecplot_moment {
    int64_t group; /* a strand, a line or a block */
    int rank;      /* of a line: its number in the strand */
    double time;
    int zone, block;
} tecplot_moment;

static int compare_moments(const void *a, const void *b)
{
    const tecplot_moment *x = a, *y = b;
    return x->group != y->group ? (x->group < y->group ? -1 : 1)
           : x->rank != y->rank ? x->rank - y->rank
           : x->time != y->time ? (x->time < y->time ? -1 : 1)
                                : x->zone - y->zone;
}

static void sort_moments(tecplot_moment *moments, int count)
{
    qsort(moments, (size_t)count, sizeof *moments, compare_moments);
}

/* Numbers the zones of one strand and time. `all` is room for the work. */
static void set_ranks(tecplot_file *file, tecplot_moment *all)
{
    int rank = 0;
    for (int n = 0; n < file->nzones; n++) {
        all[n] = (tecplot_moment){
            .group = file->zones[n].strand, .time = file->zones[n].time, .zone = n};
    }
    sort_moments(all, file->nzones);
    for (int n = 0; n < file->nzones; n++) {
        const bool goes_on =
            n > 0 && all[n].group == all[n - 1].group && all[n].time == all[n - 1].time;
        rank = goes_on ? rank + 1 : 0;
        file->zones[all[n].zone].rank = rank;
    }
}

status tecplot_strands_create(tecplot_file *file, tecplot_strands *out)
{
    const size_t count = (size_t)file->nzones + 1;
    *out = (tecplot_strands){.file = file,
                             .blocks = calloc(count, sizeof *out->blocks),
                             .all = calloc(count, sizeof *out->all),
                             .at = calloc(count, sizeof *out->at)};
    if (!out->blocks || !out->all || !out->at) {
        return base_fail_memory(count * sizeof *out->all, "the zones of a Tecplot file");
    }
    set_ranks(file, out->all);
    return STATUS_OK;
}

void tecplot_strands_clear(tecplot_strands *strands)
{
    base_lookup_clear(&strands->lines);
    free(strands->blocks);
    free(strands->all);
    free(strands->at);
}

/* ---- Lines ------------------------------------------------------------------------- */

static uint64_t key_of(const tecplot_zone *zone)
{
    const int64_t line[2] = {zone->strand, zone->rank};
    return base_hash_words(BASE_HASH_START, line, sizeof line);
}

int64_t tecplot_strands_next(const tecplot_strands *strands, const tecplot_zone *zone,
                             int64_t *at)
{
    int64_t n = -1;
    bool is_other = zone->strand > 0;
    while (is_other && (n = base_lookup_next(&strands->lines, key_of(zone), at)) >= 0) {
        const tecplot_zone *other = &strands->file->zones[n];
        is_other = other->strand != zone->strand || other->rank != zone->rank;
    }
    return n;
}

status tecplot_strands_add(tecplot_strands *strands, int zone)
{
    const tecplot_zone *its = &strands->file->zones[zone];
    return its->strand > 0 ? base_lookup_add(&strands->lines, key_of(its), zone)
                           : STATUS_OK;
}

/* ---- Times ------------------------------------------------------------------------- */

void tecplot_strands_sort(tecplot_strands *strands, const int *block)
{
    strands->count = 0;
    for (int n = 0; n < strands->file->nzones; n++) {
        const tecplot_zone *zone = &strands->file->zones[n];
        const bool is_step = zone->strand > 0;
        if (block[n] < 0) {
            continue;
        }
        tecplot_moment *of_block = &strands->blocks[strands->count];
        tecplot_moment *of_line = &strands->all[strands->count++];
        *of_block = (tecplot_moment){.group = block[n], .time = zone->time, .zone = n};
        *of_line = *of_block;
        of_line->block = block[n];
        of_line->group = is_step ? zone->strand : -1 - n; /* a line of its own */
        of_line->rank = is_step ? zone->rank : 0;
    }
    sort_moments(strands->blocks, strands->count);
    sort_moments(strands->all, strands->count);
    for (int n = 0; n < strands->count; n++) {
        strands->at[strands->all[n].zone] = n;
    }
}

int tecplot_strands_zone(const tecplot_strands *strands, int block, double now)
{
    const tecplot_moment *all = strands->blocks;
    int first = 0, end = strands->count; /* the first one of a later block or time */
    while (first < end) {
        const int middle = first + (end - first) / 2;
        const bool is_before = all[middle].group < block ||
                               (all[middle].group == block && all[middle].time <= now);
        first = is_before ? middle + 1 : first;
        end = is_before ? end : middle;
    }
    return all[first > 0 && all[first - 1].group == block ? first - 1 : first].zone;
}

/* Whether two moments are of one line. */
static bool are_one(const tecplot_moment *a, const tecplot_moment *b)
{
    return a->group == b->group && a->rank == b->rank;
}

/* The time at an end of the line of a zone. */
static double find_end(const tecplot_strands *strands, int zone, int way)
{
    const tecplot_moment *all = strands->all;
    int n = strands->at[zone];
    while (n + way >= 0 && n + way < strands->count && are_one(&all[n], &all[n + way])) {
        n += way;
    }
    return all[n].time;
}

bool tecplot_strands_ends(const tecplot_strands *strands, int zone, double now)
{
    const double first = find_end(strands, zone, -1), last = find_end(strands, zone, 1);
    return first < last && (now < first || now > last);
}

bool tecplot_strands_replaces(const tecplot_strands *strands, int zone, double now)
{
    const int n = strands->at[zone], way = strands->all[n].time <= now ? 1 : -1;
    const int beside = n + way;
    if (beside < 0 || beside >= strands->count) {
        return false;
    }
    const tecplot_moment *its = &strands->all[n], *other = &strands->all[beside];
    return are_one(its, other) && other->block != its->block &&
           (way < 0 || other->time <= now);
}
