#include "gather.h"

#include "base/parallel/parallel.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

void io_gathered_clear(io_gathered *from)
{
    free(from->counts);
    free(from->begin);
    free(from->all);
}

/* Allocates memory for the numbers of all ranks, on rank 0. */
static status make_room(io_gathered *to, const char *what)
{
    int64_t total = 0;
    for (int r = 0; r < to->ranks; r++) {
        to->begin[r] = (int)total;
        total += to->counts[r];
        if (total > INT_MAX) {
            return base_fail(STATUS_MEMORY,
                             "the %s of %d ranks are more than one message can hold: "
                             "leave output.tile_costs or output.timings out",
                             what, to->ranks);
        }
    }
    to->all = malloc((size_t)total * sizeof *to->all + 1);
    return to->all ? STATUS_OK : base_fail_memory((size_t)total * sizeof *to->all, what);
}

status io_gather(MPI_Comm comm, int64_t count, const int64_t *numbers, const char *what,
                 io_gathered *out)
{
    const bool is_root = parallel_rank(comm) == 0;
    const size_t ranks = (size_t)parallel_size(comm);
    *out = (io_gathered){.ranks = (int)ranks};
    if (is_root) {
        out->counts = calloc(ranks, sizeof *out->counts);
        out->begin = calloc(ranks, sizeof *out->begin);
    }
    status s = !is_root || (out->counts && out->begin)
                   ? STATUS_OK
                   : base_fail_memory(ranks * sizeof(int), what);
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    const int here = parallel_count(count);
    MPI_Request request;
    MPI_Igather(&here, 1, MPI_INT, out->counts, 1, MPI_INT, 0, comm, &request);
    parallel_wait(&request);
    s = parallel_agree(comm, is_root ? make_room(out, what) : STATUS_OK);
    if (s == STATUS_OK) {
        MPI_Igatherv(numbers, here, MPI_INT64_T, out->all, out->counts, out->begin,
                     MPI_INT64_T, 0, comm, &request);
        parallel_wait(&request);
    }
    return s;
}
