/* What a job will write: checked before the long work. */
#ifndef APP_FRAME_OUTPUTS_H
#define APP_FRAME_OUTPUTS_H

#include "base/status.h"
#include "io/config/config.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct app_outputs {
    const io_config *config;
    const char *data_path; /* of the data file */
    bool has_more_steps;   /* other steps are drawn by the same config, too */
} app_outputs;

/*
 * Finds out whether everything that the config's `output` names can be written for these
 * steps (numbers: [nsteps], > 0): no output may be the data file, the config itself or a
 * folder, several steps need a number in their names, and each folder
 * must take a file; missing folders are made. Local, for the rank that writes. Errors,
 * with the place of the key: STATUS_USAGE, STATUS_OUTPUT, STATUS_MEMORY.
 */
status app_outputs_check(const app_outputs *what, int nsteps, const int64_t *numbers);

#endif
