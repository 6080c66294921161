/* Files with more than 2^31 values are read at their far end. They are sparse, so that
 * they take next to no disk. */
#define _GNU_SOURCE /* SEEK_DATA, pwrite of 64 bits */
#include "base/log.h"
#include "io/source.h"
#include "test_io_support.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* 2.2e9 vertices; the last ones, END along each axis, have values. */
enum { SIDE = 1300, END = 3 };
static const int64_t total = INT64_C(1) * SIDE * SIDE * SIDE;

static float value_at(int array, int64_t i, int64_t j, int64_t k)
{
    return (float)(1000 * array + 100 * i + 10 * j + k + 1);
}

/* Writes the far end of an array of a file whose first value is at `start`. */
static bool write_end(int file, off_t start, int array)
{
    bool is_good = true;
    for (int64_t k = 0; k < END; k++) {
        for (int64_t j = 0; j < END; j++) {
            float row[END];
            const int64_t first = SIDE - END;
            const int64_t at = ((first + k) * SIDE + first + j) * SIDE + first;
            for (int64_t i = 0; i < END; i++) {
                row[i] = value_at(array, i, j, k);
            }
            is_good = is_good && pwrite(file, row, sizeof row, start + at * 4) ==
                                     (ssize_t)sizeof row;
        }
    }
    return is_good;
}

/* A grid of single precision as C writes it. */
static bool write_plot3d(const char *path)
{
    const int32_t sizes[3] = {SIDE, SIDE, SIDE};
    const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0666);
    bool is_good = file >= 0 && ftruncate(file, 12 + 12 * total) == 0 &&
                   pwrite(file, sizes, sizeof sizes, 0) == (ssize_t)sizeof sizes;
    for (int c = 0; c < 3 && is_good; c++) {
        is_good = write_end(file, 12 + 4 * total * c, c);
    }
    return close(file) == 0 && is_good;
}

/* Makes one array of karman's layout without values; *start is the place of the first. */
static bool make_array(hid_t file, const char *path, off_t *start)
{
    const hsize_t n[3] = {SIDE, SIDE, SIDE};
    const hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(3, n, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    const hid_t set =
        H5Dcreate(file, path, H5T_IEEE_F32LE, space, links, creation, H5P_DEFAULT);
    *start = set >= 0 ? (off_t)H5Dget_offset(set) : -1;
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
    H5Pclose(links);
    return *start > 0;
}

static bool write_own(const char *path)
{
    static const char *const names[] = {"/grid/b/x", "/grid/b/y", "/grid/b/z"};
    off_t start[3];
    bool is_good = true;
    const hid_t file = file_create(path);
    for (int c = 0; c < 3; c++) {
        is_good = make_array(file, names[c], &start[c]) && is_good;
    }
    is_good = H5Fclose(file) >= 0 && is_good;
    const int descriptor = open(path, O_WRONLY);
    for (int c = 0; c < 3 && is_good; c++) {
        is_good = write_end(descriptor, start[c], c);
    }
    return close(descriptor) == 0 && is_good;
}

/* Reads a box that begins one vertex before the far end. */
static void check_file(const char *path)
{
    enum { N = END + 1 };
    const io_data_config config = {.file = (char *)path, .all_steps = true};
    const io_box box = {{SIDE - N, SIDE - N, SIDE - N}, {N, N, N}};
    io_source *source = NULL;
    double values[N * N * N];
    if (!check_ok(io_source_open(MPI_COMM_WORLD, &config, &source), path)) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        int wrong = 0;
        check_ok(io_source_read(source, 0, 0, IO_ARRAY_X + c, &box, values), path);
        for (int n = 0; n < N * N * N; n++) {
            const int i = n % N - 1, j = n / N % N - 1, k = n / N / N - 1;
            const double wanted =
                i < 0 || j < 0 || k < 0 ? 0.0 : (double)value_at(c, i, j, k);
            wrong += values[n] != wanted;
        }
        check(wrong == 0, "%s: %d values are wrong", path, wrong);
    }
    io_source_close(&source);
}

static void read_far_end(const char *name, bool (*write)(const char *path))
{
    char path[512];
    int is_written = 0;
    snprintf(path, sizeof path, "%s", test_path(name));
    is_written = is_root() && write(path);
    parallel_bcast(&is_written, 1, MPI_INT, 0, MPI_COMM_WORLD);
    check(is_written, "'%s' cannot be written as a sparse file", path);
    if (is_written) {
        check_file(path);
    }
    test_file_remove(path);
}

static void large_plot3d_is_read(void)
{
    read_far_end("large.xyz", write_plot3d);
}

static void large_hdf5_is_read(void)
{
    read_far_end("large.h5", write_own);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    base_log_configure(false);
    test_folder_create("test_io_large");
    run_test("a large PLOT3D file is read at its far end", large_plot3d_is_read);
    run_test("a large HDF5 file is read at its far end", large_hdf5_is_read);
    test_folder_remove();
    int code = finish_tests();
    MPI_Finalize();
    return code;
}
