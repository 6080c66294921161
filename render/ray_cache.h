/* Kept ways (render/kernel/ray_cache/ray_cache.h) of a scene's view: the memory for them,
 * tile by tile. */
#ifndef RENDER_RAY_CACHE_H
#define RENDER_RAY_CACHE_H

#include "render/cells/march.h"
#include "render/kernel/walk.h"

/* A tile whose rays have been recorded. */
typedef struct kept_tile {
    bool is_kept;
    int nothers; /* rays that are not kept */
    int ngroups;
    kept_group *groups; /* [ngroups], and their words behind */
    int64_t bytes;      /* of both */
} kept_tile;

/* The kept ways of a view; all zero: none. */
typedef struct render_kept {
    int64_t ntiles;
    kept_tile *tiles;     /* [ntiles]; NULL until the view stays */
    int32_t *first;       /* [store->nbricks]; those of the chosen bricks come first */
    float (*quarters)[4]; /* of the bricks of the store, chosen or not */
    uint16_t *bends;      /* of the same bricks; NULL: the scalar has never bent */
    int32_t *bent;        /* of their cells, with `bends` */
    int32_t *listed;      /* [store->nbricks], with `bends`: numbers of cells in front of
                             those of the chosen bricks */
    kept_bent *cells;     /* [capacity] */
    int64_t capacity;
    kept_grid grid; /* of all but `listed` */
    int64_t bytes, limit;
    bool is_full; /* ways of a tile did not fit: then none are kept */
} render_kept;

/* Makes room for the scalars of the store's bricks, for bounds on their bends if
 * `has_bends`, and for tiles without ways yet. Keeps at most `limit` bytes in all.
 * Returns false if that or the memory does not suffice: then nothing is kept. Local. */
bool render_kept_begin(const grid_store *store, int64_t ntiles, int64_t limit,
                       bool has_bends, render_kept *kept);

/* Takes the scalars of the current step of the chosen bricks [store->nbricks]. Rays along
 * kept ways do not bend. Local. */
void render_kept_fill(const grid_store *store, const bool *chosen, int threads,
                      render_kept *kept);

/* Takes the bounds on bends of the current step, and what is known of the cells that may
 * bend, from the grid of the chosen bricks. Rays along kept ways bend. After
 * render_kept_begin with bends, and render_kept_fill. Returns false if the limit or the
 * memory does not suffice. Local. */
bool render_kept_fill_bends(const march_grid *grid, const walk_kernel *kernel,
                            const render_transfer *transfer, int threads,
                            render_kept *kept);

/* Whether no tile has found the memory full. May be called by several threads at once. */
bool render_kept_has_room(const render_kept *kept);

/* Keeps the ways of a tile's walks [count], if they fit. pixels: of the walks. Rays
 * without any crossing are left out. May be called by several threads at once, each for a
 * tile of its own. */
void render_kept_take(int64_t tile, int count, const int *pixels, const kept_log *log,
                      render_kept *kept);

/* Drops the ways of a tile. Local. */
void render_kept_drop(int64_t tile, render_kept *kept);

/* Releases all of it. */
void render_kept_clear(render_kept *kept);

#endif
