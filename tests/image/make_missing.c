/*
 * Writes an HDF5 file with missing values: two blocks with two bricks each, and three
 * steps, the first of which has the number FIRST.
 *
 *   make_missing FILE FIRST
 *
 * Fields, each i / 19 at present values:
 *
 *   p: float32 with _FillValue -999. At the second step it is missing at i = 16 of block
 *   'a', 36 vertices that two bricks share; at the third step everywhere.
 *
 *   packed: int16 with scale_factor 1/190 and add_offset 0.5, so 10 i - 95; missing_value
 *   -32768 at i = 3 of both blocks.
 *
 *   raw: float64 without attributes; -999 at i = 3 of block 'b', 1e300 at i = 4.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NI = 20, NJ = 6, NK = 6, VERTICES = NI * NJ * NK };

static void write_attribute(hid_t set, const char *name, double value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute =
        H5Acreate2(set, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(attribute);
    H5Sclose(space);
}

/* Writes a data set and leaves it open, for its attributes. */
static hid_t write_set(hid_t file, const char *path, hid_t type, const double *values)
{
    const hsize_t dims[3] = {NK, NJ, NI};
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    hid_t space = H5Screate_simple(3, dims, NULL);
    hid_t set = H5Dcreate2(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Sclose(space);
    H5Pclose(links);
    return set;
}

static void write_grid(hid_t file, const char *block, double y0)
{
    for (int axis = 0; axis < 3; axis++) {
        double values[VERTICES];
        for (int n = 0; n < VERTICES; n++) {
            const double at[3] = {n % NI, y0 + n / NI % NJ, (double)(n / (NI * NJ))};
            values[n] = at[axis];
        }
        char path[64];
        snprintf(path, sizeof path, "/grid/%s/%c", block, "xyz"[axis]);
        H5Dclose(write_set(file, path, H5T_IEEE_F32LE, values));
    }
}

static void write_p(hid_t file, const char *block, int first, int step)
{
    double values[VERTICES];
    char path[64];
    for (int n = 0; n < VERTICES; n++) {
        const int i = n % NI;
        const int lacks = step == 2 || (step == 1 && i == 16 && strcmp(block, "a") == 0);
        values[n] = lacks ? -999.0 : i / 19.0;
    }
    snprintf(path, sizeof path, "/flow/%d/%s/p", first + step, block);
    hid_t set = write_set(file, path, H5T_IEEE_F32LE, values);
    write_attribute(set, "_FillValue", -999.0);
    H5Dclose(set);
}

static void write_packed(hid_t file, const char *block, int step)
{
    double values[VERTICES];
    char path[64];
    for (int n = 0; n < VERTICES; n++) {
        values[n] = n % NI == 3 ? -32768.0 : n % NI * 10.0 - 95.0;
    }
    snprintf(path, sizeof path, "/flow/%d/%s/packed", step, block);
    hid_t set = write_set(file, path, H5T_STD_I16BE, values);
    write_attribute(set, "missing_value", -32768.0);
    write_attribute(set, "scale_factor", 1.0 / 190.0);
    write_attribute(set, "add_offset", 0.5);
    H5Dclose(set);
}

static void write_raw(hid_t file, const char *block, int step)
{
    double values[VERTICES];
    char path[64];
    for (int n = 0; n < VERTICES; n++) {
        const int i = n % NI, is_b = strcmp(block, "b") == 0;
        values[n] = is_b && i == 3 ? -999.0 : is_b && i == 4 ? 1e300 : i / 19.0;
    }
    snprintf(path, sizeof path, "/flow/%d/%s/raw", step, block);
    H5Dclose(write_set(file, path, H5T_IEEE_F64LE, values));
}

int main(int argc, char **argv)
{
    static const char *const blocks[2] = {"a", "b"};
    if (argc != 3) {
        fprintf(stderr, "usage: make_missing FILE FIRST\n");
        return 2;
    }
    const int first = atoi(argv[2]);
    hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    for (int b = 0; b < 2; b++) {
        write_grid(file, blocks[b], 8.0 * b);
        for (int step = 0; step < 3; step++) {
            write_p(file, blocks[b], first, step);
            write_packed(file, blocks[b], first + step);
            write_raw(file, blocks[b], first + step);
        }
    }
    return H5Fclose(file) < 0;
}
