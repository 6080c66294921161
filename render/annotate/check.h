/* Whether a description means something. */
#ifndef RENDER_ANNOTATE_CHECK_H
#define RENDER_ANNOTATE_CHECK_H

#include "annotate.h"

/* Errors: STATUS_USAGE, with what is wrong with it. */
status annotate_check(const annotation *what);

#endif
