/* Inside app/integrate: places of a request in a grid. */
#ifndef APP_INTEGRATE_PLACES_H
#define APP_INTEGRATE_PLACES_H

#include "frame/measure/measure.h"
#include "request.h"

/* Finds a place; free its ranges. Local, the same on all ranks. Errors: STATUS_USAGE,
 * STATUS_MEMORY. */
status integrate_place_find(const app_integrate_request *request, int place,
                            const io_source *source, const grid_layout *layout,
                            frame_measure_place *out);

#endif
