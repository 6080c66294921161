/* karman info FILE: what is in a data file. */
#include "app/frame/config_load.h"
#include "arguments.h"
#include "base/parallel/parallel.h"
#include "cmd.h"
#include "io/json/json.h"
#include "io/load/load.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory of a vertex while rendering: three coordinates and the scalar in float32, and
 * flags. */
enum { BYTES_PER_VERTEX = 17 };

/* Over which steps the ranges of fields are taken. */
typedef enum range_steps {
    RANGES_ENDS, /* the first and the last step that have the field */
    RANGES_ALL,
    RANGES_NONE
} range_steps;

typedef struct info_arguments {
    const char *file;
    bool json;
    range_steps ranges;
    status result;
} info_arguments;

/* The range of a field; lo > hi where nothing finite was seen. */
typedef struct field_range {
    double range[2];
    int first, last; /* steps (indices) that were looked at: the ends; -1 where none */
} field_range;

/* Everything that is printed. */
typedef struct info {
    io_source *source;
    grid_layout *layout;
    field_range *ranges; /* [fields of the source] */
} info;

/* ---- looking ---------------------------------------------------------------------- */

/* The steps (indices) to look at for a field's range; returns their number. steps: [all].
 */
static int choose_steps(const io_source *source, int field, range_steps which, int *steps)
{
    int count = 0;
    for (int step = 0; step < io_source_step_count(source) && which != RANGES_NONE;
         step++) {
        if (io_source_has_field(source, step, field)) {
            steps[count++] = step;
        }
    }
    if (which == RANGES_ENDS && count > 2) {
        steps[1] = steps[count - 1];
        count = 2;
    }
    return count;
}

static status find_range(MPI_Comm comm, const info *in, int field, range_steps which,
                         int *steps, field_range *out)
{
    int count = choose_steps(in->source, field, which, steps);
    *out = (field_range){{INFINITY, -INFINITY}, -1, -1};
    if (count == 0) {
        return STATUS_OK;
    }
    out->first = steps[0];
    out->last = steps[count - 1];
    /* A field of the file is a recipe that needs nothing of the gas. */
    const grid_gas gas = {1.4, 1.0};
    const grid_field *fields = io_source_fields(in->source);
    grid_recipe *recipe = NULL;
    status s = grid_recipe_create(fields[field].name, io_source_field_count(in->source),
                                  fields, gas, &recipe);
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = io_load_scan(comm, in->source,
                         &(io_load_series){in->layout, recipe, steps, count}, out->range);
    }
    grid_recipe_destroy(&recipe);
    return s;
}

static status find_ranges(MPI_Comm comm, range_steps which, info *in)
{
    int nfields = io_source_field_count(in->source);
    size_t nsteps = (size_t)io_source_step_count(in->source);
    int *steps = malloc((nsteps + 1) * sizeof *steps);
    in->ranges = calloc((size_t)nfields + 1, sizeof *in->ranges);
    status s = STATUS_OK;
    if (!steps || !in->ranges) {
        s = base_fail_memory((nsteps + 1) * sizeof *steps, "the ranges of the fields");
    }
    s = parallel_agree(comm, s);
    for (int field = 0; field < nfields && s == STATUS_OK; field++) {
        s = find_range(comm, in, field, which, steps, &in->ranges[field]);
    }
    free(steps);
    return s;
}

static bool is_config(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* Opens a data file, or the data of a config file. Collective. */
static status open_source(MPI_Comm comm, const char *path, io_source **out)
{
    if (is_config(path)) {
        io_config *config = NULL;
        status s = app_config_load(comm, path, 0, NULL, &config);
        if (s == STATUS_OK) {
            s = io_source_open(comm, &config->data, out);
        }
        io_config_destroy(&config);
        return s;
    }
    char *copy = strdup(path);
    status s =
        copy ? STATUS_OK : base_fail_memory(strlen(path) + 1, "the name of a file");
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        const io_data_config data = {.file = copy, .all_steps = true};
        s = io_source_open(comm, &data, out);
    }
    free(copy);
    return s;
}

static void info_release(info *in)
{
    free(in->ranges);
    grid_layout_destroy(&in->layout);
    io_source_close(&in->source);
}

/* Corners of the grid's bounds in the coordinates of the file. */
static box3 absolute_bounds(const grid_layout *layout)
{
    return (box3){vec3_add(layout->bounds.lo, layout->origin),
                  vec3_add(layout->bounds.hi, layout->origin)};
}

static int64_t memory_bytes(const grid_layout *layout)
{
    return grid_layout_vertices(layout) * BYTES_PER_VERTEX;
}

/* ---- text ------------------------------------------------------------------------- */

static void print_block(const grid_block *block)
{
    printf("  %-20s %5" PRId64 " x %" PRId64 " x %" PRId64 " vertices", block->name,
           block->n[0], block->n[1], block->n[2]);
    for (int axis = 0; axis < 3; axis++) {
        if (block->closed[axis]) {
            printf(", closed along %c", "ijk"[axis]);
        }
    }
    printf("%s%s\n", block->left_handed ? ", left-handed" : "",
           block->has_iblank ? ", iblank" : "");
}

static void print_grid(const info *in)
{
    const grid_layout *layout = in->layout;
    const grid_census *census = &layout->census;
    box3 bounds = absolute_bounds(layout);
    printf("blocks    %d\n", layout->nblocks);
    for (int block = 0; block < layout->nblocks; block++) {
        print_block(&layout->blocks[block]);
    }
    printf("vertices  %" PRId64 " (%s)\n", grid_layout_vertices(layout),
           io_source_double_coordinates(in->source) ? "float64" : "float32");
    printf("cells     %" PRId64 ": %" PRId64 " blanked, %" PRId64 " inverted, %" PRId64
           " of no volume\n",
           census->cells, census->blanked, census->inverted, census->zero_volume);
    for (int axis = 0; axis < 3; axis++) {
        printf("%-9s %c from %.9g to %.9g\n", axis == 0 ? "bounds" : "", "xyz"[axis],
               bounds.lo.v[axis], bounds.hi.v[axis]);
    }
    printf("memory    %.1f MiB to render one field (%d bytes a vertex)\n",
           (double)memory_bytes(layout) / (1024.0 * 1024.0), BYTES_PER_VERTEX);
}

static void print_steps(const io_source *source)
{
    int count = io_source_step_count(source);
    printf("steps     %d\n", count);
    for (int step = 0; step < count; step++) {
        const io_step *s = &io_source_steps(source)[step];
        printf("  %-8" PRId64 " time %g\n", s->number, s->time);
    }
}

/* Says which steps a range was taken over. */
static void print_range_steps(const info *in, const field_range *r, range_steps which)
{
    const io_step *steps = io_source_steps(in->source);
    int64_t first = steps[r->first].number, last = steps[r->last].number;
    if (r->first == r->last) {
        printf("  (step %" PRId64 ")", first);
    } else {
        printf("  (steps %" PRId64 " %s %" PRId64 ")", first,
               which == RANGES_ALL ? "to" : "and", last);
    }
}

/* Which stored values are missing, and how the others are packed. */
static void print_unpacking(const io_unpacking *unpacking)
{
    for (int n = 0; n < unpacking->nfills; n++) {
        printf("%s %.9g", n == 0 ? ", missing" : "", io_unpacking_fill(unpacking, n));
    }
    if (unpacking->is_scaled) {
        printf(", packed x %.9g + %.9g", unpacking->scale, unpacking->offset);
    }
}

static void print_field(const info *in, int field, range_steps which)
{
    const grid_field *f = &io_source_fields(in->source)[field];
    const field_range *r = &in->ranges[field];
    printf("  %-20s %s", f->name, f->location == GRID_CELL ? "in cells" : "at vertices");
    print_unpacking(io_source_unpacking(in->source, field));
    if (r->first >= 0) {
        if (r->range[0] <= r->range[1]) {
            printf("  %g to %g", r->range[0], r->range[1]);
        } else {
            printf("  no finite value");
        }
        print_range_steps(in, r, which);
    }
    printf("\n");
}

static void print_fields(const info *in, range_steps which)
{
    int nfields = io_source_field_count(in->source);
    const grid_field *fields = io_source_fields(in->source);
    printf("fields    %d\n", nfields);
    for (int field = 0; field < nfields; field++) {
        print_field(in, field, which);
    }
    const char *name = grid_recipe_derivable(nfields, fields, 0);
    printf("derivable %s", name ? name : "nothing");
    for (int n = 1; name && (name = grid_recipe_derivable(nfields, fields, n)); n++) {
        printf(", %s", name);
    }
    printf("\n");
}

static void print_text(const info *in, range_steps which)
{
    printf("file      %s\n", io_source_path(in->source));
    print_grid(in);
    print_steps(in->source);
    print_fields(in, which);
}

/* ---- JSON ------------------------------------------------------------------------- */

static json_t *json_vector(vec3 v)
{
    return json_pack("[o, o, o]", io_json_number(v.v[0]), io_json_number(v.v[1]),
                     io_json_number(v.v[2]));
}

static json_t *describe_block(const grid_block *block)
{
    json_t *closed = json_array();
    for (int axis = 0; axis < 3; axis++) {
        if (block->closed[axis]) {
            json_array_append_new(closed, json_stringn(&"ijk"[axis], 1));
        }
    }
    return json_pack("{s:o, s:[I, I, I], s:b, s:o, s:b}", "name",
                     io_json_text(block->name), "vertices", (json_int_t)block->n[0],
                     (json_int_t)block->n[1], (json_int_t)block->n[2], "iblank",
                     block->has_iblank, "closed", closed, "left_handed",
                     block->left_handed);
}

static json_t *describe_blocks(const grid_layout *layout)
{
    json_t *list = json_array();
    for (int block = 0; block < layout->nblocks; block++) {
        json_array_append_new(list, describe_block(&layout->blocks[block]));
    }
    return list;
}

static json_t *describe_steps(const io_source *source)
{
    json_t *list = json_array();
    for (int step = 0; step < io_source_step_count(source); step++) {
        const io_step *s = &io_source_steps(source)[step];
        json_array_append_new(list,
                              json_pack("{s:I, s:o}", "number", (json_int_t)s->number,
                                        "time", io_json_number(s->time)));
    }
    return list;
}

static json_t *describe_field(const info *in, int field)
{
    const grid_field *f = &io_source_fields(in->source)[field];
    const field_range *r = &in->ranges[field];
    json_t *range = r->range[0] <= r->range[1]
                        ? json_pack("[o, o]", io_json_number(r->range[0]),
                                    io_json_number(r->range[1]))
                        : json_null();
    json_t *missing = json_array();
    for (int step = 0; step < io_source_step_count(in->source); step++) {
        if (!io_source_has_field(in->source, step, field)) {
            int64_t number = io_source_steps(in->source)[step].number;
            json_array_append_new(missing, json_integer((json_int_t)number));
        }
    }
    const io_unpacking *unpacking = io_source_unpacking(in->source, field);
    json_t *fills = json_array();
    for (int n = 0; n < unpacking->nfills; n++) {
        json_array_append_new(fills, io_json_number(io_unpacking_fill(unpacking, n)));
    }
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:f, s:f}", "name", io_json_text(f->name),
                     "location", f->location == GRID_CELL ? "cell" : "vertex", "range",
                     range, "missing_in_steps", missing, "fill", fills, "scale_factor",
                     unpacking->is_scaled ? unpacking->scale : 1.0, "add_offset",
                     unpacking->is_scaled ? unpacking->offset : 0.0);
}

static json_t *describe_fields(const info *in)
{
    json_t *list = json_array();
    for (int field = 0; field < io_source_field_count(in->source); field++) {
        json_array_append_new(list, describe_field(in, field));
    }
    return list;
}

static json_t *describe_derivable(const io_source *source)
{
    json_t *list = json_array();
    const char *name;
    for (int n = 0; (name = grid_recipe_derivable(io_source_field_count(source),
                                                  io_source_fields(source), n)) != NULL;
         n++) {
        json_array_append_new(list, json_string(name));
    }
    return list;
}

static json_t *describe_cells(const grid_census *census)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "all", (json_int_t)census->cells, "blanked",
                     (json_int_t)census->blanked, "inverted",
                     (json_int_t)census->inverted, "zero_volume",
                     (json_int_t)census->zero_volume);
}

static json_t *describe_all(const info *in)
{
    box3 bounds = absolute_bounds(in->layout);
    return json_pack(
        "{s:o, s:o, s:I, s:o, s:s, s:[o, o], s:I, s:o, s:o, s:o}", "file",
        io_json_text(io_source_path(in->source)), "blocks", describe_blocks(in->layout),
        "vertices", (json_int_t)grid_layout_vertices(in->layout), "cells",
        describe_cells(&in->layout->census), "coordinates",
        io_source_double_coordinates(in->source) ? "float64" : "float32", "bounds",
        json_vector(bounds.lo), json_vector(bounds.hi), "bytes",
        (json_int_t)memory_bytes(in->layout), "steps", describe_steps(in->source),
        "fields", describe_fields(in), "derivable", describe_derivable(in->source));
}

static status print_json(const info *in)
{
    json_t *all = describe_all(in);
    int failed = !all || json_dumpf(all, stdout, JSON_INDENT(2)) != 0;
    json_decref(all);
    if (failed) {
        return base_fail(STATUS_OUTPUT, "the JSON cannot be written to standard output");
    }
    printf("\n");
    return STATUS_OK;
}

/* ---- the command ------------------------------------------------------------------ */

enum { OPTION_JSON = 'j', OPTION_RANGES = 'r' };

static const struct argp_option option_table[] = {
    {"json", OPTION_JSON, NULL, 0, "Print JSON, for programs", 0},
    {"ranges", OPTION_RANGES, "STEPS", 0,
     "Steps to take the ranges of fields over: 'ends' (the first and the last, as a "
     "rule), "
     "'all' (reads the whole file) or 'none'",
     0},
    {0},
};

static void set_ranges(info_arguments *arguments, const char *text)
{
    if (strcmp(text, "ends") == 0) {
        arguments->ranges = RANGES_ENDS;
    } else if (strcmp(text, "all") == 0) {
        arguments->ranges = RANGES_ALL;
    } else if (strcmp(text, "none") == 0) {
        arguments->ranges = RANGES_NONE;
    } else {
        arguments->result =
            base_fail(STATUS_USAGE, "--ranges %s: give 'ends', 'all' or 'none'", text);
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    info_arguments *arguments = state->input;
    switch (key) {
    case OPTION_JSON:
        arguments->json = true;
        return 0;
    case OPTION_RANGES:
        set_ranges(arguments, text);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->file) {
            arguments->result =
                base_fail(STATUS_USAGE, "info takes one file, but '%s' follows '%s'",
                          text, arguments->file);
        }
        arguments->file = text;
        return 0;
    case ARGP_KEY_ERROR:
        return app_arguments_reject(state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp cmd_info_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "FILE",
    .doc = "Shows what is in an HDF5 file: blocks, bounds, memory, fields with their "
           "ranges, "
           "steps, and cells that are blanked, inverted or of no volume."
           "\vFILE may also be a config (.yaml): its data section says where the data "
           "sets of "
           "other layouts are.\n"
           "Exit status: 0 done, 1 failed at run time, 2 wrong usage or config.",
};

static status parse_arguments(int argc, char **argv, info_arguments *arguments)
{
    status s = app_arguments_parse(&cmd_info_argp, argc, argv, arguments);
    if (s != STATUS_OK || (s = arguments->result) != STATUS_OK) {
        return s;
    }
    if (!arguments->file) {
        return base_fail(STATUS_USAGE, "info needs a file: see '%s --help'", argv[0]);
    }
    return STATUS_OK;
}

status cmd_info(MPI_Comm comm, int argc, char **argv)
{
    info_arguments arguments = {.result = STATUS_OK};
    status s = parse_arguments(argc, argv, &arguments);
    info in = {0};
    if (s == STATUS_OK) {
        s = open_source(comm, arguments.file, &in.source);
    }
    if (s == STATUS_OK) {
        s = io_load_layout(comm, in.source, &in.layout);
    }
    if (s == STATUS_OK) {
        s = find_ranges(comm, arguments.ranges, &in);
    }
    if (s == STATUS_OK) {
        status printed = STATUS_OK;
        if (parallel_rank(comm) == 0 && arguments.json) {
            printed = print_json(&in);
        } else if (parallel_rank(comm) == 0) {
            print_text(&in, arguments.ranges);
        }
        s = parallel_agree(comm, printed);
    }
    info_release(&in);
    return s;
}
