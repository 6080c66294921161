/* Lists of bricks: those that this rank draws, and those in its owned box. */
#ifndef APP_FRAME_SCENE_BRICKS_H
#define APP_FRAME_SCENE_BRICKS_H

#include "scene.h"

/* Lists the bricks that this rank draws, or those that meet its owned box. *numbers is
 * malloc'ed and ascending. Local. Errors: STATUS_MEMORY. */
status app_bricks_drawn(const app_scene *scene, int64_t *count, int64_t **numbers);
status app_bricks_owned(const app_scene *scene, int64_t *count, int64_t **numbers);

/* Lists the bricks of both lists. */
status app_bricks_all(const app_scene *scene, int64_t *count, int64_t **numbers);

#endif
