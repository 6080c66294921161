/*
 * Grids that move, in karman's own layout: /grids/<step>/<block> has the coordinates of a
 * block from this step on, until a step that has others. A block has one size.
 */
#include "reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of blocks: the step whose coordinates they have, plus 1; 0: those of /grid. */
typedef struct moves {
    reader *reader;
    int step;      /* of the group that is visited */
    int32_t *rows; /* [nsteps][nblocks] */
    status status;
} moves;

static int find_step(const io_catalog *catalog, const char *name)
{
    int step = catalog->nsteps - 1;
    while (step >= 0 && strcmp(catalog->step_names[step], name) != 0) {
        step--;
    }
    return step;
}

static int find_block(const io_catalog *catalog, const char *name)
{
    int block = catalog->nblocks - 1;
    while (block >= 0 && strcmp(catalog->blocks[block].name, name) != 0) {
        block--;
    }
    return block;
}

/* A group without a block or step of its name says something that cannot be shown. */
static status fail_unknown(const moves *m, const char *what, const char *name,
                           const char *group)
{
    return base_fail(STATUS_INPUT,
                     "file '%s' has coordinates of a %s '%s' in '/grids', but no such "
                     "%s in '%s': write both alike",
                     m->reader->grid->path, what, name, what, group);
}

static herr_t visit_block(hid_t group, const char *name, const H5L_info_t *info,
                          void *context)
{
    (void)group;
    (void)info;
    moves *m = context;
    const io_catalog *catalog = m->reader->catalog;
    const int block = find_block(catalog, name);
    if (block < 0) {
        m->status = fail_unknown(m, "block", name, "/grid");
        return 1;
    }
    m->rows[(size_t)m->step * (size_t)catalog->nblocks + (size_t)block] = m->step + 1;
    return 0;
}

static herr_t visit_step(hid_t group, const char *name, const H5L_info_t *info,
                         void *context)
{
    (void)group;
    (void)info;
    moves *m = context;
    char path[IO_PATH_SIZE];
    m->step = find_step(m->reader->catalog, name);
    if (m->step < 0) {
        m->status = fail_unknown(m, "step", name, "/flow");
        return 1;
    }
    snprintf(path, sizeof path, "/grids/%s", m->reader->catalog->step_names[m->step]);
    if (!catalog_visit_members(m->reader->grid, path, visit_block, m)) {
        m->status = base_fail(STATUS_INPUT, "'%s' of file '%s' is no group of blocks",
                              path, m->reader->grid->path);
    }
    return m->status == STATUS_OK ? 0 : 1;
}

/* Hands coordinates on to later steps, numbers the grids, and keeps a row of each.
 * Returns their number. */
static int number_grids(io_catalog *catalog, int32_t *rows)
{
    const size_t blocks = (size_t)catalog->nblocks;
    int last = 0;
    for (int step = 1; step < catalog->nsteps; step++) {
        int32_t *row = rows + (size_t)step * blocks, *kept = rows + (size_t)last * blocks;
        bool is_new = false;
        for (size_t b = 0; b < blocks; b++) {
            is_new = is_new || row[b] != 0;
            row[b] = row[b] != 0 ? row[b] : kept[b];
        }
        last += is_new;
        memmove(rows + (size_t)last * blocks, row, is_new ? blocks * sizeof *row : 0);
        catalog->grids[step] = last;
    }
    return last + 1;
}

/* Checks the arrays of all grids of steps. */
static status look_at_all(reader *r)
{
    status s = STATUS_OK;
    for (int step = 0; step < r->catalog->nsteps && s == STATUS_OK; step++) {
        for (int b = 0; b < r->catalog->nblocks && s == STATUS_OK; b++) {
            const bool has_iblank = r->catalog->blocks[b].has_iblank;
            const int last = has_iblank ? IO_ARRAY_IBLANK : IO_ARRAY_Z;
            const bool is_here = io_hdf5_names_grid(r->catalog, step, b) == step + 1;
            for (int a = IO_ARRAY_X; a <= last && is_here && s == STATUS_OK; a++) {
                s = catalog_look_at_grid(r, step, b, a);
            }
        }
    }
    return s;
}

status catalog_read_moves(reader *r)
{
    io_catalog *catalog = r->catalog;
    if (catalog_object_kind(r->grid->id, "/grids") == H5I_BADID) {
        return STATUS_OK;
    }
    const size_t count = (size_t)catalog->nsteps * (size_t)catalog->nblocks + 1;
    moves m = {.reader = r, .rows = calloc(count, sizeof *m.rows)};
    catalog->grids = calloc((size_t)catalog->nsteps + 1, sizeof *catalog->grids);
    if (!m.rows || !catalog->grids) {
        free(m.rows);
        return base_fail_memory(count * sizeof *m.rows, "the grids of steps");
    }
    if (!catalog_visit_members(r->grid, "/grids", visit_step, &m)) {
        m.status = base_fail(STATUS_INPUT, "'/grids' of file '%s' is no group of steps",
                             r->grid->path);
    }
    if (m.status != STATUS_OK) {
        free(m.rows);
        return m.status;
    }
    const int ngrids = number_grids(catalog, m.rows);
    bool any = ngrids > 1;
    for (int b = 0; b < catalog->nblocks && !any; b++) {
        any = m.rows[b] != 0;
    }
    if (!any) {
        free(m.rows);
        free(catalog->grids);
        catalog->grids = NULL;
        return STATUS_OK;
    }
    const status s = io_catalog_set_geometry(catalog, ngrids, m.rows);
    return s == STATUS_OK ? look_at_all(r) : s;
}
