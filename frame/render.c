#include "render.h"

#include "base/ending/ending.h"
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "progress.h"

void frame_render_warn(const frame_result *frame)
{
    if (frame->is_blank) {
        base_log_warning(
            "%s shows nothing but background: look at camera, range, opacity "
            "and clip, which may be 'auto'",
            frame->picture);
    } else if (frame->is_plain) {
        base_log_warning(
            "%s shows hardly more than one colour: look at range, opacity and camera, "
            "which may be 'auto'",
            frame->picture);
    }
}

/* The frames that are drawn: those that make a file. */
typedef struct frame_render_run {
    MPI_Comm comm;
    int count; /* of them */
} frame_render_run;

/* Checks that the job has the chosen frames; *count becomes their number. */
static status count_frames(const frame_job *job, const frame_choice *choice, int *count)
{
    const int frames = frame_job_frame_count(job) / frame_job_pictures(job);
    if (choice->is_given && (choice->first >= frames || choice->last >= frames)) {
        return base_fail(STATUS_USAGE,
                         "--frames %d: the last of %d frames is %d, as they count from 0",
                         choice->first >= frames ? choice->first : choice->last, frames,
                         frames - 1);
    }
    *count = 0;
    for (int f = 0; f < frame_job_frame_count(job); f++) {
        *count += frame_job_is_chosen(job, f) && frame_job_makes_file(job, f);
    }
    return STATUS_OK;
}

bool frame_render_ends(MPI_Comm comm)
{
    const int mine = base_ending_is_asked();
    int any = 0;
    parallel_allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm);
    return any != 0;
}

/* Ends before all frames are there, as a signal has asked for. */
static void leave(const frame_render_run *run, int drawn)
{
    base_ending_leave_work();
    base_log_warning("SIGTERM: ended after %d of %d frames; the same command with "
                     "--resume draws the others",
                     drawn, run->count);
}

/* Tells of a frame: progress, and once of one that shows nothing. */
static void tell_frame(const frame_result *frame, frame_progress *progress, bool *warned)
{
    if (progress) {
        frame_progress_frame(progress, frame);
    }
    if ((frame->is_blank || frame->is_plain) && !*warned) {
        frame_render_warn(frame);
        *warned = true;
    }
}

/* Renders the pictures from *f on that make a file together: one, or all cells of a
 * frame. *f becomes the last one. */
static status render_file(frame_job *job, int *f, frame_result *frame)
{
    status s = frame_job_render(job, *f, frame);
    while (s == STATUS_OK && !frame_job_makes_file(job, *f)) {
        const frame_result cell = *frame;
        s = frame_job_render(job, ++*f, frame);
        frame->seconds += cell.seconds;
        frame->lost_rays += cell.lost_rays;
        frame->nan_cells += cell.nan_cells;
        frame->is_blank = frame->is_blank && cell.is_blank;
    }
    return s;
}

static status render_frames(frame_job *job, const frame_render_run *run,
                            frame_progress *progress)
{
    status s = STATUS_OK;
    bool warned = false, ends = false;
    int frames = frame_job_frame_count(job), done = 0;
    for (int f = 0; f < frames && s == STATUS_OK && !ends; f++) {
        if (!frame_job_is_chosen(job, f)) {
            continue;
        }
        frame_result frame;
        s = render_file(job, &f, &frame);
        if (s == STATUS_OK) {
            tell_frame(&frame, progress, &warned);
        }
        ends = s == STATUS_OK && ++done < run->count && frame_render_ends(run->comm);
    }
    if (ends) {
        leave(run, done);
    }
    /* Also after a failure, so that pictures in progress are completed. */
    status finished = frame_job_finish(job);
    return s != STATUS_OK ? s : finished;
}

status frame_render(MPI_Comm comm, const char *config_path,
                    const frame_job_options *options, bool quiet)
{
    frame_job *job = NULL;
    status s = frame_job_create(comm, config_path, options, &job);
    if (s != STATUS_OK) {
        return s;
    }
    bool shows = parallel_rank(comm) == 0 && !quiet;
    if (shows && options->shows_config) {
        io_config_print(frame_job_whole_config(job), false, stdout);
        fflush(stdout);
    }
    int count = 0;
    s = count_frames(job, &options->choice, &count);
    if (s != STATUS_OK) {
        frame_job_destroy(&job);
        return s;
    }
    frame_progress progress = frame_progress_begin(count);
    if (shows) {
        frame_progress_announce(&progress, job, NULL);
    }
    const frame_render_run run = {comm, count};
    s = render_frames(job, &run, shows ? &progress : NULL);
    if (shows) {
        frame_progress_end(&progress, s == STATUS_OK && !base_ending_left_work());
    }
    frame_job_destroy(&job);
    return s;
}
