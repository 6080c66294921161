/* Lists of bricks: of those that this rank draws, and of those at its home. */
#ifndef APP_FRAME_SCENE_BRICKS_H
#define APP_FRAME_SCENE_BRICKS_H

#include "scene.h"

/* Numbers of the bricks that this rank draws, malloc'ed, ascending; or of those that
 * meet its home. Local. Errors: STATUS_MEMORY. */
status app_bricks_drawn(const app_scene *scene, int64_t *count, int64_t **numbers);
status app_bricks_owned(const app_scene *scene, int64_t *count, int64_t **numbers);

/* Both. */
status app_bricks_all(const app_scene *scene, int64_t *count, int64_t **numbers);

#endif
