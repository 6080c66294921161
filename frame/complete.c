#include "complete.h"

#include "base/parallel/nodes.h"
#include "base/parallel/parallel.h"
#include "config_load.h"
#include "entry.h"
#include "io/load/load.h"
#include "io/select.h"

#include <stdlib.h>

/* The state while a config is completed. */
typedef struct completion {
    MPI_Comm comm;
    io_config *config;
    io_source *source;
    grid_layout *layout;
    int nsteps;
    int *steps;
    frame_auto_values values;
} completion;

static frame_auto_data data_of(const completion *c)
{
    return (frame_auto_data){.comm = c->comm,
                             .source = c->source,
                             .config = &c->config->data,
                             .layout = c->layout,
                             .nsteps = c->nsteps,
                             .steps = c->steps};
}

/* Collective. */
static status find_fields(completion *c, const char *field)
{
    status s = io_select_steps(c->source, c->config, false, &c->nsteps, &c->steps);
    if (s == STATUS_OK) {
        const frame_auto_data data = data_of(c);
        s = frame_auto_fields(&data, field, &c->values, &c->config);
    }
    return parallel_agree(c->comm, s);
}

static status find_looks(completion *c)
{
    status s = io_load_grid_of(c->comm, c->source, c->steps[0], &c->layout);
    if (s == STATUS_OK) {
        const frame_auto_data data = data_of(c);
        s = frame_auto_looks(&data, NULL, &c->values, &c->config);
    }
    return s;
}

status frame_config_complete(MPI_Comm comm, const char *config_path,
                             const frame_job_options *options, frame_auto_values *values,
                             io_config **out)
{
    completion c = {.comm = comm};
    const int wanted = frame_threads_choose(parallel_node_size(comm), options->threads);
    const frame_threads threads = frame_threads_begin(wanted);
    status s = frame_config_load_for(comm, config_path, options, &c.config);
    if (s == STATUS_OK) {
        s = io_source_open(comm, &c.config->data, &c.source);
    }
    s = s == STATUS_OK ? parallel_agree(comm, io_source_add_rest(c.source)) : s;
    if (s == STATUS_OK) {
        s = find_fields(&c, options->field);
    }
    if (s == STATUS_OK) {
        s = find_looks(&c);
    }
    if (s != STATUS_OK) {
        frame_auto_blame(&c.values, options->field);
    }
    frame_threads_end(&threads);
    grid_layout_destroy(&c.layout);
    io_source_close(&c.source);
    free(c.steps);
    if (s == STATUS_OK && values) {
        *values = c.values;
    } else {
        frame_auto_values_clear(&c.values);
    }
    if (s != STATUS_OK) {
        io_config_destroy(&c.config);
        return s;
    }
    *out = c.config;
    return STATUS_OK;
}
