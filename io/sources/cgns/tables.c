#include "tables.h"

#include "base/parallel/share.h"
#include "io/sources/hdf5/dataset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cgns_tables_clear(cgns_tables *tables)
{
    free(tables->grids);
    free(tables->solutions);
    free(tables->marks);
    free(tables->is_absent);
    free(tables->donors);
    free(tables->arrays);
    free(tables->polar);
    free(tables->grid);
    free(tables->solution);
    *tables = (cgns_tables){0};
}

/* ---- Broadcast --------------------------------------------------------------------- */

status cgns_tables_broadcast(MPI_Comm comm, cgns_tables *tables)
{
    int counts[6] = {tables->nblocks, tables->nfields,    tables->nsteps,
                     tables->ngrids,  tables->nsolutions, tables->nmarks};
    parallel_bcast(counts, 6, MPI_INT, 0, comm);
    tables->nblocks = counts[0];
    tables->nfields = counts[1];
    tables->nsteps = counts[2];
    tables->ngrids = counts[3];
    tables->nsolutions = counts[4];
    tables->nmarks = counts[5];
    const int64_t choices = (int64_t)counts[0] * counts[2];
    const parallel_list lists[] = {PARALLEL_LIST(tables->grids, counts[3]),
                                   PARALLEL_LIST(tables->solutions, counts[4]),
                                   PARALLEL_LIST(tables->marks, counts[5]),
                                   PARALLEL_LIST(tables->arrays, counts[1]),
                                   PARALLEL_LIST(tables->polar, counts[1]),
                                   PARALLEL_LIST(tables->grid, choices),
                                   PARALLEL_LIST(tables->solution, choices)};
    return parallel_share(comm, STATUS_OK, sizeof lists / sizeof lists[0], lists,
                          "the arrays of a CGNS file");
}

/* ---- Paths ------------------------------------------------------------------------- */

static bool has_object(hid_t file, const char *path)
{
    return H5Lexists(file, path, io_hdf5_links()) > 0;
}

const char *cgns_tables_coordinate(const cgns_place *grid, int axis)
{
    static const char *const names[2][3] = {
        {"CoordinateX", "CoordinateY", "CoordinateZ"},
        {"CoordinateR", "CoordinateTheta", "CoordinateZ"}};
    return names[grid->is_turned][axis];
}

void cgns_tables_path(hid_t file, const cgns_place *place, const char *array,
                      char path[IO_PATH_SIZE])
{
    char node[IO_PATH_SIZE];
    bool fits = snprintf(node, sizeof node, "%s/%s", place->path, array) < IO_PATH_SIZE;
    for (int links = 0; links < 8 && fits; links++) {
        fits = snprintf(path, IO_PATH_SIZE, "%.*s/ data", IO_PATH_SIZE - 8, node) <
               IO_PATH_SIZE;
        if (fits && has_object(file, path)) {
            return;
        }
        fits = strlen(node) + 8 < IO_PATH_SIZE && has_object(file, node);
        strcat(node, fits ? "/ link" : "");
    }
    path[0] = '\0';
}

/* The first entry of this block or of one behind it. entries: `count` of so many bytes,
 * by ascending block, with which each begins. */
static int find_first(const void *entries, size_t bytes, int count, int block)
{
    int lo = 0, hi = count;
    while (lo < hi) {
        const int middle = lo + (hi - lo) / 2;
        if (*(const int *)((const char *)entries + (size_t)middle * bytes) < block) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

void cgns_tables_solutions(const cgns_tables *tables, int block, int *first, int *end)
{
    const cgns_place *all = tables->solutions;
    *first = find_first(all, sizeof *all, tables->nsolutions, block);
    *end = find_first(all, sizeof *all, tables->nsolutions, block + 1);
}

void cgns_tables_at_step(const cgns_tables *tables, int block, int step, int *first,
                         int *end)
{
    const int chosen = tables->solution[cgns_tables_at(tables, block, step)];
    *first = chosen == CGNS_NONE ? 0 : chosen;
    *end = chosen == CGNS_NONE ? 0 : chosen + 1;
    if (chosen == CGNS_ALL) {
        cgns_tables_solutions(tables, block, first, end);
    }
}

const cgns_place *cgns_tables_find(const cgns_tables *tables, hid_t file, int step,
                                   int block, const char *array, char path[IO_PATH_SIZE])
{
    int first, end;
    cgns_tables_at_step(tables, block, step, &first, &end);
    for (int n = first; n < end; n++) {
        cgns_tables_path(file, &tables->solutions[n], array, path);
        if (path[0] != '\0') {
            return &tables->solutions[n];
        }
    }
    return NULL;
}

/* ---- Walls and holes --------------------------------------------------------------- */

/* Marks the part that lies in the box. */
static void put_mark(const cgns_mark *mark, const io_box *box, int32_t *out)
{
    int64_t lo[3], hi[3];
    for (int axis = 0; axis < 3; axis++) {
        lo[axis] = mark->lo[axis] > box->lo[axis] ? mark->lo[axis] : box->lo[axis];
        const int64_t last = box->lo[axis] + box->n[axis] - 1;
        hi[axis] = mark->hi[axis] < last ? mark->hi[axis] : last;
    }
    for (int64_t k = lo[2]; k <= hi[2]; k++) {
        for (int64_t j = lo[1]; j <= hi[1]; j++) {
            for (int64_t i = lo[0]; i <= hi[0]; i++) {
                const int64_t row = (k - box->lo[2]) * box->n[1] + j - box->lo[1];
                int32_t *at = &out[row * box->n[0] + i - box->lo[0]];
                *at = *at == 0 ? 0 : mark->iblank;
            }
        }
    }
}

void cgns_tables_mark(const cgns_tables *tables, int block, const io_box *box,
                      int32_t *out)
{
    for (int64_t n = 0; n < box->n[0] * box->n[1] * box->n[2]; n++) {
        out[n] = 1;
    }
    const cgns_mark *all = tables->marks;
    int n = find_first(all, sizeof *all, tables->nmarks, block);
    for (; n < tables->nmarks && all[n].block == block; n++) {
        put_mark(&all[n], box, out);
    }
}
