/* The volume renderer: rays march through the cells of the bricks that a rank holds. */
#ifndef RENDER_VOLUME_H
#define RENDER_VOLUME_H

#include "base/image.h"
#include "base/status.h"
#include "base/vec.h"
#include "grid/brick.h"
#include "render/camera.h"
#include "render/clip.h"
#include "render/fragments.h"
#include "render/shade.h"
#include "render/transfer.h"

/* What one call did. */
typedef struct render_counters {
    int64_t rays;      /* that met a cell */
    int64_t crossings; /* cells that rays went through */
    int64_t lost_rays; /* that ended inside the grid: 0 unless there is a defect */
    int64_t nan_cells; /* crossings of cells whose scalar is not a finite number:
                          drawn transparent */
} render_counters;

/* How cells are drawn: for one ray after the other, or for one cell after the other all
 * rays that cross it. The picture is the same to the last bit. */
typedef enum render_method {
    RENDER_RAYCAST,
    RENDER_PLANES, /* quicker where cells are much larger than pixels */
    RENDER_AUTO    /* whichever is, tile by tile */
} render_method;

typedef struct render_style {
    render_method method;
    bool trilinear; /* faces are bilinear patches, the scalar follows the trilinear map;
                       otherwise faces are two triangles each, the scalar is bilinear on
                       them and linear in between */
    const render_shade *shade; /* borrowed; NULL: not shaded. The store needs gradients
                                  (grid_store_add_gradients); methods are all the ray
                                  caster */
    const render_cuts *cuts;   /* borrowed; NULL: nothing is cut off */
    int nlayers;               /* of surfaces, lines and so on in the volume */
    const render_fragments *const *layers; /* [nlayers], borrowed: of pictures of this
                                              size */
    double *seconds; /* of the picture's tiles (render/fragments.h), row after row: what
                        each takes of a processor is added; NULL: nobody wants to know */
} render_style;

/*
 * Draws the part of the volume inside the half-open box `clip` into img (transparent
 * before), front to back from the camera, with `threads` threads. Sets img->active. The
 * picture does not depend on the number of threads, nor on which bricks beyond the box
 * the store holds. Local. Errors: STATUS_MEMORY; STATUS_INTERNAL where shading lacks
 * gradients.
 */
status render_volume(const render_style *style, const grid_store *store,
                     const render_transfer *transfer, const render_camera *camera,
                     box3 clip, int threads, image *img, render_counters *counters);

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
status render_scene_draw(render_scene *scene, const render_style *style,
                         const render_transfer *transfer, const render_camera *camera,
                         box3 clip, int threads, image *img, render_counters *counters);

#endif
