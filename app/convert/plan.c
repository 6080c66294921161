#include "plan.h"

#include "base/words.h"
#include "io/select.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool convert_plan_is_vtk(const char *output)
{
    const size_t length = strlen(output);
    const char *end = output + (length < 4 ? 0 : length - 4);
    return strcasecmp(end, ".vtm") == 0 || strcasecmp(end, ".pvd") == 0;
}

void convert_plan_clear(convert_plan *plan)
{
    free(plan->steps);
    free(plan->fields);
    free(plan->blocks);
    free(plan->members);
    free(plan->grids);
    free(plan->outputs);
    free(plan->step_names);
    free(plan->is_double);
    free(plan->arrays);
    *plan = (convert_plan){.source = NULL};
}

/* ---- Steps and fields -------------------------------------------------------------- */

/* A source without steps has a grid alone. */
static status choose_steps(const app_convert_request *request, convert_plan *plan)
{
    const io_data_config *data = &request->config->data;
    if (io_source_step_count(plan->source) == 0 && data->all_steps) {
        return STATUS_OK;
    }
    const status s = io_select_steps(plan->source, request->config, false, &plan->nsteps,
                                     &plan->steps);
    plan->nsteps = s == STATUS_OK && request->made ? 1 : plan->nsteps;
    return s;
}

/* Whether the list, with commas between names, has this one. */
static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    while (list) {
        if (strncmp(list, name, length) == 0 &&
            (list[length] == ',' || list[length] == '\0')) {
            return true;
        }
        list = strchr(list, ',');
        list = list ? list + 1 : NULL;
    }
    return false;
}

static status fail_unknown(const io_source *source, const char *name, int length)
{
    const int count = io_source_field_count(source);
    char word[GRID_NAME_SIZE];
    const char **names = malloc(((size_t)count + 1) * sizeof *names);
    if (!names) {
        return base_fail_memory((size_t)count * sizeof *names, "the names of fields");
    }
    for (int f = 0; f < count; f++) {
        names[f] = io_source_fields(source)[f].name;
    }
    snprintf(word, sizeof word, "%.*s", length, name);
    const char *nearest = base_words_nearest(word, count, names);
    status s =
        nearest ? base_fail(STATUS_USAGE,
                            "--fields: %s has no field '%s': did you mean '%s'?",
                            io_source_path(source), word, nearest)
                : base_fail(STATUS_USAGE,
                            "--fields: %s has no field '%s': 'karman info' lists them, "
                            "and only fields of the data are converted",
                            io_source_path(source), word);
    free(names);
    return s;
}

static bool is_word(const char *word, const char *text, int length)
{
    return (int)strlen(word) == length && strncmp(word, text, (size_t)length) == 0;
}

/* Checks that each name of the list is a field. */
static status check_fields(const io_source *source, const char *list)
{
    for (const char *name = list; name; name = strchr(name, ',')) {
        name += *name == ',';
        const int length = (int)strcspn(name, ",");
        bool is_field = false;
        for (int f = 0; f < io_source_field_count(source); f++) {
            const char *field = io_source_fields(source)[f].name;
            const char *alias = io_source_fields(source)[f].alias;
            is_field |= is_word(field, name, length) || is_word(alias, name, length);
        }
        if (!is_field) {
            return fail_unknown(source, name, length);
        }
    }
    return STATUS_OK;
}

/* Takes the fields that the caller makes. */
static status take_made(const app_convert_request *request, convert_plan *plan)
{
    const size_t count = (size_t)request->made->count;
    plan->fields = malloc(count * sizeof *plan->fields);
    plan->outputs = calloc(count, sizeof *plan->outputs);
    plan->is_double = calloc(count, sizeof *plan->is_double);
    if (!plan->fields || !plan->outputs || !plan->is_double) {
        return base_fail_memory(count * sizeof *plan->outputs, "a list of fields");
    }
    memcpy(plan->fields, request->made->from, count * sizeof *plan->fields);
    memcpy(plan->outputs, request->made->fields, count * sizeof *plan->outputs);
    plan->nfields = request->made->count;
    plan->is_made = true;
    return STATUS_OK;
}

static status choose_fields(const app_convert_request *request, convert_plan *plan)
{
    const io_source *source = plan->source;
    const size_t count = (size_t)io_source_field_count(source) + 1;
    status s = request->fields ? check_fields(source, request->fields) : STATUS_OK;
    if (s != STATUS_OK) {
        return s;
    }
    plan->fields = malloc(count * sizeof *plan->fields);
    plan->outputs = calloc(count, sizeof *plan->outputs);
    plan->is_double = calloc(count, sizeof *plan->is_double);
    if (!plan->fields || !plan->outputs || !plan->is_double) {
        return base_fail_memory(count * sizeof *plan->outputs, "a list of fields");
    }
    for (int f = 0; f < io_source_field_count(source); f++) {
        const grid_field *field = &io_source_fields(source)[f];
        if (!request->fields || is_listed(request->fields, field->name) ||
            (field->alias[0] != '\0' && is_listed(request->fields, field->alias))) {
            plan->is_double[plan->nfields] =
                !request->is_single && !io_source_is_single(source, f);
            plan->outputs[plan->nfields] = *field;
            plan->fields[plan->nfields++] = f;
        }
    }
    return STATUS_OK;
}

/* ---- Names ------------------------------------------------------------------------- */

/* Makes a name that is a link of HDF5: without a slash, and not a dot alone. */
static void clean_name(char *name)
{
    for (char *c = name; *c != '\0'; c++) {
        *c = *c == '/' ? '_' : *c;
    }
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || name[0] == '\0') {
        strcpy(name, "_");
    }
}

/* Appends a number to a name that is equal to one before it. names: those of `count`
 * items of `size` bytes, each at the beginning of its item. */
static void make_unique(void *names, int count, size_t size)
{
    char *last = (char *)names + (size_t)count * size;
    char stem[GRID_NAME_SIZE];
    snprintf(stem, sizeof stem, "%s", last);
    for (int n = 0, number = 2; n < count; n++) {
        if (strcmp((char *)names + (size_t)n * size, last) == 0) {
            snprintf(last, GRID_NAME_SIZE, "%.50s_%d", stem, number++);
            n = -1;
        }
    }
}

/* Whether a block of the source is there at one of the steps. */
static bool is_needed(const convert_plan *plan, int member)
{
    bool is = plan->nsteps == 0;
    for (int n = 0; n < plan->nsteps && !is; n++) {
        is = io_source_has_block(plan->source, plan->steps[n], member);
    }
    return is;
}

/* Names the block that was added last: as the one of its name in the data, else as no
 * other. */
static void name_block(convert_plan *plan, const grid_block *all)
{
    const int last = plan->nblocks - 1;
    grid_block *block = &plan->blocks[last];
    for (int b = 0; b < last; b++) {
        if (strcmp(all[plan->members[b]].name, block->name) == 0) {
            strcpy(block->name, plan->blocks[b].name);
            return;
        }
    }
    clean_name(block->name);
    make_unique(plan->blocks, last, sizeof *plan->blocks);
}

/* Blocks of one vertex along an axis are shown with two (io/flat.h). */
static status list_blocks(convert_plan *plan)
{
    const grid_block *all = NULL;
    const int count = io_source_all_blocks(plan->source, &all);
    plan->blocks = calloc((size_t)count + 1, sizeof *plan->blocks);
    plan->members = calloc((size_t)count + 1, sizeof *plan->members);
    if (!plan->blocks || !plan->members) {
        return base_fail_memory((size_t)count * sizeof *plan->blocks, "a list of blocks");
    }
    for (int b = 0; b < count; b++) {
        if (is_needed(plan, b)) {
            grid_block *block = &plan->blocks[plan->nblocks];
            *block = all[b];
            for (int axis = 0; axis < 3; axis++) {
                block->n[axis] += block->n[axis] == 1;
            }
            plan->members[plan->nblocks++] = b;
            name_block(plan, all);
        }
    }
    return STATUS_OK;
}

static void name_fields(convert_plan *plan)
{
    for (int f = 0; f < plan->nfields; f++) {
        clean_name(plan->outputs[f].name);
        make_unique(plan->outputs, f, sizeof *plan->outputs);
    }
}

/* ---- Grids ------------------------------------------------------------------------- */

static int find_grid(const convert_plan *plan, int step, int block)
{
    const int member = plan->members[block];
    if (plan->nsteps == 0) {
        return 0;
    }
    if (!io_source_has_block(plan->source, plan->steps[step], member)) {
        return -1;
    }
    return step > 0 && io_source_rests(plan->source, plan->steps[step - 1],
                                       plan->steps[step], member)
               ? convert_plan_grid(plan, step - 1, block)
               : step;
}

static status list_grids(convert_plan *plan)
{
    const size_t steps = plan->nsteps > 0 ? (size_t)plan->nsteps : 1;
    const size_t count = steps * (size_t)plan->nblocks + 1;
    plan->grids = calloc(count, sizeof *plan->grids);
    if (!plan->grids) {
        return base_fail_memory(count * sizeof *plan->grids, "the grids of steps");
    }
    for (size_t step = 0; step < steps; step++) {
        for (int b = 0; b < plan->nblocks; b++) {
            plan->grids[step * (size_t)plan->nblocks + (size_t)b] =
                find_grid(plan, (int)step, b);
        }
    }
    return STATUS_OK;
}

bool convert_plan_moves(const convert_plan *plan)
{
    bool moves = false;
    for (int n = 0; n < plan->nsteps * plan->nblocks && !moves; n++) {
        moves = plan->grids[n] != 0;
    }
    return moves;
}

/* karman's own layout has the same blocks at all steps. */
static status check_blocks(const convert_plan *plan)
{
    for (int n = 0; n < plan->nsteps * plan->nblocks; n++) {
        if (plan->grids[n] < 0) {
            return base_fail(
                STATUS_INPUT,
                "blocks of %s change their sizes, come or go, and a converted "
                "HDF5 file has the same at all steps: write files of VTK, as "
                "with -o flow.pvd, or fewer steps, as with --steps %" PRId64,
                io_source_path(plan->source),
                io_source_steps(plan->source)[plan->steps[0]].number);
        }
    }
    return STATUS_OK;
}

static status name_steps(convert_plan *plan)
{
    const int64_t most = INT64_C(999999999999999999); /* 18 digits */
    const size_t bytes = ((size_t)plan->nsteps + 1) * sizeof *plan->step_names;
    plan->step_names = calloc(1, bytes);
    if (!plan->step_names) {
        return base_fail_memory(bytes, "a list of steps");
    }
    for (int n = 0; n < plan->nsteps; n++) {
        const int64_t number = io_source_steps(plan->source)[plan->steps[n]].number;
        if (number < 0 || number > most) {
            return base_fail(STATUS_INPUT,
                             "step %" PRId64 " of %s has no number of at most 18 digits: "
                             "leave it out with --steps",
                             number, io_source_path(plan->source));
        }
        snprintf(plan->step_names[n], CONVERT_STEP_SIZE, "%04" PRId64, number);
    }
    return STATUS_OK;
}

/* ---- Arrays ------------------------------------------------------------------------ */

static void add_array(convert_plan *plan, convert_array array, bool is_cells)
{
    for (int axis = 0; axis < 3; axis++) {
        array.n[axis] = plan->blocks[array.block].n[axis] - is_cells;
    }
    array.components = 1;
    plan->arrays[plan->narrays++] = array;
}

static void add_grid(convert_plan *plan, int step, int block)
{
    convert_array array = {
        .step = step, .block = block, .is_double = plan->double_coordinates};
    for (array.array = IO_ARRAY_X; array.array <= IO_ARRAY_Z; array.array++) {
        add_array(plan, array, false);
    }
    if (plan->blocks[block].has_iblank) {
        array.is_double = false;
        array.array = IO_ARRAY_IBLANK;
        add_array(plan, array, false);
        array.is_ghost = true;
        add_array(plan, array, false);
    }
}

static void add_fields(convert_plan *plan, int step, int block)
{
    for (int f = 0; f < plan->nfields; f++) {
        const convert_array array = {.step = step,
                                     .block = block,
                                     .array = plan->is_made ? 0 : plan->fields[f],
                                     .field = f,
                                     .is_double = plan->is_double[f]};
        if (convert_plan_has(plan, step, f)) {
            add_array(plan, array, plan->outputs[f].location == GRID_CELL);
        }
    }
}

/* Adds the arrays of a step: coordinates of blocks that have moved, then fields. */
static void add_step(convert_plan *plan, int step)
{
    for (int b = 0; b < plan->nblocks; b++) {
        if (convert_plan_grid(plan, step, b) == step) {
            add_grid(plan, step, b);
        }
    }
    for (int b = 0; b < plan->nblocks && step < plan->nsteps; b++) {
        if (convert_plan_grid(plan, step, b) >= 0) {
            add_fields(plan, step, b);
        }
    }
}

static size_t most_arrays(const convert_plan *plan)
{
    const size_t blocks = (size_t)plan->nblocks, steps = (size_t)plan->nsteps;
    return blocks *
           (5 + steps * ((size_t)plan->nfields + (convert_plan_moves(plan) ? 5 : 0)));
}

static status list_arrays(convert_plan *plan)
{
    const size_t most = most_arrays(plan);
    plan->arrays = calloc(most + 1, sizeof *plan->arrays);
    if (!plan->arrays) {
        return base_fail_memory(most * sizeof *plan->arrays, "a list of arrays");
    }
    add_step(plan, 0);
    for (int step = 1; step < plan->nsteps; step++) {
        add_step(plan, step);
    }
    return STATUS_OK;
}

const char *convert_plan_unit(const convert_plan *plan, int field)
{
    const int from = plan->fields[field];
    return from < 0 || from >= io_source_field_count(plan->source)
               ? ""
               : io_source_unpacking(plan->source, from)->unit;
}

bool convert_plan_has(const convert_plan *plan, int step, int field)
{
    return plan->is_made ||
           io_source_has_field(plan->source, plan->steps[step], plan->fields[field]);
}

void convert_plan_path(const convert_plan *plan, const convert_array *array,
                       char path[CONVERT_PATH_SIZE])
{
    static const char *const of_grid[] = {"x", "y", "z", "iblank"};
    const char *block = plan->blocks[array->block].name;
    if (array->array < 0) {
        const bool is_first = array->step == 0;
        snprintf(path, CONVERT_PATH_SIZE, "/%s%s/%s/%s", is_first ? "grid" : "grids/",
                 is_first ? "" : plan->step_names[array->step], block,
                 array->is_ghost ? "vtkGhostType" : of_grid[array->array - IO_ARRAY_X]);
    } else {
        snprintf(path, CONVERT_PATH_SIZE, "/flow/%s/%s/%s", plan->step_names[array->step],
                 block, plan->outputs[array->field].name);
    }
}

int64_t convert_value_bytes(const convert_array *array)
{
    return array->components * (array->is_ghost ? 1 : array->is_double ? 8 : 4);
}

int64_t convert_array_bytes(const convert_array *array)
{
    return array->n[0] * array->n[1] * array->n[2] * convert_value_bytes(array);
}

status convert_plan_make(io_source *source, const app_convert_request *request,
                         convert_plan *out)
{
    convert_plan plan = {.source = source,
                         .double_coordinates =
                             !request->is_single && io_source_double_coordinates(source)};
    status s = choose_steps(request, &plan);
    if (s == STATUS_OK) {
        s = request->made ? take_made(request, &plan) : choose_fields(request, &plan);
    }
    name_fields(&plan);
    s = s == STATUS_OK ? list_blocks(&plan) : s;
    s = s == STATUS_OK ? list_grids(&plan) : s;
    if (s == STATUS_OK && !convert_plan_is_vtk(request->output)) {
        s = check_blocks(&plan);
    }
    s = s == STATUS_OK ? name_steps(&plan) : s;
    s = s == STATUS_OK ? list_arrays(&plan) : s;
    if (s != STATUS_OK) {
        convert_plan_clear(&plan);
        return s;
    }
    *out = plan;
    return STATUS_OK;
}
