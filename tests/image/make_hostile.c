/*
 * Writes an HDF5 file of karman's own layout that is out to do harm.
 *
 *   make_hostile KIND FILE
 *
 * Its field p, of 5 x 5 x 5 values, leads to what the kind names: link-pipe, link-circle,
 * virtual-pipe, virtual-circle, virtual-self, raw-pipe, raw-short, filter. Coordinates:
 * raw-grid, huge (never written), huge-chunk (one chunk is), huge-axes (one list for each
 * axis, of another layout). groups: beside p there are others than data sets, which lead
 * in a circle or to nothing. "fifo" and "short" are there.
 */
#include "hostile_filter.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { N = 5, HUGE_N = 10000 };

static const char *const field = "/flow/0/b/p";

static void put(hid_t file, const char *path, hid_t creation, hsize_t n, hsize_t written)
{
    static float values[N][N][N];
    const hsize_t extents[3] = {n, n, n}, part[3] = {written, written, written};
    const hsize_t start[3] = {0, 0, 0};
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t space = H5Screate_simple(3, extents, NULL);
    const hid_t memory = H5Screate_simple(3, part, NULL);
    const hid_t set =
        H5Dcreate2(file, path, H5T_IEEE_F32LE, space, links, creation, H5P_DEFAULT);
    for (int v = 0; v < N * N * N; v++) {
        const int at[3] = {v % N, v / N % N, v / N / N};
        values[at[2]][at[1]][at[0]] = (float)at[path[strlen(path) - 1] % 3];
    }
    if (written > 0) {
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, part, NULL);
        H5Dwrite(set, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values);
    }
    H5Dclose(set);
    H5Sclose(memory);
    H5Sclose(space);
    H5Pclose(links);
}

static void put_grid(hid_t file, const char *kind)
{
    static const char *const paths[] = {"/grid/b/x", "/grid/b/y", "/grid/b/z"};
    static const hsize_t chunk[3] = {N, N, N};
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t n = strncmp(kind, "huge", 4) == 0 ? HUGE_N : N;
    if (strcmp(kind, "huge-chunk") == 0) {
        H5Pset_chunk(creation, 3, chunk);
    } else if (strcmp(kind, "raw-grid") == 0) {
        H5Pset_external(creation, "fifo", 0, H5F_UNLIMITED);
    }
    const bool is_written = strcmp(kind, "huge") != 0 && strcmp(kind, "raw-grid") != 0;
    for (int axis = 0; axis < 3; axis++) {
        put(file, paths[axis], creation, n, is_written ? N : 0);
    }
    H5Pclose(creation);
}

static void put_virtual(hid_t file, const char *source)
{
    static const hsize_t n[3] = {N, N, N};
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(3, n, NULL);
    H5Pset_virtual(creation, space, source, field, space);
    put(file, field, creation, N, 0);
    H5Sclose(space);
    H5Pclose(creation);
}

static void put_field(hid_t file, const char *kind, const char *name)
{
    static const hsize_t chunk[3] = {N, N, N};
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    if (strcmp(kind, "link-pipe") == 0) {
        H5Lcreate_external("fifo", "/x", file, field, links, H5P_DEFAULT);
    } else if (strcmp(kind, "link-circle") == 0) {
        H5Lcreate_soft("/flow/0/b/q", file, field, links, H5P_DEFAULT);
        H5Lcreate_soft(field, file, "/flow/0/b/q", links, H5P_DEFAULT);
    } else if (strncmp(kind, "virtual", 7) == 0) {
        put_virtual(file, strcmp(kind, "virtual-pipe") == 0     ? "fifo"
                          : strcmp(kind, "virtual-circle") == 0 ? name
                                                                : ".");
    } else if (strcmp(kind, "raw-pipe") == 0 || strcmp(kind, "raw-short") == 0) {
        H5Pset_external(creation, strcmp(kind, "raw-pipe") == 0 ? "fifo" : "short", 0,
                        sizeof(float) * N * N * N);
        put(file, field, creation, N, 0);
    } else {
        H5Pset_chunk(creation, 3, chunk);
        if (strcmp(kind, "filter") == 0) {
            H5Zregister(&hostile_filter);
            H5Pset_filter(creation, HOSTILE_FILTER, 0, 0, NULL);
        }
        put(file, field, creation, N, N);
    }
    H5Pclose(links);
    H5Pclose(creation);
}

static void put_groups(hid_t file)
{
    H5Lcreate_hard(file, "/", file, "/flow/self", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_hard(file, "/flow", file, "/flow/0/b/up", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/no", file, "/flow/0/b/gone", H5P_DEFAULT, H5P_DEFAULT);
}

static void put_axes(hid_t file)
{
    static const hsize_t n[3] = {HUGE_N, HUGE_N, HUGE_N};
    static float values[HUGE_N];
    const hid_t line = H5Screate_simple(1, n, NULL), all = H5Screate_simple(3, n, NULL);
    for (int v = 0; v < HUGE_N; v++) {
        values[v] = (float)v;
    }
    for (const char *name = "x\0y\0z"; *name != '\0'; name += 2) {
        const hid_t set = H5Dcreate2(file, name, H5T_IEEE_F32LE, line, H5P_DEFAULT,
                                     H5P_DEFAULT, H5P_DEFAULT);
        H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        H5Dclose(set);
    }
    H5Dclose(H5Dcreate2(file, "p", H5T_IEEE_F32LE, all, H5P_DEFAULT, H5P_DEFAULT,
                        H5P_DEFAULT));
    H5Sclose(line);
    H5Sclose(all);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: make_hostile KIND FILE\n");
        return 2;
    }
    const hid_t file = H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (strcmp(argv[1], "huge-axes") == 0) {
        put_axes(file);
    } else {
        put_grid(file, argv[1]);
        put_field(file, argv[1], argv[2]);
    }
    if (strcmp(argv[1], "groups") == 0) {
        put_groups(file);
    }
    return H5Fclose(file) < 0;
}
