/* The output of karman steer about a run directory. Local; for one rank. */
#ifndef APP_STEER_SHOW_H
#define APP_STEER_SHOW_H

#include "base/status.h"

#include <stdbool.h>

/* Prints the running program, its state, the last values of monitors and the seconds of
 * stages, as a table or as JSON. Errors: STATUS_INPUT (no run directory), STATUS_OUTPUT,
 * STATUS_MEMORY. */
status app_steer_show_status(const char *folder, bool json);

/* Prints the parameters with value, type, limits and help. Errors as above. */
status app_steer_show_list(const char *folder, bool json);

#endif
