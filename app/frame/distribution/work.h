/* The places of the last picture's work in space. */
#ifndef APP_FRAME_DISTRIBUTION_WORK_H
#define APP_FRAME_DISTRIBUTION_WORK_H

#include "app/frame/layers/layer.h"
#include "app/frame/scene/work_samples.h"

/*
 * Lists the work of the last picture in this rank's box: fragments of surfaces where they
 * are, cells of volumes and isosurfaces with the pixels that they cover. Together the
 * lists of all ranks are the work of the whole picture. Local. Errors: STATUS_MEMORY.
 */
status distribution_find_work(const app_scene *scene, const app_layers *layers,
                              app_work_samples *out);

#endif
