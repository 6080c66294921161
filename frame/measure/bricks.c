#include "bricks.h"

#include "base/parallel/parallel.h"

#include <stdlib.h>
#include <string.h>

/* The brick beside one, `step` away along an axis; -1: there is none. */
static int64_t beside(const grid_layout *layout, int64_t number, int axis, int step)
{
    const grid_brick_place place = grid_layout_place(layout, number);
    int64_t at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = place.lo[a] / GRID_BRICK_CELLS + (a == axis ? step : 0);
    }
    return grid_layout_brick_at(layout, place.block, at);
}

/* Marks the bricks beside those that have `from`, above or also below them. */
static void mark_beside(const grid_layout *layout, int least, uint8_t from, uint8_t to,
                        uint8_t *marks)
{
    for (int64_t n = 0; n < layout->nbricks; n++) {
        for (int axis = 0; axis < 3 && (marks[n] & from); axis++) {
            for (int step = least; step <= 1; step += 2) {
                const int64_t other = beside(layout, n, axis, step);
                if (other >= 0) {
                    marks[other] |= to;
                }
            }
        }
    }
}

static bool is_needed(const grid_layout *layout, const frame_measure_place *place,
                      const surface_spec *spec, int64_t number)
{
    const bool shows =
        place->block < 0 || grid_layout_place(layout, number).block == place->block;
    return shows && (spec ? render_surface_needs(layout, spec, number)
                          : layout->bricks[number].cells > 0);
}

status measure_bricks_share(MPI_Comm comm, const grid_layout *layout,
                            const frame_measure_place *place, const surface_spec *spec,
                            measure_bricks *out)
{
    enum { NEEDED = 1, COUNTED = 2, OWN = 4, LOADED = 8 };
    const int rank = parallel_rank(comm), ranks = parallel_size(comm);
    const bool has_faces = spec && (spec->nranges > 0 || spec->walls);
    uint8_t *marks = calloc((size_t)layout->nbricks + 1, 1);
    int64_t *numbers = malloc(((size_t)layout->nbricks + 1) * sizeof *numbers);
    int64_t all = 0, before = 0;
    *out = (measure_bricks){.own = marks, .numbers = numbers};
    if (!marks || !numbers) {
        return base_fail_memory((size_t)layout->nbricks * 9, "the bricks of a place");
    }
    for (int64_t n = 0; n < layout->nbricks; n++) {
        marks[n] = is_needed(layout, place, spec, n) ? NEEDED | COUNTED : 0;
    }
    if (has_faces) { /* an upper face counts for the brick above, which may be empty */
        mark_beside(layout, 1, NEEDED, COUNTED, marks);
    }
    for (int64_t n = 0; n < layout->nbricks; n++) {
        all += (marks[n] & COUNTED) != 0;
    }
    const int64_t first = all * rank / ranks, end = all * (rank + 1) / ranks;
    for (int64_t n = 0; n < layout->nbricks; n++) {
        const bool counts = marks[n] & COUNTED;
        marks[n] |= counts && before >= first && before < end ? OWN | LOADED : 0;
        before += counts;
    }
    if (has_faces) {
        mark_beside(layout, -1, OWN, LOADED, marks);
    }
    for (int64_t n = 0; n < layout->nbricks; n++) {
        if (marks[n] & LOADED) {
            numbers[out->count++] = n;
        }
        marks[n] = (marks[n] & OWN) != 0;
    }
    return STATUS_OK;
}

int64_t measure_bricks_of(const grid_layout *layout, const surface_facet *facet)
{
    const grid_block *block = &layout->blocks[facet->block];
    int64_t at[3];
    for (int axis = 0; axis < 3; axis++) {
        const int64_t last = block->bricks[axis] - 1;
        at[axis] = facet->at[axis] / GRID_BRICK_CELLS;
        at[axis] = at[axis] < last ? at[axis] : last;
    }
    return grid_layout_brick_at(layout, facet->block, at);
}
