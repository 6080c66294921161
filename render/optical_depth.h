/* Optical depths of a volume along the rays of a camera, for shadows. The rays march as
 * those of a picture, with the same cells and the same integrals. */
#ifndef RENDER_OPTICAL_DEPTH_H
#define RENDER_OPTICAL_DEPTH_H

#include "volume.h"

/* Optical depths are sums of whole numbers of this unit. Sums of such numbers do not
 * depend on the order, nor on the division of the volume among ranks but for rounding. */
#define RENDER_THROUGH_UNIT (1.0 / 1048576.0)

/* Planes across the viewing direction: number n has the depth first + n * distance. */
typedef struct render_planes {
    int count; /* > 0 */
    double first, distance;
} render_planes;

/* Adds the optical depths from the camera to the planes, of the part of the volume inside
 * the box of the request; a depth counts at most 16 in a call. Layers and colours of the
 * request do not matter. depths: [planes->count][height][width], in
 * RENDER_THROUGH_UNIT. Local. Errors: STATUS_MEMORY; STATUS_INTERNAL if gradients for
 * `opacity_by_gradient` are missing. */
status render_through_add(render_scene *scene, const render_request *request,
                          const render_planes *planes, int64_t *depths);

#endif
