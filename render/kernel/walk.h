/*
 * Walking: rays follow the cells of a grid and gather colour.
 *
 * This is where the time of a picture goes, so there are several kernels, one for each
 * instruction set, that give the same picture to the last bit. They are one code,
 * render/kernel/walk_kernel.h, in terms of lanes (base/lanes.h) of different width.
 */
#ifndef RENDER_KERNEL_WALK_H
#define RENDER_KERNEL_WALK_H

#include "render/cells/hits.h"
#include "render/cells/march.h"
#include "render/transfer/transfer.h"
#include "style.h"

/* One ray on its way. Distances along it are counted as cell_ray says. */
typedef struct ray_walk {
    const cell_ray *ray;
    float t0, t1;        /* the part of the ray that is drawn: [t0, t1) */
    float end;           /* nothing is drawn of cells that are entered here or later */
    int nruns;           /* > 0 */
    march_entry *runs;   /* [nruns]: where it enters the grid, sorted along it; changed */
    int running;         /* at first 0; the first of the runs are under way */
    float rgb[3];        /* at first 0 */
    float transmittance; /* at first 1 */
    float first_t;       /* where the ray first meets something, or +infinity */
    int nfragments, passed; /* how many of the fragments are blended already */
    const render_fragment
        *fragments; /* [nfragments]: in [t0, t1), sorted along the ray */
    bool contended; /* runs of different blocks overlap: nothing else is filled in;
                       render_overlap_walk does it */
} ray_walk;

/* What all rays have in common. */
typedef struct walk_scene {
    const march_grid *grid;
    const render_transfer *transfer;
    render_style style;
    bool has_fragments;  /* some ray of the tile has */
    const walk_iso *iso; /* NULL; else isosurfaces are looked for, and nothing is blended
                          */
} walk_scene;

enum {
    WALK_TILE = 16, /* pixels along a side of a tile */
    WALK_TILE_PIXELS = WALK_TILE * WALK_TILE,
    WALK_NO_AXIS = 3 /* of rays that are left out; the rest of them is not defined */
};

/* The rays of a tile of pixels, row after row: as they are, and number by number. */
typedef struct walk_tile {
    _Alignas(64) float origin[2][WALK_TILE_PIXELS];
    float shear[2][WALK_TILE_PIXELS], per_unit[WALK_TILE_PIXELS];
    float end[WALK_TILE_PIXELS];        /* entries from here on are nothing to the ray */
    int32_t axis[WALK_TILE_PIXELS];     /* axis[2] of a cell_ray, or WALK_NO_AXIS */
    int32_t backward[WALK_TILE_PIXELS]; /* is_backward, in the sign bit */
    unsigned axes;                      /* bits: which axes there are */
    cell_ray rays[WALK_TILE_PIXELS];
} walk_tile;

/* The rays of WALK_TILE pixels side by side: what render_camera_ray, render_clip_ray and
 * render_cell_ray say of them. */
typedef struct walk_row {
    _Alignas(64) double origin[3][WALK_TILE], direction[3][WALK_TILE];
    double t0[WALK_TILE], t1[WALK_TILE]; /* distances along the ray */
    double axis[WALK_TILE];              /* axis[2] of the cell_ray, a whole number */
    double forward[WALK_TILE];           /* the direction along it */
    double start[WALK_TILE];
    float sheared[2][WALK_TILE]; /* its origin */
    float shear[2][WALK_TILE], per_unit[WALK_TILE];
} walk_row;

/* Where the ray of a pixel comes in. */
typedef struct walk_entry {
    int pixel; /* of the tile */
    march_entry at;
} walk_entry;

struct walk_kernel {
    const char *name;

    /* The rays of the pixels from (x, y) on. */
    void (*cast)(const render_clip_view *view, int x, int y, walk_row *row);

    /* Finds where rays of a tile come in through a boundary face; returns how many do.
     * Rays outside of `rect` (pixels of the tile) are left out, and so may be entries at
     * or beyond tile->end. entries: [2 * WALK_TILE_PIXELS]. */
    int (*enter)(const march_grid *grid, const march_face *face, const walk_tile *tile,
                 pixel_rect rect, walk_entry *entries);

    /* The same where it is known through which triangles: rays of all pixels of spans.
     * Returns how many they are. entries: room for all of them. */
    int (*enter_spans)(const march_grid *grid, const walk_tile *tile, int count,
                       const march_span *spans, walk_entry *entries);

    /*
     * Follows rays through their runs: stretches from an entry to where the grid is left.
     * Runs of a sound grid come one after the other. Where they overlap, they are
     * followed side by side, the one that is behind first, so that segments are blended
     * in the order of their beginnings, however the grid is cut into blocks and bricks.
     * What comes out for a ray does not depend on the others. walks: [count]. Hits of
     * isosurfaces outside of [t0, t1) are left out; those of rays that turn out to be
     * contended mean nothing.
     */
    void (*follow)(const walk_scene *scene, int count, ray_walk *walks,
                   render_counters *counters);

    /*
     * The same in object order (render/kernel/planes.h), for neither style.trilinear nor
     * style.shade. The walks
     * are those of the pixels [count] of one tile.
     */
    void (*sweep)(const walk_scene *scene, int count, ray_walk *walks, const int *pixels,
                  render_counters *counters);

    /* Crosses one cell from an entry: render_cell_exit the way that `follow` does it. */
    bool (*cross)(const march_grid *grid, const cell_ray *ray, const march_entry *at,
                  cell_crossing *exit);
};

/* The kernels that this processor can run, from the fastest to the plainest:
 * NULL-terminated. */
const walk_kernel *const *render_walk_kernels(void);

/* The first of them. */
const walk_kernel *render_walk_fastest(void);

#endif
