#include "config_load.h"

#include "base/parallel/parallel.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

status app_config_load(MPI_Comm comm, const char *path, int noverrides,
                       const char *const *overrides, io_config **out)
{
    int rank = parallel_rank(comm);
    char *text = NULL;
    size_t size = 0;
    io_config *config = NULL;
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
        s = io_config_parse(path, text, (size_t)bytes, noverrides, overrides, &config);
        s = parallel_agree(comm, s);
    }
    free(text);
    if (s != STATUS_OK) {
        io_config_destroy(&config);
        return s;
    }
    *out = config;
    return STATUS_OK;
}

status app_config_load_for(MPI_Comm comm, const char *path,
                           const app_job_options *options, io_config **out)
{
    io_config *config = NULL;
    if (!options->text) {
        return app_config_load(comm, path, options->noverrides, options->overrides, out);
    }
    status s = io_config_parse(path, options->text, strlen(options->text),
                               options->noverrides, options->overrides, &config);
    s = parallel_agree(comm, s);
    if (s != STATUS_OK) {
        io_config_destroy(&config);
        return s;
    }
    *out = config;
    return STATUS_OK;
}
