/* The flow on the bricks of a rank, at a step of the data and at the one before: velocity
 * at vertices, and a field for the values of lines. */
#ifndef TRACE_VELOCITY_H
#define TRACE_VELOCITY_H

#include "cells.h"
#include "grid/view.h"

/* Components, for trace_velocity_set. */
enum { TRACE_U, TRACE_V, TRACE_W, TRACE_FIELD, TRACE_COMPONENTS };

typedef struct trace_velocity trace_velocity;

/* The flow at a point. */
typedef struct trace_sample {
    double velocity[3];
    double value; /* of the field; 0 without a field */
} trace_sample;

/*
 * Allocates the flow on the bricks of a store, all zero. All these bricks are in memory
 * (grid_store_create, not _reserve). It takes 12 bytes per vertex, 4 more with a field,
 * and twice that if `unsteady`. The store is borrowed for its geometry; its scalars may
 * change. Fields are given at vertices; a field at cells must be averaged to vertices
 * first. Local. Errors: STATUS_MEMORY.
 */
status trace_velocity_create(const grid_store *store, bool unsteady, bool has_field,
                             trace_velocity **out);
void trace_velocity_destroy(trace_velocity **velocity);

/* Makes the present flow the previous one. The caller then sets all components of the
 * next step. Does nothing if the flow is steady. Local. */
void trace_velocity_turn(trace_velocity *velocity);

/*
 * The same for a flow that was created as steady, but changes from step to step of a
 * running program: only the present flow stays in memory between two steps. _begin
 * allocates the next one, and the present one becomes the previous one; _end frees that.
 * Local. Errors: STATUS_MEMORY; the flow is then unchanged.
 */
status trace_velocity_begin(trace_velocity *velocity);
void trace_velocity_end(trace_velocity *velocity);

/* Bytes of the flow. Local. */
int64_t trace_velocity_bytes(const trace_velocity *velocity);

/* Copies the scalars of a store with the same bricks to a component of the present flow.
 * Velocity is in the grid's units of length per unit of time, along x, y, z. Local. */
void trace_velocity_set(trace_velocity *velocity, int component, const grid_store *store);

/* The same for some components of a brick: component c at its vertex (i, j, k) is
 * of[c - first][k * plane + j * row + i]; `plane` may be 0. Local; threads may set
 * different bricks or components. */
typedef struct trace_components {
    int first, count;
    int64_t row, plane;
    const float *of[TRACE_COMPONENTS];
} trace_components;

void trace_velocity_put(trace_velocity *velocity, const grid_brick *brick,
                        const trace_components *values);

/* The flow at local coordinates of a cell, trilinear in space and linear in time.
 * `share`: 0 previous flow, 1 present flow, which alone is read then. A steady flow is
 * the present one at all times. Local. */
trace_sample trace_velocity_sample(const trace_velocity *velocity,
                                   const trace_corners *corners, const double local[3],
                                   double share);

/* The present flow at all vertices of the store: [nvertices][*width], u, v, w and the
 * field if there is one, and TRACE_ADAMS_PADDING numbers more. Borrowed. */
const float *trace_velocity_now(const trace_velocity *velocity, int *width);

/* Turns the present flow from the data's coordinates to those of the grid: views[blocks].
 * Call it once when all components are set. Local. */
void trace_velocity_view(trace_velocity *velocity, const grid_view *views);

/* The store that was borrowed. */
const grid_store *trace_velocity_store(const trace_velocity *velocity);

#endif
