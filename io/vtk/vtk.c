/* The source of VTK files. */
#include "io/source_kind.h"
#include "io/window.h"
#include "legacy.h"

static bool vtk_takes(const char *path, FILE *stream)
{
    (void)path;
    return vtk_legacy_is(stream);
}

static status describe(const char *path, const io_data_config *config,
                       io_catalog *catalog, io_array_table *table)
{
    (void)config;
    io_array_builder builder = {.path = path, .catalog = catalog, .table = table};
    status s = vtk_legacy_describe(path, 0, "block_1", &builder);
    s = s == STATUS_OK ? io_catalog_note(catalog, "format", "VTK, legacy file") : s;
    return io_array_builder_finish(&builder, s);
}

static const io_array_format format = {describe, vtk_legacy_decode};

static status vtk_open(io_source *source, const io_data_config *config)
{
    return io_arrays_open(source, config, &format);
}

const io_source_kind io_source_vtk = {.takes = vtk_takes,
                                      .open = vtk_open,
                                      .read = io_arrays_read,
                                      .reads = io_arrays_reads,
                                      .close = io_arrays_close,
                                      .has_doubles = true,
                                      .has_places = true,
                                      .window = IO_WINDOW_VERTICES};
