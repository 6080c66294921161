/* Memory of every rank of a node that all of its ranks can read and write. Private to the
 * executor. */
#ifndef COMPOSITE_RUN_SHARED_H
#define COMPOSITE_RUN_SHARED_H

#include "base/status.h"

#include <mpi.h>
#include <stddef.h>

typedef struct composite_shared {
    int ranks;
    char **memory; /* [ranks]: of each rank of the node; NULL: nothing is shared */
    size_t *sizes; /* [ranks], in bytes */
} composite_shared;

/*
 * Makes memory of `size` bytes on each rank, all zero, at the beginning of a page. Pages
 * exist from the first touch on, as with malloc, and no file system has to have room for
 * them. Collective; every rank says its own size. Errors: STATUS_MEMORY, on all ranks,
 * also where ranks cannot reach each other's memory.
 */
status composite_shared_create(MPI_Comm node, size_t size, composite_shared *out);

/* Takes the memory out of this process; pages are freed when it is out of all. Local. */
void composite_shared_destroy(composite_shared *shared);

#endif
