/*
 * The source of copies: blocks of other data, turned, reflected and shifted. Copies are
 * blocks of their own, so that ranks share them. Coordinates and vectors turn when they
 * are read; nothing of a copy is kept here.
 */
#include "copies.h"

#include "base/parallel/parallel.h"
#include "io/source_kind.h"
#include "io/sources/series/series.h"
#include "io/window.h"
#include "places.h"
#include "seams.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The coordinates that were read last: all coordinates of a copy take some of them, and
 * those of the next copies the same ones. */
typedef struct kept_box {
    int step, block;
    io_box box;
    size_t size; /* values that fit */
    bool has[3];
    double *values[3]; /* x, y, z */
} kept_box;

typedef struct copies_state {
    io_source *data;
    copies_places places;
    copies_vector *vectors; /* [nfields] */
    copies_seams *seams;    /* of a grid */
    int grid;               /* its number */
    kept_box kept;
} copies_state;

static const io_box nothing = {{0, 0, 0}, {0, 0, 0}};

/* ---- The catalogue ----------------------------------------------------------------- */

/* The blocks, and behind each its copies. */
static status add_blocks(io_source *source)
{
    const copies_state *state = source->state;
    const copies_places *places = &state->places;
    status s = STATUS_OK;
    for (int n = 0; n < places->first[places->nblocks] && s == STATUS_OK; n++) {
        const int block = places->all[n].block;
        grid_block copy = state->data->catalog.blocks[block];
        copy.copy = n - places->first[block];
        s = io_catalog_add_block(&source->catalog, &copy);
    }
    return s;
}

/* Copies repeat the conditions of their block. */
static status add_conditions(io_source *source)
{
    const copies_state *state = source->state;
    const int *first = state->places.first;
    io_catalog *all = &source->catalog;
    status s = io_catalog_take_conditions(all, &state->data->catalog);
    for (int n = 0, count = all->nconditions; n < count && s == STATUS_OK; n++) {
        io_condition condition = all->conditions[n];
        const int block = condition.block;
        all->conditions[n].block = first[block];
        for (int b = first[block] + 1; b < first[block + 1] && s == STATUS_OK; b++) {
            condition.block = b;
            s = io_catalog_add_condition(all, &condition);
            if (s == STATUS_OK) {
                all->conditions[all->nconditions - 1] = condition; /* with its parts */
            }
        }
    }
    return s;
}

/* Contacts lead from a copy to copies of the same numbers. */
static status add_contacts(io_source *source)
{
    const copies_state *state = source->state;
    const copies_places *places = &state->places;
    const io_catalog *its = &state->data->catalog;
    status s = STATUS_OK;
    for (int n = 0, next = 0; n < its->ncontacts && s == STATUS_OK; n = next) {
        const int block = its->contacts[n].block;
        for (next = n; next < its->ncontacts && its->contacts[next].block == block;
             next++) {
        }
        for (int copy = places->first[block]; copy < places->first[block + 1]; copy++) {
            for (int m = n; m < next && s == STATUS_OK; m++) {
                io_contact contact = its->contacts[m];
                contact.block = copy;
                contact.donor = contact.donor < 0 ? -1
                                                  : copies_index(places, contact.donor,
                                                                 places->all[copy].at);
                s = io_catalog_add_contacts(&source->catalog, 1, &contact);
            }
        }
    }
    return s;
}

static status note_level(io_source *source, int level)
{
    const copies_state *state = source->state;
    const grid_copies *of = &state->places.levels[level];
    const int count = state->places.counts[level];
    const vec3 axis = of->rotate.axis, normal = of->reflect.normal, by = of->shift.by;
    return vec3_length(axis) > 0.0
               ? io_catalog_note(&source->catalog, "copies",
                                 "%d, every %g degrees about (%g, %g, %g)", count,
                                 of->rotate.angle != 0.0 ? of->rotate.angle
                                                         : 360.0 / count,
                                 axis.v[0], axis.v[1], axis.v[2])
           : vec3_length(normal) > 0.0
               ? io_catalog_note(&source->catalog, "copies",
                                 "2, across the normal (%g, %g, %g) at %g", normal.v[0],
                                 normal.v[1], normal.v[2], of->reflect.at)
               : io_catalog_note(&source->catalog, "copies", "%d, every (%g, %g, %g)",
                                 count, by.v[0], by.v[1], by.v[2]);
}

/* Fails if blocks come and go. */
static status check_blocks(const io_source *source, const io_catalog *its)
{
    for (int grid = 1; grid < its->sets.ngrids; grid++) {
        if (!io_catalog_same_blocks(its, 0, grid)) {
            return base_fail(STATUS_INPUT,
                             "data.copies is for blocks that stay, and those of '%s' "
                             "change from step to step: leave the key out",
                             source->path);
        }
    }
    return STATUS_OK;
}

/* ---- Opening ----------------------------------------------------------------------- */

static status make_catalog(io_source *source, const io_data_config *config)
{
    copies_state *state = source->state;
    const io_catalog *its = &state->data->catalog;
    status s = check_blocks(source, its);
    s = s == STATUS_OK ? copies_places_create(config, state->data, &state->places) : s;
    s = s == STATUS_OK ? io_catalog_copy(its, &source->catalog) : s;
    s = s == STATUS_OK ? add_blocks(source) : s;
    s = s == STATUS_OK ? add_conditions(source) : s;
    s = s == STATUS_OK ? add_contacts(source) : s;
    for (int level = 0; level < config->ncopies && s == STATUS_OK; level++) {
        s = note_level(source, level);
    }
    state->vectors = calloc((size_t)its->nfields + 1, sizeof *state->vectors);
    if (s == STATUS_OK && !state->vectors) {
        s = base_fail_memory((size_t)its->nfields * sizeof *state->vectors, "vectors");
    }
    if (s == STATUS_OK) {
        copies_vectors_find(its, state->vectors);
    }
    source->reads_alone = state->data->reads_alone;
    return s;
}

static int grid_at(const copies_state *state, int step)
{
    const int *grids = state->data->catalog.grids;
    return grids ? grids[step] : 0;
}

/* Finds the seams of the grid at a step, unless they are known. Collective if the data is
 * read so. */
static status find_seams(copies_state *state, int step)
{
    if (state->seams && state->grid == grid_at(state, step)) {
        return STATUS_OK;
    }
    copies_seams_destroy(&state->seams);
    state->grid = grid_at(state, step);
    return copies_seams_find(state->data, step, &state->places, &state->seams);
}

static status open_copies(io_source *source, const io_data_config *config)
{
    copies_state *state = source->state = calloc(1, sizeof *state);
    status s = parallel_agree(
        source->comm,
        state ? STATUS_OK : base_fail_memory(sizeof *state, "copies of the data"));
    if (s == STATUS_OK) {
        s = series_open(source->comm, true, config, &state->data);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(source->comm, make_catalog(source, config));
    }
    if (s == STATUS_OK) {
        s = parallel_agree(source->comm, find_seams(state, 0));
    }
    if (s == STATUS_OK) {
        copies_seams_say(state->seams, source->path);
    }
    return s;
}

static void close_copies(io_source *source)
{
    copies_state *state = source->state;
    if (state) {
        io_source_close(&state->data);
        copies_seams_destroy(&state->seams);
        copies_places_clear(&state->places);
        free(state->vectors);
        for (int c = 0; c < 3; c++) {
            free(state->kept.values[c]);
        }
        free(state);
    }
    source->state = NULL;
}

/* ---- Reading ----------------------------------------------------------------------- */

static size_t count_values(const io_box *box)
{
    return (size_t)(box->n[0] * box->n[1] * box->n[2]);
}

/* Makes room for another box. */
static status keep_box(kept_box *kept, int step, int block, const io_box *box)
{
    const size_t count = count_values(box), bytes = (count + 1) * sizeof(double);
    if (kept->values[2] && kept->step == step && kept->block == block &&
        memcmp(&kept->box, box, sizeof *box) == 0) {
        return STATUS_OK;
    }
    for (int c = 0; c < 3; c++) {
        kept->has[c] = false;
        if (!kept->values[c] || kept->size < count) {
            free(kept->values[c]);
            kept->values[c] = malloc(bytes);
        }
    }
    kept->size = kept->size < count ? count : kept->size;
    kept->step = step;
    kept->block = block;
    kept->box = *box;
    if (kept->values[0] && kept->values[1] && kept->values[2]) {
        return STATUS_OK;
    }
    for (int c = 0; c < 3; c++) {
        free(kept->values[c]);
        kept->values[c] = NULL;
    }
    kept->size = 0;
    return base_fail_memory(bytes, "copies of the data");
}

/* Reads a coordinate of the kept box, unless it is known; other ranks may need it.
 * Collective if the data is read so. */
static status read_kept(copies_state *state, const copies_place *place, int step, int c)
{
    kept_box *kept = &state->kept;
    const bool wants = kept->values[c] && !kept->has[c];
    if (!wants && state->data->reads_alone) {
        return STATUS_OK;
    }
    const status s =
        state->data->kind->read(state->data, step, place->block, IO_ARRAY_X + c,
                                wants ? &kept->box : &nothing, kept->values[c]);
    kept->has[c] = kept->has[c] || (wants && s == STATUS_OK);
    return s;
}

static status read_place(io_source *source, int step, const copies_place *place,
                         int array, const io_box *box, double *out)
{
    copies_state *state = source->state;
    const int axis = array - IO_ARRAY_X;
    const size_t count = count_values(box);
    status s = keep_box(&state->kept, step, place->block, box);
    const status found = find_seams(state, step);
    s = s == STATUS_OK ? found : s;
    for (size_t n = 0; n < count; n++) {
        out[n] = place->view.shift[axis];
    }
    for (int c = 0; c < 3; c++) {
        const double factor = place->view.matrix[axis][c];
        if (factor == 0.0) {
            continue;
        }
        const status read = read_kept(state, place, step, c);
        s = s == STATUS_OK ? read : s;
        for (size_t n = 0; n < count && s == STATUS_OK; n++) {
            out[n] += factor * state->kept.values[c][n];
        }
    }
    if (s == STATUS_OK) {
        copies_seams_put(state->seams, place, box, axis, out);
    }
    return s;
}

/* Whether a step has all components of a vector. */
static bool has_vector(const io_source *data, int step, const copies_vector *vector)
{
    bool has = vector->is;
    for (int c = 0; c < 3 && has; c++) {
        has = io_source_has_field(data, step, vector->fields[c]);
    }
    return has;
}

static double determinant(const double m[3][3])
{
    const vec3 rows[3] = {vec3_make(m[0][0], m[0][1], m[0][2]),
                          vec3_make(m[1][0], m[1][1], m[1][2]),
                          vec3_make(m[2][0], m[2][1], m[2][2])};
    return vec3_dot(rows[0], vec3_cross(rows[1], rows[2]));
}

/* A component of a vector field of a copy, from those of the data. */
typedef struct turn {
    int step;
    const copies_place *place;
    const copies_vector *vector;
    double sign; /* -1: of a rotation, in a mirror */
    bool is_double;
} turn;

/* Adds up the components in a box; without memory (NULL) nothing is read. Collective if
 * the data is read so. */
static status add_components(io_source *data, const turn *t, const io_box *box,
                             void *values, double *sums)
{
    const size_t count = values && sums ? count_values(box) : 0;
    status first = STATUS_OK;
    for (int c = 0; c < 3; c++) {
        const double factor = t->sign * t->place->view.matrix[t->vector->component][c];
        if (factor == 0.0) {
            continue;
        }
        const status s =
            data->kind->read(data, t->step, t->place->block, t->vector->fields[c],
                             values && sums ? box : &nothing, values);
        first = first == STATUS_OK ? s : first;
        for (size_t n = 0; n < count && first == STATUS_OK; n++) {
            sums[n] += factor * (t->is_double ? ((const double *)values)[n]
                                              : (double)((const float *)values)[n]);
        }
    }
    return first;
}

/* Reads a component of a vector field. */
static status read_component(io_source *source, const turn *t, const io_box *box,
                             void *out)
{
    const copies_state *state = source->state;
    const size_t count = count_values(box), bytes = (count + 1) * sizeof(double);
    double *values = malloc(bytes), *sums = calloc(1, bytes);
    status s = add_components(state->data, t, box, values, sums);
    s = values && sums ? s : base_fail_memory(bytes, "copies of the data");
    for (size_t n = 0; n < count && s == STATUS_OK; n++) {
        if (t->is_double) {
            ((double *)out)[n] = sums[n];
        } else {
            ((float *)out)[n] = (float)sums[n];
        }
    }
    free(values);
    free(sums);
    return s;
}

static status copies_read(io_source *source, int step, int block, int array,
                          const io_box *box, void *out)
{
    const copies_state *state = source->state;
    const copies_place *place = &state->places.all[block];
    const copies_vector *vector = array >= 0 ? &state->vectors[array] : NULL;
    const bool is_first = block == state->places.first[place->block];
    if (array < IO_ARRAY_IBLANK) {
        return read_place(source, step, place, array, box, out);
    }
    const turn t = {.step = step,
                    .place = place,
                    .vector = vector,
                    .sign =
                        vector && vector->is_pseudo &&
                                determinant((const double(*)[3])place->view.matrix) < 0.0
                            ? -1.0
                            : 1.0,
                    .is_double = source->wants_doubles};
    state->data->wants_doubles = source->wants_doubles;
    const status s =
        (out || !state->data->reads_alone) && vector && !is_first &&
                has_vector(state->data, step, vector)
            ? read_component(source, &t, box, out)
            : state->data->kind->read(state->data, step, place->block, array, box, out);
    state->data->wants_doubles = false;
    return s;
}

static bool copies_reads(const io_source *source, const char *path)
{
    const copies_state *state = source->state;
    return io_source_reads(state->data, path);
}

static const io_source_kind copies_kind = {.open = open_copies,
                                           .read = copies_read,
                                           .reads = copies_reads,
                                           .close = close_copies,
                                           .has_doubles = true,
                                           .window = IO_WINDOW_VERTICES};

status copies_open(MPI_Comm comm, const io_data_config *config, io_source **out)
{
    return io_source_open_as(&copies_kind, comm, false, config, out);
}
