/*
 * Means over time. The arrays are divided into boxes. A box is read at all steps, one
 * after the other, so each value is read once, and what is added up of it fits into
 * memory: B. P. Welford, Note on a method for calculating corrected sums of squares and
 * products (Technometrics 4, 1962).
 */
#include "mean.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "convert.h"
#include "copy.h"
#include "frame/integrals/fields.h"
#include "io/load/load.h"
#include "io/select.h"
#include "journal.h"
#include "moments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATISTICS = 4,
    MOST_FIELDS = 60,
    MOST_INPUTS = MOST_FIELDS * GRID_RECIPE_MAX_INPUTS
};

/* The work. */
typedef struct means {
    MPI_Comm comm;
    const app_mean_request *request;
    io_source *source;
    frame_fields fields;
    int nsteps, *steps; /* indices */
    int count;          /* fields; with stresses, the velocity is the last three */
    grid_recipe *recipes[MOST_FIELDS];
    grid_field made[MOST_FIELDS * STATISTICS + 6];
    int from[MOST_FIELDS * STATISTICS + 6];
    uint64_t hash; /* of the fields and steps */
    int ninputs;   /* of all recipes at a location */
    int inputs[MOST_INPUTS];
} means;

/* A box of a group in the works. */
typedef struct mean_box {
    int block; /* of the plan */
    grid_location location;
    io_box box;
    int64_t count; /* values */
    float *inputs; /* [ninputs][most] */
    float *values; /* [count of fields][most] */
    mean_moments *moments;
    int64_t most;
} mean_box;

/* ---- Fields ------------------------------------------------------------------------ */

static void name_made(means *m, int at, const char *prefix, int recipe)
{
    const char *name = m->recipes[recipe] ? grid_recipe_name(m->recipes[recipe]) : "";
    snprintf(m->made[at].name, GRID_NAME_SIZE, "%s%.56s", prefix, name);
    m->made[at].location = grid_recipe_location(m->recipes[recipe]);
    m->from[at] =
        grid_recipe_input_count(m->recipes[recipe]) == 1 &&
                grid_recipe_input(m->recipes[recipe], 0) <
                    io_source_field_count(m->source) &&
                strcmp(name, io_source_fields(
                                 m->source)[grid_recipe_input(m->recipes[recipe], 0)]
                                 .name) == 0
            ? grid_recipe_input(m->recipes[recipe], 0)
            : -1;
}

static status add_recipe(means *m, const char *name)
{
    static const char *const prefixes[STATISTICS] = {"", "rms_", "min_", "max_"};
    grid_recipe **recipe = &m->recipes[m->count];
    if (m->count == MOST_FIELDS) {
        return base_fail(STATUS_USAGE, "more than %d fields: name some by --fields",
                         (int)MOST_FIELDS);
    }
    status s = grid_recipe_create(name, io_source_field_count(m->source),
                                  io_source_fields(m->source), m->fields.terms, recipe);
    bool is_made = false;
    for (int n = 0; s == STATUS_OK && n < grid_recipe_input_count(*recipe); n++) {
        is_made = is_made || grid_recipe_made(*recipe, n);
    }
    if (s == STATUS_OK && is_made) {
        s = base_fail(STATUS_USAGE,
                      "%s has mean(), or derivatives of derivatives: take means of its "
                      "fields, and derive it from them",
                      name);
    } else if (s == STATUS_OK && grid_recipe_ghost_layers(*recipe) > 0) {
        s = base_fail(STATUS_USAGE,
                      "%s has derivatives, or mixes values in cells with others: take "
                      "means of what it is made from, and derive it from them",
                      name);
    }
    if (s == STATUS_OK) {
        m->hash = base_hash_bytes(m->hash, name, strlen(name) + 1);
        for (int n = 0; n < STATISTICS; n++) {
            name_made(m, m->count * STATISTICS + n, prefixes[n], m->count);
        }
        m->count++;
    }
    return s;
}

static status add_stresses(means *m)
{
    static const char *const names[6] = {"xx", "yy", "zz", "xy", "yz", "xz"};
    static const char *const components[3] = {"velocity_x", "velocity_y", "velocity_z"};
    status s = STATUS_OK;
    for (int axis = 0; axis < 3 && s == STATUS_OK; axis++) {
        s = add_recipe(m, components[axis]);
    }
    for (int n = 0; n < 6 && s == STATUS_OK; n++) {
        grid_field *made = &m->made[m->count * STATISTICS + n];
        snprintf(made->name, sizeof made->name, "reynolds_stress_%s", names[n]);
        made->location = grid_recipe_location(m->recipes[m->count - 1]);
        m->from[m->count * STATISTICS + n] = -1;
    }
    return s;
}

/* Chooses steps and fields. The velocity of stresses is not listed twice. Local. */
static status choose(means *m)
{
    status s =
        io_select_steps(m->source, m->request->config, false, &m->nsteps, &m->steps);
    s = s == STATUS_OK ? frame_fields_find(m->request->fields, true,
                                           io_source_field_count(m->source),
                                           io_source_fields(m->source),
                                           &m->request->config->data.terms, &m->fields)
                       : s;
    m->hash = base_hash_bytes(BASE_HASH_START, io_source_path(m->source),
                              strlen(io_source_path(m->source)));
    for (int n = 0; n < m->nsteps && s == STATUS_OK; n++) {
        m->hash = base_hash_bytes(m->hash, &m->steps[n], sizeof m->steps[n]);
    }
    bool moves = false;
    s = s == STATUS_OK ? io_select_check_blocks(m->source, m->nsteps, m->steps, &moves)
                       : s;
    if (s == STATUS_OK && moves) {
        base_log_note("the grid moves: means are those of vertices and cells, wherever "
                      "they are; the new file has the grid of step %" PRId64,
                      io_source_steps(m->source)[m->steps[0]].number);
    }
    for (int n = 0; n < m->fields.count && s == STATUS_OK; n++) {
        const char *name = m->fields.names[n];
        const bool is_own = m->request->stresses && strncmp(name, "velocity_", 9) == 0 &&
                            strchr("xyz", name[9]) && name[9] && !name[10];
        s = is_own ? s : add_recipe(m, name);
    }
    return s == STATUS_OK && m->request->stresses ? add_stresses(m) : s;
}

/* ---- Boxes ------------------------------------------------------------------------- */

/* Lists the inputs of the recipes at a location. Returns their number. */
static int list_inputs(means *m, grid_location location)
{
    m->ninputs = 0;
    for (int r = 0; r < m->count; r++) {
        const bool is_here = grid_recipe_location(m->recipes[r]) == location;
        for (int n = 0; n < grid_recipe_input_count(m->recipes[r]) && is_here; n++) {
            const int input = grid_recipe_input(m->recipes[r], n);
            int at = 0;
            while (at < m->ninputs && m->inputs[at] != input) {
                at++;
            }
            m->inputs[at] = input;
            m->ninputs += at == m->ninputs;
        }
    }
    return m->ninputs;
}

/* Computes a field of the box from its inputs. Returns its values. */
static const float *compute(const means *m, int recipe, const mean_box *b)
{
    const bool cells = b->location == GRID_CELL;
    grid_patch patch = {.n = {(int)b->box.n[0] + cells, (int)b->box.n[1] + cells,
                              (int)b->box.n[2] + cells}};
    memcpy(patch.core_n, patch.n, sizeof patch.core_n);
    const grid_recipe *r = m->recipes[recipe];
    for (int n = 0; n < grid_recipe_input_count(r); n++) {
        int at = 0;
        while (m->inputs[at] != grid_recipe_input(r, n)) {
            at++;
        }
        patch.inputs[n] = b->inputs + at * b->most;
    }
    if (m->from[recipe * STATISTICS] >= 0) {
        return patch.inputs[0];
    }
    grid_recipe_compute(r, &patch, b->values + recipe * b->most);
    return b->values + recipe * b->most;
}

/* Adds a step of a box. Collective; errors are local. */
static status add_step(const means *m, const convert_plan *plan, int step, mean_box *b)
{
    const int block = convert_block_shown(plan, 0, b->block);
    const float *values[MOST_FIELDS] = {NULL};
    bool has[MOST_INPUTS] = {false};
    status s = STATUS_OK;
    for (int n = 0; n < m->ninputs; n++) {
        has[n] = io_source_has_field(m->source, step, m->inputs[n]);
        const status done = has[n] ? io_source_read(m->source, step, block, m->inputs[n],
                                                    &b->box, b->inputs + n * b->most)
                                   : STATUS_OK;
        s = s == STATUS_OK ? done : s;
    }
    for (int r = 0; r < m->count && s == STATUS_OK && b->count > 0; r++) {
        if (grid_recipe_location(m->recipes[r]) == b->location &&
            io_load_has(m->source, m->recipes[r], step)) {
            values[r] = compute(m, r, b);
        }
    }
    if (s == STATUS_OK && b->count > 0) {
        moments_add(b->moments, b->count, values);
    }
    const int u = m->count - 3;
    if (s == STATUS_OK && m->request->stresses && values[u] && values[u + 1] &&
        values[u + 2]) {
        moments_add_stresses(b->moments, b->count, values + u);
    }
    return s;
}

/* Writes the statistics of a box. Local. */
static status write_box(const means *m, const convert_plan *plan,
                        const convert_output *output, mean_box *b)
{
    status s = STATUS_OK;
    for (int64_t n = 0; n < plan->narrays && s == STATUS_OK; n++) {
        const convert_array *array = &plan->arrays[n];
        const int field = array->field / STATISTICS;
        if (array->array < 0 || array->block != b->block ||
            plan->outputs[array->field].location != b->location) {
            continue;
        }
        if (field < m->count) {
            moments_get(b->moments, field, array->field % STATISTICS, b->count,
                        b->values);
        } else {
            moments_get_stress(b->moments, array->field - m->count * STATISTICS, b->count,
                               b->values);
        }
        s = convert_box_write(output, array, &b->box, (const char *)b->values);
    }
    return s;
}

/* ---- Groups: the arrays of a block at one location ----------------------------------
 */

/* Works on a group, from box `first` on. Collective. */
static status run_group(const means *m, const convert_plan *plan,
                        const convert_output *output, int64_t first, mean_box *b)
{
    const int64_t ranks = parallel_size(m->comm), rank = parallel_rank(m->comm);
    int64_t n[3], size[3];
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = plan->blocks[b->block].n[axis] - (b->location == GRID_CELL);
    }
    convert_box_size(n, b->most, size);
    const int64_t boxes = convert_box_count(n, size);
    status s = STATUS_OK;
    for (; first < boxes && s == STATUS_OK; first += ranks) {
        b->box = convert_box_find(n, size, first + rank);
        b->count = b->box.n[0] * b->box.n[1] * b->box.n[2];
        moments_clear(b->moments, b->count);
        for (int step = 0; step < m->nsteps; step++) {
            const status done = add_step(m, plan, m->steps[step], b);
            s = s == STATUS_OK ? done : s;
        }
        s = s == STATUS_OK && b->count > 0 ? write_box(m, plan, output, b) : s;
        s = parallel_agree(m->comm, s);
        if (s == STATUS_OK && rank == 0) {
            s = convert_journal_add(output->path, 2 * b->block + (int)b->location,
                                    first + ranks);
        }
        s = parallel_agree(m->comm, s);
    }
    return s;
}

/* Reads what is done, or begins anew. Rank 0 tells all. Collective. */
static status find_done(const means *m, const convert_plan *plan,
                        const convert_output *output, int64_t *done)
{
    const int groups = 2 * plan->nblocks;
    const uint64_t signature = convert_journal_sign(plan, m->hash);
    status s = STATUS_OK;
    if (parallel_rank(m->comm) == 0 &&
        !convert_journal_read(output->path, signature, groups, done)) {
        s = convert_journal_begin(output->path, signature);
    }
    s = parallel_agree(m->comm, s);
    parallel_bcast(done, groups, MPI_INT64_T, 0, m->comm);
    return s;
}

/* app_convert_made.write */
static status write_means(MPI_Comm comm, const convert_plan *plan,
                          const convert_output *output, void *context)
{
    means *m = context;
    const size_t fields = (size_t)m->count;
    mean_box b = {.most = io_source_window(m->source) / (m->count + 4)};
    const size_t most = (size_t)b.most;
    const int cells = list_inputs(m, GRID_CELL), vertices = list_inputs(m, GRID_VERTEX);
    const size_t inputs = (size_t)(cells > vertices ? cells : vertices) + 1;
    int64_t *done = calloc(2 * (size_t)plan->nblocks, sizeof *done);
    status s = moments_create(m->count, m->request->stresses, b.most, &b.moments);
    b.inputs = malloc(most * inputs * sizeof *b.inputs);
    b.values = malloc(most * fields * sizeof *b.values);
    if (s == STATUS_OK && !(done && b.inputs && b.values)) {
        s = base_fail_memory(most * fields * sizeof *b.values, "means");
    }
    s = parallel_agree(comm, s);
    s = s == STATUS_OK ? find_done(m, plan, output, done) : s;
    for (int group = 0; group < 2 * plan->nblocks && s == STATUS_OK; group++) {
        b.block = group / 2;
        b.location = (grid_location)(group % 2);
        if (list_inputs(m, b.location) > 0) {
            s = run_group(m, plan, output, done[group], &b);
        }
    }
    moments_destroy(&b.moments);
    free(b.inputs);
    free(b.values);
    free(done);
    return s;
}

/* ---- The whole --------------------------------------------------------------------- */

static status run(means *m)
{
    const app_mean_request *r = m->request;
    const status s = parallel_agree(m->comm, choose(m));
    const app_convert_made made = {m->count * STATISTICS + (r->stresses ? 6 : 0),
                                   m->made,
                                   m->from,
                                   write_means,
                                   m,
                                   m->hash};
    const app_convert_request request = {
        .config = r->config, .output = r->output, .replaces = r->replaces, .made = &made};
    return s == STATUS_OK ? app_convert_of(m->comm, m->source, &request) : s;
}

status app_mean(MPI_Comm comm, const app_mean_request *request)
{
    means m = {.comm = comm, .request = request};
    io_data_config data = request->config->data;
    data.ntransforms = data.ncopies = 0; /* views are for pictures */
    status s = io_source_open(comm, &data, &m.source);
    s = s == STATUS_OK ? run(&m) : s;
    for (int n = 0; n < m.count; n++) {
        grid_recipe_destroy(&m.recipes[n]);
    }
    frame_fields_clear(&m.fields);
    free(m.steps);
    io_source_close(&m.source);
    return s;
}
