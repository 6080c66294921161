#include "clip_view.h"

render_kept_view render_clip_view_keep(const render_clip_view *view)
{
    return (render_kept_view){.is_ready = true,
                              .camera = *view->camera,
                              .clip = view->clip,
                              .has_cuts = view->cuts != NULL,
                              .cuts = view->cuts ? *view->cuts : (render_cuts){0}};
}

static bool has_same_cuts(const render_kept_view *kept, const render_clip_view *view)
{
    return vec3_is_same(kept->clip.lo, view->clip.lo) &&
           vec3_is_same(kept->clip.hi, view->clip.hi) &&
           render_cuts_are_same(render_clip_view_of(kept).cuts, view->cuts);
}

bool render_clip_view_is_kept(const render_kept_view *kept, const render_clip_view *view)
{
    return kept->is_ready && render_camera_is_same(&kept->camera, view->camera) &&
           has_same_cuts(kept, view);
}

bool render_clip_view_has_same_footprints(const render_kept_view *kept,
                                          const render_clip_view *view)
{
    return kept->is_ready &&
           render_camera_has_same_footprints(&kept->camera, view->camera) &&
           has_same_cuts(kept, view);
}
