/*
 * Derivatives of fields at vertices, where two blocks meet: central differences across
 * the border, but not across a plate without thickness.
 */
#include "test_io_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 6, FIELDS = 4 }; /* vertices along an axis: a block is one brick */

/* Block b of unit cells has j from 0 at y = N - 1 upwards, or down to y = 0. */
typedef double field_at(int block, int field, double y);

static const char *const names[FIELDS] = {"velocity_x", "velocity_y", "velocity_z", "p"};

/* All bend at the border. The upper block counts j downwards. */
static double bent(int block, int field, double y)
{
    const double at = y - (N - 1);
    (void)block;
    return field == 0 ? 3.0 + at + 0.5 * at * at : field == 3 ? 2.0 + at * at * at : 0.0;
}

/* A plate at which the fluid is at rest; p is that of both sides. */
static double at_rest(int block, int field, double y)
{
    const double at = y - (N - 1);
    (void)block;
    return field == 0 ? fabs(at) : field == 3 ? 2.0 : 0.0;
}

/* A plate along which the fluid slips; p jumps by 1 %. */
static double slips(int block, int field, double y)
{
    const double at = y - (N - 1);
    const double slope = block == 0 ? -0.1 : -0.3;
    return field == 0   ? 2.0 + 0.5 * at
           : field == 3 ? 2.0 + 0.02 * block + slope * at
                        : 0.0;
}

static double height_of(int block, int j)
{
    return block == 0 ? j : 2 * (N - 1) - j;
}

static void write_block(hid_t file, int block, field_at *field)
{
    const hsize_t dims[3] = {N, N, N};
    for (int array = 0; array < 3 + FIELDS; array++) {
        double values[N * N * N];
        char path[64];
        for (int v = 0; v < N * N * N; v++) {
            const int i = v % N, j = v / N % N, k = v / (N * N);
            const double y = height_of(block, j);
            const double at[3] = {block == 0 ? i : N - 1 - i, y, k};
            values[v] = array < 3 ? at[array] : field(block, array - 3, y);
        }
        if (array < 3) {
            snprintf(path, sizeof path, "/grid/b%d/%c", block, "xyz"[array]);
        } else {
            snprintf(path, sizeof path, "/flow/0/b%d/%s", block, names[array - 3]);
        }
        file_write(file, path, H5T_NATIVE_DOUBLE, 3, dims, values);
    }
}

/* Checks that the ranks load together what each of them loads alone. */
static void compare(io_source *source, const grid_layout *layout,
                    const grid_recipe *recipe, const grid_store *all)
{
    int64_t *numbers = malloc((size_t)layout->nbricks * sizeof *numbers);
    const int64_t count = choose_bricks(layout, 0, numbers);
    const io_load_list list = {layout, count, numbers, GRID_VERTEX};
    grid_store *some = NULL;
    if (check_ok(io_load_bricks(MPI_COMM_WORLD, source, &list, &some), "bricks")) {
        check_ok(grid_store_add_gradients(some), "gradients");
        check_ok(io_load_field(MPI_COMM_WORLD, source, recipe, 0, some), "field");
        check_same_scalars(some, all, "field");
    }
    grid_store_destroy(&some);
    free(numbers);
}

/* Loads a field of two blocks and its gradients. Collective. */
static grid_store *load(const char *name, field_at *field)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("joints.h5"));
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_root()) {
        hid_t file = file_create(path);
        write_block(file, 0, field);
        write_block(file, 1, field);
        H5Fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    io_data_config config = {.file = path};
    io_source *source = NULL, *alone = NULL;
    grid_layout *layout = NULL;
    grid_recipe *recipe = NULL;
    grid_store *all = NULL;
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "open") &&
        check_ok(io_source_open(MPI_COMM_SELF, &config, &alone), "open alone") &&
        check_ok(io_load_layout(MPI_COMM_WORLD, source, &layout), "layout") &&
        check_ok(grid_recipe_create(name, io_source_field_count(source),
                                    io_source_fields(source), test_gas, &recipe),
                 name)) {
        all = load_alone(alone, layout, recipe);
        compare(source, layout, recipe, all);
    }
    grid_recipe_destroy(&recipe);
    io_source_close(&alone);
    io_source_close(&source);
    test_file_remove(path);
    return all; /* it borrows the layout, which lives on for the test */
}

/* Compares the values, or derivatives along y, at the border. */
static void check_border(const char *name, field_at *field, bool slope,
                         const double expected[2])
{
    grid_store *all = load(name, field);
    for (int block = 0; block < 2 && all; block++) {
        const grid_brick *brick = &all->bricks[block];
        for (int v = 0; v < N * N; v++) {
            const int at = (v / N * N + N - 1) * N + v % N; /* j is N - 1 in both */
            const double found =
                (double)(slope ? brick->gradient[at][1] : brick->vertex[at][3]);
            check(fabs(found - expected[block]) < 1e-5, "%s of block %d: %g, not %g",
                  name, block, found, expected[block]);
        }
    }
    grid_store_destroy(&all);
}

/* ---- Tests ------------------------------------------------------------------------- */

/* From one side, the slope of a bend differs. */
static void differences_are_central_across_a_border(void)
{
    check_border("vorticity_z", bent, false, (const double[2]){-1.0, -1.0});
    check_border("p", bent, true, (const double[2]){1.0, 1.0});
    check_border("velocity_x", bent, true, (const double[2]){1.0, 1.0});
}

static void a_plate_at_which_the_fluid_rests_has_two_sides(void)
{
    check_border("vorticity_z", at_rest, false, (const double[2]){1.0, -1.0});
    check_border("velocity_magnitude", at_rest, true, (const double[2]){-1.0, 1.0});
}

static void a_plate_at_which_values_jump_has_two_sides(void)
{
    check_border("p", slips, true, (const double[2]){-0.1, -0.3});
    check_border("vorticity_z", slips, false, (const double[2]){-0.5, -0.5});
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    test_folder_create("io_joints");
    run_test("differences are central across a border",
             differences_are_central_across_a_border);
    run_test("a plate at which the fluid rests has two sides",
             a_plate_at_which_the_fluid_rests_has_two_sides);
    run_test("a plate at which values jump has two sides",
             a_plate_at_which_values_jump_has_two_sides);
    test_folder_remove();
    const int code = finish_tests();
    MPI_Finalize();
    return code;
}
