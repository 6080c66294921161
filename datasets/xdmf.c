#include "xdmf.h"

#include "io/xdmf.h"

#include <stdio.h>
#include <stdlib.h>

status dataset_describe(const dataset *set, const dataset_options *options,
                        const char *path)
{
    enum { STEP_NAME_SIZE = 16 };
    size_t steps = (size_t)options->steps;
    grid_block *blocks = calloc((size_t)set->nblocks, sizeof *blocks);
    char(*names)[STEP_NAME_SIZE] = malloc(steps * sizeof *names);
    const char **step_names = malloc(steps * sizeof *step_names);
    double *times = malloc(steps * sizeof *times);
    status s = STATUS_OK;
    if (!blocks || !names || !step_names || !times) {
        s = base_fail_memory(steps * 32, "a list of steps");
    }
    for (int block = 0; s == STATUS_OK && block < set->nblocks; block++) {
        snprintf(blocks[block].name, sizeof blocks[block].name, "%s",
                 set->block_names[block]);
        blocks[block].has_iblank = set->has_iblank;
        dataset_block_size(set, options->size, block, blocks[block].n);
    }
    for (int step = 0; s == STATUS_OK && step < options->steps; step++) {
        snprintf(names[step], sizeof names[step], "%04d", step);
        step_names[step] = names[step];
        times[step] = dataset_time(set, step, options->steps);
    }
    if (s == STATUS_OK) {
        io_xdmf_grid grid = {.nblocks = set->nblocks,
                             .blocks = blocks,
                             .double_coordinates = options->double_precision,
                             .nfields = set->nfields,
                             .fields = set->fields,
                             .nsteps = options->steps,
                             .step_names = step_names,
                             .times = times,
                             .double_fields = options->double_precision};
        s = io_xdmf_write(path, &grid);
    }
    free(times);
    free(step_names);
    free(names);
    free(blocks);
    return s;
}
