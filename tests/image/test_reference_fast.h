/* The fast renderer on one rank, with the arguments of the reference renderer. */
#ifndef TESTS_IMAGE_TEST_REFERENCE_FAST_H
#define TESTS_IMAGE_TEST_REFERENCE_FAST_H

#include "base/image.h"
#include "io/config/config.h"
#include "io/load/load.h"
#include "reference/reference.h"
#include "render/volume.h"

/* One field at one step, with all its bricks in memory. */
typedef struct fast_volume {
    io_source *source;
    grid_layout *layout;
    grid_store *store;
    render_style style; /* plain, unless changed */
} fast_volume;

/* Loads `field` at a step (an index). Collective over MPI_COMM_WORLD; the caller clears
 * the volume. Errors: those of io_source_open, io_load_* and grid_recipe_create. */
status fast_volume_open(const io_data_config *config, const char *field, int step,
                        fast_volume *out);

/* Adds gradients to a volume that is open, for a style with shade. `field`, `step` and
 * `terms` are those of the volume. Errors: those of io_load_field, STATUS_MEMORY. */
status fast_volume_add_gradients(fast_volume *volume, const char *field, int step,
                                 grid_terms terms);
void fast_volume_clear(fast_volume *volume);

/* Draws the volume with one thread. Local; the caller destroys *out. Errors: those of
 * render_transfer_create, render_camera_create and render_volume. */
status fast_volume_render(const fast_volume *volume, const reference_transfer *transfer,
                          const reference_camera *camera, image **out,
                          render_counters *counters);

/* The transfer function of a layer, from which it borrows. */
reference_transfer fast_transfer_of(const io_volume_config *layer);

#endif
