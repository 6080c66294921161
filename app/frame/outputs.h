/* What a job will write: checked before the long work. */
#ifndef APP_FRAME_OUTPUTS_H
#define APP_FRAME_OUTPUTS_H

#include "base/status.h"
#include "io/config/config.h"

#include <stdint.h>

/*
 * Finds out whether everything that the config's `output` names can be written for these
 * steps (numbers: [nsteps], > 0): no output may be the data file (at data_path), the
 * config itself or another output, and each folder must take a file; missing folders are
 * made. Local, for the rank that writes. Errors: STATUS_USAGE, STATUS_OUTPUT,
 * STATUS_MEMORY.
 */
status app_outputs_check(const io_config *config, const char *data_path, int nsteps,
                         const int64_t *numbers);

#endif
