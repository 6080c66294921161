#include "launched.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

/* Variables of MPICH and its relatives, of Open MPI, of PMIx, and of Slurm. There is no
 * size of Slurm here: a batch script of Slurm is task 0, yet SLURM_NTASKS there counts
 * the tasks of the whole job. */
static const char *const ranks[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                    "SLURM_PROCID", NULL};
static const char *const sizes[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", NULL};

/* The first of these variables that is an integer of at least `least`; else `least`. */
static int read_first(const char *const *names, int least)
{
    for (; *names; names++) {
        const char *text = getenv(*names);
        char *end;
        long value = text ? strtol(text, &end, 10) : -1;
        if (text && *end == '\0' && value >= least && value <= INT_MAX) {
            return (int)value;
        }
    }
    return least;
}

int base_launched_rank(void)
{
    return read_first(ranks, 0);
}

int base_launched_size(void)
{
    return read_first(sizes, 1);
}
