/* The inside of a scene (render/volume.h): what pictures have in common as long as
 * camera, box and the bricks that are drawn stay the same. */
#ifndef RENDER_SCENE_H
#define RENDER_SCENE_H

#include "render/kernel/walk.h"
#include "tiles.h"
#include "volume.h"

struct render_scene {
    const grid_store *store; /* borrowed */
    box3 *blocks;            /* [nblocks]: bounds */
    bool *chosen;            /* [nbricks]: those of `grid` */
    bool *next;              /* [nbricks]: those of the picture at hand */
    float (*extents)[3];     /* [nbricks]: of march_brick, of those that were chosen since
                                the store has forgotten bricks; the first one negative:
                                not known */
    render_kept_view view; /* of the last picture; all below is for it and these bricks */
    int64_t times_forgotten; /* of the store */
    march_grid grid;
    tile_plan plan;
    bool stays; /* an earlier picture had it, too */
};

/*
 * Makes the scene ready for a picture: finds grid, boundary and tiles anew where they are
 * not those of the last one. window: the pixels that see the grid inside the view's box,
 * not empty. transfer: NULL where clear bricks must be drawn, too.
 * wants_all: a plan with an entry cache will not do. Local. Errors: STATUS_MEMORY.
 */
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
