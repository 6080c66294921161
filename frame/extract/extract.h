/* The geometry of layers as files. */
#ifndef FRAME_EXTRACT_H
#define FRAME_EXTRACT_H

#include "frame/layers/layers.h"

/*
 * Writes the polygons and lines of all layers of a loaded step into the files that
 * output.extracts names. They end in .vtm (then each layer has a file in the folder of
 * that name, without the ending) or .csv. Coordinates are those of the picture's grid.
 * Files appear when they are whole. warns: of layers that have no geometry, and of
 * clipping, which does not cut it. Collective. Errors, the same on every rank:
 * STATUS_OUTPUT, STATUS_MEMORY.
 */
status frame_extract_write(const frame_scene *scene, frame_layers *layers,
                           const io_step *step, bool warns);

#endif
