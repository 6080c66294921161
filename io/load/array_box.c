#include "array_box.h"

#include <string.h>

/* Turns the first and last of three segments into copies if the one between has all of
 * the axis. */
static void take_copies(array_box *a, int axis, int64_t count)
{
    io_segment *segment = a->segment[axis];
    const int segments = a->segments[axis];
    int whole = 0;
    while (whole < segments && segment[whole].n < count) {
        whole++;
    }
    if (whole == segments) {
        return;
    }
    const io_segment read = segment[whole];
    for (int n = 0; n < segments; n++) {
        if (n != whole) {
            const io_segment copy = {read.to + segment[n].from, segment[n].to,
                                     segment[n].n};
            a->copy[axis][a->copies[axis]++] = copy;
        }
    }
    segment[0] = read;
    a->segments[axis] = 1;
}

static array_box make(const grid_block *block, const io_window_box *box, bool cells)
{
    array_box a = {.copies = {0, 0, 0}};
    for (int axis = 0; axis < 3; axis++) {
        const int64_t less = cells ? 1 : 0, count = block->n[axis] - less;
        a.n[axis] = box->n[axis] - less;
        a.segments[axis] = io_segment_cut(box->lo[axis], a.n[axis], count,
                                          block->n[axis] - 1, a.segment[axis]);
        take_copies(&a, axis, count);
    }
    return a;
}

array_box io_array_box_of_window(const grid_layout *layout, const io_window *window,
                                 int layers, bool cells)
{
    const io_window_box box = io_window_vertices(layout, window, layers);
    return make(&layout->blocks[window->block], &box, cells);
}

int io_array_box_pieces(const array_box *a)
{
    return a->segments[0] * a->segments[1] * a->segments[2];
}

bool io_array_box_is_piece(const array_box *a)
{
    return io_array_box_pieces(a) == 1 && a->copies[0] + a->copies[1] + a->copies[2] == 0;
}

array_piece io_array_box_piece(const array_box *a, int n)
{
    array_piece piece;
    for (int axis = 0; axis < 3; axis++) {
        const io_segment *segment = &a->segment[axis][n % a->segments[axis]];
        n /= a->segments[axis];
        piece.box.lo[axis] = segment->from;
        piece.box.n[axis] = segment->n;
        piece.to[axis] = segment->to;
    }
    return piece;
}

/* A compiler needs no call for a number, which is what most copies are. */
static void copy_values(const char *from, size_t bytes, char *to)
{
    if (bytes == sizeof(float)) {
        memcpy(to, from, sizeof(float));
    } else {
        memcpy(to, from, bytes);
    }
}

void io_array_box_wrap(const array_box *a, size_t size, char *out)
{
    size_t inner = size;
    for (int axis = 0; axis < 3; axis++) {
        const size_t length = (size_t)a->n[axis] * inner;
        const size_t outer = axis == 0   ? (size_t)(a->n[1] * a->n[2])
                             : axis == 1 ? (size_t)a->n[2]
                                         : 1;
        for (int n = 0; n < a->copies[axis]; n++) {
            const io_segment *copy = &a->copy[axis][n];
            for (size_t at = 0; at < outer; at++) {
                char *row = out + at * length;
                copy_values(row + (size_t)copy->from * inner, (size_t)copy->n * inner,
                            row + (size_t)copy->to * inner);
            }
        }
        inner = length;
    }
}
