/* Reads good files on any number of ranks and compares all values with those written. */
#include "test_io_support.h"

#include "io/load/motion/past.h"
#include "io/load/sweep.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Three blocks: more than a brick each along some axes; one is an O-grid, one
 * left-handed. */
static const test_block blocks[3] = {
    {.name = "box", .n = {37, 18, 6}, .has_iblank = true},
    {.name = "mirror", .n = {5, 20, 2}, .mirrored = true},
    {.name = "ring", .n = {41, 18, 9}, .is_ring = true},
};

enum { BLOCKS = 3, STEPS = 3 };
static const char *const step_names[STEPS] = {"0002", "0010", "0030"};
static const int64_t step_numbers[STEPS] = {2, 10, 30};

/* Fields of the file, in the order of their names. */
enum { FIELD_CELLS, FIELD_COUNT, FIELD_LATE, FIELD_PRESSURE, FIELDS };

static void write_own_layout(const char *path, hid_t coordinates)
{
    hid_t file = file_create(path);
    file_write_attribute(file, "/", "karman_format", 1.0);
    for (int b = 0; b < BLOCKS; b++) {
        block_write_grid(file, &blocks[b], coordinates);
        for (int s = 0; s < STEPS; s++) {
            block_write_field(file, &blocks[b], step_names[s], "pressure", FIELD_PRESSURE,
                              step_numbers[s], H5T_IEEE_F32LE, false);
            block_write_field(file, &blocks[b], step_names[s], "cells", FIELD_CELLS,
                              step_numbers[s], H5T_IEEE_F64BE, true);
            block_write_field(file, &blocks[b], step_names[s], "count", FIELD_COUNT,
                              step_numbers[s] * 4, H5T_STD_I16LE, false);
            if (s > 0) {
                block_write_field(file, &blocks[b], step_names[s], "late", FIELD_LATE,
                                  step_numbers[s], H5T_IEEE_F64LE, false);
            }
        }
    }
    for (int s = 0; s < STEPS; s++) {
        char group[32];
        snprintf(group, sizeof group, "/flow/%s", step_names[s]);
        file_write_attribute(file, group, "time", 0.5 * (double)step_numbers[s]);
    }
    H5Fclose(file);
}

/* Rank 0 writes, the others wait. */
static void prepare(const char *path, hid_t coordinates)
{
    if (is_root()) {
        write_own_layout(path, coordinates);
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
}

/* ---- catalogue -------------------------------------------------------------------- */

static void check_field(const io_source *source, int field, const char *name,
                        grid_location location)
{
    const grid_field *f = &io_source_fields(source)[field];
    check(strcmp(f->name, name) == 0 && f->location == location,
          "field %d: expected %s at %d, got %s at %d", field, name, (int)location,
          f->name, (int)f->location);
}

static void the_catalogue_is_what_was_written(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("own.h5"));
    prepare(path, H5T_IEEE_F32LE);
    io_data_config config = {.file = path};
    io_source *source = NULL;
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "open")) {
        check(io_source_block_count(source) == BLOCKS, "expected %d blocks, got %d",
              BLOCKS, io_source_block_count(source));
        for (int b = 0; b < BLOCKS; b++) {
            const grid_block *block = &io_source_blocks(source)[b];
            check(strcmp(block->name, blocks[b].name) == 0 &&
                      memcmp(block->n, blocks[b].n, sizeof block->n) == 0 &&
                      block->has_iblank == blocks[b].has_iblank,
                  "block %d: expected %s, got %s or another size", b, blocks[b].name,
                  block->name);
        }
        check(!io_source_double_coordinates(source), "float32 was taken for float64");
        check(io_source_field_count(source) == FIELDS, "expected %d fields, got %d",
              FIELDS, io_source_field_count(source));
        check_field(source, FIELD_CELLS, "cells", GRID_CELL);
        check_field(source, FIELD_COUNT, "count", GRID_VERTEX);
        check_field(source, FIELD_PRESSURE, "pressure", GRID_VERTEX);
        check_field(source, FIELD_LATE, "late", GRID_VERTEX);
        check(io_source_step_count(source) == STEPS, "expected %d steps, got %d", STEPS,
              io_source_step_count(source));
        for (int s = 0; s < STEPS; s++) {
            const io_step *step = &io_source_steps(source)[s];
            check(step->number == step_numbers[s] &&
                      step->time == 0.5 * (double)step_numbers[s],
                  "step %d: got number %lld at time %g", s, (long long)step->number,
                  step->time);
            check(io_source_has_field(source, s, FIELD_LATE) == (s > 0),
                  "step %d: late is there or not, against what was written", s);
        }
    }
    io_source_close(&source);
    check(source == NULL, "closing leaves a pointer behind");
    test_file_remove(path);
}

/* ---- layout ----------------------------------------------------------------------- */

static bool cell_is_blanked(const test_block *block, int64_t i, int64_t j, int64_t k)
{
    for (int corner = 0; corner < 8; corner++) {
        if (block_iblank(block, i + (corner & 1), j + (corner >> 1 & 1),
                         k + (corner >> 2)) == 0) {
            return true;
        }
    }
    return false;
}

static void count_cells(int64_t *cells, int64_t *blanked)
{
    *cells = *blanked = 0;
    for (int b = 0; b < BLOCKS; b++) {
        const int64_t *n = blocks[b].n;
        for (int64_t k = 0; k + 1 < n[2]; k++) {
            for (int64_t j = 0; j + 1 < n[1]; j++) {
                for (int64_t i = 0; i + 1 < n[0]; i++) {
                    *cells += 1;
                    *blanked += cell_is_blanked(&blocks[b], i, j, k);
                }
            }
        }
    }
}

/* Bounds of the vertices of cells that are not blanked, as the file's type holds them. */
static box3 expected_bounds(bool float32)
{
    box3 bounds = box3_empty();
    for (int b = 0; b < BLOCKS; b++) {
        const int64_t *n = blocks[b].n;
        for (int64_t k = 0; k < n[2]; k++) {
            for (int64_t j = 0; j < n[1]; j++) {
                for (int64_t i = 0; i < n[0]; i++) {
                    double p[3];
                    block_point(&blocks[b], i, j, k, p);
                    for (int axis = 0; axis < 3; axis++) {
                        double v = float32 ? (double)(float)p[axis] : p[axis];
                        bounds.lo.v[axis] = fmin(bounds.lo.v[axis], v);
                        bounds.hi.v[axis] = fmax(bounds.hi.v[axis], v);
                    }
                }
            }
        }
    }
    return bounds;
}

static void check_layout(const grid_layout *layout, bool float32)
{
    int64_t cells, blanked, present = 0;
    count_cells(&cells, &blanked);
    const grid_census *census = &layout->census;
    check(census->cells == cells && census->blanked == blanked,
          "expected %lld cells with %lld blanked, got %lld with %lld", (long long)cells,
          (long long)blanked, (long long)census->cells, (long long)census->blanked);
    check(census->inverted == 0 && census->zero_volume == 0,
          "expected sound cells, got %lld inverted and %lld of no volume",
          (long long)census->inverted, (long long)census->zero_volume);
    for (int64_t number = 0; number < layout->nbricks; number++) {
        present += layout->bricks[number].cells;
    }
    check(present == cells - blanked, "expected %lld present cells in bricks, got %lld",
          (long long)(cells - blanked), (long long)present);
    for (int b = 0; b < BLOCKS; b++) {
        const grid_block *block = &layout->blocks[b];
        check(block->closed[0] == blocks[b].is_ring && !block->closed[1] &&
                  !block->closed[2],
              "block %s: the wrong axes are closed", blocks[b].name);
        /* Around, outwards and up have the opposite handedness of x, y and z. */
        check(block->left_handed == (blocks[b].mirrored != blocks[b].is_ring),
              "block %s: the wrong hand", blocks[b].name);
    }
    box3 bounds = expected_bounds(float32);
    for (int axis = 0; axis < 3; axis++) {
        double lo = layout->bounds.lo.v[axis] + layout->origin.v[axis];
        double hi = layout->bounds.hi.v[axis] + layout->origin.v[axis];
        check(fabs(lo - bounds.lo.v[axis]) < 1e-5 && fabs(hi - bounds.hi.v[axis]) < 1e-5,
              "axis %d: expected %.9g to %.9g, got %.9g to %.9g", axis, bounds.lo.v[axis],
              bounds.hi.v[axis], lo, hi);
        check(float32
                  ? layout->origin.v[axis] == 0.0
                  : fabs(layout->bounds.lo.v[axis] + layout->bounds.hi.v[axis]) < 1e-4,
              "axis %d: the origin %g is not where it should be", axis,
              layout->origin.v[axis]);
    }
}

/* ---- bricks ----------------------------------------------------------------------- */

static void check_vertex(const grid_layout *layout, const grid_brick *brick,
                         size_t vertex, int64_t i, int64_t j, int64_t k, bool float32)
{
    double p[3];
    block_point(&blocks[brick->place.block], i, j, k, p);
    for (int axis = 0; axis < 3; axis++) {
        double in_file = float32 ? (double)(float)p[axis] : p[axis];
        float expected = (float)(in_file - layout->origin.v[axis]);
        check(same_bits(brick->vertex[vertex][axis], expected),
              "brick %lld, vertex %lld %lld %lld, axis %d: expected %.9g, got %.9g (seed "
              "%llu)",
              (long long)brick->number, (long long)i, (long long)j, (long long)k, axis,
              (double)expected, (double)brick->vertex[vertex][axis],
              (unsigned long long)test_seed);
    }
}

static void check_cell(const grid_brick *brick, size_t vertex, int64_t i, int64_t j,
                       int64_t k)
{
    bool expected = !cell_is_blanked(&blocks[brick->place.block], i, j, k);
    bool present = (brick->flags[vertex] & GRID_PRESENT) != 0;
    check(present == expected, "brick %lld, cell %lld %lld %lld: expected %d, got %d",
          (long long)brick->number, (long long)i, (long long)j, (long long)k, expected,
          present);
    bool is_wall = block_iblank(&blocks[brick->place.block], i, j, k) == 2;
    check(((brick->flags[vertex] & GRID_WALL) != 0) == is_wall,
          "brick %lld, vertex %lld %lld %lld: a wall or not, against what was written",
          (long long)brick->number, (long long)i, (long long)j, (long long)k);
}

static void check_geometry(const grid_store *store, bool float32)
{
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        const grid_brick *brick = &store->bricks[slot];
        const grid_brick_place *place = &brick->place;
        size_t vertex = 0;
        for (int k = 0; k <= place->n[2]; k++) {
            for (int j = 0; j <= place->n[1]; j++) {
                for (int i = 0; i <= place->n[0]; i++, vertex++) {
                    int64_t at[3] = {place->lo[0] + i, place->lo[1] + j,
                                     place->lo[2] + k};
                    check_vertex(store->layout, brick, vertex, at[0], at[1], at[2],
                                 float32);
                    if (i < place->n[0] && j < place->n[1] && k < place->n[2]) {
                        check_cell(brick, vertex, at[0], at[1], at[2]);
                    }
                }
            }
        }
    }
}

/* `step`: the argument of block_value. */
static void check_scalar(const grid_store *store, int field, int64_t step, bool cells)
{
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        const grid_brick *brick = &store->bricks[slot];
        const grid_brick_place *place = &brick->place;
        int more = cells ? 0 : 1;
        size_t at = 0;
        for (int k = 0; k < place->n[2] + more; k++) {
            for (int j = 0; j < place->n[1] + more; j++) {
                for (int i = 0; i < place->n[0] + more; i++, at++) {
                    double value = block_value(field, step, place->lo[0] + i,
                                               place->lo[1] + j, place->lo[2] + k);
                    /* The count is stored as whole numbers: HDF5 truncates the
                     * fraction. */
                    float expected = (float)(field == FIELD_COUNT ? trunc(value) : value);
                    float got = cells ? brick->cell[at] : brick->vertex[at][3];
                    check(same_bits(got, expected),
                          "brick %lld, field %d, place %d %d %d: expected %.9g, got %.9g "
                          "(seed %llu)",
                          (long long)brick->number, field, i, j, k, (double)expected,
                          (double)got, (unsigned long long)test_seed);
                }
            }
        }
    }
}

static void check_field_of_store(io_source *source, grid_store *store, int field,
                                 int step, bool cells)
{
    grid_recipe *recipe = NULL;
    const grid_field *fields = io_source_fields(source);
    int nfields = io_source_field_count(source);
    check_ok(grid_recipe_create(fields[field].name, nfields, fields, test_gas, &recipe),
             "recipe");
    if (check_ok(io_load_field(MPI_COMM_WORLD, source, recipe, step, store), "field")) {
        check_scalar(store, field, step_numbers[step] * (field == FIELD_COUNT ? 4 : 1),
                     cells);
    }
    grid_recipe_destroy(&recipe);
}

static void check_random_bricks(io_source *source, const grid_layout *layout,
                                bool float32)
{
    enum { TRIALS = 2 };
    int64_t *numbers = malloc((size_t)layout->nbricks * sizeof *numbers);
    for (int trial = 0; trial < TRIALS; trial++) {
        int64_t count = choose_bricks(layout, trial, numbers);
        bool cells = trial == 1;
        grid_store *store = NULL;
        if (!check_ok(io_load_bricks(MPI_COMM_WORLD, source,
                                     &(io_load_list){layout, count, numbers,
                                                     cells ? GRID_CELL : GRID_VERTEX},
                                     &store),
                      "bricks")) {
            break;
        }
        check_geometry(store, float32);
        if (cells) {
            check_field_of_store(source, store, FIELD_CELLS, 2, true);
        } else {
            check_field_of_store(source, store, FIELD_PRESSURE, 0, false);
            check_field_of_store(source, store, FIELD_COUNT, 1, false);
            check_field_of_store(source, store, FIELD_LATE, 2, false);
        }
        check_geometry(store, float32);
        grid_store_destroy(&store);
    }
    free(numbers);
}

static void check_everything(hid_t coordinates, bool float32)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("own.h5"));
    prepare(path, coordinates);
    io_data_config config = {.file = path};
    io_source *source = NULL;
    grid_layout *layout = NULL;
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "open") &&
        check_ok(io_load_layout(MPI_COMM_WORLD, source, &layout), "layout")) {
        check_layout(layout, float32);
        check_random_bricks(source, layout, float32);
    }
    grid_layout_destroy(&layout);
    io_source_close(&source);
    test_file_remove(path);
}

static void float32_files_come_back_bitwise(void)
{
    check_everything(H5T_IEEE_F32LE, true);
}

static void float64_files_come_back_around_their_middle(void)
{
    check_everything(H5T_IEEE_F64LE, false);
}

/* ---- recipes ---------------------------------------------------------------------- */

/* Whether some gradient is not zero. */
static void check_some_gradient(const grid_store *store, const char *name)
{
    float largest = 0.0f;
    for (int64_t v = 0; v < store->nvertices; v++) {
        for (int axis = 0; axis < 3; axis++) {
            largest = fmaxf(largest, fabsf(store->gradient[v][axis]));
        }
    }
    check(largest > 0.0f, "the gradient of %s is zero everywhere", name);
}

/* The rotation has vorticity 2 along z everywhere, at the seam too. */
static void check_vorticity(const grid_store *store, float tolerance)
{
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        const grid_brick *brick = &store->bricks[slot];
        size_t vertices = 1;
        for (int axis = 0; axis < 3; axis++) {
            vertices *= (size_t)brick->place.n[axis] + 1;
        }
        for (size_t n = 0; n < vertices; n++) {
            check(fabsf(brick->vertex[n][3] - 2.0f) < tolerance,
                  "brick %lld, vertex %zu: expected a vorticity of 2, got %.9g",
                  (long long)brick->number, n, (double)brick->vertex[n][3]);
        }
    }
}

static void compare_recipe(io_source *source, io_source *alone, const grid_layout *layout,
                           const char *name)
{
    grid_recipe *recipe = NULL;
    check_ok(grid_recipe_create(name, io_source_field_count(source),
                                io_source_fields(source), test_gas, &recipe),
             name);
    grid_store *all = load_alone(alone, layout, recipe);
    if (strcmp(name, "vorticity_z") != 0) { /* which is 2 everywhere */
        check_some_gradient(all, name);
    }
    int64_t *numbers = malloc((size_t)layout->nbricks * sizeof *numbers);
    for (int trial = 0; trial < 2; trial++) {
        int64_t count = choose_bricks(layout, trial, numbers);
        grid_store *some = NULL;
        check_ok(io_load_bricks(MPI_COMM_WORLD, source,
                                &(io_load_list){layout, count, numbers,
                                                grid_recipe_location(recipe)},
                                &some),
                 "bricks");
        check_ok(grid_store_add_gradients(some), "gradients");
        check_ok(io_load_field(MPI_COMM_WORLD, source, recipe, 0, some), "field");
        check_same_scalars(some, all, name);
        if (strcmp(name, "vorticity_z") == 0) {
            check_vorticity(some, 2e-3f);
        }
        grid_store_destroy(&some);
    }
    free(numbers);
    grid_store_destroy(&all);
    grid_recipe_destroy(&recipe);
}

static void write_rotation(const char *path)
{
    const test_block *ring = &blocks[2];
    hid_t file = file_create(path);
    block_write_grid(file, ring, H5T_IEEE_F64LE);
    block_write_velocity(file, ring, "0");
    block_write_field(file, ring, "0", "density", 1, 0, H5T_IEEE_F32LE, true);
    H5Fclose(file);
}

static void derived_fields_do_not_depend_on_who_loads_them(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("rotation.h5"));
    if (is_root()) {
        write_rotation(path);
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
    io_data_config config = {.file = path};
    io_source *source = NULL, *alone = NULL;
    grid_layout *layout = NULL;
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "open") &&
        check_ok(io_source_open(MPI_COMM_SELF, &config, &alone), "open alone") &&
        check_ok(io_load_layout(MPI_COMM_WORLD, source, &layout), "layout")) {
        compare_recipe(source, alone, layout, "vorticity_z");
        compare_recipe(source, alone, layout, "velocity_magnitude");
        compare_recipe(source, alone, layout, "velocity_x");
        compare_recipe(source, alone, layout, "density");
        compare_recipe(source, alone, layout, "density_gradient_magnitude");
    }
    grid_layout_destroy(&layout);
    io_source_close(&alone);
    io_source_close(&source);
    test_file_remove(path);
}

static void layouts_are_bitwise_those_of_one_rank(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("own.h5"));
    prepare(path, H5T_IEEE_F64LE);
    io_data_config config = {.file = path};
    io_source *source = NULL, *alone = NULL;
    grid_layout *layout = NULL, *expected = NULL;
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "open") &&
        check_ok(io_source_open(MPI_COMM_SELF, &config, &alone), "open alone") &&
        check_ok(io_load_layout(MPI_COMM_WORLD, source, &layout), "layout") &&
        check_ok(io_load_layout(MPI_COMM_SELF, alone, &expected), "layout alone")) {
        check(memcmp(&layout->origin, &expected->origin, sizeof layout->origin) == 0 &&
                  memcmp(&layout->bounds, &expected->bounds, sizeof layout->bounds) ==
                      0 &&
                  memcmp(&layout->census, &expected->census, sizeof layout->census) == 0,
              "origin, bounds or census differ from those of one rank");
        check(memcmp(layout->bricks, expected->bricks,
                     (size_t)layout->nbricks * sizeof *layout->bricks) == 0,
              "the bricks differ from those of one rank");
    }
    grid_layout_destroy(&layout);
    grid_layout_destroy(&expected);
    io_source_close(&alone);
    io_source_close(&source);
    test_file_remove(path);
}

/* ---- loading once, and by several threads ------------------------------------------ */

/* Bricks of the layout that have present cells, malloc'ed. */
static int64_t *list_present(const grid_layout *layout, int64_t *count)
{
    int64_t *numbers = malloc((size_t)layout->nbricks * sizeof *numbers);
    *count = 0;
    for (int64_t number = 0; number < layout->nbricks; number++) {
        if (layout->bricks[number].cells > 0) {
            numbers[(*count)++] = number;
        }
    }
    return numbers;
}

static status load_kept(MPI_Comm comm, io_source *source, grid_layout **layout,
                        grid_store **store)
{
    io_load_past past = {.location = GRID_VERTEX};
    const status s = io_load_grid_after(comm, source, &past, layout, store);
    io_load_past_clear(&past);
    return s;
}

/* Layout and bricks of a file as a single rank gets them: in one pass, or, with `twice`,
 * reading the file for each. */
static grid_store *load_grid(io_source *source, bool twice, grid_layout **layout)
{
    grid_store *store = NULL;
    status s = twice ? io_load_layout(MPI_COMM_SELF, source, layout)
                     : load_kept(MPI_COMM_SELF, source, layout, &store);
    if (!check_ok(s, "grid")) {
        return NULL;
    }
    check(twice || store != NULL, "a rank that is alone should keep what it reads");
    int64_t count, *numbers = list_present(*layout, &count);
    check_ok(twice ? io_load_bricks(MPI_COMM_SELF, source,
                                    &(io_load_list){*layout, count, numbers, GRID_VERTEX},
                                    &store)
                   : io_load_kept_bricks(
                         MPI_COMM_SELF, source,
                         &(io_load_list){*layout, count, numbers, GRID_VERTEX}, &store),
             "bricks");
    free(numbers);
    return store;
}

static void check_same_layout(const grid_layout *a, const grid_layout *b)
{
    check(memcmp(&a->origin, &b->origin, sizeof a->origin) == 0 &&
              memcmp(&a->bounds, &b->bounds, sizeof a->bounds) == 0 &&
              memcmp(&a->census, &b->census, sizeof a->census) == 0,
          "origin, bounds or census differ");
    check(memcmp(a->bricks, b->bricks, (size_t)a->nbricks * sizeof *a->bricks) == 0,
          "bounds of bricks differ");
    for (int n = 0; n < a->nblocks; n++) {
        check(memcmp(a->blocks[n].closed, b->blocks[n].closed,
                     sizeof a->blocks[n].closed) == 0 &&
                  a->blocks[n].left_handed == b->blocks[n].left_handed,
              "block %d: closed axes or handedness differ", n);
    }
}

static void check_same_store(const grid_store *a, const grid_store *b)
{
    check(a->nbricks == b->nbricks && a->nvertices == b->nvertices,
          "expected %lld bricks of %lld vertices, got %lld of %lld",
          (long long)a->nbricks, (long long)a->nvertices, (long long)b->nbricks,
          (long long)b->nvertices);
    if (a->nbricks != b->nbricks || a->nvertices != b->nvertices) {
        return;
    }
    check(memcmp(a->vertex, b->vertex, (size_t)a->nvertices * sizeof *a->vertex) == 0,
          "vertices differ");
    check(memcmp(a->flags, b->flags, (size_t)a->nvertices) == 0, "flags differ");
    for (int64_t slot = 0; slot < a->nbricks; slot++) {
        check(a->bricks[slot].number == b->bricks[slot].number &&
                  a->bricks[slot].windings == b->bricks[slot].windings,
              "brick %lld: number or windings differ", (long long)a->bricks[slot].number);
    }
}

/* One thread that reads twice, against several that read once. */
static void compare_ways(io_source *source)
{
    grid_layout *slow_layout = NULL, *fast_layout = NULL;
    grid_recipe *recipe = NULL;
    int before = omp_get_max_threads();
    check_ok(grid_recipe_create("pressure", FIELDS, io_source_fields(source), test_gas,
                                &recipe),
             "recipe");
    omp_set_num_threads(1);
    grid_store *slow = load_grid(source, true, &slow_layout);
    check_ok(io_load_field(MPI_COMM_SELF, source, recipe, 1, slow), "field");
    omp_set_num_threads(3);
    grid_store *fast = load_grid(source, false, &fast_layout);
    check_ok(io_load_field(MPI_COMM_SELF, source, recipe, 1, fast), "field");
    omp_set_num_threads(before);
    if (slow && fast) {
        check_same_layout(slow_layout, fast_layout);
        check_same_store(slow, fast);
    }
    grid_store_destroy(&slow);
    grid_store_destroy(&fast);
    grid_layout_destroy(&slow_layout);
    grid_layout_destroy(&fast_layout);
    grid_recipe_destroy(&recipe);
}

static void what_is_kept_is_what_would_be_read_again(void)
{
    const hid_t types[2] = {H5T_IEEE_F32LE, H5T_IEEE_F64LE};
    for (int type = 0; type < 2; type++) {
        char path[512];
        snprintf(path, sizeof path, "%s", test_path("own.h5"));
        prepare(path, types[type]);
        io_data_config config = {.file = path};
        io_source *alone = NULL;
        if (check_ok(io_source_open(MPI_COMM_SELF, &config, &alone), "open alone")) {
            compare_ways(alone);
        }
        io_source_close(&alone);
        parallel_agree(MPI_COMM_WORLD, STATUS_OK);
        test_file_remove(path);
    }
}

static void ranks_that_share_a_grid_keep_nothing(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("own.h5"));
    prepare(path, H5T_IEEE_F32LE);
    io_data_config config = {.file = path};
    io_source *source = NULL;
    grid_layout *layout = NULL, *expected = NULL;
    grid_store *store = NULL;
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "open") &&
        check_ok(io_load_layout(MPI_COMM_WORLD, source, &expected), "layout") &&
        check_ok(load_kept(MPI_COMM_WORLD, source, &layout, &store), "grid")) {
        const int64_t number = layout->nbricks - 1;
        check_same_layout(expected, layout);
        check((store != NULL) == (parallel_size(MPI_COMM_WORLD) == 1),
              "a store should be kept by a rank that is alone, and by no other");
        check_ok(io_load_kept_bricks(MPI_COMM_WORLD, source,
                                     &(io_load_list){layout, 1, &number, GRID_VERTEX},
                                     &store),
                 "bricks");
        check(store->nbricks == 1 && store->bricks[0].number == number,
              "the store should hold the brick that was asked for");
        check_geometry(store, true);
    }
    grid_store_destroy(&store);
    grid_layout_destroy(&layout);
    grid_layout_destroy(&expected);
    io_source_close(&source);
    test_file_remove(path);
}

/* ---- ranges ----------------------------------------------------------------------- */

/* Smallest and largest value at the vertices of cells that are not blanked. */
static void expected_range(int field, int64_t step, double range[2])
{
    for (int b = 0; b < BLOCKS; b++) {
        const int64_t *n = blocks[b].n;
        for (int64_t k = 0; k + 1 < n[2]; k++) {
            for (int64_t j = 0; j + 1 < n[1]; j++) {
                for (int64_t i = 0; i + 1 < n[0]; i++) {
                    for (int corner = 0; corner < 8; corner++) {
                        double v = block_value(field, step, i + (corner & 1),
                                               j + (corner >> 1 & 1), k + (corner >> 2));
                        if (!cell_is_blanked(&blocks[b], i, j, k)) {
                            range[0] = fmin(range[0], v);
                            range[1] = fmax(range[1], v);
                        }
                    }
                }
            }
        }
    }
}

static void ranges_are_over_all_steps_and_present_cells(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("own.h5"));
    prepare(path, H5T_IEEE_F32LE);
    io_data_config config = {.file = path};
    io_source *source = NULL;
    grid_layout *layout = NULL;
    grid_recipe *recipe = NULL;
    const int steps[2] = {0, 2};
    double range[2] = {0.0, 0.0}, expected[2] = {INFINITY, -INFINITY};
    expected_range(FIELD_PRESSURE, step_numbers[0], expected);
    expected_range(FIELD_PRESSURE, step_numbers[2], expected);
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "open") &&
        check_ok(io_load_layout(MPI_COMM_WORLD, source, &layout), "layout")) {
        check_ok(grid_recipe_create("pressure", FIELDS, io_source_fields(source),
                                    test_gas, &recipe),
                 "recipe");
        check_ok(io_load_range(MPI_COMM_WORLD, source,
                               &(io_load_series){layout, recipe, steps, 2}, range),
                 "range");
        check(range[0] == expected[0] && range[1] == expected[1],
              "expected %.9g to %.9g, got %.9g to %.9g", expected[0], expected[1],
              range[0], range[1]);
        grid_recipe_destroy(&recipe);
        check_ok(grid_recipe_create("late", FIELDS, io_source_fields(source), test_gas,
                                    &recipe),
                 "recipe");
        status s = io_load_range(MPI_COMM_WORLD, source,
                                 &(io_load_series){layout, recipe, steps, 2}, range);
        check(s == STATUS_INPUT && strstr(base_fail_message(), "step 2 ") &&
                  strstr(base_fail_message(), "'late'"),
              "a step without the field: expected a sentence that names both, got %d: %s",
              (int)s, base_fail_message());
        base_fail_set_message("");
    }
    grid_recipe_destroy(&recipe);
    grid_layout_destroy(&layout);
    io_source_close(&source);
    test_file_remove(path);
}

typedef struct heard {
    int begun, ended;
    double share;
    bool ascends;
} heard;

/* io_sweep_news */
static void hear(void *context, const char *field, double share)
{
    heard *h = context;
    check(!field, "a pass over the grid has no field, but '%s'", field ? field : "");
    h->begun += share == 0.0;
    h->ended += share == 1.0;
    h->ascends = h->ascends && (share == 0.0 || share >= h->share);
    h->share = share;
}

static void a_pass_tells_how_much_is_loaded(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("own.h5"));
    prepare(path, H5T_IEEE_F32LE);
    io_data_config config = {.file = path};
    io_source *source = NULL;
    grid_layout *layout = NULL;
    heard h = {.ascends = true};
    io_sweep_watch(hear, &h);
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "open")) {
        check_ok(io_load_layout(MPI_COMM_WORLD, source, &layout), "layout");
    }
    io_sweep_watch(NULL, NULL);
    check(h.begun > 0 && h.begun == h.ended && h.ascends && h.share == 1.0,
          "each pass begins, ascends and ends: %d begun, %d ended, %g", h.begun, h.ended,
          h.share);
    grid_layout_destroy(&layout);
    io_source_close(&source);
    test_file_remove(path);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    test_folder_create("test_io_load");
    run_test("the catalogue is what was written", the_catalogue_is_what_was_written);
    run_test("float32 files come back bitwise", float32_files_come_back_bitwise);
    run_test("float64 files come back around their middle",
             float64_files_come_back_around_their_middle);
    run_test("layouts are bitwise those of one rank",
             layouts_are_bitwise_those_of_one_rank);
    run_test("derived fields do not depend on who loads them",
             derived_fields_do_not_depend_on_who_loads_them);
    run_test("what is kept is what would be read again",
             what_is_kept_is_what_would_be_read_again);
    run_test("ranks that share a grid keep nothing",
             ranks_that_share_a_grid_keep_nothing);
    run_test("ranges are over all steps and present cells",
             ranges_are_over_all_steps_and_present_cells);
    run_test("a pass tells how much is loaded", a_pass_tells_how_much_is_loaded);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
