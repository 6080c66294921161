/* A sample of a field: values at points all over the grid, at some steps. */
#ifndef APP_FRAME_AUTO_SAMPLE_H
#define APP_FRAME_AUTO_SAMPLE_H

#include "base/vec.h"
#include "grid/recipe.h"
#include "io/source.h"

#include <mpi.h>

enum { AUTO_MOST_STEPS = 4 };

/* The data that values are chosen for; the same on every rank. */
typedef struct app_auto_data {
    MPI_Comm comm;
    io_source *source;
    const io_data_config *config;
    const grid_layout *layout; /* NULL: not known yet */
    int nsteps;
    const int *steps; /* [nsteps]: those that are drawn, as indices of the source's */
} app_auto_data;

/*
 * The points of this rank: vertices of bricks, or centres of cells for a field in cells.
 * Which points there are, and their weights, depends on the data alone; each rank has a
 * share. Weights are whole numbers, so that sums are the same on any ranks.
 */
typedef struct auto_sample {
    MPI_Comm comm;
    int64_t count;
    float (*place)[3]; /* [count]: relative to the layout's origin */
    int64_t *volume;   /* [count]: of the present cells around, in units of `unit` */
    uint8_t *cells;    /* [count]: how many there are */
    double unit;
    int nsteps;
    float *values; /* [nsteps][count] */
} auto_sample;

/*
 * Samples a field at AUTO_MOST_STEPS of the steps at most, evenly spaced, the last one
 * among them, in all bricks, or in some that are evenly spaced where there are very many.
 * `continuous`: at vertices in any case. Collective. Errors: STATUS_INPUT (there is no
 * such field, a step lacks it), STATUS_MEMORY.
 */
status auto_sample_create(const app_auto_data *data, const char *field, bool continuous,
                          auto_sample **out);
void auto_sample_destroy(auto_sample **sample);

/* Which points count, and what is asked of them. */
typedef struct auto_query {
    int axis;              /* 0 to 2: places along an axis; -1: values */
    bool by_cells;         /* cells weigh alike; else by volume */
    const box3 *within;    /* NULL: everywhere */
    double around, beyond; /* values that differ from `around` by more than `beyond`;
                              beyond < 0: all */
} auto_query;

/* Least and greatest of what is asked for; lo > hi where no point with a finite value
 * counts. Collective. */
void auto_sample_extremes(const auto_sample *sample, const auto_query *query,
                          double range[2]);

/* The weight of all points that count; in units of a cell or of sample->unit, times the
 * number of steps. Collective. */
int64_t auto_sample_weight(const auto_sample *sample, const auto_query *query);

enum { AUTO_BINS = 1024 };

/* Weights by bin of [range[0], range[1]], in which all counts that lies in the range.
 * Collective. */
void auto_sample_count(const auto_sample *sample, const auto_query *query,
                       const double range[2], int64_t bins[AUTO_BINS]);

/* The place or value below which the share `part` (0..1) of the weight lies; NAN where
 * nothing counts. Collective. */
double auto_sample_quantile(const auto_sample *sample, const auto_query *query,
                            double part);

#endif
