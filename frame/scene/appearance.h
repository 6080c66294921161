/* The looks of a scene: camera, cuts, light, colours. */
#ifndef FRAME_SCENE_APPEARANCE_H
#define FRAME_SCENE_APPEARANCE_H

#include "scene.h"

/* Makes the camera of the config. The grid's coordinates are relative to `origin`. Local.
 * Errors: STATUS_USAGE. */
status frame_scene_make_camera(frame_scene *scene, vec3 origin);

/* Adds the place of one of the volume's keys, such as "field", to the message of a
 * failure. Returns s. Local. */
status frame_scene_blame_volume(const frame_scene *scene, const char *key, status s);

/*
 * Makes the looks of the volume: style, light, cuts, range and transfer function. Finds
 * the unit length of the opacity if the config leaves it open. The scene has its layout.
 * Collective. Errors: STATUS_MEMORY.
 */
status frame_scene_make_transfer(frame_scene *scene);

/* Makes range, light and transfer function of the volume anew, whose range has changed.
 * Collective. Errors: STATUS_MEMORY. */
status frame_scene_rescale_volume(frame_scene *scene);

/* Whether the bricks of the volume have gradients at their vertices. Local. */
bool frame_scene_has_gradients(const frame_scene *scene);

/* Finds what depends on the view, before a picture: the depths between which things fade.
 * The scene has its layout, camera and style. Local. */
void frame_scene_aim(frame_scene *scene);

/* The light of a config in the grid's coordinates. per_gradient is left 0. Local. */
render_shade frame_scene_shade(const frame_scene *scene, const io_shade_config *config);

#endif
