/* Small grids with a flow in memory, whole or a rank's part, for the tests of particles.
 */
#ifndef TESTS_UNIT_TRACE_FLOW_H
#define TESTS_UNIT_TRACE_FLOW_H

#include "trace/velocity.h"

/* Position of the vertex at (i, j, k) of a block of n vertices; returns whether it is
 * there (false: blanked). */
typedef bool flow_vertex(int block, const int64_t at[3], const int64_t n[3],
                         double xyz[3]);

/* Velocity and one more number at a point and a time. */
typedef void flow_field(const double x[3], double time, double out[4]);

typedef struct flow {
    grid_layout *layout; /* of the whole grid; blocks[] may be told to be closed */
    grid_store *store;
    trace_velocity *velocity;
} flow;

/* Makes the grid, and keeps the bricks that part `part` of `nparts` holds. n: [nblocks].
 * Blocks with lower numbers go first. Ends the program where memory runs out. */
flow flow_create(int nblocks, const int64_t n[][3], flow_vertex *vertex, int nparts,
                 int part);
void flow_destroy(flow *f);

/* Sets all components now. */
void flow_set(flow *f, flow_field *field, double time);

/* Two rings of radius 1 to 2 around the z axis, 0 to 1 high, without and with warped
 * cells: i outwards, j around (closed), k up. For flow_create. */
bool flow_ring(int block, const int64_t at[3], const int64_t n[3], double xyz[3]);
bool flow_warped_ring(int block, const int64_t at[3], const int64_t n[3], double xyz[3]);

/* A box, (i, j, k) / (n - 1) in block 0; Block 1 lies beside it along x, with another
 * number of cells and its axes turned. Its x, y, z run with its j, k, i. */
bool flow_boxes(int block, const int64_t at[3], const int64_t n[3], double xyz[3]);

/* Rotation about the z axis, one turn in 2 pi; the number is x + 2 y + 3 z. */
void flow_rotation(const double x[3], double time, double out[4]);

#endif
