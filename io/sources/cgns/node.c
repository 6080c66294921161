#include "node.h"

#include "base/array.h"
#include "io/sources/hdf5/dataset.h"
#include "io/sources/hdf5/virtual.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CHILDREN = 100000, MOST_LINKS = 8, MOST_VALUES = 1 << 20 };

/* Reads an attribute of text. */
static void read_attribute(hid_t id, const char *name, char text[CGNS_NAME_SIZE])
{
    text[0] = '\0';
    if (H5Aexists(id, name) <= 0) {
        return;
    }
    const hid_t attribute = H5Aopen(id, name, H5P_DEFAULT);
    const hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        H5Tget_size(type) < CGNS_NAME_SIZE && H5Aget_storage_size(attribute) > 0 &&
        H5Aget_storage_size(attribute) < CGNS_NAME_SIZE) {
        char bytes[CGNS_NAME_SIZE] = "";
        if (H5Aread(attribute, type, bytes) >= 0) {
            bytes[CGNS_NAME_SIZE - 1] = '\0';
            memcpy(text, bytes, sizeof bytes);
        }
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
}

/* Opens a group below a location; -1 if it is none. */
static hid_t open_group(hid_t location, const char *name)
{
    const hid_t id = H5Lexists(location, name, io_hdf5_links()) > 0
                         ? H5Oopen(location, name, io_hdf5_links())
                         : -1;
    if (id >= 0 && H5Iget_type(id) != H5I_GROUP) {
        H5Oclose(id);
        return -1;
    }
    return id;
}

void cgns_node_close(cgns_node *node)
{
    if (node->id > 0) {
        H5Oclose(node->id);
    }
    node->id = 0;
}

bool cgns_node_root(hid_t file, cgns_node *out)
{
    *out = (cgns_node){.id = H5Oopen(file, "/", io_hdf5_links())};
    return out->id > 0;
}

/* Appends a part to a path; false if it becomes too long. */
static bool extend(char path[IO_PATH_SIZE], const char *part)
{
    const size_t length = strlen(path);
    if (length + strlen(part) + 2 > IO_PATH_SIZE) {
        return false;
    }
    path[length] = '/';
    strcpy(path + length + 1, part);
    return true;
}

/* Follows a node of type LK, and links behind it. */
static bool follow(cgns_node *node)
{
    char type[CGNS_NAME_SIZE];
    read_attribute(node->id, "type", type);
    for (int n = 0; strcmp(type, "LK") == 0; n++) {
        const hid_t target = n < MOST_LINKS ? open_group(node->id, " link") : -1;
        if (target < 0 || !extend(node->path, " link")) {
            if (target >= 0) {
                H5Oclose(target);
            }
            return false;
        }
        H5Oclose(node->id);
        node->id = target;
        read_attribute(node->id, "type", type);
    }
    return true;
}

bool cgns_node_child(const cgns_node *parent, const char *name, cgns_node *out)
{
    *out = (cgns_node){.id = 0};
    if (strlen(name) >= CGNS_NAME_SIZE || strchr(name, '/')) {
        return false;
    }
    const hid_t id = open_group(parent->id, name);
    if (id < 0) {
        return false;
    }
    out->id = id;
    strcpy(out->name, name);
    strcpy(out->path, parent->path);
    if (!extend(out->path, name) || !follow(out)) {
        cgns_node_close(out);
        return false;
    }
    read_attribute(out->id, "label", out->label);
    return true;
}

bool cgns_node_is(const cgns_node *node, const char *label)
{
    return strcmp(node->label, label) == 0;
}

/* ---- Children ---------------------------------------------------------------------- */

typedef struct name_list {
    int count;
    char (*names)[CGNS_NAME_SIZE];
    status status;
} name_list;

/* Names that begin with a space are the mapping's own. */
static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    (void)group;
    (void)info;
    name_list *list = context;
    if (name[0] == ' ' || strlen(name) >= CGNS_NAME_SIZE) {
        return 0;
    }
    if (list->count == MOST_CHILDREN) {
        list->status = base_fail(STATUS_INPUT, "a CGNS node has more than %d children",
                                 (int)MOST_CHILDREN);
        return -1;
    }
    list->status =
        base_array_room(list->names, list->count, 1, "the nodes of a CGNS file");
    if (list->status != STATUS_OK) {
        return -1;
    }
    strcpy(list->names[list->count++], name);
    return 0;
}

status cgns_node_names(const cgns_node *node, int *count, char (**names)[CGNS_NAME_SIZE])
{
    name_list list = {.status = STATUS_OK};
    H5Literate(node->id, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, &list);
    if (list.status != STATUS_OK) {
        free(list.names);
        return list.status;
    }
    *count = list.count;
    *names = list.names;
    return STATUS_OK;
}

bool cgns_node_first(const cgns_node *parent, const char *label, cgns_node *out)
{
    int count = 0;
    char(*names)[CGNS_NAME_SIZE] = NULL;
    bool found = false;
    if (cgns_node_names(parent, &count, &names) != STATUS_OK) {
        base_fail_set_message("");
    }
    for (int n = 0; n < count && !found; n++) {
        found = cgns_node_child(parent, names[n], out) && cgns_node_is(out, label);
        if (!found) {
            cgns_node_close(out);
        }
    }
    free(names);
    return found;
}

/* ---- Values ------------------------------------------------------------------------ */

/* Opens the values; returns their number, or 0. */
static int64_t open_values(const cgns_node *node, hid_t *set)
{
    *set = H5Lexists(node->id, " data", io_hdf5_links()) > 0
               ? io_hdf5_values_open(node->id, " data")
               : -1;
    const hid_t space = *set < 0 ? -1 : H5Dget_space(*set);
    const hssize_t count = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
    if (space >= 0) {
        H5Sclose(space);
    }
    if (*set >= 0 && (count <= 0 || count > MOST_VALUES)) {
        H5Dclose(*set);
        *set = -1;
    }
    return *set >= 0 ? (int64_t)count : 0;
}

/* Reads values of 8 bytes; returns how many fit. HDF5 would clear 1 MiB for converting
 * each few of them. */
static int read_values(const cgns_node *node, hid_t type, int most, void *out)
{
    enum { BUFFER = 1 << 12 };
    hid_t set;
    const int64_t count = open_values(node, &set);
    const hid_t mode = H5Pcreate(H5P_DATASET_XFER);
    int64_t *values = count > 0 ? malloc((size_t)count * sizeof *values) : NULL;
    int taken = 0;
    H5Pset_buffer(mode, BUFFER, NULL, NULL);
    if (values && H5Dread(set, type, H5S_ALL, H5S_ALL, mode, values) >= 0) {
        taken = count < most ? (int)count : most;
        memcpy(out, values, (size_t)taken * sizeof *values);
    }
    free(values);
    H5Pclose(mode);
    if (set >= 0) {
        H5Dclose(set);
    }
    return taken;
}

int cgns_node_ints(const cgns_node *node, int most, int64_t *out)
{
    return read_values(node, H5T_NATIVE_INT64, most, out);
}

int cgns_node_reals(const cgns_node *node, int most, double *out)
{
    return read_values(node, H5T_NATIVE_DOUBLE, most, out);
}

status cgns_node_list(const cgns_node *node, int *count, int64_t **out)
{
    hid_t set;
    const int64_t all = open_values(node, &set);
    *count = 0;
    *out = all > 0 ? malloc((size_t)all * sizeof **out) : NULL;
    if (set >= 0) {
        H5Dclose(set);
    }
    if (all > 0 && !*out) {
        return base_fail_memory((size_t)all * sizeof **out, "a list of a CGNS file");
    }
    *count = all > 0 ? cgns_node_ints(node, (int)all, *out) : 0;
    return STATUS_OK;
}

void cgns_node_text(const cgns_node *node, size_t size, char *text)
{
    hid_t set;
    const int64_t count = open_values(node, &set);
    char *bytes = count > 0 ? malloc((size_t)count) : NULL;
    size_t length = 0;
    if (bytes &&
        H5Dread(set, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0) {
        length = (size_t)count < size ? (size_t)count : size - 1;
        memcpy(text, bytes, length);
    }
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\0')) {
        length--;
    }
    text[length] = '\0';
    free(bytes);
    if (set >= 0) {
        H5Dclose(set);
    }
}

char *cgns_node_table(const cgns_node *node, int64_t n[3])
{
    enum { MOST_TEXT = 1 << 27 };
    hsize_t sizes[H5S_MAX_RANK];
    const hid_t set = H5Lexists(node->id, " data", io_hdf5_links()) > 0
                          ? io_hdf5_values_open(node->id, " data")
                          : -1;
    const hid_t space = set < 0 ? -1 : H5Dget_space(set);
    bool fits = space >= 0 && H5Sget_simple_extent_dims(space, sizes, NULL) == 3;
    double count = 1.0;
    for (int axis = 0; axis < 3 && fits; axis++) {
        n[axis] = (int64_t)sizes[axis];
        count *= (double)sizes[axis];
    }
    fits = fits && count > 0.0 && count <= MOST_TEXT;
    char *text = fits ? malloc((size_t)count) : NULL;
    if (text && H5Dread(set, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
        free(text);
        text = NULL;
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    return text;
}

void cgns_node_child_text(const cgns_node *node, const char *name, size_t size,
                          char *text)
{
    cgns_node child;
    text[0] = '\0';
    if (cgns_node_child(node, name, &child)) {
        cgns_node_text(&child, size, text);
        cgns_node_close(&child);
    }
}
