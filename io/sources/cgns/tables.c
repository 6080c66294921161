#include "tables.h"

#include "base/parallel/parallel.h"
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

/* An array of the tables. */
typedef struct item {
    void **data;
    size_t count, size;
} item;

enum { ITEMS = 7 };

static void list_items(cgns_tables *t, void *data[ITEMS], item out[ITEMS])
{
    const size_t choices = cgns_tables_at(t, t->nblocks, 0);
    const size_t counts[ITEMS] = {(size_t)t->ngrids, (size_t)t->nsolutions,
                                  (size_t)t->nmarks, (size_t)t->nfields,
                                  choices,           choices,
                                  (size_t)t->nfields};
    const size_t sizes[ITEMS] = {
        sizeof *t->grids, sizeof *t->solutions, sizeof *t->marks, sizeof *t->arrays,
        sizeof *t->grid,  sizeof *t->solution,  sizeof *t->polar};
    data[0] = t->grids;
    data[1] = t->solutions;
    data[2] = t->marks;
    data[3] = t->arrays;
    data[4] = t->grid;
    data[5] = t->solution;
    data[6] = t->polar;
    for (int n = 0; n < ITEMS; n++) {
        out[n] = (item){&data[n], counts[n], sizes[n]};
    }
}

static void take_items(cgns_tables *t, void *const data[ITEMS])
{
    t->grids = data[0];
    t->solutions = data[1];
    t->marks = data[2];
    t->arrays = data[3];
    t->grid = data[4];
    t->solution = data[5];
    t->polar = data[6];
}

static void broadcast_bytes(MPI_Comm comm, void *data, size_t size)
{
    enum { MOST_BYTES = 1 << 26 };
    for (size_t at = 0; at < size; at += MOST_BYTES) {
        const size_t part = size - at < MOST_BYTES ? size - at : MOST_BYTES;
        parallel_bcast((char *)data + at, parallel_count((int64_t)part), MPI_BYTE, 0,
                       comm);
    }
}

status cgns_tables_broadcast(MPI_Comm comm, cgns_tables *tables)
{
    const bool is_first = parallel_rank(comm) == 0;
    int counts[6] = {tables->nblocks, tables->nfields,    tables->nsteps,
                     tables->ngrids,  tables->nsolutions, tables->nmarks};
    void *data[ITEMS];
    item items[ITEMS];
    status s = STATUS_OK;
    parallel_bcast(counts, 6, MPI_INT, 0, comm);
    if (!is_first) {
        *tables = (cgns_tables){.nblocks = counts[0],
                                .nfields = counts[1],
                                .nsteps = counts[2],
                                .ngrids = counts[3],
                                .nsolutions = counts[4],
                                .nmarks = counts[5]};
    }
    list_items(tables, data, items);
    for (int n = 0; n < ITEMS && !is_first; n++) {
        *items[n].data = calloc(items[n].count + 1, items[n].size);
        s = *items[n].data ? s
                           : base_fail_memory(items[n].count * items[n].size,
                                              "the arrays of a CGNS file");
    }
    take_items(tables, data);
    s = parallel_agree(comm, s);
    for (int n = 0; n < ITEMS && s == STATUS_OK; n++) {
        broadcast_bytes(comm, *items[n].data, items[n].count * items[n].size);
    }
    return s;
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

/* The first solution of this block or of one behind it. */
static int find_first(const cgns_tables *tables, int block)
{
    int lo = 0, hi = tables->nsolutions;
    while (lo < hi) {
        const int middle = lo + (hi - lo) / 2;
        if (tables->solutions[middle].block < block) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

void cgns_tables_solutions(const cgns_tables *tables, int block, int *first, int *end)
{
    *first = find_first(tables, block);
    *end = find_first(tables, block + 1);
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
    for (int n = 0; n < tables->nmarks; n++) {
        if (tables->marks[n].block == block) {
            put_mark(&tables->marks[n], box, out);
        }
    }
}
