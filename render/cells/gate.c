#include "gate.h"

#include "base/array.h"
#include "hits.h"

#include <math.h>

void render_gate_clear(walk_gate *gate)
{
    gate->count = 0;
    for (int n = 0; n < GATE_MOST_WALKS; n++) {
        gate->last[n] = -1;
    }
}

void render_gate_push(walk_gate *gate, const gate_span *span)
{
    gate_span *last =
        gate->last[span->walk] >= 0 ? &gate->items[gate->last[span->walk]] : NULL;
    if (last && last->priority == span->priority && last->end == span->begin) {
        last->end = span->end;
        return;
    }
    gate_span *items =
        base_array_reserve(gate->items, &gate->capacity, gate->count + 1, sizeof *items);
    if (!items) {
        gate->failed = true;
        return;
    }
    gate->items = items;
    gate->last[span->walk] = (int)gate->count;
    gate->items[gate->count++] = *span;
}

static bool has_cell(const gate_box *box, const march_cell *cell)
{
    bool has = true;
    for (int axis = 0; axis < 3; axis++) {
        has = has && cell->at[axis] >= box->lo[axis] && cell->at[axis] < box->hi[axis];
    }
    return has;
}

/* Whether a scalar lies within the limits. */
static bool is_within(const walk_gate *gate, float scalar)
{
    return isfinite(scalar) && scalar >= gate->lo && scalar <= gate->hi;
}

/* Whether all vertices of a cell lie within the limits. */
static bool is_open(const walk_gate *gate, const march_grid *grid, const march_cell *cell)
{
    const march_brick *brick = &grid->bricks[cell->brick];
    const int lowest = march_vertex_index(brick, cell->at);
    bool is = true;
    for (int corner = 0; corner < 8; corner++) {
        is = is &&
             is_within(gate, grid->vertex[march_corner_index(brick, lowest, corner)][3]);
    }
    return is;
}

/* Finds the share of a way in which the scalar lies within the limits; false: none. The
 * ends are those of isosurfaces at the limits. */
static bool find_share(const walk_gate *gate, const gate_way *way, float share[2])
{
    const float s0 = way->s0, s1 = way->s1, lo = gate->lo, hi = gate->hi;
    if (!isfinite(s0) || !isfinite(s1) || fmaxf(s0, s1) < lo || fminf(s0, s1) > hi) {
        return false;
    }
    share[0] = is_within(gate, s0) ? 0.0f : hits_share(s0, s1, s0 < s1 ? lo : hi);
    share[1] = is_within(gate, s1) ? 1.0f : hits_share(s0, s1, s0 < s1 ? hi : lo);
    return share[0] < share[1];
}

void render_gate_add(walk_gate *gate, const march_grid *grid, int walk,
                     const march_cell *cell, const gate_way *way)
{
    const march_brick *brick = &grid->bricks[cell->brick];
    float share[2] = {0.0f, 1.0f};
    bool opens = has_cell(&gate->boxes[cell->brick], cell);
    const bool has_limits = gate->lo > -INFINITY || gate->hi < INFINITY;
    if (opens && has_limits && grid->cell) {
        opens = is_within(gate, grid->cell[march_cell_index(brick, cell->at)]);
    } else if (opens && has_limits) {
        opens =
            gate->whole_cells ? is_open(gate, grid, cell) : find_share(gate, way, share);
    }
    const float length = way->t1 - way->t0;
    const float a = share[0] > 0.0f ? way->t0 + share[0] * length : way->t0;
    const float b = share[1] < 1.0f ? way->t0 + share[1] * length : way->t1;
    if (opens && a != b) {
        /* A folded cell may be passed backwards. */
        const gate_span span = {walk, brick->priority, fminf(a, b), fmaxf(a, b)};
        render_gate_push(gate, &span);
    }
}
