/* Makes the data of examples. */
#ifndef APP_EXAMPLE_DATASET_H
#define APP_EXAMPLE_DATASET_H

#include "base/status.h"

#include <stdbool.h>

/* Whether a command makes data: "karman-dataset NAME --output FILE". */
bool example_dataset_is(const char *command);

/* Runs such a command in a folder, unless its file exists; *is_made tells. Errors:
 * STATUS_OUTPUT (the program fails and prints why); then there is no file. */
status example_dataset_make(const char *command, const char *folder, bool *is_made);

#endif
