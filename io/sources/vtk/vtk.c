/* The source of VTK files. */
#include "encoded.h"
#include "io/gzip/unpacked.h"
#include "io/source_kind.h"
#include "io/sources/arrays/text.h"
#include "legacy.h"
#include "xml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Whether a file is VTK's XML, of a type that may have structured grids. */
static bool is_xml(FILE *stream)
{
    static const char *const types[] = {"StructuredGrid",
                                        "RectilinearGrid",
                                        "ImageData",
                                        "vtkMultiBlockDataSet",
                                        "PStructuredGrid",
                                        "PRectilinearGrid",
                                        "PImageData",
                                        "vtkPartitionedDataSet",
                                        "vtkPartitionedDataSetCollection",
                                        "Collection"};
    char text[1024], type[64];
    fseek(stream, 0, SEEK_SET);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    const char *found = strstr(text, "<VTKFile");
    found = found ? strstr(found, "type=") : NULL;
    if (!found || sscanf(found, "type=%*[\"']%63[A-Za-z]", type) != 1) {
        return false;
    }
    bool is = false;
    for (size_t n = 0; n < sizeof types / sizeof types[0]; n++) {
        is = is || strcmp(type, types[n]) == 0;
    }
    return is;
}

static bool vtk_takes(const char *path, FILE *stream)
{
    (void)path;
    return vtk_legacy_is(stream) || is_xml(stream);
}

static status describe_legacy(const char *path, io_array_builder *builder)
{
    const status s = vtk_legacy_describe(path, 0, "block_1", builder);
    return s == STATUS_OK
               ? io_catalog_note(builder->catalog, "format", "VTK, legacy file")
               : s;
}

static status describe_xml(const char *path, io_array_builder *builder)
{
    const status s = vtk_xml_describe(path, builder);
    return s == STATUS_OK ? io_catalog_note(builder->catalog, "format", "VTK, XML file")
                          : s;
}

static status describe(const char *path, const io_data_config *config,
                       io_catalog *catalog, io_array_table *table)
{
    (void)config;
    io_array_builder builder = {
        .path = path, .catalog = catalog, .table = table, .nsteps = 1};
    FILE *stream = io_unpacked_stream(path);
    status s = stream ? STATUS_OK
                      : base_fail(STATUS_INPUT, "file '%s' cannot be opened: %s", path,
                                  strerror(errno));
    builder.steps = calloc(1, sizeof *builder.steps);
    if (s == STATUS_OK && !builder.steps) {
        s = base_fail_memory(sizeof *builder.steps, "a step");
    }
    if (s == STATUS_OK) {
        strcpy(builder.steps->name, "0");
        s = vtk_legacy_is(stream) ? describe_legacy(path, &builder)
                                  : describe_xml(path, &builder);
    }
    if (stream) {
        fclose(stream);
    }
    s = io_array_builder_finish(&builder, s);
    free(builder.steps);
    return s;
}

static status decode(const char *path, const io_array_place *place, void **values,
                     int64_t *bytes)
{
    return vtk_encoded_is(place) ? vtk_encoded_decode(path, place, values, bytes)
                                 : io_array_text_decode(path, place, values, bytes);
}

static const io_array_format format = {.describe = describe, .decode = decode};

static status vtk_open(io_source *source, const io_data_config *config)
{
    return io_arrays_open(source, config, &format);
}

const io_source_kind io_source_vtk = {
    .takes = vtk_takes, .open = vtk_open, IO_ARRAYS_REST};
