/* The volume of a scene: its bricks, and its values of a step. */
#ifndef FRAME_SCENE_VOLUME_H
#define FRAME_SCENE_VOLUME_H

#include "scene.h"

/* Makes the volume's store and scene for the bricks that this rank draws, also again
 * after a move. Does nothing without a volume. Collective. Errors: STATUS_INPUT,
 * STATUS_MEMORY. */
status frame_volume_load_bricks(frame_scene *scene);

/* Loads the visible bricks of a step (index into the source's). Collective. Errors as
 * io_load_wanted. */
status frame_volume_load(frame_scene *scene, int step);

/* Draws the volume in this style, with its layers, into a picture; or these samples of
 * the pixels of the camera's mask; NULL: the picture. While the view stays, it keeps the
 * ways of rays. Local. Errors as render_scene_draw. */
status frame_volume_draw(const frame_scene *scene, const draw_request *request,
                         const render_style *style, const render_sample_set *samples,
                         image *img, render_counters *counters);

/* Frees all that follows from grid, colours and light, but not the recipe. Collective. */
void frame_volume_drop(frame_scene *scene);

/* Collective. */
void frame_volume_destroy(frame_scene *scene);

#endif
