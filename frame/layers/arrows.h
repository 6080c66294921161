/* Lines with heads: arrows along the flow. */
#ifndef FRAME_LAYERS_ARROWS_H
#define FRAME_LAYERS_ARROWS_H

#include "render/fragments/fragments.h"
#include "render/lines/trails.h"

/* How far the heads of lines with this radius reach aside, in radii of the lines. */
extern const double arrows_reach;

/* Draws lines as tubes, each with a cone at its end. Lines of a single point are left
 * out. Local. Errors: STATUS_MEMORY. */
status arrows_draw(const render_trails *lines, const render_camera *camera, int threads,
                   render_fragments *out);

#endif
