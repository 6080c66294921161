#include "store.h"

#include "failure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const variables[SOLVER_VARIABLES] = {
    "density", "momentum_x", "momentum_y", "momentum_z", "energy"};

const char *solver_store_variable(int which)
{
    return variables[which];
}

/* The cells, or vertices, of a block that belong to a box. */
typedef struct region {
    hsize_t extents[3], start[3], count[3]; /* in the block; k first, the order of HDF5 */
} region;

bool solver_store_fail(const char *path)
{
    return solver_fail(SOLVER_FAILED,
                       "writing '%s' failed: the disk may be full or over its quota",
                       path);
}

/* The region of a box, or an empty one if box is NULL. A vertex belongs to the box of the
 * cell above it; the last vertices of a block belong to the box of the cell below. */
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

/* Copies the region between an array with ghosts and a packed one. */
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

static hid_t create_array(const solver_store *s, const char *name, const region *r)
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

/* Transfers one box's part, or nothing, together with the other ranks. */
static bool transfer_part(const solver_store *s, hid_t array, const region *r, bool empty,
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

/* A box's array: coordinate or variable number `which`. */
static double *box_array(const solver_flow_box *box, int vertex, int which)
{
    /* coordinates are only read */
    return vertex ? (double *)(uintptr_t)box->coordinates[which] : box->variables[which];
}

/* Transfers one array of a block. The calls are collective: each rank makes as many as
 * the rank with the most boxes. */
static bool transfer_array(const solver_store *s, hid_t array, int block, int vertex,
                           int which, bool out)
{
    int mine = solver_flow_boxes(s->flow), most;
    bool works = array >= 0;
    MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, solver_flow_comm(s->flow));
    /* A rank that fails goes on, because the others wait for it in the next call. */
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
    return works;
}

bool solver_store_write(const solver_store *s, const char *group, int vertex)
{
    static const char *const coordinates[] = {"x", "y", "z"};
    const int arrays = vertex ? 3 : SOLVER_VARIABLES;
    bool works = true;
    for (int n = 0; works && n < arrays * solver_flow_blocks(s->flow); n++) {
        const int b = n / arrays, a = n % arrays;
        region r = region_of(s->flow, b, NULL, vertex);
        int64_t cells[3];
        char name[SOLVER_PATH_SIZE];
        snprintf(name, sizeof name, "%s/%s/%s", group,
                 solver_flow_block(s->flow, b, cells),
                 vertex ? coordinates[a] : variables[a]);
        hid_t array = create_array(s, name, &r);
        works = transfer_array(s, array, b, vertex, a, true);
        works = array >= 0 && H5Dclose(array) >= 0 && works;
        works =
            solver_agree(solver_flow_comm(s->flow), works || solver_store_fail(s->path));
    }
    return works;
}

bool solver_store_attribute(hid_t file, const char *object, const char *name,
                            double value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate_by_name(file, object, name, H5T_IEEE_F64LE, space,
                                        H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool written = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) >= 0;
    if (attribute >= 0) {
        written = H5Aclose(attribute) >= 0 && written;
    }
    H5Sclose(space);
    return written;
}

/* ---- Files ---- */

static bool allocate_buffer(solver_store *s)
{
    size_t room = 1;
    for (int b = 0; b < solver_flow_boxes(s->flow); b++) {
        solver_flow_box box = solver_flow_box_get(s->flow, b);
        size_t size = (size_t)((box.n[0] + 1) * (box.n[1] + 1) * (box.n[2] + 1));
        room = size > room ? size : room;
    }
    s->buffer = malloc(room * sizeof *s->buffer);
    return s->buffer || solver_fail_memory(room * sizeof *s->buffer, "a box's values");
}

bool solver_store_open(solver_flow *flow, const char *path, unsigned flags,
                       solver_store *out)
{
    *out = (solver_store){.flow = flow, .path = path, .file = -1, .transfer = -1};
    if (!solver_agree(solver_flow_comm(flow), allocate_buffer(out))) {
        return false;
    }
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access, solver_flow_comm(flow), MPI_INFO_NULL);
    out->file = flags == H5F_ACC_TRUNC ? H5Fcreate(path, flags, H5P_DEFAULT, access)
                                       : H5Fopen(path, flags, access);
    H5Pclose(access);
    out->transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(out->transfer, H5FD_MPIO_COLLECTIVE);
    return solver_agree(
        solver_flow_comm(flow),
        out->file >= 0 ||
            solver_fail(SOLVER_FAILED, "'%s' cannot be opened as an HDF5 file", path));
}

bool solver_store_close(solver_store *s)
{
    bool works = true;
    if (s->transfer >= 0) {
        H5Pclose(s->transfer);
    }
    if (s->file >= 0) {
        works = H5Fclose(s->file) >= 0 || solver_store_fail(s->path);
    }
    free(s->buffer);
    return solver_agree(solver_flow_comm(s->flow), works);
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

bool solver_store_read(const solver_store *s, const char *group, int block, int which)
{
    char name[SOLVER_PATH_SIZE];
    int64_t cells[3];
    region r = region_of(s->flow, block, NULL, 0);
    snprintf(name, sizeof name, "%s/%s/%s", group,
             solver_flow_block(s->flow, block, cells), variables[which]);
    hid_t array = H5Dopen(s->file, name, H5P_DEFAULT);
    bool works =
        has_extents(array, &r) && transfer_array(s, array, block, 0, which, false);
    if (array >= 0) {
        H5Dclose(array);
    }
    return works ||
           solver_fail(SOLVER_FAILED,
                       "'%s' has no %s of %lld x %lld x %lld cells: restart from a "
                       "file of the same grid",
                       s->path, name, (long long)cells[0], (long long)cells[1],
                       (long long)cells[2]);
}
