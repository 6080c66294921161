#include "data.h"

#include "base/parallel/parallel.h"
#include "frame/config_load.h"
#include "frame/shown/shown.h"
#include "grid/priority.h"
#include "io/load/load.h"
#include "io/view.h"
#include "library/insitu.h"
#include "run/case/case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ARRAYS "arrays.png" /* of a picture that nobody writes */

/* ---- Opening ----------------------------------------------------------------------- */

/* Makes the config of a data file, or of arrays. Collective. */
static status make_text(insitu_session *session)
{
    insitu_data *data = session->data;
    if (!data->path) {
        return parallel_agree(session->comm, case_make_of_arrays(ARRAYS, &data->text));
    }
    return case_is_data(session->comm, data->path)
               ? case_make(session->comm, data->path, CASE_LAST, &data->text)
               : STATUS_OK;
}

/* Reads the config of the data. Collective. */
static status read_config(insitu_session *session)
{
    insitu_data *data = session->data;
    const frame_job_options options = {.noverrides = session->from.noverrides,
                                       .overrides = session->from.overrides,
                                       .text = data->text};
    const char *place = !data->path  ? INSITU_ARRAYS
                        : data->text ? case_place(data->path)
                                     : data->path;
    return frame_config_load_for(session->comm, place, &options, &data->config);
}

/* Opens a file with all its steps. Collective. */
static status open_file(insitu_session *session)
{
    insitu_data *data = session->data;
    io_data_config all = data->config->data;
    all.nsteps = 0;
    all.all_steps = true;
    status s = io_source_open(session->comm, &all, &data->source);
    io_config_blame(data->config, "data.file", s);
    return s == STATUS_OK
               ? parallel_agree(session->comm, io_source_add_rest(data->source))
               : s;
}

static status create(insitu_session *session, const char *path,
                     const karman_options *options)
{
    session->data = calloc(1, sizeof *session->data);
    if (!session->data) {
        return base_fail_memory(sizeof *session->data, "the data");
    }
    session->data->path = path ? strdup(path) : NULL;
    session->free_data = insitu_data_free;
    session->is_off = true; /* for karman_render */
    return path && !session->data->path ? base_fail_memory(0, "a path")
                                        : insitu_copy_options(session, path, options);
}

status insitu_data_open(MPI_Comm comm, const char *path, const karman_options *options,
                        insitu_session **out)
{
    insitu_session *session = NULL;
    status s = insitu_create(comm, &session);
    if (s != STATUS_OK) {
        return s;
    }
    parallel_check_threads();
    s = parallel_agree(session->comm, create(session, path, options));
    s = s == STATUS_OK ? make_text(session) : s;
    s = s == STATUS_OK ? read_config(session) : s;
    s = s == STATUS_OK && path ? open_file(session) : s;
    if (s != STATUS_OK) {
        case_drop_place(path ? path : INSITU_ARRAYS);
    }
    if (s != STATUS_OK) {
        insitu_close(&session);
        return s;
    }
    *out = session;
    return STATUS_OK;
}

void insitu_data_free(insitu_data **data)
{
    insitu_data *doomed = *data;
    if (!doomed) {
        return;
    }
    frame_shown_clear(&doomed->picture);
    grid_layout_destroy(&doomed->layout);
    io_source_close(&doomed->source);
    io_config_destroy(&doomed->config);
    free(doomed->picture_config);
    free(doomed->description);
    free(doomed->text);
    free(doomed->path);
    free(doomed);
    *data = NULL;
}

/* ---- The source -------------------------------------------------------------------- */

/* Makes the source of the arrays that are described. Collective. */
static status take_arrays(insitu_session *session)
{
    status s = insitu_share_descriptions(session);
    if (s == STATUS_OK && session->grid.is_stale) {
        grid_layout_destroy(&session->data->layout);
        s = insitu_grid_open(session);
        s = s == STATUS_OK
                ? io_source_set_view(session->grid.source, &session->data->config->data)
                : s;
        s = s == STATUS_OK ? insitu_grid_compare(session, false) : s;
    }
    if (s == STATUS_OK) { /* values may have changed since the last call */
        io_memory_set_step(session->grid.source, 0, 0.0);
    }
    return s;
}

status insitu_data_source(insitu_session *session, io_source **source)
{
    if (!session->data) {
        return base_fail(STATUS_USAGE, "this session has a run: karman_open_data opens "
                                       "data without one");
    }
    const status s = session->data->path ? STATUS_OK : take_arrays(session);
    *source = session->data->path ? session->data->source : session->grid.source;
    return s;
}

status insitu_data_step(const io_source *source, int64_t number, int *index)
{
    const io_step *steps = io_source_steps(source);
    const int count = io_source_step_count(source);
    for (int n = count - 1; n >= 0; n--) {
        if (number == KARMAN_LAST_STEP || steps[n].number == number) {
            *index = n;
            return STATUS_OK;
        }
    }
    return base_fail(
        STATUS_USAGE,
        "there is no step %" PRId64 " in %s: it has %d, from %" PRId64 " to %" PRId64,
        number, io_source_path(source), count, steps[0].number, steps[count - 1].number);
}

status insitu_data_layout(insitu_session *session, io_source *source, int step,
                          const grid_layout **layout)
{
    insitu_data *data = session->data;
    const io_data_config *config = &data->config->data;
    status s = STATUS_OK;
    if (!data->layout || io_source_grid(source, step) != data->grid) {
        grid_layout_destroy(&data->layout);
        s = io_load_grid_of(session->comm, source, step, &data->layout);
        data->grid = io_source_grid(source, step);
        s = s == STATUS_OK
                ? parallel_agree(session->comm,
                                 grid_layout_rank_blocks(data->layout, config->npriority,
                                                         config->priority))
                : s;
    }
    if (s != STATUS_OK) {
        grid_layout_destroy(&data->layout);
    }
    *layout = data->layout;
    return s;
}
