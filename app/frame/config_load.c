#include "config_load.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "config_guess.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Names grid and fields, if the config leaves both to its file. Collective. */
static status complete(MPI_Comm comm, io_config **config)
{
    char *keys = NULL;
    status s = app_config_guess(comm, *config, &keys);
    if (keys && parallel_rank(comm) == 0) {
        base_log_warning("%s has a layout of its own: grid and fields are guessed from "
                         "names and shapes, as 'karman info %s' shows",
                         (*config)->data.file, (*config)->data.file);
    }
    return s == STATUS_OK ? parallel_agree(comm, app_config_name(keys, config)) : s;
}

/* Parses a text that all ranks have. Collective. */
static status parse(MPI_Comm comm, const char *path, const char *text, size_t size,
                    const app_job_options *options, io_config **out)
{
    io_config *config = NULL;
    status s = io_config_parse(path, text, size, options->noverrides, options->overrides,
                               &config);
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        s = complete(comm, &config);
    }
    if (s != STATUS_OK) {
        io_config_destroy(&config);
        return s;
    }
    *out = config;
    return STATUS_OK;
}

status app_config_load(MPI_Comm comm, const char *path, int noverrides,
                       const char *const *overrides, io_config **out)
{
    int rank = parallel_rank(comm);
    char *text = NULL;
    size_t size = 0;
    status s = rank == 0 ? io_config_read_text(path, &text, &size) : STATUS_OK;
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        return s;
    }
    int64_t bytes = (int64_t)size;
    parallel_bcast(&bytes, 1, MPI_INT64_T, 0, comm);
    if (rank != 0) {
        text = malloc((size_t)bytes + 1);
        s = text ? STATUS_OK : base_fail_memory((size_t)bytes, "a config file");
    }
    s = parallel_agree(comm, s);
    if (s == STATUS_OK) {
        parallel_bcast(text, parallel_count(bytes), MPI_CHAR, 0, comm);
        const app_job_options options = {.noverrides = noverrides,
                                         .overrides = overrides};
        s = parse(comm, path, text, (size_t)bytes, &options, out);
    }
    free(text);
    return s;
}

status app_config_load_for(MPI_Comm comm, const char *path,
                           const app_job_options *options, io_config **out)
{
    if (!options->text) {
        return app_config_load(comm, path, options->noverrides, options->overrides, out);
    }
    return parse(comm, path, options->text, strlen(options->text), options, out);
}
