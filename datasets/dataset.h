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

/*
 * What makes a data set. Nothing here keeps state: any vertex can be asked for at any
 * time, so ranks make their parts without talking to each other.
 *
 * Fields are functions of the position alone (and of time), never of the index: vertices
 * that coincide, on a seam or an interface, carry the same values to the last bit.
 */
typedef struct dataset {
    const char *name;
    const char *summary; /* one line for --help */
    int64_t size[3];    /* vertices of the first block along i, j, k, where nobody says */
    int64_t minimum[3]; /* fewest that make sense */
    int steps;          /* where nobody says */
    double period;      /* the steps divide it evenly; 0: step s is at time s */
    bool has_iblank;
    int nblocks;
    const char *const *block_names; /* [nblocks] */
    int nfields;
    const grid_field *fields; /* [nfields] */
    /* Vertices of a block, for this size of the first; NULL where there is one block. */
    void (*block_size)(const int64_t size[3], int block, int64_t n[3]);
    /* The vertex at[3] = (i, j, k) of a block, for this size of the first. */
    dataset_vertex (*vertex)(const int64_t size[3], int block, const int64_t at[3]);
    /* All fields at a point: out is [nfields]. */
    void (*evaluate)(vec3 position, double time, double *out);
} dataset;

/* The data set with this place in the catalogue, NULL after the last. */
const dataset *dataset_at(int place);

/* The data set of this name, or NULL. */
const dataset *dataset_find(const char *name);

/* Vertices of a block along i, j, k, for this size of the first block. */
void dataset_block_size(const dataset *set, const int64_t size[3], int block,
                        int64_t n[3]);

/* Time of a step, 0 to steps - 1. */
double dataset_time(const dataset *set, int step, int steps);

/* at / (count - 1): where the vertex lies along its axis, 0 to 1. */
static inline double dataset_fraction(int64_t at, int64_t count)
{
    return (double)at / (double)(count - 1);
}

/* The same for an axis that closes on itself: the last vertex is the first, to the last
 * bit. */
static inline double dataset_turn(int64_t at, int64_t count)
{
    return (double)(at % (count - 1)) / (double)(count - 1);
}

/*
 * The value as float32 files hold it. volatile: with neighbouring values GCC 12 at -O2
 * and -O3 turns pairs of (double)(float)x into vector code that leaves x as it was.
 */
static inline double dataset_float32(double value)
{
    volatile float narrow = (float)value;
    return (double)narrow;
}

extern const dataset dataset_annulus;
extern const dataset dataset_boundary_layer;
extern const dataset dataset_iblank_sphere;
extern const dataset dataset_karman;
extern const dataset dataset_pole;
extern const dataset dataset_two_blocks;
extern const dataset dataset_warped_box;

#endif
