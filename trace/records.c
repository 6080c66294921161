#include "records.h"

#include "base/array.h"

#include <stdlib.h>

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
