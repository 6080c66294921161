/* Inside frame/extract: what thresholds leave of a layer's geometry. */
#ifndef FRAME_EXTRACT_GATES_H
#define FRAME_EXTRACT_GATES_H

#include "frame/layers/layers.h"

/*
 * Cuts the geometry of a layer by the thresholds among all layers, at the step that is
 * loaded: along the values of their fields, which are linear along edges of polygons and
 * lines, and whole polygons by cells. A polygon that no cell beside it shows is left out.
 * Collective. Errors: those of io_load_field, STATUS_MEMORY.
 */
status extract_gates(const frame_scene *scene, const frame_layers *layers,
                     const frame_layer *layer, render_geometry *geometry);

#endif
