/*
 * The PLOT3D source: a grid, and files of values beside it or named in data.plot3d.
 *
 * Rank 0 finds the files and reads the header of each, so errors appear on one rank. The
 * grid and the files of the current step stay open on all ranks. Each rank reads its own
 * boxes, by MPI-IO or, of a text, from the chunks that have them.
 */
#include "base/parallel/parallel.h"
#include "contents.h"
#include "io/file.h"
#include "io/source.h"
#include "io/source_kind.h"
#include "io/window.h"
#include "part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct plot3d_state {
    plot3d_part grid;
    plot3d_part values[2];    /* the open files of values: q, function */
    int64_t number[2];        /* their steps */
    plot3d_contents contents; /* rank 0; nq on all ranks */
    io_plot3d_config forms;   /* those that the config names */
    io_data_config fills;     /* only its fill values */
} plot3d_state;

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
 * fit is taken by its usual ending, so that a message can say what is wrong with it. */
static bool plot3d_takes(const char *path, FILE *stream)
{
    static const plot3d_kind kinds[] = {PLOT3D_GRID, PLOT3D_Q, PLOT3D_FUNCTION};
    static const char hdf5[] = "\211HDF";
    char bytes[4] = "";
    bool is = false;
    rewind(stream);
    if (fread(bytes, sizeof bytes, 1, stream) != 1 ||
        memcmp(bytes, hdf5, sizeof bytes) == 0) {
        return false;
    }
    for (int n = 0; n < 3 && !is; n++) {
        const plot3d_request request = {.path = path, .kind = kinds[n]};
        plot3d_header header = {0};
        is = plot3d_header_look(&request, &header) == STATUS_OK;
        is = is || strstr(base_fail_message(), "Fortran record") != NULL;
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
    const bool is_grid = plot3d_header_look(&request, &header) == STATUS_OK;
    plot3d_header_clear(&header);
    base_fail_set_message("");
    return is_grid;
}

static bool plot3d_wants(const io_data_config *config)
{
    return config->plot3d != NULL;
}

/* ---- Opening ----------------------------------------------------------------------- */

static status create_state(const io_data_config *config, plot3d_state **out)
{
    plot3d_state *state = calloc(1, sizeof *state);
    if (!state) {
        return base_fail_memory(sizeof *state, "the PLOT3D source");
    }
    if (config->plot3d) {
        state->forms = *config->plot3d;
    }
    state->forms.q = state->forms.function = state->forms.names = NULL;
    state->fills.nfills = config->nfills;
    memcpy(state->fills.fills, config->fills, sizeof config->fills);
    *out = state;
    return STATUS_OK;
}

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

static status open_all(io_source *source, const io_data_config *config)
{
    plot3d_state *state = source->state;
    const plot3d_request request = {
        .path = source->path, .kind = PLOT3D_GRID, .config = &state->forms};
    status s = plot3d_part_open(source->comm, &request, &state->grid);
    if (s == STATUS_INPUT && parallel_rank(source->comm) == 0) {
        s = name_grid(source->path, s);
    }
    s = parallel_agree(source->comm, s);
    if (s == STATUS_OK && parallel_rank(source->comm) == 0) {
        s = plot3d_contents_read(source->path, config, &state->grid.header,
                                 &state->contents, &source->catalog);
    }
    s = parallel_agree(source->comm, s);
    if (s == STATUS_OK) {
        s = io_catalog_broadcast(source->comm, &source->catalog);
        parallel_bcast(&state->contents.nq, 1, MPI_INT64_T, 0, source->comm);
    }
    return s;
}

static status plot3d_open(io_source *source, const io_data_config *config)
{
    plot3d_state *state = NULL;
    status s = parallel_agree(source->comm, create_state(config, &state));
    source->state = state;
    return s == STATUS_OK ? open_all(source, config) : s;
}

static void plot3d_close(io_source *source)
{
    plot3d_state *state = source->state;
    if (state) {
        plot3d_part_close(&state->grid);
        plot3d_part_close(&state->values[0]);
        plot3d_part_close(&state->values[1]);
        plot3d_contents_clear(&state->contents);
        free(state);
    }
    source->state = NULL;
}

/* ---- Reading ----------------------------------------------------------------------- */

/* Opens the file of values of a step, unless it is open. All ranks fail alike.
 * Collective. */
static status open_step(io_source *source, int step, bool is_function)
{
    plot3d_state *state = source->state;
    plot3d_part *part = &state->values[is_function];
    const int64_t number = source->catalog.steps[step].number;
    if (part->is_open && state->number[is_function] == number) {
        return STATUS_OK;
    }
    plot3d_part_close(part);
    const plot3d_request request = {
        .path = parallel_rank(source->comm) == 0
                    ? plot3d_series_path(is_function ? &state->contents.function
                                                     : &state->contents.q,
                                         number)
                    : NULL,
        .kind = is_function ? PLOT3D_FUNCTION : PLOT3D_Q,
        .config = &state->forms,
        .grid = &state->grid.header};
    state->number[is_function] = number;
    return plot3d_part_open(source->comm, &request, part);
}

static size_t box_count(const io_box *box)
{
    if (box->n[0] <= 0 || box->n[1] <= 0 || box->n[2] <= 0) {
        return 0;
    }
    return (size_t)box->n[0] * (size_t)box->n[1] * (size_t)box->n[2];
}

/* How the values of a file become numbers. */
static io_unpacking find_unpacking(const plot3d_state *state, const plot3d_part *part,
                                   bool is_field)
{
    io_unpacking unpacking = {.type = plot3d_part_is_single(part) ? IO_STORED_FLOAT32
                                                                  : IO_STORED_FLOAT64};
    for (int n = 0; n < state->fills.nfills && is_field; n++) {
        io_unpacking_add_fill(&unpacking, IO_STORED_FLOAT64,
                              (io_stored){.f64 = state->fills.fills[n]});
    }
    return unpacking;
}

/* Reads stored values and converts them: coordinates to doubles, fields to floats unless
 * doubles are wanted. */
static status read_values(const io_source *source, plot3d_part *part, int block,
                          int64_t value, const io_box *box, void *out)
{
    const plot3d_state *state = source->state;
    const bool is_field = part != &state->grid;
    const bool is_single = is_field && !source->wants_doubles;
    const io_unpacking unpacking = find_unpacking(state, part, is_field);
    const size_t count = box_count(box), bytes = (count + 1) * sizeof(double);
    const io_box nothing = {{0, 0, 0}, {0, 0, 0}};
    const bool in_place = is_single && unpacking.type == IO_STORED_FLOAT32;
    void *scratch = in_place ? NULL : malloc(bytes);
    status s =
        in_place || scratch ? STATUS_OK : base_fail_memory(bytes, "values being read");
    void *stored = in_place ? out : scratch;
    /* A rank without memory takes part, and reads nothing. */
    status read =
        plot3d_part_read(part, block, value, s == STATUS_OK ? box : &nothing, stored);
    s = s == STATUS_OK ? read : s;
    if (s == STATUS_OK && is_single) {
        io_unpack_floats(&unpacking, count, stored, out);
    } else if (s == STATUS_OK) {
        io_unpack_doubles(&unpacking, count, stored, out);
    }
    free(scratch);
    return s;
}

/* What a two-dimensional file lacks: z, and the momentum along it, the fourth field. */
enum { MOMENTUM_Z = 3 };

static status fill_zeros(const io_source *source, const io_box *box, bool is_place,
                         void *out)
{
    const bool is_double = is_place || source->wants_doubles;
    if (box_count(box) > 0) {
        memset(out, 0, box_count(box) * (is_double ? sizeof(double) : sizeof(float)));
    }
    return STATUS_OK;
}

static status plot3d_read(io_source *source, int step, int block, int array,
                          const io_box *box, void *out)
{
    plot3d_state *state = source->state;
    if (array == IO_ARRAY_IBLANK) {
        return plot3d_part_read(&state->grid, block, -1, box, out);
    }
    if (array == IO_ARRAY_Z && state->grid.header.is_flat) {
        return fill_zeros(source, box, true, out);
    }
    if (array < 0) {
        return read_values(source, &state->grid, block, array - IO_ARRAY_X, box, out);
    }
    if (!io_source_has_field(source, step, array)) {
        return base_fail(STATUS_INPUT, "step %" PRId64 " of '%s' has no field '%s'",
                         source->catalog.steps[step].number, source->path,
                         source->catalog.fields[array].name);
    }
    const bool is_function = array >= state->contents.nq;
    int64_t value = array - (is_function ? state->contents.nq : 0);
    status s = open_step(source, step, is_function);
    if (s != STATUS_OK) {
        return s;
    }
    if (state->values[0].header.is_flat && !is_function && value >= MOMENTUM_Z) {
        if (value == MOMENTUM_Z) {
            return fill_zeros(source, box, false, out);
        }
        value--;
    }
    return read_values(source, &state->values[is_function], block, value, box, out);
}

static bool has_member(const plot3d_series *series, const char *path)
{
    bool has = false;
    for (int n = 0; n < series->count && !has; n++) {
        has = io_file_is_same(series->members[n].path, path);
    }
    return has;
}

static bool plot3d_reads(const io_source *source, const char *path)
{
    const plot3d_state *state = source->state;
    return has_member(&state->contents.q, path) ||
           has_member(&state->contents.function, path);
}

const io_source_kind io_source_plot3d = {.takes = plot3d_takes,
                                         .wants = plot3d_wants,
                                         .leads = plot3d_leads,
                                         .open = plot3d_open,
                                         .read = plot3d_read,
                                         .reads = plot3d_reads,
                                         .close = plot3d_close,
                                         .has_doubles = true,
                                         .window = IO_WINDOW_VERTICES};
