/* Draws a contended ray. Each run is followed to its end separately, which gives its
 * segments and the stretch of the ray that it covers. Then the stretches of blocks with
 * precedence are cut off the segments of the others. The remaining parts are blended in
 * the order of their beginnings. */
#define LANES_PLAIN
#include "overlap.h"

#include "base/array.h"
#include "gather.h"
#include "render/cells/gate.h"
#include "render/cells/refine_cell.h"

#include <math.h>
#include <stdlib.h>

/* ---- Lists ------------------------------------------------------------------------- */

/* Reserves memory for one more element; false without memory. */
static bool reserve(overlap_scratch *scratch, void **list, int count, int64_t *capacity,
                    size_t size)
{
    void *grown = base_array_reserve(*list, capacity, count + 1, size);
    scratch->failed |= !grown;
    *list = grown ? grown : *list;
    return grown;
}

static void add_segment(overlap_scratch *scratch, overlap_segment segment)
{
    void *list = scratch->segments;
    if (reserve(scratch, &list, scratch->nsegments, &scratch->segments_capacity,
                sizeof segment)) {
        scratch->segments = list;
        scratch->segments[scratch->nsegments++] = segment;
    }
}

static void add_part(overlap_scratch *scratch, overlap_segment part)
{
    void *list = scratch->parts;
    if (reserve(scratch, &list, scratch->nparts, &scratch->parts_capacity, sizeof part)) {
        scratch->parts = list;
        scratch->parts[scratch->nparts++] = part;
    }
}

static void add_cover(overlap_scratch *scratch, overlap_cover cover)
{
    void *list = scratch->covers;
    if (reserve(scratch, &list, scratch->ncovers, &scratch->covers_capacity,
                sizeof cover)) {
        scratch->covers = list;
        scratch->covers[scratch->ncovers++] = cover;
    }
}

void render_overlap_clear(overlap_scratch *scratch)
{
    free(scratch->segments);
    free(scratch->parts);
    free(scratch->covers);
    *scratch = (overlap_scratch){0};
}

/* The part of a segment from a to b. */
static overlap_segment cut(const overlap_segment *segment, float a, float b)
{
    overlap_segment part = *segment;
    part.t0 = a;
    part.t1 = b;
    return part;
}

/* ---- Runs -------------------------------------------------------------------------- */

/* The current place of a run: on triangles, which decide its way, and the drawn crossing,
 * which may lie on the patch of the face. */
typedef struct overlap_place {
    march_entry at;
    cell_crossing drawn;
    float begin; /* drawn from this distance on */
} overlap_place;

/* The distance from which a run is drawn, by the rules for patches in
 * render/kernel/runs.h. */
static float find_begin(const march_grid *grid, const march_entry *run,
                        const overlap_scratch *scratch)
{
    const int priority = grid->bricks[run->cell.brick].priority;
    const float order = run->crossing.t;
    float begin = -INFINITY;
    for (int c = 0; c < scratch->ncovers; c++) {
        const overlap_cover *before = &scratch->covers[c];
        const bool is_same = before->priority == priority && before->end_order < order;
        if (is_same || before->end_order == order) {
            begin = fmaxf(begin, before->t1);
        }
    }
    return begin;
}

static overlap_place begin_run(const walk_scene *scene, const ray_walk *walk,
                               const march_entry *run, const overlap_scratch *scratch)
{
    overlap_place place = {*run, run->crossing, -INFINITY};
    if (scene->grid->has_patches) {
        render_refine_crossing(scene->grid, walk->ray, &run->cell, &place.drawn);
        if (!scene->grid->bricks[run->cell.brick].has_folds) {
            place.begin = find_begin(scene->grid, run, scratch);
        }
    }
    return place;
}

/* Moves a run to the exit of its cell, on triangles. */
static bool cross_cell(const march_grid *grid, const cell_ray *ray, march_entry *at)
{
    const march_brick *brick = &grid->bricks[at->cell.brick];
    int lowest = march_vertex_index(brick, at->cell.at);
    cell_vertices cell;
    for (int corner = 0; corner < 8; corner++) {
        render_cell_set_vertex(&cell, corner, ray,
                               grid->vertex[march_corner_index(brick, lowest, corner)]);
    }
    cell_crossing exit;
    if (!render_cell_exit(&cell, render_cell_diagonals(grid->flags[lowest]),
                          brick->left_handed != ray->is_backward, at->crossing.triangle,
                          &exit)) {
        return false;
    }
    at->crossing = exit;
    return true;
}

/* Moves a run from the exit of its cell to the next cell; false if there is none. */
static bool step_over(const march_grid *grid, march_entry *at)
{
    const int face = at->crossing.triangle.face;
    at->crossing.triangle.face = (int8_t)(face ^ 1);
    return render_march_step_over(grid, face, &at->cell);
}

/* The way of a ray through a cell, as it is drawn. */
typedef struct overlap_way {
    const walk_scene *scene;
    const ray_walk *walk;
    march_cell cell;
    float begin; /* drawn from this distance on */
    cell_crossing entry, exit;
    float entry_order, exit_order; /* distances of both on triangles */
} overlap_way;

/* Adds the drawn part of a line of the way, which may run backwards. */
static void add_drawn(const overlap_way *way, const overlap_segment *segment,
                      overlap_scratch *scratch)
{
    const overlap_line *whole = &segment->whole;
    const float a = fmaxf(whole->t0, way->begin), b = fmaxf(whole->t1, way->begin);
    if (a != b) {
        add_segment(scratch, cut(segment, a, b));
    }
}

/* Adds the parts of one of `pieces` equal pieces, with index `number`, lit as by
 * blend_shaded of the kernels. */
static void add_shaded(const overlap_way *way, const overlap_segment *piece, int number,
                       int pieces, overlap_scratch *scratch)
{
    const render_shade *shade = way->scene->style.shade;
    const cell_ray *ray = way->walk->ray;
    const overlap_line *whole = &piece->whole;
    shade_way lit = {.t0 = way->entry.t,
                     .t1 = way->exit.t,
                     .number = number,
                     .pieces = pieces,
                     .depth =
                         transfer_lanes_depth(&way->scene->transfer->table, whole->s0,
                                              whole->s1, whole->t1 - whole->t0)};
    render_shade_gradient(way->scene->grid, ray, &way->cell, &way->entry, lit.entry);
    render_shade_gradient(way->scene->grid, ray, &way->cell, &way->exit, lit.exit);
    shade_factors factors[SHADE_MOST_PARTS];
    const int count = render_shade_parts(shade, ray, &lit, factors);
    overlap_segment part = *piece;
    overlap_line *line = &part.whole;
    for (int n = 0; n < count; n++) {
        const float share = (float)(n + 1) / (float)count;
        const bool at_end = n + 1 == count;
        const double rise = (double)whole->s1 - (double)whole->s0;
        line->t1 = at_end ? whole->t1 : whole->t0 + share * (whole->t1 - whole->t0);
        line->s1 = at_end ? whole->s1 : (float)((double)whole->s0 + (double)share * rise);
        part.lit = factors[n];
        add_drawn(way, &part, scratch);
        line->t0 = line->t1;
        line->s0 = line->s1;
    }
}

/* Whether a line is visible, so that it must be lit. */
static bool is_seen(const walk_scene *scene, const ray_walk *walk,
                    const overlap_line *line)
{
    const float begin = fminf(line->t0, line->t1), end = fmaxf(line->t0, line->t1);
    const double s0 = (double)line->s0, s1 = (double)line->s1;
    return begin < walk->t1 && end > walk->t0 && isfinite(s0 + s1) &&
           !render_transfer_is_clear(scene->transfer, fmin(s0, s1), fmax(s0, s1));
}

/* Adds one of the equal pieces of the way through a cell. */
static void add_piece(const overlap_way *way, const overlap_segment *piece, int number,
                      int pieces, overlap_scratch *scratch)
{
    if (way->scene->style.shade && is_seen(way->scene, way->walk, &piece->whole)) {
        add_shaded(way, piece, number, pieces, scratch);
    } else {
        add_drawn(way, piece, scratch);
    }
}

/* Adds the way through a cell in equal parts, as its scalar bends. */
static void add_bent(const overlap_way *way, overlap_segment *piece,
                     overlap_scratch *scratch)
{
    const walk_scene *scene = way->scene;
    const refine_way cell = {way->cell, way->entry, way->exit,
                             way->entry.t != way->entry_order,
                             way->exit.t != way->exit_order};
    refine_knot knots[REFINE_MOST_PARTS + 1];
    const int parts =
        render_refine_way(scene->grid, way->walk->ray, &cell, scene->style.trilinear,
                          &scene->transfer->table, knots);
    for (int n = 0; n < parts; n++) {
        piece->whole = (overlap_line){knots[n].t, knots[n + 1].t, knots[n].scalar,
                                      knots[n + 1].scalar};
        add_piece(way, piece, n, parts, scratch);
    }
}

/* Adds the way through a cell in the style of the scene. */
static void add_way(const overlap_way *way, overlap_scratch *scratch)
{
    const march_grid *grid = way->scene->grid;
    const march_brick *brick = &grid->bricks[way->cell.brick];
    overlap_segment piece = {
        .whole = {way->entry.t, way->exit.t, way->entry.scalar, way->exit.scalar},
        .priority = brick->priority};
    if (grid->cell) {
        piece.whole.s0 = piece.whole.s1 =
            grid->cell[march_cell_index(brick, way->cell.at)];
        add_piece(way, &piece, 0, 1, scratch);
    } else if (way->scene->style.trilinear || way->scene->style.quadratic) {
        add_bent(way, &piece, scratch);
    } else {
        add_piece(way, &piece, 0, 1, scratch);
    }
}

/* Moves the exit of a way, and thus the run, to the patch of its face, like
 * end_on_patches of the kernels. */
static void refine_exit(overlap_way *way, overlap_place *place)
{
    const march_grid *grid = way->scene->grid;
    render_refine_crossing(grid, way->walk->ray, &way->cell, &way->exit);
    place->drawn = way->exit;
    if (way->exit.t < way->entry.t && !grid->bricks[way->cell.brick].has_folds) {
        way->exit.t = way->entry.t;
        place->begin = fmaxf(place->begin, way->entry.t);
    }
}

/* Moves a run through its cell and adds the way; false if the cell has no exit. */
static bool add_cell(const walk_scene *scene, const ray_walk *walk, overlap_place *place,
                     overlap_scratch *scratch)
{
    overlap_way way = {.scene = scene,
                       .walk = walk,
                       .cell = place->at.cell,
                       .begin = place->begin,
                       .entry = place->drawn};
    way.entry_order = place->at.crossing.t;
    if (!cross_cell(scene->grid, walk->ray, &place->at)) {
        return false;
    }
    way.exit = place->drawn = place->at.crossing;
    way.exit_order = way.exit.t;
    if (scene->grid->has_patches) {
        refine_exit(&way, place);
    }
    add_way(&way, scratch);
    return true;
}

/* Follows a run to its exit from the grid, or to the end of the drawn part of the ray. */
static void follow_run(const walk_scene *scene, const ray_walk *walk,
                       const march_entry *run, overlap_scratch *scratch,
                       render_counters *counters)
{
    overlap_place place = begin_run(scene, walk, run, scratch);
    const float begin = fmaxf(place.drawn.t, place.begin);
    overlap_cover cover = {.t0 = begin,
                           .t1 = begin,
                           .priority = scene->grid->bricks[run->cell.brick].priority};
    bool goes_on = true;
    while (goes_on && place.at.crossing.t < walk->end && !scratch->failed) {
        counters->crossings++;
        if (!add_cell(scene, walk, &place, scratch)) {
            counters->lost_rays++;
            break;
        }
        cover.t1 = fmaxf(cover.t1, place.drawn.t);
        goes_on = step_over(scene->grid, &place.at);
        place.drawn.triangle = place.at.crossing.triangle;
    }
    cover.end_order = place.at.crossing.t;
    add_cover(scratch, cover);
}

/* ---- Cutting ----------------------------------------------------------------------- */

/* Adds the uncovered parts of a segment: those outside all covers of blocks with
 * precedence. Covers are sorted by their beginnings. */
static void add_uncovered(overlap_scratch *scratch, const overlap_segment *segment)
{
    float a = segment->t0;
    for (int c = 0; c < scratch->ncovers && a < segment->t1; c++) {
        const overlap_cover *cover = &scratch->covers[c];
        if (cover->priority >= segment->priority || cover->t1 <= a) {
            continue;
        }
        if (cover->t0 >= segment->t1) {
            break;
        }
        if (cover->t0 > a) {
            add_part(scratch, cut(segment, a, cover->t0));
        }
        a = cover->t1;
    }
    if (a < segment->t1) {
        add_part(scratch, cut(segment, a, segment->t1));
    }
}

static int compare_covers(const void *left, const void *right)
{
    const overlap_cover *a = left, *b = right;
    return (a->t0 > b->t0) - (a->t0 < b->t0);
}

static float begin_of(const overlap_segment *part)
{
    return part->t0 < part->t1 ? part->t0 : part->t1;
}

/* Sorts by beginnings; the other criteria only make the order unique. */
static int compare_parts(const void *left, const void *right)
{
    const overlap_segment *a = left, *b = right;
    float x = begin_of(a), y = begin_of(b);
    if (x != y) {
        return (x > y) - (x < y);
    }
    if (a->t1 != b->t1) {
        return (a->t1 > b->t1) - (a->t1 < b->t1);
    }
    return a->priority - b->priority;
}

static void find_parts(overlap_scratch *scratch)
{
    qsort(scratch->covers, (size_t)scratch->ncovers, sizeof *scratch->covers,
          compare_covers);
    for (int n = 0; n < scratch->nsegments; n++) {
        const overlap_segment *segment = &scratch->segments[n];
        if (segment->t0 < segment->t1) {
            add_uncovered(scratch, segment);
        } else if (segment->t1 < segment->t0) {
            add_part(scratch, *segment); /* an inverted cell takes back light */
        }
    }
    qsort(scratch->parts, (size_t)scratch->nparts, sizeof *scratch->parts, compare_parts);
}

/* ---- Blending ---------------------------------------------------------------------- */

static float clamp(float t, float lo, float hi)
{
    return t < lo ? lo : t > hi ? hi : t;
}

/* Light that a ray has accumulated so far. */
typedef struct overlap_light {
    double rgb[3], through;
} overlap_light;

/* What a part emits and absorbs, as the kernels find it: so parts of a line add up, on
 * whichever rank and by whichever way they are drawn. */
static transfer_lanes_shown integrate(const walk_scene *scene,
                                      const overlap_segment *part)
{
    const overlap_line *whole = &part->whole;
    const lane_segments line = {whole->t0, whole->t1, whole->s0, whole->s1};
    const vmask all = lanes_mask(LANES_ALL);
    const bool is_cut = part->t0 != whole->t0 || part->t1 != whole->t1;
    const float factor = scene->style.shade ? part->lit.of[SHADE_LENGTH] : 1.0f;
    transfer_lanes cursor = transfer_lanes_start();
    transfer_lanes_shown shown;
    if (is_cut) {
        const lane_parts drawn = {part->t0, part->t1, all, LANES_ALL};
        transfer_lanes_light light;
        integrate_cut(scene->transfer, &cursor, &line, &drawn, factor, &light);
        transfer_lanes_give(all, &light, &shown);
    } else {
        const transfer_lanes_stretch stretch = {whole->s0, whole->s1,
                                                (whole->t1 - whole->t0) * factor};
        transfer_lanes_advance(scene->transfer, &cursor, all, stretch, &shown);
    }
    if (scene->style.shade) {
        shade_segments(part->lit.of, &shown);
    }
    return shown;
}

/* Blends the stretch from a to b of a part; false if the scalar there is not finite. */
static bool blend_stretch(const walk_scene *scene, const overlap_segment *whole, float a,
                          float b, ray_walk *walk, overlap_light *light)
{
    if (a == b) {
        return true;
    }
    const overlap_segment part = cut(whole, a, b);
    walk->first_t = fminf(walk->first_t, begin_of(&part));
    if (!isfinite(part.whole.s0) || !isfinite(part.whole.s1)) {
        return false;
    }
    const transfer_lanes_shown shown = integrate(scene, &part);
    for (int c = 0; c < 3; c++) {
        light->rgb[c] += light->through * (double)shown.emitted[c];
    }
    light->through = fmin(light->through - light->through * (double)shown.absorbed, 1e6);
    return true;
}

static void blend_fragment(const render_fragment *fragment, ray_walk *walk,
                           overlap_light *light)
{
    for (int c = 0; c < 3; c++) {
        light->rgb[c] += light->through * (double)fragment->rgba[c];
    }
    light->through *= 1.0 - (double)fragment->rgba[3];
    if (walk->through) {
        walk->through[walk->passed - 1] = (float)light->through;
    }
    walk->first_t = fminf(walk->first_t, fragment->t);
}

static void blend(const walk_scene *scene, const overlap_scratch *scratch, ray_walk *walk,
                  render_counters *counters)
{
    overlap_light light = {.through = 1.0};
    walk->passed = 0;
    for (int n = 0; n < scratch->nparts && light.through >= 1e-6; n++) {
        const overlap_segment *part = &scratch->parts[n];
        float a = clamp(part->t0, walk->t0, walk->t1);
        float b = clamp(part->t1, walk->t0, walk->t1);
        bool is_number = true;
        while (walk->passed < walk->nfragments && walk->fragments[walk->passed].t < b) {
            const render_fragment *fragment = &walk->fragments[walk->passed++];
            float between = fmaxf(a, fragment->t);
            is_number &= blend_stretch(scene, part, a, between, walk, &light);
            blend_fragment(fragment, walk, &light);
            a = between;
        }
        is_number &= blend_stretch(scene, part, a, b, walk, &light);
        counters->nan_cells += !is_number;
    }
    for (int c = 0; c < 3; c++) {
        walk->rgb[c] = (float)light.rgb[c];
    }
    walk->transmittance = (float)light.through;
}

void render_overlap_walk(const walk_scene *scene, ray_walk *walk,
                         overlap_scratch *scratch, render_counters *counters)
{
    scratch->nsegments = scratch->nparts = scratch->ncovers = 0;
    walk->first_t = INFINITY;
    for (int n = 0; n < walk->nruns; n++) {
        follow_run(scene, walk, &walk->runs[n], scratch, counters);
    }
    if (!scratch->failed) {
        find_parts(scratch);
        blend(scene, scratch, walk, counters);
    }
}

/* ---- Isosurfaces ------------------------------------------------------------------- */

/* Adds the hits of one crossing of a cell, or its open part. */
static void add_hits(const walk_scene *scene, const ray_walk *walk, int number,
                     const march_cell *cell, const cell_crossing *entry,
                     const cell_crossing *exit)
{
    const walk_iso *iso = scene->iso;
    if (iso->gate) {
        const gate_way way = {entry->t, exit->t, entry->scalar, exit->scalar};
        render_gate_add(iso->gate, scene->grid, number, cell, &way);
    }
    for (int n = 0; n < iso->nvalues; n++) {
        const float s0 = entry->scalar, s1 = exit->scalar, value = iso->values[n];
        if (!hits_crosses(s0, s1, value)) {
            continue;
        }
        const float share = hits_share(s0, s1, value);
        const walk_hit hit = {.walk = number,
                              .value = n,
                              .t = entry->t + share * (exit->t - entry->t),
                              .share = share,
                              .priority = scene->grid->bricks[cell->brick].priority,
                              .cell = *cell,
                              .entry = *entry,
                              .exit = *exit};
        if (hit.t >= walk->t0 && hit.t < walk->t1) {
            render_hits_push(iso->hits, &hit);
        }
    }
}

/* Follows a run to its end and adds its hits. */
static void find_in_run(const walk_scene *scene, const ray_walk *walk, int number,
                        march_entry at, overlap_scratch *scratch,
                        render_counters *counters)
{
    overlap_cover cover = {.t0 = at.crossing.t,
                           .t1 = at.crossing.t,
                           .priority = scene->grid->bricks[at.cell.brick].priority};
    bool goes_on = true;
    while (goes_on && at.crossing.t < walk->end) {
        const march_entry from = at;
        counters->crossings++;
        if (!cross_cell(scene->grid, walk->ray, &at)) {
            counters->lost_rays++;
            break;
        }
        add_hits(scene, walk, number, &from.cell, &from.crossing, &at.crossing);
        cover.t1 = fmaxf(cover.t1, at.crossing.t);
        goes_on = step_over(scene->grid, &at);
    }
    add_cover(scratch, cover);
}

/* Cuts the stretches of blocks with precedence off the spans from `first` on. */
static void cut_spans(int number, int64_t first, overlap_scratch *scratch,
                      walk_gate *gate)
{
    scratch->nsegments = scratch->nparts = 0;
    for (int64_t n = first; n < gate->count; n++) {
        const gate_span s = gate->items[n];
        add_segment(scratch, (overlap_segment){
                                 .t0 = s.begin, .t1 = s.end, .priority = s.priority});
    }
    gate->count = first;
    gate->last[number] = -1;
    find_parts(scratch);
    for (int n = 0; n < scratch->nparts; n++) {
        const overlap_segment *p = &scratch->parts[n];
        render_gate_push(gate, &(gate_span){number, p->priority, p->t0, p->t1});
    }
}

static bool is_covered(const overlap_scratch *scratch, const walk_hit *hit)
{
    for (int c = 0; c < scratch->ncovers; c++) {
        const overlap_cover *by = &scratch->covers[c];
        if (by->priority < hit->priority && hit->t >= by->t0 && hit->t < by->t1) {
            return true;
        }
    }
    return false;
}

void render_overlap_find(const walk_scene *scene, const ray_walk *walk, int number,
                         overlap_scratch *scratch, render_counters *counters)
{
    walk_hits *hits = scene->iso->hits;
    walk_gate *gate = scene->iso->gate;
    const int64_t first_span = gate ? gate->count : 0;
    int first = hits->count, kept = first;
    scratch->ncovers = 0;
    for (int n = 0; n < walk->nruns; n++) {
        find_in_run(scene, walk, number, walk->runs[n], scratch, counters);
    }
    if (gate) {
        cut_spans(number, first_span, scratch, gate);
    }
    for (int n = first; n < hits->count; n++) {
        if (!is_covered(scratch, &hits->items[n])) {
            hits->items[kept++] = hits->items[n];
        }
    }
    hits->count = kept;
}
