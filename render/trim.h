/* Trimming: what is not drawn of a grid is left out of it. */
#ifndef RENDER_TRIM_H
#define RENDER_TRIM_H

#include "render/clip.h"
#include "render/march.h"

/*
 * Takes out of a grid, made of the chosen bricks of `store`, the cells that lie wholly
 * outside of `clip`, behind the viewer or in what `cuts` (may be NULL) cut off: rays come
 * in next to what is drawn, not where the bricks begin. In between nothing changes. A
 * grid in which rays may turn back keeps all its cells. Takes a byte a vertex where cells
 * are taken out. Local. Errors: STATUS_MEMORY.
 */
status render_march_trim(const grid_store *store, const bool *chosen,
                         const render_camera *camera, box3 clip, const render_cuts *cuts,
                         int threads, march_grid *grid);

#endif
