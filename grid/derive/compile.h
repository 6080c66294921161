/* Inside grid: from the names and expressions that users write to recipes. */
#ifndef GRID_DERIVE_COMPILE_H
#define GRID_DERIVE_COMPILE_H

#include "fields.h"

/* Compiles a definition: of the terms, or a derived field for which nothing is missing.
 * Local. Errors: STATUS_USAGE for an expression that cannot be computed, STATUS_INPUT for
 * one that needs fields which the data lack, STATUS_MEMORY. */
status derive_compile(const derive_names *names, const grid_definition *definition,
                      struct grid_recipe *out);

#endif
