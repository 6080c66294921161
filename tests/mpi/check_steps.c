/*
 * Checks that the steps of a file are complete:
 *
 *   check_steps REFERENCE FILE
 *
 * The grid, and every step that REFERENCE also has, have the same values as there. Other
 * steps can be read, and their density is positive. Prints the number of the last step.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *path;

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "check_steps: %s: %s: %s\n", path, name, what);
    exit(1);
}

/* The values of a data set; *count of them. Free them. */
static double *read_values(hid_t file, const char *name, hssize_t *count)
{
    hid_t array = H5Dopen(file, name, H5P_DEFAULT);
    hid_t space = array < 0 ? -1 : H5Dget_space(array);
    if (space < 0) {
        fail("cannot be opened", name);
    }
    *count = H5Sget_simple_extent_npoints(space);
    double *values = malloc((size_t)(*count + 1) * sizeof *values);
    if (!values ||
        H5Dread(array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
        fail("cannot be read", name);
    }
    H5Sclose(space);
    H5Dclose(array);
    return values;
}

static void check_array(hid_t file, hid_t reference, const char *name)
{
    hssize_t count, expected;
    double *values = read_values(file, name, &count);
    if (reference >= 0) {
        double *right = read_values(reference, name, &expected);
        if (count != expected ||
            memcmp(values, right, (size_t)count * sizeof *values) != 0) {
            fail("has other values", name);
        }
        free(right);
    }
    for (hssize_t n = 0; strstr(name, "density") && n < count; n++) {
        if (!(values[n] > 0.0)) {
            fail("has a density that is not more than 0", name);
        }
    }
    free(values);
}

static void check_time(hid_t file, hid_t reference, const char *group)
{
    double times[2] = {0.0, 0.0};
    hid_t files[2] = {file, reference >= 0 ? reference : file};
    for (int n = 0; n < 2; n++) {
        hid_t time = H5Aopen_by_name(files[n], group, "time", H5P_DEFAULT, H5P_DEFAULT);
        if (time < 0 || H5Aread(time, H5T_NATIVE_DOUBLE, &times[n]) < 0) {
            fail("has no time", group);
        }
        H5Aclose(time);
    }
    if (times[0] != times[1]) {
        fail("has another time", group);
    }
}

typedef struct walk {
    hid_t file, reference;
    long long last;
} walk;

static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *data)
{
    static const char *const variables[] = {"density", "momentum_x", "momentum_y",
                                            "momentum_z", "energy"};
    walk *w = data;
    char step[128], array[256], *end;
    long long number = strtoll(name, &end, 10);
    (void)group;
    (void)info;
    if (*end != '\0') {
        return 0; /* no step: readers pass over it */
    }
    snprintf(step, sizeof step, "/flow/%s", name);
    hid_t reference = H5Lexists(w->reference, step, H5P_DEFAULT) > 0 ? w->reference : -1;
    check_time(w->file, reference, step);
    for (int v = 0; v < 5; v++) {
        snprintf(array, sizeof array, "%s/cylinder/%s", step, variables[v]);
        check_array(w->file, reference, array);
    }
    w->last = number > w->last ? number : w->last;
    return 0;
}

int main(int argc, char **argv)
{
    path = argc == 3 ? argv[2] : "arguments";
    H5Eset_auto(H5E_DEFAULT, NULL, NULL);
    walk w = {.last = -1};
    w.reference = argc == 3 ? H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
    w.file = argc == 3 ? H5Fopen(argv[2], H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
    if (w.reference < 0 || w.file < 0) {
        fail("cannot be opened", "file");
    }
    check_array(w.file, w.reference, "/grid/cylinder/x");
    check_array(w.file, w.reference, "/grid/cylinder/y");
    check_array(w.file, w.reference, "/grid/cylinder/z");
    if (H5Literate_by_name(w.file, "/flow", H5_INDEX_NAME, H5_ITER_INC, NULL, visit, &w,
                           H5P_DEFAULT) < 0 ||
        w.last < 0) {
        fail("there are no steps", "/flow");
    }
    printf("%lld\n", w.last);
    return 0;
}
