/* Whether a description means something. */
#ifndef ANNOTATE_CHECK_H
#define ANNOTATE_CHECK_H

#include "annotate/annotate.h"

/* Errors: STATUS_USAGE, with what is wrong with it. */
status annotate_check(const annotation *what);

#endif
