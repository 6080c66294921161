/* Boxes of fields that lie in one part of this rank: they are read without the others. */
#include "pack.h"

static bool has_values(const io_box *box)
{
    return box->n[0] > 0 && box->n[1] > 0 && box->n[2] > 0;
}

/* The first part of all ranks that owns values of a box: NULL if it owns not all of them,
 * or is another rank's. */
static const io_memory_part *find_part(const memory_read *read, const io_box *box)
{
    const memory_state *state = read->state;
    const int mine = state->first[state->rank], end = state->first[state->rank + 1];
    for (int p = 0; p < end; p++) {
        const io_box both = memory_intersect_own(read, &state->extents[p], box);
        if (has_values(&both)) {
            const bool is_all = both.n[0] == box->n[0] && both.n[1] == box->n[1] &&
                                both.n[2] == box->n[2];
            return is_all && p >= mine ? &state->parts[p - mine] : NULL;
        }
    }
    return NULL;
}

bool io_memory_holds(const io_source *source, int block, int field, const io_box *box)
{
    const memory_read read = memory_read_of(source, block, field, NULL);
    return find_part(&read, box) != NULL;
}

void io_memory_copy(const io_source *source, const io_fields *fields, const io_box *box,
                    const io_rows *to)
{
    memory_read read = memory_read_of(source, fields->block, fields->of[0], NULL);
    const io_memory_part *part = find_part(&read, box);
    io_rows rows = *to;
    for (int n = 0; part && n < fields->count; n++, rows.first += to->size) {
        read.array = fields->of[n];
        memory_put_box(&read, part, box, &rows);
    }
}
