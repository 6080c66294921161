/* The config of each file of a series: that of the whole without files and steps. */
#ifndef IO_SOURCES_SERIES_FILE_CONFIG_H
#define IO_SOURCES_SERIES_FILE_CONFIG_H

#include "base/status.h"
#include "io/config/config.h"

/* Copies all that is read of a file; `file` stays NULL. Local. Errors: STATUS_MEMORY:
 * free it all the same. */
status series_config_copy(const io_data_config *from, io_data_config *to);
void series_config_free(io_data_config *config);

#endif
