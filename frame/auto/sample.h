/* A sample of a field: values at points all over the grid, at some steps. */
#ifndef FRAME_AUTO_SAMPLE_H
#define FRAME_AUTO_SAMPLE_H

#include "data.h"

/* Some points of a sample that follow each other. Those without cells do not count. */
typedef struct auto_run {
    float lo[3], hi[3];    /* bounds of their places */
    float reach[3];        /* the greatest */
    int64_t volume, cells; /* sums of theirs */
} auto_run;

/*
 * This rank's points of a sample: vertices of bricks, or centres of cells for a field in
 * cells. The set of all points and their weights depend on the data alone; each rank has
 * a part. Weights are whole numbers, so sums do not depend on the number of ranks.
 */
typedef struct auto_sample {
    MPI_Comm comm;
    bool in_cells; /* points are centres of cells, on all ranks */
    int64_t count;
    float (*place)[3]; /* [count]: relative to the layout's origin */
    float (*reach)[3]; /* [count]: half the size of a cell; NULL for vertices */
    int64_t *volume; /* [count]: volume of the present cells around, in units of `unit` */
    uint8_t *cells;  /* [count]: number of these cells */
    double unit;
    int nlooked;       /* steps that were looked at */
    int nsteps;        /* whose values each point has: 1 if the grid moves */
    float *values;     /* [nsteps][count] */
    auto_run *runs;    /* of all points, in order; NULL: unknown, queries take longer */
    float (*span)[2];  /* [nsteps][runs]: bounds of the values of a run */
    grid_store *store; /* own bricks of the points; NULL: those of a frame sufficed */
} auto_sample;

/* Finds the bounds of runs of points, which spare queries most points. Local. */
void auto_sample_index(auto_sample *sample);

/* The sample at one of its steps. Borrows from it. Local. */
auto_sample auto_sample_at(const auto_sample *sample, int step);

/*
 * Samples a field at all steps, or at AUTO_FEW_STEPS evenly spaced ones with the last.
 * *sample: NULL, or one of the same data, whose points it keeps if they suit. Takes all
 * bricks, or evenly spaced ones if there are very many. If the grid moves, it has the
 * points of the steps that data->grids has, each in its own grid. `continuous`: at
 * vertices in any case. Collective. Errors: STATUS_INPUT (there is no such field, a step
 * lacks it), STATUS_MEMORY.
 */
status auto_sample_create(const frame_auto_data *data, const char *field, bool continuous,
                          auto_sample **sample);
void auto_sample_destroy(auto_sample **sample);

/* Selects points, and a value of each. */
typedef struct auto_query {
    int axis;           /* 0 to 2: places along that axis; -1: values of the field */
    int end;            /* -1, 1: the place is the lower or the upper end of a cell */
    bool by_cells;      /* weight is a number of cells; otherwise a volume */
    const box3 *within; /* NULL: no limit */
    double around,
        beyond; /* only values farther from `around` than `beyond`; beyond < 0: all */
} auto_query;

/*
 * The extremes of the query; lo > hi if no point with a finite value counts. Collective.
 */
void auto_sample_extremes(const auto_sample *sample, const auto_query *query,
                          double range[2]);

/* The weight of all points that count, summed over steps; in cells or sample->unit.
 * Collective. */
int64_t auto_sample_weight(const auto_sample *sample, const auto_query *query);

/* The part (0..1) of the volume, over all steps, whose values are missing or not finite.
 * Collective. */
double auto_sample_missing(const auto_sample *sample);

enum { AUTO_BINS = 1024 };

/* The weights in equal bins of [range[0], range[1]]. Values outside of the range do not
 * count. Collective. */
void auto_sample_count(const auto_sample *sample, const auto_query *query,
                       const double range[2], int64_t bins[AUTO_BINS]);

/* The places or values with parts (0..1) of the weight below them; NAN if no point
 * counts. Collective. */
void auto_sample_quantiles(const auto_sample *sample, const auto_query *query,
                           const double parts[2], double found[2]);

#endif
