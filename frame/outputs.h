/* Checks the outputs of a job before the long work. */
#ifndef FRAME_OUTPUTS_H
#define FRAME_OUTPUTS_H

#include "base/status.h"
#include "io/config/config.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct frame_outputs {
    const io_config *config;
    const char *data_path; /* of the data file */
    bool has_more_steps;   /* the same config draws other steps, too */
} frame_outputs;

/*
 * Checks that all files of the config's `output` can be written for these steps (numbers:
 * [nsteps], > 0). No output may be the data file, the config or a folder. Names must
 * contain the step's number if there are several steps. Each folder must accept a file;
 * missing folders are made. Local, on the rank that writes. Errors, with the place of the
 * key: STATUS_USAGE, STATUS_OUTPUT, STATUS_MEMORY.
 */
status frame_outputs_check(const frame_outputs *what, int nsteps, const int64_t *numbers);

#endif
