/* The drawing of a picture: its job, its condition, its frame. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "base/system.h"
#include "state.h"

#include <string.h>

/* Makes the job, or hands it the config that has changed since. Collective. */
static status make_job(insitu_session *session, insitu_picture *picture)
{
    io_config *copy = NULL;
    if (picture->job && !picture->is_stale) {
        return STATUS_OK;
    }
    status s = parallel_agree(session->comm,
                              io_config_override(picture->config, 0, NULL, &copy));
    if (s == STATUS_OK && picture->job) {
        s = frame_job_change(picture->job, &copy);
    }
    const frame_job_memory memory = {.source = session->grid.source,
                                     .particles = session->particles,
                                     .threads = session->threads};
    if (s == STATUS_OK && copy) {
        s = frame_job_replace(session->comm, &copy, &memory, &picture->job);
    }
    io_config_destroy(&copy);
    picture->is_stale = s != STATUS_OK;
    return s;
}

/* Lets orders name the layers that karman has chosen, and shows the found values. */
static status show_found(insitu_session *session, insitu_picture *picture)
{
    status s = parallel_agree(session->comm,
                              frame_job_adopt_layers(picture->job, &picture->config));
    insitu_parameters_relist(session);
    return s;
}

static status check_condition(insitu_session *session, insitu_picture *picture,
                              bool *holds)
{
    const io_condition *when = &picture->trigger.config->when;
    *holds = true;
    const io_measured *of = &when->of;
    if (!when->is_there) {
        return STATUS_OK;
    }
    const status s =
        insitu_measure_find(session, picture->config, 1, &of, &picture->value);
    *holds =
        s == STATUS_OK && insitu_condition_holds(when, picture->value, picture->shown);
    return s;
}

/* The path of a picture relative to the run directory, if it lies in there. */
static const char *path_inside(const insitu_session *session, const char *path)
{
    const char *folder = session->config->run;
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1
                                                                     : path;
}

static void tell(insitu_session *session, insitu_picture *picture,
                 const frame_result *frame)
{
    steer_run_add_frame(session->run, picture->name, path_inside(session, frame->picture),
                        frame->step, frame->time, frame->seconds);
    insitu_cost_add_frame(session, frame);
    if (frame->is_blank && !picture->has_warned) {
        base_log_warning("%s shows nothing but background: look at camera, range, "
                         "opacity and clip",
                         frame->picture);
        picture->has_warned = true;
    }
}

/* Draws. A failure to draw may leave the job half made, so the job is destroyed. A
 * failure to write, as the disk is full, say, keeps it. */
static status draw(insitu_session *session, insitu_picture *picture)
{
    frame_result frame;
    frame_job_attach_missing(picture->job, &session->missing);
    status s = frame_job_render(picture->job, 0, &frame);
    session->missing = frame_job_detach_missing(picture->job);
    if (s != STATUS_OK) {
        frame_job_destroy(&picture->job);
        return s;
    }
    s = frame_job_wait(picture->job);
    frame_job_rest(picture->job);
    if (s == STATUS_OK) {
        tell(session, picture, &frame);
    }
    return s;
}

status insitu_picture_draw(insitu_session *session, insitu_picture *picture, bool checks,
                           bool *drawn)
{
    const double begin = base_clock();
    const bool is_new = !picture->job || picture->is_stale;
    status s = make_job(session, picture);
    if (s == STATUS_OK && is_new) {
        s = show_found(session, picture);
    }
    session->cost.create += base_clock() - begin;
    *drawn = true;
    if (s != STATUS_OK) {
        frame_job_destroy(&picture->job);
    } else if (checks) {
        s = check_condition(session, picture, drawn);
    }
    if (s == STATUS_OK && *drawn) {
        s = draw(session, picture);
        picture->shown = s == STATUS_OK && checks ? picture->value : picture->shown;
    }
    picture->is_changed = picture->is_changed && !(s == STATUS_OK && *drawn);
    base_trim_memory(); /* the solver may need the memory that reading and drawing took */
    return s;
}
