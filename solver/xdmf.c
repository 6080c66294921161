#include "solver/xdmf.h"

#include "io/source.h"
#include "io/xdmf.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAME_SIZE = 32 };

/* The steps of a source, as solver_checkpoint_add names them. */
typedef struct step_list {
    double *times;
    char (*names)[NAME_SIZE];
    const char **pointers;
} step_list;

static void clear(step_list *list)
{
    free(list->times);
    free(list->names);
    free(list->pointers);
}

static status list_steps(const io_source *source, step_list *list)
{
    const int count = io_source_step_count(source);
    const io_step *steps = io_source_steps(source);
    const size_t room = (size_t)count + 1;
    list->times = malloc(room * sizeof *list->times);
    list->names = malloc(room * sizeof *list->names);
    list->pointers = malloc(room * sizeof *list->pointers);
    if (!list->times || !list->names || !list->pointers) {
        return base_fail_memory(room * NAME_SIZE, "the list of steps");
    }
    for (int n = 0; n < count; n++) {
        snprintf(list->names[n], NAME_SIZE, "%06" PRId64, steps[n].number);
        list->times[n] = steps[n].time;
        list->pointers[n] = list->names[n];
    }
    return STATUS_OK;
}

static status write_steps(const char *path, const io_source *source)
{
    step_list list = {NULL, NULL, NULL};
    status s = list_steps(source, &list);
    if (s == STATUS_OK) {
        const io_xdmf_grid grid = {.nblocks = io_source_block_count(source),
                                   .blocks = io_source_blocks(source),
                                   .double_coordinates = true,
                                   .nfields = io_source_field_count(source),
                                   .fields = io_source_fields(source),
                                   .nsteps = io_source_step_count(source),
                                   .step_names = list.pointers,
                                   .times = list.times,
                                   .double_fields = true};
        s = io_xdmf_write(path, &grid);
    }
    clear(&list);
    return s;
}

status solver_xdmf_write(const char *path)
{
    io_data_config data = {.file = (char *)(uintptr_t)path, .all_steps = true};
    io_source *source = NULL;
    status s = io_source_open(MPI_COMM_SELF, &data, &source);
    if (s == STATUS_OK) {
        s = write_steps(path, source);
    }
    io_source_close(&source);
    return s;
}
