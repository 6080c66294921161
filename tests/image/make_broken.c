/*
 * Writes small HDF5 files with one fault each.
 *
 *   make_broken KIND FILE
 *
 * Kinds: sound, one-cell, no-grid, no-y, wrong-shape, text-field, flat, all-nan,
 * some-nan, no-finite (of the field), no-field; two-steps (0 and 5); lost-field (u, v, w
 * at steps 0 and 1, but s at step 0 only), same-times (all of them at both steps, which
 * have one time), still (u, v, w that are 0).
 */
#include <hdf5.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5, VERTICES = N * N * N };

static void write_floats(hid_t file, const char *path, const hsize_t dims[3],
                         const float *values)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    hid_t space = H5Screate_simple(3, dims, NULL);
    hid_t set =
        H5Dcreate2(file, path, H5T_IEEE_F32LE, space, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
}

static void write_text(hid_t file, const char *path, const hsize_t dims[3])
{
    char *letters = calloc(VERTICES, 8);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 8);
    hid_t space = H5Screate_simple(3, dims, NULL);
    hid_t set = H5Dcreate2(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, letters);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    H5Pclose(links);
    free(letters);
}

static void fill_coordinates(float xyz[3][VERTICES], const hsize_t dims[3],
                             const char *kind)
{
    int n = 0;
    for (hsize_t k = 0; k < dims[0]; k++) {
        for (hsize_t j = 0; j < dims[1]; j++) {
            for (hsize_t i = 0; i < dims[2]; i++, n++) {
                xyz[0][n] = (float)i;
                xyz[1][n] = (float)j;
                xyz[2][n] = (float)k;
                if (strcmp(kind, "all-nan") == 0 ||
                    (strcmp(kind, "some-nan") == 0 && i == 2 && j == 2)) {
                    xyz[1][n] = NAN;
                }
            }
        }
    }
}

static void write_time(hid_t file, const char *step, double time)
{
    hid_t group = H5Gopen2(file, step, H5P_DEFAULT);
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute =
        H5Acreate2(group, "time", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, &time);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Gclose(group);
}

/* Steps 0 and 1 with a velocity along x. */
static void write_flow(hid_t file, const hsize_t dims[3], const char *kind)
{
    static float values[3][VERTICES], field[VERTICES];
    for (int v = 0; v < VERTICES; v++) {
        values[0][v] = strcmp(kind, "still") == 0 ? 0.0f : 1.0f;
        field[v] = (float)v;
    }
    for (int step = 0; step < 2; step++) {
        for (int c = 0; c < 3; c++) {
            char path[32];
            snprintf(path, sizeof path, "/flow/%d/b/%c", step, "uvw"[c]);
            write_floats(file, path, dims, values[c]);
        }
        if (step == 1 && strcmp(kind, "lost-field") != 0) {
            write_floats(file, "/flow/1/b/s", dims, field);
        }
        const bool same = strcmp(kind, "same-times") == 0;
        write_time(file, step == 0 ? "/flow/0" : "/flow/1", same ? 0.5 : 0.5 * step);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: make_broken KIND FILE\n");
        return 2;
    }
    const char *kind = argv[1];
    hsize_t n = strcmp(kind, "one-cell") == 0 ? 2 : N;
    hsize_t dims[3] = {strcmp(kind, "flat") == 0 ? 1 : n, n, n};
    hsize_t wrong[3] = {n, n - 1, n};
    static float xyz[3][VERTICES], field[VERTICES];
    fill_coordinates(xyz, dims, kind);
    for (int v = 0; v < VERTICES; v++) {
        field[v] = strcmp(kind, "no-finite") == 0 ? NAN : (float)v;
    }
    hid_t file = H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const char *axes[3] = {"/grid/b/x", "/grid/b/y", "/grid/b/z"};
    for (int axis = 0; axis < 3 && strcmp(kind, "no-grid") != 0; axis++) {
        if (axis == 1 && strcmp(kind, "no-y") == 0) {
            continue;
        }
        write_floats(file, axes[axis], dims, xyz[axis]);
    }
    if (strcmp(kind, "text-field") == 0) {
        write_text(file, "/flow/0/b/s", dims);
    } else if (strcmp(kind, "no-field") != 0) {
        write_floats(file, "/flow/0/b/s", strcmp(kind, "wrong-shape") == 0 ? wrong : dims,
                     field);
    }
    if (strcmp(kind, "two-steps") == 0) {
        write_floats(file, "/flow/5/b/s", dims, field);
    }
    if (strcmp(kind, "lost-field") == 0 || strcmp(kind, "same-times") == 0 ||
        strcmp(kind, "still") == 0) {
        write_flow(file, dims, kind);
    }
    return H5Fclose(file) < 0;
}
