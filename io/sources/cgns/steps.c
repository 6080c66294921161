#include "steps.h"

#include "base/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 100000, POINTER_WIDTH = 32 }; /* characters of a name in a list */

/* ---- Times and numbers ------------------------------------------------------------- */

static int read_child_ints(const cgns_node *node, const char *name, int most,
                           int64_t *out)
{
    cgns_node child;
    int count = 0;
    if (cgns_node_child(node, name, &child)) {
        count = cgns_node_ints(&child, most, out);
        cgns_node_close(&child);
    }
    return count;
}

static int read_child_reals(const cgns_node *node, const char *name, int most,
                            double *out)
{
    cgns_node child;
    int count = 0;
    if (cgns_node_child(node, name, &child)) {
        count = cgns_node_reals(&child, most, out);
        cgns_node_close(&child);
    }
    return count;
}

/* Iterations number the steps if all have one and they ascend. */
static bool are_numbers(int wanted, int count, const int64_t *numbers)
{
    bool are = count == wanted && count > 0 && numbers[0] >= 0;
    for (int n = 1; n < count && are; n++) {
        are = numbers[n] > numbers[n - 1];
    }
    return are;
}

static status read_steps(const cgns_node *data, int count, cgns_steps *out)
{
    const size_t most = (size_t)count;
    int64_t *numbers = calloc(most, sizeof *numbers);
    double *times = calloc(most, sizeof *times);
    out->steps = calloc(most, sizeof *out->steps);
    if (!numbers || !times || !out->steps) {
        free(numbers);
        free(times);
        return base_fail_memory(most * sizeof *out->steps, "the list of steps");
    }
    const bool has_times = read_child_reals(data, "TimeValues", count, times) == count;
    const bool has_numbers = are_numbers(
        count, read_child_ints(data, "IterationValues", count, numbers), numbers);
    for (int n = 0; n < count; n++) {
        io_named_step *step = &out->steps[n];
        step->step.number = has_numbers ? numbers[n] : n + 1;
        step->step.time = has_times ? times[n] : (double)step->step.number;
        snprintf(step->name, sizeof step->name, "%" PRId64, step->step.number);
    }
    out->count = count;
    free(numbers);
    free(times);
    return STATUS_OK;
}

status cgns_steps_read(const cgns_node *base, cgns_steps *out)
{
    cgns_node data;
    int64_t count = 0;
    status s = STATUS_OK;
    *out = (cgns_steps){0, NULL};
    if (!cgns_node_first(base, "BaseIterativeData_t", &data)) {
        return STATUS_OK;
    }
    cgns_node_ints(&data, 1, &count);
    if (count > MOST_STEPS) {
        s = base_fail(STATUS_INPUT, "a CGNS file has more than %d steps",
                      (int)MOST_STEPS);
    } else if (count > 0) {
        s = read_steps(&data, (int)count, out);
    }
    cgns_node_close(&data);
    return s;
}

void cgns_steps_clear(cgns_steps *steps)
{
    free(steps->steps);
    *steps = (cgns_steps){0, NULL};
}

/* ---- Pointers of a zone ------------------------------------------------------------ */

/* The names that a zone gives for all steps. */
typedef struct pointers {
    char *text;
    size_t length;
} pointers;

static status read_pointers(const cgns_zones *zones, const cgns_node *zone,
                            const char *list, pointers *out)
{
    const size_t size = (size_t)zones->tables->nsteps * POINTER_WIDTH + 1;
    cgns_node data;
    out->text = calloc(size, 1);
    out->length = 0;
    if (!out->text) {
        return base_fail_memory(size, "the grids and solutions of steps");
    }
    if (zones->pointers[0] != '\0' && cgns_node_child(zone, zones->pointers, &data)) {
        cgns_node_child_text(&data, list, size, out->text);
        out->length = strlen(out->text);
        cgns_node_close(&data);
    }
    return STATUS_OK;
}

/* The name of a step, without the spaces behind it; "": none. */
static void take_name(const pointers *p, int step, char name[POINTER_WIDTH + 1])
{
    const size_t at = (size_t)step * POINTER_WIDTH;
    snprintf(name, POINTER_WIDTH + 1, "%.*s", POINTER_WIDTH,
             at < p->length ? p->text + at : "");
    for (size_t end = strlen(name); end > 0 && name[end - 1] == ' '; end--) {
        name[end - 1] = '\0';
    }
}

static int find_solution(const cgns_tables *tables, int block, const char *name)
{
    int first, end;
    cgns_tables_solutions(tables, block, &first, &end);
    for (int n = first; n < end; n++) {
        if (strcmp(tables->solutions[n].name, name) == 0) {
            return n;
        }
    }
    return -1;
}

static status omit_missing(const cgns_zones *zones, int block, int step, const char *name)
{
    return name[0] == '\0' || strcmp(name, "Null") == 0
               ? STATUS_OK
               : io_catalog_omit(
                     zones->catalog,
                     "zone '%s' at step %d of the file: there is no solution '%s'",
                     zones->catalog->blocks[block].name, step + 1, name);
}

/* Solutions that no step of a zone names. */
static status omit_nameless(const cgns_zones *zones, int block)
{
    const cgns_tables *tables = zones->tables;
    int first, end;
    status s = STATUS_OK;
    cgns_tables_solutions(tables, block, &first, &end);
    for (int n = first; n < end && s == STATUS_OK; n++) {
        bool is_named = false;
        for (int step = 0; step < tables->nsteps && !is_named; step++) {
            is_named = tables->solution[cgns_tables_at(tables, block, step)] == n;
        }
        s = is_named ? s
                     : io_catalog_omit(
                           zones->catalog, "solution '%s' of zone '%s': no step names it",
                           tables->solutions[n].name, zones->catalog->blocks[block].name);
    }
    return s;
}

/* Finds the solution of each step. A zone that names none has all of its solutions at all
 * steps; one that names some has none at the others. */
static status assign_solutions(cgns_zones *zones, int block, const pointers *p)
{
    cgns_tables *tables = zones->tables;
    const bool names_any = p->length > 0;
    status s = STATUS_OK;
    for (int step = 0; step < tables->nsteps && s == STATUS_OK; step++) {
        char name[POINTER_WIDTH + 1];
        take_name(p, step, name);
        const int found = find_solution(tables, block, name);
        tables->solution[cgns_tables_at(tables, block, step)] = found >= 0  ? found
                                                                : names_any ? CGNS_NONE
                                                                            : CGNS_ALL;
        s = found < 0 ? omit_missing(zones, block, step, name) : s;
    }
    zones->names_solutions |= names_any;
    return s == STATUS_OK && names_any ? omit_nameless(zones, block) : s;
}

/* A step without a name has the first grid of the zone. At one that names none ("Null")
 * the zone is not there. */
static status assign_grids(const cgns_zones *zones, const cgns_node *zone, int block,
                           const pointers *p)
{
    cgns_tables *tables = zones->tables;
    const int first = tables->ngrids - 1;
    status s = STATUS_OK;
    for (int step = 0; step < tables->nsteps && s == STATUS_OK; step++) {
        char name[POINTER_WIDTH + 1];
        int grid = first;
        take_name(p, step, name);
        const bool is_null = strcmp(name, "Null") == 0;
        if (name[0] != '\0' && !is_null) {
            s = cgns_zone_find_grid(zones, zone, block, name, &grid);
        }
        tables->grid[cgns_tables_at(tables, block, step)] = grid;
        tables->is_absent[cgns_tables_at(tables, block, step)] = is_null;
    }
    return s;
}

/* Makes room for the choices of one more zone. */
static status reserve(cgns_tables *tables)
{
    const size_t count = cgns_tables_at(tables, tables->nblocks, 0);
    int *grid = realloc(tables->grid, count * sizeof *grid);
    tables->grid = grid ? grid : tables->grid;
    int *solution = realloc(tables->solution, count * sizeof *solution);
    tables->solution = solution ? solution : tables->solution;
    uint8_t *is_absent = realloc(tables->is_absent, count);
    tables->is_absent = is_absent ? is_absent : tables->is_absent;
    return grid && solution && is_absent
               ? STATUS_OK
               : base_fail_memory(count * sizeof *grid, "the grids of steps");
}

status cgns_steps_assign(cgns_zones *zones, const cgns_node *zone)
{
    const int block = zones->tables->nblocks - 1;
    pointers grids = {NULL, 0}, solutions = {NULL, 0};
    status s = reserve(zones->tables);
    if (s == STATUS_OK) {
        s = read_pointers(zones, zone, "GridCoordinatesPointers", &grids);
    }
    if (s == STATUS_OK) {
        s = read_pointers(zones, zone, "FlowSolutionPointers", &solutions);
    }
    if (s == STATUS_OK) {
        s = assign_solutions(zones, block, &solutions);
    }
    if (s == STATUS_OK) {
        s = assign_grids(zones, zone, block, &grids);
    }
    zones->names_solutions |= grids.length > 0;
    zones->has_motion |= grids.length == 0 && zones->has_formula;
    free(grids.text);
    free(solutions.text);
    return s;
}

/* ---- The catalogue ----------------------------------------------------------------- */

/* Leaves one step, the last, to which all solutions belong. */
static void keep_last(cgns_tables *tables, cgns_steps *steps)
{
    for (int block = 0; block < tables->nblocks; block++) {
        tables->grid[block] =
            tables->grid[cgns_tables_at(tables, block, tables->nsteps - 1)];
        tables->solution[block] = CGNS_ALL;
        tables->is_absent[block] = 0;
    }
    tables->nsteps = 1;
    if (steps->count > 0) {
        steps->steps[0] = steps->steps[steps->count - 1];
    }
}

static bool has_same_grids(const cgns_tables *tables, int step)
{
    bool same = true;
    for (int block = 0; block < tables->nblocks && same; block++) {
        const size_t at = cgns_tables_at(tables, block, step);
        same = tables->is_absent[at] == tables->is_absent[at - 1] &&
               (tables->is_absent[at] || tables->grid[at] == tables->grid[at - 1]);
    }
    return same;
}

static bool has_several_grids(const cgns_tables *tables)
{
    bool has = false;
    for (int step = 1; step < tables->nsteps && !has; step++) {
        has = !has_same_grids(tables, step);
    }
    return has;
}

/* Numbers the grids of steps, if there are several. */
static status number_grids(const cgns_tables *tables, io_catalog *catalog)
{
    const size_t bytes = (size_t)catalog->nsteps * sizeof *catalog->grids;
    int *numbers = catalog->nsteps > 1 ? calloc(1, bytes) : NULL;
    if (catalog->nsteps > 1 && !numbers) {
        return base_fail_memory(bytes, "the grids of steps");
    }
    for (int step = 1; step < catalog->nsteps; step++) {
        numbers[step] = numbers[step - 1] + !has_same_grids(tables, step);
    }
    if (numbers && numbers[catalog->nsteps - 1] > 0) {
        catalog->grids = numbers;
        return io_catalog_note(catalog, "motion", "the grid moves: %d grids",
                               numbers[catalog->nsteps - 1] + 1);
    }
    free(numbers);
    return STATUS_OK;
}

/* What moves by a formula rather than by coordinates is drawn at rest. */
static status note_motion(const cgns_zones *zones)
{
    base_log_warning("the grid of '%s' moves, but no step has coordinates of its own "
                     "(GridCoordinatesPointers): it is drawn at rest",
                     zones->file->path);
    return io_catalog_note(zones->catalog, "motion",
                           "the grid moves, and is drawn at rest");
}

status cgns_steps_enter(const cgns_zones *zones, cgns_steps *steps)
{
    io_named_step single = {.name = "0"};
    cgns_tables *tables = zones->tables;
    status s = STATUS_OK;
    if (steps->count > 1 && !zones->names_solutions && tables->nsolutions > 0) {
        s = io_catalog_omit(
            zones->catalog,
            "%d of %d steps: no zone says which of its solutions belong to them",
            steps->count - 1, steps->count);
    }
    if (steps->count == 0 || !zones->names_solutions) {
        keep_last(tables, steps);
    }
    const bool has_steps = tables->nsolutions > 0 || has_several_grids(tables);
    s = s != STATUS_OK ? s
                       : io_catalog_set_steps(zones->catalog, zones->file->path,
                                              has_steps ? tables->nsteps : 0,
                                              steps->count > 0 ? steps->steps : &single);
    if (s == STATUS_OK) {
        s = number_grids(tables, zones->catalog);
    }
    return s == STATUS_OK && zones->has_motion ? note_motion(zones) : s;
}
