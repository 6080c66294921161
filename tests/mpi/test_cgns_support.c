#include "test_cgns_support.h"

#include "test_io_support.h"

#include <stdio.h>
#include <string.h>

static void put_attribute(hid_t group, const char *name, size_t size, const char *text)
{
    char bytes[33] = "";
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    snprintf(bytes, sizeof bytes, "%s", text);
    H5Tset_size(type, size);
    const hid_t attribute = H5Acreate(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    check(H5Awrite(attribute, type, bytes) >= 0, "an attribute cannot be written");
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

/* Makes a node at a path, whose parents are there. */
void cgns_put_node(hid_t file, const char *path, const char *label, const char *type)
{
    const hid_t group = H5Gcreate(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    check(group >= 0, "no node '%s'", path);
    put_attribute(group, "name", 33, strrchr(path, '/') + 1);
    put_attribute(group, "label", 33, label);
    put_attribute(group, "type", 3, type);
    H5Gclose(group);
}

void cgns_put_data(hid_t file, const char *path, hid_t type, int rank,
                   const hsize_t *dims, const void *data)
{
    char name[512];
    snprintf(name, sizeof name, "%.500s/ data", path);
    const hid_t space = H5Screate_simple(rank, dims, NULL);
    const hid_t set =
        H5Dcreate(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0,
          "'%s' cannot be written", name);
    H5Dclose(set);
    H5Sclose(space);
}

void cgns_put_text(hid_t file, const char *path, const char *label, const char *text)
{
    const hsize_t length = strlen(text);
    cgns_put_node(file, path, label, "C1");
    cgns_put_data(file, path, H5T_NATIVE_CHAR, 1, &length, text);
}

void cgns_put_ints(hid_t file, const char *path, const char *label, int count,
                   const int *values)
{
    const hsize_t dims = (hsize_t)count;
    cgns_put_node(file, path, label, "I4");
    cgns_put_data(file, path, H5T_NATIVE_INT, 1, &dims, values);
}

/* A child's path, until the next call. */
const char *cgns_below(const char *path, const char *name)
{
    static char text[1024];
    snprintf(text, sizeof text, "%s/%s", path, name);
    return text;
}
