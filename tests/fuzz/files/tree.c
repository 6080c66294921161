#include "tree.h"

#include "tests/support/random.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Trees ------------------------------------------------------------------------- */

fuzz_node *fuzz_tree_add(fuzz_tree *tree, const char *path, const char *label)
{
    if (tree->count == FUZZ_NODES) {
        return NULL;
    }
    fuzz_node *node = &tree->nodes[tree->count++];
    memset(node, 0, sizeof *node);
    node->rank = -1;
    snprintf(node->path, sizeof node->path, "%s", path);
    snprintf(node->label, sizeof node->label, "%s", label ? label : "");
    return node;
}

void fuzz_node_array(fuzz_node *node, fuzz_type type, const int64_t n[3], double first)
{
    if (node) {
        node->rank = 3;
        node->type = type;
        node->first = first;
        for (int axis = 0; axis < 3; axis++) {
            node->dims[2 - axis] = n[axis];
        }
    }
}

void fuzz_node_numbers(fuzz_node *node, fuzz_type type, int count, const double *values)
{
    if (node) {
        node->rank = 1;
        node->type = type;
        node->dims[0] = count;
        node->nvalues = count < FUZZ_VALUES ? count : FUZZ_VALUES;
        memcpy(node->values, values, (size_t)node->nvalues * sizeof *values);
    }
}

void fuzz_node_text(fuzz_node *node, const char *text)
{
    if (node) {
        node->rank = 1;
        node->type = FUZZ_CHAR;
        snprintf(node->text, sizeof node->text, "%s", text);
        node->dims[0] = (int64_t)strlen(node->text);
    }
}

void fuzz_node_attribute(fuzz_node *node, const char *name, double value)
{
    if (node && node->nattributes < 4) {
        snprintf(node->attributes[node->nattributes].name,
                 sizeof node->attributes[0].name, "%s", name);
        node->attributes[node->nattributes].text[0] = '\0';
        node->attributes[node->nattributes++].value = value;
    }
}

void fuzz_node_word(fuzz_node *node, const char *name, const char *text)
{
    const int before = node ? node->nattributes : 0;
    fuzz_node_attribute(node, name, 0.0);
    if (node && node->nattributes > before) {
        snprintf(node->attributes[before].text, sizeof node->attributes[0].text, "%s",
                 text);
    }
}

/* ---- Damage ------------------------------------------------------------------------ */

double fuzz_lie(uint64_t *state)
{
    static const double lies[] = {0,          1,     2,     3,    -1,   -2,    1e9,
                                  2147483647, -2e9,  65536, 1e18, 9e18, -9e18, 1e300,
                                  -1e30,      1e-30, 7,     100,  4,    5};
    const int count = sizeof lies / sizeof lies[0];
    return random_below(state, 3) == 0 ? (double)(int32_t)random_word(state)
                                       : lies[random_below(state, count)];
}

static void damage_shape(fuzz_node *node, uint64_t *state)
{
    static const int64_t sizes[] = {0,
                                    1,
                                    2,
                                    3,
                                    4,
                                    5,
                                    17,
                                    100,
                                    70000,
                                    INT64_C(1) << 31,
                                    INT64_C(1) << 33,
                                    INT64_C(1) << 45};
    if (random_below(state, 3) == 0) {
        node->rank = random_below(state, FUZZ_RANK + 1);
    }
    const int axis = random_below(state, FUZZ_RANK);
    node->dims[axis] = sizes[random_below(state, sizeof sizes / sizeof sizes[0])];
    node->is_chunked = random_below(state, 2) == 0;
}

static void damage_text(char *text, size_t size, uint64_t *state)
{
    static const char letters[] = "XYZ0123456789 _/.%[]{}\\:\"'\t\n\x80\xff";
    size_t length = strlen(text);
    const int kind = random_below(state, 4);
    if (kind == 0 && length > 0) {
        text[random_below(state, (int)length)] = '\0';
    } else if (kind == 1 && length + 1 < size) {
        memset(text + length, 'a', size - 1 - length);
        text[size - 1] = '\0';
    } else if (length > 0) {
        text[random_below(state, (int)length)] =
            letters[random_below(state, sizeof letters - 1)];
    }
}

/* Makes a link of a node: soft, into another file, or in a circle. */
static void damage_link(const fuzz_tree *tree, fuzz_node *node, uint64_t *state)
{
    static const char *const targets[] = {"/",
                                          ".",
                                          "fuzz.h5:/",
                                          "none.h5:/x",
                                          "../../etc/passwd:/",
                                          "/nowhere",
                                          "fuzz.h5:/ link"};
    const int kind = random_below(state, 3);
    if (kind == 0) {
        strcpy(node->target, node->path);
    } else if (kind == 1) {
        strcpy(node->target, tree->nodes[random_below(state, tree->count)].path);
    } else {
        strcpy(node->target,
               targets[random_below(state, sizeof targets / sizeof targets[0])]);
    }
}

static void damage_attributes(fuzz_node *node, uint64_t *state)
{
    static const char *const names[] = {"time",         "_FillValue",    "missing_value",
                                        "scale_factor", "karman_format", "name",
                                        "label",        "type",          "add_offset",
                                        "units",        "axis",          "positive"};
    static const char *const words[] = {"what is this?", "m", "degrees_east",
                                        "down",          "X", "days since 1900-01-01"};
    fuzz_node_attribute(node, names[random_below(state, sizeof names / sizeof names[0])],
                        fuzz_lie(state));
    if (node->nattributes > 0) {
        const int n = random_below(state, node->nattributes);
        node->attributes[n].value = fuzz_lie(state);
        snprintf(node->attributes[n].text, sizeof node->attributes[n].text, "%s",
                 random_below(state, 3) > 0
                     ? ""
                     : words[random_below(state, sizeof words / sizeof words[0])]);
    }
}

static void damage_node(fuzz_tree *tree, fuzz_node *node, uint64_t *state)
{
    const fuzz_node *other = &tree->nodes[random_below(state, tree->count)];
    switch (random_below(state, 9)) {
    case 0:
        damage_shape(node, state);
        break;
    case 1:
        node->type = (fuzz_type)random_below(state, FUZZ_TYPES);
        break;
    case 2:
        damage_text(node->path, sizeof node->path, state);
        break;
    case 3:
        memmove(node->label, other->label, sizeof node->label);
        break;
    case 4:
        damage_link(tree, node, state);
        break;
    case 5:
        damage_attributes(node, state);
        break;
    case 6:
        damage_text(node->text, sizeof node->text, state);
        damage_text(node->label, sizeof node->label, state);
        break;
    case 7:
        *node = *other; /* a path that is there already: the node is missing */
        break;
    default:
        node->nvalues = node->nvalues > 0 ? node->nvalues : 1;
        node->values[random_below(state, node->nvalues)] = fuzz_lie(state);
    }
}

void fuzz_tree_damage(fuzz_tree *tree, uint64_t *state)
{
    for (int left = 1 + random_below(state, 3); left > 0; left--) {
        damage_node(tree, &tree->nodes[random_below(state, tree->count)], state);
    }
}

/* ---- Writing ----------------------------------------------------------------------- */

static hid_t type_of(const fuzz_node *node)
{
    const hid_t types[] = {H5T_NATIVE_INT32,  H5T_NATIVE_INT64, H5T_NATIVE_FLOAT,
                           H5T_NATIVE_DOUBLE, H5T_NATIVE_CHAR,  H5T_C_S1};
    return types[node->type];
}

static int64_t count_values(const fuzz_node *node)
{
    int64_t count = 1;
    for (int axis = 0; axis < node->rank; axis++) {
        count = count < 100000 ? count * node->dims[axis] : count;
    }
    return count;
}

static void write_values(hid_t set, const fuzz_node *node, int64_t count)
{
    if (node->type == FUZZ_CHAR) {
        char *text = calloc((size_t)count + 1, 1);
        const size_t length = strlen(node->text);
        memset(text, ' ', (size_t)count);
        memcpy(text, node->text, length < (size_t)count ? length : (size_t)count);
        H5Dwrite(set, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
        free(text);
    } else if (node->type != FUZZ_STRING) {
        double *values = calloc((size_t)count + 1, sizeof *values);
        for (int64_t n = 0; n < count; n++) {
            values[n] = n < node->nvalues
                            ? node->values[n]
                            : node->first + (double)n + 0.01 * (double)(n * n % 7);
        }
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        free(values);
    }
}

static void write_set(hid_t file, const char *path, const fuzz_node *node)
{
    hsize_t dims[FUZZ_RANK], chunks[FUZZ_RANK];
    const int64_t count = count_values(node);
    for (int axis = 0; axis < node->rank; axis++) {
        dims[axis] = (hsize_t)(node->dims[axis] > 0 ? node->dims[axis] : 0);
        chunks[axis] = dims[axis] > 0 && dims[axis] < 4 ? dims[axis] : 4;
    }
    const hid_t links = H5Pcreate(H5P_LINK_CREATE),
                creation = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space =
        node->rank > 0 ? H5Screate_simple(node->rank, dims, NULL) : H5Screate(H5S_SCALAR);
    H5Pset_create_intermediate_group(links, 1);
    if (node->rank > 0 && (node->is_chunked || count >= 100000)) {
        H5Pset_chunk(creation, node->rank, chunks);
    }
    const hid_t set =
        H5Dcreate(file, path, type_of(node), space, links, creation, H5P_DEFAULT);
    if (set >= 0 && count > 0 && count < 100000) {
        write_values(set, node, count);
    }
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(creation);
    H5Pclose(links);
}

static void write_text_attribute(hid_t group, const char *name, size_t size,
                                 const char *text)
{
    char bytes[64] = "";
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    snprintf(bytes, sizeof bytes, "%.60s", text);
    H5Tset_size(type, size);
    const hid_t attribute = H5Acreate(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, bytes);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static void write_attributes(hid_t object, const fuzz_node *node)
{
    for (int n = 0; n < node->nattributes; n++) {
        const char *name = node->attributes[n].name;
        if (node->attributes[n].text[0] != '\0') {
            write_text_attribute(object, name, 33, node->attributes[n].text);
            continue;
        }
        const hid_t space = H5Screate(H5S_SCALAR);
        const hid_t attribute =
            H5Acreate(object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(attribute, H5T_NATIVE_DOUBLE, &node->attributes[n].value);
        H5Aclose(attribute);
        H5Sclose(space);
    }
}

static void write_link(hid_t file, const fuzz_node *node)
{
    char name[FUZZ_PATH];
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    snprintf(name, sizeof name, "%s", node->target);
    char *colon = strchr(name, ':');
    if (colon) {
        *colon = '\0';
        H5Lcreate_external(name, colon + 1, file, node->path, links, H5P_DEFAULT);
    } else {
        H5Lcreate_soft(name, file, node->path, links, H5P_DEFAULT);
    }
    H5Pclose(links);
}

/* A group; of CGNS with the attributes of a node. */
static hid_t open_group(hid_t file, const fuzz_tree *tree, const fuzz_node *node)
{
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t group =
        strcmp(node->path, "/") == 0
            ? H5Gopen(file, "/", H5P_DEFAULT)
            : H5Gcreate(file, node->path, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Pclose(links);
    if (group >= 0 && tree->is_cgns && node->label[0] != '\0') {
        const char *slash = strrchr(node->path, '/');
        write_text_attribute(group, "name", 33, slash ? slash + 1 : node->path);
        write_text_attribute(group, "label", 33, node->label);
        write_text_attribute(group, "type", 3, node->rank < 0 ? "MT" : "R8");
    }
    return group;
}

static void write_node(hid_t file, const fuzz_tree *tree, const fuzz_node *node)
{
    char path[FUZZ_PATH + 8];
    if (node->target[0] != '\0') {
        write_link(file, node);
        return;
    }
    const bool is_own_set = node->rank >= 0 && !tree->is_cgns;
    hid_t object = is_own_set ? -1 : open_group(file, tree, node);
    if (node->rank >= 0) {
        snprintf(path, sizeof path, "%s%s", node->path, is_own_set ? "" : "/ data");
        write_set(file, path, node);
    }
    object = is_own_set ? H5Dopen(file, node->path, H5P_DEFAULT) : object;
    if (object >= 0) {
        write_attributes(object, node);
        H5Oclose(object);
    }
}

void fuzz_tree_write(const fuzz_tree *tree, const char *path)
{
    H5E_auto2_t print;
    void *data;
    H5Eget_auto2(H5E_DEFAULT, &print, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    for (int n = 0; n < tree->count && file >= 0; n++) {
        write_node(file, tree, &tree->nodes[n]);
    }
    H5Fclose(file);
    H5Eset_auto2(H5E_DEFAULT, print, data);
}
