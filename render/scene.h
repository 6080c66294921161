/* Internals of a scene (render/volume.h): data that pictures share while the camera, the
 * box and the chosen bricks stay the same. */
#ifndef RENDER_SCENE_H
#define RENDER_SCENE_H

#include "ray_cache.h"
#include "render/kernel/walk.h"
#include "tiles.h"
#include "volume.h"

struct render_scene {
    const grid_store *store; /* borrowed */
    box3 *blocks;            /* [nblocks]: bounds */
    bool *chosen;            /* [nbricks]: the bricks of `grid` */
    bool *next;              /* [nbricks]: the bricks of the current picture */
    float (*extents)[3];     /* [nbricks]: extents of march_brick, for bricks chosen since
                                the store last forgot its bricks; first component
                                negative: not measured */
    float *warps;            /* [nbricks]: warps of march_brick, likewise */
    render_kept_view view;   /* of an earlier picture with the same footprints as the
                                last one; all fields below belong to it and to the chosen
                                bricks */
    int64_t times_forgotten; /* of the store */
    march_grid grid;
    tile_plan plan;
    bool crosses_often; /* rays cross cells many times as often as there are cells */
    int64_t keep;       /* most bytes of kept ways for the current picture */
    render_kept kept;   /* ways of rays; stay if bricks are chosen in addition */
    bool outgrows;      /* the ways of all rays of `view` take more memory than that */
    int64_t crossings;  /* of the last picture of all pixels */
    bool is_view;       /* the current picture has `view`, not only its footprints */
    bool stays;         /* it has the view of an earlier one with the same bricks */
};

/* Prepares the scene for a picture. Finds grid, boundary faces and tiles again if the
 * last picture's do not fit. window: the pixels that see the grid inside the view's box,
 * not empty. transfer: NULL if clear bricks must be drawn, too. Local. Errors:
 * STATUS_MEMORY. */
status render_scene_prepare(render_scene *scene, const render_transfer *transfer,
                            const render_clip_view *view, pixel_rect window, int threads);

/* Finds the bricks with faces that are patches, in this style. Local. */
void render_scene_find_patches(render_scene *scene, const render_style *style,
                               const render_transfer *transfer, int threads);

/* Keeps ways from this picture on if the view stays, and takes the scalars of its step.
 * bends: the scalar bends under it, by the marks of the grid; NULL: it does not. Returns
 * NULL if nothing is kept. Local. */
render_kept *render_scene_keep(render_scene *scene, const walk_kernel *kernel,
                               const render_transfer *bends, int threads);

#endif
