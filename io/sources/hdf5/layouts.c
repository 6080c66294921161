#include "layouts.h"

#include "virtual.h"

#include <stdio.h>
#include <string.h>

#define UNSTRUCTURED                                                                     \
    "its grid is unstructured, and karman draws structured grids only: resample it "     \
    "with "                                                                              \
    "ParaView (Resample To Image), and save that as .vti"
#define ADAPTIVE                                                                         \
    "its grids are boxes of an adaptive mesh, and karman draws curvilinear blocks only"
#define UNIFORM                                                                          \
    "it has no coordinates of vertices, and karman needs x, y and z, each [nk][nj][ni]"

/* ---- marks ------------------------------------------------------------------------ */

static bool has_object(hid_t location, const char *path)
{
    const hid_t id = H5Oopen(location, path, io_hdf5_links());
    if (id >= 0) {
        H5Oclose(id);
    }
    return id >= 0;
}

static bool is_group(hid_t location, const char *path)
{
    const hid_t id = H5Oopen(location, path, io_hdf5_links());
    const bool is = id >= 0 && H5Iget_type(id) == H5I_GROUP;
    if (id >= 0) {
        H5Oclose(id);
    }
    return is;
}

static bool has_attribute(const io_hdf5_file *file, const char *name)
{
    return H5Aexists_by_name(file->id, "/", name, H5P_DEFAULT) > 0;
}

/* A mark that begins with '/' is an object, any other an attribute of the root. */
static bool has_mark(const io_hdf5_file *file, const char *mark)
{
    return !mark ||
           (mark[0] == '/' ? has_object(file->id, mark) : has_attribute(file, mark));
}

typedef struct known_layout {
    const char *marks[2]; /* both must be there; NULL: one is enough */
    const char *name, *obstacle;
} known_layout;

/* Layouts that are built on others come first: Exodus is netCDF-4. */
static const known_layout known[] = {
    {{"/meshes", "/settings"}, "a file of Ansys Fluent", UNSTRUCTURED},
    {{"api_version", "floating_point_word_size"}, "an Exodus file", UNSTRUCTURED},
    {{"/ENS_MAA", NULL}, "a MED file", UNSTRUCTURED},
    {{"/tstt", NULL}, "a MOAB file", UNSTRUCTURED},
    {{"/Mesh/mesh/topology", NULL}, "a file of FEniCS", UNSTRUCTURED},
    {{"/Mesh/0/mesh/topology", NULL}, "a file of FEniCS", UNSTRUCTURED},
    {{"/Chombo_global", NULL}, "a Chombo file", ADAPTIVE},
    {{"/bounding box", "/block size"}, "a file of FLASH", ADAPTIVE},
    {{"openPMD", "basePath"}, "an openPMD file", UNIFORM},
    {{"_NCProperties", NULL}, "a netCDF-4 file", ""},
    {{"/Step0", "NumSteps"}, "a file of ADIOS2", ""},
};

static bool find_known(const io_hdf5_file *file, io_hdf5_layout *out)
{
    for (size_t n = 0; n < sizeof known / sizeof known[0]; n++) {
        if (has_mark(file, known[n].marks[0]) && has_mark(file, known[n].marks[1])) {
            snprintf(out->name, sizeof out->name, "%s", known[n].name);
            snprintf(out->obstacle, sizeof out->obstacle, "%s", known[n].obstacle);
            return true;
        }
    }
    return false;
}

/* ---- VTKHDF ----------------------------------------------------------------------- */

/* Reads an attribute, a text of fixed length; "" if it is not one. */
static void read_text(hid_t location, const char *object, const char *name, char out[64])
{
    out[0] = '\0';
    const hid_t id =
        H5Aopen_by_name(location, object, name, H5P_DEFAULT, io_hdf5_links());
    const hid_t type = id < 0 ? -1 : H5Aget_type(id);
    const hid_t space = id < 0 ? -1 : H5Aget_space(id);
    if (type >= 0 && space >= 0 && H5Tget_class(type) == H5T_STRING &&
        H5Tis_variable_str(type) == 0 && H5Tget_size(type) < 64 &&
        H5Sget_simple_extent_npoints(space) == 1) {
        char text[64] = "";
        if (H5Aread(id, type, text) >= 0) {
            snprintf(out, 64, "%.63s", text);
        }
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (type >= 0) {
        H5Tclose(type);
    }
    if (id >= 0) {
        H5Aclose(id);
    }
}

static bool find_vtkhdf(const io_hdf5_file *file, io_hdf5_layout *out)
{
    if (!is_group(file->id, "/VTKHDF")) {
        return false;
    }
    char type[64];
    read_text(file->id, "/VTKHDF", "Type", type);
    const char *obstacle = strstr(type, "AMR")              ? ADAPTIVE
                           : strcmp(type, "ImageData") == 0 ? UNIFORM
                                                            : UNSTRUCTURED;
    snprintf(out->name, sizeof out->name, "a VTKHDF file%s%s%s", type[0] ? " (" : "",
             type, type[0] ? ")" : "");
    snprintf(out->obstacle, sizeof out->obstacle, "%s",
             strcmp(type, "StructuredGrid") == 0 ? "" : obstacle);
    return true;
}

/* ---- CGNS ------------------------------------------------------------------------- */

typedef struct zones {
    int structured, unstructured;
} zones;

/* ZoneType is a word, stored as characters. */
static bool is_structured(hid_t zone)
{
    char word[16] = "";
    const hid_t set = io_hdf5_values_open(zone, "ZoneType/ data");
    const hid_t space = set < 0 ? -1 : H5Dget_space(set);
    if (space >= 0 && H5Sget_simple_extent_npoints(space) < (hssize_t)sizeof word) {
        H5Dread(set, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, word);
    }
    if (space >= 0) {
        H5Sclose(space);
    }
    if (set >= 0) {
        H5Dclose(set);
    }
    return strncmp(word, "Structured", 10) == 0;
}

static herr_t visit_zone(hid_t base, const char *name, const H5L_info_t *info,
                         void *context)
{
    (void)info;
    zones *found = context;
    const hid_t zone = H5Oopen(base, name, io_hdf5_links());
    if (zone >= 0 && H5Iget_type(zone) == H5I_GROUP && has_object(zone, "ZoneType")) {
        const bool is = is_structured(zone);
        found->structured += is;
        found->unstructured += !is;
    }
    if (zone >= 0) {
        H5Oclose(zone);
    }
    return 0;
}

static herr_t visit_base(hid_t root, const char *name, const H5L_info_t *info,
                         void *context)
{
    (void)info;
    if (is_group(root, name)) {
        const hid_t base = H5Oopen(root, name, io_hdf5_links());
        H5Literate(base, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_zone, context);
        H5Oclose(base);
    }
    return 0;
}

static bool find_cgns(const io_hdf5_file *file, io_hdf5_layout *out)
{
    zones found = {0, 0};
    if (!has_object(file->id, "/ hdf5version") &&
        !has_object(file->id, "/CGNSLibraryVersion")) {
        return false;
    }
    H5Literate(file->id, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_base, &found);
    snprintf(out->name, sizeof out->name,
             "a CGNS file (zones: %d structured, %d unstructured)", found.structured,
             found.unstructured);
    snprintf(out->obstacle, sizeof out->obstacle, "%s",
             found.structured == 0 && found.unstructured > 0 ? UNSTRUCTURED : "");
    out->hides_attributes = true;
    return true;
}

void io_hdf5_layout_find(const io_hdf5_file *file, io_hdf5_layout *out)
{
    memset(out, 0, sizeof *out);
    if (!find_vtkhdf(file, out) && !find_cgns(file, out)) {
        find_known(file, out);
    }
}

/* ---- karman's own ----------------------------------------------------------------- */

/* A search for the first member of a group that `wanted` accepts. */
typedef struct search {
    bool (*wanted)(hid_t group, const char *name);
    char name[GRID_NAME_SIZE]; /* found; "": none */
} search;

static herr_t visit_member(hid_t group, const char *name, const H5L_info_t *info,
                           void *context)
{
    (void)info;
    search *s = context;
    if (strlen(name) < sizeof s->name && is_group(group, name) &&
        s->wanted(group, name)) {
        strcpy(s->name, name);
        return 1;
    }
    return 0;
}

static bool find_member(const io_hdf5_file *file, const char *path, search *s)
{
    const hid_t group = H5Oopen(file->id, path, io_hdf5_links());
    if (group < 0) {
        return false;
    }
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_member, s);
    H5Oclose(group);
    return s->name[0] != '\0';
}

static bool is_block(hid_t group, const char *name)
{
    char path[GRID_NAME_SIZE + 8];
    snprintf(path, sizeof path, "%s/x", name);
    return has_object(group, path);
}

static bool is_step(hid_t group, const char *name)
{
    io_named_step step;
    (void)group;
    return io_step_name_parse(name, &step);
}

bool io_hdf5_layout_is_own(const io_hdf5_file *file)
{
    search block = {.wanted = is_block}, step = {.wanted = is_step};
    if (has_attribute(file, "karman_format")) {
        return true;
    }
    if (!is_group(file->id, "/grid") || !find_member(file, "/grid", &block)) {
        return false;
    }
    if (!has_object(file->id, "/flow")) {
        return true;
    }
    if (!find_member(file, "/flow", &step)) {
        return false;
    }
    char path[2 * GRID_NAME_SIZE + 16];
    snprintf(path, sizeof path, "/flow/%s/%s", step.name, block.name);
    return is_group(file->id, path);
}
