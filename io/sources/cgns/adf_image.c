#define _XOPEN_SOURCE 700 /* realpath */

#include "adf_image.h"

#include "adf.h"
#include "base/log.h"
#include "base/parallel/share.h"
#include "base/path.h"
#include "io/gzip/unpacked.h"
#include "io/sources/hdf5/in_memory.h"
#include "node.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    MOST_NODES = 1 << 20,
    MOST_DEPTH = 64,
    MOST_FILES = 4096,
    SMALL = 1024,          /* bytes of data that are copied, */
    MOST_COPIED = 1 << 28, /* and of all of them */
    LINK_SIZE = 5200       /* 1024 bytes of a file's name and 4096 of a path */
};

/* An image that is being made. */
typedef struct maker {
    hid_t image;
    int64_t nodes, copied, links;
    int nfiles;
    char **files;    /* [nfiles]: absolute paths: the file itself, and those of links */
    int now;         /* the file that is read */
    int64_t left;    /* nodes that it may still have */
    cgns_adf source; /* the same, open */
    hid_t plain;     /* how data sets are created */
} maker;

static status fail_hdf5(void)
{
    return base_fail(STATUS_MEMORY, "not enough memory for the nodes of an ADF file");
}

/* Opening a pipe could wait for ever. */
static status find_adf(const char *path, bool *is)
{
    struct stat about;
    *is = false;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) {
        return STATUS_OK;
    }
    FILE *stream = io_packed_stream(path);
    *is = stream && cgns_adf_is(stream);
    const status s = !stream || ferror(stream)
                         ? base_fail(STATUS_INPUT, "file '%s' cannot be read: %s", path,
                                     strerror(errno))
                         : STATUS_OK;
    if (stream) {
        fclose(stream);
    }
    return s;
}

/* ---- Data -------------------------------------------------------------------------- */

/* A type in HDF5; opaque for those that karman does not read, as complex numbers. *size:
 * bytes of a number. */
static hid_t make_type(const cgns_adf *file, const char *name, int64_t *size)
{
    const bool is_big = file->is_big, is_long = file->long_size == 8;
    const struct {
        const char *name;
        hid_t type;
    } types[] = {
        {"C1", H5T_NATIVE_CHAR},
        {"B1", H5T_NATIVE_UCHAR},
        {"I4", is_big ? H5T_STD_I32BE : H5T_STD_I32LE},
        {"U4", is_big ? H5T_STD_U32BE : H5T_STD_U32LE},
        {"R4", is_big ? H5T_IEEE_F32BE : H5T_IEEE_F32LE},
        {"R8", is_big ? H5T_IEEE_F64BE : H5T_IEEE_F64LE},
        {is_long ? "I8" : "", is_big ? H5T_STD_I64BE : H5T_STD_I64LE},
        {is_long ? "U8" : "", is_big ? H5T_STD_U64BE : H5T_STD_U64LE},
        {is_long ? "" : "I8", is_big ? H5T_STD_I32BE : H5T_STD_I32LE},
        {is_long ? "" : "U8", is_big ? H5T_STD_U32BE : H5T_STD_U32LE},
    };
    for (size_t n = 0; n < sizeof types / sizeof types[0]; n++) {
        if (strcmp(types[n].name, name) == 0) {
            *size = (int64_t)H5Tget_size(types[n].type);
            return H5Tcopy(types[n].type);
        }
    }
    *size = 0;
    return H5Tcreate(H5T_OPAQUE, 1);
}

/* Bytes of a node's data; 0: none. */
static status count_bytes(const cgns_adf *file, const cgns_adf_node *node, int64_t size,
                          int64_t *out)
{
    int64_t bytes = node->nchunks > 0 && node->rank > 0 ? size : 0;
    for (int axis = 0; axis < node->rank; axis++) {
        if (node->shape[axis] > 0 && bytes > file->size / node->shape[axis]) {
            return base_fail(STATUS_INPUT,
                             "ADF file '%s' is cut off or damaged: the data of node '%s' "
                             "are larger than the file",
                             file->path, node->name);
        }
        bytes *= node->shape[axis];
    }
    *out = bytes;
    return STATUS_OK;
}

/* Makes the data set of a node. The slowest axis comes first in HDF5. */
static hid_t make_set(const cgns_adf_node *node, hid_t group, hid_t type, hid_t create)
{
    hsize_t shape[CGNS_ADF_AXES];
    for (int axis = 0; axis < node->rank; axis++) {
        shape[axis] = (hsize_t)node->shape[node->rank - 1 - axis];
    }
    const hid_t space = H5Screate_simple(node->rank, shape, NULL);
    const hid_t set =
        H5Dcreate(group, " data", type, space, H5P_DEFAULT, create, H5P_DEFAULT);
    if (space >= 0) {
        H5Sclose(space);
    }
    return set;
}

static status copy_data(maker *m, const cgns_adf_node *node, hid_t group, hid_t type,
                        int64_t count, const cgns_adf_piece *pieces)
{
    char values[SMALL];
    status s = cgns_adf_read_pieces(&m->source, count, pieces, values);
    const hid_t set = s == STATUS_OK ? make_set(node, group, type, m->plain) : -1;
    if (s == STATUS_OK &&
        (set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)) {
        s = fail_hdf5();
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    return s;
}

static status point_to_data(const maker *m, const cgns_adf_node *node, hid_t group,
                            hid_t type, int64_t count, const cgns_adf_piece *pieces)
{
    const hid_t create = H5Pcopy(m->plain);
    bool works = create >= 0;
    for (int64_t n = 0; n < count && works; n++) {
        works = H5Pset_external(create, m->files[m->now], (off_t)pieces[n].offset,
                                (hsize_t)pieces[n].length) >= 0;
    }
    const hid_t set = works ? make_set(node, group, type, create) : -1;
    if (set >= 0) {
        H5Dclose(set);
    }
    H5Pclose(create);
    return set >= 0 ? STATUS_OK : fail_hdf5();
}

static status add_data(maker *m, const cgns_adf_node *node, hid_t group)
{
    int64_t size, bytes = 0, count = 0;
    cgns_adf_piece *pieces = NULL;
    const hid_t type = make_type(&m->source, node->type, &size);
    status s = type < 0 ? fail_hdf5() : count_bytes(&m->source, node, size, &bytes);
    if (s == STATUS_OK && bytes > 0) {
        s = cgns_adf_find_data(&m->source, node, bytes, &count, &pieces);
    }
    if (s == STATUS_OK && bytes > 0 && bytes <= SMALL && m->copied < MOST_COPIED) {
        m->copied += bytes;
        s = copy_data(m, node, group, type, count, pieces);
    } else if (s == STATUS_OK && (bytes > 0 || (size == 0 && node->rank > 0))) {
        s = point_to_data(m, node, group, type, count, pieces);
    }
    free(pieces);
    if (type >= 0) {
        H5Tclose(type);
    }
    return s;
}

/* ---- Links ------------------------------------------------------------------------- */

/* The absolute path of a linked file: beside the file with the link, or in the working
 * folder. */
static bool find_path(const char *linking, const char *name, char out[PATH_MAX])
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(linking, '/') - linking),
             linking);
    char *beside = base_path_join(folder, name);
    const bool found = (beside && realpath(beside, out)) || realpath(name, out);
    free(beside);
    return found;
}

/* The number of a file; adds it to the list if it is a new one. */
static status number_file(maker *m, const char *path, int *number)
{
    for (*number = 0; *number < m->nfiles; ++*number) {
        if (strcmp(m->files[*number], path) == 0) {
            return STATUS_OK;
        }
    }
    if (m->nfiles == MOST_FILES) {
        return base_fail(STATUS_INPUT, "ADF file '%s' has links to more than %d files",
                         m->files[0], (int)MOST_FILES);
    }
    char *copy = strdup(path);
    char **files = realloc(m->files, ((size_t)m->nfiles + 1) * sizeof *files);
    if (files) {
        m->files = files;
        files[m->nfiles] = copy;
    }
    if (!files || !copy) {
        free(copy);
        return base_fail_memory(sizeof *files, "a linked file");
    }
    m->nfiles++;
    return STATUS_OK;
}

static status find_linked(maker *m, const char *link, const char *name, int *number)
{
    char path[PATH_MAX];
    if (!find_path(m->files[m->now], name, path)) {
        return base_fail(STATUS_INPUT,
                         "node '%s' of ADF file '%s' is a link to file '%.300s', which "
                         "is missing",
                         link, m->source.path, name);
    }
    bool is;
    status s = find_adf(path, &is);
    if (s == STATUS_OK && !is) {
        s = base_fail(STATUS_INPUT,
                      "node '%s' of ADF file '%s' is a link to file '%.300s', which is "
                      "not ADF: bring both into HDF5 by adf2hdf",
                      link, m->source.path, name);
    }
    return s == STATUS_OK ? number_file(m, path, number) : s;
}

/* Reads the text of a link, "FILE>PATH" or ">PATH". */
static status read_link(const maker *m, const cgns_adf_node *node, char text[LINK_SIZE])
{
    cgns_adf_piece *pieces = NULL;
    int64_t count = 0;
    const int64_t length = node->rank == 1 && node->nchunks > 0 ? node->shape[0] : 0;
    if (length <= 0 || length >= LINK_SIZE) {
        return base_fail(STATUS_INPUT, "node '%s' of ADF file '%s' is no sound link",
                         node->name, m->source.path);
    }
    status s = cgns_adf_find_data(&m->source, node, length, &count, &pieces);
    if (s == STATUS_OK) {
        s = cgns_adf_read_pieces(&m->source, count, pieces, text);
    }
    free(pieces);
    text[length] = '\0';
    for (size_t end = strlen(text); end > 0 && text[end - 1] == ' '; end--) {
        text[end - 1] = '\0';
    }
    return s;
}

/* Nodes of other files are below groups of names that no node has. */
static status add_link(maker *m, const cgns_adf_node *node, hid_t parent,
                       const char *name)
{
    char text[LINK_SIZE] = "", prefix[32] = "", target[LINK_SIZE + 40];
    int number = m->now;
    status s = read_link(m, node, text);
    char *separator = strchr(text, m->source.separator);
    const char *path = separator ? separator + 1 : text + (text[0] != '\0');
    if (s == STATUS_OK && separator && separator > text) {
        *separator = '\0';
        s = find_linked(m, name, text, &number);
    }
    if (number > 0) {
        snprintf(prefix, sizeof prefix, "/ file %d", number);
    }
    snprintf(target, sizeof target, "%s%s%s", prefix, path[0] == '/' ? "" : "/", path);
    m->links++;
    if (s == STATUS_OK &&
        H5Lcreate_soft(target, parent, name, H5P_DEFAULT, H5P_DEFAULT) < 0) {
        s = fail_hdf5();
    }
    return s;
}

static herr_t look_at_link(hid_t group, const char *name, const H5L_info_t *info,
                           void *context)
{
    if (info->type == H5L_TYPE_SOFT && H5Oexists_by_name(group, name, H5P_DEFAULT) <= 0) {
        base_log_warning("node '%s' of ADF file '%s' is a link to no node: it is left "
                         "out",
                         name, (const char *)context);
    }
    return 0;
}

/* ---- Nodes ------------------------------------------------------------------------- */

static bool put_attribute(hid_t group, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    char bytes[CGNS_ADF_NAME + 1] = "";
    snprintf(bytes, sizeof bytes, "%s", text);
    H5Tset_size(type, sizeof bytes);
    const hid_t attribute = H5Acreate(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool works = attribute >= 0 && H5Awrite(attribute, type, bytes) >= 0;
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    H5Sclose(space);
    H5Tclose(type);
    return works;
}

static bool name_is_sound(const char *name)
{
    return name[0] != '\0' && strcmp(name, ".") != 0 && !strchr(name, '/');
}

/* Opens a new group; below the root nodes have names of their own. */
static status make_group(const maker *m, hid_t parent, const char *name, hid_t *out)
{
    if (!name_is_sound(name) || H5Lexists(parent, name, H5P_DEFAULT) > 0) {
        return base_fail(STATUS_INPUT,
                         "ADF file '%s' is damaged: a node has the name '%s', which %s",
                         m->source.path, name,
                         name_is_sound(name) ? "another has, too" : "is no name");
    }
    *out = H5Gcreate(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return *out >= 0 ? STATUS_OK : fail_hdf5();
}

static status add_node(maker *m, const cgns_adf_child *child, hid_t parent, int depth);

/* Adds what a node has to its group. */
static status add_contents(maker *m, const cgns_adf_node *node, hid_t group, int depth)
{
    cgns_adf_child *children = NULL;
    status s = put_attribute(group, "name", node->name) &&
                       put_attribute(group, "label", node->label) &&
                       put_attribute(group, "type", node->type)
                   ? add_data(m, node, group)
                   : fail_hdf5();
    if (s == STATUS_OK) {
        s = cgns_adf_read_children(&m->source, node, &children);
    }
    for (int64_t n = 0; n < node->nchildren && s == STATUS_OK; n++) {
        s = add_node(m, &children[n], group, depth + 1);
    }
    free(children);
    return s;
}

/* A node that is its own descendant, or has several parents, would be added again. */
static status add_node(maker *m, const cgns_adf_child *child, hid_t parent, int depth)
{
    cgns_adf_node node;
    if (depth > MOST_DEPTH || --m->left < 0) {
        return base_fail(STATUS_INPUT,
                         "ADF file '%s' is damaged: its nodes lead in a circle",
                         m->source.path);
    }
    if (++m->nodes > MOST_NODES) {
        return base_fail(STATUS_INPUT, "ADF file '%s' has more than %d nodes",
                         m->files[0], (int)MOST_NODES);
    }
    hid_t group = -1;
    status s = cgns_adf_read_node(&m->source, child->at, &node);
    if (s == STATUS_OK && strcmp(node.type, "LK") == 0 && name_is_sound(child->name)) {
        return add_link(m, &node, parent, child->name);
    }
    s = s == STATUS_OK ? make_group(m, parent, child->name, &group) : s;
    s = s == STATUS_OK ? add_contents(m, &node, group, depth) : s;
    if (group >= 0) {
        H5Gclose(group);
    }
    return s;
}

/* ---- Files ------------------------------------------------------------------------- */

/* Adds the nodes of a file: its own ones at the root, those of a linked one below a group
 * of its own. */
static status add_file(maker *m, int number)
{
    enum { LEAST_NODE = 246 }; /* bytes */
    char name[32];
    cgns_adf_node root;
    hid_t group = -1;
    snprintf(name, sizeof name, " file %d", number);
    status s = cgns_adf_open(m->files[number], &m->source);
    m->now = number;
    m->left = m->source.size / LEAST_NODE;
    if (s == STATUS_OK) {
        s = cgns_adf_read_node(&m->source, m->source.root, &root);
    }
    if (s == STATUS_OK) {
        group = number == 0
                    ? H5Gopen(m->image, "/", H5P_DEFAULT)
                    : H5Gcreate(m->image, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        s = group >= 0 ? add_contents(m, &root, group, 0) : fail_hdf5();
    }
    if (group >= 0) {
        H5Gclose(group);
    }
    cgns_adf_close(&m->source);
    return s;
}

static status add_files(maker *m, const char *path)
{
    char absolute[PATH_MAX];
    int number;
    H5Fset_libver_bounds(m->image, H5F_LIBVER_V18,
                         H5F_LIBVER_LATEST); /* smaller groups */
    H5Pset_obj_track_times(m->plain, false);
    H5Pset_fill_time(m->plain, H5D_FILL_TIME_NEVER);
    status s = realpath(path, absolute)
                   ? number_file(m, absolute, &number)
                   : base_fail(STATUS_INPUT, "file '%s' cannot be found", path);
    for (int n = 0; n < m->nfiles && s == STATUS_OK; n++) {
        s = add_file(m, n);
    }
    if (s == STATUS_OK && m->links > 0) {
        H5Lvisit(m->image, H5_INDEX_NAME, H5_ITER_NATIVE, look_at_link, (void *)path);
    }
    return s;
}

status cgns_adf_image_make(const char *path, cgns_adf_image *out)
{
    enum { GROWTH = 1 << 16 };
    void *bytes = NULL;
    bool is;
    *out = (cgns_adf_image){0};
    status s = find_adf(path, &is);
    if (s != STATUS_OK || !is) {
        return s;
    }
    maker m = {.image = io_hdf5_create_in_memory("ADF in memory", GROWTH, &bytes),
               .plain = H5Pcreate(H5P_DATASET_CREATE)};
    s = m.image >= 0 && m.plain >= 0 ? add_files(&m, path) : fail_hdf5();
    if (s == STATUS_OK) {
        s = H5Fflush(m.image, H5F_SCOPE_GLOBAL) >= 0 ? s : fail_hdf5();
        out->size = (int64_t)H5Fget_file_image(m.image, NULL, 0);
    }
    if (m.plain >= 0) {
        H5Pclose(m.plain);
    }
    if (m.image >= 0 && H5Fclose(m.image) < 0) {
        s = s == STATUS_OK ? fail_hdf5() : s;
    }
    for (int n = 0; n < m.nfiles; n++) {
        free(m.files[n]);
    }
    free(m.files);
    if (s != STATUS_OK) {
        free(bytes);
        *out = (cgns_adf_image){0};
        return s;
    }
    out->bytes = bytes;
    return STATUS_OK;
}

/* ---- On all ranks ------------------------------------------------------------------ */

status cgns_adf_image_share(MPI_Comm comm, cgns_adf_image *image)
{
    parallel_bcast(&image->size, 1, MPI_INT64_T, 0, comm);
    const parallel_list bytes = {&image->bytes, image->size > 0 ? image->size : -1, 1};
    return parallel_share(comm, STATUS_OK, 1, &bytes, "the nodes of an ADF file");
}

status cgns_adf_image_open(const cgns_adf_image *image, const char *path,
                           io_hdf5_file *out)
{
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%.4000s in memory", path);
    const hid_t id = io_hdf5_open_in_memory(name, image->bytes, (size_t)image->size);
    if (id < 0) {
        return fail_hdf5();
    }
    *out = (io_hdf5_file){id, path, -1};
    return STATUS_OK;
}
