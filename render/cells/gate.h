/* Gates: the parts of rays in which a scalar lies within limits. The kernels
 * (render/kernel/walk.h) find them for render/iso.c. */
#ifndef RENDER_CELLS_GATE_H
#define RENDER_CELLS_GATE_H

#include "march.h"

#include <stdbool.h>
#include <stdint.h>

enum { GATE_MOST_WALKS = 256 };

/* An open part of a ray: of cells of one block. */
typedef struct gate_span {
    int walk;     /* index of the ray */
    int priority; /* of the block */
    float begin, end;
} gate_span;

/* Cells of a brick that may be open, as far as it has them: [lo, hi) along each axis. */
typedef struct gate_box {
    int lo[3], hi[3];
} gate_box;

/* The limits of a gate, and the spans found so far. */
typedef struct walk_gate {
    float lo, hi;          /* may be infinite; if both are, values do not matter */
    bool whole_cells;      /* a cell is open if all of its vertices lie within the limits;
                              false: the part of the way in which the scalar does */
    const gate_box *boxes; /* [nbricks] of the grid */
    int64_t count, capacity;
    gate_span *items;          /* [count]: of each ray in any order */
    int last[GATE_MOST_WALKS]; /* the last span of each ray, or -1 */
    bool failed;               /* without memory */
} walk_gate;

/* The way of a ray through a cell: distances and scalars at its ends. */
typedef struct gate_way {
    float t0, t1, s0, s1;
} gate_way;

/* Forgets all spans. */
void render_gate_clear(walk_gate *gate);

/* Adds a span, or makes the ray's last one longer. */
void render_gate_push(walk_gate *gate, const gate_span *span);

/* Adds the open part of a way. */
void render_gate_add(walk_gate *gate, const march_grid *grid, int walk,
                     const march_cell *cell, const gate_way *way);

#endif
