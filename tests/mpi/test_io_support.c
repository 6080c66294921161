#include "test_io_support.h"
#include "support/random.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* ---- checks ----------------------------------------------------------------------- */

static int failures;
static char folder[256];

void check(bool holds, const char *format, ...)
{
    enum { MOST_PRINTED = 20 };
    if (holds || ++failures > MOST_PRINTED) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    char text[4096];
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "rank %d: %s\n", parallel_rank(MPI_COMM_WORLD), text);
}

bool check_ok(status s, const char *what)
{
    check(s == STATUS_OK, "%s: expected no failure, got status %d: %s", what, (int)s,
          base_fail_message());
    base_fail_set_message("");
    return s == STATUS_OK;
}

void run_test(const char *name, void (*test)(void))
{
    int before = failures, failed;
    test();
    int mine = failures - before;
    parallel_allreduce(&mine, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (parallel_rank(MPI_COMM_WORLD) == 0) {
        printf("%s %s\n", failed ? "FAILED" : "ok    ", name);
        fflush(stdout);
    }
}

int finish_tests(void)
{
    int all;
    parallel_allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all ? EXIT_FAILURE : EXIT_SUCCESS;
}

static void wait_for_all(void)
{
    parallel_agree(MPI_COMM_WORLD, STATUS_OK);
}

void test_folder_create(const char *name)
{
    snprintf(folder, sizeof folder, "%s-%d", name, parallel_size(MPI_COMM_WORLD));
    if (parallel_rank(MPI_COMM_WORLD) == 0) {
        mkdir(folder, 0777);
    }
    wait_for_all();
}

void test_folder_remove(void)
{
    wait_for_all();
    if (parallel_rank(MPI_COMM_WORLD) == 0) {
        check(rmdir(folder) == 0, "the folder %s cannot be removed", folder);
    }
}

const char *test_path(const char *file)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return path;
}

bool is_root(void)
{
    return parallel_rank(MPI_COMM_WORLD) == 0;
}

void test_file_remove(const char *path)
{
    wait_for_all();
    if (is_root()) {
        remove(path);
    }
}

void file_gzip(const char *path)
{
    static char bytes[1 << 20];
    FILE *f = fopen(path, "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    for (int member = 0; member < 2; member++) {
        const size_t begin = member == 0 ? 0 : size / 3,
                     end = member == 0 ? size / 3 : size;
        gzFile out = gzopen(path, member == 0 ? "wb" : "ab");
        check(gzwrite(out, bytes + begin, (unsigned)(end - begin)) == (int)(end - begin),
              "'%s' cannot be compressed", path);
        check(gzclose(out) == Z_OK, "'%s' cannot be compressed", path);
    }
}

bool same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* ---- random choices --------------------------------------------------------------- */

const uint64_t test_seed = 20240229;
const grid_terms test_gas = {.gamma = 1.4, .gas_constant = 1.0};

int64_t choose_bricks(const grid_layout *layout, int trial, int64_t *numbers)
{
    uint64_t state = test_seed + 977u * (uint64_t)parallel_rank(MPI_COMM_WORLD) +
                     31u * (uint64_t)trial;
    uint64_t share = random_bits(&state) % 5;
    int64_t count = 0;
    for (int64_t number = 0; number < layout->nbricks; number++) {
        if (random_bits(&state) % 4 < share) {
            numbers[count++] = number;
        }
    }
    return count;
}

/* ---- loading ---------------------------------------------------------------------- */

/* Every brick on this rank, as a single process would load it. */
grid_store *load_alone(io_source *source, const grid_layout *layout,
                       const grid_recipe *recipe)
{
    int64_t *numbers = malloc((size_t)layout->nbricks * sizeof *numbers);
    for (int64_t number = 0; number < layout->nbricks; number++) {
        numbers[number] = number;
    }
    grid_store *store = NULL;
    if (check_ok(io_load_bricks(MPI_COMM_SELF, source,
                                &(io_load_list){layout, layout->nbricks, numbers,
                                                grid_recipe_location(recipe)},
                                &store),
                 "bricks alone")) {
        check_ok(grid_store_add_gradients(store), "gradients alone");
        check_ok(io_load_field(MPI_COMM_SELF, source, recipe, 0, store), "field alone");
    }
    free(numbers);
    return store;
}

/* Whether two gradients that are not zero everywhere have the same bits. */
static void check_same_gradient(const grid_brick *a, const grid_brick *b, size_t vertex,
                                const char *name)
{
    for (int axis = 0; axis < 3; axis++) {
        float some = a->gradient[vertex][axis], all = b->gradient[vertex][axis];
        check(same_bits(some, all),
              "gradient of %s, brick %lld, vertex %zu, axis %d: one rank has %.9g, these "
              "have %.9g (seed %llu)",
              name, (long long)a->number, vertex, axis, (double)all, (double)some,
              (unsigned long long)test_seed);
    }
}

/* Whether every scalar and gradient of `some` is the same in `all`, bit by bit. */
void check_same_scalars(const grid_store *some, const grid_store *all, const char *name)
{
    for (int64_t slot = 0; slot < some->nbricks; slot++) {
        const grid_brick *a = &some->bricks[slot];
        const grid_brick *b = &all->bricks[all->slot[a->number]];
        size_t vertices = 1;
        for (int axis = 0; axis < 3; axis++) {
            vertices *= (size_t)a->place.n[axis] + 1;
        }
        for (size_t n = 0; n < vertices; n++) {
            check(same_bits(a->vertex[n][3], b->vertex[n][3]),
                  "%s, brick %lld, vertex %zu: one rank has %.9g, these have %.9g (seed "
                  "%llu)",
                  name, (long long)a->number, n, (double)b->vertex[n][3],
                  (double)a->vertex[n][3], (unsigned long long)test_seed);
            check_same_gradient(a, b, n, name);
        }
    }
}

/* ---- files ------------------------------------------------------------------------ */

hid_t file_create(const char *path)
{
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    check(file >= 0, "the file %s cannot be made", path);
    return file;
}

hid_t file_open(const char *path)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    check(file >= 0, "the file %s cannot be opened for changes", path);
    return file;
}

static void write_data_set(hid_t file, const char *path, hid_t type, int rank,
                           const hsize_t *dims, hid_t creation, const double *values)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    hid_t space = H5Screate_simple(rank, dims, NULL);
    hid_t set = H5Dcreate(file, path, type, space, links, creation, H5P_DEFAULT);
    herr_t result =
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    check(result >= 0, "the data set %s cannot be written", path);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
}

void file_write(hid_t file, const char *path, hid_t type, int rank, const hsize_t *dims,
                const double *values)
{
    write_data_set(file, path, type, rank, dims, H5P_DEFAULT, values);
}

void file_write_compressed(hid_t file, const char *path, const hsize_t dims[3],
                           const double *values)
{
    const hsize_t chunk[3] = {5, 5, 5};
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 3, chunk);
    H5Pset_deflate(creation, 4);
    write_data_set(file, path, H5T_IEEE_F32LE, 3, dims, creation, values);
    H5Pclose(creation);
}

void file_write_attribute(hid_t file, const char *path, const char *name, double value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t object = H5Oopen(file, path, H5P_DEFAULT);
    hid_t attribute =
        H5Acreate(object, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    check(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) >= 0,
          "the attribute %s of %s cannot be written", name, path);
    H5Aclose(attribute);
    H5Oclose(object);
    H5Sclose(space);
}

/* ---- the flow that the files hold ------------------------------------------------- */

void block_point(const test_block *block, int64_t i, int64_t j, int64_t k,
                 double point[3])
{
    if (block->is_ring) {
        int64_t around = block->n[0] - 1;
        double angle = 8.0 * atan(1.0) * (double)(i % around) / (double)around;
        double radius = 1.0 + 0.25 * (double)j;
        point[0] = radius * cos(angle);
        point[1] = radius * sin(angle);
        point[2] = 0.5 * (double)k;
    } else {
        point[0] = 100.0 + (double)i + 0.05 * sin((double)j);
        point[1] = (double)j + 0.05 * sin((double)k);
        point[2] = (double)k + 0.05 * sin((double)i);
    }
    if (block->mirrored) {
        point[2] = -point[2];
    }
}

int block_iblank(const test_block *block, int64_t i, int64_t j, int64_t k)
{
    if (!block->has_iblank) {
        return 1;
    }
    int kind = (int)((7 * i + 3 * j + 5 * k) % 97);
    return kind == 0 ? 0 : kind % 2 ? 1 : kind % 3 ? -kind : 2;
}

double block_value(int field, int64_t step, int64_t i, int64_t j, int64_t k)
{
    return (double)(field * 1000 + step) + 0.25 * (double)i + 0.5 * (double)j - (double)k;
}

double block_velocity(const test_block *block, int component, int64_t i, int64_t j,
                      int64_t k)
{
    double point[3];
    block_point(block, i, j, k, point);
    const double velocity[3] = {-point[1], point[0], 0.0};
    return velocity[component];
}

double *block_fill(const test_block *block, bool cells, block_function function,
                   const void *context)
{
    const int64_t less = cells ? 1 : 0;
    const int64_t n[3] = {block->n[0] - less, block->n[1] - less, block->n[2] - less};
    double *values = malloc((size_t)(n[0] * n[1] * n[2]) * sizeof *values);
    size_t at = 0;
    for (int64_t k = 0; k < n[2]; k++) {
        for (int64_t j = 0; j < n[1]; j++) {
            for (int64_t i = 0; i < n[0]; i++) {
                values[at++] = function(block, context, i, j, k);
            }
        }
    }
    return values;
}

static double coordinate_at(const test_block *block, const void *context, int64_t i,
                            int64_t j, int64_t k)
{
    double point[3];
    block_point(block, i, j, k, point);
    return point[*(const int *)context];
}

static double iblank_at(const test_block *block, const void *context, int64_t i,
                        int64_t j, int64_t k)
{
    (void)context;
    return block_iblank(block, i, j, k);
}

static void write_filled(hid_t file, const char *path, const test_block *block,
                         hid_t type, bool cells, block_function function,
                         const void *context)
{
    hsize_t dims[3];
    for (int axis = 0; axis < 3; axis++) {
        dims[2 - axis] = (hsize_t)block->n[axis] - (cells ? 1 : 0);
    }
    double *values = block_fill(block, cells, function, context);
    file_write(file, path, type, 3, dims, values);
    free(values);
}

void block_write_grid(hid_t file, const test_block *block, hid_t type)
{
    char path[128];
    for (int axis = 0; axis < 3; axis++) {
        snprintf(path, sizeof path, "/grid/%s/%c", block->name, "xyz"[axis]);
        write_filled(file, path, block, type, false, coordinate_at, &axis);
    }
    if (block->has_iblank) {
        snprintf(path, sizeof path, "/grid/%s/iblank", block->name);
        write_filled(file, path, block, H5T_STD_I32LE, false, iblank_at, NULL);
    }
}

typedef struct field_of_step {
    int field;
    int64_t step;
} field_of_step;

static double value_at(const test_block *block, const void *context, int64_t i, int64_t j,
                       int64_t k)
{
    (void)block;
    const field_of_step *f = context;
    return block_value(f->field, f->step, i, j, k);
}

void block_write_field(hid_t file, const test_block *block, const char *step_name,
                       const char *name, int field, int64_t step, hid_t type, bool cells)
{
    char path[128];
    const field_of_step context = {field, step};
    snprintf(path, sizeof path, "/flow/%s/%s/%s", step_name, block->name, name);
    write_filled(file, path, block, type, cells, value_at, &context);
}

static double velocity_at(const test_block *block, const void *context, int64_t i,
                          int64_t j, int64_t k)
{
    return block_velocity(block, *(const int *)context, i, j, k);
}

void block_write_velocity(hid_t file, const test_block *block, const char *step_name)
{
    for (int component = 0; component < 3; component++) {
        char path[128];
        snprintf(path, sizeof path, "/flow/%s/%s/velocity_%c", step_name, block->name,
                 "xyz"[component]);
        write_filled(file, path, block, H5T_IEEE_F64LE, false, velocity_at, &component);
    }
}
