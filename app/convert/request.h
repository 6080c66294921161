/* A wish to convert data. */
#ifndef APP_CONVERT_REQUEST_H
#define APP_CONVERT_REQUEST_H

#include "base/status.h"
#include "grid/field.h"
#include "io/config/config.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct convert_plan;
struct convert_output;

/* Fields that the caller makes, at the first of the steps alone. */
typedef struct app_convert_made {
    int count;
    const grid_field *fields; /* [count] */
    const int *from;          /* [count]: fields of the data with the units; -1: none */
    /* Writes all values. Collective. */
    status (*write)(MPI_Comm comm, const struct convert_plan *plan,
                    const struct convert_output *output, void *context);
    void *context;
    uint64_t hash; /* of all that the values depend on */
} app_convert_made;

typedef struct app_convert_request {
    const io_config *config;      /* its key `data`: the data, and the steps to convert */
    const char *output;           /* the HDF5 file; an XDMF file is written beside it */
    const char *fields;           /* names with commas between them; NULL: all */
    bool is_single;               /* float64 becomes float32 */
    bool replaces;                /* existing files */
    const app_convert_made *made; /* NULL: fields of the data */
} app_convert_request;

#endif
