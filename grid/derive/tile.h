/* Inside grid: tiles, in which results at vertices are computed. */
#ifndef GRID_DERIVE_TILE_H
#define GRID_DERIVE_TILE_H

#include "derivation.h"
#include "grid/recipe.h"

/* All data of a tile fits into fixed arrays on the stack (310 KiB). Cells are averaged to
 * vertices once instead of once for each stencil that uses them. Tiles are long along i,
 * the axis of the kernels' rows; the bricks that are computed together are one tile long
 * and two wide. */
enum {
    TILE_LENGTH = DERIVE_CORE_ROW,
    TILE_WIDTH = (GRID_BRICK_CELLS + 2) / 2,
    TILE_ROWS = (TILE_WIDTH + 2 * DERIVE_REACH) * (TILE_WIDTH + 2 * DERIVE_REACH),
    TILE_VERTICES = (TILE_LENGTH + 2 * DERIVE_REACH) * TILE_ROWS,
    TILE_POINTS = (TILE_LENGTH + 2 * DERIVE_REACH + 2) *
                  (TILE_WIDTH + 2 * DERIVE_REACH + 2) *
                  (TILE_WIDTH + 2 * DERIVE_REACH + 2)
};

/* A half-open box of vertices or cells, in indices of the patch. */
typedef struct index_box {
    int lo[3], n[3];
} index_box;

typedef struct tile {
    const grid_recipe *recipe;
    const grid_patch *patch;
    const derive_kernel *kernel;
    bool averages;      /* some inputs live in cells and are averaged to vertices */
    index_box core;     /* vertices at which results are wanted */
    index_box vertices; /* the core and the vertices that stencils reach, cut at the ends
                           of the patch */
    index_box cells;    /* all cells around the vertices */
    bool is_whole;      /* all of them are present */
    bool is_usable;     /* stencils may use all vertices */
    uint8_t present[TILE_POINTS];                   /* of cells */
    uint8_t usable[TILE_VERTICES];                  /* stencils may use this vertex */
    double value[DERIVE_QUANTITIES][TILE_VERTICES]; /* what is differentiated, unless it
                                                       is a field at vertices */
    derive_row_slopes slopes;                       /* of the current row */
} tile;

static inline size_t box_index(const index_box *box, const int at[3])
{
    size_t i = (size_t)(at[0] - box->lo[0]), j = (size_t)(at[1] - box->lo[1]);
    size_t k = (size_t)(at[2] - box->lo[2]);
    return (k * (size_t)box->n[1] + j) * (size_t)box->n[0] + i;
}

static inline bool box_holds(const index_box *box, const int at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < box->lo[axis] || at[axis] >= box->lo[axis] + box->n[axis]) {
            return false;
        }
    }
    return true;
}

/*
 * Visits all places of a box, i running fastest:
 *     for (bool more = box_start(&box, at); more; more = box_advance(&box, at))
 */
static inline bool box_start(const index_box *box, int at[3])
{
    memcpy(at, box->lo, sizeof box->lo);
    return box->n[0] > 0 && box->n[1] > 0 && box->n[2] > 0;
}

static inline bool box_advance(const index_box *box, int at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (++at[axis] < box->lo[axis] + box->n[axis]) {
            return true;
        }
        at[axis] = box->lo[axis];
    }
    return false;
}

/* The box with these numbers of layers added below and above, cut to [0, limit). */
static inline index_box box_grow(const index_box *box, int below, int above,
                                 const int limit[3])
{
    index_box grown;
    for (int axis = 0; axis < 3; axis++) {
        int lo = box->lo[axis] - below, hi = box->lo[axis] + box->n[axis] + above;
        grown.lo[axis] = lo < 0 ? 0 : lo;
        grown.n[axis] = (hi > limit[axis] ? limit[axis] : hi) - grown.lo[axis];
    }
    return grown;
}

static inline index_box patch_vertices(const grid_patch *patch)
{
    return (index_box){{0, 0, 0}, {patch->n[0], patch->n[1], patch->n[2]}};
}

static inline index_box patch_cells(const grid_patch *patch)
{
    return (index_box){{0, 0, 0}, {patch->n[0] - 1, patch->n[1] - 1, patch->n[2] - 1}};
}

/* Whether a recipe of a kind that needs gradients differentiates this quantity. */
static inline bool derive_needs(const grid_recipe *recipe, int quantity)
{
    return derive_is_part(recipe->quantity[quantity]);
}

/* The field of the patch that a quantity is, if it lives at vertices; else NULL. */
static inline const float *derive_field(const tile *t, int quantity)
{
    const derive_parts parts = t->recipe->quantity[quantity];
    const bool is_field = parts.input >= 0 && parts.per < 0 &&
                          t->recipe->locations[parts.input] == GRID_VERTEX;
    return is_field ? t->patch->inputs[parts.input] : NULL;
}

/* Finds which cells around the vertices of a tile are present. */
void derive_find_present_cells(tile *t);

/* Values of the inputs at a vertex. False if cells are to be averaged but none is
 * present; those inputs are then NaN. */
bool derive_gather_inputs(const tile *t, const int vertex[3], double *inputs);

/* Fills in the quantities at all vertices of a tile. */
void derive_fill_tile(tile *t);

/* The result at one vertex of a tile, of a kind that needs gradients. */
void derive_slope_at(const tile *t, const int at[3], float *out);

#endif
