/* karman compare: what the timings of runs come down to, as a row of numbers. */
#ifndef APP_COMPARE_FIGURES_H
#define APP_COMPARE_FIGURES_H

#include "base/status.h"
#include "io/timings/timings.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * Figures of one run, or of all runs of a case. Every member is a double, NaN where there
 * is none. Seconds are of a frame: the mean over the frames of a run, the median over
 * runs.
 *
 * Wall: of the slowest rank, as the clock on the wall has it. Model: work of the rank
 * that worked longest, where work is processor seconds less those spent polling for other
 * ranks: what the frame would take if every rank had a core (with several threads: one
 * core) of its own and nobody waited.
 */
typedef struct compare_figures {
    double wall, wall_least, wall_most; /* least and most: over runs */
    double wall_first, wall_later;      /* the first frame; those after it */
    double model, model_least, model_most;
    double model_first, model_later;
    double model_draw;       /* work of the rank that rendered and composited longest */
    double work[IO_STAGES];  /* of the rank that worked longest: they add up to model */
    double waits[IO_STAGES]; /* wall seconds of the slowest rank of each stage */
    double render_imbalance, render_range;     /* of the ranks' render work, by
                                                  compare_imbalance and compare_range */
    double work_imbalance, work_range;         /* of all their work */
    double messages, bytes_sent, bytes_shared; /* of all ranks */
    double memory, memory_mean; /* peak, of the rank that has most; over ranks */
    double cells, cells_mean;   /* in memory */
    double run; /* wall seconds of the whole run, launcher and loading included */
    double wall_speedup, wall_efficiency, model_speedup, model_efficiency;
    double model_draw_speedup, model_draw_efficiency;
} compare_figures;

/* A member by its place: name and unit for tables; ratios have the unit "1". */
typedef struct compare_column {
    const char *name, *unit;
    size_t offset;
} compare_column;

/* The column at a place; NULL past the last one. */
const compare_column *compare_column_at(int place);
double *compare_column_of(compare_figures *figures, const compare_column *column);

/* All members NaN. */
compare_figures compare_figures_none(void);

/*
 * Figures of one run from its timings (docs/user/formats.md), whose wall seconds were
 * `run`. Speedups are NaN. Local. Errors: STATUS_INPUT where the timings are none;
 * STATUS_MEMORY.
 */
status compare_figures_of_run(const json_t *timings, double run, compare_figures *out);

/* Medians over runs[n], n >= 1. Local. Errors: STATUS_MEMORY. */
status compare_figures_combine(int n, const compare_figures *runs, compare_figures *out);

/* Fills in the speedups against the figures of `base_ranks` ranks. */
void compare_figures_relate(compare_figures *figures, int ranks,
                            const compare_figures *base, int base_ranks);

/* The array [ranks] frame.ranks.PART.NAME, or frame.ranks.NAME where part is NULL;
 * malloc'ed. NULL where it is not there, or without memory. Local. */
double *compare_values_of(const json_t *frame, const char *part, const char *name,
                          int ranks);

/* The name of a stage in timings. */
const char *compare_stage_name(int stage);

#endif
