/* Bad files of every kind: one clear sentence and the same status on every rank, and no
 * hang. */
#include "test_io_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const test_block box = {.name = "box", .n = {5, 4, 3}, .has_iblank = true};
static const hsize_t box_dims[3] = {3, 4, 5};

enum { MOST_VALUES = 5 * 4 * 3 };
static const double zeros[MOST_VALUES];

static void write_good_file(const char *path)
{
    hid_t file = file_create(path);
    file_write_attribute(file, "/", "karman_format", 1.0);
    block_write_grid(file, &box, H5T_IEEE_F32LE);
    block_write_field(file, &box, "01", "p", 0, 1, H5T_IEEE_F32LE, false);
    block_write_field(file, &box, "02", "p", 0, 2, H5T_IEEE_F32LE, false);
    H5Fclose(file);
}

/* ---- how files are spoiled -------------------------------------------------------- */

static void replace(const char *path, const char *data_set, hid_t type, int rank,
                    const hsize_t *dims)
{
    hid_t file = file_open(path);
    H5Ldelete(file, data_set, H5P_DEFAULT);
    if (dims) {
        file_write(file, data_set, type, rank, dims, zeros);
    }
    H5Fclose(file);
}

static void delete_link(const char *path, const char *link)
{
    replace(path, link, 0, 0, NULL);
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    check(stream && fwrite(bytes, 1, size, stream) == size, "%s cannot be written", path);
    if (stream) {
        fclose(stream);
    }
}

static void spoil_missing(const char *path)
{
    unlink(path);
}

static void spoil_folder(const char *path)
{
    unlink(path);
    mkdir(path, 0777);
}

static void spoil_pipe(const char *path)
{
    unlink(path);
    mkfifo(path, 0666);
}

static void spoil_empty(const char *path)
{
    write_bytes(path, "", 0);
}

static void spoil_text(const char *path)
{
    static const char text[] = "This is not the file that you are looking for.\n";
    write_bytes(path, text, sizeof text - 1);
}

static void spoil_truncated(const char *path)
{
    struct stat about;
    check(stat(path, &about) == 0 && truncate(path, about.st_size / 2) == 0,
          "%s cannot be cut", path);
}

static void spoil_unreadable(const char *path)
{
    chmod(path, 0);
}

static void spoil_format(const char *path)
{
    hid_t file = file_open(path);
    H5Adelete(file, "karman_format");
    file_write_attribute(file, "/", "karman_format", 3.0);
    H5Fclose(file);
}

static void spoil_no_grid(const char *path)
{
    delete_link(path, "/grid");
}

static void spoil_no_blocks(const char *path)
{
    delete_link(path, "/grid/box");
}

static void spoil_no_y(const char *path)
{
    delete_link(path, "/grid/box/y");
}

static void spoil_group_y(const char *path)
{
    delete_link(path, "/grid/box/y");
    hid_t file = file_open(path);
    H5Gclose(H5Gcreate(file, "/grid/box/y", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(file);
}

static void spoil_rank(const char *path)
{
    const hsize_t dims[2] = {12, 5};
    replace(path, "/grid/box/y", H5T_IEEE_F32LE, 2, dims);
}

static void spoil_four_axes(const char *path)
{
    const hsize_t dims[4] = {3, 4, 5, 1};
    replace(path, "/grid/box/x", H5T_IEEE_F32LE, 4, dims);
}

static void spoil_shape(const char *path)
{
    const hsize_t dims[3] = {5, 4, 3};
    replace(path, "/grid/box/z", H5T_IEEE_F32LE, 3, dims);
}

static void spoil_iblank(const char *path)
{
    const hsize_t dims[3] = {3, 4, 4};
    replace(path, "/grid/box/iblank", H5T_STD_I32LE, 3, dims);
}

static void make_odd_type(const char *path, const char *data_set, hid_t type)
{
    delete_link(path, data_set);
    hid_t file = file_open(path);
    hid_t space = H5Screate_simple(3, box_dims, NULL);
    H5Dclose(
        H5Dcreate(file, data_set, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Fclose(file);
}

static void spoil_string(const char *path)
{
    make_odd_type(path, "/grid/box/x", H5T_C_S1);
}

static void spoil_compound(const char *path)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, 8);
    H5Tinsert(type, "a", 0, H5T_IEEE_F32LE);
    H5Tinsert(type, "b", 4, H5T_IEEE_F32LE);
    make_odd_type(path, "/flow/01/box/p", type);
    H5Tclose(type);
}

static void spoil_flat(const char *path)
{
    const test_block flat = {.name = "box", .n = {5, 1, 1}};
    hid_t file = file_create(path);
    block_write_grid(file, &flat, H5T_IEEE_F64LE);
    H5Fclose(file);
}

static void spoil_field_shape(const char *path)
{
    const hsize_t dims[3] = {3, 4, 4};
    replace(path, "/flow/01/box/p", H5T_IEEE_F32LE, 3, dims);
}

static void spoil_later_field(const char *path)
{
    const hsize_t dims[3] = {2, 3, 4};
    replace(path, "/flow/02/box/p", H5T_IEEE_F32LE, 3, dims);
}

static void spoil_no_steps(const char *path)
{
    hid_t file = file_open(path);
    H5Lmove(file, "/flow/01", H5L_SAME_LOC, "/flow/mean", H5P_DEFAULT, H5P_DEFAULT);
    H5Ldelete(file, "/flow/02", H5P_DEFAULT);
    H5Fclose(file);
}

static void spoil_twin_steps(const char *path)
{
    hid_t file = file_open(path);
    H5Lmove(file, "/flow/02", H5L_SAME_LOC, "/flow/1", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
}

static void spoil_all_blanked(const char *path)
{
    replace(path, "/grid/box/iblank", H5T_STD_I32LE, 3, box_dims);
}

static void spoil_not_finite(const char *path)
{
    double values[MOST_VALUES];
    for (int n = 0; n < MOST_VALUES; n++) {
        values[n] = NAN;
    }
    hid_t file = file_open(path);
    H5Ldelete(file, "/grid/box/x", H5P_DEFAULT);
    file_write(file, "/grid/box/x", H5T_IEEE_F64LE, 3, box_dims, values);
    H5Fclose(file);
}

/* ---- the table -------------------------------------------------------------------- */

typedef struct bad_file {
    const char *what;
    void (*spoil)(const char *path);
    const char *fragment; /* of the sentence, beside the file's name */
} bad_file;

static const bad_file bad_files[] = {
    {"a missing file", spoil_missing, "cannot be opened: No such file or directory"},
    {"a folder", spoil_folder, "holds no data file"},
    {"a pipe", spoil_pipe, "no regular file"},
    {"an empty file", spoil_empty, "is not an HDF5 file"},
    {"a text", spoil_text, "is not an HDF5 file"},
    {"a truncated file", spoil_truncated, "is truncated"},
    {"another format", spoil_format, "karman_format 3"},
    {"no grid", spoil_no_grid, "no group '/grid'"},
    {"no blocks", spoil_no_blocks, "holds no block"},
    {"no y", spoil_no_y, "no data set '/grid/box/y'"},
    {"a group in the place of y", spoil_group_y, "'/grid/box/y'"},
    {"two axes", spoil_rank, "has 2 axes, but 3 are needed"},
    {"four axes", spoil_four_axes, "end its path in a component"},
    {"another shape of z", spoil_shape,
     "has the shape 5 x 4 x 3, but x of block 'box' needs 3 x 4 x 5"},
    {"another shape of iblank", spoil_iblank,
     "has the shape 3 x 4 x 4, but x of block 'box' needs 3 x 4 x 5"},
    {"text for x", spoil_string, "does not hold numbers"},
    {"a compound for a field", spoil_compound, "does not hold numbers"},
    {"a line of vertices", spoil_flat, "has 1 vertex along 2 axes"},
    {"another shape of a field", spoil_field_shape,
     "needs 3 x 4 x 5 at vertices or 2 x 3 x 4 in cells"},
    {"a flow without steps", spoil_no_steps, "holds no numbered step"},
    {"a step that is there twice", spoil_twin_steps, "step 1 twice, as '01' and as '1'"},
    {"a field that changes its shape later", spoil_later_field,
     "has the shape 2 x 3 x 4, but field 'p' at the vertices of block 'box' needs 3 x 4 "
     "x 5"},
    {"nothing but blanked vertices", spoil_all_blanked, "nothing to draw"},
    {"no finite coordinates", spoil_not_finite, "nothing to draw"},
};

/* Opens the file and loads its last step, up to the first failure. */
static status open_and_load(const io_data_config *config)
{
    static const grid_terms air = {.gamma = 1.4, .gas_constant = 1.0};
    io_source *source = NULL;
    grid_layout *layout = NULL;
    grid_recipe *recipe = NULL;
    double range[2];
    status s = io_source_open(MPI_COMM_WORLD, config, &source);
    if (s == STATUS_OK) {
        s = io_load_layout(MPI_COMM_WORLD, source, &layout);
    }
    if (s == STATUS_OK) {
        s = grid_recipe_create("p", io_source_field_count(source),
                               io_source_fields(source), air, &recipe);
    }
    if (s == STATUS_OK) {
        const int last = io_source_step_count(source) - 1;
        s = io_load_range(MPI_COMM_WORLD, source,
                          &(io_load_series){layout, recipe, &last, 1}, range);
    }
    grid_recipe_destroy(&recipe);
    grid_layout_destroy(&layout);
    io_source_close(&source);
    return s;
}

static void expect_failure(const io_data_config *config, const char *what,
                           status expected, const char *name, const char *fragment)
{
    status s = open_and_load(config);
    const char *message = base_fail_message();
    check(s == expected && strstr(message, name) && strstr(message, fragment),
          "%s: expected status %d and '%s' with '%s', got %d: '%s'", what, (int)expected,
          name, fragment, (int)s, message);
    base_fail_set_message("");
}

static void prepare(const char *path, void (*spoil)(const char *path))
{
    if (is_root()) {
        write_good_file(path);
        if (spoil) {
            spoil(path);
        }
    }
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
}

static void bad_files_are_refused_in_one_sentence(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("bad.h5"));
    const io_data_config config = {.file = path};
    for (size_t n = 0; n < sizeof bad_files / sizeof bad_files[0]; n++) {
        prepare(path, bad_files[n].spoil);
        expect_failure(&config, bad_files[n].what, STATUS_INPUT, path,
                       bad_files[n].fragment);
        test_file_remove(path);
    }
}

/* Root may read every file, so the test switches to the user nobody. */
static void a_file_without_permission_is_refused(void)
{
    enum { NOBODY = 65534 };
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("secret.h5"));
    const io_data_config config = {.file = path};
    prepare(path, spoil_unreadable);
    bool was_root = geteuid() == 0;
    check(!was_root || seteuid(NOBODY) == 0, "root cannot become nobody");
    expect_failure(&config, "an unreadable file", STATUS_INPUT, path,
                   "Permission denied");
    check(!was_root || seteuid(0) == 0, "nobody cannot become root again");
    test_file_remove(path);
}

static void good_files_stay_good(void)
{
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("good.h5"));
    const io_data_config config = {.file = path};
    prepare(path, NULL);
    check_ok(open_and_load(&config), "the file that all bad ones are made from");
    test_file_remove(path);
}

/* A file cut at many lengths is refused each time, even if its header looks right. */
static void truncation_at_any_length_is_refused(void)
{
    enum { CUTS = 24 };
    char path[512];
    snprintf(path, sizeof path, "%s", test_path("cut.h5"));
    const io_data_config config = {.file = path};
    prepare(path, NULL);
    long long size = 0;
    if (is_root()) {
        struct stat about;
        check(stat(path, &about) == 0, "%s is not there", path);
        size = about.st_size;
    }
    parallel_bcast(&size, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    for (int cut = CUTS - 1; cut >= 0; cut--) {
        /* Cuts near the end, too: a file without its last byte is truncated. */
        long long length = cut == CUTS - 1 ? size - 1 : size * cut / CUTS;
        if (is_root()) {
            check(truncate(path, (off_t)length) == 0, "%s cannot be cut", path);
        }
        parallel_agree(MPI_COMM_WORLD, STATUS_OK);
        char what[64];
        snprintf(what, sizeof what, "%lld of %lld bytes", length, size);
        expect_failure(&config, what, STATUS_INPUT, path, cut == 0 ? "HDF5" : "");
    }
    test_file_remove(path);
}

/* ---- paths of the config ---------------------------------------------------------- */

typedef struct bad_paths {
    const char *x, *y, *z, *field;
    status expected;
    const char *fragment;
} bad_paths;

static const bad_paths bad_path_table[] = {
    {"/grid/box/x", "/grid/box/y", NULL, "/flow/%d/box/p", STATUS_USAGE,
     "data.grid.z is missing"},
    {"/grid/box/x", "/grid/box/y", "/grid/%d/z", "/flow/%d/box/p", STATUS_USAGE,
     "grids that move are not supported"},
    {"/grid/box/x", "/grid/box/y", "/grid/box/z", "/flow/%s/box/p", STATUS_USAGE,
     "no path of data.grid does"},
    {"/grid/box/x", "/grid/box/y", "/grid/box/z", "/flow/%d/box/%d", STATUS_USAGE,
     "%d or %0Nd"},
    {"/grid/box/x", "/grid/box/y", "/grid/box/z[1]", "/flow/%d/box/p", STATUS_INPUT,
     "has 3 axes, but 4 are needed"},
    {"/grid/box/x", "/grid/box/y", "/grid/box/w", "/flow/%d/box/p", STATUS_INPUT,
     "no data set '/grid/box/w'"},
    {"/grid/box/x", "/grid/box/y", "/grid/box/z", "/flow/s%d/box/p", STATUS_INPUT,
     "nothing in group '/flow'"},
    {"/grid/box/x", "/grid/box/y", "/grid/box/z", "/wind/%d/box/p", STATUS_INPUT,
     "no group '/wind'"},
    {"/grid/box/x", "/grid/box/y", "/grid/box/z", "/flow/%d/box/q", STATUS_INPUT,
     "no data set '/flow/%d/box/q'"},
    {NULL, NULL, NULL, "/flow/%03d/box/p", STATUS_INPUT, "nothing in group '/flow'"},
};

/* The config's strings are not const; the source does not change them. */
static char *copy(const char *text)
{
    return text ? strdup(text) : NULL;
}

static void wrong_paths_are_refused_in_one_sentence(void)
{
    char path[512], name[] = "p";
    snprintf(path, sizeof path, "%s", test_path("paths.h5"));
    prepare(path, NULL);
    for (size_t n = 0; n < sizeof bad_path_table / sizeof bad_path_table[0]; n++) {
        const bad_paths *bad = &bad_path_table[n];
        io_field_path field = {name, copy(bad->field)};
        io_data_config config = {.file = path,
                                 .grid_x = copy(bad->x),
                                 .grid_y = copy(bad->y),
                                 .grid_z = copy(bad->z),
                                 .nfields = 1,
                                 .fields = &field};
        expect_failure(&config, bad->field, bad->expected,
                       bad->expected == STATUS_USAGE ? "data." : path, bad->fragment);
        free(config.grid_x);
        free(config.grid_y);
        free(config.grid_z);
        free(field.path);
    }
    test_file_remove(path);
}

/* The grid at paths of the config with fields at karman's own paths, and the reverse. */
static void paths_may_name_the_grid_or_the_fields_alone(void)
{
    char path[512], x[] = "/grid/box/x", y[] = "/grid/box/y", z[] = "/grid/box/z";
    char name[] = "p", field_path[] = "/flow/%02d/box/p";
    snprintf(path, sizeof path, "%s", test_path("mixed.h5"));
    prepare(path, NULL);
    io_field_path field = {name, field_path};
    const io_data_config grid_alone = {
        .file = path, .grid_x = x, .grid_y = y, .grid_z = z};
    const io_data_config fields_alone = {.file = path, .nfields = 1, .fields = &field};
    check_ok(open_and_load(&grid_alone), "data.grid without data.fields");
    check_ok(open_and_load(&fields_alone), "data.fields without data.grid");
    test_file_remove(path);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    test_folder_create("test_io_errors");
    run_test("good files stay good", good_files_stay_good);
    run_test("bad files are refused in one sentence",
             bad_files_are_refused_in_one_sentence);
    run_test("a file without permission is refused",
             a_file_without_permission_is_refused);
    run_test("truncation at any length is refused", truncation_at_any_length_is_refused);
    run_test("wrong paths are refused in one sentence",
             wrong_paths_are_refused_in_one_sentence);
    run_test("paths may name the grid or the fields alone",
             paths_may_name_the_grid_or_the_fields_alone);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
