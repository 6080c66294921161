/*
 * A series of checkpoints: a file for each step, and an index with links to all of them.
 * The index reads like one file in karman's layout.
 *
 *   wake.h5         the index: /grid -> wake_grid.h5, /flow/000100 -> wake_000100.h5
 *   wake_grid.h5    /grid/<block>/x, y, z
 *   wake_000100.h5  /flow/000100/<block>/density, ..., /grid -> wake_grid.h5
 *
 * Each file is first written as wake.h5.part (the part). It is renamed when it is
 * complete and on the disk. So the index and all files that it names are complete,
 * whenever a run is killed. At most, the last file is not in the index yet, and one part
 * is left, which the next run overwrites. Links are relative: the files can be moved
 * together.
 *
 * All functions here are local, for rank 0. They return false after solver_fail.
 */
#ifndef EXAMPLES_SOLVER_SERIES_H
#define EXAMPLES_SOLVER_SERIES_H

#include "output.h"

#include <stdbool.h>
#include <stdint.h>

/* Number and time of each step, in the order in which they were written. */
typedef struct solver_series_steps {
    int64_t count;
    double (*steps)[2]; /* [count]; freed by the caller */
} solver_series_steps;

/* The end of the name of the grid's file, in place of the index's ".h5". */
extern const char solver_series_grid[];

/* The path of a file beside the index: "wake.h5" and "_grid.h5" give "wake_grid.h5". */
void solver_series_path(const char *index, const char *suffix,
                        char out[SOLVER_FILE_SIZE]);

/* Begins a series whose grid is in the part: writes an index without steps. Removes the
 * files of an earlier index of that name, except `kept` (or NULL). */
bool solver_series_begin(const char *index, const char *part, const char *kept);

/* Checks whether steps can be added to an existing series. SOLVER_USAGE: a file that
 * contains its steps itself. */
bool solver_series_resume(const char *index);

/*
 * Adds a step (number and time), whose data are in the part. It replaces a step with the
 * same number. Steps whose files are missing are dropped. *out: all steps now. After a
 * failure the series is unchanged.
 */
bool solver_series_add(const char *index, const char *part, const double step[2],
                       solver_series_steps *out);

#endif
