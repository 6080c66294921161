/*
 * The PLOT3D source: a grid, and files of values beside it or named in data.plot3d. Rank
 * 0 finds the files, reads the header of each, and says in a table where their arrays
 * lie.
 */
#include "contents.h"
#include "header.h"
#include "places.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Recognition ------------------------------------------------------------------- */

/* Whether the name has an ending that PLOT3D files often have. */
static bool has_usual_ending(const char *path)
{
    static const char *const usual[] = {".xyz", ".x",   ".g", ".grd", ".p3d",
                                        ".q",   ".fun", ".f", ".gin"};
    const char *dot = strrchr(path, '.');
    bool has = false;
    for (size_t n = 0; n < sizeof usual / sizeof usual[0] && dot; n++) {
        has = has || strcasecmp(dot, usual[n]) == 0;
    }
    return has;
}

/* io_source_kind.takes: a file whose length follows from its sizes. A file that does not
 * fit is taken by its usual ending, so that a message can say what is wrong with it; so
 * is one that cannot be read. */
static bool plot3d_takes(const char *path, FILE *stream)
{
    static const plot3d_kind kinds[] = {PLOT3D_GRID, PLOT3D_Q, PLOT3D_FUNCTION};
    static const char hdf5[] = "\211HDF";
    char bytes[4] = "";
    bool is = false;
    fseek(stream, 0, SEEK_SET);
    if (fread(bytes, sizeof bytes, 1, stream) != 1 ||
        memcmp(bytes, hdf5, sizeof bytes) == 0) {
        return false;
    }
    for (int n = 0; n < 3 && !is; n++) {
        const plot3d_request request = {.path = path, .kind = kinds[n]};
        plot3d_header header = {0};
        const status looked = plot3d_header_look(&request, &header);
        is = looked == STATUS_OK || strstr(base_fail_message(), "Fortran record");
        is = plot3d_header_pass(looked) != STATUS_OK || is;
        plot3d_header_clear(&header);
        base_fail_set_message("");
    }
    return is || has_usual_ending(path);
}

/* io_source_kind.leads: values are opened beside their grid. */
static bool plot3d_leads(const char *path)
{
    const plot3d_request request = {.path = path, .kind = PLOT3D_GRID};
    plot3d_header header = {0};
    const status looked = plot3d_header_look(&request, &header);
    const bool is_grid = looked == STATUS_OK || plot3d_header_pass(looked) != STATUS_OK;
    plot3d_header_clear(&header);
    base_fail_set_message("");
    return is_grid;
}

static bool plot3d_wants(const io_data_config *config)
{
    return config->plot3d != NULL;
}

/* ---- Opening ----------------------------------------------------------------------- */

/* Names the grid beside a file of values that was given in its place. Keeps the message
 * if there is none. Local. */
static status name_grid(const char *path, status failed)
{
    static const plot3d_kind kinds[] = {PLOT3D_Q, PLOT3D_FUNCTION};
    char message[1024];
    snprintf(message, sizeof message, "%s", base_fail_message());
    for (int n = 0; n < 2; n++) {
        const plot3d_request request = {.path = path, .kind = kinds[n]};
        plot3d_header header = {0};
        base_fail_set_message("");
        const bool is = plot3d_header_look(&request, &header) == STATUS_OK;
        plot3d_header_clear(&header);
        char *grid = is ? plot3d_series_grid(path, kinds[n]) : NULL;
        base_fail_set_message("");
        if (grid) {
            base_fail(failed,
                      "file '%s' is a PLOT3D %s, and its grid is '%s': give karman the "
                      "grid, beside which it finds the %s",
                      path, plot3d_kind_name(kinds[n]), grid, plot3d_kind_name(kinds[n]));
            free(grid);
            return failed;
        }
    }
    base_fail_set_message(message);
    return failed;
}

static status describe(const char *path, const io_data_config *config,
                       io_catalog *catalog, io_array_table *table)
{
    const plot3d_request request = {
        .path = path, .kind = PLOT3D_GRID, .config = config->plot3d, .is_counted = true};
    plot3d_header grid = {0};
    status s = plot3d_header_look(&request, &grid);
    s = s == STATUS_OK      ? plot3d_contents_read(path, config, &grid, catalog, table)
        : s == STATUS_INPUT ? name_grid(path, s)
                            : s;
    plot3d_header_clear(&grid);
    return s;
}

static const io_array_format format = {.describe = describe,
                                       .decode = plot3d_places_decode};

static status plot3d_open(io_source *source, const io_data_config *config)
{
    return io_arrays_open(source, config, &format);
}

const io_source_kind io_source_plot3d = {.takes = plot3d_takes,
                                         .wants = plot3d_wants,
                                         .leads = plot3d_leads,
                                         .open = plot3d_open,
                                         IO_ARRAYS_REST};
