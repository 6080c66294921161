/* Inside frame/extract: geometry that clipping planes, spheres and thresholds cut. */
#ifndef FRAME_EXTRACT_CUT_H
#define FRAME_EXTRACT_CUT_H

#include "render/fragments/geometry.h"
#include "render/view/clip.h"

/* Cuts polygons (convex) and lines by the planes and spheres of `cuts`; edges count as
 * straight. The cut of an edge is the same point in all polygons that share it. Local.
 * Errors: STATUS_MEMORY; the geometry is empty then. */
status extract_cut(const render_cuts *cuts, render_geometry *geometry);

/* Leaves parts out: closed[nparts]. Local. Errors: STATUS_MEMORY. */
status extract_cut_closed(const bool *closed, render_geometry *geometry);

/* Cuts off what lies beyond limits of the limited values of this number; a limit may be
 * infinite. Values are linear along edges; missing ones lie beyond. Local. Errors:
 * STATUS_MEMORY. */
status extract_cut_limited(int number, const float limits[2], render_geometry *geometry);

#endif
