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
    out->nplaces = blocks * (grid_count(catalog) * FIXED +
                             (int64_t)catalog->nsteps * catalog->nfields);
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

io_array_place io_array_place_make(io_number type, bool swaps, int64_t offset,
                                   const int64_t n[3], int components, int component)
{
    const int64_t size = (int64_t)io_number_size(type), tuple = size * components;
    return (io_array_place){.type = type,
                            .swaps = swaps,
                            .offset = offset + size * component,
                            .stride = {tuple, tuple * n[0], tuple * n[0] * n[1]}};
}
