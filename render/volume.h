/* The volume renderer: rays march through the cells of a rank's bricks. */
#ifndef RENDER_VOLUME_H
#define RENDER_VOLUME_H

#include "base/image.h"
#include "base/status.h"
#include "base/vec.h"
#include "grid/brick.h"
#include "render/kernel/style.h"
#include "render/transfer/transfer.h"
#include "render/view/camera.h"

/* A scene keeps data that pictures of one store share: the boundary faces, their places
 * in the picture, and the tiles. The data stay valid while the camera, the box and the
 * drawn bricks stay the same and only the flow changes. Geometry in memory must not
 * change during the life of a scene; bricks may be taken into memory. */
typedef struct render_scene render_scene;

/* Borrows the store. Local. Errors: STATUS_MEMORY. */
status render_scene_create(const grid_store *store, render_scene **out);
void render_scene_destroy(render_scene **scene);

/* Whether the brick may change a picture without depth: it may be visible, or hide other
 * blocks. Reads only its number, place and range. If the answer is no, the brick need not
 * be in memory (grid_store_reserve). Local; may be called by several threads at once. */
bool render_scene_shows(const render_scene *scene, const render_transfer *transfer,
                        const grid_brick *brick);

/* Draws the part of the volume inside the half-open box of the request into img
 * (transparent before), or several samples of some of its pixels, front to back from the
 * camera. Sets img->active. The picture does not depend on the number of threads, on the
 * kernel, or on bricks outside the box. Bricks that are not in memory are ignored; for
 * depth, all of them should be in memory. Without a scene and a transfer function (both
 * NULL) the picture shows the layers of the style alone. Local. Errors: STATUS_MEMORY;
 * STATUS_INTERNAL if gradients for shading are missing. */
status render_scene_draw(render_scene *scene, const render_request *request, image *img,
                         render_counters *counters);

#endif
