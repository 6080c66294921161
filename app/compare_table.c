#include "app/compare_table.h"

#include <string.h>

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

const compare_row *compare_table_find(const compare_table *table, const char *partition,
                                      const char *algorithm, int ranks)
{
    for (int n = 0; n < table->count; n++) {
        const compare_row *row = &table->rows[n];
        if (row->is_there && row->which.ranks == ranks &&
            strcmp(row->which.partition, partition) == 0 &&
            (!compare_plan_composites(partition, ranks) ||
             strcmp(row->which.algorithm, algorithm) == 0)) {
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
            base = compare_table_find(table, row->which.partition, row->which.algorithm,
                                      plan->ranks[r]);
        }
        if (base) {
            compare_figures_relate(&row->figures, row->which.ranks, &base->figures,
                                   base->which.ranks);
        }
    }
}
