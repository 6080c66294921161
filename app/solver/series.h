/*
 * A series of checkpoints: a file for each step, and an index with links to all of them,
 * which reads like one file in karman's layout.
 *
 *   wake.h5         the index: /grid -> wake_grid.h5, /flow/000100 -> wake_000100.h5
 *   wake_grid.h5    /grid/<block>/x, y, z
 *   wake_000100.h5  /flow/000100/<block>/density, ..., /grid -> wake_grid.h5
 *
 * Each of them is written as wake.h5.part, and gets its name when it is complete and on
 * the disk. So whenever a run ends, the index and all that it names are whole, at most
 * the last file is not in it yet, and at most one part is left behind, which the next run
 * writes over. Links are relative: the files move together.
 *
 * Everything here is local, for rank 0.
 */
#ifndef APP_SOLVER_SERIES_H
#define APP_SOLVER_SERIES_H

#include "base/status.h"

#include <stdint.h>

/* Number and time of each step, in the order in which they were written. */
typedef struct solver_series_steps {
    int64_t count;
    double (*steps)[2]; /* [count] */
} solver_series_steps;

void solver_series_clear(solver_series_steps *steps);

/* The end of the grid's name, where that of the index has ".h5". */
extern const char solver_series_grid[];

/* The path of a file beside the index: "wake.h5" and "_grid.h5" make "wake_grid.h5".
 * malloc'ed. Errors: STATUS_MEMORY. */
status solver_series_path(const char *index, const char *suffix, char **out);

/* The name that all files have while they are written. malloc'ed. Errors: STATUS_MEMORY.
 */
status solver_series_part(const char *index, char **out);

/*
 * Begins a series, whose grid lies in the part: the index has no steps, and the files
 * that a former index of that name names are removed, but for `kept` (or NULL). Errors:
 * STATUS_OUTPUT, STATUS_MEMORY.
 */
status solver_series_begin(const char *index, const char *part, const char *kept);

/* Looks whether steps can be added to a series that is there. Errors: STATUS_USAGE (a
 * file that holds its steps itself), STATUS_OUTPUT, STATUS_MEMORY. */
status solver_series_resume(const char *index);

/*
 * Adds a step (number and time), which lies in the part, in the place of one with the
 * same number; steps whose files are gone are dropped. *out: all steps now, to be
 * cleared. Errors: STATUS_OUTPUT, STATUS_MEMORY; the series is then as it was before.
 */
status solver_series_add(const char *index, const char *part, const double step[2],
                         solver_series_steps *out);

#endif
