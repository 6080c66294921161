/* The XDMF file beside a data set, for ParaView and VisIt. */
#ifndef DATASETS_XDMF_H
#define DATASETS_XDMF_H

#include "options.h"

/* Describes the data set in the HDF5 file `path`. Local. Errors: STATUS_OUTPUT,
 * STATUS_MEMORY. */
status dataset_describe(const dataset *set, const dataset_options *options,
                        const char *path);

#endif
