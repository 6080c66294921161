/*
 * Memory sources give the same values as files.
 *
 *   test_memory_source DATA_SET...
 *
 * The blocks of each data set are cut into parts. The ranks of this run keep these parts
 * in memory in several types and strides, as a solver might. Boxes, and bricks with
 * derived fields, read from memory must equal those of the file to the last bit.
 */
#include "base/parallel/parallel.h"
#include "io/load/load.h"
#include "io/sources/memory/memory.h"

#include "support/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 64, MOST_FIELDS = 16, MARGIN = 2 /* values around a part */ };

static int failures;

static void check(bool ok, const char *data_set, const char *what)
{
    if (!ok) {
        failures++;
        if (failures < 20) {
            printf("rank %d: %s: %s\n", parallel_rank(MPI_COMM_WORLD), data_set, what);
        }
    }
}

static void fail_on(status s)
{
    if (s != STATUS_OK) {
        fprintf(stderr, "%s\n", base_fail_message());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void *allocate(size_t bytes)
{
    void *memory = calloc(bytes + 1, 1);
    if (!memory) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

/* The parts in the memory of one rank. */
typedef struct memory {
    int nparts;
    io_memory_part parts[MOST_PARTS];
    io_memory_array fields[MOST_PARTS][MOST_FIELDS];
    int nallocated;
    void *allocated[MOST_PARTS * (MOST_FIELDS + 4)];
} memory;

/* ---- A solver's memory ------------------------------------------------------------- */

/* Copies values ([n[2]][n[1]][n[0]], of `size` bytes) into an array of this type with a
 * margin around; k runs fastest if `turned`. */
static io_memory_array keep(memory *m, const int64_t n[3], io_memory_type type,
                            bool turned, int from, const void *values)
{
    const int64_t w[3] = {n[0] + 2 * MARGIN, n[1] + 2 * MARGIN, n[2] + 2 * MARGIN};
    const size_t size = type == IO_MEMORY_FLOAT64 ? 8 : 4;
    io_memory_array array = {.type = type,
                             .stride = {turned ? w[1] * w[2] : 1, turned ? w[2] : w[0],
                                        turned ? 1 : w[0] * w[1]}};
    char *data = allocate((size_t)(w[0] * w[1] * w[2]) * size);
    m->allocated[m->nallocated++] = data;
    data +=
        (size_t)(MARGIN * (array.stride[0] + array.stride[1] + array.stride[2])) * size;
    array.data = data;
    for (int64_t v = 0; v < n[0] * n[1] * n[2]; v++) {
        const int64_t at = v % n[0] * array.stride[0] +
                           v / n[0] % n[1] * array.stride[1] +
                           v / (n[0] * n[1]) * array.stride[2];
        if (from == IO_ARRAY_IBLANK) {
            ((int32_t *)(void *)data)[at] = ((const int32_t *)values)[v];
        } else {
            const double value = from < 0 ? ((const double *)values)[v]
                                          : (double)((const float *)values)[v];
            if (type == IO_MEMORY_FLOAT64) {
                ((double *)(void *)data)[at] = value;
            } else {
                ((float *)(void *)data)[at] = (float)value;
            }
        }
    }
    return array;
}

/* Reads one array of one part of the file. Collective; ranks whose `wanted` is false get
 * nothing. */
static io_memory_array read_array(io_source *file, memory *m, int block, int array,
                                  const int64_t lo[3], const int64_t n[3], bool wanted,
                                  bool turned)
{
    io_box box = {{0, 0, 0}, {0, 0, 0}};
    const bool cells = array >= 0 && io_source_fields(file)[array].location == GRID_CELL;
    int64_t count[3] = {n[0] - cells, n[1] - cells, n[2] - cells};
    if (wanted) {
        memcpy(box.lo, lo, sizeof box.lo);
        memcpy(box.n, count, sizeof box.n);
    }
    void *values = allocate((size_t)(count[0] * count[1] * count[2]) * sizeof(double));
    fail_on(io_source_read(file, 0, block, array, &box, values));
    io_memory_array kept = {.data = NULL};
    if (wanted) {
        const io_memory_type type = array == IO_ARRAY_IBLANK ? IO_MEMORY_INT32
                                    : turned                 ? IO_MEMORY_FLOAT64
                                                             : IO_MEMORY_FLOAT32;
        kept = keep(m, count, type, turned, array, values);
    }
    free(values);
    return kept;
}

/* Takes a part of a block into memory on rank `owner`. */
static void take_part(io_source *file, memory *m, int block, const int64_t lo[3],
                      const int64_t n[3], int owner, bool turned)
{
    const bool mine = owner == parallel_rank(MPI_COMM_WORLD);
    io_memory_part part = {.block = block};
    memcpy(part.lo, lo, sizeof part.lo);
    memcpy(part.n, n, sizeof part.n);
    for (int axis = 0; axis < 3; axis++) {
        part.xyz[axis] = read_array(file, m, block, IO_ARRAY_X + axis, lo, n, mine,
                                    turned && io_source_double_coordinates(file));
    }
    if (io_source_blocks(file)[block].has_iblank) {
        part.iblank = read_array(file, m, block, IO_ARRAY_IBLANK, lo, n, mine, turned);
    }
    io_memory_array *fields = m->fields[m->nparts];
    for (int f = 0; f < io_source_field_count(file); f++) {
        const io_memory_array field = read_array(file, m, block, f, lo, n, mine, turned);
        if (mine) {
            fields[f] = field;
        }
    }
    if (mine) {
        part.fields = fields;
        m->parts[m->nparts++] = part;
    }
}

/* Cuts a box of a block in two again and again, and deals the pieces out to ranks. */
static void cut(io_source *file, memory *m, int block, const int64_t lo[3],
                const int64_t n[3], int levels, uint64_t *state)
{
    const int axis = random_below(state, 3);
    const int owner = random_below(state, parallel_size(MPI_COMM_WORLD));
    const bool turned = random_below(state, 2);
    if (levels == 0 || n[axis] < 4) {
        take_part(file, m, block, lo, n, owner, turned);
        return;
    }
    int64_t upper[3], left[3], right[3];
    memcpy(upper, lo, sizeof upper);
    memcpy(left, n, sizeof left);
    memcpy(right, n, sizeof right);
    left[axis] = 2 + random_below(state, (int)n[axis] - 2);
    right[axis] = n[axis] - left[axis] + 1; /* the plane between is in both */
    upper[axis] = lo[axis] + left[axis] - 1;
    cut(file, m, block, lo, left, levels - 1, state);
    if (right[axis] >= 2) {
        cut(file, m, block, upper, right, levels - 1, state);
    }
}

static io_memory_grid describe(io_source *file, const memory *m)
{
    return (io_memory_grid){.name = "a running solver",
                            .nblocks = io_source_block_count(file),
                            .blocks = io_source_blocks(file),
                            .nfields = io_source_field_count(file),
                            .fields = io_source_fields(file),
                            .nparts = m->nparts,
                            .parts = m->parts};
}

/* ---- Comparing --------------------------------------------------------------------- */

/* A random box for this rank, and its number of values. */
static int64_t choose_box(const grid_block *block, bool cells, uint64_t *state,
                          io_box *box)
{
    int64_t count = 1;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t n = block->n[axis] - cells;
        box->lo[axis] = random_below(state, (int)n);
        box->n[axis] = random_below(state, (int)(n - box->lo[axis]) + 1);
        count *= box->n[axis];
    }
    return count;
}

/* Random boxes of any array, different on each rank. */
static void compare_boxes(io_source *file, io_source *held, const char *name)
{
    uint64_t common = 5, own = 100 + (uint64_t)parallel_rank(MPI_COMM_WORLD);
    for (int round = 0; round < 60; round++) {
        const int block = random_below(&common, io_source_block_count(file));
        int array = IO_ARRAY_X + random_below(&common, 4 + io_source_field_count(file));
        if (array == IO_ARRAY_IBLANK && !io_source_blocks(file)[block].has_iblank) {
            array = IO_ARRAY_X;
        }
        const bool cells =
            array >= 0 && io_source_fields(file)[array].location == GRID_CELL;
        io_box box;
        const int64_t count =
            choose_box(&io_source_blocks(file)[block], cells, &own, &box);
        double *a = allocate((size_t)count * sizeof *a);
        double *b = allocate((size_t)count * sizeof *b);
        memset(a, 0, (size_t)count * sizeof *a);
        fail_on(parallel_agree(MPI_COMM_WORLD,
                               io_source_read(file, 0, block, array, &box, a)));
        int64_t first = 0;
        for (int time = 0; time < 4; time++) {
            if (time % 2 == 0) {
                io_memory_set_step(held, time, 0.0);
            }
            const int64_t sent = io_memory_bytes(held);
            memset(b, 0, (size_t)count * sizeof *b);
            fail_on(parallel_agree(MPI_COMM_WORLD,
                                   io_source_read(held, 0, block, array, &box, b)));
            check(memcmp(a, b, (size_t)count * sizeof *a) == 0, name, "a box differs");
            /* The grid does not move: its values are kept after two steps have read
             * them. */
            const int64_t now = io_memory_bytes(held) - sent;
            first = time == 0 ? now : first;
            check(now == (array < 0 && time == 3 ? 0 : first), name,
                  "what is known is sent once more, or kept too early");
        }
        free(a);
        free(b);
    }
}

/* Reads a coordinate relative to an origin, and compares it with its values. */
static void check_places(io_source *source, int block, int array, double origin,
                         const io_box *box, const double *values)
{
    const int64_t count = box->n[0] * box->n[1] * box->n[2];
    float *out = allocate((size_t)count * sizeof *out);
    memset(out, 255, (size_t)count * sizeof *out);
    fail_on(parallel_agree(
        MPI_COMM_WORLD, io_source_read_places(source, block, array, origin, box, out)));
    bool same = true;
    for (int64_t n = 0; n < count; n++) {
        const float expected = (float)(values[n] - origin);
        same &= memcmp(&out[n], &expected, sizeof expected) == 0;
    }
    check(same, io_source_path(source), "a coordinate relative to an origin differs");
    free(out);
}

/* A coordinate, unchanged and as float relative to two origins, in turn. The source must
 * not mix them up, though all are of the same boxes. */
static void compare_box_places(io_source *held, int block, int array, const io_box *box,
                               const double *values, const char *name)
{
    const double origins[] = {0.0, 0.37};
    const int64_t count = box->n[0] * box->n[1] * box->n[2];
    double *exact = allocate((size_t)count * sizeof *exact);
    int64_t bytes[3] = {0, 0, 0};
    for (int time = 0; time < 3; time++) {
        io_memory_set_step(held, time, 0.0);
        for (int o = 0; o < 2; o++) {
            const int64_t sent = io_memory_bytes(held);
            check_places(held, block, array, origins[o], box, values);
            bytes[o] = io_memory_bytes(held) - sent;
        }
        const int64_t sent = io_memory_bytes(held);
        fail_on(parallel_agree(MPI_COMM_WORLD,
                               io_source_read(held, 0, block, array, box, exact)));
        bytes[2] = io_memory_bytes(held) - sent;
        check(memcmp(exact, values, (size_t)count * sizeof *exact) == 0, name,
              "a coordinate differs after it was read relative to an origin");
        check(bytes[0] == bytes[1] && bytes[2] == 2 * bytes[0] &&
                  (time < 2 || bytes[0] == 0),
              name, "coordinates relative to an origin take other than half the bytes");
    }
    free(exact);
}

static void compare_places(io_source *file, io_source *held, const char *name)
{
    uint64_t common = 6, own = 200 + (uint64_t)parallel_rank(MPI_COMM_WORLD);
    for (int round = 0; round < 20; round++) {
        const int block = random_below(&common, io_source_block_count(file));
        const int array = IO_ARRAY_X + random_below(&common, 3);
        io_box box;
        const int64_t count =
            choose_box(&io_source_blocks(file)[block], false, &own, &box);
        double *values = allocate((size_t)count * sizeof *values);
        fail_on(parallel_agree(MPI_COMM_WORLD,
                               io_source_read(file, 0, block, array, &box, values)));
        compare_box_places(held, block, array, &box, values, name);
        check_places(file, block, array, 0.37, &box, values);
        free(values);
    }
}

/* Compares values of a brick with those of a store: the context. */
static void compare_values(void *context, const io_load_part *part)
{
    const grid_store *store = context;
    const int *n = part->brick->place.n;
    const float(*vertex)[4] =
        (const float(*)[4])store->bricks[store->slot[part->brick->number]].vertex;
    bool same = part->count == 1;
    for (int k = 0; k <= n[2]; k++) {
        for (int j = 0; j <= n[1]; j++) {
            for (int i = 0; i <= n[0]; i++, vertex++) {
                const float *value =
                    &part->values[0][k * part->plane + j * part->row + i];
                same &= memcmp(value, &(*vertex)[3], sizeof *value) == 0;
            }
        }
    }
#pragma omp critical
    check(same, "values", "values at vertices differ");
}

/* The same values come without scalars of the store, whether a rank reads them by itself
 * or with the others. */
static void check_values(io_source *held, const grid_recipe *recipe,
                         const grid_store *expected)
{
    const io_load_set set = {1, &recipe, compare_values, (void *)(uintptr_t)expected};
    fail_on(io_load_values(MPI_COMM_WORLD, held, &set, 0, expected));
}

/* Rank 0 asks for values beyond a block and gets an error; the others get their
 * values. */
static void check_beyond(io_source *file, io_source *held, const char *name)
{
    const bool wrong = parallel_rank(MPI_COMM_WORLD) == 0;
    io_box box = {{0, 0, 0}, {2, 2, 2}};
    double values[8];
    float places[8];
    fail_on(io_source_read(file, 0, 0, IO_ARRAY_Y, &box, values));
    box.lo[1] = wrong ? io_source_blocks(held)[0].n[1] - 1 : 0;
    const status s = io_source_read_places(held, 0, IO_ARRAY_Y, 1.0, &box, places);
    check(s == (wrong ? STATUS_INTERNAL : STATUS_OK), name, "a box beyond the block");
    base_fail_set_message(""); /* the next failure is another one */
    for (int n = 0; n < 8 && !wrong; n++) {
        check(places[n] == (float)(values[n] - 1.0), name, "one rank's wrong box");
    }
}

static grid_store *load(io_source *source, const char *field, grid_layout **layout)
{
    grid_recipe *recipe = NULL;
    grid_store *store = NULL;
    fail_on(io_load_layout(MPI_COMM_WORLD, source, layout));
    const grid_terms terms = {.gamma = 1.4, .gas_constant = 1.0};
    fail_on(grid_recipe_create(field, io_source_field_count(source),
                               io_source_fields(source), terms, &recipe));
    int64_t *numbers = allocate((size_t)(*layout)->nbricks * sizeof *numbers);
    int64_t count = 0;
    for (int64_t n = parallel_rank(MPI_COMM_WORLD); n < (*layout)->nbricks;
         n += parallel_size(MPI_COMM_WORLD)) {
        numbers[count++] = n;
    }
    fail_on(io_load_bricks(
        MPI_COMM_WORLD, source,
        &(io_load_list){*layout, count, numbers, grid_recipe_location(recipe)}, &store));
    fail_on(io_load_field(MPI_COMM_WORLD, source, recipe, 0, store));
    if (grid_recipe_location(recipe) == GRID_VERTEX) {
        check_values(source, recipe, store);
    }
    grid_recipe_destroy(&recipe);
    free(numbers);
    return store;
}

/* Bricks and a field of them, loaded from both. */
static void compare_bricks(io_source *file, io_source *held, const char *field,
                           const char *name)
{
    grid_layout *a_layout = NULL, *b_layout = NULL;
    grid_store *a = load(file, field, &a_layout), *b = load(held, field, &b_layout);
    check(memcmp(&a_layout->bounds, &b_layout->bounds, sizeof a_layout->bounds) == 0,
          name, "bounds differ");
    check(a->nvertices == b->nvertices &&
              memcmp(a->vertex, b->vertex, (size_t)a->nvertices * sizeof *a->vertex) == 0,
          name, "vertices differ");
    check(memcmp(a->flags, b->flags, (size_t)a->nvertices) == 0, name, "flags differ");
    grid_store_destroy(&a);
    grid_store_destroy(&b);
    grid_layout_destroy(&a_layout);
    grid_layout_destroy(&b_layout);
}

/* A derived field, if there is one. */
static const char *choose_field(io_source *source)
{
    const char *derived = NULL;
    for (int n = 0;; n++) {
        const char *name = grid_recipe_derivable(io_source_field_count(source),
                                                 io_source_fields(source), n);
        if (!name) {
            return derived ? derived : io_source_fields(source)[0].name;
        }
        derived = name;
    }
}

/* A part is missing: a request for it is an error. */
static void check_gap(io_source *file, memory *m, const char *name)
{
    io_memory_grid grid = describe(file, m);
    if (parallel_rank(MPI_COMM_WORLD) == 0 && grid.nparts > 0) {
        grid.nparts--;
    }
    int parts = m->nparts, first = 0;
    parallel_allreduce(&parts, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    io_source *held = NULL;
    grid_layout *layout = NULL;
    fail_on(io_memory_open(MPI_COMM_WORLD, &grid, &held));
    const status s = io_load_layout(MPI_COMM_WORLD, held, &layout);
    int had = m->nparts > 0;
    parallel_bcast(&had, 1, MPI_INT, 0, MPI_COMM_WORLD);
    check(had ? s == STATUS_INPUT : s == STATUS_OK, name, "a gap was not found");
    if (s == STATUS_INPUT) {
        check(strstr(base_fail_message(), "parts must cover it") != NULL, name,
              base_fail_message());
    }
    grid_layout_destroy(&layout);
    io_source_close(&held);
}

/* The config's missing values also count in a program's memory, for all types.
 * Coordinates are unchanged. */
static void check_fills(io_source *file, io_source *held, const char *name)
{
    const int64_t *n = io_source_blocks(file)[0].n;
    const bool cells = io_source_fields(file)[0].location == GRID_CELL;
    const io_box box = {{0, 0, 0}, {n[0] - cells, n[1] - cells, n[2] - cells}};
    const int64_t count = box.n[0] * box.n[1] * box.n[2];
    float *wanted = allocate((size_t)count * sizeof *wanted);
    float *got = allocate((size_t)count * sizeof *got);
    fail_on(parallel_agree(MPI_COMM_WORLD, io_source_read(file, 0, 0, 0, &box, wanted)));
    const float fill = wanted[count / 2];
    const io_data_config none = {.nfills = 0};
    const io_data_config config = {.nfills = 2, .fills = {1e300, (double)fill}};
    for (int has_fill = 1; has_fill >= 0; has_fill--) {
        io_memory_set_fills(held, has_fill ? &config : &none);
        fail_on(parallel_agree(MPI_COMM_WORLD, io_source_read(held, 0, 0, 0, &box, got)));
        bool same = true;
        for (int64_t v = 0; v < count; v++) {
            same &= has_fill && wanted[v] == fill ? isnan(got[v]) : got[v] == wanted[v];
        }
        check(same, name, "a missing value, or another one, differs");
    }
    free(wanted);
    free(got);
}

static void test_data_set(const char *path)
{
    static memory m;
    const io_data_config config = {.file = (char *)(uintptr_t)path,
                                   .all_steps = true,
                                   .terms = {.gamma = 1.4, .gas_constant = 1.0}};
    io_source *file = NULL, *held = NULL;
    uint64_t state = 11;
    m.nparts = m.nallocated = 0;
    fail_on(io_source_open(MPI_COMM_WORLD, &config, &file));
    for (int block = 0; block < io_source_block_count(file); block++) {
        const int64_t lo[3] = {0, 0, 0};
        cut(file, &m, block, lo, io_source_blocks(file)[block].n, 3, &state);
    }
    const io_memory_grid grid = describe(file, &m);
    fail_on(io_memory_open(MPI_COMM_WORLD, &grid, &held));
    compare_boxes(file, held, path);
    compare_places(file, held, path);
    check_beyond(file, held, path);
    compare_bricks(file, held, choose_field(file), path);
    check_fills(file, held, path);
    io_memory_set_step(held, 17, 0.25);
    check(io_source_steps(held)[0].number == 17 && io_source_steps(held)[0].time == 0.25,
          path, "the step is another one");
    io_source_close(&held);
    check_gap(file, &m, path);
    io_source_close(&file);
    for (int n = 0; n < m.nallocated; n++) {
        free(m.allocated[n]);
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    for (int n = 1; n < argc; n++) {
        test_data_set(argv[n]);
    }
    int all = 0;
    parallel_allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all > 0 || argc < 2;
}
