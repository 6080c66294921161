#include "launched.h"

#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Variables of MPICH and its relatives, of Open MPI, of PMIx, and of Slurm. There is no
 * size of Slurm here: a batch script of Slurm is task 0, yet SLURM_NTASKS there counts
 * the tasks of the whole job. */
static const char *const ranks[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                    "SLURM_PROCID", NULL};
static const char *const sizes[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", NULL};
static const char *const node_sizes[] = {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE",
                                         "MV2_COMM_WORLD_LOCAL_SIZE",
                                         "SLURM_STEP_TASKS_PER_NODE", NULL};

/* The first of these variables that is an integer of at least `least`; else `least`.
 * Slurm lists nodes: "8(x4),2". */
static int read_first(const char *const *names, int least)
{
    for (; *names; names++) {
        const char *text = getenv(*names);
        char *end;
        long value = text ? strtol(text, &end, 10) : -1;
        if (text && end != text && (*end == '\0' || *end == '(') && value >= least &&
            value <= INT_MAX) {
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

int base_launched_on_node(void)
{
    return read_first(node_sizes, 1);
}

bool base_launched_at_terminal(void)
{
    if (isatty(STDOUT_FILENO) != 1 || !getenv("OMPI_COMM_WORLD_RANK")) {
        return isatty(STDOUT_FILENO) == 1;
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getppid(), STDOUT_FILENO);
    const int output = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const bool is_terminal = output >= 0 && isatty(output) == 1;
    if (output >= 0) {
        close(output);
    }
    return is_terminal;
}
