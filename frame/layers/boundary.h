/* The faces of boundary conditions, as ranges of a surface. */
#ifndef FRAME_LAYERS_BOUNDARY_H
#define FRAME_LAYERS_BOUNDARY_H

#include "layer.h"
#include "render/surface/surface.h"

/*
 * Finds the faces of the boundary conditions with the layer's `family` and `bc`, in one
 * block or in all (-1). *out is freed, and becomes [*count], the caller's. Local, the
 * same on all ranks. Errors: STATUS_USAGE: there are no such conditions; STATUS_MEMORY.
 */
status boundary_find(const frame_scene *scene, const frame_layer *layer, int block,
                     int *count, surface_range **out);

#endif
