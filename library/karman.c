#include "karman.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "base/version.h"
#include "frame/entry.h"
#include "frame/render.h"

const char *karman_version(void)
{
    return base_version();
}

const char *karman_message(void)
{
    return base_fail_message();
}

int karman_render_config(MPI_Comm comm, const char *config_path,
                         const karman_options *options)
{
    const karman_options defaults = {0};
    base_fail_set_message("");
    base_log_configure(parallel_rank(comm) == 0);
    parallel_check_threads();
    frame_entry entry;
    frame_entry_begin(&entry);
    const karman_options *given = options ? options : &defaults;
    const frame_job_options chosen = {.noverrides = given->noverrides,
                                      .overrides = given->overrides,
                                      .threads = given->threads,
                                      .resume = given->resume};
    status s = frame_render(comm, config_path, &chosen, given->quiet);
    frame_entry_end(&entry);
    return base_status_exit_code(s);
}
