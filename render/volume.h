/* The volume renderer: rays march through the cells of the bricks that a rank holds. */
#ifndef RENDER_VOLUME_H
#define RENDER_VOLUME_H

#include "base/image.h"
#include "base/status.h"
#include "base/vec.h"
#include "grid/brick.h"
#include "render/kernel/style.h"
#include "render/transfer/transfer.h"
#include "render/view/camera.h"

/*
 * Draws the part of the volume inside the half-open box `clip` into img (transparent
 * before), front to back from the camera. Sets img->active. The picture does not depend
 * on the number of threads, on the kernel, nor on which bricks beyond the box the store
 * holds. Local. Errors: STATUS_MEMORY; STATUS_INTERNAL where shading lacks gradients.
 */
status render_volume(const grid_store *store, const render_request *request, image *img,
                     render_counters *counters);

/*
 * A scene keeps what pictures of one store have in common: which cells are at the
 * boundary, where in the picture, and the tiles; as long as camera, box and the bricks
 * that are drawn stay what they are, and only the flow is new. Geometry that is in memory
 * must not change while there is a scene of it; bricks may come into memory.
 */
typedef struct render_scene render_scene;

/* Borrows the store. Local. Errors: STATUS_MEMORY. */
status render_scene_create(const grid_store *store, render_scene **out);
void render_scene_destroy(render_scene **scene);

/*
 * Whether a picture without depth may show something of the brick, or shows something
 * else because of it. Looks at its number, place and range alone; where the answer is no
 * the brick need not be in memory (grid_store_reserve). Local; may be called by several
 * threads at once.
 */
bool render_scene_shows(const render_scene *scene, const render_transfer *transfer,
                        const grid_brick *brick);

/* Draws as render_volume does: the same picture. Bricks that are not in memory are as if
 * not there: with depth, all of them should be. Without a scene and a transfer function
 * (both NULL) the picture shows the layers of the style alone. */
status render_scene_draw(render_scene *scene, const render_request *request, image *img,
                         render_counters *counters);

#endif
