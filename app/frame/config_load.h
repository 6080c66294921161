/* One config for all ranks. */
#ifndef APP_FRAME_CONFIG_LOAD_H
#define APP_FRAME_CONFIG_LOAD_H

#include "base/status.h"
#include "io/config/config.h"

#include <mpi.h>

/*
 * Rank 0 reads the config file, every rank parses the same text with the same overrides
 * ([noverrides], as io_config_parse). Collective. Errors: as io_config_read, the same on
 * every rank.
 */
status app_config_load(MPI_Comm comm, const char *path, int noverrides,
                       const char *const *overrides, io_config **out);

#endif
