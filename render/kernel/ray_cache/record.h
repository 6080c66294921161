/* Records the ways of rays (kept.h): follows them to the end of their drawn part, and
 * lists the faces that they cross. Draws nothing. */
#ifndef RENDER_KERNEL_RAY_CACHE_RECORD_H
#define RENDER_KERNEL_RAY_CACHE_RECORD_H

#include "base/array.h"
#include "crossing.h"

/* Crossings of faces of the cells in which the lanes are, and the words that keep them.
 */
typedef struct kept_notes {
    vint triangle; /* 2 * face + half */
    vfloat t, scalar, f, g;
    _Alignas(CACHE_LINE) int32_t words[KEPT_WORDS][LANES];
    unsigned upper; /* lanes that pass the upper faces of their cells */
    unsigned fit;   /* lanes whose words give the same scalars and places */
} kept_notes;

/* A face of the cell of each lane. */
typedef struct kept_faces {
    vmask across[2], upper;
    vint axis;
    vmask turned, second;
} kept_faces;

IN_LOOP kept_faces kept_look_at_faces(const walker *w, const packet *p, vint triangle)
{
    kept_faces faces = {.axis = triangle >> 2};
    const vint side = (triangle >> 1) & 1;
    kept_look_across(faces.axis, faces.across);
    faces.upper = lanes_equal_int(side, lanes_int(1));
    faces.second = lanes_bit(triangle, 0);
    const vint flags =
        lanes_gather_bytes(w->scene->grid->flags, lanes_load_int(p->lowest) >> 1);
    const vint diagonal = flags >> (faces.axis + 4 * side);
    faces.turned = lanes_bit(diagonal, 0);
    return faces;
}

/* The corners of the triangles. lowest: the cells' lowest vertices. */
IN_LOOP kept_corners kept_find_corners(const kept_faces *faces, vint lowest, vint row,
                                       vint plane, vint *first)
{
    const vint one = lanes_int(1);
    const vint along[2] = {kept_by_axis(faces->across, row, plane, one),
                           kept_by_axis(faces->across, plane, one, row)};
    const vint up = kept_by_axis(faces->across, one, row, plane);
    *first = lowest + lanes_choose_int(faces->upper, up, lanes_int(0));
    return kept_arrange(*first, along, faces->turned, faces->second);
}

IN_LOOP far_vertex kept_load(const walker *w, const cross_rays *rays, vint vertex,
                             int axis)
{
    _Alignas(CACHE_LINE) int32_t at[LANES];
    lanes_store_int(at, lanes_shift_left(vertex, 1));
    return far_load(w->scene->grid->vertex, at, rays, axis);
}

/* Finds the weights of some lanes as cell.c does. */
static __attribute__((noinline)) void kept_weigh_slowly(const walk_scene *scene,
                                                        unsigned lanes, const packet *p,
                                                        vint triangles, vfloat weight[3])
{
    _Alignas(CACHE_LINE) float weights[3][LANES];
    _Alignas(CACHE_LINE) int32_t triangle[LANES];
    lanes_store_int(triangle, triangles);
    for (int n = 0; n < 3; n++) {
        lanes_store(weights[n], weight[n]);
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        const cell_vertices cell = cell_of_packet(scene, lane, p);
        float found[3];
        render_cell_weigh(
            &cell, render_cell_diagonals(scene->grid->flags[p->lowest[lane] / 2]),
            (cell_triangle){(int8_t)(triangle[lane] >> 1), (int8_t)(triangle[lane] & 1)},
            found);
        for (int n = 0; n < 3; n++) {
            weights[n][lane] = found[n];
        }
    }
    for (int n = 0; n < 3; n++) {
        weight[n] = lanes_load(weights[n]);
    }
}

/* The first vertices of the lanes' cells in the arrays of a kept_grid. */
IN_LOOP vint kept_lowest(const kept_grid *kept, const packet *p)
{
    _Alignas(CACHE_LINE) int32_t first[LANES];
    for (int lane = 0; lane < LANES; lane++) {
        first[lane] = kept->first[p->brick[lane]];
    }
    const vint at = lanes_load_int(p->at);
    return lanes_load_int(first) + packet_unpack(at, 0) +
           packet_unpack(at, 1) * lanes_int(kept->row) +
           packet_unpack(at, 2) * lanes_int(kept->plane);
}

/* Lanes in which weights give the scalars and the places of crossings, to the last bit.
 */
IN_LOOP vmask kept_confirm(const kept_faces *faces, const vfloat weight[3],
                           const cross_values *quarters, const kept_notes *notes)
{
    vfloat f, g;
    kept_place_on_face(faces->turned, faces->second, weight, &f, &g);
    const vint off =
        (lanes_bits(f) ^ lanes_bits(notes->f)) | (lanes_bits(g) ^ lanes_bits(notes->g)) |
        (lanes_bits(kept_between(weight, quarters)) ^ lanes_bits(notes->scalar));
    return lanes_equal_int(off, lanes_int(0));
}

/* Finds the words of crossings. */
IN_LOOP void kept_note(const walker *w, const kept_grid *kept, int axis, const packet *p,
                       kept_notes *notes)
{
    const cross_rays rays = load_rays(p);
    const kept_faces faces = kept_look_at_faces(w, p, notes->triangle);
    vint first;
    const kept_corners at = kept_find_corners(&faces, lanes_load_int(p->lowest) >> 1,
                                              lanes_load_int(p->row) >> 1,
                                              lanes_load_int(p->plane) >> 1, &first);
    const far_vertex ends[2] = {kept_load(w, &rays, at.p, axis),
                                kept_load(w, &rays, at.q, axis)},
                     apex = kept_load(w, &rays, at.apex, axis),
                     beyond = kept_load(w, &rays, at.beyond, axis);
    vfloat weight[3] = {lanes_abs(far_edge(&apex, &ends[1])),
                        lanes_abs(far_edge(&ends[0], &apex)),
                        lanes_abs(far_edge(&ends[0], &ends[1]))};
    const unsigned slim =
        lanes_mask_bits(far_settle(weight, lanes_load(p->slim))) & p->active;
    if (slim) {
        kept_weigh_slowly(w->scene, slim, p, notes->triangle, weight);
    }
    const vfloat quarter = lanes_float(0.25f);
    const cross_values quarters = {ends[0].scalar * quarter, ends[1].scalar * quarter,
                                   apex.scalar * quarter, beyond.scalar * quarter};
    vint words[2], largest, none = lanes_int(0);
    const vmask packed = kept_pack(weight, words, &largest);
    const vmask same = kept_confirm(&faces, weight, &quarters, notes);
    notes->fit = lanes_mask_bits(lanes_and(packed, same));
    notes->upper = lanes_mask_bits(faces.upper);
    kept_find_corners(&faces, kept_lowest(kept, p), lanes_int(kept->row),
                      lanes_int(kept->plane), &first);
    const vint face = first | lanes_shift_left(faces.axis, KEPT_AXIS) | largest |
                      lanes_choose_int(faces.turned, lanes_int(1 << KEPT_TURNED), none) |
                      lanes_choose_int(faces.second, lanes_int(1 << KEPT_SECOND), none);
    lanes_store_int(notes->words[0], face);
    lanes_store_int(notes->words[1], words[0]);
    lanes_store_int(notes->words[2], words[1]);
    lanes_store_int(notes->words[3], lanes_bits(notes->t));
}

/* Adds a crossing, or a gap, to the log. Returns its words. */
static int32_t *kept_add(int walk, kept_log *log)
{
    struct kept_item *item = &log->items[log->count++];
    item->walk = walk;
    log->length[walk]++;
    return item->words;
}

/* Adds the crossings of some lanes to the log. begins: runs begin there, through faces of
 * the cells that rays enter. */
static void kept_push(const walker *w, unsigned lanes, bool begins,
                      const kept_notes *notes, const packet *p, kept_log *log)
{
    const unsigned upper = begins ? ~notes->upper : notes->upper;
    for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes), walk = (int)(p->walk[lane] - w->walks);
        if (begins && log->length[walk] > 0) {
            int32_t *gap = kept_add(walk, log);
            memset(gap, 0, KEPT_WORDS * sizeof *gap);
            gap[0] = KEPT_GAP << KEPT_AXIS;
        }
        int32_t *words = kept_add(walk, log);
        for (int n = 0; n < KEPT_WORDS; n++) {
            words[n] = notes->words[n][lane];
        }
        words[0] |= upper >> lane & 1u ? INT32_MIN : 0;
        log->unfit[walk] |= !(notes->fit >> lane & 1u);
    }
}

/* Makes room for the crossings of one step. */
static bool kept_reserve(kept_log *log)
{
    struct kept_item *items = base_array_reserve(
        log->items, &log->capacity, log->count + 3 * LANES, sizeof *log->items);
    log->failed |= !items;
    log->items = items ? items : log->items;
    return items != NULL;
}

/* Lanes whose current run has been drawn before this step; *begins: lanes in which its
 * drawn part begins with this step. t: at the exits. Rounding may put the exit from a
 * thin cell in front of the entry, so either of them begins the drawn part. Runs that
 * overlap cannot be kept. */
static unsigned kept_find_begun(const walker *w, const packet *p, const float *t,
                                kept_log *log, unsigned *begins)
{
    unsigned begun = 0;
    *begins = 0;
    for (unsigned lanes = p->active; lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes), walk = (int)(p->walk[lane] - w->walks);
        log->unfit[walk] |= p->runs[lane].running > 1;
        if (log->begun[walk] == p->runs[lane].next) {
            begun |= 1u << lane;
        } else if (fmaxf(p->t[lane], t[lane]) >= p->light.t0[lane]) {
            log->begun[walk] = p->runs[lane].next;
            *begins |= 1u << lane;
        }
    }
    return begun;
}

/* Adds the crossings of a step to the log. */
static __attribute__((noinline)) void kept_log_step(const walker *w,
                                                    const kept_grid *kept, int axis,
                                                    const packet *p,
                                                    const lane_step *step, kept_log *log)
{
    _Alignas(CACHE_LINE) float t[LANES];
    unsigned begins;
    lanes_store(t, step->exits.t);
    if (!kept_reserve(log)) {
        return;
    }
    const unsigned begun = kept_find_begun(w, p, t, log, &begins);
    kept_notes notes;
    if (begins) {
        notes.triangle = lanes_load_int(p->triangle);
        notes.t = lanes_load(p->t);
        notes.scalar = lanes_load(p->scalar);
        notes.f = lanes_load(p->f);
        notes.g = lanes_load(p->g);
        kept_note(w, kept, axis, p, &notes);
        kept_push(w, begins, true, &notes, p, log);
    }
    notes.triangle = step->exits.triangle;
    notes.t = step->exits.t;
    notes.scalar = step->exits.scalar;
    notes.f = step->exits.f;
    notes.g = step->exits.g;
    kept_note(w, kept, axis, p, &notes);
    notes.fit &= ~step->lost;
    kept_push(w, begun | begins, false, &notes, p, log);
}

/* Each ray crosses a cell. */
static __attribute__((noinline)) void kept_step(walker *w, const kept_grid *kept,
                                                int axis, packet *p, kept_log *log)
{
    lane_step step;
    step.lost = axis == 0   ? cross_lanes(w, 0, p, &step.exits)
                : axis == 1 ? cross_lanes(w, 1, p, &step.exits)
                            : cross_lanes(w, 2, p, &step.exits);
    switch (axis) {
    case 0:
        kept_log_step(w, kept, 0, p, &step, log);
        break;
    case 1:
        kept_log_step(w, kept, 1, p, &step, log);
        break;
    default:
        kept_log_step(w, kept, 2, p, &step, log);
    }
    pass_cells(w, axis, true, NULL, p, &step);
    lanes_store(p->f, step.exits.f);
    lanes_store(p->g, step.exits.g);
    settle_step(w, p, &step);
}

static void record(const walk_scene *scene, const kept_grid *kept, int count,
                   ray_walk *walks, kept_log *log)
{
    walk_scene with_places = *scene;
    with_places.wants_places = true;
    packet p;
    render_counters unused = {0};
    memset(&p, 0, sizeof p);
    log->count = 0;
    memset(log->length, 0, sizeof log->length);
    memset(log->begun, 0, sizeof log->begun);
    memset(log->unfit, 0, sizeof log->unfit);
    for (int axis = 0; axis < 3; axis++) {
        walker w = {.scene = &with_places,
                    .states = walk_states(scene),
                    .by_class = walk_by_class(scene),
                    .axis = axis,
                    .count = count,
                    .walks = walks,
                    .counters = &unused};
        for (int lane = 0; lane < LANES; lane++) {
            fill_lane(&w, lane, &p);
        }
        while (p.active && !log->failed) {
            kept_step(&w, kept, axis, &p, log);
        }
    }
    for (int n = 0; n < count; n++) {
        log->unfit[n] |= walks[n].contended;
    }
    lanes_leave();
}

#endif
