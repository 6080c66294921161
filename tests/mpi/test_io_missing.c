/* Missing and packed values of HDF5 files: the conventions of netCDF, and data.fill. */
#include "test_io_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const test_block box = {.name = "box", .n = {5, 4, 3}};
static const hsize_t dims[3] = {3, 4, 5};
enum { VALUES = 5 * 4 * 3 };
static const io_box all = {{0, 0, 0}, {5, 4, 3}};

/* ---- Files ------------------------------------------------------------------------- */

/* Writes an attribute of any type from doubles; count 0: one number that is no array. */
static void put(hid_t file, const char *path, const char *name, hid_t type, hsize_t count,
                const double *values)
{
    hid_t space = count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, NULL);
    hid_t object = H5Oopen(file, path, H5P_DEFAULT);
    hid_t attribute = H5Acreate(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    check(H5Awrite(attribute, H5T_NATIVE_DOUBLE, values) >= 0,
          "the attribute %s of %s cannot be written", name, path);
    H5Aclose(attribute);
    H5Oclose(object);
    H5Sclose(space);
}

static void put_one(hid_t file, const char *path, const char *name, hid_t type,
                    double value)
{
    put(file, path, name, type, 0, &value);
}

static void put_text(hid_t file, const char *path, const char *name)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    hid_t object = H5Oopen(file, path, H5P_DEFAULT);
    hid_t attribute = H5Acreate(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char *text = "-999 where it is dry";
    H5Awrite(attribute, type, &text);
    H5Aclose(attribute);
    H5Oclose(object);
    H5Sclose(space);
    H5Tclose(type);
}

typedef void write_file(hid_t file, const void *context);

/* Rank 0 writes a block and the additions of `write`; all ranks open it. Collective. */
static io_source *make(const io_data_config *config, write_file *write,
                       const void *context)
{
    if (is_root()) {
        hid_t file = file_create(config->file);
        block_write_grid(file, &box, H5T_IEEE_F32LE);
        write(file, context);
        H5Fclose(file);
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
    io_source *source = NULL;
    check_ok(io_source_open(MPI_COMM_WORLD, config, &source), "opening");
    return source;
}

/* Values of field 0 at a step. Collective. */
static status read_step(io_source *source, int step, float values[VALUES])
{
    return parallel_agree(MPI_COMM_WORLD,
                          io_source_read(source, step, 0, 0, &all, values));
}

/* ---- Fills of all types ------------------------------------------------------------ */

/* Every value is its index; 3, 7 and 11 are missing. */
static void write_indices(hid_t file, const void *context)
{
    const hid_t type = *(const hid_t *)context;
    const char *path = "/flow/0/box/p";
    double values[VALUES];
    for (int n = 0; n < VALUES; n++) {
        values[n] = n;
    }
    file_write(file, path, type, 3, dims, values);
    put_one(file, path, "_FillValue", type, 3.0);
    put(file, path, "missing_value", H5T_IEEE_F64BE, 3, (const double[]){7.0, 3.0, 7.5});
}

static void check_indices(hid_t type, int number)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("types.h5"));
    const io_data_config config = {.file = path, .nfills = 2, .fills = {11.0, 1e30}};
    io_source *source = make(&config, write_indices, &type);
    float values[VALUES];
    check_ok(read_step(source, 0, values), "reading");
    for (int n = 0; n < VALUES; n++) {
        const bool missing = n == 3 || n == 7 || n == 11;
        check(missing ? isnan(values[n]) : values[n] == (float)n,
              "type %d, value %d: expected it %s, got %g", number, n,
              missing ? "missing" : "as it is", (double)values[n]);
    }
    io_source_close(&source);
    test_file_remove(path);
}

static void fills_of_every_type_are_missing(void)
{
    const hid_t types[] = {H5T_STD_I8LE,   H5T_STD_U8BE,   H5T_STD_I16BE,
                           H5T_STD_U16LE,  H5T_STD_I32BE,  H5T_STD_U32LE,
                           H5T_STD_I64BE,  H5T_STD_U64LE,  H5T_IEEE_F32LE,
                           H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE};
    for (int n = 0; n < (int)(sizeof types / sizeof types[0]); n++) {
        check_indices(types[n], n);
    }
}

/* ---- Attributes of other types ----------------------------------------------------- */

static void write_floats(hid_t file, const void *context)
{
    (void)context;
    const char *path = "/flow/0/box/p";
    double values[VALUES] = {1e20, -999.0, 9.9692099683868690e36, 1e300, -1e300, NAN};
    file_write(file, path, H5T_IEEE_F64LE, 3, dims, values);
    put_one(file, path, "_FillValue", H5T_IEEE_F64LE, (double)NAN);
    put(file, path, "missing_value", H5T_STD_I32BE, 1, (const double[]){-999.0});
    path = "/flow/1/box/p";
    file_write(file, path, H5T_IEEE_F32LE, 3, dims, values);
    put_one(file, path, "_FillValue", H5T_IEEE_F64LE, 1e20); /* as float32 holds it */
    put(file, path, "missing_value", H5T_IEEE_F32LE, 2,
        (const double[]){9.9692099683868690e36, 5.0});
}

static void attributes_are_converted_to_the_stored_type(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("floats.h5"));
    const io_data_config config = {.file = path};
    io_source *source = make(&config, write_floats, NULL);
    /* Missing values at the two steps; then zeros. 1e300 exceeds float32. */
    static const bool missing[2][7] = {{0, 1, 0, 1, 1, 1, 0}, {1, 0, 1, 1, 1, 1, 0}};
    for (int step = 0; step < 2; step++) {
        float values[VALUES];
        check_ok(read_step(source, step, values), "reading");
        for (int n = 0; n < 7; n++) {
            check(isfinite(values[n]) != missing[step][n],
                  "step %d, value %d: expected it %s, got %g", step, n,
                  missing[step][n] ? "missing" : "there", (double)values[n]);
        }
    }
    check(io_source_unpacking(source, 0)->nfills == 1 &&
              io_unpacking_fill(io_source_unpacking(source, 0), 0) == -999.0,
          "the fill of the field is not told");
    io_source_close(&source);
    test_file_remove(path);
}

/* ---- Parts that were never written --------------------------------------------------
 */

/* A data set as netCDF makes it, with its fill value in the creation properties. Two
 * values are written. */
static void write_part(hid_t file, const char *path, hid_t type, double fill)
{
    const hsize_t two[3] = {1, 1, 2}, first[3] = {0, 0, 0};
    const double values[2] = {1.0, 2.0};
    hid_t links = H5Pcreate(H5P_LINK_CREATE), create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_fill_value(create, H5T_NATIVE_DOUBLE, &fill);
    hid_t space = H5Screate_simple(3, dims, NULL),
          memory = H5Screate_simple(3, two, NULL);
    hid_t set = H5Dcreate(file, path, type, space, links, create, H5P_DEFAULT);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, two, NULL);
    check(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0,
          "%s cannot be written", path);
    H5Dclose(set);
    H5Sclose(memory);
    H5Sclose(space);
    H5Pclose(create);
    H5Pclose(links);
}

/* The data of a step: a type, its fill value, and whether that stands for missing
 * values. */
static const struct unwritten {
    double fill;
    bool is_missing, has_attribute;
} unwritten[] = {{9.9692099683868690e36, true, false},
                 {9.9692099683868690e36, true, false},
                 {-32767.0, true, false},
                 {-2147483647.0, true, false},
                 {65535.0, true, false},
                 {0.0, false, false},
                 {-999.0, false, false},
                 {9.9692099683868690e36, false, true}};
enum { UNWRITTEN = sizeof unwritten / sizeof unwritten[0] };

static void write_parts(hid_t file, const void *context)
{
    (void)context;
    const hid_t types[UNWRITTEN] = {H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_STD_I16LE,
                                    H5T_STD_I32BE,  H5T_STD_U16LE,  H5T_IEEE_F32LE,
                                    H5T_STD_I32LE,  H5T_IEEE_F32LE};
    for (int step = 0; step < UNWRITTEN; step++) {
        char path[64];
        snprintf(path, sizeof path, "/flow/%d/box/p", step);
        write_part(file, path, types[step], unwritten[step].fill);
        if (unwritten[step].has_attribute) {
            put_one(file, path, "_FillValue", H5T_IEEE_F32LE, 5.0);
        }
    }
}

/* The library of netCDF has filled these parts; other fill values of HDF5 are data. */
static void parts_that_netcdf_never_wrote_are_missing(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("unwritten.h5"));
    const io_data_config config = {.file = path};
    io_source *source = make(&config, write_parts, NULL);
    for (int step = 0; step < UNWRITTEN; step++) {
        float values[VALUES];
        check_ok(read_step(source, step, values), "reading");
        check(values[0] == 1.0f && values[1] == 2.0f, "step %d: written values differ",
              step);
        for (int n = 2; n < VALUES; n++) {
            check(unwritten[step].is_missing ? isnan(values[n])
                                             : values[n] == (float)unwritten[step].fill,
                  "step %d, value %d: got %g", step, n, (double)values[n]);
        }
    }
    io_source_close(&source);
    test_file_remove(path);
}

/* ---- Packed values ----------------------------------------------------------------- */

/* Components of a vector at steps whose names have zeros; each step is packed by
 * itself. */
static void write_vectors(hid_t file, const void *context)
{
    (void)context;
    const hsize_t shape[4] = {3, 4, 5, 2};
    double values[2 * VALUES];
    for (int n = 0; n < VALUES; n++) {
        values[2 * n] = n;
        values[2 * n + 1] = n % 2 ? -1.0 : 100.0 * n;
    }
    for (int step = 0; step < 2; step++) {
        char path[32];
        snprintf(path, sizeof path, "/t%04d/m", step);
        file_write(file, path, H5T_STD_I16BE, 4, shape, values);
        put_one(file, path, "_FillValue", H5T_STD_I16BE, -1.0);
        put_one(file, path, "scale_factor", H5T_IEEE_F64LE, step == 0 ? 0.5 : 0.25);
        if (step == 1) {
            put_one(file, path, "add_offset", H5T_IEEE_F32LE, 1000.0);
        }
    }
}

static void each_step_is_unpacked_by_its_own_attributes(void)
{
    char path[512], name[] = "m", data_set[] = "/t%04d/m[1]";
    snprintf(path, sizeof path, "%s", test_path("vectors.h5"));
    io_field_path field = {name, data_set};
    const io_data_config config = {.file = path, .nfields = 1, .fields = &field};
    io_source *source = make(&config, write_vectors, NULL);
    for (int step = 0; step < 2; step++) {
        float values[VALUES];
        check_ok(read_step(source, step, values), "reading");
        for (int n = 0; n < VALUES; n++) {
            const float number =
                step == 0 ? 50.0f * (float)n : 25.0f * (float)n + 1000.0f;
            check(n % 2 ? isnan(values[n]) : values[n] == number,
                  "step %d, value %d: expected %g, got %g", step, n, (double)number,
                  (double)values[n]);
        }
    }
    io_source_close(&source);
    test_file_remove(path);
}

/* ---- Coordinates ------------------------------------------------------------------- */

static void spoil_x(hid_t file, const void *context)
{
    (void)context;
    double values[VALUES];
    for (int n = 0; n < VALUES; n++) {
        values[n] = n % 5 * 4;
    }
    values[0] = -99.0;
    H5Ldelete(file, "/grid/box/x", H5P_DEFAULT);
    file_write(file, "/grid/box/x", H5T_STD_I32LE, 3, dims, values);
    put_one(file, "/grid/box/x", "_FillValue", H5T_STD_I32LE, -99.0);
    put_one(file, "/grid/box/x", "scale_factor", H5T_IEEE_F64LE, 0.25);
}

static void coordinates_are_unpacked_and_may_be_missing(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("coordinates.h5"));
    const io_data_config config = {.file = path, .nfills = 1, .fills = {4.0}};
    io_source *source = make(&config, spoil_x, NULL);
    double x[VALUES];
    check_ok(io_source_read(source, 0, 0, IO_ARRAY_X, &all, x), "reading x");
    for (int n = 0; n < VALUES; n++) {
        check(n == 0 ? isnan(x[n]) : x[n] == (double)(n % 5), "x of %d: got %g", n, x[n]);
    }
    grid_layout *layout = NULL;
    check_ok(io_load_layout(MPI_COMM_WORLD, source, &layout), "looking through the grid");
    check(layout && layout->bricks[0].cells == 4 * 3 * 2 - 1,
          "expected that one cell is left out");
    grid_layout_destroy(&layout);
    io_source_close(&source);
    test_file_remove(path);
}

/* ---- Attributes that are wrong ----------------------------------------------------- */

typedef struct wrong {
    const char *name;
    enum { WRONG_TEXT, WRONG_MANY, WRONG_INFINITE } kind;
    bool is_error;
} wrong;

static void write_wrong(hid_t file, const void *context)
{
    const wrong *w = context;
    const double zeros[32] = {0.0};
    double values[VALUES];
    for (int n = 0; n < VALUES; n++) {
        values[n] = n;
    }
    file_write(file, "/flow/0/box/p", H5T_IEEE_F32LE, 3, dims, values);
    if (w->kind == WRONG_TEXT) {
        put_text(file, "/flow/0/box/p", w->name);
    } else if (w->kind == WRONG_MANY) {
        put(file, "/flow/0/box/p", w->name, H5T_IEEE_F32LE, 32, zeros);
    } else {
        put_one(file, "/flow/0/box/p", w->name, H5T_IEEE_F32LE, (double)INFINITY);
    }
}

/* A fill value that cannot be read is left out. A factor that cannot be read is an error,
 * but only when its field is read. */
static void attributes_that_are_no_numbers_are_told(void)
{
    static const wrong cases[] = {
        {"_FillValue", WRONG_TEXT, false},    {"missing_value", WRONG_TEXT, false},
        {"missing_value", WRONG_MANY, false}, {"scale_factor", WRONG_TEXT, true},
        {"add_offset", WRONG_MANY, true},     {"scale_factor", WRONG_INFINITE, true}};
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("wrong.h5"));
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const io_data_config config = {.file = path};
        io_source *source = make(&config, write_wrong, &cases[c]);
        float values[VALUES];
        status s = read_step(source, 0, values);
        if (cases[c].is_error) {
            check(s == STATUS_INPUT && strstr(base_fail_message(), cases[c].name) &&
                      strstr(base_fail_message(), "/flow/0/box/p"),
                  "%s, case %zu: expected a message about it, got '%s'", cases[c].name, c,
                  base_fail_message());
            base_fail_set_message("");
        } else {
            check(s == STATUS_OK && values[0] == 0.0f && values[1] == 1.0f,
                  "%s, case %zu: expected the values as they are", cases[c].name, c);
        }
        io_source_close(&source);
        test_file_remove(path);
    }
}

/* ---- Counts ------------------------------------------------------------------------ */

/* Blocks of several bricks, one with blanked vertices, one with a seam. */
static const test_block blocks[2] = {
    {.name = "box", .n = {37, 35, 18}, .has_iblank = true},
    {.name = "ring", .n = {41, 18, 9}, .is_ring = true},
};

static bool lacks(int64_t i, int64_t j, int64_t k)
{
    return (i * 7 + j * 5 + k * 3) % 11 == 0 || (i % 16 == 0 && j % 16 == 0);
}

static double lacking_value(const test_block *block, const void *context, int64_t i,
                            int64_t j, int64_t k)
{
    (void)block;
    (void)context;
    return lacks(i, j, k) ? -999.0 : 1.0;
}

static void write_lacking(const char *path)
{
    hid_t file = file_create(path);
    for (int b = 0; b < 2; b++) {
        block_write_grid(file, &blocks[b], H5T_IEEE_F32LE);
        for (int cells = 0; cells < 2; cells++) {
            const hsize_t less = (hsize_t)cells;
            const hsize_t shape[3] = {(hsize_t)blocks[b].n[2] - less,
                                      (hsize_t)blocks[b].n[1] - less,
                                      (hsize_t)blocks[b].n[0] - less};
            char name[64];
            snprintf(name, sizeof name, "/flow/0/%s/%s", blocks[b].name,
                     cells ? "c" : "v");
            double *values = block_fill(&blocks[b], cells, lacking_value, NULL);
            file_write(file, name, H5T_STD_I16LE, 3, shape, values);
            free(values);
        }
    }
    H5Fclose(file);
}

static bool has_cell(const test_block *block, int64_t i, int64_t j, int64_t k)
{
    const int64_t *n = block->n;
    if (i < 0 || j < 0 || k < 0 || i >= n[0] - 1 || j >= n[1] - 1 || k >= n[2] - 1) {
        return false;
    }
    for (int c = 0; c < 8 && block->has_iblank; c++) {
        if (block_iblank(block, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)) == 0) {
            return false;
        }
    }
    return true;
}

/* Missing values of a block, one by one. */
static int64_t expected_count(const test_block *block, bool cells)
{
    int64_t count = 0;
    for (int64_t k = 0; k < block->n[2]; k++) {
        for (int64_t j = 0; j < block->n[1]; j++) {
            for (int64_t i = 0; i < block->n[0]; i++) {
                bool is_drawn = has_cell(block, i, j, k);
                for (int c = 1; c < 8 && !cells; c++) {
                    is_drawn |=
                        has_cell(block, i - (c & 1), j - (c >> 1 & 1), k - (c >> 2));
                }
                count += is_drawn && lacks(i, j, k);
            }
        }
    }
    return count;
}

/* Each rank loads a random choice of bricks, and rank 0 the rest. */
static void count_by_bricks(io_source *source, const grid_layout *layout, bool cells)
{
    const size_t bricks = (size_t)layout->nbricks;
    int64_t *numbers = malloc((bricks + 1) * sizeof *numbers);
    uint8_t *marked = calloc(bricks + 1, 1);
    grid_recipe *recipe = NULL;
    check_ok(grid_recipe_create(cells ? "c" : "v", io_source_field_count(source),
                                io_source_fields(source), test_gas, &recipe),
             "the recipe");
    int64_t count = choose_bricks(layout, cells ? 1 : 2, numbers);
    if (is_root()) {
        for (count = 0; count < layout->nbricks; count++) {
            numbers[count] = count;
        }
    }
    grid_store *store = NULL;
    check_ok(io_load_bricks(
                 MPI_COMM_WORLD, source,
                 &(io_load_list){layout, count, numbers, cells ? GRID_CELL : GRID_VERTEX},
                 &store),
             "loading bricks");
    check_ok(io_load_field(MPI_COMM_WORLD, source, recipe, 0, store), "loading a field");
    bool has_value = false, lacks_value = false;
    io_load_find_lacking(store, marked, &has_value, &lacks_value);
    check(!is_root() || (has_value && lacks_value), "values were not looked at");
    const io_load_lacking lacking = {recipe, 0, marked};
    int64_t counts[2];
    check_ok(io_load_count_missing(MPI_COMM_WORLD, source, layout, &lacking, counts),
             "counting");
    for (int b = 0; b < 2; b++) {
        const int64_t wanted = expected_count(&blocks[b], cells);
        check(counts[b] == wanted, "block '%s': expected %lld missing %s, got %lld",
              blocks[b].name, (long long)wanted, cells ? "cells" : "vertices",
              (long long)counts[b]);
    }
    grid_store_destroy(&store);
    grid_recipe_destroy(&recipe);
    free(numbers);
    free(marked);
}

static void missing_values_are_counted_once(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("lacking.h5"));
    if (is_root()) {
        write_lacking(path);
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
    const io_data_config config = {.file = path, .nfills = 1, .fills = {-999.0}};
    io_source *source = NULL;
    grid_layout *layout = NULL;
    if (check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), "opening") &&
        check_ok(io_load_layout(MPI_COMM_WORLD, source, &layout), "the layout")) {
        count_by_bricks(source, layout, false);
        count_by_bricks(source, layout, true);
    }
    grid_layout_destroy(&layout);
    io_source_close(&source);
    test_file_remove(path);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    test_folder_create("missing");
    run_test("fills of every type are missing", fills_of_every_type_are_missing);
    run_test("attributes are converted to the stored type",
             attributes_are_converted_to_the_stored_type);
    run_test("parts that netCDF never wrote are missing",
             parts_that_netcdf_never_wrote_are_missing);
    run_test("each step is unpacked by its own attributes",
             each_step_is_unpacked_by_its_own_attributes);
    run_test("coordinates are unpacked and may be missing",
             coordinates_are_unpacked_and_may_be_missing);
    run_test("attributes that are no numbers are told",
             attributes_that_are_no_numbers_are_told);
    run_test("missing values are counted once", missing_values_are_counted_once);
    test_folder_remove();
    int result = finish_tests();
    MPI_Finalize();
    return result;
}
