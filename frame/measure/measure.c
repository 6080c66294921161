#include "measure.h"

#include "base/parallel/parallel.h"
#include "bricks.h"
#include "cells.h"
#include "facets.h"
#include "io/load/load.h"
#include "sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is in memory for fields at one location. */
typedef struct measure_part {
    grid_store *store;
    double *weight; /* of a volume: of each vertex, or cell, of the store */
    int64_t cells;
    render_surface *surface;
} measure_part;

struct frame_measure {
    MPI_Comm comm; /* borrowed, as source and layout */
    io_source *source;
    const grid_layout *layout;
    frame_measure_place place;
    surface_spec spec;
    surface_cut cut;
    surface_range *ranges; /* of the place; sheets of two dimensions for a volume */
    double thickness;      /* of such a grid; 1 */
    measure_bricks bricks;
    measure_part parts[2]; /* by grid_location */
    grid_location loaded;  /* of the last field */
};

static bool is_volume(const frame_measure *m)
{
    return m->place.kind <= FRAME_MEASURE_SHARES;
}

/* ---- Preparing --------------------------------------------------------------------- */

static double sign_of(const frame_measure *m, const grid_brick *brick)
{
    return m->layout->blocks[brick->place.block].left_handed ? -1.0 : 1.0;
}

/* Finds the parts of the volume. Local. */
static status weigh(const frame_measure *m, measure_part *part)
{
    const grid_store *store = part->store;
    const int64_t count = store->cell ? store->ncells : store->nvertices;
    int64_t cells = 0;
    part->weight = calloc((size_t)count + 1, sizeof *part->weight);
    if (!part->weight) {
        return base_fail_memory((size_t)count * sizeof *part->weight, "volumes");
    }
#pragma omp parallel for schedule(dynamic) reduction(+ : cells)
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        const grid_brick *b = &store->bricks[slot];
        double *weight = part->weight + (store->cell ? b->cell - store->cell
                                                     : b->vertex - store->vertex);
        cells += store->cell ? measure_cells_volumes(b, sign_of(m, b), weight)
                             : measure_cells_weigh(b, sign_of(m, b), weight);
    }
    part->cells = cells;
    return STATUS_OK;
}

/* Loads the grid for fields at a location, once. Collective. */
static status prepare(frame_measure *m, grid_location location)
{
    measure_part *part = &m->parts[location];
    const io_load_list list = {m->layout, m->bricks.count, m->bricks.numbers, location};
    if (part->store) {
        return STATUS_OK;
    }
    status s = io_load_bricks(m->comm, m->source, &list, &part->store);
    if (s == STATUS_OK && is_volume(m)) {
        s = parallel_agree(m->comm, weigh(m, part));
    } else if (s == STATUS_OK) {
        s = parallel_agree(m->comm,
                           render_surface_create(part->store, &m->spec, &part->surface));
    }
    return s;
}

/* Takes the first faces of sheets in place of a volume. Local. */
static status take_sheets(frame_measure *m)
{
    const grid_layout *layout = m->layout;
    frame_measure_place *place = &m->place;
    m->ranges = calloc((size_t)layout->nblocks + 1, sizeof *m->ranges);
    if (!m->ranges) {
        return base_fail_memory((size_t)layout->nblocks * sizeof *m->ranges, "a place");
    }
    place->kind = FRAME_MEASURE_FACES;
    place->ranges = m->ranges;
    for (int b = 0; b < layout->nblocks; b++) {
        surface_range range = render_surface_whole_block(layout, b);
        range.hi[io_source_flat_axis(m->source)] = 0;
        if (place->block < 0 || place->block == b) {
            m->ranges[place->nranges++] = range;
        }
    }
    return STATUS_OK;
}

static status copy_ranges(frame_measure *m)
{
    const size_t size = (size_t)m->place.nranges * sizeof *m->ranges;
    m->ranges = malloc(size + 1);
    if (!m->ranges) {
        return base_fail_memory(size, "a place");
    }
    for (int n = 0; n < m->place.nranges; n++) {
        m->ranges[n] = m->place.ranges[n];
    }
    m->place.ranges = m->ranges;
    return STATUS_OK;
}

/* Finds the bricks of the place. Local. */
static status take_place(frame_measure *m, const frame_measure_place *place)
{
    m->place = *place;
    m->cut = (surface_cut){vec3_sub(place->point, m->layout->origin), place->normal};
    status s = place->kind == FRAME_MEASURE_VOLUME && io_source_flat_axis(m->source) >= 0
                   ? take_sheets(m)
                   : copy_ranges(m);
    m->spec = (surface_spec){.nranges = m->place.nranges,
                             .ranges = m->place.ranges,
                             .walls = place->walls,
                             .ncuts = place->kind == FRAME_MEASURE_PLANE,
                             .cuts = &m->cut};
    return s == STATUS_OK
               ? measure_bricks_share(m->comm, m->layout, &m->place,
                                      is_volume(m) ? NULL : &m->spec, &m->bricks)
               : s;
}

status frame_measure_create(MPI_Comm comm, io_source *source, const grid_layout *layout,
                            const frame_measure_place *place, frame_measure **out)
{
    frame_measure *m = calloc(1, sizeof *m);
    status s = m ? STATUS_OK : base_fail_memory(sizeof *m, "a place");
    if (m) {
        *m = (frame_measure){.comm = comm, .source = source, .layout = layout};
        s = take_place(m, place);
    }
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        frame_measure_destroy(&m);
        return s;
    }
    const double thickness = io_source_flat_thickness(source);
    parallel_allreduce(&thickness, &m->thickness, 1, MPI_DOUBLE, MPI_MAX, comm);
    m->thickness = m->thickness > 0.0 ? m->thickness : 1.0;
    *out = m;
    return STATUS_OK;
}

void frame_measure_destroy(frame_measure **measure)
{
    frame_measure *m = *measure;
    for (int n = 0; m && n < 2; n++) {
        render_surface_destroy(&m->parts[n].surface);
        grid_store_destroy(&m->parts[n].store);
        free(m->parts[n].weight);
    }
    if (m) {
        free(m->ranges);
        free(m->bricks.own);
        free(m->bricks.numbers);
        free(m);
        *measure = NULL;
    }
}

/* ---- Volumes ----------------------------------------------------------------------- */

/* The values and weights of a brick; of its coordinates, if there are no values. */
static frame_measure_values values_of(const measure_part *part, const grid_brick *b)
{
    const grid_store *store = part->store;
    const int *n = b->place.n;
    if (store->cell) {
        return (frame_measure_values){n[0] * n[1] * n[2], 1, b->cell,
                                      part->weight + (b->cell - store->cell)};
    }
    return (frame_measure_values){(n[0] + 1) * (n[1] + 1) * (n[2] + 1), 4,
                                  &b->vertex[0][3],
                                  part->weight + (b->vertex - store->vertex)};
}

/* The sums of weights, and of weights times values, of a brick. */
static void sum_brick(const measure_part *part, const grid_brick *b, bool has_values,
                      double out[2])
{
    const frame_measure_values values = values_of(part, b);
    out[0] = out[1] = 0.0;
    for (int v = 0; v < values.count; v++) {
        const double value =
            has_values ? (double)values.value[(ptrdiff_t)v * values.stride] : 1.0;
        if (isfinite(value)) {
            out[0] += values.weight[v];
            out[1] += values.weight[v] * value;
        }
    }
}

static status sum_volume(const measure_part *part, bool has_values, measure_sum *sums)
{
    const int64_t count = part->store->nbricks;
    double(*found)[2] = malloc(((size_t)count + 1) * sizeof *found);
    if (!found) {
        return base_fail_memory((size_t)count * sizeof *found, "integrals");
    }
#pragma omp parallel for schedule(static)
    for (int64_t slot = 0; slot < count; slot++) {
        sum_brick(part, &part->store->bricks[slot], has_values, found[slot]);
    }
    for (int64_t slot = 0; slot < count; slot++) {
        measure_sum_add(&sums[0], found[slot][0]);
        measure_sum_add(&sums[1], found[slot][1]);
    }
    free(found);
    return STATUS_OK;
}

/* ---- Surfaces ---------------------------------------------------------------------- */

static void sum_surface(const frame_measure *m, const measure_part *part, bool has_values,
                        measure_sum *sums, int64_t *parts)
{
    const vec3 about = vec3_sub(m->place.about, m->layout->origin);
    const int64_t count = render_surface_count(part->surface).quads;
    int64_t faces = 0;
#pragma omp parallel reduction(+ : faces)
    {
        measure_sum mine[MEASURE_NUMBERS] = {0};
        double found[MEASURE_NUMBERS];
#pragma omp for schedule(static)
        for (int64_t n = 0; n < count; n++) {
            const surface_facet facet = render_surface_facet(part->surface, n);
            const bool is_sheet =
                facet.axis >= 0 &&
                facet.axis == io_source_flat_axis_of(m->source, facet.block);
            const measure_facets facets = {part->store, &m->place, about,
                                           is_sheet ? 1.0 : m->thickness};
            if (m->bricks.own[measure_bricks_of(m->layout, &facet)] &&
                measure_facet_integrate(&facets, &facet, has_values, found)) {
                for (int k = 0; k < MEASURE_NUMBERS; k++) {
                    measure_sum_add(&mine[k], found[k]);
                }
                faces++;
            }
        }
#pragma omp critical(frame_measure)
        for (int k = 0; k < MEASURE_NUMBERS; k++) {
            measure_sum_join(&sums[k], &mine[k]);
        }
    }
    *parts = faces;
}

/* ---- The whole --------------------------------------------------------------------- */

static void fill(measure_sum sums[MEASURE_NUMBERS], frame_measure_sums *out)
{
    out->size = measure_sum_value(&sums[0]);
    out->total = measure_sum_value(&sums[1]);
    for (int l = 0; l < 3; l++) {
        out->along[l] = measure_sum_value(&sums[2 + l]);
        for (int k = 0; k < 3; k++) {
            out->lever[k][l] = measure_sum_value(&sums[5 + 3 * k + l]);
        }
    }
}

/* Makes ready for fields at a location, and loads one (NULL: none). Collective. */
static status load(frame_measure *m, grid_location location, const grid_recipe *recipe,
                   int step)
{
    const status s = prepare(m, location);
    m->loaded = location;
    return s == STATUS_OK && recipe
               ? io_load_field(m->comm, m->source, recipe, step, m->parts[location].store)
               : s;
}

status frame_measure_visit(frame_measure *measure, const grid_recipe *recipe, int step,
                           frame_measure_visitor *visit, void *context)
{
    const grid_location location =
        recipe ? grid_recipe_location(recipe) : measure->loaded;
    const measure_part *part = &measure->parts[location];
    const status s = load(measure, location, recipe, step);
    for (int64_t n = 0; s == STATUS_OK && n < part->store->nbricks; n++) {
        const frame_measure_values values = values_of(part, &part->store->bricks[n]);
        visit(context, &values);
    }
    return s;
}

status frame_measure_find(frame_measure *measure, const grid_recipe *recipe, int step,
                          frame_measure_sums *out)
{
    const grid_location location = recipe ? grid_recipe_location(recipe)
                                   : measure->parts[GRID_CELL].store ? GRID_CELL
                                                                     : GRID_VERTEX;
    measure_part *part = &measure->parts[location];
    measure_sum sums[MEASURE_NUMBERS] = {0};
    int64_t parts = 0;
    status s = load(measure, location, recipe, step);
    if (s == STATUS_OK && part->surface) {
        sum_surface(measure, part, recipe != NULL, sums, &parts);
    } else if (s == STATUS_OK) {
        parts = part->cells;
        s = parallel_agree(measure->comm, sum_volume(part, recipe != NULL, sums));
    }
    if (s == STATUS_OK) {
        parallel_allreduce(&parts, &out->parts, 1, MPI_INT64_T, MPI_SUM, measure->comm);
        measure_sum_share(measure->comm, MEASURE_NUMBERS, sums);
        fill(sums, out);
    }
    return s;
}
