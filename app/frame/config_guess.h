/* Names grid and fields for a config that names a file of another layout alone. */
#ifndef APP_FRAME_CONFIG_GUESS_H
#define APP_FRAME_CONFIG_GUESS_H

#include "base/status.h"
#include "io/config/config.h"

#include <mpi.h>

/*
 * Finds the overrides that name grid and fields of the config's file, guessed from names
 * and shapes (io/listing/guess.h). *keys is NULL if the config names
 * them, the file says so itself, or nothing is found; else one override on each line,
 * malloc'ed. Rank 0 looks at the file. Collective. Errors: STATUS_MEMORY.
 */
status app_config_guess(MPI_Comm comm, const io_config *config, char **keys);

/* Replaces the config by one with these keys, if there are any, and frees the keys.
 * Local. Errors: those of io_config_override. */
status app_config_name(char *keys, io_config **config);

#endif
