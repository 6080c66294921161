#include "karman.h"

#include "base/log.h"
#include "base/parallel/parallel.h"
#include "base/version.h"
#include "frame/entry.h"
#include "frame/render.h"
#include "library/data/messages.h"

const char *karman_version(void)
{
    return base_version();
}

const char *karman_message(void)
{
    return base_fail_message();
}

int karman_failure(void)
{
    static const int kinds[] = {
        [STATUS_OK] = KARMAN_NO_FAILURE,     [STATUS_USAGE] = KARMAN_WRONG_USAGE,
        [STATUS_INPUT] = KARMAN_WRONG_INPUT, [STATUS_OUTPUT] = KARMAN_WRONG_OUTPUT,
        [STATUS_MEMORY] = KARMAN_NO_MEMORY,  [STATUS_INTERNAL] = KARMAN_DEFECT};
    return kinds[insitu_last_status()];
}

void karman_on_warning(karman_take_warning *take, void *context)
{
    insitu_give_warnings(take, context);
}

int karman_render_config(MPI_Comm comm, const char *config_path,
                         const karman_options *options)
{
    const karman_options defaults = {0};
    base_fail_set_message("");
    insitu_configure_log(comm);
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
    insitu_note_status(s);
    return base_status_exit_code(s);
}
