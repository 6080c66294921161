/* The looks of a scene: camera, cuts, light, colours. */
#ifndef FRAME_SCENE_APPEARANCE_H
#define FRAME_SCENE_APPEARANCE_H

#include "scene.h"

/* Makes the camera of the config. The grid's coordinates are relative to `origin`. Local.
 * Errors: STATUS_USAGE. */
status app_scene_make_camera(app_scene *scene, vec3 origin);

/* Adds the place of one of the volume's keys, such as "field", to the message of a
 * failure. Returns s. Local. */
status app_scene_blame_volume(const app_scene *scene, const char *key, status s);

/*
 * Makes the looks of the volume: style, light, cuts, range and transfer function. Finds
 * the unit length of the opacity if the config leaves it open. The scene has its layout.
 * Collective. Errors: STATUS_MEMORY.
 */
status app_scene_make_transfer(app_scene *scene);

/* Makes range, light and transfer function of the volume anew, whose range has changed.
 * Collective. Errors: STATUS_MEMORY. */
status app_scene_rescale_volume(app_scene *scene);

/* Whether the bricks of the volume have gradients at their vertices. Local. */
bool app_scene_has_gradients(const app_scene *scene);

/* Finds what depends on the view, before a picture: the depths between which things fade.
 * The scene has its layout, camera and style. Local. */
void app_scene_aim(app_scene *scene);

/* The light of a config in the grid's coordinates. per_gradient is left 0. Local. */
render_shade app_scene_shade(const app_scene *scene, const io_shade_config *config);

#endif
