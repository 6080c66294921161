/* The work of `karman info --statistics`. */
#ifndef APP_INFO_STATISTICS_H
#define APP_INFO_STATISTICS_H

#include "base/status.h"
#include "io/config/config.h"

#include <mpi.h>
#include <stdbool.h>

/*
 * Prints extremes, means, percentiles and a histogram of fields to standard output, over
 * the steps of the config's data. fields: names and expressions with commas between them;
 * NULL: those of the data. Data without transforms and copies, which are taken out of
 * the config. Rank 0 prints. Collective. Errors: those of the config and its data,
 * STATUS_USAGE (a field), STATUS_OUTPUT, STATUS_MEMORY.
 */
status app_info_statistics(MPI_Comm comm, const char *fields, bool is_json,
                           io_config *config);

#endif
