/* The states of particles that make short steps: making them, and moving them about. */
#include "lanes.h"

#include "trace/cells.h"

#include <stdlib.h>
#include <string.h>

/* ---- Memory ------------------------------------------------------------------------ */

/* All bytes are zero. */
static void *allocate(size_t count, size_t size)
{
    enum { LINE = 64 };
    const size_t bytes = (count * size + LINE - 1) / LINE * LINE;
    void *made = aligned_alloc(LINE, bytes);
    if (made) {
        memset(made, 0, bytes);
    }
    return made;
}

void trace_lanes_clear(trace_lanes_all *all)
{
    free(all->has);
    free(all->plane);
    free(all->height);
    free(all->space);
    free(all->value);
    free(all->rest);
    *all = (trace_lanes_all){0};
}

void trace_lanes_copy(const trace_lanes *from, const trace_lanes *to)
{
    *to->has = *from->has;
    *to->plane = *from->plane;
    *to->height = *from->height;
    *to->guess.space = *from->guess.space;
    *to->value = *from->value;
    *to->rest = *from->rest;
}

void trace_guess_copy(const trace_guess *from, const trace_guess *to)
{
    *to->plane = *from->plane;
    *to->height = *from->height;
    *to->space = *from->space;
    memcpy(to->cell, from->cell, TRACE_LANES * sizeof *to->cell);
}

status trace_lanes_reserve(trace_lanes_all *all, int64_t count)
{
    const size_t size = (size_t)count;
    if (count <= all->count) {
        return STATUS_OK;
    }
    trace_lanes_all more = {.count = count,
                            .has = allocate(size, sizeof *more.has),
                            .plane = allocate(size, sizeof *more.plane),
                            .height = allocate(size, sizeof *more.height),
                            .space = allocate(size, sizeof *more.space),
                            .value = allocate(size, sizeof *more.value),
                            .rest = allocate(size, sizeof *more.rest)};
    if (!more.has || !more.plane || !more.height || !more.space || !more.value ||
        !more.rest) {
        trace_lanes_clear(&more);
        return base_fail_memory(size * sizeof *more.plane, "particles");
    }
    for (int64_t n = 0; n < count; n++) {
        const trace_lanes to = trace_lanes_at(&more, n);
        if (n < all->count) {
            const trace_lanes from = trace_lanes_at(all, n);
            trace_lanes_copy(&from, &to);
            continue;
        }
        for (int lane = 0; lane < TRACE_LANES; lane++) {
            trace_lanes_empty(&to, lane);
        }
    }
    trace_lanes_clear(all);
    *all = more;
    return STATUS_OK;
}

/* ---- One lane ---------------------------------------------------------------------- */

void trace_lanes_empty(const trace_lanes *lanes, int lane)
{
    *lanes->has &= ~(1U << lane);
    lanes->plane->guess.cell[lane] = -1;
}

float trace_lanes_past(const trace_lanes *lanes, int lane)
{
    return lanes->plane->common.past > 0.0F ? lanes->plane->common.past
                                            : lanes->rest->past[lane];
}

void trace_lanes_put_past(float past, const trace_lanes *lanes, int lane)
{
    if (past > 0.0F && past == lanes->plane->common.past) {
        return;
    }
    for (int n = 0; n < TRACE_LANES && lanes->plane->common.past > 0.0F; n++) {
        lanes->rest->past[n] = lanes->plane->common.past;
    }
    lanes->rest->past[lane] = past;
    lanes->plane->common.past = 0.0F;
}

void trace_lanes_fill(const trace_lanes *lanes, int lane)
{
    *lanes->has |= 1U << lane;
    lanes->plane->common.is_planar = false; /* not known */
}

void trace_guess_copy_cell(const trace_guess *from, int lane, const trace_guess *to,
                           int to_lane)
{
    to->plane->cell[to_lane] = from->plane->cell[lane];
    to->plane->row[to_lane] = from->plane->row[lane];
    to->space->plane[to_lane] = from->space->plane[lane];
    for (int c = 0; c < 3; c++) {
        to->cell[to_lane].corner[c] = from->cell[lane].corner[c];
    }
    for (int n = 0; n < TRACE_MAP_ROWS; n++) {
        trace_guess_map(to, n)[to_lane] = trace_guess_map(from, n)[lane];
    }
}

void trace_lanes_move(const trace_lanes *from, int lane, const trace_lanes *to,
                      int to_lane)
{
    for (int c = 0; c < 3; c++) {
        trace_lanes_velocity(to, c)[to_lane] = trace_lanes_velocity(from, c)[lane];
        trace_lanes_bend(to, c)[to_lane] = trace_lanes_bend(from, c)[lane];
        trace_guess_local(&to->guess, c)[to_lane] =
            trace_guess_local(&from->guess, c)[lane];
        trace_guess_x(&to->guess, c)[to_lane] = trace_guess_x(&from->guess, c)[lane];
    }
    trace_lanes_put_past(trace_lanes_past(from, lane), to, to_lane);
    to->value->value[to_lane] = from->value->value[lane];
    to->rest->cell[to_lane] = from->rest->cell[lane];
    trace_guess_copy_cell(&from->guess, lane, &to->guess, to_lane);
    trace_lanes_fill(to, to_lane);
    trace_lanes_empty(from, lane);
}

/* ---- Cells ------------------------------------------------------------------------- */

/* The factors of the map of a cell in a plane. */
static void set_plane_map(const float v[4], int axis, int lane, const trace_guess *guess)
{
    const float r = v[1] - v[0];
    trace_guess_map(guess, trace_map_row(TRACE_MAP_R, axis))[lane] = r;
    trace_guess_map(guess, trace_map_row(TRACE_MAP_S, axis))[lane] = v[2] - v[0];
    trace_guess_map(guess, trace_map_row(TRACE_MAP_RS, axis))[lane] = (v[3] - v[2]) - r;
}

/* Sets the map of the cell with these vertices. */
static void set_map(const grid_store *store, const int64_t vertex[8], int lane,
                    const trace_guess *guess)
{
    for (int c = 0; c < 3; c++) {
        float v[8];
        for (int n = 0; n < 8; n++) {
            v[n] = store->vertex[vertex[n]][c];
        }
        const float r = v[1] - v[0], s = v[2] - v[0], rs = (v[3] - v[2]) - r;
        const float r_above = v[5] - v[4], rs_above = (v[7] - v[6]) - r_above;
        set_plane_map(v, c, lane, guess);
        trace_guess_map(guess, trace_map_row(TRACE_MAP_T, c))[lane] = v[4] - v[0];
        trace_guess_map(guess, trace_map_row(TRACE_MAP_RT, c))[lane] = r_above - r;
        trace_guess_map(guess, trace_map_row(TRACE_MAP_ST, c))[lane] = (v[6] - v[4]) - s;
        trace_guess_map(guess, trace_map_row(TRACE_MAP_RST, c))[lane] = rs_above - rs;
    }
}

/* Moves the origin of a guess along an axis to the lowest vertex of a cell. */
static void set_corner(float corner, int axis, int lane, const trace_guess *guess)
{
    trace_guess_x(guess, axis)[lane] +=
        (double)guess->cell[lane].corner[axis] - (double)corner;
    guess->cell[lane].corner[axis] = corner;
}

void trace_guess_set_origin(int lane, const trace_guess *guess)
{
    for (int c = 0; c < 3; c++) {
        set_corner(0.0F, c, lane, guess);
    }
}

/* Sets the lowest vertex of the cell, and the distances to others. */
static void set_vertex(const int64_t vertex[8], int lane, const trace_guess *guess)
{
    guess->plane->cell[lane] = (int32_t)vertex[0]; /* below GRID_STORE_MOST_VERTICES */
    guess->plane->row[lane] = (int32_t)(vertex[2] - vertex[0]);
    guess->space->plane[lane] = (int32_t)(vertex[4] - vertex[0]);
}

void trace_guess_set_cell(const grid_store *store, const trace_corners *corners, int lane,
                          const trace_guess *guess)
{
    const int64_t *vertex = corners->vertex;
    set_vertex(vertex, lane, guess);
    for (int c = 0; c < 3; c++) {
        set_corner(store->vertex[vertex[0]][c], c, lane, guess);
    }
    set_map(store, vertex, lane, guess);
}

void trace_guess_set_flat_cell(const grid_store *store, const trace_corners *corners,
                               int lane, const trace_guess *guess)
{
    guess->plane->cell[lane] = (int32_t)corners->vertex[0];
    for (int c = 0; c < 2; c++) {
        float v[4];
        for (int n = 0; n < 4; n++) {
            v[n] = store->vertex[corners->vertex[n]][c];
        }
        set_corner(v[0], c, lane, guess);
        set_plane_map(v, c, lane, guess);
    }
}

void trace_guess_set_flat_brick(const grid_store *store, const trace_corners *corners,
                                int lane, const trace_guess *guess)
{
    set_vertex(corners->vertex, lane, guess);
    set_corner(store->vertex[corners->vertex[0]][2], 2, lane, guess);
    trace_guess_set_flat_cell(store, corners, lane, guess);
}
