/* The view of a picture: its camera, its box, and its clipping planes. */
#ifndef RENDER_VIEW_CLIP_VIEW_H
#define RENDER_VIEW_CLIP_VIEW_H

#include "camera.h"
#include "clip.h"

#include <stdbool.h>
#include <stddef.h>

/* The view of a picture; pointers are borrowed. */
typedef struct render_clip_view {
    const render_camera *camera;
    box3 clip;               /* half-open */
    const render_cuts *cuts; /* NULL: nothing is cut off */
} render_clip_view;

/* A copy of a view, to compare with that of the next picture. Zero: no view is kept. */
typedef struct render_kept_view {
    bool is_ready;
    render_camera camera;
    box3 clip;
    bool has_cuts;
    render_cuts cuts; /* valid if has_cuts */
} render_kept_view;

render_kept_view render_clip_view_keep(const render_clip_view *view);

/* Whether the copy is one of this view. */
bool render_clip_view_is_kept(const render_kept_view *kept, const render_clip_view *view);

/* Whether the copy is one of this view, or of one with the same footprints and cuts. */
bool render_clip_view_has_same_footprints(const render_kept_view *kept,
                                          const render_clip_view *view);

/* The copy as a view. */
static inline render_clip_view render_clip_view_of(const render_kept_view *kept)
{
    return (render_clip_view){.camera = &kept->camera,
                              .clip = kept->clip,
                              .cuts = kept->has_cuts ? &kept->cuts : NULL};
}

#endif
