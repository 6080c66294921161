#include "select.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of a source's steps, ascending. */
typedef struct step_list {
    int count; /* above 0 */
    const io_step *steps;
} step_list;

/* ---- Messages ---------------------------------------------------------------------- */

/* Index of the first step whose number is at least `number`, or the count of steps. */
static int find_step(const step_list *all, int64_t number)
{
    int n = 0;
    while (n < all->count && all->steps[n].number < number) {
        n++;
    }
    return n;
}

/* Writes "it has 12 steps from 0 to 110, the nearest are 5 and 10". */
static void print_steps(const step_list *all, int64_t number, size_t size, char *text)
{
    const int next = find_step(all, number);
    const int64_t first = all->steps[0].number, last = all->steps[all->count - 1].number;
    if (all->count == 1) {
        snprintf(text, size, "its only step is %" PRId64, first);
    } else if (next == 0 || next == all->count) {
        snprintf(text, size, "it has %d steps from %" PRId64 " to %" PRId64, all->count,
                 first, last);
    } else {
        snprintf(text, size,
                 "it has %d steps from %" PRId64 " to %" PRId64
                 ", the nearest are %" PRId64 " and %" PRId64,
                 all->count, first, last, all->steps[next - 1].number,
                 all->steps[next].number);
    }
}

static status fail_lacking(const io_source *source, const io_config *config,
                           const step_list *all, int64_t number)
{
    char there[160];
    print_steps(all, number, sizeof there, there);
    return io_config_fail(config, "data.steps", "%s has no step %" PRId64 ": %s",
                          io_source_path(source), number, there);
}

static status fail_none(const io_source *source, const io_config *config,
                        const step_list *all)
{
    char there[160];
    const int64_t number =
        config->data.step_first > 0 ? config->data.step_first : INT64_MAX;
    print_steps(all, number, sizeof there, there);
    return io_config_fail(config, "data.steps", "selects no step of %s: %s",
                          io_source_path(source), there);
}

bool io_select_found_none(status s)
{
    return s == STATUS_USAGE &&
           strstr(base_fail_message(), ": data.steps: selects no step of ") != NULL;
}

/* ---- Selecting --------------------------------------------------------------------- */

static bool is_listed(const io_data_config *data, int64_t number)
{
    for (int n = 0; n < data->nsteps; n++) {
        if (data->steps[n] == number) {
            return true;
        }
    }
    return false;
}

static int64_t resolve(const step_list *all, int64_t number)
{
    return number == IO_STEP_FIRST  ? all->steps[0].number
           : number == IO_STEP_LAST ? all->steps[all->count - 1].number
                                    : number;
}

static bool is_selected(const io_data_config *data, const step_list *all, int64_t number)
{
    if (data->all_steps || data->nsteps > 0) {
        return data->all_steps || is_listed(data, number);
    }
    const int64_t first = resolve(all, data->step_first);
    return number >= first && number <= resolve(all, data->step_last) &&
           (number - first) % data->step_stride == 0;
}

/* Checks that the source has every listed step. */
static status check_list(const io_source *source, const io_config *config,
                         const step_list *all)
{
    const io_data_config *data = &config->data;
    for (int n = 0; n < data->nsteps; n++) {
        const int at = find_step(all, data->steps[n]);
        if (at == all->count || all->steps[at].number != data->steps[n]) {
            return fail_lacking(source, config, all, data->steps[n]);
        }
    }
    return STATUS_OK;
}

/* Fails because there is only a grid. The source may note why. */
static status fail_grid_alone(const io_source *source, const io_config *config)
{
    static const char name[] = "solution\t";
    const char *note = strstr(io_source_notes(source), name);
    const char *reason = note ? note + sizeof name - 1 : "";
    status s =
        base_fail(STATUS_INPUT, "%s holds a grid but no step of the flow to draw%s%.*s",
                  io_source_path(source), note ? ": a solution " : "",
                  (int)strcspn(reason, "\n"), reason);
    return io_config_blame(config, "data.file", s);
}

status io_select_steps(const io_source *source, const io_config *config, bool is_part,
                       int *count, int **steps)
{
    const step_list all = {io_source_step_count(source), io_source_steps(source)};
    if (all.count == 0) {
        return fail_grid_alone(source, config);
    }
    status s = is_part ? STATUS_OK : check_list(source, config, &all);
    if (s != STATUS_OK) {
        return s;
    }
    const size_t bytes = (size_t)all.count * sizeof **steps;
    int selected = 0, *list = malloc(bytes);
    if (list == NULL) {
        return base_fail_memory(bytes, "the list of steps");
    }
    for (int n = 0; n < all.count; n++) {
        if (is_selected(&config->data, &all, all.steps[n].number)) {
            list[selected++] = n;
        }
    }
    if (selected == 0) {
        free(list);
        return fail_none(source, config, &all);
    }
    *count = selected;
    *steps = list;
    return STATUS_OK;
}

status io_select_check_blocks(const io_source *source, int count, const int *steps,
                              bool *moves)
{
    const grid_block *blocks = NULL;
    const int nblocks = io_source_all_blocks(source, &blocks);
    *moves = false;
    for (int n = 1; n < count; n++) {
        *moves = *moves ||
                 io_source_grid(source, steps[n]) != io_source_grid(source, steps[0]);
        for (int block = 0; block < nblocks; block++) {
            if (io_source_has_block(source, steps[n], block) !=
                io_source_has_block(source, steps[0], block)) {
                return base_fail(
                    STATUS_INPUT,
                    "blocks come, go or change their sizes (block '%s' at step %lld): "
                    "choose steps with the same blocks (--steps)",
                    blocks[block].name,
                    (long long)io_source_steps(source)[steps[n]].number);
            }
        }
    }
    return STATUS_OK;
}
