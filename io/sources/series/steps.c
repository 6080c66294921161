#include "steps.h"

#include <inttypes.h>
#include <stdlib.h>

bool series_steps_are_single(int count, const series_step *steps)
{
    bool single = true;
    for (int n = 1; n < count; n++) {
        single = single && steps[n].file != steps[n - 1].file;
    }
    return single;
}

/* Whether no file states a time: all repeat the numbers of steps. */
static bool has_no_times(int count, const series_step *steps)
{
    bool has_none = true;
    for (int n = 0; n < count; n++) {
        const series_step *step = &steps[n];
        has_none = has_none && step->time == (double)step->inside_number;
    }
    return has_none;
}

static int compare_steps(const void *a, const void *b)
{
    const series_step *left = a, *right = b;
    return left->number != right->number ? (left->number < right->number ? -1 : 1)
                                         : left->file - right->file;
}

/* The index of the second of two steps with one number; 0: all differ. */
static int find_double(int count, series_step *steps)
{
    if (count > 1) {
        qsort(steps, (size_t)count, sizeof *steps, compare_steps);
    }
    for (int n = 1; n < count; n++) {
        if (steps[n].number == steps[n - 1].number) {
            return n;
        }
    }
    return 0;
}

static int compare_places(const void *a, const void *b)
{
    const series_step *left = a, *right = b;
    return left->file != right->file ? left->file - right->file
                                     : left->inside - right->inside;
}

/* Whether each file counts its steps from 0, or has one. */
static bool counts_from_zero(int count, const series_step *steps, bool is_single)
{
    bool counts = true;
    for (int n = 0; n < count; n++) {
        const series_step *step = &steps[n];
        counts = counts && step->inside_number == step->inside;
    }
    return counts || is_single;
}

/*
 * Numbers the steps. If each file has one, the number in its name counts. Otherwise
 * numbers in the files do. If these begin anew in each file, the steps are counted.
 */
static status number_steps(const series_files *files, int count, series_step *steps)
{
    const bool is_single = series_steps_are_single(count, steps);
    for (int n = 0; n < count && is_single && files->has_numbers; n++) {
        steps[n].number = files->files[steps[n].file].number;
    }
    const int twice = find_double(count, steps);
    if (twice == 0) {
        return STATUS_OK;
    }
    if (!counts_from_zero(count, steps, is_single)) {
        const series_step *step = &steps[twice];
        return base_fail(STATUS_INPUT,
                         "step %" PRId64 " is in '%s' and in '%s': remove one",
                         step->number, files->files[step[-1].file].path,
                         files->files[step->file].path);
    }
    qsort(steps, (size_t)count, sizeof *steps, compare_places);
    for (int n = 0; n < count; n++) {
        steps[n].number = n;
    }
    return STATUS_OK;
}

status series_steps_number(const series_files *files, int count, series_step *steps)
{
    const bool has_none = has_no_times(count, steps);
    status s = number_steps(files, count, steps);
    for (int n = 0; n < count && has_none; n++) {
        steps[n].time = (double)steps[n].number;
    }
    return s;
}
