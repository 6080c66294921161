/* Checks descriptions of annotations. */
#ifndef RENDER_ANNOTATE_CHECK_H
#define RENDER_ANNOTATE_CHECK_H

#include "annotate.h"

/* Errors: STATUS_USAGE, with a message that names the fault. */
status annotate_check(const annotation *what);

#endif
