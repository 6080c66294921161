/*
 * A file format: the text "crate NI NJ NK". The grid is a box of unit cells with as many
 * vertices, and its one field, "height", is z. There is one step.
 */
#include "base/parallel/parallel.h"
#include "io/source.h"
#include "io/source_kind.h"
#include "io/window.h"

#include <inttypes.h>
#include <string.h>

static bool takes(const char *path, FILE *stream)
{
    (void)path;
    char word[7] = "";
    rewind(stream);
    return fscanf(stream, "%6s", word) == 1 && strcmp(word, "crate") == 0;
}

/* Reads the numbers of vertices. */
static status read_block(const char *path, grid_block *block)
{
    *block = (grid_block){.name = "crate"};
    FILE *stream = fopen(path, "r");
    const bool is_read =
        stream && fscanf(stream, "crate %" SCNd64 " %" SCNd64 " %" SCNd64, &block->n[0],
                         &block->n[1], &block->n[2]) == 3;
    if (stream) {
        fclose(stream);
    }
    return is_read
               ? STATUS_OK
               : base_fail(STATUS_INPUT,
                           "file '%s' is no crate: write 'crate NI NJ NK' into it", path);
}

/* Rank 0's part of opening. */
static status read_catalog(const char *path, io_catalog *catalog)
{
    grid_block block;
    const grid_field height = {.name = "height", .location = GRID_VERTEX};
    io_named_step step = {{0, 0.0}, "0"};
    status s = read_block(path, &block);
    s = s == STATUS_OK ? io_catalog_add_block(catalog, &block) : s;
    s = s == STATUS_OK ? io_catalog_add_field(catalog, &height) : s;
    s = s == STATUS_OK ? io_catalog_set_steps(catalog, path, 1, &step) : s;
    s = s == STATUS_OK ? io_catalog_clear_presence(catalog) : s;
    if (s == STATUS_OK) {
        *io_catalog_presence(catalog, 0, 0) = 1;
    }
    return s;
}

static status open_crate(io_source *source, const io_data_config *config)
{
    (void)config;
    status s = parallel_rank(source->comm) == 0
                   ? read_catalog(source->path, &source->catalog)
                   : STATUS_OK;
    s = parallel_agree(source->comm, s);
    return s == STATUS_OK ? io_catalog_broadcast(source->comm, &source->catalog) : s;
}

static void close_crate(io_source *source)
{
    (void)source;
}

/* Values are indices: each rank finds its own. */
static status read_crate(io_source *source, int step, int block, int array,
                         const io_box *box, void *out)
{
    (void)source;
    (void)step;
    (void)block;
    int64_t n = 0;
    for (int64_t k = box->lo[2]; k < box->lo[2] + box->n[2]; k++) {
        for (int64_t j = box->lo[1]; j < box->lo[1] + box->n[1]; j++) {
            for (int64_t i = box->lo[0]; i < box->lo[0] + box->n[0]; i++, n++) {
                if (array >= 0) {
                    ((float *)out)[n] = (float)k;
                } else {
                    ((double *)out)[n] = (double)(array == IO_ARRAY_X   ? i
                                                  : array == IO_ARRAY_Y ? j
                                                                        : k);
                }
            }
        }
    }
    return STATUS_OK;
}

const io_source_kind io_source_crate = {.takes = takes,
                                        .open = open_crate,
                                        .read = read_crate,
                                        .close = close_crate,
                                        .window = IO_WINDOW_VERTICES};
