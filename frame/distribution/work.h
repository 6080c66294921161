/* The work samples of the last picture. */
#ifndef FRAME_DISTRIBUTION_WORK_H
#define FRAME_DISTRIBUTION_WORK_H

#include "frame/layers/layer.h"
#include "frame/scene/work_samples.h"

/*
 * Lists the work of the last picture in this rank's box. A fragment of a surface is a
 * sample at its place; cells of volumes and isosurfaces are samples weighted by the
 * pixels that they cover. The lists of all ranks together are the work of the whole
 * picture. Local. Errors: STATUS_MEMORY.
 */
status distribution_find_work(const frame_scene *scene, const frame_layers *layers,
                              frame_work_samples *out);

#endif
