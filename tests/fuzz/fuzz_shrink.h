/* Making a failing case smaller. */
#ifndef TESTS_FUZZ_FUZZ_SHRINK_H
#define TESTS_FUZZ_FUZZ_SHRINK_H

#include "fuzz_check.h"

/* Simplifies a case step by step as long as the same check fails; *failure becomes that
 * of the final case. Local. */
void fuzz_case_shrink(fuzz_case *c, fuzz_failure *failure);

#endif
