#include "write.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "io/file.h"
#include "xdmf.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    PIECE_VERTICES = 1 << 18, /* about the vertices that a rank makes at a time: some 20
                                 MiB of buffers */
    PATH_SIZE = 4 * GRID_NAME_SIZE /* longest path inside the file */
};

static const double mebibyte = 1024.0 * 1024.0;

/* A data set on its way into a file. */
typedef struct writer {
    MPI_Comm comm;
    const dataset *set;
    const dataset_options *options;
    const char *path; /* for messages */
    hid_t file;
    int block;
    int64_t n[3];      /* of the block */
    int64_t thickness; /* planes of a piece of one rank */
    size_t room;       /* vertices that the buffers hold */
    dataset_vertex *vertices;
    double *values; /* [nfields][room] */
    void *array;    /* for HDF5, [room] */
} writer;

/* The part of a block that this rank makes at a time: planes [k0, k0 + planes). */
typedef struct piece {
    int64_t k0, planes;
} piece;

static status fail_write(const writer *w)
{
    return base_fail(STATUS_OUTPUT,
                     "writing '%s' failed: the disk may be full or over its quota",
                     w->path);
}

/* The first failure of two. */
static status first(status a, status b)
{
    return a != STATUS_OK ? a : b;
}

static hid_t file_type(const writer *w)
{
    return w->options->double_precision ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
}

static hid_t memory_type(const writer *w)
{
    return w->options->double_precision ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
}

static void array_path(const writer *w, int step, const char *array, char path[PATH_SIZE])
{
    const char *block = w->set->block_names[w->block];
    if (step < 0) {
        snprintf(path, PATH_SIZE, "/grid/%s/%s", block, array);
    } else {
        snprintf(path, PATH_SIZE, "/flow/%04d/%s/%s", step, block, array);
    }
}

/* Extents of an array of the block, k first as HDF5 wants them. */
static void array_extents(const writer *w, grid_location location, hsize_t extents[3])
{
    for (int axis = 0; axis < 3; axis++) {
        extents[2 - axis] = (hsize_t)(w->n[axis] - (location == GRID_CELL));
    }
}

/* Creates the array and the groups above it. Times are not stored, so that the same data
 * set gives the same bytes. Space is not filled, because every value will be written. */
static status create_array(const writer *w, const char *path, grid_location location,
                           hid_t type)
{
    hsize_t extents[3];
    array_extents(w, location, extents);
    hid_t space = H5Screate_simple(3, extents, NULL);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_obj_track_times(creation, false);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    hid_t array = H5Dcreate(w->file, path, type, space, links, creation, H5P_DEFAULT);
    status s = array < 0 || H5Dclose(array) < 0 ? fail_write(w) : STATUS_OK;
    H5Pclose(creation);
    H5Pclose(links);
    H5Sclose(space);
    return s;
}

static status create_attribute(const writer *w, const char *object, const char *name,
                               hid_t type, hid_t in_memory, const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate_by_name(w->file, object, name, type, space, H5P_DEFAULT,
                                        H5P_DEFAULT, H5P_DEFAULT);
    bool written = attribute >= 0 && H5Awrite(attribute, in_memory, value) >= 0;
    if (attribute >= 0) {
        written = H5Aclose(attribute) >= 0 && written;
    }
    H5Sclose(space);
    return written ? STATUS_OK : fail_write(w);
}

/* Creates all arrays of the current block. */
static status create_block(const writer *w)
{
    static const char *const coordinates[] = {"x", "y", "z"};
    const dataset *set = w->set;
    char path[PATH_SIZE];
    status s = STATUS_OK;
    for (int c = 0; c < 3; c++) {
        array_path(w, -1, coordinates[c], path);
        s = first(s, create_array(w, path, GRID_VERTEX, file_type(w)));
    }
    if (set->has_iblank) {
        array_path(w, -1, "iblank", path);
        s = first(s, create_array(w, path, GRID_VERTEX, H5T_STD_I32LE));
    }
    for (int step = 0; s == STATUS_OK && step < w->options->steps; step++) {
        for (int f = 0; f < set->nfields; f++) {
            array_path(w, step, set->fields[f].name, path);
            s = first(s, create_array(w, path, set->fields[f].location, file_type(w)));
        }
    }
    return s;
}

static status create_attributes(const writer *w)
{
    int32_t format = 1;
    status s = create_attribute(w, "/", "karman_format", H5T_STD_I32LE, H5T_NATIVE_INT32,
                                &format);
    for (int step = 0; s == STATUS_OK && step < w->options->steps; step++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "/flow/%04d", step);
        double time = dataset_time(w->set, step, w->options->steps);
        s = create_attribute(w, path, "time", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &time);
    }
    return s;
}

/* Writes this rank's planes of an array, independently of the other ranks. Planes are one
 * long run of bytes in the file, so a collective write would gain nothing. And if one
 * rank's part of a collective H5Dwrite fails, HDF5 leaves the others waiting for it. */
static status write_planes(const writer *w, const char *path, grid_location location,
                           piece part, hid_t type)
{
    if (part.planes == 0) {
        return STATUS_OK;
    }
    hsize_t extents[3];
    array_extents(w, location, extents);
    hsize_t start[3] = {(hsize_t)part.k0, 0, 0};
    hsize_t count[3] = {(hsize_t)part.planes, extents[1], extents[2]};
    hid_t array = H5Dopen(w->file, path, H5P_DEFAULT);
    hid_t in_file = H5Screate_simple(3, extents, NULL);
    hid_t in_memory = H5Screate_simple(3, count, NULL);
    H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL);
    bool written = array >= 0 &&
                   H5Dwrite(array, type, in_memory, in_file, H5P_DEFAULT, w->array) >= 0;
    H5Sclose(in_memory);
    H5Sclose(in_file);
    if (array >= 0) {
        written = H5Dclose(array) >= 0 && written;
    }
    return written ? STATUS_OK : fail_write(w);
}

/* Rounds to the precision of the file. */
static vec3 rounded(const writer *w, vec3 p)
{
    if (w->options->double_precision) {
        return p;
    }
    return vec3_make(dataset_float32(p.v[0]), dataset_float32(p.v[1]),
                     dataset_float32(p.v[2]));
}

/* Makes the vertices of the piece, and the plane above it for its cells. They are rounded
 * to the file's precision before fields are evaluated: a linear field is linear in the
 * file's own coordinates. */
static void make_vertices(const writer *w, piece part)
{
    size_t index = 0;
    int64_t top = part.k0 + part.planes < w->n[2] ? part.k0 + part.planes : w->n[2] - 1;
    for (int64_t k = part.k0; part.planes > 0 && k <= top; k++) {
        for (int64_t j = 0; j < w->n[1]; j++) {
            for (int64_t i = 0; i < w->n[0]; i++, index++) {
                const int64_t at[3] = {i, j, k};
                dataset_vertex v = w->set->vertex(w->options->size, w->block, at);
                v.position = rounded(w, v.position);
                w->vertices[index] = v;
            }
        }
    }
}

static void put(const writer *w, size_t index, double value)
{
    if (w->options->double_precision) {
        ((double *)w->array)[index] = value;
    } else {
        ((float *)w->array)[index] = (float)value;
    }
}

static status write_grid(const writer *w, piece part)
{
    static const char *const coordinates[] = {"x", "y", "z"};
    char path[PATH_SIZE];
    status s = STATUS_OK;
    size_t count = (size_t)(part.planes * w->n[0] * w->n[1]);
    for (int c = 0; c < 3; c++) {
        for (size_t v = 0; v < count; v++) {
            put(w, v, w->vertices[v].position.v[c]);
        }
        array_path(w, -1, coordinates[c], path);
        s = first(s, write_planes(w, path, GRID_VERTEX, part, memory_type(w)));
    }
    if (w->set->has_iblank) {
        for (size_t v = 0; v < count; v++) {
            ((int32_t *)w->array)[v] = !w->vertices[v].blanked;
        }
        array_path(w, -1, "iblank", path);
        s = first(s, write_planes(w, path, GRID_VERTEX, part, H5T_NATIVE_INT32));
    }
    return s;
}

/* The mean of the eight vertices of the cell whose lowest one is `corner`. */
static vec3 cell_centre(const writer *w, size_t corner)
{
    size_t row = (size_t)w->n[0];
    size_t plane = row * (size_t)w->n[1];
    vec3 sum = vec3_make(0.0, 0.0, 0.0);
    for (size_t c = 0; c < 8; c++) {
        size_t vertex = corner + (c & 1) + (c >> 1 & 1) * row + (c >> 2) * plane;
        sum = vec3_add(sum, w->vertices[vertex].position);
    }
    return vec3_scale(sum, 0.125);
}

/* Evaluates all fields at all points of a location. Returns the number of points. */
static size_t evaluate_piece(const writer *w, piece part, grid_location location,
                             double time)
{
    int64_t less = location == GRID_CELL;
    int nfields = w->set->nfields;
    double point[GRID_RECIPE_MAX_INPUTS];
    size_t count = 0;
    for (int64_t k = 0; k < part.planes; k++) {
        for (int64_t j = 0; j < w->n[1] - less; j++) {
            for (int64_t i = 0; i < w->n[0] - less; i++, count++) {
                size_t v = (size_t)(i + w->n[0] * (j + w->n[1] * k));
                vec3 at = less ? cell_centre(w, v) : w->vertices[v].position;
                w->set->evaluate(at, time, point);
                for (int f = 0; f < nfields; f++) {
                    w->values[(size_t)f * w->room + count] = point[f];
                }
            }
        }
    }
    return count;
}

/* Writes the fields of a step that live at this location. */
static status write_fields(const writer *w, piece part, grid_location location, int step)
{
    const dataset *set = w->set;
    status s = STATUS_OK;
    size_t count =
        evaluate_piece(w, part, location, dataset_time(set, step, w->options->steps));
    for (int f = 0; f < set->nfields; f++) {
        if (set->fields[f].location != location) {
            continue;
        }
        for (size_t v = 0; v < count; v++) {
            put(w, v, w->values[(size_t)f * w->room + v]);
        }
        char path[PATH_SIZE];
        array_path(w, step, set->fields[f].name, path);
        s = first(s, write_planes(w, path, location, part, memory_type(w)));
    }
    return s;
}

static bool has_location(const dataset *set, grid_location location)
{
    for (int f = 0; f < set->nfields; f++) {
        if (set->fields[f].location == location) {
            return true;
        }
    }
    return false;
}

/* The planes of a piece that an array of `planes` planes has. */
static piece piece_within(piece part, int64_t planes)
{
    int64_t end = part.k0 + part.planes;
    part.planes = end > planes ? planes - part.k0 : part.planes;
    part.planes = part.planes < 0 ? 0 : part.planes;
    return part;
}

/* Writes one piece of every rank, in all steps; vertices are made once. A rank whose
 * write fails continues, since the others wait for it in the next write. All agree on the
 * status at the end. */
static status write_piece(const writer *w, piece part)
{
    piece vertices = piece_within(part, w->n[2]);
    piece cells = piece_within(part, w->n[2] - 1);
    make_vertices(w, vertices);
    status s = write_grid(w, vertices);
    for (int step = 0; step < w->options->steps; step++) {
        if (has_location(w->set, GRID_VERTEX)) {
            s = first(s, write_fields(w, vertices, GRID_VERTEX, step));
        }
        if (has_location(w->set, GRID_CELL)) {
            s = first(s, write_fields(w, cells, GRID_CELL, step));
        }
    }
    return parallel_agree(w->comm, s);
}

/* Pieces of consecutive ranks are adjacent, so that MPI-IO writes long runs. */
static status write_block(const writer *w)
{
    int64_t ranks = parallel_size(w->comm), rank = parallel_rank(w->comm);
    status s = STATUS_OK;
    for (int64_t k = 0; s == STATUS_OK && k < w->n[2]; k += ranks * w->thickness) {
        s = write_piece(w,
                        (piece){.k0 = k + rank * w->thickness, .planes = w->thickness});
    }
    return s;
}

/* Selects a block: sets its size and the thickness of its pieces. */
static void select_block(writer *w, int block)
{
    int64_t ranks = parallel_size(w->comm);
    w->block = block;
    dataset_block_size(w->set, w->options->size, block, w->n);
    int64_t fit = PIECE_VERTICES / (w->n[0] * w->n[1]);
    int64_t share = (w->n[2] + ranks - 1) / ranks;
    w->thickness = fit < 1 ? 1 : fit < share ? fit : share;
}

static status write_contents(writer *w)
{
    status s = STATUS_OK;
    for (int block = 0; s == STATUS_OK && block < w->set->nblocks; block++) {
        select_block(w, block);
        s = create_block(w);
    }
    /* Creating arrays writes metadata later: it fails alike on all ranks, or not at
     * all. */
    s = parallel_agree(w->comm, first(s, s == STATUS_OK ? create_attributes(w) : s));
    for (int block = 0; s == STATUS_OK && block < w->set->nblocks; block++) {
        select_block(w, block);
        s = write_block(w);
    }
    return s;
}

static status allocate_buffers(writer *w)
{
    for (int block = 0; block < w->set->nblocks; block++) {
        select_block(w, block);
        size_t room = (size_t)(w->n[0] * w->n[1] * (w->thickness + 1));
        w->room = room > w->room ? room : w->room;
    }
    w->vertices = malloc(w->room * sizeof *w->vertices);
    w->values = malloc(w->room * (size_t)w->set->nfields * sizeof *w->values);
    w->array = malloc(w->room * sizeof(double));
    if (!w->vertices || !w->values || !w->array) {
        return base_fail_memory(w->room * 64, "a piece of a data set");
    }
    return STATUS_OK;
}

/* Size of the file in bytes; rather too large than too small. */
static double estimate_size(const writer *w)
{
    enum { ARRAY_HEADER = 1024 };
    const dataset *set = w->set;
    int64_t arrays = 3 + set->has_iblank + (int64_t)set->nfields * w->options->steps;
    double size = 0.0;
    for (int block = 0; block < set->nblocks; block++) {
        int64_t n[3];
        dataset_block_size(set, w->options->size, block, n);
        double array = (double)n[0] * (double)n[1] * (double)n[2];
        array *= w->options->double_precision ? sizeof(double) : sizeof(float);
        size += (double)arrays * (array + ARRAY_HEADER);
    }
    return size;
}

/* Checks that the disk and the limits of this process leave enough space for the file. A
 * disk that fills up later is an error, too, but a late one, and HDF5 handles it badly
 * (see abandon_contents). */
static status check_room(const writer *w, int file)
{
    double need = estimate_size(w);
    struct statvfs disk;
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (double)limit.rlim_cur < need) {
        return base_fail(
            STATUS_OUTPUT,
            "'%s' needs %.1f MiB, but files are limited to %.1f MiB here: raise "
            "the limit with ulimit -f",
            w->path, need / mebibyte, (double)limit.rlim_cur / mebibyte);
    }
    if (fstatvfs(file, &disk) == 0 &&
        (double)disk.f_bavail * (double)disk.f_frsize < need) {
        return base_fail(
            STATUS_OUTPUT,
            "'%s' needs %.1f MiB, but the disk has %.1f MiB left: make room, or "
            "choose fewer steps or another size",
            w->path, need / mebibyte,
            (double)disk.f_bavail * (double)disk.f_frsize / mebibyte);
    }
    return STATUS_OK;
}

/* Makes the folder and the file on rank 0 before all ranks open it. MPI-IO would hide the
 * system's reason for a failure. */
static status claim_file(const writer *w, const char *temporary)
{
    status s = io_file_make_folders(w->path);
    if (s != STATUS_OK) {
        return s;
    }
    int file = io_file_create(temporary);
    if (file < 0) {
        return base_fail(STATUS_OUTPUT, "cannot write '%s': %s", w->path,
                         strerror(errno));
    }
    s = check_room(w, file);
    close(file);
    if (s != STATUS_OK) {
        unlink(temporary);
    }
    return s;
}

static status open_file(writer *w, const char *temporary)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, w->comm, MPI_INFO_NULL);
    w->file = H5Fcreate(temporary, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    if (w->file < 0) {
        return base_fail(STATUS_OUTPUT, "cannot create '%s' as an HDF5 file", w->path);
    }
    return STATUS_OK;
}

/* Empties an unfinished file. This frees disk space for the data that HDF5 still buffers.
 * HDF5 must be able to close the file, or it crashes when the program ends. */
static void abandon_contents(const writer *w, const char *temporary)
{
    if (parallel_rank(w->comm) == 0 && truncate(temporary, 0) != 0) {
        base_log_warning("cannot cut off '%s': %s", temporary, strerror(errno));
    }
    /* No rank closes the file before there is space. */
    parallel_agree(w->comm, STATUS_OK);
}

static status write_file(writer *w, const char *temporary)
{
    status s = parallel_agree(w->comm, open_file(w, temporary));
    if (s == STATUS_OK) {
        s = write_contents(w);
    }
    if (s != STATUS_OK) {
        abandon_contents(w, temporary);
    }
    if (w->file >= 0) {
        /* HDF5 writes its buffers here: the last chance to meet a full disk. */
        s = first(s, H5Fclose(w->file) < 0 ? fail_write(w) : STATUS_OK);
    }
    return parallel_agree(w->comm, s);
}

/* Rank 0's name for the unfinished file. It contains the process number, so rank 0 sends
 * it to all. */
static status agree_on_name(MPI_Comm comm, const char *path, char **out)
{
    char *name = NULL;
    status s = parallel_agree(comm, io_file_temporary_name(path, &name));
    if (s != STATUS_OK) {
        free(name);
        return s;
    }
    int size = (int)strlen(name) + 1;
    parallel_bcast(&size, 1, MPI_INT, 0, comm);
    char *longer = realloc(name, (size_t)size);
    s = parallel_agree(comm,
                       longer ? STATUS_OK : base_fail_memory((size_t)size, "a path"));
    name = longer ? longer : name;
    if (s != STATUS_OK) {
        free(name);
        return s;
    }
    parallel_bcast(name, size, MPI_CHAR, 0, comm);
    *out = name;
    return STATUS_OK;
}

static status write_named(writer *w, const char *temporary)
{
    bool is_root = parallel_rank(w->comm) == 0;
    status s = parallel_agree(w->comm, is_root ? claim_file(w, temporary) : STATUS_OK);
    if (s != STATUS_OK) {
        return s;
    }
    s = write_file(w, temporary);
    if (!is_root) {
        return parallel_agree(w->comm, s);
    }
    if (s == STATUS_OK) {
        s = io_file_commit(temporary, w->path);
    } else {
        unlink(temporary);
    }
    if (s == STATUS_OK) {
        s = dataset_describe(w->set, w->options, w->path);
    }
    return parallel_agree(w->comm, s);
}

status dataset_write(MPI_Comm comm, const dataset *set, const dataset_options *options,
                     const char *path)
{
    status s = parallel_agree(comm, dataset_options_check(set, options));
    if (s != STATUS_OK) {
        return s;
    }
    writer w = {.comm = comm, .set = set, .options = options, .path = path, .file = -1};
    char *temporary = NULL;
    s = parallel_agree(comm, allocate_buffers(&w));
    if (s == STATUS_OK) {
        s = agree_on_name(comm, path, &temporary);
    }
    if (s == STATUS_OK) {
        /* HDF5 would print its own messages on every rank. */
        H5E_BEGIN_TRY
        {
            s = write_named(&w, temporary);
        }
        H5E_END_TRY
    }
    free(temporary);
    free(w.vertices);
    free(w.values);
    free(w.array);
    return s;
}
