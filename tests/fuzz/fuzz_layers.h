/* The layers of a layered case: surfaces at the same place. */
#ifndef TESTS_FUZZ_FUZZ_LAYERS_H
#define TESTS_FUZZ_FUZZ_LAYERS_H

#include "fuzz_picture.h"

#include "render/surface/surface.h"

enum { FUZZ_LAYERS = 3 };

/* A plane with lines, the same plane plain, and a plane in space through one of its
 * faces. All zero: none. */
typedef struct fuzz_layers {
    render_surface *surfaces[FUZZ_LAYERS];
    int count;
    const render_fragments *lists[FUZZ_LAYERS + 1]; /* [count]: lines of the first one
                                                       are apart */
} fuzz_layers;

/* Draws the layers inside a box. Local. Errors: STATUS_MEMORY. */
status fuzz_layers_draw(const fuzz_scene *scene, const grid_store *store, box3 clip,
                        int threads, fuzz_layers *out);
void fuzz_layers_clear(fuzz_layers *layers);

#endif
