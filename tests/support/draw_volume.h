/* A picture of a volume without a scene that stays. */
#ifndef TESTS_SUPPORT_DRAW_VOLUME_H
#define TESTS_SUPPORT_DRAW_VOLUME_H

#include "render/volume.h"

/* Draws the part of the volume inside the box of the request into img (transparent
 * before). */
static inline status draw_volume(const grid_store *store, const render_request *request,
                                 image *img, render_counters *counters)
{
    render_scene *scene = NULL;
    *counters = (render_counters){0};
    status s = render_scene_create(store, &scene);
    s = s == STATUS_OK ? render_scene_draw(scene, request, img, counters) : s;
    render_scene_destroy(&scene);
    return s;
}

#endif
