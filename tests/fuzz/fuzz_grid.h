/* The grid of a case: as blocks, and as bricks for the renderer. */
#ifndef TESTS_FUZZ_FUZZ_GRID_H
#define TESTS_FUZZ_FUZZ_GRID_H

#include "fuzz_case.h"

#include "grid/brick.h"

/* A block's arrays, i fastest. */
typedef struct fuzz_block {
    int64_t n[3];       /* vertices */
    float (*vertex)[4]; /* x, y, z relative to the layout's origin, scalar */
    uint8_t *blanked;   /* not 0: blanked */
    float *cell;        /* the scalars of cell-centred fields, else NULL */
} fuzz_block;

/* The promises that hold for a grid's pictures. */
typedef enum fuzz_soundness {
    FUZZ_SOUND,       /* each point of space lies in one cell at most */
    FUZZ_OVERLAPPING, /* blocks overlap or leave gaps, but no cell is folded */
    FUZZ_FOLDED,      /* some cells are folded, inverted or collapsed at random */
    FUZZ_SOUNDNESSES
} fuzz_soundness;

typedef struct fuzz_grid {
    const fuzz_case *c; /* borrowed */
    int nblocks;
    fuzz_block blocks[FUZZ_MOST_BLOCKS];
    grid_layout *layout;
    grid_store *store; /* all bricks */
    fuzz_soundness soundness;
    double reach;    /* largest magnitude of a coordinate relative to the origin */
    double diagonal; /* of the bounds of all present cells; 1 if there are none */
    int64_t cells;   /* present ones */
} fuzz_grid;

/* Makes the grid of a case. Local. Errors: those of grid_layout_create and
 * grid_store_create. */
status fuzz_grid_create(const fuzz_case *c, fuzz_grid **out);
void fuzz_grid_destroy(fuzz_grid **grid);

/* A store of just the bricks that a rank with this box would hold. The caller destroys
 * it. Local. Errors: STATUS_MEMORY. */
status fuzz_grid_store(const fuzz_grid *grid, box3 box, grid_store **out);

/* Index of the vertex (i, j, k) of a block. */
static inline int64_t fuzz_block_index(const fuzz_block *block, const int64_t at[3])
{
    return at[0] + block->n[0] * (at[1] + block->n[1] * at[2]);
}

/* How many vertices a block has. */
static inline int64_t fuzz_block_vertices(const fuzz_block *block)
{
    return block->n[0] * block->n[1] * block->n[2];
}

#endif
