#include "base/path.h"
#include "io/sources/hdf5/attributes.h"
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes the shape of the block from x, y and z: each may lack axes. */
static void take_shape(grid_block *block, const io_hdf5_dataset *dataset)
{
    for (int axis = 0; axis < 3; axis++) {
        block->n[axis] = block->n[axis] > 0 ? block->n[axis] : dataset->n[axis];
    }
}

/* A grid without z is a plane. */
static status make_plane(const reader *r, grid_block *block)
{
    if (block->n[2] > 1) {
        return base_fail(STATUS_USAGE,
                         "data.grid.z is missing: x and y of block '%s' of file '%s' "
                         "have three axes",
                         block->name, r->grid->path);
    }
    block->n[2] = 1;
    return STATUS_OK;
}

/* Takes the unit of lengths, if it is that of x, y and z. */
static void take_unit(const io_hdf5_dataset *dataset, int array, io_catalog *catalog)
{
    char unit[IO_UNIT_SIZE] = "";
    io_hdf5_unit_read(dataset, unit);
    if (array == IO_ARRAY_X || strcmp(unit, catalog->length_unit) != 0) {
        snprintf(catalog->length_unit, sizeof unit, "%s",
                 array == IO_ARRAY_X ? unit : "");
    }
}

status catalog_look_at_grid(reader *r, int step, int number, int array)
{
    grid_block *block = &r->catalog->blocks[number];
    io_hdf5_place place;
    io_hdf5_dataset dataset;
    io_hdf5_names_locate(r->names, r->catalog, step, number, array, &place);
    status s = io_hdf5_dataset_open(r->grid, &place, &dataset);
    if (s != STATUS_OK) {
        return s;
    }
    r->is_virtual |= dataset.is_virtual;
    if (array != IO_ARRAY_IBLANK) {
        take_shape(block, &dataset);
    }
    char what[GRID_NAME_SIZE + 32];
    snprintf(what, sizeof what, "x of block '%s'", block->name);
    s = io_hdf5_dataset_check(r->grid, &dataset, block->n, what);
    io_unpacking unpacking = {.is_scaled = false};
    const char *ignored;
    if (s == STATUS_OK && array != IO_ARRAY_IBLANK) {
        s = io_hdf5_unpacking_read(r->grid, &dataset, &unpacking, &ignored);
    }
    if (s == STATUS_OK && array != IO_ARRAY_IBLANK) {
        s = io_hdf5_dataset_check_stored(r->grid, &dataset);
    }
    if (s == STATUS_OK && array != IO_ARRAY_IBLANK && io_hdf5_is_longitude(&dataset)) {
        r->catalog->longitude = array - IO_ARRAY_X + 1;
    }
    if (s == STATUS_OK && array != IO_ARRAY_IBLANK && number == 0) {
        take_unit(&dataset, array, r->catalog);
    }
    if (array != IO_ARRAY_IBLANK &&
        (!dataset.is_float || dataset.precision > 4 || unpacking.is_scaled)) {
        r->catalog->double_coordinates = true;
    }
    io_hdf5_dataset_close(&dataset);
    return s;
}

static status look_at_block(reader *r, int number, bool has_iblank)
{
    grid_block *block = &r->catalog->blocks[number];
    block->has_iblank = has_iblank;
    int last = has_iblank ? IO_ARRAY_IBLANK : IO_ARRAY_Z;
    for (int array = IO_ARRAY_X; array <= last; array++) {
        const bool is_lacking = array == IO_ARRAY_Z && r->names->lacks_z;
        status s =
            is_lacking ? make_plane(r, block) : catalog_look_at_grid(r, 0, number, array);
        if (s != STATUS_OK) {
            return s;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        if (block->n[axis] == 0) {
            return base_fail(STATUS_INPUT,
                             "x, y and z of block '%s' of file '%s' have no axis along "
                             "%c: one of them needs it",
                             block->name, r->grid->path, "ijk"[axis]);
        }
    }
    return STATUS_OK;
}

static herr_t visit_block(hid_t group, const char *name, const H5L_info_t *info,
                          void *context)
{
    (void)info;
    walk *w = context;
    if (catalog_object_kind(group, name) != H5I_GROUP) {
        return 0;
    }
    grid_block block;
    memset(&block, 0, sizeof block);
    w->status = catalog_check_name(w->reader->grid, name);
    if (w->status == STATUS_OK) {
        strcpy(block.name, name);
        w->status = io_catalog_add_block(w->reader->catalog, &block);
    }
    return w->status == STATUS_OK ? 0 : 1;
}

static status read_own_grid(reader *r)
{
    walk w = {.reader = r};
    if (!catalog_visit_members(r->grid, "/grid", visit_block, &w)) {
        return catalog_refuse_layout(r->grid, "has no group '/grid'");
    }
    if (w.status == STATUS_OK && r->catalog->nblocks == 0) {
        return catalog_refuse_layout(r->grid, "holds no block in its group '/grid'");
    }
    for (int block = 0; block < r->catalog->nblocks && w.status == STATUS_OK; block++) {
        char path[IO_PATH_SIZE];
        snprintf(path, sizeof path, "/grid/%s/iblank", r->catalog->blocks[block].name);
        w.status =
            look_at_block(r, block, catalog_object_kind(r->grid->id, path) != H5I_BADID);
    }
    return w.status;
}

/* ---- blocks by a pattern ----------------------------------------------------------- */

static status add_block(reader *r, const char *name)
{
    grid_block block;
    memset(&block, 0, sizeof block);
    strcpy(block.name, name);
    return io_catalog_add_block(r->catalog, &block);
}

static herr_t visit_named_block(hid_t group, const char *name, const H5L_info_t *info,
                                void *context)
{
    (void)info;
    walk *w = context;
    char block[GRID_NAME_SIZE], path[2 * IO_PATH_SIZE];
    if (!io_block_place_match(w->place, name, block)) {
        return 0;
    }
    snprintf(path, sizeof path, "%s%s", name, w->place->rest);
    if (catalog_object_kind(group, path) == H5I_DATASET) {
        w->status = add_block(w->reader, block);
    }
    return w->status == STATUS_OK ? 0 : 1;
}

static int compare_blocks(const void *a, const void *b)
{
    return base_path_compare(((const grid_block *)a)->name,
                             ((const grid_block *)b)->name);
}

static status find_named_blocks(reader *r)
{
    const char *const paths[4] = {r->config->grid_x, r->config->grid_y, r->config->grid_z,
                                  r->config->grid_iblank};
    int array = 0;
    while (!r->names->grid[array].has_block) {
        array++;
    }
    io_block_place place;
    io_pattern_find_blocks(&r->names->grid[array], &place);
    walk w = {.reader = r, .place = &place};
    catalog_visit_members(r->grid, place.group, visit_named_block, &w);
    if (w.status == STATUS_OK && r->catalog->nblocks == 0) {
        return base_fail(STATUS_INPUT,
                         "data.grid: nothing in group '%s' of file '%s' fits '%s'",
                         place.group, r->grid->path, paths[array]);
    }
    qsort(r->catalog->blocks, (size_t)r->catalog->nblocks, sizeof *r->catalog->blocks,
          compare_blocks);
    return w.status;
}

/* iblank may be missing in some blocks. */
static bool has_iblank(const reader *r, int block)
{
    io_hdf5_place place;
    if (!r->names->has_iblank || !r->names->grid[3].has_block) {
        return r->names->has_iblank;
    }
    io_hdf5_names_locate(r->names, r->catalog, 0, block, IO_ARRAY_IBLANK, &place);
    return catalog_object_kind(r->grid->id, place.path) != H5I_BADID;
}

static status read_named_grid(reader *r)
{
    status s = r->names->has_blocks ? find_named_blocks(r) : add_block(r, "block");
    for (int block = 0; block < r->catalog->nblocks && s == STATUS_OK; block++) {
        s = look_at_block(r, block, has_iblank(r, block));
    }
    return s;
}

status catalog_read_grid(reader *r)
{
    return r->names->own_grid ? read_own_grid(r) : read_named_grid(r);
}
