/* Integrals of fields over volumes, planes, faces and walls. */
#ifndef FRAME_MEASURE_MEASURE_H
#define FRAME_MEASURE_MEASURE_H

#include "grid/recipe.h"
#include "io/source.h"
#include "place.h"

typedef struct frame_measure frame_measure;

/*
 * Prepares a place; each rank takes its share of bricks. Borrows source and layout.
 * Collective. Errors: STATUS_INPUT, STATUS_MEMORY, STATUS_USAGE (a range, a
 * normal).
 */
status frame_measure_create(MPI_Comm comm, io_source *source, const grid_layout *layout,
                            const frame_measure_place *place, frame_measure **out);
void frame_measure_destroy(frame_measure **measure);

/*
 * Finds the integrals of a field (NULL: of 1) at a step (index). The field is trilinear
 * in cells, and bilinear on faces, between the values at vertices; a value in a cell
 * holds in all of it. Such integrals are exact over volumes, for faces in the directions
 * of normals, and for planes; areas of faces that are not plane have an error of fourth
 * order. Values that are missing are left out: a vertex with its part of the volume, a
 * face as a whole. The same bits on any ranks and threads. Collective. Errors:
 * STATUS_INPUT, STATUS_MEMORY.
 */
status frame_measure_find(frame_measure *measure, const grid_recipe *recipe, int step,
                          frame_measure_sums *out);

/* A brick's values, and their parts of its volume: [count], the values `stride` apart. */
typedef struct frame_measure_values {
    int count, stride;
    const float *value;
    const double *weight;
} frame_measure_values;

/* Visits the bricks of this rank one after the other, of a place that is a volume. The
 * field of a recipe is loaded before; NULL: the one that was loaded last. Collective.
 * Errors: STATUS_INPUT, STATUS_MEMORY. */
typedef void frame_measure_visitor(void *context, const frame_measure_values *values);
status frame_measure_visit(frame_measure *measure, const grid_recipe *recipe, int step,
                           frame_measure_visitor *visit, void *context);

#endif
