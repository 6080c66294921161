/* Figures, with annotations as curves: a job of its own writes the file. */
/* for mkdtemp */
#define _XOPEN_SOURCE 700

#include "base/parallel/parallel.h"
#include "state.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a whole file; *bytes is malloc'ed. */
static status read_file(const char *path, char **bytes, size_t *size)
{
    FILE *file = fopen(path, "rb");
    long length = -1;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        length = ftell(file);
        rewind(file);
    }
    *bytes = length >= 0 ? malloc((size_t)length + 1) : NULL;
    const bool good = *bytes && fread(*bytes, 1, (size_t)length, file) == (size_t)length;
    if (file) {
        fclose(file);
    }
    *size = good ? (size_t)length : 0;
    return good ? STATUS_OK : base_fail(STATUS_OUTPUT, "the figure cannot be read");
}

/* Draws the config into a PDF file. Collective. */
static status draw(const view_state *state, const io_config *config, const char *path)
{
    char figure[PATH_MAX + 64];
    char *text = view_config_print(config);
    snprintf(figure, sizeof figure, "output={figure: \"%s\"}", path);
    const char *const overrides[] = {figure};
    const frame_job_options options = {.threads = state->request->options->threads,
                                       .text = text,
                                       .noverrides = 1,
                                       .overrides = overrides};
    frame_job *job = NULL;
    frame_result frame;
    int number = 0;
    status s =
        parallel_agree(state->comm, text ? STATUS_OK : base_fail_memory(0, "a figure"));
    s = s == STATUS_OK
            ? frame_job_create(state->comm, state->request->path, &options, &job)
            : s;
    s = s == STATUS_OK ? frame_job_render(job, number, &frame) : s;
    s = s == STATUS_OK ? frame_job_finish(job) : s;
    frame_job_destroy(&job);
    free(text);
    return s;
}

/* Makes a folder for the file on rank 0, and tells its name. Collective. */
static status make_folder(MPI_Comm comm, char folder[PATH_MAX])
{
    const char *root = getenv("TMPDIR");
    status s = STATUS_OK;
    if (parallel_rank(comm) == 0) {
        snprintf(folder, PATH_MAX, "%.3000s/karman-view-XXXXXX",
                 root && root[0] != '\0' ? root : "/tmp");
        s = mkdtemp(folder) ? s
                            : base_fail(STATUS_OUTPUT,
                                        "no folder for the figure can be made in TMPDIR");
    }
    parallel_bcast(folder, PATH_MAX, MPI_CHAR, 0, comm);
    return parallel_agree(comm, s);
}

status view_order_figure(view_state *state, const json_t *order, view_result *result)
{
    char folder[PATH_MAX], path[PATH_MAX + 16];
    io_config *config = NULL;
    status s = parallel_agree(state->comm, view_config_make(state, order, 1.0, &config));
    s = s == STATUS_OK ? make_folder(state->comm, folder) : s;
    if (s == STATUS_OK) {
        snprintf(path, sizeof path, "%s/view.pdf", folder);
        s = draw(state, config, path);
        if (s == STATUS_OK && state->rank == 0) {
            *result = (view_result){.type = "application/pdf"};
            s = read_file(path, &result->bytes, &result->size);
        }
        if (state->rank == 0) {
            unlink(path);
            rmdir(folder);
        }
        s = parallel_agree(state->comm, s);
    }
    io_config_destroy(&config);
    return s;
}
