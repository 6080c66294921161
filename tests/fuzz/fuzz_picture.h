/* A case ready to be drawn, and its pictures. */
#ifndef TESTS_FUZZ_FUZZ_PICTURE_H
#define TESTS_FUZZ_FUZZ_PICTURE_H

#include "fuzz_scene.h"

#include "render/kernel/walk.h"
#include "render/volume.h"

/* Everything that pictures depend on. */
typedef struct fuzz_scene {
    const fuzz_case *c;
    fuzz_grid *grid;
    fuzz_points points;
    render_transfer *transfer;
    render_view view;
    render_camera camera;
    render_shade shade; /* of shaded cases */
} fuzz_scene;

/* `c` is borrowed. Local. Errors: those of fuzz_grid_create, render_transfer_create and
 * render_camera_create. */
status fuzz_scene_create(const fuzz_case *c, fuzz_scene **out);
void fuzz_scene_destroy(fuzz_scene **scene);

/* Whether folded cells along a pixel's ray count and take back so much that the result is
 * unknown. For folded grids of constant extinction. */
bool fuzz_scene_excess(const fuzz_scene *scene, int64_t pixel);

typedef struct fuzz_picture {
    image *img; /* with depth */
    render_counters counters;
} fuzz_picture;

/* A way to draw a picture; the picture must not depend on it. */
typedef struct fuzz_way {
    const walk_kernel *kernel;
    render_method method;
    int threads;
    int before;   /* pictures drawn of the same scene before this one */
    int64_t keep; /* most bytes of kept ways */
} fuzz_way;

/* Draws. Local. Errors: STATUS_MEMORY. */
status fuzz_picture_draw(const fuzz_scene *scene, const grid_store *store, box3 clip,
                         const fuzz_way *way, fuzz_picture *out);
void fuzz_picture_clear(fuzz_picture *picture);

/* The kernel that render_volume chooses. */
const walk_kernel *fuzz_kernel_fastest(void);

#endif
