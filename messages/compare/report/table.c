#include "table.h"

#include <string.h>

const json_t *compare_row_frames(const compare_row *row)
{
    return json_object_get(json_object_get(row->first, "timings"), "frames");
}

const json_t *compare_row_choice(const compare_row *row)
{
    const json_t *frames = compare_row_frames(row);
    return json_object_get(json_array_get(frames, json_array_size(frames) - 1),
                           "composite");
}

bool compare_table_has(const compare_table *table, const char *partition)
{
    for (int n = 0; n < table->count; n++) {
        const compare_row *row = &table->rows[n];
        if (row->is_there && strcmp(row->which.partition, partition) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_same(const compare_case *a, const compare_case *b)
{
    return a->ranks == b->ranks && a->projection == b->projection &&
           strcmp(a->partition, b->partition) == 0 &&
           (!compare_plan_composites(a->partition, a->ranks) ||
            strcmp(a->algorithm, b->algorithm) == 0);
}

const compare_row *compare_table_find(const compare_table *table,
                                      const compare_case *which)
{
    for (int n = 0; n < table->count; n++) {
        const compare_row *row = &table->rows[n];
        if (row->is_there && is_same(&row->which, which)) {
            return row;
        }
    }
    return NULL;
}

const compare_row *compare_table_first(const compare_table *table, int projection)
{
    for (int n = 0; n < table->count; n++) {
        const compare_row *row = &table->rows[n];
        if (row->is_there && row->which.projection == projection) {
            return row;
        }
    }
    return NULL;
}

double compare_table_seconds(const compare_table *table, const compare_row *row)
{
    return table->is_modelled ? row->figures.model : row->figures.wall;
}

void compare_table_relate(compare_table *table)
{
    const compare_plan *plan = table->plan;
    for (int n = 0; n < table->count; n++) {
        compare_row *row = &table->rows[n];
        const compare_row *base = NULL;
        for (int r = 0; row->is_there && !base && r < plan->nranks; r++) {
            compare_case which = row->which;
            which.ranks = plan->ranks[r];
            base = compare_table_find(table, &which);
        }
        if (base) {
            compare_figures_relate(&row->figures, row->which.ranks, &base->figures,
                                   base->which.ranks);
        }
    }
}
