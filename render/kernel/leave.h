/* The exits of a packet's rays from their cells, and the steps to the next cells. */
#ifndef RENDER_KERNEL_LEAVE_H
#define RENDER_KERNEL_LEAVE_H

#include "packet.h"
#include "render/cells/far_corner.h"
#include "render/cells/refine_lanes.h"

IN_LOOP cross_rays load_rays(const packet *p)
{
    return (cross_rays){.origin = {lanes_load(p->origin[0]), lanes_load(p->origin[1])},
                        .shear = {lanes_load(p->shear[0]), lanes_load(p->shear[1])},
                        .per_unit = lanes_load(p->per_unit)};
}

IN_LOOP cross_cells load_cells(const walker *w, const packet *p)
{
    return (cross_cells){.vertices = w->scene->grid->vertex,
                         .rows = (const int32_t(*)[LANES])p->corners,
                         .flags = lanes_load_int(p->flags),
                         .reversed = lanes_load_int(p->reversed)};
}

/* The cell of a lane. */
static cell_vertices cell_of_packet(const walk_scene *scene, int lane, const packet *p)
{
    const march_brick *brick = &scene->grid->bricks[p->brick[lane]];
    cell_vertices cell;
    for (int corner = 0; corner < 8; corner++) {
        int vertex = march_corner_index(brick, p->lowest[lane] / 2, corner);
        render_cell_set_vertex(&cell, corner, p->walk[lane]->ray,
                               scene->grid->vertex[vertex]);
    }
    return cell;
}

/* Finds the exit with the general code, for one ray. */
static bool leave_slowly(const walk_scene *scene, int lane, const packet *p,
                         cell_crossing *exit)
{
    const cell_vertices cell = cell_of_packet(scene, lane, p);
    cell_triangle entry = {(int8_t)(p->triangle[lane] >> 1),
                           (int8_t)(p->triangle[lane] & 1)};
    return render_cell_exit(
        &cell, render_cell_diagonals(scene->grid->flags[p->lowest[lane] / 2]),
        p->reversed[lane] < 0, entry, exit);
}

/* Exits of rays from their cells. */
typedef struct lane_exits {
    vint triangle; /* 2 * face + half */
    vfloat t, scalar, f, g;
    vfloat order; /* t on the triangles */
} lane_exits;

/* Finds the exits of lanes outside the common case; returns the lanes without an exit. */
static __attribute__((noinline)) unsigned leave_all_slowly(const walk_scene *scene,
                                                           unsigned lanes,
                                                           const packet *p,
                                                           lane_exits *exits)
{
    _Alignas(CACHE_LINE) float t[LANES], scalar[LANES], f[LANES], g[LANES];
    _Alignas(CACHE_LINE) int32_t triangle[LANES];
    lanes_store(t, exits->t);
    lanes_store(scalar, exits->scalar);
    lanes_store(f, exits->f);
    lanes_store(g, exits->g);
    lanes_store_int(triangle, exits->triangle);
    unsigned lost = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        cell_crossing exit;
        if (!leave_slowly(scene, lane, p, &exit)) {
            lost |= 1u << lane;
            continue;
        }
        t[lane] = exit.t;
        scalar[lane] = exit.scalar;
        f[lane] = exit.f;
        g[lane] = exit.g;
        triangle[lane] = 2 * exit.triangle.face + exit.triangle.half;
    }
    exits->t = lanes_load(t);
    exits->scalar = lanes_load(scalar);
    exits->f = lanes_load(f);
    exits->g = lanes_load(g);
    exits->triangle = lanes_load_int(triangle);
    return lost;
}

/* Moves all lanes through the faces by which they leave their cells. Returns the lanes
 * that are now outside their bricks. */
IN_LOOP vmask move_on(vmask active, vint triangle, packet *p)
{
    const vint axis = triangle >> 2, none = lanes_int(0);
    const vint down = ((triangle >> 1) & 1) - 1; /* -1 if it goes down, else 0 */
    const vmask across[2] = {lanes_equal_int(axis, none),
                             lanes_equal_int(axis, lanes_int(1))};
    vint move = far_choose_int(across, lanes_int(2), lanes_load_int(p->row),
                               lanes_load_int(p->plane)),
         step = far_choose_int(across, lanes_int(1), lanes_int(1 << PACKET_INDEX),
                               lanes_int(1 << 2 * PACKET_INDEX));
    move = lanes_choose_int(active, (move ^ down) - down, none);
    step = lanes_choose_int(active, (step ^ down) - down, none);
    const vint at = lanes_load_int(p->at) + step;
    lanes_store_int(p->at, at);
    lanes_store_int(p->lowest, lanes_load_int(p->lowest) + move);
    lanes_store_int(p->triangle, triangle ^ 2); /* the next cell's other side */
    const vint signs =
        (at | (lanes_load_int(p->most) - at)) & lanes_int(PACKET_INDEX_SIGNS);
    return lanes_and_not(active, lanes_equal_int(signs, none));
}

/* Lanes whose cells, in these states, are not in the grid. */
IN_LOOP vmask find_absent(bool by_class, vint states)
{
    return by_class ? lanes_equal_int(states, lanes_int(0)) : lanes_bit(~states, 3);
}

/* Loads the flags of the lanes' current cells; returns the lanes whose cell is absent. */
IN_LOOP vmask look_at_cells(const walker *w, vmask going, packet *p)
{
    vint lowest = lanes_load_int(p->lowest) >> 1;
    vint flags =
        lanes_gather_bytes(w->states, lanes_choose_int(going, lowest, lanes_int(0)));
    lanes_store_int(p->flags, flags);
    return find_absent(w->by_class, flags);
}

/* The scalars of cell-centred fields. */
IN_LOOP vfloat load_cell_values(const walker *w, vmask active, const packet *p)
{
    const vint at = lanes_load_int(p->at), most = lanes_load_int(p->most);
    const vint row = packet_unpack(most, 0) + 1, column = packet_unpack(most, 1) + 1;
    vint cell = lanes_load_int(p->first_cell) + packet_unpack(at, 0) +
                row * (packet_unpack(at, 1) + column * packet_unpack(at, 2));
    cell = lanes_choose_int(active, cell, lanes_int(0));
    return lanes_from_bits(
        lanes_gather((const int32_t *)(const void *)w->scene->grid->cell, cell));
}

/* Lanes that may simply go on: their run is first along the ray, and they are not
 * done. */
IN_LOOP vmask find_goers(const packet *p, const lane_exits *exits)
{
    vmask on = lanes_less(exits->order, lanes_load(p->last));
    on = lanes_and(on, lanes_less(exits->t, lanes_load(p->end)));
    return lanes_and_not(on, lanes_less(lanes_load(p->light.transmittance),
                                        lanes_float(LEAST_TRANSMITTANCE)));
}

/* Lanes that cannot go on in their bricks. */
typedef struct lane_stops {
    unsigned outside; /* they have left their bricks */
    unsigned ended;   /* they have no next cell */
} lane_stops;

/* Moves lanes to their next cells. */
IN_LOOP lane_stops go_to_next_cells(const walker *w, vmask active, vint triangle,
                                    packet *p)
{
    const vmask outside = lanes_and(active, move_on(active, triangle, p));
    const vmask absent = look_at_cells(w, lanes_and_not(active, outside), p);
    return (lane_stops){
        .outside = lanes_mask_bits(outside),
        .ended = lanes_mask_bits(lanes_and_not(lanes_and(active, absent), outside))};
}

/* Keeps the numbers of lanes that are not in the mask. */
IN_LOOP void set_lanes(vmask lanes, int32_t *to, vint a)
{
    lanes_store_int(to, lanes_choose_int(lanes, a, lanes_load_int(to)));
}

/* The indices of the lanes' cells within the next brick beyond a face, as
 * march_change_brick finds them. Returns the lanes whose cells the brick has. */
IN_LOOP vmask shift_cells(const march_brick *from, const march_brick *to, int face,
                          const packet *p, vint at[3])
{
    const int step = (face & 1 ? 1 : -1) * (1 << (face >> 1) * PACKET_INDEX);
    const vint last = lanes_load_int(p->at) - lanes_int(step);
    vint outside = lanes_int(0);
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        if (n == face >> 1) {
            at[n] = lanes_int(face & 1 ? 0 : to->n[n] - 1);
        } else {
            at[n] = packet_unpack(last, n) + lanes_int(from->lo[n] - to->lo[n]);
            outside |= at[n] | (lanes_int(to->n[n] - 1) - at[n]);
        }
    }
    return lanes_and_not(lanes_mask(LANES_ALL), lanes_sign(lanes_from_bits(outside)));
}

/* Puts lanes into cells of a brick, coming from another one, as place_in_brick does.
 * Returns the lanes whose cells are absent. */
IN_LOOP vmask place_in_next_brick(const walk_scene *scene, vmask lanes,
                                  const march_brick *from, int brick, const vint at[3],
                                  packet *p)
{
    const march_brick *to = &scene->grid->bricks[brick];
    const cell_ray *ray = p->walk[__builtin_ctz(lanes_mask_bits(lanes))]->ray;
    const vint lowest = lanes_int(to->first) + at[0] + at[1] * lanes_int(to->stride[1]) +
                        at[2] * lanes_int(to->stride[2]);
    const vint state = lanes_gather_bytes(walk_states(scene),
                                          lanes_choose_int(lanes, lowest, lanes_int(0)));
    set_lanes(lanes, p->brick, lanes_int(brick));
    set_lanes(lanes, p->lowest, lowest + lowest);
    set_lanes(lanes, p->row, lanes_int(2 * to->stride[1]));
    set_lanes(lanes, p->plane, lanes_int(2 * to->stride[2]));
    set_lanes(lanes, p->flags, state);
    const vint turn = lanes_int(sign_bit(from->left_handed != to->left_handed));
    set_lanes(lanes, p->reversed, lanes_load_int(p->reversed) ^ turn);
    set_lanes(lanes, p->first_cell, lanes_int(to->first_cell));
    set_lanes(lanes, p->at,
              at[0] + lanes_shift_left(at[1], PACKET_INDEX) +
                  lanes_shift_left(at[2], 2 * PACKET_INDEX));
    set_lanes(lanes, p->most, lanes_int(packet_most(to)));
    const vfloat along = lanes_float(to->extent[ray->axis[2]]);
    const vfloat u = lanes_float(to->extent[ray->axis[0]]) +
                     lanes_abs(lanes_load(p->shear[0])) * along,
                 v = lanes_float(to->extent[ray->axis[1]]) +
                     lanes_abs(lanes_load(p->shear[1])) * along;
    const vfloat slim =
        lanes_max(lanes_float(CELL_SLIM) * (u * v), lanes_float(CELL_LEAST_WEIGHT));
    lanes_store(p->slim, lanes_choose(lanes, slim, lanes_load(p->slim)));
    note_borders(scene, to, lanes_mask_bits(lanes), p);
    return find_absent(walk_by_class(scene), state);
}

/* Moves lanes that have left their bricks to the next ones: at a time those that pass
 * from one brick to another, as rays side by side often do. Returns the lanes without a
 * next cell. */
static __attribute__((noinline)) unsigned change_bricks(const walk_scene *scene,
                                                        unsigned lanes, packet *p)
{
    unsigned ended = 0;
    while (lanes != 0) {
        const int lane = __builtin_ctz(lanes);
        const int brick = p->brick[lane], entry = p->triangle[lane] >> 1,
                  face = entry ^ 1; /* through which they have left */
        const march_brick *from = &scene->grid->bricks[brick];
        const vmask alike = lanes_and(
            lanes_equal_int(lanes_load_int(p->brick), lanes_int(brick)),
            lanes_equal_int(lanes_load_int(p->triangle) >> 1, lanes_int(entry)));
        const unsigned all = lanes & lanes_mask_bits(alike);
        lanes &= ~all;
        const int next = from->neighbour[face];
        if (next < 0) {
            ended |= all;
            continue;
        }
        vint at[3];
        const unsigned there =
            all &
            lanes_mask_bits(shift_cells(from, &scene->grid->bricks[next], face, p, at));
        ended |= all & ~there;
        if (there) {
            const vmask absent =
                place_in_next_brick(scene, lanes_mask(there), from, next, at, p);
            ended |= there & lanes_mask_bits(absent);
        }
    }
    return ended;
}

/* Rows of the cells, as in cross_cells. */
IN_LOOP void find_rows(const packet *p, int32_t (*rows)[LANES])
{
    const vint lowest = lanes_load_int(p->lowest), row = lanes_load_int(p->row),
               plane = lanes_load_int(p->plane);
    lanes_store_int(rows[0], lowest);
    lanes_store_int(rows[1], lowest + row);
    lanes_store_int(rows[2], lowest + plane);
    lanes_store_int(rows[3], lowest + row + plane);
}

/* Finds the vertices that the next step needs, long before it. */
IN_LOOP void find_corners(const walker *w, packet *p)
{
    if (!w->by_class) {
        find_rows(p, p->corners);
        return;
    }
    const vint stride[3] = {lanes_int(2), lanes_load_int(p->row),
                            lanes_load_int(p->plane)};
    vint corners[4];
    far_find_corners(lanes_load_int(p->flags), lanes_load_int(p->lowest), stride,
                     corners);
#pragma GCC unroll 4
    for (int n = 0; n < 4; n++) {
        lanes_store_int(p->corners[n], corners[n]);
    }
}

/* Whether the style needs the places of exits on their faces. */
static inline bool needs_places(const walk_scene *scene)
{
    return scene->iso || scene->style.shade || scene->wants_places;
}

/* Finds the exits of all rays by what they have seen of the far corners of plain cells.
 * Returns the lanes in doubt. */
IN_LOOP unsigned find_exits_by_class(const walker *w, const far_look *look, int axis,
                                     const bool unlit, const packet *p, lane_exits *exits)
{
    const cross_rays rays = load_rays(p);
    const cross_cells cells = load_cells(w, p);
    const far_exits found = far_leave(&rays, &cells, look, axis, lanes_load(p->slim));
    exits->triangle = found.triangle;
    cross_between(&rays, found.weight, &found.along, &found.scalar, &exits->t,
                  &exits->scalar);
    exits->f = exits->g = lanes_float(0.0f);
    if (w->bends || (!unlit && needs_places(w->scene))) {
        far_place(&found, &exits->f, &exits->g);
    }
    return p->active & lanes_mask_bits(found.unsure);
}

/* Loads the corners of all cells, as find_exits and some styles need them. */
IN_LOOP cross_cells load_corners(const walker *w, const cross_rays *rays, int axis,
                                 packet *p, int32_t (*rows)[LANES], cross_corners *at)
{
    cross_cells cells = load_cells(w, p);
    if (w->by_class) {
        find_rows(p, rows);
        cells.rows = (const int32_t(*)[LANES])rows;
        cells.flags =
            lanes_gather_bytes(w->scene->grid->flags, lanes_load_int(p->lowest) >> 1);
    }
    cross_load(rays, &cells, axis, at);
    return cells;
}

/* Finds the exits of all rays from their cells. Returns the lanes without an exit, which
 * only a defect can cause. */
IN_LOOP unsigned find_exits(const walker *w, const cross_cells *cells,
                            const cross_corners *at, int axis, packet *p,
                            lane_exits *exits)
{
    const cross_rays rays = load_rays(p);
    cross_chosen chosen = cross_choose(at, cells);
    cross_exits crossing = cross_leave(&chosen, lanes_load(p->slim));
    exits->triangle = crossing.triangle;
    cross_interpolate(&rays, &chosen, &crossing, &exits->t, &exits->scalar);
    cross_place(&chosen, &crossing, &exits->f, &exits->g);
    vmask unclear = crossing.unsure;
    if (lanes_mask_bits(crossing.zero) & p->active) {
        unclear = lanes_or(unclear, cross_find_zeros(&rays, cells, axis));
    }
    unsigned unsure = lanes_mask_bits(unclear) & p->active;
    return unsure ? leave_all_slowly(w->scene, unsure, p, exits) : 0;
}

/* ---- Patches ----------------------------------------------------------------------- */

/* Loads the corners of the cells as the grid has them. */
IN_LOOP void load_grid_corners(const walker *w, const packet *p,
                               vfloat corner[4][CROSS_CORNERS])
{
    _Alignas(CACHE_LINE) int32_t rows[4][LANES];
    find_rows(p, rows);
    cross_load_grid(w->scene->grid->vertex, (const int32_t(*)[LANES])rows, corner);
}

/* Those of some lanes that leave their blocks. */
IN_LOOP unsigned find_leavers(unsigned lanes, const packet *p, const lane_exits *exits)
{
    const vint face = exits->triangle >> 1, axis = face >> 1;
    const vint upper = lanes_int(0) - (face & 1), none = lanes_int(0);
    vint inside = none;
#pragma GCC unroll 3
    for (int n = 0; n < 3; n++) {
        const vint last = packet_unpack(lanes_load_int(p->most), n) & upper,
                   at = packet_unpack(lanes_load_int(p->at), n);
        inside = lanes_choose_int(lanes_equal_int(axis, lanes_int(n)), at ^ last, inside);
    }
    const vmask at_end = lanes_equal_int(inside, none);
    const vint borders = lanes_load_int(p->borders);
    unsigned leavers = 0;
    for (int n = 0; n < CROSS_FACES; n++) {
        const vmask here =
            lanes_and(lanes_bit(borders, n), lanes_equal_int(face, lanes_int(n)));
        leavers |= lanes_mask_bits(lanes_and(at_end, here));
    }
    return lanes & leavers;
}

/* Moves exits from triangles to the patches of their faces, where these are warped and on
 * the border of a block. Not inlined: few steps need it. */
static __attribute__((noinline)) void
patch_exits(const walker *w, unsigned lanes, int axis, const packet *p, lane_exits *exits)
{
    vfloat corner[4][CROSS_CORNERS], x[4][4];
    lanes = find_leavers(lanes, p, exits);
    if (!lanes) {
        return;
    }
    load_grid_corners(w, p, corner);
    for (int n = 0; n < 4; n++) {
        refine_choose_face(exits->triangle >> 1, corner[n], x[n]);
    }
    const vfloat warp = refine_warp((const vfloat(*)[4])x);
    const vmask warped = lanes_and(
        lanes_mask(lanes),
        lanes_less(lanes_float(1.0f), warp * lanes_float(w->scene->grid->flatness)));
    if (!lanes_any(warped)) {
        return;
    }
    const cross_rays rays = load_rays(p);
    refine_face face;
    for (int n = 0; n < 4; n++) {
        const vfloat along = x[axis][n];
        face.u[n] = (x[(axis + 1) % 3][n] - rays.origin[0]) - rays.shear[0] * along;
        face.v[n] = (x[(axis + 2) % 3][n] - rays.origin[1]) - rays.shear[1] * along;
        face.along[n] = along;
        face.scalar[n] = x[3][n];
    }
    lane_exits on = *exits;
    refine_crossing(&face, rays.shear, rays.per_unit, &on.f, &on.g, &on.t);
    on.scalar = refine_face_scalar(face.scalar, on.f, on.g);
    exits->t = lanes_choose(warped, on.t, exits->t);
    exits->scalar = lanes_choose(warped, on.scalar, exits->scalar);
    exits->f = lanes_choose(warped, on.f, exits->f);
    exits->g = lanes_choose(warped, on.g, exits->g);
}

/* Notes where rays leave on triangles, and moves exits to patches. */
IN_LOOP void settle_exits(const walker *w, int axis, const packet *p, unsigned lost,
                          lane_exits *exits)
{
    exits->order = exits->t;
    const unsigned lanes = p->warped & p->active & ~lost;
    if (lanes) {
        patch_exits(w, lanes, axis, p, exits);
    }
}

/* Moves exits from triangles to the patches of their faces. */
IN_LOOP void refine_exits(const cross_corners *at, const cross_rays *rays,
                          lane_exits *exits)
{
    refine_face face;
    refine_load_face(at, exits->triangle >> 1, &face);
    refine_crossing(&face, rays->shear, rays->per_unit, &exits->f, &exits->g, &exits->t);
    exits->scalar = refine_face_scalar(face.scalar, exits->f, exits->g);
}

/* These lanes miss a patch and go back. The cell is not drawn, and neither is the stretch
 * that they have passed before, a second time. In folded cells all is drawn, as it is
 * taken back again. */
static __attribute__((noinline)) void go_back(const walk_scene *scene, unsigned lanes,
                                              packet *p, float *ends)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        if (scene->grid->bricks[p->brick[lane]].has_folds) {
            continue;
        }
        const float reach = fmaxf(p->patches[lane].reach, p->t[lane]);
        p->patches[lane].reach = reach;
        p->light.t0[lane] = fmaxf(p->light.t0[lane], reach);
        ends[lane] = p->t[lane];
    }
}

/* The ends of ways through cells on patches. A way does not depend on earlier ways, so
 * the result does not depend on the beginning of a rank's part of the ray. */
IN_LOOP vfloat end_on_patches(const walker *w, vmask active, packet *p,
                              const lane_exits *exits)
{
    const vmask back = lanes_and(active, lanes_less(exits->t, lanes_load(p->t)));
    const unsigned missed = lanes_mask_bits(back);
    if (missed == 0) {
        return exits->t;
    }
    _Alignas(CACHE_LINE) float ends[LANES];
    lanes_store(ends, exits->t);
    go_back(w->scene, missed, p, ends);
    return lanes_load(ends);
}

#endif
