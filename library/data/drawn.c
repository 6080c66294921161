/* Pictures of data, in memory. */
#include "base/log.h"
#include "base/parallel/parallel.h"
#include "data.h"
#include "frame/config_load.h"
#include "frame/render.h"
#include "frame/shown/shown.h"
#include "io/view.h"
#include "run/case/case.h"
#include "run/case/options.h"

#include <stdlib.h>
#include <string.h>

/* What a picture is drawn with. */
typedef struct drawing {
    insitu_session *session;
    case_options options;
    int noverrides;
    const char **overrides; /* [noverrides]: borrowed */
    frame_job *job;
} drawing;

/* ---- Options ----------------------------------------------------------------------- */

static status take_options(drawing *d, int count, const char *const *options)
{
    const insitu_data *data = d->session->data;
    status s = STATUS_OK;
    for (int n = 0; n < count && s == STATUS_OK; n++) {
        s = case_options_take_named(&d->options, options[n]);
    }
    if (s == STATUS_OK && d->options.output) {
        s = base_fail(STATUS_USAGE, "--output %s: a picture in memory has no file",
                      d->options.output);
    }
    return s == STATUS_OK
               ? case_options_finish(&d->options, data->text ? NULL : data->path)
               : s;
}

/* Lists the overrides: those of the session, then those of the options. */
static status list_overrides(drawing *d)
{
    const io_in_situ_text *from = &d->session->from;
    const size_t count = (size_t)from->noverrides + (size_t)d->options.count + 1;
    d->overrides = malloc(count * sizeof *d->overrides);
    if (!d->overrides) {
        return base_fail_memory(count * sizeof *d->overrides, "options");
    }
    d->overrides[d->noverrides++] = "output.frames?=picture.png";
    for (int n = 0; n < from->noverrides; n++) {
        d->overrides[d->noverrides++] = from->overrides[n];
    }
    for (int n = 0; n < d->options.count; n++) {
        d->overrides[d->noverrides++] = d->options.overrides[n];
    }
    return STATUS_OK;
}

/* ---- Jobs -------------------------------------------------------------------------- */

/* As karman render makes it. Collective. */
static status make_job_of_file(drawing *d)
{
    const insitu_data *data = d->session->data;
    const frame_job_options options = {.noverrides = d->noverrides,
                                       .overrides = d->overrides,
                                       .threads = d->session->threads,
                                       .text = data->text,
                                       .field = d->options.field,
                                       .is_shown = true};
    return frame_job_create(d->session->comm,
                            data->text ? case_place(data->path) : data->path, &options,
                            &d->job);
}

/* The same for arrays: only the source is there already. Collective. */
static status make_job_of_arrays(drawing *d)
{
    insitu_session *session = d->session;
    const frame_job_options options = {.noverrides = d->noverrides,
                                       .overrides = d->overrides,
                                       .text = session->data->text};
    frame_job_memory memory = {
        .threads = session->threads, .is_shown = true, .field = d->options.field};
    io_config *config = NULL;
    status s = insitu_data_source(session, &memory.source);
    s = s == STATUS_OK
            ? frame_config_load_for(session->comm, INSITU_ARRAYS, &options, &config)
            : s;
    s = s == STATUS_OK ? parallel_agree(session->comm,
                                        io_source_set_view(memory.source, &config->data))
                       : s;
    s = s == STATUS_OK
            ? frame_job_create_from_memory(session->comm, &config, &memory, NULL, &d->job)
            : s;
    io_config_destroy(&config);
    if (memory.source) { /* values are read as the session's own config says */
        io_source_set_view(memory.source, &session->data->config->data);
    }
    return s;
}

/* ---- Pictures ---------------------------------------------------------------------- */

static void hand_over(const insitu_data *data, const frame_result *frame,
                      karman_picture *picture)
{
    const frame_shown *shown = &data->picture;
    const int bytes = shown->pixel_bytes;
    *picture = (karman_picture){.width = shown->width,
                                .height = shown->height,
                                .channels = bytes % 4 == 0 ? 4 : 3,
                                .channel_bytes = bytes > 4 ? 2 : 1,
                                .pixels = shown->bytes,
                                .png = shown->file,
                                .png_size = shown->file_size,
                                .config = data->picture_config,
                                .step = frame->step,
                                .time = frame->time};
}

/* Draws the last frame. Collective. */
static status show(drawing *d, karman_picture *picture)
{
    insitu_data *data = d->session->data;
    frame_result frame;
    bool is_whole = false;
    data->picture.wants_pixels = data->picture.wants_both = true;
    status s = frame_job_show(d->job, frame_job_frame_count(d->job) - 1, &data->picture,
                              &frame, &is_whole);
    if (s != STATUS_OK) {
        return s;
    }
    data->picture_config = strdup(frame_job_config(d->job)->canonical);
    s = parallel_agree(d->session->comm, data->picture_config
                                             ? STATUS_OK
                                             : base_fail_memory(0, "a config"));
    if (s == STATUS_OK) {
        frame.picture = "the picture";
        frame_render_warn(&frame);
        hand_over(data, &frame, picture);
    }
    return s;
}

static status draw(drawing *d, int count, const char *const *options,
                   karman_picture *picture)
{
    insitu_data *data = d->session->data;
    status s = take_options(d, count, options);
    s = parallel_agree(d->session->comm, s == STATUS_OK ? list_overrides(d) : s);
    if (s == STATUS_OK) {
        s = data->path ? make_job_of_file(d) : make_job_of_arrays(d);
    }
    s = s == STATUS_OK ? show(d, picture) : s;
    if (s != STATUS_OK && data->text) {
        case_drop_place(data->path ? data->path : INSITU_ARRAYS);
    }
    return case_options_blame(&d->options, s);
}

status insitu_data_draw(insitu_session *session, int count, const char *const *options,
                        karman_picture *picture)
{
    drawing d = {.session = session};
    io_source *source;
    status s = insitu_data_source(session, &source);
    if (s != STATUS_OK) {
        return s;
    }
    frame_shown_clear(&session->data->picture);
    free(session->data->picture_config);
    session->data->picture_config = NULL;
    s = draw(&d, count, options, picture);
    frame_job_destroy(&d.job);
    case_options_clear(&d.options);
    free(d.overrides);
    return s;
}
