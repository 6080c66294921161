/* The looks of a scene: camera, cuts, light, colours. */
#ifndef APP_FRAME_SCENE_LOOK_H
#define APP_FRAME_SCENE_LOOK_H

#include "scene.h"

/* The camera of the config for a grid whose coordinates are relative to `origin`. Local.
 * Errors: STATUS_USAGE. */
status app_scene_make_camera(app_scene *scene, vec3 origin);

/* How a failure of the volume reads: with the place of one of its keys, such as "field".
 * Returns s. Local. */
status app_scene_blame_volume(const app_scene *scene, const char *key, status s);

/*
 * The looks of the volume: style, light, cuts, range and transfer function. Finds the
 * length of the opacity's unit if the config leaves it open. The scene has its layout.
 * Collective. Errors: STATUS_MEMORY.
 */
status app_scene_make_transfer(app_scene *scene);

/* The light that a config asks for, in the grid's coordinates; per_gradient is left 0.
 * Local. */
render_shade app_scene_shade(const app_scene *scene, const io_shade_config *config);

#endif
