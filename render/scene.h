/* Internals of a scene (render/volume.h): data that pictures share while the camera, the
 * box and the chosen bricks stay the same. */
#ifndef RENDER_SCENE_H
#define RENDER_SCENE_H

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
    render_kept_view view;   /* of the last picture; all fields below belong to it and to
                                the chosen bricks */
    int64_t times_forgotten; /* of the store */
    march_grid grid;
    tile_plan plan;
    bool crosses_often; /* rays cross cells many times as often as there are cells */
    bool stays;         /* an earlier picture had the same view */
};

/* Prepares the scene for a picture. Finds grid, boundary faces and tiles again if the
 * last picture's do not fit. window: the pixels that see the grid inside the view's box,
 * not empty. transfer: NULL if clear bricks must be drawn, too. wants_all: a plan with an
 * entry cache will not do. Local. Errors: STATUS_MEMORY. */
status render_scene_prepare(render_scene *scene, const render_transfer *transfer,
                            const render_clip_view *view, pixel_rect window,
                            bool wants_all, int threads);

/* Whether this picture fills the plan's entry cache. That pays only if later pictures
 * have the same view. */
static inline bool render_scene_caches_entries(const render_scene *scene)
{
    return scene->stays && !render_tiles_have_entry_cache(&scene->plan) &&
           !scene->grid.may_turn_back;
}

#endif
