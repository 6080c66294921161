/* Lists of bricks: those that this rank draws, and those in its owned box; blocks by
 * name. */
#ifndef FRAME_SCENE_BRICKS_H
#define FRAME_SCENE_BRICKS_H

#include "scene.h"

/* Lists the bricks that this rank draws, or those that meet its owned box. *numbers is
 * malloc'ed and ascending. Local. Errors: STATUS_MEMORY. */
status frame_bricks_drawn(const frame_scene *scene, int64_t *count, int64_t **numbers);
status frame_bricks_owned(const frame_scene *scene, int64_t *count, int64_t **numbers);

/* Lists the bricks of both lists. */
status frame_bricks_all(const frame_scene *scene, int64_t *count, int64_t **numbers);

/* Finds the block of a name. Local. Errors: STATUS_USAGE, whose message lists the
 * blocks. */
status frame_block_find(const grid_layout *layout, const char *name, int *block);

/* Whether the grid lacks a block that it has at another step; false without a name.
 * Local. */
bool frame_block_is_missing(const frame_scene *scene, const char *name);

/* Whether something may cast shadows. Then ranks have the bricks of a box of space, also
 * if they draw rectangles of the picture. The same on every rank. Local. */
bool frame_scene_casts(const frame_scene *scene);

/* The box of space that this rank draws from lights; the boxes of all ranks fill space.
 * Local. */
box3 frame_scene_cast_box(const frame_scene *scene);

#endif
