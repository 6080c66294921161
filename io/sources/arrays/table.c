#include "arrays.h"

#include <stdlib.h>
#include <string.h>

size_t io_number_size(io_number type)
{
    static const size_t sizes[] = {4, 8, 1, 1, 2, 2, 4, 4, 8, 8};
    return sizes[type];
}

bool io_arrays_swap(bool is_big)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return is_big == (first == 1);
}

/* Coordinates and iblank: they come before the fields. */
enum { FIXED = -IO_ARRAY_X };

static int64_t grid_count(const io_catalog *catalog)
{
    int64_t most = 0;
    for (int n = 0; n < catalog->nsteps && catalog->grids; n++) {
        most = catalog->grids[n] > most ? catalog->grids[n] : most;
    }
    return most + 1;
}

io_array_place *io_array_table_at(const io_array_table *table, const io_catalog *catalog,
                                  int step, int block, int array)
{
    const int64_t blocks = io_catalog_all_count(catalog);
    if (array < 0) {
        const int64_t grid = catalog->grids && step >= 0 ? catalog->grids[step] : 0;
        return &table->places[(grid * blocks + block) * FIXED + (array - IO_ARRAY_X)];
    }
    step = table->is_even ? 0 : step;
    return &table->places[grid_count(catalog) * blocks * FIXED +
                          ((int64_t)step * blocks + block) * catalog->nfields + array];
}

status io_array_table_add_file(io_array_table *table, const char *path, int32_t *index)
{
    const size_t bytes = ((size_t)table->nfiles + 1) * sizeof *table->files;
    char *copy = strdup(path);
    char **more = copy ? realloc(table->files, bytes) : NULL;
    if (!more) {
        free(copy);
        return base_fail_memory(bytes, "the files of a data set");
    }
    table->files = more;
    table->files[table->nfiles] = copy;
    *index = table->nfiles++;
    return STATUS_OK;
}

status io_array_table_create(const char *path, const io_catalog *catalog,
                             io_array_table *out)
{
    const int64_t blocks = io_catalog_all_count(catalog);
    int32_t first;
    const int64_t steps = out->is_even && catalog->nsteps > 0 ? 1 : catalog->nsteps;
    out->nplaces = blocks * (grid_count(catalog) * FIXED + steps * catalog->nfields);
    const size_t bytes = ((size_t)out->nplaces + 1) * sizeof *out->places;
    out->places = calloc(1, bytes);
    if (!out->places) {
        return base_fail_memory(bytes, "the arrays of a data set");
    }
    for (int64_t n = 0; n < out->nplaces; n++) {
        out->places[n].file = IO_ARRAY_LACKS;
    }
    return out->nfiles > 0 ? STATUS_OK : io_array_table_add_file(out, path, &first);
}

/* ---- Steps alike ------------------------------------------------------------------- */

bool io_array_place_is_same(const io_array_place *a, const io_array_place *b)
{
    return a->file == b->file && a->type == b->type && a->swaps == b->swaps &&
           a->is_coded == b->is_coded && a->is_cut == b->is_cut &&
           a->offset == b->offset && a->hidden == b->hidden && a->start == b->start &&
           a->scale == b->scale && memcmp(a->stride, b->stride, sizeof a->stride) == 0 &&
           memcmp(a->code, b->code, sizeof a->code) == 0 &&
           memcmp(a->slope, b->slope, sizeof a->slope) == 0;
}

static bool has_bytes(const io_array_place *place)
{
    return place->file >= 0 && !place->is_coded && !place->is_cut;
}

static io_array_place move(const io_array_place *place, const io_array_step *by)
{
    io_array_place moved = *place;
    moved.file += place->file >= 0 ? by->file : 0;
    moved.offset += has_bytes(place) ? by->offset : 0;
    return moved;
}

/* Whether the places of a step are those of a row, and how far away. */
static bool is_like(int64_t count, const io_array_place *row, const io_array_place *its,
                    io_array_step *by)
{
    bool is = true;
    for (int64_t n = count - 1; n >= 0; n--) {
        by->file = row[n].file >= 0 ? its[n].file - row[n].file : by->file;
        by->offset = has_bytes(&row[n]) ? its[n].offset - row[n].offset : by->offset;
    }
    for (int64_t n = 0; n < count && is; n++) {
        const io_array_place moved = move(&row[n], by);
        is = io_array_place_is_same(&moved, &its[n]);
    }
    return is;
}

void io_array_table_fold(io_array_table *table, const io_catalog *catalog)
{
    const int64_t count = (int64_t)io_catalog_all_count(catalog) * catalog->nfields;
    io_array_step *steps = calloc((size_t)catalog->nsteps + 1, sizeof *steps);
    if (!steps || table->is_even || count == 0 || catalog->nsteps == 0) {
        free(steps);
        return;
    }
    io_array_place *first = io_array_table_at(table, catalog, 0, 0, 0), *last = first;
    for (int step = 1; step < catalog->nsteps; step++) {
        const io_array_place *its = first + step * count;
        steps[step].row = (int32_t)((last - first) / count);
        if (!is_like(count, last, its, &steps[step])) {
            last += count;
            memmove(last, its, (size_t)count * sizeof *last);
            steps[step] = (io_array_step){.row = (int32_t)((last - first) / count)};
        }
    }
    table->steps = steps;
    table->nplaces = last + count - table->places;
    const size_t bytes = ((size_t)table->nplaces + 1) * sizeof *table->places;
    io_array_place *fewer = realloc(table->places, bytes);
    table->places = fewer ? fewer : table->places;
}

io_array_place io_array_table_find(const io_array_table *table, const io_catalog *catalog,
                                   int step, int block, int array)
{
    const io_array_step own = {.row = step};
    const io_array_step *by = array >= 0 && table->steps ? &table->steps[step] : &own;
    io_array_place place =
        move(io_array_table_at(table, catalog, by->row, block, array), by);
    place.offset += array >= 0 && table->is_even ? step * place.next : 0;
    return place;
}

io_array_place io_array_place_make(io_number type, bool swaps, int64_t offset,
                                   const int64_t n[3], int components, int component)
{
    const int64_t size = (int64_t)io_number_size(type), tuple = size * components;
    return (io_array_place){.type = type,
                            .swaps = swaps,
                            .offset = offset + size * component,
                            .stride = {tuple, tuple * n[0], tuple * n[0] * n[1]}};
}
