/* What is demanded of the pictures of a case. README.md lists the checks. */
#ifndef TESTS_FUZZ_FUZZ_CHECK_H
#define TESTS_FUZZ_FUZZ_CHECK_H

#include "fuzz_grid.h"

typedef enum fuzz_check {
    FUZZ_DRAWN,     /* a function of karman failed */
    FUZZ_LOST,      /* a ray was lost */
    FUZZ_RANGE,     /* a pixel is not finite, or not between 0 and 1, or out of bounds */
    FUZZ_KERNELS,   /* another kernel, other bits */
    FUZZ_THREADS,   /* more threads, other bits */
    FUZZ_BRICKS,    /* bricks beyond the box matter */
    FUZZ_STAYS,     /* later pictures of a view have other bits */
    FUZZ_CUTS,      /* parts do not add up to the whole */
    FUZZ_SUMS,      /* not what all triangles say (fuzz_triangles.h) */
    FUZZ_REFERENCE, /* not what the reference renderer says */
    FUZZ_CHECKS
} fuzz_check;

/* The first thing that is wrong. */
typedef struct fuzz_failure {
    fuzz_check check;
    char text[400]; /* what, where, expected, actual */
} fuzz_failure;

/* What was done, over all cases. */
typedef struct fuzz_tally {
    int64_t cases, blank; /* blank: nothing was seen */
    int64_t soundnesses[FUZZ_SOUNDNESSES], kinds[FUZZ_KINDS], values[FUZZ_VALUES];
    int64_t profiles[FUZZ_PROFILES], stands[FUZZ_STANDS], blocks[FUZZ_MOST_BLOCKS + 1];
    int64_t in_cells, holed, filled, extreme, blanked, left_handed, opaque, trilinear;
    int64_t cells, bricks, rays, crossings, nan_cells;
    int64_t kernels, threads, stores, stays; /* pictures compared bit by bit */
    int64_t stays_first, stays_later;        /* cells crossed in first and later ones */
    int64_t parts[FUZZ_MOST_PARTS + 1];
    int64_t cut_known, cut_unknown; /* pictures: compared, nothing known of them */
    int64_t cut_pixels, cut_excess; /* pixels within the promise; with folds that count
                                       too much to be known */
    double cut_worst;               /* of the first */
    int64_t sums_cases, sums, sums_loose,
        sums_skipped;  /* pixels compared; of these with a tolerance
              above twice the least; not compared */
    double sums_worst; /* of those with nearly the least tolerance */
    /* Of the linear and the trilinear style; counts of 255, the largest mean of a case.
     */
    int64_t references[2], reference_pixels[2], reference_edges[2];
    double reference_worst[2], reference_mean[2];
} fuzz_tally;

/* Makes the pictures of a case and checks them; adds to the tally what was done. Returns
 * whether all is well; else *failure says what is not. Local. */
bool fuzz_check_case(const fuzz_case *c, fuzz_tally *tally, fuzz_failure *failure);

const char *fuzz_check_name(fuzz_check check);

#endif
