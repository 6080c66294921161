/* Walking: rays follow the cells of a grid and accumulate colour.
 *
 * Most of a picture's time is spent here. So there are several kernels, one for each
 * instruction set, which give bitwise the same picture. They are compiled from one code,
 * render/kernel/walk_kernel.h, which uses lanes (base/lanes.h) of different widths. */
#ifndef RENDER_KERNEL_WALK_H
#define RENDER_KERNEL_WALK_H

#include "ray_cache/ray_cache.h"
#include "render/cells/hits.h"
#include "render/cells/march.h"
#include "render/transfer/transfer.h"
#include "style.h"

/* One ray on its way. Distances along it are those of cell_ray. */
typedef struct ray_walk {
    const cell_ray *ray;
    float t0, t1;        /* the part of the ray that is drawn: [t0, t1) */
    float end;           /* cells entered here or later are not drawn */
    int nruns;           /* > 0 */
    march_entry *runs;   /* [nruns]: entries into the grid, sorted along the ray;
                            modified */
    int running;         /* initially 0; number of runs that are under way, the first ones
                            of `runs` */
    float rgb[3];        /* initially 0 */
    float transmittance; /* initially 1 */
    float first_t;       /* distance to the first thing on the ray, or +infinity */
    int nfragments, passed; /* passed: number of fragments blended so far */
    const render_fragment
        *fragments; /* [nfragments]: in [t0, t1), sorted along the ray */
    float *through; /* [nfragments]: filled with the transmittance behind each fragment
                       that is passed; NULL: not wanted */
    bool contended; /* runs of different blocks overlap: nothing else is filled in, and
                       render_overlap_walk does the ray */
} ray_walk;

/* Data that all rays share. */
typedef struct walk_scene {
    const march_grid *grid;
    const render_transfer *transfer;
    render_style style;
    bool has_fragments;  /* some ray of the tile has fragments */
    bool wants_places;   /* on faces, whatever the style */
    const walk_iso *iso; /* not NULL: find isosurfaces, and blend nothing */
} walk_scene;

enum {
    WALK_TILE = 16, /* pixels along a side of a tile */
    WALK_TILE_PIXELS = WALK_TILE * WALK_TILE,
    WALK_NO_AXIS = 3 /* for omitted rays; their other fields are undefined */
};

/* The rays of a tile of pixels, row after row: as structs, and field by field. */
typedef struct walk_tile {
    _Alignas(64) float origin[2][WALK_TILE_PIXELS];
    float shear[2][WALK_TILE_PIXELS], per_unit[WALK_TILE_PIXELS];
    float end[WALK_TILE_PIXELS];        /* entries from here on do not matter to the
                                           ray */
    int32_t axis[WALK_TILE_PIXELS];     /* axis[2] of a cell_ray, or WALK_NO_AXIS */
    int32_t backward[WALK_TILE_PIXELS]; /* is_backward, in the sign bit */
    unsigned axes;                      /* bits: the axes that occur */
    cell_ray rays[WALK_TILE_PIXELS];
} walk_tile;

/* The rays of WALK_TILE neighbouring pixels, as computed by render_camera_ray,
 * render_clip_ray and render_cell_ray. */
typedef struct walk_row {
    _Alignas(64) double origin[3][WALK_TILE], direction[3][WALK_TILE];
    double t0[WALK_TILE], t1[WALK_TILE]; /* distances along the ray */
    double axis[WALK_TILE];              /* axis[2] of the cell_ray, a whole number */
    double forward[WALK_TILE];           /* the direction along it */
    double start[WALK_TILE];
    float sheared[2][WALK_TILE]; /* its origin */
    float shear[2][WALK_TILE], per_unit[WALK_TILE];
} walk_row;

/* Ray number n of a row, as from render_camera_ray. */
static inline render_ray walk_row_camera_ray(const walk_row *row, int n)
{
    return (render_ray){
        {{row->origin[0][n], row->origin[1][n], row->origin[2][n]}},
        {{row->direction[0][n], row->direction[1][n], row->direction[2][n]}}};
}

/* The same, as from render_cell_ray. */
static inline cell_ray walk_row_ray(const walk_row *row, int n)
{
    const int z = (int)row->axis[n];
    return (cell_ray){.axis = {(z + 1) % 3, (z + 2) % 3, z},
                      .is_backward = row->forward[n] < 0.0,
                      .origin = {row->sheared[0][n], row->sheared[1][n]},
                      .shear = {row->shear[0][n], row->shear[1][n]},
                      .per_unit = row->per_unit[n],
                      .start = row->start[n]};
}

/* An entry of a pixel's ray into the grid. */
typedef struct walk_entry {
    int pixel; /* of the tile */
    march_entry at;
} walk_entry;

struct walk_kernel {
    const char *name;

    march_classifier *classify;
    march_bend_marker *mark_bends;

    /* Lists the cells of a brick that grid->bends marks, by their lowest vertices. out:
     * large enough. */
    void (*list_bent)(const march_grid *grid, const march_brick *brick,
                      const render_transfer *transfer, kept_bent *out);

    /* Computes the rays of the pixels from (x, y) on. */
    void (*cast)(const render_clip_view *view, int x, int y, walk_row *row);

    /* Finds the entries of a tile's rays through a boundary face; returns their number.
     * Ignores rays outside `rect` (pixels of the tile), and may ignore entries at or
     * beyond tile->end. entries: [2 * WALK_TILE_PIXELS]. */
    int (*enter)(const march_grid *grid, const march_face *face, const walk_tile *tile,
                 pixel_rect rect, walk_entry *entries);

    /* Follows rays through their runs. A run is a stretch of a ray from an entry to an
     * exit of the grid. Runs on a sound grid come one after the other. Overlapping runs
     * are followed side by side, the one behind first. So segments are blended in the
     * order of their beginnings, and cuts of the grid into blocks and bricks do not
     * matter. The result for a ray does not depend on the other rays. walks: [count].
     * Only hits of isosurfaces in [t0, t1) are reported; the hits of a contended ray are
     * meaningless. */
    void (*follow)(const walk_scene *scene, int count, ray_walk *walks,
                   render_counters *counters);

    /* The same in object order (render/kernel/planes/queue.h), for grids without patches,
     * and not for style.shade. The walks are those of the pixels [count] of one tile;
     * NULL: at most WALK_TILE_PIXELS walks, neighbours of which are close together. */
    void (*sweep)(const walk_scene *scene, int count, ray_walk *walks, const int *pixels,
                  render_counters *counters);

    /* Crosses one cell from an entry, like render_cell_exit, with the code of
     * `follow`. */
    bool (*cross)(const march_grid *grid, const cell_ray *ray, const march_entry *at,
                  cell_crossing *exit);

    /* Lists the crossings of the rays up to the ends of their drawn parts, whatever the
     * light. Crossings before the drawn part are left out, but for the last one. The runs
     * are used up. Not for style.trilinear. log: of the walks [count]. */
    void (*record)(const walk_scene *scene, const kept_grid *kept, int count,
                   ray_walk *walks, kept_log *log);

    /* Like `follow`, along ways that `record` has found, of rays in groups [count].
     * walks: those of the groups, one after the other; their runs are not used. */
    void (*replay)(const walk_scene *scene, const kept_grid *kept, int count,
                   const kept_group *groups, ray_walk *walks, render_counters *counters);
};

/* Casts the rays of row y of a tile, if the camera draws any of its pixels; returns
 * whether it does. */
static inline bool walk_cast_row(const walk_kernel *kernel, const render_clip_view *view,
                                 pixel_rect tile, int y, walk_row *row)
{
    const pixel_rect pixels = {tile.x0, y, tile.x1, y + 1};
    const bool is_drawn = render_camera_count_drawn(view->camera, pixels) > 0;
    if (is_drawn) {
        kernel->cast(view, tile.x0, y, row);
    }
    return is_drawn;
}

/* The kernels that this processor can run, from the fastest to the plainest,
 * NULL-terminated. */
const walk_kernel *const *render_walk_kernels(void);

/* The first of them. */
const walk_kernel *render_walk_fastest(void);

#endif
