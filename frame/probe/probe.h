/* Values of fields at points. */
#ifndef FRAME_PROBE_H
#define FRAME_PROBE_H

#include "io/source.h"
#include "point.h"

typedef struct frame_probe frame_probe;

/*
 * Finds points in the grid of a layout, whose blocks have priorities. Each rank passes
 * the same wishes, [count]. Collective. Errors: STATUS_USAGE (a vertex outside of its
 * block), those of io_load_bricks, STATUS_MEMORY.
 */
status frame_probe_create(MPI_Comm comm, io_source *source, const grid_layout *layout,
                          int64_t count, const frame_probe_wish *wishes,
                          frame_probe **out);
void frame_probe_destroy(frame_probe **probe);

/* The points, [count]: the same on every rank. Borrowed. Local. */
const frame_probe_point *frame_probe_points(const frame_probe *probe);

/*
 * The values of a field at a step (index) at all points, the same on every rank:
 * trilinear between vertices, or those of the cells. NaN: the point is outside, or the
 * value is missing. values: [count]. Collective. Errors: those of io_load_field,
 * STATUS_MEMORY.
 */
status frame_probe_values(frame_probe *probe, const grid_recipe *recipe, int step,
                          double *values);

#endif
