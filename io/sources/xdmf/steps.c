/* Steps of an XDMF file: the children of its temporal collections. */
#include "base/array.h"
#include "io/sources/listing/names.h"
#include "reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool xdmf_is_collection(const xmlNode *grid, const char *type)
{
    const bool is_temporal = xdmf_is(grid, "CollectionType", "Temporal");
    const bool is_set =
        xdmf_is(grid, "GridType", "Collection") || xdmf_is(grid, "GridType", "Tree");
    return is_set && is_temporal == (strcmp(type, "Temporal") == 0);
}

/* ---- Times ------------------------------------------------------------------------- */

/* The time of a grid, or that of the first grid inside of it; false: it has none. */
static bool find_time(const xmlNode *grid, double *out)
{
    const xmlNode *time = xml_child(grid, "Time");
    if (time && xml_reals(time, "Value", 1, out)) {
        return true;
    }
    for (const xmlNode *one = xml_child(grid, "Grid"); one; one = xml_next(one, "Grid")) {
        if (find_time(one, out)) {
            return true;
        }
    }
    return false;
}

/*
 * Times that a collection has for its children: List names each; HyperSlab has start,
 * stride and count; Range has both ends. *times is malloc'ed; NULL: it has none.
 */
static status read_times(xdmf_reader *r, const xmlNode *collection, int count,
                         double **times)
{
    const xmlNode *time = xml_child(collection, "Time");
    const xmlNode *item = xdmf_first_item(time);
    const bool is_list = time && xdmf_is(time, "TimeType", "List");
    const bool is_slab = time && xdmf_is(time, "TimeType", "HyperSlab");
    const bool is_range = time && xdmf_is(time, "TimeType", "Range");
    double two[3] = {0.0, 0.0, 0.0};
    *times = NULL;
    if (!item || !(is_list || is_slab || is_range)) {
        return STATUS_OK;
    }
    const size_t bytes = ((size_t)count + 1) * sizeof **times;
    *times = malloc(bytes);
    if (!*times) {
        return base_fail_memory(bytes, "the times of steps");
    }
    status s = is_list ? xdmf_item_numbers(&r->set, item, count, *times)
               : xdmf_text_numbers(item, 3, two) < 2
                   ? xdmf_item_numbers(&r->set, item, 2, two)
                   : STATUS_OK; /* many files leave the count out */
    const double step =
        is_slab ? two[1] : (two[1] - two[0]) / (count > 1 ? count - 1 : 1);
    for (int n = 0; n < count && s == STATUS_OK && !is_list; n++) {
        (*times)[n] = two[0] + n * step;
    }
    return s;
}

/* ---- Steps ------------------------------------------------------------------------- */

/* The step of a child: one of that time, if other collections came before; else a new
 * one. */
static status add_child(xdmf_reader *r, double time, int64_t known, const char *name)
{
    int64_t at = 0;
    while (at < known && r->steps[at].step.time != time) {
        at++;
    }
    at = at < known ? at : r->nsteps;
    status s = STATUS_OK;
    if (at == r->nsteps) {
        io_named_step step = {.step.time = time};
        snprintf(step.name, sizeof step.name, "%.*s", (int)sizeof step.name - 1, name);
        s = base_array_add(r->steps, r->nsteps, step, "a list of steps");
    }
    return s == STATUS_OK
               ? base_array_add(r->children, r->nchildren, (int)at, "a list of steps")
               : s;
}

static int count_grids(const xmlNode *grid)
{
    int count = 0;
    for (const xmlNode *one = xml_child(grid, "Grid"); one; one = xml_next(one, "Grid")) {
        count++;
    }
    return count;
}

static status add_collection(xdmf_reader *r, const xmlNode *collection)
{
    const int64_t known = r->nsteps;
    double *times = NULL;
    int number = 0;
    status s = read_times(r, collection, count_grids(collection), &times);
    for (const xmlNode *one = xml_child(collection, "Grid"); one && s == STATUS_OK;
         one = xml_next(one, "Grid")) {
        char name[IO_STEP_NAME_SIZE];
        double time = times ? times[number] : number;
        find_time(one, &time);
        xml_attribute(one, "Name", name, sizeof name);
        s = isfinite(time) ? add_child(r, time, known, name)
                           : xdmf_fail(one, "has a time that is no number");
        number++;
    }
    free(times);
    return s;
}

static status find_collections(xdmf_reader *r, const xmlNode *grid)
{
    status s = STATUS_OK;
    for (const xmlNode *one = xml_child(grid, "Grid"); one && s == STATUS_OK;
         one = xml_next(one, "Grid")) {
        s = xdmf_is_collection(one, "Temporal") ? add_collection(r, one)
                                                : find_collections(r, one);
    }
    return s;
}

/* Numbers of steps are their names, if all are numbers that ascend. */
static void number_steps(xdmf_reader *r)
{
    bool are_numbers = true;
    for (int64_t n = 0; n < r->nsteps; n++) {
        char *end = NULL;
        io_named_step *step = &r->steps[n];
        const size_t digits = strspn(step->name, "0123456789");
        step->step.number = strtoll(step->name, &end, 10);
        are_numbers = are_numbers && digits > 0 && digits <= 18 && *end == '\0' &&
                      (n == 0 || step->step.number > step[-1].step.number);
    }
    for (int64_t n = 0; n < r->nsteps && !are_numbers; n++) {
        r->steps[n].step.number = n;
        snprintf(r->steps[n].name, sizeof r->steps[n].name, "%" PRId64, n);
    }
}

/* Without collections over time, there is one step. */
status xdmf_steps_find(xdmf_reader *r, const xmlNode *domain)
{
    double time = 0.0;
    status s = find_collections(r, domain);
    if (s == STATUS_OK && r->nsteps == 0) {
        find_time(domain, &time);
        s = add_child(r, isfinite(time) ? time : 0.0, 0, "0");
    }
    number_steps(r);
    return s;
}
