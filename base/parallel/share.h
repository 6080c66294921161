/* Arrays that rank 0 has, and that all ranks get: one agreement for all of them. */
#ifndef BASE_PARALLEL_SHARE_H
#define BASE_PARALLEL_SHARE_H

#include "parallel.h"

#include <stddef.h>

/* An array: the address of the pointer to its items, their number on rank 0, which all
 * ranks know (-1: there is no array), and the bytes of one. */
typedef struct parallel_list {
    void *items;
    int64_t count;
    size_t size;
} parallel_list;

#define PARALLEL_LIST(items, count)                                                      \
    {                                                                                    \
        &(items), (count), sizeof *(items)                                               \
    }

/*
 * Gives all ranks the arrays of rank 0. The others allocate them, as base_array_extend
 * does; the caller frees them, also after a failure. `s` is what this rank has to say so
 * far: after a failure of any rank nothing is given. `what` names the arrays if memory
 * runs out. Collective. Errors: those of `s`, STATUS_MEMORY; the same on all ranks.
 */
status parallel_share(MPI_Comm comm, status s, int nlists, const parallel_list lists[],
                      const char *what);

/* The same for a text of rank 0 with `*bytes` bytes, which the others do not know; they
 * get one with a zero behind it. NULL stays NULL, and -1. */
status parallel_share_text(MPI_Comm comm, status s, char **text, int64_t *bytes,
                           const char *what);

#endif
