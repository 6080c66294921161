/* Data sets: analytic grids with analytic fields, for pictures and for tests. */
#ifndef DATASETS_DATASET_H
#define DATASETS_DATASET_H

#include "base/vec.h"
#include "grid/recipe.h"

#include <stdbool.h>
#include <stdint.h>

/* A vertex of a grid. */
typedef struct dataset_vertex {
    vec3 position;
    bool blanked;
} dataset_vertex;

/* A data set. It keeps no state: any vertex can be computed at any time, so that ranks
 * make their parts without communication.
 *
 * Fields are functions of the position alone (and of time), never of the index. So
 * vertices that coincide, on a seam or an interface, carry bitwise equal values. */
typedef struct dataset {
    const char *name;
    const char *summary; /* one line for --help */
    int64_t size[3];     /* vertices of the first block along i, j, k by default */
    int64_t minimum[3];  /* the smallest sensible size */
    int steps;           /* by default */
    double period;       /* of the flow, divided evenly by the steps; 0: step s is at time
                            s */
    bool has_iblank;
    bool double_precision; /* float64 by default: float32 is too coarse for it */
    int nblocks;
    const char *const *block_names; /* [nblocks] */
    int nfields;
    const grid_field *fields; /* [nfields] */
    /* Vertices of a block, for this size of the first; NULL if there is one block. */
    void (*block_size)(const int64_t size[3], int block, int64_t n[3]);
    /* The vertex at[3] = (i, j, k) of a block, for this size of the first. */
    dataset_vertex (*vertex)(const int64_t size[3], int block, const int64_t at[3]);
    /* All fields at a point: out is [nfields]. */
    void (*evaluate)(vec3 position, double time, double *out);
} dataset;

/* Names of blocks, and fields, in the initializer of a data set. */
#define DATASET_BLOCKS(...)                                                              \
    .block_names = (const char *const[]){__VA_ARGS__},                                   \
    .nblocks = (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
#define DATASET_FIELDS(...)                                                              \
    .fields = (const grid_field[]){__VA_ARGS__},                                         \
    .nfields = (int)(sizeof((const grid_field[]){__VA_ARGS__}) / sizeof(grid_field))
#define DATASET_VERTEX(field_name)                                                       \
    {                                                                                    \
        .name = (field_name), .location = GRID_VERTEX                                    \
    }
#define DATASET_CELL(field_name)                                                         \
    {                                                                                    \
        .name = (field_name), .location = GRID_CELL                                      \
    }

/* The data set at this place of the catalogue, NULL after the last. All of these have
 * sound cells in right-handed blocks that share their interfaces, and finite fields. */
const dataset *dataset_at(int place);

/* The same for the hard data sets. They may have folded and collapsed cells, left-handed
 * and overlapping blocks, two dimensions, and values that are not numbers. */
const dataset *dataset_hard_at(int place);

/* The data set of this name, hard or not, or NULL. */
const dataset *dataset_find(const char *name);

/* Vertices of a block along i, j, k, for this size of the first block. */
void dataset_block_size(const dataset *set, const int64_t size[3], int block,
                        int64_t n[3]);

/* Time of a step, 0 to steps - 1. */
double dataset_time(const dataset *set, int step, int steps);

/* at / (count - 1): place of the vertex along its axis, 0 to 1. */
static inline double dataset_fraction(int64_t at, int64_t count)
{
    return (double)at / (double)(count - 1);
}

/* The same for an axis that closes on itself: the last vertex is bitwise equal to the
 * first. */
static inline double dataset_turn(int64_t at, int64_t count)
{
    return (double)(at % (count - 1)) / (double)(count - 1);
}

/* The vertex's place in an even cube from -1 to 1. */
static inline vec3 dataset_cube(const int64_t size[3], const int64_t at[3])
{
    return vec3_make(2.0 * dataset_fraction(at[0], size[0]) - 1.0,
                     2.0 * dataset_fraction(at[1], size[1]) - 1.0,
                     2.0 * dataset_fraction(at[2], size[2]) - 1.0);
}

/* A smooth field between 0 and 1 that many data sets share. */
static inline double dataset_wave(vec3 p)
{
    return 0.5 + 0.5 * sin(2.0 * p.v[0] + 0.5) * cos(1.5 * p.v[1]) * cos(2.0 * p.v[2]);
}

/* A linear field that many data sets share. The factors are powers of two, so products
 * with float32 coordinates are exact. */
static inline double dataset_linear(vec3 p)
{
    return 1.0 + 0.5 * p.v[0] + 0.25 * p.v[1] + 0.125 * p.v[2];
}

/* For `evaluate`: dataset_wave alone, and for each location. */
static inline void dataset_evaluate_wave(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = dataset_wave(p);
}

static inline void dataset_evaluate_waves(vec3 p, double time, double *out)
{
    (void)time;
    out[0] = out[1] = dataset_wave(p);
}

/* The value as float32 files hold it. volatile is needed: without it GCC 12 at -O2 and
 * -O3 turns pairs of (double)(float)x for neighbouring values into vector code that does
 * not round. */
static inline double dataset_float32(double value)
{
    volatile float rounded = (float)value;
    return (double)rounded;
}

extern const dataset dataset_annulus;
extern const dataset dataset_boundary_layer;
extern const dataset dataset_iblank_sphere;
extern const dataset dataset_karman;
extern const dataset dataset_pole;
extern const dataset dataset_two_blocks;
extern const dataset dataset_vanes;
extern const dataset dataset_warped_box;

extern const dataset dataset_ball;
extern const dataset dataset_c_grid;
extern const dataset dataset_far;
extern const dataset dataset_flat;
extern const dataset dataset_inverted;
extern const dataset dataset_mismatched;
extern const dataset dataset_nan_field;
extern const dataset dataset_o_grid;
extern const dataset dataset_orientations;
extern const dataset dataset_overset;
extern const dataset dataset_vane_ring;
extern const dataset dataset_wall;

#endif
