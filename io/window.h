/* Windows: the bricks of a rank joined into a few boxes, so that a few reads load
 * them. */
#ifndef IO_WINDOW_H
#define IO_WINDOW_H

#include "grid/layout.h"

/* A box of bricks of one block. */
typedef struct io_window {
    int block;
    int64_t lo[3];     /* brick coordinates of its first brick */
    int64_t bricks[3]; /* bricks along i, j, k */
} io_window;

/* A box of vertices: those of a window and, on request, layers around it. */
typedef struct io_window_box {
    int64_t lo[3]; /* below 0, or beyond the block, if layers wrap around a closed axis */
    int64_t n[3];
    int64_t core_lo[3]; /* the window's own vertices, counted from lo */
    int64_t core_n[3];
} io_window_box;

/* The most vertices of a window of several bricks. Reading takes up to 53 bytes per
 * vertex, so buffers stay below 32 MiB, and mostly in the cache. (128 MiB with blocks of
 * over 1,800 cells along i.) */
enum { IO_WINDOW_VERTICES = 1 << 19 };

/*
 * Joins the bricks with these ascending numbers into windows of at most `most_vertices`
 * each, or of one brick; a row of bricks along i may have four times as many. Neighbours
 * along i are joined first, then along j, then k. Every brick is in exactly one window,
 * and windows contain no other bricks. *windows is malloc'ed, the caller's, by ascending
 * block. Local. Errors: STATUS_MEMORY.
 */
status io_window_gather(const grid_layout *layout, int64_t count, const int64_t *numbers,
                        int64_t most_vertices, int64_t *nwindows, io_window **windows);

/* Vertices of a window with `layers` layers around it, cut at the ends of the block.
 * Local. */
io_window_box io_window_vertices(const grid_layout *layout, const io_window *window,
                                 int layers);

/* Bricks of a window, and the number of the n-th of them. Local. */
int64_t io_window_brick_count(const io_window *window);
int64_t io_window_brick(const grid_layout *layout, const io_window *window, int64_t n);

/* A run of indices along an axis of an array, and its place in a box. */
typedef struct io_segment {
    int64_t from; /* first index in the array */
    int64_t to;   /* first place in the box */
    int64_t n;
} io_segment;

/*
 * Cuts the indices [lo, lo + n) into ascending runs inside an array of `count` values.
 * Indices outside are moved inside by `period`, once. Returns the number of runs, 1 to 3.
 * Local.
 *
 *     count = 5, period = 4:   lo = -2, n = 9
 *     index   -2 -1 |  0  1  2  3  4 |  5  6
 *     read     2  3 |  0  1  2  3  4 |  1  2
 */
int io_segment_cut(int64_t lo, int64_t n, int64_t count, int64_t period,
                   io_segment out[3]);

#endif
