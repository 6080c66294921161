/* karman compare: figures, a row of numbers from the timings of runs. */
#ifndef MESSAGES_COMPARE_FIGURES_H
#define MESSAGES_COMPARE_FIGURES_H

#include "base/status.h"
#include "io/timings/timings.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * Figures of one run, or of all runs of a case. Every member is a double; NaN if unknown.
 * Seconds are per frame: the mean over the frames of a run, the median over runs.
 *
 * Wall: time of the slowest rank by the wall clock. Model: work of the rank that works
 * longest. Work is the processor time of a rank less the time that it polls for other
 * ranks. The model is the time of a frame if each rank had its own core (with several
 * threads: one core) and no rank waited.
 */
typedef struct compare_figures {
    double wall, wall_least, wall_most; /* least, most: over runs */
    double wall_first, wall_later;      /* of the first frame; of the frames after it */
    double model, model_least, model_most;
    double model_first, model_later;
    double model_draw;       /* longest work of a rank for rendering and compositing */
    double work[IO_STAGES];  /* of the rank that works longest; their sum is `model` */
    double waits[IO_STAGES]; /* wall seconds of the slowest rank of each stage */
    double render_imbalance, render_range;     /* of the ranks' render work, by
                                                  compare_imbalance and compare_range */
    double work_imbalance, work_range;         /* of the ranks' total work */
    double messages, bytes_sent, bytes_shared; /* sums over all ranks */
    double memory, memory_mean; /* peak: of the rank with most memory; mean over ranks */
    double cells, cells_mean;   /* in memory: of the rank with most cells; mean over
                                   ranks */
    double run; /* wall seconds of the whole run, with launcher and loading */
    double wall_speedup, wall_efficiency, model_speedup, model_efficiency;
    double model_draw_speedup, model_draw_efficiency;
} compare_figures;

/* A member's column in tables: name, unit and offset. Ratios have the unit "1". */
typedef struct compare_column {
    const char *name, *unit;
    size_t offset;
} compare_column;

/* The column at a place; NULL beyond the last one. */
const compare_column *compare_column_at(int place);
double *compare_column_of(compare_figures *figures, const compare_column *column);

/* All members NaN. */
compare_figures compare_figures_none(void);

/*
 * Figures of one run from its timings (docs/user/formats.md). `run` is the run's time in
 * wall seconds. Speedups are NaN. Local. Errors: STATUS_INPUT (the timings are
 * incomplete), STATUS_MEMORY.
 */
status compare_figures_of_run(const json_t *timings, double run, compare_figures *out);

/* Medians over runs[n], n >= 1. Local. Errors: STATUS_MEMORY. */
status compare_figures_combine(int n, const compare_figures *runs, compare_figures *out);

/* Sets the speedups and efficiencies relative to the figures of `base_ranks` ranks. */
void compare_figures_relate(compare_figures *figures, int ranks,
                            const compare_figures *base, int base_ranks);

/* The array [ranks] frame.ranks.PART.NAME, or frame.ranks.NAME if part is NULL;
 * malloc'ed. NULL if it is missing, or without memory. Local. */
double *compare_values_of(const json_t *frame, const char *part, const char *name,
                          int ranks);

/* The name of a stage in timings. */
const char *compare_stage_name(int stage);

#endif
