#include "launched.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

/* Of MPICH and its relatives, of Open MPI, of everything that speaks PMIx, of Slurm. A
 * batch script of Slurm is task 0, and SLURM_NTASKS there counts the tasks of the whole
 * job, which is why no size of Slurm stands here. */
static const char *const ranks[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                    "SLURM_PROCID", NULL};
static const char *const sizes[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", NULL};

/* The first of these variables that holds a whole number from `least` on; else `least`.
 */
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
