/* A wish to convert data. */
#ifndef APP_CONVERT_REQUEST_H
#define APP_CONVERT_REQUEST_H

#include "io/config/config.h"

#include <stdbool.h>

typedef struct app_convert_request {
    const io_config *config; /* its key `data`: the data, and the steps to convert */
    const char *output;      /* the HDF5 file; an XDMF file is written beside it */
    const char *fields;      /* names with commas between them; NULL: all */
    bool is_single;          /* float64 becomes float32 */
    bool replaces;           /* existing files */
} app_convert_request;

#endif
