/* Unusual grids: in files of other layouts, with seams that are off, and with odd
 * cells. */
#include "base/log.h"
#include "test_io_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const test_block box = {.name = "box", .n = {37, 18, 6}};
static const test_block ring = {.name = "ring", .n = {41, 18, 9}, .is_ring = true};

/* ---- other layouts ---------------------------------------------------------------- */

static double interleaved_at(const test_block *block, int64_t i, int64_t j, int64_t k,
                             int component)
{
    double p[3];
    block_point(block, i, j, k, p);
    return p[component];
}

static double density_at(const test_block *block, const void *context, int64_t i,
                         int64_t j, int64_t k)
{
    (void)block;
    return block_value(1, *(const int64_t *)context, i, j, k);
}

/* x, y, z as components of one data set; density compressed, per step; one field without.
 */
static void write_other_layout(const char *path)
{
    const hsize_t dims[4] = {(hsize_t)box.n[2], (hsize_t)box.n[1], (hsize_t)box.n[0], 3};
    hid_t file = file_create(path);
    double *xyz = malloc((size_t)(dims[0] * dims[1] * dims[2] * 3) * sizeof *xyz);
    size_t at = 0;
    for (int64_t k = 0; k < box.n[2]; k++) {
        for (int64_t j = 0; j < box.n[1]; j++) {
            for (int64_t i = 0; i < box.n[0]; i++) {
                for (int c = 0; c < 3; c++) {
                    xyz[at++] = interleaved_at(&box, i, j, k, c);
                }
            }
        }
    }
    file_write(file, "/mesh/xyz", H5T_IEEE_F32LE, 4, dims, xyz);
    file_write(file, "/mesh/still", H5T_IEEE_F32LE, 4, dims, xyz);
    free(xyz);
    for (int64_t step = 8; step <= 12; step += 2) {
        char name[64];
        double *density = block_fill(&box, false, density_at, &step);
        snprintf(name, sizeof name, "/out/s%03lld.dat/flow/rho", (long long)step);
        file_write_compressed(file, name, dims, density);
        snprintf(name, sizeof name, "/out/s%03lld.dat", (long long)step);
        file_write_attribute(file, name, "time", 0.125 * (double)step);
        free(density);
    }
    H5Fclose(file);
}

static void check_other_scalars(const grid_store *store, int field, int64_t step)
{
    for (int64_t slot = 0; slot < store->nbricks; slot++) {
        const grid_brick *brick = &store->bricks[slot];
        const grid_brick_place *place = &brick->place;
        size_t at = 0;
        for (int k = 0; k <= place->n[2]; k++) {
            for (int j = 0; j <= place->n[1]; j++) {
                for (int i = 0; i <= place->n[0]; i++, at++) {
                    int64_t v[3] = {place->lo[0] + i, place->lo[1] + j, place->lo[2] + k};
                    double value = field == 0 ? block_value(1, step, v[0], v[1], v[2])
                                              : interleaved_at(&box, v[0], v[1], v[2], 1);
                    check(same_bits(brick->vertex[at][3], (float)value) &&
                              same_bits(brick->vertex[at][0],
                                        (float)interleaved_at(&box, v[0], v[1], v[2], 0)),
                          "field %d, vertex %lld %lld %lld: expected %.9g, got %.9g",
                          field, (long long)v[0], (long long)v[1], (long long)v[2], value,
                          (double)brick->vertex[at][3]);
                }
            }
        }
    }
}

static void check_other_layout(io_source *source, const grid_layout *layout)
{
    int64_t *numbers = malloc((size_t)layout->nbricks * sizeof *numbers);
    int64_t count = choose_bricks(layout, 7, numbers);
    grid_store *store = NULL;
    if (check_ok(io_load_bricks(MPI_COMM_WORLD, source,
                                &(io_load_list){layout, count, numbers, GRID_VERTEX},
                                &store),
                 "bricks")) {
        for (int field = 0; field < 2; field++) {
            for (int step = 0; step < 3; step++) {
                grid_recipe *recipe = NULL;
                const grid_field *fields = io_source_fields(source);
                check_ok(
                    grid_recipe_create(fields[field].name, 2, fields, test_gas, &recipe),
                    "recipe");
                check_ok(io_load_field(MPI_COMM_WORLD, source, recipe, step, store),
                         "field");
                check_other_scalars(store, field, 8 + 2 * step);
                grid_recipe_destroy(&recipe);
            }
        }
    }
    grid_store_destroy(&store);
    free(numbers);
}

static void other_layouts_are_read_through_their_paths(void)
{
    char path[512], x[] = "/mesh/xyz[0]", y[] = "mesh/xyz[1]", z[] = "/mesh/xyz[2]";
    snprintf(path, sizeof path, "%s", test_path("other.h5"));
    if (is_root()) {
        write_other_layout(path);
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
    char density[] = "density", rho[] = "/out/s%03d.dat/flow/rho";
    char still[] = "still", y_of_still[] = "/mesh/still[1]";
    io_field_path fields[2] = {{density, rho}, {still, y_of_still}};
    io_data_config config = {.file = path,
                             .grid_x = x,
                             .grid_y = y,
                             .grid_z = z,
                             .nfields = 2,
                             .fields = fields};
    io_source *source = NULL;
    grid_layout *layout = NULL;
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "open") &&
        check_ok(io_load_layout(MPI_COMM_WORLD, source, &layout), "layout")) {
        check(io_source_step_count(source) == 3, "expected 3 steps, got %d",
              io_source_step_count(source));
        for (int s = 0; s < 3 && io_source_step_count(source) == 3; s++) {
            const io_step *step = &io_source_steps(source)[s];
            check(step->number == 8 + 2 * s && step->time == 0.125 * (8 + 2 * s),
                  "step %d: got number %lld at time %g", s, (long long)step->number,
                  step->time);
        }
        check_other_layout(source, layout);
    }
    grid_layout_destroy(&layout);
    io_source_close(&source);
    test_file_remove(path);
}

/* ---- odd grids -------------------------------------------------------------------- */

/* The changes of a grid against a block, and the array being written. */
typedef struct odd_grid {
    double gap;    /* between the ends of the ring */
    bool stacked;  /* planes of constant k at heights that rise, stay and fall */
    int component; /* 0 to 2 */
} odd_grid;

static double odd_coordinate(const test_block *block, const void *context, int64_t i,
                             int64_t j, int64_t k)
{
    static const double heights[5] = {0.0, 1.0, 1.0, 3.0, 2.0};
    const odd_grid *odd = context;
    if (odd->stacked) {
        const double stacked[3] = {(double)i, (double)j, heights[k]};
        bool broken = i == 2 && j == 2 && k == 0;
        return broken ? NAN : stacked[odd->component];
    }
    double p[3];
    block_point(block, i, j, k, p);
    return p[odd->component] +
           (odd->component == 2 && i == block->n[0] - 1 ? odd->gap : 0.0);
}

static void write_odd_grid(const char *path, const test_block *block, odd_grid odd)
{
    const hsize_t dims[3] = {(hsize_t)block->n[2], (hsize_t)block->n[1],
                             (hsize_t)block->n[0]};
    hid_t file = file_create(path);
    for (odd.component = 0; odd.component < 3; odd.component++) {
        char set[64];
        double *values = block_fill(block, false, odd_coordinate, &odd);
        snprintf(set, sizeof set, "/grid/%s/%c", block->name, "xyz"[odd.component]);
        file_write(file, set, H5T_IEEE_F64LE, 3, dims, values);
        free(values);
    }
    H5Fclose(file);
}

/* Writes the grid and makes its layout; NULL after a failure. */
static grid_layout *layout_of_odd_grid(const test_block *block, odd_grid odd)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("odd.h5"));
    if (is_root()) {
        write_odd_grid(path, block, odd);
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
    io_data_config config = {.file = path};
    io_source *source = NULL;
    grid_layout *layout = NULL;
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "open")) {
        check_ok(io_load_layout(MPI_COMM_WORLD, source, &layout), "layout");
    }
    io_source_close(&source);
    test_file_remove(path);
    return layout;
}

/* The ring's vertices are 0.157 apart at its inner side. */
static void a_seam_may_be_off_by_rounding_but_not_by_a_gap(void)
{
    static const double gaps[] = {0.0, 1e-7, 1e-5, 1e-3, 0.1};
    static const bool closed[] = {true, true, true, false, false};
    for (size_t n = 0; n < sizeof gaps / sizeof gaps[0]; n++) {
        grid_layout *layout = layout_of_odd_grid(&ring, (odd_grid){.gap = gaps[n]});
        if (layout) {
            check(layout->blocks[0].closed[0] == closed[n],
                  "a gap of %g: expected %d, got %d", gaps[n], closed[n],
                  layout->blocks[0].closed[0]);
        }
        grid_layout_destroy(&layout);
    }
}

/* Layers of 4 x 3 cells: upright, flat, upright, upside down; one vertex takes 4 cells
 * away. */
static void odd_cells_are_counted(void)
{
    const test_block stack = {.name = "stack", .n = {5, 4, 5}};
    grid_layout *layout = layout_of_odd_grid(&stack, (odd_grid){.stacked = true});
    if (layout) {
        const grid_census *c = &layout->census;
        check(c->cells == 48 && c->blanked == 0 && c->inverted == 12 &&
                  c->zero_volume == 12,
              "expected 48 cells, 12 inverted, 12 of no volume, got %lld, %lld, %lld",
              (long long)c->cells, (long long)c->inverted, (long long)c->zero_volume);
        check(layout->bricks[0].cells == 44, "expected 44 present cells, got %d",
              (int)layout->bricks[0].cells);
    }
    grid_layout_destroy(&layout);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_grids");
    run_test("other layouts are read through their paths",
             other_layouts_are_read_through_their_paths);
    run_test("a seam may be off by rounding but not by a gap",
             a_seam_may_be_off_by_rounding_but_not_by_a_gap);
    run_test("odd cells are counted", odd_cells_are_counted);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
