#include "xdmf.h"

#include "io/xdmf.h"
#include "store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 32 };

/* The contents of an XDMF file, with the names of solver_checkpoint_add. */
typedef struct contents {
    grid_block *blocks;
    grid_field fields[SOLVER_VARIABLES];
    double *times;
    char (*names)[NAME_SIZE];
    const char **pointers;
} contents;

static void clear(contents *c)
{
    free(c->blocks);
    free(c->times);
    free(c->names);
    free(c->pointers);
}

static status allocate(int nblocks, const solver_series_steps *steps, contents *c)
{
    const size_t room = (size_t)steps->count + 1;
    c->blocks = calloc((size_t)nblocks + 1, sizeof *c->blocks);
    c->times = malloc(room * sizeof *c->times);
    c->names = malloc(room * sizeof *c->names);
    c->pointers = malloc(room * sizeof *c->pointers);
    return c->blocks && c->times && c->names && c->pointers
               ? STATUS_OK
               : base_fail_memory(room * NAME_SIZE, "the list of steps");
}

static void fill(const solver_flow *flow, const solver_series_steps *steps, contents *c)
{
    for (int b = 0; b < solver_flow_blocks(flow); b++) {
        int64_t cells[3];
        const char *name = solver_flow_block(flow, b, cells);
        snprintf(c->blocks[b].name, sizeof c->blocks[b].name, "%s", name);
        for (int axis = 0; axis < 3; axis++) {
            c->blocks[b].n[axis] = cells[axis] + 1;
        }
    }
    for (int v = 0; v < SOLVER_VARIABLES; v++) {
        snprintf(c->fields[v].name, sizeof c->fields[v].name, "%s",
                 solver_store_variable(v));
        c->fields[v].location = GRID_CELL;
    }
    for (int64_t n = 0; n < steps->count; n++) {
        snprintf(c->names[n], NAME_SIZE, "%06" PRId64, (int64_t)steps->steps[n][0]);
        c->times[n] = steps->steps[n][1];
        c->pointers[n] = c->names[n];
    }
}

status solver_xdmf_write(const solver_flow *flow, const char *index,
                         const char *temporary, const solver_series_steps *steps)
{
    contents c = {.blocks = NULL};
    status s = allocate(solver_flow_blocks(flow), steps, &c);
    if (s == STATUS_OK) {
        fill(flow, steps, &c);
        s = io_xdmf_write(index, &(io_xdmf_grid){.nblocks = solver_flow_blocks(flow),
                                                 .blocks = c.blocks,
                                                 .double_coordinates = true,
                                                 .nfields = SOLVER_VARIABLES,
                                                 .fields = c.fields,
                                                 .nsteps = (int)steps->count,
                                                 .step_names = c.pointers,
                                                 .times = c.times,
                                                 .double_fields = true,
                                                 .temporary = temporary});
    }
    clear(&c);
    return s;
}
