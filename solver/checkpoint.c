#include "solver/checkpoint.h"

#include "base/parallel.h"
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 2 * SOLVER_NAME_SIZE + 64 };

/* Where a step lies until it is complete: readers pass over names that are no numbers. */
static const char unfinished[] = "/flow/unfinished";

static const char *const variables[SOLVER_VARIABLES] = {
    "density", "momentum_x", "momentum_y", "momentum_z", "energy"};

/* An open file, and the flow that goes into it or comes out. */
typedef struct store {
    solver_flow *flow;
    const char *path;
    hid_t file;
    hid_t transfer; /* all ranks write together */
    double *buffer; /* one array of the largest box */
} store;

/* The cells, or vertices, of a box that are its own. */
typedef struct region {
    hsize_t extents[3], start[3], count[3]; /* of the block; k first, as HDF5 has it */
} region;

static status fail_write(const char *path)
{
    return base_fail(STATUS_OUTPUT,
                     "writing '%s' failed: the disk may be full or over its quota", path);
}

static status first(status a, status b)
{
    return a != STATUS_OK ? a : b;
}

/* The region of a box, or nothing of the block where box is NULL. Vertices belong to the
 * box of the cell above them, and the last ones to that below. */
static region region_of(const solver_flow *flow, int block, const solver_flow_box *box,
                        int vertex)
{
    int64_t cells[3];
    region r = {{0}, {0}, {0}};
    solver_flow_block(flow, block, cells);
    for (int axis = 0; axis < 3; axis++) {
        r.extents[2 - axis] = (hsize_t)(cells[axis] + vertex);
        if (box) {
            bool last = box->lo[axis] + box->n[axis] == cells[axis];
            r.start[2 - axis] = (hsize_t)box->lo[axis];
            r.count[2 - axis] = (hsize_t)(box->n[axis] + (last ? vertex : 0));
        }
    }
    return r;
}

/* Copies the region between an array with ghosts and one without. */
static void copy_region(const solver_flow_box *box, const region *r, double *array,
                        double *packed, bool out)
{
    for (hsize_t k = 0; k < r->count[0]; k++) {
        for (hsize_t j = 0; j < r->count[1]; j++) {
            double *row =
                array + (int64_t)j * box->stride[1] + (int64_t)k * box->stride[2];
            size_t bytes = (size_t)r->count[2] * sizeof *row;
            memcpy(out ? packed : row, out ? row : packed, bytes);
            packed += r->count[2];
        }
    }
}

static hid_t make_space(const region *r, bool empty)
{
    hid_t space = H5Screate_simple(3, r->extents, NULL);
    if (empty) {
        H5Sselect_none(space);
    } else {
        H5Sselect_hyperslab(space, H5S_SELECT_SET, r->start, NULL, r->count, NULL);
    }
    return space;
}

/* ---- Arrays ---- */

static hid_t create_array(const store *s, const char *name, const region *r)
{
    hid_t space = H5Screate_simple(3, r->extents, NULL);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_obj_track_times(creation, false);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    hid_t array =
        H5Dcreate(s->file, name, H5T_IEEE_F64LE, space, links, creation, H5P_DEFAULT);
    H5Pclose(creation);
    H5Pclose(links);
    H5Sclose(space);
    return array;
}

/* Moves one box's part, or nothing, together with the other ranks. */
static bool transfer_part(const store *s, hid_t array, const region *r, bool empty,
                          bool out)
{
    hsize_t count = empty ? 1 : r->count[0] * r->count[1] * r->count[2];
    hid_t in_file = make_space(r, empty);
    hid_t in_memory = H5Screate_simple(1, &count, NULL);
    if (empty) {
        H5Sselect_none(in_memory);
    }
    herr_t error = out ? H5Dwrite(array, H5T_NATIVE_DOUBLE, in_memory, in_file,
                                  s->transfer, s->buffer)
                       : H5Dread(array, H5T_NATIVE_DOUBLE, in_memory, in_file,
                                 s->transfer, s->buffer);
    H5Sclose(in_memory);
    H5Sclose(in_file);
    return error >= 0;
}

/* The array of a box that a name stands for: coordinate or variable number `which`. */
static double *box_array(const solver_flow_box *box, int vertex, int which)
{
    /* Coordinates are only ever read from here. */
    return vertex ? (double *)(uintptr_t)box->coordinates[which] : box->variables[which];
}

/* One array of a block. Each rank takes part as often as the one with the most boxes. */
static status transfer_array(const store *s, hid_t array, int block, int vertex,
                             int which, bool out)
{
    int mine = solver_flow_boxes(s->flow), most;
    bool works = array >= 0;
    parallel_allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, solver_flow_comm(s->flow));
    /* Whoever fails goes on: the others wait for it in the next one. */
    for (int b = 0; array >= 0 && b < most; b++) {
        solver_flow_box box = {0};
        bool empty = b >= mine;
        if (!empty) {
            box = solver_flow_box_get(s->flow, b);
            empty = box.block != block;
        }
        region r = region_of(s->flow, block, empty ? NULL : &box, vertex);
        double *values = empty ? NULL : box_array(&box, vertex, which);
        if (!empty && out) {
            copy_region(&box, &r, values, s->buffer, true);
        }
        works = transfer_part(s, array, &r, empty, out) && works;
        if (!empty && !out && works) {
            copy_region(&box, &r, values, s->buffer, false);
        }
    }
    return works ? STATUS_OK : STATUS_OUTPUT;
}

/* Writes coordinates (vertex is 1) or variables (0) of all blocks below `group`. */
static status write_arrays(const store *s, const char *group, int vertex)
{
    static const char *const coordinates[] = {"x", "y", "z"};
    status result = STATUS_OK;
    for (int b = 0; b < solver_flow_blocks(s->flow); b++) {
        region r = region_of(s->flow, b, NULL, vertex);
        int64_t cells[3];
        const char *block = solver_flow_block(s->flow, b, cells);
        for (int a = 0; a < (vertex ? 3 : SOLVER_VARIABLES); a++) {
            char name[PATH_SIZE];
            snprintf(name, sizeof name, "%s/%s/%s", group, block,
                     vertex ? coordinates[a] : variables[a]);
            hid_t array = create_array(s, name, &r);
            status written = transfer_array(s, array, b, vertex, a, true);
            bool closed = array >= 0 && H5Dclose(array) >= 0;
            if (written != STATUS_OK || !closed) {
                result = first(result, fail_write(s->path));
            }
            result = parallel_agree(solver_flow_comm(s->flow), result);
            if (result != STATUS_OK) {
                return result;
            }
        }
    }
    return result;
}

static bool write_attribute(const store *s, const char *object, const char *name,
                            double value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate_by_name(s->file, object, name, H5T_IEEE_F64LE, space,
                                        H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool written = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) >= 0;
    if (attribute >= 0) {
        written = H5Aclose(attribute) >= 0 && written;
    }
    H5Sclose(space);
    return written;
}

/* ---- Files ---- */

static status allocate_buffer(store *s)
{
    size_t room = 1;
    for (int b = 0; b < solver_flow_boxes(s->flow); b++) {
        solver_flow_box box = solver_flow_box_get(s->flow, b);
        size_t size = (size_t)((box.n[0] + 1) * (box.n[1] + 1) * (box.n[2] + 1));
        room = size > room ? size : room;
    }
    s->buffer = malloc(room * sizeof *s->buffer);
    return s->buffer ? STATUS_OK
                     : base_fail_memory(room * sizeof *s->buffer, "a box's values");
}

/* Opens a file; `flags` are H5Fopen's, or H5F_ACC_TRUNC for a new one. Collective. */
static status open_store(solver_flow *flow, const char *path, unsigned flags, store *out)
{
    *out = (store){.flow = flow, .path = path, .file = -1, .transfer = -1};
    status s = parallel_agree(solver_flow_comm(flow), allocate_buffer(out));
    if (s != STATUS_OK) {
        return s;
    }
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, solver_flow_comm(flow), MPI_INFO_NULL);
    out->file = flags == H5F_ACC_TRUNC ? H5Fcreate(path, flags, H5P_DEFAULT, access)
                                       : H5Fopen(path, flags, access);
    H5Pclose(access);
    out->transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(out->transfer, H5FD_MPIO_COLLECTIVE);
    return parallel_agree(
        solver_flow_comm(flow),
        out->file >= 0
            ? STATUS_OK
            : base_fail(STATUS_OUTPUT, "'%s' cannot be opened as an HDF5 file", path));
}

static status close_store(store *s)
{
    status result = STATUS_OK;
    if (s->transfer >= 0) {
        H5Pclose(s->transfer);
    }
    if (s->file >= 0) {
        result = H5Fclose(s->file) < 0 ? fail_write(s->path) : STATUS_OK;
    }
    free(s->buffer);
    return parallel_agree(solver_flow_comm(s->flow), result);
}

/* The system's own reason for a failure is lost behind MPI-IO: rank 0 finds it. */
static status claim(const char *temporary, const char *path)
{
    status s = io_file_make_folders(path);
    int file = s == STATUS_OK ? open(temporary, O_CREAT | O_WRONLY | O_TRUNC, 0666) : -1;
    if (s == STATUS_OK && file < 0) {
        return base_fail(STATUS_OUTPUT, "cannot write '%s': %s", path, strerror(errno));
    }
    if (file >= 0) {
        close(file);
    }
    return s;
}

static status write_new(solver_flow *flow, const char *temporary)
{
    store s;
    status result = open_store(flow, temporary, H5F_ACC_TRUNC, &s);
    if (result == STATUS_OK) {
        result = write_arrays(&s, "/grid", 1);
    }
    if (result == STATUS_OK) {
        hid_t group = H5Gcreate(s.file, "/flow", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        bool works = group >= 0 && H5Gclose(group) >= 0 &&
                     write_attribute(&s, "/", "karman_format", 1.0);
        result = works ? STATUS_OK : fail_write(temporary);
    }
    return first(result, close_store(&s));
}

status solver_checkpoint_create(solver_flow *flow, const char *path)
{
    MPI_Comm comm = solver_flow_comm(flow);
    bool root = parallel_rank(comm) == 0;
    size_t size = strlen(path) + 6;
    char *temporary = malloc(size);
    status s = temporary ? STATUS_OK : base_fail_memory(size, "a path");
    if (s == STATUS_OK) {
        snprintf(temporary, size, "%s.part", path);
        s = root ? claim(temporary, path) : STATUS_OK;
    }
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        H5E_BEGIN_TRY
        {
            s = write_new(flow, temporary);
        }
        H5E_END_TRY
        if (root && s == STATUS_OK) {
            s = io_file_commit(temporary, path);
        } else if (root) {
            unlink(temporary);
        }
        s = parallel_agree(comm, s);
    }
    free(temporary);
    return s;
}

/* ---- Steps ---- */

static void remove_link(const store *s, const char *name)
{
    if (H5Lexists(s->file, name, H5P_DEFAULT) > 0) {
        H5Ldelete(s->file, name, H5P_DEFAULT);
    }
}

static status add_step(const store *s)
{
    char name[PATH_SIZE];
    snprintf(name, sizeof name, "/flow/%06lld", (long long)solver_flow_steps(s->flow));
    remove_link(s, unfinished);
    status result = write_arrays(s, unfinished, 0);
    if (result != STATUS_OK) {
        return result;
    }
    bool works = write_attribute(s, unfinished, "time", solver_flow_time(s->flow)) &&
                 H5Fflush(s->file, H5F_SCOPE_GLOBAL) >= 0;
    if (works) {
        remove_link(s, name);
        works =
            H5Lmove(s->file, unfinished, s->file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
    }
    return works ? STATUS_OK : fail_write(s->path);
}

status solver_checkpoint_add(solver_flow *flow, const char *path)
{
    store s;
    status result = STATUS_OK;
    H5E_BEGIN_TRY
    {
        result = open_store(flow, path, H5F_ACC_RDWR, &s);
        if (result == STATUS_OK) {
            result = add_step(&s);
        }
        result = first(result, close_store(&s));
    }
    H5E_END_TRY
    return parallel_agree(solver_flow_comm(flow), result);
}

/* ---- Reading ---- */

/* Keeps the largest number among the names of steps. */
static herr_t visit_step(hid_t group, const char *name, const H5L_info_t *info,
                         void *data)
{
    int64_t *last = data;
    char *end;
    long long number = strtoll(name, &end, 10);
    (void)group;
    (void)info;
    if (*end == '\0' && end != name && number > *last) {
        *last = number;
    }
    return 0;
}

static status read_time(const store *s, const char *group, double *time)
{
    hid_t attribute = H5Aopen_by_name(s->file, group, "time", H5P_DEFAULT, H5P_DEFAULT);
    bool works = attribute >= 0 && H5Aread(attribute, H5T_NATIVE_DOUBLE, time) >= 0;
    if (attribute >= 0) {
        H5Aclose(attribute);
    }
    return works ? STATUS_OK
                 : base_fail(STATUS_INPUT, "'%s': step %s has no time", s->path, group);
}

static bool has_extents(hid_t array, const region *r)
{
    hsize_t n[3] = {0, 0, 0};
    hid_t space = array >= 0 ? H5Dget_space(array) : -1;
    bool fits = space >= 0 && H5Sget_simple_extent_ndims(space) == 3 &&
                H5Sget_simple_extent_dims(space, n, NULL) == 3 &&
                memcmp(n, r->extents, sizeof n) == 0;
    if (space >= 0) {
        H5Sclose(space);
    }
    return fits;
}

static status read_array(const store *s, const char *group, int block, int which)
{
    char name[PATH_SIZE];
    int64_t cells[3];
    region r = region_of(s->flow, block, NULL, 0);
    snprintf(name, sizeof name, "%s/%s/%s", group,
             solver_flow_block(s->flow, block, cells), variables[which]);
    hid_t array = H5Dopen(s->file, name, H5P_DEFAULT);
    bool works = has_extents(array, &r) &&
                 transfer_array(s, array, block, 0, which, false) == STATUS_OK;
    if (array >= 0) {
        H5Dclose(array);
    }
    return works ? STATUS_OK
                 : base_fail(STATUS_INPUT,
                             "'%s' has no %s of %lld x %lld x %lld cells: restart from a "
                             "file of the same grid",
                             s->path, name, (long long)cells[0], (long long)cells[1],
                             (long long)cells[2]);
}

static status read_last(const store *s)
{
    int64_t last = -1;
    char group[SOLVER_NAME_SIZE];
    double time = 0.0;
    H5Literate_by_name(s->file, "/flow", H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit_step,
                       &last, H5P_DEFAULT);
    if (last < 0) {
        return base_fail(STATUS_INPUT, "'%s' has no steps to restart from", s->path);
    }
    snprintf(group, sizeof group, "/flow/%06lld", (long long)last);
    status result = read_time(s, group, &time);
    for (int b = 0; result == STATUS_OK && b < solver_flow_blocks(s->flow); b++) {
        for (int v = 0; result == STATUS_OK && v < SOLVER_VARIABLES; v++) {
            result = read_array(s, group, b, v);
            result = parallel_agree(solver_flow_comm(s->flow), result);
        }
    }
    if (result == STATUS_OK) {
        solver_flow_resume(s->flow, time, last);
    }
    return result;
}

status solver_checkpoint_read(solver_flow *flow, const char *path)
{
    store s;
    status result = STATUS_OK;
    H5E_BEGIN_TRY
    {
        result = open_store(flow, path, H5F_ACC_RDONLY, &s);
        result = result == STATUS_OUTPUT ? STATUS_INPUT : result;
        if (result == STATUS_OK) {
            result = read_last(&s);
        }
        result = first(result, close_store(&s));
    }
    H5E_END_TRY
    return parallel_agree(solver_flow_comm(flow), result);
}
