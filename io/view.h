/* What callers of a source see of its blocks, and what they ask of it: views, rings. */
#ifndef IO_VIEW_H
#define IO_VIEW_H

#include "array.h"
#include "base/status.h"
#include "base/vec.h"
#include "grid/view.h"
#include "io/config/config.h"

#include <stdbool.h>

typedef struct io_source io_source;

/*
 * Shows the blocks under the transforms of a config (data.transform), instead of any
 * earlier ones: coordinates are read transformed, and io_source_views tells. _open does
 * so. The same on every rank. Local. Errors: STATUS_USAGE: a block is not there, or a
 * transform has no inverse.
 */
status io_source_set_view(io_source *source, const io_data_config *config);

/*
 * Rings: axes of a block whose last vertex plane is a cell away from the first, as in the
 * O-grid of a solver that does not repeat the plane. io_load_rings finds them, and closes
 * them: the block then has one plane more, with the values of the first.
 *
 * _asks_for_rings tells whether they have yet to be looked for; *axis: 0 to 2: the config
 * names this one; -1: any. _close_axis closes one. _take_rings ends the search:
 * STATUS_INPUT if a field has values in closing cells of an axis that is open. All of it
 * the same on every rank. Local.
 */
bool io_source_asks_for_rings(const io_source *source, int *axis);
void io_source_close_axis(io_source *source, int block, int axis);
status io_source_take_rings(io_source *source);

/* Whether all fields in cells have values in the cells that would close an axis. Local.
 */
bool io_source_has_closing_cells(const io_source *source, int axis);

/* Whether another grid than the first was chosen: its rings are no news. Local. */
bool io_source_has_moved(const io_source *source);

/* Whether an axis was closed so. Local. */
bool io_source_is_ring(const io_source *source, int block, int axis);

/* Tells which blocks are left-handed, so that volumes below 0 are those of cells inside
 * out. blocks: [block_count], the same on every rank. Local. */
void io_implied_take_hands(io_source *source, const grid_block *blocks);

/* The views of the blocks: [block_count], all off without data.transform. Borrowed. */
const grid_view *io_source_views(const io_source *source);

/* The view that all blocks have; NULL if they differ. Borrowed. */
const grid_view *io_source_common_view(const io_source *source);

/* Bounds of the vertices that are not blanked, in the data's own coordinates, if there is
 * any view: io_load_layout and io_load_grid_after set them. */
box3 *io_source_data_bounds(io_source *source);

/* ---- For io/source.c --------------------------------------------------------------- */

/* An array at a step. */
typedef struct io_view_array {
    int step, block, array;
} io_view_array;

/* Reads a box of coordinates as the data have them, as io_source_read does. */
typedef status io_view_reader(io_source *source, int step, int block, int array,
                              const io_box *box, void *out);

/* What a block has beside its arrays. */
typedef struct io_shape {
    bool is_ring[3]; /* the block that is shown has one plane more */
    int8_t *turns;   /* [nj][ni]: full turns that are added to longitudes, or
                        INT8_MIN: none, no place; NULL: no turns */
} io_shape;

/*
 * Finds the turns of all blocks, so that longitudes of neighbours differ by less than 180
 * degrees: along i, and from row to row at i = 0. They are those of the plane k = 0. If
 * cells around a pole are still larger, all longitudes lie in one turn, and a vertex of
 * each such cell gets no place (longitudes.c). Collective. Errors: STATUS_INPUT,
 * STATUS_MEMORY.
 */
status io_shape_unwrap(io_source *source);
bool io_shape_is_unwrapped(const io_source *source);

/* Adds the turns of a block to a box of its longitudes, which may be flat. Local. */
void io_shape_turn(const io_source *source, int block, const io_box *box, double *out);

/* Reads a box inside an array, with closed rings and longitudes without jumps, as
 * io_source_kind.read does. Collective. */
status io_shape_read(io_source *source, const io_view_array *from, const io_box *box,
                     void *out);

/* Whether all values of a box are in the data. Local. */
bool io_shape_has(const io_source *source, int block, int array, const io_box *box);

void io_shape_free(io_source *source);

/* Whether any block has a view. Local. */
bool io_view_is_on(const io_source *source);

/* Whether a view changes a coordinate, IO_ARRAY_X, Y or Z, of a block. Local. */
bool io_view_changes(const io_source *source, int block, int array);

/* Reads a box of a coordinate of a block that has a view, by `read`: as io_source_read
 * does. Collective. */
status io_view_read(io_source *source, const io_view_array *from, const io_box *box,
                    io_view_reader *read, double *out);

/* ---- Fields that every grid has (implied.c), for io/source.c ----------------------- */

/* Appends the fields that every grid has (grid/field.h) to those of the catalogue, behind
 * their number; then all again, for grid_when.
 * Local. Errors: STATUS_MEMORY. */
status io_implied_add(io_source *source);

/* Whether an array is such a field. Local. */
bool io_implied_is(const io_source *source, int array);

/*
 * Reads a box of such a field, as io_source_read does. Coordinates are those of the data,
 * without views. Collective. Errors: those of reading coordinates, STATUS_MEMORY.
 */
status io_implied_read(io_source *source, const io_view_array *from, const io_box *box,
                       io_view_reader *read, float *out);

#endif
