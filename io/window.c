#include "window.h"

#include <stdlib.h>
#include <string.h>

/* ---- gathering -------------------------------------------------------------------- */

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Orders windows so that those that can be joined along `axis` become neighbours: by
 * block, by extent along the two other axes, then along the axis. */
static int compare_along(const io_window *a, const io_window *b, int axis)
{
    int order = compare_numbers(a->block, b->block);
    for (int other = 2; other >= 0 && order == 0; other--) {
        if (other != axis) {
            order = compare_numbers(a->lo[other], b->lo[other]);
        }
        if (other != axis && order == 0) {
            order = compare_numbers(a->bricks[other], b->bricks[other]);
        }
    }
    return order != 0 ? order : compare_numbers(a->lo[axis], b->lo[axis]);
}

static int compare_along_i(const void *a, const void *b)
{
    return compare_along(a, b, 0);
}

static int compare_along_j(const void *a, const void *b)
{
    return compare_along(a, b, 1);
}

static int compare_along_k(const void *a, const void *b)
{
    return compare_along(a, b, 2);
}

static bool are_neighbours(const io_window *a, const io_window *b, int axis)
{
    if (a->block != b->block || a->lo[axis] + a->bricks[axis] != b->lo[axis]) {
        return false;
    }
    for (int other = 0; other < 3; other++) {
        if (other != axis &&
            (a->lo[other] != b->lo[other] || a->bricks[other] != b->bricks[other])) {
            return false;
        }
    }
    return true;
}

static int64_t vertex_count(const grid_layout *layout, const io_window *window)
{
    io_window_box box = io_window_vertices(layout, window, 0);
    return box.n[0] * box.n[1] * box.n[2];
}

/* Joins neighbours along an axis; returns the number of windows left. */
static int64_t join_along(const grid_layout *layout, int axis, int64_t most_vertices,
                          int64_t count, io_window *windows)
{
    static int (*const compare[3])(const void *, const void *) = {
        compare_along_i, compare_along_j, compare_along_k};
    qsort(windows, (size_t)count, sizeof *windows, compare[axis]);
    int64_t last = 0;
    for (int64_t n = 1; n < count; n++) {
        io_window joined = windows[last];
        joined.bricks[axis] += windows[n].bricks[axis];
        if (are_neighbours(&windows[last], &windows[n], axis) &&
            vertex_count(layout, &joined) <= most_vertices) {
            windows[last] = joined;
        } else {
            windows[++last] = windows[n];
        }
    }
    return last + 1;
}

static io_window window_of_brick(const grid_layout *layout, int64_t number)
{
    grid_brick_place place = grid_layout_place(layout, number);
    io_window window = {.block = place.block, .bricks = {1, 1, 1}};
    for (int axis = 0; axis < 3; axis++) {
        window.lo[axis] = place.lo[axis] / GRID_BRICK_CELLS;
    }
    return window;
}

/* Bricks along i may have so many times the vertices of a window: planes of whole rows
 * lie together in files. Of rows that are cut, reading brings the gaps between them, too.
 */
enum { LONGER = 4 };

status io_window_gather(const grid_layout *layout, int64_t count, const int64_t *numbers,
                        int64_t most_vertices, int64_t *nwindows, io_window **windows)
{
    size_t bytes = ((size_t)count + 1) * sizeof **windows;
    io_window *list = malloc(bytes);
    if (!list) {
        return base_fail_memory(bytes, "the boxes to read");
    }
    for (int64_t n = 0; n < count; n++) {
        list[n] = window_of_brick(layout, numbers[n]);
    }
    int64_t left = count;
    for (int axis = 0; axis < 3 && left > 0; axis++) {
        left = join_along(layout, axis,
                          axis == 0 ? LONGER * most_vertices : most_vertices, left, list);
    }
    *nwindows = left;
    *windows = list;
    return STATUS_OK;
}

/* ---- boxes ------------------------------------------------------------------------ */

io_window_box io_window_vertices(const grid_layout *layout, const io_window *window,
                                 int layers)
{
    const grid_block *block = &layout->blocks[window->block];
    io_window_box box;
    for (int axis = 0; axis < 3; axis++) {
        int64_t last = block->n[axis] - 1;
        int64_t first = window->lo[axis] * GRID_BRICK_CELLS;
        int64_t end = (window->lo[axis] + window->bricks[axis]) * GRID_BRICK_CELLS;
        end = end < last ? end : last;
        int64_t lo = first - layers, hi = end + layers;
        if (!block->closed[axis]) {
            lo = lo < 0 ? 0 : lo;
            hi = hi > last ? last : hi;
        }
        box.lo[axis] = lo;
        box.n[axis] = hi - lo + 1;
        box.core_lo[axis] = first - lo;
        box.core_n[axis] = end - first + 1;
    }
    return box;
}

int64_t io_window_brick_count(const io_window *window)
{
    return window->bricks[0] * window->bricks[1] * window->bricks[2];
}

int64_t io_window_brick(const grid_layout *layout, const io_window *window, int64_t n)
{
    int64_t at[3];
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = window->lo[axis] + n % window->bricks[axis];
        n /= window->bricks[axis];
    }
    return grid_layout_brick_at(layout, window->block, at);
}

int io_segment_cut(int64_t lo, int64_t n, int64_t count, int64_t period,
                   io_segment out[3])
{
    const int64_t ends[4] = {INT64_MIN, 0, count, INT64_MAX};
    const int64_t shift[3] = {period, 0, -period};
    int segments = 0;
    for (int part = 0; part < 3; part++) {
        int64_t first = lo > ends[part] ? lo : ends[part];
        int64_t end = lo + n < ends[part + 1] ? lo + n : ends[part + 1];
        if (first < end) {
            out[segments++] = (io_segment){first + shift[part], first - lo, end - first};
        }
    }
    return segments;
}
