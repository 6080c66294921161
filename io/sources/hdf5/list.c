#include "list.h"

#include "base/array.h"
#include "describe.h"
#include "driver.h"
#include "layouts.h"
#include "open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 32, LONGEST_PATH = 1024 };

/* Identity of an object of a file. */
typedef struct identity {
    unsigned long file;
    unsigned char token[16]; /* unique in its file */
    int links;               /* hard links to it */
} identity;

typedef struct seen {
    identity of;
    char *path;
} seen;

/* A walk through all groups. */
typedef struct walk {
    io_listing *listing;
    int nseen; /* groups, and data sets with several names */
    seen *seen;
    int depth;
    char path[LONGEST_PATH]; /* of the group that the walk is in */
    const char *file;        /* the other file that a link led to; NULL: the first file */
    status status;
} walk;

static void walk_group(walk *w, hid_t group);

/* ---- objects that are seen -------------------------------------------------------- */

/* Since HDF5 1.12, objects have tokens instead of addresses. */
static bool find_identity(hid_t object, identity *out)
{
    memset(out, 0, sizeof *out);
#if H5_VERSION_GE(1, 12, 0)
    H5O_info2_t info;
    const herr_t result = H5Oget_info3(object, &info, H5O_INFO_BASIC);
    const void *token = &info.token;
    const size_t size = sizeof info.token;
#else
    H5O_info_t info;
    const herr_t result = H5Oget_info(object, &info);
    const void *token = &info.addr;
    const size_t size = sizeof info.addr;
#endif
    if (result < 0) {
        return false;
    }
    memcpy(out->token, token, size);
    out->file = info.fileno;
    out->links = (int)info.rc;
    return true;
}

static bool is_same(const identity *a, const identity *b)
{
    return a->file == b->file && memcmp(a->token, b->token, sizeof a->token) == 0;
}

static const char *find_seen(const walk *w, const identity *of)
{
    for (int n = 0; n < w->nseen; n++) {
        if (is_same(&w->seen[n].of, of)) {
            return w->seen[n].path;
        }
    }
    return NULL;
}

static status add_seen(walk *w, const identity *of, const char *path)
{
    char *copy = strdup(path);
    if (!copy || base_array_room(w->seen, w->nseen, 1, NULL) != STATUS_OK) {
        free(copy);
        return base_fail_memory(strlen(path) + 1, "the list of groups");
    }
    w->seen[w->nseen++] = (seen){*of, copy};
    return STATUS_OK;
}

/* ---- attributes ------------------------------------------------------------------- */

/* Whether an attribute only records dimensions for netCDF or HDF5, and tells users
 * nothing. */
static bool is_bookkeeping(const char *name)
{
    static const char *const names[] = {
        "DIMENSION_LIST", "REFERENCE_LIST",      "CLASS",       "NAME",
        "_Netcdf4Dimid",  "_Netcdf4Coordinates", "_nc3_strict", "DIMENSION_LABELS"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        if (strcmp(name, names[n]) == 0) {
            return true;
        }
    }
    return false;
}

typedef struct attribute_walk {
    io_object *object;
    status status;
} attribute_walk;

static herr_t visit_attribute(hid_t location, const char *name, const H5A_info_t *info,
                              void *context)
{
    (void)info;
    attribute_walk *w = context;
    if (is_bookkeeping(name) || w->object->nattributes >= IO_LISTING_MOST_ATTRIBUTES) {
        return 0;
    }
    const hid_t attribute = H5Aopen(location, name, H5P_DEFAULT);
    if (attribute >= 0) {
        char value[IO_HDF5_TEXT_SIZE];
        io_hdf5_value_text(attribute, value);
        H5Aclose(attribute);
        w->status = io_object_add_attribute(w->object, name, value);
    }
    return w->status == STATUS_OK ? 0 : 1;
}

static status list_attributes(const walk *w, hid_t id, io_object *object)
{
    attribute_walk a = {.object = object};
    if (!w->listing->hides_attributes) {
        H5Aiterate2(id, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_attribute, &a);
    }
    return a.status;
}

/* ---- data sets and groups --------------------------------------------------------- */

/* Describes the storage of a data set, its file if a link led there, and its other name
 * (`known`) if it has one. */
static void describe_storage(const walk *w, hid_t id, const char *known,
                             io_object *object)
{
    char storage[IO_HDF5_TEXT_SIZE], text[2 * IO_HDF5_TEXT_SIZE + LONGEST_PATH];
    io_hdf5_storage_text(id, storage);
    snprintf(text, sizeof text, "%s%s%s%.200s%s%s%.400s", storage,
             storage[0] != '\0' && w->file ? ", " : "", w->file ? "in file '" : "",
             w->file ? w->file : "", w->file ? "'" : "", known ? ", the same as " : "",
             known ? known : "");
    const char *start = strncmp(text, ", ", 2) == 0 ? text + 2 : text;
    object->storage = start[0] != '\0' ? strdup(start) : NULL;
}

static void describe_shape(hid_t id, io_object *object)
{
    hsize_t n[H5S_MAX_RANK];
    const hid_t space = H5Dget_space(id);
    object->rank = space < 0 ? 0 : H5Sget_simple_extent_dims(space, n, NULL);
    object->rank = object->rank < 0 ? 0 : object->rank;
    for (int axis = 0; axis < object->rank && axis < IO_LISTING_AXES; axis++) {
        object->n[axis] = (int64_t)n[axis];
    }
    if (space >= 0) {
        H5Sclose(space);
    }
}

static status list_dataset(walk *w, hid_t id, const char *path, const char *known)
{
    char type_text[IO_HDF5_TEXT_SIZE] = "an unknown type";
    const hid_t type = H5Dget_type(id);
    H5T_class_t class = H5T_NO_CLASS;
    if (type >= 0) {
        class = H5Tget_class(type);
        io_hdf5_type_text(type, type_text);
        H5Tclose(type);
    }
    io_object *object;
    status s = io_listing_add(w->listing, IO_OBJECT_DATASET, path, type_text, &object);
    if (s == STATUS_OK) {
        object->is_number = class == H5T_FLOAT || class == H5T_INTEGER;
        describe_shape(id, object);
        describe_storage(w, id, known, object);
        s = list_attributes(w, id, object);
    }
    return s;
}

/* Lists a group, if it has attributes to show. */
static status list_group(walk *w, hid_t id, const char *path)
{
    io_object *object;
    status s = io_listing_add(w->listing, IO_OBJECT_GROUP, path, NULL, &object);
    if (s == STATUS_OK) {
        s = list_attributes(w, id, object);
        if (object->nattributes == 0) {
            free(object->path);
            free(object->attributes);
            w->listing->nobjects--;
        }
    }
    return s;
}

static void enter_group(walk *w, hid_t id, const char *path)
{
    char before[LONGEST_PATH];
    strcpy(before, w->path);
    snprintf(w->path, sizeof w->path, "%s", path);
    if (w->depth < MOST_DEPTH) {
        w->depth++;
        walk_group(w, id);
        w->depth--;
    } else {
        w->listing->is_cut = true;
    }
    strcpy(w->path, before);
}

static void list_link(walk *w, const char *path, const char *format, const char *target)
{
    char note[LONGEST_PATH + 128];
    snprintf(note, sizeof note, format, target);
    w->status = io_listing_add(w->listing, IO_OBJECT_LINK, path, note, NULL);
}

static void list_object(walk *w, hid_t id, const char *path)
{
    identity of;
    const H5I_type_t kind = H5Iget_type(id);
    if ((kind != H5I_GROUP && kind != H5I_DATASET) || !find_identity(id, &of)) {
        return;
    }
    const char *known = find_seen(w, &of);
    if (known && kind == H5I_GROUP) {
        list_link(w, path, "the same as %s", known);
        return;
    }
    if (!known && (kind == H5I_GROUP || of.links > 1)) {
        w->status = add_seen(w, &of, path);
    }
    if (w->status == STATUS_OK) {
        w->status = kind == H5I_GROUP ? list_group(w, id, path)
                                      : list_dataset(w, id, path, known);
    }
    if (w->status == STATUS_OK && kind == H5I_GROUP) {
        enter_group(w, id, path);
    }
}

/* ---- links ------------------------------------------------------------------------ */

static void visit_hard(walk *w, hid_t group, const char *name, const char *path)
{
    const hid_t id = H5Oopen(group, name, io_hdf5_links());
    if (id < 0) {
        char reason[IO_HDF5_REASON_SIZE];
        io_hdf5_reason(reason);
        list_link(w, path, "cannot be opened (%s)", reason);
        return;
    }
    list_object(w, id, path);
    H5Oclose(id);
}

/* Lists a soft link. Its target is listed under its own path. */
static void visit_soft(walk *w, hid_t group, const char *name, const char *path)
{
    char target[LONGEST_PATH] = "";
    H5Lget_val(group, name, target, sizeof target - 1, H5P_DEFAULT);
    char refused[IO_HDF5_FAULT_SIZE];
    const hid_t id = H5Oopen(group, name, io_hdf5_links());
    io_hdf5_refusal_take(refused);
    list_link(w, path,
              refused[0] != '\0' ? "a link that is not followed: %s"
              : id < 0           ? "a link to %s, which is not there"
                                 : "a link to %s",
              refused[0] != '\0' ? refused : target);
    if (id >= 0) {
        H5Oclose(id);
    }
}

static void visit_external(walk *w, hid_t group, const char *name, const char *path)
{
    char value[LONGEST_PATH] = "";
    const char *file = "", *object = "", *before = w->file;
    unsigned flags;
    if (H5Lget_val(group, name, value, sizeof value, H5P_DEFAULT) < 0 ||
        H5Lunpack_elink_val(value, sizeof value, &flags, &file, &object) < 0) {
        list_link(w, path, "a link into %s that cannot be read", "another file");
        return;
    }
    const hid_t id = H5Oopen(group, name, io_hdf5_links());
    if (id < 0) {
        char target[LONGEST_PATH], refused[IO_HDF5_FAULT_SIZE];
        snprintf(target, sizeof target, "%.400s of file '%.400s'", object, file);
        io_hdf5_refusal_take(refused);
        list_link(w, path,
                  refused[0] != '\0' ? "a link that is not followed: %s"
                                     : "a link to %s, which is not there",
                  refused[0] != '\0' ? refused : target);
        return;
    }
    w->file = file;
    list_object(w, id, path);
    w->file = before;
    H5Oclose(id);
}

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *info,
                         void *context)
{
    walk *w = context;
    char path[LONGEST_PATH];
    const int length = snprintf(path, sizeof path, "%s/%s", w->path, name);
    if (length >= LONGEST_PATH || w->listing->nobjects >= IO_LISTING_MOST_OBJECTS) {
        w->listing->is_cut = true;
        return length >= LONGEST_PATH ? 0 : 1;
    }
    if (info->type == H5L_TYPE_HARD) {
        visit_hard(w, group, name, path);
    } else if (info->type == H5L_TYPE_SOFT) {
        visit_soft(w, group, name, path);
    } else if (info->type == H5L_TYPE_EXTERNAL) {
        visit_external(w, group, name, path);
    } else {
        list_link(w, path, "a link of %s kind", "an unknown");
    }
    return w->status == STATUS_OK ? 0 : 1;
}

static void walk_group(walk *w, hid_t group)
{
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit_link, w);
}

/* ---- the file --------------------------------------------------------------------- */

static void note_layout(const io_hdf5_file *file, io_listing *listing)
{
    io_hdf5_layout layout;
    io_hdf5_layout_find(file, &layout);
    listing->hides_attributes = layout.hides_attributes;
    listing->layout = layout.name[0] != '\0' ? strdup(layout.name) : NULL;
    listing->obstacle = layout.obstacle[0] != '\0' ? strdup(layout.obstacle) : NULL;
}

static status list_file(const io_hdf5_file *file, io_listing *listing)
{
    walk w = {.listing = listing};
    status s = STATUS_OK;
    note_layout(file, listing);
    const hid_t root = H5Gopen(file->id, "/", H5P_DEFAULT);
    identity of;
    if (root >= 0 && find_identity(root, &of)) {
        w.status = add_seen(&w, &of, "/");
        if (w.status == STATUS_OK) {
            w.status = list_group(&w, root, "/");
        }
        if (w.status == STATUS_OK) {
            walk_group(&w, root);
        }
        s = w.status;
    }
    if (root >= 0) {
        H5Gclose(root);
    }
    for (int n = 0; n < w.nseen; n++) {
        free(w.seen[n].path);
    }
    free(w.seen);
    io_listing_sort(listing);
    return s;
}

static status open_and_list(const char *path, io_listing **out)
{
    io_hdf5_file file;
    io_listing *listing = NULL;
    status s = io_hdf5_file_check(path);
    if (s == STATUS_OK) {
        s = io_hdf5_file_open(MPI_COMM_SELF, path, false, &file);
    }
    if (s != STATUS_OK) {
        return s;
    }
    if (!io_hdf5_layout_is_own(&file)) {
        s = io_listing_create(path, &listing);
        if (s == STATUS_OK) {
            s = list_file(&file, listing);
        }
    }
    H5Fclose(file.id);
    if (s != STATUS_OK) {
        io_listing_destroy(&listing);
        return s;
    }
    *out = listing;
    return STATUS_OK;
}

status io_hdf5_list(const char *path, io_listing **out)
{
    const io_hdf5_watch before = io_hdf5_watch_begin();
    *out = NULL;
    status s = io_hdf5_watch_check(open_and_list(path, out));
    io_hdf5_watch_end(&before);
    if (s != STATUS_OK) {
        io_listing_destroy(out);
    }
    return s;
}
