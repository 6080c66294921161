/* Pictures against what slower ways give for a sample of their pixels. */
#ifndef TESTS_FUZZ_FUZZ_COMPARE_H
#define TESTS_FUZZ_FUZZ_COMPARE_H

#include "fuzz_check.h"
#include "fuzz_picture.h"

/* Notes a failure; returns false. */
bool fuzz_fail(fuzz_failure *failure, fuzz_check check, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Notes that a function failed, with its message; returns false. */
bool fuzz_fail_status(fuzz_failure *failure, const char *what);

/* Against sums over all triangles, which is what the linear style means. Folded grids are
 * compared where extinction is the same everywhere, the others always. */
bool fuzz_compare_triangles(const fuzz_scene *scene, const image *whole,
                            fuzz_tally *tally, fuzz_failure *failure);

/* Against the reference renderer: smooth cases only. */
bool fuzz_compare_reference(const fuzz_scene *scene, const image *whole,
                            fuzz_tally *tally, fuzz_failure *failure);

#endif
