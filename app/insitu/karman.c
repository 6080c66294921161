#include "karman.h"

#include "app/frame/entry.h"
#include "app/frame/job.h"
#include "app/frame/progress.h"
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "base/version.h"

const char *karman_version(void)
{
    return base_version();
}

const char *karman_message(void)
{
    return base_fail_message();
}

static status render_frames(app_job *job, app_progress *progress)
{
    status s = STATUS_OK;
    bool warned = false;
    int frames = app_job_frame_count(job);
    for (int f = 0; f < frames && s == STATUS_OK; f++) {
        app_frame frame;
        s = app_job_render(job, f, &frame);
        if (s == STATUS_OK && progress) {
            app_progress_frame(progress, &frame);
        }
        if (s == STATUS_OK && frame.is_blank && !warned) {
            base_log_warning("%s shows nothing but background: look at camera, range, "
                             "opacity and clip",
                             frame.picture);
            warned = true;
        }
    }
    /* Also after a failure: pictures that are under way become whole. */
    status finished = app_job_finish(job);
    return s != STATUS_OK ? s : finished;
}

static status render_config(MPI_Comm comm, const char *config_path,
                            const karman_options *options)
{
    app_job *job = NULL;
    const app_job_options chosen = {.noverrides = options->noverrides,
                                    .overrides = options->overrides,
                                    .threads = options->threads,
                                    .resume = options->resume};
    status s = app_job_create(comm, config_path, &chosen, &job);
    if (s != STATUS_OK) {
        return s;
    }
    bool shows = parallel_rank(comm) == 0 && !options->quiet;
    app_progress progress = app_progress_begin(app_job_frame_count(job));
    if (shows) {
        app_progress_announce(&progress, job, NULL);
    }
    s = render_frames(job, shows ? &progress : NULL);
    if (shows) {
        app_progress_end(&progress, s == STATUS_OK);
    }
    app_job_destroy(&job);
    return s;
}

int karman_render_config(MPI_Comm comm, const char *config_path,
                         const karman_options *options)
{
    const karman_options defaults = {0};
    base_fail_set_message("");
    base_log_configure(parallel_rank(comm) == 0);
    parallel_check_threads();
    app_entry entry;
    app_entry_begin(&entry);
    status s = render_config(comm, config_path, options ? options : &defaults);
    app_entry_end(&entry);
    return base_status_exit_code(s);
}
