/* Lists of bricks: those that this rank draws, and those in its owned box; blocks by
 * name. */
#ifndef FRAME_SCENE_BRICKS_H
#define FRAME_SCENE_BRICKS_H

#include "scene.h"

/* Lists the bricks that this rank draws, or those that meet its owned box. *numbers is
 * malloc'ed and ascending. Local. Errors: STATUS_MEMORY. */
status app_bricks_drawn(const app_scene *scene, int64_t *count, int64_t **numbers);
status app_bricks_owned(const app_scene *scene, int64_t *count, int64_t **numbers);

/* Lists the bricks of both lists. */
status app_bricks_all(const app_scene *scene, int64_t *count, int64_t **numbers);

/* Finds the block of a name. Local. Errors: STATUS_USAGE, whose message lists the
 * blocks. */
status app_block_find(const grid_layout *layout, const char *name, int *block);

/* Whether something may cast shadows. Then ranks have the bricks of a box of space, also
 * if they draw rectangles of the picture. The same on every rank. Local. */
bool app_scene_casts(const app_scene *scene);

/* The box of space that this rank draws from lights; the boxes of all ranks fill space.
 * Local. */
box3 app_scene_cast_box(const app_scene *scene);

#endif
