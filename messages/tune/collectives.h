/* Collectives of MPI, tuned by experiment. */
#ifndef MESSAGES_TUNE_COLLECTIVES_H
#define MESSAGES_TUNE_COLLECTIVES_H

#include "tune.h"

#include <jansson.h>

/* A table of tuned collectives, as a tuning file has them (docs/user/tune.md). */
void tune_print_collective_titles(void);
void tune_print_collective(const json_t *collective);

#endif
