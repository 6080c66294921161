/* The flow in a surface, for its texture (render/surface/lic.h): every rank gets the
 * points and the velocity of whole index planes. */
#ifndef FRAME_LAYERS_SURFACE_FLOW_H
#define FRAME_LAYERS_SURFACE_FLOW_H

#include "layer.h"
#include "render/surface/lic.h"

typedef struct surface_flow surface_flow;

/* Finds the fields of the layer's key `lic`. Collective. Errors: STATUS_INPUT (a field is
 * missing), STATUS_MEMORY. */
status surface_flow_create(const frame_scene *scene, const frame_layer *layer,
                           surface_flow **out);
void surface_flow_destroy(surface_flow **flow);

/* Takes another surface, which it borrows, and exchanges the points of its planes; drops
 * the surface. Collective and local. Errors: STATUS_MEMORY. */
status surface_flow_take_surface(const frame_scene *scene, surface_flow *flow,
                                 const render_surface *surface);
void surface_flow_drop_surface(surface_flow *flow);

/* Loads and exchanges the velocity of a step. store: that of the surface. Collective.
 * Errors: STATUS_INPUT, STATUS_MEMORY. */
status surface_flow_load(const frame_scene *scene, surface_flow *flow, int step,
                         const grid_store *store);

/* The texture of the surface with the flow of the last step. Local. */
const render_lic *surface_flow_texture(const surface_flow *flow);

#endif
