#include "convert.h"

#include "base/parallel/parallel.h"
#include "copy.h"
#include "io/file.h"
#include "io/load/load.h"
#include "io/xdmf.h"
#include "journal.h"
#include "vtk.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- The file ---------------------------------------------------------------------- */

/* Rank 0 tells all where the arrays lie. Collective. */
static void share_offsets(MPI_Comm comm, convert_plan *plan)
{
    enum { AT_ONCE = 1024 };
    int64_t offsets[AT_ONCE];
    for (int64_t first = 0; first < plan->narrays; first += AT_ONCE) {
        const int64_t left = plan->narrays - first,
                      count = left < AT_ONCE ? left : AT_ONCE;
        for (int64_t n = 0; n < count; n++) {
            offsets[n] = plan->arrays[first + n].offset;
        }
        parallel_bcast(offsets, (int)count, MPI_INT64_T, 0, comm);
        for (int64_t n = 0; n < count; n++) {
            plan->arrays[first + n].offset = offsets[n];
        }
    }
}

/* Takes the temporary file of an interrupted run, or makes one, and the journal.
 * Collective. */
static status return_to(MPI_Comm comm, const convert_plan *plan,
                        const app_convert_request *request,
                        const convert_skeleton *skeleton, convert_output *output)
{
    int64_t unused;
    const uint64_t signature = convert_journal_sign(plan, request->made->hash);
    bool goes_on = parallel_rank(comm) == 0 &&
                   convert_journal_read(request->output, signature, 0, &unused);
    const status s =
        convert_output_return(comm, request->output, skeleton, &goes_on, output);
    if (s == STATUS_OK && !goes_on && parallel_rank(comm) == 0) {
        convert_journal_remove(request->output);
    }
    return s;
}

/* Makes the file under its temporary name. *size: its bytes, on rank 0. Collective. */
static status make_output(MPI_Comm comm, convert_plan *plan,
                          const app_convert_request *request, convert_output *output,
                          int64_t *size)
{
    const char *path = request->output;
    convert_skeleton skeleton = {.descriptor = -1};
    status s = parallel_rank(comm) == 0 ? convert_skeleton_make(plan, path, &skeleton)
                                        : STATUS_OK;
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        share_offsets(comm, plan);
        s = request->made ? return_to(comm, plan, request, &skeleton, output)
                          : convert_output_make(comm, path, &skeleton, output);
    }
    *size = skeleton.size;
    convert_skeleton_close(&skeleton);
    return s;
}

/* ---- The XDMF file ----------------------------------------------------------------- */

typedef struct step_lists {
    const char **names, **units;
    double *times;
    uint8_t *has_field;
} step_lists;

static status list_steps(const convert_plan *plan, step_lists *out)
{
    const size_t steps = (size_t)plan->nsteps, fields = (size_t)plan->nfields;
    *out = (step_lists){malloc((steps + 1) * sizeof *out->names),
                        malloc((fields + 1) * sizeof *out->units),
                        malloc((steps + 1) * sizeof *out->times),
                        malloc(steps * fields + 1)};
    if (!out->names || !out->units || !out->times || !out->has_field) {
        return base_fail_memory(steps * (fields + 16), "a list of steps");
    }
    for (int step = 0; step < plan->nsteps; step++) {
        out->names[step] = plan->step_names[step];
        out->times[step] = io_source_steps(plan->source)[plan->steps[step]].time;
        for (int f = 0; f < plan->nfields; f++) {
            out->has_field[(size_t)step * fields + (size_t)f] =
                convert_plan_has(plan, step, f);
        }
    }
    for (int f = 0; f < plan->nfields; f++) {
        out->units[f] = convert_plan_unit(plan, f);
    }
    return STATUS_OK;
}

static status write_xdmf(const convert_plan *plan, const char *path)
{
    step_lists lists;
    status s = list_steps(plan, &lists);
    if (s == STATUS_OK) {
        s = io_xdmf_write(path,
                          &(io_xdmf_grid){.nblocks = plan->nblocks,
                                          .blocks = plan->blocks,
                                          .has_ghosts = true,
                                          .units = lists.units,
                                          .double_coordinates = plan->double_coordinates,
                                          .nfields = plan->nfields,
                                          .fields = plan->outputs,
                                          .nsteps = plan->nsteps,
                                          .step_names = lists.names,
                                          .grid_steps = plan->grids,
                                          .times = lists.times,
                                          .is_double = plan->is_double,
                                          .has_field = lists.has_field});
    }
    free(lists.names);
    free(lists.units);
    free(lists.times);
    free(lists.has_field);
    return s;
}

/* ---- The whole --------------------------------------------------------------------- */

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

/* Blocks of the step that has the most. */
static int count_blocks(const convert_plan *plan)
{
    int most = 0;
    for (int step = 0; step < (plan->nsteps > 0 ? plan->nsteps : 1); step++) {
        int count = 0;
        for (int b = 0; b < plan->nblocks; b++) {
            count += convert_plan_grid(plan, step, b) >= 0;
        }
        most = count > most ? count : most;
    }
    return most;
}

static void print_summary(const convert_plan *plan, const char *path, int64_t size)
{
    const int blocks = count_blocks(plan);
    printf("%s: %d block%s, %d step%s, %d field%s, %.1f MiB\n", path, blocks,
           plural(blocks), plan->nsteps, plural(plan->nsteps), plan->nfields,
           plural(plan->nfields), (double)size / (1024.0 * 1024.0));
}

/* Gives the whole file its name, and writes the XDMF file. Local, on rank 0. */
static status commit(const convert_plan *plan, convert_output *output)
{
    status s = write_xdmf(plan, output->path);
    if (s == STATUS_OK) {
        s = io_file_commit(output->temporary, output->path);
        output->is_made = false;
    }
    return s;
}

static status write_plan(MPI_Comm comm, convert_plan *plan,
                         const app_convert_request *request)
{
    const app_convert_made *made = request->made;
    convert_output output = {.file = MPI_FILE_NULL};
    int64_t size = 0;
    status s = make_output(comm, plan, request, &output, &size);
    if (s == STATUS_OK) {
        s = convert_copy(comm, plan, &output);
    }
    output.stays |= s == STATUS_OK && made;
    if (s == STATUS_OK && made) {
        s = made->write(comm, plan, &output, made->context);
    }
    if (s == STATUS_OK) {
        s = convert_output_close(comm, &output);
    }
    if (s == STATUS_OK) {
        s = parallel_agree(comm,
                           parallel_rank(comm) == 0 ? commit(plan, &output) : STATUS_OK);
    }
    convert_output_abandon(comm, &output);
    if (s == STATUS_OK && parallel_rank(comm) == 0) {
        convert_journal_remove(request->output);
        print_summary(plan, request->output, size);
    }
    return s;
}

static status write_vtk(MPI_Comm comm, const convert_plan *plan,
                        const app_convert_request *request)
{
    char *path = NULL;
    int64_t size = 0;
    const status s = convert_vtk_write(comm, plan, request, &path, &size);
    if (s == STATUS_OK && parallel_rank(comm) == 0) {
        print_summary(plan, path, size);
    }
    free(path);
    return s;
}

status app_convert_of(MPI_Comm comm, io_source *source,
                      const app_convert_request *request)
{
    convert_plan plan = {.source = NULL};
    const bool is_vtk = convert_plan_is_vtk(request->output);
    status s = parallel_rank(comm) == 0 && !is_vtk ? convert_output_check(source, request)
                                                   : STATUS_OK;
    s = parallel_agree(comm, s);
    s = s == STATUS_OK ? io_load_check_size(comm, source) : s;
    if (s == STATUS_OK) {
        s = parallel_agree(comm, convert_plan_make(source, request, &plan));
    }
    if (s == STATUS_OK) {
        s = is_vtk ? write_vtk(comm, &plan, request) : write_plan(comm, &plan, request);
    }
    convert_plan_clear(&plan);
    return s;
}

status app_convert(MPI_Comm comm, const app_convert_request *request)
{
    io_source *source = NULL;
    io_data_config data = request->config->data;
    data.ntransforms = data.ncopies = 0; /* views are for pictures */
    status s = io_source_open(comm, &data, &source);
    if (s == STATUS_OK) {
        s = app_convert_of(comm, source, request);
    }
    io_source_close(&source);
    return s;
}
