/* The flow on the bricks of a rank: velocity at vertices, and a field that particles
 * show, at a step of the data and at the one before. */
#ifndef TRACE_VELOCITY_H
#define TRACE_VELOCITY_H

#include "cells.h"

/* What trace_velocity_set fills in. */
enum { TRACE_U, TRACE_V, TRACE_W, TRACE_FIELD, TRACE_COMPONENTS };

typedef struct trace_velocity trace_velocity;

/* What particles find at a place. */
typedef struct trace_sample {
    double velocity[3];
    double value; /* of the field; 0 where there is none */
} trace_sample;

/*
 * Makes room for the flow on the bricks of a store, all of which are in memory
 * (grid_store_create, not _reserve), all zero: 12 bytes a vertex, 4 more with a field,
 * twice that where `unsteady`. The store is borrowed for its geometry; its scalars may
 * change. Fields live at vertices; one that lives in cells must be averaged to vertices
 * first. Local. Errors: STATUS_MEMORY.
 */
status trace_velocity_create(const grid_store *store, bool unsteady, bool has_field,
                             trace_velocity **out);
void trace_velocity_destroy(trace_velocity **velocity);

/* What was now becomes what was before; for the next step all components are to be set
 * anew. Does nothing where the flow is steady. Local. */
void trace_velocity_turn(trace_velocity *velocity);

/* Copies the scalars of a store with the same bricks as those of a component now.
 * Velocity is in the grid's units of length per unit of time, along x, y, z. Local. */
void trace_velocity_set(trace_velocity *velocity, int component, const grid_store *store);

/* The flow at local coordinates of a cell, trilinear in them and linear in time.
 * `share`: 0 before, 1 now, where alone `now` is looked at; a steady flow is that of now
 * at all times. Local. */
trace_sample trace_velocity_sample(const trace_velocity *velocity,
                                   const trace_corners *corners, const double local[3],
                                   double share);

/* The store whose geometry it borrows. */
const grid_store *trace_velocity_store(const trace_velocity *velocity);

#endif
