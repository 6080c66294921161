#include "motion.h"

#include <stdlib.h>
#include <string.h>

enum { LINES = 7, MOST_BLOCKS = 64 }; /* blocks of a file that are compared */

/* A line of vertices of a block: along each axis in the middle, then along i on the faces
 * across j and k. */
static io_box find_line(const grid_block *block, int line)
{
    io_box box;
    const int along = line < 3 ? line : 0;
    for (int axis = 0; axis < 3; axis++) {
        box.lo[axis] = axis == along ? 0 : block->n[axis] / 2;
        box.n[axis] = axis == along ? block->n[axis] : 1;
    }
    if (line >= 3) {
        const int across = 1 + (line - 3) / 2;
        box.lo[across] = (line - 3) % 2 == 0 ? 0 : block->n[across] - 1;
    }
    return box;
}

static status compare_line(io_source *const pair[2], int block, const io_box *line,
                           double *values, bool *differ)
{
    const size_t count = (size_t)(line->n[0] * line->n[1] * line->n[2]);
    status s = STATUS_OK;
    for (int array = IO_ARRAY_X; array <= IO_ARRAY_Z && s == STATUS_OK; array++) {
        for (size_t n = 0; n < 2 && s == STATUS_OK; n++) {
            s = io_source_read(pair[n], IO_GRID_STEP, block, array, line,
                               &values[n * count]);
        }
        *differ = *differ || (s == STATUS_OK && memcmp(values, &values[count],
                                                       count * sizeof *values) != 0);
    }
    return s;
}

/* The most vertices of a line of any block. */
static size_t find_longest(const io_source *source)
{
    int64_t most = 0;
    for (int block = 0; block < io_source_block_count(source); block++) {
        for (int axis = 0; axis < 3; axis++) {
            const int64_t n = io_source_blocks(source)[block].n[axis];
            most = n > most ? n : most;
        }
    }
    return (size_t)most;
}

status series_motion_compare(io_source *a, io_source *b, bool *differ)
{
    io_source *const pair[2] = {a, b};
    const size_t bytes = 2 * find_longest(a) * sizeof(double);
    const int blocks = io_source_block_count(a);
    const int stride = blocks / MOST_BLOCKS + 1;
    double *values = malloc(bytes);
    status s = values ? STATUS_OK : base_fail_memory(bytes, "the grids of two files");
    *differ = false;
    for (int block = 0; block < blocks && s == STATUS_OK && !*differ; block += stride) {
        for (int line = 0; line < LINES && s == STATUS_OK && !*differ; line++) {
            const io_box box = find_line(&io_source_blocks(a)[block], line);
            s = compare_line(pair, block, &box, values, differ);
        }
    }
    free(values);
    return s;
}
