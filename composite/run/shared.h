/* Shared memory: every rank of a node has some that all ranks of the node can read and
 * write. Private to the executor. */
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
 * Allocates `size` bytes of zeros on each rank, aligned to a page. A page exists from its
 * first touch on, as with malloc, and takes no space of a file system. Collective; sizes
 * may differ. Errors: STATUS_MEMORY, on all ranks, also if ranks cannot map each other's
 * memory.
 */
status composite_shared_create(MPI_Comm node, size_t size, composite_shared *out);

/* Unmaps the memory from this process; the last process frees the pages. Local. */
void composite_shared_destroy(composite_shared *shared);

#endif
