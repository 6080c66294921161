/* Inside frame/extract: geometry that clipping planes and spheres cut. */
#ifndef FRAME_EXTRACT_CUT_H
#define FRAME_EXTRACT_CUT_H

#include "render/fragments/geometry.h"
#include "render/view/clip.h"

/* Cuts polygons (convex) and lines by the planes and spheres of `cuts`; edges count as
 * straight. The cut of an edge is the same point in all polygons that share it. Local.
 * Errors: STATUS_MEMORY; the geometry is empty then. */
status extract_cut(const render_cuts *cuts, render_geometry *geometry);

#endif
