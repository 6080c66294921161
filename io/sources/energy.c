#include "energy.h"

#include "base/parallel/parallel.h"
#include "io/source.h"
#include "io/source_kind.h"

#include <math.h>
#include <stdlib.h>

/* The least and the greatest value of a field, of all ranks. */
typedef struct extremes {
    double lo, hi;
} extremes;

static void add_values(const double *values, int64_t count, extremes *out)
{
    for (int64_t n = 0; n < count; n++) {
        if (isfinite(values[n])) {
            out->lo = fmin(out->lo, values[n]);
            out->hi = fmax(out->hi, values[n]);
        }
    }
}

/* The part of a plane across k that this rank reads: all of every plane whose number has
 * its rank for a remainder, or, as a sample, the row in the middle. */
static io_box find_share(const io_source *source, const int64_t n[3], int64_t round,
                         bool is_sample)
{
    const int64_t ranks = is_sample ? 1 : parallel_size(source->comm);
    const int64_t k = round * ranks + (is_sample ? 0 : parallel_rank(source->comm));
    if (is_sample) {
        return (io_box){{0, n[1] / 2, n[2] / 2}, {n[0], 1, 1}};
    }
    return (io_box){{0, 0, k < n[2] ? k : 0}, {n[0], n[1], k < n[2] ? 1 : 0}};
}

/* Reads a block by rounds until its values differ. Collective. */
static status scan_block(io_source *source, int block, int field, bool is_sample,
                         extremes *found)
{
    const int less = source->catalog.fields[field].location == GRID_CELL ? 1 : 0;
    const int step = source->catalog.nsteps - 1, ranks = parallel_size(source->comm);
    int64_t n[3];
    for (int axis = 0; axis < 3; axis++) {
        const int64_t vertices = source->catalog.blocks[block].n[axis];
        n[axis] = vertices > 1 ? vertices - less : 1;
    }
    const int64_t rounds = is_sample ? 1 : (n[2] + ranks - 1) / ranks;
    const size_t bytes = (size_t)(n[0] * n[1] + 1) * sizeof(double);
    double *values = malloc(bytes);
    status s = parallel_agree(source->comm,
                              values ? STATUS_OK : base_fail_memory(bytes, "a plane"));
    for (int64_t round = 0; round < rounds && s == STATUS_OK && !(found->lo < found->hi);
         round++) {
        const io_box box = find_share(source, n, round, is_sample);
        s = source->kind->read(source, step, block, field, &box, values);
        if (s == STATUS_OK) {
            add_values(values, box.n[0] * box.n[1] * box.n[2], found);
        }
        s = parallel_agree(source->comm, s);
        parallel_allreduce(MPI_IN_PLACE, &found->lo, 1, MPI_DOUBLE, MPI_MIN,
                           source->comm);
        parallel_allreduce(MPI_IN_PLACE, &found->hi, 1, MPI_DOUBLE, MPI_MAX,
                           source->comm);
    }
    free(values);
    return s;
}

/* Whether a field of the last step has one value in all blocks. Collective. */
static status find_constant(io_source *source, const char *name, bool *is_constant,
                            double *value)
{
    const int field = io_catalog_find_field(&source->catalog, name);
    extremes found = {INFINITY, -INFINITY};
    status s = STATUS_OK;
    if (field < 0 ||
        !*io_catalog_presence(&source->catalog, source->catalog.nsteps - 1, field)) {
        return STATUS_OK;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int b = 0;
             b < source->catalog.nblocks && s == STATUS_OK && !(found.lo < found.hi);
             b++) {
            s = scan_block(source, b, field, pass == 0, &found);
        }
    }
    *is_constant = found.lo == found.hi;
    *value = found.lo;
    return s;
}

/* Whether anything else that a pressure follows from varies. Collective. */
static status find_variation(io_source *source, bool *varies)
{
    static const char *const names[] = {"density", "momentum_x", "momentum_y",
                                        "momentum_z"};
    status s = STATUS_OK;
    *varies = false;
    for (int n = 0; n < 4 && s == STATUS_OK && !*varies; n++) {
        bool is_constant = true;
        double value = 0.0;
        s = find_constant(source, names[n], &is_constant, &value);
        *varies = !is_constant;
    }
    return s;
}

status io_energy_check(io_source *source)
{
    bool is_constant = false, is_void = false;
    double value = 0.0;
    const int energy = io_catalog_find_field(&source->catalog, "energy");
    if (energy < 0 || !source->kind->has_doubles || source->catalog.nsteps == 0 ||
        io_catalog_find_field(&source->catalog, "density") < 0) {
        return STATUS_OK;
    }
    io_catalog *catalog = &source->catalog;
    io_catalog_choose(catalog, io_source_grid(source, catalog->nsteps - 1));
    source->wants_doubles = true;
    status s = find_constant(source, "energy", &is_constant, &value);
    is_void = is_constant && value <= 0.0;
    if (s == STATUS_OK && is_constant && !is_void) {
        s = find_variation(source, &is_void);
    }
    source->wants_doubles = false;
    io_catalog_choose(catalog, io_source_grid(source, source->grid_step));
    if (s == STATUS_INPUT) { /* whoever draws it says why */
        base_fail_set_message("");
        return STATUS_OK;
    }
    source->catalog.fields[energy].is_void = is_void;
    return s == STATUS_OK && is_void
               ? io_catalog_note(&source->catalog, "energy",
                                 "%g everywhere: no pressure, temperature and Mach "
                                 "number follow from it",
                                 value)
               : s;
}
