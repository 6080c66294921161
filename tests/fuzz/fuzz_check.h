/* Checks of the pictures of a case. README.md lists them. */
#ifndef TESTS_FUZZ_FUZZ_CHECK_H
#define TESTS_FUZZ_FUZZ_CHECK_H

#include "fuzz_grid.h"

typedef enum fuzz_check {
    FUZZ_DRAWN,     /* a function of karman failed */
    FUZZ_LOST,      /* a ray was lost */
    FUZZ_RANGE,     /* a pixel is not finite, or not between 0 and 1, or out of bounds */
    FUZZ_KERNELS,   /* another kernel, other bits */
    FUZZ_THREADS,   /* more threads, other bits */
    FUZZ_WINDOWS,   /* rectangles drawn on their own have other bits */
    FUZZ_BRICKS,    /* bricks beyond the box matter */
    FUZZ_STAYS,     /* later pictures of a view have other bits */
    FUZZ_CUTS,      /* parts do not add up to the whole */
    FUZZ_SUMS,      /* the sums over all triangles differ (fuzz_triangles.h) */
    FUZZ_REFERENCE, /* the reference renderer differs */
    FUZZ_CHECKS
} fuzz_check;

/* The first failure. */
typedef struct fuzz_failure {
    fuzz_check check;
    char text[400]; /* check, place, expected and actual values */
} fuzz_failure;

/* Counters over all cases. */
typedef struct fuzz_tally {
    int64_t cases, blank; /* blank: the picture is empty */
    int64_t soundnesses[FUZZ_SOUNDNESSES], kinds[FUZZ_KINDS], values[FUZZ_VALUES];
    int64_t profiles[FUZZ_PROFILES], stands[FUZZ_STANDS], blocks[FUZZ_MOST_BLOCKS + 1];
    int64_t in_cells, holed, filled, extreme, blanked, left_handed, opaque;
    int64_t styles[FUZZ_STYLES], shaded;
    int64_t cells, bricks, rays, crossings, nan_cells;
    int64_t kernels, threads, stores, stays, windows; /* pictures compared bit by bit */
    int64_t stays_first, stays_later; /* cells crossed in first and later ones */
    int64_t parts[FUZZ_MOST_PARTS + 1];
    int64_t cut_known, cut_unknown; /* pictures: compared; without a known answer */
    int64_t cut_pixels, cut_excess; /* pixels within the promise; pixels without a known
                                       answer because of folds */
    double cut_worst;               /* of the first */
    int64_t sums_cases, sums, sums_loose,
        sums_skipped;  /* pixels compared; those with a tolerance above twice the least;
                          not compared */
    double sums_worst; /* of those with nearly the least tolerance */
    /* By style; counts of 255, the largest mean of a case. */
    int64_t references[FUZZ_STYLES], reference_pixels[FUZZ_STYLES];
    int64_t reference_edges[FUZZ_STYLES];
    double reference_worst[FUZZ_STYLES], reference_mean[FUZZ_STYLES];
} fuzz_tally;

/* Makes the pictures of a case, checks them, and adds to the tally. Returns whether all
 * checks pass; else *failure describes the first that fails. Local. */
bool fuzz_check_case(const fuzz_case *c, fuzz_tally *tally, fuzz_failure *failure);

const char *fuzz_check_name(fuzz_check check);

#endif
