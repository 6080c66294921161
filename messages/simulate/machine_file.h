/* Machine files: the values of a machine as JSON (docs/user/simulate.md). */
#ifndef MESSAGES_SIMULATE_MACHINE_FILE_H
#define MESSAGES_SIMULATE_MACHINE_FILE_H

#include "messages/model/machine.h"

#include <jansson.h>

/* A machine as JSON, a new reference; NULL without memory. Local. */
json_t *messages_machine_describe(const simulate_machine *machine);

/* Writes a machine file, whole or not at all. `about`: an object on the measurement,
 * borrowed, or NULL. Local. Errors: STATUS_OUTPUT, STATUS_MEMORY. */
status messages_machine_write(const char *path, const simulate_machine *machine,
                              json_t *about);

/* Reads a machine file; values that it leaves out are as before. Local. Errors:
 * STATUS_USAGE with the path and the reason. */
status messages_machine_read(const char *path, simulate_machine *machine);

/* Takes a machine from such an object; `path` is the file, for messages. Otherwise as
 * messages_machine_read. Local. Errors: STATUS_USAGE. */
status messages_machine_take(const char *path, json_t *object, simulate_machine *machine);

/* Takes the machine that a user names: a file, or values such as "alpha=20us,ports=2".
 * Local. Errors: STATUS_USAGE. */
status messages_machine_choose(const char *text, simulate_machine *machine);

#endif
