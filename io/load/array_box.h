/* Inside io/load: an array of a window, and the pieces that it is read in. */
#ifndef IO_LOAD_ARRAY_BOX_H
#define IO_LOAD_ARRAY_BOX_H

#include "io/array.h"
#include "io/window.h"

#include <stdbool.h>
#include <stddef.h>

/* The values of an array in a window's box: at its vertices, or in the cells between
 * them. Layers that wrap around a closed axis are read only if the window lacks them:
 *
 *     layer | 0 1 2 ... n-1 | layer      the middle is read, layers are copies from it
 */
typedef struct array_box {
    int64_t n[3];
    int segments[3]; /* to be read */
    io_segment segment[3][3];
    int copies[3]; /* of the segments read, `from` counted from the box's first place */
    io_segment copy[3][2];
} array_box;

/* The values of an array at the vertices, or in the cells, of a window with `layers`
 * layers around it. Local. */
array_box io_array_box_of_window(const grid_layout *layout, const io_window *window,
                                 int layers, bool cells);

/* The number of pieces to be read, and whether the values come in one piece that is the
 * whole box. Local. */
int io_array_box_pieces(const array_box *a);
bool io_array_box_is_piece(const array_box *a);

/* A piece to read, and its place in the window's box. */
typedef struct array_piece {
    io_box box; /* empty: nothing to read */
    int64_t to[3];
} array_piece;

array_piece io_array_box_piece(const array_box *a, int n);

/* Copies the layers that wrap around a closed axis, along i, j and k in turn: copies
 * along an axis have all that was copied along the ones before it. */
void io_array_box_wrap(const array_box *a, size_t size, char *out);

#endif
