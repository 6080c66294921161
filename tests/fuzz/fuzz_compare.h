/* Compares a sample of pixels with the results of slower methods. */
#ifndef TESTS_FUZZ_FUZZ_COMPARE_H
#define TESTS_FUZZ_FUZZ_COMPARE_H

#include "fuzz_check.h"
#include "fuzz_picture.h"

/* Notes a failure; returns false. */
bool fuzz_fail(fuzz_failure *failure, fuzz_check check, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Notes that a function failed, with its message; returns false. */
bool fuzz_fail_status(fuzz_failure *failure, const char *what);

/* Compares with sums over all triangles, which define the linear style. Folded grids are
 * compared only in a uniform medium, others always. */
bool fuzz_compare_triangles(const fuzz_scene *scene, const image *whole,
                            fuzz_tally *tally, fuzz_failure *failure);

/* Against the reference renderer: smooth cases only. */
bool fuzz_compare_reference(const fuzz_scene *scene, const image *whole,
                            fuzz_tally *tally, fuzz_failure *failure);

#endif
